"""`--autodetect`: loops of plain C that obey the rules of PENCIL become regions.

A candidate is translated on trial; what the trial reports is forgotten.  Loops that follow each other
without anything between them are one region where that works too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pencilc.diagnostics.diagnostic import Severity
from pencilc.frontend.context import FileContext, Refused
from pencilc.frontend.regions.classify import Classified, Classifier, RegionSpan
from pencilc.frontend.regions.outline import outline
from pencilc.frontend.syntax.lexing import statement_end
from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.frontend.translate.types import TypeResolver
from pencilc.ir.queries import mentions_any, names_in, plain_name, without_conversions
from pencilc.ir.source import (
    Assign,
    Binary,
    Call,
    For,
    If,
    Index,
    Jump,
    Name,
    Region,
    Scalar,
    Ternary,
    While,
    walk,
)

_ALWAYS = ("+", "-", "*", "&", "|", "^")
_FLOATING = ("+", "-", "*")
_EXTREMES = ("min", "max", "imin", "imax", "fmin", "fmax", "fminf", "fmaxf")


class Detector:
    """Finds the regions of functions that hold no PENCIL construct."""

    def __init__(self, context: FileContext, types: TypeResolver, classifier: Classifier, associative: bool) -> None:
        """`associative`: floating sums and products may be computed in another order."""
        self.associative = associative
        self.context = context
        self.types = types
        self.classifier = classifier

    def detect(self, function: Any) -> Classified | None:
        """`function` with the regions found in it, or None if there are none."""
        places = tuple(self._places(function, function.body))
        return Classified(function, False, places) if places else None

    def _places(self, function: Any, compound: Any) -> Iterator[RegionSpan]:
        """The regions among the items of `compound`, and below those that are none."""
        current: RegionSpan | None = None
        for k, item in enumerate(compound.block_items or ()):
            place = self._place(compound, k) if type(item).__name__ == "For" else None
            longer = self._joined(current, place) if current is not None and place is not None else None
            if longer is not None and self._works(function, longer):
                current = longer
                continue
            if current is not None:
                yield current
            current = place if place is not None and self._works(function, place) else None
            if current is None:
                for inner in _compounds_in(item):
                    yield from self._places(function, inner)
        if current is not None:
            yield current

    def _place(self, compound: Any, position: int) -> RegionSpan:
        start = self.context.offset(compound.block_items[position])
        end = statement_end(self.context.preprocessed.text, start)
        return RegionSpan(compound, position, position + 1, start, end)

    @staticmethod
    def _joined(first: RegionSpan, second: RegionSpan) -> RegionSpan | None:
        if first.last != second.first:
            return None
        return RegionSpan(first.compound, first.first, second.last, first.start, second.end)

    def _works(self, function: Any, place: RegionSpan) -> bool:
        """Whether the statements of `place` can be outlined, and write an array or reduce a scalar."""
        items = place.compound.block_items[place.first : place.last]
        if any(self.classifier.host_call(item) is not None for item in items):
            return False
        with self.context.trial() as reported:
            try:
                made = outline(self.context, self.types, function, place, "trial")
            except Refused:
                return False
            if made is None or any(d.severity is Severity.ERROR for d in reported()):
                return False
            if any(isinstance(n, Assign) and isinstance(n.target, Index) for n in walk(made.region.body)):
                return True
            return bool(made.region.written_scalars) and _only_reduces(made.region, self.associative)


def _only_reduces(region: Region, associative: bool) -> bool:
    """Whether every scalar that leaves the region is updated, in loops, as a reduction may be."""
    if any(isinstance(node, Jump | While) for node in walk(region.body)):
        return False
    left = set(region.written_scalars)
    inside = {id(n) for loop in walk(region.body) if isinstance(loop, For) for n in walk(loop.body)}
    for node in walk(region.body):
        if isinstance(node, If) and _is_extreme(node):
            left -= names_in(node.condition)
        elif isinstance(node, Assign) and isinstance(node.target, Name):
            updates = id(node) in inside and _is_update(node, node.target, associative)
            left -= {node.target.symbol.name} if updates else set()
    return not left


def _is_extreme(node: If) -> bool:
    """`if (a[i] < least) least = a[i];`."""
    test = node.condition
    if not isinstance(test, Binary) or test.op not in ("<", "<=", ">", ">=") or node.otherwise is not None:
        return False
    changed: set[str] = set()
    for inner in walk(node.then):
        if isinstance(inner, Assign) and isinstance(inner.target, Name):
            changed.add(inner.target.symbol.name)
    return mentions_any(test, *changed)


def _is_update(stmt: Assign, target: Name, associative: bool) -> bool:
    """Whether `stmt` combines the old value of `target` with something by an operator of which any order will do."""
    assert isinstance(target.type, Scalar)
    value = without_conversions(stmt.value)
    name = target.symbol.name
    if isinstance(value, Ternary) or (isinstance(value, Call) and value.function in _EXTREMES):
        return mentions_any(value, name)
    if not target.type.is_integer and not associative:
        return False
    if not isinstance(value, Binary) or value.op not in (_ALWAYS if target.type.is_integer else _FLOATING):
        return False
    chain = ("+", "-") if value.op in ("+", "-") else (value.op,)
    while isinstance(value, Binary) and value.op in chain:
        if plain_name(value.left) == name or (plain_name(value.right) == name and value.op != "-"):
            return True
        value = without_conversions(value.left if mentions_any(value.left, name) else value.right)
    return False


def _compounds_in(item: Any) -> Iterator[Any]:
    """The outermost blocks of `item`."""
    if type(item).__name__ == "Compound":
        yield item
        return
    for _, child in item.children():
        yield from _compounds_in(child)


def detect(
    context: FileContext, types: TypeResolver, classifier: Classifier, taken: set[str], associative: bool
) -> list[Classified]:
    """The functions of the user's files, but `taken`, that hold regions; none that another one's region calls.

    `associative`: floating sums and products may be computed in another order.
    """
    detector = Detector(context, types, classifier, associative)
    found: dict[str, Classified] = {}
    for name, node in context.definitions.items():
        if name not in taken and not context.path_of(node.decl).startswith("<pencilc>/"):
            made = detector.detect(node)
            if made is not None:
                found[name] = made
    called = {name for each in found.values() for name in _called(each)}
    return [each for name, each in found.items() if name not in called]


def _called(found: Classified) -> Iterator[str]:
    for place in found.places:
        for item in place.compound.block_items[place.first : place.last]:
            for node in nodes_below(item):
                if type(node).__name__ == "FuncCall" and type(node.name).__name__ == "ID":
                    yield node.name.name
