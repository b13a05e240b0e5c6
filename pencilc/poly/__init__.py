"""The polyhedral model: affine expressions, statements, reductions by flow, dependences."""

from pencilc.poly.dependences import compute_dependences
from pencilc.poly.extract import extract

__all__ = ["compute_dependences", "extract"]
