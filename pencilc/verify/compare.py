"""Compare what the generated code left behind with what the sequential code left behind.

Integers are equal or wrong.  Floating values that were computed without rounding, or from data that is
exact in every order, are equal or wrong too (-0 equals 0, a NaN equals any NaN).  All others may differ by

    epsilon * (8 + 4 * sqrt(N)) * the largest |expected| of the output

with N the length of the longest reduction and epsilon that of the coarsest type computed in.  Rounding errors of a sum
of N terms grow like a random walk, sqrt(N) steps of half an epsilon of the partial sums; those are no larger than the
result when all terms have one sign, and about as large as results usually are when the signs are mixed.  The first
two factors are the allowance; it is at most 1/32.  `--tolerance T` puts T in its place.  The magnitude of the inputs
says nothing of an output: a tenth of what is normalised would pass.  Only where nothing but zeros is expected is the
difference measured by sqrt(N) times the largest magnitude among the floating inputs (at least 1), in its place.

Tensor cores multiply 16-bit floats exactly and cut off where an addition rounds: by about a tenth of an epsilon of the
result for each product, if all have one sign (docs/mapping.md, *On tensor cores*).  N counts all products of all
results, m n p, so that the same allowance holds up to 1800 m n products of a result.  With `--allow-tf32` they round
factors of floats to 11 bits: where floats are multiplied, epsilon is then 2^-10.

What is beyond the allowance may still be rounding, for the data may be such that errors grow.  Then the sequential
program runs again with its reductions in other orders and in wider types (`variants`): an output may differ by four
times what it differs by in any of these runs, since a few runs are a small sample, but by no more than a quarter.
Where other orders in wider types differ from one another as much as they do in the types of the program, that is no
rounding: an operator is not associative, or not commutative, and nothing more is allowed.
NaN, infinities and integers are never rounding.

With data of the kind `extremes` an output is not compared if one of those other orders gives something else than the
sequential program, by more than rounding: it is not determined then.  `a < b ? a : b` of a NaN is such an operator, and
so is a sum that saturates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence

from pencilc.ir.source import CType, Scalar
from pencilc.records import dataclass
from pencilc.verify.cases import Argument, Case, Outcome, Value, Variation, epsilon_of, leaves, unpack_column

MAX_SHOWN = 5
_MOST = 1 / 32
_MOST_SPREAD = 1 / 4
_SPREADS = 4.0  # that a difference may be
_FEWER_BITS = 64.0  # that wider types round at least less by: long double has 11 bits more than double


@dataclass(frozen=True, slots=True)
class Difference:
    """One value that is wrong: `where` is C text such as `out[3][1].lo`, or `return value`."""

    where: str
    expected: Value
    got: Value

    def __str__(self) -> str:
        return f"{self.where}: expected {self.expected!r}, got {self.got!r}"


@dataclass(frozen=True, slots=True)
class Output:
    """A part of the outputs (`out`, `best.index`, `return value`) that does not come out bit by bit.

    `allowed` is what `max_error` may be; `spread` is what may be rounding by other orders and wider types of the
    sequential program, where it took those to explain the difference, else 0.  `is_open`: the order decides what it is.
    `by_order`: an order decides that a difference is there which is no rounding.
    """

    name: str
    wrong: int
    max_error: float
    allowed: float
    spread: float = 0.0
    is_open: bool = False
    by_order: bool = False

    @property
    def remark(self) -> str:
        """What is told about a difference that other orders make too; empty if nothing has to be."""
        if self.by_order:
            return (
                f"{self.name} differs by up to {self.max_error:.2g}, and as much by other orders of the sequential "
                f"program, in wider types too: that is no rounding, an operator is not associative or not commutative"
            )
        if self.spread < self.max_error or not self.spread:
            return ""
        if self.wrong:
            return (
                f"{self.name} differs by up to {self.max_error:.2g}, and so may the sequential program itself with its "
                f"sums in other orders or in wider types ({self.spread:.2g}): it is too sensitive for these "
                f"inputs to tell right from wrong; only {_MOST_SPREAD:.2g} passes as rounding. Give it inputs that are "
                f"better conditioned with --inputs"
            )
        return (
            f"{self.name} differs by up to {self.max_error:.2g}, which is rounding: by other orders and wider types of "
            f"the sequential program {self.spread:.2g} may be"
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many values are wrong, the first of them, and every part of the outputs that is not the same."""

    wrong: int
    first: tuple[Difference, ...]
    outputs: tuple[Output, ...] = ()

    @property
    def max_error(self) -> float:
        """The largest relative error seen anywhere."""
        return max((output.max_error for output in self.outputs), default=0.0)


