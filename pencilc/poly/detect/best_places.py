"""The place of the best element alone, whose value the source reads again each time.

    int best = 0;                           int best = 0;
    for (i…)                                float a_best = 0;
        if (a[i] > a[best])                 if (1 < n) a_best = a[best];
            best = i;                       for (i…)
                                                if (a[i] > a_best) {
                                                    a_best = a[i];
                                                    best = i;
                                                }

`detect/selections.py` knows the form on the right.  The value is read before the loop only where the loop reads it.
It may be computed from the element, as in `fabs(a[i * n + k]) > fabs(a[best * n + k])`.  Where the first element is
taken whatever it is, `if (best < 0 || a[i] > a[best]) best = i;`, there may be none to read.
"""

from __future__ import annotations

from dataclasses import replace

from pencilc.diagnostics.source import Span
from pencilc.ir.build import conjuncts
from pencilc.ir.queries import declared_in, is_given_elements, names_in, root, same
from pencilc.ir.rewrite import as_block, fresh_name, replaced, written_names
from pencilc.ir.source import (
    INT,
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Declare,
    Expr,
    FloatLiteral,
    For,
    If,
    Index,
    IntLiteral,
    Jump,
    MemberOf,
    Name,
    Node,
    Region,
    Return,
    Scalar,
    Stmt,
    Symbol,
    Unary,
    While,
    walk,
)
from pencilc.poly.detect.sites import is_inside
from pencilc.poly.reductions.operators import unconverted
from pencilc.poly.reductions.updates import alternatives
from pencilc.records import dataclass

# What a value may be computed with.
_PLAIN = (Binary, Call, Cast, FloatLiteral, Index, IntLiteral, MemberOf, Name, Unary)


@dataclass(frozen=True, slots=True)
class _Search:
    """`if (element op chosen) places...`: `chosen` is `element` at the places that the variables `names` say.

    `comparison` is that of the two; beside it `unset` may say that none has been chosen.  Where `is_guarded`, another
    condition has to hold too.
    """

    comparison: Binary
    unset: Expr | None
    element: Expr
    chosen: Expr
    names: frozenset[str]
    is_guarded: bool = False

    @property
    def name(self) -> str:
        """The place as the source spells it, the first of several."""
        found = (n for n in walk(self.chosen) if isinstance(n, Name) and n.symbol.name in self.names)
        return next(found).symbol.spelling


@dataclass(frozen=True, slots=True)
class Valued:
    """A region in which the values of best elements are kept; `places`: by the `if` that finds one, what it sets."""

    region: Region
    places: dict[Span, str]


def with_values(region: Region) -> Valued:
    """`region` with a variable for the value of each best element of which only the place is kept."""
    rewriting = _Rewriting(names_in(region.body) | declared_in(region.body) | {each.name for each in region.params})
    body = rewriting.stmt(region.body)
    if not rewriting.places:
        return Valued(region, {})
    assert isinstance(body, Block)
    return Valued(replace(region, body=body), rewriting.places)


class _Rewriting:
    """Rewrites the searches of a region."""

    def __init__(self, taken: set[str]) -> None:
        """`taken`: the names in use."""
        self.places: dict[Span, str] = {}
        self._taken = taken

    def stmt(self, stmt: Stmt) -> Stmt:
        """`stmt` with its searches rewritten."""
        match stmt:
            case Block():
                items: list[Stmt] = []
                for item in stmt.items:
                    made = self._searched(item) if isinstance(item, For) else None
                    items += made if made is not None else (self.stmt(item),)
                return replace(stmt, items=tuple(items))
            case For():
                return replace(stmt, body=self.stmt(as_block(stmt.body)))
        return stmt

    def _searched(self, loop: For) -> tuple[Stmt, ...] | None:
        """What reads the value before the loop, and the loop that keeps it; None where it is no search."""
        loops, around = _innermost(loop)
        stmt, search = _search_in(around) if around is not None else (None, None)
        if stmt is None or search is None or not _may_be_kept(search, stmt, loops):
            return None
        span, kind = stmt.span, search.chosen.type
        test = search.comparison
        arrays = (root(node) for node in walk(search.chosen) if isinstance(node, Index))
        array = next(each for each in arrays if each is not None)
        assert isinstance(kind, Scalar)
        stem = f"{array.symbol.spelling}_best"
        symbol = Symbol(fresh_name(stem, self._taken), stem, kind, "local", span)
        self._taken.add(symbol.name)
        self.places[span] = search.name
        value = Name(symbol, kind, span)
        left, right = (value if side is search.chosen else side for side in (test.left, test.right))
        then = Block((Assign(value, search.element, span), *as_block(stmt.then).items), span)
        kept_test = replace(test, left=left, right=right)
        condition = replaced(stmt.condition, lambda node: kept_test if node is test else None)
        kept = replace(stmt, condition=condition, then=then)
        zero: Expr = IntLiteral(0, kind, span) if kind.is_integer else FloatLiteral("0.0", kind, span)
        read: Stmt = Assign(value, search.chosen, span)
        if search.is_guarded:
            # The loop may read nothing: an element that is there does no harm.
            inside = is_inside(search.chosen)
            if isinstance(inside, str):
                return None
            read = replace(inside, then=Block((read,), span))
        if search.unset is not None:
            read = If(Unary("!", search.unset, INT, span), Block((read,), span), None, span)
        for each in reversed(loops):
            read = If(Binary(each.relation, each.lower, each.bound, INT, span), Block((read,), span), None, span)
        return Declare(symbol, zero, span), read, replaced(loop, lambda node: kept if node is stmt else None)


