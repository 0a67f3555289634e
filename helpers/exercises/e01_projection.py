"""The questions and exercises of page 01."""

import numpy as np

from helpers.core import project
from helpers.exercises.model import (
    Case,
    Exercise,
    Mistake,
    Option,
    Page,
    Question,
    tenths,
)

SQUARE = np.array([[1.0, 2.0], [3.0, 4.0]])
X22 = np.array([[1.0, 2], [0, 3]])
X43 = np.array([[1.0, 0, 2], [0, 1, 1], [3, 1, 0], [0, 0, 1]])  # 4 tokens, d_model 3
W32 = np.array([[1.0, 2], [0, -1], [3, 1]])
V32 = np.array([[2.0, 0], [1, 1], [0, 4]])
X51 = np.array([[1.0], [2], [0], [-1], [3]])  # 5 tokens, d_model 1
ROW = np.array([[2.0, -1, 3]])

QUESTIONS = (
    Question(
        name="what_a_row_is",
        text="In X, Q, K and V of three tokens, what does row 2 always belong to?",
        options=(
            Option("the third token", "Rows are tokens, in all four.", True),
            Option("the third column of Wq", "A column of Wq makes a column of Q."),
            Option("the third component", "Components are the columns."),
        ),
    ),
    Question(
        name="what_is_learned",
        text="Which of these does training change?",
        options=(
            Option("Q, K and V", "They change with each input: they are computed."),
            Option("Wq, Wk and Wv", "They are the parameters of the model.", True),
            Option("the number of tokens", "The sentence decides that."),
        ),
    ),
)

