"""Small inputs that broke other people's attention, each with its right value.

The faults are public; the issue named in a docstring tells the story. Where a wrong
answer is well known, the test computes it, too, to show that the input tells right from
wrong. Faults of pictures, sliders, notebooks and set-up are in the files named so.
"""

import numpy as np
import pytest

from helpers import attention, attention_scores, causal_mask, project, softmax
from helpers.training import cross_entropy

# The base case. Q Kᵀ is not symmetric, because a symmetric one hides a transpose; the
# last row is the same with and without the causal mask, so a leak shows in row 0 only.
Q = np.array([[1, 0], [0, 1], [1, 1]])
K = np.array([[1, 1], [0, 1], [2, 0]])
V = np.array([[1, 2], [3, 4], [5, 6]])
W = np.array(
    [
        [0.2839954097, 0.1400292450, 0.5759753452],
        [0.4011120927, 0.4011120927, 0.1977758146],
        [0.4011120927, 0.1977758146, 0.4011120927],
    ]
)
O = np.array([[3.5839598709, 4.5839598709], [2.5933274439, 3.5933274439], [3, 4]])  # noqa: E741
CAUSAL_W = np.array([[1, 0, 0], [0.5, 0.5, 0], W[2]])
CAUSAL_O = np.array([[1, 2], [2, 3], [3, 4]])


def same(ours, right):
    """Agree to the ten digits that are written here."""
    ours, right = np.asarray(ours), np.asarray(right)
    return ours.shape == right.shape and bool((abs(ours - right) <= 1e-9).all())


def plain_softmax(scores, axis=-1):
    """Softmax without its maximum, for the wrong ways."""
    exps = np.exp(scores)
    return exps / exps.sum(axis=axis, keepdims=True)


def test_the_base_case():
    """Red: three tokens, two dimensions, and already another output."""
    output, weights = attention(Q, K, V)
    assert same(attention_scores(Q, K, scale=1), [[1, 0, 2], [1, 1, 0], [2, 1, 2]])
    assert same(weights, W)
    assert same(output, O)


@pytest.mark.parametrize(
    ("scores", "right"),
    [
        ([1000, 1001, 1002], [0.0900305732, 0.2447284711, 0.6652409558]),
        ([-1000, -1001, -1002], [0.6652409558, 0.2447284711, 0.0900305732]),
        ([-10000, -10000], [0.5, 0.5]),  # a maximum cut off at 0 gives NaN
        ([[0, 0], [1000, 1000]], [[0.5, 0.5]] * 2),  # one maximum for all: row 0 is NaN
        ([1e308, -1e308], [1, 0]),
    ],
)
def test_softmax_of_large_scores(scores, right):
    """Red: softmax overflows (Open-Deep-ML/DML-OpenProblem#406, FluxML/NNlib.jl#43)."""
    assert same(softmax(scores), right)
    if np.max(scores) == 1002:
        with np.errstate(all="ignore"):
            assert np.isnan(plain_softmax(scores)).all()


def test_softmax_of_an_infinite_score():
    """Red: +∞ passes as a quiet NaN (scipy/scipy#23225); the course refuses it."""
    with pytest.raises(ValueError, match=r"\+inf"):
        softmax([1, 1, np.inf])
    assert same(softmax([1, 1, -np.inf]), [0.5, 0.5, 0])


def test_softmax_runs_along_the_keys():
    """Red: columns sum to 1, not rows (nerminnuraydogan/vision-transformer#1)."""
    scores = attention_scores(Q, K)
    _, weights = attention(Q, K, V)
    assert same(weights.sum(axis=1), [1, 1, 1])
    along_queries = plain_softmax(scores, axis=0)
    assert same(along_queries.sum(axis=1), [0.8918391670, 0.7577506227, 1.3504102103])
    no_keepdims = np.exp(scores) / np.exp(scores).sum(axis=1)
    assert same(no_keepdims.sum(axis=1), [0.8828833171, 0.7826245645, 1.3781995306])


def test_values_are_summed_over_the_keys():
    """Red: right weights, but values summed over the queries (ok1zjf/VASNet#25)."""
    output, weights = attention(Q, K, V)
    assert not same(output, weights.T @ V)
    wrong = [[3.4928921512, 4.5791117463], [2.3322445963, 3.0711617486]]
    assert same((weights.T @ V)[:2], wrong)
    constant = np.tile([7, -2], (3, 1))
    assert same(attention(Q, K, constant)[0], constant)


def test_a_query_that_sees_nothing():
    """Red: it gets NaN, or looks evenly at what it may not see (pytorch#103963)."""
    mask = causal_mask(3)
    mask[1] = False
    for hidden in (mask, np.where(mask, 0, -np.inf)):
        output, weights = attention(Q, K, V, mask=hidden)
        assert same(weights, [CAUSAL_W[0], [0, 0, 0], CAUSAL_W[2]])
        assert same(output, [CAUSAL_O[0], [0, 0], CAUSAL_O[2]])


