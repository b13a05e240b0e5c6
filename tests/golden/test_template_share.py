"""How much of the emitted CUDA stands in the templates, as CUDA that can be read there; the rest Python has made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2
import pytest
from jinja2 import nodes

from pencilc.codegen import notation, render
from tests.conftest import LADDER, samples
from tests.golden.test_golden import compilation

_MARK = 0xE000  # where a plane of private characters begins
# In percent of what is no blank, over the samples of the ladder: of whole files, and of kernels alone.  What an
# expression of a template puts in counts as made, wherever it stands; what combines stands once, above the kernels.
LEAST_OF_ALL, LEAST_OF_KERNELS = 75, 59


class _Marking(notation.TemplateEnvironment):
    """Gives the text of templates private characters, which go through macros and filters as others do."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.filters["marked"] = _marked

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        for data in tree.find_all(nodes.TemplateData):
            data.data = _marked(data.data)
        for output in tree.find_all(nodes.Output):
            parts = output.nodes
            own = [_is_index(part) or _is_name(part) for part in parts]
            output.nodes = [
                nodes.Filter(part, "marked", [], [], None, None) if is_own else part
                for part, is_own in zip(parts, own, strict=True)
            ]
        return tree


def _marked(value: object) -> str:
    """The text of `value`, which may be a number (`at.size`), in private characters."""
    return "".join(c if c.isspace() else chr(_MARK + ord(c)) for c in str(value))


def _is_index(node: nodes.Node) -> bool:
    """Whether it is `at.thread.x` or the like, an index that is spelled as the launch has it."""
    while isinstance(node, nodes.Getattr | nodes.Call):
        if isinstance(node, nodes.Getattr) and node.attr == "at":
            return True
        node = node.node
    return isinstance(node, nodes.Name) and node.name == "at"


def _is_name(node: nodes.Node) -> bool:
    """Whether it is the name that a function has for `@count`."""
    return isinstance(node, nodes.Getitem) and isinstance(node.node, nodes.Name) and node.node.name == "scope"


def _is_marked(character: str) -> bool:
    return _MARK <= ord(character) < _MARK + 0x100


def test_templates_hold_most_of_the_text(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    marked, plain = [0, 0], [0, 0]

    def count(text: str) -> str:
        unmarked = "".join(chr(ord(c) - _MARK) if _is_marked(c) else c for c in text)
        first, last = unmarked.index("// ---- kernels"), unmarked.index("// ---- entry points")
        for k, part in enumerate((text, text[first:last])):
            of_templates = sum(map(_is_marked, part))
            marked[k] += of_templates
            plain[k] += sum(not c.isspace() for c in part) - of_templates
        return unmarked

    compiled = [compilation(sample) for sample in samples() if sample.name in LADDER]
    monkeypatch.setattr(render, "_bytecode_cache", lambda: jinja2.FileSystemBytecodeCache(str(tmp_path)))
    monkeypatch.setattr(notation, "TemplateEnvironment", _Marking)
    monkeypatch.setattr(render, "tidy", count)
    for done in compiled:
        assert done.kernels is not None
        assert render.render(done.kernels)
    shares = [100 * of_templates / (of_templates + made) for of_templates, made in zip(marked, plain, strict=True)]
    assert shares[0] >= LEAST_OF_ALL
    assert shares[1] >= LEAST_OF_KERNELS
