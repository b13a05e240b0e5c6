"""The pass `fusion`: which of the legal fusions are taken."""

from __future__ import annotations

import pytest

from pencilc.gpu.fusion.plan import fuse
from pencilc.ir.mapping import Composed, HostItem, HostLoop, Packed, Stitched
from pencilc.ir.shapes import Kernel
from pencilc.options import CompileOptions, Fuse
from tests.unit.records import DEFAULT, ROW_SUMS, SOFTMAX, placed

TWO = "FOR(i, n) a[i] = 1; FOR(j, m) z[j] = 2;"


def kinds(items: tuple[HostItem, ...]) -> list[str]:
    """What the items are."""
    found = []
    for item in items:
        if isinstance(item, HostLoop):
            found.append(f"for {{{' '.join(kinds(item.items))}}}")
        else:
            assert isinstance(item, Kernel | Stitched | Packed | Composed)
            found.append("kernel" if isinstance(item, Kernel) else type(item).__name__.lower())
    return found


def planned(body: str, options: CompileOptions = DEFAULT) -> list[str]:
    """The items of the region."""
    return kinds(fuse(placed(body, options)).items)


def test_sweeps_over_one_row_are_stitched() -> None:
    assert planned(SOFTMAX) == ["stitched"]


def test_independent_kernels_are_packed() -> None:
    assert planned(TWO) == ["packed"]


def test_inside_of_a_loop_on_the_host() -> None:
    assert planned(f"FOR(t, 9) {{ {SOFTMAX} FOR(i, n) FOR(j, m) x[i][j] = y[n - 1 - i][j] + t; }}") == [
        "for {stitched kernel}"
    ]


@pytest.mark.parametrize(
    ("mode", "found"),
    [("none", 3 * ["kernel"]), ("pairwise", ["kernel", "stitched"]), ("model", ["stitched"]), ("max", ["stitched"])],
)
def test_what_is_asked_for(mode: Fuse, found: list[str]) -> None:
    assert sorted(planned(SOFTMAX, CompileOptions(fuse=mode))) == found


def test_a_single_kernel_is_left_alone() -> None:
    done = fuse(placed(ROW_SUMS))
    assert kinds(done.items) == ["kernel"] and done.items == done.placed.shaped.items and done.fusions == ()


def test_a_dependence_between_other_points_forbids_it_and_is_told() -> None:
    done = fuse(placed("FOR(i, n) a[i] = b[i]; FOR(i, n) c[i] = a[i] + a[n - 1 - i];"))
    assert kinds(done.items) == ["kernel", "kernel"]
    (told,) = done.fusions
    assert not told.taken and told.reason == "they do not have the same rows and elements"


def test_elements_of_another_length_stay_apart_and_that_is_told() -> None:
    body = SOFTMAX.replace("FOR(j, m) y", "FOR(j, 7) y")
    done = fuse(placed(body))
    assert kinds(done.items) == ["stitched", "kernel"]
    assert "the rows are not equally long" in {f.reason for f in done.fusions if not f.taken}


def test_nothing_to_fuse() -> None:
    assert fuse(placed("int k;")).items == ()
