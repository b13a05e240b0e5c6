"""Where a pointer is used: the text that names the element of an array instead.

    *p            a[offset]             p->x         a[offset].x
    p[e]          a[offset + e]         f(p + e)     f(&a[offset + e])

Two passes need that: `walking` for pointers that move, `pointers` for those that stay.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import field
from typing import Any

from pencilc.diagnostics.source import Span
from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.port.find import FunctionText
from pencilc.port.records import CannotPort, HiddenByMacro, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import is_field, kind, resolved, with_parents
from pencilc.records import dataclass

# What binds less tightly than `+`, so that it needs parentheses in a sum.
_LOOSER = ("<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&", "||")


@dataclass(frozen=True, slots=True)
class Place:
    """What a pointer points to: element `offset` of `base`, the first where it is empty; or the number `base`."""

    base: str
    offset: str = ""
    is_number: bool = False

    def element(self, subscript: str = "") -> str:
        """C text of the element so many behind it."""
        if self.is_number:
            return self.base
        return f"{self.base}[{sum_text(self.offset, subscript) or '0'}]"


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a pointer: tokens `first` to `last` name it; `around` are the nodes around, innermost first."""

    name: str
    node: Any
    first: int
    last: int
    around: tuple[Any, ...]


@dataclass(slots=True)
class Elements:
    """One function whose pointers are replaced, and the changes so far."""

    parsed: Parsed
    function: FunctionText
    edits: list[Replacement] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    told: set[str] = field(default_factory=set)

    # ---- uses ------------------------------------------------------------------------------------------------

    def uses(self, root: Any, name: str) -> Iterator[Use]:
        """The uses of a pointer variable, or of a member `A->m` that is one."""
        for node, around in with_parents(root):
            if "->" in name:
                if kind(node) == "StructRef" and self.member_name(node) == name:
                    at = self.parsed.token_of(node.name, node.name.name)
                    self.expect(at + 2, node.field.name, node)
                    yield Use(name, node, at, at + 2, around)
            elif kind(node) == "ID" and node.name == name and not is_field(node, around):
                at = self.parsed.token_of(node, name)
                yield Use(name, node, at, at, around)

    def rewrite(self, use: Use, place: Place) -> None:
        """Name the element that a use is about."""
        tokens, parent = self.parsed.tokens, use.around[0]
        if kind(parent) == "ArrayRef" and parent.name is use.node:
            self.expect(use.last + 1, "[", use.node)
            if place.is_number:
                self.edit(use.first, self.parsed.closing(use.last + 1), place.base)
            elif place.offset:
                closing = self.parsed.closing(use.last + 1)
                if kind(parent.subscript) == "Constant" and parent.subscript.value == "0":
                    self.edit(use.first, closing, place.element())
                    return
                loose = is_loose(parent.subscript)
                is_back = getattr(parent.subscript, "op", "") == "-" and kind(parent.subscript) == "UnaryOp"
                begin = f"{place.base}[{place.offset} {'- ' if is_back else '+ '}" + ("(" if loose else "")
                self.edit(use.first, use.last + (2 if is_back else 1), begin)
                if loose:
                    self.edits.append(Replacement(tokens[closing].start, tokens[closing].start, ")"))
            else:
                self.edit(use.first, use.last, place.base)
            return
        if kind(parent) == "UnaryOp" and parent.op == "*":
            self._dereferenced(use, place)
            return
        if kind(parent) == "StructRef" and parent.name is use.node and parent.type == "->":
            self.edit(use.first, use.last + 1, place.element() + ".")
            self.tell(use.node, f"`{use.name}` is a pointer to one struct", f"`{place.element()}.` for `{use.name}->`")
            return
        begins_sum = kind(parent) == "BinaryOp" and parent.op in ("+", "-") and parent.left is use.node
        if begins_sum and (self._in_parentheses(use, place) or self._in_argument(use, place)):
            return
        if kind(parent) == "ExprList" and kind(use.around[1]) == "FuncCall":
            if getattr(use.around[1].name, "name", "") in ("memset", "memcpy", "memmove") and not place.offset:
                self.edit(use.first, use.last, place.base)
                return
            self.edit(use.first, use.last, f"&{place.element()}" if place.offset else place.base)
            return
        if kind(parent) == "Decl" or (kind(parent) in ("BinaryOp", "UnaryOp") and self._begins_local(use)):
            return  # A local pointer, whose declaration goes.
        raise CannotPort(self._why_not(use, parent), self.parsed.span(use.node))

    def _dereferenced(self, use: Use, place: Place) -> None:
        tokens = self.parsed.tokens
        first, last = use.first, use.last
        while tokens[first - 1].text == "(" and tokens[last + 1].text == ")":
            first, last = first - 1, last + 1  # `*(p++)`
        if tokens[first - 1].text != "*":
            raise HiddenByMacro("a macro stands where an array is named", self.parsed.span(use.node))
        first -= 1
        if tokens[first - 1].text == "(" and tokens[last + 1].text == ")" and not _is_called(tokens[first - 2]):
            first, last = first - 1, last + 1
        self.edit(first, last, place.element())
        if place.base == use.name or "->" in use.name:
            what = "is read through a pointer" if place.is_number else "is no array element"
            self.tell(use.node, f"`*{use.name}` {what}", f"`{place.element()}`")

    def _in_parentheses(self, use: Use, place: Place) -> bool:
        """`*(p + e)`."""
        tokens = self.parsed.tokens
        outer: Any = next(each for each in use.around if not (kind(each) == "BinaryOp" and each.op in ("+", "-")))
        if kind(outer) != "UnaryOp" or outer.op != "*" or tokens[use.first - 1].text != "(":
            return False
        if tokens[use.first - 2].text != "*":
            return False
        closing = self.parsed.closing(use.first - 1)
        sign = "- " if tokens[use.last + 1].text == "-" else ""
        begin = f"{place.base}[{place.offset} {sign or '+ '}" if place.offset else f"{place.base}[{sign.strip()}"
        self.edit(use.first - 2, use.last + 1, begin)
        following = tokens[use.last + 2].start
        self.edits.append(Replacement(tokens[use.last + 1].end, following, ""))
        self.edit(closing, closing, "]")
        self.tell(use.node, f"`*({use.name} + …)` is computed with a pointer", f"`{place.base}[…]`")
        return True

    def _in_argument(self, use: Use, place: Place) -> bool:
        """`f(p + e)`."""
        position = next(
            k for k, each in enumerate(use.around) if not (kind(each) == "BinaryOp" and each.op in ("+", "-"))
        )
        if kind(use.around[position]) != "ExprList" or kind(use.around[position + 1]) != "FuncCall":
            return False
        call = use.around[position + 1]
        name = getattr(call.name, "name", "")
        opening = self.parsed.token_of(call.name, name) + 1
        for first, last in self.parsed.parts(opening, self.parsed.closing(opening)):
            if first == use.first:
                sign = "-" if self.parsed.tokens[use.last + 1].text == "-" else ""
                begin = f"&{place.base}[{place.offset} {sign or '+'} " if place.offset else f"&{place.base}[{sign}"
                self.edit(use.first, use.last + 1, begin)
                self.edits.append(
                    Replacement(self.parsed.tokens[use.last + 1].end, self.parsed.tokens[use.last + 2].start, "")
                )
                self.edits.append(Replacement(self.parsed.tokens[last].end, self.parsed.tokens[last].end, "]"))
                return True
        return False

    def _begins_local(self, use: Use) -> bool:
        """Whether a use stands in the declaration of a local pointer."""
        for each in use.around:
            if kind(each) == "Decl":
                return kind(resolved(self.parsed, each.type)) == "PtrDecl"
            if kind(each) not in ("BinaryOp", "UnaryOp", "ArrayRef"):
                return False
        return False

    def _why_not(self, use: Use, parent: Any) -> str:
        """What a pointer is used for that is not seen through."""
        if any(
            kind(each) == "UnaryOp"
            and each.op.strip("p") in ("++", "--")
            and getattr(each.expr, "name", "") == use.name
            for each in nodes_below(self.function.node.body)
        ):
            return f"`{use.name}` walks through an array: use a counter and `[]`"
        if kind(parent) == "UnaryOp" and parent.op.strip("p") in ("++", "--"):
            return f"`{use.name}` walks through an array: use a counter and `[]`"
        if kind(parent) == "Assignment" and parent.lvalue is use.node:
            if parent.op != "=":
                return f"`{use.name}` walks through an array: use a counter and `[]`"
            return f"`{use.name}` is made to point elsewhere"
        if kind(parent) == "Assignment":
            return f"`{use.name}` is kept in another pointer"
        if kind(parent) in ("BinaryOp", "UnaryOp", "If", "TernaryOp") and kind(parent) != "Cast":
            return f"`{use.name}` is compared or tested as a pointer: do that before the function, or at its beginning"
        if kind(parent) == "Cast":
            return f"`{use.name}` is taken for a pointer of another type"
        if kind(parent) == "Return":
            return f"`{use.name}`, a pointer, is returned"
        return f"`{use.name}` is used as a pointer"

    def member_name(self, node: Any) -> str:
        """`A->m` of a member of a variable; empty for a member of anything else."""
        return f"{node.name.name}->{node.field.name}" if kind(node.name) == "ID" else ""

    # ---- declarations ----------------------------------------------------------------------------------------

    def declaration(self, at: int) -> tuple[int, int]:
        """The tokens of the declaration around a name, its `;` included."""
        first = at
        while (
            self.parsed.tokens[first - 1].text not in (";", "{", "}") and self.parsed.tokens[first - 1].kind != "pragma"
        ):
            first -= 1
        last = at
        while self.parsed.tokens[last].text != ";":
            last = self.parsed.closing(last) + 1 if self.parsed.tokens[last].text in ("(", "[", "{") else last + 1
        return first, last

    def declarators(self, first: int, last: int) -> list[tuple[int, int]]:
        """The tokens of each declarator of a declaration, first and last."""
        return self.parsed.parts(first - 1, last)

    def remove(self, first: int, last: int, names: Collection[str]) -> None:
        """Take the variables `names` out of a declaration; all of it where there is no other one in it."""
        places = self.declarators(first, last)
        goes = [any(self.parsed.tokens[k].text in names for k in self._before_value(*place)) for place in places]
        tokens, text = self.parsed.tokens, self.parsed.text
        if not all(goes):
            begins = [self._declarator(first, last), *(begin for begin, _ in places[1:])]
            for number, (_, end) in enumerate(places):
                if not goes[number]:
                    continue
                if all(goes[:number]):
                    edit = Replacement(tokens[begins[number]].start, tokens[begins[number + 1]].start, "")
                else:
                    edit = Replacement(tokens[places[number - 1][1]].end, tokens[end].end, "")
                self.edits += [edit] if edit not in self.edits else []
            return
        start, end = tokens[first].start, tokens[last].end
        line = self.parsed.line_start(start)
        newline = text.find("\n", end)
        alone = not text[line:start].strip() and newline >= 0 and not text[end:newline].strip()
        edit = (
            Replacement(line, newline + 1, "")
            if alone
            else Replacement(start, end + (1 if text[end : end + 1] == " " else 0), "")
        )
        if edit not in self.edits:
            self.edits.append(edit)

    def _before_value(self, first: int, last: int) -> range:
        """The tokens of a declarator in front of its `=`."""
        return range(first, next((k for k in range(first, last + 1) if self.parsed.tokens[k].text == "="), last + 1))

    def _declarator(self, first: int, last: int) -> int:
        """The token with which the first declarator of a declaration begins, behind the words of its type."""
        names = [k for k in range(first, last) if self.parsed.tokens[k].kind == "name"]
        stars = [k for k in range(first, last) if self.parsed.tokens[k].text in ("*", "(")]
        ends = [k for k in range(first, last + 1) if self.parsed.tokens[k].text in ("=", ",", "[", ";")]
        return min([*stars, max(k for k in names if k < ends[0])])

    # ---- text ------------------------------------------------------------------------------------------------

    def text(self, first: int, last: int) -> str:
        """The text of the tokens `first` to `last`, as it is by now."""
        return self.parsed.slice(first, last, self.edits)

    def edit(self, first: int, last: int, new: str) -> None:
        """Put `new` in place of the tokens `first` to `last`."""
        edit = Replacement(self.parsed.tokens[first].start, self.parsed.tokens[last].end, new)
        if self.parsed.text[edit.start : edit.end] != new:
            self.edits.append(edit)

    def expect(self, at: int, word: str, node: Any) -> None:
        """Raises CannotPort where token `at` is another word than the tree says: a macro has made it."""
        if self.parsed.tokens[at].text != word:
            where: Span = self.parsed.span(node)
            raise HiddenByMacro("a macro stands where an array is named", where)

    def line(self, at: int) -> int:
        """The line of token `at`."""
        return self.parsed.line_at(self.parsed.tokens[at].start)

    def tell(self, node: Any, obstacle: str, change: str) -> None:
        """Note what stands in the way and what is written instead, once."""
        if obstacle not in self.told:
            self.told.add(obstacle)
            self.steps.append(Step(self.parsed.span(node).line, obstacle, change))


def _is_called(token: Any) -> bool:
    """Whether a parenthesis behind this token belongs to a call or a statement."""
    return token.kind == "name" and token.text not in ("return", "else")


def sum_text(one: str, other: str) -> str:
    """C text of a sum, where either side may be empty."""
    if one and other.startswith("-"):
        return f"{one} - {other[1:].lstrip()}"
    return f"{one} + {other}" if one and other else one or other


def in_sum(node: Any, text: str) -> str:
    """The text of an expression as the right side of a sum."""
    return f"({text})" if is_loose(node) else text


def is_loose(node: Any) -> bool:
    """Whether an expression needs parentheses as the right side of a sum."""
    return kind(node) in ("TernaryOp", "Assignment", "ExprList") or (kind(node) == "BinaryOp" and node.op in _LOOSER)
