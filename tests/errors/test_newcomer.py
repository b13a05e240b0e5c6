"""Wrong programs as a newcomer writes them: what is told of each, word for word, and that the remedies compile.

`newcomer/CLASS/SHAPE.c` is one program.  What is told of those of a class stands in `newcomer/CLASS.txt`, as it is
printed; `UPDATE_GOLDEN=1` writes these files anew.  The fixes of a program are applied as an editor would apply them:
the first one of each diagnostic, as far as they do not touch the same text, until none is left.
"""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from pencilc.diagnostics.diagnostic import Diagnostic, Edit, Fix, Severity, SourceErrors
from pencilc.diagnostics.render import render_text
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.frontend import include_dir
from pencilc.options import CompileOptions

HERE = Path(__file__).parent / "newcomer"
CLASSES = sorted(path.name for path in HERE.iterdir() if path.is_dir())
PROGRAMS = [f"{name}/{path.stem}" for name in CLASSES for path in sorted((HERE / name).glob("*.c"))]
ROUNDS = 5
# What is left when all fixes are applied, where they are not all that has to be done: the codes, and why.
LEFT: dict[str, tuple[set[str], str]] = {
    "all_errors/builtins": ({"PC0010"}, "`bb` may be anything"),
    "all_errors/one_statement": ({"PC0010"}, "`b` may be anything"),
    "all_errors/one_function": ({"PC0010"}, "`sqrtt` may be anything"),
    "all_errors/two_functions": ({"PC0010"}, "`b` may be anything"),
    "goto/leave": ({"PC0302"}, "a loop with `break` runs in one thread"),
    "undefined_function/operator": ({"PC0203"}, "`init` may write anything"),
    "variable_step/parameter": ({"PC0701"}, "which elements are a step apart no number says"),
    "variable_step/sieve": ({"PC0701"}, "several numbers cross out the same one"),
}
# Whose text gcc refuses for its own reasons once it is mended.
NOT_FOR_GCC = {"type_without_header/math": "`M_PI` is not in ISO C, and not in math.h with -std=c99"}


@dataclass(frozen=True)
class Told:
    """What is told of a program, and whether it compiles."""

    diagnostics: tuple[Diagnostic, ...]
    compiles: bool


@cache
def told_of(text: str) -> Told:
    """Compile `text` as `program.c` up to the mapping, which tells the last of all messages."""
    try:
        return Told(compile_source(SourceFile("program.c", text), CompileOptions(), "mapping").diagnostics, True)
    except SourceErrors as errors:
        return Told(errors.diagnostics, False)


def text_of(program: str) -> str:
    return (HERE / f"{program}.c").read_text()


def apply(text: str, edits: list[Edit]) -> str:
    """`text` with all edits, which do not overlap."""
    lines = text.splitlines(keepends=True)
    for edit in sorted(edits, key=lambda e: (e.span.line, e.span.column, e.span.end_column), reverse=True):
        line = lines[edit.span.line - 1]
        lines[edit.span.line - 1] = line[: edit.span.column - 1] + edit.text + line[edit.span.end_column - 1 :]
    return "".join(lines)


def overlap(one: Edit, other: Edit) -> bool:
    """Whether two edits touch the same text; two that insert the same line somewhere are one."""
    if one.span.line != other.span.line:
        return False
    return one.span.column <= other.span.end_column and other.span.column <= one.span.end_column


def chosen(fixes: list[Fix]) -> list[Edit]:
    """The edits of as many of the fixes as do not touch each other's text."""
    edits: list[Edit] = []
    for fix in fixes:
        if not any(overlap(new, old) for new in fix.edits for old in edits):
            edits += fix.edits
    return edits


def mended(text: str) -> str:
    """`text` with the first fix of every diagnostic, again and again until nothing is left to fix."""
    for _ in range(ROUNDS):
        fixes = [d.fixes[0] for d in told_of(text).diagnostics if d.fixes]
        if not fixes:
            break
        text = apply(text, chosen(fixes))
    return text


def check_text(name: str, programs: list[str]) -> None:
    """What is told of the programs of a class, word for word."""
    parts = []
    for program in programs:
        text = text_of(program)
        said = render_text(told_of(text).diagnostics, {"program.c": SourceFile("program.c", text)})
        parts.append(f"== {program.split('/')[1]}\n\n{said or '(nothing)'}")
    got, golden = "\n".join(parts), HERE / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(got)
    assert got == golden.read_text()


def check_places_and_words(program: str) -> None:
    """Something is told, at a place in the file, once, and without a name that pencilc has made up."""
    text = text_of(program)
    told = told_of(text)
    assert told.diagnostics, program
    lines = text.splitlines()
    for diagnostic in told.diagnostics:
        assert diagnostic.span.path == "program.c"
        marked = lines[diagnostic.span.line - 1][diagnostic.span.column - 1 : diagnostic.span.end_column - 1]
        assert marked.strip(), program
        words = (
            diagnostic.message, diagnostic.label, *diagnostic.notes, *diagnostic.remedies,
            *(label.text for label in diagnostic.secondary),
        )  # fmt: skip
        for said in words:
            made_up = set(re.findall(r"\b[a-zA-Z]\w*_\d+\b|\b__pencilc\w*", said)) - set(re.findall(r"\w+", text))
            assert not made_up - {"larger_1"}, said
    places = [(d.code, d.span) for d in told.diagnostics]
    assert len(places) == len(set(places)), program


def check_remedies(program: str) -> None:
    """With all fixes applied nothing is told any more but what `LEFT` says, and gcc takes the file."""
    text = text_of(program)
    if not any(d.fixes for d in told_of(text).diagnostics):
        assert program not in LEFT
        return
    after = mended(text)
    allowed, _ = LEFT.get(program, (set(), ""))
    left = told_of(after)
    assert {d.code for d in left.diagnostics} == allowed, after
    assert left.compiles == (not any(d.severity is Severity.ERROR for d in left.diagnostics))
    if program not in NOT_FOR_GCC and left.compiles:
        command = ["gcc", "-std=c99", "-fsyntax-only", f"-I{include_dir()}", "-x", "c", "-"]
        done = subprocess.run(command, input=after, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr + after


def check_other_ways(program: str) -> None:
    """Each fix that is not the first of its diagnostic does away with it too."""
    text = text_of(program)
    for diagnostic in told_of(text).diagnostics:
        for fix in diagnostic.fixes[1:]:
            after = told_of(apply(text, list(fix.edits)))
            assert diagnostic.code not in {d.code for d in after.diagnostics}, fix.help


@pytest.mark.parametrize("name", CLASSES)
def test_wrong_programs(name: str) -> None:
    programs = [program for program in PROGRAMS if program.split("/")[0] == name]
    assert len(programs) >= 3
    check_text(name, programs)
    for program in programs:
        check_places_and_words(program)
        check_remedies(program)
        check_other_ways(program)


def test_all_golden_texts_belong_to_a_class() -> None:
    assert sorted(path.stem for path in HERE.glob("*.txt")) == CLASSES
    assert len(PROGRAMS) >= 130
