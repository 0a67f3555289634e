"""The questions and exercises of page 10."""

from typing import Any

import numpy as np

from helpers.arrays import Array
from helpers.core import causal_mask, padding_mask
from helpers.exercises.model import (
    Case,
    Exercise,
    Mistake,
    Option,
    Page,
    Question,
)


def _both(lengths: Array, n_queries: int, n_keys: int) -> Any:
    return padding_mask(lengths, n_keys) & causal_mask(n_queries, n_keys)


def _at_the_last_real_tokens(lengths: Array, n_queries: int, n_keys: int) -> Any:
    own = lengths[:, None, None] - n_queries + np.arange(n_queries)[:, None]
    return np.arange(n_keys) <= own


def _added(mask: Array) -> Any:
    """Return a mask to add to the scores: 0 where one may look, −∞ elsewhere."""
    return np.where(mask, 0, -np.inf)


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
                "Numbers are for adding to scores: attention refuses 0 and 1.",
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
                "as many queries as keys",
                25,
                "You counted five queries. There are two: the mask has two rows.",
            ),
            Mistake(
                "only the old tokens",
                6,
                "You let both see the three old keys alone. The new tokens are keys, "
                "too: each sees itself, and the newest sees the one before it.",
            ),
            Mistake(
                "the newest hidden from both",
                8,
                "The newest token sees itself: its row has 5.",
            ),
            Mistake(
                "one query only",
                5,
                "That is the row of the newest token. The older one has a row, too.",
            ),
            Mistake(
                "one query only",
                4,
                "That is the row of the older of the two. The newest has a row, too.",
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
                "The places are right, but the mask holds 0 and 1. Numbers are for "
                "adding to scores, so attention refuses these: make it boolean.",
            ),
            Mistake(
                "0 and −∞ instead of True and False",
                lambda lengths, n: _added(padding_mask(lengths, n)),
                "That is a mask to be added to the scores. In this course a mask is "
                "boolean, True = may attend.",
            ),
            Mistake(
                "the axis put first",
                lambda lengths, n: padding_mask(lengths, n).swapaxes(0, 1),
                "Your mask has shape (1, batch, n_keys). The batch comes first, and "
                "the axis of length 1 stands for the queries.",
            ),
            Mistake(
                "a row for every query",
                lambda lengths, n: np.repeat(padding_mask(lengths, n), n, axis=1),
                "Your mask has shape (batch, n_keys, n_keys). One row is enough, for "
                "any number of queries.",
            ),
            Mistake(
                "lengths without axes",
                lambda lengths, n: np.arange(n) < lengths,
                "NumPy cannot compare n_keys positions with batch lengths. Give the "
                "lengths two axes on the right: lengths[:, None, None].",
            ),
            Mistake(
                "lengths without axes",
                lambda lengths, n: lengths > np.arange(n),
                "NumPy cannot compare n_keys positions with batch lengths. Give the "
                "lengths two axes on the right: lengths[:, None, None].",
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
                "no padding mask",
                lambda lengths, q, k: causal_mask(q, k),
                "This is the causal mask alone. The padding is in sight.",
            ),
            Mistake(
                "no causal mask",
                lambda lengths, q, k: padding_mask(lengths, k) & np.ones((q, 1), bool),
                "This is the padding mask alone. The future is in sight.",
            ),
            Mistake(
                "no causal mask",
                lambda lengths, q, k: padding_mask(lengths, k),
                "This is the padding mask alone. The future is in sight.",
            ),
            Mistake(
                "as many queries as keys",
                lambda lengths, q, k: padding_mask(lengths, k) & causal_mask(k, k),
                "Your mask has a row for each key. Of these, the last n_queries rows "
                "are asked.",
            ),
            Mistake(
                "lengths without axes",
                lambda lengths, q, k: (np.arange(k) < lengths) & causal_mask(q, k),
                "You compared key i with the length of sentence i. Give the lengths "
                "two axes on the right: lengths[:, None, None].",
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
            Mistake(
                "numbers instead of True and False",
                lambda *given: _both(*given).astype(float),
                "The places are right, but the mask holds 0 and 1. Numbers are for "
                "adding to scores, so attention refuses these: make it boolean.",
            ),
            Mistake(
                "0 and −∞ instead of True and False",
                lambda *given: _added(_both(*given)),
                "That is a mask to be added to the scores. In this course a mask is "
                "boolean, True = may attend.",
            ),
            Mistake(
                "off by one: its own position hidden",
                lambda lengths, q, k: (
                    padding_mask(lengths, k) & np.tri(q, k, k - q - 1, dtype=bool)
                ),
                "You hid each query's own position. A token sees itself: <= instead "
                "of <.",
            ),
            Mistake(
                "off by one: the next token in sight",
                lambda lengths, q, k: (
                    padding_mask(lengths, k) & np.tri(q, k, k - q + 1, dtype=bool)
                ),
                "Each query sees one key of the future. Query i sees the keys up to "
                "i + n_keys − n_queries, and no later one.",
            ),
            Mistake(
                "one key too many",
                lambda lengths, q, k: (
                    (np.arange(k) <= lengths[:, None, None]) & causal_mask(q, k)
                ),
                "You let the first padding in. With length 2, keys 0 and 1 are real.",
            ),
            Mistake(
                "one key too few",
                lambda lengths, q, k: (
                    (np.arange(k) < lengths[:, None, None] - 1) & causal_mask(q, k)
                ),
                "You hid the last real key. With length 2, keys 0 and 1 are real.",
            ),
            Mistake(
                "padding on the left",
                lambda lengths, q, k: (
                    padding_mask(lengths, k)[..., ::-1] & causal_mask(q, k)
                ),
                "Your real keys stand last. Here they stand first.",
            ),
            Mistake(
                "the axis of the queries missing",
                lambda lengths, q, k: (
                    padding_mask(lengths, k)[:, 0] & causal_mask(q, k)
                ),
                "Your padding mask has shape (batch, n_keys), so that sentence i met "
                "query i. It needs an axis of length 1 between them.",
            ),
            Mistake(
                "queries put at the last real tokens",
                _at_the_last_real_tokens,
                "You counted the positions of the queries from the end of each "
                "sentence. They are the last ones of the array, padding or not.",
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
                "target = the token itself",
                lambda tokens: (tokens[..., 1:], tokens[..., 1:]),
                "Each target is the token that the model is looking at. It learns to "
                "copy, and its loss falls towards 0.",
            ),
            Mistake(
                "inputs not shortened",
                lambda tokens: (tokens, tokens[..., 1:]),
                "The last token is among your inputs, and nothing follows it. Leave it "
                "out.",
            ),
            Mistake(
                "only the last token as a target",
                lambda tokens: (tokens[..., :-1], tokens[..., -1:]),
                "You ask for the last token alone. Every input has a target: the "
                "token after it.",
            ),
            Mistake(
                "only the last token as a target",
                lambda tokens: (tokens[..., :-1], tokens[..., -1]),
                "You ask for the last token alone. Every input has a target: the "
                "token after it.",
            ),
            Mistake(
                "works only for a batch",
                lambda tokens: (tokens[:, :-1], tokens[:, 1:]),
                "A single sentence has one axis. Count from the end: tokens[..., 1:].",
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
            "cheat? Two digits after the point."
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
            Mistake(
                "logarithm to base 10",
                float(np.log10(4)),
                "Here the logarithm is the natural one, np.log.",
            ),
            Mistake(
                "the number of letters",
                4,
                "4 is e to the loss. The loss is its logarithm.",
            ),
            Mistake(
                "the probability of a wrong letter",
                0.75,
                "The letter that came had the probability 1/4. Take −log of that.",
            ),
            Mistake(
                "−log of the wrong letters",
                -float(np.log(0.75)),
                "3/4 is the probability of the other letters. The one that came had "
                "1/4.",
            ),
            Mistake(
                "multiplied by the probability",
                float(np.log(4)) / 4,
                "You multiplied −log(1/4) by 1/4. A letter came, and its −log counts "
                "in full.",
            ),
            Mistake(
                "added up over the letters",
                float(np.log(4)) * 4,
                "You added up four losses. One letter came, and its −log alone counts.",
            ),
            Mistake(
                "its own letter left out",
                float(np.log(3)),
                "That is the loss with 3 letters. Here 4 letters are equally likely, "
                "whatever came before.",
            ),
        ),
        tolerance=6e-3 / np.log(4),
    ),
)

PAGE = Page(number=10, topic="masks", questions=QUESTIONS, exercises=EXERCISES)
