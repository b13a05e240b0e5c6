"""The dump of a mapping: every field of its records stands in it, or has a reason not to."""

from __future__ import annotations

import ast
import dataclasses
import inspect
from collections.abc import Iterator
from types import ModuleType

import pytest

from pencilc.ir import mapping, shapes, storage, thread_rows
from pencilc.ir.mapping_printer import dump_mapping
from pencilc.options import CompileOptions
from tests.conftest import ROOT
from tests.unit.codegen.programs import program
from tests.unit.records import BINS, COLUMN_SUMS, ROW_SUMS, SOFTMAX

# What follows from other stages or lines of the dump.
NOT_DUMPED = {
    "Fusion.way": "the report tells what was looked at; what was taken are kernels of the dump",
    "Fusion.taken": "the same",
    "Fusion.saved_launches": "the same",
    "Fusion.saved_bytes": "the same",
    "Fusion.saved_seconds": "the same",
    "MappedProgram.scheduled": "the stage before",
    "MappedProgram.fusions": "as those of Fusion",
    "MappedProgram._storage": "the table by its names",
    "Kernel.number": "the names of kernels end with it",
    "Kernel.host": "the loops on the host around the kernel",
    "TileCost.cycles": "by the printer of launches",
    "TileCost.wait": "the same",
    "TileCost.left": "the same",
    "Home.part": "by `str`",
    "Home.stage": "by `str`",
}


def fields_of(*modules: ModuleType) -> Iterator[str]:
    """`Kernel.name`: the fields of the records that modules define."""
    for module in modules:
        for name, kind in vars(module).items():
            if inspect.isclass(kind) and dataclasses.is_dataclass(kind) and kind.__module__ == module.__name__:
                own = inspect.get_annotations(kind)
                yield from (f"{name}.{each.name}" for each in dataclasses.fields(kind) if each.name in own)


def test_every_field_is_dumped() -> None:
    nodes = list(ast.walk(ast.parse((ROOT / "pencilc" / "ir" / "mapping_printer.py").read_text())))
    read = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    read |= {name for node in nodes if isinstance(node, ast.MatchClass) for name in node.kwd_attrs}
    missing = {each for each in fields_of(mapping, shapes, storage, thread_rows) if each.rpartition(".")[2] not in read}
    assert missing == NOT_DUMPED.keys()


@pytest.mark.parametrize(
    ("body", "options", "lines"),
    [
        (
            ROW_SUMS,
            CompileOptions(sums="kahan", determinism="fixed-tree"),
            ["  sums: kahan", "  nvcc may not contract a * b + c", "    the points are dealt out by the sizes alone"],
        ),
        (ROW_SUMS, CompileOptions(), ["    threads lie along j, decided by lines; lines of 32 points: i 8, j 1"]),
        (COLUMN_SUMS, CompileOptions(), ["    threads lie along j, decided by"]),
        (BINS, CompileOptions(), ["    forms to choose from: "]),
        (
            SOFTMAX,
            CompileOptions(),
            ["of each element (4 bytes), ", "of the row (4 bytes), stage", "computed by S", "  storage in f_stitched0"],
        ),
    ],
)
def test_what_decides_is_dumped(body: str, options: CompileOptions, lines: list[str]) -> None:
    text = dump_mapping(program(body, options))
    assert text.startswith("mapping of f for sm_90\n")
    assert [line for line in lines if line not in text] == []
