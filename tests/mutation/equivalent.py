"""Mutants that are no defects, each with the reason."""

from __future__ import annotations

_BARRIER_BETWEEN = "the two calls of the block's combine have the barrier of the ticket between them"
_OLDER = "the executor is an sm_90, on which __reduce_min_sync does it: the shuffles are for devices before sm_80"
_NOT_LOADED = "what is not loaded is zero, which adds nothing; the elements at the end are added on their own"
_DEEP = "both operands lie along the reduced points: what is behind the last of these, or in no row, is not loaded"
_NOBODYS = "the value goes to an accumulator that belongs to no column"

# (sample, mutant): why the changed program is as right as the unchanged one.
EQUIVALENT: dict[tuple[str, str], str] = {
    ("sum", "barrier:0"): _BARRIER_BETWEEN,
    ("column_sums", "barrier:0"): _BARRIER_BETWEEN,
    ("minmax_int", "barrier:0"): _BARRIER_BETWEEN,
    ("minmax_int", "narrow-shuffle:0"): _OLDER,
    ("minmax_int", "narrow-shuffle:1"): _OLDER,
    ("minmax_int", "narrow-shuffle:2"): _OLDER,
    ("minmax_int", "short-shuffle:0"): _OLDER,
    ("minmax_int", "short-shuffle:1"): _OLDER,
    ("minmax_int", "stride-of-one-block:0"): "an element that several blocks take changes no minimum",
    ("sum", "chunk-too-long:0"): _NOT_LOADED,
    ("row_sums", "chunk-too-long:3"): _NOT_LOADED,
    ("row_sums", "chunk-too-long:4"): _NOT_LOADED,
    ("column_sums", "columns-too-many:0"): _NOBODYS,
    ("column_sums", "columns-too-many:2"): _NOBODYS,
    ("minmax_int", "chunk-too-long:0"): "what is not loaded is zero, and the inputs have both signs",
    ("kmeans", "fetched-beyond-the-last:0"): _DEEP,
    ("kmeans", "part-of-a-run-as-whole:0"): _DEEP,
    ("kmeans", "element-not-clamped:0"): _DEEP,
    ("attention", "columns-too-many:4"): _NOBODYS,
    ("attention", "barrier:15"): "the barrier behind the fetch of the next query stands before all that is overwritten",
}
