"""The questions and exercises of page 13."""

from typing import Any

import numpy as np

from helpers.arrays import Array
from helpers.core import attention, softmax
from helpers.exercises.model import (
    Case,
    Exercise,
    Mistake,
    Option,
    Page,
    Question,
    tenths,
)
from helpers.heads import merge_heads, split_heads

X22 = np.array([[1.0, 0], [-1, 1]])
WQ26 = np.array([[1.0, 0, -1, 1, 0, 2], [0, 2, 1, 0, 1, -1]])
WK26 = np.array([[0.0, 1, 0, 2, -1, 1], [1, 0, 1, -1, 0, 1]])
WV26 = np.array([[2.0, 0, 1, 0, 1, 3], [1, -1, 0, 1, 2, 0]])
W26 = WQ26, WK26, WV26


def _multi_head(
    split: Any = split_heads,
    merge: Any = merge_heads,
    scale: Any = lambda X, d_head: d_head**-0.5,
    mix: Any = lambda joined, Wo: joined @ Wo,
    project: Any = lambda X, Wq, Wk, Wv: (X @ Wq, X @ Wk, X @ Wv),
    attend: Any = lambda Q, K, V, scale: attention(Q, K, V, scale=scale)[0],
) -> Any:
    """Return multi-head attention, with one of its steps replaced."""

    def multi_head(
        X: Array, Wq: Array, Wk: Array, Wv: Array, Wo: Array, n_heads: int
    ) -> Any:
        Q, K, V = (split(x, n_heads) for x in project(X, Wq, Wk, Wv))
        heads = attend(Q, K, V, scale(X, Wq.shape[1] // n_heads))
        return mix(merge(heads), Wo)

    return multi_head


def _reshaped(x: Array, n_heads: int) -> Array:
    return x.reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)


def _reshaped_back(heads: Array) -> Array:
    return heads.reshape(*heads.shape[:-3], heads.shape[-2], -1)


def _dealt_out(x: Array, n_heads: int) -> Array:
    """Give head h the columns h, h + n_heads, and so on."""
    return np.stack([x[..., h::n_heads] for h in range(n_heads)], axis=-3)


def _shared_by_queries(Q: Array, K: Array, V: Array, scale: float) -> Any:
    """Attend with softmax over the wrong axis."""
    return softmax(Q @ K.swapaxes(-1, -2) * scale, axis=-2) @ V


def _averaged(
    X: Array, Wq: Array, Wk: Array, Wv: Array, Wo: Array, n_heads: int
) -> Array:
    heads, _ = attention(*(split_heads(X @ W, n_heads) for W in (Wq, Wk, Wv)))
    mean = heads.mean(axis=-3)
    return np.concatenate([mean] * n_heads, axis=-1) @ Wo


QUESTIONS = (
    Question(
        name="heads_and_parameters",
        text="d_model is 64 and stays. You go from 4 heads to 8. What happens to Wq?",
        options=(
            Option("it doubles", "The heads share its columns; none are added."),
            Option(
                "it keeps its shape",
                "8 heads of 8 columns instead of 4 of 16.",
                True,
            ),
            Option("it halves", "Each head gets half as many columns, of the same Wq."),
        ),
    ),
    Question(
        name="two_places",
        text=(
            "A token needs the values of two others in full. What does one head bring?"
        ),
        options=(
            Option("both, in full", "Its weights would have to sum to 2."),
            Option("the first of them only", "It may; then the second is missing."),
            Option(
                "a mixture of the two",
                "A row sums to 1: half and half at best.",
                True,
            ),
        ),
    ),
)

EXERCISES = (
    Exercise(
        name="head_shape",
        call="my_head_shape",
        asked=(
            "X has shape (5, 12), and three heads share its columns: d_model = 12, "
            "n_heads = 3. Which shape has the Q of one head? Answer with two numbers, "
            "such as (1, 2)."
        ),
        means="Every head sees all five tokens, through 12 / 3 = 4 columns.",
        right=(5, 4),
        mistakes=(
            Mistake(
                "the full width",
                (5, 12),
                "That is Q before it is cut. Three heads share its 12 columns.",
            ),
            Mistake(
                "n_heads for d_head",
                (5, 3),
                "3 is the number of heads. How many of the 12 columns does each get?",
            ),
            Mistake(
                "the other way round",
                (4, 5),
                "Rows are tokens: say the tokens first.",
            ),
            Mistake(
                "heads put below each other",
                (15, 4),
                "You counted every token three times. One head has one row per token.",
            ),
            Mistake(
                "the width of all heads, each of d_model",
                (5, 36),
                "That would be three heads of width 12, side by side. They share 12.",
            ),
            Mistake(
                "the shape of its matrix",
                (12, 4),
                "That is the block of Wq that makes it. Q has one row per token.",
            ),
            Mistake(
                "heads counted instead of tokens",
                (3, 4),
                "The width is right. Three heads have a Q of their own, each with a "
                "row per token.",
            ),
            Mistake(
                "the shape of the scores",
                (5, 5),
                "That is the shape of Q Kᵀ, token by token. Q has d_head columns.",
            ),
        ),
    ),
    Exercise(
        name="merged_row",
        call="my_merged_row",
        asked=(
            "Head 0 holds [[1, 2], [3, 4]], head 1 holds [[5, 6], [7, 8]]; rows are "
            "tokens. Which four numbers has the first token after merging? Use paper."
        ),
        means="The first row of every head, side by side.",
        right=(1, 2, 5, 6),
        mistakes=(
            Mistake(
                "merged by reshape alone",
                (1, 2, 3, 4),
                "3 and 4 belong to the second token. You read head 0 to its end, as "
                "reshape alone does.",
            ),
            Mistake(
                "heads dealt out in turn",
                (1, 5, 2, 6),
                "You took the heads in turn. A head's columns stay together.",
            ),
            Mistake(
                "the heads in reverse",
                (5, 6, 1, 2),
                "Head 0 comes first, on the left.",
            ),
            Mistake(
                "the second token",
                (3, 4, 7, 8),
                "That is the second token. The first has row 0 of each head.",
            ),
            Mistake(
                "the first column of each head",
                (1, 3, 5, 7),
                "You went down the columns. A row is a token.",
            ),
            Mistake(
                "heads averaged",
                (3, 4),
                "You averaged over the heads. Merging puts them side by side: d_head + "
                "d_head.",
            ),
            Mistake(
                "heads added",
                (6, 8),
                "You added the heads. Merging puts them side by side: d_head + d_head.",
            ),
        ),
    ),
    Exercise(
        name="shared_head",
        call="my_shared_head",
        asked=(
            "Six query heads share three heads of keys and values, neighbours "
            "together. Which head of keys does query head 3 use? Count from 0."
        ),
        means="The order is 0 0 1 1 2 2, and place 3 has the second 1.",
        right=1,
        mistakes=(
            Mistake(
                "dealt out in turn",
                0,
                "You took 0 1 2 0 1 2. Neighbours share: each head of keys is "
                "repeated in place.",
            ),
            Mistake(
                "one head of keys for each query head",
                3,
                "There are only heads 0, 1 and 2 of keys.",
            ),
            Mistake(
                "not rounded down",
                1.5,
                "A head has a whole number. Divide and leave the rest away.",
            ),
            Mistake(
                "counted from 1, or rounded up",
                2,
                "Count from 0, and round down: query heads 0 and 1 use head 0 of keys.",
            ),
        ),
    ),
    Exercise(
        name="split_heads",
        call="my_split_heads(x, n_heads)",
        asked=(
            "Write my_split_heads(x, n_heads): from (n_tokens, n_heads · d_head) to "
            "(n_heads, n_tokens, d_head), one sentence, no batch."
        ),
        means="Each head has its block of columns, and all the tokens.",
        right=split_heads,
        mistakes=(
            Mistake(
                "reshape alone",
                _reshaped,
                "The shape is right, and the tokens are mixed up: reshape fills in "
                "reading order. Reshape to (n_tokens, n_heads, d_head), then swap.",
            ),
            Mistake(
                "axes not moved",
                lambda x, n_heads: x.reshape(len(x), n_heads, -1),
                "You cut the columns. The heads still have to move before the tokens.",
            ),
            Mistake(
                "columns dealt out in turn",
                _dealt_out,
                "Your head 0 has columns 0, n_heads, … A head gets a block: the first "
                "d_head columns, then the next.",
            ),
            Mistake(
                "each head turned around",
                lambda x, n_heads: split_heads(x, n_heads).swapaxes(-1, -2),
                "In your heads the rows are columns of x. Rows are tokens.",
            ),
            Mistake(
                "n_heads and d_head exchanged",
                lambda x, n_heads: split_heads(x, x.shape[-1] // n_heads),
                "You made d_head heads of width n_heads. It is the other way round.",
            ),
            Mistake(
                "the heads in reverse",
                lambda x, n_heads: split_heads(x, n_heads)[::-1],
                "Head 0 has the first columns, on the left.",
            ),
            Mistake(
                "tokens cut instead of columns",
                lambda x, n_heads: np.array(np.split(x, n_heads, axis=0)),
                "You cut between the tokens. Every head has all of them: cut the "
                "columns, axis=1.",
            ),
            Mistake(
                "the wrong axes exchanged",
                lambda x, n_heads: x.reshape(len(x), n_heads, -1).swapaxes(1, 2),
                "You exchanged heads and components. Exchange tokens and heads, the "
                "first two axes.",
            ),
            Mistake(
                "all axes turned around",
                lambda x, n_heads: x.reshape(len(x), n_heads, -1).T,
                ".T turns all three axes around. Exchange the first two alone.",
            ),
            Mistake(
                "heads put below each other",
                lambda x, n_heads: np.concatenate(np.split(x, n_heads, axis=1)),
                "The heads have one axis with the tokens. They need one of their own: "
                "np.stack.",
            ),
        ),
        cases=lambda seed: (
            Case((np.arange(12).reshape(3, 4), 2)),
            Case((tenths(seed + 20, 3, 4), 2), "decimals"),
            Case((-np.arange(12).reshape(3, 4) - 1, 2), "negative"),
            Case((np.arange(12).reshape(3, 4), 4), "other"),
            Case((np.arange(12).reshape(3, 4), 1), "other"),
            Case((tenths(seed + 21, 2, 6), 2), "wide"),
            Case((tenths(seed + 22, 5, 8), 2), "wide"),
            Case((tenths(seed + 24, 1, 4), 2), "wide"),
            Case((tenths(seed + 23, 4, 1), 1), "wide"),
        ),
    ),
    Exercise(
        name="multi_head",
        call="my_multi_head_output(X, Wq, Wk, Wv, Wo, n_heads)",
        asked=(
            "Write my_multi_head_output(X, Wq, Wk, Wv, Wo, n_heads): the output of "
            "multi-head attention, no mask, scaled by 1/√d_head. It should work with a "
            "batch of sentences, too."
        ),
        means="Project, cut, attend, merge, mix.",
        right=_multi_head(),
        mistakes=(
            Mistake(
                "scaled by √d_model",
                _multi_head(scale=lambda X, d_head: X.shape[-1] ** -0.5),
                "You divided by √d_model. A head's dot product adds d_head products, "
                "so divide by √d_head.",
            ),
            Mistake(
                "scaled by the width of all heads",
                lambda X, Wq, Wk, Wv, Wo, n_heads: _multi_head(
                    scale=lambda X, d_head: (d_head * n_heads) ** -0.5
                )(X, Wq, Wk, Wv, Wo, n_heads),
                "You divided by the root of all columns of Q. A head has d_head of "
                "them.",
            ),
            Mistake(
                "the root forgotten, or scaled twice",
                _multi_head(scale=lambda X, d_head: 1 / d_head),
                "Your scores were divided by d_head. Either the root is missing, or "
                "you divided before calling attention, which scales by itself.",
            ),
            Mistake(
                "no scale",
                _multi_head(scale=lambda X, d_head: 1),
                "The scores still have to be divided by √d_head.",
            ),
            Mistake(
                "values projected with Wk",
                _multi_head(project=lambda X, Wq, Wk, Wv: (X @ Wq, X @ Wk, X @ Wk)),
                "Your V is X Wk. Values have a matrix of their own, Wv.",
            ),
            Mistake(
                "keys made with Wq",
                _multi_head(project=lambda X, Wq, Wk, Wv: (X @ Wq, X @ Wq, X @ Wv)),
                "Your K is X Wq. Keys have a matrix of their own, Wk.",
            ),
            Mistake(
                "one matrix for all",
                _multi_head(project=lambda X, Wq, Wk, Wv: [X @ Wq] * 3),
                "You made Q, K and V with Wq. Each has a matrix of its own.",
            ),
            Mistake(
                "Q and K exchanged",
                _multi_head(project=lambda X, Wq, Wk, Wv: (X @ Wk, X @ Wq, X @ Wv)),
                "You scored K Qᵀ. A row belongs to a query: Q Kᵀ.",
            ),
            Mistake(
                "softmax over the wrong axis",
                _multi_head(attend=_shared_by_queries),
                "Your weights sum to 1 down the columns. A row is a query: axis -1.",
            ),
            Mistake(
                "columns dealt out in turn",
                _multi_head(split=_dealt_out),
                "Your head 0 has columns 0, n_heads, … A head gets a block: the first "
                "d_head columns, then the next.",
            ),
            Mistake(
                "the heads in reverse",
                _multi_head(merge=lambda heads: merge_heads(heads[..., ::-1, :, :])),
                "Head 0 comes first, on the left.",
            ),
            Mistake(
                "output projection left out",
                _multi_head(mix=lambda joined, Wo: joined),
                "You merged the heads. Wo still has to mix them.",
            ),
            Mistake(
                "one head",
                lambda X, Wq, Wk, Wv, Wo, n_heads: _multi_head()(X, Wq, Wk, Wv, Wo, 1),
                "You attended with all columns at once. Cut Q, K and V into n_heads "
                "blocks first.",
            ),
            Mistake(
                "split and merged by reshape alone",
                _multi_head(split=_reshaped, merge=_reshaped_back),
                "The heads got pieces of tokens. Reshape to (…, n_tokens, n_heads, "
                "d_head), then swap two axes; backwards, swap first.",
            ),
            Mistake(
                "split by reshape alone",
                _multi_head(split=_reshaped),
                "The heads got pieces of tokens. Reshape to (…, n_tokens, n_heads, "
                "d_head), then swap two axes.",
            ),
            Mistake(
                "merged by reshape alone",
                _multi_head(merge=_reshaped_back),
                "The tokens got pieces of heads. Swap heads and tokens back before "
                "you reshape.",
            ),
            Mistake(
                "heads averaged",
                _averaged,
                "You averaged over the heads. Each has columns of its own after "
                "merging.",
            ),
            Mistake(
                "weights returned, too",
                lambda X, Wq, Wk, Wv, Wo, n_heads: (
                    X @ Wo[: X.shape[-1]],
                    split_heads(X @ Wq, n_heads),
                ),
                "You returned several arrays. The output alone is asked.",
            ),
            Mistake(
                "Wo turned around",
                _multi_head(mix=lambda joined, Wo: joined @ Wo.T),
                "You multiplied with Woᵀ. Rows of Wo belong to heads, columns to the "
                "output.",
            ),
        ),
        cases=lambda seed: (
            Case((X22, *W26, tenths(seed + 38, 6, 6).round(), 2)),
            Case(
                (
                    tenths(seed + 30, 2, 2) / 2,
                    *(tenths(seed + 31, 3, 2, 6) / 2),
                    tenths(seed + 39, 6, 6) / 2,
                    2,
                ),
                "decimals",
            ),
            Case((-abs(X22) - 1, *W26, tenths(seed + 39, 6, 6), 2), "negative"),
            Case((X22, *W26, tenths(seed + 38, 6, 6), 3), "other"),
            Case((X22, *W26, tenths(seed + 38, 6, 6), 1), "other"),
            Case(
                (
                    tenths(seed + 32, 5, 4) / 2,
                    *(tenths(seed + 33, 3, 4, 8) / 2),
                    tenths(seed + 34, 8, 5),
                    2,
                ),
                "wide",
            ),
            Case((X22[:1], *W26, tenths(seed + 38, 6, 4), 2), "wide"),
            Case(
                (X22[:, :1], *(W[:1] for W in W26), tenths(seed + 38, 6, 1), 2), "wide"
            ),
            Case(
                (
                    tenths(seed + 35, 2, 3, 4) / 2,
                    *(tenths(seed + 36, 4, 4, 4) / 2),
                    2,
                ),
                "batch",
            ),
            Case(
                (
                    np.array([[1, 0, 2, -1], [0, 1, 1, 0], [2, 1, 0, 1]]),
                    *(tenths(seed + 37, 4, 4, 4) / 4),
                    2,
                ),
                "integers",
            ),
            Case((X22 * 1000, *W26, tenths(seed + 38, 6, 6), 2), "large"),
        ),
    ),
)

PAGE = Page(number=13, topic="heads", questions=QUESTIONS, exercises=EXERCISES)
