"""Layer 7: faults that pencilc once had, put back into its source, are found by random programs, verifiers or tests."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, run
from tests.mutation.defects import DEFECTS, Defect

# What `make test` tries.
CHOSEN = {"kills-end-anti-dependences", "loops-dealt-out-by-depth", "functions-without-a-result"}
# What stands beside the changed compiler: the tests, with what they read, and pytest's settings.
BESIDE = ("tests", "bench", "samples", "setup.cfg")


def changed_compiler(defect: Defect | None, folder: Path) -> None:
    """The sources of pencilc with the defect in `folder`, and copies of the tests beside them."""
    for name in ("pencilc", "templates", *BESIDE):
        if (ROOT / name).is_file():
            shutil.copy(ROOT / name, folder / name)
        else:
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "golden"))
    (folder / "pencilc_templates").symlink_to("templates")
    for edit in defect.edits if defect is not None else ():
        changed = folder / edit.path
        changed.write_text(changed.read_text().replace(edit.old, edit.new))


def run_tests(names: tuple[str, ...], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run tests of the copy in `folder`."""
    return run(sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *names, cwd=folder)


def marks(defect: Defect) -> tuple[pytest.MarkDecorator, ...]:
    return () if defect.name in CHOSEN else (pytest.mark.full,)


@pytest.mark.parametrize("defect", [pytest.param(d, id=d.name, marks=marks(d)) for d in DEFECTS])
def test_defect_is_found(defect: Defect, tmp_path: Path, nvcc: str) -> None:
    changed_compiler(defect, tmp_path)
    if defect.tests:
        done = run_tests(defect.tests, tmp_path)
        assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout
        return
    done = run(sys.executable, "-m", "tests.mutation.run_defect", *defect.kinds, cwd=tmp_path)
    assert done.returncode == 1, "no program shows the defect"
    assert "Traceback" not in done.stderr, done.stderr


@pytest.mark.full
def test_the_tests_pass_beside_an_unchanged_compiler(tmp_path: Path) -> None:
    """What they find is the defect, and not that they run on a copy."""
    changed_compiler(None, tmp_path)
    done = run_tests(tuple(dict.fromkeys(name for defect in DEFECTS for name in defect.tests)), tmp_path)
    assert done.returncode == pytest.ExitCode.OK, done.stdout


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda d: d.name)
def test_the_defect_can_be_put_in(defect: Defect) -> None:
    assert bool(defect.kinds) != bool(defect.tests)
    for edit in defect.edits:
        assert (ROOT / edit.path).read_text().count(edit.old) == 1, f"{edit.path} has changed: adapt the defect"
