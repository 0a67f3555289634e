"""The questions and exercises of page 03."""

from typing import Any

import numpy as np

from helpers.arrays import Array
from helpers.core import softmax
from helpers.exercises.model import (
    PAPER,
    Case,
    Exercise,
    Mistake,
    Option,
    Page,
    Question,
)

UNEVEN = np.array([[1.0, -1, 3], [1, 2, 0], [4, 1, 2]])
TALL = np.array([[0.0, 2], [1, 0], [3, 3], [0, 1], [-2, 1]])  # 5 queries, 2 keys
DEEP = np.array([[-3e9, -2.5e9, -3.5e9]])
HIGH = np.array([[3e9, 0.0, 1.0]])


def plain_softmax(scores: Array) -> Array:
    """Softmax of each row, without a shift."""
    exps = np.exp(scores)
    return np.asarray(exps / exps.sum(axis=-1, keepdims=True))


def whole_softmax(scores: Array) -> Array:
    """Softmax over the whole table."""
    exps = np.exp(scores - scores.max())
    return np.asarray(exps / exps.sum())


def winner(scores: Array) -> Array:
    """All of the weight on the largest score of each row."""
    return np.asarray(np.eye(scores.shape[-1])[scores.argmax(axis=-1)])


def _no_keepdims(scores: Array) -> Array:
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(exps / exps.sum(axis=-1))


def _no_keepdims_twice(scores: Array) -> Array:
    exps = np.exp(scores - scores.max(axis=-1))
    return np.asarray(exps / exps.sum(axis=-1))


def _one_maximum(scores: Array) -> Array:
    return plain_softmax(scores - scores.max())


def _hide_rows(scores: Array, key: int) -> Array:
    hidden = scores.astype(float)
    hidden[..., key, :] = -np.inf
    return softmax(hidden)


def _hidden(filler: float, weigh: Any = softmax) -> Any:
    def hide(scores: Array, key: int) -> Any:
        hidden = scores.astype(float)
        hidden[..., key] = filler
        return weigh(hidden)

    return hide


def _hide_after(scores: Array, key: int) -> Array:
    weights = softmax(scores)
    weights[..., key] = 0
    return weights


def _hide_and_divide(scores: Array, key: int) -> Array:
    weights = _hide_after(scores, key)
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def _minus_infinity_after(scores: Array, key: int) -> Array:
    weights = softmax(scores)
    weights[..., key] = -np.inf
    return weights


def _hide_others(scores: Array, key: int) -> Array:
    hidden = np.full(scores.shape, -np.inf)
    hidden[..., key] = scores[..., key]
    return softmax(hidden)


QUESTIONS = (
    Question(
        name="shift_or_stretch",
        text="You add 10 to every score of a row. What do its weights do?",
        options=(
            Option("they grow", "They still sum to 1, so they cannot all grow."),
            Option("they stay", "Only differences of scores count.", True),
            Option(
                "the largest gains",
                "That needs larger differences: a stretch, not a shift.",
            ),
        ),
    ),
    Question(
        name="which_axis",
        text="Softmax runs along the keys. What sums to 1?",
        options=(
            Option("each row", "A row is a query, and it shares out 100 %.", True),
            Option("each column", "Then each key would share itself out."),
            Option("the whole matrix", "Then the queries would compete."),
        ),
    ),
)

