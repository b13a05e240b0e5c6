"""Mutants that are no defects, each with the reason."""

from __future__ import annotations

# (sample, mutant): why the changed program is as right as the unchanged one.
EQUIVALENT: dict[tuple[str, str], str] = {}
