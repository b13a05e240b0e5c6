"""What verify starts ends with verify, however that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ENDLESS = "int main(void) { for (;;) ; }\n"
HELD = """import subprocess, sys
from pencilc.verify.leash import on_leash
child = subprocess.Popen(on_leash([sys.argv[1]]))
print(child.pid, flush=True)
child.wait()
"""
CALLING = """import sys
from pathlib import Path
from pencilc.ir.source import INT
from pencilc.verify.cases import Case, ChildCall, Job
from pencilc.verify.children import run_job
import pickle
folder = Path(sys.argv[1])
case = Case("f", (), "given", (), INT, 1.0, 0.0, True, 1.0)
(folder / "case").write_bytes(pickle.dumps(case))
call = ChildCall(folder / "case", folder / "outcome", folder / "messages", "host", "endless")
run_job(Job(folder / "endless.so", (call,), folder / "progress"), {}, 60.0)
"""


def alive(pid: int) -> bool:
    """Whether the process runs (a zombie does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def ends(pid: int) -> bool:
    """Whether the process ends within some seconds."""
    for _ in range(500):
        if not alive(pid):
            return True
        time.sleep(0.01)
    return False


def test_a_program_ends_with_the_process_that_runs_it(tmp_path: Path) -> None:
    (tmp_path / "endless.c").write_text(ENDLESS)
    subprocess.run(["gcc", tmp_path / "endless.c", "-o", tmp_path / "endless"], check=True)
    held = [sys.executable, "-c", HELD, str(tmp_path / "endless")]
    with subprocess.Popen(held, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert alive(child)
        parent.kill()
    assert ends(child)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_the_runner_ends_with_the_process_that_waits_for_it(tmp_path: Path, number: int) -> None:
    (tmp_path / "endless.c").write_text(
        '#include <stdio.h>\n#include <unistd.h>\nint endless(void) { FILE *f = fopen(PLACE, "w");'
        ' fprintf(f, "%d\\n", (int)getpid()); fclose(f); for (;;) ; }\n'
    )
    library, place = tmp_path / "endless.so", tmp_path / "pid"
    flags = ["-shared", "-fPIC", f'-DPLACE="{place}"']
    subprocess.run(["gcc", *flags, tmp_path / "endless.c", "-o", library], check=True)
    parent = subprocess.Popen([sys.executable, "-c", CALLING, str(tmp_path)])
    while not (place.exists() and place.read_text().endswith("\n")):
        assert parent.poll() is None
        time.sleep(0.01)
    child = int(place.read_text())
    os.kill(parent.pid, number)
    parent.wait()
    assert ends(child)
