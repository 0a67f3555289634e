"""The exercises of notebooks 01 to 05: from X to the output."""

from typing import Any

import numpy as np

from helpers.core import (
    Array,
    attention_scores,
    causal_mask,
    project,
    self_attention,
    softmax,
)
from helpers.exercises import PAPER, Case, Exercise, Mistake, tenths

# ---- 01

SQUARE = np.array([[1.0, 2.0], [3.0, 4.0]])
X43 = np.array([[1.0, 0, 2], [0, 1, 1], [3, 1, 0], [0, 0, 1]])  # 4 tokens, d_model 3
W32 = np.array([[1.0, 2], [0, -1], [3, 1]])
V32 = np.array([[2.0, 0], [1, 1], [0, 4]])


def _by_columns(x: Array, W: Array) -> Array:
    return np.array([(x * column).sum() for column in W.T])


PROJECTION = (
    Exercise(
        "query_shape",
        1,
        "my_query_shape",
        "X has shape (5, 6) and Wq has shape (6, 2). Which shape has Q = X Wq? Answer "
        "with two numbers, such as (1, 2).",
        "Five tokens came in, five queries came out, each d_k = 2 wide.",
        (5, 2),
        (
            Mistake("the other way round", (2, 5), "Rows are tokens: say rows first."),
            Mistake(
                "the shape of X",
                (5, 6),
                "The inner 6, d_model, is summed away.",
            ),
            Mistake(
                "the shape of Wq",
                (6, 2),
                "The rows of Q are the tokens, as in X.",
            ),
        ),
    ),
    Exercise(
        "query_entry",
        1,
        "my_query_entry",
        "A token is [1, 0, 2] and Wq is [[1, 2, 0], [3, 1, 4], [0, 5, 2]]. Which "
        "number is entry 1 of its query, counted from 0? Use paper.",
        "You multiplied along the token and down one column, and added.",
        12,
        (
            Mistake(
                "another column",
                1,
                "You used column 0. Counted from 0, entry 1 needs column 1: 2, 1, 5.",
            ),
            Mistake(
                "the last column",
                4,
                "You used column 2. Counted from 0, entry 1 needs column 1: 2, 1, 5.",
            ),
            Mistake(
                "a row instead of a column",
                11,
                "You used row 1 of Wq, which is 3, 1, 4. A query entry needs a column "
                "of Wq: 2, 1, 5.",
            ),
            Mistake(
                "a zero counted as one",
                13,
                "The token has 0 in the middle, so 1, the middle of column 1, drops "
                "out.",
            ),
            Mistake(
                "the token left out",
                8,
                "You added up column 1. First each number is multiplied by the "
                "token's own: 1, 0, 2.",
            ),
        ),
    ),
    Exercise(
        "project_one",
        1,
        "my_project_one(x, W)",
        "Write my_project_one(x, W): the projection of a single token x, shape "
        "(d_model,), by W, shape (d_model, d_k). It returns shape (d_k,).",
        "One token, one projection; a whole X is this, row by row.",
        lambda x, W: x @ W,
        (
            Mistake(
                "W turned around",
                lambda x, W: W @ x,
                "You multiplied along the rows of W. The token goes down the columns: "
                "x @ W.",
            ),
            Mistake(
                "products not added",
                lambda x, W: x[:, None] * W,
                "You hold all the products. Each column still has to be added up.",
            ),
            Mistake(
                "added along the wrong axis",
                lambda x, W: (x[:, None] * W).sum(axis=1),
                "You added along the rows. Add down the columns, over d_model: axis=0.",
            ),
            Mistake(
                "everything added",
                lambda x, W: (x[:, None] * W).sum(),
                "You added up all products. Each column of W has a sum of its own.",
            ),
            Mistake(
                "the token left out",
                lambda x, W: W.sum(axis=0),
                "You added the rows of W. Each is first multiplied by an entry of x.",
            ),
        ),
        (
            Case((np.array([1.0, 2.0]), SQUARE)),
            Case((np.array([1.0, 0.0, 2.0]), W32), "wide"),
            Case((np.array([2, 1, 3]), W32 / 4), "integers"),
        ),
    ),
    Exercise(
        "project",
        1,
        "my_project(X, Wq, Wk, Wv)",
        "Write my_project(X, Wq, Wk, Wv), which returns Q, K and V. It should work "
        "with a batch of sentences, too.",
        "One X, three roles: that is the self in self-attention.",
        project,
        (
            Mistake(
                "values projected with Wk",
                lambda X, Wq, Wk, Wv: (X @ Wq, X @ Wk, X @ Wk),
                "Your V is made with Wk. Values have a matrix of their own, Wv.",
            ),
            Mistake(
                "Q and K exchanged",
                lambda X, Wq, Wk, Wv: (X @ Wk, X @ Wq, X @ Wv),
                "Q = X Wq asks, K = X Wk is compared.",
            ),
            Mistake(
                "K and V exchanged",
                lambda X, Wq, Wk, Wv: (X @ Wq, X @ Wv, X @ Wk),
                "Return them in the order Q, K, V.",
            ),
            Mistake(
                "Q and V exchanged",
                lambda X, Wq, Wk, Wv: (X @ Wv, X @ Wk, X @ Wq),
                "Return them in the order Q, K, V.",
            ),
            Mistake(
                "W X instead of X W",
                lambda X, Wq, Wk, Wv: (Wq @ X, Wk @ X, Wv @ X),
                "A token is a row of X, and it goes down the columns of W: X stands on "
                "the left.",
            ),
            Mistake(
                "X turned around",
                lambda X, Wq, Wk, Wv: (X.T @ Wq, X.T @ Wk, X.T @ Wv),
                "Your rows are the components of X. A token is a row already: X W.",
            ),
            Mistake(
                "one matrix for all",
                lambda X, Wq, Wk, Wv: (X @ Wq, X @ Wq, X @ Wq),
                "All three are made with Wq. Each role has its own matrix.",
            ),
            Mistake(
                "keys made from queries",
                lambda X, Wq, Wk, Wv: ((X @ Wq), (X @ Wq) @ Wk, X @ Wv),
                "Your K is a projection of Q. All three are projections of the same X.",
            ),
        ),
        (
            Case((np.array([[1.0, 2], [0, 3]]), SQUARE, SQUARE.T + 1, SQUARE - 2)),
            Case((X43, W32, V32, W32[:, :1]), "wide"),
            Case((tenths(1, 2, 4, 3), W32, V32, tenths(2, 3, 4)), "batch"),
            Case((X43.astype(int), W32 / 4, V32 / 4, W32 / 3), "integers"),
        ),
        returns=("Q", "K", "V"),
    ),
    Exercise(
        "wv_shape",
        1,
        "my_wv_shape",
        "X has shape (5, 6), and each token should give 3 numbers. Which shape has "
        "Wv? Answer with two numbers, such as (1, 2).",
        "d_model goes in, d_v comes out; the number of tokens is not in it.",
        (6, 3),
        (
            Mistake(
                "the other way round",
                (3, 6),
                "The inner widths must meet: (5, 6) times (3, 6) does not fit.",
            ),
            Mistake(
                "the shape of V",
                (5, 3),
                "That is what comes out. Wv is what X is multiplied by.",
            ),
            Mistake(
                "the shape of X",
                (5, 6),
                "One Wv serves all tokens, so their number is not in its shape.",
            ),
        ),
    ),
)

