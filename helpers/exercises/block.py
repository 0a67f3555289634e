"""The exercises of notebook 13."""

from helpers.exercises import Exercise

BLOCK: tuple[Exercise, ...] = ()
