"""The functions of a file that hold loops, and where their parts stand in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pencilc.diagnostics.source import Span
from pencilc.frontend.regions.classify import called_below, has_construct
from pencilc.frontend.syntax.nodes import LOOPS, nodes_below
from pencilc.port.records import CannotPort
from pencilc.port.single_values import single_values
from pencilc.port.text import Parsed
from pencilc.records import dataclass

_DIRECTIVE = re.compile(r"\s*#\s*(\w+)\s*(\w*)")
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\(?(\d+)\)?[ \t]*(?://.*|/\*.*)?$", re.M)
# The types of counters that are not `int`.
_COUNTERS = (
    "size_t", "long", "unsigned long", "int64_t", "uint64_t", "ptrdiff_t", "long long", "unsigned", "unsigned int",
    "uint32_t",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ParameterText:
    """A parameter: its node and its tokens, first and last."""

    name: str
    node: Any
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class FunctionText:
    """A function definition; `start`, `name_at`, `opening`, `closing`, `body` and `end` are numbers of tokens.

    `start` is its first token, `opening` and `closing` the parentheses of its parameters, `body` and `end` its braces.
    """

    name: str
    node: Any
    span: Span
    start: int
    name_at: int
    opening: int
    closing: int
    body: int
    end: int
    parameters: tuple[ParameterText, ...]


def with_loops(parsed: Parsed) -> Iterator[Any]:
    """The definitions in the file itself that hold a loop, in order."""
    for node in parsed.tree.ext:
        if type(node).__name__ == "FuncDef" and parsed.is_in_file(node.decl) and holds_loop(node.body):
            yield node


def small_helpers(parsed: Parsed) -> list[str]:
    """The functions without loops that take pointers and are called by functions with loops, callees first."""
    called = [name for node in with_loops(parsed) for name in helpers_of(parsed, node.decl.name)]
    found: list[str] = []
    for node in parsed.tree.ext:
        if type(node).__name__ != "FuncDef" or node.decl.name not in called or holds_loop(node.body):
            continue
        if len(node.body.block_items or ()) < 2:
            continue  # What it says is written where it is called (`inlined`).
        parameters = [] if node.decl.type.args is None else node.decl.type.args.params
        pointers = {
            each.name for each in parameters
            if type(getattr(each, "type", None)).__name__ in ("PtrDecl", "ArrayDecl")
        }  # fmt: skip
        if pointers - single_values(parsed, node.decl.name):
            found.append(node.decl.name)
    return found


def holds_loop(node: Any) -> bool:
    """Whether there is a loop below a node."""
    return any(type(each).__name__ in LOOPS for each in nodes_below(node))


def definition(parsed: Parsed, name: str) -> Any:
    """The definition of the function `name`; None if the file itself has none."""
    for node in parsed.tree.ext:
        if type(node).__name__ == "FuncDef" and node.decl.name == name and parsed.is_in_file(node.decl):
            return node
    return None


def helpers_of(parsed: Parsed, name: str) -> list[str]:
    """The functions of the file that a function calls, directly or not."""
    found: list[str] = []
    pending = [name]
    while pending:
        node = definition(parsed, pending.pop())
        for called in called_below(node.body) if node is not None else ():
            if called not in found and called != name and definition(parsed, called) is not None:
                found.append(called)
                pending.append(called)
    return found


def is_marked(node: Any) -> bool:
    """Whether a definition holds a PENCIL construct already."""
    return has_construct(node.body)


def text_of(parsed: Parsed, node: Any) -> FunctionText:
    """Where the parts of a definition stand; raises CannotPort where macros or directives hide them."""
    name = node.decl.name
    span = parsed.span(node.decl)
    name_at = parsed.name_of(node.decl)
    opening = name_at + 1
    if parsed.tokens[opening].text != "(":
        raise CannotPort("its parameters do not stand behind its name", span)
    closing = parsed.closing(opening)
    body = closing + 1
    if parsed.tokens[body].text != "{":
        raise CannotPort("something stands between its parameters and its body", span)
    end = parsed.closing(body)
    _refuse_directives(parsed, name_at, end)
    start = name_at
    while start > 0 and not _ends_declaration(parsed, start - 1):
        start -= 1
    nodes = [] if node.decl.type.args is None else list(node.decl.type.args.params)
    places = parsed.parts(opening, closing)
    if len(nodes) == 1 and type(nodes[0]).__name__ == "Typename":
        nodes, places = [], []  # (void)
    if len(nodes) != len(places) or any(not getattr(each, "name", None) for each in nodes):
        raise CannotPort("its parameters are not all written out", span)
    parameters = tuple(ParameterText(n.name, n, *place) for n, place in zip(nodes, places, strict=True))
    return FunctionText(name, node, span, start, name_at, opening, closing, body, end, parameters)


def named_numbers(parsed: Parsed, function: FunctionText) -> dict[int, str]:
    """Names that the file has for numbers and the function uses."""
    text = parsed.slice(function.start, function.end)
    found: dict[int, list[str]] = {}
    for name, value in _MACRO.findall(parsed.text):
        if re.search(rf"\b{name}\b", text):
            found.setdefault(int(value), []).append(name)
    return {value: names[0] for value, names in found.items() if len(names) == 1}


def counter_type(function: FunctionText, count: str) -> str:
    """The type of a counter up to `count`: that of a variable in it that is wider than `int`, or unsigned."""
    words = re.findall(r"\w+", count)
    for node in nodes_below(function.node):
        names: Any = getattr(getattr(node.type, "type", None), "names", None) if type(node).__name__ == "Decl" else None
        if names and node.name in words and " ".join(names) in _COUNTERS:
            return " ".join(names)
    return "int"


def _refuse_directives(parsed: Parsed, first: int, last: int) -> None:
    """Directives may leave other text than the tree has; what only pencilc reads, or does not read, is whole."""
    inside = 0
    for token in parsed.tokens[first:last]:
        match = _DIRECTIVE.match(token.text) if token.kind == "pragma" else None
        if match is None or match.group(1) in ("pragma", "line", "error", "warning"):
            continue
        if match.group(1) in ("ifdef", "ifndef") and match.group(2) == "__PENCILC__":
            inside += 1
        elif match.group(1) == "endif" and inside:
            inside -= 1
        elif match.group(1) == "else" and inside:
            continue
        else:
            where = Span(parsed.file.path, parsed.line_at(token.start), 1, 2)
            raise CannotPort("a directive of the preprocessor stands in it", where)


def _ends_declaration(parsed: Parsed, at: int) -> bool:
    token = parsed.tokens[at]
    return token.kind == "pragma" or token.text in (";", "}")
