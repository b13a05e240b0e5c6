"""Regions of host functions: the variables they use become parameters of a function of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pencilc.frontend.context import FileContext, OuterVariable, Scope, TypeName
from pencilc.frontend.regions.classify import RegionSpan
from pencilc.frontend.regions.escaping import used_behind, with_escaping
from pencilc.frontend.rewrite.kept_extents import with_kept_extents
from pencilc.frontend.syntax.nodes import LOOPS, nodes_below
from pencilc.frontend.translate.declare import register
from pencilc.frontend.translate.remedies import head_of_old_style
from pencilc.frontend.translate.restrict import warn_restrict
from pencilc.frontend.translate.statements import StatementTranslator
from pencilc.frontend.translate.translators import FunctionState
from pencilc.frontend.translate.types import TypeResolver
from pencilc.ir.rewrite import written_names
from pencilc.ir.source import (
    VOID,
    ArrayType,
    Block,
    CType,
    Declare,
    Name,
    PointerType,
    Prototype,
    Region,
    Stmt,
    Struct,
    Symbol,
    walk,
)  # fmt: skip
from pencilc.ir.source_printer import print_declarator
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class Outlined:
    """A region with the text that calls it and the declaration that the call needs."""

    region: Region
    place: RegionSpan
    call: str
    called: dict[str, Any]


def outline(context: FileContext, types: TypeResolver, function: Any, place: RegionSpan, name: str) -> Outlined | None:
    """Outline one region of `function` under `name`; None after an error that leaves nothing to return."""
    args = function.decl.type.args
    if any(type(p).__name__ == "ID" for p in (args.params if args is not None else ())):
        helps = (f"write `{head_of_old_style(function)}`",) if function.param_decls else ()
        context.error("PC0014", "old-style function definitions hold no regions", function.decl, helps=helps)
        return None
    if _has_return(context, place):
        return None
    state = FunctionState(function.decl.name, Scope(context.scope))
    order = _enter_visible(context, types, function, place, state)
    statements = StatementTranslator(context, types, state)
    state.scope = Scope(state.scope)
    items = list(place.compound.block_items)
    body = Block(statements.items(items[place.first : place.last]), context.span(_anchor(place)))
    inside = {d.name: d for item in items[place.first : place.last] for d in _declarations(item) if d.name}
    _check_types(context, inside, items[place.last :])
    taken = {*context.identifiers, *state.used_names}
    body = with_kept_extents(body, taken)
    escaped = with_escaping(context, body, used_behind(inside, items[place.last :]), set(order), taken)
    body = escaped.body
    used = sorted(
        (s for s in state.symbols.values() if s.spelling in order and s.kind == "param"),
        key=lambda s: order[s.spelling],
    )
    counters = [s for s in state.symbols.values() if s.name in state.outer_counters]
    declares: tuple[Stmt, ...] = tuple(Declare(s, None, s.span) for s in counters)
    written = written_names(body) & {s.name for s in (*used, *escaped.params) if not isinstance(s.type, ArrayType)}
    params = (*used, *escaped.params)
    _check_extents(context, function, params, place)
    handed_in = {p.name for p in (args.params if args is not None else ()) if getattr(p, "name", None)}
    warn_restrict(context, [p for p in used if p.spelling in handed_in])
    declared = ", ".join(_declared(context, p, p.name in written) for p in params) or "void"
    region = Region(
        name,
        function.decl.name,
        params,
        VOID,
        Block((*declares, *body.items), body.span),
        "static" in function.decl.storage,
        True,
        tuple(s.name for s in params if s.name in written),
        body.span,
        Prototype("void ", f"({declared})"),
    )
    arguments = ", ".join(("&" if p.name in written else "") + p.spelling for p in params)
    silenced = "".join(f"(void){s.spelling}; " for s in counters)
    before = "".join(f"{print_declarator(_c_type(context, p.type, p), p.spelling)}; " for p in escaped.params)
    return Outlined(region, place, f"{before}{{ {silenced}{name}({arguments}); }}", state.called)


def _anchor(place: RegionSpan) -> Any:
    items = place.compound.block_items
    return items[place.first] if place.first < len(items) else place.compound


def _declared(context: FileContext, symbol: Symbol, by_pointer: bool) -> str:
    """The parameter of the prototype in the host file, in C."""
    ctype = _c_type(context, symbol.type, symbol)
    if by_pointer:
        return print_declarator(PointerType(ctype), symbol.name)
    return print_declarator(ctype, symbol.name, symbol.is_const and isinstance(ctype, ArrayType))


def _c_type(context: FileContext, ctype: CType, symbol: Symbol) -> CType:
    """The type with structs named as C names them; it must be known before the function."""
    if isinstance(ctype, ArrayType):
        return replace(ctype, element=_c_type(context, ctype.element, symbol))
    if not isinstance(ctype, Struct) or isinstance(context.scope.names.get(ctype.name), TypeName):
        return ctype
    if ctype.name not in context.scope.tags:
        context.error(
            "PC0108",
            f"the type of `{symbol.spelling}` is declared inside the function",
            symbol.span,
            helps=("move the type before the function, because the outlined region needs it too",),
        )
    return replace(ctype, name=f"struct {ctype.name}")


# ---- what is visible at the region -----------------------------------------------------------------


def _enter_visible(
    context: FileContext, types: TypeResolver, function: Any, place: RegionSpan, state: FunctionState
) -> dict[str, int]:
    """Enter the variables declared before the region into the scope; their order by name."""
    order: dict[str, int] = {}
    args = function.decl.type.args
    params = [p for p in (args.params if args is not None else ()) if getattr(p, "name", None)]
    for node in [*params, *_visible(function.body, place)]:
        if type(node).__name__ == "Typedef" or node.name is None:
            register(context, types, node, state.scope)
            continue
        register(context, types, node, state.scope)
        counter = _is_only_counter(function.body, node.name, place)
        state.scope.names[node.name] = OuterVariable(node, counter, function if node in params else None)
        order[node.name] = len(order)
    return order


def _visible(node: Any, place: RegionSpan) -> list[Any]:
    """The declarations on the way from `node` down to the region, outermost first."""
    if node is place.compound:
        items = (node.block_items or ())[: place.first]
        return [n for item in items for n in _declarations(item)]
    if type(node).__name__ == "Compound":
        before: list[Any] = []
        for item in node.block_items or ():
            if any(n is place.compound for n in nodes_below(item)):
                return before + _visible(item, place)
            before += _declarations(item)
        return before
    result = _declarations(node.init) if type(node).__name__ == "For" and node.init is not None else []
    for _, child in node.children():
        if any(n is place.compound for n in nodes_below(child)):
            return result + _visible(child, place)
    return result


def _declarations(item: Any) -> list[Any]:
    if type(item).__name__ == "DeclList":
        return list(item.decls)
    return [item] if type(item).__name__ in ("Decl", "Typedef") else []


def _is_only_counter(body: Any, name: str, place: RegionSpan) -> bool:
    """Whether every use of `name` from the region on lies in a `for` that starts by setting it.

    A loop around the region gives its counter a value that the region needs, and brings what stands
    before the region behind it.
    """
    begin = 0 if _in_loop(body, place) else _anchor(place).coord.line
    stack, used = [body], False
    while stack:
        node = stack.pop()
        if _sets(node, name):
            if any(n is place.compound for n in nodes_below(node)):
                return False
            used = True
            stack.append(node.init.rvalue)
            continue
        if type(node).__name__ == "ID" and node.name == name and node.coord.line >= begin:
            return False
        stack += [child for _, child in node.children()]
    return used


def _sets(node: Any, name: str) -> bool:
    """Whether a node is a `for` that starts with `name = ...`."""
    if type(node).__name__ != "For" or type(node.init).__name__ != "Assignment" or node.init.op != "=":
        return False
    return type(node.init.lvalue).__name__ == "ID" and bool(node.init.lvalue.name == name)


def _in_loop(body: Any, place: RegionSpan) -> bool:
    loops = (n for n in nodes_below(body) if type(n).__name__ in LOOPS)
    return any(n is place.compound for loop in loops for n in nodes_below(loop))


# ---- checks ----------------------------------------------------------------------------------------


def _has_return(context: FileContext, place: RegionSpan) -> bool:
    """Whether a region returns from the function around it, which is reported."""
    items = place.compound.block_items[place.first : place.last]
    found = [node for item in items for node in nodes_below(item) if type(node).__name__ == "Return"]
    for node in found:
        context.error("PC0307", "`return` inside a region", node, helps=("move it behind the region",))
    return bool(found)


def _check_types(context: FileContext, inside: dict[str, Any], behind: list[Any]) -> None:
    """Types and enumeration constants declared in the region are gone with it: a use behind it is an error."""
    types: dict[str, Any] = {}
    for name, decl in inside.items():
        if type(decl).__name__ == "Typedef":
            types[name] = decl
        for node in nodes_below(decl.type):
            kind = type(node).__name__
            if kind in ("Enumerator", "Struct", "Enum") and node.name and getattr(node, "decls", True) is not None:
                types[node.name] = decl
    for item in behind:
        for node in nodes_below(item):
            kind = type(node).__name__
            names = node.names if kind == "IdentifierType" else [node.name] if kind in ("ID", "Struct", "Enum") else []
            for name in names:
                if name in types:
                    context.error(
                        "PC0108",
                        f"`{name}` is declared inside the region and used after it",
                        types.pop(name),
                        secondary=((node, "used here"),),
                        helps=("move its declaration before the region",),
                    )


def _check_extents(context: FileContext, function: Any, params: tuple[Symbol, ...], place: RegionSpan) -> None:
    """An extent that changes after the array was declared no longer says how large the array is."""
    sizes: dict[str, Symbol] = {}
    for param in params:
        ctype = param.type
        while isinstance(ctype, ArrayType):
            if ctype.extent is not None:
                sizes.update({n.symbol.spelling: param for n in walk(ctype.extent) if isinstance(n, Name)})
            ctype = ctype.element
    jumps = any(type(n).__name__ == "Goto" for n in nodes_below(function.body))
    behind = place.compound.block_items[place.last :] if not (jumps or _in_loop(function.body, place)) else []
    later = {id(n) for item in behind for n in nodes_below(item)}
    for node in nodes_below(function.body) if sizes else ():
        if id(node) in later:
            continue
        target: Any = node.lvalue if type(node).__name__ == "Assignment" else None
        if type(node).__name__ == "UnaryOp" and node.op.strip("p") in ("++", "--", "&"):
            target = node.expr
        if type(target).__name__ == "ID" and target.name in sizes:
            array = sizes[target.name]
            where = context.span(node)
            if (where.line, where.column) > (array.span.line, array.span.column):
                context.error(
                    "PC0403",
                    f"extent `{target.name}` of `{array.spelling}` may change",
                    node,
                    secondary=((array.span, "array declared here"),),
                    helps=(f"keep the extent in a variable that is not changed after `{array.spelling}`",),
                )
