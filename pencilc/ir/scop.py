"""The polyhedral model of one region: statements, arrays, accesses, reductions, dependences.

Spaces: a statement instance is `S[i, j]` with one dimension for each loop around the statement,
outermost first; an array element is `A[a, b]`.  All relations have the region's integer scalars as
parameters; sizes stay symbolic.  Stages: poly/extract, poly/reductions/by_flow, poly/dependences/relaxed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from enum import Enum
from math import prod

import islpy as isl

from pencilc import islx
from pencilc.diagnostics.diagnostic import Fix
from pencilc.diagnostics.source import Span
from pencilc.ir.source import (
    Assign,
    CType,
    Expr,
    Factor,
    Function,
    IntLiteral,
    Region,
    Scalar,
    Stmt,
    Symbol,
    is_floating,
)
from pencilc.records import dataclass

# Elements of an array, and iterations of a loop, that one thread has for itself.
FEW = 64


class AccessKind(Enum):
    """What an access does; only MUST_WRITE and KILL end the life of an older value."""

    READ = "read"
    MAY_WRITE = "may_write"
    MUST_WRITE = "must_write"
    KILL = "kill"
    UPDATE = "update"  # the read-modify-write of a reduction variable by `__pencil_reduction`

    @property
    def writes(self) -> bool:
        """Whether the access may change the element."""
        return self not in (AccessKind.READ, AccessKind.KILL)


class ArrayKind(Enum):
    """What the variable of an array is in the source."""

    PARAM = "param"
    LOCAL = "local"
    GLOBAL = "global"
    RESULT = "result"  # the return value of an entry function


class StatementKind(Enum):
    """The role of a statement in the model."""

    ORDINARY = "ordinary"
    INIT = "init"  # `__pencil_reduction_var_init`
    UPDATE = "update"  # `__pencil_reduction`
    MERGE = "merge"  # merge node (PACT'16 section 4): has init's domain and no place in the source
    KILL = "kill"  # a declaration without initialiser, or `__pencil_kill`; never generated as code
    LEAVE = "leave"  # `left = c;` in a loop on the host, which is left behind it where c holds (poly/model/rounds.py)
    RETURN = "return"  # `return e;` = a write of the zero-dimensional array of scope RESULT


@dataclass(frozen=True, slots=True, eq=False)
class Access:
    """`relation`: { S[i] -> A[a] }; `member_path` names the struct member touched, () for the whole element.

    An access whose subscripts are not affine has the whole array as range and is not `exact`.  One that a condition
    inside the statement decides about (`i > 0 ? a[i - 1] : 0`) is not `is_sure`: it may not happen for every instance.
    `is_affine`: the subscripts are, though loops inside of the statement may go through several elements.
    """

    array: str
    relation: isl.Map
    member_path: tuple[str, ...]
    kind: AccessKind
    exact: bool
    span: Span
    is_sure: bool = True
    is_affine: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Array:
    """A scalar (no dimension), struct or array that statements touch.

    A local that is declared inside loops is expanded by `scope_iterators`, the iterators of its scope:
    its dimensions are those and then its own.  `extent`: { A[a] }, over the own dimensions only when
    `scope_iterators` is empty.
    """

    name: str
    symbol: Symbol
    element: CType
    extents: tuple[Expr, ...]
    scope_iterators: tuple[str, ...]
    extent: isl.Set
    kind: ArrayKind
    span: Span
    member_path: tuple[str, ...] = ()  # where struct members are arrays of their own: which member this is

    @property
    def is_small_and_own(self) -> bool:
        """Whether each iteration of a loop has one of a few elements, which a thread keeps for itself."""
        sizes = [extent.value for extent in self.extents if isinstance(extent, IntLiteral)]
        is_known = bool(sizes) and len(sizes) == len(self.extents)
        return is_known and bool(self.scope_iterators) and self.kind is ArrayKind.LOCAL and prod(sizes) <= FEW


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of the source around a statement: `index` numbers the loops of the model in text order.

    `first` and `end` (one past the last value) are the bounds that are data, None where a bound is affine and in the
    domain (`poly/model/ragged.py`); they may be read only where every expression of `guards` is true.
    `left`: whether data may end the loop in any iteration (`poly/model/rounds.py`).  `factor`: what leads from a value
    of the iterator to the next one, if that is not `step`; those between are left out (`poly/model/factor_loops.py`).
    """

    index: int
    iterator: Symbol
    step: int
    independent: bool
    reduced: tuple[str, ...] = ()  # symbol names in the loop's `reduction` clauses
    first: Expr | None = None
    end: Expr | None = None
    guards: tuple[Expr, ...] = ()
    left: bool = False
    factor: Factor | None = None

    @property
    def is_ragged(self) -> bool:
        """Whether a bound of the loop is data."""
        return self.first is not None or self.end is not None

    @property
    def bounds(self) -> tuple[Expr, ...]:
        """The bounds that are data."""
        return tuple(e for e in (self.first, self.end) if e is not None)

    @property
    def evaluated(self) -> tuple[Expr, ...]:
        """What is evaluated where a ragged loop stands."""
        return (*self.guards, *self.bounds) if self.is_ragged else ()


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """`domain`: { S[i] }.  `body` is executed for an instance when every expression of `guards` is true.

    Where a loop around the statement is ragged, `domain` knows nothing of the bounds that are data: it holds more
    instances than are executed, and the iterator may be unbounded.

    `guards` are the data-dependent (not affine) conditions around the statement; none of the values they
    read is written under them.  `loops` are the source loops around it, outermost
    first (those of init, for a merge node).  A non-affine loop, `while` or `if` that
    cannot be split is one statement whose body is the whole construct, with over-approximated accesses;
    `opaque` then says what is not affine.
    """

    name: str
    kind: StatementKind
    iterators: tuple[Symbol, ...]
    domain: isl.Set
    body: Stmt | None
    guards: tuple[Expr, ...]
    accesses: tuple[Access, ...]
    span: Span
    loops: tuple[Loop, ...] = ()

    @property
    def is_ragged(self) -> bool:
        """Whether a loop around the statement is ragged."""
        return any(loop.is_ragged for loop in self.loops)

    @property
    def rounds(self) -> frozenset[int]:
        """The loops around the statement that data may end, by `index`: what is behind may follow any iteration."""
        return frozenset(loop.index for loop in self.loops if loop.left)

    @property
    def never_leaves(self) -> bool:
        """Whether it stands for the question whether a loop ends that goes on: one whose counter has a factor."""
        value = self.body.value if isinstance(self.body, Assign) else None
        return self.kind is StatementKind.LEAVE and isinstance(value, IntLiteral) and value.value == 0

    @property
    def factors(self) -> tuple[int, ...]:
        """The depths of the loops around the statement of which iterations are left out, the outermost first."""
        return tuple(depth for depth, loop in enumerate(self.loops) if loop.factor is not None)

    @property
    def roots(self) -> tuple[Expr | Stmt, ...]:
        """What is evaluated for an instance: the guards, and the body if there is one."""
        return (*self.guards, *((self.body,) if self.body is not None else ()))

    def certainly_writes(self, access: Access, member: tuple[str, ...] = ()) -> bool:
        """Whether every instance writes the whole element that the access names, where the loops around get to it.

        `member`: of elements whose members are arrays of their own, the member of which that is asked.
        """
        is_whole = access.member_path == member
        return access.kind is AccessKind.MUST_WRITE and access.exact and not self.guards and is_whole

    @property
    def own_guards(self) -> tuple[Expr, ...]:
        """The guards that are evaluated for each instance: not those that stand around a ragged loop."""
        outside = max((len(loop.guards) for loop in self.loops if loop.is_ragged), default=0)
        return self.guards[outside:]

    opaque: str = ""


