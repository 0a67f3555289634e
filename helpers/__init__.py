"""What the notebooks share. `import helpers` needs NumPy alone."""

from helpers.core import (
    attention,
    attention_scores,
    causal_mask,
    padding_mask,
    project,
    self_attention,
    softmax,
)
from helpers.folders import give_matplotlib_a_folder
from helpers.language import print_anything
from helpers.moved import forward

forward()
print_anything()
give_matplotlib_a_folder()

__all__ = [
    "attention",
    "attention_scores",
    "causal_mask",
    "padding_mask",
    "project",
    "self_attention",
    "softmax",
]
