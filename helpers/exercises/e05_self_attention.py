"""The questions and exercises of page 05."""

from typing import Any

import numpy as np

from helpers.arrays import Array
from helpers.core import causal_mask, self_attention, softmax
from helpers.exercises.e03_softmax import (
    DEEP,
    HIGH,
    TALL,
    UNEVEN,
    plain_softmax,
    whole_softmax,
    winner,
)
from helpers.exercises.model import (
    Case,
    Exercise,
    Mistake,
    Option,
    Page,
    Question,
    tenths,
)

X34 = np.array([[1.0, 0, 0, 1], [0, 1, 0, 0], [0, 1, 1, 0]])  # 3 tokens, d_model 4
WQ = np.array([[1.0, 0, 0], [0, 1, 2], [1, 0, 0], [0, 1, 0]])
WK = np.array([[0.0, 1, 0], [1, 0, 0], [0, 1, 1], [1, 0, 1]])
WV = np.array([[2.0, 0, 1], [0, 4, 0], [1, 0, 0], [0, 3, 1]])
X52 = np.array([[1.0, 0], [0, 1], [2, 1], [1, -1], [0, 2]])  # 5 tokens, d_model 2
W24 = np.array([[1.0, 0, 2, 1], [0, 1, -1, 1]])
W22 = np.array([[1.0, 3], [2, 0]])
X21, W12, W13 = np.array([[1.0], [3]]), np.array([[1.0, 2]]), np.array([[2.0, 0, 1]])
SOME = np.array([[True, False, True], [True, True, False], [False, False, True]])


def _attention(
    weigh: Any = softmax,
    scale: Any = None,
    mix: Any = None,
    swap: bool = False,
    shown: Any = lambda weights, scores: weights,
    turn: Any = lambda K: K.swapaxes(-1, -2),
) -> Any:
    """Return self-attention with one step replaced."""

    def wrong(X: Array, Wq: Array, Wk: Array, Wv: Array) -> tuple[Array, Array]:
        Q, K, V = X @ Wq, X @ Wk, X @ Wv
        if swap:
            Q, K = K, Q
        factor = 1 / np.sqrt(Q.shape[-1]) if scale is None else scale(X, Q)
        scores = Q @ turn(K) * factor
        weights = weigh(scores)
        output = weights @ V if mix is None else mix(weights, scores, X, K, V)
        return output, shown(weights, scores)

    return wrong


def _scaled_after_softmax(
    X: Array, Wq: Array, Wk: Array, Wv: Array
) -> tuple[Array, Array]:
    K = X @ Wk
    weights = softmax(X @ Wq @ K.swapaxes(-1, -2)) / np.sqrt(K.shape[-1])
    return weights @ (X @ Wv), weights


def _without_projections(root: Any) -> Any:
    """Return self-attention of X itself, with the width of X or of the queries."""

    def wrong(X: Array, Wq: Array, Wk: Array, Wv: Array) -> tuple[Array, Array]:
        weights = softmax(X @ X.swapaxes(-1, -2) / np.sqrt(root(X, Wq)))
        return weights @ X, weights

    return wrong


def _hide_the_future(scores: Array) -> Array:
    """Softmax with a causal mask."""
    return softmax(np.where(causal_mask(scores.shape[-1]), scores, -np.inf))


def _times_infinity(weigh: Any) -> Any:
    return lambda scores, mask: weigh(scores + (1 - mask) * -np.inf)


def _mask_and_divide(scores: Array, mask: Array) -> Array:
    weights = softmax(scores) * mask
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


QUESTIONS = (
    Question(
        name="order",
        text=(
            "No mask: does self-attention give 猫 another output in 'love 我 猫' than "
            "in '我 love 猫'?"
        ),
        options=(
            Option("yes", "Each output moves along with its token, unchanged."),
            Option("no", "Attention compares contents; it knows no order.", True),
        ),
    ),
    Question(
        name="mask_before_softmax",
        text="Why is a key hidden before softmax, and not after?",
        options=(
            Option("it is faster", "The cost is the same."),
            Option("so that its value becomes 0", "Its value stays as it was."),
            Option(
                "so that each row still sums to 1",
                "Set to 0 afterwards, its share would be missing.",
                True,
            ),
        ),
    ),
)

