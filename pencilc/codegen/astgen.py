"""isl schedules to loops: builds isl's AST and turns it into plain records with C text.

isl's own C printer is not used: integer division, the sizes of intermediate values and names are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from collections.abc import Sequence as Seq
from dataclasses import dataclass
from typing import Any, TypeAlias

import islpy as isl

from pencilc import islx
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree
from pencilc.ir.source import CType, Scalar

Domains = Mapping[str, isl.Set]

# The stubs of islpy lack the members whose names are Python keywords (`and_`, `if_`).
_EXPR: Any = isl.ast_expr_type
_OP: Any = isl.ast_expr_op_type
_NODE: Any = isl.ast_node_type


@dataclass(frozen=True, slots=True)
class AstInstance:
    """One instance of a statement (or kernel), with the texts of its iterators."""

    statement: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AstFor:
    """`for (name = lower; name < upper; name += step)`; a degenerate loop runs once."""

    name: str
    lower: str
    upper: str
    step: int
    degenerate: bool
    body: AstNode


@dataclass(frozen=True, slots=True)
class AstIf:
    """`if (condition) then else otherwise`."""

    condition: str
    then: AstNode
    otherwise: AstNode | None


@dataclass(frozen=True, slots=True)
class AstBlock:
    """Nodes in order."""

    items: tuple[AstNode, ...]


@dataclass(frozen=True, slots=True)
class AstLet:
    """`const type name = value;` and what may use it."""

    type: str
    name: str
    value: str
    body: AstNode


AstNode: TypeAlias = AstInstance | AstFor | AstIf | AstBlock | AstLet


def schedule_of(tree: Tree, domains: Domains) -> isl.Schedule | None:
    """The isl schedule of `tree` over `domains`; None when every domain is empty."""
    match tree:
        case Leaf():
            domain = domains[tree.statement]
            return None if domain.is_empty() else isl.Schedule.from_domain(domain.to_union_set())
        case Sequence():
            result: isl.Schedule | None = None
            for child in tree.children:
                part = schedule_of(child, domains)
                if part is not None:
                    result = part if result is None else result.sequence(part)
            return result
        case Band():
            inner = schedule_of(tree.child, domains)
            return None if inner is None else insert_rows(inner, tree.rows)


def insert_rows(schedule: isl.Schedule, rows: Seq[Row]) -> isl.Schedule:
    """`schedule` below a band of `rows`."""
    partial: isl.MultiUnionPwAff | None = None
    reached = schedule.get_domain()
    for row in rows:
        function = islx.union_pw_aff(f for name, f in islx.pw_affs_of(row.function).items() if _meets(reached, name))
        member = isl.MultiUnionPwAff.from_union_pw_aff(function)
        partial = member if partial is None else partial.flat_range_product(member)
    return schedule if partial is None else schedule.insert_partial_schedule(partial)


def _meets(reached: isl.UnionSet, name: str) -> bool:
    return any(islx.set_name(points) == name for points in islx.sets_of(reached))


class Text:
    """isl expressions as C text; `names` maps isl's parameter and iterator names to texts of the output."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = dict(names)

    def expression(self, expr: isl.AstExpr) -> str:
        """The text of `expr`, without outer parentheses."""
        return self._print(expr)[0]

    def argument(self, expr: isl.AstExpr) -> str:
        """The text of the value of a statement's iterator: a plain variable stays as it is."""
        text = self.expression(expr)
        return text.removeprefix("(long long)") if expr.get_type() == _EXPR.id else text

    def _side(self, expr: isl.AstExpr, context: int) -> str:
        text, strength = self._print(expr)
        return f"({text})" if strength < context else text

    def _print(self, expr: isl.AstExpr) -> tuple[str, int]:
        kind = expr.get_type()
        if kind == _EXPR.int:
            value = int(expr.get_val().to_python())
            suffix = "" if -(2**31) <= value < 2**31 else "ll"
            return f"{value}{suffix}", 16 if value >= 0 else 14
        if kind == _EXPR.id:
            name = islx.unmangle(expr.get_id().get_name())
            text = self.names.get(name, name)
            plain = text.removeprefix("(long long)").replace("_", "a").isalnum()
            if not plain:
                return text, 0
            return text, 14 if text.startswith("(") else 16
        return self._operation(expr)

    def _operation(self, expr: isl.AstExpr) -> tuple[str, int]:
        op = _OP
        kind = expr.get_op_type()
        parts = [expr.get_op_arg(k) for k in range(expr.get_op_n_arg())]
        if kind == op.minus:
            return f"-{self._side(parts[0], 14)}", 14
        if kind in (op.min, op.max):
            return self._extremum(kind == op.min, parts)
        if kind == op.fdiv_q:
            return f"pencilc_floor_div({self.expression(parts[0])}, {self.expression(parts[1])})", 15
        if kind in (op.cond, op.select):
            a, b, c = (self._side(p, 4) for p in parts)
            return f"{a} ? {b} : {c}", 3
        if kind in _BINARY:
            symbol, strength = _BINARY[kind]
            logical = kind in (op.and_, op.or_, op.and_then, op.or_else)
            left, right = (
                self._side(p, 9 if logical else s) for p, s in zip(parts, (strength, strength + 1), strict=True)
            )
            # Sums of 32-bit values may leave 32 bits; differences of sizes do not.
            if kind in (op.add, op.mul) and left.replace("_", "a").isalnum() and not left.isdigit():
                left = f"(long long){left}"
            return f"{left} {symbol} {right}", strength
        raise CompilerBug(f"isl made an operation that has no C text: {kind}")

    def _extremum(self, smaller: bool, parts: Seq[isl.AstExpr]) -> tuple[str, int]:
        name = "pencilc_min" if smaller else "pencilc_max"
        text = self.expression(parts[0])
        for part in parts[1:]:
            text = f"{name}({text}, {self.expression(part)})"
        return text, 15

    def value(self, function: isl.PwAff, context: isl.Set) -> str:
        """The text of a function of the parameters."""
        build = isl.AstBuild.from_context(context)
        return self.expression(build.expr_from_pw_aff(function))

    def condition(self, points: isl.Set, context: isl.Set) -> str:
        """The text of `the parameters lie in points`, given the context; empty when always true."""
        points = points.gist(context)
        if points.plain_is_universe() or points.is_equal(isl.Set.universe(points.get_space())):
            return ""
        build = isl.AstBuild.from_context(context)
        return self.expression(build.expr_from_set(points))