@dataclass(frozen=True, slots=True)
class _Rule:
    """The allowed difference of a part of the outputs: `relative * scale`; equality where `relative` is 0."""

    relative: float
    scale: float  # never 0

    def error(self, expected: Value, got: Value) -> float:
        """The difference by `scale`; infinite where no tolerance can help."""
        if expected == got or (expected != expected and got != got):
            return 0.0
        if not (math.isfinite(expected) and math.isfinite(got)):
            return math.inf
        return abs(expected - got) / self.scale


def compare(
    case: Case,
    expected: Outcome,
    got: Outcome,
    tolerance: float | None = None,
    variations: Callable[[], Sequence[Variation]] = tuple,
) -> Comparison:
    """Compare every element of every array and the return value.

    `variations` gives what the variants of the sequential program leave behind; it is asked when needed.
    """
    relative = _relative(case, expected, tolerance)
    first: list[Difference] = []
    outputs: list[Output] = []
    wrong = 0
    for place, (name, shape, ctype, want, have) in enumerate(_pairs(case, expected, got)):
        if want == have:
            continue
        if len(want) != len(have):
            wrong, first = wrong + 1, [*first, Difference(f"size of {name}", len(want), len(have))]
            continue
        for number, leaf in enumerate(leaves(ctype)):
            left, right = unpack_column(want, leaf, ctype.size), unpack_column(have, leaf, ctype.size)
            rule = _Rule(relative, _largest(left) or _of_inputs(case))
            bad, error = _column(leaf[2], left, right, rule)
            if bad and case.kind == "extremes" and _is_open(want, ctype, number, place, rule, variations()):
                outputs.append(Output(name + leaf[0], 0, 0.0, rule.relative, is_open=True))
                continue
            allowed, spread = (rule.relative if leaf[2].kind == "float" else 0.0), 0.0
            by_order = False
            if bad and allowed and tolerance is None and math.isfinite(error):
                found = variations()
                by_order = _is_decided_by_order(want, ctype, number, place, rule, found)
                spread = 0.0 if by_order else _spread(want, ctype, number, place, rule, found)
                allowed = max(allowed, min(spread, _MOST_SPREAD))
                bad, _ = _column(leaf[2], left, right, _Rule(allowed, rule.scale))
            if bad or error:
                outputs.append(Output(name + leaf[0], len(bad), error, allowed, spread, by_order=by_order))
            wrong += len(bad)
            shown = bad[: max(MAX_SHOWN - len(first), 0)]
            first += [Difference(_where(name, shape, k) + leaf[0], left[k], right[k]) for k in shown]
    return Comparison(wrong, tuple(first), tuple(outputs))


def _is_decided_by_order(
    expected: bytes, ctype: CType, number: int, place: int, rule: _Rule, variations: Sequence[Variation]
) -> bool:
    """Whether other orders change leaf `number` of output `place` as much in wider types as they do in its own.

    What is rounding becomes less by the bits that the wider types have more; where these change it as much without
    another order, it is too sensitive to tell.
    """
    leaf = list(leaves(ctype))[number]
    own = unpack_column(expected, leaf, ctype.size)
    wide = [_column_of(each, number, place) for each in variations if each.is_wide and not each.is_reordered]
    if not wide:
        return False

    def largest(left: list[Value], others: Iterable[list[Value]]) -> float:
        errors = (rule.error(a, b) for right in others for a, b in zip(left, right, strict=True))
        return max((error for error in errors if math.isfinite(error)), default=0.0)

    both = largest(
        wide[0], (_column_of(each, number, place) for each in variations if each.is_wide and each.is_reordered)
    )
    by_orders = largest(own, (_column_of(each, number, place) for each in variations if not each.is_wide))
    return both > by_orders / _FEWER_BITS and by_orders / _SPREADS > largest(own, wide)


def _spread(
    expected: bytes, ctype: CType, number: int, place: int, rule: _Rule, variations: Sequence[Variation]
) -> float:
    """What may be rounding in leaf `number` of output `place`: several times what it differs by in any variant."""
    left = unpack_column(expected, list(leaves(ctype))[number], ctype.size)
    largest = 0.0
    for other in variations:
        if other.is_wide and other.is_reordered:
            continue
        right = _column_of(other, number, place)
        errors = [rule.error(a, b) for a, b in zip(left, right, strict=True)]
        largest = max([largest, *(error for error in errors if math.isfinite(error))])
    return largest * _SPREADS


