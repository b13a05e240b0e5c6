"""The CPU executor's requests of warps: sectors, wavefronts and instructions of kernels of which they are known."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pencilc.verify.cudacpu import build, environment
from pencilc.verify.traffic import Counted, parse

SOURCE = Path(__file__).resolve().parent / "cudacpu" / "requests.cu"
# By kernel: (shared, array, kind, bytes of a lane) and (requests, sectors or wavefronts, the least of these).
EXPECTED: dict[str, dict[tuple[bool, str, str, int], tuple[int, int, int]]] = {
    "contiguous": {(False, "a", "load", 4): (2, 8, 8), (False, "b", "store", 4): (2, 8, 8)},
    "vectors": {(False, "a", "load", 16): (1, 16, 16), (False, "b", "store", 16): (1, 16, 16)},
    "off_by_one": {(False, "a", "load", 4): (1, 5, 4), (False, "b", "store", 4): (1, 4, 4)},
    "strided": {(False, "a", "load", 4): (1, 32, 4), (False, "b", "store", 4): (1, 4, 4)},
    "broadcast": {(False, "a", "load", 4): (1, 1, 1), (False, "b", "store", 4): (1, 4, 4)},
    # Word after word of 24 bytes: 32 lanes are in 24 sectors.
    "structs": {(False, "a", "load", 4): (6, 6 * 24, 24), (False, "b", "store", 4): (6, 6 * 24, 24)},
    "ends_early": {(False, "a", "load", 4): (4, 4 + 3, 4 + 3), (False, "b", "store", 4): (1, 4, 4)},
    "met_between": {(False, "a", "load", 4): (2, 4, 4), (False, "b", "store", 4): (1, 4, 4)},
    "banks": {
        (False, "a", "load", 4): (2, 8, 8),
        (False, "b", "store", 4): (1, 4, 4),
        (True, "square", "store", 4): (1, 32, 1),
        (True, "padded", "store", 4): (1, 1, 1),
        (True, "square", "load", 4): (1, 16, 1),
        (True, "padded", "load", 4): (1, 1, 1),
    },
    "wide_banks": {
        (False, "a", "load", 4): (1, 1, 1),
        (False, "b", "store", 4): (1, 4, 4),
        (True, "quads", "store", 16): (2, 8, 8),
        (True, "quads", "load", 4): (1, 4, 1),
        (True, "pairs", "store", 8): (2, 4, 4),
        (True, "pairs", "load", 8): (1, 4, 2),
    },
    "counters": {(False, "a", "atomic", 4): (2, 2, 2), (False, "a", "store", 4): (2, 2, 2)},
    "twice": {(False, "a", "load", 4): (4, 16, 16), (False, "b", "store", 4): (2, 8, 8)},
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("requests") / "requests"
    build(SOURCE, made, mode="check")
    return made


@pytest.mark.parametrize("order", ["fwd", "rev", "rand:3"])
def test_requests_and_instructions(program: Path, order: str) -> None:
    counted = _counted(program, order)
    found: dict[str, dict[tuple[bool, str, str, int], tuple[int, int, int]]] = {}
    for row in counted.requests:
        key = (row.shared, row.array, row.kind, row.width)
        found.setdefault(row.kernel, {})[key] = (row.count, row.moved, row.least)
    assert found == EXPECTED
    assert counted.of_kernel("counters") == {
        "atomic 4 global": 2, "store 4 global": 2, "warp barrier": 2, "vote": 2, "warp reduction": 2,
    }  # fmt: skip
    assert counted.of_kernel("met_between")["shuffle"] == 2
    assert counted.of_kernel("banks")["barrier"] == 1


def test_a_block_has_its_bytes_once(program: Path) -> None:
    moved = {(row.kernel, row.array): row for row in _counted(program, "fwd").moved}
    a, b = moved["twice", "a"], moved["twice", "b"]
    assert (a.read, a.block_read) == (4 * 128, 2 * 128)
    assert (b.written, b.block_written) == (2 * 128, 2 * 128)


def _counted(program: Path, order: str) -> Counted:
    env = {**os.environ, **environment(order, timeout_s=30)}
    done = subprocess.run([program], capture_output=True, text=True, env=env, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done
    return parse(done.stdout)
