"""Reductions that nobody has marked."""
