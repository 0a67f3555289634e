"""Positions: against PyTorch, against small right values, and against their own rules.

The rules: RoPE and ALiBi know distances alone, and a rotation keeps lengths.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import attention, attention_scores, causal_mask, softmax
from helpers.positions import (
    alibi,
    alibi_slopes,
    rotate,
    rotate_backward,
    sinusoidal,
)

from .test_core import TORCH, assert_close, cases

leads = st.sampled_from([(), (2,), (2, 3)])
sizes = st.integers(1, 6)
shifts = st.integers(-200, 200)
seeds = st.integers(0, 2**32 - 1)


# ---- against PyTorch


@cases("rope")
def test_rotate_agrees_with_pytorch(case):
    """Red: another pairing, speed, direction or first position than the reference."""
    assert not case["interleaved"]
    name = case["name"]
    ours = rotate(TORCH[f"{name}/x"], base=case["base"])
    assert_close(ours, TORCH[f"{name}/out"], 1e-10, "rotate")


@cases("rope")
def test_rotate_backward_agrees_with_pytorch(case):
    """Red: the gradient is turned the same way as the input, or not at all."""
    name = case["name"]
    ours = rotate_backward(TORCH[f"{name}/dout"], base=case["base"])
    assert_close(ours, TORCH[f"{name}/dx"], 1e-10, "gradient of rotate")


# ---- small right values


def test_sinusoidal_codes_of_even_and_odd_width():
    """Red: an odd width crashes, or the cosine has another frequency than its sine.

    codertimo/BERT-pytorch#78, SamLynnEvans/Transformer#25.
    """
    odd, even = sinusoidal(3, 5), sinusoidal(2, 4)
    right = [0.8414709848, 0.5403023059, 0.0251162229, 0.9996845379, 0.0006309573]
    assert odd.shape == (3, 5)
    assert np.abs(odd[1] - right).max() < 1e-9
    right = [0.8414709848, 0.5403023059, 0.0099998333, 0.9999500004]
    assert np.abs(even[1] - right).max() < 1e-9
    j = np.arange(4)
    angles = 1 / 10000 ** (2 * j / 4)
    wrong = np.where(j % 2 == 0, np.sin(angles), np.cos(angles))
    known = [0.8414709848, 0.9999500004, 0.0001, 0.9999999999995]
    assert np.abs(wrong - known).max() < 1e-9
    assert np.abs(even[1] - wrong).max() > 0.4


@pytest.mark.parametrize("shape", [(0, 4), (3, 0), (1, 1), (3, 1), (4, 7)])
def test_sinusoidal_codes_of_any_shape(shape):
    """Red: an edge of the table crashes; position 0 is not 0, 1, 0, 1, …."""
    codes = sinusoidal(*shape)
    assert codes.shape == shape and codes.dtype == np.float64
    if shape[0]:
        assert np.array_equal(codes[0], np.arange(shape[1]) % 2)
    if all(shape):  # the first sine has the speed 1, whatever the width
        assert np.allclose(codes[:, 0], np.sin(np.arange(shape[0])), rtol=0, atol=1e-12)


def test_rotate_by_hand():
    """Red: the turn goes clockwise, or starts at position 1."""
    turned = rotate([[1, 0], [1, 0], [0, 2]])
    c, s = np.cos([1, 2]), np.sin([1, 2])
    assert np.allclose(turned, [[1, 0], [c[0], s[0]], [-2 * s[1], 2 * c[1]]])


def test_rotate_pairs_halves():
    """Red: neighbours are paired; the same weights then give other numbers."""
    x = np.array([[1.0, 2, 3, 4]])
    a, b = 1 * np.exp(1j) + 3j * np.exp(1j), 2 * np.exp(0.01j) + 4j * np.exp(0.01j)
    right = [a.real, b.real, a.imag, b.imag]
    assert_close(rotate(x, [1])[0], np.array(right), 1e-12)


def test_the_base_sets_the_speeds():
    """Red: the base is not used."""
    a, b = np.exp(1j), np.exp(1j / 3)  # 9^(−2 · 1 / 4) = 1/3
    right = [a.real, b.real, a.imag, b.imag]
    assert_close(rotate([[1, 1, 0, 0]], [1], base=9)[0], np.array(right), 1e-12)


def test_alibi_by_hand():
    """Red: the sign, the slope, or the side of the penalty is wrong."""
    assert np.array_equal(alibi(3, slope=2), [[0, -2, -4], [-2, 0, -2], [-4, -2, 0]])
    by_head = alibi(2, 3, slope=[0.5, 0.25])
    assert np.array_equal(by_head[0], [[-0.5, 0, -0.5], [-1, -0.5, 0]])
    assert np.array_equal(by_head[1], by_head[0] / 2)
    assert not np.signbit(by_head[by_head == 0]).any()


def test_alibi_slopes_as_published():
    """Red: another geometric series, or the heads between two powers of 2."""
    assert np.array_equal(alibi_slopes(8), 1 / 2.0 ** np.arange(1, 9))
    assert np.allclose(alibi_slopes(16), 0.5 ** (np.arange(1, 17) / 2), rtol=1e-15)
    assert np.array_equal(alibi_slopes(1), [2**-8])
    assert np.array_equal(alibi_slopes(3), [2**-4, 2**-8, 2**-2])
    assert np.array_equal(alibi_slopes(12)[:8], alibi_slopes(8))
    assert np.allclose(alibi_slopes(12)[8:], alibi_slopes(16)[:8:2], rtol=1e-15)
    assert all(len(alibi_slopes(n)) == n for n in range(1, 40))


# ---- rules


@given(sizes, sizes, shifts)
def test_products_of_sinusoidal_codes_depend_on_the_distance(n, pairs, k):
    """Red: a sine and its cosine have different frequencies."""
    codes = sinusoidal(n + abs(k), 2 * pairs)
    products = codes @ codes.T
    near, far = products[:n, :n], products[abs(k) :, abs(k) :]
    assert_close(far, near, 1e-12)


@given(leads, sizes, sizes, sizes, shifts, seeds)
def test_rotary_scores_depend_on_the_distance(lead, n_q, n_k, half, k, seed):
    """Red: a shift of all positions changes a score."""
    rng = np.random.default_rng(seed)
    Q = rng.normal(size=(*lead, n_q, 2 * half))
    K = rng.normal(size=(*lead, n_k, 2 * half))
    t, s = rng.integers(0, 50, n_q), rng.integers(0, 50, n_k)
    near = attention_scores(rotate(Q, t), rotate(K, s))
    far = attention_scores(rotate(Q, t + k), rotate(K, s + k))
    assert_close(far, near, 1e-12)


@given(leads, sizes, sizes, seeds)
def test_rotate_keeps_lengths_and_turns_back(lead, n, half, seed):
    """Red: a row is stretched, or the way back is not the inverse."""
    rng = np.random.default_rng(seed)
    x, g = rng.normal(size=(2, *lead, n, 2 * half))
    t = rng.uniform(-100, 100, n)
    turned = rotate(x, t)
    assert_close(np.linalg.norm(turned, axis=-1), np.linalg.norm(x, axis=-1), 1e-12)
    assert_close(rotate_backward(turned, t), x, 1e-12)
    assert_close((turned * g).sum(), (x * rotate_backward(g, t)).sum(), 1e-12)


def test_rotate_counts_along_the_tokens():
    """Red: positions run along the batch or the heads; row b is not sentence b."""
    x = np.random.default_rng(0).normal(size=(3, 3, 3, 4))
    turned = rotate(x)
    for place in np.ndindex(3, 3):
        assert np.array_equal(turned[place], rotate(x[place]))
    assert np.array_equal(turned[..., 0, :], x[..., 0, :])
    assert np.array_equal(rotate(x[..., 1:, :], [1, 2]), turned[..., 1:, :])


def test_two_conventions_do_not_mix():
    """Red: distances do not count even where Q and K are turned alike."""
    rng = np.random.default_rng(1)
    Q, K = rng.normal(size=(2, 5, 6))
    order = [0, 2, 4, 1, 3, 5]  # neighbours side by side become two halves
    back = np.argsort(order)

    def neighbours(x, t):
        return rotate(x[:, order], t)[:, back]

    def change(turn_q, turn_k):
        t = np.arange(5)
        near = turn_q(Q, t) @ turn_k(K, t).T
        return np.abs(turn_q(Q, t + 7) @ turn_k(K, t + 7).T - near).max()

    assert change(neighbours, neighbours) < 1e-12 and change(rotate, rotate) < 1e-12
    assert change(rotate, neighbours) > 0.1


@given(st.integers(0, 6), st.integers(0, 6))
def test_alibi_is_aligned_like_the_causal_mask(n_queries, n_keys):
    """Red: with fewer queries than keys the newest query counts as the first."""
    bias = alibi(n_queries, n_keys, slope=1)
    assert bias.shape == (n_queries, n_keys)
    seen = causal_mask(n_queries, n_keys)
    for i in range(n_queries):
        if seen[i].any():  # the last key in sight is the query's own
            last = int(seen[i].sum()) - 1
            assert np.array_equal(bias[i], -np.abs(np.arange(n_keys) - last))


@given(sizes, seeds, shifts)
def test_a_shift_of_all_positions_leaves_alibi_weights(n, seed, k):
    """Red: the penalty hangs on positions, not on distances."""
    rng = np.random.default_rng(seed)
    Q, K, V = rng.normal(size=(3, n, 4))
    slope = float(rng.uniform(0, 2))
    _, weights = attention(Q, K, V, mask=alibi(n, slope=slope))
    t = np.arange(n) + k
    by_positions = -slope * np.abs(t[:, None] - t)
    assert_close(softmax(Q @ K.T / 2 + by_positions), weights, 1e-12)
    # The newest queries of a longer text weigh as all of them did.
    late, _ = attention(Q[-1:], K, V, mask=alibi(1, n, slope=slope))
    assert_close(late, attention(Q, K, V, mask=alibi(n, slope=slope))[0][-1:], 1e-12)


def test_alibi_goes_into_attention_with_heads():
    """Red: the slopes of the heads land on another axis than the heads."""
    Q, K, V = np.random.default_rng(2).normal(size=(3, 2, 3, 4, 5))
    slopes = [2, 0.5, 0]
    output, _ = attention(Q, K, V, mask=alibi(4, slope=slopes))
    for h, slope in enumerate(slopes):
        alone, _ = attention(Q[:, h], K[:, h], V[:, h], mask=alibi(4, slope=slope))
        assert_close(output[:, h], alone, 1e-12)
    assert_close(output[:, 2], attention(Q[:, 2], K[:, 2], V[:, 2])[0], 1e-12)


# ---- dtype and door


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_alibi_keeps_the_dtype_of_the_slope(dtype):
    """Red: the distances, whole numbers, make float64 of it."""
    for slope in (dtype(0.5), np.array([0.5, 0.25], dtype)):
        bias = alibi(3, slope=slope)
        assert bias.dtype == dtype
        assert np.array_equal(bias, alibi(3, slope=np.asarray(slope, float)))
    assert alibi(3, slope=1).dtype == alibi(3, slope=[1, 2]).dtype == np.float64


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("turn", [rotate, rotate_backward])
def test_rotate_keeps_dtype_and_input(turn, dtype):
    """Red: float32 becomes float64, or the argument is changed."""
    x = np.arange(12).reshape(2, 6).astype(dtype)
    t = np.array([5, 9], dtype=np.float32)
    x.flags.writeable = t.flags.writeable = False
    assert turn(x, t).dtype == dtype
    assert turn(x.astype(int)).dtype == np.float64
    assert_close(turn(x[:, ::-1], t), turn(x[:, ::-1].copy(), t), 0)


def test_large_positions_are_exact_in_float32():
    """Red: angles are computed in the dtype of x, too coarse far into a text."""
    x = np.array([[1.0, 2, 3, 4]])
    far = rotate(x.astype(np.float32), [100_000_001])
    assert_close(far, rotate(x, [100_000_001]), 1e-6)


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: sinusoidal(-1, 4), ValueError, "n_positions is -1"),
        (lambda: sinusoidal(3, 4.0), TypeError, "d_model is 4.0"),
        (lambda: rotate([[1, 2, 3]]), ValueError, r"x has shape \(1, 3\).*even width"),
        (lambda: rotate(np.ones((2, 0))), ValueError, r"x has shape \(2, 0\)"),
        (lambda: rotate([1, 2]), ValueError, "x has shape .* at least 2 axes"),
        (lambda: rotate([["a", "b"]]), TypeError, "x has dtype"),
        (lambda: rotate([[np.nan, 1]]), ValueError, "x holds NaN"),
        (
            lambda: rotate(np.ones((2, 4)), [0, 1, 2]),
            ValueError,
            r"positions has shape \(3,\).*needs shape \(2,\)",
        ),
        (lambda: rotate(np.ones((1, 4)), 3), ValueError, "positions has shape"),
        (lambda: rotate(np.ones((1, 4)), [np.inf]), ValueError, "positions holds"),
        (lambda: rotate(np.ones((1, 4)), [True]), TypeError, "positions has dtype"),
        (lambda: rotate(np.ones((1, 4)), base=0), ValueError, "base is 0"),
        (lambda: rotate(np.ones((1, 4)), base="x"), TypeError, "base is 'x'"),
        (lambda: rotate_backward([[1, 2, 3]]), ValueError, "drotated has shape"),
        (lambda: alibi(-1, slope=1), ValueError, "n_queries is -1"),
        (lambda: alibi(1, 2.5, slope=1), TypeError, "n_keys is 2.5"),
        (lambda: alibi(2, slope=[1, -0.5]), ValueError, "slope holds -0.5"),
        (lambda: alibi(2, slope=np.inf), ValueError, "slope holds NaN or inf"),
        (lambda: alibi(2, slope="steep"), TypeError, "slope has dtype"),
        (
            lambda: alibi(3, slope=np.ones((2, 2))),
            ValueError,
            r"slope has shape \(2, 2\); .* shape \(n_heads,\)",
        ),
        (
            lambda: alibi_slopes(0),
            ValueError,
            "n_heads is 0; it needs to be at least 1",
        ),
        (
            lambda: alibi_slopes(-1),
            ValueError,
            "n_heads is -1; it needs to be at least 1",
        ),
        (lambda: alibi_slopes(2.0), TypeError, "n_heads is 2.0"),
    ],
)
def test_bad_input_is_named_at_the_door(call, error, said):
    """Red: a wrong argument fails deep inside, or not at all."""
    with pytest.raises(error, match=said):
        call()
