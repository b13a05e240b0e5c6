"""Typed C expressions as piecewise affine functions and sets.

C truncates where isl floors, and unsigned or narrow arithmetic wraps where isl does not.  Both are
settled here: a division becomes a floor only where its operand is proved to be non-negative, and what
might wrap raises `NotAffine`.  Sums, differences and products of one unsigned type are judged as a whole, for
what wraps inside comes back: `y + j - 1` of a `size_t y` and a negative `int j`.  Signed overflow is undefined in
C and taken not to occur.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

import islpy as isl

from pencilc import islx
from pencilc.ir.source import (
    Binary,
    Call,
    Cast,
    CType,
    Expr,
    Function,
    Index,
    IntLiteral,
    MemberOf,
    Name,
    Return,
    Scalar,
    Symbol,
    Ternary,
    Unary,
)
from pencilc.poly.model.products import Factors, terms_of
from pencilc.poly.model.quotients_of_params import OPERATORS
from pencilc.poly.model.substitute import substitute
from pencilc.records import dataclass

_COMPARISONS = {"<": "lt_set", "<=": "le_set", ">": "gt_set", ">=": "ge_set", "==": "eq_set", "!=": "ne_set"}
_MINIMA = frozenset({"min", "imin", "lmin"})
_MAXIMA = frozenset({"max", "imax", "lmax"})
_CLAMPS = frozenset({"clamp", "iclamp", "clampi"})
_RING = ("+", "-", "*")
MAY_WRAP = "unsigned arithmetic that may wrap"
_NO_SUM = "it is no sum of counters and sizes times numbers"
_LARGEST_FACTOR = 2**31
# Up to so much may the product of a divisor and a factor of what is divided be that have nothing in common.
_LARGEST_UNRELATED = 2**20
_MAX_PIECES = 64
# Quotients and remainders that one value is made of: with more of them isl looks for its bounds for minutes.
_MAX_DIVISIONS = 6
# A value that is less than so many times a size is one of so many expressions, divided by it.
_MOST_TURNS = 3


class NotAffine(Exception):
    """The expression has no affine meaning here; the text says why."""


def type_range(ctype: CType) -> tuple[int, int]:
    """The least and the greatest value of an integer type."""
    if not isinstance(ctype, Scalar) or not ctype.is_integer:
        raise NotAffine("not an integer")
    if ctype.kind == "bool":
        return 0, 1
    bits = 8 * ctype.size
    return (0, 2**bits - 1) if ctype.kind == "uint" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def keeps_values(source: CType, target: CType) -> bool:
    """Whether every value of the scalar type `source` is one of `target`."""
    if not isinstance(source, Scalar) or not isinstance(target, Scalar):
        return False
    if source.is_integer and target.is_integer:
        least, greatest = type_range(source)
        low, high = type_range(target)
        return low <= least and greatest <= high
    return source.kind == target.kind == "float" and source.size <= target.size


@dataclass(frozen=True, slots=True, eq=False)
class AffineContext:
    """Where an expression stands.

    `where` is the set of iterations { [i, j] }, `proof` bounds parameters by the ranges of their types
    (used in proofs only, to keep huge constants out of the model), `positions` maps iterators to
    dimensions, `params` are the names of the isl parameters, `values` maps single-assignment scalars and
    constants to the expression they stand for, and `functions` the helpers with a body.  Without `divisions`
    what divides a value of the iterators is not affine.  `products`: the parameters that are products of others.
    `modulo`: the unsigned type in which the value is an operand of a sum, a difference or a product, which may wrap.
    """

    where: isl.Set
    proof: isl.Set
    positions: Mapping[str, int]
    params: Mapping[str, Symbol]
    values: Mapping[str, Expr]
    functions: Mapping[str, Function]
    divisions: bool = True
    products: Mapping[Factors, str] = field(default_factory=dict)
    modulo: CType | None = None

    def within(self, where: isl.Set) -> AffineContext:
        """The same context on fewer iterations."""
        return replace(self, where=where)

    def wrapping(self, ctype: CType | None) -> AffineContext:
        """The same context for a value that is only wanted modulo the range of an unsigned type, None for no such."""
        return self if ctype == self.modulo else replace(self, modulo=ctype)


def affine(expr: Expr, context: AffineContext) -> isl.PwAff:
    """`expr` as a function of the iterators and parameters; raises NotAffine.

    Example: with `where` = [n] -> { [i] : 0 <= i < n }, `(i + 1) % 4` is { [i] -> [(i + 1) mod 4] }.
    """
    result = _dispatch(expr, context)
    if result.n_piece() > _MAX_PIECES:
        raise NotAffine("too many cases")
    return result


def _dispatch(expr: Expr, context: AffineContext) -> isl.PwAff:
    if isinstance(expr, IntLiteral):
        return islx.constant(context.where, expr.value)
    if isinstance(expr, Name):
        return _name(expr, context)
    if isinstance(expr, Cast):
        inner = context.wrapping(context.modulo if expr.operand.type == context.modulo else None)
        return _converted(affine(expr.operand, inner), expr.operand.type, expr.type, context)
    if isinstance(expr, Unary):
        return _unary(expr, context)
    if isinstance(expr, Binary) and expr.op in _RING:
        return _sum_or_product(expr, context)
    context = context.wrapping(None)
    if isinstance(expr, Binary):
        return _binary(expr, context)
    if isinstance(expr, Ternary):
        return _select(condition(expr.condition, context), expr.then, expr.otherwise, context)
    if isinstance(expr, Call):
        return _call(expr, context)
    raise NotAffine("it depends on data" if isinstance(expr, Index | MemberOf) else _NO_SUM)


def _name(expr: Name, context: AffineContext) -> isl.PwAff:
    name = expr.symbol.name
    if name in context.positions:
        return islx.variable(context.where, context.positions[name])
    if name in context.params:
        return islx.parameter(context.where, islx.mangle(name))
    if name in context.values:
        return affine(context.values[name], context.wrapping(None if expr.type != context.modulo else context.modulo))
    raise NotAffine(f"`{expr.symbol.spelling}` is neither an iterator nor a parameter of the region")


def _unary(expr: Unary, context: AffineContext) -> isl.PwAff:
    if expr.op == "!":
        return _indicator(condition(expr, context.wrapping(None)), context)
    operand = affine(expr.operand, context.wrapping(expr.type if is_modular(expr.type) else None))
    if expr.op in ("+", "-"):
        operand = operand if expr.op == "+" else operand.neg()
        return _checked(operand, expr.type, context)
    raise NotAffine(f"`{expr.op}` makes it no sum of counters and sizes times numbers")


def _sum_or_product(expr: Binary, context: AffineContext) -> isl.PwAff:
    if expr.op == "*":
        product = _product_of_params(expr, context)
        if product is not None:
            return product
    inner = context.wrapping(expr.type if is_modular(expr.type) else None)
    left, right = affine(expr.left, inner), affine(expr.right, inner)
    _refuse_many_divisions(left, right)
    if expr.op == "+":
        return _checked(left.add(right), expr.type, context)
    if expr.op == "-":
        return _checked(left.sub(right), expr.type, context)
    if not (left.is_cst() or right.is_cst()):
        raise NotAffine("product of two variables")
    factor = islx.constant_value(left if left.is_cst() else right)
    if factor is not None and abs(factor) > _LARGEST_FACTOR and not (left.is_cst() and right.is_cst()):
        raise NotAffine(f"a factor of {factor}")  # Dependences between multiples of such take hours.
    return _checked(left.mul(right), expr.type, context)


def _binary(expr: Binary, context: AffineContext) -> isl.PwAff:
    if expr.op in _COMPARISONS or expr.op in ("&&", "||"):
        return _indicator(condition(expr, context), context)
    quotient = _product_of_params(expr, context) if expr.op in OPERATORS else None
    if quotient is not None:
        return quotient
    left, right = affine(expr.left, context), affine(expr.right, context)
    _refuse_many_divisions(left, right)
    value = islx.constant_value(right)
    if value is None:
        turns = _by_turns(expr.op, left, right, context) if expr.op in ("/", "%") else None
        if turns is None:
            raise NotAffine(f"right side of `{expr.op}` is not a constant")
        return turns
    return _by_constant(expr.op, left, value, expr.type, context)


def _by_turns(op: str, left: isl.PwAff, right: isl.PwAff, context: AffineContext) -> isl.PwAff | None:
    """`left op right` for a size, where `left` is less than a few of it: `(i + 1) % n` is `i + 1`, or 0 for the last.

    None where that is not known, or where it is data in this region.
    """
    iterators = left.dim(isl.dim_type.in_)
    if not context.divisions and left.involves_dims(isl.dim_type.in_, 0, iterators):
        return None
    turns = turns_of(left, right, context)
    if not turns:
        return None
    zero = islx.constant(context.where, 0)
    # What is negative is none of the size, and stays as it is.
    found = (left if op == "%" else zero).intersect_domain(left.lt_set(right))
    for k in range(1, turns):
        behind = right.scale_val(isl.Val(k))
        there = behind.le_set(left).intersect(left.lt_set(behind.add(right)))
        value = left.sub(behind) if op == "%" else islx.constant(context.where, k)
        found = found.union_add(value.intersect_domain(there))
    return found.intersect_domain(context.where).coalesce()


def turns_of(left: isl.PwAff, right: isl.PwAff, context: AffineContext) -> int:
    """How many times the size `right` is more than `left`, which may be negative by less than it; 0 if unknown."""
    one = islx.constant(context.where, 1)
    if not holds(right, one, "lt_set", context) or not holds(left, right.neg(), "le_set", context):
        return 0
    sizes = ((k, right.scale_val(isl.Val(k))) for k in range(1, _MOST_TURNS + 1))
    return next((k for k, size in sizes if holds(left, size, "ge_set", context)), 0)


def _refuse_many_divisions(left: isl.PwAff, right: isl.PwAff) -> None:
    if _divisions(left) + _divisions(right) > _MAX_DIVISIONS:
        raise NotAffine(f"more than {_MAX_DIVISIONS} quotients and remainders")


def _product_of_params(expr: Binary, context: AffineContext) -> isl.PwAff | None:
    """A product of parameters as a sum of those that stand for products; None where it is none of such."""
    terms = terms_of(expr, context.params, context.values) if context.products else None
    if terms is None or all(len(names) < 2 and set(names) <= context.params.keys() for names, _ in terms):
        return None
    found = islx.constant(context.where, 0)
    for factors, coefficient in terms.items():
        names, _ = factors
        name = names[0] if len(names) == 1 and names[0] in context.params else context.products.get(factors)
        if (names and name is None) or abs(coefficient) > _LARGEST_FACTOR:
            return None
        one = islx.constant(context.where, 1) if name is None else islx.parameter(context.where, islx.mangle(name))
        found = found.add(one.scale_val(isl.Val(coefficient)))
    return _checked(found, expr.type, context)


def _divisions(function: isl.PwAff) -> int:
    """The most divisions that a piece of `function` has."""
    return max((piece.dim(isl.dim_type.div) for _, piece in function.get_pieces()), default=0)


def _by_constant(op: str, left: isl.PwAff, value: int, ctype: CType, context: AffineContext) -> isl.PwAff:
    """`left op value` for the operators that want a constant on the right."""
    if op in ("/", "%") and value > 0:
        return _divide(op, left, value, context)
    if op == "<<" and 0 <= value <= 31 and _is_non_negative(left, context):
        return _checked(left.scale_val(isl.Val(2**value)), ctype, context)
    if op == ">>" and 0 <= value < 63 and _is_non_negative(left, context):
        return _divide("/", left, 2**value, context)
    if op == "&" and value >= 0 and (value & (value + 1)) == 0 and _is_non_negative(left, context):
        return _divide("%", left, value + 1, context)
    raise NotAffine(f"`{op}` by {value} makes it no sum of counters and sizes times numbers")


def _divide(op: str, left: isl.PwAff, value: int, context: AffineContext) -> isl.PwAff:
    """C division: a floor where `left` is non-negative, else one piece for each sign."""
    if not context.divisions and left.involves_dims(isl.dim_type.in_, 0, left.dim(isl.dim_type.in_)):
        raise NotAffine(f"`{op}` of iterators is data in this region, whose divisions are too many")
    if _is_hash(left, value):
        raise NotAffine(f"`{op}` by {value} of what has factors that are unrelated to it")
    divisor = isl.Val(value)
    if _is_non_negative(left, context):
        return left.scale_down_val(divisor).floor() if op == "/" else left.mod_val(divisor)
    by = islx.constant(context.where, value)
    return left.tdiv_q(by) if op == "/" else left.tdiv_r(by)


def _is_hash(left: isl.PwAff, value: int) -> bool:
    """Whether `left / value` and `left % value` scatter: `i * 977 % 40000`, `i % 64 * 7 % 40`.

    Such values are as good as data: nothing useful follows from them, and isl may look for it for hours.  Factors that
    divide the divisor, or are multiples of it, are those of blocks and of layouts: `i / 8 % 4`, `i % 32 / 4`.
    """
    for _, piece in left.get_pieces():
        remainders = islx.factors(piece, isl.dim_type.div)
        if any(_is_unrelated(factor, value) for factor in remainders):
            return True
        for kind in (isl.dim_type.in_, isl.dim_type.param):
            large = (factor for factor in islx.factors(piece, kind) if factor * value > _LARGEST_UNRELATED)
            if any(_is_unrelated(factor, value) for factor in large):
                return True
    return False


def _is_unrelated(factor: int, divisor: int) -> bool:
    """Whether neither is a multiple of the other."""
    return factor != 0 and factor % divisor != 0 and divisor % factor != 0


def _is_non_negative(function: isl.PwAff, context: AffineContext) -> bool:
    return holds(function, islx.constant(context.where, 0), "lt_set", context)


def holds(function: isl.PwAff, limit: isl.PwAff, violation: str, context: AffineContext) -> bool:
    """No iteration where `function violation limit`; the ranges of the parameters' types are used."""
    bad: isl.Set = getattr(function, violation)(limit)
    return bool(bad.intersect(context.where).intersect_params(context.proof).is_empty())


