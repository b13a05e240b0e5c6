"""Functions choose without branches: lanes of a warp that decide differently do not wait for one another.

    if (a.v > b.v) return a;
    if (b.v > a.v) return b;
    return a.at < b.at ? a : b;

    return (a.v > b.v) | (!(b.v > a.v) & (a.at < b.at)) ? a : b;

nvcc makes a select for each word out of the second, and out of the first a branch for each condition, as it does for
most uses of `||` between two structs.  In a loop over many elements branches cost more than comparisons, and what waits
for them takes registers.

What is evaluated although C would not get there is at hand and cannot fail: variables, members, numbers, and a few
operations that have a result for all values.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.codegen.lowering import CONVERSIONS
from pencilc.ir.build import TRUTHS, ZERO, binary, negation
from pencilc.ir.queries import has_effects, same
from pencilc.ir.rewrite import replaced
from pencilc.ir.source import (
    ArrayType,
    Binary,
    Block,
    Call,
    Cast,
    Dereference,
    Expr,
    FloatLiteral,
    Function,
    If,
    Index,
    IntLiteral,
    MemberOf,
    Name,
    Node,
    Return,
    Scalar,
    Stmt,
    Ternary,
    Unary,
    is_floating,
    walk,
)

# Operations that are done in vain at most, to spare a branch.
MOST_OPERATIONS = 8
# Choices in a row that are looked at: the conditions of more of them are never all at hand, and those that fall through
# (`if (a) if (b) return x;`) name what follows twice.
MOST_CHOICES = 8
# Functions of an instruction or two, on all values.
_CHEAP = {word + suffix for word in ("fabs", "fmin", "fmax") for suffix in ("", "f")} | set(CONVERSIONS)
# What stands for `a || b` and `a && b` where both are evaluated.
_WHOLE = {"||": "|", "&&": "&"}


def with_selects(definition: Function) -> Function:
    """The function with what decides between values evaluated whole, where that cannot fail."""
    body = replace(definition.body, items=_with_one_return(definition.body.items))
    return replace(definition, body=replaced(body, _selected))


def _with_one_return(items: Seq[Stmt]) -> tuple[Stmt, ...]:
    """Statements whose last ones choose which of two values is returned, in several steps, with one that does."""
    for position, item in enumerate(items):
        if isinstance(item, If) and any(isinstance(node, Return) for node in walk(item)):
            value = _returned(items[position:], MOST_CHOICES)
            joined = _joined(value) if isinstance(value, Ternary) and _decides_again(value) else None
            return (*items[:position], Return(joined, item.span)) if joined is not None else tuple(items)
    return tuple(items)


def _returned(items: Seq[Stmt], most: int) -> Expr | None:
    """The value that statements return which do nothing else: a choice for each `if`, `most` in a row."""
    if not items or not most:
        return None
    (first, *rest) = items
    match first:
        case Return():
            return first.value
        case Block():
            return _returned((*first.items, *rest), most)
        case If():
            then = _returned((first.then, *rest), most - 1)
            otherwise = _returned(rest if first.otherwise is None else (first.otherwise, *rest), most - 1)
            if then is None or otherwise is None:
                return None
            return Ternary(first.condition, then, otherwise, then.type, first.span)
    return None


def _selected(node: Node) -> Node | None:
    """What stands for a node, with what its parts are; None: the same, with what stands for its parts."""
    if isinstance(node, Ternary) and _decides_again(node):
        joined = _joined(node)
        return None if joined is None else replaced(joined, _selected)
    if isinstance(node, Binary) and node.op in _WHOLE:
        left, right = replaced(node.left, _selected), replaced(node.right, _selected)
        return _whole(node.op, left, right) or replace(node, left=left, right=right)
    if isinstance(node, If):
        merged = _merged(node)
        return None if merged is None else replaced(merged, _selected)
    return None


def _merged(node: If) -> If | None:
    """`if (a) s else if (b) s`, or `if (a) if (b) s`, as one `if`; None where it is neither, or `b` is not at hand."""
    then, otherwise = _only(node.then), _only(node.otherwise)
    if isinstance(otherwise, If) and same(then, _only(otherwise.then)):
        condition = _whole("||", node.condition, otherwise.condition)
        return None if condition is None else If(condition, node.then, otherwise.otherwise, node.span)
    if isinstance(then, If) and otherwise is None and then.otherwise is None:
        condition = _whole("&&", node.condition, then.condition)
        return None if condition is None else If(condition, then.then, None, node.span)
    return None


def _only(stmt: Stmt | None) -> Stmt | None:
    """The statement in braces, where it is one."""
    return _only(stmt.items[0]) if isinstance(stmt, Block) and len(stmt.items) == 1 else stmt


def _decides_again(node: Ternary) -> bool:
    return isinstance(node.then, Ternary) or isinstance(node.otherwise, Ternary)


# ---- choices of choices ----------------------------------------------------------------------------------


def _joined(choices: Ternary) -> Ternary | None:
    """The choice that `choices` make between two values; None for more of them, or where a condition is not at hand."""
    first, *rest = _values(choices)
    others = [each for each in rest if not same(each, first)]
    if not others or not all(same(each, others[0]) for each in others[1:]):
        return None
    condition = _chooses(choices, first)
    if not isinstance(condition, Expr):
        return None
    return Ternary(condition, first, others[0], choices.type, choices.span)


def _values(choices: Expr) -> Iterator[Expr]:
    """The values between which `choices` choose, in textual order."""
    if isinstance(choices, Ternary):
        yield from _values(choices.then)
        yield from _values(choices.otherwise)
    else:
        yield choices


def _chooses(choices: Expr, value: Expr) -> Expr | bool | None:
    """When `choices` choose `value`; None where what they ask later on is not at hand."""
    if not isinstance(choices, Ternary):
        return same(choices, value)
    condition = choices.condition
    then, otherwise = _chooses(choices.then, value), _chooses(choices.otherwise, value)
    if isinstance(then, bool) and then is otherwise:
        return None if has_effects(condition) else then
    if then is True:
        return _either(condition, otherwise)
    if then is False:
        return _also(negation(condition), otherwise)
    if otherwise is True:
        return _either(negation(condition), then)
    if otherwise is False:
        return _also(condition, then)
    return _either(_also(condition, then), _also(negation(condition), otherwise))


def _either(left: Expr | bool | None, right: Expr | bool | None) -> Expr | bool | None:
    """`left | right`, where `right` may be known not to hold."""
    if right is False:
        return left
    return _whole("||", left, right) if isinstance(left, Expr) and isinstance(right, Expr) else None


def _also(left: Expr, right: Expr | bool | None) -> Expr | None:
    """`left & right`, where `right` may be known to hold."""
    if right is True:
        return left
    return _whole("&&", left, right) if isinstance(right, Expr) else None


# ---- what is at hand -------------------------------------------------------------------------------------


def _whole(op: str, left: Expr, right: Expr) -> Binary | None:
    """`left op right` with both evaluated; None where C evaluates `right` on a condition and it is not at hand, and
    where `left` may write what `right` reads: C++ has no order for the two.
    """
    truths = _truth(left), _truth(right)
    operations = sum(isinstance(node, Binary | Unary | Call | Ternary) for node in walk(right))
    if truths[0] is None or truths[1] is None or operations > MOST_OPERATIONS or has_effects(left):
        return None
    if not _is_at_hand(right, _pointed(left)):
        return None
    return binary(_WHOLE[op], truths[0], truths[1])


def _truth(condition: Expr) -> Expr | None:
    """The condition as 0 or 1; None for a pointer, and for a floating value."""
    match condition:
        case Binary() if condition.op in TRUTHS:
            return condition
        case Binary(op="|" | "&") if _is_truth(condition.left) and _is_truth(condition.right):
            return condition
        case Unary(op="!"):
            return condition
    is_integer = isinstance(condition.type, Scalar) and condition.type.is_integer
    return binary("!=", condition, ZERO) if is_integer else None


def _is_truth(condition: Expr) -> bool:
    return _truth(condition) is condition


def _pointed(expr: Expr) -> Set[str]:
    """The pointers that are followed whenever `expr` is evaluated."""
    found: set[str] = set()
    pending = [expr]
    while pending:
        node = pending.pop()
        match node:
            case Dereference(operand=Name() as pointer):
                found.add(pointer.symbol.name)
            case Binary() if node.op in _WHOLE:
                pending.append(node.left)
            case Ternary():
                pending.append(node.condition)
            case Binary():
                pending += (node.left, node.right)
            case Unary() | Cast():
                pending.append(node.operand)
            case MemberOf():
                pending.append(node.base)
    return found


def _is_at_hand(expr: Expr, pointers: Set[str]) -> bool:
    """Whether evaluating `expr` is possible whatever its variables are, where `pointers` can be followed."""
    match expr:
        case IntLiteral() | FloatLiteral():
            return True
        case Name():
            return isinstance(expr.type, Scalar)
        case MemberOf() | Index() | Dereference():
            return _is_place(expr, pointers)
        case Cast():
            is_safe = is_floating(expr.type) or not is_floating(expr.operand.type)
            return is_safe and isinstance(expr.type, Scalar) and _is_at_hand(expr.operand, pointers)
        case Unary():
            return (expr.op != "-" or _is_total(expr)) and _is_at_hand(expr.operand, pointers)
        case Binary():
            is_safe = expr.op in (*TRUTHS, "&", "|", "^") or (expr.op in ("+", "-", "*") and _is_total(expr))
            return is_safe and _is_at_hand(expr.left, pointers) and _is_at_hand(expr.right, pointers)
        case Ternary():
            return all(_is_at_hand(each, pointers) for each in (expr.condition, expr.then, expr.otherwise))
        case Call():
            return expr.function in _CHEAP and all(_is_at_hand(each, pointers) for each in expr.arguments)
    return False


def _is_total(expr: Expr) -> bool:
    """Whether sums, differences and products of the type of `expr` have a value whatever is added."""
    return is_floating(expr.type) or (isinstance(expr.type, Scalar) and expr.type.kind == "uint")


def _is_place(expr: Expr, pointers: Set[str]) -> bool:
    """Whether `expr` is a variable, what one of `pointers` points to, or a part of these that there is."""
    match expr:
        case Name():
            return True
        case Dereference(operand=Name() as pointer):
            return pointer.symbol.name in pointers
        case MemberOf():
            return _is_place(expr.base, pointers)
        case Index(index=IntLiteral() as index) if isinstance(expr.base.type, ArrayType):
            extent = expr.base.type.extent
            is_inside = isinstance(extent, IntLiteral) and 0 <= index.value < extent.value
            return is_inside and _is_place(expr.base, pointers)
    return False