EXERCISES = (
    Exercise(
        name="two_scores",
        call="my_two_scores",
        asked=(
            "A row has the scores ln 2 = 0.693 and ln 6 = 1.792. Which weights are "
            "they? Answer with two numbers, such as (0.1, 0.9)."
        ),
        means="e to the power of the scores gives 2 and 6, and 8 is shared out.",
        right=(0.25, 0.75),
        mistakes=(
            Mistake("order exchanged", (0.75, 0.25), "The larger score weighs more."),
            Mistake(
                "divided without exp",
                (0.279, 0.721),
                "You divided the scores by their sum. First make each e to its power: "
                "2 and 6.",
            ),
            Mistake(
                "not divided by the sum",
                (2, 6),
                "These are the exponentials. Divide each by their sum.",
            ),
            Mistake(
                "the winner takes all",
                (0, 1),
                "Softmax shares out: the smaller score keeps its part, too.",
            ),
            Mistake(
                "in per cent", (25, 75), "You counted in per cent. Here 100 % is 1."
            ),
            Mistake(
                "one divided by the other",
                (2 / 6, 1),
                "The larger one has become 1. Divide by the sum, 2 + 6.",
            ),
            Mistake(
                "scores used as weights",
                (np.log(2), np.log(6)),
                "These are the scores. First make each e to its power: 2 and 6.",
            ),
            Mistake(
                "even weights",
                (0.5, 0.5),
                "The scores differ, and so do the weights.",
            ),
            Mistake(
                "exp of 2 and 6",
                (1 / (1 + np.exp(4)), 1 / (1 + np.exp(-4))),
                "You took e to the power of 2 and of 6. The scores are ln 2 and ln 6, "
                "and e to their power is 2 and 6 already.",
            ),
            Mistake(
                "each score on its own",
                (2 / 3, 6 / 7),
                "You put each score through a sigmoid. The two weights share 100 %.",
            ),
            Mistake(
                "base 2 instead of e",
                (1 / (1 + 3 ** np.log(2)), 1 / (1 + 3 ** -np.log(2))),
                "You took 2 to the power of the scores. In softmax the base is e.",
            ),
        ),
        tolerance=PAPER,
    ),
    Exercise(
        name="softmax",
        call="my_softmax(scores)",
        asked=(
            "Write my_softmax(scores): weights along the last axis, however large the "
            "scores are, with any axes on the left, without helpers.softmax."
        ),
        means="Each query shares out its own 100 %, and no score is too large.",
        right=softmax,
        mistakes=(
            Mistake(
                "softmax over the wrong axis",
                lambda scores: softmax(scores, axis=0),
                "Your columns sum to 1: each key shares itself out among the queries. "
                "A query is a row, so sum along the last axis, -1.",
            ),
            Mistake(
                "softmax over the whole matrix",
                whole_softmax,
                "All your weights together sum to 1. Each row has its own 100 %: sum "
                "along axis -1.",
            ),
            Mistake(
                "maximum not subtracted",
                plain_softmax,
                "Right for small scores, but e^1000 is too large for a computer. "
                "Subtract the largest score of each row first.",
            ),
            Mistake(
                "minimum subtracted",
                lambda scores: plain_softmax(
                    scores - scores.min(axis=-1, keepdims=True)
                ),
                "You subtracted the smallest score of each row, and e to the power of "
                "the rest is too large. Subtract the largest.",
            ),
            Mistake(
                "mean subtracted",
                lambda scores: plain_softmax(
                    scores - scores.mean(axis=-1, keepdims=True)
                ),
                "You subtracted the mean of each row, and the largest score can lie "
                "far above it. Subtract the largest.",
            ),
            Mistake(
                "one maximum for the whole matrix",
                _one_maximum,
                "You subtracted one maximum from all rows, and a row far below it "
                "vanishes. Each row needs its own.",
            ),
            Mistake(
                "maximum without keepdims",
                lambda scores: plain_softmax(scores - scores.max(axis=-1)),
                "The maxima of the rows were laid along the columns. keepdims=True "
                "leaves them in a column.",
            ),
            Mistake(
                "maxima of the columns",
                lambda scores: plain_softmax(scores - scores.max(axis=0)),
                "You subtracted the largest score of each column, which changes the "
                "weights. Each row has a maximum of its own: axis=-1.",
            ),
            Mistake(
                "keepdims missing twice",
                _no_keepdims_twice,
                "The maxima and the sums of the rows were laid along the columns. "
                "keepdims=True, in both, leaves them in a column.",
            ),
            Mistake(
                "keepdims missing",
                _no_keepdims,
                "The sums of the rows were laid along the columns, so column j is "
                "divided by the sum of row j. keepdims=True leaves them in a column.",
            ),
            Mistake(
                "keepdims missing, maximum not subtracted",
                lambda scores: np.exp(scores) / np.exp(scores).sum(axis=-1),
                "The sums of the rows were laid along the columns: keepdims=True "
                "leaves them in a column. And e^1000 is too large for a computer: "
                "subtract the largest score of each row first.",
            ),
            Mistake(
                "divided without exp",
                lambda scores: scores / scores.sum(axis=-1, keepdims=True),
                "You divided the scores by their sum. First make each positive: e to "
                "the power of it.",
            ),
            Mistake(
                "not divided by the sum",
                lambda scores: np.exp(scores - scores.max(axis=-1, keepdims=True)),
                "The largest of each row has become 1. Divide the exponentials of a "
                "row by their sum.",
            ),
            Mistake(
                "exponentials not divided",
                lambda scores: np.exp(scores),
                "These are the exponentials. Divide each row by its sum.",
            ),
            Mistake(
                "scores used as weights",
                lambda scores: scores,
                "These are the scores as they came. Weights are positive, and a row "
                "of them sums to 1.",
            ),
            Mistake(
                "arg-max instead of average",
                winner,
                "Your largest score takes all the weight. Softmax leaves the others "
                "their share.",
            ),
            Mistake(
                "each score on its own",
                lambda scores: 1 / (1 + np.exp(-scores)),
                "You put each score through a sigmoid. The weights of a row share 100 "
                "%: divide the exponentials by their sum.",
            ),
            Mistake(
                "logarithm of the weights",
                lambda scores: np.log(softmax(scores)),
                "These are the logarithms of the weights. Leave the last one out.",
            ),
            Mistake(
                "the smallest score weighs most",
                lambda scores: softmax(-scores),
                "Your sign is the other way round: e to the power of the score, not of "
                "minus the score.",
            ),
            Mistake(
                "divided by the maximum",
                lambda scores: softmax(scores / scores.max(axis=-1, keepdims=True)),
                "You divided the scores by the largest. Subtract it: only differences "
                "of scores count.",
            ),
            Mistake(
                "scaled",
                lambda scores: softmax(scores / np.sqrt(scores.shape[-1])),
                "You divided the scores by a root. Softmax takes them as they come.",
            ),
            Mistake(
                "base 2 instead of e",
                lambda scores: softmax(scores * np.log(2)),
                "You took 2 to the power of the scores. In softmax the base is e: "
                "np.exp.",
            ),
            Mistake(
                "softmax taken twice",
                lambda scores: softmax(softmax(scores)),
                "You took softmax of the weights once more.",
            ),
            Mistake(
                "works only for 2-D",
                lambda scores: softmax(scores, axis=1),
                "Your axis is 1. In a batch that is the queries; the keys are the "
                "last axis, -1.",
            ),
        ),
        cases=(
            Case((UNEVEN,)),
            Case((UNEVEN / 8,), "decimals"),
            Case((UNEVEN - 5,), "negative"),
            Case((np.array([[0.0, 1, 3], [2, 0, 2]]),), "wide"),
            Case((UNEVEN[:1],), "wide"),
            Case((TALL,), "wide"),
            Case((UNEVEN[:, :1],), "wide"),
            Case((np.array([[0.0, 1], [1000, 1002]]),), "large"),
            Case((np.array([[-1000.0, -1001], [-5, 0]]),), "large"),
            Case((np.array([[800.0, 0, 1000, 1000]]),), "large"),
            Case((np.array([[0.0, 1000, 1000]]),), "large"),
            Case((np.array([[0.0, 2000, 2000, 0, 0, 0]]),), "large"),
            Case((np.stack([UNEVEN, UNEVEN.T + UNEVEN]),), "batch"),
            Case((UNEVEN.astype(int),), "integers"),
        ),
    ),
    Exercise(
        name="sum_of_weights",
        call="my_sum_of_weights",
        asked=(
            "A matrix of weights has 4 rows (queries) and 6 columns (keys). To which "
            "number do all its 24 entries add up?"
        ),
        means="Four queries, each with 100 % to share out.",
        right=4,
        mistakes=(
            Mistake(
                "softmax over the whole matrix",
                1,
                "That would be one 100 % for the whole matrix. Each row has its own.",
            ),
            Mistake(
                "softmax over the wrong axis",
                6,
                "You counted the columns. It is the rows that sum to 1.",
            ),
            *(
                Mistake(
                    "in per cent", sum_of, "You counted in per cent. Here 100 % is 1."
                )
                for sum_of in (400, 100, 600)
            ),
            Mistake("every weight one", 24, "Then every weight would be 1."),
            Mistake(
                "rows and columns added",
                10,
                "You added rows and columns. The rows alone have 100 % each.",
            ),
            Mistake(
                "the mean weight",
                1 / 6,
                "That is the mean of the 24 entries. Their sum is asked for.",
            ),
            Mistake(
                "columns by rows",
                6 / 4,
                "You divided 6 by 4. Ask how much a row adds up to, and how many there "
                "are.",
            ),
        ),
        tolerance=PAPER,
    ),
    Exercise(
        name="weight_ratio",
        call="my_weight_ratio",
        asked=(
            "In one row the score of 猫 is larger than that of love by 2. How many "
            "times as large is its weight? Two digits after the point."
        ),
        means="e^2: a ratio of weights is a difference of scores.",
        right=float(np.exp(2)),
        mistakes=(
            Mistake(
                "the difference",
                2,
                "That is how far the scores lie apart. Softmax makes weights of "
                "scores with an exponential.",
            ),
            Mistake(
                "squared",
                4,
                "That is 2². In softmax scores are exponents of e, not of 2.",
            ),
            Mistake(
                "a share",
                float(np.exp(2) / (np.exp(2) + 1)),
                "That is a share among two. Take the ratio of the two weights.",
            ),
            Mistake(
                "upside down",
                float(np.exp(-2)),
                "That is love's weight divided by that of 猫.",
            ),
            Mistake(
                "a share",
                float(1 / (np.exp(2) + 1)),
                "That is a share among two. Take the ratio of the two weights.",
            ),
            Mistake(
                "multiplied by e",
                float(2 * np.e),
                "That is 2 e. The difference is an exponent, not a factor.",
            ),
            Mistake(
                "e itself",
                float(np.e),
                "That is e¹, for scores that differ by 1.",
            ),
            Mistake(
                "to the power of e",
                float(2**np.e),
                "That is 2 to the power of e: base and exponent are exchanged.",
            ),
            Mistake(
                "logarithm instead of exponential",
                float(np.log(2)),
                "That is ln 2. Softmax takes e to the power of the scores.",
            ),
            Mistake(
                "another base",
                100,
                "That is 10². In softmax scores are exponents of e.",
            ),
            Mistake(
                "how much more, not how many times",
                float(np.exp(2) - 1),
                "That is by how much it is more. How many times as large is one weight "
                "as the other?",
            ),
        ),
        tolerance=1e-3,
    ),
    Exercise(
        name="hide_key",
        call="my_hide_key(scores, key)",
        asked=(
            "Write my_hide_key(scores, key): the weights when no query may look at "
            "this key. scores may have axes on the left and must stay as they are; you "
            "may use softmax."
        ),
        means="The hidden key has the weight 0, and the others share the 100 %.",
        right=_hidden(-np.inf),
        mistakes=(
            Mistake(
                "mask applied after softmax",
                _hide_after,
                "You set weights to 0 after softmax, and the rows no longer sum to 1. "
                "Hide the scores before: -np.inf.",
            ),
            Mistake(
                "mask applied after softmax",
                _hide_and_divide,
                "Right only while something is left. You hid the exponential or the "
                "weight, and divided by the rest, which is 0 where the hidden key had "
                "everything. Hide the scores before: -np.inf.",
            ),
            Mistake(
                "hidden with a score of 0",
                _hidden(0.0),
                "A score of 0 still weighs e^0 = 1. Only -np.inf gives the weight 0.",
            ),
            Mistake(
                "a number subtracted instead of −∞",
                lambda scores, key: softmax(
                    scores + np.where(np.arange(scores.shape[-1]) == key, -1e9, 0)
                ),
                "Right for small scores, but a hidden score can lie higher than the "
                "number that you subtract. Put -np.inf in its place.",
            ),
            *(
                Mistake(
                    "not hidden deep enough",
                    _hidden(filler),
                    "Right for small scores, but a row can lie lower than the number "
                    "that you put. Only -np.inf lies below everything.",
                )
                for filler in (-100.0, -1e9)
            ),
            Mistake(
                "maximum not subtracted",
                _hidden(-np.inf, plain_softmax),
                "Right for small scores, but e^1000 is too large for a computer. "
                "Subtract the largest score of each row first, or use softmax.",
            ),
            Mistake(
                "one maximum for the whole matrix",
                _hidden(-np.inf, _one_maximum),
                "You subtracted one maximum from all rows, and a row far below it "
                "vanishes. Each row needs its own; softmax takes care of it.",
            ),
            Mistake(
                "softmax over the wrong axis",
                lambda scores, key: softmax(
                    np.where(np.arange(scores.shape[-1]) == key, -np.inf, scores),
                    axis=-2,
                ),
                "Your columns sum to 1. A query is a row: softmax along the last axis.",
            ),
            Mistake(
                "query hidden instead of key",
                _hide_rows,
                "You hid a row, which is a query. A key is a column: [..., key].",
            ),
            Mistake(
                "nothing hidden",
                lambda scores, key: softmax(scores),
                "These are the weights with every key in sight.",
            ),
            Mistake(
                "softmax forgotten",
                lambda scores, key: np.where(
                    np.arange(scores.shape[-1]) == key, -np.inf, scores
                ),
                "These are scores, the key is hidden in them. Softmax makes weights.",
            ),
            Mistake(
                "all others hidden",
                _hide_others,
                "You left the key in sight, and hid all others.",
            ),
            Mistake(
                "counted from 1",
                lambda scores, key: _hidden(-np.inf)(scores, key - 1),
                "You hid the key before. The first key has the number 0.",
            ),
            Mistake(
                "+∞ instead of −∞",
                _hidden(np.inf),
                "A score of +∞ would take all the weight, and ∞ − ∞ is no number. "
                "Hidden means -np.inf.",
            ),
            Mistake(
                "column taken out",
                lambda scores, key: softmax(np.delete(scores, key, axis=-1)),
                "The weights have one column too few. The hidden key keeps its column, "
                "with the weight 0.",
            ),
            Mistake(
                "−∞ put after softmax",
                _minus_infinity_after,
                "You put −∞ among the weights. It belongs among the scores, before "
                "softmax, which makes the weight 0 of it.",
            ),
        ),
        cases=(
            Case((UNEVEN, 1)),
            Case((UNEVEN / 8, 1), "decimals"),
            Case((UNEVEN - 5, 1), "negative"),
            Case((UNEVEN, 0), "other"),
            Case((np.array([[0.0, 1, 3], [2, 0, 2]]), 0), "wide"),
            Case((UNEVEN[:1], 0), "wide"),
            Case((TALL, 1), "wide"),
            Case((np.array([[0.0, 5, 1], [1000, 3, 1002]]), 1), "large"),
            Case((np.array([[-1000.0, -1001, -1002], [-5, 0, 1]]), 1), "large"),
            Case((np.array([[0.0, 1000, 1]]), 1), "large"),
            Case((DEEP, 1), "large"),
            Case((HIGH, 0), "large"),
            Case((np.stack([UNEVEN, UNEVEN.T + UNEVEN]), 1), "batch"),
            Case((UNEVEN.astype(int), 0), "integers"),
        ),
    ),
)

PAGE = Page(number=3, topic="softmax", questions=QUESTIONS, exercises=EXERCISES)
