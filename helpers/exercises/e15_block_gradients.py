"""The questions and exercises of page 15."""

from typing import Any

import numpy as np

from helpers.arrays import Array
from helpers.exercises.e14_block import BATCH, FLAT, GAMMA, X24, X53
from helpers.exercises.model import Case, Exercise, Mistake, Option, Page, Question
from helpers.layers import layer_norm_backward

DOUT23 = np.array([[1.0, 0, 2], [0, 3, 1]])
DOUT = np.array([[1.0, 0, 0, 2], [-1, 1, 0.5, 0]])
DOUT53 = np.array([[1.0, 0, -1], [2, 1, 0], [0, 3, 1], [0.5, 0, 0], [1, -2, 1]])
DOUT_BATCH = np.random.RandomState(2).randint(-20, 21, (2, 4, 3)) / 10


def _back(
    *,
    centre: bool = True,
    along: bool = True,
    scaled: bool = True,
    divided: bool = True,
    outer: bool = True,
    sign: int = 1,
    sums: bool = False,
    axis: int = -1,
) -> Any:
    """Go back through LayerNorm with a term left out or changed."""

    def back(x: Array, gamma: Array, doutput: Array, eps: float) -> Any:
        away = x - x.mean(axis=axis, keepdims=True)
        sigma = np.sqrt((away**2).mean(axis=axis, keepdims=True) + eps)
        normed = away / sigma
        g = doutput * gamma if scaled else doutput
        add = np.sum if sums else np.mean
        middle = add(g, axis=axis, keepdims=True) if centre else 0
        rest = add(g * normed, axis=axis, keepdims=True) if along else 0
        rest = rest * normed if outer else rest
        return (g - sign * (middle + rest)) / (sigma if divided else 1)

    return back


QUESTIONS = (
    Question(
        name="plus_on_the_way_back",
        text=(
            "output = h + f(h), and f is a layer whose slope is 0 everywhere. Which "
            "gradient reaches h?"
        ),
        options=(
            Option("nothing", "Nothing comes back through f. There is another way."),
            Option(
                "all of doutput", "The plus hands it on whole, whatever f does.", True
            ),
            Option("half of doutput", "A plus does not share: each side gets it all."),
        ),
    ),
)

