"""Layer 7: faults that pencilc once had, put back into its source, are found by random programs or a verifier."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, run
from tests.mutation.defects import DEFECTS, Defect

# What `make test` tries.
CHOSEN = {"kills-end-anti-dependences", "loops-dealt-out-by-depth"}


def changed_compiler(defect: Defect, folder: Path) -> None:
    """The sources of pencilc with the defect in `folder`, and the tests beside them."""
    for name in ("pencilc", "templates"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "pencilc_templates").symlink_to("templates")
    (folder / "tests").symlink_to(ROOT / "tests")
    for edit in defect.edits:
        changed = folder / edit.path
        text = changed.read_text()
        assert text.count(edit.old) == 1, f"{edit.path} has changed: adapt the defect"
        changed.write_text(text.replace(edit.old, edit.new))


def marks(defect: Defect) -> tuple[pytest.MarkDecorator, ...]:
    return () if defect.name in CHOSEN else (pytest.mark.full,)


@pytest.mark.parametrize("defect", [pytest.param(d, id=d.name, marks=marks(d)) for d in DEFECTS])
def test_defect_is_found(defect: Defect, tmp_path: Path, nvcc: str) -> None:
    changed_compiler(defect, tmp_path)
    done = run(sys.executable, "-m", "tests.mutation.run_defect", *defect.kinds, cwd=tmp_path)
    assert done.returncode == 1, "no program shows the defect"
    assert "Traceback" not in done.stderr, done.stderr


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda d: d.name)
def test_the_defect_can_be_put_in(defect: Defect, tmp_path: Path) -> None:
    changed_compiler(defect, tmp_path)