EXERCISES = (
    Exercise(
        name="self_attention",
        call="my_attention(X, Wq, Wk, Wv)",
        asked=(
            "Write my_attention(X, Wq, Wk, Wv) from memory: scaled by 1/√d_k, it "
            "returns output and weights. You may use softmax. It should work with a "
            "batch, too."
        ),
        means="All four steps, in one function: this is the head of a Transformer.",
        right=self_attention,
        mistakes=(
            Mistake(
                "no scale",
                _attention(scale=lambda X, Q: 1),
                "Your scores are not divided by √d_k.",
            ),
            Mistake(
                "scaled by d_k",
                _attention(scale=lambda X, Q: 1 / Q.shape[-1]),
                "You divided by d_k. Divide by its square root.",
            ),
            Mistake(
                "scaled by √d_model",
                _attention(scale=lambda X, Q: 1 / np.sqrt(X.shape[-1])),
                "You divided by √d_model, the width of X. d_k is the width of Q.",
            ),
            Mistake(
                "scaled by d_model",
                _attention(scale=lambda X, Q: 1 / X.shape[-1]),
                "You divided by d_model, the width of X. Divide by √d_k.",
            ),
            Mistake(
                "scaled by the number of tokens",
                _attention(scale=lambda X, Q: 1 / np.sqrt(X.shape[-2])),
                "You divided by the root of the number of tokens. d_k is the width of "
                "Q, the last axis.",
            ),
            Mistake(
                "a fixed d_k",
                _attention(scale=lambda X, Q: 1 / np.sqrt(3)),
                "You divided by √3, always. d_k is the width of Q, Q.shape[-1].",
            ),
            Mistake(
                "scaled by √d_v",
                lambda X, Wq, Wk, Wv: _attention(
                    scale=lambda X, Q: 1 / np.sqrt(Wv.shape[-1])
                )(X, Wq, Wk, Wv),
                "You divided by √d_v, the width of V. d_k is the width of Q and K.",
            ),
            Mistake(
                "scaled after softmax",
                _scaled_after_softmax,
                "You divided the weights by √d_k. Divide the scores, before softmax.",
            ),
            Mistake(
                "multiplied instead of divided",
                _attention(scale=lambda X, Q: np.sqrt(Q.shape[-1])),
                "You multiplied by √d_k. Wide vectors give large sums: divide.",
            ),
            Mistake(
                "Kᵀ forgotten",
                _attention(turn=lambda K: K),
                "You multiplied Q with the columns of K, which belong to no token. "
                "Turn K first: Kᵀ.",
            ),
            Mistake(
                "Q and K exchanged",
                _attention(swap=True),
                "Your rows are the keys. Queries ask, so they are the rows: Q Kᵀ.",
            ),
            Mistake(
                "softmax over the wrong axis",
                _attention(weigh=lambda s: softmax(s, axis=-2)),
                "Your columns sum to 1. A query is a row: softmax along the last axis.",
            ),
            Mistake(
                "softmax over the whole matrix",
                _attention(weigh=whole_softmax),
                "All your weights together sum to 1. Each row has its own 100 %.",
            ),
            Mistake(
                "softmax taken twice",
                _attention(weigh=lambda s: softmax(softmax(s))),
                "You took softmax of the weights. They went through it already.",
            ),
            Mistake(
                "softmax taken twice",
                _attention(mix=lambda w, s, X, K, V: softmax(w) @ V),
                "You took softmax of the weights. They went through it already.",
            ),
            Mistake(
                "causal mask applied",
                _attention(weigh=_hide_the_future),
                "Your queries see no later token. No mask is asked for here.",
            ),
            Mistake(
                "maximum not subtracted",
                _attention(weigh=plain_softmax),
                "Right for small scores, but e^1000 is too large for a computer. "
                "Subtract the largest score of each row first, or use softmax.",
            ),
            Mistake(
                "scores used as weights",
                _attention(weigh=lambda s: s),
                "You mixed the values by the scores. Softmax comes between.",
            ),
            Mistake(
                "scores mixed the values",
                _attention(mix=lambda w, s, X, K, V: s @ V),
                "Your weights are right, but the scores mixed the values. Use weights.",
            ),
            Mistake(
                "scores returned",
                _attention(shown=lambda weights, scores: scores),
                "Your output is right, but beside it you return the scores. Return the "
                "weights.",
            ),
            Mistake(
                "weightsᵀ V",
                _attention(mix=lambda w, s, X, K, V: w.swapaxes(-1, -2) @ V),
                "You turned the weights around. Row = query: weights V.",
            ),
            Mistake(
                "values projected with Wk",
                _attention(mix=lambda w, s, X, K, V: w @ K),
                "Your weights mix the keys. What a token gives is its value, X Wv.",
            ),
            Mistake(
                "K and V exchanged",
                lambda X, Wq, Wk, Wv: self_attention(X, Wq, Wv, Wk),
                "You compared the queries with X Wv, and mixed X Wk. Keys are X Wk: "
                "queries meet them. Values are X Wv: they are mixed.",
            ),
            Mistake(
                "values not projected",
                _attention(mix=lambda w, s, X, K, V: w @ X),
                "Your weights mix the rows of X. They still have to pass through Wv.",
            ),
            Mistake(
                "no projections",
                _without_projections(lambda X, Wq: Wq.shape[-1]),
                "You took X for Q, K and V. First they are made: X Wq, X Wk, X Wv.",
            ),
            Mistake(
                "no projections",
                _without_projections(lambda X, Wq: X.shape[-1]),
                "You took X for Q, K and V. First they are made: X Wq, X Wk, X Wv.",
            ),
            Mistake(
                "one matrix for all",
                lambda X, Wq, Wk, Wv: self_attention(X, Wq, Wq, Wq),
                "All three are made with Wq. Each role has its own matrix.",
            ),
            Mistake(
                "keys projected with Wq",
                lambda X, Wq, Wk, Wv: self_attention(X, Wq, Wq, Wv),
                "Your K is made with Wq. Keys have a matrix of their own, Wk.",
            ),
            Mistake(
                "values projected with Wq",
                lambda X, Wq, Wk, Wv: self_attention(X, Wq, Wk, Wq),
                "Your V is made with Wq. Values have a matrix of their own, Wv.",
            ),
            Mistake(
                "queries projected with Wk",
                lambda X, Wq, Wk, Wv: self_attention(X, Wk, Wk, Wv),
                "Your Q is made with Wk. Queries have a matrix of their own, Wq.",
            ),
            Mistake(
                "values added to the mixture",
                _attention(mix=lambda w, s, X, K, V: w @ V + V),
                "You added the values once more. The output is weights V alone.",
            ),
            Mistake(
                "arg-max instead of average",
                _attention(mix=lambda w, s, X, K, V: winner(w) @ V),
                "Each query took the value of its largest weight. The others keep "
                "their share: it is an average.",
            ),
            Mistake(
                "output and weights exchanged",
                lambda *given: self_attention(*given)[::-1],
                "Return output first, then weights.",
            ),
        ),
        cases=lambda seed: (
            Case((X34, WQ, WK, WV)),
            Case((X34 / 8, WQ, WK, WV), "decimals"),
            Case((-X34 - 1, WQ, WK, WV), "negative"),
            Case((X52, W24, W24[::-1], W22), "wide"),
            Case((X34[:1], WQ, WK, WV), "wide"),
            Case((X21, W12, W12[:, ::-1], W13), "wide"),
            Case((tenths(seed + 7, 2, 5, 4) / 2, WQ, WK, WV), "batch"),
            Case((X34.astype(int), WQ, WK, WV / 4), "integers"),
            Case((1000 * X34, WQ, WK, WV), "large"),
        ),
        returns=("output", "weights"),
    ),
    Exercise(
        name="causal_mask",
        call="my_causal_mask(n)",
        asked=(
            "Write my_causal_mask(n): shape (n, n), boolean, True where the query in "
            "row i may look at the key in column j, itself and earlier ones."
        ),
        means="Row i sees the keys 0 to i, and nobody sees the future.",
        right=causal_mask,
        mistakes=(
            Mistake(
                "mask inverted",
                lambda n: ~causal_mask(n),
                "Your True means hidden. In this course True = may attend.",
            ),
            Mistake(
                "off by one: its own position hidden",
                lambda n: np.tri(n, k=-1, dtype=bool),
                "Your queries cannot see themselves, and row 0 sees nothing. The "
                "diagonal belongs to what may be seen.",
            ),
            Mistake(
                "off by one: the next token in sight",
                lambda n: np.tri(n, k=1, dtype=bool),
                "Row i sees key i + 1, the token that it should predict.",
            ),
            Mistake(
                "rows and columns exchanged",
                lambda n: causal_mask(n).T,
                "Your queries see themselves and the later ones. Row = query: row i "
                "sees columns 0 to i.",
            ),
            Mistake(
                "numbers instead of True and False",
                lambda n: np.tri(n),
                "The places are right, but the mask holds 0 and 1. Numbers are for "
                "adding to scores, so attention refuses these: make it boolean.",
            ),
            Mistake(
                "scores instead of True and False",
                lambda n: np.where(causal_mask(n), 0, -np.inf),
                "The places are right, but these are numbers to add. Return True and "
                "False.",
            ),
            Mistake(
                "everything in sight",
                lambda n: np.ones((n, n), dtype=bool),
                "Every query sees every key, the future as well.",
            ),
            Mistake(
                "only itself in sight",
                lambda n: np.eye(n, dtype=bool),
                "Your queries see themselves alone. The earlier keys are in sight, "
                "too.",
            ),
            Mistake(
                "numbers, and inverted",
                lambda n: np.triu(np.ones((n, n)), k=1),
                "Your 1 means hidden, and these are numbers. In this course True = may "
                "attend.",
            ),
            Mistake(
                "one row for all",
                lambda n: np.ones(n, dtype=bool),
                "The mask has a row for each query and a column for each key: (n, n).",
            ),
        ),
        cases=(Case((3,)), Case((1,), "other"), Case((5,), "other")),
    ),
    Exercise(
        name="masked_weights",
        call="my_masked_weights(scores, mask)",
        asked=(
            "Write my_masked_weights(scores, mask): the weights when each query sees "
            "only the keys where mask is True. You may use softmax; scores stay as "
            "they are."
        ),
        means=(
            "Hidden before softmax, a key has the weight 0 and each row still sums to "
            "1."
        ),
        right=lambda scores, mask: softmax(np.where(mask, scores, -np.inf)),
        mistakes=(
            Mistake(
                "mask inverted",
                lambda scores, mask: softmax(np.where(mask, -np.inf, scores)),
                "You hid what may be seen. True = may attend.",
            ),
            Mistake(
                "mask added as 0/1",
                lambda scores, mask: softmax(scores + mask),
                "You added the mask: True became 1, and nothing is hidden. Put "
                "-np.inf where it is False.",
            ),
            Mistake(
                "hidden with a score of 0",
                lambda scores, mask: softmax(scores * mask),
                "A score of 0, as a multiplication by the mask makes it, still weighs "
                "e^0 = 1. Put -np.inf instead.",
            ),
            Mistake(
                "mask applied after softmax",
                lambda scores, mask: softmax(scores) * mask,
                "You hid weights after softmax, and the rows no longer sum to 1. Hide "
                "the scores before.",
            ),
            Mistake(
                "mask applied after softmax",
                _mask_and_divide,
                "Right only while something is left. You hid the exponentials or the "
                "weights, and divided by the rest, which is 0 where the hidden keys "
                "had everything. Hide the scores before: -np.inf.",
            ),
            Mistake(
                "−∞ put after softmax",
                lambda scores, mask: np.where(mask, softmax(scores), -np.inf),
                "You put −∞ among the weights. It belongs among the scores, before "
                "softmax, which makes the weight 0 of it.",
            ),
            *(
                Mistake(
                    "0 · ∞ or ∞ − ∞",
                    weigh,
                    "Your weights are no numbers: 0 · ∞ and ∞ − ∞ are none. np.where "
                    "puts -np.inf only where the mask is False.",
                )
                for weigh in (_times_infinity(softmax), _times_infinity(plain_softmax))
            ),
            Mistake(
                "mask ignored",
                lambda scores, mask: softmax(scores),
                "These are the weights with every key in sight.",
            ),
            Mistake(
                "softmax forgotten",
                lambda scores, mask: np.where(mask, scores, -np.inf),
                "These are scores with hidden keys. Softmax makes weights of them.",
            ),
            Mistake(
                "softmax over the wrong axis",
                lambda scores, mask: softmax(np.where(mask, scores, -np.inf), axis=-2),
                "Your columns sum to 1. A query is a row: softmax along the last axis.",
            ),
            Mistake(
                "a number subtracted instead of −∞",
                lambda scores, mask: softmax(scores + np.where(mask, 0, -1e9)),
                "Right for small scores, but a hidden score can lie higher than the "
                "number that you subtract. Put -np.inf in its place.",
            ),
            Mistake(
                "not hidden deep enough",
                lambda scores, mask: softmax(np.where(mask, scores, -100)),
                "Right for small scores, but a row can lie lower than the number that "
                "you put. Only -np.inf lies below everything.",
            ),
            Mistake(
                "not hidden deep enough",
                lambda scores, mask: softmax(np.where(mask, scores, -1e9)),
                "Right for small scores, but a row can lie lower than the number that "
                "you put. Only -np.inf lies below everything.",
            ),
            Mistake(
                "maximum not subtracted",
                lambda scores, mask: plain_softmax(np.where(mask, scores, -np.inf)),
                "Right for small scores, but e^-1000 is 0 for a computer, and 0/0 is "
                "no number. Subtract each row's largest score first, or use softmax.",
            ),
            Mistake(
                "mask turned around",
                lambda scores, mask: softmax(
                    np.where(np.swapaxes(mask, -1, -2), scores, -np.inf)
                ),
                "You turned the mask around. Row = query, as in the scores.",
            ),
        ),
        cases=(
            Case((UNEVEN, SOME)),
            Case((UNEVEN / 8, SOME), "decimals"),
            Case((UNEVEN - 5, SOME), "negative"),
            Case((UNEVEN[:2], SOME[:2]), "wide"),
            Case((UNEVEN[:1], SOME[:1]), "wide"),
            Case((TALL, TALL > -1), "wide"),
            Case((UNEVEN[:, :1], SOME[:, :1] | True), "wide"),
            Case((np.stack([UNEVEN, UNEVEN.T + UNEVEN]), SOME), "batch"),
            Case((UNEVEN.astype(int), SOME), "integers"),
            Case((UNEVEN - 1000, SOME), "large"),
            Case((np.array([[0.0, 1000, 1]]), SOME[:1]), "large"),
            Case((DEEP, SOME[:1]), "large"),
            Case((HIGH, np.array([[False, True, True]])), "large"),
        ),
    ),
    Exercise(
        name="shuffled_output",
        call="my_shuffled_output",
        asked=(
            "Three tokens have the outputs [[1, 2], [3, 4], [5, 6]]. Now "
            "self-attention, without a mask, gets X[[2, 0, 1]]. Which output comes "
            "out? Answer with three rows."
        ),
        means="The rows of the output move along with their tokens.",
        right=((5, 6), (1, 2), (3, 4)),
        mistakes=(
            Mistake(
                "order ignored",
                ((1, 2), (3, 4), (5, 6)),
                "You left the rows where they were. Each moves with its token.",
            ),
            Mistake(
                "moved the other way",
                ((3, 4), (5, 6), (1, 2)),
                "You moved them the other way round. The new row 0 is the old token 2.",
            ),
            Mistake(
                "columns moved as well",
                ((6, 5), (2, 1), (4, 3)),
                "Tokens are rows. The components of an output keep their places.",
            ),
            *(
                Mistake(
                    "moved in another order",
                    rows,
                    "Read [2, 0, 1] from the left: the new row 0 is the old token 2.",
                )
                for rows in (
                    ((5, 6), (3, 4), (1, 2)),
                    ((1, 2), (5, 6), (3, 4)),
                    ((3, 4), (1, 2), (5, 6)),
                )
            ),
            Mistake(
                "the order itself",
                (2, 0, 1),
                "That is the order of the tokens. Their outputs, three rows of two "
                "numbers, move along with them.",
            ),
            Mistake(
                "only the components moved",
                ((2, 1), (4, 3), (6, 5)),
                "Tokens are rows, and they move. The components of an output keep "
                "their places.",
            ),
        ),
    ),
    Exercise(
        name="rows_that_change",
        call="my_rows_that_change",
        asked=(
            "Four tokens, 0 to 3, with a causal mask. The input of token 1 is changed. "
            "Which rows of the output may change? Answer with their numbers, such as "
            "(0, 2)."
        ),
        means="Token 1 is seen by itself and by all that come later.",
        right=(1, 2, 3),
        mistakes=(
            Mistake(
                "the past instead of the future",
                (0, 1),
                "Token 0 comes before token 1 and cannot see it. The later ones can.",
            ),
            Mistake(
                "itself alone",
                (1,),
                "Tokens 2 and 3 see token 1, so they change, too.",
            ),
            Mistake(
                "itself left out",
                (2, 3),
                "A token sees itself: row 1 changes, too.",
            ),
            Mistake(
                "all rows",
                (0, 1, 2, 3),
                "That would be so without a mask. Token 0 sees only itself.",
            ),
            Mistake(
                "counted from 1",
                (2, 3, 4),
                "You counted from 1. The tokens have the numbers 0 to 3.",
            ),
            *(
                Mistake(
                    "the mask's column",
                    column,
                    "That is column 1 of the mask, who may see token 1. Answer with "
                    "the numbers of these rows.",
                )
                for column in ((False, True, True, True), (0, 1, 1, 1))
            ),
            Mistake(
                "only the next",
                (1, 2),
                "Token 3 comes later as well, and sees token 1.",
            ),
            Mistake(
                "only the next",
                (2,),
                "Not the next alone: token 1 sees itself, and token 3 sees it, too.",
            ),
            Mistake(
                "the past instead of the future",
                (0,),
                "Token 0 comes before token 1 and cannot see it. The later ones can.",
            ),
            Mistake(
                "only the last",
                (3,),
                "Not the last alone: token 1 sees itself, and token 2 sees it, too.",
            ),
            Mistake(
                "all but itself",
                (0, 2, 3),
                "Token 1 sees itself. Token 0 comes before it and cannot see it.",
            ),
        ),
        read=lambda rows: sorted(
            np.ravel(list(rows) if isinstance(rows, set | frozenset) else rows)
        ),
    ),
)

PAGE = Page(number=5, topic="self-attention", questions=QUESTIONS, exercises=EXERCISES)
