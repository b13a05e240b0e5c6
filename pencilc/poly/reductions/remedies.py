"""What to write instead: operators and inits by name, elements in their final form, ways to allow another order.

The texts in backticks can be pasted into the file: a function that the file has already goes by its name, another
one is given with its definition.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pencilc.ir.queries import counters_in, declared_in, mentions_any, plain_name, root
from pencilc.ir.rewrite import fresh_name, written_names
from pencilc.ir.scop import OperatorKind, Reduction, Scop
from pencilc.ir.source import (
    Binary,
    Call,
    Expr,
    FloatLiteral,
    For,
    ReductionUpdate,
    Scalar,
    Struct,
    Ternary,
    TranslationUnit,
    Unary,
    walk,
)
from pencilc.ir.source_printer import print_expr, spelled
from pencilc.poly.model.substitute import substitute
from pencilc.poly.reductions.operators import recognise, unconverted, value_of
from pencilc.poly.reductions.updates import PlainUpdate

_NAMES = {
    OperatorKind.ADD: "add", OperatorKind.MUL: "multiply", OperatorKind.MIN: "smaller", OperatorKind.MAX: "larger",
    OperatorKind.BIT_AND: "both", OperatorKind.BIT_OR: "either", OperatorKind.BIT_XOR: "differing",
    OperatorKind.AND: "all", OperatorKind.OR: "any",
}  # fmt: skip
_BODIES = {OperatorKind.MIN: "a < b ? a : b", OperatorKind.MAX: "a > b ? a : b"}
_BY_SYMBOL = {kind.value: kind for kind in OperatorKind}
_CALLS = {"min": OperatorKind.MIN, "fmin": OperatorKind.MIN, "max": OperatorKind.MAX, "fmax": OperatorKind.MAX}
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[fFlLuU]*"


@dataclass(frozen=True, slots=True)
class Helper:
    """A function to call: its name, and its definition where the file has none."""

    name: str
    definition: str

    @property
    def added(self) -> str:
        """`, and … before the function`, or nothing."""
        return f", and `{self.definition}` before the function" if self.definition else ""


def operator_for(kind: OperatorKind, ctype: Scalar, unit: TranslationUnit) -> Helper:
    """A function of the file that does `kind` to two values of `ctype`, or one to be added."""
    functions = {f.name: f for f in unit.functions}
    for function in unit.functions:
        if function.returns == ctype and recognise(function.name, functions).recognised is kind:
            return Helper(function.name, "")
    spelling, sign = re.escape(ctype.name), re.escape(kind.value)
    same = rf"\b{spelling}\s+(\w+)\s*\(\s*{spelling}\s+(\w+)\s*,\s*{spelling}\s+(\w+)\s*\)"
    body = rf"\s*\{{\s*return\s+(?:\2\s*{sign}\s*\3|\3\s*{sign}\s*\2)\s*;\s*\}}"
    if found := re.search(same + body, unit.file.text):
        return Helper(found.group(1), "")
    name = fresh_name(_NAMES[kind], set(re.findall(r"\w+", unit.file.text)))
    result = _BODIES.get(kind, f"a {kind.value} b")
    return Helper(name, f"static {ctype.name} {name}({ctype.name} a, {ctype.name} b) {{ return {result}; }}")


def init_for(kind: OperatorKind, ctype: Scalar, unit: TranslationUnit) -> Helper:
    """A function of the file that writes 0 (for sums) or 1 (for products) to a variable of `ctype`, or one to add."""
    identity = 0 if kind is OperatorKind.ADD else 1
    spelling = re.escape(ctype.name)
    pattern = rf"\bvoid\s+(\w+)\s*\(\s*{spelling}\s*\*\s*(\w+)\s*\)\s*\{{\s*\*\s*\2\s*=\s*({_NUMBER})\s*;\s*\}}"
    for found in re.finditer(pattern, unit.file.text):
        if float(found.group(3).rstrip("fFlLuU")) == identity:
            return Helper(found.group(1), "")
    name = fresh_name("zero" if identity == 0 else "one", set(re.findall(r"\w+", unit.file.text)))
    return Helper(name, f"static void {name}({ctype.name} *v) {{ *v = {identity}; }}")


# ---- plain sums and products in floating types -------------------------------------------------------------


def ways_to_reorder(updates: Sequence[PlainUpdate], loop: For, unit: TranslationUnit) -> list[tuple[str, ...]]:
    """How each floating sum or product of one variable in `loop` is allowed to be computed in another order."""
    helpers: dict[tuple[OperatorKind, Scalar], tuple[Helper, Helper]] = {}
    changed = None if any(isinstance(node, Call) for node in walk(loop.body)) else _changed_outside(loop)
    found = []
    for update in updates:
        assert isinstance(update.target.type, Scalar)
        key = update.kind, update.target.type
        if key not in helpers:
            helpers[key] = operator_for(*key, unit), init_for(*key, unit)
        found.append(_ways(update, loop, changed, *helpers[key]))
    return found


def _ways(update: PlainUpdate, loop: For, changed: set[str] | None, operator: Helper, init: Helper) -> tuple[str, ...]:
    """`changed`: what the loop changes of variables around it; None where that is not known."""
    target, line = spelled(update.target), loop.span.line
    start = "0" if update.kind is OperatorKind.ADD else "1"
    ways = ["`-fassociative-math` allows another order for all floating sums and products of the file"]
    variable = root(update.target)
    # Its iterations are independent but for that variable.
    if variable is not None and changed is not None and changed <= {variable.symbol.name}:
        listed = variable.symbol.spelling
        pragma = f"#pragma pencil independent reduction({update.kind.value}: {listed})"
        ways.append(f"or write `{pragma}` before the loop at line {line}")
    ways.append(
        f"or, where `{target}` starts from {start}, `__pencil_reduction_var_init(&{target}, {init.name});` before the "
        f"loop at line {line} and `__pencil_reduction(&{target}, {spelled(update.element)}, {operator.name});` in it"
        + init.added
        + operator.added
    )
    return tuple(ways)


def _changed_outside(loop: For) -> set[str]:
    """The variables that the loop writes but those that it declares."""
    return written_names(loop) - declared_in(loop) - counters_in(loop)


# ---- operators that depend on the order --------------------------------------------------------------------


def instead_of_operator(unit: TranslationUnit, scop: Scop, reduction: Reduction) -> tuple[str, ...]:
    """What to write where an operator is not associative or not commutative."""
    ctype = reduction.element_type
    if isinstance(ctype, Struct):
        return (
            "an operator joins two partial results of any size; where two are equally good, let an index decide, and "
            "bring each element to its final form before it is combined",
        )
    split = _element_of(scop, reduction)
    update = scop.statement(reduction.updates[0]).body
    if split is None or not isinstance(update, ReductionUpdate) or not isinstance(ctype, Scalar):
        return (
            "an operator joins two partial results of any size: do what concerns one element to the element, in the "
            "second argument of `__pencil_reduction`, and what concerns the result behind the loop",
        )
    kind, element = split
    operator = operator_for(kind, ctype, unit)
    code = f"__pencil_reduction(&{spelled(update.variable)}, {spelled(element)}, {operator.name});"
    return (f"bring each element to its final form first: write `{code}`{operator.added}",)


def has_none(scop: Scop, reduction: Reduction) -> bool:
    """Whether the operator treats its operands differently, so that no value is its identity."""
    return _element_of(scop, reduction) is not None


def _element_of(scop: Scop, reduction: Reduction) -> tuple[OperatorKind, Expr] | None:
    """`(kind, g(element))` for an operator `op(a, b)` that does `kind` to `a` and `g(b)`; None for any other."""
    functions = {f.name: f for f in scop.functions}
    function = functions.get(reduction.operator.function)
    update = scop.statement(reduction.updates[0]).body
    value = None if function is None else value_of(function)
    if function is None or value is None or not isinstance(update, ReductionUpdate):
        return None
    a, b = (p.name for p in function.params)
    split = _split(unconverted(value, function.returns), a)
    if split is None or not isinstance(function.returns, Scalar):
        return None
    kind, element = split
    if kind in (OperatorKind.BIT_AND, OperatorKind.BIT_OR, OperatorKind.BIT_XOR) and not function.returns.is_integer:
        return None
    return kind, substitute(element, {b: update.element})


def _split(value: Expr, a: str) -> tuple[OperatorKind, Expr] | None:
    """`value` as an operator on `a` and something without `a`."""
    if isinstance(value, Binary):
        return _split_binary(value, a)
    if isinstance(value, Call) and len(value.arguments) == 2:
        kind = _CALLS.get(value.function.removesuffix("f"))
        rest = _without(*value.arguments, a)
        return None if kind is None or rest is None else (kind, rest)
    if isinstance(value, Ternary) and isinstance(value.condition, Binary):
        return _split_selection(value, value.condition, a)
    return None


def _split_binary(value: Binary, a: str) -> tuple[OperatorKind, Expr] | None:
    left, right = value.left, value.right
    is_apart = not mentions_any(right, a)
    if value.op in ("+", "-", "/") and isinstance(left, Binary) and mentions_any(left, a) and is_apart:
        inner = _split_binary(left, a)
        if inner is None or value.op == "/" or inner[0] is not OperatorKind.ADD:
            return None
        return OperatorKind.ADD, Binary(value.op, inner[1], right, value.type, value.span)
    if value.op == "-" and plain_name(left) == a and is_apart:
        return OperatorKind.ADD, Unary("-", right, right.type, right.span)
    if value.op == "/" and plain_name(left) == a and is_apart and not _is_integer(value):
        one = FloatLiteral("1.0f" if value.type.size == 4 else "1.0", value.type, value.span)
        return OperatorKind.MUL, Binary("/", one, right, value.type, value.span)
    kind = _BY_SYMBOL.get(value.op)
    rest = _without(left, right, a)
    return None if kind is None or rest is None else (kind, rest)


def _split_selection(value: Ternary, test: Binary, a: str) -> tuple[OperatorKind, Expr] | None:
    """`a > g ? a : g`."""
    rest = _without(value.then, value.otherwise, a)
    sides = {print_expr(test.left), print_expr(test.right)}
    if rest is None or test.op not in ("<", "<=", ">", ">=") or {print_expr(rest), a} != sides:
        return None
    smaller_first = test.op in ("<", "<=")
    smallest = smaller_first == (print_expr(value.then) == print_expr(test.left))
    return (OperatorKind.MIN if smallest else OperatorKind.MAX), rest


def _without(left: Expr, right: Expr, a: str) -> Expr | None:
    """The other one of two operands, of which exactly one is `a` and the other does not mention it."""
    for one, other in ((left, right), (right, left)):
        if plain_name(one) == a and not mentions_any(other, a):
            return other
    return None


def _is_integer(expr: Expr) -> bool:
    return isinstance(expr.type, Scalar) and expr.type.is_integer