EXERCISES = (
    Exercise(
        name="query_shape",
        call="my_query_shape",
        asked=(
            "X has shape (5, 6) and Wq has shape (6, 2). Which shape has Q = X Wq? "
            "Answer with two numbers, such as (1, 2)."
        ),
        means="Five tokens came in, five queries came out, each d_k = 2 wide.",
        right=(5, 2),
        mistakes=(
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
            Mistake(
                "the inner widths",
                (6, 6),
                "The two 6 meet, and are summed away. The outer numbers stay.",
            ),
            Mistake(
                "the widths multiplied",
                (30, 12),
                "You multiplied the numbers of the shapes. The inner two are summed "
                "away, and the outer two stay.",
            ),
            Mistake(
                "the shape of Xᵀ",
                (6, 5),
                "Nothing is turned around, and the inner 6 is summed away.",
            ),
            Mistake(
                "the shape of Wqᵀ",
                (2, 6),
                "Nothing is turned around, and the inner 6 is summed away.",
            ),
        ),
    ),
    Exercise(
        name="query_entry",
        call="my_query_entry",
        asked=(
            "A token is [1, 0, 2] and Wq is [[1, 2, 0], [3, 1, 6], [1, 5, 2]]. Which "
            "number is entry 1 of its query, counted from 0? Use paper."
        ),
        means="You multiplied along the token and down one column, and added.",
        right=12,
        mistakes=(
            Mistake(
                "another column",
                3,
                "You used column 0. Counted from 0, entry 1 needs column 1: 2, 1, 5.",
            ),
            Mistake(
                "the last column",
                4,
                "You used column 2. Counted from 0, entry 1 needs column 1: 2, 1, 5.",
            ),
            *(
                Mistake(
                    "a row instead of a column",
                    along_a_row,
                    "You multiplied along a row of Wq. A query entry needs a column: "
                    "2, 1, 5.",
                )
                for along_a_row in (15, 1, 5)
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
            Mistake(
                "added instead of multiplied",
                11,
                "You added the token and column 1. Multiply entry by entry first, then "
                "add.",
            ),
            Mistake(
                "sums multiplied",
                24,
                "You multiplied 3 by 8, the two sums. Multiply entry by entry first, "
                "then add.",
            ),
            Mistake(
                "products not added",
                (2, 0, 10),
                "These are the three products. The entry is their sum.",
            ),
            Mistake(
                "the whole query",
                (3, 12, 4),
                "That is the whole query. Only its entry 1 is asked for.",
            ),
        ),
    ),
    Exercise(
        name="project_one",
        call="my_project_one(x, W)",
        asked=(
            "Write my_project_one(x, W): the projection of a single token x, shape "
            "(d_model,), by W, shape (d_model, d_k). It returns shape (d_k,)."
        ),
        means="One token, one projection; a whole X is this, row by row.",
        right=lambda x, W: x @ W,
        mistakes=(
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
            Mistake(
                "sums multiplied",
                lambda x, W: x.sum() * W.sum(axis=0),
                "You multiplied the sum of x by the sums of the columns. Multiply "
                "entry by entry first, then add.",
            ),
            Mistake(
                "multiplied along the wrong axis",
                lambda x, W: x * W,
                "x * W multiplies each column of W by one entry of x. Entry i of x "
                "goes with row i: x @ W.",
            ),
            Mistake(
                "multiplied along the wrong axis",
                lambda x, W: (x * W).sum(axis=0),
                "x * W multiplies each column of W by one entry of x. Entry i of x "
                "goes with row i: x @ W.",
            ),
            Mistake(
                "only one row of W",
                lambda x, W: x[0] * W[0],
                "You used the first row of W alone. Every entry of x has a row of its "
                "own, and they are added.",
            ),
        ),
        cases=(
            Case((np.array([1.0, 2.0]), SQUARE)),
            Case((np.array([0.5, 1.0625]), SQUARE), "decimals"),
            Case((np.array([-1.0, -2.0]), SQUARE), "negative"),
            Case((np.array([1.0, 0.0, 2.0]), W32), "wide"),
            Case((np.array([2.0]), ROW), "wide"),
            Case((np.array([1.0, 0, 2, -1, 3]), X51), "wide"),
            Case((np.array([2, 1]), SQUARE / 4), "integers"),
            Case((np.array([1000.0, 2000.0]), SQUARE), "large"),
        ),
    ),
    Exercise(
        name="project",
        call="my_project(X, Wq, Wk, Wv)",
        asked=(
            "Write my_project(X, Wq, Wk, Wv), which returns Q, K and V. It should work "
            "with a batch of sentences, too."
        ),
        means="One X, three roles: that is the self in self-attention.",
        right=project,
        mistakes=(
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
                "A token is a row of X, and it goes down the columns of W: X stands "
                "on the left.",
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
                "keys projected with Wq",
                lambda X, Wq, Wk, Wv: (X @ Wq, X @ Wq, X @ Wv),
                "Your K is made with Wq. Keys have a matrix of their own, Wk.",
            ),
            Mistake(
                "values projected with Wq",
                lambda X, Wq, Wk, Wv: (X @ Wq, X @ Wk, X @ Wq),
                "Your V is made with Wq. Values have a matrix of their own, Wv.",
            ),
            Mistake(
                "queries projected with Wk",
                lambda X, Wq, Wk, Wv: (X @ Wk, X @ Wk, X @ Wv),
                "Your Q is made with Wk. Queries have a matrix of their own, Wq.",
            ),
            Mistake(
                "returned in another order",
                lambda X, Wq, Wk, Wv: (X @ Wk, X @ Wv, X @ Wq),
                "Return them in the order Q, K, V.",
            ),
            Mistake(
                "W turned around",
                lambda X, Wq, Wk, Wv: (X @ Wq.T, X @ Wk.T, X @ Wv.T),
                "You turned the matrices around. A token goes down the columns of W as "
                "it stands: X W.",
            ),
            Mistake(
                "multiplied entry by entry",
                lambda X, Wq, Wk, Wv: (X * Wq, X * Wk, X * Wv),
                "* multiplies entry by entry. The matrix product is @.",
            ),
            Mistake(
                "keys made from queries",
                lambda X, Wq, Wk, Wv: (X @ Wq, X @ Wq @ Wk, X @ Wq @ Wk @ Wv),
                "You sent one on to the next. All three are projections of the same X.",
            ),
            Mistake(
                "only the first token",
                lambda X, Wq, Wk, Wv: (X[0] @ Wq, X[0] @ Wk, X[0] @ Wv),
                "You projected the first token alone. Every row of X is a token.",
            ),
            Mistake(
                "values made from keys",
                lambda X, Wq, Wk, Wv: (X @ Wq, X @ Wk, (X @ Wk) @ Wv),
                "Your V is a projection of K. All three are projections of the same X.",
            ),
            Mistake(
                "keys made from queries",
                lambda X, Wq, Wk, Wv: ((X @ Wq), (X @ Wq) @ Wk, X @ Wv),
                "Your K is a projection of Q. All three are projections of the same X.",
            ),
        ),
        cases=lambda seed: (
            Case((X22, SQUARE, SQUARE.T + 1, SQUARE - 2)),
            Case((X22 / 8, SQUARE, SQUARE.T + 1, SQUARE - 2), "decimals"),
            Case((-X22 - 1, SQUARE, SQUARE.T + 1, SQUARE - 2), "negative"),
            Case((X43, W32, V32, W32[:, :1]), "wide"),
            Case((X43[:1], W32, V32, V32), "wide"),
            Case((X51, ROW, ROW + 1, ROW[:, :2]), "wide"),
            Case(
                (tenths(seed + 1, 2, 4, 3), W32, V32, tenths(seed + 2, 3, 4)),
                "batch",
            ),
            Case((X43.astype(int), W32 / 4, V32 / 4, W32 / 3), "integers"),
            Case((1000 * X22, SQUARE, SQUARE.T + 1, SQUARE - 2), "large"),
        ),
        returns=("Q", "K", "V"),
    ),
    Exercise(
        name="wv_shape",
        call="my_wv_shape",
        asked=(
            "X has shape (5, 6), and each token should give 3 numbers. Which shape has "
            "Wv? Answer with two numbers, such as (1, 2)."
        ),
        means="d_model goes in, d_v comes out; the number of tokens is not in it.",
        right=(6, 3),
        mistakes=(
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
            Mistake(
                "the number of tokens for d_model",
                (6, 5),
                "One Wv serves all tokens, so their number is not in its shape.",
            ),
            Mistake(
                "the width kept",
                (6, 6),
                "Then each token would give 6 numbers.",
            ),
            Mistake(
                "only the new width",
                (3, 3),
                "X is 6 wide, and each of its components meets a row of Wv.",
            ),
        ),
    ),
)

PAGE = Page(number=1, topic="projection", questions=QUESTIONS, exercises=EXERCISES)
