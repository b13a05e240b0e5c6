"""Writable globals, which a kernel cannot see, become parameters of a new function.

    float u[N], sum;                        void step_sized(float u[static const restrict N],
    void step(void)                                         float sum[static const restrict 1])
    {                                       {
        sum += u[i] * u[i];                     sum[0] += u[i] * u[i];

The function with the old head hands them over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pencilc.diagnostics.source import Span
from pencilc.port.find import FunctionText, definition, helpers_of
from pencilc.port.records import CannotPort, PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import declared_names, is_field, is_pointer, kind, resolved, struct_members, with_parents
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class Handed:
    """A global that is handed over: the type of its declaration, and the text by which the old function names it.

    `is_cell`: it is a scalar that is written, and becomes an array of one element.
    """

    name: str
    type: Any
    argument: str
    is_cell: bool = False


@dataclass(frozen=True, slots=True)
class WithoutGlobals:
    """The changes to a body, and the globals that the head has to be changed for."""

    changes: PortChanges
    handed: tuple[Handed, ...] = ()


def without_globals(parsed: Parsed, function: FunctionText) -> WithoutGlobals:
    """The pass over one function; raises CannotPort where a function that it calls uses such a global too."""
    writable = _writable(parsed)
    own = {*declared_names(function.node)}
    for name in helpers_of(parsed, function.name):
        node = definition(parsed, name)
        for use, _ in _uses(node, writable.keys() - {*declared_names(node)}):
            reason = f"`{name}`, which it calls, uses the global `{use.name}`: hand that over as a parameter"
            raise CannotPort(reason, parsed.span(use))
    found: dict[str, list[tuple[Any, tuple[Any, ...]]]] = {}
    for use, around in _uses(function.node, writable.keys() - own):
        found.setdefault(use.name, []).append((use, around))
    edits: list[Replacement] = []
    steps: list[Step] = []
    handed: list[Handed] = []
    for name, uses in found.items():
        ctype = writable[name].type
        is_cell = not is_pointer(parsed, ctype) and any(_changes(use, around) for use, around in uses)
        _named_struct(parsed, name, ctype, parsed.span(uses[0][0]))
        change = "a parameter of the new function"
        if is_cell:
            change = f"`{name}[0]`, {change}"
            for use, _ in uses:
                token = parsed.tokens[parsed.token_of(use, name)]
                edits.append(Replacement(token.start, token.end, f"{name}[0]"))
        handed.append(Handed(name, ctype, f"&{name}" if is_cell else name, is_cell))
        steps.append(Step(parsed.span(uses[0][0]).line, f"`{name}` is a global that the program writes", change))
    return WithoutGlobals(PortChanges(tuple(edits), tuple(steps)), tuple(handed))


def _named_struct(parsed: Parsed, name: str, ctype: Any, where: Span) -> None:
    """Raises CannotPort where a global has a struct type that a parameter cannot have."""
    element = ctype
    while is_pointer(parsed, element):
        element = resolved(parsed, element).type
    struct = resolved(parsed, element)
    if kind(struct) == "Union":
        raise CannotPort(f"the global `{name}` is a union: use a struct, or a variable for each member", where)
    if kind(struct) != "Struct":
        return
    has_name = struct.name or kind(getattr(element, "type", None)) == "IdentifierType"
    if not has_name:
        tag = f"struct {name}_s"
        reason = f"the struct of the global `{name}` has no name that a parameter could have"
        raise CannotPort(reason, where, (f"give it one: `{tag} {{ … }} {name}`",))
    members = struct_members(parsed, element) or []
    pointer = next((each.name for each in members if kind(resolved(parsed, each.type)) == "PtrDecl"), "")
    if pointer and element is ctype:
        reason = f"the global `{name}` is a struct that holds the pointer `{pointer}`"
        raise CannotPort(reason, where, (f"hand over `{name}.{pointer}` and the sizes as parameters",))


def _writable(parsed: Parsed) -> dict[str, Any]:
    """The declarations of the globals of the file itself that are not constant, the one with an extent first."""
    found: dict[str, Any] = {}
    for node in parsed.tree.ext:
        if kind(node) != "Decl" or not node.name or kind(node.type) in ("FuncDecl", "Struct", "Union", "Enum"):
            continue
        if not parsed.is_in_file(node) or _is_constant(node):
            continue
        known = found.get(node.name)
        if known is None or (kind(known.type) == "ArrayDecl" and known.type.dim is None):
            found[node.name] = node
    return found


def _is_constant(node: Any) -> bool:
    """Whether a declaration is of a constant: of an array, its elements."""
    inner = node.type
    while kind(inner) == "ArrayDecl":
        inner = inner.type
    return "const" in (getattr(inner, "quals", None) or ())


def _uses(node: Any, names: set[str]) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Where a function names one of the variables."""
    for each, around in with_parents(node.body):
        if kind(each) == "ID" and each.name in names and not is_field(each, around):
            yield each, around


def _changes(use: Any, around: tuple[Any, ...]) -> bool:
    """Whether a use writes a scalar or a member of a struct, or takes its address."""
    parent, inner = around[0], use
    for parent in around:
        if kind(parent) not in ("StructRef", "ArrayRef") or parent.name is not inner:
            break
        inner = parent
    if kind(parent) == "Assignment":
        return parent.lvalue is inner
    return kind(parent) == "UnaryOp" and parent.op in ("++", "--", "p++", "p--", "&")
