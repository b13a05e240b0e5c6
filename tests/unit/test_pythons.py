"""Every Python that setup.cfg names: its syntax, and that the dependencies have wheels for it.

The tests run on one Python.  For the others the syntax is checked by ruff, and pip resolves what would be installed.
"""

from __future__ import annotations

import configparser
import re
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, run


def _metadata() -> configparser.ConfigParser:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    return config


def versions() -> list[str]:
    """The versions that the classifiers name."""
    found = re.findall(r"Programming Language :: Python :: (3\.\d+)", _metadata()["metadata"]["classifiers"])
    assert found
    return found


def test_the_first_version_is_the_one_that_is_required() -> None:
    assert _metadata()["options"]["python_requires"] == f">={versions()[0]}"
    assert _metadata()["mypy"]["python_version"] == versions()[0]


def syntax_errors(version: str, *paths: Path) -> str:
    """What is wrong in files or folders for one version of Python, by its syntax; empty if nothing is."""
    target = f"py{version.replace('.', '')}"
    command = ("ruff", "check", "--quiet", "--no-cache", "--isolated", "--select", "E9", "--target-version", target)
    return run(sys.executable, "-m", *command, *paths).stdout


@pytest.mark.parametrize("version", versions())
def test_syntax(version: str) -> None:
    folders = ("pencilc", "docs", "tests", "bench", "samples")
    assert syntax_errors(version, *(ROOT / folder for folder in folders)) == ""


def test_newer_syntax_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "newer.py"
    path.write_text("type X = int\n")
    assert syntax_errors("3.12", path) == ""
    assert "3.12" in syntax_errors("3.10", path)


@pytest.mark.full
@pytest.mark.parametrize("version", versions())
def test_wheels_of_all_dependencies(version: str) -> None:
    """What `pip install pencilc` would bring, without building anything; skipped where no index answers."""
    listed = _metadata()["options"]["install_requires"].strip().split("\n")
    marker = re.compile(r"; python_version (>=|<) \"(\d+)\.(\d+)\"")

    def applies(line: str) -> bool:
        found = marker.search(line)
        if found is None:
            return True
        is_newer = tuple(map(int, version.split("."))) >= (int(found.group(2)), int(found.group(3)))
        return is_newer == (found.group(1) == ">=")

    needed = [marker.sub("", line) for line in listed if applies(line)]
    common = ("-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet", "--no-input", "--retries=0")
    where = ("--only-binary=:all:", f"--python-version={version}", "--implementation=cp", "--target=nowhere")
    result = run(sys.executable, *common, *where, *needed, cwd=ROOT)
    if result.returncode and run(sys.executable, *common, "--target=nowhere", "click").returncode:
        pytest.skip("no package index answers")
    assert result.returncode == 0, result.stderr
