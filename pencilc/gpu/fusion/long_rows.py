"""Rows that are too long for the registers of a block are kept in its shared memory.

    softmax:  x lives in stages 0-1, exp(x - max) in stages 1-2        one region for both: 4 bytes an element

A thread keeps there what it owns and nothing else, so there is nothing to wait for: the thread that reads an element
is the one that wrote it.  Values that do not live at one time share a region; so do a value that is read for the last
time and one that the same stage makes, for a thread reads a chunk before it writes it.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq

from pencilc.ir.mapping import LongRows, RegisterPromotion, SharedRegion

THREADS = 512  # of a block that holds rows: all of the memory of a multiprocessor may go to one block
ACROSS = 8  # rows side by side in a block, where those are the contiguous direction
CHUNK_BYTES = 192  # most bytes of the chunks that a thread works on at one time
# Of a thread, about, at least and at most: what is loaded before the first of it is put down.
IN_FLIGHT_BYTES = (64, 128)

MOST_CHUNKS = 8


def long_rows(
    promotions: Seq[RegisterPromotion], width: int, stages: int, threads: int, wanted: int = 0
) -> LongRows | None:
    """How the values of elements that several stages use are kept by blocks of `threads`, each of which should have
    `wanted` bytes in flight; None where a chunk of them takes too much.
    """
    least, most = IN_FLIGHT_BYTES
    bytes_in_flight = min(most, max(least, wanted))
    elements = [(number, promotion) for number, promotion in enumerate(promotions) if not promotion.of_row]
    kept = [(number, promotion) for number, promotion in elements if promotion.first < promotion.last]
    most_loaded = 0
    ahead: list[int] = []
    for stage in range(stages):
        live = sum(promotion.size for _, promotion in elements if promotion.first <= stage <= promotion.last)
        if width * live > CHUNK_BYTES:
            return None
        most_loaded = max(most_loaded, sum(promotion.size for _, promotion in kept if promotion.loaded == stage))
        fetched = sum(p.size for _, p in elements if p.loaded == stage and p.first == p.last)
        ahead.append(_in_flight(width * fetched, bytes_in_flight))
    in_flight = _in_flight(width * most_loaded, bytes_in_flight)
    return LongRows(threads, in_flight, _regions(kept, promotions), ACROSS, tuple(ahead))


def _in_flight(size: int, bytes_in_flight: int) -> int:
    """How many chunks of `size` bytes a thread loads before it uses the first; one where there is nothing to load."""
    return max(1, min(MOST_CHUNKS, bytes_in_flight // size)) if size else 1


def _regions(
    elements: Seq[tuple[int, RegisterPromotion]], promotions: Seq[RegisterPromotion]
) -> tuple[SharedRegion, ...]:
    """Regions for values, large values first: each goes where it meets nobody, if it fits there a whole number of
    times.
    """
    found: list[SharedRegion] = []
    for number, promotion in sorted(elements, key=lambda pair: (-pair[1].size, pair[1].first)):
        for position, region in enumerate(found):
            free = not any(_meet(promotion, promotions[other]) for other in region.promoted)
            if free and region.size % promotion.size == 0:
                found[position] = SharedRegion(region.size, (*region.promoted, number))
                break
        else:
            found.append(SharedRegion(promotion.size, (number,)))
    return tuple(found)


def _meet(first: RegisterPromotion, second: RegisterPromotion) -> bool:
    """Whether two values live at one time."""
    if first.first > second.first:
        first, second = second, first
    if first.last == second.first and second.loaded < 0 and first.first < second.first:
        return False
    return second.first <= first.last
