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
from dataclasses import field, replace
from typing import Any

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.port.beside import beside_counters, integer_types
from pencilc.port.counting import (
    STEPS,
    breaks,
    changed_in,
    first_conjunct,
    parts_of,
    targets,
)  # fmt: skip
from pencilc.port.counts import SWAPPED, CountedLoops
from pencilc.port.elements import Use
from pencilc.port.find import FunctionText, named_numbers
from pencilc.port.heads import Counting
from pencilc.port.polynomial import Polynomial
from pencilc.port.positions import ONE, ZERO, Standing, WalkState, forget, merged
from pencilc.port.records import CannotPort, HiddenByMacro, PortChanges
from pencilc.port.text import Parsed
from pencilc.port.tree import declared_names, is_field, kind, resolved, with_parents
from pencilc.records import dataclass


def without_walking(parsed: Parsed, function: FunctionText) -> PortChanges:
    """The pass over one function, nothing where no pointer walks; raises CannotPort.

    Integers that count beside a counter stay where it is not seen how far they move.
    """
    types = integer_types(parsed, function.node)
    beside = beside_counters(parsed, function.node, types)
    followed = [each for each in beside if _walked(parsed, function, types, [each])] if len(beside) > 1 else beside
    made = _walked(parsed, function, types, followed) if followed else None
    return made or _Walks(parsed, function).rewritten()


def _walked(
    parsed: Parsed, function: FunctionText, types: Mapping[str, tuple[str, ...]], integers: Sequence[str]
) -> PortChanges | None:  # fmt: skip
    """The pass with some integers; None where that is not possible."""
    try:
        return _Walks(parsed, function, integers=frozenset(integers), types=types).rewritten()
    except CannotPort:
        return None


