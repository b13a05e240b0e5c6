"""Which sizes a function is run with: a bounded, deterministic list, adjusted to what the source assumes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping

from pencilc.ir import source as ast
from pencilc.ir.source import ArrayType, Scalar, extents
from pencilc.records import dataclass
from pencilc.verify.facts import Facts, scalar_leaves
from pencilc.verify.intervals import Environment, Number, constant, type_range
from pencilc.verify.ranges import Ranges, explore

# Empty, one, around a warp, a prime, and more elements than the largest default grid takes at once.
DEFAULT_SIZES = (0, 1, 31, 32, 33, 1009, 70003)
_EQUAL = (0, 1, 31, 32, 33, 1009)
_MIXED = ((1, 33), (33, 1), (31, 1009), (1009, 31), (5, 70003), (70003, 3), (0, 33), (33, 0))

MAX_COMBINATIONS = 64


@dataclass(frozen=True, slots=True)
class SizeLimits:
    """Runs with more array elements or innermost iterations are skipped, and on the CPU those with more launches."""

    elements: int = 2**21
    iterations: int = 2**22
    launches: int = 2**13


@dataclass(frozen=True, slots=True)
class Choice:
    """Values of all integer scalars (dotted names); `skip` says why they are not run."""

    shown: tuple[tuple[str, int], ...]
    values: Mapping[str, int]
    ranges: Ranges
    skip: str = ""


def choices(
    region: ast.Region,
    functions: dict[str, ast.Function],
    facts: Facts,
    given: Mapping[str, tuple[int, ...]],
    bounds: SizeLimits | None = None,
) -> Iterator[Choice]:
    """The runs of one region, in a fixed order; combinations that come out equal appear once.

    Runs beyond the limits are skipped, with a reason.
    """
    bounds = bounds or SizeLimits()
    seen = set()
    for number, base in enumerate(combinations(facts, given)):
        choice = choose(region, functions, facts, base, frozenset(given), number, bounds)
        if choice.shown not in seen:
            seen.add(choice.shown)
            yield choice


def combinations(
    facts: Facts, given: Mapping[str, tuple[int, ...]], most: int | None = MAX_COMBINATIONS
) -> list[dict[str, int]]:
    """The values to try for the size parameters, before assumes and bounds adjust them.

    Every combination of those `given` is among them; the others are tried in turn where it would be more than `most`.
    """
    fixed = [name for name in (*facts.extents, *facts.bounds, *facts.others) if name in given]
    free = [name for name in (*facts.extents, *facts.bounds) if name not in given]
    chosen = [dict(zip(fixed, row, strict=True)) for row in itertools.product(*(given[name] for name in fixed))]
    rows: list[tuple[int, ...]]
    if len(free) < 2:
        rows = [(size,) * len(free) for size in DEFAULT_SIZES] if free else [()]
    else:
        rows = [(size,) * len(free) for size in _EQUAL]
        rows += [tuple(pair[k % 2] for k in range(len(free))) for pair in _MIXED]
    each = len(rows) if most is None else min(len(rows), max(1, most // max(len(chosen), 1)))
    return [
        {**base, **dict(zip(free, rows[(number * each + k) % len(rows)], strict=True))}
        for number, base in enumerate(chosen)
        for k in range(each)
    ]


def choose(
    region: ast.Region,
    functions: dict[str, ast.Function],
    facts: Facts,
    base: dict[str, int],
    given: frozenset[str],
    number: int,
    bounds: SizeLimits | None = None,
) -> Choice:
    """The run with the sizes `base`, of which those not `given` are adjusted to what the source needs."""
    # Small values that differ from each other, so that two swapped parameters are told apart.
    values = {name: 1 + (number + k) % 4 for k, name in enumerate(facts.others)} | base
    for param in region.params:
        for name, leaf in scalar_leaves(param.type, param.name):
            if leaf.kind == "bool" and name in values and name not in given:
                values[name] = (number + values[name]) % 2 if name in base else number % 2
    _obey_assumes(facts, values, given, functions)
    limits = explore(region, functions, dict(values)).scalars
    for name in (*facts.bounds, *facts.others):
        if name not in given and name in limits:
            values[name] = _within(values[name], limits[name], number)
    _obey_assumes(facts, values, given, functions)
    ranges = explore(region, functions, dict(values))
    shown = tuple((name, values[name]) for name in (*facts.extents, *facts.bounds, *facts.others))
    return Choice(shown, values, ranges, _reason(region, functions, facts, values, ranges, bounds or SizeLimits()))


def _within(value: int, limit: tuple[Number, Number], number: int) -> int:
    """`value` moved into `limit`; every other run stays 2 below an upper limit (a row with a pitch)."""
    low, high = limit
    if low > high:
        return value
    if value > high:
        value = math.floor(high)
        if number % 2 and value - 2 >= low and value >= 4:
            value -= 2
    return math.ceil(low) if value < low else value


def _reason(
    region: ast.Region,
    functions: dict[str, ast.Function],
    facts: Facts,
    values: Mapping[str, int],
    ranges: Ranges,
    bounds: SizeLimits,
) -> str:
    """Why these values cannot or need not be run; empty if they can."""
    scope = scope_of(values, functions)
    for condition in facts.assumes:
        if constant(condition, scope) == 0:
            return f"the assume of line {condition.span.line} does not hold"
    for param in region.params:
        for name, leaf in scalar_leaves(param.type, param.name):
            limits = type_range(leaf)
            if limits is not None and name in values and not limits[0] <= values[name] <= limits[1]:
                return f"{name}={values[name]} does not fit its type"
    elements = total_elements(region, values, functions)
    if elements is None:
        return "an extent cannot be evaluated from the integer parameters"
    if elements > bounds.elements:
        return f"{elements} elements are more than {bounds.elements} (--max-elements)"
    if ranges.work > bounds.iterations:
        return f"about {ranges.work:.0f} iterations are more than {bounds.iterations} (--max-iterations)"
    return ""


def scope_of(values: Mapping[str, Number], functions: dict[str, ast.Function]) -> Environment:
    """A scope in which the scalars have these values."""
    return Environment(functions, values={name: (value, value) for name, value in values.items()})


def shape_of(param: ast.Symbol, scope: Environment) -> tuple[int, ...] | None:
    """The evaluated extents of a parameter; () for a scalar, None if one is unknown."""
    found: list[int] = []
    for extent in extents(param.type):
        value = None if extent is None else constant(extent, scope)
        if value is None:
            return None
        found.append(int(value))
    return tuple(found)


def total_elements(region: ast.Region, values: Mapping[str, int], functions: dict[str, ast.Function]) -> int | None:
    """The number of array elements passed, or None if an extent is unknown."""
    total = 0
    scope = scope_of(values, functions)
    for param in region.params:
        shape = shape_of(param, scope)
        if shape is None:
            return None
        if isinstance(param.type, ArrayType):
            total += math.prod(max(extent, 0) for extent in shape)
    return total


def _obey_assumes(
    facts: Facts, values: dict[str, int], given: frozenset[str], functions: dict[str, ast.Function]
) -> None:
    """Change sizes so that simple assumes (`m >= n`, `k == 4`) hold; what is not simple is left alone."""
    for _ in range(3):
        for condition in facts.assumes:
            for part in _conjuncts(condition):
                _obey(part, values, given, functions)


def _conjuncts(condition: ast.Expr) -> Iterator[ast.Expr]:
    if isinstance(condition, ast.Cast):
        yield from _conjuncts(condition.operand)
    elif isinstance(condition, ast.Binary) and condition.op == "&&":
        yield from _conjuncts(condition.left)
        yield from _conjuncts(condition.right)
    else:
        yield condition


_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}
_STEP = {"<": -1, "<=": 0, ">": 1, ">=": 0, "==": 0}


def _obey(
    condition: ast.Expr, values: dict[str, int], given: frozenset[str], functions: dict[str, ast.Function]
) -> None:
    if not isinstance(condition, ast.Binary) or condition.op not in _MIRROR:
        return
    scope = scope_of(values, functions)
    if constant(condition, scope) != 0:
        return
    for side, other, op in (
        (condition.left, condition.right, condition.op),
        (condition.right, condition.left, _MIRROR[condition.op]),
    ):
        while isinstance(side, ast.Cast):
            side = side.operand
        name = side.symbol.name if isinstance(side, ast.Name) else ""
        bound = constant(other, scope)
        if name in values and name not in given and isinstance(bound, int) and isinstance(side.type, Scalar):
            values[name] = bound + _STEP[op]
            return
