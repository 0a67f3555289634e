"""The mathematics, held against PyTorch, against its own rules, and at its door."""

import inspect
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.lib.array_utils import byte_bounds

import helpers
from helpers import (
    attention,
    attention_scores,
    causal_mask,
    project,
    self_attention,
    softmax,
)

DATA = Path(__file__).parent / "data"
TORCH = np.load(DATA / "torch_float64.npz")
CASES = json.loads((DATA / "torch_float64.json").read_text(encoding="utf-8"))["cases"]
X34 = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0.2]])


def cases(kind):
    chosen = [case for case in CASES if case["kind"] == kind]
    return pytest.mark.parametrize("case", chosen, ids=lambda case: case["name"])


def assert_close(ours, right, tolerance, what=""):
    """Compare with the course's one measure: max|a − b| / max(1, max|b|)."""
    assert ours.shape == right.shape, f"{what} has another shape"
    error = np.abs(ours - right).max() / max(1, np.abs(right).max())
    assert error <= tolerance, f"{what} is off by {error:.1e}; allowed: {tolerance:g}"


def random_QKV(seed, lead=(), n_q=3, n_k=4, d_k=5, d_v=2, dtype=float):
    rng = np.random.default_rng(seed)
    shapes = (n_q, d_k), (n_k, d_k), (n_k, d_v)
    return [rng.normal(size=(*lead, *shape)).astype(dtype) for shape in shapes]


# ---- against PyTorch


@cases("softmax")
def test_softmax_agrees_with_pytorch(case):
    """Red: softmax gives other weights than torch.softmax."""
    ours = softmax(TORCH[f"{case['name']}/x"], axis=case["axis"])
    assert_close(ours, TORCH[f"{case['name']}/out"], 1e-10, "softmax")


@cases("attention")
def test_attention_agrees_with_pytorch(case):
    """Red: attention differs from torch's for this kind of mask, scale or shape."""
    Q, K, V = (TORCH[f"{case['name']}/{name}"] for name in "QKV")
    heads = Q.shape[-3] // K.shape[-3]  # more than 1 where heads are grouped
    K, V = (np.repeat(x, heads, axis=-3) for x in (K, V))
    mask = TORCH.get(f"{case['name']}/attn_mask")
    output, weights = attention(Q, K, V, mask=mask, scale=case["scale"])
    assert_close(output, TORCH[f"{case['name']}/out"], 1e-10, "output")
    assert_close(weights, TORCH[f"{case['name']}/weights"], 1e-10, "weights")


def test_the_pytorch_cases_cover_every_kind_of_mask():
    """Red: a case was lost from tests/data, so that something is no longer compared."""
    kinds = {case["mask"] for case in CASES if case["kind"] == "attention"}
    assert kinds == set(
        "none causal_upper_left causal_lower_right bool2d bool_full key_padding "
        "fully_masked_rows float_add float_neginf".split()
    )
    names = " ".join(case["name"] for case in CASES)
    for what in "ties shift1e6 neginf_entries gqa decode T1 huge_scores".split():
        assert what in names


@pytest.mark.parametrize(
    "case", [c for c in CASES if "causal" in c.get("mask", "")], ids=lambda c: c["name"]
)
def test_causal_mask_is_the_one_pytorch_was_given(case):
    """Red: causal_mask is no longer aligned at the lower right."""
    given_to_torch = TORCH[f"{case['name']}/attn_mask"]
    assert np.array_equal(causal_mask(*given_to_torch.shape), given_to_torch)


# ---- the contract that notebooks and other people's code rely on


def test_the_names_and_arguments_that_others_rely_on():
    """Red: a public function was renamed, or takes its arguments in another way."""
    expected = {
        "softmax": "scores, axis=-1",
        "attention": "Q, K, V, *, mask=None, scale=None",
        "self_attention": "X, Wq, Wk, Wv, *, mask=None, scale=None",
        "causal_mask": "n_queries, n_keys=None",
    }
    for name, arguments in expected.items():
        signature = inspect.signature(getattr(helpers, name))
        bare = [
            p.replace(annotation=inspect.Parameter.empty)
            for p in signature.parameters.values()
        ]
        assert str(inspect.Signature(bare)) == f"({arguments})", name


def test_import_helpers_needs_numpy_alone():
    """Red: `import helpers` pulls in a package that is only needed for pictures."""
    script = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names | {"numpy", "helpers"}:
            raise ImportError(f"import helpers asks for {name}")

