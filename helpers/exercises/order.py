"""The exercises of notebook 11: sines, turns, and the axis that positions run along."""

from typing import Any

import numpy as np

from helpers.core import Array
from helpers.exercises import PAPER, Case, Exercise, Mistake, tenths
from helpers.positions import rotate, sinusoidal

# ---- on paper


VALUES = (
    Exercise(
        "code_entry",
        11,
        "my_code_entry",
        "A sinusoidal code is 4 wide. Which number is entry 2, counted from 0, of the "
        "code of position 50? Three digits, angles in radians.",
        "Entry 2 is the sine of the second pair, which is a hundred times slower.",
        float(np.sin(0.5)),
        (
            Mistake(
                "the cosine",
                float(np.cos(0.5)),
                "That is entry 3. Within a pair the sine comes first.",
            ),
            Mistake(
                "the first pair",
                float(np.sin(50)),
                "You took the sine of 50, which is entry 0. Entry 2 begins the second "
                "pair, whose angle is 50 / 10000^(2/4).",
            ),
            Mistake(
                "the component instead of the pair",
                float(np.sin(50 / 10000)),
                "You divided by 10000, which is 10000^(4/4). The exponent is 2i / 4 "
                "with i the number of the pair: 1, not 2.",
            ),
            Mistake(
                "the exponent lacks its 2",
                float(np.sin(5)),
                "You divided by 10, which is 10000^(1/4). The exponent is 2i / 4.",
            ),
            Mistake(
                "in degrees",
                float(np.sin(np.radians(0.5))),
                "The angle 0.5 is in radians.",
            ),
            Mistake(
                "the angle itself", 0.5, "0.5 is the angle. The code holds its sine."
            ),
            Mistake(
                "counted from 1",
                float(np.sin(0.49)),
                "Position 50 has the number 50: positions count from 0.",
            ),
        ),
        tolerance=PAPER,
        near=1e-3,
    ),
    Exercise(
        "turned_score",
        11,
        "my_turned_score",
        "Rotary positions in two dimensions, and every position adds a quarter of a "
        "full turn, which takes [x, y] to [-y, x]. The query [1, 2] stands at position "
        "3, the key [4, 1] at position 2. What is their dot product after turning?",
        "One quarter turn lies between the two, and nothing else counts.",
        -7,
        (
            Mistake("not turned", 6, "That is the dot product before turning."),
            Mistake(
                "turned the wrong way, or the key not turned",
                7,
                "Either you turned [x, y] to [y, -x], or you turned the query alone. "
                "Three turns take it to [2, -1], two take the key to [-4, -1].",
            ),
            Mistake(
                "the query not turned",
                -6,
                "You turned the key alone. The query stands at position 3, and it is "
                "turned three times.",
            ),
        ),
    ),
)

# ---- functions


def _along_batch(X: Array, table: Array) -> Any:
    return X + (table[: len(X), None] if X.ndim > 2 else table[: len(X)])


def _pairs_by(exponent: Any, even: Any = np.sin, odd: Any = np.cos) -> Any:
    """Return a function for codes whose frequencies or waves are other ones."""

    def codes(n_positions: int, d_model: int) -> Any:
        t, j = np.arange(n_positions)[:, None], np.arange(d_model)
        angles = t / 10000 ** exponent(j, d_model)
        return np.where(j % 2 == 0, even(angles), odd(angles))

    return codes


def _sines_first(n_positions: int, d_model: int) -> Any:
    codes = sinusoidal(n_positions, d_model)
    return np.hstack([codes[:, 0::2], codes[:, 1::2]])


def _even_only(n_positions: int, d_model: int) -> Any:
    codes = np.zeros((n_positions, d_model))
    i = np.arange(0, d_model, 2)
    angles = np.arange(n_positions)[:, None] / 10000 ** (i / d_model)
    codes[:, 0::2] = np.sin(angles)
    codes[:, 1::2] = np.cos(angles)
    return codes


