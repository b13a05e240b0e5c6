"""`--autodetect`: loops of plain C that obey the rules of PENCIL become regions.

A candidate is translated on trial; what the trial reports is forgotten, but for the reason why a loop stays as it
is, which is told in a note.  Loops that follow each other without anything between them are one region where that
works too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pencilc.diagnostics.diagnostic import Severity
from pencilc.frontend.context import FileContext, Refused
from pencilc.frontend.regions.classify import Classified, Classifier, RegionSpan, called_below
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
        self.left: list[tuple[Any, str]] = []  # loops of the present function that are no regions, and why
        self.context = context
        self.types = types
        self.classifier = classifier

    def detect(self, function: Any) -> Classified | None:
        """`function` with the regions found in it, or None if there are none."""
        self.left = []
        places = tuple(self._places(function, function.body, ""))
        return Classified(function, False, places) if places else None

    def _places(self, function: Any, compound: Any, told: str) -> Iterator[RegionSpan]:
        """The regions among the items of `compound`, and below those that are none.

        `told` is why a loop around is none.
        """
        current: RegionSpan | None = None
        for k, item in enumerate(compound.block_items or ()):
            place = self._place(compound, k) if type(item).__name__ == "For" else None
            longer = self._joined(current, place) if current is not None and place is not None else None
            if longer is not None and not self._why_not(function, longer):
                current = longer
                continue
            if current is not None:
                yield current
            reason = "" if place is None else self._why_not(function, place)
            if type(item).__name__ in ("While", "DoWhile"):
                reason = "it has no counter that says how often it runs"
            current = place if not reason else None
            if reason and reason != told:
                self.left.append((item, reason))
            if current is None:
                for inner in _compounds_in(item):
                    yield from self._places(function, inner, reason or told)
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

    def _why_not_callable(self, function: Any, items: Sequence[Any]) -> str:
        """Why what the statements `items` of a function call is no function that a kernel may call."""
        declared = [each for each in nodes_below(function) if type(each).__name__ == "Decl"]
        own = {each.name for each in declared if type(each.type).__name__ != "FuncDecl"}
        pending = [name for item in items for name in called_below(item)]
        pointer = next((name for name in pending if name in own), "")
        if pointer:
            return f"`{pointer}` is a pointer to a function: call a function by its name"
        seen: set[str] = set()
        while pending:
            name = pending.pop()
            if name == function.decl.name:
                return f"`{name}` calls itself"
            if name not in seen and name in self.context.definitions:
                pending += called_below(self.context.definitions[name].body)
            seen.add(name)
        return ""

    def _why_not(self, function: Any, place: RegionSpan) -> str:
        """Why the statements of `place` are no region; empty if they can be outlined, and write an array or reduce."""
        items = place.compound.block_items[place.first : place.last]
        if reason := self._why_not_callable(function, items):
            return reason
        for item in items:
            if (call := self.classifier.host_call(item)) is not None:
                return f"only the host can call `{call.name.name}`"
        with self.context.trial() as reported:
            try:
                made = outline(self.context, self.types, function, place, "trial")
            except Refused:
                made = None
            errors = [d for d in reported() if d.severity is Severity.ERROR]
            if made is None or errors:
                return errors[0].message if errors else "it cannot be taken out of the function"
            if any(isinstance(n, Assign) and isinstance(n.target, Index) for n in walk(made.region.body)):
                return ""
            if not made.region.written_scalars:
                return "nothing that it computes is used behind it"
            return _why_no_reduction(made.region, self.associative)


def _why_no_reduction(region: Region, associative: bool) -> str:
    """Why a scalar that leaves the region is not updated, in loops, as a reduction may be; empty if all are."""
    for node in walk(region.body):
        if isinstance(node, Jump | While):
            return "how far it goes depends on what it computes"
    kept = _not_reduced(region, associative)
    if not kept:
        return ""
    shown = sorted({p.spelling for p in region.params if p.name in kept})
    names = " and ".join(f"`{name}`" for name in shown)
    if not associative and not _not_reduced(region, True):
        return f"another order would change the rounding of {names} (-fassociative-math allows it)"
    return f"{names} {'is' if len(shown) == 1 else 'are'} used behind it, and no reduction"


def _not_reduced(region: Region, associative: bool) -> set[str]:
    """The scalars that leave the region and are not updated, in loops, as a reduction may be."""
    left = set(region.written_scalars)
    inside = {id(n) for loop in walk(region.body) if isinstance(loop, For) for n in walk(loop.body)}
    for node in walk(region.body):
        if isinstance(node, If) and _is_extreme(node):
            left -= names_in(node.condition)
        elif isinstance(node, Assign) and isinstance(node.target, Name):
            updates = id(node) in inside and _is_update(node, node.target, associative)
            left -= {node.target.symbol.name} if updates else set()
    return left


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

    Loops that stay on the host are told.

    `associative`: floating sums and products may be computed in another order.
    """
    detector = Detector(context, types, classifier, associative)
    found: dict[str, Classified] = {}
    left: dict[str, list[tuple[Any, str]]] = {}
    for name, node in context.definitions.items():
        if name not in taken and not context.path_of(node.decl).startswith("<pencilc>/"):
            made = detector.detect(node)
            left[name] = detector.left
            if made is not None:
                found[name] = made
    called = {name for each in found.values() for name in _called(each)}
    for name, loops in left.items():
        for loop, reason in loops if name not in called else ():
            context.report(Severity.NOTE, "PC0110", f"this loop stays on the host: {reason}", loop)
    return [each for name, each in found.items() if name not in called]


def _called(found: Classified) -> Iterator[str]:
    for place in found.places:
        for item in place.compound.block_items[place.first : place.last]:
            yield from called_below(item)