# ---- 02

Q22, K22 = np.array([[1.0, 2], [0, 3]]), np.array([[2.0, 1], [4, 0]])
Q33 = np.array([[1.0, 0, 1], [0, 2, 1], [1, 1, 0], [2, 0, 0]])  # 4 queries, d_k 3
K33 = np.array([[1.0, 1, 0], [0, 1, 2]])  # 2 keys
# Scores whose rows and columns have other maxima, and whose smallest is not 0.
UNEVEN = np.array([[1.0, -1, 3], [1, 2, 0], [4, 1, 2]])


def _scores(scale: Any) -> Any:
    return lambda Q, K: Q @ K.swapaxes(-1, -2) * scale(Q, K)


def _root_of_key_width(Q: Array, K: Array) -> Any:
    return 1 / np.sqrt(Q.shape[-1])


SCORES = (
    Exercise(
        "one_score",
        2,
        "my_one_score",
        "A query is [1, 2, 0] and a key is [3, -1, 4]. Which score, not scaled, has "
        "the query for this key? Use paper.",
        "1 × 3 + 2 × (−1) + 0 × 4: one number for one pair.",
        1,
        (
            Mistake(
                "a minus lost", 5, "The product in the middle is 2 × (−1): negative."
            ),
            Mistake(
                "sums multiplied",
                18,
                "You multiplied 3 by 6, the two sums. Multiply component by component "
                "first, then add.",
            ),
            Mistake(
                "products not added",
                (3, -2, 0),
                "These are the three products. The score is their sum.",
            ),
            Mistake(
                "scaled",
                1 / np.sqrt(3),
                "You divided by √3. Here the score is asked as it is, not scaled.",
            ),
        ),
        tolerance=PAPER,
    ),
    Exercise(
        "scaled_score",
        2,
        "my_scaled_score",
        "A query and a key have the dot product 12. d_k is 9, d_model is 36. Which "
        "number is the scaled score?",
        "12 / √9: the width of queries and keys counts, and its root.",
        4,
        (
            Mistake("no scale", 12, "12 is the dot product. The scale is missing."),
            Mistake(
                "scaled by d_k", 12 / 9, "You divided by d_k = 9. Divide by its root."
            ),
            Mistake(
                "scaled by √d_model",
                2,
                "You divided by √36, the width of the input. Queries are 9 wide.",
            ),
            Mistake(
                "scaled by d_model",
                12 / 36,
                "You divided by d_model. Divide by the root of d_k, the query's width.",
            ),
            Mistake(
                "multiplied instead of divided",
                36,
                "You multiplied by √9. Wide vectors give large sums: divide.",
            ),
        ),
        tolerance=PAPER,
    ),
    Exercise(
        "scores",
        2,
        "my_scaled_scores(Q, K)",
        "Write my_scaled_scores(Q, K): all scores, divided by √d_k, row = query, "
        "column = key. It should work with a batch of sentences, too.",
        "Every query has met every key, and the width of the vectors no longer counts.",
        attention_scores,
        (
            Mistake(
                "no scale",
                _scores(lambda Q, K: 1),
                "These are the dot products. They still have to be divided by √d_k.",
            ),
            Mistake(
                "scaled by d_k",
                _scores(lambda Q, K: 1 / Q.shape[-1]),
                "You divided by d_k. Divide by its square root.",
            ),
            Mistake(
                "multiplied instead of divided",
                _scores(lambda Q, K: np.sqrt(Q.shape[-1])),
                "You multiplied by √d_k. Wide vectors give large sums: divide.",
            ),
            Mistake(
                "scaled by the number of keys",
                _scores(lambda Q, K: 1 / np.sqrt(K.shape[-2])),
                "You divided by the root of the number of keys. d_k is the width of a "
                "key, the last axis.",
            ),
            Mistake(
                "scaled by the number of queries",
                _scores(lambda Q, K: 1 / np.sqrt(Q.shape[-2])),
                "You divided by the root of the number of queries. d_k is the width "
                "of a query, the last axis.",
            ),
            Mistake(
                "Kᵀ forgotten",
                lambda Q, K: Q @ K * _root_of_key_width(Q, K),
                "You multiplied with the columns of K, which belong to no token. Turn "
                "K first: Kᵀ.",
            ),
            Mistake(
                "Q and K exchanged",
                lambda Q, K: K @ Q.swapaxes(-1, -2) * _root_of_key_width(Q, K),
                "Your rows are the keys. Queries ask, so they are the rows: Q Kᵀ.",
            ),
            Mistake(
                "weights instead of scores",
                lambda Q, K: softmax(attention_scores(Q, K)),
                "You went on to the weights. Scores are what stands before softmax.",
            ),
        ),
        (
            Case((Q22, K22)),
            Case((Q33, K33), "wide"),
            Case((tenths(3, 2, 3, 4), tenths(4, 2, 2, 4)), "batch"),
            Case((Q33.astype(int), K33.astype(int)), "integers"),
        ),
    ),
    Exercise(
        "score_gap",
        2,
        "my_score_gap",
        "In the table of scores above, take the score of love for 我, minus the score "
        "of 我 for love. Which number comes out? Three digits "
        "after the point.",
        "The two differ: a query of one and a key of the other, and the other way "
        "round.",
        0.104,
        (
            Mistake(
                "asked and asking exchanged",
                -0.104,
                "You took it the other way round. The one who asks is the row.",
            ),
            Mistake(
                "taken for symmetric",
                0,
                "The table is not symmetric. Compare row love, column 我 with row 我, "
                "column love.",
            ),
            Mistake("added", 0.116, "You added them. Take the difference."),
            Mistake(
                "only one of the two",
                0.110,
                "That is the score of love for 我. Subtract the score of 我 for love.",
            ),
            Mistake(
                "only the other of the two",
                0.006,
                "That is the score of 我 for love. Subtract it from the score of love "
                "for 我.",
            ),
            Mistake(
                "both from one row",
                0.110 + 0.062,
                "You stayed in the row of love. 我 asks in its own row.",
            ),
        ),
        tolerance=1.6e-3,
        near=2e-3,
    ),
    Exercise(
        "best_key",
        2,
        "my_best_key(scores)",
        "Write my_best_key(scores), which returns for each query the number of the "
        "key that it scores highest, counted from 0.",
        "Row by row: each query has a favourite of its own.",
        lambda scores: scores.argmax(axis=-1),
        (
            Mistake(
                "the best query of each key",
                lambda scores: scores.argmax(axis=-2),
                "You looked down the columns: the best query for each key. A query is "
                "a row, so look along the last axis.",
            ),
            Mistake(
                "one for the whole table",
                lambda scores: scores.argmax(),
                "You looked for the largest score of the whole table. Each row has "
                "one.",
            ),
            Mistake(
                "the score instead of its key",
                lambda scores: scores.max(axis=-1),
                "You returned the highest scores. Return where they stand: which key.",
            ),
            Mistake(
                "the lowest score",
                lambda scores: scores.argmin(axis=-1),
                "You looked for the lowest score. A high score is a good match.",
            ),
            Mistake(
                "compared by size without sign",
                lambda scores: np.abs(scores).argmax(axis=-1),
                "You compared without the sign. −9 is a worse match than 1.",
            ),
            Mistake(
                "counted from 1",
                lambda scores: scores.argmax(axis=-1) + 1,
                "You counted from 1. The first key has the number 0.",
            ),
        ),
        (
            Case((np.array([[1.0, 4, -9], [5, 6, 0], [7, 3, 2]]),)),
            Case((np.array([[-1.0, -2, -5, -4], [0, 3, 1, 9]]),), "wide"),
        ),
    ),
)