sys.meta_path.insert(0, Refuse())
import helpers
print(helpers.softmax([0, 0]))
for name in ("matplotlib", "IPython", "ipywidgets", "anywidget"):
    assert name not in sys.modules, name
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "[0.5 0.5]", done.stderr


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_float_dtype_is_kept(dtype):
    """Red: a float64 constant, scale or mask widens float16 or float32 on its way."""
    Q, K, V = random_QKV(0, dtype=dtype)
    X, W = K, K.T[:, :2]
    wide = np.array([[0, -np.inf, -1e300, 1]])  # a filler that float32 cannot hold
    results = [
        softmax(Q),
        softmax(np.array([6e4, -6e4], dtype)),  # further apart than float16 can say
        attention_scores(Q, K),
        attention_scores(Q, K, scale=np.float64(0.3)),
        *attention(Q, K, V),
        *attention(Q, K, V, mask=wide, scale=np.float64(0.3)),
        *attention(Q, K, V, mask=causal_mask(3, 4)),
        *project(X, W, W, W),
        *self_attention(X, W, W, W),
    ]
    assert [result.dtype for result in results] == [dtype] * len(results)
    assert all(np.isfinite(result).all() for result in results)


@pytest.mark.parametrize("dtype", [int, np.int8, np.uint8, np.int64])
def test_integers_become_float64(dtype):
    """Red: integer input keeps its dtype, and weights are cut to 0 or 1."""
    Q, K, V = (np.abs(10 * x).astype(dtype) for x in random_QKV(1))
    results = [softmax(Q), attention_scores(Q, K), *attention(Q, K, V)]
    results += [*project(Q, K.T, K.T, K.T), *self_attention(Q, K.T, K.T, K.T)]
    floats = [x.astype(float) for x in (Q, K, V)]
    assert [result.dtype for result in results] == [np.float64] * len(results)
    assert np.array_equal(results[0], softmax(floats[0]))
    assert np.array_equal(results[2], attention(*floats)[0])


def forms(x):
    """Give the same numbers in the forms in which arrays come along."""
    frozen = x.copy()
    frozen.flags.writeable = False
    strided = np.repeat(x, 2, axis=-1)[..., ::2]
    backwards = x[::-1].copy()[::-1]
    return {
        "list": x.tolist(),
        "read-only": frozen,
        "Fortran": np.asfortranarray(x),
        "strided": strided,
        "backwards": backwards,
    }


@pytest.mark.parametrize("form", forms(np.zeros((2, 2))))
def test_arguments_in_any_form_are_accepted_and_left_alone(form):
    """Red: a function writes into its argument, or needs a particular memory layout."""
    plain = [*random_QKV(2), np.where(causal_mask(3, 4), 0.5, -np.inf)]
    given = [forms(x)[form] for x in plain]
    *_, mask = given
    output, weights = attention(*given[:3], mask=mask)
    again = attention(*given[:3], mask=mask)
    right = attention(*plain[:3], mask=plain[3])
    for result, repeated, expected in zip((output, weights), again, right, strict=True):
        assert_close(result, expected, 1e-12)
        assert np.array_equal(result, repeated), "the second call differs"
    assert_close(softmax(given[0], axis=0), softmax(plain[0], axis=0), 1e-12)
    for before, after in zip(plain, given, strict=True):
        assert np.array_equal(before, np.asarray(after)), "an argument was changed"


def test_results_are_the_callers_own():
    """Red: a result shares memory with an argument, so that writing to it is felt."""
    Q, K, V = random_QKV(3)
    for result in (softmax(Q), attention_scores(Q, K), *attention(Q, K, V)):
        for argument in (Q, K, V):
            (a, b), (c, d) = byte_bounds(result), byte_bounds(argument)
            assert b <= c or d <= a
        result[...] = 0  # and it can be written to


def test_self_attention_is_project_then_attention():
    """Red: self_attention drops its mask or scale, or mixes up its projections."""
    Wq, Wk, Wv = np.random.default_rng(4).normal(size=(3, 4, 5))
    mask = causal_mask(3)
    ours = self_attention(X34, Wq, Wk, Wv[:, :2], mask=mask, scale=0.7)
    right = attention(X34 @ Wq, X34 @ Wk, X34 @ Wv[:, :2], mask=mask, scale=0.7)
    for a, b in zip(ours, right, strict=True):
        assert_close(a, b, 1e-12)


