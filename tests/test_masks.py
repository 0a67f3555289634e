"""Padding masks, both masks at once, and work that is cut into pieces.

The causal mask alone is in test_core.py, single public faults in
test_failing_inputs.py.
"""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import attention, causal_mask, padding_mask, softmax
from helpers.block import NAMES, block, block_backward
from helpers.heads import multi_head_attention

from .test_core import CASES, TORCH, assert_close, random_QKV

PADDED = [c for c in CASES if c.get("mask") == "key_padding"]
seeds = st.integers(0, 2**32 - 1)


# ---- padding_mask


@pytest.mark.parametrize(
    ("lengths", "n_keys", "right"),
    [
        ([3, 2, 1], 3, ["111", "110", "100"]),
        ([0, 2], 2, ["00", "11"]),
        (np.array([1], np.uint8), np.int64(3), ["100"]),
        ([0, 0], 0, ["", ""]),
    ],
)
def test_padding_mask(lengths, n_keys, right):
    """Red: a real key is hidden, or padding is in sight; or the shape is another."""
    mask = padding_mask(lengths, n_keys)
    assert mask.dtype == bool and mask.shape == (len(right), 1, n_keys)
    assert ["".join("01"[seen] for seen in row) for row in mask[:, 0].tolist()] == right


def test_padding_mask_of_an_empty_batch():
    """Red: an empty list counts as floats, and is refused."""
    for lengths in ([], np.array([], int)):
        mask = padding_mask(lengths, 3)
        assert mask.dtype == bool and mask.shape == (0, 1, 3)


def test_padding_mask_leaves_its_argument_alone():
    """Red: the lengths are changed, or the mask shares memory with them."""
    lengths = np.array([2, 1])
    lengths.flags.writeable = False
    padding_mask(lengths, 3)[...] = False
    assert lengths.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("lengths", "n_keys", "kind", "words"),
    [
        ([1.0, 2.0], 3, TypeError, ["lengths", "float64", "whole numbers"]),
        ([True, False], 3, TypeError, ["lengths", "bool", "whole numbers"]),
        (["2"], 3, TypeError, ["lengths", "<U1", "whole numbers"]),
        (2, 3, ValueError, ["lengths", "()", "(batch,)"]),
        ([[1, 2]], 3, ValueError, ["lengths", "(1, 2)", "(batch,)"]),
        ([[1], [1, 2]], 3, ValueError, ["lengths", "different lengths"]),
        ([2, 4], 3, ValueError, ["lengths holds 4", "between 0 and 3"]),
        ([-1], 3, ValueError, ["lengths holds -1", "between 0"]),
        ([1], 3.0, TypeError, ["n_keys", "3.0", "whole number"]),
        ([1], -1, ValueError, ["n_keys", "-1", "at least 0"]),
    ],
)
def test_errors_of_padding_mask(lengths, n_keys, kind, words):
    """Red: a wrong argument is accepted, or its message does not help to find it."""
    with pytest.raises(kind) as caught:
        padding_mask(lengths, n_keys)
    assert all(word in str(caught.value) for word in words), caught.value


@pytest.mark.parametrize("case", PADDED, ids=lambda case: case["name"])
def test_padding_mask_is_the_one_pytorch_was_given(case):
    """Red: padding_mask hides other keys than PyTorch's reference did."""
    name = case["name"]
    Q, K, V, given = (TORCH[f"{name}/{x}"] for x in ("Q", "K", "V", "attn_mask"))
    keys = given.reshape(-1, given.shape[-1])
    lengths = keys.sum(axis=-1)
    assert np.array_equal(padding_mask(lengths, keys.shape[-1])[:, 0], keys)
    mask = padding_mask(lengths, keys.shape[-1]).reshape(given.shape)
    output, weights = attention(Q, K, V, mask=mask, scale=case["scale"])
    assert_close(output, TORCH[f"{name}/out"], 1e-10, "output")
    assert_close(weights, TORCH[f"{name}/weights"], 1e-10, "weights")


def test_there_is_a_case_with_padding():
    """Red: the case was lost from tests/data, and the test above is empty."""
    assert PADDED


