"""The questions and exercises of page 09."""

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
    tenths,
)


def _dots(Q: Array, K: Array) -> Any:
    return (Q * K).sum(axis=-1)


def _variance(Q: Array, K: Array) -> Any:
    return _dots(Q, K).var()


def _entropy(weights: Array, axis: Any = -1) -> Any:
    return -(weights * _logs(weights)).sum(axis=axis)


def _logs(weights: Array) -> Any:
    return np.log(np.where(weights > 0, weights, 1))


Q42 = np.array([[1.0, 2], [3, 0], [1, 1], [1, 2]])
K42 = np.array([[3.0, -1], [2, 5], [0, -1], [2, -1]])
WEIGHTS = np.array([[0.5, 0.25, 0.25], [0.75, 0, 0.25], [0.2, 0.4, 0.4]])
SHARP = np.array([[0.9996, 0.0004, 0], [0.3335, 0.333, 0.3335], [0.996, 0.003, 0.001]])

QUESTIONS = (
    Question(
        name="why_the_root",
        text=(
            "Dot products have variance d_k. Why are they divided by √d_k and not by "
            "d_k?"
        ),
        options=(
            Option(
                "so that their variance becomes 1",
                "Dividing by c divides the variance by c².",
                True,
            ),
            Option(
                "so that they lie between -1 and 1",
                "A variance of 1 sets no bounds; about a third lies outside.",
            ),
            Option(
                "dividing by √d_k costs less",
                "Dividing by d_k costs the same, and makes the weights even.",
            ),
        ),
    ),
    Question(
        name="what_the_scale_is_for",
        text=(
            "Training may multiply Wq by √d_k and undo the scale. What is the scale "
            "for?"
        ),
        options=(
            Option(
                "nothing, then",
                "Without a gradient at the start, training may never leave it.",
            ),
            Option(
                "a start at which most queries can learn",
                "Random matrices of any width begin without saturation.",
                True,
            ),
            Option(
                "it keeps the weights from ever being sharp",
                "Learned scores may become as large as they like.",
            ),
        ),
    ),
)

