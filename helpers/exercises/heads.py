"""The exercises of notebook 12."""

from helpers.exercises import Exercise

HEADS: tuple[Exercise, ...] = ()