@pytest.mark.parametrize(
    ("n_queries", "n_keys", "right"),
    [
        (3, None, ["100", "110", "111"]),
        (2, 4, ["1110", "1111"]),  # fewer queries: they are the newest tokens
        (1, 3, ["111"]),
        (4, 2, ["00", "00", "10", "11"]),  # more queries: the first see nothing
        (np.int64(2), np.int8(2), ["10", "11"]),
        (2, 0, ["", ""]),
    ],
)
def test_causal_mask(n_queries, n_keys, right):
    """Red: a query sees a later token, or misses an earlier one."""
    mask = causal_mask(n_queries, n_keys)
    assert mask.dtype == bool
    assert ["".join("01"[seen] for seen in row) for row in mask.tolist()] == right


def test_more_queries_than_keys_give_zero_rows():
    """Red: a query that the causal mask leaves nothing gets NaN or an even spread."""
    Q, K, V = random_QKV(5, n_q=4, n_k=2)
    output, weights = attention(Q, K, V, mask=causal_mask(4, 2))
    assert not output[:2].any() and not weights[:2].any()
    assert_close(weights.sum(axis=-1), np.array([0, 0, 1, 1.0]), 1e-12)


def test_an_axis_of_length_1_in_the_mask_is_stretched():
    """Red: a mask per key or per batch no longer broadcasts."""
    Q, K, V = random_QKV(6, lead=(2, 3))
    full = np.random.default_rng(6).random((2, 3, 3, 4)) < 0.7
    for mask in (full[:, :1, :1], full[:1], full[0, 0], full[0, 0, :1]):
        whole = np.broadcast_to(mask, full.shape)
        for a, b in zip(
            attention(Q, K, V, mask=mask), attention(Q, K, V, mask=whole), strict=True
        ):
            assert_close(a, b, 1e-12)


# ---- errors: the type, and a message that names the argument, its shape, what it needs

