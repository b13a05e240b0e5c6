"""Every expected diagnostic stands on its line as `// error[PC0205]: text`; nothing else may appear."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from pencilc.diagnostics.codes import REGISTRY
from pencilc.diagnostics.diagnostic import Diagnostic, Severity, SourceErrors
from pencilc.diagnostics.render import render_text
from pencilc.frontend import FrontendOptions, parse_file, read_source

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.c"))
GOLDEN = ("reductions", "pragmas", "includes")
EXPECTED = re.compile(r"// (error|warning)\[(PC\d{4})\]: (.*)$")


def diagnostics_of(path: Path) -> tuple[Diagnostic, ...]:
    try:
        return parse_file(read_source(os.path.relpath(path)), FrontendOptions())[1]
    except SourceErrors as errors:
        return errors.diagnostics


def expected_in(path: Path) -> list[tuple[int, str, str, str]]:
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := EXPECTED.search(line):
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
        assert diagnostic.code in REGISTRY
        if diagnostic.severity is Severity.ERROR and REGISTRY[diagnostic.code].severity is Severity.WARNING:
            pytest.fail(f"{diagnostic.code} is registered as a warning")


@pytest.mark.parametrize("name", GOLDEN)
def test_rendering(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)
    path = Path(f"{name}.c")
    got = render_text(diagnostics_of(path), {})
    golden = HERE / "goldens" / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(got)
    assert got == golden.read_text()
