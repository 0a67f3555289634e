"""The questions and exercises of page 02."""

from typing import Any

import numpy as np

from helpers.arrays import Array
from helpers.core import attention_scores, softmax
from helpers.exercises.model import (
    PAPER,
    Case,
    Exercise,
    Mistake,
    Numbers,
    Option,
    Page,
    Question,
    tenths,
)

Q22, K22 = np.array([[1.0, 2], [0, 3]]), np.array([[2.0, 1], [4, 0]])
Q33 = np.array([[1.0, 0, 1], [0, 2, 1], [1, 1, 0], [2, 0, 0]])  # 4 queries, d_k 3
K33 = np.array([[1.0, 1, 0], [0, 1, 2]])  # 2 keys


def _scores(scale: Any) -> Any:
    return lambda Q, K: Q @ K.swapaxes(-1, -2) * scale(Q, K)


def _root_of_key_width(Q: Array, K: Array) -> Any:
    return 1 / np.sqrt(Q.shape[-1])


def _widths(rng: np.random.RandomState) -> Numbers:
    """Return a dot product and widths whose roots are whole numbers."""
    root = int(rng.randint(3, 9))
    return {
        "dot": root * int(rng.randint(2, 10)),
        "d_k": root**2,
        "d_model": 4 * root**2,
    }


QUESTIONS = (
    Question(
        name="who_asks",
        text="The score in row 0, column 2 of Q Kᵀ: which token asked?",
        options=(
            Option("token 0", "Row = query: token 0 asks, and token 2 answers.", True),
            Option("token 2", "Token 2 is the column: its key was compared."),
            Option("both", "One gives its query, the other its key."),
        ),
    ),
    Question(
        name="score_or_weight",
        text="A row holds 1.4, -0.3 and 2.2. Are these scores or weights?",
        options=(
            Option("scores", "One is negative, and they do not sum to 1.", True),
            Option("weights", "Weights are never negative, and a row sums to 1."),
            Option("either", "The -0.3 decides: no weight is negative."),
        ),
    ),
)

EXERCISES = (
    Exercise(
        name="one_score",
        call="my_one_score",
        asked=(
            "A query is [1, 2, 0] and a key is [3, -1, 4]. Which score, not scaled, "
            "has the query for this key? Use paper."
        ),
        means="1 × 3 + 2 × (−1) + 0 × 4: one number for one pair.",
        right=1,
        mistakes=(
            Mistake(
                "a minus lost",
                5,
                "The product in the middle is 2 × (−1): negative.",
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
        name="scaled_score",
        call="my_scaled_score",
        asked=(
            "A query and a key have the dot product {dot}. d_k is {d_k}, d_model is "
            "{d_model}. Which number is the scaled score?"
        ),
        means="{dot} / √{d_k}: the width of queries and keys counts, and its root.",
        numbers={"dot": 12, "d_k": 9, "d_model": 36},
        draw=_widths,
        right=lambda dot, d_k, d_model: dot / d_k**0.5,
        mistakes=(
            Mistake(
                "no scale",
                lambda dot, d_k, d_model: dot,
                "{dot} is the dot product. The scale is missing.",
            ),
            Mistake(
                "scaled by d_k",
                lambda dot, d_k, d_model: dot / d_k,
                "You divided by d_k = {d_k}. Divide by its root.",
            ),
            Mistake(
                "scaled by √d_model",
                lambda dot, d_k, d_model: dot / d_model**0.5,
                "You divided by √{d_model}, the width of the input. Queries are {d_k} "
                "wide.",
            ),
            Mistake(
                "scaled by d_model",
                lambda dot, d_k, d_model: dot / d_model,
                "You divided by d_model. Divide by the root of d_k, the query's width.",
            ),
            Mistake(
                "multiplied instead of divided",
                lambda dot, d_k, d_model: dot * d_k**0.5,
                "You multiplied by √{d_k}. Wide vectors give large sums: divide.",
            ),
        ),
        tolerance=PAPER,
    ),
    Exercise(
        name="scores",
        call="my_scaled_scores(Q, K)",
        asked=(
            "Write my_scaled_scores(Q, K): all scores, divided by √d_k, row = query, "
            "column = key. It should work with a batch of sentences, too."
        ),
        means=(
            "Every query has met every key, and the width of the vectors no longer "
            "counts."
        ),
        right=attention_scores,
        mistakes=(
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
        cases=lambda seed: (
            Case((Q22, K22)),
            Case((Q33, K33), "wide"),
            Case((tenths(seed + 3, 2, 3, 4), tenths(seed + 4, 2, 2, 4)), "batch"),
            Case((Q33.astype(int), K33.astype(int)), "integers"),
        ),
    ),
    Exercise(
        name="score_gap",
        call="my_score_gap",
        asked=(
            "In the table of scores above, take the score of love for 我, minus the "
            "score of 我 for love. Which number comes out? Three digits after the "
            "point."
        ),
        means=(
            "The two differ: a query of one and a key of the other, and the other way "
            "round."
        ),
        right=0.104,
        mistakes=(
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
        name="best_key",
        call="my_best_key(scores)",
        asked=(
            "Write my_best_key(scores), which returns for each query the number of the "
            "key that it scores highest, counted from 0."
        ),
        means="Row by row: each query has a favourite of its own.",
        right=lambda scores: scores.argmax(axis=-1),
        mistakes=(
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
        cases=(
            Case((np.array([[1.0, 4, -9], [5, 6, 0], [7, 3, 2]]),)),
            Case((np.array([[-1.0, -2, -5, -4], [0, 3, 1, 9]]),), "wide"),
        ),
    ),
)

PAGE = Page(number=2, topic="scores", questions=QUESTIONS, exercises=EXERCISES)
