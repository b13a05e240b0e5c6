"""`check` stays quick on long files, beside plain Python at the same moment: other work may share the machine."""

from __future__ import annotations

import time
from pathlib import Path

from bench.check_time import long_program, processor_seconds

LIMIT = 7  # times the reference; it is between 4 and 5 times


def reference_seconds() -> float:
    """The processor time of five million turns of a loop that allocates."""
    before = time.process_time()
    found: dict[int, tuple[int, int]] = {}
    for k in range(5_000_000):
        found[k & 1023] = (k, k + 1)
    return time.process_time() - before


def test_check_of_two_thousand_lines(tmp_path: Path) -> None:
    path = tmp_path / "long.c"
    path.write_text(long_program())
    ratios = (processor_seconds(path) / reference_seconds() for _ in range(4))
    assert any(ratio < LIMIT for ratio in ratios)
