"""Launches that several kernels share."""

from __future__ import annotations

from tests.unit.codegen.launched import does
from tests.unit.codegen.test_host_verifier import LARGE, SEVERAL
from tests.unit.records import COLUMN_SUMS


def test_blocks_of_parts_follow_each_other() -> None:
    lines = [line for line in does(SEVERAL) if line.startswith("let unsigned @end")]
    numbers = [line.split()[2].removeprefix("@end") for line in lines]
    for number, line in zip(numbers, lines, strict=True):
        before = f"= @end{int(number) - 1} + "
        assert (before in line) == (number != "0")


def test_bins_have_room_for_the_largest_copies() -> None:
    lines = does(SEVERAL)
    grown = next(number for number, line in enumerate(lines) if line.startswith("@shared_bytes = @copies"))
    assert "> @shared_bytes)" in lines[grown - 1]
    assert [line for line in lines if line.startswith("configure") and line.endswith("shared @shared_bytes")]


def test_parts_leave_partial_results_behind_each_other() -> None:
    lines = does(SEVERAL)
    places = [line for line in lines if line.startswith("let size_t @partials_at")]
    assert len(places) >= 2 and len([line for line in lines if line.startswith("reserve for parts")]) >= 1


def test_bins_that_do_not_fit_have_a_launch_of_their_own() -> None:
    lines = does(f"{COLUMN_SUMS} {LARGE}")
    last = lines.index("if (!@fits1)")
    whole = lines.index("start f_indirect2_global, no more blocks than are resident")
    assert lines.index("start f_packed0") < last < whole
    # Where neither part may have something to do, the launch that they share is asked for.
    empty = does(f"{LARGE} FOR(i, n) b[i] = 2;")
    shared = empty.index("start f_packed1")
    assert "if (@end1 > 0)" in empty[shared - 2 : shared] and "if (!@fits0 && m >= 1)" in empty
