"""The exercises of notebook 10."""

from helpers.exercises import Exercise

MASKS: tuple[Exercise, ...] = ()
