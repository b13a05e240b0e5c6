"""Pointers that walk, as arrays with counters.

    const float *p = a, *end = a + n;       (removed)
    while (p < end)                         for (int i = 0; i < n; i++)
        s += *p++;                              s += a[i];

    while (n--)                             for (int i = 0; i < n; i++)
        *dst++ = *src++;                        dst[i] = src[i];

    for (y = 0; y < h; y++, row += w)       for (y = 0; y < h; y++)
        s += row[x];                            s += img[y * w + x];

The body is gone through in the order of its execution, with where each pointer stands: an array, and a polynomial.
A loop is gone through twice: at first to see how far each pointer moves in one iteration, then with the pointers where
they stand in iteration number so many.  Where a pointer stands is asked for only where it is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pencilc.diagnostics.source import Span
from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.frontend.translate.remedies import generated
from pencilc.ir.rewrite import fresh_name
from pencilc.port.counting import (
    STEPS,
    breaks,
    changed_in,
    counted_down,
    goes_on,
    is_zero,
    last_of,
    parts_of,
    step_of,
    targets,
)  # fmt: skip
from pencilc.port.elements import Place, Use, sum_text
from pencilc.port.extents import whole_number
from pencilc.port.find import FunctionText, counter_type, named_numbers
from pencilc.port.heads import Counting, Heads
from pencilc.port.polynomial import Polynomial, spelled
from pencilc.port.records import CannotPort, PortChanges
from pencilc.port.text import Parsed
from pencilc.port.tree import declared_names, has_effects, is_field, kind, resolved, root_name, with_parents

_ZERO, _ONE = Polynomial.number(0), Polynomial.number(1)
_SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}


def without_walking(parsed: Parsed, function: FunctionText) -> PortChanges:
    """The pass over one function, nothing where no pointer walks; raises CannotPort."""
    return _Walks(parsed, function).rewritten()


@dataclass(frozen=True, slots=True)
class _At:
    """Where a pointer stands: element `offset` of the array `base`, whose text names the variables `names`."""

    base: str
    offset: Polynomial = _ZERO
    names: frozenset[str] = frozenset()

    def moved(self, by: Polynomial) -> _At:
        return replace(self, offset=self.offset + by)


@dataclass(slots=True)
class _State:
    """What is known at a place of the function.

    Of each pointer where it stands, or why that is not known; of integers their values; those that a loop has counted
    down, and that are not counted down any more.
    """

    at: dict[str, _At | str] = field(default_factory=dict)
    values: dict[str, Polynomial] = field(default_factory=dict)
    spent: set[str] = field(default_factory=set)

    def copy(self) -> _State:
        return _State(dict(self.at), dict(self.values), set(self.spent))


@dataclass(slots=True)
class _Walks(Heads):
    """One function."""

    atoms: dict[str, frozenset[str]] = field(default_factory=dict)  # names in what is no polynomial, by its text
    going_on: list[list[_State]] = field(default_factory=list)  # the states at `continue`, for each loop
    taken: set[str] = field(default_factory=set)
    numbers: Mapping[int, str] = field(default_factory=dict)

    def rewritten(self) -> PortChanges:
        """Go through the body."""
        node = self.function.node
        locals_ = {
            each.name for each in nodes_below(node.body)
            if kind(each) == "Decl" and each.name and kind(resolved(self.parsed, each.type)) == "PtrDecl"
        }  # fmt: skip
        pointers = {
            each.name for each in self.function.parameters
            if kind(resolved(self.parsed, each.node.type)) in ("PtrDecl", "ArrayDecl")
        }  # fmt: skip
        moving = set(_moving(self.parsed, node.body)) & (locals_ | pointers)
        if not moving:
            return PortChanges(())
        self.tracked = frozenset(locals_ | (moving & pointers))
        declared = declared_names(node)
        for name in moving & pointers:
            if declared.count(name) > 1:
                raise CannotPort(f"several variables are called `{name}`", self.function.span)
        self.taken = set(re.findall(r"\w+", self.parsed.slice(self.function.opening, self.function.end)))
        self.numbers = named_numbers(self.parsed, self.function)
        state = _State({name: _At(name) for name in moving & pointers})
        self._statement(node.body, (node,), state)
        steps = tuple(sorted(self.steps, key=lambda step: step.line))
        return PortChanges(tuple(self.edits), steps, tuple(self.promises))

    # ---- statements ------------------------------------------------------------------------------------------

    def _statement(self, node: Any, around: tuple[Any, ...], state: _State) -> _State | None:
        """Go through a statement; the state behind it, None if it jumps away."""
        inside = (node, *around)
        if id(node) in self.removed:
            self.take_out(node, around)
            return state
        match kind(node):
            case "Compound":
                return self._block(node, inside, state)
            case "Decl":
                self._declared(node, around, state)
            case "If":
                return self._branches(node, inside, state)
            case "For" | "While" | "DoWhile":
                self._loop(node, around, state)
            case "Continue" | "Break" | "Goto" | "Return":
                self._jumping(node, inside, state)
                return None
            case "Switch" | "Label" | "Case" | "Default":
                self._jumped_into(node, inside, state)
            case _:
                if not self._moved(node, state):
                    self._expression(node, around, state)
                elif not self.dry:
                    self.take_out(node, around)
        return state

    def _branches(self, node: Any, inside: tuple[Any, ...], state: _State) -> _State | None:
        self._expression(node.cond, inside, state)
        yes = self._statement(node.iftrue, inside, state.copy())
        no = state if node.iffalse is None else self._statement(node.iffalse, inside, state.copy())
        return _merged([each for each in (yes, no) if each is not None])

    def _jumping(self, node: Any, inside: tuple[Any, ...], state: _State) -> None:
        if kind(node) == "Continue" and self.going_on:
            self.going_on[-1].append(state)
        elif kind(node) == "Return" and node.expr is not None:
            self._expression(node.expr, inside, state)

    def _jumped_into(self, node: Any, inside: tuple[Any, ...], state: _State) -> None:
        if set(_moving(self.parsed, node)) & self.tracked:
            raise CannotPort("a pointer walks on inside of a `switch` or behind a label", self.parsed.span(node))
        for _, child in node.children():
            self._statement(child, inside, state.copy())

    def _block(self, node: Any, inside: tuple[Any, ...], state: _State) -> _State | None:
        inner: _State | None = state.copy()
        own = {each.name for each in node.block_items or () if kind(each) == "Decl"}
        for item in node.block_items or ():
            if inner is None:
                return None
            inner = self._statement(item, inside, inner)
        if inner is None:
            return None
        for name in own:
            _forget(inner, name, self._names_of)
            inner.spent.discard(name)
            inner.values.pop(name, None)
            if name in state.at:
                inner.at[name] = state.at[name]
            else:
                inner.at.pop(name, None)
        return inner

    def _declared(self, node: Any, around: tuple[Any, ...], state: _State) -> None:
        if node.name in self.tracked and kind(resolved(self.parsed, node.type)) == "PtrDecl":
            if node.init is None:
                state.at[node.name] = f"`{node.name}` has no value here"
            else:
                state.at[node.name] = self._pointer(node.init, state)
            if not self.dry:
                self.remove(*self.declaration(self.parsed.name_of(node)), node, around[0])
            return
        state.at.pop(node.name, None)
        if node.init is not None:
            self._expression(node.init, (node, *around), state)
            self._assigned(node.name, node.init, state)

    def _moved(self, node: Any, state: _State) -> bool:
        """Whether an expression does nothing but move pointers; then they are moved."""
        if kind(node) == "UnaryOp" and node.op in STEPS and self._is_tracked(node.expr, state):
            self._move(node.expr, _ONE if "+" in node.op else _ZERO - _ONE, state)
            return True
        if kind(node) != "Assignment" or not self._is_tracked(node.lvalue, state):
            return False
        name = node.lvalue.name
        if node.op == "=":
            state.at[name] = self._pointer(node.rvalue, state)
            return True
        by = self._value(node.rvalue, state)
        self._move(node.lvalue, by if node.op == "+=" else _ZERO - by, state)
        return True

    def _move(self, node: Any, by: Polynomial, state: _State) -> None:
        at = state.at[node.name]
        if isinstance(at, _At):
            state.at[node.name] = at.moved(by)
            if not self.dry:
                place = self._place(at)
                self.tell(node, f"`{node.name}` walks through an array", f"its elements are named: `{place.element()}`")

    def _assigned(self, name: str, value: Any, state: _State) -> None:
        """A variable gets another value; None where that is not known."""
        _forget(state, name, self._names_of)
        state.spent.discard(name)
        state.values.pop(name, None)
        known = None if value is None or has_effects(value) or kind(value) == "InitList" else value
        if known is not None and self._is_whole(known):
            state.values[name] = self._value(known, state)

    # ---- loops -----------------------------------------------------------------------------------------------

    def _loop(self, node: Any, around: tuple[Any, ...], state: _State) -> None:
        """Go through a loop; `state` becomes that behind it."""
        outer = dict(state.at)
        first = parts_of(node.init) if kind(node) == "For" else []
        kept = [each for each in first if not self._begun(each, (node, *around), state)]
        for each in kept:
            self._expression(each, (node, *around), state)
            if kind(each) == "Decl" and each.init is not None:
                self._assigned(each.name, each.init, state)
        changed = changed_in(node)
        deltas = self._deltas(node, around, state, changed)
        control = self._control(node, around, state, deltas, changed)
        moving = {name for name, delta in deltas.items() if isinstance(delta, Polynomial) and delta.terms}
        inside = state.copy()
        for name, at in state.at.items():
            inside.at[name] = self._in_iteration(name, at, deltas[name], control, changed)
        inside.values = {name: value for name, value in inside.values.items() if name not in changed}
        if control is None and moving:
            reason = self._why_not_counted(node, sorted(moving)[0])
            inside.at |= dict.fromkeys(moving, reason)
            if not self.dry:
                raise CannotPort(reason, self.parsed.span(node))
        if control is not None and not moving:
            control = replace(control, condition="", removed=(), spent="")
        if control is not None:
            self.removed |= {id(each) for each in control.removed}
        self._iteration(node, around, inside)
        if not self.dry:
            self.write_head(node, kept, control)
        if control is not None and control.counter and not self.dry:
            self.taken.discard(control.counter)  # Its scope ends here.
        self._behind(node, state, deltas, control, changed)
        for name in {each.name for each in first if kind(each) == "Decl"}:
            state.at.pop(name, None)
            if name in outer:
                state.at[name] = outer[name]

    def _why_not_counted(self, node: Any, name: str) -> str:
        """What a loop in which a pointer walks lacks."""
        cond = node.cond
        if kind(cond) == "BinaryOp" and kind(cond.left) == "ID" and kind(cond.right) == "ID":
            pair = (cond.left.name, cond.right.name)
            if set(pair) <= {each.name for each in self.function.parameters} and set(pair) & self.tracked:
                return f"`{pair[0]}` and `{pair[1]}` are two parameters: hand over one, and how many elements there are"
        return f"`{name}` walks until the data say so: say how many elements there are, or use a counter and `[]`"

    def _begun(self, node: Any, around: tuple[Any, ...], state: _State) -> bool:
        """Whether a part of the beginning of a loop sets a pointer."""
        if kind(node) != "Decl":
            return self._moved(node, state)
        if node.name not in self.tracked or kind(resolved(self.parsed, node.type)) != "PtrDecl":
            return False
        state.at[node.name] = (
            f"`{node.name}` has no value here" if node.init is None else self._pointer(node.init, state)
        )
        return True

    def _iteration(self, node: Any, around: tuple[Any, ...], state: _State) -> _State | None:
        """Go through one iteration: the condition, the body, the step."""
        inside = (node, *around)
        self.going_on.append([])
        if kind(node) != "DoWhile" and node.cond is not None:
            self._condition(node.cond, inside, state)
        behind = self._statement(node.stmt, inside, state)
        ways = [*([] if behind is None else [behind]), *self.going_on.pop()]
        after = _merged(ways)
        if after is None:
            return None
        for each in parts_of(node.next) if kind(node) == "For" else []:
            if id(each) not in self.removed and not self._moved(each, after):
                self._expression(each, inside, after)
        if kind(node) == "DoWhile":
            self._condition(node.cond, inside, after)
        return after

    def _condition(self, node: Any, around: tuple[Any, ...], state: _State) -> None:
        """The condition of a loop: what is compared with a pointer is written anew with the head of the loop."""
        if id(node) in self.removed:
            return
        if kind(node) == "BinaryOp" and node.op == "&&":
            self._condition(node.left, (node, *around), state)
            self._condition(node.right, (node, *around), state)
        else:
            self._expression(node, around, state, is_sure=False)

    def _deltas(
        self, node: Any, around: tuple[Any, ...], state: _State, changed: frozenset[str]
    ) -> dict[str, Polynomial | str]:
        """How far each pointer moves in one iteration, or why that is not the same in all of them."""
        probe = state.copy()
        probe.at = {name: _At(f"@{name}") for name in state.at}
        self.dry += 1
        before = set(self.removed)
        after = self._iteration(node, around, probe)
        self.removed = before
        self.dry -= 1
        found: dict[str, Polynomial | str] = {}
        for name in state.at:
            at = _At(f"@{name}") if after is None else after.at.get(name, _At(f"@{name}"))
            uneven = f"`{name}` does not move on by the same number of elements each time"
            if isinstance(at, str):
                found[name] = at if "condition" in at or "walks" in at else uneven
            elif at.base != f"@{name}":
                found[name] = (
                    f"`{name}` is made to point elsewhere in each iteration: hand its arrays over for one "
                    "iteration, and swap them where the function is called"
                )
            elif self._names_of(at.offset) & changed:
                found[name] = uneven
            else:
                found[name] = at.offset
        if after is not None:
            state.spent |= after.spent
        return found

    def _in_iteration(
        self, name: str, at: _At | str, delta: Polynomial | str, control: Counting | None, changed: frozenset[str]
    ) -> _At | str:
        """Where a pointer stands at the beginning of an iteration."""
        if isinstance(at, str) or isinstance(delta, str):
            return at if isinstance(at, str) else str(delta)
        if (self._names_of(at.offset) | at.names) & changed:
            return f"what `{name}` is computed from changes"
        if not delta.terms or control is None:
            return at
        return at.moved(control.number * delta)

    def _behind(
        self, node: Any, state: _State, deltas: Mapping[str, Polynomial | str], control: Counting | None,
        changed: frozenset[str],
    ) -> None:  # fmt: skip
        """What is known behind a loop."""
        count = None if control is None or breaks(node.stmt) else control.count
        for name, at in state.at.items():
            delta = deltas[name]
            if isinstance(at, str):
                continue
            if isinstance(delta, str):
                state.at[name] = delta
            elif (self._names_of(at.offset) | at.names) & changed:
                state.at[name] = f"what `{name}` is computed from changes"
            elif delta.terms and count is None:
                state.at[name] = f"how far `{name}` has walked behind its loop is not known"
            elif delta.terms and count is not None:
                state.at[name] = at.moved(count * delta)
        for name in changed:
            state.values.pop(name, None)
        if control is not None and control.spent:
            state.spent.add(control.spent)

    # ---- how loops count -------------------------------------------------------------------------------------

    def _control(
        self, node: Any, around: tuple[Any, ...], state: _State, deltas: Mapping[str, Polynomial | str],
        changed: frozenset[str],
    ) -> Counting | None:  # fmt: skip
        """How a loop counts its iterations; None where it is not seen."""
        cond = node.cond
        if cond is None:
            return None
        while kind(cond) == "BinaryOp" and cond.op == "&&":
            cond = cond.left
        is_whole = cond is node.cond
        found = None if kind(node) == "DoWhile" else self._by_counter(node, cond, state, changed)
        found = found or self._by_step_in_condition(node, cond, state, changed)
        found = found or self._by_distance(cond, state, deltas, changed)
        found = found or self._by_countdown(node, cond, state)
        if is_whole or found is None:
            return found
        return None if kind(node) == "DoWhile" else replace(found, count=None)

    def _by_counter(self, node: Any, cond: Any, state: _State, changed: frozenset[str]) -> Counting | None:
        """`for (i = b; i < e; i += s)`, and the same as a `while` whose last statement is the step."""
        if kind(cond) != "BinaryOp" or cond.op not in _SWAPPED:
            return None
        for counter, bound, op in ((cond.left, cond.right, cond.op), (cond.right, cond.left, _SWAPPED[cond.op])):
            start = state.values.get(counter.name) if kind(counter) == "ID" else None
            if start is None or counter.name in state.at or self._names_of(start) & changed:
                continue
            last = parts_of(node.next) if kind(node) == "For" else last_of(node.stmt)
            steps = [(each, by) for each in last if (by := step_of(each, counter.name)) is not None]
            others = [each for each, target in targets(node.stmt) if target == counter.name]
            others = [each for each in others if all(each is not step for step, _ in steps)]
            if len(steps) != 1 or others or (kind(node) == "While" and goes_on(node.stmt)):
                continue
            by = steps[0][1]
            number = Polynomial.name(counter.name) - start
            if by == -1:
                number = _ZERO - number
            elif by != 1:
                continue
            count = self._iterations(bound, op, by, start, state, changed)
            return Counting(number, count)
        return None

    def _iterations(
        self, bound: Any, op: str, by: int, start: Polynomial, state: _State, changed: frozenset[str]
    ) -> Polynomial | None:
        """The iterations of a loop whose counter goes from `start` to `bound` by 1 or -1; None if that is data."""
        if not self._is_whole(bound) or has_effects(bound):
            return None
        end = self._value(bound, state)
        if self._names_of(end) & changed:
            return None
        count = end - start if by == 1 else start - end
        if op == "!=":
            return count
        count = count + _ONE if op in ("<=", ">=") else count
        is_counted = (op in ("<", "<=")) == (by == 1) and count.is_never_negative()
        return count if is_counted else None

    def _by_step_in_condition(self, node: Any, cond: Any, state: _State, changed: frozenset[str]) -> Counting | None:
        """`for (i = n; i--;)` and `for (i = n; i-- > 0;)`."""
        name = counted_down(cond)
        start = state.values.get(name)
        if kind(node) != "For" or start is None or self._names_of(start) & changed:
            return None
        if sum(target == name for part in (node.cond, node.stmt, node.next) for _, target in targets(part)) != 1:
            return None
        return Counting(start - _ONE - Polynomial.name(name), start, removed=(cond,))

    def _by_distance(
        self, cond: Any, state: _State, deltas: Mapping[str, Polynomial | str], changed: frozenset[str]
    ) -> Counting | None:
        """`p < end`: as many iterations as there are elements between the two."""
        if kind(cond) != "BinaryOp" or cond.op not in _SWAPPED:
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
            by, distance = _ZERO - by, _ZERO - distance
        distance = distance + _ONE if cond.op in ("<=", ">=") else distance
        step = _ZERO - by
        if not step.terms or self._names_of(distance + step) & changed:
            return None
        count = distance.quotient(step)
        if count is None and step.constant() == 2 and moved[0].constant() in (1, -1):
            both = self._spelled(distance + _ONE)  # Two pointers walk towards each other.
            text = f"({both}) / 2" if len((distance + _ONE).terms) > 1 else f"{both} / 2"
            self.atoms[text] = self._names_of(distance)
            count = Polynomial.name(text)
        if count is None:
            reason = f"a pointer walks in steps of {spelled(step)}: use a counter and `[]`"
            raise CannotPort(reason, self.parsed.span(cond))
        counter = self._fresh()
        is_sure = cond.op == "!=" or count.is_never_negative()
        condition = self._goes_on_while(counter, count)
        return Counting(Polynomial.name(counter), count if is_sure else None, condition, counter, (cond,))

    def _goes_on_while(self, counter: str, count: Polynomial) -> str:
        """`i < n - 1`, and for an unsigned `n`, which must not go below 0, `i + 1 < n`."""
        taken = _ZERO - Polynomial.of(term for term in count.terms.values() if term[0] < 0)
        if not taken.terms or "unsigned" not in _spelled_type(counter_type(self.function, self._spelled(count))):
            return f"{counter} < {self._spelled(count)}"
        return f"{counter} + {self._spelled(taken)} < {self._spelled(count + taken)}"

    def _compared(self, node: Any, state: _State) -> _At | None:
        """Where a side of a comparison points to; None if it is no pointer."""
        leaf = node
        while kind(leaf) == "BinaryOp" and leaf.op in ("+", "-"):
            leaf = leaf.left
        is_member = kind(leaf) == "StructRef" and not has_effects(node)
        return self._pointer(node, state) if is_member or self._is_pointer(node, state) else None

    def _movement(self, node: Any, deltas: Mapping[str, Polynomial | str]) -> Polynomial | None:
        """How far a side of a comparison moves in an iteration."""
        total = _ZERO
        for each in nodes_below(node):
            if kind(each) == "ID" and each.name in deltas:
                delta = deltas[each.name]
                if isinstance(delta, str):
                    return None
                total = total + delta
        return total

    def _by_countdown(self, node: Any, cond: Any, state: _State) -> Counting | None:
        """`while (n--)`, `while (n > 0) { …; n--; }`: as many iterations as `n` says."""
        counted, is_in_cond = _counted_down(node, cond)
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
        counter = self._fresh()
        number = Polynomial.name(counter)
        return Counting(number, Polynomial.name(name), f"{counter} < {name}", counter, tuple(removed), name)

    def _fresh(self) -> str:
        """A name for a counter."""
        name = next((each for each in "ijk" if each not in self.taken), "") or fresh_name("k", self.taken)
        if not self.dry:
            self.taken.add(name)
        return name

    # ---- expressions -----------------------------------------------------------------------------------------

    def _expression(self, node: Any, around: tuple[Any, ...], state: _State, is_sure: bool = True) -> None:
        """Go through an expression; `is_sure`: it is evaluated once."""
        inside = (node, *around)
        if kind(node) == "ID":
            if node.name in state.at and not is_field(node, around):
                at = 0 if self.dry else self.parsed.token_of(node, node.name)
                self._use(Use(node.name, node, at, at, around), state)
            elif node.name in state.spent and not is_field(node, around):
                reason = f"`{node.name}` is counted down, and used behind that: keep a copy of it"
                raise CannotPort(reason, self.parsed.span(node))
        elif kind(node) == "UnaryOp" and node.op in STEPS and self._is_tracked(node.expr, state):
            if not is_sure:
                reason = f"`{node.expr.name}` walks on only where a condition holds"
                raise CannotPort(reason, self.parsed.span(node))
            self._stepped(node, around, state)
        elif kind(node) == "BinaryOp" and node.op in ("&&", "||"):
            self._expression(node.left, inside, state, is_sure)
            self._expression(node.right, inside, state, is_sure=False)
        elif kind(node) == "TernaryOp":
            self._expression(node.cond, inside, state, is_sure)
            self._expression(node.iftrue, inside, state, is_sure=False)
            self._expression(node.iffalse, inside, state, is_sure=False)
        elif kind(node) in ("Typename", "TypeDecl", "PtrDecl"):
            return
        elif kind(node) != "BinaryOp" or not self._difference(node, state):
            for _, child in node.children():
                self._expression(child, inside, state, is_sure)
            for _, target in targets(node, below=False):
                known = node.rvalue if kind(node) == "Assignment" and node.op == "=" else None
                self._assigned(target, known if kind(getattr(node, "lvalue", None)) == "ID" else None, state)

    def _stepped(self, node: Any, around: tuple[Any, ...], state: _State) -> None:
        """`p++` or `++p` inside of an expression."""
        is_behind = node.op.startswith("p")
        by = _ONE if "+" in node.op else _ZERO - _ONE
        if not is_behind:
            self._move(node.expr, by, state)
        if not self.dry:
            at = self.parsed.token_of(node.expr, node.expr.name)
            first, last = (at, at + 2) if is_behind else (at - 2, at)
            sign = self.parsed.tokens[last if is_behind else first].text
            if sign != node.op[-1]:
                raise CannotPort("parentheses stand around a pointer that walks", self.parsed.span(node))
            self._use(Use(node.expr.name, node, first, last, around), state)
        if is_behind:
            self._move(node.expr, by, state)

    def _use(self, use: Use, state: _State) -> None:
        """An element is named."""
        at = state.at[use.name]
        if self.dry:
            return
        if isinstance(at, str):
            raise CannotPort(at, self.parsed.span(use.node))
        self.rewrite(use, self._place(at))

    def _difference(self, node: Any, state: _State) -> bool:
        """`p - q` and `p < q` of two pointers into one array, as integers."""
        if node.op not in (*_SWAPPED, "-", "==") or kind(node.left) != "ID" or kind(node.right) != "ID":
            return False
        if not {node.left.name, node.right.name} & state.at.keys():
            return False
        if not self._is_pointer(node.left, state) or not self._is_pointer(node.right, state):
            return False
        if self.dry:
            return True
        one, other = self._pointer(node.left, state), self._pointer(node.right, state)
        first = self.parsed.token_of(node.left, node.left.name)
        last = self.parsed.token_of(node.right, node.right.name)
        if one.base != other.base:
            raise CannotPort(
                f"`{node.left.name}` and `{node.right.name}` may be different arrays", self.parsed.span(node)
            )
        if node.op == "-":
            self.edit(first, last, f"({self._spelled(one.offset - other.offset)})")
        else:
            self.edit(first, last, f"{self._spelled(one.offset)} {node.op} {self._spelled(other.offset)}")
        return True

    # ---- where pointers stand --------------------------------------------------------------------------------

    def _is_tracked(self, node: Any, state: _State) -> bool:
        return kind(node) == "ID" and node.name in state.at

    def _is_pointer(self, node: Any, state: _State) -> bool:
        """Whether an expression is a pointer that is seen through."""
        while kind(node) == "BinaryOp" and node.op in ("+", "-"):
            node = node.left
        if kind(node) == "UnaryOp" and node.op == "&":
            return kind(node.expr) == "ArrayRef"
        if kind(node) != "ID":
            return False
        if node.name in state.at:
            return True
        found = (each for each in nodes_below(self.function.node) if kind(each) == "Decl" and each.name == node.name)
        return any(kind(resolved(self.parsed, each.type)) in ("PtrDecl", "ArrayDecl") for each in found)

    def _pointer(self, node: Any, state: _State) -> _At:
        """Where a pointer expression points to; raises CannotPort where that is not seen."""
        where: Span = self.parsed.span(node)
        match kind(node):
            case "ID" if node.name in state.at:
                at = state.at[node.name]
                if isinstance(at, str):
                    raise CannotPort(at, where)
                return at
            case "ID":
                return _At(node.name)
            case "UnaryOp" if node.op in STEPS and self._is_tracked(node.expr, state):
                is_behind = node.op.startswith("p")
                before = self._pointer(node.expr, state)
                self._move(node.expr, _ONE if "+" in node.op else _ZERO - _ONE, state)
                return before if is_behind else self._pointer(node.expr, state)
            case "UnaryOp" if node.op == "&" and kind(node.expr) == "ArrayRef":
                return self._pointer(node.expr.name, state).moved(self._value(node.expr.subscript, state))
            case "BinaryOp" if node.op in ("+", "-"):
                by = self._value(node.right, state)
                return self._pointer(node.left, state).moved(by if node.op == "+" else _ZERO - by)
            case "ArrayRef" if not has_effects(node):
                below = {each.name for each in nodes_below(node) if kind(each) == "ID"} - {root_name(node)}
                if not below & state.at.keys() and root_name(node) not in state.at:
                    return _At(generated(node), _ZERO, frozenset(below))
            case "StructRef" if not has_effects(node) and root_name(node) not in state.at:
                return _At(generated(node))
            case "Cast":
                raise CannotPort("a pointer is taken for one of another type", where)
        raise CannotPort("a pointer is computed in a way that is not seen through", where)

    def _value(self, node: Any, state: _State) -> Polynomial:
        """An integer as a polynomial over variables; what is none is an unknown of its own."""
        match kind(node):
            case "Constant" if (number := whole_number(node)) is not None:
                return number
            case "ID" if node.name not in state.at:
                return Polynomial.name(node.name)
            case "Cast":
                return self._value(node.expr, state)
            case "UnaryOp" if node.op in ("+", "-"):
                value = self._value(node.expr, state)
                return value if node.op == "+" else _ZERO - value
            case "BinaryOp" if node.op == "-" and self._is_pointer(node.left, state):
                one, other = self._pointer(node.left, state), self._pointer(node.right, state)
                if one.base == other.base:
                    return one.offset - other.offset
            case "BinaryOp" if node.op in ("+", "-", "*"):
                left, right = self._value(node.left, state), self._value(node.right, state)
                return left * right if node.op == "*" else left + right if node.op == "+" else left - right
        names = frozenset(each.name for each in nodes_below(node) if kind(each) == "ID")
        if has_effects(node) or names & state.at.keys():
            raise CannotPort("how far a pointer moves is computed with effects", self.parsed.span(node))
        text = generated(node) if kind(node) in ("StructRef", "ArrayRef") else f"({generated(node)})"
        self.atoms[text] = names
        return Polynomial.name(text)

    def _is_whole(self, node: Any) -> bool:
        """Whether an expression is made of integer constants, variables and their sums and products."""
        if kind(node) == "Constant":
            return whole_number(node) is not None
        if kind(node) == "BinaryOp" and node.op in ("+", "-", "*"):
            return self._is_whole(node.left) and self._is_whole(node.right)
        return kind(node) == "ID" and node.name not in self.tracked

    def _names_of(self, value: Polynomial) -> frozenset[str]:
        """The variables that a polynomial is computed from."""
        return frozenset(name for each in value.names() for name in self.atoms.get(each, {each}))

    def _place(self, at: _At) -> Place:
        return Place(at.base, self._spelled(at.offset) if at.offset.terms else "")

    def _spelled(self, value: Polynomial) -> str:
        """C text of a polynomial; what all its products have in common stands once."""
        factored: tuple[int, str] = (1, "")
        for name in sorted(value.names()):
            parts = value.split(name)
            if parts is not None and len(parts[0].terms) > factored[0]:
                rest = self._spelled(parts[1]) if parts[1].terms else ""
                factored = (len(parts[0].terms), sum_text(f"({self._spelled(parts[0])}) * {name}", rest))
        if factored[1]:
            return factored[1]
        return spelled(value, self.numbers)


def _moving(parsed: Parsed, body: Any) -> Iterator[str]:
    """The variables that are made to point elsewhere, and pointers that are declared without a place or in a loop."""
    for node, around in with_parents(body):
        is_pointer = kind(node) == "Decl" and node.name and kind(resolved(parsed, node.type)) == "PtrDecl"
        if is_pointer and (node.init is None or kind(around[0]) == "DeclList"):
            yield node.name
    for _, name in targets(body, elements=False):
        yield name


def _spelled_type(ctype: str) -> str:
    """A type with the word `unsigned` where it is that."""
    return "unsigned" if ctype == "size_t" or ctype.startswith("uint") else ctype


def _merged(states: Sequence[_State]) -> _State | None:
    """What is known where several ways meet."""
    if not states:
        return None
    found = states[0].copy()
    for other in states[1:]:
        for name, at in list(found.at.items()):
            if at != other.at.get(name):
                found.at[name] = f"`{name}` walks on only where a condition holds"
        found.values = {name: value for name, value in found.values.items() if other.values.get(name) == value}
        found.spent |= other.spent
    return found


def _forget(state: _State, name: str, names_of: Any) -> None:
    """A variable has another value: pointers that are computed from it stand nobody knows where."""
    for pointer, at in state.at.items():
        if isinstance(at, _At) and name in names_of(at.offset) | at.names:
            state.at[pointer] = f"`{name}`, which `{pointer}` is computed from, changes"
    state.values = {each: value for each, value in state.values.items() if name not in names_of(value)}


def _counted_down(node: Any, cond: Any) -> tuple[Any, bool]:
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
