"""Which values a launch parameter may have at all; what is good is another question (`space.py`)."""

from __future__ import annotations

from pencilc.options import PARAMETER_NAMES
from pencilc.target import MAX_THREADS, WARP


def _powers(low: int, high: int) -> tuple[int, ...]:
    return tuple(1 << k for k in range(low.bit_length() - 1, high.bit_length()))


# The templates halve blocks and lanes, so these are powers of two.
CHOICES = {
    "threads": _powers(WARP, MAX_THREADS),
    "chunk_bytes": _powers(16, 64),
    "few_lanes": _powers(1, WARP),
    "some_lanes": _powers(1, WARP),
    "across": _powers(1, WARP),
    "narrow_across": _powers(1, WARP),
    "warp_lanes": _powers(1, WARP),
    "grid_blocks_per_sm": _powers(1, 8),
    "cluster_blocks": _powers(1, 8),
    "tile_down": (0, *_powers(2, 16)),
    "tile_across": (0, *_powers(2, 8)),
}
LARGEST = {
    "in_flight": 32, "bytes_in_flight": 2048, "accumulator_bytes": 1024, "row_elements": 2**16, "row_bytes": 2**18,
}  # fmt: skip
_LARGEST_OTHER = 2**30


def fault(name: str, value: object) -> str:
    """What is wrong with `name = value`; empty if nothing is."""
    if name not in PARAMETER_NAMES:
        return f"unknown launch parameter `{name}`"
    if not isinstance(value, int) or isinstance(value, bool):
        return f"`{name}` must be a whole number"
    if name in CHOICES:
        wanted = ", ".join(map(str, CHOICES[name]))
        return "" if value in CHOICES[name] else f"`{name}` is {value}, but must be one of {wanted}"
    largest = LARGEST.get(name, _LARGEST_OTHER)
    return "" if 1 <= value <= largest else f"`{name}` is {value}, but must lie between 1 and {largest}"
