"""The ways through what the entry point does for a launch, with each condition held and not held.

Where a number is compared with several bounds, what follows from one comparison is known in the others: of `c` and of
`c * @multiprocessors`.

    fits = chunks <= 4096 * multiprocessors;        chunks <= 32, and it does not fit: no such path
    if (chunks <= 32) { … } else if (fits) { … }
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import TypeAlias

from pencilc.codegen.launch_nodes import MULTIPROCESSORS
from pencilc.ir.build import UNSIGNED, is_number
from pencilc.ir.launching import (
    AskHeld,
    AskResident,
    AskShared,
    ChooseTiles,
    Configure,
    CopyBack,
    EachLaunch,
    HostValues,
    SortInBuckets,
    StartClusters,
    StartHeld,
    StartKernel,
    StartLong,
    StartOneOf,
    started_in,
)
from pencilc.ir.nodes import Braces, If, Node, WhileLoop, variables_of
from pencilc.ir.source import BOOL, LLONG, Assign, Binary, Declare, Expr, IntLiteral, Name, Unary
from pencilc.records import dataclass

STARTS = (StartKernel, StartOneOf, StartHeld, StartLong, StartClusters, SortInBuckets)
# What is told on a path by what stands inside of it, or as a launch.
_WITH_STEPS = (*STARTS, Braces, If, EachLaunch)
# A bound: so many, or so many for each multiprocessor, of which there is one at least; one less where it is strict.
_Bound = tuple[bool, int, int]


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison on a path, and whether it holds there."""

    condition: Expr
    holds: bool


@dataclass(frozen=True, slots=True)
class Started:
    """A launch on a path, with the configuration that stands before it."""

    node: Node
    config: Configure | None


# What happens on a path, in order: nodes without those inside of them, comparisons, launches.
Step: TypeAlias = Node | Compared | Started


def paths(body: tuple[Node, ...], free: bool = False) -> Iterator[Path]:
    """Each way through `body`, with what is decided there from the first to the last; `free`: nothing is known of one
    condition by another.
    """
    decided: list[bool] = []
    while True:
        path = Path(decided, free)
        yield path
        decided = path.decided
        while decided and not decided[-1]:
            decided.pop()
        if not decided:
            return
        decided[-1] = False


