"""What tests of the generated code share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bench import sass


@pytest.fixture(scope="session")
def nvdisasm() -> Path:
    """The disassembler that the extra `test` brings."""
    found = sass.disassembler()
    if found is None:
        reason = "nvdisasm not found: the extra `test` brings it"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found
