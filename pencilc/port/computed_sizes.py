"""Sizes that a function divides out of others, or shifts by them, are computed in front of it, and handed over.

int oh = (h - p) / s + 1;       void f(const float *in, int h, int p, int s, float *out)
for (y = 0; y < oh; y++)            f_sized(h, p, s, (h - p) / s + 1, in, out);

A quotient by a parameter is no affine expression, nor is `1 << levels`; as a parameter itself it bounds loops and
extents as any other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pencilc.frontend.syntax.nodes import may_change, nodes_below
from pencilc.port.find import FunctionText, holds_loop
from pencilc.port.marks import beginning
from pencilc.port.polynomial import Polynomial
from pencilc.port.records import PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import declared_names, kind, names_below, polynomial_of
from pencilc.records import dataclass

_PARTS = {"ID", "Constant", "BinaryOp", "UnaryOp"}
_FRACTIONS = {"float", "double", "_Bool", "bool"}


@dataclass(frozen=True, slots=True)
class Quotient:
    """`dividend / divisor + shift`, in polynomials of parameters."""

    dividend: Polynomial
    divisor: str
    shift: int

    def least_dividend(self) -> tuple[Polynomial, Polynomial] | None:
        """What has to be in order so that nothing below 0 is divided: `p <= h` of `h - p`; None where that is sure."""
        if self.dividend.is_never_negative():
            return None
        terms = self.dividend.terms.values()
        less = Polynomial.of((-times, names) for times, names in terms if times < 0)
        return less, Polynomial.of((times, names) for times, names in terms if times > 0)

    def bounded(self, name: str, count: Polynomial) -> Polynomial:
        """`count` with `dividend + shift * divisor` in place of `divisor` times the quotient, which is called `name`.

        The result is never less.
        """
        parts = count.split(name)
        times = None if parts is None else parts[0].quotient(Polynomial.name(self.divisor))
        if parts is None or times is None or not times.is_never_negative():
            return count
        return times * (self.dividend + Polynomial.number(self.shift) * Polynomial.name(self.divisor)) + parts[1]


@dataclass(frozen=True, slots=True)
class ComputedSize:
    """A size with the text of its type, and its value, which is made of parameters alone.

    `quotient` is the value, where it is one; `divisors` are the parameters that it divides by.
    """

    name: str
    type: str
    value: str
    quotient: Quotient | None
    divisors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ComputedSizes:
    """The change that takes the declarations out of the body, and what they declare."""

    changes: PortChanges
    sizes: tuple[ComputedSize, ...] = ()


def without_computed_sizes(parsed: Parsed, function: FunctionText) -> ComputedSizes:
    """The pass: take out the declarations in front of the loops that divide parameters by parameters."""
    body = function.node.body
    parameters = {p.name for p in function.parameters if not may_change(body, p.name)}
    declared = declared_names(function.node)
    values: dict[str, str] = {}
    found: list[ComputedSize] = []
    line = 0
    edits: list[Replacement] = []
    for group in _declarations(parsed, body):
        if any(holds_loop(each) for each in group):
            break
        sizes: list[ComputedSize] = []
        known = dict(values)
        for each in group:
            if (size := _computed(parsed, each, parameters, known, declared, body)) is not None:
                sizes.append(size)
                known[size.name] = size.value
        if len(sizes) < len(group) or not any(_divides(each.init) for each in group):
            continue
        edits.append(_place(parsed, group[0]))
        found += sizes
        line = line or parsed.span(group[0]).line
        values = known
    if not found:
        return ComputedSizes(PortChanges(()))
    names = ", ".join(f"`{each.name}`" for each in found)
    is_divided = any(each.divisors for each in found)
    how = ("divided", "divides") if is_divided else ("shifted", "shifts")
    step = Step(line, f"{names}: {how[0]} by a parameter, and so no affine bound", f"`{function.name}` {how[1]}")
    return ComputedSizes(PortChanges(tuple(edits), (step,)), tuple(found))


def whole_quotients(sizes: Sequence[ComputedSize]) -> list[str]:
    """That quotients of two sizes leave nothing over: `C % heads == 0` of `int size = C / heads;`."""
    found: list[str] = []
    for size in sizes:
        quotient = size.quotient
        if quotient is None or quotient.shift:
            continue
        for name in quotient.dividend.names():
            if quotient.dividend == Polynomial.name(name):
                found.append(f"{name} % {quotient.divisor} == 0")
    return list(dict.fromkeys(found))


def _quotient(node: Any) -> Quotient | None:
    """A quotient by a parameter, and a number beside it; None if it is something else."""
    if kind(node) == "BinaryOp" and node.op in ("+", "-"):
        inner, shift = _quotient(node.left), polynomial_of(node.right)
        if inner is None and node.op == "+":
            inner, shift = _quotient(node.right), polynomial_of(node.left)
        number = None if shift is None else shift.constant()
        if inner is None or number is None:
            return None
        return replace(inner, shift=inner.shift + (number if node.op == "+" else -number))
    if kind(node) == "BinaryOp" and node.op == "/" and kind(node.right) == "ID":
        dividend = polynomial_of(node.left)
        return None if dividend is None else Quotient(dividend, node.right.name, 0)
    return None


def _divisors(node: Any) -> tuple[str, ...]:
    """The parameters by which a size divides."""
    return tuple(
        each.right.name for each in nodes_below(node)
        if kind(each) == "BinaryOp" and each.op in ("/", "%") and kind(each.right) == "ID"
    )  # fmt: skip


def _declarations(parsed: Parsed, body: Any) -> list[list[Any]]:
    """The statements of a body, the declarators of one declaration together."""
    groups: list[list[Any]] = []
    start_before = -1
    for item in body.block_items or ():
        start = beginning(parsed, item) if kind(item) == "Decl" else -1
        if groups and start >= 0 and start == start_before:
            groups[-1].append(item)
        else:
            groups.append([item])
        start_before = start
    return groups


def _computed(
    parsed: Parsed, node: Any, parameters: set[str], values: Mapping[str, str], declared: Sequence[str], body: Any
) -> ComputedSize | None:
    """A declaration as a size that is made of parameters; None if it is something else."""
    if kind(node) != "Decl" or kind(node.type) != "TypeDecl" or node.init is None or node.storage:
        return None
    names = getattr(node.type.type, "names", None)
    is_plain = {kind(each) for each in nodes_below(node.init)} <= _PARTS
    if not names or _FRACTIONS & {*names} or not is_plain or declared.count(node.name) > 1:
        return None
    if may_change(body, node.name) or not names_below(node.init) <= parameters | values.keys():
        return None
    if any(kind(each) == "UnaryOp" and each.op not in ("-", "+") for each in nodes_below(node.init)):
        return None
    at = parsed.name_of(node) + 1
    written = parsed.slice(*parsed.parts(at, parsed.semicolon(at))[0])
    value = re.sub(r"[A-Za-z_]\w*", lambda match: f"({values[match[0]]})" if match[0] in values else match[0], written)
    return ComputedSize(node.name, " ".join(names), value, _quotient(node.init), _divisors(node.init))


def _divides(node: Any) -> bool:
    """Whether a value is divided by a parameter, or shifted by one: `1 << levels`."""
    return any(kind(each) == "BinaryOp" and each.op in ("/", "%", "<<", ">>") and bool(names_below(each.right))
               for each in nodes_below(node))  # fmt: skip


def _place(parsed: Parsed, declaration: Any) -> Replacement:
    """The removal of a declaration, of whole lines where it has these for itself."""
    first = beginning(parsed, declaration)
    end = parsed.tokens[parsed.semicolon(first)].end
    start = parsed.line_start(parsed.tokens[first].start)
    if parsed.text[start : parsed.tokens[first].start].strip():
        return Replacement(parsed.tokens[first].start, parsed.after_space(end), "")
    stop = parsed.text.find("\n", end) + 1
    if not stop or parsed.text[end:stop].strip():
        return Replacement(parsed.tokens[first].start, parsed.after_space(end), "")
    return Replacement(start, stop, "")