def test_true_in_a_mask_means_may_attend():
    """Red: the mask is read the other way round (rasbt/LLMs-from-scratch#1061)."""
    output, weights = attention(Q, K, V, mask=causal_mask(3))
    assert same(weights, CAUSAL_W)
    assert same(output, CAUSAL_O)
    _, wrong = attention(Q, K, V, mask=~causal_mask(3))
    assert same(wrong, [[0, 0.1955703175, 0.8044296825], [0, 0, 1], [0, 0, 0]])


@pytest.mark.parametrize(
    ("dtype", "size"),
    [
        (np.float16, 300),
        (np.float16, 6e4),
        (np.float32, 3e19),
        (np.float32, 3e38),
        (np.float64, 3e160),
        (np.float64, 1e308),
    ],
)
@pytest.mark.parametrize("sign", [-1, 1])
def test_a_score_that_overflows_is_no_hidden_key(dtype, size, sign):
    """Red: Q Kᵀ is −∞ and counts as hidden, or +∞ that nobody gave (tinygrad#4985)."""
    Q = np.array([[size]], dtype)
    K = sign * np.array([[size], [0.9 * size]], dtype)
    with pytest.raises(OverflowError, match=rf"Q Kᵀ leaves .* {np.dtype(dtype)}$"):
        attention(Q, K, np.array([[1], [9]], dtype))
    small = attention(Q / dtype(size), K, np.array([[1], [9]], dtype))
    assert same(small[1], [[0, 1]] if sign < 0 else [[1, 0]]) or dtype is np.float16


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: project([[1e200]], [[1e200]], [[1]], [[1]]), "X Wq leaves the range"),
        (lambda: project([[2.0, 2]], [[1], [1]], [[9e307]] * 2, [[1], [1]]), "X Wk"),
        (lambda: attention_scores([[1e200]], [[1]], scale=1e200), "scale"),
        (lambda: attention_scores(np.float32([[2]]), [[1]], scale=1e300), "scale"),
    ],
)
def test_a_product_that_overflows_names_its_factors(call, words):
    """Red: the result is ∞, or the error leaves open which numbers are too large."""
    with pytest.raises(OverflowError, match=words):
        call()


def test_a_loss_larger_than_any_logarithm():
    """Red: the loss is ∞, since e⁻¹⁰⁰⁰ is 0 (karpathy/llm.c#68)."""
    assert cross_entropy([[1000, 0]], [1])[0] == 1000
    assert cross_entropy([[0, -5000, 1000]], [1])[0] == 6000
    assert cross_entropy([[1e300, 1e300]], [1])[0] == np.log(2)
    assert cross_entropy([[0, 800], [0, 0]], [0, 1])[0] == (800 + np.log(2)) / 2
    with pytest.raises(OverflowError, match="logits"):
        cross_entropy([[1e308, -1e308]], [1])


LOGITS = [[1, 0], [0, 3]]


@pytest.mark.parametrize(
    ("target", "kind", "words"),
    [
        ([[1], [0]], ValueError, r"target has shape \(2, 1\); it needs shape \(2,\)"),
        (np.eye(2, dtype=int), ValueError, r"target has shape \(2, 2\)"),
        ([True, False], TypeError, "target has dtype bool; it needs whole numbers"),
        ([1.0, 0.0], TypeError, "target has dtype float64"),
        (["1", "0"], TypeError, "target has dtype <U1"),
        (1, ValueError, r"target has shape \(\)"),
        ([], ValueError, r"target has shape \(0,\)"),
        ([1, 0, 0], ValueError, r"target has shape \(3,\)"),
        ([1, 2], ValueError, "target holds 2; each has to lie between 0 and 1"),
        ([-1, 0], ValueError, "target holds -1"),
        ([[1, 0], [1]], ValueError, "target has rows of different lengths"),
        (np.ma.array([1, 0], mask=[0, 1]), ValueError, "target has masked entries"),
    ],
)
def test_what_is_no_class_is_refused(target, kind, words):
    """Red: classes of another shape or kind give another loss (tensorflow#18651)."""
    with pytest.raises(kind, match=words):
        cross_entropy(LOGITS, target)


