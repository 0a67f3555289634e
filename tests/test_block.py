"""Norms, GELU, feed-forward and the block: against PyTorch, slopes and their rules."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import causal_mask
from helpers.block import NAMES, block, block_backward
from helpers.layers import (
    feed_forward,
    feed_forward_backward,
    gelu,
    gelu_backward,
    layer_norm,
    layer_norm_backward,
    rms_norm,
)

from .test_core import TORCH, assert_close, cases
from .test_gradients import slopes

leads = st.sampled_from([(), (3,), (2, 3)])
widths = st.integers(2, 6)
seeds = st.integers(0, 2**32 - 1)
TORCH_NAMES = {"gamma1": "ln1_g", "beta1": "ln1_b", "gamma2": "ln2_g", "beta2": "ln2_b"}


def of(case, *parts):
    """Return arrays of a reference case."""
    return [TORCH[f"{case['name']}/{part}"] for part in parts]


def held_against(case, ours, *parts):
    """Compare results with those of a reference case, one by one."""
    for part, mine in zip(parts, ours, strict=True):
        assert_close(mine, *of(case, part), 1e-10, part)


def agrees_with_slopes(function, arguments, gradients, direction):
    """Nudge every entry of every argument."""
    for i, gradient in enumerate(gradients):

        def along(x, i=i):
            changed = [*arguments[:i], x, *arguments[i + 1 :]]
            return (function(*changed) * direction).sum()

        assert_close(gradient, slopes(along, arguments[i]), 1e-7, f"argument {i}")


# ---- against PyTorch


@cases("layernorm")
def test_layer_norm_agrees_with_pytorch(case):
    """Red: another axis, 1/(n − 1), ε at another place, or a term of the gradient."""
    x, gamma, beta, dout = of(case, "x", "gamma", "beta", "dout")
    held_against(case, [layer_norm(x, gamma, beta, case["eps"])], "out")
    back = layer_norm_backward(x, gamma, dout, case["eps"])
    held_against(case, back, "dx", "dgamma", "dbeta")


@cases("rmsnorm")
def test_rms_norm_agrees_with_pytorch(case):
    """Red: a mean is subtracted, or ε stands outside of the root."""
    x, gamma = of(case, "x", "gamma")
    held_against(case, [rms_norm(x, gamma, case["eps"])], "out")


@cases("gelu")
def test_gelu_agrees_with_pytorch(case):
    """Red: the two formulas of GELU are exchanged, or a slope is wrong."""
    x, dout = of(case, "x", "dout")
    held_against(case, [gelu(x, case["approximate"])], "out")
    held_against(case, [gelu_backward(x, dout, case["approximate"])], "dx")


@cases("pre_ln_block")
def test_block_agrees_with_pytorch(case):
    """Red: a norm stands elsewhere, a residual path is missing, a bias is forgotten."""
    assert case["gelu"] == "none" and not case["causal"]
    P = {name: of(case, TORCH_NAMES.get(name, name))[0] for name in NAMES}
    x, dout = of(case, "x", "dout")
    held_against(case, [block(x, P, case["n_heads"], eps=case["eps"])[0]], "out")
    dx, G = block_backward(x, P, case["n_heads"], dout, eps=case["eps"])
    held_against(case, [dx], "dx")
    for name in NAMES:
        held_against(case, [G[name]], f"d{TORCH_NAMES.get(name, name)}")


# ---- against finite differences


@given(leads, widths, seeds)
def test_norms_agree_with_slopes(lead, width, seed):
    """Red: a gradient is wrong for some number of leading axes."""
    rng = np.random.default_rng(seed)
    x, direction = rng.normal(size=(2, *lead, width))
    x[..., 0] += 3  # no token is nearly constant, where slopes are inexact
    gamma, beta = rng.normal(size=(2, width))
    back = layer_norm_backward(x, gamma, direction)
    agrees_with_slopes(layer_norm, [x, gamma, beta], back, direction)


@given(leads, widths, seeds)
def test_feed_forward_agrees_with_slopes(lead, width, seed):
    """Red: a gradient of the feed-forward network is wrong."""
    rng = np.random.default_rng(seed)
    shapes = (*lead, 3, width), (width, 5), (5,), (5, 2), (2,)
    arguments = [rng.normal(size=shape) for shape in shapes]
    direction = rng.normal(size=(*lead, 3, 2))
    back = feed_forward_backward(*arguments, direction)
    agrees_with_slopes(feed_forward, arguments, back, direction)


def random_block(d_model=4, d_ff=6, seed=0):
    """Return parameters in which no γ is 1 and no bias is 0."""
    rng = np.random.default_rng(seed)
    shapes = {name: (d_model,) * (1 + (name[0] == "W")) for name in NAMES}
    shapes |= {"W1": (d_model, d_ff), "b1": (d_ff,), "W2": (d_ff, d_model)}
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


@pytest.mark.parametrize("mask", [None, causal_mask(3)])
def test_block_backward_agrees_with_slopes_for_several_heads(mask):
    """Red: a gradient is wrong with two heads, a causal mask or a batch."""
    rng = np.random.default_rng(1)
    P = random_block()
    x, direction = rng.normal(size=(2, 2, 3, 4))
    dx, G = block_backward(x, P, 2, direction, mask=mask)

    def run(x, *values):
        return block(x, dict(zip(NAMES, values, strict=True)), 2, mask=mask)[0]

    gradients = [dx, *(G[name] for name in NAMES)]
    agrees_with_slopes(run, [x, *P.values()], gradients, direction)


# ---- by their own rules


def test_norms_with_pen_and_paper():
    """Red: the numbers of the page no longer come out of the helpers."""
    row = np.array([1.0, 3, 3, 9])  # mean 4, variance 9, mean square 25
    ones, zeros = np.ones(4), np.zeros(4)
    right = np.array([-1, -1 / 3, -1 / 3, 5 / 3])
    assert_close(layer_norm(row, ones, zeros, 0), right, 1e-15)
    assert_close(rms_norm(row, ones, 0), row / 5, 1e-15)
    dx, _, _ = layer_norm_backward(row, ones, [1, 0, 0, 0], 0)
    assert_close(dx, np.array([1 / 6, -1 / 9, -1 / 9, 1 / 18]), 1e-15)


@given(seeds, st.floats(0.1, 100), st.floats(-100, 100))
def test_layer_norm_is_blind_to_shift_and_stretch(seed, stretch, shift):
    """Red: mean and variance are not those of the token."""
    x = np.random.default_rng(seed).normal(size=(3, 5))
    x[:, 0] += 3
    ones, zeros = np.ones(5), np.zeros(5)
    before = layer_norm(x, ones, zeros, 0)
    assert_close(layer_norm(x * stretch + shift, ones, zeros, 0), before, 1e-11)
    assert_close(before.mean(axis=-1), np.zeros(3), 1e-12)
    assert_close((before**2).mean(axis=-1), np.ones(3), 1e-12)
    assert_close(rms_norm(x * stretch, ones, 0), rms_norm(x, ones, 0), 1e-12)


def test_a_token_of_equal_components():
    """Red: 0 / 0 where a token has no variance."""
    flat, gamma, beta = np.full((2, 3), 5.0), np.full(3, 2.0), np.array([1.0, 2, 3])
    assert np.array_equal(layer_norm(flat, gamma, beta), [beta, beta])
    assert np.array_equal(rms_norm(np.zeros((2, 3)), gamma), np.zeros((2, 3)))
    for call in (
        lambda: layer_norm(flat, gamma, beta, 0),
        lambda: rms_norm(flat * 0, gamma, 0),
        lambda: rms_norm(flat * 0 + 5e-324, gamma, 0),  # half of it is 0
    ):
        with pytest.raises(ValueError, match="eps is 0; it needs an eps above 0"):
            call()


def test_a_token_far_from_zero_keeps_its_variance_in_float32():
    """Red: the variance is computed as mean(x²) − mean(x)², and no digit is left."""
    row = np.array([0.1, 0.3, 0.3, 0.9]) + 1000
    x = row.astype(np.float32)
    ours = layer_norm(x, np.ones(4), np.zeros(4), 0).astype(float)
    assert_close(ours, layer_norm(x.astype(float), np.ones(4), np.zeros(4), 0), 1e-3)
    assert (x**2).mean() - x.mean() ** 2 == 0.0625  # and not 0.09


def test_gelu_in_numbers():
    """Red: Φ is another function, or the two formulas are one and the same."""
    right = [-0.15865525393145707, 0, 0.8413447460685429]
    assert_close(gelu([-1, 0, 1]), np.array(right), 1e-15)
    x = np.linspace(-6, 6, 12001)
    far = np.abs(gelu(x) - gelu(x, "tanh"))
    assert 4.7e-4 < far.max() < 4.8e-4
    assert abs(abs(x[far.argmax()]) - 2.699) < 1e-9
    assert gelu(1.0).shape == ()
    tail = math.erfc(10 / math.sqrt(2)) / 2  # 7.6e-24, where 1 + erf(−7.07) is 0
    assert math.isclose(gelu([-10.0])[0], -10 * tail, rel_tol=1e-12) and tail > 0


@pytest.mark.parametrize("component", [0.1, -3.0, 1e6])
def test_equal_components_become_beta(component):
    """Red: the last digit of the mean is stretched, since ε is left out."""
    beta = np.array([1.0, 2, 3])
    ours = layer_norm(np.full((2, 3), component), np.ones(3), beta)
    assert_close(ours, np.array([beta, beta]), 1e-6)


@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_gelu_of_one_number(approximate):
    """Red: a number without axes goes forward, and not back."""
    for x in (-1.0, np.float32(2)):
        dx = gelu_backward(x, np.asarray(x), approximate)
        assert dx.shape == gelu(x, approximate).shape == ()
        assert dx.dtype == np.asarray(x).dtype
        assert dx == gelu_backward([x], [x], approximate)[0]


def test_a_token_thinks_on_its_own():
    """Red: norm or feed-forward mixes tokens."""
    rng = np.random.default_rng(2)
    P, x = random_block(), rng.normal(size=(5, 4))
    other = x.copy()
    other[3] = rng.normal(size=4)
    for function in (
        lambda x: layer_norm(x, P["gamma1"], P["beta1"]),
        lambda x: feed_forward(x, P["W1"], P["b1"], P["W2"], P["b2"]),
    ):
        same = (function(x) == function(other)).all(axis=-1)
        assert same.tolist() == [True, True, True, False, True]


@pytest.mark.parametrize("j", range(5))
def test_the_past_does_not_feel_the_future(j):
    """Red: token j reaches a row before it, be it in the last bit."""
    rng = np.random.default_rng(3)
    P, x = random_block(), rng.normal(size=(5, 4))
    other = x.copy()
    other[j] = rng.normal(size=4)
    before, after = (block(t, P, 2, mask=causal_mask(5))[0] for t in (x, other))
    assert np.array_equal(before[:j], after[:j])
    assert (before[j:] != after[j:]).any(axis=-1).all()
    dx, _ = block_backward(x, P, 2, np.eye(5)[j][:, None] * x, mask=causal_mask(5))
    assert (dx[j + 1 :] == 0).all()


def test_without_what_its_layers_add_a_block_is_the_identity():
    """Red: the residual path does not run from end to end."""
    P = random_block() | {
        name: np.zeros_like(random_block()[name]) for name in ("Wo", "bo", "W2", "b2")
    }
    x = np.random.default_rng(4).normal(size=(2, 3, 4))
    assert np.array_equal(block(x, P, 2)[0], x)
    dx, _ = block_backward(x, P, 2, x)
    assert np.array_equal(dx, x)


def test_the_number_of_parameters():
    """Red: a bias or a norm was added or dropped."""

    def count(d_model, d_ff):
        P, x = random_block(d_model, d_ff), np.ones((2, d_model))
        _, G = block_backward(x, P, 1, x)  # no more, no fewer, and of these shapes
        return sum(gradient.size for gradient in G.values())

    assert count(4, 16) == 12 * 4**2 + 13 * 4
    assert count(3, 5) == 4 * 9 + 2 * 15 + 9 * 3 + 5


# ---- dtype, arguments, bad input


def test_dtype_is_kept_and_nothing_is_modified():
    """Red: float32 becomes float64 on the way, or an argument changes."""
    P = {name: w.astype(np.float32) for name, w in random_block().items()}
    x = np.random.default_rng(5).normal(size=(2, 3, 4)).astype(np.float32)
    for array in (x, *P.values()):
        array.flags.writeable = False
    output, _ = block(x, P, 2, mask=causal_mask(3))
    dx, G = block_backward(x, P, 2, x, mask=causal_mask(3))
    found = [output, dx, *G.values()]
    found += [gelu(x, "tanh"), gelu_backward(x, x, "tanh"), rms_norm(x, P["gamma1"])]
    assert {array.dtype for array in found} == {np.dtype(np.float32)}
    assert layer_norm([[1, 3, 3, 9]], [1] * 4, [0] * 4).dtype == np.float64


ONES, ZEROS, X = np.ones(4), np.zeros(4), np.arange(12.0).reshape(3, 4)


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (
            lambda: layer_norm(X, np.ones(3), ZEROS),
            ValueError,
            r"gamma has shape \(3,\); with x of shape \(3, 4\) it needs shape \(4,\)",
        ),
        (lambda: layer_norm(X, ONES, 0.0), ValueError, "beta has shape"),
        (lambda: layer_norm(X, ONES, ZEROS, -1), ValueError, "eps is -1.0"),
        (lambda: layer_norm(X, ONES, ZEROS, "x"), TypeError, "eps is 'x'"),
        (lambda: layer_norm(X * np.nan, ONES, ZEROS), ValueError, "x holds NaN"),
        (lambda: rms_norm(X[:, :0], ONES[:0]), ValueError, "needs an entry"),
        (lambda: rms_norm(X, [True] * 4), TypeError, "gamma has dtype bool"),
        (
            lambda: layer_norm_backward(X, ONES, X[:2]),
            ValueError,
            r"doutput has shape \(2, 4\); it needs shape \(3, 4\), that of x",
        ),
        (lambda: gelu(X, "sigmoid"), ValueError, "approximate is 'sigmoid'"),
        (lambda: gelu([np.inf]), ValueError, "x holds NaN or inf"),
        (lambda: gelu_backward(X, X[0]), ValueError, "doutput has shape"),
        (
            lambda: feed_forward(X, np.ones((3, 5)), ONES, X, ONES),
            ValueError,
            r"x has shape \(3, 4\) and W1 has shape \(3, 5\)",
        ),
        (
            lambda: feed_forward(X, np.ones((4, 5)), ONES, X, ONES),
            ValueError,
            r"b1 has shape \(4,\); with W1 of shape \(4, 5\) it needs shape \(5,\)",
        ),
        (lambda: block(X, {"Wq": X}, 2), ValueError, "parameters has no gamma1"),
        (
            lambda: block(X, random_block() | {"W2": X[:, :2], "b2": [0, 0]}, 2),
            ValueError,
            r"W2 has shape \(3, 2\); .* it needs shape \(6, 4\)",
        ),
        (lambda: block(X, random_block(), 3), ValueError, "n_heads is 3"),
        (lambda: block_backward(X, random_block(), 2, X[0]), ValueError, "doutput"),
        (lambda: block(X[:0], random_block(), 2), ValueError, r"x has shape \(0, 4\)"),
        (
            lambda: block(X, random_block() | {"bo": [np.nan] * 4}, 2),
            ValueError,
            "bo holds NaN",
        ),
        (
            lambda: layer_norm_backward(X, ONES, X * np.nan),
            ValueError,
            "doutput holds NaN",
        ),
        (
            lambda: gelu_backward(X, 1.0),
            ValueError,
            r"doutput has shape \(\); it needs shape \(3, 4\)",
        ),
    ],
)
def test_bad_input_is_refused_at_the_door(call, error, said):
    """Red: a wrong shape or number gets in, or the message does not say which."""
    with pytest.raises(error, match=said):
        call()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("way", ["forward", "back"])
def test_a_parameter_of_a_wrong_shape_is_named_as_the_reader_named_it(name, way):
    """Red: the error speaks of gamma, feed_forward or attention, or none comes."""
    P = random_block()
    P[name] = np.ones((*P[name].shape[:-1], 3))
    wrong = name
    if name == "W1":  # d_ff is what W1 says, so that it is b1 that does not fit
        wrong, said = "b1", r".6,.; with x of shape .3, 4. and W1 of shape .4, 3. .*3,"
    elif name == "W2":
        said = r".6, 3.; with x of shape .3, 4. and W1 of shape .4, 6. .*.6, 4."
    else:
        said = ".* needs shape .*" + ", ".join(map(str, random_block()[name].shape))
    with pytest.raises(ValueError, match=f"^{wrong} has shape {said}"):
        block(X, P, 2) if way == "forward" else block_backward(X, P, 2, X)


@pytest.mark.parametrize("parameters", [[X], (X,), None])
def test_parameters_are_a_mapping(parameters):
    """Red: a list or None stops somewhere inside with Python's words."""
    kind = type(parameters).__name__
    said = f"parameters is a {kind}; it needs a mapping from gamma1, beta1, … to arrays"
    for call in (
        lambda: block(X, parameters, 2),
        lambda: block_backward(X, parameters, 2, X),
    ):
        with pytest.raises(TypeError, match=said):
            call()


def test_a_mask_per_sentence_needs_an_axis_for_the_heads():
    """Red: the block hides keys of a head, where those of a sentence were meant."""
    x, mask = np.stack([X, X + 1]), np.stack([causal_mask(3), np.eye(3, dtype=bool)])
    for call in (
        lambda: block(x, random_block(), 2, mask=mask),
        lambda: block_backward(x, random_block(), 2, x, mask=mask),
    ):
        with pytest.raises(ValueError, match=r"mask has shape .* mask\[:, None\]"):
            call()
    _, weights = block(x, random_block(), 2, mask=mask[:, None])
    assert ((weights > 0) == mask[:, None]).all()
