"""Every expected diagnostic stands on its line as `// error[PC0205]: text`; nothing else may appear."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from pencilc.diagnostics.codes import REGISTRY
from pencilc.diagnostics.diagnostic import Diagnostic, SourceErrors
from pencilc.diagnostics.render import render_text
from pencilc.driver import compile_source
from pencilc.frontend import read_source
from pencilc.options import CompileOptions

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.c"))
GOLDEN = ("reductions", "pragmas", "includes", "first_hour")
EXPECTED = re.compile(r"// (error|warning|note)\[(PC\d{4})\]: ([^/]*)")


def diagnostics_of(path: Path) -> tuple[Diagnostic, ...]:
    try:
        return compile_source(read_source(os.path.relpath(path)), CompileOptions(), "mapping").diagnostics
    except SourceErrors as errors:
        return errors.diagnostics


def expected_in(path: Path) -> list[tuple[int, str, str, str]]:
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for match in EXPECTED.finditer(line):
            found.append((number, match.group(1), match.group(2), match.group(3).strip()))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_expected_diagnostics(path: Path) -> None:
    left = expected_in(path)
    unexpected = []
    for diagnostic in diagnostics_of(path):
        for each in left:
            line, kind, code, text = each
            if (line, kind, code) == (
                diagnostic.span.line, diagnostic.severity.value, diagnostic.code
            ) and text in diagnostic.message:  # fmt: skip
                left.remove(each)
                break
        else:
            unexpected.append(
                f"{diagnostic.span.line}: {diagnostic.severity.value}[{diagnostic.code}]: {diagnostic.message}"
            )
    assert (unexpected, left) == ([], [])


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_spans_point_at_tokens(path: Path) -> None:
    lines = path.read_text().splitlines()
    for diagnostic in diagnostics_of(path):
        text = lines[diagnostic.span.line - 1][diagnostic.span.column - 1 : diagnostic.span.end_column - 1]
        assert text.strip(), diagnostic
        assert diagnostic.message[:1] not in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        assert not diagnostic.message.endswith(".")


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_codes_are_registered(path: Path) -> None:
    for diagnostic in diagnostics_of(path):
        assert diagnostic.severity in REGISTRY[diagnostic.code].severities


# What cannot stand in a file of expected diagnostics: the input itself is no C text, or pencilc is at fault.
ELSEWHERE = {
    "PC0003": "test_cli", "PC0109": "test_left", "PC0110": "test_left", "PC0702": "test_accuracy",
    "PC0703": "test_rounds",
    "PC0801": "test_cli_tune", "PC0802": "test_cli_tune", "PC0811": "test_cli_schedule", "PC0812": "test_cli_schedule",
    "PC0901": "test_limits", "PC0902": "test_cli",
}  # fmt: skip


def test_every_code_is_expected_somewhere() -> None:
    expected = {code for path in FILES for _, _, code, _ in expected_in(path)}
    assert expected | set(ELSEWHERE) == set(REGISTRY)


def test_codes_that_have_two_severities_are_expected_with_both() -> None:
    expected = {(code, kind) for path in FILES for _, kind, code, _ in expected_in(path)}
    both = {(c.code, s.value) for c in REGISTRY.values() if c.code not in ELSEWHERE for s in c.severities}
    # That only other orders of sums are too large takes a region as large as that (tests/unit/test_heavy_regions.py).
    assert both - expected <= {("PC0005", "warning"), ("PC0006", "warning"), ("PC0106", "warning")}


@pytest.mark.parametrize("name", GOLDEN)
def test_rendering(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)
    path = Path(f"{name}.c")
    got = render_text(diagnostics_of(path), {})
    golden = HERE / "goldens" / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(got)
    assert got == golden.read_text()
