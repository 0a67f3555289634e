"""The questions and exercises of page 07."""

from typing import Any

import numpy as np

from helpers.arrays import Array
from helpers.core import softmax
from helpers.exercises.model import (
    PAPER,
    Case,
    Exercise,
    Mistake,
    Option,
    Page,
    Question,
    tenths,
)
from helpers.gradients import attention_backward, softmax_backward

W24 = np.array([[0.5, 0.1, 0.4], [0.2, 0.2, 0.6], [0.1, 0.7, 0.2]])
G24 = np.array([[1.0, 0, -1], [2, 5, 1], [0, 3, 4]])
W52 = np.array([[0.5, 0.5], [0.2, 0.8], [1, 0], [0.9, 0.1], [0.4, 0.6]])
G52 = np.array([[1.0, 0], [2, -1], [0, 3], [1, 4], [-2, 1]])
X22, D22 = np.array([[1.0, 2], [0, 1]]), np.array([[3.0, 0], [1, 4]])


def _inner(weights: Array, dweights: Array) -> Array:
    return np.asarray((weights * dweights).sum(axis=-1, keepdims=True))


def _turn(x: Array) -> Array:
    return x.swapaxes(-1, -2)


def _backward(
    softmax_step: Any = softmax_backward,
    scale: Any = lambda Q, V: 1 / np.sqrt(Q.shape[-1]),
    dQ_of: Any = lambda dS, Q, K: dS @ K,
    dK_of: Any = lambda dS, Q, K: _turn(dS) @ Q,
    dV_of: Any = lambda w, doutput: _turn(w) @ doutput,
    dweights_of: Any = lambda doutput, V: doutput @ _turn(V),
) -> Any:
    """Return the way back through attention with one step replaced."""

    def wrong(
        Q: Array, K: Array, V: Array, weights: Array, doutput: Array
    ) -> tuple[Array, Array, Array]:
        dS = softmax_step(weights, dweights_of(doutput, V)) * scale(Q, V)
        return dQ_of(dS, Q, K), dK_of(dS, Q, K), dV_of(weights, doutput)

    return wrong


def _scaled_values(
    Q: Array, K: Array, V: Array, weights: Array, doutput: Array
) -> tuple[Array, Array, Array]:
    dQ, dK, dV = attention_backward(Q, K, V, weights, doutput)[:3]
    return dQ, dK, dV / np.sqrt(Q.shape[-1])


def _given(Q: Array, K: Array, V: Array, doutput: Array) -> tuple[Array, ...]:
    """Return Q, K, V, the weights that belong to them, and doutput."""
    return Q, K, V, softmax(Q @ _turn(K) / np.sqrt(Q.shape[-1])), doutput


def _some(seed: int, lead: tuple[int, ...], *sizes: int) -> tuple[Array, ...]:
    """Return Q, K, V and doutput for n_q, n_k, d_k, d_v."""
    n_q, n_k, d_k, d_v = sizes
    shapes = (n_q, d_k), (n_k, d_k), (n_k, d_v), (n_q, d_v)
    Q, K, V, d = (tenths(seed + i, *lead, *x) for i, x in enumerate(shapes))
    return Q, K, V, d


QUESTIONS = (
    Question(
        name="who_feels_a_score",
        text="One score of a row grows. Which weights of the row change?",
        options=(
            Option("its own", "The row sums to 1: what one gains, the others lose."),
            Option("all of them", "One grows, and all others shrink.", True),
            Option("the larger ones", "The small ones shrink, too."),
        ),
    ),
)

