"""All exercises of the course, by name, in the order of the notebooks."""

from helpers.exercises.block import BLOCK
from helpers.exercises.forward import FORWARD
from helpers.exercises.heads import HEADS
from helpers.exercises.learning import LEARNING
from helpers.exercises.masks import MASKS
from helpers.exercises.order import ORDER
from helpers.exercises.scaling import SCALING

EXERCISES = {
    exercise.name: exercise
    for exercise in (*FORWARD, *LEARNING, *SCALING, *MASKS, *ORDER, *HEADS, *BLOCK)
}
