"""Page 15: other right answers, and wrong ones with the name that each gets."""

import numpy as np


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
    "path_gradient": [[3.0, 9.0]],
    "last_gradient": [np.float32(-0.35)],
    "norm_backward": [
        norm_backward_jacobian,
        norm_backward_sums,
    ],
}

NAMED = [
    ("last_gradient", -0.36, ""),
    (
        "norm_backward",
        lambda x, c, g, eps: norm_backward_jacobian(x, c, g, 1e-5),
        "a fixed ε",
    ),
    ("norm_backward", lambda x, c, g, eps: norm_backward_jacobian(x, c, g, 1e-3), ""),
    (
        "norm_backward",
        lambda x, c, g, eps: [norm_backward_sums(x, c, g, eps), (g * x).sum(0)],
        "three gradients instead of one",
    ),
    ("last_gradient", 0.65, "a sum of 1"),
    ("path_gradient", (4, 6), "W instead of Wᵀ, and the residual path forgotten"),
]

EXCUSED = {"norm_backward": {"−∞": "tokens and gradients are finite"}}