# ---- 03


def _plain_softmax(scores: Array) -> Array:
    exps = np.exp(scores)
    return np.asarray(exps / exps.sum(axis=-1, keepdims=True))


def _whole_softmax(scores: Array) -> Array:
    exps = np.exp(scores - scores.max())
    return np.asarray(exps / exps.sum())


def _winner(scores: Array) -> Array:
    return np.asarray(np.eye(scores.shape[-1])[scores.argmax(axis=-1)])


def _no_keepdims(scores: Array) -> Array:
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(exps / exps.sum(axis=-1))


def _no_keepdims_twice(scores: Array) -> Array:
    exps = np.exp(scores - scores.max(axis=-1))
    return np.asarray(exps / exps.sum(axis=-1))


def _one_maximum(scores: Array) -> Array:
    return _plain_softmax(scores - scores.max())


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


SOFTMAX = (
    Exercise(
        "two_scores",
        3,
        "my_two_scores",
        "A row has the scores ln 2 = 0.693 and ln 6 = 1.792. Which weights are they? "
        "Answer with two numbers, such as (0.1, 0.9).",
        "e to the power of the scores gives 2 and 6, and 8 is shared out.",
        (0.25, 0.75),
        (
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
                "You divided by the larger one. Divide by the sum, 2 + 6.",
            ),
        ),
        tolerance=PAPER,
    ),
    Exercise(
        "softmax",
        3,
        "my_softmax(scores)",
        "Write my_softmax(scores): weights along the last axis, however large "
        "the scores are, with any axes on the left, without helpers.softmax.",
        "Each query shares out its own 100 %, and no score is too large.",
        softmax,
        (
            Mistake(
                "softmax over the wrong axis",
                lambda scores: softmax(scores, axis=0),
                "Your columns sum to 1: each key shares itself out among the queries. "
                "A query is a row, so sum along the last axis, -1.",
            ),
            Mistake(
                "softmax over the whole matrix",
                _whole_softmax,
                "All your weights together sum to 1. Each row has its own 100 %: sum "
                "along axis -1.",
            ),
            Mistake(
                "maximum not subtracted",
                _plain_softmax,
                "Right for small scores, but e^1000 is too large for a computer. "
                "Subtract the largest score of each row first.",
            ),
            Mistake(
                "minimum subtracted",
                lambda scores: _plain_softmax(
                    scores - scores.min(axis=-1, keepdims=True)
                ),
                "You subtracted the smallest score of each row, and e to the power of "
                "the rest is too large. Subtract the largest.",
            ),
            Mistake(
                "mean subtracted",
                lambda scores: _plain_softmax(
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
                lambda scores: _plain_softmax(scores - scores.max(axis=-1)),
                "The maxima of the rows were laid along the columns. keepdims=True "
                "leaves them in a column.",
            ),
            Mistake(
                "maxima of the columns",
                lambda scores: _plain_softmax(scores - scores.max(axis=0)),
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
                "These are the exponentials. Divide each row by its sum.",
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
                _winner,
                "Your largest score takes all the weight. Softmax leaves the others "
                "their share.",
            ),
            Mistake(
                "works only for 2-D",
                lambda scores: softmax(scores, axis=1),
                "Your axis is 1. In a batch that is the queries; the keys are the "
                "last axis, -1.",
            ),
        ),
        (
            Case((UNEVEN,)),
            Case((np.array([[0.0, 1, 3], [2, 0, 2]]),), "wide"),
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
        "sum_of_weights",
        3,
        "my_sum_of_weights",
        "A matrix of weights has 4 rows (queries) and 6 columns (keys). To which "
        "number do all its 24 entries add up?",
        "Four queries, each with 100 % to share out.",
        4,
        (
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
            Mistake("in per cent", 400, "You counted in per cent. Here 100 % is 1."),
            Mistake("every weight one", 24, "Then every weight would be 1."),
        ),
        tolerance=PAPER,
    ),
    Exercise(
        "weight_ratio",
        3,
        "my_weight_ratio",
        "In one row the score of 猫 is larger than that of love by 2. How many times "
        "as large is its weight? Two digits after the point.",
        "e^2: a ratio of weights is a difference of scores.",
        float(np.exp(2)),
        (
            Mistake(
                "the difference",
                2,
                "That is how far the scores lie apart. Softmax makes weights of scores "
                "with an exponential.",
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
        ),
        tolerance=1e-3,
    ),
    Exercise(
        "hide_key",
        3,
        "my_hide_key(scores, key)",
        "Write my_hide_key(scores, key): the weights when no query may look at this "
        "key. scores may have axes on the left and must stay as they are; you may use "
        "softmax.",
        "The hidden key has the weight 0, and the others share the 100 %.",
        _hidden(-np.inf),
        (
            Mistake(
                "mask applied after softmax",
                _hide_after,
                "You set weights to 0 after softmax, and the rows no longer sum to 1. "
                "Hide the scores before: -np.inf.",
            ),
            Mistake(
                "hidden with a score of 0",
                _hidden(0.0),
                "A score of 0 still weighs e^0 = 1. Only -np.inf gives the weight 0.",
            ),
            Mistake(
                "hidden with a score of −100",
                _hidden(-100.0),
                "Right for small scores, but a row can lie lower than −100. Only "
                "-np.inf lies below everything.",
            ),
            Mistake(
                "maximum not subtracted",
                _hidden(-np.inf, _plain_softmax),
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
        ),
        (
            Case((UNEVEN, 1)),
            Case((np.array([[0.0, 1, 3], [2, 0, 2]]), 0), "wide"),
            Case((np.array([[0.0, 5, 1], [1000, 3, 1002]]), 1), "large"),
            Case((np.array([[-1000.0, -1001, -1002], [-5, 0, 1]]), 1), "large"),
            Case((np.stack([UNEVEN, UNEVEN.T + UNEVEN]), 1), "batch"),
            Case((UNEVEN.astype(int), 0), "integers"),
        ),
    ),
)

# ---- 04

WEIGHTS = np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.0, 0.4, 0.6]])
TURNED = WEIGHTS[[2, 0, 1]]  # no row has its largest on the diagonal
VALUES = np.array([[2.0, 0], [0, 1], [10, 4]])

