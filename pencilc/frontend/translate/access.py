"""Access paths: subscripts, members, what may be written, and the variables of an enclosing host function."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Edit
from pencilc.frontend.context import OuterVariable, Poisoned, Refused, Scope
from pencilc.frontend.syntax.near_names import nearest
from pencilc.frontend.translate.remedies import Remedy, pointer_remedy
from pencilc.frontend.translate.translators import Expressions
from pencilc.frontend.translate.types import is_integer, spell
from pencilc.ir.source import (
    ArrayType,
    CType,
    Dereference,
    Expr,
    Index,
    MemberOf,
    Name,
    PointerType,
    StringLiteral,
    Struct,
    Symbol,
    SymbolKind,
)
from pencilc.ir.source_printer import spelled

_FEW = 8  # members are listed


def array_ref(tr: Expressions, node: Any) -> Expr:
    """`base[index]`."""
    base = tr.translate(node.name)
    if isinstance(base.type, PointerType):
        raise _no_extent(tr, node, base.type)
    if not isinstance(base.type, ArrayType):
        given = f"`{spelled(base)}` is an element already" if isinstance(base, Index) else ""
        raise tr.context.refuse("PC0012", f"subscript of a `{spell(base.type)}`", node, given)
    if type(node.subscript).__name__ == "ExprList":
        raise _two_subscripts_in_one(tr, node)
    index = tr.arithmetic(node.subscript)
    if not is_integer(index.type):
        raise tr.context.refuse(
            "PC0012", "array subscript is not an integer", node.subscript, f"has type `{spell(index.type)}`"
        )
    if isinstance(base, StringLiteral):
        raise tr.context.refuse("PC0014", "strings are not supported here", node)
    return Index(base, index, base.type.element, tr.context.span(node))


def _no_extent(tr: Expressions, node: Any, ctype: PointerType) -> Exception:
    """PC0401 for `base[index]` where `base` is a pointer, as helpers and summaries may have them."""
    name = getattr(node.name, "name", "")
    function = tr.context.definitions.get(tr.state.name)
    args = function.decl.type.args if function is not None else None
    param = next((p for p in (args.params if args is not None else ()) if getattr(p, "name", "") == name), None)
    if param is None:
        text = "give it to the function as an array of its own, with its number of elements, and not as a pointer"
        return tr.context.refuse("PC0401", "a pointer has no extent", node.name, helps=(text,))
    scope = tr.state.scope
    while scope.parent is not None and name not in scope.names:
        scope = scope.parent
    scope.names[name] = Poisoned()  # One of its uses is enough to tell of.
    remedy = pointer_remedy(tr.context, param, function, ctype.target, ctype.is_const, is_called=True)
    message = f"pointer `{name}` has no extent"
    return tr.context.refuse(
        "PC0401", message, node.name, "used as an array", secondary=((param, "declared here"),),
        helps=remedy.helps, remedies=remedy.remedies,
    )  # fmt: skip


def struct_ref(tr: Expressions, node: Any) -> Expr:
    """`base.member` or `pointer->member`."""
    base = tr.translate(node.name)
    if node.type == "->":
        if not isinstance(base.type, PointerType):
            raise tr.context.refuse("PC0404", "`->` wants a pointer, which is not part of PENCIL", node)
        base = Dereference(base, base.type.target, base.span)
    if not isinstance(base.type, Struct):
        raise tr.context.refuse("PC0012", f"`{spell(base.type)}` has no members", node)
    names = {m.name: m.type for m in base.type.members}
    if node.field.name not in names:
        wrong = node.field.name
        meant = nearest(wrong, names, 0.6)
        have = f"it has {', '.join(f'`{name}`' for name in names)}" if len(names) <= _FEW else ""
        raise tr.context.refuse(
            "PC0012",
            f"`{base.type.name}` has no member `{wrong}`",
            node.field,
            helps=(have,) if have and not meant else (),
            remedies=(tr.context.renamed(node.field, wrong, meant),) if meant else (),
        )
    return MemberOf(base, node.field.name, names[node.field.name], tr.context.span(node))


def lvalue(tr: Expressions, node: Any, verb: str = "assigned") -> Expr:
    """`node` as something that can be written."""
    expr = tr.translate(node)
    if not isinstance(expr, Name | Index | MemberOf | Dereference):
        raise tr.context.refuse("PC0012", "this cannot be " + verb, node)
    if isinstance(expr.type, ArrayType):
        name = spelled(expr)
        raise tr.context.refuse(
            "PC0012", f"an array cannot be {verb}", node, f"`{name}[…]` is an element of it",
            helps=("a loop over its elements does that",),
        )  # fmt: skip
    _check_writable(tr, expr, node, verb)
    return expr


def _two_subscripts_in_one(tr: Expressions, node: Any) -> Refused:
    """PC0308 for `a[i, j]`, which is `a[j]` in C, with `a[i][j]` as the remedy."""
    edits: list[Edit | None] = []
    for part in node.subscript.exprs[1:]:
        span = tr.context.span(part)
        before = tr.context.file_of(span).line(span.line)[: span.column - 1]
        comma = before.rfind(",")
        is_next = comma >= 0 and not before[comma + 1 :].strip()
        edits.append(Edit(replace(span, column=comma + 1, end_column=span.column), "][") if is_next else None)
    return tr.context.refuse(
        "PC0308", "the comma operator is not part of PENCIL", node.subscript,
        helps=() if all(edits) else ("each subscript has brackets of its own",),
        remedies=(fixes.fix("each subscript has brackets of its own", edits),),
    )  # fmt: skip


def _check_writable(tr: Expressions, expr: Expr, node: Any, verb: str) -> None:
    root, constant = expr, False
    while not isinstance(root, Name):
        if isinstance(root, Index):
            constant |= isinstance(root.base.type, ArrayType) and root.base.type.is_const
            root = root.base
        elif isinstance(root, MemberOf):
            root = root.base
        elif isinstance(root, Dereference):
            constant |= isinstance(root.operand.type, PointerType) and root.operand.type.is_const
            root = root.operand
        else:
            return
    if constant or (root.symbol.is_const and not isinstance(expr, Dereference)):
        declared = root.symbol.span
        writable = fixes.word_removed(tr.context.file_of(declared), declared, "const")
        tr.context.error(
            "PC0406",
            f"`{root.symbol.spelling}` is const and cannot be {verb}",
            node,
            secondary=((declared, "declared const here"),),
            remedies=(fixes.fix("remove `const`, if it is meant to change", [writable]),),
        )


def _extent_remedy(tr: Expressions, name: str, entry: OuterVariable, ctype: CType) -> Remedy:
    """What to write where a region uses a pointer, or an array without extent, of the host function around it."""
    if entry.function is None:
        return Remedy((f"move the region into a function with a parameter `{name}[static const restrict n]`",))
    if isinstance(ctype, PointerType):
        return pointer_remedy(tr.context, entry.node, entry.function, ctype.target, ctype.is_const)
    assert isinstance(ctype, ArrayType)
    return pointer_remedy(tr.context, entry.node, entry.function, ctype.element, ctype.is_const)


def outer_symbol(tr: Expressions, node: Any, entry: OuterVariable) -> Symbol:
    """The symbol of a host function's variable that the region uses."""
    scope: Scope | None = tr.state.scope
    while scope is not None and scope.names.get(node.name) is not entry:
        scope = scope.parent
    assert scope is not None
    inner, tr.state.scope = tr.state.scope, scope
    try:
        declared = tr.types.resolve(entry.node, scope, tr.extent)
        if isinstance(declared.type, ArrayType) and declared.type.extent is None and entry.node.init is not None:
            raise tr.context.refuse("PC0401", f"extent of `{node.name}` is not written in its declaration", node)
        if isinstance(declared.type, PointerType) or getattr(declared.type, "extent", 0) is None:
            scope.names[node.name] = Poisoned()  # One of its uses is enough to tell of.
            remedy = _extent_remedy(tr, node.name, entry, declared.type)
            raise tr.context.refuse(
                "PC0401",
                f"extent of `{node.name}` is not known",
                node,
                "used in a region",
                secondary=((entry.node, "declared here"),),
                helps=remedy.helps,
                remedies=remedy.remedies,
            )
        del scope.names[node.name]
        kind: SymbolKind = "local" if entry.only_counter else "param"
        symbol = tr.declare(node.name, declared.type, kind, tr.context.span(entry.node), declared.is_const)
    finally:
        tr.state.scope = inner
    if entry.only_counter:
        tr.state.outer_counters.add(symbol.name)
    return symbol