def test_classes_in_any_form():
    """Red: a list or a narrow type of classes is refused, or gives another loss."""
    for target in ([1, 0], (1, 0), np.array([1, 0], np.uint8), np.uint64([1, 0])):
        loss, dlogits = cross_entropy(LOGITS, target)
        assert same(loss, 2.1809245195)
        assert same(dlogits.sum(axis=1), [0, 0])
    for logits, needs in (
        ([1, 0], "2 axes"),
        (np.ones((2, 1, 2)), "n_classes"),
        (np.ones((0, 2)), "n_classes"),
        ([[np.inf, 0]] * 2, "finite"),
    ):
        with pytest.raises(ValueError, match=f"logits .*{needs}"):
            cross_entropy(logits, [1, 0])


def test_masked_entries_are_not_taken_for_numbers():
    """Red: NumPy's mask is dropped, and what it hides is summed (numpy#26669)."""
    hidden = np.ma.array([1, 2, 3], mask=[0, 0, 1])
    values = np.ma.array(V, mask=[[0, 0], [0, 0], [0, 1]])
    masks = np.ma.array(causal_mask(3), mask=np.eye(3))
    for call in (
        lambda: softmax(hidden),
        lambda: softmax([hidden, hidden]),
        lambda: attention(Q, K, values),
        lambda: attention(Q, K, V, mask=masks),
        lambda: softmax(np.ma.masked_invalid([1, np.nan])),
        lambda: project(Q, V[:2], V[:2], np.ma.masked_equal(V[:2], 4)),
    ):
        with pytest.raises(ValueError, match="masked entries"):
            call()
    assert same(softmax(np.ma.array([1, 2, 3]).filled(0)), softmax([1, 2, 3]))


def test_a_mask_of_integers_is_refused():
    """Red: 0 and 1 are added to the scores, or multiplied (diffusers#14342, tsai#171).

    Both give a third answer without a word; so does a filler near zero.
    """
    ones = causal_mask(3).astype(int)
    with pytest.raises(TypeError, match="mask"):
        attention(Q, K, V, mask=ones)
    scores = attention_scores(Q, K)
    added, multiplied = softmax(scores + ones)[0], softmax(scores * ones)[0]
    assert same(added, [0.5188089945, 0.0941066777, 0.3870843278])
    assert same(multiplied, [0.5034898435, 0.2482550783, 0.2482550783])
    after = (softmax(scores) * ones).sum(axis=1)  # and not rescaled
    assert same(after, [0.2839954097, 0.8022241854, 1])
    # As floats they are no clearer; the error names both ways to say what is meant.
    with pytest.raises(ValueError, match=r"mask == 1 .* mask - 1 "):
        attention(Q, K, V, mask=ones.astype(float))
    assert same(attention(Q, K, V, mask=ones == 1)[1], CAUSAL_W)
    assert same(attention(Q, K, V, mask=ones - 1.0)[1][0], added)


def test_scores_are_divided_by_the_root_of_the_key_width():
    """Red: the scale comes from another width, or multiplies (vit-pytorch#65).

    Model width 64, 4 heads of width 16, raw dot products 4, 0, 0.
    """
    keys = np.zeros((3, 16))
    keys[0, 0] = 4
    query = np.eye(1, 16)
    _, weights = attention(query, keys, np.eye(3))
    assert same(weights, [[0.5761168848, 0.2119415576, 0.2119415576]])
    _, model_width = attention(query, keys, np.eye(3), scale=1 / 8)
    assert same(model_width, [[0.4518627619, 0.2740686191, 0.2740686191]])
    _, multiplied = attention(query, keys, np.eye(3), scale=4.0)
    assert same(multiplied, [[0.9999997749, 1.125e-07, 1.125e-07]])
    _, query_first = attention(query / 4, keys, np.eye(3), scale=1)
    assert same(query_first, weights)


def test_padding_hides_keys_not_queries():
    """Red: the padding mask lies on the wrong axis (hyunwoongko/transformer#40).

    A batch of three sentences with 3, 2 and 1 tokens: the mask has one row for all
    queries.
    """
    real = np.arange(3) < np.array([[3], [2], [1]])
    batch = [np.stack([x] * 3) for x in (Q, K, V)]
    _, weights = attention(*batch, mask=real[:, None, :])
    two = [0.6697615493, 0.3302384507, 0]
    assert same(weights[0], W)
    assert same(weights[1], [two, [0.5, 0.5, 0], two])
    assert same(weights[2], [[1, 0, 0]] * 3)
    with pytest.raises(ValueError, match=r"mask has shape \(3, 3, 1\)"):
        attention(*batch, mask=real[:, :, None])


def test_whole_numbers_and_the_callers_array():
    """Red: integers give zeros, or the argument is changed (scikit-learn#11226)."""
    scores = np.array([[2, 1, 0]])
    before = scores.copy()
    first, second = softmax(scores), softmax(scores)
    assert same(first, [[0.6652409558, 0.2447284711, 0.0900305732]])
    assert first.dtype == np.float64
    assert np.array_equal(first, second)
    assert np.array_equal(scores, before)
