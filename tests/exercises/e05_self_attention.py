"""Page 05: other right answers, and wrong ones with the name that each gets."""

import numpy as np

from helpers.exercises.catalogue import FOR_TAG

from .common import (
    over_batch,
    scores_loops,
    softmax_keys_first,
    softmax_log,
    softmax_loops,
    softmax_own_copy,
)


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


def mask_by_loops(n):
    return [[j <= i for j in range(n)] for i in range(n)]


def masked_large_filler(scores, mask):
    return softmax_log(scores + np.where(mask, 0, -1e9))


def masked_renormalised(scores, mask):
    weights = softmax_log(scores) * mask
    return weights / weights.sum(-1, keepdims=True)


def masked_below_all(scores, mask):
    """Subtract the largest score of a row, be it that of a hidden key."""
    exps = np.exp(scores - scores.max(-1, keepdims=True)) * mask
    return exps / exps.sum(-1, keepdims=True)


def attention_scaled(root):
    """Attention whose scores are divided by another number."""

    def attention(X, Wq, Wk, Wv):
        Q, K = X @ Wq, X @ Wk
        weights = softmax_log(Q @ K.swapaxes(-1, -2) / root(X, Q))
        return weights @ (X @ Wv), weights

    return attention


def mask_filled(filler):
    return lambda s, mask: softmax_log(np.where(mask, s, filler))


def masked_plainly(scores, mask):
    exps = np.exp(scores) * mask
    return exps / exps.sum(-1, keepdims=True)


ALSO_RIGHT = {
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
    "masked_weights": [],
    "rows_that_change": [
        [3, 1, 2],
        {1, 2, 3},
        frozenset({1, 2, 3}),
    ],
}

NAMED = [
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
    ("masked_weights", mask_filled(-1e4), "not hidden deep enough"),
    ("masked_weights", mask_filled(-1e9), "not hidden deep enough"),
    (
        "masked_weights",
        masked_large_filler,
        "a number subtracted instead of −∞",
    ),
    ("masked_weights", mask_filled(-10), ""),
    ("masked_weights", mask_filled(0), "hidden with a score of 0"),
    ("masked_weights", masked_renormalised, "mask applied after softmax"),
    ("masked_weights", masked_below_all, "mask applied after softmax"),
    ("masked_weights", lambda s, m: softmax_log(s + ~m * -np.inf), "0 · ∞ or ∞ − ∞"),
    ("masked_weights", mask_filled(np.inf), "0 · ∞ or ∞ − ∞"),
    ("masked_weights", lambda s, m: softmax_log(s) * m, "mask applied after softmax"),
    (
        "self_attention",
        lambda X, *W: attention_einsum(X.astype(int), *W),
        FOR_TAG["decimals"].name,
    ),
    ("self_attention", attention_scaled(lambda X, Q: 3**0.5), "a fixed d_k"),
    (
        "self_attention",
        lambda X, Wq, Wk, Wv: attention_scaled(lambda *_: Wv.shape[-1] ** 0.5)(
            X, Wq, Wk, Wv
        ),
        "scaled by √d_v",
    ),
    ("causal_mask", lambda n: np.tri(3, dtype=bool), FOR_TAG["other"].name),
    ("rows_that_change", (2, 3, 4), "counted from 1"),
    ("rows_that_change", [False, True, True, True], "the mask's column"),
    ("shuffled_output", [[5, 6], [3, 4], [1, 2]], "moved in another order"),
    ("masked_weights", masked_plainly, "maximum not subtracted"),
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
]

EXCUSED = {
    "masked_weights": {"−∞": "scores come in finite; hiding makes −∞ of them"},
    "self_attention": {"−∞": "tokens are finite; −∞ belongs to scores"},
}
