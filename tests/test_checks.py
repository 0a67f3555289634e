"""The checks of the exercises: right answers pass, and each mistake gets its name."""

import ast
import contextlib
import io
import math
import re
import sys
import threading
import time
import tokenize
from itertools import pairwise

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

from helpers import checks, progress, solutions
from helpers.catalogue import EXERCISES
from helpers.checks import CHANGED, FOR_TAG, check, judge
from helpers.exercises import Case
from helpers.language import WIDTH, columns

from .conftest import TOP
from .test_questions import BANNED

NAMES = pytest.mark.parametrize("name", EXERCISES)


def solution(name):
    found = solutions.solution(name)
    return found if EXERCISES[name].cases else found()


def printed(call, *args):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        call(*args)
    return out.getvalue()


# ---- right answers


@NAMES
def test_the_solution_is_accepted(name):
    """Red: the printed solution does not pass its own check."""
    verdict = judge(name, solution(name))
    assert verdict.kind == "right", verdict.text
    assert EXERCISES[name].means in verdict.text.replace("\n", " ")


def over_batch(function):
    """Let a function for one matrix take a batch, one by one."""

    def batched(*args):
        if max(np.ndim(x) for x in args) < 3:
            return function(*args)
        n = max(len(x) for x in args if np.ndim(x) == 3)
        each = [[x[i] if np.ndim(x) == 3 else x for x in args] for i in range(n)]
        found = [function(*args) for args in each]
        if isinstance(found[0], tuple):
            return tuple(np.stack(parts) for parts in zip(*found, strict=True))
        return np.stack(found)

    return batched


def softmax_loops(scores):
    if np.ndim(scores) > 1:
        return [softmax_loops(row) for row in scores]
    exps = [np.exp(s - max(scores)) for s in scores]
    return [e / sum(exps) for e in exps]


