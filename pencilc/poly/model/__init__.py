"""Statements, affine expressions, arrays and access relations: what a region is, in isl."""