# ---- properties


@given(seeds, st.lists(st.integers(1, 5), min_size=1, max_size=4), st.booleans())
def test_a_padded_sentence_is_the_short_one(seed, lengths, causal):
    """Red: padding changes what a sentence of the batch gives alone."""
    Q, K, V = random_QKV(seed, lead=(len(lengths),), n_q=5, n_k=5)
    mask = padding_mask(lengths, 5)
    if causal:
        mask = mask & causal_mask(5)
    output, weights = attention(Q, K, V, mask=mask)
    for b, n in enumerate(lengths):
        alone = attention(
            Q[b, :n], K[b, :n], V[b, :n], mask=causal_mask(n) if causal else None
        )
        assert_close(output[b, :n], alone[0], 1e-12)
        assert_close(weights[b, :n, :n], alone[1], 1e-12)
        assert not weights[b, :, n:].any()


@given(seeds, st.lists(st.integers(0, 5), min_size=1, max_size=4))
def test_padding_is_not_felt_to_the_last_bit(seed, lengths):
    """Red: a key or value of the padding reaches an output."""
    Q, K, V = random_QKV(seed, lead=(len(lengths),), n_q=3, n_k=5)
    mask = padding_mask(lengths, 5)
    before, _ = attention(Q, K, V, mask=mask)
    padding = ~mask.swapaxes(-1, -2)  # (batch, n_keys, 1)
    after, _ = attention(
        Q, np.where(padding, 99, K), np.where(padding, -1e9, V), mask=mask
    )
    assert np.array_equal(before, after)


@given(seeds, st.integers(1, 7), st.sets(st.integers(1, 6)))
def test_in_pieces_as_at_once(seed, n, cuts):
    """Red: with fewer queries than keys they are no longer the newest tokens."""
    Q, K, V = random_QKV(seed, n_q=n, n_k=n)
    whole, _ = attention(Q, K, V, mask=causal_mask(n))
    ends = [0, *sorted(c for c in cuts if c < n), n]
    pieces = [
        attention(Q[a:b], K[:b], V[:b], mask=causal_mask(b - a, b))[0]
        for a, b in pairwise(ends)
    ]
    assert_close(np.concatenate(pieces), whole, 1e-12)


# ---- masks with two meanings, or one that nobody wants


def in_attention(mask):
    return attention(*random_QKV(7, lead=(3,), n_q=3, n_k=3), mask=mask)[1]


def in_heads(mask):
    return heads_and_block(lambda x, P: multi_head_attention(x, P, 2, mask=mask)[1])


def in_block(mask):
    return heads_and_block(lambda x, P: block(x, P, 2, mask=mask)[1])


def in_block_backward(mask):
    return heads_and_block(lambda x, P: block_backward(x, P, 2, x, mask=mask))


def heads_and_block(call):
    P = {name: np.eye(4) if name[0] == "W" else np.ones(4) for name in NAMES}
    return call(np.random.default_rng(7).normal(size=(3, 3, 4)), P)


DOORS = (in_attention, in_heads, in_block, in_block_backward)
LOWER = np.tril(np.ones((3, 3)))


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("mask", "kind", "words"),
    [
        # One key would stand for all.
        (causal_mask(1), ValueError, r"mask has shape \(1, 1\).*other than the last"),
        (np.ones((3, 1), bool), ValueError, r"mask has shape \(3, 1\)"),
        (np.zeros((1, 1)), ValueError, r"mask has shape \(1, 1\)"),
        # 1 for "may attend", or 1 more for the score?
        (LOWER, ValueError, r"mask holds 0 and 1 alone.*mask == 1 .*mask - 1 "),
        (1 - LOWER.astype(np.float32), ValueError, "mask holds 0 and 1 alone"),
        (np.array([[0.0, 1, 1]]), ValueError, "mask holds 0 and 1 alone"),
        (-0.0 * LOWER + np.eye(3), ValueError, "mask holds 0 and 1 alone"),
        (np.full((3, 3), 1e309), ValueError, r"mask holds NaN or \+inf as float64"),
        (LOWER.astype(int), TypeError, "mask has dtype int"),
        (LOWER.astype(object), TypeError, "mask has dtype object"),
        (np.ma.array(LOWER == 1, mask=LOWER), ValueError, "mask has masked entries"),
        ([[True] * 3] * 2, ValueError, r"mask has shape \(2, 3\)"),
        ([[True] * 3, [True]], ValueError, "mask has rows of different lengths"),
    ],
)
def test_a_mask_that_can_only_be_a_slip_is_refused(door, mask, kind, words):
    """Red: it is stretched or added without a word (xformers#1135, transformers#28215).

    Every function that takes a mask has the same door.
    """
    with pytest.raises(kind, match=words):
        door(mask)


