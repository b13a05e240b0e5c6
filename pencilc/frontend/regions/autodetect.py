"""`--autodetect`: loops of plain C that obey the rules of PENCIL become regions.

A candidate is translated on trial; what the trial reports is forgotten, but for the reason why a loop stays as it
is, which is told in a note.  Loops that follow each other without anything between them are one region where that
works too.  A function all of which obeys the rules, so that a mark in it would make it an entry function, is one.

A `while` with counted loops inside is a candidate as well: as a region it finds its arrays on the device in each
round, where these loops alone would have them copied.  Where that does not turn out well the driver says so, and the
loops inside are the candidates (`FrontendOptions.whiles_on_host`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pycparser import c_ast

from pencilc.diagnostics.diagnostic import Severity
from pencilc.frontend.context import FileContext, Refused
from pencilc.frontend.regions.classify import (
    Classified,
    Classifier,
    RegionSpan,
    called_below,
    has_loop_outside,
    region_nodes,
)
from pencilc.frontend.regions.likely_reductions import is_element, why_no_reduction
from pencilc.frontend.regions.outline import outline
from pencilc.frontend.rewrite.continues import without_continues
from pencilc.frontend.syntax.lexing import statement_end
from pencilc.frontend.syntax.nodes import LOOPS, nodes_below
from pencilc.frontend.translate.functions import FunctionTranslator
from pencilc.frontend.translate.types import TypeResolver
from pencilc.ir.source import Assign, walk

WHILES = ("While", "DoWhile")


class Detector:
    """Finds the regions of functions that hold no PENCIL construct."""

    def __init__(
        self, context: FileContext, types: TypeResolver, functions: FunctionTranslator, classifier: Classifier,
        whiles_on_host: set[str], associative: bool,
    ) -> None:  # fmt: skip
        """`whiles_on_host`: functions of which no `while` is a candidate.

        `associative`: floating sums and products may be computed in another order.
        """
        self.whiles_on_host = whiles_on_host
        self.associative = associative
        self.left: list[tuple[Any, str]] = []  # loops of the present function that are no regions, and why
        self.context = context
        self.types = types
        self.functions = functions
        self.classifier = classifier

    def detect(self, function: Any) -> Classified | None:
        """`function` with the regions found in it, or None if there are none."""
        self.left = []
        _put_into_blocks(function.body)
        places = tuple(self._places(function, function.body, ""))
        if not places:
            return None
        is_entry = self._is_entry(function, places)
        return Classified(function, is_entry, () if is_entry else places)

    def _is_entry(self, function: Any, places: tuple[RegionSpan, ...]) -> bool:
        """Whether a function with the regions `places` would be an entry function without a word if it were marked."""
        name = function.decl.name
        if name == "main" or "static" in function.decl.storage or self.left or len(places) > 1:
            return False
        if has_loop_outside(function, places[0]) or self.classifier.host_call(function.body) is not None:
            return False
        with self.context.trial() as reported:
            region = self.functions.entry(function)
            self.functions.calls.pop(name, None)
            return region is not None and not reported()

    def _places(self, function: Any, compound: Any, told: str) -> Iterator[RegionSpan]:
        """The regions among the items of `compound`, and below those that are none.

        `told` is why a loop around is none.
        """
        current: RegionSpan | None = None
        for k, item in enumerate(compound.block_items or ()):
            place = self._place(compound, k) if self._is_candidate(function, item) else None
            longer = self._joined(current, place) if current is not None and place is not None else None
            if longer is not None and not self._why_not(function, longer):
                current = longer
                continue
            if current is not None:
                yield current
            reason = "" if place is None else self._why_not(function, place)
            if place is None and type(item).__name__ in WHILES and not _counts_inside(item):
                reason = "it has no counter that says how often it runs"
            current = place if not reason else None
            if reason and reason != told:
                self.left.append((item, reason))
            if current is None:
                for inner in _compounds_in(item):
                    yield from self._places(function, inner, reason or told)
        if current is not None:
            yield current

    def _is_candidate(self, function: Any, item: Any) -> bool:
        """Whether `item` is a loop that may be a region."""
        if type(item).__name__ == "For":
            return True
        return type(item).__name__ in WHILES and _counts_inside(item) and function.decl.name not in self.whiles_on_host

    def _place(self, compound: Any, position: int) -> RegionSpan:
        start = self.context.offset(compound.block_items[position])
        end = statement_end(self.context.preprocessed.text, start)
        return RegionSpan(compound, position, position + 1, start, end)

    @staticmethod
    def _joined(first: RegionSpan, second: RegionSpan) -> RegionSpan | None:
        if first.last != second.first:
            return None
        return RegionSpan(first.compound, first.first, second.last, first.start, second.end)

    def _holds_region(self, function: Any, item: Any) -> bool:
        """Whether `item` is a `while` around a loop that would be a region alone, so that it needs no other reason."""
        if type(item).__name__ not in WHILES:
            return False
        for compound in _compounds_in(item):
            for k, inner in enumerate(compound.block_items or ()):
                if type(inner).__name__ == "For" and not self._why_not(function, self._place(compound, k)):
                    return True
        return False

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
            if any(isinstance(n, Assign) and is_element(n.target) for n in walk(made.region.body)):
                return ""
            if not made.region.written_scalars:
                return "nothing that it computes is used behind it"
            if any(self._holds_region(function, item) for item in items):
                return ""
            region = without_continues(made.region, self.context.identifiers)
            return why_no_reduction(region, self.context.definitions, self.associative)


def _counts_inside(loop: Any) -> bool:
    """Whether a loop that counts stands in the `while` loop."""
    return any(type(node).__name__ == "For" for node in nodes_below(loop.stmt))


def _put_into_blocks(body: Any) -> None:
    """Loops that are all of a branch, of a case or of another loop's body become a block there: `if (c) for (…) …`."""
    for node in list(nodes_below(body)):
        for part in ("iftrue", "iffalse", "stmt"):
            held: Any = getattr(node, part, None)
            if type(held).__name__ in LOOPS:
                setattr(node, part, c_ast.Compound([held], held.coord))
        if type(node).__name__ in ("Case", "Default"):
            node.stmts = [
                c_ast.Compound([each], each.coord) if type(each).__name__ in LOOPS else each
                for each in node.stmts or ()
            ]


def _compounds_in(item: Any) -> Iterator[Any]:
    """The outermost blocks of `item`."""
    if type(item).__name__ == "Compound":
        yield item
        return
    for _, child in item.children():
        yield from _compounds_in(child)


def detect(
    context: FileContext, types: TypeResolver, functions: FunctionTranslator, classifier: Classifier, taken: set[str],
    whiles_on_host: set[str], associative: bool,
) -> list[Classified]:  # fmt: skip
    """The functions of the user's files, but `taken`, that hold regions; none that another one's region calls.

    Loops that stay on the host are told; of `while` loops in functions of `whiles_on_host` somebody else has.

    `associative`: floating sums and products may be computed in another order.
    """
    detector = Detector(context, types, functions, classifier, whiles_on_host, associative)
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
    for node in region_nodes(found):
        yield from called_below(node)
