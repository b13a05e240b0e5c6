"""The polyhedral model: affine expressions, statements, reductions by flow, dependences."""

from pencilc.poly.dependences.relaxed import compute_dependences, dependences_within_quota
from pencilc.poly.extract import extract, extract_detected

__all__ = ["compute_dependences", "dependences_within_quota", "extract", "extract_detected"]
