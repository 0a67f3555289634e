"""A Transformer block, put together by hand in notebook 14.

Pre-norm: h = x + attention(LayerNorm(x)), output = h + feed_forward(LayerNorm(h)).

Source: Vaswani et al., 2017, arXiv:1706.03762, section 3.1, with the norm moved in
front of each layer: Xiong et al., "On Layer Normalization in the Transformer
Architecture", 2020, arXiv:2002.04745.

Where nothing else is said, a TypeError means that an argument does not hold real
numbers, a ValueError that a shape does not fit, or that it holds NaN or ±∞, and an
OverflowError that finite numbers lead out of the range of their type.
"""

from numpy.typing import ArrayLike

from helpers.arrays import Array, Parameters, check_mapping, in_range, real, with_shape
from helpers.heads import multi_head_attention, multi_head_attention_backward
from helpers.layers import (
    feed_forward,
    feed_forward_backward,
    layer_norm,
    layer_norm_backward,
)

NAMES = tuple("gamma1 beta1 Wq bq Wk bk Wv bv Wo bo gamma2 beta2 W1 b1 W2 b2".split())


@in_range
def block(
    x: ArrayLike,
    parameters: Parameters,
    n_heads: int,
    *,
    mask: ArrayLike | None = None,
    eps: float = 1e-5,
) -> tuple[Array, Array]:
    """Let the tokens meet, then let each think: both times, add to what came in.

    Parameters
    ----------
    x : (..., n_tokens, d_model)
    parameters : by name, gamma1, beta1, gamma2, beta2, bq, bk, bv, bo, b2 (d_model,);
        Wq, Wk, Wv, Wo (d_model, d_model); W1 (d_model, d_ff); b1 (d_ff,);
        W2 (d_ff, d_model). There are 4 d² + 2 d d_ff + 9 d + d_ff numbers in all.
    n_heads : number of heads; d_model is a multiple of it.
    mask : as in `multi_head_attention`.
    eps : as in `layer_norm`.

    Returns
    -------
    output : (..., n_tokens, d_model)
    weights : (..., n_heads, n_tokens, n_tokens); each row sums to 1.

    Raises
    ------
    TypeError
        If an argument does not hold real numbers, the mask is of integer type, or
        `parameters` is no mapping.
    ValueError
        If a parameter is missing, a shape does not fit, x has no token, or an argument
        holds NaN or ±∞.
    """
    x, P = _given(x, parameters)
    normed = layer_norm(x, P["gamma1"], P["beta1"], eps)
    attended, weights = multi_head_attention(normed, P, n_heads, mask=mask)
    h = x + attended
    normed = layer_norm(h, P["gamma2"], P["beta2"], eps)
    added = feed_forward(normed, P["W1"], P["b1"], P["W2"], P["b2"])
    return h + added, weights


@in_range
def block_backward(
    x: ArrayLike,
    parameters: Parameters,
    n_heads: int,
    doutput: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    eps: float = 1e-5,
) -> tuple[Array, dict[str, Array]]:
    """Go back through `block`: to x and to every parameter.

    The forward pass is computed once more on the way. Where x was added to what a
    layer made of it, the gradient goes both ways, and the two are summed.

    Parameters
    ----------
    x, parameters, n_heads, mask, eps : as they were given to `block`.
    doutput : (..., n_tokens, d_model), the gradient with respect to its output.

    Returns
    -------
    dx : of the shape of x.
    gradients : by the names of `parameters`, of their shapes.

    """
    x, P = _given(x, parameters)
    doutput = with_shape("doutput", doutput, x.shape, "x")
    normed1 = layer_norm(x, P["gamma1"], P["beta1"], eps)
    attended, weights = multi_head_attention(normed1, P, n_heads, mask=mask)
    h = x + attended
    normed2 = layer_norm(h, P["gamma2"], P["beta2"], eps)

    G: dict[str, Array] = {}
    # output = h + feed_forward(layer_norm(h))
    dnormed, G["W1"], G["b1"], G["W2"], G["b2"] = feed_forward_backward(
        normed2, P["W1"], P["b1"], P["W2"], P["b2"], doutput
    )
    dlayer, G["gamma2"], G["beta2"] = layer_norm_backward(h, P["gamma2"], dnormed, eps)
    dh = doutput + dlayer
    # h = x + attention(layer_norm(x))
    heads = multi_head_attention_backward(normed1, P, n_heads, weights, dh)
    dnormed = heads.pop("X")
    dlayer, G["gamma1"], G["beta1"] = layer_norm_backward(x, P["gamma1"], dnormed, eps)
    G.update(heads)
    return dh + dlayer, {name: G[name] for name in NAMES}


def _given(x: ArrayLike, parameters: Parameters) -> tuple[Array, dict[str, Array]]:
    """Return x and the parameters as float arrays, or say which one does not fit."""
    x = real("x", x, min_ndim=2, finite=True)
    if x.shape[-2] == 0:
        raise ValueError(f"x has shape {x.shape}; it needs at least one token")
    check_mapping("parameters", parameters, "gamma1, beta1")
    missing = [name for name in NAMES if name not in parameters]
    if missing:
        raise ValueError(f"parameters has no {', '.join(missing)}")
    P = {name: real(name, parameters[name], min_ndim=1, finite=True) for name in NAMES}
    d_ff = P["W1"].shape[-1]
    for name, array in P.items():
        needed = _shape(name, x.shape[-1], d_ff)
        if array.shape != needed:
            W1 = f" and W1 of shape {P['W1'].shape}" if name in ("b1", "W2") else ""
            raise ValueError(
                f"{name} has shape {array.shape}; with x of shape {x.shape}{W1} "
                f"it needs shape {needed}"
            )
    return x, P


def _shape(name: str, d_model: int, d_ff: int) -> tuple[int, ...]:
    rows = d_ff if name == "W2" else d_model
    columns = d_ff if name in ("W1", "b1") else d_model
    return (rows, columns) if name[0] == "W" else (columns,)
