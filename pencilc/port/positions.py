"""Where pointers stand: an array, and a polynomial over the variables of the function.

An integer that counts beside the counter of a loop stands in no array: its place is its value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from pencilc.diagnostics.source import Span
from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.frontend.translate.remedies import generated
from pencilc.port.beside import is_whole_number
from pencilc.port.counting import STEPS
from pencilc.port.elements import Place, Use, sum_text
from pencilc.port.heads import Heads
from pencilc.port.polynomial import Polynomial, spelled
from pencilc.port.records import ALLOCATED, CannotPort
from pencilc.port.tree import has_effects, is_allocation, kind, names_below, resolved, root_name, whole_number
from pencilc.records import dataclass

# Types that hold more than `int`.
_WIDE = frozenset({"long", "size_t", "ptrdiff_t", "ssize_t", "int64_t", "uint64_t", "intptr_t", "uintptr_t"})
ZERO, ONE = Polynomial.number(0), Polynomial.number(1)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a pointer stands: element `offset` of the array `base`, whose text names the variables `names`.

    An integer has no array, and the value `offset`.  `is_behind` a loop that runs as often as a size says: only where
    that is not negative.
    """

    base: str
    offset: Polynomial = ZERO
    names: frozenset[str] = frozenset()
    is_behind: bool = False

    def moved(self, by: Polynomial) -> Standing:
        """The place so many elements on."""
        return replace(self, offset=self.offset + by)


@dataclass(slots=True)
class WalkState:
    """What is known at a place of the function.

    Of each pointer where it stands, or why that is not known; of integers their values; those that a loop has counted
    down, and that are not counted down any more.
    """

    at: dict[str, Standing | str] = field(default_factory=dict)
    values: dict[str, Polynomial] = field(default_factory=dict)
    spent: set[str] = field(default_factory=set)

    def copy(self) -> WalkState:
        """The same, to be changed by itself."""
        return WalkState(dict(self.at), dict(self.values), set(self.spent))


def merged(states: Sequence[WalkState]) -> WalkState | None:
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


def forget(state: WalkState, name: str, names_of: Any) -> None:
    """A variable has another value: pointers that are computed from it stand nobody knows where."""
    for pointer, at in state.at.items():
        if isinstance(at, Standing) and name in names_of(at.offset) | at.names:
            state.at[pointer] = f"`{name}`, which `{pointer}` is computed from, changes"
    state.values = {each: value for each, value in state.values.items() if name not in names_of(value)}


def _is_in_subscript(use: Use) -> bool:
    """Whether a use is a part of a subscript, or of what one is computed from."""
    inner = use.node
    for each in use.around:
        if kind(each) == "ArrayRef":
            return each.subscript is inner
        if kind(each) not in ("BinaryOp", "UnaryOp", "Cast"):
            return False
        inner = each
    return False