NAN, INF = [[np.nan, 1.0]], [[np.inf, 1.0]]
M = np.ones((3, 2))
ERRORS = [
    # softmax
    (lambda: softmax(5.0), ValueError, ["scores", "()", "at least 1 ax"]),
    (lambda: softmax(np.ones((2, 0))), ValueError, ["scores", "(2, 0)", "axis -1"]),
    (lambda: softmax(np.ones((0, 2)), 0), ValueError, ["scores", "(0, 2)", "axis 0"]),
    (lambda: softmax([1, np.nan]), ValueError, ["scores", "NaN", "finite", "-inf"]),
    (lambda: softmax([1, np.inf]), ValueError, ["scores", "+inf", "finite", "-inf"]),
    (lambda: softmax(["a"]), TypeError, ["scores", "<U1", "real numbers"]),
    (lambda: softmax([True]), TypeError, ["scores", "bool", "real numbers"]),
    (lambda: softmax([1j]), TypeError, ["scores", "complex128", "real numbers"]),
    (lambda: softmax([None]), TypeError, ["scores", "object", "real numbers"]),
    (lambda: softmax([[1, 2], [3]]), ValueError, ["scores", "different lengths"]),
    (lambda: softmax([1, 2], axis=1), ValueError, ["axis 1", "dimension 1"]),
    # attention_scores
    (lambda: attention_scores([1, 2], M), ValueError, ["Q", "(2,)", "2 axes"]),
    (lambda: attention_scores(M, [1, 2]), ValueError, ["K", "(2,)", "2 axes"]),
    (
        lambda: attention_scores(M, np.ones((3, 4))),
        ValueError,
        ["Q has shape (3, 2)", "K has shape (3, 4)", "same width d_k"],
    ),
    (
        lambda: attention_scores(np.ones((3, 0)), np.ones((3, 0))),
        ValueError,
        ["(3, 0)", "at least 1"],
    ),
    (
        lambda: attention_scores(np.ones((2, 3, 2)), np.ones((4, 3, 2))),
        ValueError,
        ["Q has shape (2, 3, 2)", "Kᵀ has shape (4, 2, 3)", "equal or 1"],
    ),
    (lambda: attention_scores(NAN, M), ValueError, ["Q", "NaN", "finite"]),
    (lambda: attention_scores(M, INF), ValueError, ["K", "inf", "finite"]),
    (lambda: attention_scores(M, M, scale="2"), TypeError, ["scale", "'2'", "real"]),
    (lambda: attention_scores(M, M, scale=[1]), TypeError, ["scale", "[1]", "real"]),
    (lambda: attention_scores(M, M, scale=1j), TypeError, ["scale", "1j", "real"]),
    (
        lambda: attention_scores(M, M, scale=np.nan),
        ValueError,
        ["scale", "nan", "finite"],
    ),
    # attention
    (lambda: attention(M, M, [1, 2, 3]), ValueError, ["V", "(3,)", "2 axes"]),
    (
        lambda: attention(M, M, M[:2]),
        ValueError,
        ["V has shape (2, 2)", "3 keys", "(..., 3, d_v)"],
    ),
    (
        lambda: attention(np.ones((2, 3, 2)), M, np.ones((4, 3, 2))),
        ValueError,
        ["weights has shape (2, 3, 3)", "V has shape (4, 3, 2)", "equal or 1"],
    ),
    (lambda: attention(M, M, NAN * 3), ValueError, ["V", "NaN", "finite"]),
    (lambda: attention(M, M, M > 0), TypeError, ["V", "bool", "real numbers"]),
    (
        lambda: attention(M, M, M, mask=np.ones((2, 3), bool)),
        ValueError,
        ["mask has shape (2, 3)", "(3, 3)", "2 axes"],
    ),
    (
        lambda: attention(M, M, M, mask=[True] * 3),
        ValueError,
        ["mask has shape (3,)", "(3, 3)", "2 axes"],
    ),
    (
        lambda: attention(M, M, M, mask=np.ones((4, 3, 3), bool)),
        ValueError,
        ["mask has shape (4, 3, 3)", "(3, 3)"],
    ),
    (
        lambda: attention(M, M, M, mask=np.ones((3, 3), int)),
        TypeError,
        ["mask", "int", "bool", "True = may attend", "float"],
    ),
    (
        lambda: attention(M, M, M, mask=[[None] * 3] * 3),
        TypeError,
        ["mask", "object", "bool"],
    ),
    (
        lambda: attention(M, M, M, mask=[[True], [True, False]]),
        ValueError,
        ["mask", "different lengths"],
    ),
    (
        lambda: attention(M, M, M, mask=np.full((3, 3), np.nan)),
        ValueError,
        ["mask", "NaN", "-inf"],
    ),
    (
        lambda: attention(M, M, M, mask=np.full((3, 3), np.inf)),
        ValueError,
        ["mask", "+inf", "-inf"],
    ),
    # project and self_attention
    (lambda: project([1, 2], M, M, M), ValueError, ["X", "(2,)", "2 axes"]),
    (lambda: project(M, [1, 2], M.T, M.T), ValueError, ["Wq", "(2,)", "2 axes"]),
    (
        lambda: project(M, M.T, M, M.T),
        ValueError,
        ["X has shape (3, 2)", "Wk has shape (3, 2)", "same b"],
    ),
    (lambda: project(M, M.T, M.T, NAN), ValueError, ["Wv", "NaN", "finite"]),
    (lambda: project(INF, M.T, M.T, M.T), ValueError, ["X", "inf", "finite"]),
    (lambda: project(M, M.T, M.T, M.T > 0), TypeError, ["Wv", "bool", "real"]),
    (
        lambda: self_attention(M, M, M.T, M.T),
        ValueError,
        ["X has shape (3, 2)", "Wq has shape (3, 2)", "same b"],
    ),
    (
        lambda: self_attention(M, M.T, M.T[:, :2], M.T),
        ValueError,
        ["Q has shape (3, 3)", "K has shape (3, 2)", "d_k"],
    ),
    # causal_mask
    (lambda: causal_mask(2.0), TypeError, ["n_queries", "2.0", "whole number"]),
    (lambda: causal_mask("2"), TypeError, ["n_queries", "'2'", "whole number"]),
    (lambda: causal_mask(2, 2.5), TypeError, ["n_keys", "2.5", "whole number"]),
    (lambda: causal_mask(-1), ValueError, ["n_queries", "-1", "at least 0"]),
    (lambda: causal_mask(1, -2), ValueError, ["n_keys", "-2", "at least 0"]),
]