def _innermost(loop: For) -> tuple[list[For], If | None]:
    """The loops down to an `if` that alone stands, but for what is straight code, in each of them; and that `if`."""
    loops = [loop]
    while True:
        items = as_block(loops[-1].body).items
        inner = [item for item in items if any(isinstance(node, If | For) for node in walk(item))]
        if len(inner) != 1 or not isinstance(inner[0], For | If):
            return loops, None
        if isinstance(inner[0], If):
            return loops, inner[0]
        loops.append(inner[0])


def _search_in(around: If) -> tuple[If, _Search | None]:
    """The `if` that searches: `around` itself, or what stands alone under it, as a `continue` leaves it."""
    search = _matched(around)
    inner = as_block(around.then).items
    if search is not None or around.otherwise is not None or len(inner) != 1 or not isinstance(inner[0], If):
        return around, search
    stmt, search = _search_in(inner[0])
    return stmt, None if search is None or not isinstance(search.chosen, Index) else replace(search, is_guarded=True)


def _matched(stmt: If) -> _Search | None:
    """The search that an `if` is: all that it sets are places, and it compares the element here with the one there."""
    if stmt.otherwise is not None:
        return None
    terms = conjuncts(unconverted(stmt.condition, None))
    for term in terms:
        others = [each for each in terms if each is not term]
        for test, unset in alternatives(term):
            found = _compared(test, unset, stmt)
            if found is None or found.names & names_in(*others):
                continue
            if not others:
                return found
            if isinstance(found.chosen, Index):
                return replace(found, is_guarded=True)
    return None


def _compared(test: Expr, unset: Expr | None, stmt: If) -> _Search | None:
    """The same with the comparison `test`, or where nothing has been chosen, as `unset` says."""
    if not isinstance(test, Binary) or test.op not in ("<", "<=", ">", ">="):
        return None
    places: dict[str, Expr] = {}
    for item in as_block(stmt.then).items:
        if not isinstance(item, Assign) or not isinstance(item.target, Name):
            return None
        places[item.target.symbol.name] = unconverted(item.value, None)
    if unset is not None and any(isinstance(node, Index) for node in walk(unset)):
        return None
    if test.left.type != test.right.type:
        return None

    def put(node: Node) -> Node | None:
        return places.get(node.symbol.name) if isinstance(node, Name) else None

    for element, chosen in ((test.left, test.right), (test.right, test.left)):
        inside = names_in(chosen)
        holds = _is_of_elements(chosen) and places.keys() <= inside
        if holds and not places.keys() & names_in(element) and same(replaced(chosen, put), element):
            return _Search(test, unset, element, chosen, frozenset(places))
    return None


def _is_of_elements(value: Expr) -> bool:
    """Whether a value is an element, or computed from elements without an effect."""
    nodes = list(walk(value))
    is_plain = all(isinstance(node, _PLAIN) and not is_given_elements(node) for node in nodes)
    return is_plain and any(isinstance(node, Index) and root(node) is not None for node in nodes)


def _may_be_kept(search: _Search, stmt: Stmt, loops: list[For]) -> bool:
    """Whether nothing else in the loops touches the places, and the elements and bounds do not change in them."""
    outer = loops[0]
    count = sum(isinstance(node, Name) and node.symbol.name in search.names for node in walk(outer))
    own = sum(isinstance(node, Name) and node.symbol.name in search.names for node in walk(stmt))
    if count != own or any(isinstance(node, Jump | Return | While) or is_given_elements(node) for node in walk(outer)):
        return False
    changed = {each.iterator.name for each in loops} | declared_in(outer) | written_names(outer)
    used = names_in(search.chosen) - search.names
    bounds = names_in(*(part for each in loops for part in (each.lower, each.bound)))
    return not (used | bounds) & changed
