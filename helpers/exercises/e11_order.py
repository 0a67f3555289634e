"""The questions and exercises of page 11."""

from typing import Any

import numpy as np

from helpers.arrays import Array
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
from helpers.positions import sinusoidal


def _along_batch(X: Array, table: Array) -> Any:
    return X + (table[: len(X), None] if X.ndim > 2 else table[: len(X)])


def _pairs_by(
    exponent: Any = lambda j, d: 2 * (j // 2) / d,
    even: Any = np.sin,
    odd: Any = np.cos,
    unit: Any = lambda angles: angles,
) -> Any:
    """Return a function for codes whose frequencies, waves or angles are other ones."""

    def codes(n_positions: int, d_model: int) -> Any:
        t, j = np.arange(n_positions)[:, None], np.arange(d_model)
        angles = unit(t / 10000.0 ** exponent(j, d_model))
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


QUESTIONS = (
    Question(
        name="two_steps_apart",
        text=(
            "Sinusoidal codes: which is larger, the dot product of the codes at 3 and "
            "5, or that of the codes at 103 and 105?"
        ),
        options=(
            Option("the first", "Sines do not fade with the position."),
            Option("the second", "Sines do not grow with the position."),
            Option(
                "they are equal", "Both pairs are 2 apart: that alone counts.", True
            ),
        ),
    ),
)

EXERCISES = (
    Exercise(
        name="code_entry",
        call="my_code_entry",
        asked=(
            "A sinusoidal code is 4 wide. Which number is entry 2, counted from 0, of "
            "the code of position 50? Three digits, angles in radians."
        ),
        means=(
            "Entry 2 is the sine of the second pair, which is a hundred times slower."
        ),
        right=float(np.sin(0.5)),
        mistakes=(
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
                "the angle itself",
                0.5,
                "0.5 is the angle. The code holds its sine.",
            ),
            Mistake(
                "counted from 1",
                float(np.sin(0.49)),
                "Position 50 has the number 50: positions count from 0.",
            ),
            Mistake(
                "counted from 1",
                float(np.sin(0.51)),
                "Position 50 has the number 50: positions count from 0.",
            ),
            Mistake(
                "entries counted from 1",
                float(np.cos(50)),
                "The cosine of 50 is entry 1. Entries 2 and 3 are the second pair, "
                "whose angle is 50 / 10000^(2/4).",
            ),
            Mistake(
                "multiplied instead of divided",
                float(np.sin(5000)),
                "You multiplied 50 by 100. Later pairs are slower: divide.",
            ),
        ),
        tolerance=PAPER,
        near=PAPER,
    ),
    Exercise(
        name="add_positions",
        call="my_add_positions(X, table)",
        asked=(
            "Write my_add_positions(X, table): X has shape (n, d) or (batch, n, d), "
            "and row t of the table is the code of position t. The table is longer "
            "than the sentences."
        ),
        means=(
            "The code of a token depends on its place in its own sentence, and on "
            "nothing else in the batch."
        ),
        right=lambda X, table: X + table[: X.shape[-2]],
        mistakes=(
            Mistake(
                "positions along the batch",
                _along_batch,
                "All tokens of a sentence got one code: you counted sentences. "
                "Positions run along the axis before the last.",
            ),
            Mistake(
                "sentences counted instead of tokens",
                lambda X, table: X + table[: len(X)],
                "With a batch, len(X) is the number of sentences. The number of "
                "tokens is X.shape[-2].",
            ),
            Mistake(
                "components counted instead of tokens",
                lambda X, table: X + table[: X.shape[1]],
                "You took a row for each component. X.shape[-1] counts them, and for a "
                "single sentence X.shape[1], too. Tokens are X.shape[-2].",
            ),
            Mistake(
                "the whole table added",
                lambda X, table: X + table,
                "The table has more rows than the sentence has tokens. Take as many "
                "as there are tokens.",
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
            Mistake(
                "subtracted instead of added",
                lambda X, table: X - table[: X.shape[-2]],
                "You subtracted the codes. They are added.",
            ),
            Mistake(
                "the codes alone",
                lambda X, table: table[: X.shape[-2]] + 0 * X,
                "These are the codes. Add them to the tokens.",
            ),
            Mistake(
                "codes put beside the tokens",
                lambda X, table: np.concatenate([X, table[: X.shape[-2]]], axis=-1),
                "You put the codes beside the tokens, so that d became 2 d. Add them.",
            ),
            Mistake(
                "codes put below the tokens",
                lambda X, table: np.concatenate([X, table[: X.shape[-2]]], axis=-2),
                "You put the codes below the tokens, like more tokens. Add them.",
            ),
            Mistake(
                "codes of its own",
                lambda X, table: X + sinusoidal(*X.shape[-2:]),
                "You computed sinusoidal codes. Take those of the table, which may be "
                "learned ones.",
            ),
            Mistake(
                "row n alone",
                lambda X, table: X + table[X.shape[-2]],
                "table[n] is a single row, and every token got it. table[:n] are the "
                "first n rows.",
            ),
        ),
        cases=lambda seed: (
            Case(
                (
                    np.array([[1.0, 2], [3, 4]]),
                    np.array([[10.0, 0], [0, 20], [5, 5], [7, 9]]),
                )
            ),
            Case((tenths(seed + 10, 2, 2) / 4, tenths(seed + 7, 4, 2)), "decimals"),
            Case(
                (-abs(tenths(seed + 11, 2, 2)) - 1, tenths(seed + 7, 4, 2)), "negative"
            ),
            Case((tenths(seed + 10, 3, 2), tenths(seed + 7, 5, 2)), "wide"),
            Case((tenths(seed + 12, 1, 3), tenths(seed + 8, 2, 3)), "wide"),
            Case((tenths(seed + 13, 5, 1), tenths(seed + 9, 7, 1)), "wide"),
            Case((tenths(seed + 3, 2, 3, 2), tenths(seed + 4, 5, 2)), "batch"),
            Case((tenths(seed + 5, 3, 3, 4), tenths(seed + 6, 5, 4)), "batch"),
            Case((np.array([[1, 0], [2, 1]]), tenths(seed + 7, 4, 2)), "integers"),
            Case((tenths(seed + 14, 2, 2) * 1000, tenths(seed + 7, 4, 2)), "large"),
        ),
    ),
    Exercise(
        name="sinusoidal",
        call="my_codes(n_positions, d_model)",
        asked=(
            "Write my_codes(n_positions, d_model) from memory: the sinusoidal codes of "
            "the positions 0, 1, …, one row each. Odd widths should work, too."
        ),
        means=(
            "Sine and cosine of one angle stand side by side, and each pair is slower "
            "than the one before."
        ),
        right=sinusoidal,
        mistakes=(
            Mistake(
                "the cosine at another frequency",
                _pairs_by(lambda j, d: j / d),
                "Each component got a frequency of its own. A sine and the cosine "
                "after it share one: the exponent is 2i / d_model, i = j // 2.",
            ),
            Mistake(
                "the component instead of the pair",
                _pairs_by(lambda j, d: 2 * j / d),
                "Each component got a frequency of its own. A sine and the cosine "
                "after it share one: the exponent is 2i / d_model, i = j // 2.",
            ),
            Mistake(
                "sine and cosine exchanged",
                _pairs_by(even=np.cos, odd=np.sin),
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
                _pairs_by(odd=np.sin),
                "Every other component is a cosine.",
            ),
            Mistake(
                "the angles themselves",
                _pairs_by(even=lambda angles: angles, odd=lambda angles: angles),
                "These are the angles. Take their sines and cosines in turn.",
            ),
            Mistake(
                "multiplied instead of divided",
                _pairs_by(lambda j, d: -2 * (j // 2) / d),
                "Your later pairs are faster. Each is slower than the one before: "
                "divide the position by 10000^(2i / d_model).",
            ),
            Mistake(
                "all pairs at one speed",
                _pairs_by(lambda j, d: 0 * j),
                "Every pair has the angle of the first. Pair i is slower: divide by "
                "10000^(2i / d_model).",
            ),
            Mistake(
                "pairs counted from 1",
                _pairs_by(lambda j, d: 2 * (j // 2 + 1) / d),
                "The first pair has the number 0, so its angle is the position itself.",
            ),
            Mistake(
                "in degrees",
                _pairs_by(unit=np.radians),
                "NumPy takes angles in radians, as they come from the formula.",
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
        cases=(Case((2, 4)), Case((4, 3)), Case((3, 6)), Case((102, 2))),
    ),
)

PAGE = Page(number=11, topic="order", questions=QUESTIONS, exercises=EXERCISES)
