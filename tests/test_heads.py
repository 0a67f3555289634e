"""Several heads, held against PyTorch, against one head, and at their door."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import attention, causal_mask, self_attention
from helpers.gradients import attention_backward
from helpers.heads import (
    merge_heads,
    multi_head_attention,
    multi_head_attention_backward,
    repeat_heads,
    split_heads,
)

from .test_core import CASES, TORCH, assert_close, cases
from .test_gradients import slopes

NAMES = "Wq", "Wk", "Wv", "Wo", "bq", "bk", "bv", "bo"
seeds = st.integers(0, 2**32 - 1)
leads = st.sampled_from([(), (2,), (2, 3)])
small = st.integers(1, 3)


def of_case(case):
    """Return X, the matrices and biases, the context and the mask of a case."""
    name = case["name"]
    P = {key: TORCH[f"{name}/{key}"] for key in NAMES if f"{name}/{key}" in TORCH}
    X, context = TORCH[f"{name}/x"], TORCH.get(f"{name}/ctx")
    mask = causal_mask(X.shape[-2]) if case["causal"] else None
    return X, P, context, mask


def random_heads(seed, lead=(), n=3, d_model=4, n_heads=2, d_head=3, dtype=float):
    rng = np.random.default_rng(seed)
    wide = n_heads * d_head
    shapes = dict.fromkeys(("Wq", "Wk", "Wv"), (d_model, wide))
    shapes |= {"Wo": (wide, 5), "bq": (wide,), "bk": (wide,), "bv": (wide,)}
    P = {name: rng.normal(size=shape).astype(dtype) for name, shape in shapes.items()}
    P["bo"] = rng.normal(size=5).astype(dtype)
    return rng.normal(size=(*lead, n, d_model)).astype(dtype), P


# ---- against PyTorch


@cases("mha")
def test_multi_head_attention_agrees_with_pytorch(case):
    """Red: heads, biases, context or mask give another output than torch's module."""
    X, P, context, mask = of_case(case)
    n_heads, name = case["n_heads"], case["name"]
    output, weights = multi_head_attention(X, P, n_heads, context=context, mask=mask)
    assert_close(output, TORCH[f"{name}/out"], 1e-10, "output")
    assert_close(weights, TORCH[f"{name}_weights/weights"], 1e-10, "weights")


@cases("mha")
def test_multi_head_attention_backward_agrees_with_pytorch(case):
    """Red: the gradient of X, of the context, of a matrix or of a bias is wrong."""
    X, P, context, mask = of_case(case)
    n_heads, name = case["n_heads"], case["name"]
    _, weights = multi_head_attention(X, P, n_heads, context=context, mask=mask)
    dout = TORCH[f"{name}/dout"]
    G = multi_head_attention_backward(X, P, n_heads, weights, dout, context=context)
    assert set(G) == {"X", *P} | ({"context"} if context is not None else set())
    for key, gradient in G.items():
        theirs = {"X": "x", "context": "ctx"}.get(key, key)
        assert_close(gradient, TORCH[f"{name}/d{theirs}"], 1e-10, f"d{key}")


GROUPED = pytest.mark.parametrize(
    "name", [case["name"] for case in CASES if "gqa" in case["name"]]
)


@GROUPED
def test_grouped_heads_agree_with_pytorch(name):
    """Red: query heads ask another head of keys than torch's enable_gqa has it."""
    Q, K, V = (TORCH[f"{name}/{x}"] for x in "QKV")
    n_heads, mask = Q.shape[-3], TORCH.get(f"{name}/attn_mask")
    K4, V4 = repeat_heads(K, n_heads), repeat_heads(V, n_heads)
    output, weights = attention(Q, K4, V4, mask=mask)
    assert_close(output, TORCH[f"{name}/out"], 1e-10, "output")
    assert_close(weights, TORCH[f"{name}/weights"], 1e-10, "weights")

    # A shared head feels all who used it: the gradients of its copies are added.
    dQ, dK, dV, _ = attention_backward(Q, K4, V4, weights, TORCH[f"{name}/dout"])
    assert_close(dQ, TORCH[f"{name}/dQ"], 1e-10, "dQ")
    for copies, right in ((dK, "dK"), (dV, "dV")):
        lead, (n, d) = copies.shape[:-3], copies.shape[-2:]
        summed = copies.reshape(*lead, K.shape[-3], -1, n, d).sum(axis=-3)
        assert_close(summed, TORCH[f"{name}/{right}"], 1e-10, right)


def test_the_pytorch_cases_cover_what_the_page_needs():
    """Red: a case was lost from tests/data, so that something is no longer compared."""
    of_heads = [case for case in CASES if case["kind"] == "mha"]
    for what in ("causal", "bias", "cross"):
        assert {case[what] for case in of_heads} == {True, False}
    assert sum("gqa" in case["name"] for case in CASES) == 6


