"""Values that an iteration computes once for what its inner loops add to many results go back to where they are used.

Before: `for (i…) for (k…) { float t = alpha * a[i][k]; for (j…) c[i][j] += t * b[k][j]; }`
After:  `for (i…) for (k…) for (j…) c[i][j] += alpha * a[i][k] * b[k][j];`

Taken out of the inner loop, the value ties its iterations to those of the outer one, while each result, `c[i][j]`, is a
sum over these: the loops could not change places, unless the values were kept in an array.  Only what is as cheap as to
read it is repeated so, and only where nothing that it reads changes.  The same holds of a condition on data around such
a loop, `if (a[i][k] != 0) for (j…) c[i][j] += …`, which is one on each of its iterations.

So does a value that is added to results of several kinds, `float v = a[i][j]; row[i] += v; column[j] += v;`: these are
reduced in kernels of their own.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from collections.abc import Set
from dataclasses import replace

from pencilc.ir.queries import counters_in, declared_in, has_effects, mentions_any, names_in
from pencilc.ir.rewrite import Renaming, as_block, written_names
from pencilc.ir.source import (
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Declare,
    Expr,
    FloatLiteral,
    For,
    If,
    Index,
    IntLiteral,
    Kill,
    MemberOf,
    Name,
    Node,
    ReductionUpdate,
    Region,
    Scalar,
    Stmt,
    Unary,
    While,
    walk,
)

# Sums and products in one value: more are not repeated for each result.  Places that sums and products of counters and
# sizes tell (`x[b * T * C + t * C + i]`) are found for each result anyway, as those of other reads are.
MOST_OPERATIONS = 6
_COMPUTED = frozenset(("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"))
_COMPARED = _COMPUTED | {"<", "<=", ">", ">=", "==", "!=", "&&", "||"}
# Exact, and one instruction.
_CONVERSIONS = ("pencil_half_to_float", "pencil_bfloat16_to_float")


def with_values_inside(region: Region) -> Region:
    """`region` with the values of such scalars in their place."""
    return replace(region, body=_in_block(region.body, frozenset()))


def _in_block(block: Block, around: frozenset[str]) -> Block:
    """`block`, around which are the loops with these counters."""
    items = _substituted(tuple(_within(item, around) for item in block.items), around)
    return replace(block, items=tuple(_inside_loop(each, around) if isinstance(each, If) else each for each in items))


def _within(stmt: Stmt, around: frozenset[str]) -> Stmt:
    match stmt:
        case Block():
            return _in_block(stmt, around)
        case If():
            otherwise = None if stmt.otherwise is None else _within(stmt.otherwise, around)
            return _inside_loop(replace(stmt, then=_within(stmt.then, around), otherwise=otherwise), around)
        case For():
            return replace(stmt, body=_within(stmt.body, around | {stmt.iterator.name}))
    return stmt


def _inside_loop(stmt: If, around: frozenset[str]) -> Stmt:
    """`stmt`, a condition on data around such a loop and nothing else, in that loop."""
    items = as_block(stmt.then).items
    if stmt.otherwise is not None or len(items) != 1 or not isinstance(items[0], For):
        return stmt
    loop, condition = items[0], stmt.condition
    changed = written_names(loop) | counters_in(loop) | declared_in(loop)
    if has_effects(loop) or names_in(condition) & changed or not _is_cheap(condition, _COMPARED):
        return stmt
    # Where the condition fails, the ends of the loop are found, too.
    is_bounded = not any(isinstance(n, Index) for end in (loop.lower, loop.bound) for n in walk(end))
    if not is_bounded or not _is_added_across((loop,), _elements_of(condition, (), around)):
        return stmt
    return replace(loop, body=_inside_loop(replace(stmt, then=loop.body), around | {loop.iterator.name}))


def _substituted(items: tuple[Stmt, ...], around: frozenset[str]) -> tuple[Stmt, ...]:
    """The items of a block without such scalars; those of which one is made come behind it."""
    for position in reversed(range(len(items))):
        match items[position]:
            case Declare(symbol=symbol, init=value) if value is not None and isinstance(symbol.type, Scalar):
                rest = items[position + 1 :]
                users = [each for each in rest if mentions_any(each, symbol.name)]
                chosen_by = _elements_of(value, items[position - 1 :: -1] if position else (), around)
                if not _is_cheap(value) or not (_is_added_across(users, chosen_by) or _is_added_apart(users, around)):
                    continue
                if _is_the_same(rest, symbol.name, value):
                    made = value if value.type == symbol.type else Cast(value, symbol.type, value.span)
                    renaming = Renaming({}, {symbol.name: made})
                    rest = tuple(renaming.node(each) if mentions_any(each, symbol.name) else each for each in rest)
                    items = (*items[:position], *rest)
    return items


def _is_cheap(value: Expr, operators: Set[str] = _COMPUTED) -> bool:
    """Whether a value is read, and at most put together by some `operators`; what is no place counts."""
    known = Name | Index | MemberOf | Cast | Unary | Binary | IntLiteral | FloatLiteral
    nodes = [each for each in walk(value) if not (isinstance(each, Call) and each.function in _CONVERSIONS)]
    found = [node.op for node in nodes if isinstance(node, Binary)]
    places = sum(_sums_of_place(node.index) for node in nodes if isinstance(node, Index))
    few = len(found) - places <= MOST_OPERATIONS
    return all(isinstance(node, known) for node in nodes) and few and set(found) <= operators


def _sums_of_place(index: Expr) -> int:
    """Sums and products in a subscript of variables and numbers; 0 where it has anything else."""
    nodes = list(walk(index))
    found = [node.op for node in nodes if isinstance(node, Binary)]
    is_plain = all(isinstance(node, Name | Cast | Unary | Binary | IntLiteral) for node in nodes)
    return len(found) if is_plain and set(found) <= {"+", "-", "*"} else 0


def _elements_of(value: Expr, before: Seq[Stmt], around: frozenset[str]) -> frozenset[str]:
    """The counters, of those `around`, that choose an element which the value is made of, by way of others too that
    are declared in `before`.
    """
    found = around & names_in(*(node.index for node in walk(value) if isinstance(node, Index)))
    named = names_in(value)
    for item in before:
        if isinstance(item, Declare) and item.init is not None and item.symbol.name in named:
            found |= _elements_of(item.init, (), around)
            named |= names_in(item.init)
    return found


def _is_added_across(users: Seq[Stmt], chosen_by: Set[str]) -> bool:
    """Whether a loop in `users` is about elements that its own iterations choose, and that are the same ones in each
    iteration of a loop around it that has another value: one of those with the counters `chosen_by`.
    """
    own = declared_in(*users)
    for loop in (node for item in users for node in walk(item) if isinstance(node, For)):
        chosen = counters_in(loop)
        for node in walk(loop.body):
            if not isinstance(node, Assign | ReductionUpdate):
                continue
            target = node.target if isinstance(node, Assign) else node.variable
            named = names_in(target)
            if isinstance(target, Index) and named & chosen and not named & own and not chosen_by <= named:
                return True
    return False


def _is_added_apart(users: Seq[Stmt], around: Set[str]) -> bool:
    """Whether `users` add to results that loops around them choose in different ways: `row[i] += v; all += v;`.

    No kernel has the points of both, so that each computes the value for itself, or finds it in an array.
    """
    chosen: set[frozenset[str]] = set()
    for node in (node for item in users for node in walk(item)):
        if isinstance(node, ReductionUpdate):
            chosen.add(frozenset(names_in(node.variable) & around))
        elif isinstance(node, Assign) and node.compound:
            chosen.add(frozenset(names_in(node.target) & around))
    return len(chosen) > 1


def _is_the_same(rest: Seq[Stmt], name: str, value: Expr) -> bool:
    """Whether `value` is the same wherever `rest` reads `name`, which nothing but values and conditions do."""
    last = max((number for number, item in enumerate(rest) if mentions_any(item, name)), default=-1)
    users = rest[: last + 1]
    if any(has_effects(item) or name in written_names(item) for item in users):
        return False
    read = names_in(value)
    if any(read & (written_names(item) | counters_in(item) | declared_in(item)) for item in users):
        return False
    for node in (node for item in users for node in walk(item)):
        match node:
            case Index(index=inside):
                elsewhere: tuple[Node, ...] = (inside,)
            case For(lower=lower, bound=bound):
                elsewhere = (lower, bound)
            case While() | Kill():
                elsewhere = (node,)
            case _:
                continue
        if name in names_in(*elsewhere):
            return False
    return True