EXERCISES = (
    Exercise(
        name="dweight",
        call="my_dweight",
        asked=(
            "The gradient of one output row is [5, -2], and the value of a key is [2, "
            "3]. What is the gradient of the weight of this query on this key?"
        ),
        means="A weight is felt through the value that it multiplies.",
        right=4,
        mistakes=(
            Mistake("a minus lost", 16, "The second product is -2 × 3: negative."),
            Mistake("products not added", (10, -6), "Add the two products."),
            Mistake(
                "sums multiplied", 15, "Multiply component by component, then add."
            ),
            Mistake(
                "added instead of multiplied",
                8,
                "You added all four numbers. Multiply component by component first.",
            ),
            Mistake(
                "multiplied crosswise",
                11,
                "You multiplied the first with the second. Each component meets the "
                "one in the same place.",
            ),
            Mistake(
                "mean instead of sum",
                2,
                "You halved the sum. The products are added, and nothing is divided.",
            ),
            Mistake(
                "scaled",
                4 / np.sqrt(2),
                "You divided by √2. The scale belongs to the scores, and the weight "
                "comes after them.",
            ),
            *(
                Mistake(
                    "one product alone",
                    product,
                    "That is one of two products: both components of the output feel "
                    "the weight.",
                )
                for product in (10, -6)
            ),
            Mistake(
                "the value itself",
                (2, 3),
                "That is the value. The gradient of the output is still to be "
                "multiplied in, and added up.",
            ),
            Mistake(
                "the gradient of the output",
                (5, -2),
                "That is what the output feels. The weight feels it through the value.",
            ),
            Mistake(
                "subtracted instead of multiplied",
                (3, -5),
                "You subtracted the value from the gradient. Multiply component by "
                "component, then add.",
            ),
        ),
        tolerance=PAPER,
    ),
    Exercise(
        name="jacobian_entry",
        call="my_jacobian_entry",
        asked=(
            "A row has the weights [0.1, 0.3, 0.6]. How fast does weight 0 grow when "
            "score 2 grows? Use paper."
        ),
        means="-0.1 × 0.6: what one key gains, the others lose.",
        right=-0.06,
        mistakes=(
            Mistake("the wrong sign", 0.06, "When score 2 grows, weight 0 shrinks."),
            Mistake(
                "only the diagonal",
                0,
                "Every weight depends on every score of its row, since they sum to 1.",
            ),
            Mistake(
                "its own score",
                0.09,
                "0.1 × 0.9 is how weight 0 feels its own score.",
            ),
            Mistake(
                "the other weight by its own score",
                0.24,
                "0.6 × 0.4 is how weight 2 feels score 2. The question is about "
                "weight 0.",
            ),
            *(
                Mistake(
                    "the two formulas mixed",
                    entry,
                    "1 - w belongs to a weight and its own score. Weight and score "
                    "have different numbers here.",
                )
                for entry in (0.04, 0.54, -0.04, -0.54)
            ),
            *(
                Mistake(
                    "another pair",
                    entry,
                    "You multiplied with weight 1, the middle one. The question is "
                    "about weight 0 and score 2, counted from 0.",
                )
                for entry in (-0.03, -0.18, 0.03, 0.18)
            ),
            *(
                Mistake(
                    "one weight alone",
                    entry,
                    "That is one of the two weights. Both are in the entry: the one "
                    "that moves, and that of the key whose score grows.",
                )
                for entry in (0.1, -0.1, 0.6, -0.6)
            ),
            *(
                Mistake(
                    "subtracted instead of multiplied",
                    entry,
                    "You subtracted one weight from the other. Multiply them, and mind "
                    "the sign.",
                )
                for entry in (-0.5, 0.5)
            ),
        ),
        tolerance=PAPER,
        near=4e-3,
    ),
    Exercise(
        name="softmax_backward",
        call="my_dscores(weights, dweights)",
        asked=(
            "Write my_dscores(weights, dweights) from memory: back through softmax, "
            "along the last axis. It should work with a batch, too."
        ),
        means="Each row of it sums to 0: a shift of all scores changes nothing.",
        right=softmax_backward,
        mistakes=(
            Mistake(
                "only the diagonal",
                lambda w, g: w * (1 - w) * g,
                "You used w (1 - w), a weight and its own score. The other weights of "
                "the row shrink, and that is felt, too.",
            ),
            Mistake(
                "weights forgotten at the end",
                lambda w, g: g - _inner(w, g),
                "You subtracted the average. Multiply the result by the weights.",
            ),
            Mistake(
                "parentheses missing",
                lambda w, g: w * g - _inner(w, g),
                "Only g was multiplied by the weights. Subtract first, then multiply: "
                "put parentheses around g − Σ g w.",
            ),
            Mistake(
                "average forgotten",
                lambda w, g: w * g,
                "You multiplied by the weights. Before that, subtract the average of "
                "the row, Σ g w.",
            ),
            Mistake(
                "mean instead of weighted average",
                lambda w, g: w * (g - g.mean(axis=-1, keepdims=True)),
                "You subtracted the mean of the row. It has to be the average with "
                "the weights, Σ g w.",
            ),
            Mistake(
                "sum not weighted",
                lambda w, g: w * (g - g.sum(axis=-1, keepdims=True)),
                "You subtracted Σ g. It has to be Σ g w.",
            ),
            Mistake(
                "summed over the wrong axis",
                lambda w, g: w * (g - (g * w).sum(axis=0)),
                "You summed down the columns. A row has its own Σ g w: axis=-1.",
            ),
            Mistake(
                "summed over the whole matrix",
                lambda w, g: w * (g - (g * w).sum()),
                "You took one sum for all rows. Each has its own: axis=-1, with "
                "keepdims=True.",
            ),
            Mistake(
                "keepdims missing",
                lambda w, g: w * (g - (g * w).sum(axis=-1)),
                "The sums of the rows were laid along the columns. keepdims=True "
                "leaves them in a column.",
            ),
            Mistake(
                "the wrong sign",
                lambda w, g: w * (_inner(w, g) - g),
                "The sign is the other way round: entry minus average.",
            ),
            Mistake(
                "weights and gradients exchanged",
                lambda w, g: g * (w - _inner(w, g)),
                "You exchanged the two. The average is subtracted from the gradients, "
                "and the weights multiply.",
            ),
            Mistake(
                "mean of the products",
                lambda w, g: w * (g - (g * w).mean(axis=-1, keepdims=True)),
                "You took the mean of g w. Take the sum: as the weights sum to 1, it "
                "is an average already.",
            ),
            Mistake(
                "softmax taken twice",
                lambda w, g: softmax_backward(softmax(w), g),
                "You took softmax of the weights. They went through it already.",
            ),
            Mistake(
                "the average alone",
                lambda w, g: w * _inner(w, g),
                "You multiplied the weights by the average. It is subtracted from g "
                "first.",
            ),
            Mistake(
                "added instead of subtracted",
                lambda w, g: w * (g + _inner(w, g)),
                "You added the average. Subtract it.",
            ),
        ),
        cases=(
            Case((W24, G24)),
            Case((W24, G24 / 8), "decimals"),
            Case((W24, G24 - 6), "negative"),
            Case((W24[:2], G24[:2]), "wide"),
            Case((W24[:1], G24[:1]), "wide"),
            Case((W52, G52), "wide"),
            Case((np.ones((2, 1)), G52[:2, :1]), "wide"),
            Case((np.stack([W24, W24[::-1]]), np.stack([G24, G24 - 2])), "batch"),
            Case((W24, G24.astype(int)), "integers"),
            Case((W24, 1000 * G24), "large"),
        ),
    ),
    Exercise(
        name="attention_backward",
        call="my_attention_backward(Q, K, V, weights, doutput)",
        asked=(
            "Write my_attention_backward(Q, K, V, weights, doutput): dQ, dK and dV, "
            "with scores that were scaled by 1/√d_k. It should work with a batch, too."
        ),
        means="Three gradients, each of the shape of its matrix.",
        right=lambda *given: attention_backward(*given)[:3],
        mistakes=(
            Mistake(
                "scale forgotten",
                _backward(scale=lambda Q, V: 1),
                "1/√d_k was a factor on the way there, so it is one on the way back.",
            ),
            Mistake(
                "scaled by d_k",
                _backward(scale=lambda Q, V: 1 / Q.shape[-1]),
                "You divided by d_k. The factor on the way there was 1/√d_k.",
            ),
            Mistake(
                "multiplied instead of divided",
                _backward(scale=lambda Q, V: np.sqrt(Q.shape[-1])),
                "You multiplied by √d_k. The factor on the way there was 1/√d_k.",
            ),
            Mistake(
                "scaled by √d_v",
                _backward(scale=lambda Q, V: 1 / np.sqrt(V.shape[-1])),
                "You divided by √d_v, the width of V. d_k is the width of Q and K.",
            ),
            Mistake(
                "scaled by the number of keys",
                _backward(scale=lambda Q, V: 1 / np.sqrt(V.shape[-2])),
                "You divided by the root of the number of keys. d_k is the width of Q "
                "and K, the last axis.",
            ),
            Mistake(
                "scaled by the number of queries",
                _backward(scale=lambda Q, V: 1 / np.sqrt(Q.shape[-2])),
                "You divided by the root of the number of queries. d_k is the width "
                "of Q and K, the last axis.",
            ),
            Mistake(
                "a fixed d_k",
                _backward(scale=lambda Q, V: 1 / np.sqrt(2)),
                "You divided by √2, always. d_k is the width of Q, Q.shape[-1].",
            ),
            Mistake(
                "scale forgotten in dQ",
                _backward(dQ_of=lambda dS, Q, K: dS @ K * np.sqrt(Q.shape[-1])),
                "dQ lacks the factor 1/√d_k. dK has it: both come from the same "
                "scores.",
            ),
            Mistake(
                "scale forgotten in dK",
                _backward(dK_of=lambda dS, Q, K: _turn(dS) @ Q * np.sqrt(Q.shape[-1])),
                "dK lacks the factor 1/√d_k. dQ has it: both come from the same "
                "scores.",
            ),
            Mistake(
                "dV scaled",
                _scaled_values,
                "You scaled dV. The scale belongs to the scores: values are mixed "
                "after them.",
            ),
            Mistake(
                "V not turned",
                _backward(dweights_of=lambda doutput, V: doutput @ V),
                "For dweights each output meets each value, and values are rows: "
                "doutput Vᵀ.",
            ),
            Mistake(
                "V left out",
                _backward(dweights_of=lambda doutput, V: doutput),
                "You used doutput as dweights. A weight is felt through its value: "
                "doutput Vᵀ.",
            ),
            Mistake(
                "softmax taken twice",
                lambda Q, K, V, weights, doutput: attention_backward(
                    Q, K, V, softmax(weights), doutput
                )[:3],
                "You took softmax of the weights. They went through it already.",
            ),
            Mistake(
                "K transposed",
                _backward(dQ_of=lambda dS, Q, K: dS @ _turn(K)),
                "dQ = dscores K: the query is felt through the keys, which are rows.",
            ),
            Mistake(
                "dscores not turned in dK",
                _backward(dK_of=lambda dS, Q, K: dS @ Q),
                "For dK each key collects from its queries: turn dscores around first.",
            ),
            Mistake(
                "K used for dK",
                _backward(dK_of=lambda dS, Q, K: _turn(dS) @ K),
                "For dK you multiplied with K. A key is felt through the queries, "
                "which are the rows of Q.",
            ),
            Mistake(
                "Q used for dQ",
                _backward(dQ_of=lambda dS, Q, K: dS @ Q),
                "For dQ you multiplied with Q. A query is felt through the keys, "
                "which are the rows of K.",
            ),
            Mistake(
                "Q used for dQ, K for dK",
                _backward(
                    dQ_of=lambda dS, Q, K: dS @ Q,
                    dK_of=lambda dS, Q, K: _turn(dS) @ K,
                ),
                "You used Q for dQ and K for dK. Each is felt through the other: a "
                "query through the keys, a key through the queries.",
            ),
            Mistake(
                "weights not turned in dV",
                _backward(dV_of=lambda w, d: w @ d),
                "For dV each value collects from its queries: weightsᵀ doutput.",
            ),
            Mistake(
                "dQ and dK exchanged",
                lambda *given: [attention_backward(*given)[i] for i in (1, 0, 2)],
                "Return dQ, dK and dV, in this order.",
            ),
            Mistake(
                "only the diagonal",
                _backward(softmax_step=lambda w, g: w * (1 - w) * g),
                "You went through softmax with w (1 - w) alone. Every weight depends "
                "on every score of its row.",
            ),
            Mistake(
                "softmax left out",
                _backward(softmax_step=lambda w, g: g),
                "You used dweights as dscores. Softmax lies between them.",
            ),
            Mistake(
                "mean instead of weighted average",
                _backward(
                    softmax_step=lambda w, g: w * (g - g.mean(axis=-1, keepdims=True))
                ),
                "In the softmax step, subtract the average with the weights, Σ g w.",
            ),
            Mistake(
                "average forgotten",
                _backward(softmax_step=lambda w, g: w * g),
                "In the softmax step, subtract the average with the weights, Σ g w, "
                "before you multiply.",
            ),
            Mistake(
                "weights forgotten at the end",
                _backward(softmax_step=lambda w, g: g - _inner(w, g)),
                "In the softmax step, multiply the difference by the weights.",
            ),
            Mistake(
                "summed over the wrong axis",
                _backward(
                    softmax_step=lambda w, g: (
                        w * (g - (w * g).sum(axis=-2, keepdims=True))
                    )
                ),
                "In the softmax step, you summed down the columns. A row has its own Σ"
                " g w: axis=-1.",
            ),
            Mistake(
                "parentheses missing",
                _backward(softmax_step=lambda w, g: w * g - _inner(w, g)),
                "In the softmax step, only g was multiplied by the weights. Subtract "
                "first, then multiply: put parentheses around g − Σ g w.",
            ),
        ),
        cases=lambda seed: (
            Case(_given(*_some(seed + 20, (), 2, 2, 2, 2))),
            Case(
                _given(*(-np.abs(x) - 0.1 for x in _some(seed + 20, (), 2, 2, 2, 2))),
                "negative",
            ),
            Case(_given(*_some(seed + 30, (), 1, 4, 3, 5)), "wide"),
            Case(_given(*_some(seed + 30, (), 5, 2, 1, 1)), "wide"),
            Case(_given(*_some(seed + 40, (2,), 2, 3, 4, 2)), "batch"),
            Case(
                _given(*(1000 * x for x in _some(seed + 20, (), 2, 2, 2, 2))), "large"
            ),
        ),
        returns=("dQ", "dK", "dV"),
    ),
    Exercise(
        name="dwq",
        call="my_dWq(X, dQ)",
        asked=(
            "Write my_dWq(X, dQ): the gradient of Wq, when that of Q = X Wq is dQ. One "
            "sentence, no batch."
        ),
        means="Xᵀ dQ has the shape of Wq, as it must.",
        right=lambda X, dQ: X.T @ dQ,
        mistakes=(
            Mistake(
                "X not turned",
                lambda X, dQ: X @ dQ,
                "Turn X first. A gradient has the shape of its matrix, (d_model, d_k).",
            ),
            Mistake(
                "transposed",
                lambda X, dQ: dQ.T @ X,
                "That is the transpose: it has the shape (d_k, d_model).",
            ),
            Mistake(
                "dQ turned",
                lambda X, dQ: X @ dQ.T,
                "You turned dQ. Tokens are summed away, and they are the rows of "
                "both: Xᵀ dQ.",
            ),
            Mistake(
                "mean over the tokens",
                lambda X, dQ: X.T @ dQ / len(X),
                "You divided by the number of tokens. What they feel is added up.",
            ),
            Mistake(
                "multiplied entry by entry",
                lambda X, dQ: X * dQ,
                "* multiplies entry by entry. The matrix product is @.",
            ),
            Mistake(
                "multiplied entry by entry",
                lambda X, dQ: X.T * dQ,
                "* multiplies entry by entry. The matrix product is @.",
            ),
            Mistake(
                "X and dQ exchanged",
                lambda X, dQ: dQ @ X,
                "You put dQ in front. Tokens are summed away, and they are the rows of "
                "both: Xᵀ dQ.",
            ),
            Mistake(
                "both turned",
                lambda X, dQ: X.T @ dQ.T,
                "You turned dQ as well. It has its tokens first already: Xᵀ dQ.",
            ),
            Mistake(
                "tokens added before",
                lambda X, dQ: np.outer(X.sum(axis=0), dQ.sum(axis=0)),
                "You added up the tokens first, so each one meets the gradient of the "
                "others. First the product for each token, then the sum.",
            ),
            Mistake(
                "only the first token",
                lambda X, dQ: np.outer(X[0], dQ[0]),
                "That is what the first token feels. All of them went through Wq: add "
                "up.",
            ),
            Mistake(
                "tokens not added",
                lambda X, dQ: X[:, :, None] * dQ[:, None, :],
                "You hold a matrix for each token. Add them up: all went through one "
                "Wq.",
            ),
        ),
        cases=lambda seed: (
            Case((X22, D22)),
            Case((X22 / 32, D22), "decimals"),
            Case((-X22 - 1, D22), "negative"),
            Case((tenths(seed + 16, 3, 4), tenths(seed + 17, 3, 2)), "wide"),
            Case((X22[:1], D22[:1]), "wide"),
            Case((G52, G52[:, :1] + 1), "wide"),
            Case((1000 * X22, D22), "large"),
        ),
    ),
)

PAGE = Page(number=7, topic="gradients", questions=QUESTIONS, exercises=EXERCISES)
