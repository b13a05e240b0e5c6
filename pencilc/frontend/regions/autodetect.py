"""`--autodetect`: loops of plain C that obey the rules of PENCIL become regions.

A candidate is translated on trial; what the trial reports is forgotten, but for the reason why a loop stays as it
is, which is told in a note.  Loops that follow each other without anything between them are one region where that
works too.  A function all of which obeys the rules, so that a mark in it would make it an entry function, is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

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
from pencilc.frontend.regions.outline import outline
from pencilc.frontend.rewrite.continues import without_continues
from pencilc.frontend.syntax.lexing import statement_end
from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.frontend.translate.functions import FunctionTranslator
from pencilc.frontend.translate.types import TypeResolver
from pencilc.ir.build import conjuncts
from pencilc.ir.queries import mentions_any, names_in, plain_name, without_conversions
from pencilc.ir.source import (
    Assign,
    Binary,
    Call,
    Expr,
    For,
    If,
    Index,
    Jump,
    MemberOf,
    Name,
    Region,
    Scalar,
    Stmt,
    Ternary,
    Unary,
    While,
    walk,
)
from pencilc.ir.source_printer import spelled

_ALWAYS = ("+", "-", "*", "&", "|", "^")
_FLOATING = ("+", "-", "*")
_EXTREMES = ("min", "max", "imin", "imax", "fmin", "fmax", "fminf", "fmaxf")


class Detector:
    """Finds the regions of functions that hold no PENCIL construct."""

    def __init__(
        self, context: FileContext, types: TypeResolver, functions: FunctionTranslator, classifier: Classifier,
        associative: bool,
    ) -> None:  # fmt: skip
        """`associative`: floating sums and products may be computed in another order."""
        self.associative = associative
        self.left: list[tuple[Any, str]] = []  # loops of the present function that are no regions, and why
        self.context = context
        self.types = types
        self.functions = functions
        self.classifier = classifier

    def detect(self, function: Any) -> Classified | None:
        """`function` with the regions found in it, or None if there are none."""
        self.left = []
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
            if any(isinstance(n, Assign) and _is_element(n.target) for n in walk(made.region.body)):
                return ""
            if not made.region.written_scalars:
                return "nothing that it computes is used behind it"
            return _why_no_reduction(without_continues(made.region, self.context.identifiers), self.associative)


def _is_element(target: Expr) -> bool:
    """Whether `target` is an element of an array, or a member of one."""
    return any(isinstance(node, Index) for node in walk(target))


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
    loops = [loop for loop in walk(region.body) if isinstance(loop, For)]
    inside = {id(n) for loop in loops for n in walk(loop.body)}
    counters = {loop.iterator.name for loop in loops}
    for node in walk(region.body):
        if isinstance(node, If) and id(node) in inside and (_is_extreme(node) or _is_place(node, counters)):
            left -= names_in(node.condition) | _set_in(node.then)
        elif isinstance(node, Assign) and (name := plain_name(_root(node.target))) is not None:
            updates = id(node) in inside and _is_update(node, node.target, associative)
            left -= {name} if updates else set()
    return left


def _root(target: Expr) -> Expr:
    """The variable of which `target` is a member, or a member of a member."""
    while isinstance(target, MemberOf):
        target = target.base
    return target


def _is_extreme(node: If) -> bool:
    """`if (a[i] < least) least = a[i];`, and what else is set with it."""
    if node.otherwise is not None:
        return False
    chosen = _set_in(node.then)
    tests = [part for part in conjuncts(node.condition) if mentions_any(part, *chosen)]
    return len(tests) == 1 and isinstance(tests[0], Binary) and tests[0].op in ("<", "<=", ">", ">=")


def _is_place(node: If, counters: set[str]) -> bool:
    """`if (a[i] > 0) any = 1;`, `if (a[i] > 0) last = i;`, `if (!any && a[i] > 0) { any = 1; first = i; }`."""
    chosen = _set_in(node.then)
    if node.otherwise is not None or not chosen:
        return False
    for given in (each for each in walk(node.then) if isinstance(each, Assign)):
        is_computed = any(isinstance(part, Call) for part in walk(given.value))
        if not isinstance(given.target, Name) or is_computed or not names_in(given.value) <= counters:
            return False
    asked = [part for part in conjuncts(node.condition) if mentions_any(part, *chosen)]
    return all(isinstance(without_conversions(part), Binary | Unary | Name) for part in asked)


def _set_in(stmt: Stmt) -> set[str]:
    """The variables that are assigned in `stmt`."""
    return {n.target.symbol.name for n in walk(stmt) if isinstance(n, Assign) and isinstance(n.target, Name)}


def _is_update(stmt: Assign, target: Expr, associative: bool) -> bool:
    """Whether `stmt` combines the old value of `target` with something by an operator of which any order will do."""
    if not isinstance(target.type, Scalar):
        return False
    value = without_conversions(stmt.value)
    if isinstance(value, Ternary) or (isinstance(value, Call) and value.function in _EXTREMES):
        return _reads(value, target)
    if not target.type.is_integer and not associative:
        return False
    if not isinstance(value, Binary) or value.op not in (_ALWAYS if target.type.is_integer else _FLOATING):
        return False
    chain = ("+", "-") if value.op in ("+", "-") else (value.op,)
    while isinstance(value, Binary) and value.op in chain:
        if _is_same(value.left, target) or (_is_same(value.right, target) and value.op != "-"):
            return True
        value = without_conversions(value.left if _reads(value.left, target) else value.right)
    return False


def _is_same(value: Expr, target: Expr) -> bool:
    """Whether `value` is the variable, or the member of one, that `target` is."""
    return spelled(without_conversions(value)) == spelled(target)


def _reads(value: Expr, target: Expr) -> bool:
    return any(isinstance(node, Name | MemberOf) and _is_same(node, target) for node in walk(value))


def _compounds_in(item: Any) -> Iterator[Any]:
    """The outermost blocks of `item`."""
    if type(item).__name__ == "Compound":
        yield item
        return
    for _, child in item.children():
        yield from _compounds_in(child)


def detect(
    context: FileContext, types: TypeResolver, functions: FunctionTranslator, classifier: Classifier, taken: set[str],
    associative: bool,
) -> list[Classified]:  # fmt: skip
    """The functions of the user's files, but `taken`, that hold regions; none that another one's region calls.

    Loops that stay on the host are told.

    `associative`: floating sums and products may be computed in another order.
    """
    detector = Detector(context, types, functions, classifier, associative)
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