VALUES_MIXED = (
    Exercise(
        "one_output",
        4,
        "my_one_output",
        "A query has the weights [0.5, 0.3, 0.2], and the first components of the "
        "three values are [2, 0, 10]. Which number is the first component of its "
        "output?",
        "0.5 × 2 + 0.3 × 0 + 0.2 × 10: everybody gives a share.",
        3,
        (
            Mistake(
                "arg-max instead of average",
                2,
                "You took the value with the largest weight. The third still gives "
                "0.2 × 10.",
            ),
            Mistake(
                "weights ignored", 4, "That is the mean. Each has a weight of its own."
            ),
            Mistake("added without weights", 12, "Multiply each by its weight first."),
            Mistake(
                "products not added", (1, 0, 2), "These are the three shares. Add them."
            ),
            Mistake(
                "divided by three", 1, "The weights sum to 1 already: no division."
            ),
        ),
        tolerance=PAPER,
    ),
    Exercise(
        "mix",
        4,
        "my_mix(weights, V)",
        "Write my_mix(weights, V): the output of each query. It should work with a "
        "batch of sentences, too.",
        "Each output is an average of the values, with the weights of one query.",
        lambda weights, V: weights @ V,
        (
            Mistake(
                "weightsᵀ V",
                lambda weights, V: weights.swapaxes(-1, -2) @ V,
                "You turned the weights around, and a column of them does not sum to "
                "1. Row = query: weights V.",
            ),
            Mistake(
                "arg-max instead of average",
                lambda weights, V: np.take_along_axis(
                    V, weights.argmax(axis=-1)[..., None], axis=-2
                ),
                "Each query took the value of its largest weight. The others keep "
                "their share: it is an average.",
            ),
            Mistake(
                "weights ignored",
                lambda weights, V: np.ones_like(weights) / weights.shape[-1] @ V,
                "Every query got the mean of all values. Multiply by its weights.",
            ),
            Mistake(
                "weights ignored",
                lambda weights, V: V.mean(axis=-2),
                "You return the mean of all values. Each query has weights of its own.",
            ),
            Mistake(
                "values not mixed",
                lambda weights, V: V,
                "These are the values as they came. An output mixes all of them.",
            ),
            Mistake(
                "softmax taken twice",
                lambda weights, V: softmax(weights) @ V,
                "You took softmax of the weights. They went through it already.",
            ),
            Mistake(
                "divided by the number of keys",
                lambda weights, V: weights @ V / weights.shape[-1],
                "You divided by the number of keys. The weights sum to 1 already.",
            ),
        ),
        (
            Case((TURNED, VALUES)),
            Case((TURNED[:2], VALUES[:, :1]), "wide"),
            Case(
                (np.stack([TURNED, TURNED[::-1]]), np.stack([VALUES, VALUES - 3])),
                "batch",
            ),
            Case((TURNED, VALUES.astype(int)), "integers"),
        ),
    ),
    Exercise(
        "pick_value",
        4,
        "my_pick_value",
        "The tokens are 我, love, 猫. Which three weights give a query the value of "
        "love, exactly? Answer with three numbers, such as (0.2, 0.3, 0.5).",
        "A weight of 1 picks one value, and nothing of the others is left.",
        (0, 1, 0),
        (
            Mistake(
                "the value of 我",
                (1, 0, 0),
                "These pick 我, the first. love is second.",
            ),
            Mistake("the value of 猫", (0, 0, 1), "These pick 猫, the third token."),
            Mistake(
                "even weights",
                (1 / 3, 1 / 3, 1 / 3),
                "These give the mean of all three.",
            ),
            Mistake(
                "in per cent", (0, 100, 0), "You counted in per cent. Here 100 % is 1."
            ),
            Mistake(
                "only the largest",
                (0.1, 0.8, 0.1),
                "The largest weight does not make the others vanish: they are 0.1.",
            ),
        ),
        tolerance=1e-3,
    ),
    Exercise(
        "weights_from_output",
        4,
        "my_weights_from_output",
        "The values are [2, 0] and [0, 4], and a query took away [0.5, 3]. Which two "
        "weights did it have?",
        "0.25 × 2 = 0.5 and 0.75 × 4 = 3; together the weights make 1.",
        (0.25, 0.75),
        (
            Mistake(
                "order exchanged",
                (0.75, 0.25),
                "The first value, [2, 0], is the only one with a first component.",
            ),
            Mistake(
                "output taken for weights",
                (0.5, 3),
                "That is the output, and it does not sum to 1. Divide by what the "
                "values have to give.",
            ),
            Mistake(
                "multiplied instead of divided",
                (1, 12),
                "You multiplied. Weight × 2 should be 0.5, weight × 4 should be 3.",
            ),
            Mistake(
                "in per cent", (25, 75), "You counted in per cent. Here 100 % is 1."
            ),
            Mistake(
                "shares of the output",
                (1 / 7, 6 / 7),
                "You divided the output by its sum. Divide by the values.",
            ),
        ),
        tolerance=1e-3,
    ),
)

