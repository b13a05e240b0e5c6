"""What every path through a function does: it returns a value, and sets a variable before it uses it.

    int sign(int x) { if (x > 0) return 1; if (x < 0) return -1; }       PC0309
    int last(int n, …) { int x; for (int i = 0; i < n; i++) x = a[i]; return x; }      PC0408: n may be 0

A path that only a condition rules out, which is the same as one on the way, is not told.  Of an array or struct only
what is certain is told: that nothing of it has been set before, or that nothing in the function sets one element.

    int second(int x) { int a[2]; a[0] = x; return a[1]; }     PC0408: a[1]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from enum import Enum

from pencilc.diagnostics import fixes
from pencilc.diagnostics.source import Span
from pencilc.frontend.context import FileContext
from pencilc.frontend.translate.constants import integer_value
from pencilc.ir.queries import base_of, root, subscripts_in
from pencilc.ir.source import (
    VOID,
    AddressOf,
    ArrayType,
    Assign,
    Binary,
    Block,
    CType,
    Declare,
    Expr,
    For,
    Function,
    If,
    Index,
    Jump,
    Kill,
    MemberOf,
    Name,
    Node,
    ReductionInit,
    ReductionUpdate,
    Region,
    Return,
    Scalar,
    Stmt,
    Struct,
    Symbol,
    Ternary,
    TranslationUnit,
    While,
    children,
    walk,
)  # fmt: skip
from pencilc.ir.source_printer import print_expr
from pencilc.records import dataclass


def check_paths(context: FileContext, unit: TranslationUnit, faulty: Iterable[str]) -> None:
    """PC0309 and PC0408 for all functions and regions but those in `faulty`, which are not complete."""
    left_out = {*faulty, *context.summaries.values()}
    for region in unit.regions:
        if region.function not in left_out:
            _check(context, region, region.returns)
    entries = {region.function for region in unit.regions if not region.outlined}
    for function in unit.functions:
        if function.name not in left_out | entries:
            _check(context, function, function.returns)


def _check(context: FileContext, where: Function | Region, returns: CType) -> None:
    if returns != VOID and ends(where.body):
        name = where.function if isinstance(where, Region) else where.name
        _tell_no_return(context, where, name, returns)
    # PC0201 tells of the variables of reductions.
    reduced = {n.symbol.name for u in walk(where.body) if isinstance(u, ReductionUpdate) for n in _names(u.variable)}
    flow = _Flow(context, reduced)
    flow.visit(where.body, {})
    for symbol, use in _never_set(where.body, reduced | flow.told):
        _tell(context, print_expr(use), use.span, _Has.NOT, symbol.span)


def _tell_no_return(context: FileContext, where: Function | Region, name: str, returns: CType) -> None:
    """PC0309, with the value that was meant to be returned where that is clear: a statement of no effect, a result."""
    message, remedy = f"`{name}` can end without returning a value", None
    lost = [d for d in context.diagnostics if d.code == "PC0310" and _is_in(context, name, d.span)]
    results = {
        n.symbol.spelling: None for s in where.body.items for n in walk(s)
        if isinstance(n, Declare) and s is n and n.symbol.type == returns
    }  # fmt: skip
    if len(lost) == 1 and isinstance(where, Function):
        span = lost[0].span
        file = context.file_of(span)
        before = file.line(span.line)[: span.column - 1].rstrip()
        if not before or before.endswith((";", "{", "}", ")")):
            remedy = fixes.fix("write `return` in front of it", [fixes.inserted(file, span, span.column, "return ")])
            # A value that is computed and not used is the one that is missing: one cause, one message.
            context.diagnostics[:] = [d for d in context.diagnostics if d is not lost[0]]
            context.error(
                "PC0309", message, where.span, secondary=((span, "its value is not used"),), remedies=(remedy,)
            )
            return
    end = context.end_of_function(where.span)
    if len(results) == 1 and end is not None:
        text = f"return {next(iter(results))};"
        file = context.file_of(end)
        edit = fixes.inserted(file, end, end.column, f"    {text}\n")
        is_alone = not file.line(end.line)[: end.column - 1].strip()
        remedy = fixes.fix(f"end it with `{text}`", [edit if is_alone and end.column == 1 else None])
        context.error(
            "PC0309", message, where.span,
            helps=() if remedy else (f"end it with `{text}`",), remedies=(remedy,),
        )  # fmt: skip
        return
    context.error("PC0309", message, where.span, helps=("end it with `return`",))


def _is_in(context: FileContext, function: str, span: Span) -> bool:
    chunk = context.function_at(span)
    return chunk is not None and chunk.name == function


# ---- returned values -------------------------------------------------------------------------------


def ends(stmt: Stmt) -> bool:
    """Whether control can reach the end of `stmt`."""
    match stmt:
        case Return() | Jump():
            return False
        case Block():
            return all(ends(item) for item in stmt.items)
        case If():
            return stmt.otherwise is None or ends(stmt.then) or ends(stmt.otherwise)
        case While():
            if _leaves_by(stmt.body, "break"):
                return True
            if stmt.do_first and not ends(stmt.body) and not _leaves_by(stmt.body, "continue"):
                return False
            return not integer_value(stmt.condition)
    return True


def _leaves_by(body: Node, keyword: str) -> bool:
    """Whether a jump in `body` belongs to the loop around it."""
    if isinstance(body, Jump):
        return body.keyword == keyword
    return any(_leaves_by(child, keyword) for child in children(body) if not isinstance(child, For | While))


# ---- values before uses ----------------------------------------------------------------------------


class _Has(Enum):
    """Whether a variable has a value at a point."""

    NOT = 0
    PERHAPS = 1
    SURELY = 2


@dataclass(frozen=True, slots=True)
class _State:
    """What is known of one variable: below how many conditions that came about, and below which ones it was set."""

    has: _Has
    depth: int = 0
    under: frozenset[str] = frozenset()


_SET = _State(_Has.SURELY)
_States = Mapping[str, _State]


@dataclass(slots=True)
class _Loop:
    """The states with which a loop is left by `break`, and with which its body is left by `continue`."""

    broken: list[_States] = field(default_factory=list)
    continued: list[_States] = field(default_factory=list)


class _Flow:
    """Walks the paths of one function; the states of variables that are declared without a value are kept."""

    def __init__(self, context: FileContext, left_out: set[str]) -> None:
        self._context = context
        self._left_out = left_out
        self.told: set[str] = set()  # the variables that were told of
        self._conditions: list[str] = []
        self._loops: list[_Loop] = []

    def visit(self, stmt: Stmt, states: _States) -> _States | None:
        """The states behind `stmt`; None if control does not get there."""
        match stmt:
            case Block():
                return self._block(stmt, states)
            case Declare():
                return self._declared(stmt, states)
            case If():
                return self._branches(stmt, states)
            case For():
                return self._counted(stmt, states)
            case While():
                return self._while(stmt, states)
            case Jump() | Return():
                self._leave(stmt, states)
                return None
            case Assign():
                if isinstance(stmt.target, Name):
                    return _with(self._effects(stmt.value, states), stmt.target.symbol.name)
        return states if isinstance(stmt, Kill) else self._effects(stmt, states)

    def _leave(self, stmt: Jump | Return, states: _States) -> None:
        if isinstance(stmt, Return):
            self._read(stmt, states)
        elif self._loops:
            loop = self._loops[-1]
            (loop.broken if stmt.keyword == "break" else loop.continued).append(states)

    def _effects(self, stmt: Node, states: _States) -> _States:
        """The states behind a statement or an expression that sets what it passes the address of."""
        self._read(stmt, states)
        for name in _set_in(stmt):
            states = _with(states, name)
        return states

    def _block(self, block: Block, states: _States) -> _States | None:
        current: _States | None = states
        for item in block.items:
            if current is None:
                return None
            current = self.visit(item, current)
        return current

    def _declared(self, stmt: Declare, states: _States) -> _States:
        if stmt.init is not None:
            states = self._effects(stmt.init, states)
        elif stmt.symbol.name in self._left_out:
            return states
        elif isinstance(stmt.symbol.type, Scalar | ArrayType | Struct) and stmt.symbol.kind == "local":
            return {**states, stmt.symbol.name: _State(_Has.NOT, len(self._conditions))}
        return _with(states, stmt.symbol.name)

    def _branches(self, stmt: If, states: _States) -> _States | None:
        states = self._effects(stmt.condition, states)
        text = print_expr(stmt.condition)
        then = self._below(text, stmt.then, states)
        otherwise: _States | None = states
        if stmt.otherwise is not None:
            otherwise = self._below(f"!({text})", stmt.otherwise, states)
        return self._joined(then, otherwise, text)

    def _below(self, text: str, stmt: Stmt, states: _States) -> _States | None:
        self._conditions.append(text)
        found = self.visit(stmt, states)
        self._conditions.pop()
        return found

    def _counted(self, loop: For, states: _States) -> _States | None:
        self._read(loop.lower, states)
        if not loop.declares:
            states = _with(states, loop.iterator.name)
        self._read(loop.bound, states)
        text = f"{print_expr(loop.lower)} {loop.relation} {print_expr(loop.bound)}"
        behind = self._turns(loop.body, text, states)
        first, last = integer_value(loop.lower), integer_value(loop.bound)
        if first is not None and last is not None and first != last:
            return behind  # There is an iteration.
        return self._joined(states, behind, text)

    def _while(self, loop: While, states: _States) -> _States | None:
        """A `while` is taken to run at least once: what it waits for is mostly set before it."""
        if not loop.do_first:
            states = self._effects(loop.condition, states)
        endless = bool(integer_value(loop.condition))
        behind = self._turns(loop.body, print_expr(loop.condition), states, endless)
        if loop.do_first and behind is not None:
            behind = self._effects(loop.condition, behind)
        return behind

    def _turns(self, body: Stmt, text: str, states: _States, endless: bool = False) -> _States | None:
        """The states behind a loop that has run."""
        made = _Loop()
        self._loops.append(made)
        # What an earlier iteration may have set has a value below conditions that tell the first one.
        set_inside = _set_in(body)
        depth = len(self._conditions) + 1
        inside = dict(states)
        for name in set_inside & set(inside):
            if inside[name].has is _Has.NOT:
                inside[name] = _State(_Has.PERHAPS, depth)
        last = self._below(text, body, inside)
        self._loops.pop()
        behind: _States | None = None if endless else last
        for left in [*made.broken, *([] if endless else made.continued)]:
            behind = self._joined(behind, left, text)
        return behind

    def _joined(self, one: _States | None, two: _States | None, text: str) -> _States | None:
        """What is known where two paths meet, one of which is taken under the condition `text`."""
        if one is None or two is None:
            return two if one is None else one
        joined: dict[str, _State] = {}
        for name in one.keys() & two.keys():
            left, right = one[name], two[name]
            if left.has is right.has:
                joined[name] = _State(left.has, min(left.depth, right.depth), left.under | right.under)
            else:
                joined[name] = _State(_Has.PERHAPS, len(self._conditions), left.under | right.under | {text})
        return joined

    def _read(self, node: Node, states: _States) -> None:
        """Tell the variables that `node` uses before they have a value."""
        for each, certain in _uses(node):
            state = states.get(each.symbol.name, _SET)
            if state.has is _Has.SURELY or each.symbol.name in self.told:
                continue
            hidden = not certain or len(self._conditions) > state.depth or state.under & set(self._conditions)
            # What some path has set of an array or struct may be all that is needed of it.
            if state.has is _Has.PERHAPS and (hidden or not isinstance(each.symbol.type, Scalar)):
                continue
            self.told.add(each.symbol.name)
            _tell(self._context, each.symbol.spelling, each.span, state.has, each.symbol.span)


def _tell(context: FileContext, what: str, use: Span, has: _Has, declared: Span) -> None:
    how = "is used before it has a value" if has is _Has.NOT else "may be used before it has a value"
    remedy = None
    line = context.file_of(declared).line(declared.line)
    if re.fullmatch(r"\w+", what) and line[declared.column - 1 :].startswith((f"{what};", f"{what},")):
        edit = fixes.replaced(context.file_of(declared), declared, what, f"{what} = 0")
        remedy = fixes.fix(f"give it a value where it is declared, as in `{what} = 0`", [edit])
    helps = () if remedy is not None else (f"give `{what}` a value before that",)
    labels = ((declared, "declared without a value"),)
    context.warn("PC0408", f"`{what}` {how}", use, secondary=labels, helps=helps, remedies=(remedy,))


def _uses(node: Node, is_set: bool = False) -> list[tuple[Name, bool]]:
    """The variables whose values `node` takes, in textual order, and whether it always does.

    `is_set`: `node` is something that is set.
    """
    parts: list[Node] = children(node)
    own: list[tuple[Name, bool]] = []
    if isinstance(node, Name | Index | MemberOf):
        base = base_of(node)
        parts = list(subscripts_in(node))
        if not isinstance(base, Name):
            parts.insert(0, base)
        elif not is_set and not isinstance(node.type, ArrayType):
            own = [(base, True)]
    uses = [_uses(part, _is_set_by(node, part)) for part in parts]
    if isinstance(node, Ternary) or (isinstance(node, Binary) and node.op in ("&&", "||")):
        # `hit(&t) && t < near`: what comes first may set what comes later.
        first = _set_in(parts[0])
        uses[1:] = [[(name, False) for name, _ in later if name.symbol.name not in first] for later in uses[1:]]
    return own + [use for each in uses for use in each]


# ---- what is set -----------------------------------------------------------------------------------


def _is_set_by(node: Node, part: Node) -> bool:
    """Whether `node` sets its child `part`, or says where it is to what may set it."""
    match node:
        case Assign():
            return part is node.target
        case ReductionInit() | ReductionUpdate():
            return part is node.variable
        case AddressOf():
            return True
    return False


def _accesses(node: Node, is_set: bool = False) -> Iterator[tuple[Expr, bool]]:
    """The variables, elements and members in `node`, as a whole, and whether they are set or handed on to be set."""
    parts: list[Node] = children(node)
    if isinstance(node, Name | Index | MemberOf):
        yield node, is_set or isinstance(node.type, ArrayType)
        base = base_of(node)
        parts = [*([] if isinstance(base, Name) else [base]), *subscripts_in(node)]
    for part in parts:
        yield from _accesses(part, _is_set_by(node, part))


def _set_in(node: Node) -> set[str]:
    """The names of the variables that `node` sets, or sets something of."""
    roots = [root(expr) for expr, is_set in _accesses(node) if is_set]
    return {variable.symbol.name for variable in roots if variable is not None}


def _never_set(body: Block, left_out: set[str]) -> list[tuple[Symbol, Expr]]:
    """For each array or struct that is declared without a value the first element that is used and never set."""
    declared = {
        d.symbol.name: d.symbol for d in walk(body)
        if isinstance(d, Declare) and d.init is None and d.symbol.name not in left_out
        and isinstance(d.symbol.type, ArrayType | Struct)
    }  # fmt: skip
    used: dict[str, list[Expr]] = {}
    places: dict[str, list[_Place]] = {}
    for expr, is_set in _accesses(body):
        base = root(expr)
        if base is None or base.symbol.name not in declared:
            continue
        if is_set:
            places.setdefault(base.symbol.name, []).append(_place(expr))
        else:
            used.setdefault(base.symbol.name, []).append(expr)
    found: list[tuple[Symbol, Expr]] = []
    for name, uses in used.items():
        never = [use for use in uses if not any(_may_meet(_place(use), place) for place in places.get(name, ()))]
        found += [(declared[name], use) for use in never[:1]]
    return found


# The subscripts and members behind a variable; None for a subscript that is no number.
_Place = tuple["int | str | None", ...]


def _place(expr: Expr) -> _Place:
    steps: list[int | str | None] = []
    while isinstance(expr, Index | MemberOf):
        steps.insert(0, integer_value(expr.index) if isinstance(expr, Index) else expr.member)
        expr = expr.base
    return tuple(steps)


def _may_meet(one: _Place, other: _Place) -> bool:
    """Whether two parts of a variable may have something in common."""
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=False))


def _names(node: Node) -> list[Name]:
    return [n for n in walk(node) if isinstance(n, Name)]


def _with(states: _States, name: str) -> _States:
    return {**states, name: _SET} if name in states else states
