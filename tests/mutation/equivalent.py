"""Mutants that are no defects, each with the reason."""

from __future__ import annotations

_BARRIER_BETWEEN = "the two calls of the block's combine have the barrier of the ticket between them"

# (sample, mutant): why the changed program is as right as the unchanged one.
EQUIVALENT: dict[tuple[str, str], str] = {
    ("sum", "barrier:0"): _BARRIER_BETWEEN,
    ("column_sums", "barrier:0"): _BARRIER_BETWEEN,
    ("minmax_int", "barrier:0"): _BARRIER_BETWEEN,
}