# ---- values that people got wrong


def test_split_and_merge_keep_tokens_together():
    """Red: heads are made or joined by reshape alone (onnx/onnx#7118, reference code).

    jsbaan/transformer-from-scratch PR #6, hyunwoongko/transformer#15.
    """
    x = np.arange(12).reshape(1, 3, 4)
    right = [[[[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 11]]]]
    assert np.array_equal(split_heads(x, 2), right)
    assert x.reshape(1, 2, 3, 2)[0, 0].tolist() == [[0, 1], [2, 3], [4, 5]]  # wrong
    heads = np.arange(8).reshape(1, 2, 2, 2)
    assert np.array_equal(merge_heads(heads), [[[0, 1, 4, 5], [2, 3, 6, 7]]])
    assert heads.reshape(1, 2, 4)[0].tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]  # wrong


def test_the_scale_is_that_of_a_head():
    """Red: scaled by √d_model, or multiplied by √d_head (lucidrains/vit-pytorch#65)."""
    X = np.eye(3, 64)
    P = {name: np.zeros((64, 64)) for name in NAMES[:4]}
    P["Wq"][0, :16] = 2.0 / 16
    P["Wk"][0, :16] = 2.0  # head 0: the products of token 0 are 4, 0 and 0
    _, weights = multi_head_attention(X, P, 4)
    right = [0.5761168848, 0.2119415576, 0.2119415576]
    assert abs(weights[0, 0] - right).max() <= 1e-9
    _, timid = multi_head_attention(X, P, 4, scale=1 / 8)
    assert abs(timid[0, 0, 0] - 0.4518627619) <= 1e-9


# ---- properties


@given(leads, small, small, small, small, seeds)
def test_a_head_is_attention_on_its_own_columns(
    lead, n, d_model, n_heads, d_head, seed
):
    """Red: a head sees columns of another, or pieces of tokens.

    A fault made in both split and merge passes every round trip, and not this.
    """
    X, P = random_heads(seed, lead, n, d_model, n_heads, d_head)
    P = {name: W for name, W in P.items() if name in NAMES[:4]}
    mask = causal_mask(n)
    output, weights = multi_head_attention(X, P, n_heads, mask=mask)
    summed = np.zeros_like(output)
    for h in range(n_heads):
        block = slice(h * d_head, (h + 1) * d_head)
        Wh = [P[name][:, block] for name in NAMES[:3]]
        alone, alone_weights = self_attention(X, *Wh, mask=mask)
        assert_close(weights[..., h, :, :], alone_weights, 1e-12, f"head {h}")
        summed += alone @ P["Wo"][block]
    assert_close(output, summed, 1e-12, "output, as a sum over the heads")


@given(leads, small, small, small, seeds)
def test_merge_undoes_split(lead, n, n_heads, d_head, seed):
    """Red: a number got lost or moved on the way there and back."""
    x = np.random.default_rng(seed).normal(size=(*lead, n, n_heads * d_head))
    heads = split_heads(x, n_heads)
    assert heads.shape == (*lead, n_heads, n, d_head)
    assert np.array_equal(merge_heads(heads), x)


@pytest.mark.parametrize("scale", [None, 0.7])
@pytest.mark.parametrize("crossed", [False, True])
def test_the_gradients_agree_with_slopes(crossed, scale):
    """Red: a gradient is wrong for a batch, for widths that differ, or for a scale."""
    X, P = random_heads(5, lead=(2,))
    rng = np.random.default_rng(6)
    given_ = {"X": X, **P}
    mask = causal_mask(3)
    if crossed:  # one context for both sentences: its gradient is summed over them
        given_["context"] = rng.normal(size=(3, 4))
    direction = rng.normal(size=(2, 3, 5))

    def run(G):
        context = G.get("context")
        return multi_head_attention(
            G["X"], G, 2, context=context, mask=mask, scale=scale
        )

    _, weights = run(given_)
    ours = multi_head_attention_backward(
        X, P, 2, weights, direction, context=given_.get("context"), scale=scale
    )
    assert set(ours) == set(given_)
    for name, gradient in ours.items():

        def along(x, name=name):
            return (run({**given_, name: x})[0] * direction).sum()

        assert_close(gradient, slopes(along, given_[name]), 1e-7, f"d{name}")


def test_neighbours_share_a_head():
    """Red: grouped heads are dealt out in turn, 0 1 0 1."""
    heads = np.arange(4).reshape(2, 2, 1)
    assert repeat_heads(heads, 4)[:, :, 0].tolist() == [[0, 1], [0, 1], [2, 3], [2, 3]]
    assert np.array_equal(repeat_heads(heads, 2), heads)
    batch = np.stack([heads, heads + 9])
    assert np.array_equal(repeat_heads(batch, 6)[1], repeat_heads(heads + 9, 6))


