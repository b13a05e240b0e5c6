"""Each module of scheduling, mapping and code generation has a test file of its own, found from its path alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.conftest import ROOT

PACKAGES = ("schedule", "parts", "gpu", "codegen")
# Where the test of a module is that has none beside it, or why there is nothing to test.
ELSEWHERE = {
    "gpu/passes.py": "tests/unit/test_passes.py",
    "codegen/expression_rules.py": "tests/unit/codegen/test_refused_trees.py",
    "codegen/thread_rules.py": "tests/unit/codegen/test_refused_trees.py",
}
NO_FUNCTION = {
    "gpu/records.py": "what passes hand to each other: records, whose tests are those of the passes",
    "gpu/fusion/not_fused.py": "an exception alone",
}


def file_for(module: str) -> Path:
    """The test file of a module."""
    path = Path(module)
    return ROOT / ELSEWHERE.get(module, f"tests/unit/{path.parent}/test_{path.name}")


def modules() -> list[str]:
    """All modules, as paths below pencilc."""
    package = ROOT / "pencilc"
    found = [path.relative_to(package) for name in PACKAGES for path in (package / name).rglob("*.py")]
    return sorted(str(path) for path in found if path.name != "__init__.py")


def functions(path: Path) -> list[str]:
    """The functions of a module, without those of its classes."""
    return [node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize("module", [each for each in modules() if each not in NO_FUNCTION])
def test_it_has_a_test_file(module: str) -> None:
    path = file_for(module)
    assert path.is_file(), f"pencilc/{module} has no {path.relative_to(ROOT)}"
    assert any(name.startswith("test_") for name in functions(path)), f"{path} tests nothing"


def test_there_is_no_exception_without_need() -> None:
    known = set(modules())
    assert len(known) > 150 and known >= {*ELSEWHERE, *NO_FUNCTION}
    for module in NO_FUNCTION:
        assert not functions(ROOT / "pencilc" / module), f"pencilc/{module} has functions, which are to be tested"
        assert not file_for(module).exists()
    for module in ELSEWHERE:
        path = Path(module)
        assert not (ROOT / "tests" / "unit" / path.parent / f"test_{path.name}").exists()
