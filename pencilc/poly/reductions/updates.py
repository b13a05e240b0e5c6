"""Plain statements that do to a variable what a reduction update does.

x += e;  x = e + x;  x -= e;  x *= e;  x |= e;          operators of C
x = x < e ? x : e;  if (e < x) x = e;  x = fminf(x, e);  minimum and maximum
x = op(x, e);                                             a function that does what an operator of C does
x = x && e;  x = e || x;                                  where evaluating `e` once more does no harm
if (c) x = 1;                                             a constant, given by any number of iterations or by none
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from pencilc.diagnostics.source import Span
from pencilc.ir.queries import is_given_elements, members_in, root, same, subscripts_in, without_conversions
from pencilc.ir.scop import FROM_OTHERS, OperatorKind
from pencilc.ir.source import (
    FLOAT,
    INT,
    SMALL_FLOATS,
    AddressOf,
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    CType,
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
    Scalar,
    Stmt,
    Ternary,
    Unary,
    walk,
)
from pencilc.ir.source_printer import print_expr
from pencilc.poly.model.affine import keeps_values, type_range
from pencilc.poly.reductions.operators import (
    bare,
    in_single_precision,
    kept_argument,
    recognise,
    unconverted,
)
from pencilc.records import dataclass

_ASSOCIATIVE = ("+", "*", "&", "|", "^")
_CALLS = {
    "min": OperatorKind.MIN, "max": OperatorKind.MAX, "imin": OperatorKind.MIN, "imax": OperatorKind.MAX,
    "fmin": OperatorKind.MIN, "fmax": OperatorKind.MAX, "fminf": OperatorKind.MIN, "fmaxf": OperatorKind.MAX,
}  # fmt: skip


# With `x < e ? x : e` a NaN replaces x, and is itself replaced by what comes next.
_NO_NUMBERS = "the result where an element is not a number"
# A floating constant that is no zero, and no infinity, in any type and with any rounding.
_LEAST_FLAG = 1e-30
_TRUTHS = ("<", "<=", ">", ">=", "==", "!=", "&&", "||")
# A comparison with its sides the other way round.
TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


@dataclass(frozen=True, slots=True)
class PlainUpdate:
    """`target = target op element`, with the element converted to the target's type.

    `call` is the function that does it, if the source calls one.  `reordered` says what changes when the updates
    are done in another order; it is empty where nothing does.  `guard`: what else has to hold for it.
    """

    target: Expr
    kind: OperatorKind
    element: Expr
    call: str
    reordered: str
    span: Span
    guard: Expr | None = None


@dataclass(frozen=True, slots=True)
class TakenElement:
    """`element < target` around `target = element;`: the element is taken where it is less, or greater.

    `kind`: of which of the two; `comparison` is `<`, `<=`, `>` or `>=` with the element on the left; `is_strict`: of
    equal elements the first one is taken.
    """

    target: Expr
    element: Expr
    kind: OperatorKind
    comparison: str
    is_strict: bool


@dataclass(frozen=True, slots=True)
class NoUpdate:
    """A statement that looks like an update of `target` but must stay as it is; `reason` says why."""

    target: Expr
    reason: str
    span: Span


def _is_turned(target: Expr, value: Expr) -> bool:
    """Whether an element is copied from the same subscripts in another order: `c[j][i] = c[i][j]`."""
    source = without_conversions(value)
    if not isinstance(source, Index) or not isinstance(target, Index) or root(source) is None:
        return False
    (one, other) = (sorted(map(print_expr, subscripts_in(each))) for each in (target, source))
    return one == other


def match_update(stmt: Stmt, functions: Mapping[str, Function]) -> PlainUpdate | NoUpdate | None:
    """The update that `stmt` is, why it is none, or None if it does not even look like one."""
    if isinstance(stmt, If):
        return _conditional(stmt)
    if not isinstance(stmt, Assign) or not isinstance(stmt.target, Name | Index | MemberOf):
        return None
    target = stmt.target
    if not isinstance(target.type, Scalar) or not mentions(stmt.value, target):
        return None
    if any(isinstance(n, Index) and mentions(n.index, target) for n in walk(target)):
        return NoUpdate(target, "its subscript reads it", stmt.span)
    if _is_turned(target, stmt.value):
        return None
    if not any(same(each, target) for each in walk(stmt.value)):
        return NoUpdate(target, FROM_OTHERS, stmt.span)
    found = _match(stmt, target.type, functions)
    if isinstance(found, str):
        return NoUpdate(target, found, stmt.span)
    if mentions(found.element, target):
        return NoUpdate(target, "the right side reads it again", stmt.span)
    return found


def _match(stmt: Assign, ctype: Scalar, functions: Mapping[str, Function]) -> PlainUpdate | str:
    value = unconverted(stmt.value, ctype)
    if isinstance(value, Cast):
        return "a floating value is added into an integer" if ctype.is_integer else "its new value is converted to it"
    if isinstance(value, Binary):
        return _arithmetic(stmt, ctype, value)
    if isinstance(value, Ternary):
        return _selection(stmt, ctype, value)
    if isinstance(value, Call) and len(value.arguments) == 2:
        return _called(stmt, ctype, value, functions)
    return "its new value is no operator of its old one and an element"


# ---- arithmetic ----------------------------------------------------------------------------------------


def _arithmetic(stmt: Assign, ctype: Scalar, value: Binary) -> PlainUpdate | str:
    operator = "+" if value.op == "-" else value.op
    if operator in ("&&", "||"):
        return _logical(stmt, ctype, value)
    if operator not in _ASSOCIATIVE:
        return f"`{value.op}` is not associative"
    if ctype.kind == "bool" and operator in ("+", "*"):
        return "arithmetic on `_Bool` is not associative"
    if isinstance(value.type, Scalar) and value.type.is_integer != ctype.is_integer:
        return "a floating value is added into an integer"
    terms = list(_terms(value, operator, False))
    mine = [k for k, (term, _) in enumerate(terms) if same(_unwrapped(term, ctype), stmt.target)]
    if not mine:
        return "its old value is no operand on its own on the right side"
    if len(mine) != 1 or terms[mine[0]][1]:
        return "its old value is subtracted, or stands more than once on the right side"
    others = [(term, minus) for k, (term, minus) in enumerate(terms) if k != mine[0]]
    if ctype.kind == "bool" and operator != "|" and not all(_is_truth(term) for term, _ in others):
        return f"`{value.op}` is done to a number before it becomes `_Bool`"
    if len(others) > 1 or others[0][1]:
        others = [(_in_its_type(term), minus) for term, minus in others]
    rest = [negated(term) if minus else term for term, minus in others]
    element = _joined(operator, rest, value.type, stmt.span)
    reordered = "" if ctype.is_integer else "rounding"
    return PlainUpdate(stmt.target, OperatorKind(operator), converted(element, ctype), "", reordered, stmt.span)


def _unwrapped(term: Expr, ctype: Scalar) -> Expr:
    """An operand of integer arithmetic whose result becomes a `ctype`, without conversions that change nothing there.

    `int s; s += u;` is `s = (int)((unsigned)s + u)`: the lowest 32 bits of sums and products follow from the lowest 32.
    """
    while isinstance(term, Cast) and ctype.is_integer and ctype.kind != "bool" and _holds_bits_of(term.type, ctype):
        term = term.operand
    return unconverted(term, None)


def _holds_bits_of(wide: CType, ctype: Scalar) -> bool:
    return isinstance(wide, Scalar) and wide.is_integer and wide.kind != "bool" and wide.size >= ctype.size


def _logical(stmt: Assign, ctype: Scalar, value: Binary) -> PlainUpdate | str:
    """`x && e`, `e && x`: as an operator on values that are 0 or 1, all of which are computed."""
    if not ctype.is_integer:
        return "a truth is no number of its type"
    terms = [term for term, _ in _terms(value, value.op, False)]
    mine = [k for k, term in enumerate(terms) if same(unconverted(term, None), stmt.target)]
    if len(mine) != 1:
        return "its old value is no operand on its own on the right side"
    if not all(_may_be_computed(term) for term in terms[mine[0] + 1 :]):
        return "its element is not evaluated once the result is certain"
    rest = [_truth(term) for k, term in enumerate(terms) if k != mine[0]]
    element = _joined(value.op, rest, INT, stmt.span)
    return PlainUpdate(stmt.target, OperatorKind(value.op), converted(element, ctype), "", "", stmt.span)


def _may_be_computed(expr: Expr) -> bool:
    """Whether an expression does no harm where the source would not evaluate it: nothing is read at a place that data
    choose, no function gets a place, and no integer is divided by one that may be zero.
    """
    for node in walk(expr):
        if isinstance(node, Binary) and node.op in ("/", "%"):
            whole = isinstance(node.type, Scalar) and node.type.is_integer
            if whole and not isinstance(unconverted(node.right, None), IntLiteral):
                return False
        if isinstance(node, Index) and any(isinstance(n, Index | Call) for n in walk(node.index)):
            return False
        if is_given_elements(node):
            return False
    return not any(isinstance(node, Dereference | AddressOf) for node in walk(expr))


def _is_truth(expr: Expr) -> bool:
    """Whether a value is 0 or 1."""
    expr = bare(expr)
    match expr:
        case Binary(op=op, left=left, right=right):
            return op in _TRUTHS or (op in ("&", "|", "^") and _is_truth(left) and _is_truth(right))
        case Unary(op="!"):
            return True
        case IntLiteral(value=value):
            return value in (0, 1)
    return isinstance(expr.type, Scalar) and expr.type.kind == "bool"


def _truth(expr: Expr) -> Expr:
    """An expression that is 1 where `expr` counts as true, else 0."""
    return expr if _is_truth(expr) else Binary("!=", expr, IntLiteral(0, INT, expr.span), INT, expr.span)


def match_flag(stmt: Stmt) -> PlainUpdate | None:
    """`x = 1;` as an update: a value that is given again and again is given once, in any order.

    0 is what `x & 0` is, true is `x | true`; another constant is the last of those that are not 0.
    """
    if not isinstance(stmt, Assign) or stmt.compound or not isinstance(stmt.target, Name | Index | MemberOf):
        return None
    ctype, value = stmt.target.type, number_of(stmt.value)
    if not isinstance(ctype, Scalar) or ctype in SMALL_FLOATS or value is None:
        return None
    if ctype.is_integer:
        low, high = type_range(ctype)
        if not isinstance(value, int) or not low <= value <= high:
            return None
    elif not _LEAST_FLAG <= abs(value) <= 1 / _LEAST_FLAG:
        return None
    kind = OperatorKind.SET
    if ctype.is_integer and value == 0:
        kind = OperatorKind.BIT_AND
    elif ctype.kind == "bool":
        kind = OperatorKind.BIT_OR
    return PlainUpdate(stmt.target, kind, converted(stmt.value, ctype), "", "", stmt.span)


def _chosen_flag(stmt: Assign, ctype: Scalar, value: Ternary) -> PlainUpdate | None:
    """`x = c ? 1 : x`, `x = c ? x : 0`: the constant, or what the operator leaves every value with."""
    takes = same(unconverted(value.otherwise, None), stmt.target)
    given = value.then if takes else value.otherwise
    if not takes and not same(unconverted(value.then, None), stmt.target):
        return None
    flag = match_flag(Assign(stmt.target, converted(given, ctype), stmt.span))
    if flag is None:
        return None
    all_ones = 1 if ctype.kind == "bool" else -1
    neutral = converted(IntLiteral(all_ones if flag.kind is OperatorKind.BIT_AND else 0, INT, stmt.span), ctype)
    then, otherwise = (flag.element, neutral) if takes else (neutral, flag.element)
    return replace(flag, element=Ternary(value.condition, then, otherwise, ctype, stmt.span))


def number_of(expr: Expr) -> int | float | None:
    """The value of a constant that is written down, without conversions that change it."""
    match expr:
        case Cast(operand=operand):
            return number_of(operand) if keeps_values(operand.type, expr.type) or expr.implicit else None
        case Unary(op="-", operand=operand):
            value = number_of(operand)
            return None if value is None else -value
        case IntLiteral(value=value):
            return value
        case FloatLiteral(text=text) if not text.startswith(("0x", "0X")):
            return float(text.rstrip("fFlL"))
    return None


def _terms(expr: Expr, operator: str, minus: bool) -> list[tuple[Expr, bool]]:
    """The operands of a chain of one operator, and whether each is subtracted."""
    if isinstance(expr, Binary) and (expr.op == operator or (operator == "+" and expr.op == "-")):
        right_minus = minus != (expr.op == "-")
        return [*_terms(expr.left, operator, minus), *_terms(expr.right, operator, right_minus)]
    return [(expr, minus)]


def _joined(operator: str, terms: Sequence[Expr], ctype: CType, span: Span) -> Expr:
    """The chain of one operator whose operands these are."""
    joined = terms[0]
    for term in terms[1:]:
        joined = Binary(operator, joined, term, ctype, span)
    return joined


def _in_its_type(term: Expr) -> Expr:
    """A term whose conversion to the type that it is computed in stays where another operand has no such type."""
    promoted = isinstance(term, Cast) and term.type == INT and keeps_values(term.operand.type, INT)
    return replace(term, implicit=False) if isinstance(term, Cast) and not promoted else term


def negated(expr: Expr) -> Expr:
    """`-expr`."""
    return Unary("-", expr, expr.type, expr.span)


def converted(expr: Expr, ctype: Scalar) -> Expr:
    """`expr` as a value of `ctype`."""
    return expr if expr.type == ctype else Cast(expr, ctype, expr.span, True)


# ---- minimum and maximum -------------------------------------------------------------------------------


def _selection(stmt: Assign, ctype: Scalar, value: Ternary) -> PlainUpdate | str:
    test = value.condition
    sides = _sides(test, stmt.target)
    if sides is None or not isinstance(test, Binary):
        flag = _chosen_flag(stmt, ctype, value)
        return flag or "its new value is chosen by another condition than a comparison with the element"
    element, element_first = sides
    then, otherwise = unconverted(value.then, None), unconverted(value.otherwise, None)
    keeps = same(otherwise, stmt.target) and same(then, element)
    if not keeps and not (same(then, stmt.target) and same(otherwise, element)):
        return "its new value is neither its old one nor the element"
    reordered = "" if ctype.is_integer or keeps else _NO_NUMBERS
    return _chosen(stmt, ctype, test.op, element, element_first, keeps, reordered)


def _conditional(stmt: If) -> PlainUpdate | NoUpdate | None:
    """`if (e < x) x = e;`, `if (valid && e < x) x = e;`"""
    inner = stmt.then
    while isinstance(inner, Block) and len(inner.items) == 1:
        inner = inner.items[0]
    if stmt.otherwise is not None or not isinstance(inner, Assign) or not isinstance(inner.target.type, Scalar):
        return None
    if not mentions(stmt.condition, inner.target):
        return None
    test, guard = guarded(stmt.condition, inner.target)
    sides = _sides(test, inner.target)
    if sides is None or not isinstance(test, Binary) or not same(unconverted(inner.value, inner.target.type), sides[0]):
        return NoUpdate(inner.target, "the condition of the update reads it", stmt.span)
    found = _chosen(inner, inner.target.type, test.op, sides[0], sides[1], True, "")
    return NoUpdate(inner.target, found, stmt.span) if isinstance(found, str) else replace(found, guard=guard)


def guarded(condition: Expr, target: Expr) -> tuple[Expr, Expr | None]:
    """The comparison with `target` that a condition has, and what else it asks for; itself, if there is no such one."""
    terms = [term for term, _ in _terms(condition, "&&", False)]
    mine = [k for k, term in enumerate(terms) if mentions(term, target)]
    if len(terms) == 1 or len(mine) != 1 or not all(_may_be_computed(term) for term in terms[mine[0] + 1 :]):
        return condition, None
    others = [term for k, term in enumerate(terms) if k != mine[0]]
    return terms[mine[0]], _joined("&&", others, INT, condition.span)


def alternatives(test: Expr) -> Iterator[tuple[Expr, Expr | None]]:
    """A comparison, and what stands beside it in `a || b`, either way."""
    inner = unconverted(test, None)
    if isinstance(inner, Binary) and inner.op == "||":
        left, right = unconverted(inner.left, None), unconverted(inner.right, None)
        yield right, left
        yield left, right
    else:
        yield test, None


def compared(test: Expr, stmt: Assign) -> TakenElement | None:
    """The comparison that `test` is, if it says whether `stmt` takes the element that its variable is compared with."""
    if not isinstance(stmt.target, Name | Index | MemberOf) or not isinstance(stmt.target.type, Scalar):
        return None
    sides = _sides(test, stmt.target)
    if sides is None or not isinstance(test, Binary) or not same(unconverted(stmt.value, stmt.target.type), sides[0]):
        return None
    update = _chosen(stmt, stmt.target.type, test.op, sides[0], sides[1], True, "")
    if isinstance(update, str):
        return None
    comparison = test.op if sides[1] else TURNED[test.op]
    return TakenElement(stmt.target, update.element, update.kind, comparison, "=" not in comparison)


def _sides(test: Expr, target: Expr) -> tuple[Expr, bool] | None:
    """What `target` is compared with, and whether that stands on the left."""
    if not isinstance(test, Binary) or test.op not in ("<", "<=", ">", ">="):
        return None
    left, right = unconverted(test.left, None), unconverted(test.right, None)
    if same(right, target):
        return left, True
    return (right, False) if same(left, target) else None


def _chosen(
    stmt: Assign, ctype: Scalar, comparison: str, element: Expr, element_first: bool, takes: bool, reordered: str
) -> PlainUpdate | str:
    """`comparison` holds between the sides; `takes`: then the element is taken, else the old value stays."""
    source = element.type
    if not isinstance(source, Scalar) or source.is_integer != ctype.is_integer:
        return "it is compared with a value of another kind"
    if source != ctype and not keeps_values(source, ctype):
        exact = in_single_precision(element) if ctype == FLOAT else None
        if exact is None:
            return "the comparison converts it to another type"
        element = exact
    if mentions(element, stmt.target):
        return "the element reads it"
    smaller_left = comparison in ("<", "<=")
    smallest = smaller_left == (element_first == takes)
    kind = OperatorKind.MIN if smallest else OperatorKind.MAX
    return PlainUpdate(stmt.target, kind, converted(element, ctype), "", reordered, stmt.span)


def _called(stmt: Assign, ctype: Scalar, value: Call, functions: Mapping[str, Function]) -> PlainUpdate | str:
    left, right = (unconverted(argument, None) for argument in value.arguments)
    if not same(left, stmt.target) and not same(right, stmt.target):
        return "the function that changes it gets it inside of an expression"
    element = right if same(left, stmt.target) else left
    function = functions.get(value.function)
    if function is None:
        kind = _CALLS.get(value.function)
        whole = isinstance(element.type, Scalar) and element.type.is_integer == ctype.is_integer
        if kind is None or not whole:
            return f"`{value.function}` does nothing that is known to be associative"
        if ctype.is_integer and value.type != ctype and not keeps_values(element.type, ctype):
            # Of integers the conversion back wraps, so that the smaller value may become the greater one.
            return f"`{value.function}` compares values that are none of its type"
        return _called_choice(stmt, ctype, value, functions, kind, element)
    kind = recognise(value.function, functions).recognised
    exact = [function.returns, *(p.type for p in function.params)] == [ctype] * 3
    if kind is None or not exact:
        return f"`{value.function}` does nothing that is known to be associative"
    if kind in (OperatorKind.MIN, OperatorKind.MAX):
        return _called_choice(stmt, ctype, value, functions, kind, element)
    rounds = kind in (OperatorKind.ADD, OperatorKind.MUL) and not ctype.is_integer
    reordered = "rounding" if rounds else ""
    return PlainUpdate(stmt.target, kind, converted(element, ctype), value.function, reordered, stmt.span)


def _called_choice(
    stmt: Assign, ctype: Scalar, value: Call, functions: Mapping[str, Function], kind: OperatorKind, element: Expr
) -> PlainUpdate:
    """A call of a function that chooses the smaller or the greater of the old value and `element`."""
    kept = None if ctype.is_integer else kept_argument(value.function, functions)
    if kept is None:
        return PlainUpdate(stmt.target, kind, converted(element, ctype), value.function, "", stmt.span)
    old = 0 if same(unconverted(value.arguments[0], None), stmt.target) else 1
    # Operators get the old value first. A function that gets it second is not called: it would keep the other one.
    call, reordered = value.function if old == 0 else "", "" if kept == old else _NO_NUMBERS
    return PlainUpdate(stmt.target, kind, converted(element, ctype), call, reordered, stmt.span)


def applied(update: PlainUpdate, a: Expr, b: Expr, ctype: Scalar) -> Expr:
    """What the operator of an update returns for its old value `a` and the element `b`."""
    span = update.span
    if update.call:
        return Call(update.call, (a, b), ctype, span)
    if update.kind is OperatorKind.SET:
        return Ternary(b, b, a, ctype, span)
    wide = INT if ctype.is_integer and ctype.size < INT.size else ctype
    left, right = converted(a, wide), converted(b, wide)
    if update.kind in (OperatorKind.MIN, OperatorKind.MAX):
        comparison = "<" if update.kind is OperatorKind.MIN else ">"
        taken, kept, first, second = (b, a, right, left) if not update.reordered else (a, b, left, right)
        return Ternary(Binary(comparison, first, second, INT, span), taken, kept, ctype, span)
    return converted(Binary(update.kind.value, left, right, wide, span), ctype)


# ---- comparing expressions -----------------------------------------------------------------------------


def never_meet(left: Sequence[Expr], right: Sequence[Expr]) -> bool:
    """Whether two lists of subscripts name different elements for certain: constants that differ."""
    return _apart(constants(left), constants(right))


def constants(subscripts: Sequence[Expr]) -> tuple[int | None, ...]:
    """The values of subscripts that are literals; None for the others."""
    return tuple(s.value if isinstance(s, IntLiteral) else None for s in subscripts)


@dataclass(frozen=True, slots=True)
class ElementName:
    """A part of a variable, as far as the text tells it: members, and subscripts that are literals."""

    variable: str
    path: tuple[str, ...]
    constants: tuple[int | None, ...]


def element_of(target: Expr) -> ElementName:
    """What an lvalue that is a variable, or a part of one, names."""
    variable = root(target)
    assert variable is not None
    return ElementName(variable.symbol.name, members_in(target), constants(subscripts_in(target)))


def may_meet(left: ElementName, right: ElementName) -> bool:
    """Whether two parts of variables may be one, or one a part of the other."""
    shorter = min(len(left.path), len(right.path))
    if left.variable != right.variable or left.path[:shorter] != right.path[:shorter]:
        return False
    return not _apart(left.constants, right.constants)


_Item = TypeVar("_Item")


class ByElement(Generic[_Item]):
    """Things by the elements of variables that they are about: those that may meet are found without a search."""

    def __init__(self) -> None:
        self._count = 0
        # By variable and the first subscript, which is None where there is none or it is no literal.
        self._places: dict[str, dict[int | None, list[tuple[int, ElementName, _Item]]]] = {}

    def add(self, element: ElementName, item: _Item) -> None:
        """One more, behind all others."""
        first = element.constants[0] if element.constants else None
        self._places.setdefault(element.variable, {}).setdefault(first, []).append((self._count, element, item))
        self._count += 1

    def meeting(self, element: ElementName) -> list[tuple[ElementName, _Item]]:
        """Those of the same variable whose literal subscripts do not differ, in order."""
        places = self._places.get(element.variable, {})
        first = element.constants[0] if element.constants else None
        near = places.values() if first is None else (places.get(first, []), places.get(None, []))
        found = sorted((entry for place in near for entry in place), key=lambda entry: entry[0])
        return [(other, item) for _, other, item in found if not _apart(other.constants, element.constants)]


def _apart(left: Sequence[int | None], right: Sequence[int | None]) -> bool:
    return any(a is not None and b is not None and a != b for a, b in zip(left, right, strict=False))


def mentions(expr: Node, target: Expr) -> bool:
    """Whether `expr` reads a part of the variable that `target` is a part of, by the same members."""
    variable = root(target)
    if variable is None:
        return False
    path = members_in(target)
    for node in walk(expr):
        if isinstance(node, Name) and node.symbol.name == variable.symbol.name:
            whole = next((n for n in walk(expr) if isinstance(n, MemberOf | Index) and root(n) is node), node)
            mine = members_in(whole)
            shorter = min(len(mine), len(path))
            if mine[:shorter] == path[:shorter] and not never_meet(subscripts_in(whole), subscripts_in(target)):
                return True
    return False
