"""Rules for the choices of a launch: whatever the sizes are, its work is launched, and once.

All paths through the body of a launch are taken, with each condition held and not held.  Where a number is compared
with several bounds, what follows from one comparison is known in the others: of `c` and of `c * @multiprocessors`.

    fits = chunks <= 4096 * multiprocessors;        chunks <= 32, and it does not fit: no such path
    if (chunks <= 32) { … } else if (fits) { … }
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from pencilc.codegen.control import fault
from pencilc.codegen.launch_nodes import MULTIPROCESSORS
from pencilc.ir.build import UNSIGNED, is_number
from pencilc.ir.launching import (
    AskResident,
    AskShared,
    Configure,
    CopyBack,
    EachLaunch,
    HostValues,
    ReserveBytes,
    ReserveLeft,
    SortInBuckets,
    StartHeld,
    StartKernel,
    StartLong,
    StartOneOf,
)
from pencilc.ir.nodes import Braces, If, Node, WhileLoop, blocks_in, variables_of
from pencilc.ir.source import BOOL, LLONG, Assign, Binary, Declare, Expr, IntLiteral, Name, Unary, walk
from pencilc.records import dataclass

_STARTS = (StartKernel, StartOneOf, StartHeld, StartLong, SortInBuckets)
# A bound: so many, or so many for each multiprocessor, of which there is one at least; one less where it is strict.
_Bound = tuple[bool, int, int]


def verify_choices(where: str, body: tuple[Node, ...], flag: str, is_one: bool) -> None:
    """Raise CompilerBug where a path through `body` launches nothing though there is work, or twice what `is_one`.

    `flag`: the variable that tells those behind whether the work is done; empty where none does it otherwise.
    """
    reached: set[int] = set()
    for path in _paths(body):
        path.take(body)
        reached |= path.reached
        told = path.values.get(flag, True)
        if is_one and path.started > 1:
            fault(where, "a path launches the same work twice")
        if flag and not told and path.started:
            fault(where, f"`{flag}` does not hold where the kernel is launched")
        if told and not path.started and not path.is_idle:
            fault(where, f"`{flag}` holds where nothing is launched" if flag else "a path launches nothing")
    starts = [each for each in blocks_in(body) if isinstance(each, _STARTS) and not _is_case(each, body)]
    if any(id(each) not in reached for each in starts):
        # A form that no size takes, because of the launch parameters, is none that nobody ever could take.
        for path in _paths(body, free=True):
            path.take(body)
            reached |= path.reached
    if any(id(each) not in reached for each in starts):
        fault(where, "a launch is reached on no path")
    _verify_memory(where, body)


def _is_case(node: Node, body: tuple[Node, ...]) -> bool:
    """Whether a launch is one of the cases of another."""
    cases = (case.start for each in blocks_in(body) if isinstance(each, StartOneOf) for case in each.cases)
    return any(node is each for each in cases)


# ---- paths -------------------------------------------------------------------------------------------


def _paths(body: tuple[Node, ...], free: bool = False) -> Iterator[_Path]:
    """Each way through `body`, with what is decided there from the first to the last; `free`: nothing is known of one
    condition by another.
    """
    decided: list[bool] = []
    while True:
        path = _Path(decided, free)
        yield path
        decided = path.decided
        while decided and not decided[-1]:
            decided.pop()
        if not decided:
            return
        decided[-1] = False


@dataclass(slots=True)
class _Path:
    """One way through a body: conditions that nothing else tells are held as `decided`, others at first."""

    decided: list[bool]
    free: bool = False
    values: dict[str, bool] = field(default_factory=dict)  # of variables that are true or false
    started: int = 0
    reached: set[int] = field(default_factory=set)
    is_idle: bool = False  # there is nothing to do: a count is not positive
    _taken: int = 0
    _known: dict[object, bool] = field(default_factory=dict)
    _bounds: dict[object, list[tuple[_Bound, bool]]] = field(default_factory=dict)
    _changes: dict[str, int] = field(default_factory=dict)  # how often a variable has changed

    def take(self, nodes: Iterable[Node]) -> None:
        """Go through nodes in order."""
        for node in nodes:
            self._node(node)

    def _node(self, node: Node) -> None:  # noqa: C901  (one case a kind)
        match node:
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
            case AskResident():
                self._set("@resident", None)
            case CopyBack():
                self._set(node.name, None)
            case EachLaunch():
                self.take(node.body)
            case StartLong():
                self.reached.add(id(node))
                self.values[node.fits] = self._decide()
                self.started += self.values[node.fits]
            case StartKernel() | StartOneOf() | StartHeld() | SortInBuckets():
                self.reached.add(id(node))
                self.started += 1

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
                return self._compared(condition, bound)
        return self._opaque(condition)

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


# ---- memory ------------------------------------------------------------------------------------------


def _verify_memory(where: str, body: tuple[Node, ...]) -> None:
    """What blocks leave for each other has memory where a launch has several of them, by the same condition."""
    for position, node in enumerate(body):
        match node:
            case ReserveLeft() | ReserveBytes() if node.when is not None:
                if isinstance(node, ReserveLeft) and not any(each == node.when for each in walk(node.tickets)):
                    fault(where, "tickets are reserved by another condition than what blocks leave for each other")
                asked = variables_of(node.when)
                grids = [each.grid for each in blocks_in(body[position + 1 :]) if isinstance(each, Configure)]
                if not any(asked <= variables_of(grid) for grid in grids):
                    names = ", ".join(sorted(asked))
                    fault(where, f"memory is reserved by `{names}`, and no grid behind it has so many blocks")
            case Braces():
                _verify_memory(where, node.body)
            case If():
                _verify_memory(where, node.then)
                _verify_memory(where, node.otherwise)
