"""The questions and exercises of page 12."""

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
from helpers.positions import rotate


def _turned(
    mix: Any = lambda a, b, cos, sin: (a * cos - b * sin, a * sin + b * cos),
    exponent: Any = lambda i, d: 2 * i / d,
    where: Any = lambda positions: positions,
    unit: Any = lambda angles: angles,
    neighbours: bool = False,
) -> Any:
    """Return a function that turns in another way."""

    def turned(x: Array, positions: Array) -> Any:
        d = x.shape[-1]
        frequencies = 10000.0 ** -exponent(np.arange(d // 2), d)
        angles = unit(where(positions)[:, None] * frequencies)
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


QUESTIONS = (
    Question(
        name="shift_of_all",
        text=(
            "A text is moved: every token stands 100 positions later. Whose scores "
            "stay exactly as they were?"
        ),
        options=(
            Option("sinusoidal codes, added to X", "Wq and Wk see the new codes, too."),
            Option("rotary positions", "Only distances count, and they stay.", True),
            Option("learned positions", "Row 105 of the table is not row 5."),
        ),
    ),
    Question(
        name="alibi_far",
        text=(
            "ALiBi, slope 1. Two keys match a query equally well; one is 3 positions "
            "further away. How do their weights compare?"
        ),
        options=(
            Option("the far one has 3 less", "3 less is its score."),
            Option("the far one has a third", "Weights do not go with 1 / distance."),
            Option(
                "the far one has e^−3 of the near one",
                "Scores are exponents.",
                True,
            ),
        ),
    ),
)

EXERCISES = (
    Exercise(
        name="turned_score",
        call="my_turned_score",
        asked=(
            "Rotary positions in two dimensions, and every position adds a quarter of "
            "a full turn, which takes [x, y] to [-y, x]. The query [1, 2] stands at "
            "position 3, the key [4, 1] at position 2. What is their dot product after "
            "turning?"
        ),
        means="One quarter turn lies between the two, and nothing else counts.",
        right=-7,
        mistakes=(
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
            Mistake(
                "the minus of the turn lost",
                9,
                "You took [x, y] to [y, x], which is a mirror. A quarter turn takes "
                "it to [-y, x].",
            ),
            Mistake(
                "minus times minus taken for minus",
                -9,
                "Turned, they are [2, -1] and [-4, -1], and (-1) · (-1) = 1.",
            ),
        ),
    ),
    Exercise(
        name="alibi_share",
        call="my_alibi_share",
        asked=(
            "ALiBi with slope ln 2. Two keys match a query equally well: one at its "
            "own position, one 2 positions away, and there are no others. Which weight "
            "does the near one get?"
        ),
        means="1 against e^(−2 ln 2) = 1/4, and 4 of 5 parts go to the near one.",
        right=0.8,
        mistakes=(
            Mistake(
                "the weight of the far one, or the penalty added",
                0.2,
                "The far one loses 2 ln 2, and it gets 0.2 of the weight. The near one "
                "gets the rest.",
            ),
            Mistake(
                "the slope forgotten",
                float(1 / (1 + np.exp(-2))),
                "You took away 2, the distance. The slope multiplies it: 2 ln 2.",
            ),
            Mistake(
                "the ratio of the two",
                4,
                "The near one gets 4 times as much as the far one. A row of weights "
                "sums to 1.",
            ),
            Mistake(
                "not shared out",
                1,
                "1 = e^0 is the near one's part before the two share out. A row of "
                "weights sums to 1.",
            ),
            Mistake(
                "the distance forgotten",
                2 / 3,
                "You took the slope once. The far key is 2 positions away.",
            ),
            Mistake(
                "not shared out",
                0.25,
                "That is the far one's part of the near one. A row of weights sums to "
                "1.",
            ),
            Mistake(
                "the penalty ignored",
                0.5,
                "They match equally well before the penalty. It is taken from the far "
                "one.",
            ),
            Mistake(
                "subtracted instead of shared out",
                0.75,
                "1/4 is taken off the far one's e^score. Then share out: 1 / (1 + "
                "1/4).",
            ),
        ),
        tolerance=PAPER,
        near=5e-3,
    ),
    Exercise(
        name="rotate",
        call="my_rotate(x, positions)",
        asked=(
            "Write my_rotate(x, positions): x has shape (n, d) or (batch, n, d), and "
            "its rows stand at the n positions. Turn components i and i + d/2 "
            "together, by position / 10000^(2i / d)."
        ),
        means=(
            "Turned queries and keys know their distance, and no row changed its "
            "length."
        ),
        right=lambda x, positions: rotate(x, positions),
        mistakes=(
            Mistake(
                "turned the other way",
                _turned(lambda a, b, c, s: (a * c + b * s, b * c - a * s)),
                "Your angles have the opposite sign: [x, y] goes to [x cos − y sin, x "
                "sin + y cos].",
            ),
            Mistake(
                "not a turn",
                _turned(lambda a, b, c, s: (a * c + b * s, a * s + b * c)),
                "Both sines have a plus, so lengths change. One of the two needs a "
                "minus.",
            ),
            Mistake(
                "not a turn",
                _turned(lambda a, b, c, s: (a * c - b * s, b * c - a * s)),
                "Both sines have a minus, so lengths change. One of the two needs a "
                "plus.",
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
                "only the first half turned",
                _turned(lambda a, b, c, s: (a * c - b * s, b)),
                "You left the second half as it was. It becomes a s + b c.",
            ),
            Mistake(
                "halves exchanged",
                _turned(lambda a, b, c, s: (a * s + b * c, a * c - b * s)),
                "The numbers are right, and the halves stand the other way round: a c "
                "− b s comes first.",
            ),
            Mistake(
                "nothing turned",
                lambda x, positions: x,
                "These are the rows as they came. Turn each by its position.",
            ),
            Mistake(
                "positions counted from 1",
                _turned(where=lambda positions: positions + 1),
                "You turned every row by one position more than it has.",
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
            Mistake(
                "half the width in the exponent",
                _turned(exponent=lambda i, d: 4 * i / d),
                "You divided 2i by d/2. The exponent of pair i is 2i / d, which is i / "
                "(d/2).",
            ),
            Mistake(
                "multiplied instead of divided",
                _turned(exponent=lambda i, d: -2 * i / d),
                "Your later pairs are faster. Pair i is slower: divide by 10000^(2i / "
                "d).",
            ),
            Mistake(
                "pairs counted from 1",
                _turned(exponent=lambda i, d: 2 * (i + 1) / d),
                "The first pair has the number 0, and turns by the position itself.",
            ),
            Mistake(
                "in degrees",
                _turned(unit=np.radians),
                "NumPy takes angles in radians, as they come from the formula.",
            ),
        ),
        cases=lambda seed: (
            Case((np.array([[1.0, 0], [2, 1]]), np.array([1, 3]))),
            Case((np.array([[1.0, 0, 2, 1], [3, 1, 0, 2]]), np.array([0, 2]))),
            Case((tenths(seed + 8, 2, 2) / 8, np.array([1, 3])), "decimals"),
            Case((-abs(tenths(seed + 7, 2, 2)) - 1, np.array([1, 3])), "negative"),
            Case((tenths(seed + 8, 3, 4), np.array([0, 2, 5])), "wide"),
            Case((tenths(seed + 10, 1, 2), np.array([2])), "wide"),
            Case((tenths(seed + 11, 5, 2), np.array([4, 0, 1, 7, 3])), "wide"),
            Case((tenths(seed + 9, 2, 3, 6), np.array([4, 5, 6])), "batch"),
            Case(
                (np.array([[1, 0, 2, 1], [3, 1, 0, 2]]), np.array([2, 1])),
                "integers",
            ),
            Case((tenths(seed + 8, 2, 2) * 1000, np.array([1, 130])), "large"),
        ),
    ),
)

PAGE = Page(number=12, topic="rotations", questions=QUESTIONS, exercises=EXERCISES)
