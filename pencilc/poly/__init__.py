"""The polyhedral model: affine expressions, statements, reductions by flow, dependences."""

from pencilc.poly.conditions_apart import with_conditions_apart
from pencilc.poly.dependences.index_sets import split_within_quota
from pencilc.poly.dependences.relaxed import compute_dependences, dependences_of_parts, dependences_within_quota
from pencilc.poly.diagnosis.irregular import no_longer_irregular
from pencilc.poly.expanded_scalars import are_scalars_of_points, with_room_for_scalars, with_scalars_of_points
from pencilc.poly.extract import divides, extract, extract_detected, extract_without_divisions
from pencilc.poly.model.rounds import HostedLoops
from pencilc.poly.named_values import found_again, names_what_is_overwritten, without_names
from pencilc.poly.old_values import OldReads, from_copies, old_reads
from pencilc.poly.private_arrays import with_private_arrays

__all__ = [
    "HostedLoops",
    "OldReads",
    "are_scalars_of_points",
    "compute_dependences",
    "dependences_of_parts",
    "dependences_within_quota",
    "divides",
    "extract",
    "extract_detected",
    "extract_without_divisions",
    "found_again",
    "from_copies",
    "names_what_is_overwritten",
    "no_longer_irregular",
    "old_reads",
    "split_within_quota",
    "with_conditions_apart",
    "with_private_arrays",
    "with_room_for_scalars",
    "with_scalars_of_points",
    "without_names",
]
