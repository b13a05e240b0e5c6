"""The laws an operator must obey: init is an identity (PC0208), any order gives the same (PC0209).

An operator that breaks both is told once, with the code of what makes the result wrong.

They are tried on values that can really occur: the updates of a reduction are reached in a few
*sampled runs*, each of them with small made-up data, and their elements are evaluated
there.  Structs are only met as the program makes them.  What cannot be evaluated is not judged.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import combinations, pairwise, permutations

from pencilc.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity
from pencilc.ir import source as ast
from pencilc.ir.scop import OperatorKind, Reduction, Scop
from pencilc.ir.source import ArrayType, CType, Scalar, Struct
from pencilc.ir.source_printer import print_type
from pencilc.poly.diagnosis.sampled_runs import PROFILES, SampledRun, Writes, complete, routes_of
from pencilc.poly.model.evaluate import GiveUp, Value, number
from pencilc.poly.reductions.remedies import has_none, identity_written, instead_of_operator

_SAME_LAWS = 3  # reductions looked at that share operator, init and type
_TOLERANCE = 1e-4
_IDENTITY = {
    OperatorKind.ADD: "0", OperatorKind.MUL: "1", OperatorKind.MIN: "the largest value of the type",
    OperatorKind.MAX: "the smallest value of the type", OperatorKind.BIT_AND: "~0", OperatorKind.BIT_OR: "0",
    OperatorKind.BIT_XOR: "0", OperatorKind.AND: "1", OperatorKind.OR: "0", OperatorKind.SET: "0",
}  # fmt: skip

_NEUTRAL: dict[OperatorKind, int] = {
    OperatorKind.ADD: 0, OperatorKind.MUL: 1, OperatorKind.BIT_OR: 0, OperatorKind.BIT_XOR: 0,
}  # fmt: skip


def check_laws(unit: ast.TranslationUnit, scop: Scop) -> tuple[Diagnostic, ...]:
    """PC0208 and PC0209 for the reductions of `scop`; each operator, init and type is told once."""
    found: list[Diagnostic] = []
    seen: dict[tuple[str, str, str], int] = {}
    writes: Writes = {}
    for reduction in scop.reductions:
        init = scop.statement(reduction.init).body
        if isinstance(init, ast.ReductionInit) and init.detected:
            continue  # What the source says there is no operator and no identity.
        key = (reduction.operator.function, reduction.init_function, print_type(reduction.element_type))
        if seen.get(key, 0) < _SAME_LAWS and not _starts_right(unit, scop, reduction):
            told: list[Diagnostic] = []
            with suppress(RecursionError):  # Nested too deeply to be judged.
                told = _check(unit, scop, reduction, writes)
            seen[key] = _SAME_LAWS if told else seen.get(key, 0) + 1
            found += told
    return tuple(found)


def _starts_right(unit: ast.TranslationUnit, scop: Scop, reduction: Reduction) -> bool:
    """Whether init is the identity of a recognised operator, so that nothing is left to try."""
    wanted = _NEUTRAL.get(reduction.operator.recognised) if reduction.operator.recognised else None
    if wanted is None or not isinstance(reduction.element_type, Scalar):
        return False
    with suppress(GiveUp, RecursionError):
        run = SampledRun(unit, scop.region, "small")
        return run.initialise(reduction.init_function, reduction.element_type) == wanted
    return False


def _check(unit: ast.TranslationUnit, scop: Scop, reduction: Reduction, writes: Writes) -> list[Diagnostic]:
    routes = routes_of(scop, reduction)
    identity, order = None, None
    for profile in PROFILES:
        run = SampledRun(unit, scop.region, profile, writes)
        if elements := run.elements(routes):
            laws = Laws(unit, run, scop, reduction, elements)
            identity = identity or laws.identity()
            order = order or laws.order()
    if identity is not None and order is not None:
        return [_of_operator(reduction, identity, order)]
    return [d for d in (identity, order) if d is not None]


def _of_operator(reduction: Reduction, identity: Diagnostic, order: Diagnostic) -> Diagnostic:
    """What is told of an operator that breaks both laws: one cause, at the operator, with its one remedy."""
    if identity.severity is not Severity.ERROR:
        return order
    fault = order.message.partition(",")[0]
    return replace(
        order, severity=Severity.ERROR, code="PC0208",
        message=f"{fault}, and `{reduction.init_function}` is not an identity of it",
        secondary=(Label(identity.span, identity.label),), notes=(*order.notes, *identity.notes),
    )  # fmt: skip


class Laws:
    """One reduction in one run: its operator, the value of init, and the elements that it combines."""

    def __init__(
        self, unit: ast.TranslationUnit, run: SampledRun, scop: Scop, reduction: Reduction, elements: list[Value]
    ) -> None:
        self.unit = unit
        self.run = run
        self.scop = scop
        self.reduction = reduction
        self.elements = elements
        self.kind = reduction.operator.recognised
        # A list read from memory may be sorted in the program's data, and is not in ours.
        self.unknown = run.whole and "{" in _text(elements[0], reduction.element_type)[1:]

    def op(self, left: Value, right: Value) -> Value:
        """What the operator makes of two values."""
        name, ctype = self.reduction.operator.function, self.reduction.element_type
        return complete(self.run.call(name, (left, right), ctype))

    def same(self, left: Value, right: Value) -> bool:
        """Equality: exact for integers, within rounding of all that led to them for floats."""
        if isinstance(left, tuple) and isinstance(right, tuple):
            return all(self.same(a, b) for a, b in zip(left, right, strict=True))
        a, b = number(left), number(right)
        if self.kind in (OperatorKind.AND, OperatorKind.OR):
            return bool(a) == bool(b)
        if isinstance(a, int) and isinstance(b, int):
            return a == b
        return abs(a - b) <= _TOLERANCE * max(self.run.magnitude, abs(a), abs(b))

    def identity(self) -> Diagnostic | None:
        """PC0208, if init is not an identity."""
        try:
            init = complete(self.run.initialise(self.reduction.init_function, self.reduction.element_type))
        except GiveUp:
            return None
        for element in self.elements:
            with suppress(GiveUp):
                told = self._recognised(init, element) if self.kind else self._entering_twice(init, element)
                if told is not None:
                    return told
        return None if self.kind or self.unknown else self._not_neutral(init)

    def _recognised(self, init: Value, x: Value) -> Diagnostic | None:
        self.run.magnitude = 0.0
        result = self.op(init, x)
        return None if self.same(result, x) else self._told(Severity.WARNING, init, x, result)

    def _entering_twice(self, init: Value, x: Value) -> Diagnostic | None:
        """Partial results start from init: what op makes of init and an element must not change by another init."""
        once = self.op(init, x)
        if not self._changes(init, once):
            return None
        self.run.magnitude = 0.0
        for other, swapped in ((x, False), (once, False), (once, True)):
            result = self.op(other, init) if swapped else self.op(init, other)
            if not self.same(result, other):
                return self._told(Severity.ERROR, init, other, result, swapped)
        return None

    def _not_neutral(self, init: Value) -> Diagnostic | None:
        """Entering twice does no harm, but once it hides the elements (`min` with 0)."""
        for x, y in pairwise(self.elements):
            with suppress(GiveUp):
                made = self.op(x, y)
                if self._changes(init, made):
                    severity = Severity.WARNING if self.run.profile == "signed" else Severity.ERROR
                    return self._told(severity, init, made, self.op(init, made))
        return None

    def _changes(self, init: Value, x: Value) -> bool:
        """Whether init changes `x` on either side, for certain and whatever element comes next."""
        for left, right in ((init, x), (x, init)):
            self.run.magnitude = 0.0
            result = self.op(left, right)
            if not self.same(result, x):
                return not any(self.same(self.op(result, z), self.op(x, z)) for z in self.elements)
        return False

    def _told(self, severity: Severity, init: Value, x: Value, result: Value, swapped: bool = False) -> Diagnostic:
        reduction, ctype, name = self.reduction, self.reduction.element_type, self.reduction.init_function
        op = reduction.operator.function
        message = f"`{name}` is not an identity of `{op}`"
        if self.kind:
            message += f"; the result is still right, since partial results start from that of `{self.kind.value}`"
        elif severity is Severity.ERROR:
            message += ", and the partial results of a reduction start from it"
        values = [_text(init, ctype), _text(x, ctype)]
        note = f"`{op}({', '.join(values[::-1] if swapped else values)})` is {_text(result, ctype)}, not {values[1]}"
        wanted = f", {_IDENTITY[self.kind]}," if self.kind else ""
        return Diagnostic(
            severity, "PC0208", message, self.scop.statement(reduction.init).span, f"`{name}` writes {values[0]}",
            (Label(reduction.span, f"combined with `{op}` here"),), (note,), *_as_remedy(self._remedy(wanted)),
        )  # fmt: skip

    def _remedy(self, wanted: str) -> Fix | str:
        """What to do about an init that is no identity: write one, or another operator if this one has none."""
        name, ctype = self.reduction.init_function, self.reduction.element_type
        if not self.kind and has_none(self.scop, self.reduction):
            return instead_of_operator(self.unit, self.scop, self.reduction)
        text = f"let `{name}` write the identity{wanted} and bring in another start value after the reduction"
        if self.kind is None or not isinstance(ctype, Scalar):
            return text
        return identity_written(self.unit, name, self.kind, ctype) or text

    def order(self) -> Diagnostic | None:
        """PC0209, if the result depends on the order; data may be known to have one sign, so not for both."""
        refused = ("signed", "small") if self.run.whole else ("signed",)
        if self.kind or self.unknown or self.run.profile in refused:
            return None
        for values in (*combinations(self.elements, 2), *permutations(self.elements[:4], 3)):
            with suppress(GiveUp):
                if (told := self._depends(values)) is not None:
                    return told
        return None

    def _depends(self, values: tuple[Value, ...]) -> Diagnostic | None:
        """PC0209 if two values do not commute, or if three do not associate."""
        op, ctype = self.reduction.operator.function, self.reduction.element_type
        self.run.magnitude = _largest(values)
        x, y, z = (*values, None)[:3]
        a, b, c = (_text(v, ctype) for v in (x, y, z))
        if len(values) == 2:
            law, one, other = "commutative", self.op(x, y), self.op(y, x)
            texts = f"`{op}({a}, {b})`", f"`{op}({b}, {a})`"
        else:
            law, one, other = "associative", self.op(self.op(x, y), z), self.op(x, self.op(y, z))
            texts = f"`{op}({op}({a}, {b}), {c})`", f"`{op}({a}, {op}({b}, {c}))`"
        if self.same(one, other):
            return None
        note = f"{texts[0]} is {_text(one, ctype)}, but {texts[1]} is {_text(other, ctype)}"
        message = f"operator `{op}` is not {law}, so the result depends on the order"
        return Diagnostic(
            Severity.WARNING, "PC0209", message, self.reduction.span, "elements are combined in any order", (), (note,),
            *_as_remedy(instead_of_operator(self.unit, self.scop, self.reduction)),
        )  # fmt: skip


def _as_remedy(remedy: Fix | str) -> tuple[tuple[str, ...], tuple[Fix, ...]]:
    """The helps and fixes of a diagnostic that has one remedy."""
    return ((remedy,), ()) if isinstance(remedy, str) else ((), (remedy,))


def _largest(value: Value) -> float:
    """The largest absolute floating value in `value`."""
    if isinstance(value, tuple):
        return max(map(_largest, value), default=0.0)
    return abs(value) if isinstance(value, float) else 0.0


def _text(value: Value, ctype: CType) -> str:
    """`value` as the messages show it: `{a = 1, b = 2}`."""
    if isinstance(value, tuple) and isinstance(ctype, Struct):
        parts: list[str] = []
        for member, inner in zip(ctype.members, value, strict=True):
            parts.append(f"{member.name} = {_text(inner, member.type)}")
        return f"{{{', '.join(parts)}}}"
    if isinstance(value, tuple) and isinstance(ctype, ArrayType):
        return f"{{{', '.join(_text(inner, ctype.element) for inner in value)}}}"
    return f"{value:.9g}" if isinstance(value, float) else str(value)