def _fits(function: isl.PwAff, ctype: CType, context: AffineContext) -> bool:
    low, high = type_range(ctype)
    where = context.where
    return holds(function, islx.constant(where, low), "lt_set", context) and holds(
        function, islx.constant(where, high), "gt_set", context
    )


def _checked(function: isl.PwAff, ctype: CType, context: AffineContext) -> isl.PwAff:
    """`function`, the result of an operation in `ctype`; unsigned and narrow results must fit."""
    if ctype == context.modulo or (isinstance(ctype, Scalar) and ctype.kind == "int" and ctype.size >= 4):
        return function
    if not _fits(function, ctype, context):
        raise NotAffine(MAY_WRAP)
    return function


def _converted(function: isl.PwAff, source: CType, target: CType, context: AffineContext) -> isl.PwAff:
    """A conversion between integer types that keeps the value; raises NotAffine where that is not sure."""
    low, high = type_range(source)
    least, greatest = type_range(target)
    if isinstance(target, Scalar) and target.kind == "bool":
        return _indicator(function.ne_set(islx.constant(context.where, 0)), context)
    if (least <= low and high <= greatest) or target == context.modulo or _fits(function, target, context):
        return function
    raise NotAffine("conversion that may change the value")


def is_modular(ctype: CType) -> bool:
    """Whether C computes in this type modulo its range: unsigned ones that it does not promote."""
    return isinstance(ctype, Scalar) and ctype.kind == "uint" and ctype.size >= 4


