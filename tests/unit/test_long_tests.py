"""What is left to `make test-full` for the time that it takes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.conftest import run
from tests.long_tests import KEPT, LONGEST, listed, long_tests

LOG = """
2.50s call     tests/unit/test_docs.py::test_long[a b]
2.50s setup    tests/unit/test_docs.py::test_made_ready
0.90s call     tests/unit/test_docs.py::test_short
3.00s call     tests/unit/test_lint.py::test_lint[mypy]
"""


def test_tests_that_take_long_are_listed_but_for_what_is_kept() -> None:
    before = frozenset(("tests/unit/test_laws.py::test_not_run", "tests/unit/test_lint.py::test_lint[mypy]"))
    assert listed(LOG.splitlines(), before) == [
        "tests/unit/test_docs.py::test_long[a b]", "tests/unit/test_laws.py::test_not_run",
    ]  # fmt: skip
    assert listed([f"{LONGEST:.2f}s call     tests/unit/test_docs.py::test_just"], frozenset()) == []


@pytest.mark.full
def test_what_is_listed_or_kept_is_there(root: Path) -> None:
    names = set(run(sys.executable, "-m", "pytest", "--collect-only", "-q", cwd=root).stdout.splitlines())
    assert not long_tests() - names
    assert not [part for part in KEPT if not any(part in name for name in names)]
