"""A solution of each exercise, and why; `show` prints it.

Each is a function with the name of its exercise, without arguments for a value. The
docstring says why, and is said in the language of the page. In a hand-out this file is
left out.
"""

from typing import Any

import numpy as np

from helpers.arrays import Array

# ---- 01


def query_shape() -> tuple[int, int]:
    """(5 tokens, d_model = 6) times (d_model = 6, d_k = 2): the 6 is summed away."""
    return 5, 2


def query_entry() -> int:
    """Along the token, down column 1 of Wq."""
    return 1 * 2 + 0 * 1 + 2 * 5


def project_one(x: Array, W: Array) -> Array:
    d_model, d_k = W.shape
    entries = [sum(x[m] * W[m, c] for m in range(d_model)) for c in range(d_k)]
    return np.array(entries)


def project(X: Array, Wq: Array, Wk: Array, Wv: Array) -> tuple[Array, Array, Array]:
    return X @ Wq, X @ Wk, X @ Wv


def wv_shape() -> tuple[int, int]:
    """From d_model = 6 to d_v = 3."""
    return 6, 3


# ---- 02


def one_score() -> int:
    return 1 * 3 + 2 * (-1) + 0 * 5


def scaled_score() -> float:
    """The width of queries and keys, and its root: √9 = 3."""
    return 12 / 9**0.5


def scores(Q: Array, K: Array) -> Any:
    d_k = Q.shape[-1]
    return Q @ K.swapaxes(-1, -2) / np.sqrt(d_k)


def score_gap() -> float:
    """Row love, column 我, minus row 我, column love."""
    return 0.110 - 0.006


def best_key(scores: Array) -> Any:
    """Along the keys: one number for each row."""
    return scores.argmax(axis=-1)


# ---- 03


def two_scores() -> tuple[float, float]:
    """e^ln 2 = 2 and e^ln 6 = 6; together 8."""
    return 2 / 8, 6 / 8


def softmax(scores: Array) -> Any:
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exps = np.exp(shifted)
    return exps / exps.sum(axis=-1, keepdims=True)


def sum_of_weights() -> int:
    """Four queries, and each row sums to 1."""
    return 4 * 1


def weight_ratio() -> float:
    """A ratio of weights is e to the difference of the scores."""
    return float(np.exp(2))


def hide_key(scores: Array, key: int) -> Any:
    """A copy of the scores, and floats can hold −∞."""
    hidden = scores.astype(float)
    hidden[..., key] = -np.inf
    return softmax(hidden)


# ---- 04


def one_output() -> float:
    return 0.5 * 2 + 0.3 * 0 + 0.2 * 15


def mix(weights: Array, V: Array) -> Any:
    return weights @ V  # [n_q, n_k], [n_k, d_v] -> [n_q, d_v]


def pick_value() -> tuple[int, int, int]:
    """All of the second, nothing of the others."""
    return 0, 1, 0


def weights_from_output() -> tuple[float, float]:
    """Each component comes from one value: w₀ · 2 = 0.5 and w₁ · 4 = 3."""
    return 0.5 / 2, 3 / 4


# ---- 05


def self_attention(X: Array, Wq: Array, Wk: Array, Wv: Array) -> tuple[Array, Array]:
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return weights @ V, weights


def causal_mask(n: int) -> Any:
    """True where the column j does not come after the row i."""
    i = np.arange(n)
    return i[None, :] <= i[:, None]


def masked_weights(scores: Array, mask: Array) -> Any:
    return softmax(np.where(mask, scores, -np.inf))


def shuffled_output() -> list[list[int]]:
    """Row 0 is now token 2, row 1 token 0, row 2 token 1."""
    return [[5, 6], [1, 2], [3, 4]]


def rows_that_change() -> tuple[int, ...]:
    """Token 1 itself, and everybody who comes later and sees it."""
    return 1, 2, 3


# ---- 06


def dscores() -> list[float]:
    """Weights minus target: 1 is subtracted at the right key."""
    return [0.2, 0.5 - 1, 0.3]


def loss(weights: Array, T: Array) -> Any:
    at_right = (weights * T).sum(axis=1)
    return -np.log(at_right).mean()


