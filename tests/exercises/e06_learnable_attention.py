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


def step_in_copy(W, dW, rate):
    new = W.copy()
    new -= rate * dW
    return new


ALSO_RIGHT = {
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
    "query_for_love": [
        [5, 40, -5],
    ],
}

NAMED = [
    ("loss", lambda w, T: -np.log((w * T).sum(axis=0)).mean(), "wrong axis"),
    ("loss", lambda w, T: -np.log(w * T).mean(), "logarithm of zero"),
    ("gradient_step", step_in_copy, NO_FRACTIONS.name),
    ("gradient_step", truncated(solution("gradient_step")), FOR_TAG["integers"].name),
    ("wq_gradient", wq_gradient_by_three, "a fixed number of queries"),
]
