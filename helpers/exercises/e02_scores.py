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
Q21, K51 = np.array([[1.0], [3]]), np.array([[2.0], [0], [1], [-1], [4]])
TABLE = np.array([[1.0, 4, -9], [5, 6, 0], [7, 3, 2]])


def _scores(scale: Any) -> Any:
    return lambda Q, K: Q @ K.swapaxes(-1, -2) * scale(Q, K)


def _root_of_key_width(Q: Array, K: Array) -> Any:
    return 1 / np.sqrt(Q.shape[-1])


def _widths(rng: np.random.RandomState) -> Numbers:
    """Return a dot product, not d_k itself, and widths whose roots are whole."""
    root = int(rng.choice([3, 5, 6, 7]))  # with 4, half of d_k is the root of d_model
    score = int(rng.choice([n for n in range(2, 10) if n != root]))
    return {
        "dot": root * score,
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
            "A query is [1, 2, 0] and a key is [3, -1, 5]. Which score, not scaled, "
            "has the query for this key? Use paper."
        ),
        means="1 × 3 + 2 × (−1) + 0 × 5: one number for one pair.",
        right=1,
        mistakes=(
            Mistake(
                "a minus lost",
                5,
                "The product in the middle is 2 × (−1): negative.",
            ),
            Mistake(
                "sums multiplied",
                21,
                "You multiplied 3 by 7, the two sums. Multiply component by component "
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
            Mistake(
                "scaled",
                1 / 3,
                "You divided by 3. Here the score is asked as it is, not scaled.",
            ),
            Mistake(
                "a zero counted as one",
                6,
                "The query has 0 at the end, so the 5 of the key drops out.",
            ),
            Mistake(
                "added instead of multiplied",
                10,
                "You added all six numbers. Multiply each component by its partner "
                "first, then add the three products.",
            ),
            Mistake(
                "divided by the lengths",
                1 / np.sqrt(5 * 35),
                "That is the cosine of the angle. The score is the dot product, in "
                "which the lengths count.",
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
            Mistake(
                "multiplied instead of divided",
                lambda dot, d_k, d_model: dot * d_k,
                "You multiplied by {d_k}. Wide vectors give large sums: divide, and by "
                "the root.",
            ),
            Mistake(
                "the root of everything",
                lambda dot, d_k, d_model: (dot / d_k) ** 0.5,
                "You took the root of {dot} as well. Only d_k stands under it.",
            ),
            Mistake(
                "squared instead of the root",
                lambda dot, d_k, d_model: dot / d_k**2,
                "You divided by d_k squared. Divide by its root.",
            ),
            Mistake(
                "half instead of the root",
                lambda dot, d_k, d_model: dot / (d_k / 2),
                "You divided by half of {d_k}. The root is the number whose square is "
                "{d_k}.",
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
            Mistake(
                "weights instead of scores",
                lambda Q, K: softmax(Q @ K.swapaxes(-1, -2)),
                "You went on to the weights, and left the scale out. Scores are what "
                "stands before softmax, divided by √d_k.",
            ),
            Mistake(
                "a fixed d_k",
                _scores(lambda Q, K: 1 / np.sqrt(2)),
                "You divided by √2, always. d_k is the width of Q, Q.shape[-1].",
            ),
            Mistake(
                "Q turned instead of K",
                lambda Q, K: Q.swapaxes(-1, -2) @ K * _root_of_key_width(Q, K),
                "You turned Q, and multiplied components with components. Turn K: the "
                "rows of Q stay rows.",
            ),
            Mistake(
                "multiplied entry by entry",
                lambda Q, K: Q * K * _root_of_key_width(Q, K),
                "* multiplies entry by entry. The matrix product is @.",
            ),
            Mistake(
                "only each query with its own key",
                lambda Q, K: (Q * K).sum(axis=-1) * _root_of_key_width(Q, K),
                "Each query has met one key alone. Every query meets every key: Q Kᵀ.",
            ),
            Mistake(
                "divided by the lengths",
                lambda Q, K: (
                    (Q / np.linalg.norm(Q, axis=-1, keepdims=True))
                    @ (K / np.linalg.norm(K, axis=-1, keepdims=True)).swapaxes(-1, -2)
                ),
                "These are cosines. A score is the dot product, in which the lengths "
                "count, divided by √d_k.",
            ),
        ),
        cases=lambda seed: (
            Case((Q22, K22)),
            Case((Q22 / 8, K22), "decimals"),
            Case((-Q22 - 1, K22), "negative"),
            Case((Q33, K33[:1]), "wide"),
            Case((Q21, K51), "wide"),
            Case((tenths(seed + 3, 2, 3, 4), tenths(seed + 4, 2, 2, 4)), "batch"),
            Case((Q22.astype(int), K22.astype(int)), "integers"),
            Case((1000 * Q22, K22), "large"),
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
            Mistake(
                "both from one column",
                0.110 + 0.066,
                "You stayed in the column of 我. 我 asks in its own row, and love is a "
                "column there.",
            ),
            Mistake(
                "from the diagonal",
                -0.062 + 0.066,
                "You compared the two scores on the diagonal. There each token meets "
                "itself.",
            ),
            *(
                Mistake(
                    "another pair",
                    gap,
                    "One of your two scores is that of 猫. The pair is love and 我.",
                )
                for gap in (0.044 - 0.008, -0.126 + 0.163, 0.110 - 0.008)
            ),
            Mistake(
                "divided instead of subtracted",
                0.110 / 0.006,
                "You divided one by the other. Take the difference.",
            ),
            Mistake(
                "scaled",
                0.104 / np.sqrt(3),
                "You divided by √3. The table above is not scaled.",
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
            Mistake(
                "all keys in order",
                lambda scores: scores.argsort(axis=-1),
                "You put all keys of each query in order, the worst first. Only the "
                "best is asked for.",
            ),
            Mistake(
                "all keys in order",
                lambda scores: (-scores).argsort(axis=-1),
                "You put all keys of each query in order. Only the best is asked for.",
            ),
            Mistake(
                "only the first query",
                lambda scores: scores[0].argmax(),
                "You looked at the first row alone. Each query has a row.",
            ),
            Mistake(
                "a table instead of numbers",
                lambda scores: np.eye(scores.shape[-1])[scores.argmax(axis=-1)],
                "You marked the best key with a 1. Return its number, one for each "
                "query.",
            ),
            Mistake(
                "a table instead of numbers",
                lambda scores: scores == scores.max(axis=-1, keepdims=True),
                "You marked the best key with True. Return its number, one for each "
                "query.",
            ),
            Mistake(
                "query and key",
                lambda scores: [*enumerate(scores.argmax(axis=-1))],
                "You return the number of the query, too. Its place in the list says "
                "it.",
            ),
        ),
        cases=(
            Case((TABLE,)),
            Case(
                (np.array([[0.121, 0.124, 0.1], [0.2, 0.3, 0.9], [0.5, 0.25, 0]]),),
                "decimals",
            ),
            Case((TABLE - 10,), "negative"),
            Case((np.array([[-1.0, -2, -5, -4], [0, 3, 1, 9]]),), "wide"),
            Case((np.array([[2.0, 5, 3]]),), "wide"),
            Case((np.array([[2.0], [0], [3], [-1], [4]]),), "wide"),
            Case((TABLE - 2000,), "large"),
        ),
    ),
)

PAGE = Page(number=2, topic="scores", questions=QUESTIONS, exercises=EXERCISES)
