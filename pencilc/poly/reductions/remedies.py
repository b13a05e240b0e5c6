"""What to write instead: operators and inits by name, elements in their final form, ways to allow another order.

The texts in backticks can be pasted into the file: a function that the file has already goes by its name, another
one is given with its definition.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pencilc.diagnostics.diagnostic import Fix
from pencilc.diagnostics.fixes import before_function, fix, line_before, replaced, statement_before, statement_replaced
from pencilc.ir.queries import (
    counters_in,
    declared_in,
    may_write,
    mentions_any,
    plain_name,
    root,
    without_conversions,
)
from pencilc.ir.rewrite import written_names
from pencilc.ir.scop import OperatorKind, Reduction, Scop
from pencilc.ir.snippets import Helper, init_in, operator_in
from pencilc.ir.source import (
    INT,
    Assign,
    Binary,
    Call,
    Expr,
    FloatLiteral,
    For,
    Index,
    IntLiteral,
    Name,
    ReductionUpdate,
    Scalar,
    Struct,
    Ternary,
    TranslationUnit,
    Unary,
    walk,
)
from pencilc.ir.source_printer import print_expr, spelled
from pencilc.poly.model.affine import type_range
from pencilc.poly.model.substitute import substitute
from pencilc.poly.reductions.operators import bare, recognise, unconverted, value_of
from pencilc.poly.reductions.updates import PlainUpdate
from pencilc.records import dataclass

_IDENTITIES = {
    OperatorKind.ADD: "0", OperatorKind.MUL: "1", OperatorKind.BIT_AND: "~0", OperatorKind.BIT_OR: "0",
    OperatorKind.BIT_XOR: "0", OperatorKind.AND: "1", OperatorKind.OR: "0", OperatorKind.SET: "0",
}  # fmt: skip
_BY_SYMBOL = {kind.value: kind for kind in OperatorKind}
_CALLS = {"min": OperatorKind.MIN, "fmin": OperatorKind.MIN, "max": OperatorKind.MAX, "fmax": OperatorKind.MAX}


def operator_for(kind: OperatorKind, ctype: Scalar, unit: TranslationUnit) -> Helper:
    """A function of the file that does `kind` to two values of `ctype`, or one to be added."""
    functions = {f.name: f for f in unit.functions}
    for function in unit.functions:
        if function.returns == ctype and recognise(function.name, functions).recognised is kind:
            return Helper(function.name, "")
    return operator_in(unit.file.text, kind.value, ctype.name)


def init_for(kind: OperatorKind, ctype: Scalar, unit: TranslationUnit) -> Helper:
    """A function of the file that writes 0 (for sums) or 1 (for products) to a variable of `ctype`, or one to add."""
    return init_in(unit.file.text, "0" if kind is OperatorKind.ADD else "1", ctype.name)


# ---- plain sums and products in floating types -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ways:
    """How another order is allowed: fixes, the likeliest first, and what is told in words alone."""

    fixes: tuple[Fix, ...]
    helps: tuple[str, ...]


def changed_outside(loop: For) -> frozenset[str] | None:
    """The variables that the loop writes but those that it declares; None where calls may write more."""
    if any(may_write(node) for node in walk(loop.body) if isinstance(node, Call)):
        return None
    return frozenset(written_names(loop) - declared_in(loop) - counters_in(loop))


def ways_to_reorder(
    updates: Sequence[PlainUpdate], loop: For, unit: TranslationUnit, function: str, clauses: str, place: For | None
) -> Ways:  # fmt: skip
    """How the floating sum, product or selection that `updates` do to one variable may be computed in another order.

    `loop` holds them all and stands in `function`; `clauses` are those for all that it updates so, empty where its
    iterations may need each other for something else.  What is updated can be initialised in front of `place`, if at
    one place.
    """
    made: list[Fix] = []
    helps: list[str] = []
    for way in (_clause(loop, unit, clauses), _builtin(updates, loop, unit, function, place)):
        if isinstance(way, Fix):
            made.append(way)
        elif way:
            helps.append(way)
    helps.append("`-fassociative-math` allows another order for all floating sums and products of the file")
    told = [*(fix.help for fix in made), *helps]
    joined = [text if k == 0 else f"or {text}" for k, text in enumerate(told)]
    fixed = tuple(replace(fix, help=text) for fix, text in zip(made, joined, strict=False))
    return Ways(fixed, tuple(joined[len(made) :]))


def _clause(loop: For, unit: TranslationUnit, clauses: str) -> Fix | str:
    """The pragma that says that the order does not matter, where iterations hand on nothing but the variables."""
    if not clauses:
        return ""
    pragma = f"#pragma pencil {clauses}"
    text = f"write `{pragma}` before the loop at line {loop.span.line}"
    return fix(text, [line_before(unit.file, loop.span, pragma, indented=False)]) or text


def is_own_element(loop: For, array: str) -> bool:
    """Whether each iteration touches `array` in the row or element of its own counter alone."""
    accesses = [node for node in walk(loop.body) if isinstance(node, Index) and _is_of(node, array)]
    whole = sum(isinstance(node, Name) and node.symbol.name == array for node in walk(loop.body))
    firsts = [node for node in accesses if isinstance(node.base, Name)]
    return len(firsts) == whole and all(plain_name(node.index) == loop.iterator.name for node in firsts)


def _is_of(node: Index, array: str) -> bool:
    base = root(node)
    return base is not None and base.symbol.name == array


def _builtin(
    updates: Sequence[PlainUpdate], loop: For, unit: TranslationUnit, function: str, place: For | None
) -> Fix | str:  # fmt: skip
    """The builtins in place of plain sums and products, which start from the identity then."""
    kind, ctype = updates[0].kind, updates[0].target.type
    if place is None or kind not in (OperatorKind.ADD, OperatorKind.MUL) or not isinstance(ctype, Scalar):
        return ""
    operator, init = operator_for(kind, ctype, unit), init_for(kind, ctype, unit)
    target, line = spelled(updates[0].target), place.span.line
    start = "0" if kind is OperatorKind.ADD else "1"
    begin = f"__pencil_reduction_var_init(&{target}, {init.name});"
    edits = [statement_before(unit.file, place.span, begin)]
    if edits[0] is None and place is not loop:
        return ""  # It may be a body without braces.
    said = []
    for update in updates:
        code = f"__pencil_reduction(&{target}, {spelled(update.element)}, {operator.name});"
        said.append(f"`{code}` in it" if len(updates) == 1 else f"`{code}` at line {update.span.line}")
        before = unit.file.line(update.span.line)[: update.span.column - 1].rstrip()
        is_start = not before or before.endswith((";", "{", "}", ")", "else"))
        edits.append(statement_replaced(unit.file, update.span, "", code) if is_start else None)
    for helper in (init, operator):
        if helper.definition:
            edits.append(before_function(unit.file, updates[0].span, function, helper.definition))
    text = (
        f"where `{target}` starts from {start}, write `{begin}` before the loop at line {line} and {' and '.join(said)}"
        + init.added
        + operator.added
    )
    return fix(text, edits) or text


# ---- operators that depend on the order --------------------------------------------------------------------


def instead_of_operator(unit: TranslationUnit, scop: Scop, reduction: Reduction) -> Fix | str:
    """What to write where an operator is not associative or not commutative: a fix, or advice."""
    ctype = reduction.element_type
    if isinstance(ctype, Struct):
        return (
            "an operator joins two partial results of any size; where two are equally good, let an index decide, and "
            "bring each element to its final form before it is combined"
        )
    split = _element_of(scop, reduction)
    update = scop.statement(reduction.updates[0]).body
    if split is None or not isinstance(update, ReductionUpdate) or not isinstance(ctype, Scalar):
        return (
            "an operator joins two partial results of any size: do what concerns one element to the element, in the "
            "second argument of `__pencil_reduction`, and what concerns the result behind the loop"
        )
    kind, element = split
    operator = operator_for(kind, ctype, unit)
    code = f"__pencil_reduction(&{spelled(update.variable)}, {spelled(element)}, {operator.name});"
    text = f"bring each element to its final form first: write `{code}`{operator.added}"
    edits = [statement_replaced(unit.file, update.span, "__pencil_reduction", code)]
    if operator.definition:
        edits.append(before_function(unit.file, update.span, scop.region.function, operator.definition))
    return fix(text, edits) or text


def identity_written(unit: TranslationUnit, init: str, kind: OperatorKind, ctype: Scalar) -> Fix | None:
    """The fix that lets the init function `init` of the file, which writes one value, write the identity of `kind`."""
    value = _identity(kind, ctype, unit.file.text)
    function = next((f for f in unit.functions if f.name == init), None)
    body = function.body.items if function is not None else ()
    if not value or function is None or len(body) != 1 or not isinstance(body[0], Assign):
        return None
    span = body[0].span
    line = unit.file.line(span.line)
    # The place of an assignment is that of what is assigned, which may have a `*` in front of it.
    start = line.rfind("{", 0, span.column) + 1 or len(line) - len(line.lstrip())
    found = re.compile(r"\s*(\*\s*\w+|\w+\[0\])\s*=\s*([^;]+);").match(line, start)
    if found is None:
        return None
    at = replace(span, column=found.start(1) + 1)
    new = f"{found.group(1)} = {value};"
    text = f"let `{init}` write the identity, `{new}`, and bring in another start value after the reduction"
    edits = [replaced(unit.file, at, line[found.start(1) : found.end()], new)]
    return fix(text, edits)


def _identity(kind: OperatorKind, ctype: Scalar, text: str) -> str:
    """The identity of `kind` as a constant of `ctype` in the file `text`; empty where that is not simple."""
    if kind in _IDENTITIES:
        return _IDENTITIES[kind]
    if not ctype.is_integer:
        # pencil.h brings math.h.
        has_header = re.search(r"#\s*include\s*[<\"](?:pencil|math)\.h", text) and "PENCIL_NO_MATH" not in text
        largest = "INFINITY" if has_header else ""
        return largest if kind is OperatorKind.MIN or not largest else f"-{largest}"
    low, high = type_range(ctype)
    if ctype.size > 4:
        return ""
    if kind is OperatorKind.MIN:
        return f"{high}u" if ctype.kind == "uint" and ctype.size == 4 else str(high)
    return f"{low + 1} - 1" if low == -(2**31) else str(low)


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
    split = _split(bare(unconverted(value, function.returns)), a)
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
    if isinstance(value, Ternary) and not mentions_any(value.condition, a):
        return _split_cases(value, a)
    if isinstance(value, Ternary) and isinstance(value.condition, Binary):
        return _split_selection(value, value.condition, a)
    return None


def _split_cases(value: Ternary, a: str) -> tuple[OperatorKind, Expr] | None:
    """`b > 0 ? a + 1 : a`: what is combined depends on the element, and may be nothing."""
    sides = [_plain_or_split(side, a) for side in (value.then, value.otherwise)]
    kinds = {side[0] for side in sides if side is not None and side[0] is not None}
    if None in sides or len(kinds) != 1:
        return None
    kind = kinds.pop()
    if kind not in (OperatorKind.ADD, OperatorKind.MUL) or not isinstance(value.type, Scalar):
        return None  # The others have no identity that can be written for every type.
    nothing = IntLiteral(0 if kind is OperatorKind.ADD else 1, INT, value.span)
    then, otherwise = (side[1] if side is not None and side[1] is not None else nothing for side in sides)
    if _is_number(then, 1) and _is_number(otherwise, 0):
        return kind, value.condition  # A comparison is 0 or 1 itself.
    return kind, Ternary(value.condition, then, otherwise, value.type, value.span)


def _plain_or_split(side: Expr, a: str) -> tuple[OperatorKind | None, Expr | None] | None:
    """A side of a choice: `a` alone, to which nothing is done, or an operator on `a` and an element."""
    plain = without_conversions(side)
    return (None, None) if plain_name(plain) == a else _split(plain, a)


def _is_number(expr: Expr, number: int) -> bool:
    plain = without_conversions(expr)
    return isinstance(plain, IntLiteral) and plain.value == number


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
