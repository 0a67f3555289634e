"""The questions and exercises of page 04."""

import numpy as np

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

WEIGHTS = np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.0, 0.4, 0.6]])
TURNED = WEIGHTS[[2, 0, 1]]  # no row has its largest on the diagonal
VALUES = np.array([[2.0, 0], [0, 1], [10, 4]])
FINE = np.array([[0.125, 0.25, 0.625], [0.5, 0.375, 0.125], [0.25, 0.5, 0.25]])
TALL = np.array([[0.5, 0.5], [0.2, 0.8], [1, 0], [0.9, 0.1], [0.4, 0.6]])

QUESTIONS = (
    Question(
        name="winner",
        text="A query has the weights 0.6, 0.3, 0.1. What does it take away?",
        options=(
            Option(
                "the first value",
                "The others keep 0.4 of the mixture: it is an average.",
            ),
            Option("a mixture of all three values", "0.6, 0.3 and 0.1 of each.", True),
            Option("0.6 of the first key", "Keys are compared, values are taken."),
        ),
    ),
)

EXERCISES = (
    Exercise(
        name="one_output",
        call="my_one_output",
        asked=(
            "A query has the weights [0.5, 0.3, 0.2], and the first components of the "
            "three values are [2, 0, 15]. Which number is the first component of its "
            "output?"
        ),
        means="0.5 × 2 + 0.3 × 0 + 0.2 × 15: everybody gives a share.",
        right=4,
        mistakes=(
            Mistake(
                "arg-max instead of average",
                2,
                "You took the value with the largest weight. The third still gives "
                "0.2 × 15.",
            ),
            Mistake(
                "weights ignored",
                17 / 3,
                "That is the mean. Each has a weight of its own.",
            ),
            Mistake("added without weights", 17, "Multiply each by its weight first."),
            Mistake(
                "products not added",
                (1, 0, 3),
                "These are the three shares. Add them.",
            ),
            Mistake(
                "divided by three", 4 / 3, "The weights sum to 1 already: no division."
            ),
            Mistake(
                "the largest value",
                15,
                "You took the largest value. Its weight is 0.2, and the others give "
                "their share.",
            ),
            Mistake(
                "order exchanged",
                7.9,
                "You gave the last weight to the first value. Each value is multiplied "
                "by the weight in the same place.",
            ),
            Mistake(
                "a zero counted as one",
                4.3,
                "The second value is 0: its share is 0, whatever its weight.",
            ),
            *(
                Mistake(
                    "one share alone", share, "Three shares make the output: add them."
                )
                for share in (1, 3)
            ),
            Mistake(
                "softmax taken twice",
                float(softmax(np.array([0.5, 0.3, 0.2])) @ [2, 0, 15]),
                "You took softmax of the weights. They went through it already.",
            ),
        ),
        tolerance=PAPER,
    ),
    Exercise(
        name="mix",
        call="my_mix(weights, V)",
        asked=(
            "Write my_mix(weights, V): the output of each query. It should work with a "
            "batch of sentences, too."
        ),
        means="Each output is an average of the values, with the weights of one query.",
        right=lambda weights, V: weights @ V,
        mistakes=(
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
                "divided by the number of keys or queries",
                lambda weights, V: weights @ V / weights.shape[-1],
                "You divided once more, by the number of keys or by the sum of all "
                "weights. The weights of a row sum to 1 already.",
            ),
            Mistake(
                "Vᵀ weights",
                lambda weights, V: V.swapaxes(-1, -2) @ weights,
                "Vᵀ stands in front, and the keys meet the queries. The weights come "
                "first, and nothing is turned: weights V.",
            ),
            Mistake(
                "products not added",
                lambda weights, V: weights[..., None] * V[..., None, :, :],
                "These are the shares of all values. For each query they still have to "
                "be added, over the keys.",
            ),
            Mistake(
                "queries not kept apart",
                lambda weights, V: (weights @ V).mean(axis=-2),
                "You averaged over the queries. Each has an output of its own.",
            ),
            Mistake(
                "queries not kept apart",
                lambda weights, V: (weights @ V).sum(axis=-2),
                "You added the outputs of all queries. Each keeps its own.",
            ),
            Mistake(
                "only the first query",
                lambda weights, V: weights[0] @ V,
                "You mixed with the first row of weights alone. Each query has a row.",
            ),
            Mistake(
                "added without weights",
                lambda weights, V: np.ones_like(weights) @ V,
                "Every query got the sum of all values. Multiply by its weights.",
            ),
            Mistake(
                "values added to the mixture",
                lambda weights, V: weights @ V + V,
                "You added the values once more. The mixture is weights V alone.",
            ),
        ),
        cases=(
            Case((TURNED, VALUES)),
            Case((FINE, VALUES / 8), "decimals"),
            Case((TURNED, VALUES - 12), "negative"),
            Case((TURNED[:2], VALUES[:, :1]), "wide"),
            Case((TURNED[:1], VALUES), "wide"),
            Case((TALL, VALUES[1:]), "wide"),
            Case(
                (np.stack([TURNED, TURNED[::-1]]), np.stack([VALUES, VALUES - 3])),
                "batch",
            ),
            Case((TURNED, VALUES.astype(int)), "integers"),
            Case((TURNED, 1000 * VALUES), "large"),
        ),
    ),
    Exercise(
        name="pick_value",
        call="my_pick_value",
        asked=(
            "The tokens are 我, love, 猫. Which three weights give a query the value "
            "of love, exactly? Answer with three numbers, such as (0.2, 0.3, 0.5)."
        ),
        means="A weight of 1 picks one value, and nothing of the others is left.",
        right=(0, 1, 0),
        mistakes=(
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
                "in per cent",
                (0, 100, 0),
                "You counted in per cent. Here 100 % is 1.",
            ),
            *(
                Mistake(
                    "only the largest",
                    (rest, 1 - 2 * rest, rest),
                    "The largest weight does not make the others vanish: 我 and 猫 "
                    "still give their share.",
                )
                for rest in (0.1, 0.2, 0.25, 0.05, 0.01)
            ),
            *(
                Mistake(
                    "a second value mixed in",
                    weights,
                    "This is a mixture of two values. Nothing of the other may be "
                    "left.",
                )
                for weights in (
                    (0.5, 0.5, 0),
                    (0, 0.5, 0.5),
                    (0.1, 0.9, 0),
                    (0, 0.9, 0.1),
                    (0.2, 0.8, 0),
                    (0, 0.8, 0.2),
                )
            ),
            Mistake(
                "every weight one",
                (1, 1, 1),
                "These add up all three values. The weights of a query sum to 1.",
            ),
            Mistake(
                "all but love",
                (1, 0, 1),
                "These hide love, and take the two others.",
            ),
            Mistake(
                "all but love",
                (0.5, 0, 0.5),
                "These hide love, and take the two others.",
            ),
            Mistake(
                "scores instead of weights",
                (-np.inf, 0, -np.inf),
                "These are scores: softmax would make the weights of them. Give the "
                "weights.",
            ),
        ),
        tolerance=1e-3,
    ),
    Exercise(
        name="weights_from_output",
        call="my_weights_from_output",
        asked=(
            "The values are [2, 0] and [0, 4], and a query took away [0.5, 3]. Which "
            "two weights did it have?"
        ),
        means="0.25 × 2 = 0.5 and 0.75 × 4 = 3; together the weights make 1.",
        right=(0.25, 0.75),
        mistakes=(
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
            Mistake(
                "upside down",
                (4, 4 / 3),
                "You divided the values by the output. Which weight times 2 gives 0.5, "
                "and which times 4 gives 3?",
            ),
            Mistake(
                "even weights",
                (0.5, 0.5),
                "Even weights would give [1, 2].",
            ),
            Mistake(
                "softmax of the output",
                tuple(softmax(np.array([0.5, 3]))),
                "You took softmax of the output. Weights × values made it: divide by "
                "the values.",
            ),
            Mistake(
                "shares of the values",
                (1 / 3, 2 / 3),
                "You divided 2 and 4 by their sum. The output is what tells the "
                "weights.",
            ),
            Mistake(
                "subtracted instead of divided",
                (1.5, 1),
                "You subtracted the output from the values. Weights multiply: divide.",
            ),
            *(
                Mistake(
                    "one value for both",
                    weights,
                    "You divided both by the same value. 0.5 came from the first, 3 "
                    "from the second.",
                )
                for weights in ((0.25, 1.5), (0.125, 0.75))
            ),
        ),
        tolerance=1e-3,
    ),
)

PAGE = Page(number=4, topic="weighted values", questions=QUESTIONS, exercises=EXERCISES)
