"""Where the plain updates of a region stand, and what else their loops do."""

from __future__ import annotations

from collections.abc import Iterable, Set
from collections.abc import Sequence as Seq

from pencilc.ir.build import ZERO, binary, conjunction
from pencilc.ir.queries import declared_in, names_in, path_of, root, same, subscripts_in
from pencilc.ir.scop import AccessKind
from pencilc.ir.source import (
    LLONG,
    ArrayType,
    Block,
    Call,
    Cast,
    Expr,
    For,
    If,
    Index,
    Name,
    ReductionClause,
    Stmt,
    Symbol,
    walk,
)
from pencilc.poly.model.accesses import Effects, touches
from pencilc.poly.reductions.remedies import is_own_element
from pencilc.poly.reductions.updates import PlainUpdate, element_of
from pencilc.records import dataclass

_MOST_ARRAYS = 8  # written beside sums, each of which is looked for in all of the loop


@dataclass(frozen=True, slots=True)
class UpdateSite:
    """An update and the loops, conditions and blocks around it, outermost first."""

    stmt: Stmt
    update: PlainUpdate
    around: tuple[Stmt, ...]

    @property
    def symbol(self) -> Symbol:
        """The variable that is updated, or a part of it."""
        variable = root(self.update.target)
        assert variable is not None
        return variable.symbol

    def inside(self, loop: For) -> tuple[Stmt, ...]:
        """What stands around the update from `loop` inwards."""
        position = next(k for k, around in enumerate(self.around) if around is loop)
        return self.around[position:]


@dataclass(frozen=True, slots=True)
class JudgedUpdates:
    """Updates that belong together and the loop that holds their domain; `reason` says why they stay as they are.

    `by_order`: for nothing but their order.
    """

    group: list[UpdateSite]
    loop: For | None
    reason: str
    by_order: bool


def clauses_for(variable: str, loop: For, judged: Iterable[JudgedUpdates], changed: frozenset[str]) -> str:
    """The clauses that allow another order in `loop`: for the variable of that name, and others that it waits for.

    Empty where iterations may need each other for something else.  `changed`: what the loop writes but for its locals.
    """
    listed: dict[str, dict[str, str]] = {}  # by operator: names in the source by those of variables
    updates: dict[str, list[Stmt]] = {}  # by variable, those that become reductions
    for each in judged:
        if each.loop is None or (each.reason and not each.by_order):
            continue
        for site in each.group:
            if not any(around is loop for around in site.inside(each.loop)):
                continue
            updates.setdefault(site.symbol.name, []).append(site.stmt)
            if each.by_order and (site.symbol.name == variable or not is_own_element(loop, site.symbol.name)):
                listed.setdefault(site.update.kind.value, {})[site.symbol.name] = site.symbol.spelling
    others = changed.difference(*listed.values())
    if len(others) > _MOST_ARRAYS:
        return ""
    if any(
        not is_own_element(loop, name) and not _is_updated_alone(loop, name, updates.get(name, ())) for name in others
    ):
        return ""
    return " ".join(f"reduction({operator}: {', '.join(names.values())})" for operator, names in listed.items())


def place_of_init(group: Seq[UpdateSite], loop: For) -> For | None:
    """The loop in front of which what `group` updates can be initialised; None if there is no such element."""
    target = group[0].update.target
    loops = [each for each in group[0].inside(loop) if isinstance(each, For)]
    counters = {each.iterator.name for each in loops}
    names = names_in(*subscripts_in(target))
    if any(not same(site.update.target, target) for site in group) or names & (declared_in(loop) - counters):
        return None
    first = max((k + 1 for k, each in enumerate(loops) if each.iterator.name in names), default=0)
    place = loops[first] if first < len(loops) else None
    return place if all(any(around is place for around in site.around) for site in group) else None


def runs_in_order(loop: For, updates: Iterable[UpdateSite], effects: Effects) -> bool:
    """Whether iterations read what the ones before have written, for more than to update it.

    Seen where something of elements that do not move with the loop is read first and written then, by more than the
    `updates` inside.
    """
    inner = {node.iterator.name for node in walk(loop.body) if isinstance(node, For)}
    own = (declared_in(loop) | {loop.iterator.name}) - inner
    is_first_read: dict[str, bool] = {}
    written: set[str] = set()
    others = own | inner
    for touch in touches(loop.body, effects):
        name, subscripts = touch.lvalue.symbol.name, touch.lvalue.subscripts
        is_first_read.setdefault(name, touch.kind is AccessKind.READ)
        if touch.kind.writes:
            written.add(name)
        if names_in(*subscripts) & own or any(isinstance(n, Call | Index) for each in subscripts for n in walk(each)):
            others.add(name)
    stmts = [site.stmt for site in updates]
    found = {name for name in written - others if is_first_read[name]}
    return any(not _is_updated_alone(loop, name, stmts) for name in found)


def _is_updated_alone(loop: For, name: str, updates: Iterable[Stmt]) -> bool:
    """Whether nothing but some of `updates` names a variable in a loop."""
    return mentions_of(loop, name) == sum(mentions_of(stmt, name) for stmt in updates)


def mentions_of(node: Stmt, name: str) -> int:
    """How often a variable is named."""
    return sum(isinstance(each, Name) and each.symbol.name == name for each in walk(node))


def is_listed(clause: ReductionClause, site: UpdateSite) -> bool:
    """Whether a clause means an update: of an array any element, of a struct the members with its operator."""
    element = element_of(site.update.target)
    kind = "+" if clause.operator == "-" else clause.operator
    for variable in clause.variables:
        listed = element_of(variable)
        if listed.variable == element.variable and element.path[: len(listed.path)] == listed.path:
            return kind == site.update.kind.value or element.path == listed.path
    return False


def are_decided_by_data(conditions: Iterable[Expr], changing: Set[str]) -> bool:
    """Whether one of the conditions reads elements, calls, or takes one of the variables that are `changing`."""
    return any(
        isinstance(node, Index | Call) or (isinstance(node, Name) and node.symbol.name in changing)
        for condition in conditions
        for node in walk(condition)
    )


def is_inside(variable: Expr) -> If | str:
    """`if (0 <= a && a < extent …)` for the subscripts of an element, with nothing in it yet; or why there is none."""
    conditions: list[Expr] = []
    for part in path_of(variable):
        if not isinstance(part, Index):
            continue
        extent = part.base.type.extent if isinstance(part.base.type, ArrayType) else None
        if extent is None:
            return "a condition on its subscripts stands inside the loop, and the extent of its array is not known"
        at, end = (Cast(each, LLONG, each.span, True) for each in (part.index, extent))
        conditions += [binary("<=", Cast(ZERO, LLONG, at.span, True), at), binary("<", at, end)]
    condition = conjunction(conditions)
    assert condition is not None
    return If(condition, Block((), variable.span), None, variable.span)
