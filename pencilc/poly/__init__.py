"""The polyhedral model: affine expressions, statements, reductions by flow, dependences."""

from pencilc.poly.dependences import compute_dependences
from pencilc.poly.extract import extract, extract_unit

__all__ = ["compute_dependences", "extract", "extract_unit"]