def signed(name: str, ctype: CType) -> str:
    """The text of a variable in isl's arithmetic, which knows no wrapping: unsigned ones are widened."""
    return f"(long long){name}" if isinstance(ctype, Scalar) and ctype.kind == "uint" and ctype.size >= 4 else name


_BINARY = {
    _OP.add: ("+", 12), _OP.sub: ("-", 12), _OP.mul: ("*", 13), _OP.div: ("/", 13), _OP.pdiv_q: ("/", 13),
    _OP.pdiv_r: ("%", 13), _OP.zdiv_r: ("%", 13), _OP.eq: ("==", 9), _OP.le: ("<=", 10), _OP.lt: ("<", 10),
    _OP.ge: (">=", 10), _OP.gt: (">", 10), _OP.and_: ("&&", 5), _OP.and_then: ("&&", 5), _OP.or_: ("||", 4),
    _OP.or_else: ("||", 4),
}  # fmt: skip


def generate(schedule: isl.Schedule | None, context: isl.Set, iterators: Seq[str], text: Text) -> AstNode:
    """The loops of `schedule`; `iterators` name the loops by depth, from the outermost generated one."""
    if schedule is None:
        return AstBlock(())
    build = isl.AstBuild.from_context(context)
    names = isl.IdList.alloc(isl.DEFAULT_CONTEXT, len(iterators))
    for name in iterators:
        names = names.add(isl.Id(name))
    build = build.set_iterators(names)
    return _convert(build.node_from_schedule(schedule), text)