@pytest.mark.parametrize("door", DOORS[:3])
@pytest.mark.parametrize(
    ("mask", "same"),
    [
        (np.zeros((3, 3)), None),  # added, or nothing hidden: both say the same
        (np.ones((3, 3)), None),
        (np.zeros((1, 3)), None),
        (LOWER - 1, LOWER - 2),
        (LOWER == 1, np.where(LOWER, 0, -np.inf)),
        (causal_mask(1, 3), np.ones((3, 3), bool)),  # one row for all queries
        (np.array([[0, 1, 0.5]]), np.array([[0, 1, 0.5]] * 3)),
        ([[True, False, True]], [[0, -np.inf, 0]]),
    ],
)
def test_a_mask_with_one_meaning_is_taken(door, mask, same):
    """Red: a mask is refused, or has another meaning than the one beside it."""
    assert_close(door(mask), door(same), 1e-12)


def test_one_key_may_have_one_column():
    """Red: with a single key the column that says so is refused."""
    Q, K, V = random_QKV(8, n_q=3, n_k=1)
    _, weights = attention(Q, K, V, mask=[[True], [False], [True]])
    assert weights.tolist() == [[1], [0], [1]]


def test_a_square_mask_is_always_queries_by_keys():
    """Red: what the docstrings name for one mask per sentence gives another."""
    real = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 0]], bool)
    square = in_attention(real)
    assert not square[:, 2, 1:].any(), "query 2 of every sentence sees token 0 alone"
    per_sentence = in_attention(real[:, None])
    assert not per_sentence[2, :, 1:].any() and per_sentence[0].all()
    assert np.array_equal(in_attention(padding_mask([3, 2, 1], 3)), per_sentence)
    heads = in_heads(padding_mask([3, 2, 1], 3)[:, None])
    assert not heads[2, :, :, 1:].any() and heads[0].all()


# ---- the fillers that are not −∞


@pytest.mark.parametrize("size", [1e9, 1e300])
def test_a_mask_hides_below_scores_of_any_size(size):
    """Red: a hidden key gets −1e9 or so, and lies above the scores that are seen."""
    K = [[-2 * size], [-3 * size], [-size / 2]]
    _, weights = attention([[1]], K, np.eye(3), mask=[[True, True, False]], scale=1)
    assert weights.tolist() == [[1, 0, 0]]
    finite = softmax([-2 * size, -3 * size, -size])
    assert finite.tolist() == [0, 0, 1], "the input tells right from wrong"


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_blind_query_gets_zeros_in_every_width(dtype):
    """Red: in some width a row that sees nothing has NaN or an even spread."""
    Q, K, V = random_QKV(3, dtype=dtype)
    for mask in (np.zeros((1, 4), bool), np.full((3, 4), -np.inf)):
        output, weights = attention(Q, K, V, mask=mask)
        assert not output.any() and not weights.any()


def test_the_error_of_a_mask_without_an_axis_for_the_heads_says_where_it_goes():
    """Red: one mask per sentence and several heads; the error leaves it a riddle."""
    Q, K, V = random_QKV(4, lead=(2, 5))
    mask = np.ones((2, 3, 4), bool)
    hint = r"and several heads: mask\[:, None\]\)"
    with pytest.raises(ValueError, match=hint):
        attention(Q, K, V, mask=mask)
    with pytest.raises(ValueError, match=r"at least 2 axes$"):
        attention(Q, K, V, mask=mask[..., :3])  # no axis helps here
