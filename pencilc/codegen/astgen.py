"""isl schedules to loops: builds isl's AST and turns it into plain records with typed expressions.

isl's own C printer is not used: integer division, the sizes of intermediate values and names are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace
from functools import reduce
from typing import Any, TypeAlias

import islpy as isl

from pencilc import islx
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.ir.build import ONE, binary, call, cast, choice, is_number, number, variable
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree
from pencilc.ir.source import INT, LLONG, Binary, Cast, CType, Expr, IntLiteral, Name, Scalar, Unary
from pencilc.records import dataclass

Domains = Mapping[str, isl.Set]

# The stubs of islpy lack the members whose names are Python keywords (`and_`, `if_`).
_EXPR: Any = isl.ast_expr_type
_OP: Any = isl.ast_expr_op_type
_NODE: Any = isl.ast_node_type


@dataclass(frozen=True, slots=True)
class AstInstance:
    """One instance of a statement (or kernel), with the values of its iterators."""

    statement: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class AstFor:
    """`for (name = lower; name < upper; name += step)`; a degenerate loop runs once."""

    name: str
    lower: Expr
    upper: Expr
    step: int
    degenerate: bool
    body: AstNode


@dataclass(frozen=True, slots=True)
class AstIf:
    """`if (condition) then else otherwise`."""

    condition: Expr
    then: AstNode
    otherwise: AstNode | None


@dataclass(frozen=True, slots=True)
class AstBlock:
    """Nodes in order."""

    items: tuple[AstNode, ...]


@dataclass(frozen=True, slots=True)
class AstLet:
    """`const type name = value;` and what may use it."""

    type: CType
    name: str
    value: Expr
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


class Affine:
    """isl's expressions as those of the output; `names` says what its parameters and iterators are there."""

    def __init__(self, names: Mapping[str, Expr]) -> None:
        self.names = dict(names)

    def argument(self, expr: isl.AstExpr) -> Expr:
        """The value of a statement's iterator: a plain variable stays as it is."""
        found = self.expression(expr)
        is_name = expr.get_type() == _EXPR.id
        return found.operand if is_name and isinstance(found, Cast) and found.type == LLONG else found

    def expression(self, expr: isl.AstExpr) -> Expr:
        """What `expr` is in the output."""
        kind = expr.get_type()
        if kind == _EXPR.int:
            return number(int(expr.get_val().to_python()))
        if kind == _EXPR.id:
            name = islx.unmangle(expr.get_id().get_name())
            return self.names.get(name) or variable(name)
        return self._operation(expr)

    def bound(self, expr: isl.AstExpr, more: int, context: isl.Set) -> Expr:
        """`expr + more`, where a loop begins or ends: in 32 bits if it is known to stay there.

        nvcc counts the iterations of `for (int i = y - 1; i < y + 2; i++)`, and unrolls such loops, but not those of
        a loop to `(long long)y + 2`.
        """
        wide = self.expression(expr)
        wide = _plus_one(wide) if more else wide
        narrow = _narrowed(wide)
        return narrow if narrow is not None and narrow != wide and self._fits(expr, more, context) else wide

    def _fits(self, expr: isl.AstExpr, more: int, context: isl.Set) -> bool:
        """Whether a sum of parameters and numbers is a number of 32 bits, as these are."""
        function = _function(expr, context)
        if function is None:
            return False
        low, high = (islx.constant(context, each) for each in (-(2**31), 2**31 - 1))
        for name in map(str, context.get_var_names(isl.dim_type.param)):
            if self.names.get(islx.unmangle(name), variable(name)).type == INT:
                here = islx.parameter(context, name)
                context = context.intersect(here.ge_set(low)).intersect(here.le_set(high))
        function = function.add_constant_val(isl.Val(more))
        return bool(context.is_subset(function.ge_set(low).intersect(function.le_set(high))))

    def _operation(self, expr: isl.AstExpr) -> Expr:
        kind = expr.get_op_type()
        parts = [self.expression(expr.get_op_arg(k)) for k in range(expr.get_op_n_arg())]
        if kind == _OP.minus:
            return Unary("-", parts[0], parts[0].type, UNKNOWN_SPAN)
        if kind in (_OP.min, _OP.max):
            name = "pencilc_min" if kind == _OP.min else "pencilc_max"
            return reduce(lambda a, b: call(name, a, b, returns=LLONG), parts)
        if kind == _OP.fdiv_q:
            return call("pencilc_floor_div", *parts, returns=LLONG)
        if kind in (_OP.cond, _OP.select):
            return choice(*parts)
        if kind in _BINARY:
            left, right = parts
            # Sums of 32-bit values may leave 32 bits; differences of sizes do not.
            if kind in (_OP.add, _OP.mul) and isinstance(left, Name):
                left = cast(LLONG, left)
            elif kind == _OP.mul and isinstance(left, IntLiteral) and isinstance(right, Name):
                right = cast(LLONG, right)
            return binary(_BINARY[kind], left, right)
        raise CompilerBug(f"isl made an operation that C does not have: {kind}")

    def value(self, function: isl.PwAff, context: isl.Set) -> Expr:
        """A function of the parameters."""
        build = isl.AstBuild.from_context(context)
        return self.expression(build.expr_from_pw_aff(function))

    def condition(self, points: isl.Set, context: isl.Set) -> Expr | None:
        """`the parameters lie in points`, given the context; None when always true."""
        points = points.gist(context)
        if points.plain_is_universe() or points.is_equal(isl.Set.universe(points.get_space())):
            return None
        build = isl.AstBuild.from_context(context)
        return self.expression(build.expr_from_set(points))


