"""The exercises of notebook 11."""

from helpers.exercises import Exercise

ORDER: tuple[Exercise, ...] = ()