def test_a_mask_for_each_sentence_needs_an_axis_for_the_heads():
    """Red: the mask of one sentence hides keys of another, or of a head."""
    X, P = random_heads(8, lead=(2,), n_heads=2)
    hides = np.array([[True, True, False], [True, False, False]])[:, None, None, :]
    _, weights = multi_head_attention(X, P, 2, mask=hides)
    assert (weights[0, :, :, 2] == 0).all() and (weights[0, :, :, 1] > 0).all()
    assert (weights[1, :, :, 1:] == 0).all()


def test_a_mask_cannot_be_taken_for_one_of_another_axis():
    """Red: with as many sentences as heads, sentence 0's mask hides keys of head 0."""
    X, P = random_heads(8, lead=(2,), n_heads=2)
    mask = np.array([[True, True, False], [True, False, False]])[:, None, :]
    said = r"mask has shape \(2, 1, 3\); with scores of shape \(2, 2, 3, 3\) it needs "
    said += r"shape \(3, 3\) or an axis for the heads, too: mask\[:, None\]"
    for wrong in (mask, mask & causal_mask(3)):
        with pytest.raises(ValueError, match=said.replace("2, 1, 3", "2, ., 3")):
            multi_head_attention(X, P, 2, mask=wrong)
    _, weights = multi_head_attention(X, P, 2, mask=mask[:, None])
    assert ((weights > 0) == mask[:, None]).all()
    _, weights = multi_head_attention(X, P, 2, mask=mask[None])  # one for each head
    assert ((weights > 0) == mask).all()
    with pytest.raises(ValueError, match=r"mask\[\.\.\., None, :, :\] if there is one"):
        multi_head_attention(X[None], P, 2, mask=mask[None])
    _, alone = multi_head_attention(X[0], P, 2, mask=mask)  # no batch: heads, too
    assert np.array_equal(alone, weights[0])


def test_what_is_split_or_merged_is_a_copy():
    """Red: writing to the heads changes the argument."""
    x = np.ones((3, 4))
    for n_heads in (1, 2):
        assert not np.shares_memory(split_heads(x, n_heads), x)
    for shape in ((1, 3, 4), (3, 1, 4), (2, 3, 4)):
        heads = np.ones(shape)
        assert not np.shares_memory(merge_heads(heads), heads)


def test_true_is_one_head():
    """Red: NumPy's "an integer is required" from somewhere inside."""
    x = np.ones((3, 4))
    assert split_heads(x, True).shape == (1, 3, 4)
    assert repeat_heads(split_heads(x, 1), True).shape == (1, 3, 4)


# ---- at the door


@pytest.mark.parametrize("P", [[1], (1,), None])
def test_the_matrices_are_a_mapping(P):
    """Red: a list or None stops somewhere inside with Python's words."""
    kind = type(P).__name__
    said = f"P is a {kind}; it needs a mapping from Wq, Wk, … to arrays"
    for call in (
        lambda: multi_head_attention(X34, P, 2),
        lambda: multi_head_attention_backward(X34, P, 2, X34, X34),
    ):
        with pytest.raises(TypeError, match=said):
            call()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_dtype_is_kept_and_nothing_is_changed(dtype):
    """Red: float32 becomes float64 on the way, or an argument is written to."""
    X, P = random_heads(9, lead=(2,), dtype=dtype)
    before = {name: x.copy() for name, x in {"X": X, **P}.items()}
    output, weights = multi_head_attention(X, P, 2)
    G = multi_head_attention_backward(X, P, 2, weights, output)
    assert {x.dtype for x in (output, weights, *G.values())} == {np.dtype(dtype)}
    for name, x in {"X": X, **P}.items():
        assert np.array_equal(x, before[name]), name
    assert split_heads(np.ones((2, 4), dtype=int), 2).dtype == np.float64


