"""All exercises of the course, by name, in the order of the notebooks."""

from helpers.exercises_forward import FORWARD
from helpers.exercises_learning import LEARNING

EXERCISES = {exercise.name: exercise for exercise in (*FORWARD, *LEARNING)}
