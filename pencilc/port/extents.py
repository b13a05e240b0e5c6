"""How many elements arrays have, from the bounds of loops, conditions and the subscripts below them.

    for (i = 0; i < n; i++) for (j = 0; j < d; j++) … a[i * d + j]        n * d
    if (i + 1 < n) … a[i + 1]                                             n
    for (y < h) for (x < w) … img[y * pitch + x]                          h * pitch, if w <= pitch
    for (k = start[i]; k < start[i + 1]; …) … a[k]                        data: another size has to be named

What is known at a place is a list of polynomials that are not negative there (`n - 1 - i` below `i < n`).  The largest
value of a subscript is found by putting the upper bounds of counters in their place, the innermost first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from pycparser import c_ast

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.port.computed_sizes import ComputedSize
from pencilc.port.counting import first_conjunct, is_zero, parts_of, step_of
from pencilc.port.find import FunctionText, definition
from pencilc.port.picked import picked_in_row
from pencilc.port.polynomial import Polynomial, larger, spelled
from pencilc.port.text import Parsed
from pencilc.port.tree import kind, resolved, whole_number, with_values
from pencilc.records import dataclass

_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_ALTERNATIVES = 6
_NARROW = {"unsigned char": 255, "uint8_t": 255, "unsigned short": 65535, "uint16_t": 65535}


@dataclass(frozen=True, slots=True)
class Extent:
    """How many elements an array has: `size`, if each pair in `promised` is in order (`w <= pitch`).

    `size` is None if only data tell; the access that this is about stands at `line`, and `least` is what all other
    accesses need, but those of single elements.
    """

    size: Polynomial | None
    promised: tuple[tuple[Polynomial, Polynomial], ...] = ()
    line: int = 0
    least: Polynomial | None = None
    picked: tuple[tuple[str, str], ...] = ()  # data, and the length of the rows in which they pick elements


@dataclass(frozen=True, slots=True)
class _Known:
    """What holds at a place: polynomials that are not negative; `loops` are the counters around, outermost first.

    `asked` are those that conditions say, the innermost first.
    """

    facts: tuple[Polynomial, ...] = ()
    loops: tuple[str, ...] = ()
    asked: tuple[Polynomial, ...] = ()

    def and_(self, facts: tuple[Polynomial, ...]) -> _Known:
        return _Known((*self.facts, *facts), self.loops, self.asked)

    def where(self, facts: tuple[Polynomial, ...]) -> _Known:
        """The same where a condition says more."""
        return _Known((*self.facts, *facts), self.loops, (*facts, *self.asked))


@dataclass(frozen=True, slots=True)
class _Access:
    """An element that is named: the first subscript, and what holds there."""

    subscript: Any
    known: _Known
    line: int
    count: Polynomial | None = None  # how many elements a function takes that the array is handed to


def extents_of(
    parsed: Parsed, function: FunctionText, arrays: tuple[str, ...], sizes: frozenset[str],
    computed: Sequence[ComputedSize] = (), in_rows: bool = True,
) -> dict[str, Extent]:  # fmt: skip
    """The extent of the first dimension of each array; `sizes` are the integers that it may be made of.

    Those in `computed` are divided out of others.  `in_rows`: rows do not overlap, as `w <= pitch` promises.
    """
    return _Extents(parsed, function, arrays, sizes, tuple(computed), in_rows).found()


def rows_of(
    parsed: Parsed, function: FunctionText, arrays: tuple[str, ...], sizes: frozenset[str]
) -> dict[str, Extent]:
    """The extent of the second dimension of each array, that of a row."""
    found = _Extents(parsed, function, arrays, sizes)
    found.found()
    found.accesses = found.rows
    return {name: found.extent(name) for name in arrays}


@dataclass(slots=True)
class _Extents:
    parsed: Parsed
    function: FunctionText
    arrays: tuple[str, ...]
    sizes: frozenset[str]
    computed: tuple[ComputedSize, ...] = ()
    in_rows: bool = True
    accesses: dict[str, list[_Access]] = field(default_factory=dict)
    rows: dict[str, list[_Access]] = field(default_factory=dict)  # the same for the second subscript
    definitions: dict[str, list[Any]] = field(default_factory=dict)
    clamps: dict[str, list[tuple[Any, Any, _Known]]] = field(default_factory=dict)
    order: dict[str, int] = field(default_factory=dict)
    elements: dict[str, str] = field(default_factory=dict)
    floats: set[str] = field(default_factory=set)  # variables that are no integers
    visited: set[str] = field(default_factory=set)  # variables whose values are being looked for
    by_conditions: bool = False  # whether bounds are looked for in conditions first, else in loops
    # The loops around what gives a variable its value.
    given_in: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def found(self) -> dict[str, Extent]:
        for node in nodes_below(self.function.node):
            if kind(node) == "Decl" and node.name:
                self.order.setdefault(node.name, len(self.order))
                inner = resolved(self.parsed, node.type)
                if {"float", "double"} & set(getattr(getattr(inner, "type", inner), "names", None) or ()):
                    self.floats.add(node.name)
                element = getattr(inner, "type", None)
                names = getattr(getattr(element, "type", element), "names", None)
                if names:
                    self.elements[node.name] = " ".join(names)
                if node.init is not None and kind(node.init) != "InitList":
                    self.definitions.setdefault(node.name, []).append(node.init)
            elif kind(node) == "Assignment" and kind(node.lvalue) == "ID":
                value = node.rvalue if node.op == "=" else None
                self.definitions.setdefault(node.lvalue.name, []).append(value)
            elif kind(node) == "UnaryOp" and node.op in ("++", "--", "p++", "p--", "&") and kind(node.expr) == "ID":
                self.definitions.setdefault(node.expr.name, []).append(None)
        self._statement(self.function.node.body, _Known())
        return {name: self.extent(name) for name in self.arrays}

    # ---- what holds where ------------------------------------------------------------------------------------

    def _statement(self, node: Any, known: _Known) -> None:
        """Collect the accesses below a statement."""
        match kind(node):
            case "Compound":
                for item in node.block_items or ():
                    self._statement(item, known)
                    if kind(item) == "If" and item.iffalse is None and _jumps(item.iftrue):
                        known = known.where(self._facts(item.cond, known, False))
            case "For":
                self._for(node, known)
            case "While":
                self._expression(node.cond, known)
                known = known.and_((*self._counted_down(node.cond), *self._not_reached(node, known)))
                self._statement(node.stmt, known.and_(self._facts(node.cond, known, True)))
            case "If":
                self._expression(node.cond, known)
                self._clamp(node, known)
                self._statement(node.iftrue, known.where(self._facts(node.cond, known, True)))
                if node.iffalse is not None:
                    self._statement(node.iffalse, known.where(self._facts(node.cond, known, False)))
            case "DoWhile" | "Switch" | "Case" | "Default" | "Label" | "DeclList":
                for _, child in node.children():
                    self._statement(child, known)
            case _:
                self._expression(node, known)
                if kind(node) == "Decl" and node.init is not None:
                    self.given_in[node.name] = known.loops
                elif kind(node) == "Assignment" and kind(node.lvalue) == "ID":
                    self.given_in[node.lvalue.name] = known.loops

    def _for(self, node: Any, known: _Known) -> None:
        if node.init is not None:
            self._statement(node.init, known)
        inside = known
        for name, start in _started(node.init):
            facts = self._from_start(node.next, node.cond, name, start, known)
            inside = _Known((*inside.facts, *facts), (*inside.loops, name), inside.asked)
        if node.cond is not None:
            self._expression(node.cond, inside)
            facts = (*self._facts(node.cond, inside, True), *self._not_reached(node, inside))
            inside = inside.and_((*self._last_step(node), *facts))
        if node.next is not None:
            self._expression(node.next, inside)
        self._statement(node.stmt, inside)

    def _from_start(self, step: Any, cond: Any, name: str, start: Any, known: _Known) -> tuple[Polynomial, ...]:
        """A counter that goes up is at least its start, one that goes down at most."""
        counter = Polynomial.name(name)
        upwards = _direction(step, name)
        lowered = 0
        if upwards == 0 and cond is not None:
            for each in nodes_below(cond):
                if kind(each) == "UnaryOp" and each.op == "p--" and getattr(each.expr, "name", "") == name:
                    upwards, lowered = -1, 1
        exact = self._exact(start)
        if exact is None or upwards == 0:
            return ()
        return (counter - exact,) if upwards > 0 else (exact - Polynomial.number(lowered) - counter,)

    def _not_reached(self, loop: Any, known: _Known) -> tuple[Polynomial, ...]:
        """`i != n` as the condition of a loop that goes up: `i` is less than `n` in it; of one that goes down, more."""
        cond = loop.cond
        if kind(cond) != "BinaryOp" or cond.op != "!=":
            return ()
        step = loop.next if kind(loop) == "For" else loop.stmt
        way = _direction(step, getattr(cond.left, "name", "")) if kind(cond.left) == "ID" else 1
        return self._compared(cond, ">" if way < 0 else "<", known, holds=True)

    def _last_step(self, loop: Any) -> tuple[Polynomial, ...]:
        """`for (i = 0; i < n; i += 4)`: in the loop `i` is at most `4 * ((n + 3) / 4) - 4`, and below `4 * n` less."""
        cond = first_conjunct(loop.cond)
        if kind(cond) != "BinaryOp" or cond.op not in ("<", "<=", "!="):
            return ()
        is_ahead = kind(cond.left) == "BinaryOp" and cond.left.op == "+"  # `i + 2 < n`
        counter = getattr(cond.left.left if is_ahead else cond.left, "name", "")
        ahead = self._exact(cond.left.right) if is_ahead else Polynomial.number(0)
        start = next((self._exact(value) for name, value in _started(loop.init) if name == counter), None)
        steps = [by for each in parts_of(loop.next) if (by := step_of(each, counter))]
        end = self._exact(cond.right) if start is not None and len(steps) == 1 and steps[0] > 1 else None
        if end is None or start is None or ahead is None:
            return ()
        step = Polynomial.number(steps[0])
        distance = end - ahead - start + Polynomial.number(1 if cond.op == "<=" else 0)
        number = distance.quotient(step)
        if number is None:
            number = self._scaled("/", distance + step - Polynomial.number(1), step)
        return () if number is None else (start + step * number - step - Polynomial.name(counter),)

    def _counted_down(self, cond: Any) -> tuple[Polynomial, ...]:
        """`int i = n; while (i--)`: in the loop `i` is less than `n`."""
        for each in nodes_below(cond):
            if kind(each) == "UnaryOp" and each.op == "p--" and kind(each.expr) == "ID":
                start = next(iter(self.definitions.get(each.expr.name, [])), None)
                exact = None if start is None else self._exact(start)
                if exact is not None:
                    return (exact - Polynomial.number(1) - Polynomial.name(each.expr.name),)
        return ()

    def _facts(self, node: Any, known: _Known, holds: bool) -> tuple[Polynomial, ...]:
        """What is not negative where a condition holds, or where it does not."""
        if kind(node) == "UnaryOp" and node.op == "p--" and kind(node.expr) == "ID" and holds:
            return (Polynomial.name(node.expr.name),)  # A counter that goes down to 0.
        if kind(node) == "UnaryOp" and node.op == "!":
            return self._facts(node.expr, known, not holds)
        if kind(node) == "BinaryOp" and node.op == ("&&" if holds else "||"):
            return (*self._facts(node.left, known, holds), *self._facts(node.right, known, holds))
        if (condition := self._condition(node, known)) is not None:
            return self._facts(condition, known, holds)
        if kind(node) == "BinaryOp" and node.op in ("==", "!="):
            for side, other in ((node.left, node.right), (node.right, node.left)):
                condition = self._condition(side, known) if is_zero(other) else None
                if condition is not None:
                    return self._facts(condition, known, holds is (node.op == "!="))
        if kind(node) == "BinaryOp" and node.op in _MIRROR:
            return self._compared(node, node.op if holds else _OPPOSITE[node.op], known, holds)
        if kind(node) == "FuncCall" and (asked := self._asked(node)) is not None:
            return self._facts(asked, known, holds)
        return ()

    def _condition(self, node: Any, known: _Known) -> Any:
        """The condition that a variable stands for, `int inside = y < h;`, where it says what it said there; or None.

        All that it is made of is given a value once, in this iteration of the loops around it, or never.
        """
        name = node.name if kind(node) == "ID" else ""
        value = self._only_value(name, known.loops)
        if kind(value) not in ("BinaryOp", "UnaryOp", "ID"):
            return None
        loops = self.given_in[name]
        for each in nodes_below(value):
            is_given = kind(each) == "ID" and each.name not in loops and each.name in self.definitions
            if is_given and self._only_value(each.name, loops) is None:
                return None
        return value

    def _only_value(self, name: str, loops: tuple[str, ...]) -> Any:
        """The only value of a variable, if it is given that in an iteration of some of the `loops` around."""
        values, around = self.definitions.get(name, []), self.given_in.get(name)
        if len(values) != 1 or around is None or loops[: len(around)] != around:
            return None
        return values[0]

    def _asked(self, call: Any) -> Any:
        """What a helper returns that only compares its parameters: `inside(x + 1, y, w, h)`; None for another call.

        One that chooses, `if (i < 0) return 0; return i < n ? i : n - 1;`, is `i < 0 ? 0 : i < n ? i : n - 1`.
        """
        node = definition(self.parsed, getattr(call.name, "name", "") if kind(call.name) == "ID" else "")
        value = None if node is None else _chosen_value(list(node.body.block_items or ()))
        if value is None or call.args is None:
            return None
        parameters = list(node.decl.type.args.params) if node.decl.type.args is not None else []
        plain = {"ID", "Constant", "BinaryOp", "UnaryOp", "TernaryOp"}
        if len(parameters) != len(call.args.exprs) or not {kind(n) for n in nodes_below(value)} <= plain:
            return None
        return with_values(value, dict(zip((p.name for p in parameters), call.args.exprs, strict=True)))

    def _compared(self, node: Any, op: str, known: _Known, holds: bool) -> tuple[Polynomial, ...]:
        """What is not negative where `left op right`."""
        left, right = _without_step(node.left), _without_step(node.right)
        one, zero = Polynomial.number(1), Polynomial.number(0)
        exact_left, exact_right = self._exact(left), self._exact(right)
        found: list[Polynomial] = []
        if exact_left is not None and op in ("<", "<=", "=="):
            strict = one if op == "<" else zero
            found += [most - exact_left - strict for most in self._values(right, known)]
        if exact_right is not None and op in (">", ">=", "=="):
            # `i-- > 0`: behind it `i` is one less than what was compared.
            strict = (one if op == ">" else zero) + (one if left is not node.left and holds else zero)
            most_left = [exact_left] if exact_left is not None else self._values(left, known)
            found += [most - exact_right - strict for most in most_left]
        return tuple(found)

    def _clamp(self, node: Any, known: _Known) -> None:
        """`if (v > B) v = C;`: behind it `v` is at most the larger one of the two."""
        if node.iffalse is not None or kind(node.cond) != "BinaryOp":
            return
        body = node.iftrue
        while kind(body) == "Compound" and len(body.block_items or ()) == 1:
            body = body.block_items[0]
        if kind(body) == "Assignment" and body.op == "=" and kind(body.lvalue) == "ID":
            self.clamps.setdefault(body.lvalue.name, []).append((node.cond, body.rvalue, known))

    # ---- accesses --------------------------------------------------------------------------------------------

    def _expression(self, node: Any, known: _Known) -> None:
        """Collect the accesses in an expression; what `&&` and `?:` ask first holds in the rest."""
        match kind(node):
            case "BinaryOp" if node.op in ("&&", "||"):
                self._expression(node.left, known)
                self._expression(node.right, known.where(self._facts(node.left, known, node.op == "&&")))
            case "TernaryOp":
                self._expression(node.cond, known)
                self._expression(node.iftrue, known.where(self._facts(node.cond, known, True)))
                self._expression(node.iffalse, known.where(self._facts(node.cond, known, False)))
            case "ArrayRef":
                base: Any = node
                subscripts: list[Any] = []
                while kind(base) == "ArrayRef":
                    subscripts.insert(0, base.subscript)
                    base = base.name
                if kind(base) == "ID" and base.name in self.arrays:
                    line = self.parsed.span(base).line
                    self.accesses.setdefault(base.name, []).append(_Access(subscripts[0], known, line))
                    for each in subscripts[1:2]:
                        self.rows.setdefault(base.name, []).append(_Access(each, known, line))
                else:
                    self._expression(base, known)
                for subscript in subscripts:
                    self._expression(subscript, known)
            case _:
                if kind(node) == "FuncCall" and node.args is not None:
                    self._handed_over(node, known)
                for _, child in node.children():
                    if kind(child) in ("Typename", "TypeDecl", "PtrDecl"):
                        continue
                    self._expression(child, known)

    def _handed_over(self, node: Any, known: _Known) -> None:
        """An array is as large as a function says to which it is handed over."""
        callee = definition(self.parsed, getattr(node.name, "name", ""))
        arguments = list(node.args.exprs)
        if callee is None or callee.decl.type.args is None:
            return
        parameters = list(callee.decl.type.args.params)
        if len(parameters) != len(arguments):
            return
        values = {p.name: self._exact(a) for p, a in zip(parameters, arguments, strict=True)}
        for parameter, argument in zip(parameters, arguments, strict=True):
            if kind(argument) != "ID" or argument.name not in self.arrays:
                continue
            if kind(parameter.type) != "ArrayDecl" or parameter.type.dim is None:
                continue
            count = _count_of(parameter.type.dim, values)
            if count is not None:
                line = self.parsed.span(argument).line
                self.accesses.setdefault(argument.name, []).append(_Access(None, known, line, count))

    def extent(self, name: str) -> Extent:
        """The extent that the accesses of an array need.

        What conditions around them ask tells more of the array than how far the loops go, where neither is the larger.
        """
        by_loops = self._extent(name)
        self.by_conditions = True
        by_conditions = self._extent(name)
        self.by_conditions = False
        if by_loops.size is None or by_conditions.size is None:
            return by_loops if by_conditions.size is None else by_conditions
        more = larger(by_loops.size, by_conditions.size)
        is_more = more == by_loops.size and by_loops.size != by_conditions.size
        return by_conditions if is_more or more is None else by_loops

    def _extent(self, name: str) -> Extent:
        accesses = self.accesses.get(name, [])
        if not accesses:
            return Extent(None)
        promised: list[tuple[Polynomial, Polynomial]] = []
        needed: list[tuple[Polynomial, _Known]] = []
        picks: list[tuple[str, str]] = []
        unknown = [each for each in accesses if each.count is None and self._last(each, picks) is None]
        if unknown:
            others = [each for each in accesses if each not in unknown and kind(each.subscript) != "Constant"]
            self.accesses[name] = others
            rest = self._extent(name)
            self.accesses[name] = accesses
            return Extent(None, rest.promised, unknown[0].line, rest.size)
        rows = {row for access in accesses if (row := self._row_of(access)) is not None}
        row = rows.pop() if len(rows) == 1 else None
        for access in accesses:
            if access.count is not None:
                counts = list(self._without_counters(access.count, access.known, 12))
                last = counts[0] - Polynomial.number(1) if counts else None
            else:
                last = self._last(access, picks)
            if last is None:
                return Extent(None, (), access.line)
            count = self._with_quotients_bounded(last + Polynomial.number(1))
            if self.in_rows:
                count, promise = _whole_rows(count)
                promised += [p for p in promise if p not in promised]
                count = _rows_with_ghosts(count, row)
            needed.append((count, access.known))
        size = _largest_of([count for count, _ in needed])
        if size is None:
            return Extent(None, line=accesses[0].line)
        for count, known in needed:
            is_sure = _without_quotients(size - count).is_never_negative() or size - count in known.facts
            is_sure = is_sure or _without_rests(size - count).is_never_negative()
            if not is_sure and (count, size) not in promised:
                promised.append((count, size))
        return Extent(size, tuple(promised), accesses[0].line, picked=tuple(dict.fromkeys(picks)))

    def _with_quotients_bounded(self, count: Polynomial) -> Polynomial:
        """`h` in place of `s * (h / s)`, where such a quotient is a size of its own."""
        for size in self.computed:
            count = count if size.quotient is None else size.quotient.bounded(size.name, count)
        return count

    def _row_of(self, access: _Access) -> tuple[str, int] | None:
        """`(n, 2)` of `x[i + (n + 2) * j]`, whose rows have so many elements."""
        for value in () if access.subscript is None else self._values(access.subscript, access.known):
            for name in sorted(value.names() - self.sizes):
                parts = value.split(name)
                row = None if parts is None else parts[0]
                if row is None or len(row.terms) != 2 or len(row.names()) != 1:
                    continue
                (size,) = row.names()
                more = row.by_powers(size)[0].constant()
                if more and size in self.sizes and row == Polynomial.name(size) + Polynomial.number(more):
                    return size, more
        return None

    # ---- values ----------------------------------------------------------------------------------------------

    def _last(self, access: _Access, picks: list[tuple[str, str]]) -> Polynomial | None:
        """The largest subscript of an access, in sizes alone; that data pick an element of a row goes into `picks`."""
        found = self._largest(access.subscript, access.known)
        picked = picked_in_row(access.subscript, self.sizes) if found is None else None
        begin = None if picked is None else self._largest(picked.row, access.known)
        if picked is None or begin is None:
            return found
        picks.append((picked.data, picked.stride))
        return begin + Polynomial.name(picked.stride) - Polynomial.number(1)

    def _largest(self, node: Any, known: _Known) -> Polynomial | None:
        """The largest value that an expression may have, in sizes alone; None if data decide."""
        best: Polynomial | None = None
        for value in self._values(node, known):
            for found in self._without_counters(value, known, 12):
                if best is None:
                    best = found
                    continue
                more = larger(best, found)
                if (more is best and best != found) or (more is None and _is_plainer(found, best)):
                    best = found
        return best

    def _without_counters(self, value: Polynomial, known: _Known, depth: int) -> Iterator[Polynomial]:
        """Upper bounds of a value in which sizes alone occur."""
        left = [name for name in value.names() if name not in self.sizes]
        if not left:
            yield value
            return
        if depth == 0:
            return
        name = max(left, key=lambda n: (known.loops.index(n) if n in known.loops else 99, self.order.get(n, -1)))
        parts = value.split(name)
        if parts is None:
            return
        upwards = parts[0].is_never_negative()
        if not upwards and not parts[0].is_never_positive():
            return
        tried: list[Polynomial] = []
        for bound in self._bounds(name, known, upwards):
            if name in bound.names() or bound in tried or len(tried) >= _ALTERNATIVES:
                continue
            tried.append(bound)
            replaced = value.with_value(name, bound)
            if replaced is not None:
                yield from self._without_counters(replaced, known, depth - 1)

    def _bounds(self, name: str, known: _Known, upper: bool) -> Iterator[Polynomial]:
        """Bounds of a variable, from what is known there and from how it is computed."""
        sign = -1 if upper else 1
        facts = (*known.asked, *known.facts) if self.by_conditions else known.facts
        for fact in facts:
            parts = fact.split(name)
            if parts is not None and parts[0].constant() == sign:
                yield parts[1] if upper else Polynomial.number(-1) * parts[1]
        values = self.definitions.get(name, [])
        clamped, is_clamped = self.clamps.get(name, []), False
        for cond, value, around in clamped:
            limit = self._clamp_limit(name, cond, value, around, upper)
            if limit is not None:
                is_clamped = True
                yield limit
        last = values[-1] if values and upper and name not in known.loops and not is_clamped else None
        if last is not None and name not in self.visited:
            # What is assigned last is what is used, as `x = x < 0 ? 0 : x >= n ? n - 1 : x`.
            self.visited.add(name)
            found = self._values(last, known)
            self.visited.discard(name)
            yield from found

    def _clamp_limit(self, name: str, cond: Any, value: Any, known: _Known, upper: bool) -> Polynomial | None:
        op, left, right = cond.op, cond.left, cond.right
        if kind(right) == "ID" and right.name == name:
            op, left, right = _MIRROR.get(op, ""), right, left
        if kind(left) != "ID" or left.name != name or op not in ((">", ">=") if upper else ("<", "<=")):
            return None
        limit, new = self._exact(right), self._exact(value)
        if limit is None or new is None:
            return None
        if op in (">=", "<="):
            limit = limit + Polynomial.number(-1 if upper else 1)
        more = larger(limit, new) or _positive_larger(limit, new)
        if more is None:
            return None
        return more if upper else (new if more is limit else limit)

    def _exact(self, node: Any) -> Polynomial | None:
        """An expression as a polynomial over variables; None if it is none."""
        match kind(node):
            case "Constant":
                return whole_number(node)
            case "ID":
                if node.name in self.sizes:
                    values = self.definitions.get(node.name, [])
                    return Polynomial.name(node.name) if not values else None
                values = self.definitions.get(node.name, [])
                if len(values) == 1 and values[0] is not None and (value := self._exact(values[0])) is not None:
                    return value
                return Polynomial.name(node.name)
            case "Cast":
                # What a conversion leaves of a fraction is no polynomial.
                is_fraction = any(kind(each) == "ID" and each.name in self.floats for each in nodes_below(node.expr))
                return None if is_fraction else self._exact(node.expr)
            case "UnaryOp" if node.op in ("-", "+"):
                value = self._exact(node.expr)
                if value is None:
                    return None
                return value if node.op == "+" else Polynomial.number(-1) * value
            case "BinaryOp" if node.op in ("+", "-", "*"):
                left, right = self._exact(node.left), self._exact(node.right)
                if left is None or right is None:
                    return None
                if node.op == "*":
                    return left * right
                return left + right if node.op == "+" else left - right
            case "BinaryOp" if node.op in ("/", "<<", ">>"):
                left, right = self._exact(node.left), self._exact(node.right)
                return self._scaled(node.op, left, right)
            case _:
                return None

    def _scaled(self, op: str, left: Polynomial | None, right: Polynomial | None) -> Polynomial | None:
        by = None if right is None else right.constant()
        if left is None or by is None or by < 0:
            return None
        if op == "<<":
            return left * Polynomial.number(2**by)
        value = left.constant()
        if value is not None and op == "/" and by:
            return Polynomial.number(value // by)
        if left.names() <= self.sizes and len(left.names()) == 1 and len(left.terms) <= 2:
            # A quotient of sizes is a size of its own.
            dividend = spelled(left) if len(left.terms) == 1 else f"({spelled(left)})"
            name = f"({dividend} {op} {by})"
            self.sizes = self.sizes | {name}
            return Polynomial.name(name)
        return None

    def _values(self, node: Any, known: _Known) -> list[Polynomial]:
        """Upper bounds of an expression, as polynomials over variables; each of them is one."""
        exact = self._exact(node)
        if exact is not None:
            return [exact]
        match kind(node):
            case "Cast":
                name = " ".join(getattr(getattr(node.to_type.type, "type", None), "names", []) or [])
                inner = self._values(node.expr, known)
                return [Polynomial.number(_NARROW[name])] if name in _NARROW and not inner else inner
            case "ArrayRef":
                name = getattr(node.name, "name", "")
                element = self.elements.get(name, "") if isinstance(name, str) else ""
                return [Polynomial.number(_NARROW[element])] if element in _NARROW else []
            case "BinaryOp":
                return self._computed(node, known)
            case "TernaryOp":
                return self._chosen(node, known)
            case "FuncCall":
                return self._called(node, known)
            case _:
                return []

    def _computed(self, node: Any, known: _Known) -> list[Polynomial]:
        """Bounds of an operation that is no polynomial."""
        left, right = self._exact(node.left), self._exact(node.right)
        if node.op == "%" and right is not None:
            return [right - Polynomial.number(1)]
        if node.op == "&":
            return [mask for mask in (left, right) if mask is not None and mask.constant() is not None]
        if node.op in ("/", ">>"):
            return self._divided(node, known, right)
        if node.op == "+":
            return self._added(node, known)
        if node.op == "-" and right is not None:
            return [bound - right for bound in self._values(node.left, known)]
        if node.op == "*" and right is not None and right.is_never_negative():
            return [bound * right for bound in self._values(node.left, known)]
        if node.op == "*" and left is not None and left.is_never_negative():
            return [left * bound for bound in self._values(node.right, known)]
        return []

    def _divided(self, node: Any, known: _Known, right: Polynomial | None) -> list[Polynomial]:
        """Bounds of `x / 4` and of `x >> 2`, from those of `x`: `w - 1` for `x / 2` below `x < 2 * w`."""
        by = None if right is None else right.constant()
        if by is None or by < 0 or (node.op == "/" and by == 0):
            return []
        divisor = by if node.op == "/" else 2**by
        found: list[Polynomial] = []
        for value in self._values(node.left, known):
            for bound in self._without_counters(value, known, 12):
                least = bound.constant()
                quotient = bound.divided_down(divisor)
                if quotient is not None and (least is None or least >= 0):
                    found.append(quotient)
                elif (of_size := self._scaled("/", bound, Polynomial.number(divisor))) is not None:
                    found.append(of_size)
        return list(dict.fromkeys(found))[:_ALTERNATIVES]

    def _added(self, node: Any, known: _Known) -> list[Polynomial]:
        """Bounds of a sum: of both sides together."""
        found: list[Polynomial] = []
        for left in self._values(node.left, known):
            for right in self._values(node.right, known):
                found.append(left + right)
        return found[:_ALTERNATIVES]

    def _chosen(self, node: Any, known: _Known) -> list[Polynomial]:
        """Bounds of both values of `c ? a : b`, each where it is taken."""
        yes = self._taken(node.iftrue, known.and_(self._facts(node.cond, known, True)))
        no = self._taken(node.iffalse, known.and_(self._facts(node.cond, known, False)))
        found = [more for a in yes for b in no if (more := larger(a, b) or _positive_larger(a, b)) is not None]
        return list(dict.fromkeys(found))[:_ALTERNATIVES]

    def _taken(self, node: Any, known: _Known) -> list[Polynomial]:
        """The bounds of a value, those of what is known about it included."""
        found = list(self._values(node, known))
        for value in list(found):
            for name in value.names() - self.sizes:
                for bound in self._bounds(name, known, upper=True):
                    parts = value.split(name)
                    if parts is not None and parts[0].is_never_negative():
                        replaced = value.with_value(name, bound)
                        found += [replaced] if replaced is not None else []
        return list(dict.fromkeys(found))[: 2 * _ALTERNATIVES]

    def _called(self, node: Any, known: _Known) -> list[Polynomial]:
        name = getattr(node.name, "name", "")
        arguments = [] if node.args is None else list(node.args.exprs)
        if name in ("min", "imin") and len(arguments) == 2:
            return [value for each in arguments for value in self._values(each, known)]
        if name in ("max", "imax") and len(arguments) == 2:
            one, two = (self._taken(each, known) for each in arguments)
            return [more for a in one for b in two if (more := larger(a, b)) is not None]
        if name in ("clamp", "iclamp") and len(arguments) == 3:
            return self._values(arguments[2], known)
        chosen = self._asked(node)
        return [] if chosen is None else self._values(chosen, known)


def _chosen_value(items: list[Any]) -> Any:
    """What a body returns that does nothing but choose: `if (c) return a; else return b;` is `c ? a : b`; else None."""
    if len(items) == 1 and kind(items[0]) == "Compound":
        return _chosen_value(list(items[0].block_items or ()))
    if items and kind(items[0]) == "Return":
        return items[0].expr
    if not items or kind(items[0]) != "If":
        return None
    otherwise = items[1:] if items[0].iffalse is None else [items[0].iffalse]
    yes, no = _chosen_value([items[0].iftrue]), _chosen_value(otherwise)
    return None if yes is None or no is None else c_ast.TernaryOp(items[0].cond, yes, no, items[0].coord)


def _is_plainer(last: Polynomial, other: Polynomial) -> bool:
    """Whether the number of elements up to one subscript is easier to read than that up to another one."""
    terms = _terms_of_count(last), _terms_of_count(other)
    has_quotient = any(map(_quotient, last.names())), any(map(_quotient, other.names()))
    return terms[0] < terms[1] or (terms == (1, 1) and has_quotient == (False, True))


def _terms_of_count(last: Polynomial) -> int:
    """How many terms the number of elements has of which `last` is the subscript of the last one."""
    return len((last + Polynomial.number(1)).terms)


def _count_of(node: Any, values: Mapping[str, Polynomial | None]) -> Polynomial | None:
    """An extent with the arguments of a call in place of the parameters; None if it is not made of them alone."""
    if kind(node) == "Constant":
        return whole_number(node)
    if kind(node) == "ID":
        return values.get(node.name)
    if kind(node) == "BinaryOp" and node.op in ("+", "-", "*"):
        left, right = _count_of(node.left, values), _count_of(node.right, values)
        if left is None or right is None:
            return None
        return left * right if node.op == "*" else left + right if node.op == "+" else left - right
    return None


def _jumps(node: Any) -> bool:
    """Whether a statement ends with a jump."""
    if kind(node) == "Compound":
        return bool(node.block_items) and _jumps(node.block_items[-1])
    return kind(node) in ("Continue", "Break", "Return")


def _started(node: Any) -> Iterator[tuple[str, Any]]:
    """The counters that the first part of a `for` sets, with their first values."""
    if kind(node) == "DeclList":
        yield from ((each.name, each.init) for each in node.decls if each.init is not None)
    elif kind(node) == "Assignment" and node.op == "=" and kind(node.lvalue) == "ID":
        yield node.lvalue.name, node.rvalue
    elif kind(node) == "ExprList":
        for each in node.exprs:
            yield from _started(each)


def _direction(node: Any, name: str) -> int:
    """1 where the step of a loop makes the counter larger, -1 where smaller, 0 where that is not seen."""
    for each in nodes_below(node) if node is not None else ():
        if kind(each) == "UnaryOp" and getattr(each.expr, "name", "") == name and each.op.strip("p") in ("++", "--"):
            return 1 if "+" in each.op else -1
        if kind(each) == "Assignment" and getattr(each.lvalue, "name", "") == name:
            if each.op in ("+=", "*=", "<<="):
                return 1
            if each.op in ("-=", "/=", ">>="):
                return -1
            if kind(each.rvalue) == "BinaryOp" and each.rvalue.op in ("+", "-", "*", "/"):
                return 1 if each.rvalue.op in ("+", "*") else -1
    return 0


def _without_step(node: Any) -> Any:
    """`i` of `i--`."""
    return node.expr if kind(node) == "UnaryOp" and node.op in ("p--", "p++") else node


def _largest_of(counts: Sequence[Polynomial]) -> Polynomial | None:
    """The count that is no less than any other; None if that is not clear of one of them."""
    size = counts[0]
    for count in counts[1:]:
        more = larger(size, count) or _positive_larger(size, count)
        if more is None:
            break
        size = more
    else:
        return size
    for each in counts:
        if all(_without_rests(each - other).is_never_negative() or larger(each, other) == each for other in counts):
            return each
    return None


def _whole_rows(count: Polynomial) -> tuple[Polynomial, tuple[tuple[Polynomial, Polynomial], ...]]:
    """`h * pitch - pitch + w` as `h * pitch`, with the promise `w <= pitch`.

    The same where more rows are left out, as at the rim of a picture: no row goes on in the next one.
    """
    count = _without_last_of_odd(count)
    for key, (coefficient, names) in count.terms.items():
        if len(key) != 1 or coefficient >= 0:
            continue
        parts = count.split(key[0])
        if parts is None or not any(len(k) >= 1 and times > 0 for k, (times, _) in parts[0].terms.items()):
            continue
        pitch = Polynomial.of([(1, names)])
        whole = parts[0] * Polynomial.name(key[0]) + Polynomial.of([(-coefficient, names)])
        is_sure = _without_quotients(pitch - parts[1]).is_never_negative()
        # Neither a product nor a part of a pitch is a row: `n * k - k + n * c`, `2 * n * r - r`.
        is_row = all(len(k) <= 1 for k in parts[1].terms) and any(
            len(k) >= 1 and times > 0 and coefficient % times == 0 for k, (times, _) in parts[0].terms.items()
        )
        if not is_sure and not is_row:
            continue
        return whole, () if is_sure else ((parts[1], pitch),)
    # Rows of which the last elements are not used: `n * m - 1`, and `4 * n - 1`.
    rows = Polynomial.of(term for term in count.terms.values() if len(term[1]) > 1 and term[0] > 0)
    left = (count - Polynomial.of(term for term in count.terms.values() if term[1])).constant()
    if not rows.terms and left is not None and len(count.terms) == 2:
        rows = Polynomial.of(term for term in count.terms.values() if term[0] > max(-left, 1))
    if rows.terms and (count - rows).is_never_positive():
        return rows, ()
    return count, ()


def _rows_with_ghosts(count: Polynomial, row: tuple[str, int] | None) -> Polynomial:
    """`n * n + 3 * n + 1` as `(n + 1) * (n + 2)`: the last elements of rows of `n + 2` are not used."""
    if row is None:
        return count
    size, more = row
    rows, rest = count.divided_by_sum(size, more)
    last = rest.constant()
    if last is None or not -abs(more) <= last <= more or not rows.names():
        return count
    rows = rows + Polynomial.number(1 if last > 0 else 0)
    return rows * (Polynomial.name(size) + Polynomial.number(more))


def _without_last_of_odd(count: Polynomial) -> Polynomial:
    """`c * h * w - h * w + 2 * (h / 2) * w` as `c * h * w`: the last row of an odd number of them is there too."""
    for name in count.names():
        found = _in_whole_quotients(count, name)
        if found is not None and found.times.is_never_negative():
            rounded = found.times * found.whole + found.rest
            if len(rounded.terms) < len(count.terms):
                count = rounded
    return count


def _positive_larger(one: Polynomial, other: Polynomial) -> Polynomial | None:
    """The larger one where every size is at least 1; None if that is not clear."""
    for large, small in ((one, other), (other, one)):
        difference = _without_quotients(large - small)
        shifted = difference
        for name in difference.names():
            replaced = shifted.with_value(name, Polynomial.name(name) + Polynomial.number(1))
            if replaced is None:
                break
            shifted = replaced
        else:
            if shifted.is_never_negative():
                return large
    return None


def _without_quotients(difference: Polynomial) -> Polynomial:
    """A lower bound of a difference: of what is subtracted, `2 * (w / 2)` counts as `w`, and `w / 2` as all of `w`."""
    for name in difference.names():
        quotient = _quotient(name)
        parts = difference.split(name)
        if quotient and parts is not None and parts[0].is_never_positive():
            whole, by = quotient
            subtracted = ((-sum(divmod(-times, by)), names) for times, names in parts[0].terms.values())
            difference = Polynomial.of(subtracted) * whole + parts[1]
    return difference


def _without_rests(difference: Polynomial) -> Polynomial:
    """A lower bound of a difference: of what is added, `3 * ((n + 2) / 3)` counts as `n`, for a rest is at most 2."""
    for name in difference.names():
        found = _in_whole_quotients(difference, name)
        if found is not None and found.times.is_never_negative():
            difference = found.times * (found.whole - Polynomial.number(found.by - 1)) + found.rest
    return difference


@dataclass(frozen=True, slots=True)
class _WholeQuotients:
    """`times * by * (whole / by) + rest`."""

    times: Polynomial
    whole: Polynomial
    by: int
    rest: Polynomial


def _in_whole_quotients(count: Polynomial, name: str) -> _WholeQuotients | None:
    """A sum with its multiples of the quotient `name`; None where these are none of what it is divided by."""
    quotient, parts = _quotient(name), count.split(name)
    if quotient is None or parts is None:
        return None
    whole, by = quotient
    if any(times % by for times, _ in parts[0].terms.values()):
        return None
    times = Polynomial.of((times // by, names) for times, names in parts[0].terms.values())
    return _WholeQuotients(times, whole, by, parts[1])


def _quotient(name: str) -> tuple[Polynomial, int] | None:
    """`h - 3` and 2 of the name `((h - 3) / 2)` that a quotient has among sizes; None where it is no such name."""
    match = re.fullmatch(r"\(\(?(\w+)(?: ([+-]) (\d+)\))? / (\d+)\)", name)
    if match is None:
        return None
    size, sign, shift, by = match.groups()
    moved = int(f"{sign}{shift}") if shift else 0
    return Polynomial.name(size) + Polynomial.number(moved), int(by)