def signed(name: str, ctype: CType) -> Expr:
    """A variable in isl's arithmetic, which knows no wrapping: unsigned ones are widened.

    Those of less than 32 bits do not wrap, but nvcc warns where one is compared with 0.
    """
    plain = variable(name, ctype)
    return cast(LLONG, plain) if isinstance(ctype, Scalar) and ctype.kind == "uint" else plain


_BINARY = {
    _OP.add: "+", _OP.sub: "-", _OP.mul: "*", _OP.div: "/", _OP.pdiv_q: "/", _OP.pdiv_r: "%", _OP.zdiv_r: "%",
    _OP.eq: "==", _OP.le: "<=", _OP.lt: "<", _OP.ge: ">=", _OP.gt: ">", _OP.and_: "&&", _OP.and_then: "&&",
    _OP.or_: "||", _OP.or_else: "||",
}  # fmt: skip


def generate(schedule: isl.Schedule | None, context: isl.Set, iterators: Seq[str], affine: Affine) -> AstNode:
    """The loops of `schedule`; `iterators` name the loops by depth, from the outermost generated one."""
    if schedule is None:
        return AstBlock(())
    build = isl.AstBuild.from_context(context)
    names = isl.IdList.alloc(isl.DEFAULT_CONTEXT, len(iterators))
    for name in iterators:
        names = names.add(isl.Id(name))
    build = build.set_iterators(names)
    return _convert(build.node_from_schedule(schedule), affine, context)


def _convert(node: isl.AstNode, affine: Affine, context: isl.Set) -> AstNode:
    kind = node.get_type()
    if kind == _NODE.user:
        instance = node.user_get_expr()
        arguments = tuple(affine.argument(instance.get_op_arg(k)) for k in range(1, instance.get_op_n_arg()))
        return AstInstance(islx.unmangle(instance.get_op_arg(0).get_id().get_name()), arguments)
    if kind == _NODE.block:
        children = node.block_get_children()
        return AstBlock(tuple(_convert(children.get_at(k), affine, context) for k in range(children.n_ast_node())))
    if kind == _NODE.if_:
        then = _convert(node.if_get_then_node(), affine, context)
        otherwise = _convert(node.if_get_else_node(), affine, context) if node.if_has_else_node() else None
        return AstIf(affine.expression(node.if_get_cond()), then, otherwise)
    if kind == _NODE.mark:
        return _convert(node.mark_get_node(), affine, context)
    if kind == _NODE.for_:
        return _convert_for(node, affine, context)
    raise CompilerBug(f"isl made an AST node of kind {kind}")


def _convert_for(node: isl.AstNode, affine: Affine, context: isl.Set) -> AstFor:
    name = islx.unmangle(node.for_get_iterator().get_id().get_name())
    lower = affine.bound(node.for_get_init(), 0, context)
    body = _convert(node.for_get_body(), affine, context)
    if node.for_is_degenerate():
        return AstFor(name, lower, _plus_one(lower), 1, True, body)
    condition = node.for_get_cond()
    more = 1 if condition.get_op_type() == _OP.le else 0
    upper = affine.bound(condition.get_op_arg(1), more, context)
    return AstFor(name, lower, upper, int(node.for_get_inc().get_val().to_python()), False, body)


def _function(expr: isl.AstExpr, where: isl.Set) -> isl.PwAff | None:
    """A sum of parameters and numbers as a function on the space of `where`; None for any other expression."""
    kind = expr.get_type()
    if kind == _EXPR.int:
        return islx.constant(where, int(expr.get_val().to_python()))
    if kind == _EXPR.id:
        name = expr.get_id().get_name()
        known = where.find_dim_by_name(isl.dim_type.param, name) >= 0
        return islx.parameter(where, name) if known else None
    if expr.get_op_type() not in (_OP.add, _OP.sub):
        return None
    left, right = (_function(expr.get_op_arg(k), where) for k in range(2))
    if left is None or right is None:
        return None
    return left.add(right) if expr.get_op_type() == _OP.add else left.sub(right)


