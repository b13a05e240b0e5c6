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
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.diagnostics.source import Span
from pencilc.ir.queries import declared_in, names_in, names_of_file, names_of_region, root, subscripts_in
from pencilc.ir.rewrite import fresh_name, written_names
from pencilc.ir.scop import Candidate, OperatorKind
from pencilc.ir.source import (
    INT,
    VOID,
    Assign,
    Binary,
    Block,
    Call,
    Cast,
    CType,
    Declare,
    Dereference,
    Expr,
    FloatLiteral,
    For,
    Function,
    If,
    Index,
    InOrder,
    IntLiteral,
    Jump,
    Member,
    MemberOf,
    Name,
    PointerType,
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
    is_floating,
    walk,
)
from pencilc.ir.source_printer import spelled
from pencilc.poly.detect.marking import is_literal
from pencilc.poly.model.flat_terms import iterations
from pencilc.poly.reductions.updates import TakenElement, compared, mentions, same
from pencilc.records import dataclass

# As many points as these, below other loops, are left to the thread that has them.
_FEW_POINTS = 256


@dataclass(frozen=True, slots=True)
class _Selection:
    """An `if` that takes an element: what is compared with what, what else is set, and the loops that it chooses in.

    `others` are pairs of a target and its value.  `guard` is what has to hold besides.  `loops`: outermost first.
    """

    stmt: If
    found: TakenElement
    others: tuple[tuple[Expr, Expr], ...]
    guard: Expr | None
    loops: tuple[For, ...]

    @property
    def targets(self) -> tuple[Expr, ...]:
        """All that is set, the value that is compared first."""
        return (self.found.target, *(target for target, _ in self.others))


@dataclass(frozen=True, slots=True)
class Selected:
    """A region whose selections are reductions, with the types and functions that this needs, and what was found."""

    region: Region
    structs: tuple[Struct, ...] = ()
    functions: tuple[Function, ...] = ()
    candidates: tuple[Candidate, ...] = ()


def with_selections(unit: TranslationUnit, region: Region) -> Selected:
    """`region` with its selections as reductions; the region itself where it has none."""
    rewriting = _Rewriting(unit, region)
    body = rewriting.stmt(region.body)
    if not rewriting.candidates:
        return Selected(region)
    assert isinstance(body, Block)
    return Selected(
        replace(region, body=body), tuple(rewriting.structs.values()), tuple(rewriting.functions.values()),
        tuple(rewriting.candidates),
    )  # fmt: skip


# ---- what is a selection ---------------------------------------------------------------------------------


def _selections(region: Region) -> Iterator[_Selection]:
    """Those of a region, each with the outermost loops in which nothing else touches what it sets."""
    for stmt, around in _conditions(region.body, ()):
        found = _matched(stmt)
        loops = _loops(found, around) if found is not None else ()
        if found is not None and loops:
            yield replace(found, loops=loops)


def _conditions(stmt: Stmt, around: tuple[Stmt, ...]) -> Iterator[tuple[If, tuple[Stmt, ...]]]:
    """The `if`s inside of loops, with what stands around each, outermost first."""
    inside = (*around, stmt)
    match stmt:
        case Block():
            for item in stmt.items:
                yield from _conditions(item, inside)
        case For():
            yield from _conditions(stmt.body, inside)
        case If():
            if any(isinstance(each, For) for each in around):
                yield stmt, around
            for branch in (stmt.then, stmt.otherwise):
                if branch is not None:
                    yield from _conditions(branch, inside)


def _matched(stmt: If) -> _Selection | None:
    """The selection that an `if` is: it takes the element, and something else that costs nothing to compute."""
    if stmt.otherwise is not None or not isinstance(stmt.then, Block) or len(stmt.then.items) < 2:
        return None
    assigned = [item for item in stmt.then.items if isinstance(item, Assign) and not item.compound]
    if len(assigned) != len(stmt.then.items):
        return None
    test = stmt.condition
    guard: Expr | None = None
    if isinstance(test, Binary) and test.op == "&&":
        # What stands first is asked for in any case.
        guard, test = test.left, test.right
    taken = [(item, found) for item in assigned if (found := compared(test, item)) is not None]
    if len(taken) != 1:
        return None
    ((item, found),) = taken
    others = tuple((each.target, each.value) for each in assigned if each is not item)
    targets = (found.target, *(target for target, _ in others))
    names = [variable.symbol.name if (variable := root(each)) is not None else "" for each in targets]
    if "" in names or len(set(names)) != len(names) or not _has_types(found, targets):
        return None
    used = [found.element, *(value for _, value in others), *((guard,) if guard is not None else ())]
    used += [subscript for target in targets for subscript in subscripts_in(target)]
    if any(mentions(each, target) for each in used for target in targets):
        return None
    if not all(_costs_nothing(value) for _, value in others):
        return None
    return _Selection(stmt, found, others, guard, ())


