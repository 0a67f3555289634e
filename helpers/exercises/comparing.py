"""Tell whether two outcomes agree, and if not, in what way one differs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from helpers.arrays import Array, transpose
from helpers.exercises.model import Outcome

FLOAT32 = 1e-5  # how far an answer in float32 may be off
DIGITS = 3  # as many right digits are called nearly right

Pair = tuple[Array, Array]  # what came, and what is right, on one input


@dataclass(frozen=True)
class Slip:
    """The one way in which results differ from the right ones, on every input.

    Attributes
    ----------
    name : "sign", "turned", "axis", "rounded", "nearly", "factor" or "factors"; of a
        value also "reversed", "tens" or "one".
    parts : the names of the results that differ.
    amount : how many digits are right, for "rounded" and "nearly"; for "factor" how
        many times the right number it is, for "factors" on the first input.
    """

    name: str
    parts: tuple[str, ...]
    amount: float


def same(got: Outcome, wanted: Outcome, tolerance: float) -> bool:
    """Tell whether two outcomes agree, in their errors, too."""
    if got.stopped or wanted.stopped:
        return _error(got) == _error(wanted)
    if got.form or wanted.form:
        return _reason(got) == _reason(wanted)
    return got.parts.keys() == wanted.parts.keys() and all(
        close(got.parts[name], part, tolerance) for name, part in wanted.parts.items()
    )


def close(got: Array, wanted: Array, tolerance: float) -> bool:
    """Tell whether two arrays agree in shape, kind and numbers."""
    if got.shape != wanted.shape or (got.dtype == bool) != (wanted.dtype == bool):
        return False
    return not far(got, wanted, tolerance).any()


def far(got: Array, wanted: Array, tolerance: float) -> Array:
    """Return where two arrays of one shape differ."""
    if any(x.dtype.kind == "f" and x.dtype.itemsize < 8 for x in (got, wanted)):
        tolerance = max(tolerance, FLOAT32)
    a, b = got.astype(float), wanted.astype(float)
    size = np.abs(b[np.isfinite(b)]).max(initial=1)
    return np.asarray(~np.isclose(a, b, rtol=0, atol=tolerance * size, equal_nan=True))


def distance(got: Outcome, wanted: Outcome) -> float:
    """Return the largest difference of two outcomes whose shapes agree."""
    pairs = [(got.parts[name].astype(float), x) for name, x in wanted.parts.items()]
    with np.errstate(invalid="ignore"):
        off = [np.nan_to_num(np.abs(a - b)).max(initial=0) for a, b in pairs]
    return float(max(off, default=0.0))


def slip(
    outcomes: Sequence[Outcome], right: Sequence[Outcome], tolerance: float
) -> Slip | None:
    """Find the one way in which an answer differs from the right one on every input.

    Parameters
    ----------
    outcomes, right : of an answer that is wrong and of the right one, input by input.
    tolerance : how far a number may be off, relative to the largest one or to 1.
    """
    both = list(zip(outcomes, right, strict=True))
    unlike = any(o.parts.keys() != r.parts.keys() for o, r in both)
    if unlike or any(o.stopped or o.form for o in outcomes):
        return None
    found = {}
    with np.errstate(all="ignore"):
        for name in {name: None for r in right for name in r.parts}:
            pairs = [(o.parts[name], r.parts[name]) for o, r in both if name in r.parts]
            if not all(close(*pair, tolerance) for pair in pairs):
                found[name] = _way(pairs, tolerance)
    names = {way[0] for way in found.values()}
    way = next(iter(found.values()), ("", 0))
    return Slip(way[0], tuple(found), way[1]) if len(names) == 1 and way[0] else None


def slip_of_value(got: Outcome, wanted: Outcome, tolerance: float) -> Slip | None:
    """Find in what simple way a value differs from the right one, if it does.

    Parameters
    ----------
    got, wanted : of a value that is wrong and of the right one.
    tolerance : how far a number may be off, relative to the largest one or to 1.
    """
    if got.form or got.parts.keys() != wanted.parts.keys() or "" not in wanted.parts:
        return None
    a, b = got.parts[""], wanted.parts[""]
    if a.shape != b.shape or bool in (a.dtype, b.dtype):
        return None
    a, b = a.astype(float), b.astype(float)
    ways = {"sign": [-b], "reversed": [b[::-1]] if b.ndim else []}
    ways["tens"] = [b * 10.0**k for k in (-3, -2, -1, 1, 2, 3)]
    if (b == b.round()).all():
        ways["one"] = [b - 1, b + 1]
    for name, wrong in ways.items():
        if any(close(a, x, tolerance * min(1, np.abs(x).max())) for x in wrong):
            return Slip(name, ("",), 0)
    return None


def _way(pairs: list[Pair], tolerance: float) -> tuple[str, float]:
    """Return the name and the amount of a slip, or an empty name."""

    def fits(change: Callable[[Array], Array]) -> bool:
        return all(close(got, change(wanted), tolerance) for got, wanted in pairs)

    if all(wanted.ndim > 1 for _, wanted in pairs) and fits(transpose):
        return "turned", 0
    if all(_same_but_ones(*pair, tolerance) for pair in pairs):
        return "axis", 0
    if any(bool in (x.dtype, y.dtype) or x.shape != y.shape for x, y in pairs):
        return "", 0
    if fits(np.negative):
        return "sign", 0
    for digits in range(6):
        rounded = [np.round(wanted, digits) for _, wanted in pairs]
        fit = all(
            close(p[0], x, tolerance) for p, x in zip(pairs, rounded, strict=True)
        )
        if fit and len({x for array in rounded for x in array.ravel()}) > 1:
            return "rounded", digits
    off = [_off(*pair) for pair in pairs]
    if tolerance < min(off) and max(off) < 10.0**-DIGITS:
        return "nearly", int(-np.log10(max(off)))
    return _factor(pairs, tolerance)


def _same_but_ones(got: Array, wanted: Array, tolerance: float) -> bool:
    """Tell arrays that differ by nothing but axes of length 1."""
    ones = got.squeeze().shape == wanted.squeeze().shape
    return ones and close(got.reshape(wanted.shape), wanted, tolerance)


def _off(got: Array, wanted: Array) -> float:
    """Return the largest difference, relative to the largest number or to 1."""
    if not (np.isfinite(got) == np.isfinite(wanted)).all():
        return np.inf
    finite = np.isfinite(wanted)
    a, b = got.astype(float)[finite], wanted.astype(float)[finite]
    return float(np.abs(a - b).max(initial=0) / np.abs(b).max(initial=1))


def _factor(pairs: list[Pair], tolerance: float) -> tuple[str, float]:
    """Find the factor on every number; it has to show on several different ones."""
    factors, seen, each = [], set(), True
    for got, wanted in pairs:
        a, b = got.astype(float).ravel(), wanted.astype(float).ravel()
        if not (np.isfinite(a).all() and np.isfinite(b).all()):
            return "", 0
        here = set(np.abs(b[b != 0]).round(6))
        if not here:
            if not close(a, b, tolerance):
                return "", 0
            continue
        factors.append(float(a @ b / (b @ b)))
        if not close(a, factors[-1] * b, tolerance):
            return "", 0
        seen |= here
        each = each and len(here) > 1
    if not factors or 0 in np.round(factors, 9):
        return "", 0
    if len(seen) > 2 and np.allclose(factors, factors[0], rtol=1e-6, atol=0):
        return "factor", factors[0]
    off = next((c for c in factors if not np.isclose(c, 1)), 1)
    return ("factors", off) if each else ("", 0)


def _error(outcome: Outcome) -> str:
    return outcome.stopped.error if outcome.stopped else ""


def _reason(outcome: Outcome) -> tuple[str, object]:
    return (outcome.form.text, outcome.form.values) if outcome.form else ("", {})