class OperatorKind(Enum):
    """Built-in operators that are recognised from the body of the operator function."""

    ADD = "+"
    MUL = "*"
    MIN = "min"
    MAX = "max"
    BIT_AND = "&"
    BIT_OR = "|"
    BIT_XOR = "^"
    AND = "&&"
    OR = "||"
    SET = "="  # the last that is not zero: `b ? b : a`


@dataclass(frozen=True, slots=True)
class Operator:
    """The operator function and, where its body is that of a built-in, which one.

    `wide`: partial results of a sum of 16-bit floats are kept in this type, float.  `prefers_numbers`: of a number and
    what is none it returns the number, as `fminf` does, so that NaN is its identity.
    """

    function: str
    recognised: OperatorKind | None
    wide: Scalar | None = None
    prefers_numbers: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """One reduction: the updates that one initialisation reaches (PACT'16 sections 3-4).

    `i2r`: { Init[i] -> Update[j] } and `r2m`: { Update[j] -> Merge[i] }, the reduction isolation
    dependences towards the merge node; `i2m`: { Init[i] -> Merge[i] }.  `variable` is the accumulator in
    terms of the iterators of init (and of merge, which has the same iterators).
    """

    name: str
    array: str
    variable: Expr
    operator: Operator
    init_function: str
    element_type: CType
    init: str
    updates: tuple[str, ...]
    merge: str
    i2r: isl.UnionMap
    r2m: isl.UnionMap
    i2m: isl.UnionMap
    span: Span

    @property
    def domain(self) -> isl.UnionSet:
        """The reduction domain { Update[j] }: every instance that the initialisation reaches."""
        return self.r2m.domain()

    @property
    def exchanged_size(self) -> int:
        """The bytes of a partial result."""
        return self.element_type.size

    @property
    def sum_type(self) -> Scalar | None:
        """float or double where floating values are summed, in that type: what `--sum` is about."""
        if self.operator.wide is not None:
            return self.operator.wide
        is_sum = self.operator.recognised is OperatorKind.ADD
        return self.element_type if is_sum and is_floating(self.element_type) else None