def _indicator(truth: isl.Set, context: AffineContext) -> isl.PwAff:
    """1 on `truth`, 0 elsewhere."""
    one, zero = islx.constant(context.where, 1), islx.constant(context.where, 0)
    return one.intersect_domain(truth).union_add(zero.intersect_domain(truth.complement()))


def _select(truth: isl.Set, then: Expr, otherwise: Expr, context: AffineContext) -> isl.PwAff:
    """`truth ? then : otherwise`; each side is judged only where it is evaluated."""
    falsity = truth.complement()
    yes = affine(then, context.within(context.where.intersect(truth)))
    no = affine(otherwise, context.within(context.where.intersect(falsity)))
    return yes.intersect_domain(truth).union_add(no.intersect_domain(falsity)).coalesce()


def _call(expr: Call, context: AffineContext) -> isl.PwAff:
    body = context.functions.get(expr.function)
    if body is not None:
        return affine(inline_expression(body, expr), context)
    type_range(expr.type)
    arguments = [affine(argument, context) for argument in expr.arguments]
    if expr.function in _MINIMA and len(arguments) == 2:
        return arguments[0].min(arguments[1])
    if expr.function in _MAXIMA and len(arguments) == 2:
        return arguments[0].max(arguments[1])
    if expr.function in _CLAMPS and len(arguments) == 3:
        return arguments[0].max(arguments[1]).min(arguments[2])
    if expr.function in ("abs", "labs") and len(arguments) == 1:
        return arguments[0].max(arguments[0].neg())
    raise NotAffine(f"call of `{expr.function}`")


