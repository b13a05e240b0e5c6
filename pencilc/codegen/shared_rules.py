"""Rules for the shared memory that a launch provides: on each path it fits on the device, and is allowed.

A block has 48 KB of shared memory without asking.  A launch that may provide more must have asked the device how much
there is, have compared what it provides with that, and have let the function have so much before it is started; what
the function and those that it calls declare is taken off.

    ask shared (@limit); @limit -= 4384;        fits = used <= limit;
    if (fits) { configure …, shared used; allow shared limit; start }
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field

from pencilc.codegen.control import fault
from pencilc.codegen.launch_paths import Compared, Path, Started, paths
from pencilc.codegen.shared_memory import SharedMemory, size_of
from pencilc.ir.build import is_number, number
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launching import (
    AllowShared,
    AskShared,
    Configure,
    CopyBack,
    HostValues,
    StartClusters,
    StartLong,
    started_in,
)
from pencilc.ir.nodes import Node, WhileLoop, blocks_in, variables_of
from pencilc.ir.on_chip import ExchangeParts
from pencilc.ir.source import Assign, Binary, Call, Cast, Declare, Expr, IntLiteral, Name, Ternary, Unary
from pencilc.records import dataclass
from pencilc.target import STATIC_SHARED


def verify_shared(where: str, body: tuple[Node, ...], memory: SharedMemory) -> None:
    """Raise CompilerBug where a path provides shared memory that may not fit, or that nobody has allowed."""
    provides = any(isinstance(each, Configure) and each.shared is not None for each in blocks_in(body))
    if provides or any(each.name in memory.given for each in started_in(body)):
        for path in paths(body):
            path.take(body)
            _OnPath(where, memory).follow(path)


@dataclass(slots=True)
class _OnPath:
    """What is known of values while a path is followed."""

    where: str
    memory: SharedMemory
    function: KernelFunction | None = None  # that is started
    defined: dict[str, Expr] = field(default_factory=dict)  # what a variable was set to, while that is the same
    most: list[tuple[Expr, Expr]] = field(default_factory=list)  # the first is at most the second
    # Variables that are no more than what a block of the device may have, without these bytes.
    limits: dict[str, tuple[Expr, ...]] = field(default_factory=dict)
    allowed: dict[str, Expr] = field(default_factory=dict)  # what a function may have
    _declared: set[str] = field(default_factory=set)
    _asked: set[tuple[Expr, Expr]] = field(default_factory=set)  # what is being found out

    def follow(self, path: Path) -> None:
        """Go along a path, and look at each launch."""
        for step in path.trace:
            match step:
                case Compared():
                    self.most += _inequality(step.condition, step.holds)
                case Started():
                    self._started(step)
                case AllowShared():
                    self.allowed[step.function.name] = step.limit
                case AskShared():
                    self._changed(step.of_block)
                    self._changed(step.of_multiprocessor)
                    self.limits[step.of_block] = ()
                case CopyBack():
                    self._changed(step.name)
                case HostValues() | Declare() | Assign() | WhileLoop():
                    self._value(step)

    # ---- variables ---------------------------------------------------------------------------------

    def _changed(self, name: str) -> None:
        """Nothing is known any more of what names the variable."""
        self.limits.pop(name, None)
        self.defined.pop(name, None)
        self.defined = {key: value for key, value in self.defined.items() if name not in variables_of(value)}
        self.most = [pair for pair in self.most if name not in variables_of(pair)]
        self.allowed = {key: value for key, value in self.allowed.items() if name not in variables_of(value)}

    def _value(self, step: HostValues | Declare | Assign | WhileLoop) -> None:
        match step:
            case HostValues():
                for named in step.values:
                    self._declare(named.name, named.value)
            case Declare():
                self._declare(step.symbol.name, step.init)
            case Assign(target=Name() as target):
                self._assigned(target.symbol.name, step)
            case WhileLoop():
                for inside in step.body:
                    if isinstance(inside, Assign) and isinstance(inside.target, Name):
                        self._changed(inside.target.symbol.name)

    def _declare(self, name: str, value: Expr | None) -> None:
        """A variable, of which nothing is known unless others between other braces have its name."""
        if name in self._declared:
            self._changed(name)
        self._declared.add(name)
        if value is not None:
            self.defined[name] = value

    def _set(self, name: str, value: Expr | None) -> None:
        self._changed(name)
        if value is not None and name not in variables_of(value):
            self.defined[name] = value

    def _assigned(self, name: str, step: Assign) -> None:
        """A limit stays one where it becomes smaller; by how much is told by what is taken off."""
        taken = self.limits.get(name)
        if taken is not None and step.compound == "-":
            self._changed(name)
            self.limits[name] = (*taken, step.value)
        elif taken is not None and not step.compound and (step.value, step.target) in self.most:
            self._changed(name)
            self.limits[name] = taken
        else:
            self._set(name, None if step.compound else step.value)

    # ---- launches ----------------------------------------------------------------------------------

    def _started(self, step: Started) -> None:
        for called in started_in((step.node,)):
            function = self.memory.functions.get(called.name)
            if function is None:
                continue
            own = self.memory.of_launch(called.name)
            if isinstance(step.node, StartLong | StartClusters):
                # What starts it compares, and allows so much.
                if (self._bytes(step.node.static, function) or 0) < own:
                    fault(
                        self.where, f"`{called.name}` declares {own} bytes of shared memory, and is told to have less"
                    )
                continue
            provided = step.config.shared if step.config is not None else None
            if provided is None and called.name in self.memory.given:
                fault(self.where, f"`{called.name}` is launched without the shared memory that it is to be given")
            if provided is not None:
                self._provided(function, own, provided)

    def _provided(self, function: KernelFunction, own: int, provided: Expr) -> None:
        self.function = function
        if self._is_at_most(provided, number(STATIC_SHARED - own)):
            return
        name, limit = function.name, self.allowed.get(function.name)
        if limit is None:
            fault(self.where, f"nothing lets `{name}` have more than {STATIC_SHARED} bytes of shared memory")
        if not self._is_limit(limit, own):
            fault(self.where, f"`{name}`, which declares {own} bytes of shared memory, is allowed more than there is")
        if not self._is_at_most(provided, limit):
            fault(self.where, f"nothing says that the shared memory which `{name}` is given fits on the device")

    def _is_limit(self, limit: Expr, own: int) -> bool:
        """Whether a block of the device may have so much besides the bytes that the function declares."""
        return isinstance(limit, Name) and limit.symbol.name in self.limits and self._taken(limit.symbol.name) >= own

    def _taken(self, limit: str) -> int:
        """The bytes that are taken off a limit, at least."""
        return sum(self._bytes(each, self.function) or 0 for each in self.limits[limit])

    def _bytes(self, value: Expr, function: KernelFunction | None) -> int | None:
        """The number of bytes that `value` is, if it is a constant of the function."""
        match value:
            case IntLiteral():
                return value.value
            case Cast():
                return self._bytes(value.operand, function)
            case Binary(op="*"):
                left, right = self._bytes(value.left, function), self._bytes(value.right, function)
                return left * right if left is not None and right is not None else None
            case Call(function="sizeof", arguments=(Name() as kind,)) if function is not None:
                return next(
                    (
                        each.places * max(size_of(found) for found, _ in each.members)
                        for each in blocks_in(function.body)
                        if isinstance(each, ExchangeParts) and f"{each.name}_parts" == kind.symbol.name
                    ),
                    None,
                )
        return None

    # ---- what is at most something -----------------------------------------------------------------

    @contextmanager
    def _where(self, condition: Expr, holds: bool) -> Iterator[None]:
        """What is known besides where a condition holds, or does not."""
        known = len(self.most)
        self.most += _inequality(condition, holds)
        yield
        del self.most[known:]

    def _is_at_most(self, value: Expr, bound: Expr) -> bool:
        """Whether `value` is no more than `bound`, by what is known; both are sizes, which are not negative."""
        asked = value, bound = _plain(value), _plain(bound)
        if asked in self._asked:
            return False
        self._asked.add(asked)
        found = self._is_less_or_same(value, bound)
        self._asked.remove(asked)
        return found

    def _is_less_or_same(self, value: Expr, bound: Expr) -> bool:
        if value == bound:
            return True
        if isinstance(value, Ternary):
            return self._in_both(value, lambda each: self._is_at_most(each, bound))
        if isinstance(bound, Ternary):
            return self._in_both(bound, lambda each: self._is_at_most(value, each))
        most, least = self._constant(value), self._least(bound)
        if most is not None and least is not None and most <= least:
            return True
        if isinstance(value, Binary) and value.op == "*":
            factors = (value.left, value.right), (value.right, value.left)
            if any(self._is_product_at_most(one, other, bound) for one, other in factors):
                return True
        if any(self._is_at_most(more, bound) for less, more in self.most if _plain(less) == value):
            return True
        if isinstance(value, Name) and value.symbol.name in self.defined:
            return self._is_at_most(self.defined[value.symbol.name], bound)
        return (
            isinstance(bound, Name)
            and bound.symbol.name in self.defined
            and (self._is_at_most(value, self.defined[bound.symbol.name]))
        )

    def _is_product_at_most(self, factor: Expr, other: Expr, bound: Expr) -> bool:
        """Whether `factor * other` is no more than `bound`."""
        factor = _plain(factor)
        if any(
            self._is_product_at_most(more, other, bound)
            for less, more in self.most
            if _plain(less) == factor and isinstance(more, IntLiteral)
        ):
            return True
        match factor:
            case Name() if factor.symbol.name in self.defined:
                return self._is_product_at_most(self.defined[factor.symbol.name], other, bound)
            case Ternary():
                return self._in_both(factor, lambda each: self._is_product_at_most(each, other, bound))
            case Binary(op="/"):
                # x / y * z is no more than x where z is no more than y.
                return self._is_at_most(other, factor.right) and self._is_at_most(factor.left, bound)
            case IntLiteral():
                return self._is_few_times(factor.value, other, bound)
        return False

    def _is_few_times(self, count: int, other: Expr, bound: Expr) -> bool:
        """Whether `count * other` is no more than `bound`, because so many are compared, or fit into less."""
        constant = self._constant(other)
        if constant is not None and self._is_at_most(number(count * constant), bound):
            return True
        if count == 1 and self._is_at_most(other, bound):
            return True
        for less, more in self.most:
            match _plain(less):
                case Binary(op="*", left=left, right=right) if (
                    (is_number(left, count) and _plain(right) == _plain(other))
                    or (is_number(right, count) and _plain(left) == _plain(other))
                ) and self._is_at_most(more, bound):
                    return True
                case IntLiteral(value=value) if value >= count:
                    # As many as x / y is more than.
                    shared = self._meaning(more)
                    if isinstance(shared, Binary) and shared.op == "/" and self._is_at_most(other, shared.right):
                        return self._is_at_most(shared.left, bound)
        return False

    def _in_both(self, value: Ternary, holds: Callable[[Expr], bool]) -> bool:
        """Whether something holds for either value of a choice."""
        with self._where(value.condition, True):
            if not holds(value.then):
                return False
        with self._where(value.condition, False):
            return holds(value.otherwise)

    def _meaning(self, value: Expr) -> Expr:
        """What a variable was set to, or the value itself."""
        value = _plain(value)
        while isinstance(value, Name) and value.symbol.name in self.defined:
            value = _plain(self.defined[value.symbol.name])
        return value

    def _least(self, bound: Expr) -> int | None:
        """The number that a bound is, or what every device has."""
        match bound:
            case IntLiteral():
                return bound.value
            case Name() if bound.symbol.name in self.limits:
                return STATIC_SHARED - self._taken(bound.symbol.name)
        return None

    def _constant(self, value: Expr) -> int | None:
        """The number that a value is at most, if constants tell it."""
        value = self._meaning(value)
        match value:
            case IntLiteral():
                return value.value
            case Binary(op="+" | "*"):
                left, right = self._constant(value.left), self._constant(value.right)
                if left is None or right is None:
                    return None
                return left + right if value.op == "+" else left * right
            case Call(function="pencilc_padded", arguments=(inner,)):
                found = self._constant(inner)
                return None if found is None else -(-found // 16) * 16
        return None


def _plain(value: Expr) -> Expr:
    """A value without its conversions, which change no size."""
    while isinstance(value, Cast):
        value = value.operand
    return value


def _inequality(condition: Expr, holds: bool) -> Iterator[tuple[Expr, Expr]]:
    """What is at most what, where a condition holds or does not; of a strict comparison no more than that."""
    match condition:
        case Unary(op="!"):
            yield from _inequality(condition.operand, not holds)
        case Binary(op="&&") if holds:
            yield from _inequality(condition.left, True)
            yield from _inequality(condition.right, True)
        case Binary(op="||") if not holds:
            yield from _inequality(condition.left, False)
            yield from _inequality(condition.right, False)
        case Binary(op="<=" | "<"):
            yield (condition.left, condition.right) if holds else (condition.right, condition.left)
        case Binary(op=">" | ">="):
            yield (condition.right, condition.left) if holds else (condition.left, condition.right)
