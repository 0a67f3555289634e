"""The explorer: sliders on Wq (and Wk), and the attention that follows them.

The live view is drawn by `explorer.js`, which computes attention by itself and so
follows the thumb at once. Python holds the same slider positions and computes the same
numbers with `helpers.core`.
"""

import copy
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from IPython.display import display
from numpy.typing import ArrayLike

from helpers.arrays import Array, finite_float, real, whole_number
from helpers.core import attention_scores, project, softmax
from helpers.language import say
from helpers.live import View
from helpers.marks import colours, distinct
from helpers.pictures import heat_map, print_table

LIMIT = 3.0  # sliders reach at least from −3 to 3
LONGEST = 10.0  # the most that the stretch slider multiplies by
LARGEST = 1e6  # entries up to here keep every score finite, at all slider positions

# The texts that a reader sees; the keys of "live" are the names in explorer.js.
TEXTS: dict[str, Any] = {
    "start": "{name} at the start",
    "table": "{name} at the start:",
    "context": "context vector",
    "unchanged": "Nothing has changed since the start.",
    "moved": "{name}: {start} at the start, now {now}",
    "difference": "{name}, now minus start:",
    "live": {
        "query": "query",
        "key": "key",
        "bars": "weights of query {query}",
        "changed": "{start} at the start",
        "context": "context vector of {query}",
        "Wq": "row = component of X, column = component of Q",
        "Wk": "row = component of X, column = component of K",
        "query_choice": "query",
        "reset": "Reset",
        "scaled": "scores divided by √d_k",
        "scores": "scores",
        "stretch": "stretch Wq ×",
        "weights": "weights",
    },
}


