"""The questions and exercises of page 15."""

from typing import Any

import numpy as np

from helpers.core import Array
from helpers.exercises.e14_block import BATCH, GAMMA, X24, X53
from helpers.exercises.model import Case, Exercise, Mistake, Page, Question
from helpers.layers import layer_norm_backward

DOUT = np.array([[1.0, 0, 0, 2], [-1, 1, 0.5, 0]])
DOUT53 = np.array([[1.0, 0, -1], [2, 1, 0], [0, 3, 1], [0.5, 0, 0], [1, -2, 1]])
DOUT_BATCH = np.random.RandomState(2).randint(-20, 21, (2, 4, 3)) / 10


def _back(
    *,
    centre: bool = True,
    along: bool = True,
    scaled: bool = True,
    divided: bool = True,
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
        rest = normed * add(g * normed, axis=axis, keepdims=True) if along else 0
        return (g - middle - rest) / (sigma if divided else 1)

    return back


QUESTIONS: tuple[Question, ...] = ()

EXERCISES = (
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
            Case((X24, GAMMA, DOUT, 0.01)),
            Case((X53, GAMMA[:3], DOUT53, 0.1)),
            Case((BATCH, GAMMA[:3], DOUT_BATCH, 0.1), "batch"),
            Case((X24.astype(int), GAMMA, DOUT, 0.01), "integers"),
        ),
    ),
)

PAGE = Page(
    number=15, topic="block gradients", questions=QUESTIONS, exercises=EXERCISES
)