def _is_open(
    expected: bytes, ctype: CType, number: int, place: int, rule: _Rule, variations: Sequence[Variation]
) -> bool:
    """Whether the order of the reductions decides what leaf `number` of output `place` is."""
    leaf = list(leaves(ctype))[number]
    left = unpack_column(expected, leaf, ctype.size)
    others = (_column_of(other, number, place) for other in variations if not other.is_wide)
    return any(_column(leaf[2], left, right, rule)[0] for right in others)


def _column_of(variation: Variation, number: int, place: int) -> list[Value]:
    """Leaf `number` of output `place` in a variant."""
    _, _, ctype, data, _ = list(_pairs(variation.case, variation.outcome, variation.outcome))[place]
    return unpack_column(data, list(leaves(ctype))[number], ctype.size)


def _pairs(
    case: Case, expected: Outcome, got: Outcome
) -> Iterator[tuple[str, tuple[int, ...] | None, CType, bytes, bytes]]:
    if case.returns.size:
        yield "return value", None, case.returns, expected.returned, got.returned
    for argument, want, have in zip(case.arguments, expected.buffers, got.buffers, strict=True):
        if want is not None:
            yield argument.name, argument.shape, argument.type, want, b"" if have is None else have


def same_values(case: Case, one: Outcome, other: Outcome) -> bool:
    """Whether two runs of a call give the same values; what lies between members counts for nothing."""
    for _, _, ctype, left, right in _pairs(case, one, other):
        if left == right:
            continue
        for leaf in leaves(ctype):
            columns = (unpack_column(data, leaf, ctype.size) for data in (left, right))
            if any(a != b and (a == a or b == b) for a, b in zip(*columns, strict=True)):
                return False
    return True


def _column(scalar: Scalar, left: list[Value], right: list[Value], rule: _Rule) -> tuple[list[int], float]:
    """The indices of the wrong values, and the largest relative error."""
    bad = []
    worst = 0.0
    for k, (want, have) in enumerate(zip(left, right, strict=True)):
        if want == have:
            continue
        if scalar.kind != "float":
            bad.append(k)
            continue
        error = rule.error(want, have)
        worst = max(worst, error)
        if error > rule.relative:
            bad.append(k)
    return bad, worst


def _relative(case: Case, expected: Outcome, tolerance: float | None) -> float:
    if case.epsilon == 0.0 or (case.exact and _is_exact(case, expected)):
        return 0.0
    return min(case.epsilon * (8.0 + 4.0 * math.sqrt(case.length)), _MOST) if tolerance is None else tolerance


def _of_inputs(case: Case) -> float:
    """How large a sum of as many terms as the longest reduction has may be, by the inputs."""
    return math.sqrt(case.length) * max([1.0, *(_magnitude(argument) for argument in case.arguments)])


def _is_exact(case: Case, expected: Outcome) -> bool:
    """Whether every result is a whole number that the type computed in holds exactly."""
    limit = 2.0 / case.epsilon
    for _, _, ctype, want, _ in _pairs(case, expected, expected):
        for leaf in leaves(ctype):
            if leaf[2].kind == "float":
                column = unpack_column(want, leaf, ctype.size)
                if any(value == value and (abs(value) > limit or value != int(value)) for value in column):
                    return False
    return True


def _magnitude(argument: Argument) -> float:
    """The largest finite magnitude of the floating parts of an input."""
    largest = 0.0
    for leaf in leaves(argument.type):
        if epsilon_of(leaf[2]):
            largest = max(largest, _largest(unpack_column(argument.data, leaf, argument.type.size)))
    return largest


def _largest(column: list[Value]) -> float:
    """The largest finite magnitude of values, 0 where there is none."""
    return float(max((abs(value) for value in column if math.isfinite(value)), default=0))


def _where(name: str, shape: tuple[int, ...] | None, k: int) -> str:
    """`name[i][j]` for the flat index `k`."""
    if shape is None:
        return name
    indices = []
    for extent in reversed(shape):
        indices.append(k % extent)
        k //= extent
    return name + "".join(f"[{index}]" for index in reversed(indices))