@dataclass(slots=True)
class Path:
    """One way through a body: conditions that nothing else tells are held as `decided`, others at first."""

    decided: list[bool]
    free: bool = False
    values: dict[str, bool] = field(default_factory=dict)  # of variables that are true or false
    trace: list[Step] = field(default_factory=list)
    started: int = 0
    reached: set[int] = field(default_factory=set)
    is_idle: bool = False  # there is nothing to do: a count is not positive
    _config: Configure | None = None
    _taken: int = 0
    _known: dict[object, bool] = field(default_factory=dict)
    _bounds: dict[object, list[tuple[_Bound, bool]]] = field(default_factory=dict)
    _changes: dict[str, int] = field(default_factory=dict)  # how often a variable has changed

    @property
    def functions(self) -> Counter[str]:
        """How often each function is started."""
        nodes = tuple(each.node for each in self.trace if isinstance(each, Started))
        return Counter(function.name for function in started_in(nodes))

    def take(self, nodes: Iterable[Node]) -> None:
        """Go through nodes in order."""
        outside = self._config
        for node in nodes:
            self._node(node)
        self._config = outside

    def _node(self, node: Node) -> None:  # noqa: C901  (one case a kind)
        if not isinstance(node, _WITH_STEPS):
            self.trace.append(node)
        match node:
            case Configure():
                self._config = node
            case Braces():
                self.take(node.body)
            case If():
                self.take(node.then if self.holds(node.condition) else node.otherwise)
            case HostValues():
                for each in node.values:
                    self._set(each.name, each.value if node.type == BOOL else None)
            case Declare():
                self._set(node.symbol.name, node.init if node.symbol.type == BOOL else None)
            case Assign(target=Name() as target):
                is_truth = target.type == BOOL and not node.compound
                self._set(target.symbol.name, node.value if is_truth else None)
            case WhileLoop():
                for inside in node.body:
                    if isinstance(inside, Assign) and isinstance(inside.target, Name):
                        self._set(inside.target.symbol.name, None)
            case AskShared():
                self._set(node.of_block, None)
                self._set(node.of_multiprocessor, None)
            case AskHeld():
                self._set("@held", None)
            case ChooseTiles():
                for name in ("@size", "@down", "@across", *(("@splits",) if node.shares is not None else ())):
                    self._set(name, None)
            case AskResident():
                self._set("@resident", None)
            case CopyBack():
                self._set(node.name, None)
            case EachLaunch():
                self.take(node.body)
            case StartLong() | StartClusters():
                self.reached.add(id(node))
                self.values[node.fits] = self._decide()
                self.started += self.values[node.fits]
                if self.values[node.fits]:
                    self.trace.append(Started(node, None))
            case StartOneOf():
                self.reached.add(id(node))
                self.started += 1
                # Which case it is makes no difference but for the number that the function is made for.
                self.trace.append(Started(node.cases[0].start, self._config))
            case StartKernel() | StartHeld() | SortInBuckets():
                self.reached.add(id(node))
                self.started += 1
                self.trace.append(Started(node, self._config))

    def _set(self, name: str, value: Expr | None) -> None:
        """A variable has another value: true or false, where `value` tells."""
        truth = self.holds(value) if value is not None else None
        self._changes[name] = self._changes.get(name, 0) + 1
        self.values.pop(name, None)
        if truth is not None:
            self.values[name] = truth

    # ---- conditions --------------------------------------------------------------------------------

    def holds(self, condition: Expr) -> bool:
        """Whether a condition holds on this path."""
        match condition:
            case Binary(op="&&"):
                return self.holds(condition.left) and self.holds(condition.right)
            case Binary(op="||"):
                return self.holds(condition.left) or self.holds(condition.right)
            case Unary(op="!"):
                return not self.holds(condition.operand)
            case Name() if condition.symbol.name in ("true", "false"):
                return condition.symbol.name == "true"
            case _ if self.free:
                return self._decide()
            case Name() if condition.symbol.name in self.values:
                return self.values[condition.symbol.name]
            case Binary(op="<=" | "<" | ">" | ">=") if (bound := _bound(condition)) is not None:
                held = self._compared(condition, bound)
            case _:
                held = self._opaque(condition)
        self.trace.append(Compared(condition, held))
        return held

    def _opaque(self, condition: Expr) -> bool:
        """A condition of which nothing is known but that it stays the same while its variables do."""
        key = self._key(condition)
        if key not in self._known:
            self._known[key] = self._decide()
        return self._known[key]

    def _compared(self, condition: Binary, bound: _Bound) -> bool:
        """Whether a number is at most `bound`, or above it."""
        is_most = condition.op in ("<=", "<")
        known = self._bounds.setdefault(self._key(condition.left), [])
        found = next((held for other, holds in known if (held := _follows(bound, other, holds)) is not None), None)
        if found is None:
            found = self._decide()
            known.append((bound, found))
        held = found == is_most
        is_count = condition.op == ">" and is_number(condition.right, 0) and condition.left.type in (LLONG, UNSIGNED)
        self.is_idle |= is_count and not held
        return held

    def _key(self, value: Expr) -> object:
        """What tells two values apart: how they are computed, and what has changed since."""
        return value, tuple(sorted((name, self._changes.get(name, 0)) for name in variables_of(value)))

    def _decide(self) -> bool:
        if self._taken == len(self.decided):
            self.decided.append(True)
        self._taken += 1
        return self.decided[self._taken - 1]


def _bound(condition: Binary) -> _Bound | None:
    """The bound at most which the left side is, or above which: `x < c` is `x <= c - 1`, `x >= c` is no `x < c`."""
    strict = -1 if condition.op in ("<", ">=") else 0
    match condition.right:
        case IntLiteral(name="", value=value):
            return False, value + strict, 0
        case Binary(op="*", left=IntLiteral(name="", value=value), right=right) if right == MULTIPROCESSORS:
            return True, value, strict
        case Name() as right if right == MULTIPROCESSORS:
            return True, 1, strict
    return None


def _follows(bound: _Bound, other: _Bound, holds: bool) -> bool | None:
    """Whether `x` is at most `bound`, where it is at most `other`, or above it if that does not hold."""
    (by_device, *here), (other_by_device, *there) = bound, other
    if holds and not (other_by_device and not by_device) and _reaches(there, here, by_device, other_by_device):
        return True
    if not holds and not (by_device and not other_by_device) and _reaches(here, there, other_by_device, by_device):
        return False
    return None


def _reaches(small: list[int], large: list[int], large_by_device: bool, small_by_device: bool) -> bool:
    """Whether the larger bound is no smaller; on one multiprocessor it is the smallest that it may be."""
    if large_by_device and not small_by_device:
        return small[0] <= large[0] + large[1]
    return small <= large
