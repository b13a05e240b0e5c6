"""`check` stays quick on long files, beside plain Python at the same moment: other work may share the machine."""

from __future__ import annotations

from pathlib import Path

from bench.check_time import long_program, processor_seconds
from tests.reference_time import reference_seconds

LIMIT = 13  # times the reference; it is about 10 times


def test_check_of_two_thousand_lines(tmp_path: Path) -> None:
    path = tmp_path / "long.c"
    path.write_text(long_program())
    ratios = (processor_seconds(path) / reference_seconds() for _ in range(4))
    assert any(ratio < LIMIT for ratio in ratios)