@dataclass(slots=True)
class Positions(Heads):
    """One function, in which it is asked where pointers stand."""

    integers: frozenset[str] = frozenset()  # those of the tracked variables that are no pointers
    types: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # of the integers of the function
    atoms: dict[str, frozenset[str]] = field(default_factory=dict)  # names in what is no polynomial, by its text
    numbers: Mapping[int, str] = field(default_factory=dict)

    def move(self, node: Any, by: Polynomial, state: WalkState) -> None:
        """The pointer `node` moves on by so many elements."""
        at = state.at[node.name]
        if isinstance(at, Standing):
            state.at[node.name] = at.moved(by)
            if not self.dry and node.name not in self.integers:
                place = self.place(at)
                self.tell(node, f"`{node.name}` walks through an array", f"its elements are named: `{place.element()}`")

    def assigned(self, name: str, value: Any, state: WalkState) -> None:
        """A variable gets another value; None where that is not known."""
        forget(state, name, self.names_of)
        state.spent.discard(name)
        state.values.pop(name, None)
        known = None if value is None or has_effects(value) or kind(value) == "InitList" else value
        if known is not None and self.is_whole(known) and not self._is_unknown(known, state):
            state.values[name] = self.value(known, state)

    def _is_unknown(self, node: Any, state: WalkState) -> bool:
        """Whether an expression names a variable that is tracked, and lost."""
        return any(kind(each) == "ID" and isinstance(state.at.get(each.name), str) for each in nodes_below(node))

    def integer(self, node: Any, state: WalkState) -> Standing:
        """The value of an integer expression; raises CannotPort where it is not computed from integers alone."""
        if not is_whole_number(node, self.types):
            raise CannotPort("how far a counter moves is data", self.parsed.span(node))
        named = [state.at.get(each.name) for each in nodes_below(node) if kind(each) == "ID"]
        is_behind = any(isinstance(each, Standing) and each.is_behind for each in named)
        return Standing("", self.value(node, state), is_behind=is_behind)

    def is_tracked(self, node: Any, state: WalkState) -> bool:
        """Whether a node names a pointer whose places are followed."""
        return kind(node) == "ID" and node.name in state.at

    def is_pointer(self, node: Any, state: WalkState) -> bool:
        """Whether an expression is a pointer that is seen through."""
        while kind(node) == "BinaryOp" and node.op in ("+", "-"):
            node = node.left
        if kind(node) == "UnaryOp" and node.op == "&":
            return kind(node.expr) == "ArrayRef"
        if kind(node) != "ID":
            return False
        if node.name in state.at:
            return node.name not in self.integers
        found = (each for each in nodes_below(self.function.node) if kind(each) == "Decl" and each.name == node.name)
        return any(kind(resolved(self.parsed, each.type)) in ("PtrDecl", "ArrayDecl") for each in found)

    def standing(self, node: Any, state: WalkState) -> Standing:
        """Where a variable stands that is tracked; raises CannotPort where that is not known."""
        at = state.at[node.name]
        if isinstance(at, str):
            raise CannotPort(at, self.parsed.span(node))
        return at

    def pointer(self, node: Any, state: WalkState) -> Standing:
        """Where a pointer expression points to; raises CannotPort where that is not seen."""
        where: Span = self.parsed.span(node)
        if is_allocation(node):
            raise CannotPort(ALLOCATED, where)
        match kind(node):
            case "ID" if node.name in state.at:
                return self.standing(node, state)
            case "ID":
                return Standing(node.name)
            case "UnaryOp" if node.op in STEPS and self.is_tracked(node.expr, state):
                is_behind = node.op.startswith("p")
                before = self.pointer(node.expr, state)
                self.move(node.expr, ONE if "+" in node.op else ZERO - ONE, state)
                return before if is_behind else self.pointer(node.expr, state)
            case "UnaryOp" if node.op == "&" and kind(node.expr) == "ArrayRef":
                return self.pointer(node.expr.name, state).moved(self.value(node.expr.subscript, state))
            case "BinaryOp" if node.op in ("+", "-"):
                by = self.value(node.right, state)
                return self.pointer(node.left, state).moved(by if node.op == "+" else ZERO - by)
            case "ArrayRef" if not has_effects(node):
                below = names_below(node) - {root_name(node)}
                if not below & state.at.keys() and root_name(node) not in state.at:
                    return Standing(generated(node), ZERO, frozenset(below))
            case "StructRef" if not has_effects(node) and root_name(node) not in state.at:
                return Standing(generated(node))
            case "Cast":
                raise CannotPort("a pointer is taken for one of another type", where)
        raise CannotPort("a pointer is computed in a way that is not seen through", where)

    def value(self, node: Any, state: WalkState) -> Polynomial:
        """An integer as a polynomial over variables; what is none is an unknown of its own."""
        match kind(node):
            case "Constant" if (number := whole_number(node)) is not None:
                return number
            case "ID" if node.name not in state.at:
                return Polynomial.name(node.name)
            case "ID" if node.name in self.integers:
                return self.standing(node, state).offset
            case "Cast":
                return self.value(node.expr, state)
            case "UnaryOp" if node.op in ("+", "-"):
                value = self.value(node.expr, state)
                return value if node.op == "+" else ZERO - value
            case "BinaryOp" if node.op == "-" and self.is_pointer(node.left, state):
                one, other = self.pointer(node.left, state), self.pointer(node.right, state)
                if one.base == other.base:
                    return one.offset - other.offset
            case "BinaryOp" if node.op in ("+", "-", "*"):
                left, right = self.value(node.left, state), self.value(node.right, state)
                return left * right if node.op == "*" else left + right if node.op == "+" else left - right
        names = frozenset(names_below(node))
        if has_effects(node) or names & state.at.keys():
            raise CannotPort("how far a pointer moves is computed with effects", self.parsed.span(node))
        text = generated(node) if kind(node) in ("StructRef", "ArrayRef") else f"({generated(node)})"
        self.atoms[text] = names
        return Polynomial.name(text)

    def is_whole(self, node: Any) -> bool:
        """Whether an expression is made of integer constants, variables and their sums and products."""
        if kind(node) == "Constant":
            return whole_number(node) is not None
        if kind(node) == "BinaryOp" and node.op in ("+", "-", "*"):
            return self.is_whole(node.left) and self.is_whole(node.right)
        if kind(node) == "UnaryOp" and node.op in ("-", "+"):
            return self.is_whole(node.expr)
        return kind(node) == "ID" and (node.name not in self.tracked or node.name in self.integers)

    def names_of(self, value: Polynomial) -> frozenset[str]:
        """The variables that a polynomial is computed from."""
        return frozenset(name for each in value.names() for name in self.atoms.get(each, {each}))

    def write_value(self, use: Use, at: Standing) -> None:
        """Write the value of an integer in place of its name; raises CannotPort where it would not be the same."""
        where = self.parsed.span(use.node)
        parent = use.around[0]
        is_changed = kind(parent) == "Assignment" and parent.lvalue is use.node
        if is_changed or kind(parent) in ("ExprList", "Compound") or (kind(parent) == "UnaryOp" and parent.op in STEPS):
            raise CannotPort(f"`{use.name}` is changed inside of an expression", where)
        names = self.names_of(at.offset)
        is_int = all(self.types.get(each) == ("int",) for each in {*names, use.name})
        if not _is_in_subscript(use) and (at.is_behind or not is_int):
            raise CannotPort(f"`{use.name}` is used behind its loop, or as a number of another type", where)
        if self._may_overflow(use.name, at.offset):
            raise CannotPort(f"`{use.name}` is wider than what it is computed from", where)
        text = self.spelled_out(at.offset)
        begins = kind(parent) == "ArrayRef" or (kind(parent) == "BinaryOp" and parent.op == "+")
        begins = begins or (kind(parent) == "BinaryOp" and parent.op == "-" and parent.left is use.node)
        is_alone = re.fullmatch(r"\w+|\([^()]*\)", text) is not None
        is_whole = is_alone and text.startswith("(") and kind(parent) == "ArrayRef"
        written = text[1:-1] if is_whole else text if is_alone or begins else f"({text})"
        self.edit(use.first, use.last, written)
        self.tell(use.node, f"`{use.name}` counts beside a counter", f"`{text}`")

    def _may_overflow(self, name: str, value: Polynomial) -> bool:
        """Whether a sum of `int` variables stands for what was computed in a wider type."""
        if not _WIDE & {*self.types[name]}:
            return False
        is_sum = len(value.terms) > 2 or any(abs(factor) > 1 and names for factor, names in value.terms.values())
        is_sum = is_sum or any(len(names) > 1 for _, names in value.terms.values())
        return is_sum and not all(_WIDE & {*self.types.get(each, ())} for each in self.names_of(value))

    def place(self, at: Standing) -> Place:
        """The text of a place."""
        return Place(at.base, self.spelled_out(at.offset) if at.offset.terms else "")

    def spelled_out(self, value: Polynomial) -> str:
        """C text of a polynomial; what all its products have in common stands once."""
        factored: tuple[int, str] = (1, "")
        for name in sorted(value.names()):
            parts = value.split(name)
            if parts is not None and len(parts[0].terms) > factored[0] and not parts[0].is_never_positive():
                rest = self.spelled_out(parts[1]) if parts[1].terms else ""
                factored = (len(parts[0].terms), sum_text(f"({self.spelled_out(parts[0])}) * {name}", rest))
        if factored[1]:
            return factored[1]
        return spelled(value, self.numbers)