def inline_expression(function: Function, call: Call) -> Expr:
    """The expression that a helper `T f(T a, T b) { return e; }` gives for the arguments of `call`."""
    items = function.body.items
    if len(items) != 1 or not isinstance(items[0], Return) or items[0].value is None:
        raise NotAffine(f"`{function.name}` is more than one expression")
    values = dict(zip((p.name for p in function.params), call.arguments, strict=False))
    return substitute(items[0].value, values)


def condition(expr: Expr, context: AffineContext) -> isl.Set:
    """The iterations of the whole space where `expr` is true; raises NotAffine.

    Example: `i > 0 && j != n` is [n] -> { [i, j] : i > 0 and j != n }.
    """
    if isinstance(expr, Cast) and _is_integer(expr.type) and _is_logical(expr.operand):
        return condition(expr.operand, context)
    if isinstance(expr, Unary) and expr.op == "!":
        return condition(expr.operand, context).complement()
    if isinstance(expr, Binary) and expr.op == "&&":
        left = condition(expr.left, context)
        return left.intersect(condition(expr.right, context.within(context.where.intersect(left))))
    if isinstance(expr, Binary) and expr.op == "||":
        left = condition(expr.left, context)
        rest = context.within(context.where.subtract(left))
        return left.union(condition(expr.right, rest)).coalesce()
    if isinstance(expr, Binary) and expr.op in _COMPARISONS:
        method = _COMPARISONS[expr.op]
        result: isl.Set = getattr(affine(expr.left, context), method)(affine(expr.right, context))
        return result
    value = affine(expr, context)
    return value.ne_set(islx.constant(context.where, 0))


def _is_integer(ctype: CType) -> bool:
    return isinstance(ctype, Scalar) and ctype.is_integer


def _is_logical(expr: Expr) -> bool:
    if isinstance(expr, Unary):
        return expr.op == "!"
    return isinstance(expr, Binary) and (expr.op in _COMPARISONS or expr.op in ("&&", "||"))