def _has_types(found: TakenElement, targets: Seq[Expr]) -> bool:
    """Whether the value is a number of C, and what else is set is one too."""
    value = found.target.type
    if not isinstance(value, Scalar) or value.kind not in ("int", "uint", "float") or value.size < INT.size:
        return False
    return all(isinstance(each.type, Scalar) and each.type.size >= INT.size for each in targets)


def _costs_nothing(value: Expr) -> bool:
    """Whether a value may be computed although the source does not: it reads no memory, calls and divides nothing."""
    for node in walk(value):
        if isinstance(node, Index | Call | Dereference):
            return False
        if isinstance(node, Binary) and node.op in ("/", "%", "<<", ">>"):
            return False
    return True


def _loops(selection: _Selection, around: tuple[Stmt, ...]) -> tuple[For, ...]:
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
        chosen = tuple(inside)
    if chosen and _is_left_to_thread(chosen, [each for each in around if isinstance(each, For)]):
        return ()
    return chosen


def _is_alone(selection: _Selection, loop: For, inside: Seq[For]) -> bool:
    """Whether nothing else in the loop touches what is set, and which variables these are does not change in it."""
    names = {name for each in selection.targets for name in names_in(_variable(each))}
    count = sum(isinstance(node, Name) and node.symbol.name in names for node in walk(loop))
    own = sum(isinstance(node, Name) and node.symbol.name in names for node in walk(selection.stmt))
    if count != own or names & declared_in(loop) or any(isinstance(node, Jump | Return) for node in walk(loop)):
        return False
    subscripts = {name for each in selection.targets for part in subscripts_in(each) for name in names_in(part)}
    changed = {each.iterator.name for each in inside} | declared_in(loop) | _changed(loop)
    return not subscripts & changed


def _variable(target: Expr) -> Name:
    variable = root(target)
    assert variable is not None
    return variable


def _changed(stmt: Stmt) -> set[str]:
    """The variables that a statement may change, those that it hands to calls too."""
    calls = (node for node in walk(stmt) if isinstance(node, Call))
    given = (each for call in calls for each in call.arguments if not isinstance(each.type, Scalar))
    return written_names(stmt) | names_in(*given)


def _has_place(selection: _Selection, loop: For) -> bool:
    """Whether no counter of the loop has the value that stands for no element."""
    kind = loop.iterator.type
    if not isinstance(kind, Scalar) or kind.kind not in ("int", "uint") or kind.size < INT.size:
        return False
    if selection.found.is_strict:
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


# ---- the tree --------------------------------------------------------------------------------------------


