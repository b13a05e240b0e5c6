"""ruff and mypy hold over the whole project."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.conftest import run


@pytest.mark.parametrize(
    "command",
    [("ruff", "check", "--quiet"), ("ruff", "format", "--quiet", "--check"), ("mypy",)],
    ids=["ruff-check", "ruff-format", "mypy"],
)
def test_lint(command: tuple[str, ...], root: Path) -> None:
    result = run(sys.executable, "-m", *command, cwd=root)
    assert result.returncode == 0, result.stdout + result.stderr
