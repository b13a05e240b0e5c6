"""What one thread runs if all else fails is the whole region, whatever the model has made of its statements."""

from __future__ import annotations

from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.gpu import passes
from pencilc.options import CompileOptions
from pencilc.parts.part import Unmappable
from pencilc.verify.command import VerifySettings, verify
from tests.diff.test_programs import PROGRAMS, sizes_of

# Groups of loops, conditions, early ends, declarations, kills, accumulators: the others run in `make test-full`.
FAST = {"accumulators_mixed", "conditional_accesses", "control", "inner_loops", "kills", "locals", "wrapping_counters"}


@pytest.mark.parametrize(
    "path", [pytest.param(p, id=p.stem, marks=() if p.stem in FAST else pytest.mark.full) for p in PROGRAMS]
)
def test_one_thread(path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unmappable(*_: object) -> None:
        raise Unmappable("the test wants it so")

    monkeypatch.setattr(passes, "_run", unmappable)
    text = path.read_text()
    file = SourceFile(path.relative_to(root).as_posix(), text)
    report = verify(file, CompileOptions(), VerifySettings(sizes=sizes_of(text), orders=("fwd",)))
    assert report.ok, report.table()
    assert any(row.status == "ok" for row in report.rows)