def _convert(node: isl.AstNode, text: Text) -> AstNode:
    kind = node.get_type()
    if kind == _NODE.user:
        call = node.user_get_expr()
        arguments = [text.argument(call.get_op_arg(k)) for k in range(call.get_op_n_arg())]
        return AstInstance(arguments[0], tuple(arguments[1:]))
    if kind == _NODE.block:
        children = node.block_get_children()
        return AstBlock(tuple(_convert(children.get_at(k), text) for k in range(children.n_ast_node())))
    if kind == _NODE.if_:
        otherwise = _convert(node.if_get_else_node(), text) if node.if_has_else_node() else None
        return AstIf(text.expression(node.if_get_cond()), _convert(node.if_get_then_node(), text), otherwise)
    if kind == _NODE.mark:
        return _convert(node.mark_get_node(), text)
    if kind == _NODE.for_:
        return _convert_for(node, text)
    raise CompilerBug(f"isl made an AST node of kind {kind}")


def _convert_for(node: isl.AstNode, text: Text) -> AstFor:
    name = islx.unmangle(node.for_get_iterator().get_id().get_name())
    lower = text.expression(node.for_get_init())
    body = _convert(node.for_get_body(), text)
    if node.for_is_degenerate():
        return AstFor(name, lower, _plus_one(lower), 1, True, body)
    condition = node.for_get_cond()
    upper = text.expression(condition.get_op_arg(1))
    if condition.get_op_type() == _OP.le:
        upper = _plus_one(upper)
    return AstFor(name, lower, upper, int(node.for_get_inc().get_val().to_python()), False, body)


def _plus_one(text: str) -> str:
    """`text + 1`, folded where it ends in `- 1` or is a number."""
    if text.lstrip("-").isdigit():
        return str(int(text) + 1)
    if text.endswith(" - 1"):
        return text[: -len(" - 1")].removeprefix("(long long)") if text.count(" ") == 2 else text[: -len(" - 1")]
    simple = text.replace("_", "a").isalnum()
    return f"(long long){text} + 1" if simple else f"{text} + 1"


def has_loop(node: AstNode, names: Collection[str]) -> bool:
    """Whether a loop whose iterator is one of `names` stands in `node`.

    isl makes no loop for a row that has one value, so what a loop belongs to is told by its name, never by its depth.
    """
    match node:
        case AstFor():
            return node.name in names or has_loop(node.body, names)
        case AstBlock():
            return any(has_loop(item, names) for item in node.items)
        case AstIf():
            return has_loop(node.then, names) or (node.otherwise is not None and has_loop(node.otherwise, names))
        case AstLet():
            return has_loop(node.body, names)
        case AstInstance():
            return False


def pieces_around_loops(block: AstBlock, names: Collection[str]) -> tuple[AstNode, ...]:
    """The items of `block`, neighbours without a loop over one of `names` as one: they belong to one point."""
    pieces: list[AstNode] = []
    alone: list[AstNode] = []
    for item in block.items:
        if not has_loop(item, names):
            alone.append(item)
            continue
        if alone:
            pieces.append(AstBlock(tuple(alone)))
            alone = []
        pieces.append(item)
    if alone:
        pieces.append(AstBlock(tuple(alone)))
    return tuple(pieces)


def visit(node: AstNode, handle: Callable[[AstInstance], None]) -> None:
    """Call `handle` for every instance node."""
    match node:
        case AstInstance():
            handle(node)
        case AstFor() | AstLet():
            visit(node.body, handle)
        case AstIf():
            visit(node.then, handle)
            if node.otherwise is not None:
                visit(node.otherwise, handle)
        case AstBlock():
            for item in node.items:
                visit(item, handle)
