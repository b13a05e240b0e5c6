"""The text of loops whose pointers have become arrays with counters: heads without pointers, moves taken out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from pencilc.frontend.syntax.lexing import statement_end
from pencilc.port.counting import parts_of
from pencilc.port.elements import Elements
from pencilc.port.find import counter_type
from pencilc.port.polynomial import Polynomial
from pencilc.port.records import CannotPort, HiddenByMacro, Replacement
from pencilc.port.tree import kind
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class Counting:
    """How a loop counts: the number of the iteration, and of all iterations where that is known.

    `condition` is the text by which a new counter goes on, where the loop has none; `removed` the nodes that go then,
    and `spent` the variable that they counted down.  `bound` is the comparison that the loop goes on by, where it has a
    counter, without what counts beside that.
    """

    number: Polynomial
    count: Polynomial | None
    condition: str = ""
    counter: str = ""
    removed: tuple[Any, ...] = ()
    spent: str = ""
    bound: str = ""


@dataclass(slots=True)
class Heads(Elements):
    """One function: `tracked` are its pointers that go, `removed` the nodes that are no part of it any more."""

    tracked: frozenset[str] = frozenset()
    removed: set[int] = field(default_factory=set)  # nodes that are no part of the function any more
    dry: int = 0  # how many loops are gone through only to see what moves
    promises: list[str] = field(default_factory=list)

    def take_out(self, node: Any, around: tuple[Any, ...]) -> None:
        """Remove a statement that only moves a pointer, or counts what a new counter counts."""
        if self.dry:
            return
        target = node.expr if kind(node) == "UnaryOp" else node.lvalue
        at = self.parsed.token_of(target, target.name)
        first = at - 2 if kind(node) == "UnaryOp" and not node.op.startswith("p") else at
        last = self.parsed.semicolon(at)
        tokens, text = self.parsed.tokens, self.parsed.text
        start, end = tokens[first].start, tokens[last].end
        line, newline = self.parsed.line_start(start), text.find("\n", end)
        is_alone = not text[line:start].strip() and newline >= 0 and not text[end:newline].strip()
        if kind(around[0]) == "Compound" and is_alone:
            self.edits.append(Replacement(line, newline + 1, ""))
        elif kind(around[0]) == "Compound":
            self.edits.append(Replacement(start, self.parsed.after_space(end), ""))
        else:
            self.edits.append(Replacement(start, tokens[last].start, ""))

    def write_head(self, node: Any, kept: Sequence[Any], control: Counting | None) -> None:
        """Write the head of a loop without pointers."""
        is_new = control is not None and bool(control.condition)
        if kind(node) == "DoWhile":
            if is_new and control is not None:
                self._write_do(node, control)
            return
        opening = self.parsed.token_of(node, "for" if kind(node) == "For" else "while") + 1
        closing = self.parsed.closing(opening)
        text = control.condition if control is not None else ""
        ctype = counter_type(self.function, text)
        counter = control.counter if control is not None else ""
        if control is not None and control.bound:
            semis = [k for k in range(opening, closing) if self.parsed.tokens[k].text == ";"]
            first, last, space = (semis[0] + 1, semis[1] - 1, " ") if semis else (opening + 1, closing - 1, "")
            self._first_conjunct(first, last, f"{space}{control.bound}")
        if kind(node) == "While":
            if is_new:
                self.edit(opening - 1, opening, f"for ({ctype} {counter} = 0; ")
                self._first_conjunct(opening + 1, closing - 1, text)
                self._replaced(closing, closing, f"; {counter}++)")
            return
        semis = [k for k in range(opening, closing) if self.parsed.tokens[k].text == ";"]
        first, second = semis[0], semis[1]
        dropped = [each for each in parts_of(node.init) if all(each is not other for other in kept)]
        if is_new:
            if kept:
                raise CannotPort("a counter and a pointer walk in one loop", self.parsed.span(node))
            self._replaced(opening + 1, first - 1, f"{ctype} {counter} = 0")
            self._first_conjunct(first + 1, second - 1, f" {text}")
        elif dropped and kind(node.init) == "DeclList" and kept:
            self.remove(opening + 1, first, {each.name for each in dropped})
        elif dropped:
            self._clause(opening, first, parts_of(node.init), [each is not None and each in kept for each in
                                                                parts_of(node.init)])  # fmt: skip
        steps = parts_of(node.next)
        stays = [not self._is_gone(each) for each in steps]
        if is_new or not all(stays):
            self._clause(second, closing, steps, stays, f"{counter}++" if is_new else "")

    def _write_do(self, node: Any, control: Counting) -> None:
        """`do … while (--n);` as a `for`: it takes for granted that there is an element."""
        at = self.parsed.token_of(node, "do")
        offset = statement_end(self.parsed.text, self.parsed.tokens[at].start)
        last = next(k for k in range(at, len(self.parsed.tokens)) if self.parsed.tokens[k].end >= offset)
        opening = last - 1
        while self.parsed.tokens[opening].text != "(" or self.parsed.closing(opening) != last - 1:
            opening -= 1
        ctype = counter_type(self.function, control.condition)
        name = control.counter
        self.edit(at, at, f"for ({ctype} {name} = 0; {control.condition}; {name}++)")
        self._replaced(opening - 1, last, "", self.parsed.tokens[opening - 2].end)
        ahead, _, count = control.condition.partition(" < ")
        self.promises.append(f"1 <= {count}" if ahead == name else f"{ahead.removeprefix(f'{name} + ')} < {count}")

    def _is_gone(self, node: Any) -> bool:
        """Whether a step of a loop moves a pointer, or is one that a new counter has replaced."""
        if id(node) in self.removed:
            return True
        target: Any = node.expr if kind(node) == "UnaryOp" else getattr(node, "lvalue", None)
        return kind(target) == "ID" and target.name in self.tracked

    def _clause(self, before: int, behind: int, nodes: Sequence[Any], stays: Sequence[bool], more: str = "") -> None:
        """Write the parts that stay between two tokens, and one more."""
        places = self.parsed.parts(before, behind) if nodes else []
        if len(places) != len(nodes):
            raise HiddenByMacro("a macro stands in the head of a loop", self.parsed.span(nodes[0]))
        texts = [self.text(*place) for place, stay in zip(places, stays, strict=True) if stay]
        texts += [more] if more else []
        space = (
            " " if before + 1 < behind and self.parsed.tokens[before].end < self.parsed.tokens[before + 1].start else ""
        )
        space = " " if texts and self.parsed.tokens[before].text == ";" else space
        self._replaced(
            before + 1, behind - 1, (space if texts else "") + ", ".join(texts), self.parsed.tokens[before].end
        )

    def _first_conjunct(self, first: int, last: int, new: str) -> None:
        """Replace what stands in front of the first `&&` between two tokens."""
        tokens = self.parsed.tokens
        end, at = last, first
        while at < last:
            if tokens[at].text in ("(", "["):
                at = self.parsed.closing(at)
            elif tokens[at].text == "&" and tokens[at + 1].text == "&":
                end = at - 1
                break
            at += 1
        lead = tokens[first - 1].end
        self._replaced(first, end, new, lead)

    def _replaced(self, first: int, last: int, new: str, start: int | None = None) -> None:
        """Put a text in place of tokens, whatever has been changed in them; before token `first` if there are none."""
        tokens = self.parsed.tokens
        begin = tokens[first].start if start is None else start
        end = tokens[last].end if last >= first else max(begin, tokens[first].start if start is None else begin)
        self.edits[:] = [each for each in self.edits if not (begin <= each.start and each.end <= end)]
        self.edits.append(Replacement(begin, end, new))
