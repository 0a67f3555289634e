"""The questions and exercises of page 10."""

from typing import Any

import numpy as np

from helpers.arrays import Array
from helpers.core import causal_mask, padding_mask
from helpers.exercises.model import (
    PAPER,
    Case,
    Exercise,
    Mistake,
    Option,
    Page,
    Question,
)


def _both(lengths: Array, n_queries: int, n_keys: int) -> Any:
    return padding_mask(lengths, n_keys) & causal_mask(n_queries, n_keys)


def _shifted(by: int) -> Any:
    return lambda tokens: (tokens[..., :-by], tokens[..., by:])


QUESTIONS = (
    Question(
        name="true_means_hidden",
        text=(
            "A mask in which True means hidden should go into this course's attention. "
            "What do you do with it?"
        ),
        options=(
            Option("turn it around: mask.T", "That exchanges queries and keys."),
            Option("invert it: ~mask", "What was hidden, True, becomes False.", True),
            Option(
                "make numbers of it: mask.astype(float)",
                "They would be added to the scores, and nothing is hidden.",
            ),
        ),
    ),
    Question(
        name="too_good",
        text=(
            "A model predicts new flips of a fair coin with a mean loss of 0.05. What "
            "follows?"
        ),
        options=(
            Option("it is well trained", "No training beats log 2 = 0.69 here."),
            Option("it needs more data", "More data does not make a coin predictable."),
            Option(
                "it sees its answers",
                "Nobody can predict a coin: look at mask and targets.",
                True,
            ),
        ),
    ),
)

