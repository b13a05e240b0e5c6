"""Making a failing program small: parts are taken away as long as it stays valid C and fails in the same way.

    python -m tests.fuzz.reduce 4711            the program of a seed, as small as it gets, on standard output
    python -m tests.fuzz.reduce FILE.c

A part is a statement, a loop or condition around one, a side of an operator, a function, or a parameter that nobody
uses.  What is tried is valid if gcc takes it without a warning and it runs without undefined behaviour.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from pycparser import c_ast, c_generator, c_parser

from tests.conftest import ROOT
from tests.fuzz.check import check, named_options
from tests.fuzz.generator import options, program

_STRICT = (
    "-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-unused-function",
    "-Wno-unused-parameter", "-Wno-misleading-indentation", "-Wno-sign-compare", "-Wno-type-limits",
    "-Wno-unused-but-set-variable", "-Wno-unused-variable", "-Wno-empty-body",
)  # fmt: skip

_KEPT = ("#include", "//")  # how lines begin that the parser does not take

Edit = Callable[[], Callable[[], None]]  # makes a change and gives back what undoes it


def reduced(text: str, fails: Callable[[str], bool]) -> str:
    """The smallest program that was found for which `fails` holds; `text` must be one."""
    head, tree = _parsed(text)
    best = text
    progress = True
    while progress:
        progress = False
        number = 0
        while True:
            edit = next(_skipped(_edits(tree), number), None)
            if edit is None:
                break
            undo = edit()
            smaller = head + c_generator.CGenerator().visit(tree)
            if is_valid(smaller) and fails(smaller):
                best, progress = smaller, True
            else:
                undo()
                number += 1
    return best


def is_valid(text: str) -> bool:
    """Whether gcc takes the program without a warning; that it does nothing undefined is what `verify` finds out."""
    with tempfile.TemporaryDirectory(prefix="pencilc-reduce-") as folder:
        source = Path(folder) / "r.c"
        source.write_text(text)
        command = ["gcc", *_STRICT, "-I", str(ROOT / "pencilc" / "include"), "-fsyntax-only", str(source)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _parsed(text: str) -> tuple[str, Any]:
    """The include lines and whole lines of comment, and the tree of the rest."""
    lines = text.splitlines(keepends=True)
    head = "".join(line for line in lines if line.startswith(_KEPT))
    rest = "".join("\n" if line.startswith(_KEPT) else line for line in lines)
    return head, c_parser.CParser().parse(rest)


def _skipped(edits: Iterator[Edit], count: int) -> Iterator[Edit]:
    for _ in range(count):
        if next(edits, None) is None:
            return
    yield from edits


# ---- edits ---------------------------------------------------------------------------------------------


def _edits(tree: Any) -> Iterator[Edit]:
    """What may be taken away, the largest parts first."""
    yield from _without_items(tree.ext)
    for node in _nodes(tree):
        if isinstance(node, c_ast.Compound) and node.block_items:
            yield from _without_items(node.block_items)
    for node in _nodes(tree):
        yield from _unwrapped(node)
    for node in _nodes(tree):
        if isinstance(node, c_ast.ParamList):
            yield from _without_items(node.params)
    for node in _nodes(tree):
        yield from _simpler(node)


def _nodes(tree: Any) -> Iterator[Any]:
    yield tree
    for _, child in tree.children():
        yield from _nodes(child)


def _without_items(items: list[Any]) -> Iterator[Edit]:
    for item in list(items):
        yield partial(_removed, items, item)


def _removed(items: list[Any], item: Any) -> Callable[[], None]:
    if not any(each is item for each in items):
        return lambda: None
    position = next(k for k, each in enumerate(items) if each is item)
    del items[position]
    return lambda: items.insert(position, item)


def _unwrapped(node: Any) -> Iterator[Edit]:
    """A loop by its body with the counter at its start, a condition by its branch."""
    for name, child in list(node.children()):
        if isinstance(child, c_ast.For):
            once = [*([child.init] if child.init else []), child.stmt]
            yield partial(_replaced, node, name, c_ast.Compound(once))
        elif isinstance(child, c_ast.If):
            yield partial(_replaced, node, name, child.iftrue)
            if child.iffalse is not None:
                yield partial(_replaced, node, name, child.iffalse)
        elif isinstance(child, c_ast.Compound) and child.block_items and len(child.block_items) == 1:
            yield partial(_replaced, node, name, child.block_items[0])


def _simpler(node: Any) -> Iterator[Edit]:
    """An expression by a part of it, or by a constant."""
    for name, child in list(node.children()):
        if isinstance(child, c_ast.BinaryOp):
            yield partial(_replaced, node, name, child.left)
            yield partial(_replaced, node, name, child.right)
        elif isinstance(child, c_ast.TernaryOp):
            yield partial(_replaced, node, name, child.iftrue)
            yield partial(_replaced, node, name, child.iffalse)
        if isinstance(child, c_ast.BinaryOp | c_ast.TernaryOp | c_ast.FuncCall | c_ast.Cast | c_ast.ArrayRef):
            yield partial(_replaced, node, name, c_ast.Constant("int", "0"))
            yield partial(_replaced, node, name, c_ast.Constant("int", "1"))


def _replaced(parent: Any, name: str, new: Any) -> Callable[[], None]:
    """Put `new` at the child `name` of `parent` (`block_items[3]`, `stmt`)."""
    attribute, _, rest = name.partition("[")
    if not rest:
        old = getattr(parent, attribute)
        setattr(parent, attribute, new)
        return lambda: setattr(parent, attribute, old)
    items = getattr(parent, attribute) if hasattr(parent, attribute) else getattr(parent, f"{attribute}s")
    position = int(rest.rstrip("]"))
    if position >= len(items):
        return lambda: None
    before = items[position]
    items[position] = new

    def undo() -> None:
        items[position] = before

    return undo


def main() -> None:
    """Reduce the program of a seed, or of a file with the options of the seed that its first line names."""
    name = sys.argv[1]
    if name.isdigit():
        seed = int(name)
        text, chosen = program(range(seed, seed + 1)), options(seed)
    else:
        text = Path(name).read_text()
        seed, chosen = named_options(text)
    nvcc = shutil.which("nvcc")
    failure = check(text, seed, chosen, nvcc)
    if failure is None:
        sys.exit("nothing is wrong with it")
    print(f"// {failure.kind} with {chosen}", file=sys.stderr)
    needed = nvcc if failure.kind == "nvcc" else None

    def fails(smaller: str) -> bool:
        again = check(smaller, seed, chosen, needed, ("rand:3", "fwd"))
        return again is not None and again.kind == failure.kind

    print(reduced(text, fails))


if __name__ == "__main__":
    main()