def gradient_step(W: Array, dW: Array, rate: float) -> Any:
    return W - rate * dW


def wq_gradient(X: Array, Wq: Array, Wk: Array, T: Array) -> Any:
    Q, K = X @ Wq, X @ Wk
    dS = (softmax(Q @ K.T) - T) / len(X)
    return X.T @ (dS @ K)


def query_for_love() -> list[int]:
    """In the middle component the key of love is the largest of the three, -0.304
    against -0.420 and -0.574. Ask for that component, and ask firmly.
    """
    return [0, 30, 0]


# ---- 07


def dweight() -> int:
    return 5 * 2 + (-2) * 3


def jacobian_entry() -> float:
    """Another key's score: −w₀ w₂."""
    return -0.1 * 0.6


def softmax_backward(weights: Array, dweights: Array) -> Any:
    average = (dweights * weights).sum(axis=-1, keepdims=True)
    return weights * (dweights - average)


def attention_backward(
    Q: Array, K: Array, V: Array, weights: Array, doutput: Array
) -> tuple[Array, Array, Array]:
    dV = weights.swapaxes(-1, -2) @ doutput
    dweights = doutput @ V.swapaxes(-1, -2)
    average = (dweights * weights).sum(axis=-1, keepdims=True)
    dproducts = weights * (dweights - average) / np.sqrt(Q.shape[-1])
    return dproducts @ K, dproducts.swapaxes(-1, -2) @ Q, dV


def dwq(X: Array, dQ: Array) -> Any:
    return X.T @ dQ  # [d_model, n], [n, d_k] -> [d_model, d_k]


# ---- 08


def even_loss() -> float:
    return float(-np.log(1 / 8))


def accuracy(logits: Array, answer: Array) -> Any:
    return (logits.argmax(axis=1) == answer).mean()


def weight_on_right(weights: Array, place: Array) -> Any:
    return weights[np.arange(len(place)), place].mean()


def dlogits(logits: Array, answer: Array) -> Any:
    target = np.eye(logits.shape[1])[answer]
    return (softmax(logits) - target) / len(answer)


def descent(P: dict[str, Array], G: dict[str, Array], rate: float) -> dict[str, Array]:
    return {name: P[name] - rate * G[name] for name in P}


# ---- 09


def score_spread() -> float:
    """Variance 2² · 3² for each product, times d_k; then the root."""
    return float((2**2 * 3**2 * 4) ** 0.5)


def same_components() -> float:
    """q · k = 16 a b, and a b has standard deviation 1."""
    return 16 / 16**0.5


def undo_scale() -> float:
    """Scores contain Wq once, so this factor cancels the division."""
    return float(25**0.5)


def dot_variance(Q: Array, K: Array) -> Any:
    dots = (Q * K).sum(axis=-1)  # [n, d_k] -> [n]
    return ((dots - dots.mean()) ** 2).mean()


def entropy(weights: Array) -> Any:
    """log 1 = 0 stands in place of log 0."""
    logs = np.log(np.where(weights > 0, weights, 1))
    return -(weights * logs).sum(axis=-1)


# ---- 10


def visible_keys() -> int:
    """They sit at positions 3 and 4, and see the keys up to their own."""
    return 4 + 5


def padding_mask(lengths: Array, n_keys: int) -> Any:
    return np.arange(n_keys) < lengths[:, None, None]  # [n_k], [b, 1, 1] -> [b, 1, n_k]


def both_masks(lengths: Array, n_queries: int, n_keys: int) -> Any:
    """The queries are the newest tokens: own holds their positions."""
    keys = np.arange(n_keys)
    own = np.arange(n_keys - n_queries, n_keys)
    return (keys <= own[:, None]) & (keys < lengths[:, None, None])


def shifted_targets(tokens: Array) -> tuple[Array, Array]:
    return tokens[..., :-1], tokens[..., 1:]


def loss_floor() -> float:
    """The best guess is 1/4 for each letter."""
    return float(-np.log(1 / 4))


# ---- 11