def _narrowed(expr: Expr) -> Expr | None:
    """A sum of variables and numbers in 32 bits; None for any other expression, and where a variable has more."""
    match expr:
        case Name() | IntLiteral():
            return expr if expr.type == INT else None
        case Cast(operand=Name()) if expr.type == LLONG:
            return _narrowed(expr.operand)
        case Binary(op="+" | "-" as op):
            left, right = _narrowed(expr.left), _narrowed(expr.right)
            return None if left is None or right is None else _sum(op, left, right)
    return None


def _sum(op: str, left: Expr, right: Expr) -> Expr:
    """`left + right` or `left - right`; the numbers of `x + 2 + 1` are one."""
    before = left.right if isinstance(left, Binary) and left.op == op == "+" else None
    if isinstance(left, Binary) and isinstance(before, IntLiteral) and isinstance(right, IntLiteral):
        return binary("+", left.left, number(before.value + right.value))
    return binary(op, left, right)


def _plus_one(expr: Expr) -> Expr:
    """`expr + 1`, folded where it is a difference `… - 1` or a number."""
    if isinstance(expr, IntLiteral):
        return number(expr.value + 1)
    if isinstance(expr, Binary) and expr.op == "-" and is_number(expr.right, 1):
        return expr.left
    return binary("+", cast(LLONG, expr) if isinstance(expr, Name) else expr, ONE)


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


def is_split(node: AstNode, names: Collection[str]) -> bool:
    """Whether the loops over `names` are several, or something stands beside one.

    Of those in the two branches of a condition, which stands outside of them, all statements have the same one.
    """
    match node:
        case AstBlock():
            return has_loop(node, names) and (len(node.items) > 1 or is_split(node.items[0], names))
        case AstIf():
            return is_split(node.then, names) or (node.otherwise is not None and is_split(node.otherwise, names))
        case AstFor() if node.name in names:
            return is_split(node.body, names)
        case AstLet():
            return is_split(node.body, names)
    return False


def is_shifted(node: AstNode, rows: Seq[Row], names: Seq[str]) -> bool:
    """Whether an iteration of the loops `names` does what belongs to another point of `rows`.

    Where statements take every second value, one the even and one the odd ones, isl may do a point of each in one
    iteration, or what leads to a point in the iteration before: in order, but not for threads that each have a point.
    """
    found: list[bool] = []
    functions = [islx.pw_affs_of(row.function) for row in rows]

    def look(instance: AstInstance) -> None:
        for of_statement, name in zip(functions, names, strict=True):
            function = of_statement.get(instance.statement)
            unit = islx.unit_row(function) if function is not None else None
            if unit is None:
                continue
            depth = next(k for k, factor in enumerate(unit[:-1]) if factor)
            place = _in_iterator(instance.arguments[depth], name)
            if place is not None and place[0]:
                factor, offset = place
                found.append(unit[depth] * factor != 1 or unit[depth] * offset + unit[-1] != 0)

    visit(node, look)
    return any(found)


def _in_iterator(expr: Expr, name: str) -> tuple[int, int] | None:
    """The factor and the constant of an expression of one iterator; None where it is made of other things."""
    match expr:
        case Cast():
            return _in_iterator(expr.operand, name)
        case Name():
            return (1, 0) if expr.symbol.name == name else None
        case IntLiteral():
            return 0, expr.value
        case Unary(op="-"):
            inner = _in_iterator(expr.operand, name)
            return (-inner[0], -inner[1]) if inner is not None else None
        case Binary(op="+" | "-"):
            left, right = _in_iterator(expr.left, name), _in_iterator(expr.right, name)
            if left is None or right is None:
                return None
            sign = 1 if expr.op == "+" else -1
            return left[0] + sign * right[0], left[1] + sign * right[1]
    return None


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


def replaced(node: AstNode, replacement: Callable[[AstInstance], AstNode | None]) -> AstNode:
    """`node` with instances of statements replaced where `replacement` has something for them."""
    match node:
        case AstInstance():
            return replacement(node) or node
        case AstBlock():
            return AstBlock(tuple(replaced(item, replacement) for item in node.items))
        case AstIf():
            other = replaced(node.otherwise, replacement) if node.otherwise else None
            return AstIf(node.condition, replaced(node.then, replacement), other)
        case AstFor() | AstLet():
            return replace(node, body=replaced(node.body, replacement))


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
