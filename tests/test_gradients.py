"""The gradients, held against PyTorch and against finite differences."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import attention, causal_mask, self_attention, softmax
from helpers.gradients import (
    attention_backward,
    project_backward,
    self_attention_backward,
    softmax_backward,
)

from .test_core import TORCH, assert_close, cases

leads = st.sampled_from([(), (2,), (2, 3)])
sizes = st.integers(1, 4)
seeds = st.integers(0, 2**32 - 1)


def slopes(loss_of, x, h=1e-5):
    """Measure the gradient of `loss_of` at x by nudging every entry."""
    result = np.zeros_like(x)
    for place in np.ndindex(x.shape):
        nudge = np.zeros_like(x)
        nudge[place] = h
        result[place] = (loss_of(x + nudge) - loss_of(x - nudge)) / (2 * h)
    return result


# ---- against PyTorch


@cases("softmax")
def test_softmax_backward_agrees_with_pytorch(case):
    """Red: the way back through softmax is wrong."""
    name, axis = case["name"], case["axis"]
    weights = softmax(TORCH[f"{name}/x"], axis=axis)
    ours = softmax_backward(weights, TORCH[f"{name}/dout"], axis=axis)
    assert_close(ours, TORCH[f"{name}/dx"], 1e-10, "dscores")


@cases("attention")
def test_attention_backward_agrees_with_pytorch(case):
    """Red: a gradient of attention differs for this kind of mask, scale or shape."""
    name = case["name"]
    Q, K, V, dout = (TORCH[f"{name}/{part}"] for part in ("Q", "K", "V", "dout"))
    heads = Q.shape[-3] // K.shape[-3]
    wide_K, wide_V = (np.repeat(x, heads, axis=-3) for x in (K, V))
    mask = TORCH.get(f"{name}/attn_mask")
    _, weights = attention(Q, wide_K, wide_V, mask=mask, scale=case["scale"])
    dQ, dK, dV, dscores = attention_backward(
        Q, wide_K, wide_V, weights, dout, scale=case["scale"]
    )
    if heads > 1:  # each head of K and V served several heads of Q
        grouped = (*K.shape[:-2], heads)
        dK, dV = (
            x.reshape(*grouped, *x.shape[-2:]).sum(axis=len(grouped) - 1)
            for x in (dK, dV)
        )
    assert_close(dQ, TORCH[f"{name}/dQ"], 1e-10, "dQ")
    assert_close(dK, TORCH[f"{name}/dK"], 1e-10, "dK")
    assert_close(dV, TORCH[f"{name}/dV"], 1e-10, "dV")
    if f"{name}/dattn_mask" in TORCH:
        summed = dscores.sum(axis=tuple(range(dscores.ndim - 2)))
        assert_close(summed, TORCH[f"{name}/dattn_mask"], 1e-10, "gradient of the mask")


# ---- against finite differences


@given(leads, sizes, sizes, sizes, sizes, seeds)
def test_self_attention_backward_agrees_with_slopes(lead, n, d_model, d_k, d_v, seed):
    """Red: a gradient with respect to X, Wq, Wk or Wv is wrong."""
    rng = np.random.default_rng(seed)
    shapes = (*lead, n, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v)
    given_ = [rng.normal(size=shape) for shape in shapes]
    direction = rng.normal(size=(*lead, n, d_v))
    mask, scale = causal_mask(n), rng.choice([None, 0.7])
    _, weights = self_attention(*given_, mask=mask, scale=scale)
    ours = self_attention_backward(*given_, weights, direction, scale=scale)
    for i, name in enumerate(["dX", "dWq", "dWk", "dWv"]):

        def along(x, i=i):
            changed = [*given_[:i], x, *given_[i + 1 :]]
            output, _ = self_attention(*changed, mask=mask, scale=scale)
            return (output * direction).sum()

        assert_close(ours[i], slopes(along, given_[i]), 1e-7, name)


def test_a_stretched_argument_gets_the_sum_of_its_gradients():
    """Red: K and V that served several batch items get the gradient of one alone."""
    rng = np.random.default_rng(0)
    Q, K, V = (
        rng.normal(size=(5, 2, 3)),
        rng.normal(size=(4, 3)),
        rng.normal(size=(4, 2)),
    )
    direction = rng.normal(size=(5, 2, 2))
    _, weights = attention(Q, K, V)
    _, dK, dV, _ = attention_backward(Q, K, V, weights, direction)
    singles = [
        attention_backward(Q[i], K, V, weights[i], direction[i]) for i in range(5)
    ]
    assert_close(dK, sum(single[1] for single in singles), 1e-12, "dK")
    assert_close(dV, sum(single[2] for single in singles), 1e-12, "dV")
    one_row = attention_backward(Q, K[None], V[None], weights, direction)
    assert one_row[1].shape == (1, 4, 3)
    assert_close(one_row[1][0], dK, 1e-12, "dK of shape (1, 4, 3)")
    V = rng.normal(size=(5, 4, 2))  # and where V alone has the leading axis
    _, weights = attention(Q[0], K, V)
    ours = attention_backward(Q[0], K, V, weights, direction)
    singles = [
        attention_backward(Q[0], K, V[i], weights, direction[i]) for i in range(5)
    ]
    assert_close(ours[2], np.stack([single[2] for single in singles]), 1e-12, "dV")
    for i in (0, 1, 3):
        assert_close(ours[i], sum(single[i] for single in singles), 1e-12)


# ---- by their own rules


def test_the_softmax_gradient_is_not_the_diagonal_alone():
    """Red: a weight no longer feels the other scores (deeplearning4j/libnd4j#440)."""
    weights = softmax([0, 1, 2])
    ours = softmax_backward(weights, [1, 0, -1])
    right = np.array([0.1418170936, 0.1407703575, -0.2825874511])
    np.testing.assert_allclose(ours, right, rtol=0, atol=1e-10)
    np.testing.assert_allclose(ours.sum(), 0, atol=1e-15)
    np.testing.assert_allclose(softmax_backward(weights, np.ones(3)), 0, atol=1e-15)


def test_no_gradient_reaches_a_hidden_key():
    """Red: the past learns from the future."""
    rng = np.random.default_rng(1)
    Q, K, V = rng.normal(size=(3, 4, 5))
    mask = causal_mask(4)
    mask[2] = False  # a query that sees nothing
    _, weights = attention(Q, K, V, mask=mask)
    dQ, _, _, dscores = attention_backward(Q, K, V, weights, rng.normal(size=(4, 5)))
    assert (dscores[~mask] == 0).all()
    assert (dQ[2] == 0).all()


def test_dtype_is_kept_and_nothing_is_modified():
    """Red: float32 training would silently become float64, or an argument changes."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(2, 3, 4)).astype(np.float32)
    W = [rng.normal(size=(4, 5)).astype(np.float32) for _ in range(3)]
    _, weights = self_attention(X, *W)
    direction = rng.normal(size=(2, 3, 5)).astype(np.float32)
    arrays = [X, *W, weights, direction]
    for array in arrays:
        array.flags.writeable = False
    for gradient, array in zip(self_attention_backward(*arrays), arrays, strict=False):
        assert gradient.dtype == np.float32
        assert gradient.shape == array.shape


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda: softmax_backward([0.5, 0.5], [1, 2, 3]),
            r"dweights has shape \(3,\); it needs shape \(2,\), that of weights",
        ),
        (
            lambda: attention_backward(*np.ones((3, 2, 2)), np.eye(2), np.ones((3, 2))),
            r"doutput has shape \(3, 2\); it needs shape \(2, 2\), that of the output",
        ),
        (
            lambda: attention_backward(*np.ones((3, 2, 2)), np.eye(3), np.eye(2)),
            r"weights has shape \(3, 3\); it needs shape \(2, 2\), that of the scores",
        ),
        (
            lambda: project_backward(
                np.ones((2, 3)), *np.ones((3, 3, 4)), *np.ones((3, 2, 5))
            ),
            r"dQ has shape \(2, 5\); it needs shape \(2, 4\), that of X Wq",
        ),
    ],
)
def test_a_wrong_shape_is_named(call, message):
    """Red: the error no longer says which argument has which shape."""
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("place", range(5))
def test_what_is_not_finite_is_named(place):
    """Red: NaN goes through, and comes back as a gradient."""
    arguments = [np.ones((2, 2)) for _ in range(5)]
    arguments[place][0, 0] = np.nan
    name = ["Q", "K", "V", "weights", "doutput"][place]
    with pytest.raises(ValueError, match=f"^{name} holds NaN or inf"):
        attention_backward(*arguments)
    with pytest.raises(ValueError, match=r"^weights holds NaN"):
        softmax_backward([np.nan, 1], [0, 0])
    with pytest.raises(ValueError, match=r"^Wq holds NaN"):
        project_backward(*np.ones((1, 2, 2)), [[np.nan] * 2] * 2, *np.ones((5, 2, 2)))
