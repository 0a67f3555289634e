"""The questions and exercises of page 14."""

from collections.abc import Callable
from typing import Any

import numpy as np

from helpers.arrays import Array
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
from helpers.layers import layer_norm

X24 = np.array([[1.0, 3, 3, 9], [2, 0, -2, 4]])
GAMMA, BETA = np.array([1.0, 2, -1, 3]), np.array([0.5, 0, 1, -2])
X53 = np.array([[1.0, 0, 2], [4, 4, 1], [0, 3, 1], [2, 2, 5], [-1, 0, 0]])
FLAT = np.array([[2.0, 2, 2], [0, 3, 3]])  # no variance in the first token
BATCH = tenths(1, 2, 4, 3)


def _norm(
    axis: int | None = -1,
    *,
    centre: bool = True,
    ddof: int = 0,
    sums: bool = False,
    root: Callable[[Any, Any], Any] = lambda variance, eps: np.sqrt(variance + eps),
) -> Any:
    """LayerNorm with something else about it."""

    def norm(x: Array, gamma: Array, beta: Array, eps: float) -> Any:
        mean = x.mean(axis=axis, keepdims=True)
        variance = ((x - mean) ** 2).sum(axis=axis, keepdims=True)
        n = np.ones_like(x).sum(axis=axis, keepdims=True)
        variance = variance if sums else variance / (n - ddof)
        top = x - mean if centre else x
        with np.errstate(divide="ignore", invalid="ignore"):
            return top / root(variance, eps) * gamma + beta

    return norm


def _rms(x: Array, gamma: Array, beta: Array, eps: float) -> Any:
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + eps) * gamma + beta


def _by_two_means(x: Array, gamma: Array, beta: Array, eps: float) -> Any:
    mean = x.mean(-1, keepdims=True)
    variance = (x**2).mean(-1, keepdims=True) - mean**2
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta


def _sizes(rng: np.random.RandomState) -> Numbers:
    heads, d_head = int(rng.randint(2, 5)), int(rng.choice([5, 7]))
    return {"d": heads * d_head, "heads": heads, "d_ff": 3 * heads * d_head + 1}


def _matrices(d: int, d_ff: int) -> int:
    return 4 * d * d + 2 * d * d_ff


def _parameters(d: int, d_ff: int) -> int:
    """Count matrices, biases and norms."""
    return _matrices(d, d_ff) + (4 * d + d_ff + d) + 4 * d


QUESTIONS = (
    Question(
        name="norm_blind",
        text="A token is multiplied by 8 before LayerNorm. What comes out?",
        options=(
            Option("8 times as much", "It is divided by its σ, which grew eightfold."),
            Option("the same", "μ and σ grow with it, and ε hardly counts.", True),
            Option("an eighth", "8 on top, 8 below: the two cancel."),
        ),
    ),
    Question(
        name="weights_explain",
        text=(
            "Two models have the same attention weights for a sentence, in every head. "
            "Are their outputs the same?"
        ),
        options=(
            Option("yes", "Values, Wo and the feed-forward network may differ."),
            Option("up to a factor", "The rest is no factor: whole matrices differ."),
            Option(
                "they can differ in any way",
                "Weights say where a head reads, not what it takes or writes.",
                True,
            ),
        ),
    ),
)