class _Rewriting:
    """Rewrites the selections of a region, with the types and functions that are made for them, by name."""

    def __init__(self, unit: TranslationUnit, region: Region) -> None:
        self.structs: dict[str, Struct] = {}
        self.functions: dict[str, Function] = {}
        self.candidates: list[Candidate] = []
        self._known = {each.name: each for each in unit.structs}
        self._defined = {each.name: each for each in unit.functions}
        self._names = names_of_file(unit) | names_of_region(region)
        self._loops: dict[int, list[_Selection]] = {}  # by the id of their outermost loop
        for each in _selections(region):
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

    def _reduced(self, selections: Seq[_Selection], moved: Seq[Assign]) -> tuple[Stmt, ...]:
        """The loop that reduces, behind its initialisations, and what takes its results, or what was `moved`."""
        loop = selections[0].loops[0]
        begun: list[Stmt] = []
        taken: list[Stmt] = []
        for selection in selections:
            begin, take = self._marked(selection, moved)
            begun += begin
            taken += take
        return (*begun, replace(loop, body=self.stmt(loop.body)), *taken)

    def _marked(self, selection: _Selection, moved: Seq[Assign]) -> tuple[tuple[Stmt, ...], tuple[Stmt, ...]]:
        """What begins the reduction that a selection becomes, and what takes its result; its `if` becomes an update.

        `moved`: the constants that its variables have before.
        """
        chosen, stmt, loop = selection.found, selection.stmt, selection.loops[0]
        span = stmt.span
        struct, members = self._struct(selection)
        stem = f"{_variable(chosen.target).symbol.spelling}_found"
        symbol = Symbol(fresh_name(stem, self._names), stem, struct, "local", span)
        found = Name(symbol, struct, span)
        functions = _Functions(struct, selection, span)
        init = self._function(f"none_of_{struct.name}", functions.none())
        one = self._function(f"one_of_{struct.name}", functions.one())
        operator = self._function(f"chosen_of_{struct.name}", functions.chosen())
        following = functions.following(operator, one)
        if following is not None:
            self._function(f"next_of_{struct.name}", following)
        values = [chosen.element, *(Name(each.iterator, each.iterator.type, span) for each in selection.loops)]
        takes = [Assign(chosen.target, MemberOf(found, "value", chosen.target.type, span), span)]
        for (target, value), name in zip(selection.others, members, strict=True):
            if name.startswith("with"):
                values.append(_converted(value, target.type))
            member = MemberOf(found, name, struct.member(name).type, span)
            takes.append(Assign(target, _converted(member, target.type), span))
        update: Stmt = ReductionUpdate(found, Call(one, tuple(values), struct, span), operator, span)
        if selection.guard is not None:
            update = If(selection.guard, Block((update,), span), None, span)
        self._updates[id(stmt)] = update
        self.candidates.append(Candidate(spelled(chosen.target), chosen.kind.value, "", span))
        before = [next((s for s in reversed(moved) if same(s.target, each)), None) for each in selection.targets]
        known = [each.value for each in before if each is not None]
        is_known = len(known) == len(before)
        start = known[0] if is_known else chosen.target
        better: Expr = Binary(chosen.comparison, MemberOf(found, "value", chosen.target.type, span), start, INT, span)
        if not chosen.is_strict:
            # What the reduction begins with may be as good as the value that was there.
            place = MemberOf(found, "at0", loop.iterator.type, span)
            better = Binary("&&", Binary("!=", place, functions.nowhere(0), INT, span), better, INT, span)
        begin = (Declare(symbol, None, span), ReductionInit(found, init, span, True))
        if not is_known:
            return begin, (*(s for s in before if s is not None), If(better, Block(tuple(takes), span), None, span))
        results = []
        for take, value in zip(takes, known, strict=True):
            results.append(replace(take, value=Ternary(better, take.value, value, take.target.type, span)))
        return begin, tuple(results)

    # ---- names -----------------------------------------------------------------------------------------

    def _struct(self, selection: _Selection) -> tuple[Struct, tuple[str, ...]]:
        """The struct of a selection, and the member for each of the others that are set: a counter has one already."""
        fields: list[tuple[str, CType]] = [("value", selection.found.target.type)]
        fields += [(f"at{k}", loop.iterator.type) for k, loop in enumerate(selection.loops)]
        counters = [loop.iterator.name for loop in selection.loops]
        members: list[str] = []
        for number, (target, value) in enumerate(selection.others):
            plain = value.operand if isinstance(value, Cast) else value
            if isinstance(plain, Name) and plain.symbol.name in counters:
                members.append(f"at{counters.index(plain.symbol.name)}")
                continue
            members.append(f"with{number}")
            fields.append((members[-1], target.type))
        kind = "Least" if selection.found.kind is OperatorKind.MIN else "Greatest"
        types = "_".join(type_.name.replace(" ", "_") for _, type_ in fields if isinstance(type_, Scalar))
        return self._made(f"{kind}_{types}", fields), tuple(members)

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


def _counter(loop: For, span: Span) -> Expr:
    return Name(loop.iterator, loop.iterator.type, span)


def _converted(value: Expr, type_: CType) -> Expr:
    return value if value.type == type_ else Cast(value, type_, value.span, True)


def _without_constants(items: list[Stmt], selections: Seq[_Selection]) -> tuple[list[Stmt], list[Assign]]:
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


# ---- functions -------------------------------------------------------------------------------------------