EXERCISES = (
    Exercise(
        name="path_gradient",
        call="my_path_gradient",
        asked=(
            "y = x + x W with W = [[2, 0], [1, 3]], and dy = [1, 2] arrives at y. "
            "Which dx arrives at x? Answer with two numbers, such as (1, 2)."
        ),
        means="[1, 2] came straight on, and dy Wᵀ = [2, 7] through the layer.",
        right=(3, 9),
        mistakes=(
            Mistake(
                "the residual path forgotten",
                (2, 7),
                "That came back through W. The plus hands dy on as well.",
            ),
            Mistake(
                "the residual path alone",
                (1, 2),
                "That went straight on. Some of it comes back through W, too.",
            ),
            Mistake(
                "W instead of Wᵀ",
                (5, 8),
                "You went forward through W. Back it is dy Wᵀ: along the rows of W.",
            ),
            Mistake(
                "W instead of Wᵀ, and the residual path forgotten",
                (4, 6),
                "You went forward through W alone. Back it is dy Wᵀ, and the plus "
                "hands dy on as well.",
            ),
            Mistake(
                "only the diagonal of W",
                (3, 8),
                "You took 2 and 3 alone. The first entry of y has some of the second "
                "of x in it, through the 1.",
            ),
            Mistake(
                "subtracted instead of added",
                (1, 5),
                "You took the two ways from each other. Their gradients are added.",
            ),
            Mistake(
                "multiplied instead of added",
                (2, 14),
                "Two ways lead back to x. Their gradients are added.",
            ),
        ),
    ),
    Exercise(
        name="last_gradient",
        call="my_last_gradient",
        asked=(
            "Back through LayerNorm comes dx of a token with four entries. The first "
            "three are 0.5, −0.25 and 0.1. Which number is the fourth?"
        ),
        means="All four sum to 0, since a shift of the token changes nothing.",
        right=-0.35,
        mistakes=(
            Mistake("the sign", 0.35, "That is the sum of the three. All four give 0."),
            Mistake(
                "the mean of the others",
                0.35 / 3,
                "Not their mean: the four together sum to 0.",
            ),
            Mistake(
                "no gradient",
                0,
                "Then the four would sum to 0.35, and a shift would change the loss.",
            ),
            Mistake(
                "the mean of the others, with the other sign",
                -0.35 / 3,
                "The mean of all four is 0, and so is their sum.",
            ),
            Mistake(
                "a sum of 1",
                0.65,
                "A gradient is no row of weights. The four sum to 0.",
            ),
            Mistake(
                "the minus of −0.25 lost",
                -0.85,
                "The second entry is negative: 0.5 − 0.25 + 0.1.",
            ),
            Mistake(
                "the minus of −0.25 lost",
                0.85,
                "The second entry is negative: 0.5 − 0.25 + 0.1. All four sum to 0.",
            ),
        ),
        near=1e-3,
    ),
    Exercise(
        name="norm_backward",
        call="my_norm_backward(x, gamma, doutput, eps)",
        asked=(
            "Write my_norm_backward(x, gamma, doutput, eps): dx, back through "
            "LayerNorm. It should work with a batch, too."
        ),
        means="What would only shift or stretch a token is taken out of its gradient.",
        right=lambda x, gamma, doutput, eps: layer_norm_backward(
            x, gamma, doutput, eps
        )[0],
        mistakes=(
            Mistake(
                "μ and σ taken as constants",
                _back(centre=False, along=False),
                "You divided by σ only. μ and σ depend on x, and each takes a term "
                "away.",
            ),
            Mistake(
                "the term of the mean dropped",
                _back(centre=False),
                "mean(g) is missing: a shift of the token does not move the output.",
            ),
            Mistake(
                "the term of the variance dropped",
                _back(along=False),
                "The normed token times mean(g · normed token) is missing: a stretch "
                "does not move the output.",
            ),
            Mistake(
                "γ forgotten",
                _back(scaled=False),
                "γ multiplied the normed token on the way there, so it multiplies "
                "doutput on the way back.",
            ),
            Mistake(
                "not divided by σ",
                _back(divided=False),
                "On the way there the token was divided by σ; so is its gradient.",
            ),
            Mistake(
                "sums instead of means",
                _back(sums=True),
                "You summed where the mean is needed: μ and σ² have 1/n in them.",
            ),
            Mistake(
                "back over the tokens",
                _back(axis=-2),
                "Your means run down the columns. A token is a row: axis=-1.",
            ),
            Mistake(
                "ε forgotten",
                lambda x, gamma, doutput, eps: _back()(x, gamma, doutput, 0),
                "ε stood under the root on the way there, so σ has it on the way "
                "back, too.",
            ),
            Mistake(
                "a fixed ε",
                lambda x, gamma, doutput, eps: _back()(x, gamma, doutput, 1e-5),
                "You used an ε of your own. Take the argument eps.",
            ),
            Mistake(
                "terms added instead of subtracted",
                _back(sign=-1),
                "You added the two terms. What would only shift or stretch the token "
                "is taken out of g: minus.",
            ),
            Mistake(
                "only γ",
                lambda x, gamma, doutput, eps: doutput * gamma,
                "That is g = doutput · γ, the way back through · γ + β alone. "
                "LayerNorm divides by σ, and μ and σ depend on x.",
            ),
            Mistake(
                "the normed token taken once",
                _back(outer=False),
                "The mean of g · normed token is still to be multiplied by the normed "
                "token.",
            ),
            Mistake(
                "three gradients instead of one",
                layer_norm_backward,
                "You returned several arrays. Here dx alone is asked.",
            ),
            Mistake(
                "keepdims missing",
                lambda x, gamma, doutput, eps: x - x.mean(axis=-1),
                "The means lie in a row, and NumPy cannot subtract them from the rows "
                "of x. With keepdims=True they stand in a column.",
            ),
            Mistake(
                "divided by the variance",
                lambda x, gamma, doutput, eps: (
                    _back()(x, gamma, doutput, eps)
                    / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
                ),
                "You divided by σ². Divide by σ once.",
            ),
            Mistake(
                "the token itself instead of the normed one",
                lambda x, gamma, doutput, eps: (
                    (
                        doutput * gamma
                        - (doutput * gamma).mean(axis=-1, keepdims=True)
                        - x * (doutput * gamma * x).mean(axis=-1, keepdims=True)
                    )
                    / np.sqrt(x.var(axis=-1, keepdims=True) + eps)
                ),
                "The last term needs the normed token, twice, and not x.",
            ),
            Mistake(
                "γ at the end",
                lambda x, gamma, doutput, eps: (
                    _back(scaled=False)(x, gamma, doutput, eps) * gamma
                ),
                "You multiplied by γ at the end. It comes first on the way back, "
                "before the means: g = doutput · γ.",
            ),
        ),
        cases=(
            Case((FLAT, GAMMA[:3], DOUT23, 0.01)),
            Case((X24, GAMMA, DOUT.round(), 0.01)),
            Case((X24 / 8 + 0.1, GAMMA / 8, DOUT / 8, 0.01), "decimals"),
            Case((X24 - 10, GAMMA, DOUT, 0.01), "negative"),
            Case((X24, GAMMA, DOUT, 0.1), "other"),
            Case((X53, GAMMA[:3], DOUT53, 0.01), "wide"),
            Case((X24[:1], GAMMA, DOUT[:1], 0.01), "wide"),
            Case((X24[:, :1], GAMMA[:1], DOUT[:, :1], 0.01), "wide"),
            Case((BATCH, GAMMA[:3], DOUT_BATCH, 0.01), "batch"),
            Case((X24.astype(int), GAMMA, DOUT, 0.01), "integers"),
            Case((X24 * 1000, GAMMA, DOUT * 1000, 0.01), "large"),
        ),
    ),
)

PAGE = Page(
    number=15, topic="block gradients", questions=QUESTIONS, exercises=EXERCISES
)
