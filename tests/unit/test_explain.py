"""Every code has a long text and an example; the examples do what they say."""

from __future__ import annotations

import re

import pytest

from pencilc.diagnostics.codes import REGISTRY
from pencilc.diagnostics.diagnostic import SourceErrors
from pencilc.diagnostics.explain import examples, explanation, index
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from tests.conftest import ROOT

# They are no faults of a program: a file that is none, an option, a file of another kind, pencilc itself.
WITHOUT_PROGRAM = {
    "PC0003", "PC0109", "PC0110", "PC0801", "PC0802", "PC0811", "PC0812", "PC0901", "PC0902",
}  # fmt: skip


def blocks(code: str) -> list[str]:
    return re.findall(r"```c\n(.*?)```", examples()[code], re.DOTALL)


# What the program of a code is compiled with.
OPTIONS = {"PC0702": CompileOptions(sums="kahan")}


def codes_of(text: str, options: CompileOptions) -> set[str]:
    try:
        return {d.code for d in compile_source(SourceFile("example.c", text), options, "mapping").diagnostics}
    except SourceErrors as errors:
        return {d.code for d in errors.diagnostics}


def test_every_code_has_an_example_and_a_text() -> None:
    assert set(examples()) == set(REGISTRY)
    for code in REGISTRY:
        assert len(blocks(code)) >= 2 if code not in WITHOUT_PROGRAM else not blocks(code)  # wrong, then right
        text = explanation(code) or ""
        assert code in text and REGISTRY[code].text in text
        assert all(len(line) <= 120 for line in text.splitlines())


@pytest.mark.parametrize("code", sorted(set(REGISTRY) - WITHOUT_PROGRAM))
def test_example(code: str) -> None:
    wrong, *right = blocks(code)
    options = OPTIONS.get(code, CompileOptions())
    assert code in codes_of(wrong, options)
    for text in right:
        assert codes_of(text, options) <= ({"PC0701"} if code == "PC0205" else set())


def test_the_page_of_the_manual_lists_every_code() -> None:
    page = (ROOT / "docs" / "diagnostics.md").read_text()
    for code in REGISTRY.values():
        kinds = "/".join(s.value for s in code.severities)
        assert f"| {code.code} | `{code.name}` | {kinds} | {code.title} |" in page
    assert len(index().splitlines()) == len(REGISTRY)
