"""The exercises of notebook 14."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.core import Array
from helpers.exercises import Case, Exercise, Mistake
from helpers.layers import layer_norm, layer_norm_backward

PAPER = 6e-4  # a number that was rounded to three digits

# Two tokens whose means and variances differ, so do those of the columns. γ and β are
# not 1 and 0, and ε is large, so that each of them shows.
X24 = np.array([[1.0, 3, 3, 9], [2, 0, -2, 4]])
GAMMA, BETA = np.array([1.0, 2, -1, 3]), np.array([0.5, 0, 1, -2])
X53 = np.array([[1.0, 0, 2], [4, 4, 1], [0, 3, 1], [2, 2, 5], [-1, 0, 0]])
FLAT = np.array([[2.0, 2, 2], [1, 2, 3]])  # no variance in the first token
BATCH = np.random.RandomState(1).randint(-30, 31, (2, 4, 3)) / 10
DOUT = np.array([[1.0, 0, 0, 2], [-1, 1, 0.5, 0]])
DOUT53 = np.array([[1.0, 0, -1], [2, 1, 0], [0, 3, 1], [0.5, 0, 0], [1, -2, 1]])
DOUT_BATCH = np.random.RandomState(2).randint(-20, 21, (2, 4, 3)) / 10


def _norm(
    axis: int | None = -1,
    *,
    centre: bool = True,
    ddof: int = 0,
    root: Callable[[Any, Any], Any] = lambda variance, eps: np.sqrt(variance + eps),
) -> Any:
    """LayerNorm with something else about it."""

    def norm(x: Array, gamma: Array, beta: Array, eps: float) -> Any:
        mean = x.mean(axis=axis, keepdims=True)
        variance = ((x - mean) ** 2).sum(axis=axis, keepdims=True)
        variance = variance / (np.ones_like(x).sum(axis=axis, keepdims=True) - ddof)
        top = x - mean if centre else x
        with np.errstate(divide="ignore", invalid="ignore"):
            return top / root(variance, eps) * gamma + beta

    return norm


def _rms(x: Array, gamma: Array, beta: Array, eps: float) -> Any:
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + eps) * gamma + beta


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


BLOCK = (
    Exercise(
        "residual_slope",
        14,
        "my_residual_slope",
        "Three layers x + f(x) follow each other, and every f has the slope -0.2. How "
        "fast does the last number grow with the first? Use paper.",
        "0.8 · 0.8 · 0.8: the path brings the 1, f takes 0.2 away, three times.",
        0.512,
        (
            Mistake(
                "the residual path forgotten",
                -0.008,
                "You multiplied the slopes of f. Each layer adds its input, too, which "
                "has the slope 1.",
            ),
            Mistake(
                "a minus lost",
                1.728,
                "You took 1.2 a layer. The slope of f is negative: 1 − 0.2.",
            ),
            Mistake(
                "added instead of multiplied",
                2.4,
                "You added the three slopes. One layer after another multiplies.",
            ),
            Mistake("one layer only", 0.8, "That is one layer. There are three."),
            Mistake(
                "one path for all three",
                0.992,
                "You added one 1 at the end. Every layer has a path of its own.",
            ),
            Mistake(
                "the slopes of f added",
                0.4,
                "1 − 3 · 0.2 leaves out that the second layer also reads what the "
                "first has written.",
            ),
        ),
        tolerance=PAPER,
        near=1e-3,
    ),
    Exercise(
        "norm_entry",
        14,
        "my_norm_entry",
        "A token is [5, -1, 3, 1, 2]. LayerNorm with γ = 1, β = 0, ε = 0: what becomes "
        "of its first component? Use paper.",
        "(5 − 2) / √4: its distance from the mean, in units of σ.",
        1.5,
        (
            Mistake(
                "1/(n − 1) in the variance",
                3 / 5**0.5,
                "You divided the squares by 4. LayerNorm divides by all five.",
            ),
            Mistake(
                "divided by the variance",
                0.75,
                "You divided by 4, the variance. Divide by its root.",
            ),
            Mistake(
                "not divided",
                3,
                "That is the distance from the mean. It is still divided by σ.",
            ),
            Mistake(
                "mean not subtracted",
                2.5,
                "You divided 5 by σ. Subtract the mean first.",
            ),
            Mistake(
                "RMSNorm",
                5 / 8**0.5,
                "You divided by the root of the mean square. LayerNorm subtracts the "
                "mean first, in the numerator and in the variance.",
            ),
            Mistake(
                "the squares not averaged",
                3 / 20**0.5,
                "You divided by the root of the sum of squares. Take their mean.",
            ),
        ),
        tolerance=PAPER,
    ),
    Exercise(
        "block_count",
        14,
        "my_block_count",
        "A block has d_model = 6, 3 heads and d_ff = 24, with all biases and both "
        "norms. How many parameters does it have?",
        "12 d² + 13 d, with d = 6. The heads share out columns and add none.",
        510,
        (
            Mistake(
                "biases forgotten",
                456,
                "You counted the matrices and the norms. Each projection has a bias.",
            ),
            Mistake(
                "norms forgotten",
                486,
                "γ and β of the two norms are missing: 4 times d_model.",
            ),
            Mistake(
                "matrices alone",
                432,
                "These are the six matrices. Biases and norms are missing.",
            ),
            Mistake(
                "half of the norms",
                498,
                "You counted 12 numbers for the norms. There are two, each with γ and "
                "β.",
            ),
            Mistake(
                "Wo forgotten",
                468,
                "Attention has four projections: Wq, Wk, Wv and Wo.",
            ),
            Mistake(
                "every head at full width",
                510 + 2 * 4 * 42,
                "You counted attention three times. The heads share out the columns of "
                "one Wq, one Wk, one Wv.",
            ),
            Mistake(
                "one matrix in the feed-forward network",
                510 - 24 * 6 - 6,
                "The feed-forward network widens and narrows again: two matrices, two "
                "biases.",
            ),
        ),
        near=1e-4,
    ),
    Exercise(
        "layer_norm",
        14,
        "my_layer_norm(x, gamma, beta, eps)",
        "Write my_layer_norm(x, gamma, beta, eps): each token, a row of x, to mean 0 "
        "and variance 1, then · γ + β. It should work with a batch, too.",
        "Each token is measured by itself, and by nothing else.",
        layer_norm,
        (
            Mistake(
                "norm over the tokens",
                _norm(-2),
                "You took mean and variance down the columns. A token is a row: "
                "axis=-1.",
            ),
            Mistake(
                "norm over the whole matrix",
                _norm(None),
                "You took one mean and one variance for all tokens. Each row has its "
                "own: axis=-1 and keepdims=True.",
            ),
            Mistake(
                "1/(n − 1) in the variance",
                _norm(ddof=1),
                "You divided the squares by n − 1. LayerNorm takes their mean, 1/n.",
            ),
            Mistake(
                "divided by the variance",
                _norm(root=lambda variance, eps: variance + eps),
                "You divided by the variance. Divide by its root.",
            ),
            Mistake(
                "ε outside of the root",
                _norm(root=lambda variance, eps: np.sqrt(variance) + eps),
                "You added ε to σ. It belongs to the variance, under the root.",
            ),
            Mistake(
                "ε forgotten",
                _norm(root=lambda variance, eps: np.sqrt(variance)),
                "ε is missing. A token of equal components has variance 0, and 0 / 0 "
                "is nan.",
            ),
            Mistake(
                "a fixed ε",
                _norm(root=lambda variance, eps: np.sqrt(variance + 1e-5)),
                "You used an ε of your own. Take the argument eps.",
            ),
            Mistake(
                "mean not subtracted",
                _norm(centre=False),
                "You divided by σ, but left the mean in the token.",
            ),
            Mistake(
                "RMSNorm",
                _rms,
                "You divided by the root of the mean square. That is RMSNorm; "
                "LayerNorm subtracts the mean first.",
            ),
            Mistake(
                "γ and β exchanged",
                lambda x, gamma, beta, eps: _norm()(x, beta, gamma, eps),
                "γ multiplies, β is added.",
            ),
            Mistake(
                "γ and β forgotten",
                lambda x, gamma, beta, eps: _norm()(x, 1, 0, eps),
                "The token is normed. γ and β are still missing.",
            ),
            Mistake(
                "β forgotten",
                lambda x, gamma, beta, eps: _norm()(x, gamma, 0, eps),
                "β is still to be added.",
            ),
            Mistake(
                "γ forgotten",
                lambda x, gamma, beta, eps: _norm()(x, 1, beta, eps),
                "The normed token is still to be multiplied by γ.",
            ),
            Mistake(
                "β inside the factor",
                lambda x, gamma, beta, eps: (_norm()(x, 1, 0, eps) + beta) * gamma,
                "You multiplied β by γ, too. First · γ, then + β.",
            ),
        ),
        (
            Case((X24, GAMMA, BETA, 0.01)),
            Case((FLAT, GAMMA[:3], BETA[:3], 0.01)),
            Case((X53, GAMMA[:3], BETA[:3], 0.1)),
            Case((BATCH, GAMMA[:3], BETA[:3], 0.1), "batch"),
            Case((X24.astype(int), GAMMA, BETA, 0.01), "integers"),
        ),
    ),
    Exercise(
        "norm_backward",
        14,
        "my_norm_backward(x, gamma, doutput, eps)",
        "Write my_norm_backward(x, gamma, doutput, eps): dx, back through LayerNorm. "
        "It should work with a batch, too.",
        "What would only shift or stretch a token is taken out of its gradient.",
        lambda x, gamma, doutput, eps: layer_norm_backward(x, gamma, doutput, eps)[0],
        (
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
        (
            Case((X24, GAMMA, DOUT, 0.01)),
            Case((X53, GAMMA[:3], DOUT53, 0.1)),
            Case((BATCH, GAMMA[:3], DOUT_BATCH, 0.1), "batch"),
            Case((X24.astype(int), GAMMA, DOUT, 0.01), "integers"),
        ),
    ),
)
