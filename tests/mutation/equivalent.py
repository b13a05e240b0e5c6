"""Mutants that are no defects, each with the reason."""

from __future__ import annotations

_BARRIER_BETWEEN = "the two calls of the block's combine have the barrier of the ticket between them"
_OLDER = "the executor is an sm_90, on which __reduce_min_sync does it: the shuffles are for devices before sm_80"

# (sample, mutant): why the changed program is as right as the unchanged one.
EQUIVALENT: dict[tuple[str, str], str] = {
    ("sum", "barrier:0"): _BARRIER_BETWEEN,
    ("column_sums", "barrier:0"): _BARRIER_BETWEEN,
    ("minmax_int", "barrier:0"): _BARRIER_BETWEEN,
    ("minmax_int", "narrow-shuffle:0"): _OLDER,
    ("minmax_int", "narrow-shuffle:1"): _OLDER,
    ("minmax_int", "short-shuffle:0"): _OLDER,
    ("minmax_int", "stride-of-one-block:0"): "an element that several blocks take changes no minimum",
    ("attention", "barrier:21"): "the barrier behind the fetch of the next query stands before all that is overwritten",
    ("attention", "wrong-identity:4"): "all scores are larger by the same value, which no softmax sees",
}
