"""The records between the passes of the mapping as text: records that are written by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from pencilc.gpu import dumps
from pencilc.gpu.records import Chosen, Fused, Joined, Looped, Parted, Placed, Shaped
from pencilc.gpu.variants.sweeps import JoinedSweep
from pencilc.ir.mapping import Fusion, HostLoop
from pencilc.ir.schedule import Leaf
from pencilc.ir.shapes import AllKernel, SingleKernel
from pencilc.ir.storage import Home, Pointer, Register, Storage, Workspace
from pencilc.parts.part import Part, SequentialLoop
from tests.unit.gpu.kernels import by_hand

ROW: Any = object()
REGION: Any = SimpleNamespace(scop=SimpleNamespace(name="f"))
FIRST, SECOND = by_hand(SingleKernel, name="f_single0", prologue=("S0",)), by_hand(AllKernel, name="f_all1")
TABLE = (Storage("a", Pointer()), Storage("s", Workspace()))


def part(*body: str, **fields: Any) -> Part:
    """A part of one statement."""
    return Part((), (ROW, ROW), (ROW,), Leaf(body[0]) if body else None, **fields)


def parted(*items: Part | SequentialLoop, **fields: Any) -> Parted:
    """Parts of `f`."""
    return Parted(REGION, items, **{"uniform": {}, "in_place": (), **fields})


SHAPED = Shaped(Joined(parted(), ()), (FIRST, SECOND), None, ())  # type: ignore[arg-type]
PLACED = Placed(SHAPED, TABLE, ())
FUSED = Fused(PLACED, (FIRST,), ())


def lines(text: str) -> list[str]:
    """The lines behind the head, of which each dump has one."""
    assert text.endswith("\n")
    return text.splitlines()[1:]


def test_parts_have_their_rows_and_statements() -> None:
    whole = part("S1", prologue=("S0", "S2"), post=("S3",), indirect=("M0",))
    assert dumps.parts(parted(whole)).startswith("parts of f\n")
    assert lines(dumps.parts(parted(whole))) == [
        "  part: 2 kept, 1 reduced",
        "    prologue: S0, S2",
        "    body: S1",
        "    post: S3",
        "    updates in place: M0",
    ]


def test_what_a_part_has_not_is_not_told() -> None:
    assert lines(dumps.parts(parted(part("S1")))) == ["  part: 2 kept, 1 reduced", "    body: S1"]


def test_parts_of_sequential_loops_stand_further_inside() -> None:
    inner = SequentialLoop(ROW, (SequentialLoop(ROW, (part("S1"),)), part("S2")))
    assert [line for line in lines(dumps.parts(parted(inner))) if "body" not in line] == [
        "  sequential loop", "    sequential loop", "      part: 2 kept, 1 reduced", "    part: 2 kept, 1 reduced",
    ]  # fmt: skip


def test_what_kernels_compute_for_themselves_and_what_stays_in_place() -> None:
    made = parted(uniform={"scale": "S4", "n2": "S5"}, in_place=("h", "g"))
    assert lines(dumps.parts(made)) == [
        "  everywhere: S4 computes scale", "  everywhere: S5 computes n2", "  in place: h, g"
    ]  # fmt: skip
    assert lines(dumps.parts(parted())) == []


def test_joined_sweeps_have_what_they_do_instead() -> None:
    names: Any = SimpleNamespace(names={"S1": "S7"})
    sweep = JoinedSweep({3: part("S7"), 4: None}, (names,))
    assert lines(dumps.sweeps(Joined(parted(), (sweep,)))) == [
        "  parts 3, 4 in fewer sweeps",
        "    3:",
        "      part: 2 kept, 1 reduced",
        "        body: S7",
        "    4: done by others",
        "    S7 does the work of S1",
    ]


def test_shapes_have_kernels_and_those_that_stand_for_them() -> None:
    alternative: Any = SimpleNamespace(instead={0: SECOND, 1: None})
    made = Shaped(SHAPED.joined, (FIRST,), None, (alternative,))  # type: ignore[arg-type]
    text = lines(dumps.shapes(made))
    assert text[:2] == ["  kernel f_single0: single", "    prologue: S0"]
    at = text.index("  instead of kernels 0, 1")
    assert text[at + 1] == "    kernel f_all1: all"


def test_storage_of_alternatives_is_told_where_it_differs() -> None:
    alternative: Any = SimpleNamespace(kernels=(SECOND,))
    shaped = Shaped(SHAPED.joined, (FIRST,), None, (alternative,))  # type: ignore[arg-type]
    assert lines(dumps.storage(Placed(shaped, TABLE, (TABLE,)))) == ["  a: pointer", "  s: workspace"]
    own = (TABLE[0], Storage("s", Register((Home("f_all1", "body"),))))
    assert lines(dumps.storage(Placed(shaped, TABLE, (own,)))) == [
        "  a: pointer", "  s: workspace", "  storage in f_all1", "    s: register of f_all1 body"
    ]  # fmt: skip


def test_fusions_are_told_with_why_they_were_not_taken() -> None:
    taken = Fusion(("f_row0", "f_row1"), "stitched", True)
    left = Fusion(("f_row0", "f_all1"), "packed", False, reason="it saves nothing")
    made = lines(dumps.fusion(Fused(PLACED, (FIRST,), (taken, left))))
    assert made[0] == "  kernel f_single0: single" and made[-2:] == [
        "  stitched: f_row0, f_row1", "  not packed: f_row0, f_all1: it saves nothing"
    ]  # fmt: skip


def test_variants_have_the_items_that_were_chosen() -> None:
    own = {"f_single0": (TABLE[0], Storage("s", Register((Home("f_single0", "post"),))))}
    chosen = Chosen(FUSED, None, (FIRST,), own, ())  # type: ignore[arg-type]
    assert dumps.variants(chosen).startswith("variants of f\n")
    assert lines(dumps.variants(chosen))[-2:] == ["  storage in f_single0", "    s: register of f_single0 post"]


def test_loops_have_the_kernel_of_all_iterations() -> None:
    chosen = Chosen(FUSED, None, (), {}, ())  # type: ignore[arg-type]
    whole: Any = SimpleNamespace(name="f_loop0", shape=SimpleNamespace(value="loop"))
    made = Looped(chosen, (HostLoop("k", ROW, (FIRST,), whole), HostLoop("l", ROW, ())))
    told = lines(dumps.loops(made))
    assert told[:3] == ["  for k on the host", "    or kernel f_loop0: loop", "    kernel f_single0: single"]
    assert told[-1] == "  for l on the host"