EXERCISES = (
    Exercise(
        name="visible_keys",
        call="my_visible_keys",
        asked=(
            "Five keys, and two queries that belong to the two newest tokens. How many "
            "True has their causal mask? Use paper."
        ),
        means="The older of the two sees 4 keys, the newest sees all 5.",
        right=9,
        mistakes=(
            Mistake(
                "aligned at the upper left",
                3,
                "You let the queries sit at positions 0 and 1, so they see 1 and 2 "
                "keys. They are the newest: they sit at 3 and 4.",
            ),
            Mistake(
                "everything in sight",
                10,
                "The older of the two may not see the newest token.",
            ),
            Mistake(
                "its own position hidden",
                7,
                "You hid each query's own position. A token sees itself.",
            ),
            Mistake(
                "as many queries as keys",
                15,
                "You counted five queries. There are two: the mask has two rows.",
            ),
            Mistake(
                "the hidden ones counted",
                1,
                "You counted what is hidden. True = may attend.",
            ),
        ),
    ),
    Exercise(
        name="padding_mask",
        call="my_padding_mask(lengths, n_keys)",
        asked=(
            "Write my_padding_mask(lengths, n_keys): lengths holds the number of real "
            "tokens of each sentence, and they stand first. The result is boolean, "
            "True = may attend, of shape (batch, 1, n_keys)."
        ),
        means="One row for all queries of a sentence: padding is hidden as a key.",
        right=padding_mask,
        mistakes=(
            Mistake(
                "mask inverted",
                lambda lengths, n: ~padding_mask(lengths, n),
                "Your True marks the padding. In this course True = may attend.",
            ),
            Mistake(
                "one key too many",
                lambda lengths, n: np.arange(n) <= lengths[:, None, None],
                "You let the first padding in. With length 2, keys 0 and 1 are real.",
            ),
            Mistake(
                "one key too few",
                lambda lengths, n: np.arange(n) < lengths[:, None, None] - 1,
                "You hid the last real key. With length 2, keys 0 and 1 are real.",
            ),
            Mistake(
                "padding on the left",
                lambda lengths, n: padding_mask(lengths, n)[..., ::-1],
                "Your real keys stand last. Here they stand first.",
            ),
            Mistake(
                "mask on the query axis",
                lambda lengths, n: padding_mask(lengths, n).swapaxes(-1, -2),
                "Your mask has shape (batch, n_keys, 1): it hides queries. The keys "
                "are the last axis.",
            ),
            Mistake(
                "the axis of the queries missing",
                lambda lengths, n: padding_mask(lengths, n)[:, 0],
                "Your mask has shape (batch, n_keys), and the batch would be taken "
                "for the queries. Put an axis of length 1 between them.",
            ),
            Mistake(
                "numbers instead of True and False",
                lambda lengths, n: padding_mask(lengths, n).astype(float),
                "The places are right, but the mask holds 0 and 1. Numbers would be "
                "added to the scores: make it boolean.",
            ),
        ),
        cases=(
            Case((np.array([2, 1]), 3)),
            Case((np.array([4, 0, 2]), 4)),
            Case((np.array([1]), 2)),
        ),
    ),
    Exercise(
        name="both_masks",
        call="my_mask(lengths, n_queries, n_keys)",
        asked=(
            "Write my_mask(lengths, n_queries, n_keys): causal and padding mask at "
            "once, boolean, of shape (batch, n_queries, n_keys). The queries belong to "
            "the last n_queries of the n_keys positions. Real tokens stand first."
        ),
        means="A key is seen when both masks allow it.",
        right=_both,
        mistakes=(
            Mistake(
                "or instead of and",
                lambda lengths, q, k: padding_mask(lengths, k) | causal_mask(q, k),
                "You let in what one of the masks allows. Both have to: use &.",
            ),
            Mistake(
                "aligned at the upper left",
                lambda lengths, q, k: (
                    padding_mask(lengths, k) & np.tri(q, k, dtype=bool)
                ),
                "Right for as many queries as keys. With fewer, they belong to the "
                "last positions: query i sees the keys 0 to i + n_keys − n_queries.",
            ),
            Mistake(
                "mask inverted",
                lambda *given: ~_both(*given),
                "Your True means hidden. In this course True = may attend.",
            ),
            Mistake(
                "no padding mask",
                lambda lengths, q, k: np.stack([causal_mask(q, k)] * len(lengths)),
                "This is the causal mask alone. The padding is in sight.",
            ),
            Mistake(
                "no causal mask",
                lambda lengths, q, k: padding_mask(lengths, k) & np.ones((q, 1), bool),
                "This is the padding mask alone. The future is in sight.",
            ),
            Mistake(
                "rows and columns exchanged",
                lambda lengths, q, k: padding_mask(lengths, k) & causal_mask(k, q).T,
                "Your queries see the later keys. Row = query: it sees the columns up "
                "to its own position.",
            ),
            Mistake(
                "added, not joined",
                lambda lengths, q, k: (
                    padding_mask(lengths, k).astype(int) + causal_mask(q, k)
                ),
                "You added 0 and 1. A mask holds True and False: use &.",
            ),
            Mistake(
                "mask on the query axis",
                lambda lengths, q, k: (
                    (padding_mask(lengths, k).swapaxes(-1, -2)[:, k - q :])
                    & causal_mask(q, k)
                ),
                "You hid the rows of the padding. It is hidden as a key, in every "
                "row: its columns are False.",
            ),
        ),
        cases=(
            Case((np.array([3, 2, 1]), 3, 3)),
            Case((np.array([4, 3]), 2, 4)),
            Case((np.array([5, 2, 0]), 1, 5)),
        ),
    ),
    Exercise(
        name="shifted_targets",
        call="my_inputs_targets(tokens)",
        asked=(
            "Write my_inputs_targets(tokens), which returns inputs and targets for the "
            "prediction of the next token. tokens has shape (n,) or (batch, n), both "
            "results are one shorter."
        ),
        means="The target at position t is the token at t + 1.",
        right=_shifted(1),
        mistakes=(
            Mistake(
                "target = the token itself",
                lambda tokens: (tokens[..., :-1], tokens[..., :-1]),
                "Each target is the token that the model is looking at. It learns to "
                "copy, and its loss falls towards 0.",
            ),
            Mistake(
                "shifted the other way",
                lambda tokens: (tokens[..., 1:], tokens[..., :-1]),
                "Your targets are the tokens before. A causal model sees those.",
            ),
            Mistake(
                "shifted by two",
                _shifted(2),
                "Your target is the token after the next, and two are lost.",
            ),
            Mistake(
                "rolled around",
                lambda tokens: (tokens, np.roll(tokens, -1, axis=-1)),
                "After the last token nothing follows, and your target there is the "
                "first one. Leave the last position out.",
            ),
            Mistake(
                "nothing shifted",
                lambda tokens: (tokens, tokens),
                "Inputs and targets are the same. Each position would be asked for "
                "what it sees.",
            ),
            Mistake(
                "shifted along the batch",
                lambda tokens: (tokens[:-1], tokens[1:]),
                "Right for one sentence. In a batch you shifted the sentences: the "
                "positions are the last axis, tokens[..., 1:].",
            ),
        ),
        cases=(
            Case((np.array([7, 3, 8, 5]),)),
            Case((np.array([[1, 2, 4], [9, 6, 0], [3, 5, 5]]),)),
        ),
        returns=("inputs", "targets"),
    ),
    Exercise(
        name="loss_floor",
        call="my_loss_floor",
        asked=(
            "Each token is drawn evenly from 4 letters, whatever came before. Which "
            "mean loss, with the natural logarithm, has the best model that does not "
            "cheat?"
        ),
        means="−log(1/4) = log 4. A mean loss far below it betrays a leak.",
        right=float(np.log(4)),
        mistakes=(
            Mistake(
                "no loss at all",
                0,
                "A loss of 0 means certainty. Nobody is certain of a drawn letter.",
            ),
            Mistake(
                "the probability",
                0.25,
                "That is the probability of the right letter. The loss is its −log.",
            ),
            Mistake(
                "logarithm to base 2",
                2,
                "These are bits. Here the logarithm is the natural one.",
            ),
            Mistake(
                "two letters instead of four",
                float(np.log(2)),
                "That is the loss of a fair coin. Here 4 letters are equally likely.",
            ),
            Mistake(
                "sign lost",
                -float(np.log(4)),
                "log(1/4) is negative. The loss is −log.",
            ),
        ),
        tolerance=PAPER,
    ),
)

PAGE = Page(number=10, topic="masks", questions=QUESTIONS, exercises=EXERCISES)