def softmax_float32(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exps = np.exp(shifted.astype(np.float32))
    return exps / exps.sum(-1, keepdims=True)


def softmax_log(scores):
    top = scores.max(-1, keepdims=True)
    return np.exp(scores - top - np.log(np.exp(scores - top).sum(-1, keepdims=True)))


def softmax_keys_first(scores):
    moved = np.moveaxis(scores, -1, 0)
    exps = np.exp(moved - moved.max(axis=0))
    return np.moveaxis(exps / exps.sum(axis=0), 0, -1)


def softmax_own_copy(scores):
    scores = scores.astype(float)
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def softmax_epsilon(scores):
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / (exps.sum(axis=-1, keepdims=True) + 1e-9)


def scores_loops(Q, K):
    return np.array([[sum(q * k) / len(q) ** 0.5 for k in K] for q in Q])


def attention_einsum(X, Wq, Wk, Wv):
    Q, K, V = (np.einsum("...td,dk->...tk", X, W) for W in (Wq, Wk, Wv))
    weights = softmax_log(np.einsum("...qd,...kd->...qk", Q, K) * Q.shape[-1] ** -0.5)
    return np.einsum("...qk,...kv->...qv", weights, V), weights


def attention_scaled_queries(X, Wq, Wk, Wv):
    Q = X @ Wq / np.sqrt(Wq.shape[1])
    weights = softmax_own_copy(Q @ (X @ Wk).swapaxes(-1, -2))
    return [weights @ (X @ Wv), weights]


def attention_float32(*given):
    return attention_einsum(*(x.astype(np.float32) for x in given))


def attention_values_last(X, Wq, Wk, Wv):
    _, weights = attention_einsum(X, Wq, Wk, Wv)
    return (weights @ X) @ Wv, weights


def attention_loops(X, Wq, Wk, Wv):
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    weights = np.array(softmax_loops(scores_loops(Q, K)))
    rows = [sum(w * v for w, v in zip(row, V, strict=True)) for row in weights]
    return np.array(rows), weights


def dscores_jacobian(w, g):
    J = np.diag(w) - np.outer(w, w)
    return J @ g


def backward_einsum(Q, K, V, w, d):
    root = Q.shape[-1] ** 0.5
    g = np.einsum("...qv,...kv->...qk", d, V)
    s = (w * g - w * np.einsum("...qk,...qk->...q", w, g)[..., None]) / root
    return (
        np.einsum("...qk,...kd->...qd", s, K),
        np.einsum("...qk,...qd->...kd", s, Q),
        np.einsum("...qk,...qv->...kv", w, d),
    )


def mask_by_loops(n):
    return [[j <= i for j in range(n)] for i in range(n)]


def masked_large_filler(scores, mask):
    return softmax_log(scores + np.where(mask, 0, -1e9))


def masked_renormalised(scores, mask):
    weights = softmax_log(scores) * mask
    return weights / weights.sum(-1, keepdims=True)


def hide_by_delete(scores, key):
    rest = softmax_log(np.delete(scores, key, axis=-1))
    return np.insert(rest, key, 0, axis=-1)


def heads_start(x, h):
    return range(0, x.shape[1], x.shape[1] // h)


def multi_head_einsum(X, Wq, Wk, Wv, Wo, h):
    """Give the matrices an axis of heads instead of Q, K and V."""
    Q, K, V = (
        np.einsum("...td,dhk->...htk", X, W.reshape(len(W), h, -1))
        for W in (Wq, Wk, Wv)
    )
    scores = np.einsum("...qd,...kd->...qk", Q, K) * Q.shape[-1] ** -0.5
    heads = softmax_log(scores) @ V
    return np.einsum("...htk,hkm->...tm", heads, Wo.reshape(h, -1, Wo.shape[1]))


def multi_head_loops(X, Wq, Wk, Wv, Wo, h):
    blocks = [np.split(X @ W, h, axis=1) for W in (Wq, Wk, Wv)]
    heads = [
        np.array(softmax_loops(scores_loops(Q, K))) @ V
        for Q, K, V in zip(*blocks, strict=True)
    ]
    return np.concatenate(heads, axis=1) @ Wo


def loss_epsilon(small):
    """Add a small number, lest the logarithm of 0 is taken."""
    return lambda w, T: -np.log((w * T).sum(-1) + small).mean()


def variance_loops(Q, K):
    pairs = zip(Q, K, strict=True)
    dots = [sum(a * b for a, b in zip(q, k, strict=True)) for q, k in pairs]
    mean = sum(dots) / len(dots)
    return sum((dot - mean) ** 2 for dot in dots) / len(dots)


def entropy_loops(weights):
    if np.ndim(weights) > 1:
        return [entropy_loops(row) for row in weights]
    return sum(w * np.log(1 / w) for w in weights if w > 0)


def codes_by_loops(n, d):
    wave = math.sin, math.cos
    return [
        [wave[j % 2](t / 10000 ** (2 * (j // 2) / d)) for j in range(d)]
        for t in range(n)
    ]


def codes_by_slices(n, d):
    codes = np.zeros((n, d))
    angles = np.outer(np.arange(n), np.exp(-np.log(10000) * np.arange(0, d, 2) / d))
    codes[:, 0::2] = np.sin(angles)
    codes[:, 1::2] = np.cos(angles)[:, : d // 2]
    return codes


def codes_by_complex_numbers(n, d):
    pairs = (d + 1) // 2
    turns = np.exp(1j * np.outer(np.arange(n), 1e4 ** (-2 * np.arange(pairs) / d)))
    return np.dstack([turns.imag, turns.real]).reshape(n, 2 * pairs)[:, :d]


def rotate_by_matrices(x, positions):
    d = x.shape[-1]
    result = np.zeros(x.shape)
    for row, t in enumerate(positions):
        R = np.zeros((d, d))
        for i in range(d // 2):
            angle, other = t / 10000 ** (2 * i / d), i + d // 2
            R[i, i] = R[other, other] = np.cos(angle)
            R[i, other], R[other, i] = -np.sin(angle), np.sin(angle)
        result[..., row, :] = np.einsum("de,...e->...d", R, x[..., row, :])
    return result


def rotate_by_complex_numbers(x, positions):
    half = x.shape[-1] // 2
    points = x[..., :half] + 1j * x[..., half:]
    points = points * np.exp(1j * np.outer(positions, 1e4 ** (-np.arange(half) / half)))
    return np.concatenate([points.real, points.imag], axis=-1)


def rotate_half(x, positions):
    """Turn as many libraries do, with a second array of swapped halves."""
    half = x.shape[-1] // 2
    angles = np.outer(positions, np.tile(1e4 ** (-np.arange(half) / half), 2))
    swapped = np.concatenate([-x[..., half:], x[..., :half]], axis=-1)
    return x * np.cos(angles) + swapped * np.sin(angles)


def layer_norm_loops(x, gamma, beta, eps):
    if np.ndim(x) > 1:
        return [layer_norm_loops(row, gamma, beta, eps) for row in x]
    mean = sum(x) / len(x)
    root = (sum((a - mean) ** 2 for a in x) / len(x) + eps) ** 0.5
    parts = zip(x, gamma, beta, strict=True)
    return [(a - mean) / root * c + d for a, c, d in parts]


def norm_backward_jacobian(x, gamma, doutput, eps):
    """Multiply by the whole derivative of x̂ by x, token by token."""
    if np.ndim(x) > 1:
        triples = zip(x, doutput, strict=True)
        return np.array([norm_backward_jacobian(a, gamma, d, eps) for a, d in triples])
    n, root = len(x), np.sqrt(np.var(x) + eps)
    hat = (x - np.mean(x)) / root
    J = (np.eye(n) - 1 / n - np.outer(hat, hat) / n) / root
    return J.T @ (gamma * doutput)


def norm_backward_sums(x, gamma, doutput, eps):
    n, g = x.shape[-1], doutput * gamma
    var = x.var(-1, keepdims=True) + eps
    away = x - x.sum(-1, keepdims=True) / n
    dvar = (g * away).sum(-1, keepdims=True) * -0.5 * var**-1.5
    dmean = -g.sum(-1, keepdims=True) / np.sqrt(var)
    return g / np.sqrt(var) + dvar * 2 * away / n + dmean / n


ALSO_RIGHT = {
    "project_one": [
        lambda x, W: np.einsum("m,mk->k", x, W),
        lambda x, W: W.T @ x,
        lambda x, W: (x[:, None] * W).sum(axis=0),
        lambda x, W: [sum(a * b for a, b in zip(x, c, strict=True)) for c in W.T],
        lambda x, W: x.astype(np.float32) @ W.astype(np.float32),
    ],
    "project": [
        lambda X, *W: [np.einsum("...td,dk->...tk", X, w) for w in W],
        lambda X, *W: tuple((X @ np.hstack(W))[..., s] for s in slices(W)),
        lambda X, *W: tuple(X.astype(np.float32) @ w.astype(np.float32) for w in W),
        over_batch(lambda X, *W: tuple(np.array([x @ w for x in X]) for w in W)),
    ],
    "scores": [
        lambda Q, K: np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(Q.shape[-1]),
        lambda Q, K: (Q / Q.shape[-1] ** 0.5) @ np.moveaxis(K, -1, -2),
        lambda Q, K: (
            (Q[..., :, None, :] * K[..., None, :, :]).sum(-1) * K.shape[-1] ** -0.5
        ),
        over_batch(scores_loops),
        lambda Q, K: (Q @ K.mT).astype(np.float32) / np.float32(Q.shape[-1] ** 0.5),
    ],
    "best_key": [
        lambda scores: [int(np.argmax(row)) for row in scores],
        lambda scores: np.argsort(scores, axis=1)[:, -1],
        lambda scores: [max(range(len(r)), key=lambda j: r[j]) for r in scores],
    ],
    "softmax": [
        softmax_loops,
        softmax_float32,
        softmax_log,
        softmax_keys_first,
        softmax_own_copy,
        softmax_epsilon,
    ],
    "hide_key": [hide_by_delete],
    "mix": [
        lambda w, V: np.einsum("...qk,...kv->...qv", w, V),
        over_batch(
            lambda w, V: np.array(
                [sum(a * v for a, v in zip(r, V, strict=True)) for r in w]
            )
        ),
        lambda w, V: (V.swapaxes(-1, -2) @ w.swapaxes(-1, -2)).swapaxes(-1, -2),
        lambda w, V: (w[..., None] * V[..., None, :, :]).sum(axis=-2),
        lambda w, V: w.astype(np.float32) @ V.astype(np.float32),
    ],
    "self_attention": [
        attention_einsum,
        attention_scaled_queries,
        attention_float32,
        attention_values_last,
        over_batch(attention_loops),
    ],
    "causal_mask": [
        mask_by_loops,
        lambda n: np.tril(np.ones((n, n), dtype=bool)),
        lambda n: ~np.triu(np.ones((n, n), dtype=bool), k=1),
        lambda n: np.arange(n) <= np.arange(n)[:, None],
    ],
    "masked_weights": [masked_large_filler, masked_renormalised],
    "loss": [
        lambda w, T: -(T * np.log(w)).sum() / len(w),
        lambda w, T: np.mean([-np.log(w[i, t.argmax()]) for i, t in enumerate(T)]),
        lambda w, T: -np.log(w[T == 1]).mean(),
        lambda w, T: np.float32(-np.log(w[T == 1]).mean()),
        *(loss_epsilon(small) for small in (1e-9, 1e-8, 1e-7)),
    ],
    "gradient_step": [
        lambda W, dW, rate: np.add(W, np.multiply(dW, -rate)),
        lambda W, dW, rate: [
            [w - rate * d for w, d in zip(*r, strict=True)]
            for r in zip(W, dW, strict=True)
        ],
    ],
    "wq_gradient": [
        lambda X, Wq, Wk, T: np.einsum(
            "tm,tj,jk->mk", X, (softmax_log(X @ Wq @ (X @ Wk).T) - T) / len(X), X @ Wk
        ),
        lambda X, Wq, Wk, T: (
            (X.T @ (softmax_log(X @ Wq @ Wk.T @ X.T) - T) @ X @ Wk) / X.shape[0]
        ),
    ],
    "softmax_backward": [
        over_batch(lambda w, g: np.array(list(map(dscores_jacobian, w, g)))),
        lambda w, g: w * g - w * np.einsum("...k,...k->...", w, g)[..., None],
        lambda w, g: (w * (g - (g * w).sum(-1)[..., None])).astype(np.float32),
    ],
    "attention_backward": [backward_einsum],
    "dwq": [
        lambda X, dQ: np.einsum("tm,tk->mk", X, dQ),
        lambda X, dQ: sum(np.outer(x, q) for x, q in zip(X, dQ, strict=True)),
        lambda X, dQ: (dQ.T @ X).T,
    ],
    "accuracy": [
        lambda logits, a: (
            sum(r.argmax() == c for r, c in zip(logits, a, strict=True)) / len(a)
        ),
        lambda logits, a: float(np.mean(np.argmax(logits, -1) == a)),
    ],
    "weight_on_right": [
        lambda w, place: np.mean([w[i, p] for i, p in enumerate(place)]),
        lambda w, place: np.take_along_axis(w, place[:, None], 1).mean(),
        lambda w, place: (w * np.eye(w.shape[1])[place]).sum() / len(w),
    ],
    "dlogits": [
        lambda logits, a: (
            np.array(
                [
                    softmax_log(r) - (np.arange(len(r)) == c)
                    for r, c in zip(logits, a, strict=True)
                ]
            )
            / len(a)
        ),
    ],
    "descent": [
        lambda P, G, rate: dict((k, P[k] + -rate * G[k]) for k in reversed(P)),
        lambda P, G, rate: {k: np.float32(W - rate * G[k]) for k, W in P.items()},
    ],
    "dot_variance": [
        lambda Q, K: np.einsum("nd,nd->n", Q, K).var(),
        lambda Q, K: np.var(np.diag(Q @ K.T)),
        lambda Q, K: ((Q * K).sum(1) ** 2).mean() - (Q * K).sum(1).mean() ** 2,
        variance_loops,
        lambda Q, K: np.float32((Q * K).sum(axis=1).var()),
    ],
    "entropy": [
        entropy_loops,
        lambda w: -np.nan_to_num(w * np.log(w)).sum(-1),
        lambda w: -(w * np.log(w + 1e-300)).sum(-1),
        lambda w: -np.einsum("...k,...k->...", w, np.log(np.maximum(w, 1e-30))),
        lambda w: np.log(np.where(w > 0, w**-w, 1).prod(-1)),
    ],
    "padding_mask": [
        lambda lengths, n: np.stack([[[j < m for j in range(n)]] for m in lengths]),
        lambda lengths, n: np.tri(n + 1, n, k=-1, dtype=bool)[lengths][:, None],
        lambda lengths, n: ~(np.arange(n)[None, None] >= lengths.reshape(-1, 1, 1)),
    ],
    "both_masks": [
        lambda lengths, q, k: [
            [[j <= i + k - q and j < m for j in range(k)] for i in range(q)]
            for m in lengths
        ],
        lambda lengths, q, k: (
            np.arange(k)
            < np.minimum(lengths[:, None], np.arange(k - q, k) + 1)[..., None]
        ),
        lambda lengths, q, k: np.logical_and(
            np.tril(np.ones((k, k), dtype=bool))[k - q :],
            (np.arange(k) < lengths[:, None])[:, None],
        ),
    ],
    "shifted_targets": [
        lambda tokens: (
            np.delete(tokens, -1, axis=-1),
            np.delete(tokens, 0, axis=-1),
        ),
        lambda tokens: [tokens[..., :-1], np.roll(tokens, -1, axis=-1)[..., :-1]],
    ],
    "add_positions": [
        lambda X, P: X + P[np.arange(X.shape[-2])],
        over_batch(lambda X, P: [x + p for x, p in zip(X, P, strict=False)]),
        lambda X, P: np.eye(X.shape[-2], len(P)) @ P + X,
    ],
    "sinusoidal": [codes_by_loops, codes_by_slices, codes_by_complex_numbers],
    "rotate": [rotate_by_matrices, rotate_by_complex_numbers, rotate_half],
    "layer_norm": [
        layer_norm_loops,
        lambda x, c, d, eps: (
            (x - x.mean(-1)[..., None])
            * (x.var(axis=-1, keepdims=True) + eps) ** -0.5
            * c
            + d
        ),
        lambda x, c, d, eps: np.float32(layer_norm_loops(x, c, d, eps)),
    ],
    "norm_backward": [norm_backward_jacobian, norm_backward_sums],
    "split_heads": [
        lambda x, h: np.array(np.split(x, h, axis=1)),
        lambda x, h: x.T.reshape(h, -1, len(x)).swapaxes(1, 2),
        lambda x, h: [x[:, i : i + x.shape[1] // h] for i in heads_start(x, h)],
        lambda x, h: np.moveaxis(x.reshape(*x.shape[:-1], h, -1), -2, -3),
    ],
    "multi_head": [
        multi_head_einsum,
        over_batch(multi_head_loops),
        lambda *args: multi_head_einsum(*(np.float32(x) for x in args[:-1]), args[-1]),
    ],
}


def slices(W):
    ends = np.cumsum([0, *(w.shape[1] for w in W)])
    return [slice(a, b) for a, b in pairwise(ends)]


@pytest.mark.parametrize(
    ("name", "answer"), [(n, a) for n, answers in ALSO_RIGHT.items() for a in answers]
)
def test_another_right_answer_is_accepted(name, answer):
    """Red: right numbers are refused because they were computed in another way."""
    verdict = judge(name, answer)
    assert verdict.kind == "right", verdict.text


def test_every_function_has_another_right_answer():
    """Red: an exercise was added whose check has only met its own solution."""
    assert set(ALSO_RIGHT) == {e.name for e in EXERCISES.values() if e.cases}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("query_shape", [5, 2]),
        ("query_entry", 12.0),
        ("code_entry", 0.479),
        ("turned_score", -7.0),
        ("two_scores", np.array([0.25, 0.75], dtype=np.float32)),
        ("scaled_score", np.float64(4)),
        ("score_gap", 0.1045),
        ("weight_ratio", 7.39),
        ("even_loss", 2.08),
        ("score_spread", 12.0),
        ("same_components", np.float32(4)),
        ("undo_scale", 25**0.5),
        ("visible_keys", 9.0),
        ("loss_floor", 1.386),
        ("rows_that_change", [3, 1, 2]),
        ("rows_that_change", {1, 2, 3}),
        ("rows_that_change", frozenset({1, 2, 3})),
        ("query_for_love", [5, 40, -5]),
        ("residual_slope", 0.512),
        ("norm_entry", np.float32(1.5)),
        ("block_count", 510.0),
    ],
)
def test_a_value_may_be_written_in_several_ways(name, value):
    """Red: a list, a float or a rounded number is refused."""
    verdict = judge(name, value)
    assert verdict.kind == "right", verdict.text


# ---- wrong answers


def in_place(function):
    """Spoil the first argument on the way out."""

    def spoil(first, *rest):
        result = function(first, *rest)
        for x in first.values() if isinstance(first, dict) else [first]:
            x += np.ones_like(x)
        return result

    return spoil


def truncated(function):
    """Put the result into an array like the first one: integers stay integers."""

    def truncate(first, *rest):
        result = function(first, *rest)
        cut = [np.asarray(x).astype(first.dtype) for x in as_tuple(result)]
        return tuple(cut) if isinstance(result, tuple) else cut[0]

    return truncate


def only_matrices(function):
    """Refuse a batch."""

    def limited(*args):
        if max(np.ndim(x) for x in args) > 2:
            raise ValueError("only for matrices")
        return function(*args)

    return limited


def as_tuple(x):
    return x if isinstance(x, tuple) else (x,)


def with_tag(tag):
    return [e.name for e in EXERCISES.values() if tag in [c.tag for c in e.cases]]


ARRAYS = [  # not the functions of whole numbers alone
    e.name
    for e in EXERCISES.values()
    if e.cases and not isinstance(e.cases[0].args[0], int)
]
LIKE_SECOND = "mix", "softmax_backward"
INTEGER_FIRST = [name for name in with_tag("integers") if name not in LIKE_SECOND]
INJECTED = [
    *((name, in_place, CHANGED.name) for name in ARRAYS),
    *((name, truncated, FOR_TAG["integers"].name) for name in INTEGER_FIRST),
    *((name, only_matrices, FOR_TAG["batch"].name) for name in with_tag("batch")),
]


def mistakes():
    """Every wrong answer of the catalogue, and the general ones, put into solutions."""
    for e in EXERCISES.values():
        for mistake in e.mistakes:
            yield e.name, mistake.name, mistake.answer
    for name, spoil, expected in INJECTED:
        yield name, expected, spoil(solution(name))
    yield "softmax", FOR_TAG["wide"].name, square_softmax
    yield "scores", FOR_TAG["wide"].name, square_scores
    yield "softmax", "works only for 2-D", softmax_axis_1
    yield "softmax", CHANGED.name, softmax_in_place
    yield "softmax", FOR_TAG["integers"].name, softmax_zeros_like
    yield "scores", FOR_TAG["batch"].name, lambda Q, K: Q @ K.T / np.sqrt(Q.shape[-1])
    yield "hide_key", CHANGED.name, hide_in_place
    for name in LIKE_SECOND:
        yield name, FOR_TAG["integers"].name, like_second(name)


def square_softmax(scores):
    n = len(scores)
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.array([[exps[i, j] / exps[i].sum() for j in range(n)] for i in range(n)])


def square_scores(Q, K):
    n = Q.shape[0]
    return (
        np.array([[Q[i] @ K[j] for j in range(n)] for i in range(n)]) / len(Q[0]) ** 0.5
    )


def softmax_axis_1(scores):
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


def softmax_in_place(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    exps = np.exp(scores)
    return exps / exps.sum(axis=-1, keepdims=True)


def softmax_zeros_like(scores):
    weights = np.zeros_like(scores)
    weights[...] = softmax_log(scores)
    return weights


def like_second(name):
    """Put the result into an array like the second argument."""

    def truncate(weights, other):
        return np.asarray(solution(name)(weights, other)).astype(other.dtype)

    return truncate


def hide_in_place(scores, key):
    scores[..., key] = -np.inf
    return softmax_log(scores)


def test_the_table_of_mistakes(capsys):
    """Red: a wrong answer is accepted, or is called by another mistake's name."""
    failed = []
    for name, mistake, answer in mistakes():
        verdict = judge(name, answer)
        good = verdict.kind == "mistake" and verdict.name == mistake
        print(f"{name:20} {mistake:45} {'named' if good else verdict}")
        if not good:
            failed.append((name, mistake, verdict))
    assert not failed


@pytest.mark.parametrize(
    ("name", "value", "mistake"),
    [
        ("scaled_score", 1.33, "scaled by d_k"),
        ("scaled_score", 0.33, "scaled by d_model"),
        ("two_scores", (0.28, 0.72), "divided without exp"),
        ("score_spread", 4.9, "standard deviations taken for variances"),
        ("code_entry", 0.878, "the cosine"),
        ("code_entry", -0.262, "the first pair"),
        ("code_entry", 0.005, "the component instead of the pair"),
    ],
)
def test_a_rounded_mistake_has_its_name(name, value, mistake):
    """Red: a wrong number on paper has a name only with all of its digits."""
    assert judge(name, value).name == mistake


def stable(scores, shift):
    exps = np.exp(scores - shift)
    return exps / exps.sum(axis=-1, keepdims=True)


def hide_with(filler):
    """Hide a key behind another score than −∞."""

    def hide(scores, key):
        hidden = scores.astype(float)
        hidden[..., key] = filler(scores)
        return softmax_log(hidden)

    return hide


def hide_plainly(scores, key):
    exps = np.exp(scores)
    exps[..., key] = 0
    return exps / exps.sum(axis=-1, keepdims=True)


def hide_one_maximum(scores, key):
    exps = np.exp(scores - scores.max())
    exps[..., key] = 0
    return exps / exps.sum(axis=-1, keepdims=True)


def hide_from(scores, key):
    hidden = scores.astype(float)
    hidden[..., key:] = -np.inf
    return softmax_log(hidden)


def hide_in_copy(scores, key):
    hidden = scores.copy()
    hidden[..., key] = -np.inf
    return softmax_log(hidden)


def attention_scaled(root):
    """Attention whose scores are divided by another number."""

    def attention(X, Wq, Wk, Wv):
        Q, K = X @ Wq, X @ Wk
        weights = softmax_log(Q @ K.swapaxes(-1, -2) / root(X, Q))
        return weights @ (X @ Wv), weights

    return attention


def backward_scaled(root):
    """Go back through attention with another scale than √d_k."""

    def backward(Q, K, V, w, d):
        g = d @ V.swapaxes(-1, -2)
        s = w * (g - (w * g).sum(-1, keepdims=True)) / root(Q, K, V)
        return s @ K, s.swapaxes(-1, -2) @ Q, w.swapaxes(-1, -2) @ d

    return backward


def multi_head_scaled(root):
    """Multi-head attention whose scores are divided by another number."""

    def multi_head(X, Wq, Wk, Wv, Wo, h):
        Q, K, V = (np.stack(np.split(X @ W, h, -1), -3) for W in (Wq, Wk, Wv))
        heads = softmax_log(Q @ K.swapaxes(-1, -2) / root(Q)) @ V
        return sum(heads[..., i, :, :] @ B for i, B in enumerate(np.split(Wo, h)))

    return multi_head


def wq_gradient_by_three(X, Wq, Wk, T):
    K = X @ Wk
    return X.T @ (softmax_log(X @ Wq @ K.T) - T) @ K / 3


def step_in_copy(W, dW, rate):
    new = W.copy()
    new -= rate * dW
    return new


def mask_filled(filler):
    return lambda s, mask: softmax_log(np.where(mask, s, filler))


def masked_plainly(scores, mask):
    exps = np.exp(scores) * mask
    return exps / exps.sum(-1, keepdims=True)


def right_ones(logits, answer):
    return logits.argmax(1) == answer


def softmax_no_keepdims(scores):
    exps = np.exp(scores - scores.max(axis=-1))
    return exps / exps.sum(axis=-1)


@pytest.mark.parametrize(
    ("name", "answer", "mistake"),
    [
        (
            "softmax",
            lambda s: stable(s, s.min(-1, keepdims=True)),
            "minimum subtracted",
        ),
        ("softmax", lambda s: stable(s, s.mean(-1, keepdims=True)), "mean subtracted"),
        ("softmax", lambda s: stable(s, s[..., :1]), FOR_TAG["large"].name),
        ("softmax", lambda s: stable(s, s.max(axis=0)), "maxima of the columns"),
        ("softmax", lambda s: stable(s, s.max(axis=-1)), "maximum without keepdims"),
        ("softmax", softmax_no_keepdims, "keepdims missing twice"),
        ("hide_key", hide_plainly, "maximum not subtracted"),
        ("hide_key", hide_one_maximum, "one maximum for the whole matrix"),
        ("hide_key", hide_with(lambda s: -100), "hidden with a score of −100"),
        ("hide_key", hide_with(lambda s: 0), "hidden with a score of 0"),
        ("hide_key", hide_with(np.min), ""),
        ("hide_key", hide_from, ""),
        ("hide_key", hide_in_copy, "whole numbers cannot hold −∞"),
        ("project", lambda X, *W: [w @ X for w in W], "W X instead of X W"),
        ("project", lambda X, *W: [X.T @ w for w in W], "X turned around"),
        ("project", lambda X, *W: [X @ w for w in W[::-1]], "Q and V exchanged"),
        ("mix", lambda weights, V: V, "values not mixed"),
        ("mix", lambda weights, V: V.mean(axis=0), "weights ignored"),
        ("score_gap", 0.11, "only one of the two"),
        ("score_gap", 0.006, "only the other of the two"),
        ("score_gap", 0.116, "added"),
        ("score_gap", 0.172, "both from one row"),
        ("score_gap", 0.176, ""),
        ("query_entry", 4, "the last column"),
        ("sum_of_weights", 400, "in per cent"),
        ("two_scores", (25, 75), "in per cent"),
        (
            "self_attention",
            attention_scaled(lambda X, Q: np.sqrt(Q.shape[1])),
            FOR_TAG["batch"].name,
        ),
        (
            "self_attention",
            attention_scaled(lambda X, Q: np.sqrt(len(X))),
            "scaled by the number of tokens",
        ),
        ("masked_weights", mask_filled(-20), "not hidden deep enough"),
        ("masked_weights", mask_filled(-30), "not hidden deep enough"),
        ("masked_weights", mask_filled(-100), "not hidden deep enough"),
        ("masked_weights", mask_filled(-10), ""),
        ("masked_weights", masked_plainly, "maximum not subtracted"),
        ("loss", lambda w, T: -np.log((w * T).sum(axis=0)).mean(), "wrong axis"),
        ("loss", lambda w, T: -np.log(w * T).mean(), "logarithm of zero"),
        ("gradient_step", step_in_copy, checks.NO_FRACTIONS.name),
        (
            "gradient_step",
            truncated(solution("gradient_step")),
            FOR_TAG["integers"].name,
        ),
        ("wq_gradient", wq_gradient_by_three, "a fixed number of queries"),
        (
            "attention_backward",
            backward_scaled(lambda Q, K, V: V.shape[-1] ** 0.5),
            "scaled by √d_v",
        ),
        (
            "attention_backward",
            backward_scaled(lambda Q, K, V: len(K) ** 0.5),
            "scaled by the number of keys",
        ),
        ("attention_backward", backward_scaled(lambda *_: 2**0.5), "a fixed d_k"),
        ("accuracy", lambda logits, answer: 0, ""),
        (
            "accuracy",
            lambda logits, answer: round(right_ones(logits, answer).mean(), 1),
            "",
        ),
        (
            "accuracy",
            lambda logits, answer: round(right_ones(logits, answer).mean(), 2),
            "",
        ),
        (
            "accuracy",
            lambda logits, answer: (~right_ones(logits, answer)).sum(),
            "the number of the wrong ones",
        ),
        ("accuracy", right_ones, "one by one"),
        ("descent", lambda P, G, rate: P, "nothing moved"),
        ("dot_variance", lambda Q, K: np.var(Q * K, axis=-1).mean(), ""),
        (
            "dot_variance",
            lambda Q, K: (Q @ K.T).std() ** 2,
            "every query with every key",
        ),
        ("entropy", lambda w: -(w * np.log2(w + 1e-99)).sum(-1), "logarithm to base 2"),
        (
            "sinusoidal",
            lambda n, d: np.sin(np.outer(np.arange(n), np.arange(d))),
            "",
        ),
        ("sinusoidal", lambda n, d: codes_by_slices(n + 1, d)[1:], "counted from 1"),
        ("rotate", lambda x, t: x, ""),
        ("rotate", lambda x, t: rotate_half(x, -t), "turned the other way"),
        ("rotate", lambda x, t: rotate_half(x, t[0] + 0 * t), ""),
        (
            "add_positions",
            lambda X, P: X + P[: X.shape[0]].reshape(-1, *[1] * (X.ndim - 2), len(P.T)),
            "positions along the batch",
        ),
        (
            "add_positions",
            lambda X, P: X + P[: X.shape[1]],
            "axis counted from the left",
        ),
        ("add_positions", lambda X, P: P[: X.shape[1]] + X, FOR_TAG["wide"].name),
        ("multi_head", multi_head_scaled(lambda Q: Q.shape[-1]), "the root forgotten"),
        (
            "multi_head",
            multi_head_scaled(lambda Q: (Q.shape[-1] * Q.shape[-3]) ** 0.5),
            "scaled by the width of all heads",
        ),
        (
            "softmax_backward",
            lambda w, g: w * g - np.einsum("...k,...k->...", w, g)[..., None],
            "parentheses missing",
        ),
        (
            "attention_backward",
            lambda Q, K, *rest: backward_einsum(K, Q, *rest),
            "Q used for dQ, K for dK",
        ),
        (
            "self_attention",
            lambda X, Wq, Wk, Wv: attention_einsum(X, Wq, Wv, Wk),
            "K and V exchanged",
        ),
        (
            "masked_weights",
            lambda s, mask: softmax_keys_first(np.where(mask, s, -np.inf).T).T,
            "softmax over the wrong axis",
        ),
        (
            "layer_norm",
            lambda x, c, d, eps: np.array(layer_norm_loops(x, c, d, max(eps, 0.1))),
            "",
        ),
        (
            "norm_backward",
            lambda x, c, g, eps: norm_backward_jacobian(x, c, g, 1e-5),
            "",
        ),
        ("block_count", 12 * 36, "matrices alone"),
        ("block_count", 511, ""),
        ("residual_slope", 0.51, ""),
    ],
)
def test_a_mistake_is_not_called_by_a_similar_name(name, answer, mistake):
    """Red: an answer that a reader gave is accepted, or blamed for something else."""
    verdict = judge(name, answer)
    assert (verdict.kind, verdict.name) == ("mistake" if mistake else "wrong", mistake)


@pytest.mark.parametrize(
    ("name", "value", "near"),
    [
        ("weight_ratio", 7.4, True),
        ("weight_ratio", 7, False),
        ("score_gap", 0.10, True),
        ("score_gap", 0.12, False),
        ("even_loss", 2.1, True),
        ("two_scores", (0.25, 0.8), False),
        ("one_score", 0.99, False),
        ("weight_ratio", 7.38, True),
        ("weight_ratio", 7.42, None),
        ("even_loss", 2.09, None),
        ("two_scores", (0.25, 0.76), None),
    ],
)
def test_too_few_digits_are_asked_for(name, value, near):
    """Red: a right number is called wrong, or a whole number should get digits."""
    said = {
        True: "Nearly: give more digits.",
        None: "Nearly, but not exactly.",
        False: "That is not it.",
    }[near]
    assert judge(name, value).text == f"Not yet. {said}"


def test_the_mistakes_that_the_course_promises_to_name():
    """Red: a mistake that readers are told about has no name any more."""
    named = {(name, mistake) for name, mistake, _ in mistakes()}
    promised = {
        "softmax": (
            "softmax over the wrong axis",
            "softmax over the whole matrix",
            "maximum not subtracted",
            "keepdims missing",
            "arg-max instead of average",
            *(
                CHANGED.name,
                FOR_TAG["integers"].name,
                FOR_TAG["wide"].name,
                FOR_TAG["batch"].name,
            ),
        ),
        "self_attention": (
            "no scale",
            "scaled by d_k",
            "scaled by d_model",
            "multiplied instead of divided",
            "Kᵀ forgotten",
            "Q and K exchanged",
            "weightsᵀ V",
            "scores used as weights",
            "values projected with Wk",
            "arg-max instead of average",
        ),
        "masked_weights": (
            "mask inverted",
            "mask added as 0/1",
            "mask applied after softmax",
        ),
        "causal_mask": (
            "mask inverted",
            "off by one: its own position hidden",
            "off by one: the next token in sight",
        ),
    }
    assert {(e, m) for e, names in promised.items() for m in names} <= named


def test_a_mistake_says_where_it_shows():
    """Red: the row and the number that it should be are missing or wrong."""
    assert judge("softmax", EXERCISES["softmax"].mistakes[0].answer).text == (
        "Not yet: softmax over the wrong axis. Your columns sum to 1: each key shares "
        "itself out\namong the queries. A query is a row, so sum along the last axis, "
        "-1.\nRow 0, column 0 should be 0.117; yours is 0.0453, with"
        "\n  scores = [[1, -1, 3], [1, 2, 0], [4, 1, 2]]"
    )


def test_a_fixed_number_of_rows_is_refused():
    """Red: rows that are counted by hand in the code are right by chance."""
    fixed = judge("weight_on_right", lambda w, place: w[[0, 1, 2], place].mean())
    assert fixed.kind == "error" and "IndexError" in fixed.text


def test_true_and_false_are_told_from_numbers():
    """Red: the reader has to know what a dtype is called."""
    text = judge("causal_mask", lambda n: np.tri(n)).text.replace("\n", " ")
    assert "The result should hold True and False; yours holds numbers" in text


def test_something_else_shows_the_smallest_input():
    """Red: an unknown mistake leaves the reader without an example."""
    text = judge("scores", lambda Q, K: Q @ K.mT * 0 + 7).text
    assert text == (
        "Not yet. The smallest input on which your function is wrong:"
        "\n  Q = [[1, 2], [0, 3]]\n  K = [[2, 1], [4, 0]]"
        "\n  expected [[2.828, 2.828], [2.121, 0]]\n  got [[7, 7], [7, 7]]"
        "\nRow 0, column 0 should be 2.83; yours is 7."
    )


@NAMES
def test_a_value_is_never_given_away(name):
    """Red: a wrong number on paper is answered with the right one."""
    if EXERCISES[name].cases:
        return
    for wrong in (1234.5, [1234.5], [[1, 2], [3, 4.5], [5, 6]], "x"):
        verdict = judge(name, wrong)
        assert verdict.kind in ("wrong", "form", "mistake"), wrong
        assert re.search(
            "That is not it|The answer |It should|not the kind|No key has", verdict.text
        )


@NAMES
def test_an_empty_answer_is_not_solved_yet(name):
    """Red: a page with stubs looks wrong, or looks solved."""
    exercise = EXERCISES[name]
    stubs = [None, ..., NotImplemented]
    if exercise.cases:

        def raises(*_):
            raise NotImplementedError

        stubs += [lambda *_: None, lambda *_: ..., raises]
    for stub in stubs:
        verdict = judge(name, stub)
        assert verdict.kind == "unsolved"
        assert verdict.text.replace("\n", " ") == f"Not solved yet: {exercise.asked}"
    assert printed(getattr(check, name), None) == f"{verdict.text}\n"


def forgets_return(scores):
    exps = np.exp(scores)
    exps / exps.sum()


@pytest.mark.parametrize(
    ("name", "answer", "said"),
    [
        ("softmax", forgets_return, "returns nothing. Is the return missing?"),
        (
            "softmax",
            [[0.5, 0.5]],
            "Give the function itself: check.softmax(my_softmax)",
        ),
        ("one_score", lambda: 1, "Give the result, a value, not a function."),
        ("softmax", lambda s: [[1], [2, 3]], "rows of your answer have different"),
        ("softmax", lambda s: "0.5", "It should be numbers; your answer is '0.5'"),
        ("project", lambda X, *W: X @ W[0], "Return 3 things: Q, K, V."),
        ("self_attention", lambda X, *W: (X, None), "It should be numbers"),
        ("two_scores", 0.25, "The answer has 2 numbers."),
        ("one_score", [1], "The answer is one number."),
        ("shuffled_output", [5, 6], "The answer has 3 rows."),
        ("query_for_love", [1, 2], "The answer has three numbers."),
        ("query_for_love", [[0, 30, 0]], "The answer has three numbers."),
        ("query_for_love", "love", "This is not the kind of answer"),
        ("softmax", lambda s: {"a": 1}, "The result is missing."),
    ],
)
def test_an_answer_of_another_form_is_explained(name, answer, said):
    """Red: a slip of the form is answered with a riddle, or with an error."""
    verdict = judge(name, answer)
    assert verdict.kind in ("form", "wrong")
    assert said in verdict.text.replace("\n", " ")


# ---- exceptions, endless loops, large answers


def stops(scores):
    exps = np.exp(scores)
    return exps / exps.summ(axis=-1)


def stops_deeper(scores):
    return stops(scores)


@pytest.mark.parametrize("answer", [stops, stops_deeper])
def test_an_exception_is_explained_with_the_readers_line(answer):
    """Red: the reader sees our traceback instead of a sentence about the own line."""
    line = stops.__code__.co_firstlineno + 2
    verdict = judge("softmax", answer)
    assert verdict.kind == "error" and verdict.text.startswith("Not yet. ")
    text = verdict.text.replace("\n", " ")
    assert "AttributeError: 'numpy.ndarray' object has no attribute 'summ'" in text
    assert f"in your line {line}: return exps / exps.summ(axis=-1)" in text


def test_a_line_that_stops_is_not_run_together_with_the_input():
    """Red: the words after the reader's own line look like code."""
    text = judge("scores", lambda Q, K: Q @ K.T / Q.shape[-1] ** 0.5).text
    assert text.startswith("Not yet: works only for 2-D. ") and "use @" in text
    assert "\nIt was tried on\n  Q = an array" in text and "with\n" not in text
    assert "your answer is '(5, 2)'." in judge("query_shape", "(5, 2)").text


def test_other_ways_to_stop_are_explained():
    """Red: a wrong signature or sys.exit ends the page."""
    text = judge("softmax", lambda: 3).text.replace("\n", " ")
    assert "TypeError" in text and "It is called as my_softmax(scores)." in text
    assert "SystemExit" in judge("softmax", lambda scores: sys.exit(1)).text


def endless(scores):
    while True:
        pass


def endless_and_stubborn(scores):
    for _ in range(3):
        try:
            while True:
                pass
        except:  # noqa: E722
            pass
    while True:
        pass


def endless_on_a_batch(scores):
    while np.ndim(scores) > 2:
        pass
    return softmax_log(scores)


# The stop may arrive while Python tidies up, which cannot be stopped: it says so, and
# the next stop comes 0.02 seconds later.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    ("answer", "tried"),
    [
        (endless, "scores = [[1, -1, 3], [1, 2, 0], [4, 1, 2]]"),
        (endless_and_stubborn, "scores = [[1, -1, 3], [1, 2, 0], [4, 1, 2]]"),
        (endless_on_a_batch, "scores = an array of shape (2, 3, 3)"),
    ],
)
def test_an_endless_loop_is_stopped(answer, tried, monkeypatch):
    """Red: one endless loop blocks the page, or keeps a thread busy for ever."""
    assert checks.LIMIT == 5
    monkeypatch.setattr(checks, "LIMIT", 0.3)
    threads, trace, began = threading.active_count(), sys.gettrace(), time.monotonic()
    verdict = judge("softmax", answer)
    assert time.monotonic() - began < 2
    assert verdict.kind == "endless"
    assert "did not finish within 0.3 seconds" in verdict.text.replace("\n", " ")
    assert tried in verdict.text
    assert (threading.active_count(), sys.gettrace()) == (threads, trace)


@pytest.mark.parametrize(
    "huge", [np.zeros((3000, 3000)), "x" * 10**6, [[1.0] * 40] * 40, 10.0**300]
)
def test_a_huge_answer_is_cut(huge):
    """Red: the page is filled with the digits of a wrong answer."""
    assert len(judge("softmax", lambda scores: huge).text) < 600
    assert len(judge("one_score", huge).text) < 600


def test_a_check_leaves_its_inputs_and_the_answer_as_they_were():
    """Red: one wrong answer spoils the inputs for the next."""

    def spoil(scores):
        scores[...] = 0
        return scores

    for _ in range(2):
        assert judge("softmax", spoil).name == CHANGED.name
    assert judge("softmax", solution("softmax")).kind == "right"


CELLS = (
    "from helpers.checks import check\nfrom helpers import checks, progress\n"
    "checks.LIMIT = 1",
    "def mine(scores):\n    x = 1\n    while x:\n        x += 1\n\ncheck.softmax(mine)",
    "def mine(scores):\n    print('here')\n    return scores.nothing\n\n"
    "check.softmax(mine)",
    "check.two_scores((0.25, 0.75))",
    "print(progress.path(), progress.solved())",
)


def test_in_a_real_kernel():
    """Red: in a notebook loops are not stopped, or lines and prints get lost."""
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    outputs = [c.outputs for c in notebook.cells]
    assert all(
        o.output_type == "stream" and o.name == "stdout" for x in outputs for o in x
    )
    texts = ["".join(o.text for o in x) for x in outputs]
    assert texts[1].startswith("Not yet: your function was stopped")
    assert texts[2].startswith("here\n")
    assert "in your line 3: return scores.nothing" in texts[2].replace("\n", " ")
    assert texts[3].startswith("Right. ")
    assert str(TOP) not in texts[4], "the kernel would write the reader's own progress"
    assert "two_scores" in texts[4]


# ---- the catalogue


def test_every_notebook_has_three_to_five_exercises():
    """Red: a notebook lost its exercises."""
    counts = [sum(e.notebook == n for e in EXERCISES.values()) for n in range(1, 14)]
    assert all(3 <= count <= 5 for count in counts)
    assert {e.notebook for e in EXERCISES.values()} == set(range(1, 14))


@NAMES
def test_an_exercise_is_well_formed(name):
    """Red: a text breaks the style, or a mistake is no mistake."""
    exercise = EXERCISES[name]
    title = exercise.call.partition("(")[0]
    texts = [exercise.asked, exercise.means, *(m.text for m in exercise.mistakes)]
    assert not any(BANNED.search(text) for text in texts)
    assert all(text.endswith((".", "?", ".5).")) for text in texts), texts
    assert title.startswith("my_")
    assert len(exercise.mistakes) >= 3
    if exercise.cases:
        assert exercise.call in exercise.asked
    right = checks._try_all(exercise.right, exercise)
    for mistake in exercise.mistakes:
        wrong = checks._try_all(mistake.answer, exercise)
        assert any(
            not checks._same(a, b, 3 * exercise.tolerance)
            for a, b in zip(right, wrong, strict=True)
        ), mistake.name


def test_the_cases_belong_to_the_catalogue_alone():
    """Red: a case can be changed from outside, or has an unknown tag."""
    tags = {c.tag for e in EXERCISES.values() for c in e.cases}
    assert tags == {"", *FOR_TAG}
    assert isinstance(EXERCISES["softmax"].cases[0], Case)


def test_an_exercise_that_does_not_exist():
    """Red: a typing error is answered with None."""
    with pytest.raises(AttributeError, match="no exercise is called 'sofmax'"):
        check.sofmax(None)
    assert dir(check) == sorted(EXERCISES)


def test_solutions_are_shown_and_used_by_nobody():
    """Red: a page or a helper shows a solution that nobody asked for."""
    text = printed(solutions.show, "softmax")
    assert text.startswith("def my_softmax(scores):\n") and "keepdims=True" in text
    with pytest.raises(ValueError, match="no exercise is called 'show'"):
        solutions.show("show")
    files = [*(TOP / "helpers").glob("*.py"), *(TOP / "tools").glob("*.py")]
    users = [
        path.name
        for path in files
        if re.search(r"import.*\bsolutions\b", path.read_text(encoding="utf-8"))
    ]
    assert users == []
    for path in (TOP / "notebooks").rglob("*.ipynb"):
        for cell in nbformat.read(path, as_version=4).cells:
            assert cell.cell_type != "code" or "solutions" not in cell.source, path.name


def page_names(number):
    """What the code of a page imports from helpers, without checks and pictures."""
    (path,) = (TOP / "notebooks").glob(f"{number:02}_*.ipynb")
    found = {"np": np}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            for node in ast.parse(cell.source).body:
                if isinstance(node, ast.ImportFrom) and node.module == "helpers":
                    exec(ast.unparse(node), found)
    return found


@NAMES
def test_a_solution_runs_as_it_is_shown(name):
    """Red: a solution pasted into its page stops with an error, or is refused."""
    exercise = EXERCISES[name]
    page = page_names(exercise.notebook)
    exec(printed(solutions.show, name), page)
    verdict = judge(name, page[exercise.call.partition("(")[0]])
    assert verdict.kind == "right", verdict.text


def test_a_shown_solution_keeps_its_comments():
    """Red: the reasons are lost with the annotations."""
    assert printed(solutions.show, "scaled_score") == (
        "# The width of queries and keys, and its root: √9 = 3.\n"
        "my_scaled_score = 12 / 9**0.5\n"
    )
    assert "# a copy, and floats" in printed(solutions.show, "hide_key")


def comments_and_code(source):
    """Return the comments of a piece of code, and all the rest of it."""
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    layout = (tokenize.COMMENT, tokenize.NL)
    comments = [t.string for t in tokens if t.type == tokenize.COMMENT]
    return comments, [t.string for t in tokens if t.type not in layout]


@NAMES
def test_a_chinese_page_shows_chinese_comments(name, tmp_path, monkeypatch):
    """Red: a solution is explained in English, its code is another, or it is wide."""
    _, code = comments_and_code(printed(solutions.show, name))
    (tmp_path / "zh").mkdir()
    monkeypatch.chdir(tmp_path / "zh")
    text = printed(solutions.show, name)
    comments, chinese_code = comments_and_code(text)
    assert chinese_code == code
    words = set(re.findall(r"(?<![A-Za-z_])[A-Za-z]{3,}", " ".join(comments)))
    assert words <= {"love", *code}
    for line in text.split("\n"):
        width = solutions.COLUMNS if line.lstrip().startswith("#") else WIDTH
        assert columns(line) <= width, line
    assert getattr(check, name).__doc__ != EXERCISES[name].asked


def test_a_solved_exercise_is_recorded(tmp_path, monkeypatch):
    """Red: progress is kept for a wrong answer, or not for a right one."""
    monkeypatch.setenv("ATTENTION_PROGRESS", str(tmp_path / "p.json"))
    printed(check.one_score, 5)
    assert progress.solved() == (set(), "")
    assert printed(check.one_score, 1).startswith("Right. ")
    assert progress.solved() == ({"one_score"}, "")