# ---- 05

X34 = np.array([[1.0, 0, 0, 1], [0, 1, 0, 0], [0, 1, 1, 0]])  # 3 tokens, d_model 4
WQ = np.array([[1.0, 0, 0], [0, 1, 2], [1, 0, 0], [0, 1, 0]])
WK = np.array([[0.0, 1, 0], [1, 0, 0], [0, 1, 1], [1, 0, 1]])
WV = np.array([[2.0, 0, 1], [0, 4, 0], [1, 0, 0], [0, 3, 1]])
SOME = np.array([[True, False, True], [True, True, False], [False, False, True]])


def _attention(
    weigh: Any = softmax,
    scale: Any = None,
    mix: Any = None,
    swap: bool = False,
    turn: Any = lambda K: K.swapaxes(-1, -2),
) -> Any:
    """Return self-attention with one step replaced."""

    def wrong(X: Array, Wq: Array, Wk: Array, Wv: Array) -> tuple[Array, Array]:
        Q, K, V = X @ Wq, X @ Wk, X @ Wv
        if swap:
            Q, K = K, Q
        factor = 1 / np.sqrt(Q.shape[-1]) if scale is None else scale(X, Q)
        scores = Q @ turn(K) * factor
        weights = weigh(scores)
        return (weights @ V if mix is None else mix(weights, scores, X, K, V)), weights

    return wrong


