"""Arrays of each iteration where there is memory for them: both forms of one program, on both sides of the limit."""

from __future__ import annotations

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.options import CompileOptions
from pencilc.verify.command import VerifySettings, verify
from tests.conftest import ROOT
from tests.diff.test_programs import sizes_of

PATH = ROOT / "tests/diff/programs/private_by_size.c"


@pytest.mark.full
@pytest.mark.parametrize("order", ["fwd", "rand:3"])
def test_both_sides_of_the_limit(order: str) -> None:
    """With 700 bytes, 5 rows of 7 floats have memory and 33 of 40 have none."""
    text = PATH.read_text()
    file = SourceFile(PATH.relative_to(ROOT).as_posix(), text)
    settings = VerifySettings(sizes=sizes_of(text), orders=(order,), forms=False)
    report = verify(file, CompileOptions(private_bytes=700), settings)
    assert report.ok, report.table()
