"""Rows that are kept in the shared memory of a block."""

from __future__ import annotations

from pencilc.gpu.fusion.long_rows import CHUNK_BYTES, long_rows
from pencilc.ir.mapping import RegisterPromotion


def value(first: int, last: int, size: int = 4, loaded: int = -1, of_row: bool = False) -> RegisterPromotion:
    """A value that stages `first` to `last` use."""
    return RegisterPromotion("v", of_row, (), size, loaded, -1, first, last)


def regions(*values: RegisterPromotion, stages: int = 4) -> list[tuple[int, tuple[int, ...]]] | None:
    """The size of each region, and the values that it holds."""
    found = long_rows(values, 4, stages, 512)
    return None if found is None else [(region.size, region.promoted) for region in found.regions]


def test_values_that_live_at_one_time_have_regions_of_their_own() -> None:
    assert regions(value(0, 2), value(1, 3)) == [(4, (0,)), (4, (1,))]


def test_values_that_do_not_meet_share_one() -> None:
    assert regions(value(0, 1), value(2, 3)) == [(4, (0, 1))]


def test_a_value_that_is_made_where_another_is_read_last_takes_its_place() -> None:
    """A thread reads a chunk before it writes it; what is loaded there comes before."""
    assert regions(value(0, 1), value(1, 2)) == [(4, (0, 1))]
    assert regions(value(0, 1), value(1, 2, loaded=1)) == [(4, (0,)), (4, (1,))]


def test_large_values_first_and_small_ones_where_they_fit() -> None:
    assert regions(value(0, 1, 4), value(2, 3, 8)) == [(8, (1, 0))]
    assert regions(value(0, 1, 12), value(2, 3, 8)) == [(12, (0,)), (8, (1,))]


def test_what_one_stage_uses_and_values_of_the_row_are_not_kept() -> None:
    assert regions(value(1, 1), value(0, 3, of_row=True)) == []


def test_chunks_that_are_too_large_to_work_on() -> None:
    assert long_rows([value(0, 1, CHUNK_BYTES // 4)], 4, 2, 512) is not None
    assert long_rows([value(0, 1, CHUNK_BYTES // 4 + 1)], 4, 2, 512) is None


def test_loads_in_flight() -> None:
    def in_flight(*values: RegisterPromotion) -> int:
        found = long_rows(values, 4, 2, 512)
        assert found is not None
        return found.in_flight

    assert in_flight(value(0, 1, 4, loaded=0)) == 4
    assert in_flight(value(0, 1, 8, loaded=0)) == 2
    assert in_flight(value(0, 1, 32, loaded=0)) == 1 == in_flight(value(0, 1, 16, 0), value(0, 1, 16, 0))


def test_as_many_bytes_in_flight_as_the_target_wants_of_a_thread() -> None:
    def of(wanted: int) -> tuple[int, tuple[int, ...]]:
        found = long_rows([value(0, 1, 4, loaded=0), value(1, 1, 8, loaded=1)], 4, 2, 512, wanted)
        assert found is not None
        return found.in_flight, found.ahead

    # What a stage uses alone is loaded ahead as well, by each stage for itself.
    assert of(0) == (4, (1, 2)) and of(96) == (6, (1, 3)) and of(500) == (8, (1, 4))


def test_no_values() -> None:
    assert regions() == []
