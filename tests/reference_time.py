"""A measure of time that is as slow as the machine is at the moment: other work may share it."""

from __future__ import annotations

import time


def reference_seconds() -> float:
    """The processor time of five million turns of a loop that allocates."""
    before = time.process_time()
    found: dict[int, tuple[int, int]] = {}
    for k in range(5_000_000):
        found[k & 1023] = (k, k + 1)
    return time.process_time() - before
