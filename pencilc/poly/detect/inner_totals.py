"""Variables that a loop which data end only updates, as a variable of the iteration around it and one update behind.

    for (i…)                                        for (i…) {
        for (unsigned v = a[i]; v; v &= v - 1)          int bits_inside = 0;
            bits++;                                     for (unsigned v = a[i]; v; v &= v - 1)
                                                            bits_inside++;
                                                        bits += bits_inside;
                                                    }

    for (i…)                                        for (i…) {
        for (s…)                                        int is_found_set = 0;
            if (t[s] == a[i]) {                         for (s…)
                found = 1;                                  if (t[s] == a[i]) { is_found_set = 1; break; }
                break;                                  if (is_found_set) found = 1;
            }                                       }

What is left is one update for each iteration of the loop over `i`, which `unmarked.py` takes for a reduction.  An
element that no number places is updated only where the source updates it: it may lie nowhere where that never does.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.ir.queries import (
    counters_in,
    declared_in,
    ends_by_data,
    members_in,
    names_in,
    names_of_file,
    names_of_region,
    path_of,
    root,
    same,
    subscripts_in,
)
from pencilc.ir.rewrite import fresh_name, replaced, truth_variable, written_names
from pencilc.ir.scop import OperatorKind
from pencilc.ir.source import (
    INT,
    SMALL_FLOATS,
    ArrayType,
    Assign,
    Block,
    Call,
    Declare,
    Expr,
    For,
    Function,
    If,
    Index,
    IntLiteral,
    Name,
    ReductionUpdate,
    Region,
    Return,
    Scalar,
    Stmt,
    Symbol,
    TranslationUnit,
    While,
    walk,
)
from pencilc.poly.detect.sites import UpdateSite, is_listed, mentions_of
from pencilc.poly.reductions.identities import identity
from pencilc.poly.reductions.operators import kept_argument, recognise
from pencilc.poly.reductions.remedies import is_own_element
from pencilc.poly.reductions.updates import (
    PlainUpdate,
    applied,
    element_of,
    match_flag,
    match_update,
    may_meet,
)
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class _Updated:
    """An element and its updates in a loop, all with one operator; `is_flag`: they give it one constant."""

    sites: tuple[UpdateSite, ...]
    is_flag: bool

    @property
    def update(self) -> PlainUpdate:
        """The first of them."""
        return self.sites[0].update

    @property
    def target(self) -> Expr:
        """The element."""
        return self.update.target


@dataclass(frozen=True, slots=True)
class _Own:
    """What an iteration has for an element: what stands before the loop and behind it, and in place of an update."""

    before: tuple[Stmt, ...]
    behind: Stmt
    value: Name | None  # what is updated instead; None of a flag
    is_set: Symbol | None  # whether there has been an update, where that is to be known

    def instead(self, site: UpdateSite) -> Stmt:
        """What stands for an update in the loop."""
        span = site.update.span
        done: list[Stmt] = []
        if self.value is not None:
            done.append(_updates(site, self.value))
        if self.is_set is not None:
            told: Stmt = Assign(Name(self.is_set, INT, span), IntLiteral(1, INT, span), span)
            # `if (valid && e < x) x = e;` looks at the element where that is valid.
            done.append(told if site.update.guard is None else If(site.update.guard, told, None, span))
        return done[0] if len(done) == 1 else Block(tuple(done), span)


def with_inner_totals(unit: TranslationUnit, region: Region, associative: bool) -> Region:
    """`region` with such variables; the region itself where it has none.

    `associative`: the order of floating additions and multiplications does not matter (-fassociative-math).
    """
    if not any(ends_by_data(node) for node in walk(region.body)):
        return region
    body = _Totals(unit, region, associative).inside(region.body, ())
    assert isinstance(body, Block)
    return region if body is region.body else replace(region, body=body)


class _Totals:
    """The rewriting of one region."""

    def __init__(self, unit: TranslationUnit, region: Region, associative: bool) -> None:
        self.functions: dict[str, Function] = {f.name: f for f in unit.functions}
        self.associative = associative
        self.taken = names_of_file(unit) | names_of_region(region)

    def inside(self, stmt: Stmt, loops: tuple[For, ...]) -> Stmt:
        """`stmt` below `loops`, none of which data end, with what it has inside rewritten."""
        match stmt:
            case Block():
                items = tuple(self.inside(item, loops) for item in stmt.items)
                is_same = all(a is b for a, b in zip(items, stmt.items, strict=True))
                return stmt if is_same else replace(stmt, items=items)
            case If():
                then = self.inside(stmt.then, loops)
                otherwise = None if stmt.otherwise is None else self.inside(stmt.otherwise, loops)
                is_same = then is stmt.then and otherwise is stmt.otherwise
                return stmt if is_same else replace(stmt, then=then, otherwise=otherwise)
            case For() | While() if ends_by_data(stmt) and loops:
                return self._apart(stmt, loops)
            case While():
                body = self.inside(stmt.body, ())
                return stmt if body is stmt.body else replace(stmt, body=body)
            case For():
                # A loop that is left is one of the host, if no other one is around it.
                body = self.inside(stmt.body, () if ends_by_data(stmt) else (*loops, stmt))
                return stmt if body is stmt.body else replace(stmt, body=body)
        return stmt

    def _apart(self, loop: For | While, loops: Seq[For]) -> Stmt:
        """What stands for a loop that data end, below others."""
        before: list[Stmt] = []
        behind: list[Stmt] = []
        instead: dict[int, Stmt] = {}
        for updated in self._updated(loop, loops):
            own = self._own(updated)
            before += own.before
            behind.append(own.behind)
            instead |= {id(site.stmt): own.instead(site) for site in updated.sites}
        if not instead:
            return loop
        return Block((*before, replaced(loop, lambda node: instead.get(id(node))), *behind), loop.span)

    # ---- finding -----------------------------------------------------------------------------------

    def _updated(self, loop: For | While, loops: Seq[For]) -> list[_Updated]:
        """The elements from outside of the innermost of `loops` that `loop` only updates."""
        if any(isinstance(node, Return) for node in walk(loop)):
            return []
        around = loops[-1]
        own = declared_in(around) | counters_in(around)
        sites = list(self._sites(loop, ()))
        found: list[_Updated] = []
        for site in sites:
            if site.symbol.name in own or is_own_element(around, site.symbol.name):
                continue
            if any(same(each.target, site.update.target) for each in found):
                continue
            meeting = [s for s in sites if may_meet(element_of(s.update.target), element_of(site.update.target))]
            updated = _Updated(tuple(meeting), match_flag(site.stmt) is not None)
            named = [s for s in sites if s.symbol.name == site.symbol.name]
            if self._is_total(updated, loop, loops) and self._is_alone(named, around):
                found.append(updated)
        return found

    def _sites(self, stmt: Stmt, around: tuple[Stmt, ...]) -> Iterator[UpdateSite]:
        """The updates in a statement, in text order."""
        if isinstance(stmt, ReductionUpdate):
            kind = recognise(stmt.operator, self.functions).recognised
            if kind is not None:
                update = PlainUpdate(stmt.variable, kind, stmt.element, stmt.operator, "", stmt.span)
                yield UpdateSite(stmt, update, around)
            return
        found = match_update(stmt, self.functions)
        if isinstance(found, PlainUpdate):
            yield UpdateSite(stmt, found, around)
            return
        flag = match_flag(stmt)
        if flag is not None:
            yield UpdateSite(stmt, flag, around)
        match stmt:
            case Block():
                for item in stmt.items:
                    yield from self._sites(item, (*around, stmt))
            case For() | While():
                yield from self._sites(stmt.body, (*around, stmt))
            case If():
                yield from self._sites(stmt.then, (*around, stmt))
                if stmt.otherwise is not None:
                    yield from self._sites(stmt.otherwise, (*around, stmt))

    def _is_total(self, updated: _Updated, loop: For | While, loops: Seq[For]) -> bool:
        """Whether the updates of an element have one operator, and an order that may change, and name one place."""
        first, ctype = updated.sites[0], updated.target.type
        if not isinstance(ctype, Scalar) or ctype in SMALL_FLOATS:
            return False
        for site in updated.sites:
            is_marked = isinstance(site.stmt, ReductionUpdate)
            if is_marked != isinstance(first.stmt, ReductionUpdate) or not same(site.update.target, updated.target):
                return False
            if (site.update.kind, site.update.call) != (first.update.kind, first.update.call):
                return False
            if updated.is_flag and not same(site.stmt, first.stmt):
                return False
            if site.update.reordered and not self._may_be_reordered(site, loops):
                return False
        if first.update.kind in (OperatorKind.MIN, OperatorKind.MAX) and not self._has_worst(first.update, ctype):
            return False
        changed = written_names(loop) | declared_in(loop) | counters_in(loop)
        subscripts = subscripts_in(updated.target)
        if any(isinstance(node, Call) for subscript in subscripts for node in walk(subscript)):
            return False
        return not names_in(*subscripts) & changed

    def _may_be_reordered(self, site: UpdateSite, loops: Seq[For]) -> bool:
        return self.associative or any(is_listed(clause, site) for each in loops for clause in each.reductions)

    def _has_worst(self, update: PlainUpdate, ctype: Scalar) -> bool:
        """Whether a value loses against each other one: for `fminf` and its like that is no number."""
        if ctype.is_integer:
            return ctype.kind != "bool"
        return not update.reordered and (not update.call or kept_argument(update.call, self.functions) is not None)

    def _is_alone(self, named: Seq[UpdateSite], around: For) -> bool:
        """Whether nothing but updates names a variable in the loop around."""
        name, kinds = named[0].symbol.name, {site.update.kind for site in named}
        everywhere = [s for s in self._sites(around.body, ()) if s.symbol.name == name]
        if any(site.update.kind not in kinds for site in everywhere):
            return False
        return mentions_of(around, name) == sum(mentions_of(site.stmt, name) for site in everywhere)

    # ---- rewriting ---------------------------------------------------------------------------------

    def _own(self, updated: _Updated) -> _Own:
        """The variables that an iteration has for an element."""
        spelling, span = _word(updated.target), updated.update.span
        if updated.is_flag:
            is_set = truth_variable(f"is_{spelling}_set", self.taken, span)
            return _Own((_begun(is_set),), If(Name(is_set, INT, span), updated.sites[0].stmt, None, span), None, is_set)
        ctype = updated.target.type
        assert isinstance(ctype, Scalar)
        wish = f"{spelling}_inside"
        own = Symbol(fresh_name(wish, self.taken), wish, ctype, "local", span)
        value = Name(own, ctype, span)
        begun = Declare(own, identity(updated.update.kind, ctype, span), span)
        last = _update(updated.sites[0].stmt, updated.update, value)
        # `&&` and `||` make a 1 of a 5, with their identity too.
        keeps = updated.update.kind not in (OperatorKind.AND, OperatorKind.OR) or ctype.kind == "bool"
        if keeps and _is_there(updated.target):
            return _Own((begun,), last, value, None)
        is_set = truth_variable(f"is_{spelling}_set", self.taken, span)
        return _Own((begun, _begun(is_set)), If(Name(is_set, INT, span), last, None, span), value, is_set)


def _word(target: Expr) -> str:
    """What an element is called: its member, or its variable."""
    variable = root(target)
    assert variable is not None
    return (variable.symbol.spelling, *members_in(target))[-1]


def _updates(site: UpdateSite, value: Name) -> Stmt:
    """The update of a variable in the place of the one of an element."""
    update = site.update
    if isinstance(site.stmt, ReductionUpdate):
        return Assign(value, Call(update.call, (value, update.element), value.type, update.span), update.span)
    made: Stmt = replaced(site.stmt, lambda node: value if same(node, update.target) else None)
    return made


def _update(stmt: Stmt, update: PlainUpdate, value: Name) -> Stmt:
    """The update of an element with the value of a variable, by the operator of another update of it."""
    if isinstance(stmt, ReductionUpdate):
        return replace(stmt, element=value)
    ctype = update.target.type
    assert isinstance(ctype, Scalar)
    return Assign(update.target, applied(update, update.target, value, ctype), update.span)


def _begun(is_set: Symbol) -> Stmt:
    return Declare(is_set, IntLiteral(0, INT, is_set.span), is_set.span)


def _is_there(target: Expr) -> bool:
    """Whether an element is there whatever is done: a number within the extents places it, in a local array.

    Where nothing is updated, the caller's array may be none.
    """
    variable = root(target)
    assert variable is not None
    if variable.symbol.kind == "param" and any(isinstance(part, Index) for part in path_of(target)):
        return False
    for part in path_of(target):
        if isinstance(part, Index):
            extent = part.base.type.extent if isinstance(part.base.type, ArrayType) else None
            if not isinstance(part.index, IntLiteral) or not isinstance(extent, IntLiteral):
                return False
            if not 0 <= part.index.value < extent.value:
                return False
    return True
