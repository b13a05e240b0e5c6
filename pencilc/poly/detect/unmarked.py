"""Reductions that nobody has marked: plain updates in loops become the builtins.

    int s = 0;                                  int s;
    for (i…) s += a[i];                         __pencil_reduction_var_init(&s, zero_int);
                                                for (i…) __pencil_reduction(&s, a[i], add_int);

The domain of a detected reduction is the outermost loop in which nothing but updates with one operator touches the
variable.  Its initialisation stands right before that loop, in copies of the loops that the subscripts need, and keeps
the old value (KEEP), so that this enters the result exactly once; a constant assigned right there is the initial value.
`reduction(op: list)` of a `#pragma pencil independent` says the same of one loop, whatever the order does to the bits.

    for (i…) if (a[i] == key) found = 1;        a flag, which data decide: `found = 1 ? 1 : found`, any number of times
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

from pencilc.diagnostics.source import Span
from pencilc.ir.queries import declared_in, has_own_jump, names_in, root, same, subscripts_in
from pencilc.ir.rewrite import as_block
from pencilc.ir.scop import READ_ON_THE_WAY, Candidate, OperatorKind
from pencilc.ir.source import (
    INT,
    KEEP,
    ArrayType,
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    Declare,
    Expr,
    For,
    Function,
    If,
    Index,
    IntLiteral,
    Kill,
    MemberOf,
    Name,
    ReductionInit,
    ReductionUpdate,
    Region,
    Scalar,
    Stmt,
    Symbol,
    Ternary,
    TranslationUnit,
    Unary,
    While,
    walk,
)
from pencilc.ir.source_printer import spelled
from pencilc.poly.detect.marking import Marker
from pencilc.poly.detect.sites import (
    JudgedUpdates,
    UpdateSite,
    are_decided_by_data,
    clauses_for,
    is_inside,
    is_listed,
    place_of_init,
    runs_in_order,
)
from pencilc.poly.model.accesses import Effects, lvalue_of, touches
from pencilc.poly.model.flat_terms import iterations
from pencilc.poly.model.substitute import substitute
from pencilc.poly.reductions.remedies import Ways, changed_outside, ways_to_reorder
from pencilc.poly.reductions.updates import (
    ByElement,
    ElementName,
    NoUpdate,
    PlainUpdate,
    constants,
    element_of,
    match_flag,
    match_update,
    mentions,
)
from pencilc.records import dataclass

# Reductions of so few points, below loops that are parallel without them, are left to the thread of those loops.
_FEW_POINTS = 256
_ALLOWED_BY = "-fassociative-math allows it"
# Operators that give several values of a counter the same result.
_FOLDING = ("/", "%", ">>", "&", "|", "^")


@dataclass(frozen=True, slots=True)
class _Judgement:
    """The updates that become one reduction, or none of them: `reason` says why; `goes_outside`: in this loop."""

    group: list[UpdateSite]
    reason: str
    goes_outside: bool


class _TouchedElements:
    """What a statement touches, found once."""

    def __init__(self, node: Stmt, effects: Effects) -> None:
        self.declared = declared_in(node)
        self.written: set[str] = set()
        self._elements: ByElement[None] = ByElement()
        for touch in touches(node, effects):
            lvalue = touch.lvalue
            self._elements.add(ElementName(lvalue.symbol.name, lvalue.path, constants(lvalue.subscripts)), None)
            if touch.kind.writes:
                self.written.add(lvalue.symbol.name)

    def count(self, element: ElementName) -> int:
        """How many accesses may touch a part of the element, or what it is a part of."""
        path = element.path
        return sum(e.path[: len(path)] == path[: len(e.path)] for e, _ in self._elements.meeting(element))


def detect(
    unit: TranslationUnit, region: Region, associative: bool, overlapping: frozenset[Span] = frozenset(),
    in_any_order: frozenset[Span] = frozenset(), refused: Mapping[Span, str] = MappingProxyType({}),
) -> tuple[Region, tuple[Function, ...], tuple[Candidate, ...]]:  # fmt: skip
    """`region` with its plain reductions marked, the functions that this needs, and what was found.

    `associative`: the order of floating additions and multiplications does not matter (-fassociative-math).
    `overlapping`: updates that share some of their elements with others, but not all (`b[j] += x; b[j + 1] += y`):
    such are initialised together, over whole dimensions where their subscripts differ.
    `in_any_order`: updates of which the source says that their order does not matter.
    `refused`: updates that turned out to be no reductions in the model, and why.
    """
    marker = Marker(unit, region.body)
    finder = _Finder(unit, region, associative, overlapping, in_any_order, refused, marker)
    for group, loop in finder.run():
        inits = finder.inits(group, loop)
        marker.take([(s.stmt, s.update) for s in group], loop, [i for i in inits if not isinstance(i, str)])
    marked = replace(region, body=marker.marked()) if finder.found else region
    return marked, tuple(marker.made.values()), tuple(finder.candidates)


class _Finder:
    """The search through one region."""

    def __init__(
        self, unit: TranslationUnit, region: Region, associative: bool, overlapping: frozenset[Span],
        in_any_order: frozenset[Span], refused: Mapping[Span, str], marker: Marker,
    ) -> None:  # fmt: skip
        self.unit, self.region, self.associative, self.overlapping = unit, region, associative, overlapping
        self.anywhere = region.places_anywhere
        self.in_any_order, self.refused, self.marker = in_any_order, refused, marker
        self.whole: set[int] = set()  # subscripts, by id, that stand for all of their dimension
        self.functions: dict[str, Function] = {f.name: f for f in unit.functions}
        self.effects = Effects(self.functions)
        self.candidates: list[Candidate] = []
        self.found: list[tuple[list[UpdateSite], For]] = []
        self.flags: dict[int, UpdateSite] = {}  # by id of a statement that assigns a constant under a condition
        self.names = {n.symbol.name for n in walk(region.body) if isinstance(n, Name | Declare)}
        self.killed = {
            each.symbol.name for n in walk(region.body) if isinstance(n, Kill) and (each := root(n.variable))
        }
        self.declared = {n.symbol.name for n in walk(region.body) if isinstance(n, Declare) and n.init is None}
        self.counters: dict[int, Symbol] = {}  # of the loops of initialisations, by id of the loop they stand for
        self.changed: dict[int, frozenset[str] | None] = {}  # by each loop, by its id
        # What was found before, for hundreds of updates stand in the same loops: by id of the statement or loop, …
        self.touched: dict[int, _TouchedElements] = {}
        self.left: dict[int, bool] = {}
        self.inside: dict[int, ByElement[UpdateSite]] = {}
        self.sites_in: dict[int, list[UpdateSite]] = {}
        self.in_order: dict[int, bool] = {}
        # … and by loop, element, and how many subscripts stand for all of their dimension meanwhile.
        self.judged: dict[tuple[int, ElementName, int], _Judgement] = {}

    def run(self) -> list[tuple[list[UpdateSite], For]]:
        """The updates of each reduction and the loop that holds its domain."""
        sites = list(self._sites(self.region.body, ()))
        updated = {site.symbol.name for site in sites}
        sites += [flag for flag in self.flags.values() if flag.symbol.name not in updated]
        for site in sites:
            for around in (s for s in site.around if isinstance(s, For)):
                self.inside.setdefault(id(around), ByElement()).add(element_of(site.update.target), site)
                self.sites_in.setdefault(id(around), []).append(site)
        done: set[int] = set()
        judged: list[JudgedUpdates] = []
        for site in sites:
            if id(site.stmt) in done:
                continue
            group, loop, reason = self._group(site)
            done |= {id(s.stmt) for s in group}
            by_order = loop is not None and bool(reason) and reason == self._ordered(group)
            judged.append(JudgedUpdates(group, loop, reason, by_order))
            if loop is not None and not reason:
                self.found.append((group, loop))
        for each in judged:
            self._tell(each, judged)
        return self.found

    def _tell(self, told: JudgedUpdates, judged: Seq[JudgedUpdates]) -> None:
        updates = [site.update for site in told.group]
        if told.reason and any(id(site.stmt) in self.flags for site in told.group):
            return  # nobody would take a constant for an update
        ways = Ways((), ())
        if told.by_order and told.loop is not None:
            ways = ways_to_reorder(
                updates, told.loop, self.unit, self.region.function,
                self._clauses(told, told.loop, judged), place_of_init(told.group, told.loop),
            )  # fmt: skip
        for update in updates:
            text, kind = spelled(update.target), update.kind.value
            self.candidates.append(Candidate(text, kind, told.reason, update.span, ways.helps, ways.fixes))

    def _clauses(self, told: JudgedUpdates, loop: For, judged: Seq[JudgedUpdates]) -> str:
        if id(loop) not in self.changed:
            self.changed[id(loop)] = changed_outside(loop)
        changed = self.changed[id(loop)]
        return "" if changed is None else clauses_for(told.group[0].symbol.name, loop, judged, changed)

    def _ordered(self, group: list[UpdateSite]) -> str:
        """Why the updates stay in their order, if another one would change floating results."""
        ordered = (site.update for site in group if site.update.span not in self.in_any_order)
        changed = next((update.reordered for update in ordered if update.reordered), "")
        return "" if self.associative or not changed else f"another order changes {changed} ({_ALLOWED_BY})"

    # ---- finding -----------------------------------------------------------------------------------

    def _sites(self, stmt: Stmt, around: tuple[Stmt, ...]) -> Iterator[UpdateSite]:
        """The plain updates inside loops, in text order."""
        if any(isinstance(s, For) for s in around):
            found = match_update(stmt, self.functions)
            if isinstance(found, NoUpdate):
                self.candidates.append(Candidate(spelled(found.target), "", found.reason, found.span))
            if isinstance(found, PlainUpdate):
                yield UpdateSite(stmt, found, around)
                return
            may_be_flag = found is None and (_is_conditional(around) or _is_placed_by_data(stmt, around))
            flag = match_flag(stmt) if may_be_flag else None
            if flag is not None:
                self.flags[id(stmt)] = UpdateSite(stmt, flag, around)
                return
        match stmt:
            case Block():
                for item in stmt.items:
                    yield from self._sites(item, (*around, stmt))
            case For():
                yield from self._sites(stmt.body, (*around, stmt))
            case If():
                yield from self._sites(stmt.then, (*around, stmt))
                if stmt.otherwise is not None:
                    yield from self._sites(stmt.otherwise, (*around, stmt))

    def _group(self, site: UpdateSite) -> tuple[list[UpdateSite], For | None, str]:
        """The updates that belong together with `site`, the loop that holds their domain, and why not, if not."""
        reason = READ_ON_THE_WAY
        for loop in (s for s in site.around if isinstance(s, For)):
            key = id(loop), element_of(site.update.target), len(self.whole)
            judgement = self.judged.get(key)
            if judgement is None:
                judgement = self.judged[key] = self._judge(loop, site)
            if judgement.goes_outside:
                reason = judgement.reason or reason
            elif judgement.group:
                return judgement.group, loop, judgement.reason
            else:
                return [site], None, judgement.reason
        return [site], None, reason

    def _judge(self, loop: For, site: UpdateSite) -> _Judgement:
        """What is to be said of the updates of the element of `site` in `loop`, the same for all of them."""
        element = element_of(site.update.target)
        group = [s for e, s in self.inside[id(loop)].meeting(element) if e.path == element.path]
        if not self._alone(loop, element, group):
            return _Judgement([], "", True)
        if refused := next((self.refused[s.update.span] for s in group if s.update.span in self.refused), ""):
            return _Judgement([], refused, False)
        if len({s.update.target.span in self.anywhere for s in group}) > 1:
            return _Judgement([], "one of its updates may be of any element, others are of known ones", True)
        if self._steps(group, loop):
            return _Judgement([], f"the loop over `{loop.iterator.spelling}` runs in order", True)
        kinds = {(s.update.kind, s.update.call) for s in group}
        if len(kinds) > 1:
            return _Judgement([], "several operators change it in one loop", False)
        if no_flag := self._no_flag(group, loop):
            return _Judgement([], no_flag, False)
        inits = self.inits(group, loop)
        if any(isinstance(i, str) for i in inits):
            return _Judgement([], next(i for i in inits if isinstance(i, str)), True)
        if not self._begins_as_truth(group[0], loop, [i for i in inits if not isinstance(i, str)]):
            return _Judgement([], "it may begin with another number than 0 or 1", False)
        if not any(self._reduces(s, loop) for s in group):
            return _Judgement([], _why_none(group[0]), False)
        return _Judgement(group, self._unwanted(group, loop), False)

    def _alone(self, loop: For, element: ElementName, group: list[UpdateSite]) -> bool:
        """Whether `group` are all accesses of the variable in the loop, and no jump leaves the loops around them."""
        inside = self._touched(loop)
        if element.variable in inside.declared:
            return False
        around = {id(a): a for s in group for a in s.inside(loop) if isinstance(a, For)}
        if any(self._is_left(each) for each in around.values()):
            return False
        return inside.count(element) == sum(self._touched(s.stmt).count(element) for s in group)

    def _steps(self, group: list[UpdateSite], loop: For) -> bool:
        """Whether each iteration of a loop that has to run in order updates elements that loops inside tell apart.

            for (s…) for (i…) { x[i] = f(x[i], s); if (x[i] > most[i]) most[i] = x[i]; }

        Each point `i` has its `most[i]`; over `s` nothing is shared out.
        """
        if id(loop) not in self.in_order:
            self.in_order[id(loop)] = runs_in_order(loop, self.sites_in[id(loop)], self.effects)
        if not self.in_order[id(loop)]:
            return False
        needed = set[str]().union(*(self._needed(site, loop) for site in group))
        return bool(needed) and loop.iterator.name not in needed

    def _no_flag(self, group: list[UpdateSite], loop: For) -> str:
        """Why updates that are constants are no flag."""
        if any(id(s.stmt) in self.flags and not self._is_decided_by_data(s, loop) for s in group):
            return "no data decide about it"
        is_set = group[0].update.kind is OperatorKind.SET
        if is_set and not all(same(s.update.element, group[0].update.element) for s in group):
            return "it is given several values"
        if any(id(s.stmt) in self.flags for s in group) and self._may_have_no_value(group[0].symbol.name, loop):
            return "it may have no value before"
        return ""

    def _may_have_no_value(self, name: str, loop: For) -> bool:
        """Whether a variable is killed, or is declared without a value and gets none outside of `loop` but as a flag.

        The reduction would read it, as the source does not.
        """
        return name in self.killed or (name in self.declared and not self._gets_value(self.region.body, name, loop))

    def _gets_value(self, stmt: Stmt, name: str, loop: For) -> bool:
        """Whether a statement of `stmt` outside of `loop`, which is no flag, writes a variable."""
        if stmt is loop or id(stmt) in self.flags:
            return False
        match stmt:
            case Block():
                return any(self._gets_value(item, name, loop) for item in stmt.items)
            case For() | While():
                return self._gets_value(stmt.body, name, loop)
            case If():
                branches = [each for each in (stmt.then, stmt.otherwise) if each is not None]
                return any(self._gets_value(each, name, loop) for each in branches)
        return name in self._touched(stmt).written

    def _is_decided_by_data(self, site: UpdateSite, loop: For) -> bool:
        """Whether a condition around `site` in `loop` reads elements, calls, or takes what changes in the loop.

        Or data say which element it is.
        """
        if _is_placed_by_data(site.stmt, site.around):
            return True
        touched = self._touched(loop)
        conditions = [around.condition for around in site.inside(loop) if isinstance(around, If)]
        return are_decided_by_data(conditions, touched.declared | touched.written)

    def _begins_as_truth(self, site: UpdateSite, loop: For, inits: list[Stmt]) -> bool:
        """Whether a variable that `&&` or `||` changes has nothing but 0 or 1 before: either makes a 1 of a 5."""
        ctype = site.update.target.type
        if site.update.kind not in (OperatorKind.AND, OperatorKind.OR) or (
            isinstance(ctype, Scalar) and ctype.kind == "bool"
        ):
            return True
        begun = (self.marker.constant_before(loop, init) for init in inits)
        return all(isinstance(each, IntLiteral) and each.value in (0, 1) for each in begun)

    def _is_left(self, loop: For) -> bool:
        """Whether a `break` or `continue` of this loop, not of one inside of it, may skip what it has in its body."""
        if id(loop) not in self.left:
            self.left[id(loop)] = has_own_jump(loop.body)
        return self.left[id(loop)]

    def _touched(self, node: Stmt) -> _TouchedElements:
        """What a statement of the region touches."""
        if id(node) not in self.touched:
            self.touched[id(node)] = _TouchedElements(node, self.effects)
        return self.touched[id(node)]

    def _unwanted(self, group: list[UpdateSite], loop: For) -> str:
        clause = any(c for s in group for a in s.around if isinstance(a, For) for c in a.reductions if is_listed(c, s))
        if clause:
            return ""
        if ordered := self._ordered(group):
            return ordered
        if all(self._few(s, loop) for s in group):
            return "its few points are left to one thread"
        return self._folded(group, loop)

    def _folded(self, group: list[UpdateSite], loop: For) -> str:
        """Why the updates of a local variable in `loop` stay in their order, if what comes of them is reduced again.

            for (i…) for (j…) { float d = 0; for (k…) d += f(x[i][k], c[j][k]); best = op(best, d); }

        Points `i` and `j` share what they read: they are done in tiles, in which each point has its loop (gpu/shapes).
        As a reduction of its own it would leave its values in memory, one for each pair of points.
        """
        target = group[0].update.target
        if len(group) != 1 or not isinstance(target, Name):
            return ""
        loops = [each for each in group[0].around if isinstance(each, For)]
        position = next(k for k, each in enumerate(loops) if each is loop)
        if position < 2 or not _is_nest(loops[position:]):
            return ""
        outer = loops[position - 1]
        kept = {each.iterator.name for each in loops[: position - 1]}
        is_box = not names_in(outer.lower, outer.bound) & kept
        folded = _folded_into(outer, loop, target.symbol.name, is_box)
        if folded is None or outer.iterator.name in names_in(folded):
            return ""
        between = group[0].around[group[0].around.index(outer) + 1 : group[0].around.index(loop)]
        if not all(map(_leaves_few_out, between)):
            return ""  # Pairs that are no box, or nearly one, have no tiles of that kind.
        reads = [names_in(node) for node in walk(loop.body) if isinstance(node, Index)]
        if not any(_shares(reads, each.iterator.name, outer.iterator.name) for each in loops[: position - 1]):
            return ""
        return f"what comes of it is reduced into `{spelled(folded)}`, in tiles"

    def _few(self, site: UpdateSite, loop: For) -> bool:
        """Whether little is reduced for each of many results."""
        needed = self._needed(site, loop)
        inside = [a for a in site.inside(loop) if isinstance(a, For)]
        points = 1
        for each in inside:
            if each.iterator.name in needed:
                continue
            trips = iterations(each)
            if trips is None:
                return False
            points *= trips
        if points > _FEW_POINTS:
            return False
        if any(each.iterator.name in needed for each in inside):
            return True
        return any(isinstance(a, For) and not any(a is each for each in inside) for a in site.around)

    # ---- the initialisation ------------------------------------------------------------------------

    def _needed(self, site: UpdateSite, loop: For) -> set[str]:
        """The iterators of the loops from `loop` inwards that the subscripts are made of."""
        lvalue = lvalue_of(site.update.target)
        assert lvalue is not None
        inner = {a.iterator.name for a in site.inside(loop) if isinstance(a, For)}
        plain = [s for s in lvalue.subscripts if not self._indirect(s, loop, inner)]
        return names_in(*plain) & inner

    def _indirect(self, subscript: Expr, loop: For, inner: set[str]) -> bool:
        """Whether a subscript depends on more than loop counters and what does not change in `loop`.

        So does one that folds a counter (`i % 4`): equal values come back, as they do from memory.
        """
        if id(subscript) in self.whole:
            return True
        for node in walk(subscript):
            if isinstance(node, Index | Call):
                return True
            folds = isinstance(node, Ternary) or (isinstance(node, Binary) and node.op in _FOLDING)
            if folds and names_in(node) & inner:
                return True
        inside = self._touched(loop)
        return any(name in inside.declared or name in inside.written for name in names_in(subscript) - inner)

    def _reduces(self, site: UpdateSite, loop: For) -> bool:
        """Whether an element may be updated more than once in `loop`."""
        lvalue = lvalue_of(site.update.target)
        assert lvalue is not None
        loops = {a.iterator.name for a in site.inside(loop) if isinstance(a, For)}
        if any(self._indirect(s, loop, loops) for s in lvalue.subscripts):
            return True
        return bool(loops - self._needed(site, loop))

    def inits(self, group: list[UpdateSite], loop: For) -> list[Stmt | str]:
        """The statements that initialise all elements updated by `group` in `loop`, or reasons where there is none."""
        different = _different([subscripts_in(site.update.target) for site in group])
        if any(site.update.span in self.overlapping for site in group):
            self.whole |= different
            return [self.init(group[0], loop)]
        # What each of many points reaches: `for (x = first[s]; x <= last[s]; x++) g[x] += e;`.
        reached = self._of_data(group, loop)
        if reached and (together := self._together(group, loop, different | reached)) is not None:
            return [together]
        found = [self.init(site, loop) for site in group]
        if not different or not any(isinstance(init, str) for init in found):
            return found
        # The two ends of each pair: `f[i] += e; f[j] -= e;` below `for (j = i + 1; …)`.
        ends = self._together(group, loop, different)
        return found if ends is None else [ends]

    def _together(self, group: list[UpdateSite], loop: For, whole: set[int]) -> Stmt | None:
        """What initialises all elements of the dimensions that the subscripts in `whole`, by id, stand for."""
        before = set(self.whole)
        self.whole |= whole
        made = self.init(group[0], loop)
        if isinstance(made, str):
            self.whole = before
            return None
        return made

    def _of_data(self, group: list[UpdateSite], loop: For) -> set[int]:
        """The subscripts, by id, with the counter of a loop whose bounds data say anew for each iteration around it."""
        found: set[int] = set()
        inside = self._touched(loop)
        for site in group:
            if loop.independent and not any(is_listed(clause, site) for clause in loop.reductions):
                continue  # No two iterations reach one element.
            loops = [each for each in site.inside(loop) if isinstance(each, For) and each is not loop]
            inner = {each.iterator.name for each in (loop, *loops)}
            by_data: set[str] = set()
            for each in loops:
                names = names_in(*_bounds(each))
                reads = [names_in(node) for bound in _bounds(each) for node in walk(bound) if isinstance(node, Index)]
                changes = any(name in inside.declared or name in inside.written for name in names - inner)
                if changes or any(read & inner for read in reads):
                    by_data.add(each.iterator.name)
            found |= {id(s) for s in subscripts_in(site.update.target) if names_in(s) & by_data}
        return found

    def init(self, site: UpdateSite, loop: For) -> Stmt | str:
        """The statement that initialises all elements updated by `site` in `loop`; a reason if there is none."""
        target, needed = site.update.target, self._needed(site, loop)
        inner = {a.iterator.name for a in site.inside(loop) if isinstance(a, For)}
        for subscript in subscripts_in(target):
            counters = [n for n in walk(subscript) if isinstance(n, Name) and n.symbol.name in inner]
            if len(counters) > 1 and not self._indirect(subscript, loop, inner):
                return "several iterations of the loops around it have one element (`a[i + j]`)"
        wraps: list[For | If] = []
        is_whole = False  # elements are initialised that a condition may leave out: they keep their value
        for around in site.inside(loop):
            uses = names_in(*_bounds(around)) & inner
            if isinstance(around, For) and around.iterator.name in needed:
                if not uses <= needed:
                    return "the bounds of its elements change with the loop that reduces"
                wraps.append(around)
            elif isinstance(around, If) and uses & needed:
                condition = around.condition
                if not uses <= needed or any(isinstance(n, Index | Call) for n in walk(condition)) or around.otherwise:
                    is_whole = True
                else:
                    wraps.append(around)
        return self._wrapped(target, wraps, loop, inner, is_whole)

    def _wrapped(self, target: Expr, wraps: list[For | If], loop: For, inner: set[str], is_whole: bool) -> Stmt | str:
        """Copies of the loops and conditions `wraps`, and loops over whole dimensions for indirect subscripts.

        With `is_whole` there is another condition, which may be what keeps subscripts inside of the array.
        """
        values: dict[str, Expr] = {}
        copies: list[For | If] = []
        for wrap in wraps:
            if isinstance(wrap, For):
                symbol = self._fresh(wrap.iterator, id(wrap))
                lower, bound = substitute(wrap.lower, values), substitute(wrap.bound, values)
                values[wrap.iterator.name] = Name(symbol, symbol.type, wrap.span)
                copies.append(replace(wrap, iterator=symbol, lower=lower, bound=bound, declares=True, independent=False,
                                      reductions=()))  # fmt: skip
            else:
                copies.append(replace(wrap, condition=substitute(wrap.condition, values)))
        result = self._whole(target, loop, inner, copies)
        if isinstance(result, str):
            return result
        variable = substitute(result, values)
        stmt: Stmt = ReductionInit(variable, KEEP, target.span, True)
        if is_whole:
            inside = is_inside(variable)
            if isinstance(inside, str):
                return inside
            stmt = replace(inside, then=stmt)
        for copy in reversed(copies):
            stmt = replace(copy, body=stmt) if isinstance(copy, For) else replace(copy, then=stmt)
        return stmt

    def _whole(self, target: Expr, loop: For, inner: set[str], copies: list[For | If]) -> Expr | str:
        """`target` with counters over whole dimensions for its indirect subscripts; their loops go into `copies`."""
        if isinstance(target, MemberOf):
            base = self._whole(target.base, loop, inner, copies)
            return base if isinstance(base, str) else replace(target, base=base)
        if not isinstance(target, Index):
            return target
        base = self._whole(target.base, loop, inner, copies)
        if isinstance(base, str) or not self._indirect(target.index, loop, inner):
            return base if isinstance(base, str) else replace(target, base=base)
        extent = target.base.type.extent if isinstance(target.base.type, ArrayType) else None
        if extent is None:
            return "the extent of its array is not known"
        like = Symbol("bin", "bin", INT, "iterator", target.span)
        symbol = self._fresh(like, id(loop) + len(copies))
        zero, counter = IntLiteral(0, INT, target.span), Name(symbol, INT, target.span)
        copies.append(For(symbol, zero, "<", extent, 1, Block((), target.span), True, False, target.span))
        return replace(target, base=base, index=counter)

    def _fresh(self, like: Symbol, key: int) -> Symbol:
        """A counter like `like`, the same one for the same key, so that equal initialisations are equal trees."""
        if key not in self.counters:
            name = like.name
            while name in self.names:
                name = f"{name}_0"
            self.names.add(name)
            self.counters[key] = replace(like, name=name, kind="iterator")
        return self.counters[key]


# ---- small questions -----------------------------------------------------------------------------------


def _is_conditional(around: Seq[Stmt]) -> bool:
    """Whether a condition stands between the innermost loop and what stands in it."""
    innermost = next((each for each in reversed(around) if isinstance(each, For | If)), None)
    return isinstance(innermost, If)


def _is_placed_by_data(stmt: Stmt, around: Seq[Stmt]) -> bool:
    """Whether data say which element a statement sets, and no loop around says that it is another one each time."""
    loops = [each for each in around if isinstance(each, For)]
    if not isinstance(stmt, Assign) or any(each.independent for each in loops):
        return False
    subscripts = subscripts_in(stmt.target)
    names = names_in(*subscripts)
    values = (node.init for node in walk(loops[0]) if isinstance(node, Declare) and node.symbol.name in names)
    chosen = (*subscripts, *(value for value in values if value is not None))
    return any(isinstance(node, Index) for each in chosen for node in walk(each))


def _is_nest(loops: Seq[For]) -> bool:
    """Whether loops hold nothing but each other, outermost first."""
    return all(
        len(as_block(around.body).items) == 1 and as_block(around.body).items[0] is loop
        for around, loop in pairwise(loops)
    )


def _leaves_few_out(around: Stmt) -> bool:
    """Whether a statement around a loop is no condition, or one that data decide, or one of two places: `c != i`."""
    if not isinstance(around, If):
        return True
    asked = around.condition
    if any(isinstance(each, Index) for each in walk(asked)):
        return True
    while isinstance(asked, Cast):
        asked = asked.operand
    if isinstance(asked, Unary) and asked.op == "!":
        asked = asked.operand
        return isinstance(asked, Binary) and asked.op == "=="
    return isinstance(asked, Binary) and asked.op == "!="


def _behind(body: Stmt, loop: For) -> tuple[Stmt, ...] | None:
    """What follows `loop` in the block that holds it, in `body` or under its conditions; None if it is not there."""
    items = as_block(body).items
    for position, item in enumerate(items):
        if item is loop:
            return items[position + 1 :]
        if isinstance(item, If | Block):
            for inside in (item.then, item.otherwise) if isinstance(item, If) else (item,):
                found = None if inside is None else _behind(inside, loop)
                if found is not None:
                    return found
    return None


def _folded_into(outer: For, loop: For, variable: str, by_conditions: bool) -> Expr | None:
    """What is updated by the value of a variable behind `loop`, which is in the body of `outer`; None if nothing is.

    `by_conditions`: under a condition on the value, too.
    """
    behind = _behind(outer.body, loop)
    if behind is None:
        return None
    values = {variable}
    for item in behind:
        for node in walk(item):
            match node:
                case If(condition=asked) if by_conditions and names_in(asked) & values:
                    # `if (d < best) best = d;`, `if (d < radius) near++;`
                    for inside in (each for each in walk(node) if isinstance(each, Assign)):
                        changed = root(inside.target)
                        own = mentions(inside.value, inside.target) or mentions(asked, inside.target)
                        if own and changed is not None and changed.symbol.name not in values:
                            return inside.target
                case ReductionUpdate(variable=folded, element=element) if names_in(element) & values:
                    return folded
                case Declare(symbol=symbol, init=value) if value is not None and names_in(value) & values:
                    values.add(symbol.name)
                case Assign(target=target, value=value) if names_in(value) & values:
                    variable_set = root(target)
                    if mentions(value, target) and variable_set is not None and variable_set.symbol.name not in values:
                        return target
                    if isinstance(target, Name):
                        values.add(target.symbol.name)
    return None


def _shares(reads: list[set[str]], one: str, other: str) -> bool:
    """Whether one read moves with one iterator, another one with the other, and none with both."""
    moving = {(one in names, other in names) for names in reads}
    return {(True, False), (False, True)} <= moving and (True, True) not in moving


def _why_none(site: UpdateSite) -> str:
    """Why an update is no reduction where the counters of all loops are in its subscripts."""
    lvalue = lvalue_of(site.update.target)
    assert lvalue is not None
    counters = {each.iterator.name for each in site.around if isinstance(each, For)}
    if any(len(names_in(subscript) & counters) > 1 for subscript in lvalue.subscripts):
        return "no loop leaves its counter out of the subscripts"  # `out[2 * x + s]` may be updated again
    return "each of its elements is updated once"


def _different(lists: list[tuple[Expr, ...]]) -> set[int]:
    """The subscripts, by id, of dimensions in which not all lists have the same one."""
    return {
        id(subscript)
        for dimension in zip(*lists, strict=True)
        if not all(same(subscript, dimension[0]) for subscript in dimension)
        for subscript in dimension
    }


def _bounds(around: Stmt) -> tuple[Expr, ...]:
    match around:
        case For():
            return (around.lower, around.bound)
        case If():
            return (around.condition,)
    return ()