EXERCISES = (
    Exercise(
        name="score_spread",
        call="my_score_spread",
        asked=(
            "All components are independent with mean 0; those of the query have "
            "standard deviation 2, those of the key 3, and d_k is 4. Which standard "
            "deviation has their dot product, not scaled?"
        ),
        means="2 · 3 · √4: the width counts with its root, the components as they are.",
        right=12,
        mistakes=(
            Mistake(
                "variance instead of standard deviation",
                144,
                "144 is the variance, 2² · 3² · 4. The standard deviation is its root.",
            ),
            Mistake(
                "multiplied by d_k",
                24,
                "You multiplied the spread by d_k. Variances add up, so the spread "
                "grows with the root of d_k.",
            ),
            Mistake(
                "the width left out, or scaled",
                6,
                "6 is the spread of a single product, and of the dot product divided "
                "by √d_k. Four products are added, and nothing is divided.",
            ),
            Mistake(
                "the variance of one product, or of the scaled one",
                36,
                "36 = 2² · 3² is the variance of a single product, and of the dot "
                "product divided by √d_k. Four are added; then take the root.",
            ),
            Mistake(
                "components of variance 1",
                2,
                "√4 is right for components with standard deviation 1. These are 2 "
                "and 3.",
            ),
            Mistake(
                "only the width",
                4,
                "4 is the variance for components with standard deviation 1. These "
                "are 2 and 3.",
            ),
            Mistake(
                "the root taken twice",
                12**0.5,
                "12 is already a standard deviation: √(2² · 3² · 4).",
            ),
            Mistake(
                "variances added",
                (13 * 4) ** 0.5,
                "You added 2² and 3². A product multiplies them, and the four "
                "products are added.",
            ),
            Mistake(
                "variances added",
                13**0.5,
                "You added 2² and 3². A product multiplies them, and the four "
                "products are added.",
            ),
            Mistake(
                "standard deviations added",
                10,
                "You added 2 and 3. A product multiplies them.",
            ),
            Mistake(
                "standard deviations added",
                20,
                "You added 2 and 3. A product multiplies them.",
            ),
            Mistake(
                "standard deviations added",
                5,
                "You added 2 and 3. A product multiplies them.",
            ),
            Mistake(
                "standard deviations taken for variances",
                24**0.5,
                "2 and 3 are standard deviations. A variance is the square of one.",
            ),
        ),
        tolerance=PAPER,
    ),
    Exercise(
        name="same_components",
        call="my_same_components",
        asked=(
            "d_k is 16. All components of the query are the same number a, all of the "
            "key the same number b; a and b are independent with mean 0 and variance "
            "1. Which standard deviation has the score after the division by √d_k?"
        ),
        means="16 a b / 4 = 4 a b: √d_k is not enough where nothing cancels.",
        right=4,
        mistakes=(
            Mistake(
                "taken as independent, or divided by d_k",
                1,
                "1 is right for 16 independent components, or after a division by 16. "
                "These 16 terms are all equal and never cancel: 16 a b, divided by "
                "√16.",
            ),
            Mistake(
                "variance instead of standard deviation, or no scale",
                16,
                "16 is the spread before the division, and the variance after it. "
                "Asked is the spread after it.",
            ),
            Mistake(
                "the variance, not scaled",
                256,
                "256 is the variance of 16 a b. Take the root, and divide by √16.",
            ),
            Mistake(
                "one term alone",
                0.25,
                "a b / √16 is one of the 16 terms. They are added: 16 a b / √16.",
            ),
            Mistake(
                "the variance divided by √d_k",
                64,
                "A division by √16 divides the variance by 16, and the standard "
                "deviation by 4.",
            ),
            Mistake(
                "the factor taken for the variance",
                2,
                "4 a b has the variance 4² and the standard deviation 4. Take no root "
                "of it.",
            ),
            Mistake(
                "everything cancels",
                0,
                "0 is the mean of the score. It is 4 a b, which is far from 0 whenever "
                "a and b are.",
            ),
        ),
        tolerance=PAPER,
    ),
    Exercise(
        name="undo_scale",
        call="my_undo_scale",
        asked=(
            "d_k is 25, and every score is divided by √d_k. By which number must Wq be "
            "multiplied, and Wk left alone, so that the weights are those without a "
            "scale?"
        ),
        means="√25: a learned matrix can undo the scale, so it is a start and no law.",
        right=5,
        mistakes=(
            Mistake(
                "d_k instead of its root",
                25,
                "Then the scores are five times too large. Cancel √25, not 25.",
            ),
            Mistake(
                "divided instead of multiplied",
                0.2,
                "That divides a second time. The factor has to cancel the division.",
            ),
            Mistake(
                "divided instead of multiplied",
                0.04,
                "That divides once more. The factor has to cancel the division.",
            ),
            Mistake(
                "half of it left to Wk",
                5**0.5,
                "That would do if Wk got √5, too. Here Wk is left alone.",
            ),
            Mistake(
                "half of the factor",
                2.5,
                "A factor of Wq multiplies every score in full, whether Wk has one or "
                "not.",
            ),
            Mistake(
                "nothing undone",
                1,
                "Then the scores stay divided by 5.",
            ),
        ),
        tolerance=PAPER,
    ),
    Exercise(
        name="dot_variance",
        call="my_dot_variance(Q, K)",
        asked=(
            "Write my_dot_variance(Q, K): the variance of the n dot products of row i "
            "of Q with row i of K, both of shape (n, d_k), as one number."
        ),
        means="That is how the table of this page was measured.",
        right=_variance,
        mistakes=(
            Mistake(
                "mean not subtracted",
                lambda Q, K: (_dots(Q, K) ** 2).mean(),
                "You averaged the squares. Distances are measured from the mean, and "
                "it need not be 0.",
            ),
            Mistake(
                "standard deviation",
                lambda Q, K: _dots(Q, K).std(),
                "That is the root of the variance.",
            ),
            Mistake(
                "the mean",
                lambda Q, K: _dots(Q, K).mean(),
                "That is the mean of the products. How far are they from it?",
            ),
            Mistake(
                "distances not squared",
                lambda Q, K: (_dots(Q, K) - _dots(Q, K).mean()).mean(),
                "Distances from the mean average to 0. Square each of them first.",
            ),
            Mistake(
                "absolute distances",
                lambda Q, K: abs(_dots(Q, K) - _dots(Q, K).mean()).mean(),
                "You averaged the absolute distances. The variance averages their "
                "squares.",
            ),
            Mistake(
                "the mean not squared",
                lambda Q, K: (_dots(Q, K) ** 2).mean() - _dots(Q, K).mean(),
                "From the mean of the squares the square of the mean is taken away, "
                "not the mean.",
            ),
            Mistake(
                "not averaged",
                lambda Q, K: (_dots(Q, K) - _dots(Q, K).mean()) ** 2,
                "These are the squared distances, one for each product. Take their "
                "mean.",
            ),
            Mistake(
                "the dot products themselves",
                _dots,
                "These are the n dot products. Their variance is asked, one number.",
            ),
            Mistake(
                "divided by d_k instead of n",
                lambda Q, K: _dots(Q, K).var() * len(Q) / Q.shape[-1],
                "You divided the sum of the squares by d_k. There are n products: "
                "divide by n.",
            ),
            Mistake(
                "predicted, not measured",
                lambda Q, K: Q.var() * K.var() * Q.shape[-1],
                "You multiplied variances and d_k. That predicts the variance of "
                "independent components; measure it on these products.",
            ),
            Mistake(
                "divided by n − 1",
                lambda Q, K: _dots(Q, K).var(ddof=1),
                "You divided by n − 1, an estimate for a larger population. Here it "
                "is the mean over the n products.",
            ),
            Mistake(
                "sum instead of mean",
                lambda Q, K: _dots(Q, K).var() * len(Q),
                "You added the squares up. The variance is their mean.",
            ),
            Mistake(
                "every query with every key",
                lambda Q, K: (Q @ K.T).var(),
                "You used all of Q Kᵀ. Here row i meets row i, and no other row.",
            ),
            Mistake(
                "products not added",
                lambda Q, K: (Q * K).var(),
                "That is the variance of single products. Add along d_k first.",
            ),
            Mistake(
                "added along the wrong axis",
                lambda Q, K: (Q * K).sum(axis=0).var(),
                "You added down the columns. A dot product adds along d_k, axis -1.",
            ),
            Mistake(
                "scaled",
                lambda Q, K: _dots(Q, K).var() / Q.shape[-1],
                "You scaled the products. Here they are asked as they are.",
            ),
        ),
        cases=lambda seed: (
            Case((Q42, K42)),
            Case((Q42 / 8, K42), "decimals"),
            Case((Q42 - 4, K42), "negative"),
            Case((tenths(seed + 11, 6, 4), tenths(seed + 12, 6, 4)), "wide"),
            Case((tenths(seed + 14, 5, 1), tenths(seed + 15, 5, 1)), "wide"),
            Case((Q42.astype(int), K42.astype(int)), "integers"),
            Case((Q42 * 1000, K42 / 1000), "large"),
        ),
    ),
    Exercise(
        name="entropy",
        call="my_entropy(weights)",
        asked=(
            "Write my_entropy(weights): −Σ w log w of each row, with the natural "
            "logarithm. A weight of 0 adds nothing. There may be axes on the left."
        ),
        means="log n for even weights, 0 for a one-hot row, and no NaN behind a mask.",
        right=_entropy,
        mistakes=(
            Mistake(
                "logarithm of zero",
                lambda w: -(w * np.log(w)).sum(axis=-1),
                "log 0 is −∞, and 0 · −∞ is NaN. Put a harmless number in its place "
                "before the logarithm is taken.",
            ),
            Mistake(
                "minus missing",
                lambda w: -_entropy(w),
                "Logarithms of weights are negative. The minus makes entropy positive.",
            ),
            Mistake(
                "logarithm to base 2",
                lambda w: _entropy(w) / np.log(2),
                "That is the entropy in bits. Here the logarithm is the natural one, "
                "np.log.",
            ),
            Mistake(
                "mean instead of sum",
                lambda w: _entropy(w) / w.shape[-1],
                "You averaged over the keys. Entropy is a sum.",
            ),
            Mistake(
                "added along the wrong axis",
                lambda w: _entropy(w, axis=-2),
                "You added over the queries. A row is one query: add along the keys.",
            ),
            Mistake(
                "entropy of the whole matrix",
                lambda w: _entropy(w, axis=None),
                "You added up everything. Each row has an entropy of its own.",
            ),
            Mistake(
                "not weighted",
                lambda w: -_logs(w).sum(axis=-1),
                "You added the logarithms. Each is first multiplied by its weight.",
            ),
            Mistake(
                "terms not added",
                lambda w: -w * _logs(w),
                "You hold all the terms. Each row still has to be added up.",
            ),
            Mistake(
                "logarithm to base 10",
                lambda w: _entropy(w) / np.log(10),
                "Here the logarithm is the natural one, np.log.",
            ),
            Mistake(
                "divided by log n",
                lambda w: _entropy(w) / np.log(w.shape[-1]),
                "You measured it against even weights. Here it is asked as it is.",
            ),
            Mistake(
                "averaged over the rows",
                lambda w: _entropy(w).mean(),
                "You averaged over the queries. Each row has an entropy of its own.",
            ),
            Mistake(
                "softmax taken twice",
                lambda w: _entropy(softmax(w)),
                "Weights have come through softmax already. Another one makes them "
                "more even.",
            ),
            Mistake(
                "log(1 + w)",
                lambda w: -(w * np.log1p(w)).sum(axis=-1),
                "Adding 1 avoids log 0, and changes all other logarithms, too. Put "
                "another number in place of the zeros alone.",
            ),
            Mistake(
                "e to the entropy",
                lambda w: np.exp(_entropy(w)),
                "That is the number of keys that even weights of this entropy would "
                "have. The entropy is its logarithm.",
            ),
        ),
        cases=lambda seed: (
            Case((WEIGHTS,)),
            Case((SHARP,)),
            Case((np.array([[0.5, 0, 0.25, 0.25]]),), "wide"),
            Case((np.ones((5, 1)),), "wide"),
            Case((softmax(tenths(seed + 13, 2, 3, 3)),), "batch"),
        ),
    ),
)

PAGE = Page(number=9, topic="scaling", questions=QUESTIONS, exercises=EXERCISES)
