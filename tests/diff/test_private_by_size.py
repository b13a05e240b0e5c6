"""Arrays and scalars of each iteration where there is memory for them: both forms, on both sides of the limit."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.verify.command import VerifySettings, verify
from tests.conftest import ROOT
from tests.diff.test_programs import sizes_of

PROGRAMS = ROOT / "tests/diff/programs"


@pytest.mark.full
@pytest.mark.parametrize("order", ["fwd", "rev", "rand:3"])
@pytest.mark.parametrize("program", ["private_by_size", "scalars_by_size"])
def test_both_sides_of_the_limit(program: str, order: str) -> None:
    """700 bytes are 5 rows of 7 floats, and 25 values below two loops; 33 of 40, and 961 values, have no memory."""
    path = PROGRAMS / f"{program}.c"
    text = path.read_text()
    file = SourceFile(path.relative_to(ROOT).as_posix(), text)
    settings = VerifySettings(sizes=sizes_of(text), orders=(order,), forms=False)
    report = verify(file, CompileOptions(private_bytes=700), settings)
    assert report.ok, report.table()