@pytest.mark.parametrize(
    ("call", "kind", "words"), ERRORS, ids=[" ".join(case[2]) for case in ERRORS]
)
def test_errors_say_what_is_wrong(call, kind, words):
    """Red: a wrong argument is accepted, or its message does not help to find it."""
    with pytest.raises(kind) as caught:
        call()
    message = str(caught.value)
    assert all(word in message for word in words), f"{message!r} should say {words}"


# ---- properties

entries = st.floats(-30, 30, width=32)
sizes = st.integers(1, 5)
seeds = st.integers(0, 2**32 - 1)


@given(seeds, sizes, sizes, sizes, sizes)
def test_each_row_sums_to_1_or_to_0(seed, n_q, n_k, d_k, d_v):
    """Red: weights are not an average; only a query that sees nothing may have 0."""
    Q, K, V = random_QKV(seed, n_q=n_q, n_k=n_k, d_k=d_k, d_v=d_v)
    mask = np.random.default_rng(seed).random((n_q, n_k)) < 0.6
    output, weights = attention(Q, 20 * K, V, mask=mask)
    assert (weights >= 0).all() and not weights[~mask].any()
    assert_close(weights.sum(axis=-1), mask.any(axis=-1).astype(float), 1e-12)
    seen = mask.any(axis=-1)
    assert (output[seen] <= V.max(axis=0) + 1e-12).all(), "beyond the largest value"
    assert (output[seen] >= V.min(axis=0) - 1e-12).all(), "beyond the smallest value"


@given(st.lists(entries, min_size=1, max_size=6), st.floats(-1e5, 1e5))
def test_shifting_a_row_of_scores_changes_nothing(row, shift):
    """Red: the weights depend on more than the differences of the scores."""
    scores = np.array(row)
    shifted = scores + shift
    right = softmax(shifted - shift)  # what is left of the row after rounding
    assert_close(softmax(shifted), right, 1e-12)


@given(seeds, st.permutations(range(5)))
def test_reordering_the_tokens_reorders_the_output(seed, order):
    """Red: attention knows about positions, which it must not without a mask."""
    rng = np.random.default_rng(seed)
    X, W = rng.normal(size=(5, 4)), rng.normal(size=(3, 4, 3))
    output, weights = self_attention(X, *W)
    output_moved, weights_moved = self_attention(X[order], *W)
    assert_close(output_moved, output[order], 1e-12)
    assert_close(weights_moved, weights[np.ix_(order, order)], 1e-12)


@given(seeds, st.integers(1, 6), st.data())
def test_no_token_sees_the_future(seed, n_tokens, data):
    """Red: with the causal mask, changing token j changes a row before j (a leak)."""
    j = data.draw(st.integers(0, n_tokens - 1))
    rng = np.random.default_rng(seed)
    X, W = rng.normal(size=(n_tokens, 4)), rng.normal(size=(3, 4, 3))
    changed = X.copy()
    changed[j] += 100 * rng.normal(size=4)
    for a, b in zip(
        self_attention(X, *W, mask=causal_mask(n_tokens)),
        self_attention(changed, *W, mask=causal_mask(n_tokens)),
        strict=True,
    ):
        assert np.array_equal(a[:j], b[:j]), "an earlier row changed"


@given(seeds, st.tuples(st.integers(1, 3), st.integers(1, 3)))
def test_leading_axes_are_a_loop(seed, lead):
    """Red: batches or heads leak into each other."""
    Q, K, V = random_QKV(seed, lead=lead)
    mask = np.random.default_rng(seed).random((*lead, 3, 4)) < 0.7
    output, weights = attention(Q, K[:1], V, mask=mask)  # K: one for the whole batch
    for b, h in np.ndindex(lead):
        alone = attention(Q[b, h], K[0, h], V[b, h], mask=mask[b, h])
        assert_close(output[b, h], alone[0], 1e-12)
        assert_close(weights[b, h], alone[1], 1e-12)


@given(
    st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=1),
    st.lists(st.integers(-9, 9), min_size=3, max_size=3),
)
def test_integers_and_floats_give_the_same(rows, query):
    """Red: whole numbers are treated in a different way when they come as integers."""
    whole = attention([query], rows, rows)
    floats = attention(np.array([query], float), np.array(rows, float), rows)
    for a, b in zip(whole, floats, strict=True):
        assert np.array_equal(a, b)