class _Functions:
    """The functions of one struct: what stands for no element, an element, the one of two that the loop takes."""

    def __init__(self, struct: Struct, selection: _Selection, span: Span) -> None:
        self.struct, self.selection, self.span = struct, selection, span
        self.smallest = selection.found.kind is OperatorKind.MIN

    def none(self) -> Function:
        """Writes what loses against each element."""
        pointer = PointerType(self.struct)
        symbol = Symbol("p", "p", pointer, "param", self.span)
        place = Dereference(Name(symbol, pointer, self.span), self.struct, self.span)
        body = [Assign(self._member(place, each), self._nothing(each), self.span) for each in self.struct.members]
        return Function("", VOID, (symbol,), Block(tuple(body), self.span), True, self.span)

    def one(self) -> Function:
        """An element; what is not a number loses too."""
        params = [Symbol(each.name, each.name, each.type, "param", self.span) for each in self.struct.members]
        made = Symbol("made", "made", self.struct, "local", self.span)
        body: list[Stmt] = [Declare(made, None, self.span)]
        value = Name(params[0], params[0].type, self.span)
        is_number = Binary("==", value, value, INT, self.span)
        for member, symbol in zip(self.struct.members, params, strict=True):
            given: Expr = Name(symbol, symbol.type, self.span)
            if is_floating(self.struct.members[0].type) and not member.name.startswith("with"):
                given = Ternary(is_number, given, self._nothing(member), member.type, self.span)
            body.append(Assign(self._member(Name(made, self.struct, self.span), member), given, self.span))
        body.append(Return(Name(made, self.struct, self.span), self.span))
        return Function("", self.struct, tuple(params), Block(tuple(body), self.span), True, self.span)

    def chosen(self) -> Function:
        """`a.value < b.value || (a.value == b.value && a stands first) ? a : b`."""
        symbols = [Symbol(name, name, self.struct, "param", self.span) for name in "ab"]
        a, b = (Name(symbol, self.struct, self.span) for symbol in symbols)
        value, *places = self.struct.members[: 1 + len(self.selection.loops)]
        comparison = "<" if self.smallest else ">"
        order = self._compared(a, b, places[-1], len(places) - 1)
        for number in reversed(range(len(places) - 1)):
            place = places[number]
            order = self._or(self._compared(a, b, place, number), self._and(self._equal(a, b, place), order))
        test = self._or(self._binary(comparison, a, b, value), self._and(self._equal(a, b, value), order))
        body = Block((Return(Ternary(test, a, b, self.struct, self.span), self.span),), self.span)
        return Function("", self.struct, tuple(symbols), body, True, self.span)

    def following(self, operator: str, one: str) -> Function | None:
        """What is chosen of what there was before and an element behind it, where one comparison says which.

        What is not a number is never taken; of equal values the places, which ascend, are not looked at.
        """
        takes_first = {(loop.step > 0) == self.selection.found.is_strict for loop in self.selection.loops}
        if len(takes_first) > 1:
            return None
        comparison = ("<" if self.smallest else ">") + ("" if True in takes_first else "=")
        before = Symbol("before", "before", self.struct, "param", self.span)
        params = [Symbol(each.name, each.name, each.type, "param", self.span) for each in self.struct.members]
        kept = Name(before, self.struct, self.span)
        value = Name(params[0], params[0].type, self.span)
        best = self._member(kept, self.struct.members[0])
        test = Binary(comparison, value, best, INT, self.span)
        taken = [
            Assign(self._member(kept, member), Name(symbol, symbol.type, self.span), self.span)
            for member, symbol in zip(self.struct.members, params, strict=True)
        ]
        body = (If(test, Block(tuple(taken), self.span), None, self.span), Return(kept, self.span))
        in_order = InOrder(operator, one, len(self.selection.loops))
        return Function("", self.struct, (before, *params), Block(body, self.span), True, self.span, in_order=in_order)

    def nowhere(self, number: int) -> Expr:
        """The value of the counter of a loop that stands for no element."""
        loop = self.selection.loops[number]
        is_largest = (loop.step > 0) == self.selection.found.is_strict
        return _limit(loop.iterator.type, is_largest, self.span)

    def _nothing(self, member: Member) -> Expr:
        if member.name == "value":
            return _worst(member.type, self.smallest, self.span)
        if member.name.startswith("with"):
            zero: Expr = IntLiteral(0, member.type, self.span)
            return FloatLiteral("0.0", member.type, self.span) if is_floating(member.type) else zero
        return self.nowhere(int(member.name.removeprefix("at")))

    def _compared(self, a: Expr, b: Expr, place: Member, number: int) -> Expr:
        """Whether `a` comes before `b`, or behind it where the last one is taken, by one counter."""
        upwards = self.selection.loops[number].step > 0
        return self._binary("<" if upwards == self.selection.found.is_strict else ">", a, b, place)

    def _equal(self, a: Expr, b: Expr, member: Member) -> Expr:
        return self._binary("==", a, b, member)

    def _binary(self, op: str, a: Expr, b: Expr, member: Member) -> Expr:
        return Binary(op, self._member(a, member), self._member(b, member), INT, self.span)

    def _and(self, left: Expr, right: Expr) -> Expr:
        return Binary("&&", left, right, INT, self.span)

    def _or(self, left: Expr, right: Expr) -> Expr:
        return Binary("||", left, right, INT, self.span)

    def _member(self, base: Expr, member: Member) -> Expr:
        return MemberOf(base, member.name, member.type, self.span)


def _worst(type_: CType, smallest: bool, span: Span) -> Expr:
    """The value that loses against each other one."""
    if not is_floating(type_):
        return _limit(type_, smallest, span)
    infinity = FloatLiteral("1e999f" if type_.size == INT.size else "1e999", type_, span)
    return infinity if smallest else Unary("-", infinity, type_, span)


def _limit(type_: CType, is_largest: bool, span: Span) -> Expr:
    """The largest or the least value of an integer type."""
    assert isinstance(type_, Scalar)
    bits = 8 * type_.size - (type_.kind == "int")
    largest = IntLiteral(2**bits - 1, type_, span)
    if is_largest:
        return largest
    if type_.kind == "uint":
        return IntLiteral(0, type_, span)
    return Binary("-", Unary("-", largest, type_, span), IntLiteral(1, type_, span), type_, span)