EXERCISES = (
    Exercise(
        name="residual_slope",
        call="my_residual_slope",
        asked=(
            "Three layers x + f(x) follow each other, and every f has the slope -0.2. "
            "How fast does the last number grow with the first? Use paper."
        ),
        means="0.8 · 0.8 · 0.8: the path brings the 1, f takes 0.2 away, three times.",
        right=0.512,
        mistakes=(
            Mistake(
                "the residual path forgotten",
                -0.008,
                "You multiplied the slopes of f. Each layer adds its input, too, "
                "which has the slope 1.",
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
            Mistake(
                "the residual path forgotten",
                0.008,
                "You multiplied the slopes of f. Each layer adds its input, too, "
                "which has the slope 1.",
            ),
            Mistake(
                "the slopes of f added",
                -0.6,
                "You added the slopes of f. Each layer adds its input, too, and one "
                "layer after another multiplies.",
            ),
            Mistake("one layer only", 0.8, "That is one layer. There are three."),
            Mistake("two layers only", 0.64, "That is two layers. There are three."),
            Mistake(
                "one path for all three",
                1.008,
                "You added one 1 at the end. Every layer has a path of its own.",
            ),
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
        name="norm_entry",
        call="my_norm_entry",
        asked=(
            "A token is [5, -1, 3, 1, 2]. LayerNorm with γ = 1, β = 0, ε = 0: what "
            "becomes of its first component? Use paper."
        ),
        means="(5 − 2) / √4: its distance from the mean, in units of σ.",
        right=1.5,
        mistakes=(
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
            Mistake(
                "the mean left in the variance",
                3 / 8**0.5,
                "You averaged the squares of the components. The variance averages "
                "those of their distances from the mean.",
            ),
            Mistake(
                "absolute distances",
                3 / 1.6,
                "You divided by the mean absolute distance. σ is the root of the mean "
                "square.",
            ),
            Mistake(
                "divided by the sum of the squares",
                0.15,
                "You divided by 20. Take the mean of the squares, then its root.",
            ),
        ),
        tolerance=PAPER,
    ),
    Exercise(
        name="block_count",
        call="my_block_count",
        asked=(
            "A block has d_model = {d}, {heads} heads and d_ff = {d_ff}, with all "
            "biases and both norms. How many parameters does it have?"
        ),
        means=(
            "4 d² + 2 d · {d_ff} in the matrices, 9 d + {d_ff} in biases and norms, "
            "with d = {d}. The heads share out columns and add none."
        ),
        numbers={"d": 6, "heads": 3, "d_ff": 20},
        draw=_sizes,
        right=lambda d, heads, d_ff: _parameters(d, d_ff),
        mistakes=(
            Mistake(
                "the formula for d_ff = 4 d_model",
                lambda d, heads, d_ff: 12 * d * d + 13 * d,
                "12 d² + 13 d counts a block with d_ff = 4 d_model. Here d_ff is "
                "{d_ff}: count it anew.",
            ),
            Mistake(
                "biases forgotten",
                lambda d, heads, d_ff: _matrices(d, d_ff) + 4 * d,
                "You counted the matrices and the norms. Each projection has a bias.",
            ),
            Mistake(
                "norms forgotten, or the biases of attention",
                lambda d, heads, d_ff: _parameters(d, d_ff) - 4 * d,
                "4 times d_model are missing: γ and β of the two norms, or the biases "
                "of Wq, Wk, Wv and Wo.",
            ),
            Mistake(
                "biases of the feed-forward network forgotten",
                lambda d, heads, d_ff: _parameters(d, d_ff) - d_ff - d,
                "Both matrices of the feed-forward network have a bias, one of d_ff "
                "numbers and one of d_model.",
            ),
            Mistake(
                "the first bias of the feed-forward network forgotten",
                lambda d, heads, d_ff: _parameters(d, d_ff) - d_ff,
                "The matrix that widens has a bias, too, of d_ff numbers.",
            ),
            Mistake(
                "one bias forgotten",
                lambda d, heads, d_ff: _parameters(d, d_ff) - d,
                "A bias of d_model numbers is missing. Wq, Wk, Wv and Wo have one "
                "each, and so does the matrix that narrows.",
            ),
            Mistake(
                "matrices alone",
                lambda d, heads, d_ff: _matrices(d, d_ff),
                "These are the six matrices. Biases and norms are missing.",
            ),
            Mistake(
                "half of the norms",
                lambda d, heads, d_ff: _parameters(d, d_ff) - 2 * d,
                "2 times d_model are missing. There are two norms, each with γ and β.",
            ),
            Mistake(
                "Wo forgotten",
                lambda d, heads, d_ff: _parameters(d, d_ff) - d * d - d,
                "Attention has four projections: Wq, Wk, Wv and Wo.",
            ),
            Mistake(
                "Wo forgotten",
                lambda d, heads, d_ff: _parameters(d, d_ff) - d * d,
                "Attention has four projections: Wq, Wk, Wv and Wo.",
            ),
            Mistake(
                "every head at full width",
                lambda d, heads, d_ff: (
                    _parameters(d, d_ff) + (heads - 1) * 4 * (d * d + d)
                ),
                "You counted attention {heads} times. The heads share out the columns "
                "of one Wq, one Wk, one Wv.",
            ),
            Mistake(
                "one matrix in the feed-forward network",
                lambda d, heads, d_ff: _parameters(d, d_ff) - d * d_ff - d,
                "The feed-forward network widens and narrows again: two matrices, two "
                "biases.",
            ),
            Mistake(
                "one matrix in the feed-forward network",
                lambda d, heads, d_ff: _parameters(d, d_ff) - d * d_ff,
                "The feed-forward network widens and narrows again: two matrices, two "
                "biases.",
            ),
            Mistake(
                "attention alone",
                lambda d, heads, d_ff: 4 * (d * d + d),
                "That is attention. The feed-forward network and two norms belong to "
                "the block, too.",
            ),
        ),
        near=1e-4,
    ),
    Exercise(
        name="layer_norm",
        call="my_layer_norm(x, gamma, beta, eps)",
        asked=(
            "Write my_layer_norm(x, gamma, beta, eps): each token, a row of x, to mean "
            "0 and variance 1, then · γ + β. It should work with a batch, too."
        ),
        means="Each token is measured by itself, and by nothing else.",
        right=layer_norm,
        mistakes=(
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
                "sum instead of mean",
                _norm(sums=True),
                "You summed the squares. The variance is their mean.",
            ),
            Mistake(
                "the mean left in the variance",
                lambda x, gamma, beta, eps: (
                    (x - x.mean(axis=-1, keepdims=True))
                    / np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)
                    * gamma
                    + beta
                ),
                "You averaged the squares of x. The variance averages those of x minus "
                "its mean.",
            ),
            Mistake(
                "keepdims missing",
                lambda x, gamma, beta, eps: x - x.mean(axis=-1),
                "The means lie in a row, and NumPy cannot subtract them from the rows "
                "of x. With keepdims=True they stand in a column.",
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
                "a fixed ε",
                _norm(root=lambda variance, eps: np.sqrt(variance + 1e-8)),
                "You used an ε of your own. Take the argument eps.",
            ),
            Mistake(
                "multiplied instead of divided",
                _norm(root=lambda variance, eps: 1 / np.sqrt(variance + eps)),
                "You multiplied by σ. Divide by it, and the variance becomes 1.",
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
                "only γ and β",
                lambda x, gamma, beta, eps: x * gamma + beta,
                "You left the token as it was. First bring it to mean 0 and variance "
                "1.",
            ),
            Mistake(
                "β inside the factor",
                lambda x, gamma, beta, eps: (_norm()(x, 1, 0, eps) + beta) * gamma,
                "You multiplied β by γ, too. First · γ, then + β.",
            ),
            Mistake(
                "variance as E[x²] − E[x]²",
                _by_two_means,
                "Right for small numbers. Where they are large and near each other, "
                "the two terms agree in almost all digits, and what is left is "
                "rounding. Subtract the mean first, then square.",
            ),
        ),
        cases=(
            Case((FLAT, GAMMA[:3], BETA[:3], 0.01)),
            Case((X24, GAMMA, BETA, 0.01)),
            Case((X24 / 8 + 0.1, GAMMA / 8, BETA, 0.01), "decimals"),
            Case((X24 - 10, GAMMA, BETA, 0.01), "negative"),
            Case((X24, GAMMA, BETA, 0.1), "other"),
            Case((X53, GAMMA[:3], BETA[:3], 0.01), "wide"),
            Case((X24[:1], GAMMA, BETA, 0.01), "wide"),
            Case((X24[:, :1], GAMMA[:1], BETA[:1], 0.01), "wide"),
            Case((BATCH, GAMMA[:3], BETA[:3], 0.01), "batch"),
            Case((X24.astype(int), GAMMA, BETA, 0.01), "integers"),
            Case((X24 * 1000, GAMMA, BETA, 0.01), "large"),
            Case((1e9 + X24, GAMMA, BETA, 0.01), "large"),
        ),
    ),
)

PAGE = Page(number=14, topic="block", questions=QUESTIONS, exercises=EXERCISES)
