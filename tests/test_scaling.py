"""What notebook 09 says of dot products: exact where it can be listed, not drawn."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import attention, attention_scores, self_attention, softmax
from helpers.gradients import softmax_backward

from .test_core import assert_close

widths = st.integers(1, 6)
seeds = st.integers(0, 2**32 - 1)


def vectors(values, d_k):
    """List every vector of d_k components, each of them one of the values."""
    return np.array(list(itertools.product(values, repeat=d_k)), dtype=float)


@pytest.mark.parametrize("d_k", range(1, 9))
def test_the_scale_makes_the_variance_one(d_k):
    """Red: the scale is not 1/√d_k, or the dot product is not a sum of d_k terms."""
    signs = vectors((-1, 1), d_k)
    assert attention_scores(signs, signs, scale=1).var() == d_k
    assert_close(attention_scores(signs, signs).var(), np.float64(1), 1e-12, "variance")
    by_width = attention_scores(signs, signs, scale=1 / d_k)
    assert_close(by_width.var(), np.float64(1 / d_k), 1e-12, "variance")


@pytest.mark.parametrize(
    ("of_query", "of_key", "predicted"),
    [
        ((-2, 2), (-3, 3), 36),  # standard deviations 2 and 3
        ((0, 2), (0, 2), 3),  # mean 1
        ((-1, 1), (0, 2), 2),  # one of the two has mean 0: a square of 1 + 1
        ((1, 5), (-1, 3), 4 * 4 + 9 * 4 + 1 * 4),
    ],
)
def test_the_variance_of_other_components(of_query, of_key, predicted):
    """Red: what the page predicts for other means and spreads is wrong.

    Per component: σ_q² σ_k² + μ_q² σ_k² + μ_k² σ_q².
    """
    for d_k in (1, 2, 4):
        s = attention_scores(vectors(of_query, d_k), vectors(of_key, d_k), scale=1)
        assert_close(s.var(), np.float64(predicted * d_k), 1e-12, "variance")


def test_equal_components_need_another_scale():
    """Red: the page says that √d_k is enough where nothing cancels."""
    a = np.array([[-1.0], [1.0]]) * np.ones(16)
    assert attention_scores(a, a, scale=1).var() == 16**2
    assert attention_scores(a, a).var() == 16


@given(widths, seeds)
def test_a_projection_can_undo_the_scale(d_k, seed):
    """Red: the scale comes from the width of X, or is applied after softmax."""
    rng = np.random.default_rng(seed)
    X, W = rng.normal(size=(4, 7)), rng.normal(size=(3, 7, d_k))
    plain, weights = self_attention(X, *W, scale=1)
    undone, same = self_attention(X, np.sqrt(d_k) * W[0], *W[1:])
    assert_close(undone, plain, 1e-12, "output")
    assert_close(same, weights, 1e-12, "weights")


@given(widths, seeds)
def test_queries_may_be_scaled_first(d_k, seed):
    """Red: the scale is applied twice, or not to the dot products."""
    rng = np.random.default_rng(seed)
    Q, K, V = rng.normal(size=(3, 5, d_k))
    for ours, theirs in zip(
        attention(Q / np.sqrt(d_k), K, V, scale=1), attention(Q, K, V), strict=True
    ):
        assert_close(ours, theirs, 1e-12, "scaled first")


@given(st.integers(2, 8), seeds)
def test_the_largest_entry_of_the_jacobian(n, seed):
    """Red: how strongly a row feels its scores is not the largest w (1 − w)."""
    w = softmax(np.random.default_rng(seed).normal(size=n) * 3)
    jacobian = np.array([softmax_backward(w, row) for row in np.eye(n)])
    assert_close(abs(jacobian).max(), (w * (1 - w)).max(), 1e-12, "felt")
