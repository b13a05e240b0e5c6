"""What a target says of a GPU, and that the choice of one decides something."""

from __future__ import annotations

import ast
import itertools
import re
from dataclasses import fields

import pytest
from click.testing import CliRunner

from pencilc.cli import main
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.target import DEFAULT, TARGETS, Instruction, Target, UnknownTarget, target_of
from tests.conftest import ROOT


def cuda(name: str, arch: str) -> str:
    """What a sample becomes for a target, without the line that names the command."""
    path = f"samples/{name}.c"
    text = compile_source(SourceFile(path, (ROOT / path).read_text()), CompileOptions(target=TARGETS[arch])).cuda
    return text.replace(arch, "sm_xx")


def test_names_of_nvcc() -> None:
    assert target_of("sm_90") is target_of("sm_90a") is DEFAULT
    # A GPU that there is not, between two that are known.
    assert target_of("sm_76") is target_of("sm_76f") is TARGETS["sm_75"]
    for wrong in ("sm_70", "90", "sm_", "compute_90", "native"):
        with pytest.raises(UnknownTarget):
            target_of(wrong)


@pytest.mark.parametrize("arch", ["sm_70", "turing", ""])
def test_unknown_targets_are_refused(arch: str) -> None:
    done = CliRunner().invoke(main, ["samples/sum.c", "--arch", arch, "-o", "-"])
    assert done.exit_code == 2
    assert f"--arch {arch}: " in done.output


def test_the_documents_list_the_targets() -> None:
    listed = ", ".join(name if name == next(iter(TARGETS)) else name.removeprefix("sm_") for name in TARGETS)
    assert f"`pencilc/target.py`: {listed};" in (ROOT / "docs" / "mapping.md").read_text()


def test_later_targets_have_what_earlier_ones_have() -> None:
    known = list(TARGETS.values())
    numbers = [int(target.arch.removeprefix("sm_")) for target in known]
    assert numbers == sorted(numbers), "target_of takes the last one that is no newer"
    for older, newer in itertools.pairwise(known):
        assert older.instructions <= newer.instructions


def test_resident_blocks_of_a_multiprocessor() -> None:
    assert [TARGETS[a].resident(256) for a in ("sm_75", "sm_86", "sm_90")] == [4, 6, 8]
    assert DEFAULT.resident(256, registers=64) == 4
    assert DEFAULT.resident(256, shared=100 * 1024) == 2
    assert TARGETS["sm_75"].resident(32, registers=1) == 16
    assert DEFAULT.resident(512, registers=255) == 0


def test_every_figure_decides_something() -> None:
    """A field of the target that nothing reads is a promise that nobody keeps."""
    read: set[str] = set()
    for path in (ROOT / "pencilc").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                read.add(node.attr)
    assert {f.name for f in fields(Target)} - {"arch", "like"} <= read


# What differs for a small device, and why.
DECISIONS = {
    # A multiprocessor of a T4 needs 8 KB in flight, one of a B200 eight times as much: registers of a thread are
    # limited so that two blocks fit where one is enough.
    "sum": r"__launch_bounds__\(512, 2\)",
    # 32-bit integers over a warp: an instruction from sm_80 on.
    "minmax_int": r"__reduce_min_sync",
}


@pytest.mark.parametrize("name", DECISIONS)
def test_the_target_decides(name: str) -> None:
    large, small = cuda(name, "sm_100"), cuda(name, "sm_75")
    assert re.search(DECISIONS[name], large)
    assert large != small
    assert len(re.findall(DECISIONS[name], small)) < len(re.findall(DECISIONS[name], large))


def test_what_instructions_are_asked_for() -> None:
    assert not TARGETS["sm_75"].has(Instruction.REDUX)
    assert TARGETS["sm_80"].has(Instruction.REDUX)


def test_templates_call_the_warp_by_its_name() -> None:
    """What is 32 for another reason: bits, values of a level of a cascaded sum, bytes of fragments and of sectors."""
    others = ("@bits < 32", "32-bit", "32 values", "32u << 5", "align__(32)", "alignas(32)", "32 bytes")
    for path in sorted((ROOT / "templates").rglob("*.j2")):
        for number, line in enumerate(path.read_text().split("\n"), 1):
            assert not re.search(r"\b(32|65535|1024|1023)\b", line) or any(o in line for o in others), (path, number)
