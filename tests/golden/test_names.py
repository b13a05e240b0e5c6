"""What a building block calls its variables is nothing else in the function that it stands in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pencilc import driver
from pencilc.codegen.local_names import LocalNames
from pencilc.codegen.render import render
from pencilc.diagnostics.source import SourceFile
from pencilc.ir.host import KernelFile
from pencilc.options import CompileOptions
from tests.conftest import LADDER, samples
from tests.golden.test_golden import compilation

PROGRAMS = sorted((Path(__file__).parents[1] / "diff/programs").glob("names*.c"))
MODES = (
    CompileOptions(), CompileOptions(fuse="none", determinism="fixed-tree"),
    CompileOptions(fuse="none", determinism="none", sums="pairwise"),
)  # fmt: skip
_IN_NO_CODE = re.compile(r"//[^\n]*|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])+'")
# A word that is no member of anything.
_WORD = re.compile(r"(?<![\w.:>\u2039])[A-Za-z_]\w*")


def _trees() -> Iterator[object]:
    """What is printed, each by a function that makes it."""
    for sample in samples():
        if sample.name in LADDER:
            yield pytest.param(lambda sample=sample: compilation(sample).kernels, id=sample.name)
    for path in PROGRAMS:
        for number, options in enumerate(MODES):
            file = SourceFile(path.name, path.read_text())
            tree = lambda file=file, options=options: driver.compile_source(file, options).kernels  # noqa: E731
            yield pytest.param(tree, id=f"{path.stem}-{number}")


@pytest.mark.parametrize("tree", list(_trees()))
def test_no_name_has_two_meanings(tree: object, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tree() if callable(tree) else None
    assert isinstance(file, KernelFile)
    choose = LocalNames.__missing__

    def quoted(self: LocalNames, wish: str) -> str:
        self[wish] = name = f"\u2039{choose(self, wish)}\u203a"
        return name

    monkeypatch.setattr(LocalNames, "__missing__", quoted)
    found = 0
    for text in render(file).split("\n}\n"):
        before, _, body = text.rpartition("\n{\n")
        code = _IN_NO_CODE.sub("", f"{before.splitlines()[-1]}\n{body}" if before else "")
        chosen = set(re.findall("\u2039(\\w+)\u203a", code))
        assert chosen & set(_WORD.findall(code)) == set()
        found += len(chosen)
    assert found


CLOSES = {")": "(", "]": "[", "}": "{"}


@pytest.mark.parametrize(
    "path", sorted(Path(__file__).parent.glob("*/*.cu")), ids=lambda p: f"{p.parent.name}-{p.stem}"
)
def test_brackets_of_expected_files_are_closed(path: Path) -> None:
    """g++ and nvcc look at those of the programs."""
    open_brackets: list[str] = []
    for character in re.findall(r"[()\[\]{}]", _IN_NO_CODE.sub("", path.read_text())):
        if character in CLOSES:
            assert open_brackets and open_brackets.pop() == CLOSES[character]
        else:
            open_brackets.append(character)
    assert not open_brackets
