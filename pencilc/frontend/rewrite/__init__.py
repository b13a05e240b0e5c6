"""Rewriting of typed functions that makes more of them visible to the model."""
