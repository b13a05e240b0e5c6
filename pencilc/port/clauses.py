"""What the head of a `for` does beside counting stands in front of the loop and in its body.

for (s = 0, i = 0; i < n; s += a[i] * b[i], i++) ;      s = 0; for (i = 0; i < n; i++) s += a[i] * b[i];
i++, j--;                                               i++; j--;

Pointers that walk, and what the condition asks for, stay in the head.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.port.counting import goes_on, parts_of, targets
from pencilc.port.find import FunctionText
from pencilc.port.records import CannotPort, PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import is_pointer, kind, names_below, with_parents
from pencilc.records import dataclass


def with_plain_clauses(parsed: Parsed, function: FunctionText) -> PortChanges:
    """The pass over one function; loops that a macro makes stay as they are."""
    found = _Clauses(parsed, function)
    for node, around in with_parents(function.node.body):
        try:
            if kind(node) == "For" and kind(around[0]) == "Compound":
                found.loop(node)
            elif kind(node) == "ExprList" and kind(around[0]) == "Compound":
                found.list_of(node)
        except CannotPort:
            continue  # A part of it comes from a macro.
    return PortChanges(tuple(found.edits), tuple(found.steps))


@dataclass(slots=True)
class _Clauses:
    parsed: Parsed
    function: FunctionText
    edits: list[Replacement] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    def loop(self, node: Any) -> None:
        """Take out of the head of a loop what may stand elsewhere."""
        opening = self.parsed.token_of(node, "for") + 1
        closing = self.parsed.closing(opening)
        semis = [k for k in range(opening, closing) if self.parsed.tokens[k].text == ";"]
        asked = names_below(node.cond)
        edits: list[Replacement] = []
        first = parts_of(node.init) if kind(node.init) == "ExprList" else []
        ahead = [each for each in first if self._may_go(each, asked) and self._is_first(each, first)]
        if ahead and len(ahead) < len(first):
            texts = self._taken(first, ahead, opening, semis[0], edits)
            start = self.parsed.tokens[opening - 1].start
            edits.append(Replacement(start, start, "".join(f"{text}; " for text in texts)))
        last = parts_of(node.next) if kind(node.next) == "ExprList" and not goes_on(node.stmt) else []
        behind = [each for k, each in enumerate(last) if self._may_go(each, asked) and _is_apart(each, last[:k])]
        if behind and len(behind) < len(last):
            texts = self._taken(last, behind, semis[1], closing, edits)
            edits += self._at_end(node.stmt, closing, [f"{text};" for text in texts])
        if edits:
            self.edits += edits
            self.steps.append(
                Step(
                    self.parsed.span(node).line, "the head of the loop does more than count", "statements of their own"
                )
            )

    def _may_go(self, node: Any, asked: set[str]) -> bool:
        """Whether a part of a head is an assignment to something that neither counts nor walks."""
        changed = {name for _, name in targets(node)}
        if kind(node) != "Assignment" or not changed or changed & asked:
            return False
        declared = [each for each in nodes_below(self.function.node) if kind(each) == "Decl" and each.name in changed]
        is_walker = any(is_pointer(self.parsed, each.type) for each in declared) and kind(node.lvalue) == "ID"
        return not is_walker and len(changed) == 1

    def _is_first(self, node: Any, parts: list[Any]) -> bool:
        """Whether a part of the beginning may be done before all others."""
        return all(_is_apart(each, [node]) and _is_apart(node, [each]) for each in parts if each is not node)

    def _taken(
        self, parts: list[Any], gone: list[Any], before: int, behind: int, edits: list[Replacement]
    ) -> list[str]:  # fmt: skip
        """Take parts out of a clause; their texts."""
        places = self.parsed.parts(before, behind)
        if len(places) != len(parts):
            raise CannotPort("a macro stands in the head of a loop", self.parsed.span(parts[0]))
        texts = [self.parsed.slice(*place) for place in places]
        stays = [text for text, each in zip(texts, parts, strict=True) if all(each is not other for other in gone)]
        start, end = self.parsed.tokens[places[0][0]].start, self.parsed.tokens[places[-1][1]].end
        edits.append(Replacement(start, end, ", ".join(stays)))
        return [text for text, each in zip(texts, parts, strict=True) if any(each is other for other in gone)]

    def _at_end(self, body: Any, closing: int, statements: list[str]) -> list[Replacement]:
        """Put statements at the end of the body of a loop whose head ends with token `closing`."""
        tokens = self.parsed.tokens
        text = " ".join(statements)
        if kind(body) == "Compound":
            end = self.parsed.closing(self.parsed.token_of(body, "{"))
            start = tokens[end].start
            line = self.parsed.line_start(start)
            if self.parsed.text[line:start].strip() or not body.block_items:
                return [Replacement(start, start, f"{text} ")]
            indent = self.parsed.indent_at(tokens[end - 1].start)
            return [Replacement(line, line, "".join(f"{indent}{each}\n" for each in statements))]
        if kind(body) == "EmptyStatement" and tokens[closing + 1].text == ";":
            new = text if len(statements) == 1 else f"{{ {text} }}"
            return [Replacement(tokens[closing].end, tokens[closing + 1].end, f" {new}")]
        if kind(body) in ("Assignment", "UnaryOp"):
            first, last = closing + 1, self.parsed.semicolon(closing)
            return [
                Replacement(tokens[first].start, tokens[first].start, "{ "),
                Replacement(tokens[last].end, tokens[last].end, f" {text} }}"),
            ]
        raise CannotPort("the body of the loop is no block", self.parsed.span(body))

    def list_of(self, node: Any) -> None:
        """`i++, j--;` is two statements."""
        named = next((each for each in nodes_below(node.exprs[0]) if kind(each) == "ID"), None)
        if named is None:
            return
        first = self.parsed.token_of(named, named.name)
        while self.parsed.tokens[first - 1].text not in (";", "{", "}", ")", ":"):
            first -= 1
        last = self.parsed.semicolon(first)
        places = self.parsed.parts(first - 1, last)
        if len(places) != len(node.exprs):
            raise CannotPort("a macro stands in the statement", self.parsed.span(node))
        for _, end in places[:-1]:
            comma = self.parsed.tokens[end + 1]
            self.edits.append(Replacement(comma.start, comma.end, ";"))
        self.steps.append(Step(self.parsed.span(node).line, "a comma joins statements", "statements of their own"))


def _is_apart(node: Any, others: list[Any]) -> bool:
    """Whether nothing that a node names is changed by the others."""
    changed = {name for each in others for _, name in targets(each)}
    return not changed & names_below(node)
