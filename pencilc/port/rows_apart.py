"""Iterations that work on rows of their own, though data decide where: the user promises that they stay in them.

for (r = 0; r < rows; r++)              #pragma pencil independent
    … val[r * k + j] …                  for (r = 0; r < rows; r++)

So do iterations that hand rows to helpers which write them: `scale_part(n, r * n, x)`; and those whose rows are cut
into parts that need not fill them: `y[t * C + h * size + i]` with `size = C / heads`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pencilc.frontend.syntax.nodes import LOOPS, nodes_below
from pencilc.port.counting import parts_of, targets
from pencilc.port.find import FunctionText, definition
from pencilc.port.marks import token_before
from pencilc.port.polynomial import Polynomial
from pencilc.port.records import PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import (
    declared_names,
    kind,
    names_below,
    polynomial_of,
    root_name,
    whole_number,
    with_parents,
)
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class _Row:
    """By how much an access moves on from one iteration to the next, and whether data decide the rest, or that lies in
    parts of the row of which no whole number need fill it.
    """

    stride: Polynomial
    by_data: bool
    in_parts: bool = False


@dataclass(frozen=True, slots=True)
class _Handed:
    """An array that a helper gets, where its part begins, if it gets one, and whether the helper may write it."""

    array: str
    begin: Any
    is_written: bool


def with_rows_apart(parsed: Parsed, function: FunctionText) -> PortChanges:
    """A pragma at each outermost loop whose iterations write rows of their own, and sums."""
    edits: list[Replacement] = []
    steps: list[Step] = []
    promises: list[str] = []
    marked: set[int] = set()  # loops, by id, whose rows are cut into parts
    for node, around in with_parents(function.node.body):
        loops = [each for each in around if kind(each) in LOOPS]
        if kind(node) != "For" or (loops and not (id(loops[0]) in marked and _is_all_of(loops[0], node))):
            continue
        found = _rows(parsed, node)
        # In rows that are cut into parts nothing else tells the parts apart either.
        if not found or not (loops or any(row.by_data or row.in_parts for row in found.values())):
            continue
        local = {*declared_names(node.stmt), *(each.name for each in parts_of(node.init) if kind(each) == "Decl")}
        outer = {name for _, name in targets(node.stmt, elements=False)} - local
        if any(not _is_sum(node.stmt, name) for name in outer):
            continue
        at = parsed.tokens[token_before(parsed, node)].start
        start = parsed.line_start(at)
        if parsed.text[start:at].strip() or _has_pragma(parsed, start):
            continue
        if loops or any(row.in_parts for row in found.values()):
            marked.add(id(node))
        clause = f" reduction(+: {', '.join(sorted(outer))})" if outer else ""
        edits.append(Replacement(start, start, f"#pragma pencil independent{clause}\n"))
        for array, row in found.items():
            promise = f"each iteration stays in its own row of `{array}`"
            if (loops or row.by_data or row.in_parts) and promise not in promises:
                promises.append(promise)
        why = "data decide where in their rows iterations write"
        if not any(row.by_data for row in found.values()):
            why = "the parts of a row need not fill it"
        steps.append(Step(parsed.span(node).line, why, "`independent`"))
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


def _rows(parsed: Parsed, loop: Any) -> dict[str, _Row]:
    """The rows of the arrays that a loop writes; none where one of them is not written row by row."""
    counter = _counter(loop)
    changed = [name for _, name in targets(loop.stmt, elements=False)]
    inside = {*declared_names(loop.stmt), *changed} - _counters(loop.stmt, changed)
    below = {_counter(each) for each in nodes_below(loop.stmt) if kind(each) == "For"}
    private = {each.name for each in nodes_below(loop.stmt) if kind(each) == "Decl" and each.name}
    handed = [each for node in nodes_below(loop.stmt) if kind(node) == "FuncCall" for each in _handed(parsed, node)]
    written = {name for node, name in targets(loop.stmt) if kind(_target(node)) != "ID"} - private
    written |= {each.array for each in handed if each.is_written}
    begins = [(each.array, each.begin) for each in handed if each.array in written]
    for node in nodes_below(loop.stmt):
        if kind(node) == "ArrayRef" and root_name(node) in written:
            while kind(node.name) == "ArrayRef":
                node = node.name
            begins.append((root_name(node), node.subscript))
    found: dict[str, _Row] = {}
    for name, begin in begins:
        row = None if begin is None else _row(begin, counter, inside, below)
        if row is None or (name in found and found[name].stride != row.stride):
            return {}
        known = found.get(name, row)
        by_data = row.by_data or known.by_data or any(each.array == name for each in handed)
        found[name] = _Row(row.stride, by_data, row.in_parts or known.in_parts)
    return found if found.keys() == written else {}


def _is_all_of(loop: Any, node: Any) -> bool:
    """Whether a loop does nothing but what `node` does."""
    body = loop.stmt
    while kind(body) == "Compound" and len(body.block_items or ()) == 1:
        body = body.block_items[0]
    return body is node


def _counter(loop: Any) -> str:
    """The variable that the first part of a `for` sets first; empty where there is none."""
    first = parts_of(loop.init)
    return getattr(first[0], "name", "") or getattr(getattr(first[0], "lvalue", None), "name", "") if first else ""


def _counters(body: Any, changed: Sequence[str]) -> set[str]:
    """The counters of loops that nothing but their heads changes."""
    begun = [each for node in nodes_below(body) if kind(node) == "For" for each in parts_of(node.init)]
    names = [str(each.name) for each in begun if kind(each) == "Decl"]
    return {name for name in names if changed.count(name) == names.count(name)}


def _handed(parsed: Parsed, call: Any) -> list[_Handed]:
    """The arrays that a call hands over; nothing is known of those that a function outside of the file gets."""
    node = definition(parsed, getattr(call.name, "name", ""))
    arguments = [] if call.args is None else list(call.args.exprs)
    parameters = [] if node is None or node.decl.type.args is None else list(node.decl.type.args.params)
    if len(parameters) != len(arguments):
        return []
    found: list[_Handed] = []
    for k, (parameter, argument) in enumerate(zip(parameters, arguments, strict=True)):
        if kind(parameter.type) != "ArrayDecl" or kind(argument) != "ID":
            continue
        has_begin = k > 0 and parameters[k - 1].name == f"{parameter.name}_begin"
        element = parameter.type
        while kind(element) == "ArrayDecl":
            element = element.type
        is_written = "const" not in (getattr(element, "quals", None) or ())
        found.append(_Handed(argument.name, arguments[k - 1] if has_begin else None, is_written))
    return found


def _target(node: Any) -> Any:
    return node.lvalue if kind(node) == "Assignment" else node.expr


def _row(subscript: Any, counter: str, inside: set[str], below: set[str]) -> _Row | None:
    """The row of `counter * stride + rest`; None where it is something else, or the stride changes.

    `below` are the counters of the loops in it, by which parts of a row are counted.
    """
    whole = polynomial_of(subscript)
    parts = None if whole is None else whole.split(counter)
    if parts is not None and parts[0].terms and not parts[0].names() & (inside | {counter}):
        factors_below = [each[0] for name in parts[1].names() & below if (each := parts[1].split(name)) is not None]
        in_parts = any(each.names() and parts[0].quotient(each) is None for each in factors_below)
        return _Row(parts[0], bool(parts[1].names() & inside), in_parts)
    rest, factors = _parts(subscript, counter)
    if not factors or any(names & inside for names in (factor.names() for factor in factors)):
        return None
    if any(counter in _plain_names(each) for each in rest):
        return None
    stride = Polynomial.number(0)
    for factor in factors:
        stride = stride + factor
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
