"""What the passes ask pycparser's trees: nodes with those around them, names, and the types behind names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pycparser import c_ast

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.port.polynomial import Polynomial
from pencilc.port.text import Parsed

_ALLOCATION = ("malloc", "calloc", "realloc", "alloca", "aligned_alloc")


def with_parents(node: Any) -> Iterator[tuple[Any, tuple[Any, ...]]]:
    """Every node below `node`, with those around it, innermost first."""
    stack: list[tuple[Any, tuple[Any, ...]]] = [(node, ())]
    while stack:
        current, around = stack.pop()
        yield current, around
        stack += [(child, (current, *around)) for _, child in reversed(current.children())]


def names_in(node: Any, name: str) -> list[Any]:
    """The nodes that name a variable; a member of that name is none."""
    return [each for each, around in with_parents(node) if kind(each) == "ID" and each.name == name
            and not is_field(each, around)]  # fmt: skip


def names_below(node: Any) -> set[str]:
    """The names that stand below a node, those of members too; of no node none."""
    return {each.name for each in nodes_below(node) if kind(each) == "ID"} if node is not None else set()


def kind(node: Any) -> str:
    """The class of a node."""
    return type(node).__name__


def whole_number(node: Any) -> Polynomial | None:
    """The value of a constant; None if it is no whole number."""
    text = node.value.rstrip("uUlL")
    try:
        return Polynomial.number(
            int(text, 0) if not (len(text) > 1 and text[0] == "0" and text.isdigit()) else int(text, 8)
        )
    except ValueError:
        return Polynomial.number(ord(text[1])) if len(text) == 3 and text[0] == text[2] == "'" else None


def with_values(node: Any, values: Mapping[str, Any]) -> Any:
    """An expression of names, constants and operators with other expressions in place of names."""
    if kind(node) == "ID":
        return values.get(node.name, node)
    if kind(node) == "UnaryOp":
        return c_ast.UnaryOp(node.op, with_values(node.expr, values), node.coord)
    if kind(node) == "BinaryOp":
        return c_ast.BinaryOp(node.op, with_values(node.left, values), with_values(node.right, values), node.coord)
    if kind(node) == "TernaryOp":
        parts = (with_values(each, values) for each in (node.cond, node.iftrue, node.iffalse))
        return c_ast.TernaryOp(*parts, node.coord)
    return node


def polynomial_of(node: Any) -> Polynomial | None:
    """Sums and products of variables and numbers; None if it is something else."""
    if kind(node) == "Constant":
        return whole_number(node)
    if kind(node) == "ID":
        return Polynomial.name(node.name)
    if kind(node) != "BinaryOp" or node.op not in ("+", "-", "*"):
        return None
    left, right = polynomial_of(node.left), polynomial_of(node.right)
    if left is None or right is None:
        return None
    return left * right if node.op == "*" else left + right if node.op == "+" else left - right


def without_cast(node: Any) -> Any:
    """An expression without the conversions around it."""
    while kind(node) == "Cast":
        node = node.expr
    return node


def is_allocation(node: Any) -> bool:
    """Whether an expression is memory from the heap or the stack: `malloc(n)`, `(float *)calloc(n, 4)`."""
    inner = node.expr if kind(node) == "Cast" else node
    return kind(inner) == "FuncCall" and getattr(inner.name, "name", "") in _ALLOCATION


def is_pointer(parsed: Parsed, node: Any) -> bool:
    """Whether a type is a pointer, or an array, which is one as a parameter."""
    return kind(resolved(parsed, node)) in ("PtrDecl", "ArrayDecl")


def is_field(node: Any, around: tuple[Any, ...]) -> bool:
    """Whether a node is the name of a member."""
    return bool(around) and kind(around[0]) == "StructRef" and around[0].field is node


def declared_names(node: Any) -> list[str]:
    """The name of every variable that is declared below a node, once for each declaration."""
    return [
        each.name for each in nodes_below(node)
        if type(each).__name__ == "Decl" and each.name and type(each.type).__name__ != "FuncDecl"
    ]  # fmt: skip


def root_name(node: Any) -> str:
    """The variable that an element or a member belongs to; empty where it is none's."""
    while kind(node) in ("ArrayRef", "StructRef"):
        node = node.name
    return str(node.name) if kind(node) == "ID" else ""


def members_of(node: Any) -> tuple[str, ...]:
    """The members of an lvalue, outermost first: `m` of `a[i].m[j]`."""
    found: list[str] = []
    while kind(node) in ("ArrayRef", "StructRef"):
        if kind(node) == "StructRef":
            found.insert(0, node.field.name)
        node = node.name
    return tuple(found)


def assigns(node: Any) -> bool:
    """Whether something below a node is assigned."""
    for each in nodes_below(node):
        if kind(each) == "Assignment" or (kind(each) == "UnaryOp" and each.op.strip("p") in ("++", "--")):
            return True
    return False


def has_effects(node: Any) -> bool:
    """Whether something below a node is assigned, or a function called, which may change something."""
    return assigns(node) or any(kind(each) == "FuncCall" for each in nodes_below(node))


def typedefs(parsed: Parsed) -> dict[str, Any]:
    """The type nodes behind the names of types."""
    return {node.name: node.type for node in parsed.tree.ext if type(node).__name__ == "Typedef"}


def resolved(parsed: Parsed, node: Any) -> Any:
    """A type node without the names of types around it: a struct, a basic type, a pointer, an array."""
    named = typedefs(parsed)
    while True:
        if type(node).__name__ in ("TypeDecl", "Typename"):
            node = node.type
        elif type(node).__name__ == "IdentifierType" and len(node.names) == 1 and node.names[0] in named:
            node = named[node.names[0]]
        else:
            return node


def struct_members(parsed: Parsed, node: Any) -> list[Any] | None:
    """The declarations of the members of a struct type; None if it is none that the file knows."""
    struct = resolved(parsed, node)
    if type(struct).__name__ != "Struct":
        return None
    if struct.decls is not None:
        return list(struct.decls)
    for each in parsed.tree.ext:
        for found in nodes_below(each) if type(each).__name__ != "FuncDef" else ():
            if type(found).__name__ == "Struct" and found.name == struct.name and found.decls is not None:
                return list(found.decls)
    return None
