"""Every access of a region gets a place of its own, by which it is found again in what is made of its statement.

A place of the source is not enough: all that a macro, an inlined helper or a loop that is written out reads stands in
one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from pencilc.diagnostics.source import Span
from pencilc.ir.rewrite import replaced
from pencilc.ir.source import Block, Index, MemberOf, Node


def with_own_places(body: Block) -> Block:
    """`body` with the accesses that begin at one place numbered in textual order."""
    numbered: Block = _Numbering().of(body)
    return numbered


class _Numbering:
    def __init__(self) -> None:
        self._seen: Counter[tuple[str, int, int]] = Counter()

    def of(self, node: Any) -> Any:
        """The node with its accesses numbered."""
        return replaced(node, self._numbered)

    def _numbered(self, node: Node) -> Any:
        """An access `a[i].m[k]` as a whole; None for anything else."""
        if not isinstance(node, Index | MemberOf):
            return None
        start = (node.span.path, node.span.line, node.span.column)
        self._seen[start] += 1
        return self._chain(node, self._seen[start] - 1)

    def _chain(self, node: Node, occurrence: int) -> Any:
        """The access with the number on each of its steps; its subscripts have accesses of their own."""
        match node:
            case Index():
                base = self._chain(node.base, occurrence)
                return replace(node, base=base, index=self.of(node.index), span=_at(node.span, occurrence))
            case MemberOf():
                return replace(node, base=self._chain(node.base, occurrence), span=_at(node.span, occurrence))
        return self.of(node)


def _at(span: Span, occurrence: int) -> Span:
    return span if span.occurrence == occurrence else replace(span, occurrence=occurrence)
