"""How loops with pointers in them count their iterations.

for (i = b; i < e; i++)        while (p < end)        while (n--)        do … while (--n);
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.ir.rewrite import fresh_name
from pencilc.port.counting import (
    counted_down,
    first_conjunct,
    goes_on,
    is_zero,
    last_of,
    parts_of,
    step_of,
    steps_at_end,
    targets,
)  # fmt: skip
from pencilc.port.find import counter_type
from pencilc.port.heads import Counting
from pencilc.port.polynomial import Polynomial, spelled
from pencilc.port.positions import ONE, ZERO, Positions, Standing, WalkState
from pencilc.port.records import CannotPort
from pencilc.port.tree import has_effects, kind
from pencilc.records import dataclass

SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}


@dataclass(slots=True)
class CountedLoops(Positions):
    """One function, in which it is asked how its loops count."""

    taken: set[str] = field(default_factory=set)

    def control(
        self, node: Any, around: tuple[Any, ...], state: WalkState, deltas: Mapping[str, Polynomial | str],
        changed: frozenset[str],
    ) -> Counting | None:  # fmt: skip
        """How a loop counts its iterations; None where it is not seen."""
        if node.cond is None:
            return None
        cond = first_conjunct(node.cond)
        is_whole = cond is node.cond
        found = None if kind(node) == "DoWhile" else self._by_counter(node, cond, state, deltas, changed)
        found = found or self._by_step_in_condition(node, cond, state, changed)
        found = found or self._by_distance(cond, state, deltas, changed)
        found = found or self._by_countdown(node, cond, state)
        if is_whole or found is None:
            return found
        return None if kind(node) == "DoWhile" else replace(found, count=None)

    def _by_counter(
        self, node: Any, cond: Any, state: WalkState, deltas: Mapping[str, Polynomial | str], changed: frozenset[str]
    ) -> Counting | None:
        """`for (i = b; i < e; i += s)`, and the same as a `while` whose last statements are steps."""
        if kind(cond) != "BinaryOp" or cond.op not in SWAPPED:
            return None
        for side, bound, op in ((cond.left, cond.right, cond.op), (cond.right, cond.left, SWAPPED[cond.op])):
            # `i + 2 < n` counts as `i < n` does, but not as often.
            is_ahead = kind(side) == "BinaryOp" and side.op in ("+", "-") and kind(side.right) == "Constant"
            counter: Any = side.left if is_ahead else side
            start = state.values.get(counter.name) if kind(counter) == "ID" else None
            if start is None or counter.name in state.at or self.names_of(start) & changed:
                continue
            last = parts_of(node.next) if kind(node) == "For" else steps_at_end(node.stmt)
            steps = [(each, by) for each in last if (by := step_of(each, counter.name)) is not None]
            others = [each for each, target in targets(node.stmt) if target == counter.name]
            others = [each for each in others if all(each is not step for step, _ in steps)]
            if len(steps) != 1 or others or (kind(node) == "While" and goes_on(node.stmt)):
                continue
            by = steps[0][1]
            number = Polynomial.name(counter.name) - start
            number = ZERO - number if by < 0 else number
            if abs(by) != 1 or is_ahead:
                return Counting(number if abs(by) == 1 else self._every(number, abs(by)), None) if by else None
            if kind(bound) == "ID" and bound.name in self.integers and bound.name in deltas:
                return self._until_they_meet(counter, op, by, start, bound, deltas[bound.name], state, changed)
            count = self._iterations(bound, op, by, start, state, changed)
            return Counting(number, count)
        return None

    def _every(self, distance: Polynomial, step: int) -> Polynomial:
        """How many steps of a size a distance is that is a multiple of it: `(i / 4)`."""
        text = self.spelled_out(distance)
        name = f"({text} / {step})" if re.fullmatch(r"\w+", text) else f"(({text}) / {step})"
        self.atoms[name] = self.names_of(distance)
        return Polynomial.name(name)

    def _until_they_meet(
        self, counter: Any, op: str, by: int, start: Polynomial, bound: Any, moves: Polynomial | str, state: WalkState,
        changed: frozenset[str],
    ) -> Counting | None:  # fmt: skip
        """`for (i = 0, j = n - 1; i < j; i++, j--)`: until `i < n / 2`."""
        both = start + self.standing(bound, state).offset  # i + j, which stays what it is
        meets = isinstance(moves, Polynomial) and moves.constant() == -by and (by == 1) == (op in ("<", "<="))
        if not meets or op == "!=" or self.names_of(both) & changed or not start.is_never_negative():
            return None
        number = Polynomial.name(counter.name) - start
        more = {"<": 1, "<=": 2, ">": 0, ">=": 1}[op]
        both = both + Polynomial.number(more)
        lowered = any(factor < 0 for factor, _ in both.terms.values())
        if lowered and not all(self.types.get(each) == ("int",) for each in self.names_of(both)):
            return None
        text = self.spelled_out(both)
        half = f"{text} / 2" if re.fullmatch(r"\w+", text) else f"({text}) / 2"
        relation = "<" if by == 1 else op
        return Counting(number if by == 1 else ZERO - number, None, bound=f"{counter.name} {relation} {half}")

    def _iterations(
        self, bound: Any, op: str, by: int, start: Polynomial, state: WalkState, changed: frozenset[str]
    ) -> Polynomial | None:
        """The iterations of a loop whose counter goes from `start` to `bound` by 1 or -1; None if that is data."""
        if not self.is_whole(bound) or has_effects(bound):
            return None
        end = self.value(bound, state)
        if self.names_of(end) & changed:
            return None
        count = end - start if by == 1 else start - end
        if op == "!=":
            return count
        count = count + ONE if op in ("<=", ">=") else count
        is_counted = (op in ("<", "<=")) == (by == 1) and count.is_never_negative()
        return count if is_counted else None

    def _by_step_in_condition(self, node: Any, cond: Any, state: WalkState, changed: frozenset[str]) -> Counting | None:
        """`for (i = n; i--;)` and `for (i = n; i-- > 0;)`."""
        name = counted_down(cond)
        start = state.values.get(name)
        if kind(node) != "For" or start is None or self.names_of(start) & changed:
            return None
        if sum(target == name for part in (node.cond, node.stmt, node.next) for _, target in targets(part)) != 1:
            return None
        return Counting(start - ONE - Polynomial.name(name), start, removed=(cond,))

    def _by_distance(
        self, cond: Any, state: WalkState, deltas: Mapping[str, Polynomial | str], changed: frozenset[str]
    ) -> Counting | None:
        """`p < end`: as many iterations as there are elements between the two."""
        if kind(cond) != "BinaryOp" or cond.op not in SWAPPED:
            return None
        swap = cond.op in (">", ">=")
        left, right = (cond.right, cond.left) if swap else (cond.left, cond.right)
        one, other = self._compared(left, state), self._compared(right, state)
        if one is None or other is None or one.base != other.base:
            return None
        moved = self._movement(right, deltas), self._movement(left, deltas)
        if moved[0] is None or moved[1] is None:
            return None
        by, distance = moved[0] - moved[1], other.offset - one.offset
        if cond.op == "!=" and by.is_never_negative():
            by, distance = ZERO - by, ZERO - distance
        distance = distance + ONE if cond.op in ("<=", ">=") else distance
        step = ZERO - by
        if not step.terms or self.names_of(distance + step) & changed:
            return None
        count = distance.quotient(step)
        if count is None and step.constant() == 2 and moved[0].constant() in (1, -1):
            both = self.spelled_out(distance + ONE)  # Two pointers walk towards each other.
            text = f"({both}) / 2" if len((distance + ONE).terms) > 1 else f"{both} / 2"
            self.atoms[text] = self.names_of(distance)
            count = Polynomial.name(text)
        if count is None:
            reason = f"a pointer walks in steps of {spelled(step)}: use a counter and `[]`"
            raise CannotPort(reason, self.parsed.span(cond))
        counter = self.fresh()
        is_sure = cond.op == "!=" or count.is_never_negative()
        condition = self._goes_on_while(counter, count)
        return Counting(Polynomial.name(counter), count if is_sure else None, condition, counter, (cond,))

    def _goes_on_while(self, counter: str, count: Polynomial) -> str:
        """`i < n - 1`, and for an unsigned `n`, which must not go below 0, `i + 1 < n`."""
        taken = ZERO - Polynomial.of(term for term in count.terms.values() if term[0] < 0)
        if not taken.terms or "unsigned" not in _spelled_type(counter_type(self.function, self.spelled_out(count))):
            return f"{counter} < {self.spelled_out(count)}"
        return f"{counter} + {self.spelled_out(taken)} < {self.spelled_out(count + taken)}"

    def _compared(self, node: Any, state: WalkState) -> Standing | None:
        """Where a side of a comparison points to; None if it is no pointer."""
        leaf = node
        while kind(leaf) == "BinaryOp" and leaf.op in ("+", "-"):
            leaf = leaf.left
        is_member = kind(leaf) == "StructRef" and not has_effects(node)
        return self.pointer(node, state) if is_member or self.is_pointer(node, state) else None

    def _movement(self, node: Any, deltas: Mapping[str, Polynomial | str]) -> Polynomial | None:
        """How far a side of a comparison moves in an iteration."""
        total = ZERO
        for each in nodes_below(node):
            if kind(each) == "ID" and each.name in deltas:
                delta = deltas[each.name]
                if isinstance(delta, str):
                    return None
                total = total + delta
        return total

    def _by_countdown(self, node: Any, cond: Any, state: WalkState) -> Counting | None:
        """`while (n--)`, `while (n > 0) { …; n--; }`: as many iterations as `n` says."""
        counted, is_in_cond = _part_counted_down(node, cond)
        if kind(counted) != "ID" or counted.name in self.tracked or counted.name in state.spent:
            return None
        name = counted.name
        removed = [cond]
        if not is_in_cond:
            last = parts_of(node.next) if kind(node) == "For" else last_of(node.stmt)
            steps = [each for each in last if step_of(each, name) == -1]
            if len(steps) != 1 or (kind(node) != "For" and goes_on(node.stmt)):
                return None
            removed += steps
        gone = {id(each) for part in removed for each in nodes_below(part)}
        used = [each for each in nodes_below(node) if kind(each) == "ID" and each.name == name and id(each) not in gone]
        if used:
            return None
        counter = self.fresh()
        number = Polynomial.name(counter)
        return Counting(number, Polynomial.name(name), f"{counter} < {name}", counter, tuple(removed), name)

    def fresh(self) -> str:
        """A name for a counter."""
        name = next((each for each in "ijk" if each not in self.taken), "") or fresh_name("k", self.taken)
        if not self.dry:
            self.taken.add(name)
        return name


def _spelled_type(ctype: str) -> str:
    """A type with the word `unsigned` where it is that."""
    return "unsigned" if ctype == "size_t" or ctype.startswith("uint") else ctype


def _part_counted_down(node: Any, cond: Any) -> tuple[Any, bool]:
    """What the condition of a loop asks to be above zero, and whether it counts that down itself."""
    counted, steps_first = cond, False
    if kind(cond) == "BinaryOp" and cond.op in (">", "!=", ">=") and is_zero(cond.right):
        counted = cond.left
        steps_first = cond.op == ">="
    if steps_first and (kind(counted) != "UnaryOp" or counted.op != "--"):
        return cond, False  # `n >= 0` is asked once more than `n` says.
    is_before = steps_first or kind(node) == "DoWhile"
    if kind(counted) == "UnaryOp" and counted.op == ("--" if is_before else "p--"):
        return counted.expr, True
    return counted, False