@dataclass(frozen=True, slots=True, eq=False)
class ShiftedSum(Reduction):
    """A sum of f(a - m) that is accumulated before m is known (gpu/variants/shifts.py).

    The element of its update is a call of `function` (exp, exp2 or square) on a, and on the weight if there is one;
    `shift` is m in terms of the iterators of the merge node.  `instead_of` is the reduction whose work it does.
    """

    function: str
    shift: Expr
    instead_of: Reduction

    @property
    def exchanged_size(self) -> int:
        """The bytes of a partial result; of a sum of squares, with a count of 64 bits, at most."""
        values = 2 if self.function != "square" else 4 if self.element_type.size == 8 else 6
        return values * self.element_type.size

    @property
    def stands_for(self) -> dict[str, str]:
        """The statements of the sum, with those whose work they do."""
        statements = zip(self.updates, self.instead_of.updates, strict=True)
        return {**dict(statements), self.merge: self.instead_of.merge}


# Why an update stays as it is that a running sum has: what it gives is wanted on the way.
READ_ON_THE_WAY = "no loop around it leaves the variable to updates alone"
FROM_OTHERS = "its new value follows from other elements, not from its old one"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An update of plain code: `refused` says why it stays as it is, empty if it became a reduction.

    Where only the order of floating operations stands in the way, `fixes` and `ways` (in words) say how to allow
    another one.
    """

    variable: str
    operator: str
    refused: str
    span: Span
    ways: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()


@dataclass(frozen=True, slots=True)
class ProductOfParams:
    """A parameter of the model alone: the product of those called `factors`, which the host computes as `value`.

    Without factors it is a number that no loop gets to.  A factor may be a quotient or a remainder of parameters, as
    `n / w`; of one that is nothing else `dividend` is what it is no farther from 0 than.
    """

    symbol: Symbol
    factors: tuple[str, ...]
    value: Expr
    dividend: Expr | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Scop:
    """A region: `params` are its integer scalar parameters that are never written (isl parameters, by name), and the
    `products` of them.

    `context` holds what is known of them; `schedule` is the source order of all statements but merge
    nodes.  `region.body` stays the meaning: the sequential fallback prints it as it is.  `functions` are those of the
    file, which statements may call.  `is_plain`: no domain or access has a division or a large factor.  `sizes`: values
    of parameters that the user gives: choices are made for them, and what is made is right for all others too.
    """

    name: str
    region: Region
    params: tuple[Symbol, ...]
    context: isl.Set
    statements: tuple[Statement, ...]
    arrays: tuple[Array, ...]
    schedule: isl.Schedule
    reductions: tuple[Reduction, ...]
    span: Span
    functions: tuple[Function, ...] = ()
    is_plain: bool = False
    products: tuple[ProductOfParams, ...] = ()
    sizes: tuple[tuple[str, int], ...] = ()
    # Found once: there may be a thousand statements, each of which is asked for by name many times.
    _statements: dict[str, Statement] = field(init=False, repr=False)
    _positions: dict[str, int] = field(init=False, repr=False)
    _arrays: dict[str, Array] = field(init=False, repr=False)
    _written: frozenset[str] = field(init=False, repr=False)
    _reductions: dict[str, tuple[int, Reduction]] = field(init=False, repr=False)
    _by_statement: dict[str, Reduction] = field(init=False, repr=False)
    _by_symbol: dict[str, tuple[Array, ...]] = field(init=False, repr=False)
    _initialised: dict[str, tuple[Reduction, ...]] = field(init=False, repr=False)
    _users: dict[str, dict[str, tuple[Access, ...]]] = field(init=False, repr=False)  # filled when first asked for
    _touched: dict[str, tuple[tuple[AccessKind, islx.Subscripted], ...]] = field(init=False, repr=False)  # likewise

    def __post_init__(self) -> None:
        object.__setattr__(self, "_statements", {s.name: s for s in self.statements})
        object.__setattr__(self, "_positions", {s.name: k for k, s in enumerate(self.statements)})
        object.__setattr__(self, "_arrays", {a.name: a for a in self.arrays})
        by_symbol: dict[str, tuple[Array, ...]] = {}
        for array in self.arrays:
            name = array.symbol.name
            by_symbol[name] = (*by_symbol.get(name, ()), array)
        object.__setattr__(self, "_by_symbol", by_symbol)
        initialised: dict[str, tuple[Reduction, ...]] = {}
        for reduction in self.reductions:
            initialised[reduction.init] = (*initialised.get(reduction.init, ()), reduction)
        object.__setattr__(self, "_initialised", initialised)
        object.__setattr__(self, "_users", {})
        object.__setattr__(self, "_touched", {})
        written = (a.array for s in self.statements for a in s.accesses if a.kind.writes)
        object.__setattr__(self, "_written", frozenset(written))
        object.__setattr__(self, "_reductions", {r.name: (k, r) for k, r in enumerate(self.reductions)})
        by_statement: dict[str, Reduction] = {}
        for reduction in self.reductions:
            for name in (reduction.init, *reduction.updates, reduction.merge):
                by_statement.setdefault(name, reduction)
        object.__setattr__(self, "_by_statement", by_statement)

    def statement(self, name: str) -> Statement:
        """The statement called `name`; raises KeyError."""
        return self._statements[name]

    def touched(self, statement: str) -> tuple[tuple[AccessKind, islx.Subscripted], ...]:
        """How a statement accesses which elements, as far as constant subscripts tell them, but for kills."""
        if statement not in self._touched:
            self._touched[statement] = tuple(
                (access.kind, (access.array, islx.fixed_values(access.relation)))
                for access in self.statement(statement).accesses
                if access.kind is not AccessKind.KILL
            )
        return self._touched[statement]

    def position(self, statement: str) -> int:
        """Where the statement stands among all; raises KeyError."""
        return self._positions[statement]

    def reductions_of(self, names: Iterable[str]) -> list[Reduction]:
        """The reductions that have one of `names`, in the order of the region."""
        found = {self._reductions[name] for name in names if name in self._reductions}
        return [reduction for _, reduction in sorted(found, key=lambda pair: pair[0])]

    def initialised_by(self, statement: str) -> tuple[Reduction, ...]:
        """The reductions whose initialisation the statement is."""
        return self._initialised.get(statement, ())

    def reduction_with(self, statement: str) -> Reduction | None:
        """The first reduction that has the statement as its initialisation, an update or its merge node."""
        return self._by_statement.get(statement)

    @property
    def stands_for(self) -> dict[str, str]:
        """The statements of sums that are accumulated before their shift is known, with those whose work they do."""
        sums = [r for r in self.reductions if isinstance(r, ShiftedSum)]
        return {new: old for reduction in sums for new, old in reduction.stands_for.items()}

    @property
    def spellings(self) -> dict[str, str]:
        """How the source writes the parameters and iterators, by their names in the model."""
        symbols = (*self.params, *(i for s in self.statements for i in s.iterators))
        return {symbol.name: symbol.spelling for symbol in symbols}

    def is_written(self, array: str) -> bool:
        """Whether any statement may write the array."""
        return array in self._written

    def accesses(self, statements: Iterable[str]) -> Iterator[Access]:
        """The accesses of the statements, in order."""
        for name in statements:
            yield from self.statement(name).accesses

    def with_statements(self, statements: Iterable[Statement]) -> Scop:
        """The scop with these statements alone, in the order that the schedule gives to what is left of them."""
        kept = tuple(statements)
        schedule = self.schedule.intersect_domain(islx.union_set(s.domain for s in kept))
        return replace(self, statements=kept, schedule=schedule)

    def written(self, statements: Iterable[str]) -> set[str]:
        """The names of the arrays that the statements may write."""
        return {access.array for access in self.accesses(statements) if access.kind.writes}

    def read(self, statements: Iterable[str]) -> set[str]:
        """The names of the arrays that the statements read; an update does not read what it updates."""
        return {access.array for access in self.accesses(statements) if access.kind is AccessKind.READ}

    def users(self, array: str) -> set[str]:
        """The names of the statements that access the array, but for kills."""
        found: set[str] = set()
        for statement in self.statements:
            if statement.kind is not StatementKind.KILL and any(a.array == array for a in statement.accesses):
                found.add(statement.name)
        return found

    def arrays_of(self, symbol: str) -> tuple[Array, ...]:
        """The arrays of the model that a variable of the source stands for: several where members are apart."""
        return self._by_symbol.get(symbol, ())

    def accesses_to(self, symbol: str) -> Mapping[str, tuple[Access, ...]]:
        """The accesses of a variable of the source but kills, by statement, in order."""
        if not self._users:
            for statement in self.statements:
                for access in statement.accesses:
                    if access.kind is not AccessKind.KILL:
                        users = self._users.setdefault(self.array(access.array).symbol.name, {})
                        users[statement.name] = (*users.get(statement.name, ()), access)
        return self._users.get(symbol, {})

    def is_local_scalar(self, array: str) -> bool:
        """Whether the array is a local variable without subscripts."""
        record = self.array(array)
        return record.kind is ArrayKind.LOCAL and not record.extents

    def spelling(self, array: str) -> str:
        """How the source writes the variable of the array called `array`, for messages."""
        return self.array(array).symbol.spelling

    def array(self, name: str) -> Array:
        """The array called `name`; raises KeyError."""
        return self._arrays[name]


@dataclass(frozen=True, slots=True, eq=False)
class Dependences:
    """Dependence relations { S[i] -> T[j] }, kept apart, with init statements absorbed in merge nodes.

    flow       a value is written, then read (merge -> use included)
    anti       a value is read, then overwritten
    output     a value is written, then overwritten
    isolation  update -> merge (R2M): the merge node waits for every update
    relaxed    update <-> update pairs of one reduction, both directions: may run in any order
    proximity  pairs that should stay close: flow, and reads of one element by different statements
    control    what a loop that data end does before it may be left, or behind that

    `unknown` tells why they could not be computed; the relations are empty then and say nothing.  `dead` are the
    statements that store what nobody reads: they are not generated and have no dependences.
    """

    flow: isl.UnionMap
    anti: isl.UnionMap
    output: isl.UnionMap
    isolation: isl.UnionMap
    relaxed: isl.UnionMap
    proximity: isl.UnionMap
    unknown: str = ""
    dead: tuple[str, ...] = ()
    control: isl.UnionMap = field(default_factory=islx.empty_map)

    @property
    def validity(self) -> isl.UnionMap:
        """What a schedule must respect: flow, anti, output, isolation and control."""
        return self.flow.union(self.anti).union(self.output).union(self.isolation).union(self.control)