X34, P34 = random_heads(1)
SQUARE = {name: np.ones((4, 4)) for name in NAMES[:4]}


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (
            lambda: split_heads(np.ones((3, 4)), 3),
            ValueError,
            r"x has shape \(3, 4\) and n_heads is 3; .* a multiple of 3",
        ),
        (lambda: split_heads(np.ones((3, 4)), 0), ValueError, "n_heads is 0"),
        (
            lambda: split_heads(np.ones((3, 4)), -1),
            ValueError,
            "n_heads is -1; it needs to be at least 1",
        ),
        (lambda: split_heads(np.ones((3, 0)), 2), ValueError, r"x has shape \(3, 0\)"),
        (lambda: split_heads(np.ones((3, 4)), 2.0), TypeError, "n_heads is 2.0"),
        (lambda: split_heads(np.ones(4), 2), ValueError, r"x has shape \(4,\)"),
        (lambda: split_heads([["a", "b"]], 2), TypeError, "x has dtype"),
        (lambda: merge_heads(np.ones((3, 4))), ValueError, "at least 3 axes"),
        (lambda: repeat_heads(np.ones((2, 3, 4)), 3), ValueError, "2 heads.* is 3"),
        (lambda: repeat_heads(np.ones((0, 3, 4)), 2), ValueError, "0 heads"),
        (lambda: repeat_heads(np.ones((3, 4)), 2), ValueError, "at least 3 axes"),
        (
            lambda: repeat_heads(np.ones((0, 3, 4)), 2.0),
            TypeError,
            "n_heads is 2.0; it needs to be a whole number",
        ),
        (
            lambda: repeat_heads(np.ones((2, 3, 4)), 0),
            ValueError,
            "n_heads is 0; it needs to be at least 1",
        ),
        (
            lambda: repeat_heads(np.ones((2, 3, 4)), -2),
            ValueError,
            "n_heads is -2; it needs to be at least 1",
        ),
        (
            lambda: multi_head_attention(np.ones((3, 4)), SQUARE, 3),
            ValueError,
            r"Wq has shape \(4, 4\) and n_heads is 3; .* a multiple of 3",
        ),
        (
            lambda: multi_head_attention(X34, {"Wq": P34["Wq"]}, 2),
            ValueError,
            "P has Wq; it needs Wq, Wk, Wv and Wo",
        ),
        (
            lambda: multi_head_attention(X34, {**P34, "bv": np.ones(5)}, 2),
            ValueError,
            r"bv has shape \(5,\); with Wv of shape \(4, 6\)",
        ),
        (
            lambda: multi_head_attention(X34, {**P34, "Wo": np.ones((4, 5))}, 2),
            ValueError,
            r"heads has shape \(3, 6\) and Wo has shape \(4, 5\)",
        ),
        (
            lambda: multi_head_attention(X34, P34, 2, context=np.ones((3, 7))),
            ValueError,
            r"context has shape \(3, 7\) and Wk has shape \(4, 6\)",
        ),
        (
            lambda: multi_head_attention(X34 * np.nan, P34, 2),
            ValueError,
            "X holds NaN",
        ),
        (
            lambda: multi_head_attention_backward(
                X34, P34, 2, np.ones((2, 3, 3)) / 3, np.ones((3, 4))
            ),
            ValueError,
            r"doutput has shape \(3, 4\); it needs shape \(3, 5\)",
        ),
        (
            lambda: multi_head_attention_backward(
                X34, P34, 2, np.ones((2, 3, 4)), np.ones((3, 5))
            ),
            ValueError,
            r"weights has shape \(2, 3, 4\); it needs shape \(2, 3, 3\)",
        ),
        (
            lambda: multi_head_attention_backward(
                X34, P34, 2, np.ones((1, 2, 3, 3)), np.ones((3, 5))
            ),
            ValueError,
            r"weights has shape \(1, 2, 3, 3\); it needs shape \(2, 3, 3\)",
        ),
        (
            lambda: multi_head_attention_backward(
                X34, P34, 2, np.full((2, 3, 3), np.nan), np.ones((3, 5))
            ),
            ValueError,
            "weights holds NaN",
        ),
        (
            lambda: multi_head_attention_backward(
                X34, P34, 2, np.ones((2, 3, 3)), np.full((3, 5), np.nan)
            ),
            ValueError,
            "doutput holds NaN",
        ),
        (
            lambda: multi_head_attention(
                X34, {**P34, "Wk": np.ones((4, 4)), "bk": np.ones(4)}, 2
            ),
            ValueError,
            r"Wq has shape \(4, 6\) and Wk has shape \(4, 4\); they need equally many",
        ),
        (
            lambda: multi_head_attention(X34[:0], P34, 2),
            ValueError,
            r"X has shape \(0, 4\); it needs at least one token",
        ),
        (
            lambda: multi_head_attention(X34, P34, 2, context=X34[:0]),
            ValueError,
            r"context has shape \(0, 4\); it needs at least one token",
        ),
        (
            lambda: multi_head_attention(X34, P34, 2, mask=[True, True, False]),
            ValueError,
            r"mask has shape \(3,\); with scores of shape \(2, 3, 3\) it needs shape "
            r"\(3, 3\) or an axis for the heads",
        ),
    ],
)
def test_what_is_wrong_is_said(call, error, said):
    """Red: bad input passes, or stops somewhere inside with NumPy's words."""
    with pytest.raises(error, match=said):
        call()
