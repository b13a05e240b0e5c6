"""What differs from shape to shape is said at the shape, or in one table for each concern; nowhere else is it asked."""

from __future__ import annotations

import re
from dataclasses import field
from pathlib import Path

import islpy as isl

from pencilc.gpu.shapes.policy import GEOMETRY, ROW_BYTES, policy_of
from pencilc.gpu.shapes.registers import BESIDE, Beside
from pencilc.ir.shapes import (
    AllKernel,
    Bins,
    ColumnKernel,
    IndirectKernel,
    ParallelKernel,
    ReducingKernel,
    RowKernel,
    SingleKernel,
)
from pencilc.options import AllLaunch
from pencilc.records import dataclass

ROOT = Path(__file__).resolve().parents[2] / "pencilc"
# Where a shape is chosen or made, and the tables: what is launched how, registers, functions, launches of the host.
MAY_TELL_SHAPES_APART = {
    "ir/shapes.py", "ir/mapping.py", "gpu/shapes/shape.py", "gpu/shapes/indirect.py", "gpu/shapes/policy.py",
    "gpu/shapes/registers.py", "gpu/fusion/stitch.py", "gpu/fusion/compose.py", "gpu/sequential.py",
    "codegen/tree.py", "codegen/kernels.py", "codegen/host.py", "codegen/indirect.py", "codegen/pack.py",
    "codegen/compose.py", "page/kernels.py", "gpu/shapes/tiling.py", "gpu/time_tiles.py", "ir/mapping_printer.py",
}  # fmt: skip
SHAPES = (AllKernel, RowKernel, ColumnKernel, IndirectKernel, ParallelKernel, SingleKernel)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NewKernel(ReducingKernel):
    """A shape that says nothing of its own."""

    launch: AllLaunch = field(default_factory=AllLaunch)


def indirect(*plans: Bins, forms: tuple[str, ...] = ("private", "whole")) -> IndirectKernel:
    """An INDIRECT kernel with the given bins."""
    domain = isl.Set("{ [] }")
    return IndirectKernel(
        name="k", host=(), reduced=(), body=None, index="int", domain=domain, plans=plans, forms=forms
    )


def test_where_shapes_are_told_apart() -> None:
    names = re.compile(rf"\b({'|'.join(shape.__name__ for shape in SHAPES)})\b")
    found = {path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py") if names.search(path.read_text())}
    assert found <= MAY_TELL_SHAPES_APART


def test_what_a_new_shape_has_without_saying_anything() -> None:
    kernel = NewKernel(name="k", host=(), reduced=(), body=None, index="int", domain=isl.Set("{ [] }"))
    policy = policy_of(kernel)
    assert policy.tunable(kernel) == GEOMETRY and not policy.fills_device and not policy.workers(4)
    assert policy.start(kernel, kernel.launch, 1000) == kernel.launch
    assert policy.shared_bytes(kernel, [4], 256, 4) == 256 // 32 * 4
    assert type(kernel) not in BESIDE and BESIDE.get(type(kernel), Beside()).plain == 28
    assert kernel.is_parallel and kernel.is_packable
    assert not (kernel.has_row_form or kernel.has_block_form or kernel.owns_columns or kernel.needs_all_threads)


def test_shared_memory_to_combine_accumulators() -> None:
    kernel = RowKernel(name="k", host=(), reduced=(), body=None, index="int", domain=isl.Set("{ [] }"), fixed_tree=True)
    assert policy_of(kernel).shared_bytes(kernel, [4], 256, 1) == 32 * 4 + ROW_BYTES
    column = ColumnKernel(name="k", host=(), reduced=(), body=None, index="int", domain=isl.Set("{ [] }"))
    assert policy_of(column).shared_bytes(column, [4, 8], 256, 4) == 256 * 4 * 12


def test_bins_beside_other_kernels() -> None:
    few = indirect(Bins("R0", 0, 100, "atomicAdd", "int"))
    assert few.is_packable and few.may_outgrow_pack and not few.puts_in_order
    assert few.copies_bytes({"R0": 4}, 8, 16384) == 8 * 400
    many = indirect(Bins("R0", 0, None, "atomicAdd", "int"), forms=("private",))
    assert many.copies_bytes({"R0": 4}, 8, 32768) == 32768 and not many.may_outgrow_pack
    in_order = indirect(Bins("R0", 0, 100, "", ""))
    assert in_order.puts_in_order and not in_order.is_packable
    assert not policy_of(in_order).tunable(in_order)
    assert SingleKernel(name="k", host=(), body=None, index="int", domain=isl.Set("{ [] }")).is_parallel is False
