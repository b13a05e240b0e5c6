"""A text is printed once: no template is rendered again to learn what its text needs, or where its lines come from."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import jinja2
import pytest
from click.testing import CliRunner
from jinja2.runtime import Macro

from pencilc.cli import main
from pencilc.codegen.needs import COMMON, DEVICE, HOST, LAUNCHING
from tests.conftest import ROOT

FILE = "kernel.cu.j2"
RUNTIME = "runtime.cu.j2"
BLOCKS = (*DEVICE, *COMMON, *HOST, *LAUNCHING)
SAMPLES = ("stats", "histogram", "gemm", "subgraphs")


class Rendered:
    """What jinja2 was asked for: templates that were rendered, modules that were made, macros that were called."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.templates: Counter[str | None] = Counter()
        self.modules: Counter[str | None] = Counter()
        self.macros: Counter[tuple[str, str]] = Counter()
        template = jinja2.Template
        render, module, called = template.render, template._get_default_module, Macro.__call__

        def rendering(self_: jinja2.Template, *words: object, **named: object) -> str:
            self.templates[self_.name] += 1
            return render(self_, *words, **named)

        def making(self_: jinja2.Template, ctx: jinja2.runtime.Context | None = None) -> object:
            self.modules[self_.name] += getattr(self_, "_module", None) is None
            return module(self_, ctx)

        def calling(self_: Macro, *words: object, **named: object) -> object:
            self.macros[Path(self_._func.__code__.co_filename).name, self_.name] += 1
            return called(self_, *words, **named)

        patch.setattr(template, "render", rendering)
        patch.setattr(template, "_get_default_module", making)
        patch.setattr(Macro, "__call__", calling)


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Rendered:
    monkeypatch.chdir(tmp_path)
    return Rendered(monkeypatch)


def pencilc(*words: str) -> None:
    done = CliRunner().invoke(main, list(words))
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_is_printed_once(name: str, rendered: Rendered, tmp_path: Path) -> None:
    pencilc(str(ROOT / "samples" / f"{name}.c"), "-o", "out.cu")
    assert rendered.templates == {FILE: 1}
    assert set(rendered.modules.values()) == {1} and RUNTIME in rendered.modules
    blocks = [rendered.macros[RUNTIME, block] for block in BLOCKS]
    assert 1 in blocks and set(blocks) <= {0, 1}
    kernels = (tmp_path / "out.cu").read_text().partition("// ---- kernels")[2].partition("// ---- entry points")[0]
    assert rendered.macros["shapes.cuh.j2", "kernel"] == kernels.count("__global__")


def test_the_runtime_as_a_header_is_printed_once(rendered: Rendered) -> None:
    pencilc(str(ROOT / "samples" / "sum.c"), "-o", "out.cu", "--runtime=header")
    assert rendered.templates == {FILE: 1}


def test_a_page_prints_the_file_once(rendered: Rendered) -> None:
    pencilc("report", str(ROOT / "samples" / "sum.c"), "--html", "out.html")
    assert rendered.templates == {FILE: 1, "page.html.j2": 1}


@pytest.mark.parametrize("words", [("check",), ("report",), ("--dump-ir=kernels",), ("-fsyntax-only",)])
def test_what_asks_for_no_text_prints_none(words: tuple[str, ...], rendered: Rendered) -> None:
    pencilc(*words, str(ROOT / "samples" / "sum.c"))
    assert not rendered.templates and not rendered.macros