class Explorer(View):
    """Sliders for Wq, and for Wk if wanted, with the attention that they make.

    `Wq`, `Wk`, `stretch`, `scaled` and `query` follow the sliders and can be set; a
    value that does not fit raises and changes nothing. `Q`, `K`, `V`, `scores`,
    `weights` and `output` follow from them. All arrays are float64 and read-only.

    Parameters
    ----------
    tokens : n_tokens labels, shown literally.
    X : (n_tokens, d_model)
    Wq, Wk : (d_model, d_k)
    Wv : (d_model, d_v)
    scale : None divides the scores by √d_k, 1.0 leaves them as they are.
    with_Wk : whether Wk has sliders, too.

    Raises
    ------
    TypeError
        If an array does not hold real numbers, or `scale` is not a number.
    ValueError
        If a shape does not fit, an entry is NaN or larger than 1e6, or `scale` is
        neither None nor 1.0.
    """

    _script = ("maps.js", "explorer.js")
    _style = ("explorer.css",)

    def __init__(
        self,
        tokens: Sequence[str],
        X: ArrayLike,
        Wq: ArrayLike,
        Wk: ArrayLike,
        Wv: ArrayLike,
        scale: float | None = 1.0,
        with_Wk: bool = False,
    ) -> None:
        given = {"X": X, "Wq": Wq, "Wk": Wk, "Wv": Wv}
        M = {name: _matrix(name, matrix) for name, matrix in given.items()}
        Q, K, V = project(**M)
        scores = attention_scores(Q, K, scale=_one_or_none(scale))
        if len(tokens) != len(scores):
            raise ValueError(
                f"tokens has {len(tokens)} entries and X has shape {M['X'].shape}; "
                f"each row of X needs its token"
            )
        start = {
            "Wq": M["Wq"].tolist(),
            "Wk": M["Wk"].tolist(),
            "stretch": 1.0,
            "scaled": scale is None,
            "query": 0,
        }
        data = {
            "tokens": [str(token) for token in tokens],
            "labels": distinct([str(token) for token in tokens]),
            "X": M["X"].tolist(),
            "Wv": M["Wv"].tolist(),
            "with_Wk": bool(with_Wk),
            "start": start,
            "limit": max(LIMIT, _limit(M["Wq"], M["Wk"])),
            "longest": LONGEST,
            "score_limit": _limit(scores),
            "value_limit": _limit(V),
            "colours": colours(),
            "texts": {name: say(text) for name, text in TEXTS["live"].items()},
        }
        super().__init__(data=data, state=copy.deepcopy(start))

    def show(self) -> None:
        """Show the picture and the numbers at the start, then the live view.

        The first two stay where no kernel runs; the live view hides them.
        """
        tokens = self.data["tokens"]
        scores, weights, output = self._attend(self.data["start"])

        title = say(TEXTS["start"], name=say("weights"))
        heat_map(weights, rows=tokens, columns=tokens, title=title)
        for name, matrix in (("scores", scores), ("weights", weights)):
            print(f"\n{say(TEXTS['table'], name=say(name))}")
            print_table(matrix, tokens, tokens)
        print(f"\n{say(TEXTS['table'], name=say(TEXTS['context']))}")
        print_table(output, tokens)
        display(self)  # type: ignore[no-untyped-call]

    def reset(self) -> None:
        """Put every slider back to where it was at the start."""
        self.state = copy.deepcopy(self.data["start"])

    def show_difference(self) -> None:
        """Print in numbers what has changed since the start."""
        start, now = self.data["start"], self.state
        if now == start:
            print(say(TEXTS["unchanged"]))
            return
        for name in ("stretch", "scaled", "query"):
            if now[name] != start[name]:
                print(say(TEXTS["moved"], name=name, start=start[name], now=now[name]))
        for name in ("Wq", "Wk"):
            if now[name] != start[name]:
                print(say(TEXTS["difference"], name=name))
                print_table(np.subtract(now[name], start[name]))
        tokens = self.data["tokens"]
        before, after = self._attend(start), self._attend(now)
        print(say(TEXTS["difference"], name=say("weights")))
        print_table(after[1] - before[1], tokens, tokens)
        print(say(TEXTS["difference"], name=say(TEXTS["context"])))
        print_table(after[2] - before[2], tokens)

    @property
    def Wq(self) -> Array:
        """The slider entries of Wq, (d_model, d_k), before the stretch."""
        return _frozen(self.state["Wq"])

    @Wq.setter
    def Wq(self, value: ArrayLike) -> None:
        self._set("Wq", _matrix("Wq", value, self.Wq.shape).tolist())

    @property
    def Wk(self) -> Array:
        """The slider entries of Wk, (d_model, d_k)."""
        return _frozen(self.state["Wk"])

    @Wk.setter
    def Wk(self, value: ArrayLike) -> None:
        self._set("Wk", _matrix("Wk", value, self.Wk.shape).tolist())

    @property
    def stretch(self) -> float:
        """The factor, 0 … 10, that multiplies every entry of Wq."""
        return float(self.state["stretch"])

    @stretch.setter
    def stretch(self, value: float) -> None:
        number = finite_float("stretch", value)
        if not 0 <= number <= LONGEST:
            raise ValueError(
                f"stretch is {number:g}; it needs to lie between 0 and {LONGEST:g}"
            )
        self._set("stretch", number)

    @property
    def scaled(self) -> bool:
        """Whether the scores are divided by √d_k."""
        return bool(self.state["scaled"])

    @scaled.setter
    def scaled(self, value: bool) -> None:
        if not isinstance(value, bool | np.bool_):
            raise TypeError(f"scaled is {value!r}; it needs to be True or False")
        self._set("scaled", bool(value))

    @property
    def query(self) -> int:
        """The row whose weights are drawn as bars, 0 … n_tokens − 1."""
        return int(self.state["query"])

    @query.setter
    def query(self, value: int) -> None:
        last = len(self.data["tokens"]) - 1
        row = whole_number("query", value, None)
        if not 0 <= row <= last:
            raise ValueError(f"query is {row}; it needs to lie between 0 and {last}")
        self._set("query", row)

    @property
    def Q(self) -> Array:
        """The queries X · (stretch · Wq), (n_tokens, d_k)."""
        return _frozen(self._project(self.state)[0])

    @property
    def K(self) -> Array:
        """The keys X · Wk, (n_tokens, d_k)."""
        return _frozen(self._project(self.state)[1])

    @property
    def V(self) -> Array:
        """The values X · Wv, (n_tokens, d_v)."""
        return _frozen(self._project(self.state)[2])

    @property
    def scores(self) -> Array:
        """How well each query matches each key, (n_tokens, n_tokens)."""
        return _frozen(self._attend(self.state)[0])

    @property
    def weights(self) -> Array:
        """The softmax of each row of scores, (n_tokens, n_tokens)."""
        return _frozen(self._attend(self.state)[1])

    @property
    def output(self) -> Array:
        """The context vectors weights · V, (n_tokens, d_v)."""
        return _frozen(self._attend(self.state)[2])

    def _set(self, name: str, value: Any) -> None:
        self.state = {**self.state, name: value}

    def _project(self, state: dict[str, Any]) -> tuple[Array, Array, Array]:
        Wq = np.multiply(state["stretch"], state["Wq"])
        return project(self.data["X"], Wq, state["Wk"], self.data["Wv"])

    def _attend(self, state: dict[str, Any]) -> tuple[Array, Array, Array]:
        Q, K, V = self._project(state)
        scores = attention_scores(Q, K, scale=None if state["scaled"] else 1.0)
        weights = softmax(scores)
        return scores, weights, weights @ V


def _matrix(name: str, value: ArrayLike, shape: tuple[int, ...] | None = None) -> Array:
    """Return `value` as a float64 matrix, or say what is wrong with it."""
    matrix = real(name, value, min_ndim=0, finite=True).astype(np.float64)
    if shape is not None and matrix.shape != shape:
        raise ValueError(f"{name} has shape {matrix.shape}; it needs shape {shape}")
    if matrix.ndim != 2 or matrix.size == 0:
        raise ValueError(
            f"{name} has shape {matrix.shape}; it needs 2 axes and an entry"
        )
    if np.abs(matrix).max() > LARGEST:
        raise ValueError(
            f"{name} holds {matrix.flat[np.abs(matrix).argmax()]:g}; "
            f"entries need to lie between −{LARGEST:g} and {LARGEST:g}"
        )
    return matrix


def _one_or_none(scale: float | None) -> float | None:
    if scale is None or finite_float("scale", scale) == 1:
        return scale
    raise ValueError(
        f"scale is {scale:g}; it needs to be None (1/√d_k) or 1.0 (unscaled)"
    )


def _limit(*matrices: Array) -> float:
    """Return the next whole number above every size in the matrices, at least 1."""
    return float(max(1, *(math.ceil(np.abs(matrix).max()) for matrix in matrices)))


def _frozen(matrix: ArrayLike) -> Array:
    """Return a copy that says so when an entry is assigned: set the whole instead."""
    array = np.array(matrix, dtype=np.float64)
    array.setflags(write=False)
    return array