def code_entry() -> float:
    """Entries 2 and 3 are pair i = 1: the angle is 50 / 10000^(2/4) = 50 / 100."""
    return float(np.sin(0.5))


def turned_score() -> int:
    """[1, 2] → [-2, 1] → [-1, -2] → [2, -1], and [4, 1] → [-1, 4] → [-4, -1]."""
    return 2 * (-4) + (-1) * (-1)


def add_positions(X: Array, table: Array) -> Any:
    """The last axis but one counts the tokens."""
    return X + table[: X.shape[-2]]


def sinusoidal(n_positions: int, d_model: int) -> Any:
    t = np.arange(n_positions)[:, None]
    j = np.arange(d_model)
    angles = t / 10000 ** (2 * (j // 2) / d_model)
    return np.where(j % 2 == 0, np.sin(angles), np.cos(angles))


def alibi_share() -> float:
    """The far score is 2 ln 2 lower, so e^score is 1/4 of the near one's."""
    return 1 / (1 + 1 / 4)


def rotate(x: Array, positions: Array) -> Any:
    d = x.shape[-1]
    frequencies = 10000.0 ** (-2 * np.arange(d // 2) / d)
    angles = np.asarray(positions)[:, None] * frequencies
    cos, sin = np.cos(angles), np.sin(angles)
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


# ---- 13


def head_shape() -> tuple[int, int]:
    """All five tokens, and a third of the 12 columns."""
    return 5, 12 // 3


def merged_row() -> tuple[int, ...]:
    """Row 0 of head 0, then row 0 of head 1."""
    return 1, 2, 5, 6


def shared_head() -> int:
    """6 / 3 = 2 query heads share each: 0 0 1 1 2 2."""
    return 3 // 2


def split_heads(x: Array, n_heads: int) -> Any:
    n_tokens, d_model = x.shape
    cut = x.reshape(n_tokens, n_heads, d_model // n_heads)
    return cut.swapaxes(0, 1)


def multi_head(
    X: Array, Wq: Array, Wk: Array, Wv: Array, Wo: Array, n_heads: int
) -> Any:
    Q, K, V = X @ Wq, X @ Wk, X @ Wv
    d_head = Q.shape[-1] // n_heads
    output = 0
    for h in range(n_heads):
        block = slice(h * d_head, (h + 1) * d_head)
        Qh, Kh, Vh = Q[..., block], K[..., block], V[..., block]
        weights = softmax(Qh @ Kh.swapaxes(-1, -2) / np.sqrt(d_head))
        output = output + weights @ Vh @ Wo[block]
    return output


# ---- 14


def residual_slope() -> float:
    """Each layer has the slope 1 − 0.2, and the chain rule multiplies."""
    return float((1 - 0.2) ** 3)


def norm_entry() -> float:
    """Mean 2, away 3, -3, 1, -1, 0, variance 20 / 5 = 4."""
    return (5 - 2) / 4**0.5


def block_count() -> int:
    attention = 4 * (6 * 6 + 6)
    network = (6 * 20 + 20) + (20 * 6 + 6)
    norms = 2 * (6 + 6)
    return attention + network + norms


def layer_norm(x: Array, gamma: Array, beta: Array, eps: float) -> Any:
    away = x - x.mean(axis=-1, keepdims=True)
    variance = (away**2).mean(axis=-1, keepdims=True)
    return away / np.sqrt(variance + eps) * gamma + beta


def path_gradient() -> tuple[int, int]:
    """Straight on come 1 and 2; through W, along its rows, the second summands."""
    return 1 + (1 * 2 + 2 * 0), 2 + (1 * 1 + 2 * 3)


def last_gradient() -> float:
    """The four sum to 0."""
    return -(0.5 - 0.25 + 0.1)


def norm_backward(x: Array, gamma: Array, doutput: Array, eps: float) -> Any:
    away = x - x.mean(axis=-1, keepdims=True)
    sigma = np.sqrt((away**2).mean(axis=-1, keepdims=True) + eps)
    normed, g = away / sigma, doutput * gamma
    along = (g * normed).mean(axis=-1, keepdims=True)
    return (g - g.mean(axis=-1, keepdims=True) - normed * along) / sigma
