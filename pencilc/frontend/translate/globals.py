"""Globals that regions use: constants, with their initialisers."""

from __future__ import annotations

from typing import Any

from pencilc.frontend.context import FileContext, Refused
from pencilc.frontend.translate.initializers import array_length, initialize
from pencilc.frontend.translate.translators import Expressions
from pencilc.ir.header_names import HEADER_NAMES
from pencilc.ir.rewrite import fresh_name
from pencilc.ir.source import INT, ArrayType, Declare, IntLiteral, Symbol


def global_symbol(tr: Expressions, node: Any) -> Symbol:
    """The symbol of the global that the ID `node` names; a writable one is an error."""
    context, types = tr.context, tr.types
    known = context.used_globals.get(node.name)
    if known is not None:
        return known
    decl = context.globals[node.name]
    declared = types.resolve(decl, context.scope, types.constant_extent)
    ctype, span = declared.type, context.span(decl)
    is_const = declared.is_const or "const" in (decl.quals or ())
    _check_usable(context, node, decl, is_const, tr.state.kind == "operator")
    if isinstance(ctype, ArrayType) and ctype.extent is None and decl.init is not None:
        length = array_length(tr.outside(""), ctype, decl.init)
        extent = None if length is None else IntLiteral(length, INT, span)
        ctype = ArrayType(ctype.element, extent, ctype.is_const, ctype.is_restrict)
    name = fresh_name(node.name, {*HEADER_NAMES, *(context.identifiers - {node.name})})
    symbol = Symbol(name, node.name, ctype, "global", span, is_const)
    context.used_globals[node.name] = symbol
    return symbol


def _check_usable(context: FileContext, node: Any, decl: Any, is_const: bool, in_operator: bool) -> None:
    """A global must be a constant with a known value."""
    span = context.span(decl)
    if not is_const and in_operator:
        context.error(
            "PC0204",
            f"an operator must not depend on the writable global `{node.name}`",
            node,
            secondary=((span, "declared here"),),
            notes=("an operator may run in any order and any number of times",),
        )
    elif not is_const:
        context.error(
            "PC0407",
            f"writable global `{node.name}` is used in a region",
            node,
            secondary=((span, "declared here"),),
            helps=("pass it as a parameter, or make it `const`",),
        )
    elif decl.init is None:
        context.error(
            "PC0407",
            f"the value of global `{node.name}` is not known here",
            node,
            secondary=((span, "declared without initialiser"),),
        )


def declarations(tr: Expressions) -> tuple[Declare, ...]:
    """The declarations of all globals used, in the order of the file."""
    context = tr.context
    result: dict[str, Declare] = {}
    # An initialiser may name further globals, which are then used too.
    while pending := [n for n in context.used_globals if n not in result]:
        for name in pending:
            decl, symbol = context.globals[name], context.used_globals[name]
            try:
                init = initialize(tr.outside(name), symbol.type, decl.init) if decl.init is not None else None
            except Refused:
                init = None
            result[name] = Declare(symbol, init, symbol.span)
    return tuple(result[n] for n in context.globals if n in result)
