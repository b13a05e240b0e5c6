"""What code generation needs to know it asks the tree: no text that it has made is looked into."""

from __future__ import annotations

import ast

import pytest

from tests.conftest import ROOT

FOLDERS = ("codegen", "gpu")
# Functions that look into a text, and those that take pieces of one.
LOOKING = frozenset((
    "endswith", "find", "partition", "removeprefix", "removesuffix", "replace", "rfind", "rindex", "rpartition",
    "rsplit", "split", "splitlines", "startswith",
))  # fmt: skip
OWN = ("self", "scope")
# Modules that look into something else.
OTHERS = {
    "codegen/cexpr.py": "names that begin with a dot are methods; literals of the source may have a sign",
    "codegen/control.py": "names of building blocks begin with `@`",
    "codegen/expression_rules.py": "a method, or a name of a building block",
    "codegen/header.py": "the name of a file, and types of the source that have a tag alone",
    "codegen/indirect.py": "a variable of the source becomes a name",
    "codegen/instances.py": "the same",
    "codegen/kernel_printer.py": "words of a dump",
    "codegen/kernel_walk.py": "names of building blocks begin with `@`",
    "codegen/local_names.py": "the same, with a member behind a dot",
    "codegen/marks.py": "characters of its own, which say where a line is from, are taken out again",
    "codegen/names.py": "names of CUDA",
    "codegen/notation.py": "the texts of templates as they are loaded",
    "codegen/render.py": "a digest as a name; blanks at the ends of lines",
    "codegen/thread_rules.py": "names of building blocks",
    "codegen/tile_walk.py": "names of building blocks",
    "codegen/unread.py": "the same",
    "gpu/report/warnings.py": "a variable of the source",
}


def looked_into(text: str) -> list[int]:
    """The lines where a module looks into a text: by an expression of `re`, a method of strings, or `"x" in text`."""
    found = []
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import(names=names) if any(each.name == "re" for each in names):
                found.append(node.lineno)
            case ast.Call(
                func=ast.Attribute(value=value, attr=name), args=[ast.Constant() | ast.Tuple() | ast.Name(), *_]
            ):
                # Scopes have a `find` of their own, a speculation a `split`.
                if name in LOOKING and not isinstance(value, ast.Call) and getattr(value, "id", "") not in OWN:
                    found.append(node.lineno)
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Call(func=ast.Name(id=name))]) if name in (
                "expression", "type_text", "declarator", "print_expr",
            ):  # fmt: skip
                found.append(node.lineno)
    return sorted(found)


def modules() -> list[str]:
    """The modules of code generation and mapping."""
    package = ROOT / "pencilc"
    return sorted(p.relative_to(package).as_posix() for folder in FOLDERS for p in (package / folder).rglob("*.py"))


def test_no_text_is_looked_into() -> None:
    found = {name: looked_into((ROOT / "pencilc" / name).read_text()) for name in modules()}
    assert {name for name, lines in found.items() if lines} == OTHERS.keys()


@pytest.mark.parametrize(
    "line", ["import re", "a.partition('<')", "x = text.startswith('a')", "if '*' in type_text(each): pass"]
)
def test_what_looks_into_a_text_is_seen(line: str) -> None:
    assert looked_into(line) == [1]
    assert looked_into("scope.find(name); replace(record, a=1)") == []
