"""The exercises of notebook 09."""

from helpers.exercises import Exercise

SCALING: tuple[Exercise, ...] = ()
