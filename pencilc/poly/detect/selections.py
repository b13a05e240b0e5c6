"""The least or the greatest of many with what belongs to it, as plain C chooses it: a reduction of structs.

    best = INFINITY; where = 0;             Chosen found; __pencil_reduction_var_init(&found, none);
    for (j…)                                for (j…)
        if (e < best) {                         __pencil_reduction(&found, one(e, j), lesser);
            best = e; where = j;            where = found.value < INFINITY ? found.at : 0;
        }                                   best = found.value < INFINITY ? found.value : INFINITY;

A struct has the value that is compared, what else is set, and the counters of the loops, which are where the element
stands: of equal values the loop takes the first one (`<`) or the last one (`<=`), and so does the operator.  So the
result is that of the loop, bit by bit, in whatever order and grouping.  An element that is not a number is never taken;
it becomes what the reduction begins with, which loses against each element.

Where nothing is compared, all elements are equal: `if (c) last = j;` keeps the last one that the condition lets, and
`if (first < 0 && c) first = j;` the first one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Set
from collections.abc import Sequence as Seq
from dataclasses import replace
from itertools import combinations

from pencilc.ir.queries import (
    counters_in,
    declared_in,
    is_given_elements,
    names_in,
    names_of_file,
    names_of_region,
    root,
    same,
    subscripts_in,
)
from pencilc.ir.rewrite import as_block, fresh_name, replaced, written_names
from pencilc.ir.scop import Candidate, OperatorKind
from pencilc.ir.source import (
    INT,
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    CType,
    Declare,
    Dereference,
    Expr,
    For,
    Function,
    If,
    Index,
    Initializer,
    IntLiteral,
    Jump,
    Member,
    MemberOf,
    Name,
    Node,
    ReductionInit,
    ReductionUpdate,
    Region,
    Return,
    Scalar,
    Stmt,
    Struct,
    Symbol,
    Ternary,
    TranslationUnit,
    Unary,
    While,
    children,
    is_floating,
    walk,
)
from pencilc.ir.source_printer import spelled
from pencilc.poly.detect.chosen_functions import ChosenFunctions
from pencilc.poly.detect.marking import is_literal
from pencilc.poly.detect.sites import are_decided_by_data
from pencilc.poly.model.affine import keeps_values, type_range
from pencilc.poly.model.evaluate import GiveUp, Interpreter
from pencilc.poly.model.flat_terms import iterations
from pencilc.poly.model.short_loops import STEPS
from pencilc.poly.reductions.operators import unconverted
from pencilc.poly.reductions.updates import (
    TURNED,
    TakenElement,
    alternatives,
    compared,
    guarded,
    mentions,
    number_of,
)
from pencilc.records import dataclass

# As many points as these, below other loops, are left to the thread that has them.
_FEW_POINTS = 256


@dataclass(frozen=True, slots=True)
class Selection:
    """An `if`, or `x = c ? e : x;`, that takes an element: what it compares, what it sets, and in which loops.

    `compared`: None where each element is taken that `guard` lets; of these the last one stays, or the first one where
    `unset`, a comparison with one of the targets, holds until one has been taken.  With both, that one is taken
    whatever it is.  `others` are pairs of a target and its value; `beside` stays in the `if`.
    `loops`: outermost first.
    """

    stmt: If | Assign
    compared: TakenElement | None
    others: tuple[tuple[Expr, Expr], ...]
    guard: Expr | None
    unset: Expr | None
    beside: tuple[Stmt, ...] = ()
    loops: tuple[For, ...] = ()

    @property
    def targets(self) -> tuple[Expr, ...]:
        """All that is set, the value that is compared first."""
        others = tuple(target for target, _ in self.others)
        return others if self.compared is None else (self.compared.target, *others)

    @property
    def element(self) -> Expr:
        """What is compared, in the type of what it is compared with; 1 for all where the source compares nothing."""
        return IntLiteral(1, INT, self.stmt.span) if self.compared is None else self.compared.element

    @property
    def takes_first(self) -> bool:
        """Whether the first element is taken without a comparison."""
        return self.compared is not None and self.unset is not None

    @property
    def is_smallest(self) -> bool:
        """Whether the smallest element is taken, or else the greatest."""
        return self.compared is not None and self.compared.kind is OperatorKind.MIN

    @property
    def is_strict(self) -> bool:
        """Whether of equal elements the first one is taken, or else the last one."""
        return self.unset is not None if self.compared is None else self.compared.is_strict


@dataclass(frozen=True, slots=True)
class Selected:
    """A region whose selections are reductions, with the types and functions that this needs, and what was found."""

    region: Region
    structs: tuple[Struct, ...] = ()
    functions: tuple[Function, ...] = ()
    candidates: tuple[Candidate, ...] = ()


def with_selections(unit: TranslationUnit, region: Region, associative: bool = False) -> Selected:
    """`region` with its selections as reductions; the region itself where it has none.

    `associative`: elements that are not numbers do not matter.  Where the first element is taken whatever it is, one
    that is no number would stay.
    """
    rewriting = _Rewriting(unit, region, associative)
    body = rewriting.stmt(region.body)
    if not rewriting.candidates:
        return Selected(region)
    assert isinstance(body, Block)
    return Selected(
        replace(region, body=body), tuple(rewriting.structs.values()), tuple(rewriting.functions.values()),
        tuple(rewriting.candidates),
    )  # fmt: skip


# ---- what is a selection ---------------------------------------------------------------------------------


def _selections(region: Region, associative: bool) -> Iterator[Selection]:
    """Those of a region, each with the outermost loops in which nothing else touches what it sets."""
    for stmt, around in _choices(region.body, ()):
        found = _matched(stmt, next(each for each in reversed(around) if isinstance(each, For)))
        if found is not None and found.takes_first and is_floating(found.element.type) and not associative:
            continue
        loops = _loops(found, around) if found is not None else ()
        if found is not None and loops:
            yield replace(found, loops=loops)


def _choices(stmt: Stmt, around: tuple[Stmt, ...]) -> Iterator[tuple[If | Assign, tuple[Stmt, ...]]]:
    """The statements inside of loops that choose, with what stands around each, outermost first."""
    inside = (*around, stmt)
    is_in_loop = any(isinstance(each, For) for each in around)
    match stmt:
        case Block():
            for item in stmt.items:
                yield from _choices(item, inside)
        case For():
            yield from _choices(stmt.body, inside)
        case If():
            if is_in_loop:
                yield stmt, around
            for branch in (stmt.then, stmt.otherwise):
                if branch is not None:
                    yield from _choices(branch, inside)
        case Assign(value=Ternary()) if is_in_loop:
            yield stmt, around


def _matched(stmt: If | Assign, loop: For) -> Selection | None:
    """The selection that a statement is, in `loop` and others around it."""
    test = stmt if isinstance(stmt, If) else _as_if(stmt)
    assigned = _assigned(test.then) if test is not None and test.otherwise is None else []
    if test is None or not assigned:
        return None
    found = _compared(test, assigned) or _uncompared(test, assigned, loop)
    if found is None:
        return None
    found = replace(found, stmt=stmt)
    if any(root(each) is None for each in found.targets) or not _has_types(found):
        return None
    if any(mentions(one, other) for one, other in combinations(found.targets, 2)):
        return None
    used: list[Node] = [found.element, *(value for _, value in found.others), *found.beside]
    used += [subscript for target in found.targets for subscript in subscripts_in(target)]
    if found.guard is not None:
        used.append(found.guard)
    if any(mentions(each, target) for each in used for target in found.targets):
        return None
    return found


def _as_if(stmt: Assign) -> If | None:
    """`x = c ? e : x;` as `if (c) x = e;`."""
    value = stmt.value
    if not isinstance(value, Ternary) or not same(unconverted(value.otherwise, None), stmt.target):
        return None
    taken = Assign(stmt.target, _converted(value.then, stmt.target.type), stmt.span)
    return If(value.condition, taken, None, stmt.span)


def _assigned(stmt: Stmt) -> list[Assign]:
    """What a statement sets, structs by their members, without variables of its own; none where it does more.

    { Hit h = {i, a[i]}; best = h; }        best.at = i; best.value = a[i];
    """
    own: dict[str, Expr] = {}
    found: list[Assign] = []
    for item in as_block(stmt).items:
        if isinstance(item, Declare) and item.init is not None:
            own[item.symbol.name] = _with_own(item.init, own)
        elif isinstance(item, Assign):
            found += _by_members(replace(item, value=_with_own(item.value, own)))
        else:
            return []
    # What changes one of its own variables, or takes a part of one, is no plain value.
    return [] if names_in(*found) & own.keys() else found


def _with_own(value: Expr, own: Mapping[str, Expr]) -> Expr:
    """A value with what stands in variables: of structs only where they are taken whole."""
    if isinstance(value, Name):
        return own.get(value.symbol.name, value)
    scalars = {name: each for name, each in own.items() if not isinstance(each, Initializer)}
    there: Expr = replaced(value, lambda node: scalars.get(node.symbol.name) if isinstance(node, Name) else None)
    return there


def _by_members(stmt: Assign) -> list[Assign]:
    """An assignment of a struct that is written down as assignments of its members."""
    if not isinstance(stmt.value, Initializer) or not isinstance(stmt.value.type, Struct):
        return [stmt]
    found = []
    for member, value in zip(stmt.value.type.members, stmt.value.values, strict=True):
        found += _by_members(Assign(MemberOf(stmt.target, member.name, member.type, stmt.span), value, stmt.span))
    return found


def _compared(stmt: If, assigned: Seq[Assign]) -> Selection | None:
    """The selection where one of what is set is compared with its new value, and there is more that is set.

    `if (at < 0 || x[i] > best) { best = x[i]; at = i; }` takes the first element, whatever it is.
    """
    taken = []
    for item in assigned:
        test, guard = guarded(stmt.condition, item.target)
        for each, unset in alternatives(test):
            found = compared(each, item)
            if found is not None and (unset is None or not mentions(unset, item.target)):
                taken.append((item, found, guard, unset))
    if len(taken) != 1 or len(assigned) < 2 or any(each.compound for each in assigned):
        return None
    ((chosen, found, guard, unset),) = taken
    others = tuple((each.target, each.value) for each in assigned if each is not chosen)
    return Selection(stmt, found, others, guard, unset)


def _uncompared(stmt: If, assigned: Seq[Assign], loop: For) -> Selection | None:
    """The selection where the condition alone decides, but for whether it is the first time that it holds.

    What the `if` does besides stays in it: elements of each iteration, and updates.
    """
    changing = {loop.iterator.name} | _changing(loop)
    chosen = [each for each in assigned if not each.compound and not names_in(*subscripts_in(each.target)) & changing]
    beside: tuple[Stmt, ...] = ()
    if len(chosen) < len(assigned):
        places = {each.span for each in chosen}
        beside = tuple(item for item in as_block(stmt.then).items if item.span not in places)
    others = tuple((each.target, each.value) for each in chosen)
    asked = [target for target, _ in others if mentions(stmt.condition, target)]
    if not others or names_in(*(value for _, value in others)) & written_names(Block(beside, stmt.span)):
        return None
    if not asked:
        return Selection(stmt, None, others, stmt.condition, None, beside)
    unset, guard = guarded(stmt.condition, asked[0])
    return Selection(stmt, None, others, guard, unset) if len(asked) == 1 and not beside else None


def _has_types(selection: Selection) -> bool:
    """Whether the value is a number of C, and what else is set is one too."""
    value = selection.element.type
    if not isinstance(value, Scalar) or value.kind not in ("int", "uint", "float") or value.size < INT.size:
        return False
    return all(isinstance(target.type, Scalar) for target in selection.targets)


def _costs_nothing(value: Expr) -> bool:
    """Whether a value may be computed although the source does not: it reads no memory, calls and divides nothing."""
    for node in walk(value):
        if isinstance(node, Index | Call | Dereference):
            return False
        if isinstance(node, Binary) and node.op in ("/", "%", "<<", ">>"):
            return False
    return True


def _loops(selection: Selection, around: tuple[Stmt, ...]) -> tuple[For, ...]:
    """The loops in which the selection chooses, outermost first; none where there are none that it could."""
    inside: list[For] = []
    chosen: tuple[For, ...] = ()
    for stmt in reversed(around):
        if isinstance(stmt, While):
            break
        if not isinstance(stmt, For):
            continue
        inside.insert(0, stmt)
        if not _is_alone(selection, stmt, inside) or not _has_place(selection, stmt):
            break
        if not all(_is_member(target, value) or _stays(value, inside) for target, value in selection.others):
            break
        chosen = tuple(inside)
    loops = [each for each in around if isinstance(each, For)]
    if not chosen or _is_left_to_thread(chosen, loops):
        return ()
    if selection.takes_first and not _is_set_for_good(selection, loops):
        return ()
    if selection.compared is None:
        place = next(k for k, each in enumerate(around) if each is chosen[0])
        inside_of = [each.condition for each in around[place:] if isinstance(each, If)]
        conditions = [*inside_of, *((selection.guard,) if selection.guard is not None else ())]
        if not _is_worthwhile(selection, chosen, conditions, loops):
            return ()
    return chosen


def _is_alone(selection: Selection, loop: For, inside: Seq[For]) -> bool:
    """Whether nothing else in the loop touches what is set, and which variables these are does not change in it."""
    if any(isinstance(node, Jump | Return) for node in walk(loop)):
        return False
    names = {_variable(each).symbol.name for each in selection.targets}
    if names & declared_in(loop):
        return False
    touching = [
        sum(any(mentions(each, target) for target in selection.targets) for each in _accesses(stmt, names))
        for stmt in (loop, selection.stmt)
    ]
    if touching[0] != touching[1]:
        return False
    subscripts = {name for each in selection.targets for part in subscripts_in(each) for name in names_in(part)}
    return not subscripts & ({each.iterator.name for each in inside} | _changing(loop))


def _accesses(node: Node, names: Set[str]) -> Iterator[Expr]:
    """The accesses of variables called `names` in a node, each with its members and subscripts."""
    variable = root(node) if isinstance(node, Name | Index | MemberOf) else None
    if variable is not None and isinstance(node, Name | Index | MemberOf):
        if variable.symbol.name in names:
            yield node
        for subscript in subscripts_in(node):
            yield from _accesses(subscript, names)
        return
    for child in children(node):
        yield from _accesses(child, names)


def _is_member(target: Expr, value: Expr) -> bool:
    """Whether a value may go with the element that it belongs to: it is a number that costs nothing."""
    return isinstance(target.type, Scalar) and target.type.size >= INT.size and _costs_nothing(value)


def _stays(value: Expr, loops: Seq[For]) -> bool:
    """Whether a value is the same behind the loops (outermost first), if their counters are: it is computed there."""
    if any(is_given_elements(node) for node in walk(value)):
        return False
    counters = {each.iterator.name for each in loops}
    return not names_in(value) & (_changing(loops[0]) - counters)


def _is_worthwhile(selection: Selection, loops: Seq[For], conditions: Seq[Expr], around: Seq[For]) -> bool:
    """Whether data decide which element stays, and it matters which one, where nothing is compared.

    `conditions`: all of those in the loops that it stands behind, but for whether it is the first time.
    """
    counters = {name for loop in loops for name in counters_in(loop)}
    changing = counters | _changing(loops[0])
    decides = are_decided_by_data(conditions, changing - counters)
    if selection.unset is not None:
        return decides and _is_set_for_good(selection, around)
    return decides and any(names_in(value) & changing for _, value in selection.others)


def _is_set_for_good(selection: Selection, around: Seq[For]) -> bool:
    """Whether `unset` does not hold any more once its variable is set."""
    test = selection.unset
    for target, value in selection.others:
        if test is None or not mentions(test, target):
            continue
        low, high = _range(unconverted(value, None), target.type, around)
        if isinstance(test, Unary) and test.op == "!" and same(unconverted(test.operand, None), target):
            return low > 0 or high < 0
        if not isinstance(test, Binary) or test.op not in TURNED:
            return False
        op, left, right = test.op, test.left, test.right
        if same(unconverted(right, None), target):
            op, left, right = TURNED[op], right, left
        bound = number_of(unconverted(right, None))
        if not same(unconverted(left, None), target) or bound is None or not _holds(left.type, target.type, bound):
            return False
        excluded = {
            "<": low >= bound, "<=": low > bound, ">": high <= bound, ">=": high < bound,
            "==": low > bound or high < bound,
        }  # fmt: skip
        return excluded.get(op, False)
    return False


def _holds(compared: CType, kind: CType, bound: float) -> bool:
    """Whether a comparison in the type `compared` has a variable of type `kind` and a constant as they are."""
    if not isinstance(compared, Scalar) or not compared.is_integer or not keeps_values(kind, compared):
        return False
    low, high = type_range(compared)
    return low <= bound <= high


def _range(value: Expr, kind: CType, around: Seq[For]) -> tuple[float, float]:
    """The least and the greatest that a constant or the counter of a loop is in a variable of type `kind`."""
    constant = number_of(value)
    if constant is not None and isinstance(kind, Scalar) and kind.is_integer:
        low, high = type_range(kind)
        if isinstance(constant, int) and low <= constant <= high:
            return constant, constant
    if isinstance(value, Name) and keeps_values(value.type, kind):
        for loop in around:
            if loop.iterator.name == value.symbol.name and loop.step > 0:
                least = number_of(loop.lower)
                return least if least is not None else -math.inf, math.inf
    return -math.inf, math.inf


def _has_place(selection: Selection, loop: For) -> bool:
    """Whether no counter of the loop has the value that stands for no element."""
    kind = loop.iterator.type
    if not isinstance(kind, Scalar) or kind.kind not in ("int", "uint") or kind.size < INT.size:
        return False
    if selection.compared is None:
        return True  # none has 1 for a value
    if selection.is_strict:
        # A loop upwards ends before the largest value, one downwards before the least.
        return loop.step > 0 or kind.kind == "int"
    return loop.step > 0 and kind.kind == "int" and isinstance(loop.lower, IntLiteral)


def _is_left_to_thread(loops: Seq[For], around: Seq[For]) -> bool:
    """Whether little is chosen from for each of many results, of which none shares what it reads with others."""
    points = 1
    for loop in loops:
        trips = iterations(loop)
        if trips is None:
            return False
        points *= trips
    has_inner = any(isinstance(node, For) for node in walk(loops[-1].body))
    return points <= _FEW_POINTS and len(around) > len(loops) and not has_inner


def _changing(loop: For) -> set[str]:
    """The variables that a loop declares or may change, those that it hands to calls too."""
    calls = (node for node in walk(loop) if isinstance(node, Call))
    given = (each for call in calls for each in call.arguments if not isinstance(each.type, Scalar))
    return declared_in(loop) | written_names(loop) | names_in(*given)


def _variable(target: Expr) -> Name:
    variable = root(target)
    assert variable is not None
    return variable


# ---- the tree --------------------------------------------------------------------------------------------


class _Rewriting:
    """Rewrites the selections of a region, with the types and functions that are made for them, by name."""

    def __init__(self, unit: TranslationUnit, region: Region, associative: bool) -> None:
        self.structs: dict[str, Struct] = {}
        self.functions: dict[str, Function] = {}
        self.candidates: list[Candidate] = []
        self._unit = unit
        self._known = {each.name: each for each in unit.structs}
        self._defined = {each.name: each for each in unit.functions}
        self._names = names_of_file(unit) | names_of_region(region)
        self._loops: dict[int, list[Selection]] = {}  # by the id of their outermost loop
        for each in _selections(region, associative):
            self._loops.setdefault(id(each.loops[0]), []).append(each)
        self._updates: dict[int, Stmt] = {}  # by the id of the `if` that each stands for

    def stmt(self, stmt: Stmt) -> Stmt:
        """A statement with its selections as reductions."""
        if id(stmt) in self._updates:
            return self._updates[id(stmt)]
        match stmt:
            case Block():
                return replace(stmt, items=self._items(stmt.items))
            case For():
                if id(stmt) in self._loops:
                    return Block(self._reduced(self._loops.pop(id(stmt)), ()), stmt.span)
                return replace(stmt, body=self.stmt(stmt.body))
            case If():
                otherwise = self.stmt(stmt.otherwise) if stmt.otherwise is not None else None
                return replace(stmt, then=self.stmt(stmt.then), otherwise=otherwise)
        return stmt

    def _items(self, items: Seq[Stmt]) -> tuple[Stmt, ...]:
        """The items of a block; what gives the variables of a selection a constant goes behind its loop."""
        found: list[Stmt] = []
        for item in items:
            selections = self._loops.pop(id(item), None)
            if selections is None:
                found.append(self.stmt(item))
                continue
            found, moved = _without_constants(found, selections)
            found += self._reduced(selections, moved)
        return tuple(found)

    def _reduced(self, selections: Seq[Selection], moved: Seq[Assign]) -> tuple[Stmt, ...]:
        """The loop that reduces, behind its initialisations, and what takes its results, or what was `moved`."""
        loop = selections[0].loops[0]
        begun: list[Stmt] = []
        taken: list[Stmt] = []
        for selection in selections:
            begin, take = self._marked(selection, moved)
            begun += begin
            taken += take
        return (*begun, replace(loop, body=self.stmt(loop.body)), *taken)

    def _marked(self, selection: Selection, moved: Seq[Assign]) -> tuple[tuple[Stmt, ...], tuple[Stmt, ...]]:
        """What begins the reduction that a selection becomes, and what takes its result; its `if` becomes an update.

        `moved`: the constants that its variables have before.
        """
        stmt, span = selection.stmt, selection.stmt.span
        struct, members = self._struct(selection)
        stem = f"{_variable(selection.targets[0]).symbol.spelling}_found"
        symbol = Symbol(fresh_name(stem, self._names), stem, struct, "local", span)
        found = Name(symbol, struct, span)
        functions = ChosenFunctions(struct, selection.is_smallest, selection.is_strict, selection.loops, span)
        init = self._function(f"none_of_{struct.name}", functions.none())
        one = self._function(f"one_of_{struct.name}", functions.one())
        operator = self._function(f"chosen_of_{struct.name}", functions.chosen())
        following = functions.following(operator, one)
        if following is not None:
            self._function(f"next_of_{struct.name}", following)
        values = [selection.element, *(Name(each.iterator, each.iterator.type, span) for each in selection.loops)]
        takes = []
        if selection.compared is not None:
            target = selection.compared.target
            takes.append(Assign(target, MemberOf(found, "value", target.type, span), span))
        for (target, value), name in zip(selection.others, members, strict=True):
            if name:
                values.append(_converted(value, target.type))
                given: Expr = MemberOf(found, name, target.type, span)
            else:
                given = _at_place(value, selection, found)
            takes.append(Assign(target, _converted(given, target.type), span))
        update: Stmt = ReductionUpdate(found, Call(one, tuple(values), struct, span), operator, span)
        if selection.guard is not None:
            update = If(selection.guard, Block((update, *selection.beside), span), None, span)
        self._updates[id(stmt)] = update
        compared = selection.compared
        told = _word(selection) if compared is None else compared.kind.value
        self.candidates.append(Candidate(spelled(selection.targets[0]), told, "", span))
        before = [next((s for s in reversed(moved) if same(s.target, each)), None) for each in selection.targets]
        known = [each.value for each in before if each is not None]
        is_known = len(known) == len(before) and selection.unset is None
        if selection.takes_first:
            better = self._is_better_or_first(selection, found, functions, before)
        else:
            better = self._is_better(selection, found, functions, known[0] if is_known else None)
        begin = (Declare(symbol, None, span), ReductionInit(found, init, span, True))
        if not is_known:
            return begin, (*(s for s in before if s is not None), If(better, Block(tuple(takes), span), None, span))
        results = []
        for take, value in zip(takes, known, strict=True):
            # C++ has a choice between two types in a third one.
            chosen = replace(take.value, implicit=False) if isinstance(take.value, Cast) else take.value
            results.append(replace(take, value=Ternary(better, chosen, value, take.target.type, span)))
        return begin, tuple(results)

    def _is_better(self, selection: Selection, found: Name, functions: ChosenFunctions, known: Expr | None) -> Expr:
        """Whether what was found takes the place of what was there before, whose value is `known` where it is."""
        span = found.span
        value = MemberOf(found, "value", selection.element.type, span)
        if selection.compared is None:
            any_found = Binary(">", value, IntLiteral(0, INT, span), INT, span)
            return any_found if selection.unset is None else Binary("&&", selection.unset, any_found, INT, span)
        start = selection.compared.target if known is None else known
        better = Binary(selection.compared.comparison, value, start, INT, span)
        if selection.is_strict:
            return better
        # What the reduction begins with may be as good as the value that was there.
        return Binary("&&", _is_any(selection, found, functions), better, INT, span)

    def _is_better_or_first(
        self, selection: Selection, found: Name, functions: ChosenFunctions, before: Seq[Assign | None]
    ) -> Expr:
        """The same where the first element is taken whatever it is; `before`: the constants that were there."""
        span = found.span
        assert selection.unset is not None
        any_found = _is_any(selection, found, functions)
        if self._is_unset_by(selection.unset, before):
            return any_found
        better = self._is_better(selection, found, functions, None)
        first = Binary("&&", selection.unset, any_found, INT, span)
        return Binary("||", first, better, INT, span)

    def _is_unset_by(self, unset: Expr, before: Seq[Assign | None]) -> bool:
        """Whether `unset` is known to hold where the variables have these constants."""
        machine = Interpreter(self._unit, STEPS)
        try:
            for item in before:
                if item is not None and isinstance(item.target, Name):
                    machine.env[item.target.symbol.name] = machine.convert(machine.value(item.value), item.target.type)
            return machine.truth(unset)
        except GiveUp:
            return False

    # ---- names -----------------------------------------------------------------------------------------

    def _struct(self, selection: Selection) -> tuple[Struct, tuple[str, ...]]:
        """The struct of a selection, and the member for each of the others that are set.

        That is empty for what is computed from the place that was found.
        """
        fields: list[tuple[str, CType]] = [("value", selection.element.type)]
        fields += [(f"at{k}", loop.iterator.type) for k, loop in enumerate(selection.loops)]
        members: list[str] = []
        for number, (target, value) in enumerate(selection.others):
            if _stays(value, selection.loops):
                members.append("")
                continue
            members.append(f"with{number}")
            fields.append((members[-1], target.type))
        types = "_".join(type_.name.replace(" ", "_") for _, type_ in fields if isinstance(type_, Scalar))
        return self._made(f"{_word(selection).capitalize()}_{types}", fields), tuple(members)

    def _made(self, stem: str, fields: Seq[tuple[str, CType]]) -> Struct:
        """The struct of that name, made on first use."""
        offset, align, members = 0, 1, []
        for name, type_ in fields:
            assert isinstance(type_, Scalar)
            offset = -(-offset // type_.align) * type_.align
            members.append(Member(name, type_, offset))
            offset, align = offset + type_.size, max(align, type_.align)
        name = stem
        while True:
            made = Struct(name, tuple(members), -(-offset // align) * align, align)
            if made in (self._known.get(name), self.structs.get(name)):
                return made
            if name not in self._names:
                self.structs[name] = made
                self._names.add(name)
                return made
            name += "_"

    def _function(self, name: str, made: Function) -> str:
        """The name of a function, which is `name` if that is free, made on first use."""
        while True:
            named = replace(made, name=name)
            known = self._defined.get(name) or self.functions.get(name)
            if known is not None and same(known, named):
                return name
            if name not in self._names:
                self.functions[name] = named
                self._names.add(name)
                return name
            name += "_"


def _word(selection: Selection) -> str:
    """Which of many a selection takes."""
    if selection.compared is None:
        return "first" if selection.is_strict else "last"
    return "least" if selection.is_smallest else "greatest"


def _is_any(selection: Selection, found: Name, functions: ChosenFunctions) -> Expr:
    """Whether there was an element to choose at all."""
    place = MemberOf(found, "at0", selection.loops[0].iterator.type, found.span)
    return Binary("!=", place, functions.nowhere(0), INT, found.span)


def _at_place(value: Expr, selection: Selection, found: Name) -> Expr:
    """A value that the loops do not change, at the place that was found."""
    places = {
        loop.iterator.name: MemberOf(found, f"at{k}", loop.iterator.type, found.span)
        for k, loop in enumerate(selection.loops)
    }
    there: Expr = replaced(value, lambda node: places.get(node.symbol.name) if isinstance(node, Name) else None)
    return there


def _converted(value: Expr, type_: CType) -> Expr:
    return value if value.type == type_ else Cast(value, type_, value.span, True)


def _without_constants(items: list[Stmt], selections: Seq[Selection]) -> tuple[list[Stmt], list[Assign]]:
    """`items` without what gives what is selected a constant right before the loop, and that, to stand behind it."""
    kept, moved = list(items), list[Assign]()
    targets = [target for selection in selections for target in selection.targets]
    names = {_variable(each).symbol.name for each in targets}
    for position in reversed(range(len(items))):
        item = items[position]
        if not isinstance(item, Declare | Assign):
            break
        is_constant = isinstance(item, Assign) and not item.compound and is_literal(item.value)
        if isinstance(item, Assign) and is_constant and any(same(item.target, each) for each in targets):
            del kept[position]
            moved.insert(0, item)
            continue
        if isinstance(item, Declare) and item.symbol.name in names:
            if item.init is None or not is_literal(item.init):
                continue
            kept[position] = replace(item, init=None)
            moved.insert(0, Assign(Name(item.symbol, item.symbol.type, item.span), item.init, item.span))
            continue
        if names_in(item) & names:
            break
    return kept, moved
