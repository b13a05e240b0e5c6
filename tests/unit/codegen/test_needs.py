"""What templates state that they need is what their own text has; it is read from their sources."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import jinja2
from jinja2 import nodes

from pencilc.codegen.needs import BESIDE_TYPES, COMMON, DEVICE, HEADERS, HOST, LAUNCHING, Needs
from tests.conftest import ROOT

TEMPLATES = ROOT / "templates"
_OF_CUDA = r"\bcooperative_groups\b|\bpthread_mutex_t\b|\bnvcuda\b|\b__pipeline_\w+\b|\b__nv_bfloat16\b"
_NAME = re.compile(rf"\b(?:pencilc|PENCILC)_\w*[A-Za-z0-9]\b|{_OF_CUDA}")
_BLOCKS = {**DEVICE, **COMMON, **HOST, **LAUNCHING}
_KNOWN = {name for table in (_BLOCKS, HEADERS) for names in table.values() for name in names}
_ALWAYS = set(COMMON["failure"])  # which every entry point brings


@dataclass
class Body:
    """Lines of a macro under one condition: the names that they have, those that they state, and what lies inside."""

    macro: str
    named: set[str] = field(default_factory=set)
    stated: set[str] = field(default_factory=set)
    inner: list[Body] = field(default_factory=list)

    def all_named(self) -> set[str]:
        return self.named.union(*(body.all_named() for body in self.inner))

    def unstated(self, known: set[str]) -> Iterator[tuple[str, str]]:
        """Names that neither these lines nor those around them state."""
        yield from ((self.macro, name) for name in sorted(self.named - self.stated - known))
        for body in self.inner:
            yield from body.unstated(known | self.stated)

    def unnamed(self) -> Iterator[tuple[str, str]]:
        """What is stated though no line below has it."""
        yield from ((self.macro, name) for name in sorted(self.stated - self.all_named()))
        for body in self.inner:
            yield from body.unnamed()


def _read(body: Body, items: list[nodes.Node]) -> Body:
    for item in items:
        match item:
            case nodes.ExprStmt(node=nodes.Call(node=nodes.Name(name="needs"), args=args)):
                body.stated |= {arg.value for arg in args if isinstance(arg, nodes.Const)}
            case nodes.If():
                _expressions(body, item.test)
                body.inner.append(_read(Body(body.macro), item.body))
                body.inner.append(_read(Body(body.macro), [*item.elif_, *item.else_]))
            case nodes.For() | nodes.AssignBlock():
                body.inner.append(_read(Body(body.macro), [*item.body, *getattr(item, "else_", [])]))
            case nodes.Macro():
                body.inner.append(_read(Body(f"{body.macro}:{item.name}"), item.body))
            case _:
                _expressions(body, item)
    return body


def _expressions(body: Body, item: nodes.Node) -> None:
    texts = [item.data] if isinstance(item, nodes.TemplateData) else []
    texts += [data.data for data in item.find_all(nodes.TemplateData)]
    texts += [const.value for const in item.find_all(nodes.Const) if isinstance(const.value, str)]
    body.named.update(name for text in texts for name in _NAME.findall(text))


def _bodies(name: str) -> Body:
    parser = jinja2.Environment(extensions=["jinja2.ext.do"])
    return _read(Body(name), parser.parse((TEMPLATES / name).read_text()).body)


def test_macros_state_what_they_need() -> None:
    for path in sorted(TEMPLATES.rglob("*.j2")):
        name = path.relative_to(TEMPLATES).as_posix()
        if name in ("runtime.cu.j2", "host_runtime.j2"):
            continue
        body = _bodies(name)
        assert list(body.unnamed()) == []
        assert list(body.unstated(_ALWAYS | BESIDE_TYPES)) == []
        assert body.all_named() <= _KNOWN | BESIDE_TYPES


def test_building_blocks_state_what_they_rest_on() -> None:
    own = {block: set(found) for block, found in _BLOCKS.items()}
    inside: dict[str, str] = {}
    for body in _bodies("runtime.cu.j2").inner:
        block = body.macro.split(":")[1]
        if block not in _BLOCKS:
            continue
        assert list(body.unnamed()) == []
        unstated = {name for _, name in body.unstated(own[block] | _ALWAYS | BESIDE_TYPES)}
        assert unstated & _KNOWN == set(), block
        # What other blocks do not know stays inside of one.
        for name in unstated - BESIDE_TYPES:
            assert inside.setdefault(name, block) == block
    macros = [body.macro.split(":")[1] for body in _bodies("runtime.cu.j2").inner]
    assert [name for name in macros if name in _BLOCKS] == [*_BLOCKS]


def test_what_functions_of_the_source_rest_on_stands_above_them() -> None:
    needs = Needs()
    needs.of({"pencilc_load"})
    needs.of_source({"pencilc_inside", "x", "nvcuda"})
    blocks = {"load": "load", "inside": "inside", "warp": "warp", "floor_div": "floor_div"}

    def text(name: str, *rests_on: str) -> Callable[[], str]:
        def printed() -> str:
            needs(*rests_on)
            return blocks[name]

        return printed

    found = needs.printed(
        {
            "load": text("load", "PENCILC_WARP"), "inside": text("inside", "pencilc_floor_div"),
            "floor_div": text("floor_div"), "warp": text("warp"),
        }
    )  # fmt: skip
    assert found.of_source == ("floor_div", "inside") and found.device == ("warp", "load")
    assert found.headers == ("mma.h",)
