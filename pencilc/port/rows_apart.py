"""Iterations that work on rows of their own, though data decide where: the user promises that they stay in them.

for (r = 0; r < rows; r++)              #pragma pencil independent
    … val[r * k + j] …                  for (r = 0; r < rows; r++)
"""

from __future__ import annotations

from typing import Any

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.port.counting import parts_of, targets
from pencilc.port.find import LOOPS, FunctionText
from pencilc.port.marks import token_before
from pencilc.port.polynomial import Polynomial
from pencilc.port.records import PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import declared_names, kind, names_below, root_name, whole_number, with_parents
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class _Row:
    """By how much an access moves on from one iteration to the next, and whether data decide the rest."""

    stride: Polynomial
    by_data: bool


def with_rows_apart(parsed: Parsed, function: FunctionText) -> PortChanges:
    """A pragma at each outermost loop whose iterations write rows of their own, and sums."""
    edits: list[Replacement] = []
    steps: list[Step] = []
    promises: list[str] = []
    for node, around in with_parents(function.node.body):
        if kind(node) != "For" or any(kind(each) in LOOPS for each in around):
            continue
        found = _rows(function, node)
        if not found:
            continue
        local = {*declared_names(node.stmt), *(each.name for each in parts_of(node.init) if kind(each) == "Decl")}
        outer = {name for _, name in targets(node.stmt, elements=False)} - local
        if any(not _is_sum(node.stmt, name) for name in outer):
            continue
        at = parsed.tokens[token_before(parsed, node)].start
        start = parsed.line_start(at)
        if parsed.text[start:at].strip() or _has_pragma(parsed, start):
            continue
        clause = f" reduction(+: {', '.join(sorted(outer))})" if outer else ""
        edits.append(Replacement(start, start, f"#pragma pencil independent{clause}\n"))
        for array, row in found.items():
            if row.by_data:
                promises.append(f"each iteration stays in its own row of `{array}`")
        steps.append(Step(parsed.span(node).line, "data decide where in their rows iterations write", "`independent`"))
        promises += [f"`{name}` may be added up in any order" for name in sorted(outer)]
    return PortChanges(tuple(edits), tuple(steps), tuple(promises))


def _is_sum(body: Any, name: str) -> bool:
    """Whether a variable is only added to."""
    own: set[int] = set()
    for node, target in targets(body, elements=False):
        if target == name and getattr(node, "op", "") in ("+=", "-=", "++", "p++", "--", "p--"):
            own |= {id(each) for each in nodes_below(node) if each is _target(node)}
    return all(id(each) in own for each in nodes_below(body) if kind(each) == "ID" and each.name == name)


def _has_pragma(parsed: Parsed, start: int) -> bool:
    return parsed.text[:start].rstrip().rpartition("\n")[2].lstrip().startswith("#pragma pencil")


def _rows(function: FunctionText, loop: Any) -> dict[str, _Row]:
    """The rows of the arrays that a loop writes; none where one of them is not written row by row."""
    first = parts_of(loop.init)
    counter = getattr(first[0], "name", "") or getattr(getattr(first[0], "lvalue", None), "name", "") if first else ""
    inside = {*declared_names(loop.stmt), *(name for _, name in targets(loop.stmt, elements=False))}
    private = {each.name for each in nodes_below(loop.stmt) if kind(each) == "Decl" and each.name}
    written = {name for node, name in targets(loop.stmt) if kind(_target(node)) != "ID"} - private
    found: dict[str, _Row] = {}
    for node in nodes_below(loop.stmt):
        if kind(node) != "ArrayRef" or root_name(node) not in written:
            continue
        while kind(node.name) == "ArrayRef":
            node = node.name
        row = _row(node.subscript, counter, inside)
        name = root_name(node)
        if row is None or (name in found and found[name].stride != row.stride):
            return {}
        found[name] = _Row(row.stride, row.by_data or (name in found and found[name].by_data))
    return found if found.keys() == written and any(row.by_data for row in found.values()) else {}


def _target(node: Any) -> Any:
    return node.lvalue if kind(node) == "Assignment" else node.expr


def _row(subscript: Any, counter: str, inside: set[str]) -> _Row | None:
    """The row of `counter * stride + rest`; None where it is something else, or the stride changes."""
    rest, factors = _parts(subscript, counter)
    if not factors or any(names & inside for names in (each.names() for each in factors)):
        return None
    if any(counter in _plain_names(each) for each in rest):
        return None
    stride = Polynomial.number(0)
    for each in factors:
        stride = stride + each
    by_data = any(names_below(each) & inside or kind(n) == "ArrayRef" for each in rest for n in nodes_below(each))
    return _Row(stride, by_data)


def _plain_names(node: Any) -> set[str]:
    """The names in an expression, but for those that choose data."""
    if kind(node) == "ArrayRef":
        return set()
    found = {node.name} if kind(node) == "ID" else set()
    for _, child in node.children():
        found |= _plain_names(child)
    return found


def _parts(node: Any, counter: str) -> tuple[list[Any], list[Polynomial]]:
    """The terms of a sum: those without the counter, and what the counter is multiplied by."""
    if kind(node) == "BinaryOp" and node.op == "+":
        left, right = _parts(node.left, counter), _parts(node.right, counter)
        return left[0] + right[0], left[1] + right[1]
    if kind(node) == "BinaryOp" and node.op == "-":
        rest, factors = _parts(node.left, counter)
        return [*rest, node.right], factors
    if kind(node) == "ID" and node.name == counter:
        return [], [Polynomial.number(1)]
    if kind(node) == "BinaryOp" and node.op == "*":
        for one, other in ((node.left, node.right), (node.right, node.left)):
            while kind(one) == "Cast":
                one = one.expr
            factor = _product(other)
            if kind(one) == "ID" and one.name == counter and factor is not None:
                return [], [factor]
    return [node], []


def _product(node: Any) -> Polynomial | None:
    if kind(node) == "ID":
        return Polynomial.name(node.name)
    if kind(node) == "Constant":
        return whole_number(node)
    if kind(node) == "BinaryOp" and node.op == "*":
        left, right = _product(node.left), _product(node.right)
        return None if left is None or right is None else left * right
    return None
