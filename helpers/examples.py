"""The two worked examples of the course, read from `data/`.

Each call reads the file afresh, so a cell may change what it got: the next call
returns the first numbers again.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from helpers.arrays import Array

DATA = Path(__file__).resolve().parent.parent / "data"


@dataclass
class ThreeTokens:
    """我 / love / 猫 with random projections; the scores are not scaled.

    `published` and `corrected` hold numbers rounded to three digits, by name.
    """

    tokens: list[str]
    X: Array  # (3, 4)
    Wq: Array  # (4, 3)
    Wk: Array  # (4, 3)
    Wv: Array  # (4, 3)
    published: dict[str, Array]
    corrected: dict[str, Array]


@dataclass
class TwoPositions:
    """Q = K = identity, small enough for pen and paper; the scores are scaled.

    `published` holds numbers rounded to four digits, by name.
    """

    Q: Array  # (2, 2)
    K: Array  # (2, 2)
    V: Array  # (2, 2)
    published: dict[str, Array]


def three_tokens() -> ThreeTokens:
    """Return the three-token example; see `data/README.md` for its source."""
    data = _read("three_tokens.json")
    recipe = data["weights_recipe"]
    rng = np.random.RandomState(recipe["seed"])
    W = {
        name: rng.randn(*recipe["shape"]) * recipe["factor"] for name in recipe["order"]
    }
    return ThreeTokens(
        tokens=data["tokens"],
        X=np.array(data["X"], dtype=float),
        Wq=W["Wq"],
        Wk=W["Wk"],
        Wv=W["Wv"],
        published=_arrays(data["published"]),
        corrected=_arrays(data["corrected"]),
    )


def two_positions() -> TwoPositions:
    """Return the two-position example; see `data/README.md` for its source."""
    data = _read("two_positions.json")
    Q, K, V = (np.array(data[name], dtype=float) for name in "QKV")
    return TwoPositions(Q=Q, K=K, V=V, published=_arrays(data["published"]))


def _read(name: str) -> dict[str, Any]:
    path = DATA / name
    if not path.exists():
        raise FileNotFoundError(
            f"{name} is not in the course's data folder; install the course with "
            f"`pip install -e .` from its top folder, so that helpers finds data/"
        )
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def _arrays(numbers: dict[str, Any]) -> dict[str, Array]:
    return {name: np.array(value, dtype=float) for name, value in numbers.items()}