def _turned(
    mix: Any = lambda a, b, cos, sin: (a * cos - b * sin, a * sin + b * cos),
    exponent: Any = lambda i, d: 2 * i / d,
    where: Any = lambda positions: positions,
    neighbours: bool = False,
) -> Any:
    """Return a function that turns in another way."""

    def turned(x: Array, positions: Array) -> Any:
        d = x.shape[-1]
        frequencies = 10000.0 ** -exponent(np.arange(d // 2), d)
        angles = where(positions)[:, None] * frequencies
        a, b = np.split(x, 2, axis=-1)
        if neighbours:
            a, b = x[..., 0::2], x[..., 1::2]
        first, second = mix(a, b, np.cos(angles), np.sin(angles))
        if not neighbours:
            return np.concatenate([first, second], axis=-1)
        return np.stack([first, second], axis=-1).reshape(x.shape)

    return turned


def _overwritten(a: Array, b: Array, cos: Array, sin: Array) -> tuple[Array, Array]:
    a = a * cos - b * sin
    return a, a * sin + b * cos


FUNCTIONS = (
    Exercise(
        "add_positions",
        11,
        "my_add_positions(X, table)",
        "Write my_add_positions(X, table): X has shape (n, d) or (batch, n, d), and "
        "row t of the table is the code of position t. The table is longer than the "
        "sentences.",
        "The code of a token depends on its place in its own sentence, and on nothing "
        "else in the batch.",
        lambda X, table: X + table[: X.shape[-2]],
        (
            Mistake(
                "positions along the batch",
                _along_batch,
                "All tokens of a sentence got one code: you counted sentences. "
                "Positions run along the axis before the last.",
            ),
            Mistake(
                "sentences counted instead of tokens",
                lambda X, table: X + table[: len(X)],
                "With a batch, len(X) is the number of sentences. The number of tokens "
                "is X.shape[-2].",
            ),
            Mistake(
                "axis counted from the left",
                lambda X, table: X + table[: X.shape[1]],
                "X.shape[1] counts the tokens of a batch, and the components of a "
                "single sentence. Count from the end: X.shape[-2].",
            ),
            Mistake(
                "the whole table added",
                lambda X, table: X + table,
                "The table has more rows than the sentence has tokens. Take as many as "
                "there are tokens.",
            ),
            Mistake(
                "counted from 1",
                lambda X, table: X + table[1 : X.shape[-2] + 1],
                "The first token stands at position 0.",
            ),
            Mistake(
                "the last rows",
                lambda X, table: X + table[-X.shape[-2] :],
                "You took the end of the table. The first token stands at position 0.",
            ),
            Mistake(
                "the code of position 0 for all",
                lambda X, table: X + table[0],
                "Every token got the same code, so none knows where it stands.",
            ),
            Mistake(
                "multiplied",
                lambda X, table: X * table[: X.shape[-2]],
                "Codes are added. A product would wipe out what meets a 0.",
            ),
        ),
        (
            Case(
                (
                    np.array([[1.0, 2], [3, 4]]),
                    np.array([[10.0, 0], [0, 20], [5, 5], [7, 9]]),
                )
            ),
            Case((tenths(10, 3, 2), tenths(7, 5, 2)), "wide"),
            Case((tenths(3, 2, 3, 2), tenths(4, 5, 2)), "batch"),
            Case((tenths(5, 3, 3, 4), tenths(6, 5, 4)), "batch"),
            Case((np.array([[1, 0], [2, 1]]), tenths(7, 4, 2)), "integers"),
        ),
    ),
    Exercise(
        "sinusoidal",
        11,
        "my_codes(n_positions, d_model)",
        "Write my_codes(n_positions, d_model) from memory: the sinusoidal codes of the "
        "positions 0, 1, …, one row each. Odd widths should work, too.",
        "Sine and cosine of one angle stand side by side, and each pair is slower than "
        "the one before.",
        sinusoidal,
        (
            Mistake(
                "the cosine at another frequency",
                _pairs_by(lambda j, d: 2 * j / d),
                "Each component got a frequency of its own. A sine and the cosine "
                "after it share one: the exponent is 2i / d_model, i = j // 2.",
            ),
            Mistake(
                "sine and cosine exchanged",
                _pairs_by(lambda j, d: 2 * (j // 2) / d, np.cos, np.sin),
                "The components 0, 2, 4, … are sines.",
            ),
            Mistake(
                "sines first, then all cosines",
                _sines_first,
                "The numbers are right, and they stand in another order. Each sine is "
                "followed by its cosine.",
            ),
            Mistake(
                "sines alone",
                _pairs_by(lambda j, d: 2 * (j // 2) / d, np.sin, np.sin),
                "Every other component is a cosine.",
            ),
            Mistake(
                "the exponent lacks its 2",
                _pairs_by(lambda j, d: (j // 2) / d),
                "The exponent of pair i is 2i / d_model.",
            ),
            Mistake(
                "counted from 1",
                lambda n, d: sinusoidal(n + 1, d)[1:],
                "The first row belongs to position 0: sines of 0 and cosines of 0.",
            ),
            Mistake(
                "the other way round",
                lambda n, d: sinusoidal(n, d).T,
                "A row is a position, a column is a component.",
            ),
            Mistake(
                "only for even widths",
                _even_only,
                "With an odd width there is one cosine less than there are sines, so "
                "the angles of the cosines have to be cut: angles[:, : d_model // 2].",
            ),
        ),
        (Case((2, 4)), Case((4, 3)), Case((3, 6))),
    ),
    Exercise(
        "rotate",
        11,
        "my_rotate(x, positions)",
        "Write my_rotate(x, positions): x has shape (n, d) or (batch, n, d), and its "
        "rows stand at the n positions. Turn components i and i + d/2 together, by "
        "position / 10000^(2i / d).",
        "Turned queries and keys know their distance, and no row changed its length.",
        lambda x, positions: rotate(x, positions),
        (
            Mistake(
                "turned the other way",
                _turned(lambda a, b, c, s: (a * c + b * s, b * c - a * s)),
                "Your angles have the opposite sign: [x, y] goes to "
                "[x cos − y sin, x sin + y cos].",
            ),
            Mistake(
                "not a turn",
                _turned(lambda a, b, c, s: (a * c + b * s, a * s + b * c)),
                "Both sines have a plus, so lengths change. One of the two needs a "
                "minus.",
            ),
            Mistake(
                "sine and cosine exchanged",
                _turned(lambda a, b, c, s: (a * s - b * c, a * c + b * s)),
                "At position 0 nothing may turn: cos 0 = 1 stands with the component "
                "itself.",
            ),
            Mistake(
                "the first half overwritten",
                _turned(_overwritten),
                "Your second half is made with the turned first half. Both need the "
                "old one.",
            ),
            Mistake(
                "positions ignored",
                _turned(where=lambda positions: np.arange(len(positions))),
                "You counted 0, 1, 2, … yourself. The rows stand where positions says.",
            ),
            Mistake(
                "neighbours paired",
                _turned(neighbours=True),
                "You turned components 2i and 2i + 1 together. That is a convention, "
                "too, but here the partner of i is i + d/2.",
            ),
            Mistake(
                "all pairs at one speed",
                _turned(exponent=lambda i, d: 0 * i),
                "Every pair turned by the whole position. Pair i is slower: divide by "
                "10000^(2i / d).",
            ),
            Mistake(
                "the exponent lacks its 2",
                _turned(exponent=lambda i, d: i / d),
                "The exponent of pair i is 2i / d.",
            ),
        ),
        (
            Case((np.array([[1.0, 0], [2, 1]]), np.array([1, 3]))),
            Case((tenths(8, 3, 4), np.array([0, 2, 5]))),
            Case((tenths(9, 2, 3, 6), np.array([4, 5, 6])), "batch"),
            Case(
                (np.array([[1, 0, 2, 1], [3, 1, 0, 2]]), np.array([2, 1])), "integers"
            ),
        ),
    ),
)

ORDER: tuple[Exercise, ...] = (*VALUES, *FUNCTIONS)