@dataclass(slots=True)
class _Walks(CountedLoops):
    """One function."""

    going_on: list[list[WalkState]] = field(default_factory=list)  # the states at `continue`, for each loop

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
        locals_ |= self.integers
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
        state = WalkState({name: Standing(name) for name in moving & pointers})
        self._statement(node.body, (node,), state)
        steps = tuple(sorted(self.steps, key=lambda step: step.line))
        return PortChanges(tuple(self.edits), steps, tuple(self.promises))

    # ---- statements ------------------------------------------------------------------------------------------

    def _statement(self, node: Any, around: tuple[Any, ...], state: WalkState) -> WalkState | None:
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

    def _branches(self, node: Any, inside: tuple[Any, ...], state: WalkState) -> WalkState | None:
        self._expression(node.cond, inside, state)
        yes = self._statement(node.iftrue, inside, state.copy())
        no = state if node.iffalse is None else self._statement(node.iffalse, inside, state.copy())
        return merged([each for each in (yes, no) if each is not None])

    def _jumping(self, node: Any, inside: tuple[Any, ...], state: WalkState) -> None:
        if kind(node) == "Continue" and self.going_on:
            self.going_on[-1].append(state)
        elif kind(node) == "Return" and node.expr is not None:
            self._expression(node.expr, inside, state)

    def _jumped_into(self, node: Any, inside: tuple[Any, ...], state: WalkState) -> None:
        if set(_moving(self.parsed, node)) & self.tracked:
            raise CannotPort("a pointer walks on inside of a `switch` or behind a label", self.parsed.span(node))
        for _, child in node.children():
            self._statement(child, inside, state.copy())

    def _block(self, node: Any, inside: tuple[Any, ...], state: WalkState) -> WalkState | None:
        inner: WalkState | None = state.copy()
        own = {each.name for each in node.block_items or () if kind(each) == "Decl"}
        for item in node.block_items or ():
            if inner is None:
                return None
            inner = self._statement(item, inside, inner)
        if inner is None:
            return None
        for name in own:
            forget(inner, name, self.names_of)
            inner.spent.discard(name)
            inner.values.pop(name, None)
            if name in state.at:
                inner.at[name] = state.at[name]
            else:
                inner.at.pop(name, None)
        return inner

    def _declared(self, node: Any, around: tuple[Any, ...], state: WalkState) -> None:
        if self._is_walker(node):
            self._set(node.name, node.init, state)
            if not self.dry:
                self.remove(*self.declaration(self.parsed.name_of(node)), self._walkers_of(around[0]))
            return
        state.at.pop(node.name, None)
        if node.init is not None:
            self._expression(node.init, (node, *around), state)
            self.assigned(node.name, node.init, state)

    def _is_walker(self, node: Any) -> bool:
        """Whether a declaration is that of a variable that is tracked."""
        if node.name not in self.tracked:
            return False
        return node.name in self.integers or kind(resolved(self.parsed, node.type)) == "PtrDecl"

    def _walkers_of(self, compound: Any) -> set[str]:
        """The tracked variables that are declared in a block."""
        items = compound.block_items or ()
        return {each.name for each in items if kind(each) == "Decl" and self._is_walker(each)}

    def _set(self, name: str, value: Any, state: WalkState) -> None:
        """A tracked variable gets a place; None is none."""
        if value is None:
            state.at[name] = f"`{name}` has no value here"
        else:
            state.at[name] = self.integer(value, state) if name in self.integers else self.pointer(value, state)

    def _moved(self, node: Any, state: WalkState) -> bool:
        """Whether an expression does nothing but move pointers; then they are moved."""
        if kind(node) == "UnaryOp" and node.op in STEPS and self.is_tracked(node.expr, state):
            self.move(node.expr, ONE if "+" in node.op else ZERO - ONE, state)
            return True
        if kind(node) != "Assignment" or not self.is_tracked(node.lvalue, state):
            return False
        name = node.lvalue.name
        if node.op == "=":
            self._set(name, node.rvalue, state)
            return True
        is_integer = name in self.integers
        by = self.integer(node.rvalue, state).offset if is_integer else self.value(node.rvalue, state)
        self.move(node.lvalue, by if node.op == "+=" else ZERO - by, state)
        return True

    # ---- loops -----------------------------------------------------------------------------------------------

    def _loop(self, node: Any, around: tuple[Any, ...], state: WalkState) -> None:
        """Go through a loop; `state` becomes that behind it."""
        outer = dict(state.at)
        kept = self._begin(node, around, state)
        changed = changed_in(node)
        deltas = self._deltas(node, around, state, changed)
        control = self._counted(node, around, state, deltas, changed)
        inside = self._in_iteration(node, state, deltas, control, changed)
        if control is not None:
            self.removed |= {id(each) for each in control.removed}
            if control.bound:
                self.removed.add(id(first_conjunct(node.cond)))
        self._iteration(node, around, inside)
        if not self.dry:
            self.write_head(node, kept, control)
            if control is not None and control.counter:
                self.taken.discard(control.counter)  # Its scope ends here.
        self._behind(node, state, deltas, control, changed)
        for each in parts_of(node.init) if kind(node) == "For" else ():
            if kind(each) == "Decl":
                state.at.pop(each.name, None)
                if each.name in outer:
                    state.at[each.name] = outer[each.name]

    def _begin(self, node: Any, around: tuple[Any, ...], state: WalkState) -> list[Any]:
        """Go through what a `for` begins with; the parts of it that set no pointer, and stay."""
        first = parts_of(node.init) if kind(node) == "For" else []
        kept = [each for each in first if not self._begun(each, (node, *around), state)]
        for each in kept:
            self._expression(each, (node, *around), state)
            if kind(each) == "Decl" and each.init is not None:
                self.assigned(each.name, each.init, state)
        return kept

    def _counted(
        self, node: Any, around: tuple[Any, ...], state: WalkState, deltas: Mapping[str, Polynomial | str],
        changed: frozenset[str],
    ) -> Counting | None:  # fmt: skip
        """How a loop counts; where no pointer moves in it its head stays, whatever it is."""
        control = self.control(node, around, state, deltas, changed)
        if control is not None and not _moved_by(deltas):
            return replace(control, condition="", removed=(), spent="")
        return control

    def _in_iteration(
        self, node: Any, state: WalkState, deltas: Mapping[str, Polynomial | str], control: Counting | None,
        changed: frozenset[str],
    ) -> WalkState:  # fmt: skip
        """What is known at the beginning of an iteration; raises CannotPort where a pointer moves uncounted."""
        inside = state.copy()
        for name, at in state.at.items():
            inside.at[name] = self._at_iteration(name, at, deltas[name], control, changed)
        inside.values = {name: value for name, value in inside.values.items() if name not in changed}
        moving = _moved_by(deltas)
        if control is None and moving:
            reason = self._why_not_counted(node, moving[0])
            inside.at |= dict.fromkeys(moving, reason)
            if not self.dry:
                raise CannotPort(reason, self.parsed.span(node))
        return inside

    def _why_not_counted(self, node: Any, name: str) -> str:
        """What a loop in which a pointer walks lacks."""
        cond = node.cond
        if kind(cond) == "BinaryOp" and kind(cond.left) == "ID" and kind(cond.right) == "ID":
            pair = (cond.left.name, cond.right.name)
            if set(pair) <= {each.name for each in self.function.parameters} and set(pair) & self.tracked:
                return f"`{pair[0]}` and `{pair[1]}` are two parameters: hand over one, and how many elements there are"
        return f"`{name}` walks until the data say so: say how many elements there are, or use a counter and `[]`"

    def _begun(self, node: Any, around: tuple[Any, ...], state: WalkState) -> bool:
        """Whether a part of the beginning of a loop sets a pointer."""
        if kind(node) != "Decl":
            return self._moved(node, state)
        if not self._is_walker(node):
            return False
        self._set(node.name, node.init, state)
        return True

    def _iteration(self, node: Any, around: tuple[Any, ...], state: WalkState) -> WalkState | None:
        """Go through one iteration: the condition, the body, the step."""
        inside = (node, *around)
        self.going_on.append([])
        if kind(node) != "DoWhile" and node.cond is not None:
            self._condition(node.cond, inside, state)
        behind = self._statement(node.stmt, inside, state)
        ways = [*([] if behind is None else [behind]), *self.going_on.pop()]
        after = merged(ways)
        if after is None:
            return None
        for each in parts_of(node.next) if kind(node) == "For" else []:
            if id(each) not in self.removed and not self._moved(each, after):
                self._expression(each, inside, after)
        if kind(node) == "DoWhile":
            self._condition(node.cond, inside, after)
        return after

    def _condition(self, node: Any, around: tuple[Any, ...], state: WalkState) -> None:
        """The condition of a loop: what is compared with a pointer is written anew with the head of the loop."""
        if id(node) in self.removed:
            return
        if kind(node) == "BinaryOp" and node.op == "&&":
            self._condition(node.left, (node, *around), state)
            self._condition(node.right, (node, *around), state)
        else:
            self._expression(node, around, state, is_sure=False)

    def _deltas(
        self, node: Any, around: tuple[Any, ...], state: WalkState, changed: frozenset[str]
    ) -> dict[str, Polynomial | str]:
        """How far each pointer moves in one iteration, or why that is not the same in all of them."""
        probe = state.copy()
        probe.at = {name: self._somewhere(name) for name in state.at}
        self.dry += 1
        before = set(self.removed)
        after = self._iteration(node, around, probe)
        self.removed = before
        self.dry -= 1
        found: dict[str, Polynomial | str] = {}
        for name in state.at:
            before_it = self._somewhere(name)
            at = before_it if after is None else after.at.get(name, before_it)
            uneven = f"`{name}` does not move on by the same number of elements each time"
            if isinstance(at, str):
                found[name] = at if "condition" in at or "walks" in at else uneven
                continue
            delta = at.offset - before_it.offset
            if at.base != before_it.base:
                found[name] = (
                    f"`{name}` is made to point elsewhere in each iteration: hand its arrays over for one "
                    "iteration, and swap them where the function is called"
                )
            elif self.names_of(delta) & changed or any(each.startswith("@") for each in delta.names()):
                found[name] = uneven
            else:
                found[name] = delta
        if after is not None:
            state.spent |= after.spent
        return found

    def _somewhere(self, name: str) -> Standing:
        """Any place of a variable."""
        return Standing("", Polynomial.name(f"@{name}")) if name in self.integers else Standing(f"@{name}")

    def _at_iteration(
        self, name: str, at: Standing | str, delta: Polynomial | str, control: Counting | None, changed: frozenset[str]
    ) -> Standing | str:
        """Where a pointer stands at the beginning of an iteration."""
        if isinstance(at, str) or isinstance(delta, str):
            return at if isinstance(at, str) else str(delta)
        if (self.names_of(at.offset) | at.names) & changed:
            return f"what `{name}` is computed from changes"
        if not delta.terms or control is None:
            return at
        return at.moved(control.number * delta)

    def _behind(
        self, node: Any, state: WalkState, deltas: Mapping[str, Polynomial | str], control: Counting | None,
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
            elif (self.names_of(at.offset) | at.names) & changed:
                state.at[name] = f"what `{name}` is computed from changes"
            elif delta.terms and count is None:
                state.at[name] = f"how far `{name}` has walked behind its loop is not known"
            elif delta.terms and count is not None:
                state.at[name] = replace(at.moved(count * delta), is_behind=True)
        for name in changed:
            state.values.pop(name, None)
        if control is not None and control.spent:
            state.spent.add(control.spent)

    # ---- expressions -----------------------------------------------------------------------------------------

    def _expression(self, node: Any, around: tuple[Any, ...], state: WalkState, is_sure: bool = True) -> None:
        """Go through an expression; `is_sure`: it is evaluated once."""
        inside = (node, *around)
        if kind(node) == "ID":
            if node.name in state.at and not is_field(node, around):
                at = 0 if self.dry else self.parsed.token_of(node, node.name)
                self._use(Use(node.name, node, at, at, around), state)
            elif node.name in state.spent and not is_field(node, around):
                reason = f"`{node.name}` is counted down, and used behind that: keep a copy of it"
                raise CannotPort(reason, self.parsed.span(node))
        elif kind(node) == "UnaryOp" and node.op in STEPS and self.is_tracked(node.expr, state):
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
                self.assigned(target, known if kind(getattr(node, "lvalue", None)) == "ID" else None, state)

    def _stepped(self, node: Any, around: tuple[Any, ...], state: WalkState) -> None:
        """`p++` or `++p` inside of an expression."""
        is_behind = node.op.startswith("p")
        by = ONE if "+" in node.op else ZERO - ONE
        if not is_behind:
            self.move(node.expr, by, state)
        if not self.dry:
            at = self.parsed.token_of(node.expr, node.expr.name)
            first, last = (at, at + 2) if is_behind else (at - 2, at)
            sign = self.parsed.tokens[last if is_behind else first].text
            if sign != node.op[-1]:
                raise HiddenByMacro("parentheses stand around a pointer that walks", self.parsed.span(node))
            self._use(Use(node.expr.name, node, first, last, around), state)
        if is_behind:
            self.move(node.expr, by, state)

    def _use(self, use: Use, state: WalkState) -> None:
        """An element is named."""
        at = state.at[use.name]
        if self.dry:
            return
        if isinstance(at, str):
            raise CannotPort(at, self.parsed.span(use.node))
        if use.name in self.integers:
            self.write_value(use, at)
        else:
            self.rewrite(use, self.place(at))

    def _difference(self, node: Any, state: WalkState) -> bool:
        """`p - q` and `p < q` of two pointers into one array, as integers."""
        if node.op not in (*SWAPPED, "-", "==") or kind(node.left) != "ID" or kind(node.right) != "ID":
            return False
        if not {node.left.name, node.right.name} & state.at.keys():
            return False
        if not self.is_pointer(node.left, state) or not self.is_pointer(node.right, state):
            return False
        if self.dry:
            return True
        one, other = self.pointer(node.left, state), self.pointer(node.right, state)
        first = self.parsed.token_of(node.left, node.left.name)
        last = self.parsed.token_of(node.right, node.right.name)
        if one.base != other.base:
            raise CannotPort(
                f"`{node.left.name}` and `{node.right.name}` may be different arrays", self.parsed.span(node)
            )
        if node.op == "-":
            self.edit(first, last, f"({self.spelled_out(one.offset - other.offset)})")
        else:
            self.edit(first, last, f"{self.spelled_out(one.offset)} {node.op} {self.spelled_out(other.offset)}")
        return True


def _moving(parsed: Parsed, body: Any) -> Iterator[str]:
    """The variables that are made to point elsewhere, and pointers that are declared without a place or in a loop."""
    for node, around in with_parents(body):
        is_pointer = kind(node) == "Decl" and node.name and kind(resolved(parsed, node.type)) == "PtrDecl"
        if is_pointer and (node.init is None or kind(around[0]) == "DeclList"):
            yield node.name
    for _, name in targets(body, elements=False):
        yield name


def _moved_by(deltas: Mapping[str, Polynomial | str]) -> list[str]:
    """The pointers that an iteration moves on by as much each time."""
    return sorted(name for name, delta in deltas.items() if isinstance(delta, Polynomial) and delta.terms)