def _mask_added(scores: Array, mask: Array) -> Array:
    return softmax(scores + mask)


SELF_ATTENTION = (
    Exercise(
        "self_attention",
        5,
        "my_attention(X, Wq, Wk, Wv)",
        "Write my_attention(X, Wq, Wk, Wv) from memory: scaled by 1/√d_k, it returns "
        "output and weights. You may use softmax. It should work with a batch, too.",
        "All four steps, in one function: this is the head of a Transformer.",
        self_attention,
        (
            Mistake(
                "no scale",
                _attention(scale=lambda X, Q: 1),
                "Your scores are not divided by √d_k.",
            ),
            Mistake(
                "scaled by d_k",
                _attention(scale=lambda X, Q: 1 / Q.shape[-1]),
                "You divided by d_k. Divide by its square root.",
            ),
            Mistake(
                "scaled by √d_model",
                _attention(scale=lambda X, Q: 1 / np.sqrt(X.shape[-1])),
                "You divided by √d_model, the width of X. d_k is the width of Q.",
            ),
            Mistake(
                "scaled by d_model",
                _attention(scale=lambda X, Q: 1 / X.shape[-1]),
                "You divided by d_model, the width of X. Divide by √d_k.",
            ),
            Mistake(
                "scaled by the number of tokens",
                _attention(scale=lambda X, Q: 1 / np.sqrt(X.shape[-2])),
                "You divided by the root of the number of tokens. d_k is the width of "
                "Q, the last axis.",
            ),
            Mistake(
                "a fixed d_k",
                _attention(scale=lambda X, Q: 1 / np.sqrt(3)),
                "You divided by √3, always. d_k is the width of Q, Q.shape[-1].",
            ),
            Mistake(
                "multiplied instead of divided",
                _attention(scale=lambda X, Q: np.sqrt(Q.shape[-1])),
                "You multiplied by √d_k. Wide vectors give large sums: divide.",
            ),
            Mistake(
                "Kᵀ forgotten",
                _attention(turn=lambda K: K),
                "You multiplied Q with the columns of K, which belong to no token. "
                "Turn K first: Kᵀ.",
            ),
            Mistake(
                "Q and K exchanged",
                _attention(swap=True),
                "Your rows are the keys. Queries ask, so they are the rows: Q Kᵀ.",
            ),
            Mistake(
                "softmax over the wrong axis",
                _attention(weigh=lambda s: softmax(s, axis=-2)),
                "Your columns sum to 1. A query is a row: softmax along the last axis.",
            ),
            Mistake(
                "softmax over the whole matrix",
                _attention(weigh=_whole_softmax),
                "All your weights together sum to 1. Each row has its own 100 %.",
            ),
            Mistake(
                "scores used as weights",
                _attention(weigh=lambda s: s),
                "You mixed the values by the scores. Softmax comes between.",
            ),
            Mistake(
                "scores mixed the values",
                _attention(mix=lambda w, s, X, K, V: s @ V),
                "Your weights are right, but the scores mixed the values. Use weights.",
            ),
            Mistake(
                "weightsᵀ V",
                _attention(mix=lambda w, s, X, K, V: w.swapaxes(-1, -2) @ V),
                "You turned the weights around. Row = query: weights V.",
            ),
            Mistake(
                "values projected with Wk",
                _attention(mix=lambda w, s, X, K, V: w @ K),
                "Your weights mix the keys. What a token gives is its value, X Wv.",
            ),
            Mistake(
                "K and V exchanged",
                lambda X, Wq, Wk, Wv: self_attention(X, Wq, Wv, Wk),
                "You compared the queries with X Wv, and mixed X Wk. Keys are X Wk: "
                "queries meet them. Values are X Wv: they are mixed.",
            ),
            Mistake(
                "values not projected",
                _attention(mix=lambda w, s, X, K, V: w @ X),
                "Your weights mix the rows of X. They still have to pass through Wv.",
            ),
            Mistake(
                "arg-max instead of average",
                _attention(mix=lambda w, s, X, K, V: _winner(w) @ V),
                "Each query took the value of its largest weight. The others keep "
                "their share: it is an average.",
            ),
            Mistake(
                "output and weights exchanged",
                lambda *given: self_attention(*given)[::-1],
                "Return output first, then weights.",
            ),
        ),
        (
            Case((X34, WQ, WK, WV)),
            Case((tenths(5, 5, 4) / 2, WQ[:, :2], WK[:, :2], WV), "wide"),
            Case((tenths(7, 2, 5, 4) / 2, WQ, WK, WV), "batch"),
            Case((X34.astype(int), WQ, WK, WV / 4), "integers"),
        ),
        returns=("output", "weights"),
    ),
    Exercise(
        "causal_mask",
        5,
        "my_causal_mask(n)",
        "Write my_causal_mask(n): shape (n, n), boolean, True where the query in row "
        "i may look at the key in column j, itself and earlier ones.",
        "Row i sees the keys 0 to i, and nobody sees the future.",
        causal_mask,
        (
            Mistake(
                "mask inverted",
                lambda n: ~causal_mask(n),
                "Your True means hidden. In this course True = may attend.",
            ),
            Mistake(
                "off by one: its own position hidden",
                lambda n: np.tri(n, k=-1, dtype=bool),
                "Your queries cannot see themselves, and row 0 sees nothing. The "
                "diagonal belongs to what may be seen.",
            ),
            Mistake(
                "off by one: the next token in sight",
                lambda n: np.tri(n, k=1, dtype=bool),
                "Row i sees key i + 1, the token that it should predict.",
            ),
            Mistake(
                "rows and columns exchanged",
                lambda n: causal_mask(n).T,
                "Your queries see themselves and the later ones. Row = query: row i "
                "sees columns 0 to i.",
            ),
            Mistake(
                "numbers instead of True and False",
                lambda n: np.tri(n),
                "The places are right, but the mask holds 0 and 1. Numbers would be "
                "added to the scores: make it boolean.",
            ),
            Mistake(
                "scores instead of True and False",
                lambda n: np.where(causal_mask(n), 0, -np.inf),
                "The places are right, but these are numbers to add. Return True and "
                "False.",
            ),
            Mistake(
                "everything in sight",
                lambda n: np.ones((n, n), dtype=bool),
                "Every query sees every key, the future as well.",
            ),
        ),
        (Case((3,)), Case((1,)), Case((5,))),
    ),
    Exercise(
        "masked_weights",
        5,
        "my_masked_weights(scores, mask)",
        "Write my_masked_weights(scores, mask): the weights when each query sees only "
        "the keys where mask is True. You may use softmax; scores stay as they are.",
        "Hidden before softmax, a key has the weight 0 and each row still sums to 1.",
        lambda scores, mask: softmax(np.where(mask, scores, -np.inf)),
        (
            Mistake(
                "mask inverted",
                lambda scores, mask: softmax(np.where(mask, -np.inf, scores)),
                "You hid what may be seen. True = may attend.",
            ),
            Mistake(
                "mask added as 0/1",
                _mask_added,
                "You added the mask: True became 1, and nothing is hidden. Put "
                "-np.inf where it is False.",
            ),
            Mistake(
                "mask multiplied",
                lambda scores, mask: softmax(scores * mask),
                "A score times 0 is 0, and e^0 = 1 still weighs. Put -np.inf instead.",
            ),
            Mistake(
                "mask applied after softmax",
                lambda scores, mask: softmax(scores) * mask,
                "You hid weights after softmax, and the rows no longer sum to 1. Hide "
                "the scores before.",
            ),
            Mistake(
                "mask ignored",
                lambda scores, mask: softmax(scores),
                "These are the weights with every key in sight.",
            ),
            Mistake(
                "softmax forgotten",
                lambda scores, mask: np.where(mask, scores, -np.inf),
                "These are scores with hidden keys. Softmax makes weights of them.",
            ),
            Mistake(
                "softmax over the wrong axis",
                lambda scores, mask: softmax(np.where(mask, scores, -np.inf), axis=-2),
                "Your columns sum to 1. A query is a row: softmax along the last axis.",
            ),
            Mistake(
                "not hidden deep enough",
                lambda scores, mask: softmax(np.where(mask, scores, -100)),
                "Right for small scores, but a row can lie lower than the number that "
                "you put. Only -np.inf lies below everything.",
            ),
            Mistake(
                "maximum not subtracted",
                lambda scores, mask: _plain_softmax(np.where(mask, scores, -np.inf)),
                "Right for small scores, but e^-1000 is 0 for a computer, and 0/0 is "
                "no number. Subtract each row's largest score first, or use softmax.",
            ),
            Mistake(
                "mask turned around",
                lambda scores, mask: softmax(
                    np.where(np.swapaxes(mask, -1, -2), scores, -np.inf)
                ),
                "You turned the mask around. Row = query, as in the scores.",
            ),
        ),
        (
            Case((UNEVEN, SOME)),
            Case((UNEVEN[:2], SOME[:2]), "wide"),
            Case((np.stack([UNEVEN, UNEVEN.T + UNEVEN]), SOME), "batch"),
            Case((UNEVEN.astype(int), SOME), "integers"),
            Case((UNEVEN - 1000, SOME), "large"),
        ),
    ),
    Exercise(
        "shuffled_output",
        5,
        "my_shuffled_output",
        "Three tokens have the outputs [[1, 2], [3, 4], [5, 6]]. Now self-attention, "
        "without a mask, gets X[[2, 0, 1]]. Which output comes out? Answer with three "
        "rows.",
        "The rows of the output move along with their tokens.",
        ((5, 6), (1, 2), (3, 4)),
        (
            Mistake(
                "order ignored",
                ((1, 2), (3, 4), (5, 6)),
                "You left the rows where they were. Each moves with its token.",
            ),
            Mistake(
                "moved the other way",
                ((3, 4), (5, 6), (1, 2)),
                "You moved them the other way round. The new row 0 is the old token 2.",
            ),
            Mistake(
                "columns moved as well",
                ((6, 5), (2, 1), (4, 3)),
                "Tokens are rows. The components of an output keep their places.",
            ),
        ),
    ),
    Exercise(
        "rows_that_change",
        5,
        "my_rows_that_change",
        "Four tokens, 0 to 3, with a causal mask. The input of token 1 is changed. "
        "Which rows of the output may change? Answer with their numbers, such as (0, "
        "2).",
        "Token 1 is seen by itself and by all that come later.",
        (1, 2, 3),
        (
            Mistake(
                "the past instead of the future",
                (0, 1),
                "Token 0 comes before token 1 and cannot see it. The later ones can.",
            ),
            Mistake(
                "itself alone", (1,), "Tokens 2 and 3 see token 1, so they change, too."
            ),
            Mistake(
                "itself left out", (2, 3), "A token sees itself: row 1 changes, too."
            ),
            Mistake(
                "all rows",
                (0, 1, 2, 3),
                "That would be so without a mask. Token 0 sees only itself.",
            ),
        ),
        read=lambda rows: sorted(
            np.ravel(list(rows) if isinstance(rows, set | frozenset) else rows)
        ),
    ),
)

FORWARD = (*PROJECTION, *SCORES, *SOFTMAX, *VALUES_MIXED, *SELF_ATTENTION)
