"""A Chinese page imports this first of helpers, which from then on speak Chinese."""

from helpers import language

language.of_page = "zh"
