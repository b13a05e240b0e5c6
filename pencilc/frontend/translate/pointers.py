"""What to write instead of a local pointer, as a fix: another name for a part of an array, or memory of its own.

`float *row = img + y * w;`        `row[x]`  ->  `img[y * w + x]`
`const float *src = a[y];`         `src[x]`  ->  `a[y][x]`
`float *t = malloc(n * sizeof(float));`      ->  `float t[n];`
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Edit, Fix
from pencilc.frontend.context import FileContext
from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.frontend.translate.remedies import count_of, declaration_at, generated

_PLAIN = ("+", "-", "*", "/", "%")  # operators whose operands a `+` in front of them leaves as they are


def without_pointer(context: FileContext, function: Any, node: Any) -> Fix | None:
    """The fix for the declaration `node` of a pointer in `function`; None where it is not so simple."""
    value = node.init
    while type(value).__name__ == "Cast":
        value = value.expr
    if type(value).__name__ == "FuncCall" and getattr(value.name, "name", "") in ("malloc", "calloc"):
        return _as_array(context, function, node, value)
    found = _base_and_offset(value)
    if found is None or _is_changed(function, {node.name, *_names(value)}):
        return None
    return _as_subscripts(context, function, node, *found)


def _as_array(context: FileContext, function: Any, node: Any, call: Any) -> Fix | None:
    """Memory of `n * sizeof(T)` bytes as an array of `n` elements."""
    arguments = call.args.exprs if call.args is not None else []
    base = node.type.type
    if type(base).__name__ != "TypeDecl":
        return None
    element = generated(base.type)
    count = generated(arguments[0]) if call.name.name == "calloc" and len(arguments) == 2 else ""
    if call.name.name == "malloc" and len(arguments) == 1:
        count = count_of(arguments[0], element, node.name)
    span = context.span(node)
    file = context.file_of(span)
    place = declaration_at(file, span)
    if not count or place is None:
        return None
    whole = file.line(place.line)[place.column - 1 : place.end_column - 1]
    blank = whole[: len(whole) - len(whole.lstrip())]
    declared = f"{element} {node.name}[{count}];"
    said, edits = [f"write `{declared}` instead of `{whole.strip()}`"], [Edit(place, f"{blank}{declared}")]
    for each in nodes_below(function.body):
        if type(each).__name__ == "FuncCall" and getattr(each.name, "name", "") == "free":
            if each.args is None or generated(each.args.exprs[0]) != node.name:
                continue
            at = context.span(each)
            edits.append(fixes.statement_removed(context.file_of(at), at, "free"))  # type: ignore[arg-type]
            said.append(f"and remove `free({node.name});`")
    return fixes.fix(", ".join(said), edits)


def _base_and_offset(value: Any) -> tuple[str, str, bool] | None:
    """Of `a + e`, `&a[e]`, `a[e]` and `a`: the array with all subscripts but the last; that one; if it is open.

    An open subscript takes what a use of the pointer adds; otherwise the use has a subscript of its own.
    """
    kind = type(value).__name__
    if kind == "BinaryOp" and value.op == "+" and type(value.left).__name__ == "ID":
        return value.left.name, generated(value.right), True
    if kind == "UnaryOp" and value.op == "&" and type(value.expr).__name__ == "ArrayRef":
        return generated(value.expr.name), generated(value.expr.subscript), True
    if kind in ("ID", "ArrayRef"):
        return generated(value), "", False
    return None


def _names(node: Any) -> Iterator[str]:
    for each in nodes_below(node):
        if type(each).__name__ == "ID":
            yield each.name


def _is_changed(function: Any, names: set[str]) -> bool:
    """Whether the function assigns to one of `names`, but in the heads of its loops."""
    heads = {id(n) for loop in nodes_below(function.body) if type(loop).__name__ == "For"
             for part in (loop.init, loop.next) if part is not None for n in nodes_below(part)}  # fmt: skip
    for node in nodes_below(function.body):
        target = node.lvalue if type(node).__name__ == "Assignment" else None
        if type(node).__name__ == "UnaryOp" and node.op.strip("p") in ("++", "--"):
            target = node.expr
        if target is not None and id(node) not in heads and getattr(target, "name", "") in names:
            return True
    return False


def _as_subscripts(
    context: FileContext, function: Any, node: Any, array: str, offset: str, is_open: bool
) -> Fix | None:
    """Each `p[x]` as an element of the array itself, and the declaration of `p` removed."""
    name, shown = node.name, ""
    edits: list[Edit | None] = []
    known = {id(each.name): each for each in nodes_below(function.body) if type(each).__name__ == "ArrayRef"}
    for use in nodes_below(function.body):
        if type(use).__name__ != "ID" or use.name != name:
            continue
        element = known.get(id(use))
        if element is None or not _is_sum(element.subscript):
            return None
        opening = f"{array}[{offset} + " if is_open else f"{array}["
        span = context.span(use)
        edits.append(fixes.replaced(context.file_of(span), span, f"{name}[", opening))
        inner = generated(element.subscript)
        shown = shown or f"write `{opening}{inner}]` instead of `{name}[{inner}]`"
    span = context.span(node)
    file = context.file_of(span)
    place = declaration_at(file, span)
    if place is None or not shown:
        return None
    removed = file.line(place.line)[place.column - 1 : place.end_column - 1].strip()
    return fixes.fix(f"{shown}, and remove `{removed}`", [*edits, Edit(place, "")])


def _is_sum(node: Any) -> bool:
    """Whether an expression stays one value with `e +` in front of it."""
    if type(node).__name__ == "BinaryOp":
        return node.op in _PLAIN
    return type(node).__name__ not in ("TernaryOp", "Assignment", "ExprList")
