"""The scripts of `samples/python`: NumPy's runs, the others are read against what they call."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

import pencilc
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from pencilc.python.entries import entries_of
from tests.conftest import ROOT
from tests.unit.python.conftest import kept_of_the_run

FOLDER = ROOT / "samples" / "python"
SCRIPTS = sorted(FOLDER.glob("*.py"))


def test_the_script_for_numpy(capsys: pytest.CaptureFixture[str]) -> None:
    from samples.python import numpy_example

    with kept_of_the_run():
        numpy_example.main()
    printed = capsys.readouterr().out.splitlines()
    assert printed[1] == "standardize: the largest difference to NumPy is below 1e-4: True"
    assert re.fullmatch(r"largest: \d+\.\d+ in row \d+, column \d+", printed[2]) and printed[3] == "as NumPy says: True"
    assert printed[4] == "float64: `x`: it holds float64, where C expects float32 ('float')"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_use_what_is_there(path: Path) -> None:
    """What they say of pencilc exists: names of the package, functions of `rows.c`, the words of `compile`."""
    tree = ast.parse(path.read_text())
    compile(tree, str(path), "exec")
    source = FOLDER / "rows.c"
    done = compile_source(SourceFile("rows.c", source.read_text()), CompileOptions(), "kernels")
    functions = {entry.name for entry in entries_of(done)}
    offered = {*functions, "device", "dtype", "struct"}
    calls = 0
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            continue
        if node.value.id == "pencilc":
            assert node.attr in pencilc.__all__, node.attr
        if node.value.id.lower() == "module":
            assert node.attr in offered, node.attr
            calls += node.attr in functions
    assert calls
    for node in ast.walk(tree):
        is_compile = isinstance(node, ast.Call) and ast.unparse(node.func) == "pencilc.compile"
        if is_compile:
            assert isinstance(node, ast.Call)
            words = {word.arg for word in node.keywords}
            assert words <= set(inspect.signature(pencilc.compile).parameters)


def test_there_is_one_for_each_library() -> None:
    assert [path.stem for path in SCRIPTS] == ["cupy_example", "numpy_example", "torch_example"]
