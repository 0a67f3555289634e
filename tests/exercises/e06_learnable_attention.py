"""Page 06: other right answers, and wrong ones with the name that each gets."""

import numpy as np

from helpers.exercises.catalogue import FOR_TAG, NO_FRACTIONS

from .common import softmax_log, solution, truncated


def loss_epsilon(small):
    """Add a small number, lest the logarithm of 0 is taken."""
    return lambda w, T: -np.log((w * T).sum(-1) + small).mean()


def wq_gradient_by_three(X, Wq, Wk, T):
    K = X @ Wk
    return X.T @ (softmax_log(X @ Wq @ K.T) - T) @ K / 3


def wq_gradient_plain(X, Wq, Wk, T):
    exps = np.exp(X @ Wq @ (X @ Wk).T)
    weights = exps / exps.sum(axis=-1, keepdims=True)
    return X.T @ (weights - T) @ X @ Wk / len(X)


def step_of_whole_numbers(W, dW, rate):
    return W.astype(int) - rate * dW.astype(int)


def step_in_copy(W, dW, rate):
    new = W.copy()
    new -= rate * dW
    return new


ALSO_RIGHT = {
    "loss": [
        lambda w, T: -np.log((w * T).sum(-1)).sum() / len(w),
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
    "query_for_love": [
        [5, 40, -5],
    ],
}

BASE_10 = "logarithm of base 10"

NAMED = [
    ("loss", lambda w, T: -np.log((w * T).sum(axis=0)).mean(), "wrong axis"),
    ("loss", lambda w, T: -np.log(w * T).mean(), "logarithm of zero"),
    ("loss", lambda w, T: -(T * np.log(w)).sum() / len(w), "logarithm of zero"),
    ("loss", lambda w, T: -np.log(w[T == 1]).sum(), "sum instead of mean"),
    ("loss", lambda w, T: -(T * np.log10(w[T == 1])[:, None]).sum(-1).mean(), BASE_10),
    ("loss", lambda w, T: (w - T).mean(), ""),
    ("gradient_step", lambda W, dW, rate: W - 0.1 * dW, FOR_TAG["other"].name),
    ("gradient_step", step_of_whole_numbers, FOR_TAG["decimals"].name),
    ("dscores", (-0.8, 0.5, 0.3), "counted from 1"),
    ("dscores", (0.16, 0.25, 0.21), "only the diagonal"),
    ("wq_gradient", wq_gradient_plain, "maximum not subtracted"),
    ("gradient_step", step_in_copy, NO_FRACTIONS.name),
    ("gradient_step", truncated(solution("gradient_step")), FOR_TAG["integers"].name),
    ("wq_gradient", wq_gradient_by_three, "a fixed number of queries"),
]

ONE_TABLE = "one table of weights, as on the page"
ONE_SENTENCE = "one sentence, as on the page"
WEIGHTS = "weights lie between 0 and 1"
FINITE = "what is trained is finite; −∞ belongs to scores"
EXCUSED = {
    "loss": {
        "3-D": ONE_TABLE,
        "4-D": ONE_TABLE,
        "a negative row": WEIGHTS,
        "−∞": WEIGHTS,
        "large": WEIGHTS,
        "sign ignored": WEIGHTS,
    },
    "gradient_step": {
        "3-D": "W is a matrix",
        "4-D": "W is a matrix",
        "−∞": FINITE,
    },
    "wq_gradient": {"3-D": ONE_SENTENCE, "4-D": ONE_SENTENCE, "−∞": FINITE},
}
