"""Results that are the same for `(i, j)` and `(j, i)` are computed once, where that takes long.

Before: `for (i < n) for (j < n) { s = 0;  for (k < p) s += a[i][k] * a[j][k];  c[i][j] = s; }`
After:  `if (p >= 256)
             for (i < n)
                 for (j <= i) { s = 0;  for (k < p) s += a[i][k] * a[j][k];  r = s;  c[i][j] = r;  c[j][i] = r; }
         else` what it was

So are Gram matrices, covariances, distances between all pairs of points, written over the whole square as they mostly
are.  What is computed is not changed by a bit: products and sums of two values are the same in either order, a
difference the other way round has the other sign, and the square or the absolute value of both is the same.  Where
another nest sets the elements first, or the loop over `k` is outside, the nests are brought into one: each element
takes the same values in the same order.  Kernels on triangles leave out the tiles that have no points.  The second
store goes across lines of memory, which takes the time of a few hundred products.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.frontend.translate.constants import integer_value
from pencilc.ir.build import binary, number
from pencilc.ir.queries import (
    base_of,
    coefficient,
    may_write,
    names_in,
    names_of_region,
    root,
    same,
    subscripts_in,
    without_conversions,
)
from pencilc.ir.rewrite import Renaming, as_block, fresh_name, renamed, replaced, written_names
from pencilc.ir.source import (
    AddressOf,
    Assign,
    Assume,
    Binary,
    Block,
    Call,
    CallStmt,
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
    Initializer,
    IntLiteral,
    Jump,
    Kill,
    MemberOf,
    Name,
    Node,
    ReductionInit,
    ReductionUpdate,
    Region,
    Return,
    Scalar,
    Stmt,
    Symbol,
    Ternary,
    Unary,
    While,
    walk,
)
from pencilc.records import dataclass

# A loop of fewer iterations takes less than the store of an element to another row.  By the model: 32 bytes for each of
# them go to the second-level cache of an H100, at 5.5 TB/s; of products of floats it does 33 * 10^12 in a second.
LEAST_TRIPS = 256
# Squares of fewer points on a side, where that is known, are no tiles, but sums side by side.
LEAST_SIDE = 16
TRUE = number(1)
# The same for a value and its negative.  Not `fmin`: of zeros with different signs it gives either.
_EVEN = frozenset(("fabs", "fabsf", "abs", "labs", "llabs"))


@dataclass(frozen=True, slots=True)
class Symmetric:
    """Functions that give the same for a value and its negative, and those for two values in either order."""

    even: frozenset[str]
    either_order: frozenset[str]


def with_symmetry(region: Region, identifiers: frozenset[str], functions: Symmetric) -> Region:
    """`region` with half of the points of such nests; `identifiers`: names that are taken."""
    return replace(region, body=_Halves(names_of_region(region) | identifiers, functions).block(region.body))


def symmetric_functions(functions: Iterable[Function]) -> Symmetric:
    """Those of the library, and those of a file, whose own count in their place: `(x - y) * (x - y)`, `x * x`."""
    own = {function.name for function in functions}
    found = Symmetric(_EVEN - own, frozenset())
    for function in functions:
        names = [Name(param, param.type, function.span) for param in function.params]
        is_changed = written_names(function.body) & {name.symbol.name for name in names}
        if is_changed or not all(_has_signs(name.type) for name in names):
            continue
        comparison = _Comparison(None, found)
        body = (function.body,)
        match names:
            case [one]:
                comparison.signs[one.symbol.name] = -1
                if comparison.agree(body, body):
                    found = replace(found, even=found.even | {function.name})
            case [one, other] if one.type == other.type:
                turned = Renaming({}, {one.symbol.name: other, other.symbol.name: one})
                if comparison.agree(body, (turned.node(function.body),)):
                    found = replace(found, either_order=found.either_order | {function.name})
    return found


class _Halves:
    """Rewrites the statements of a region."""

    def __init__(self, taken: set[str], functions: Symmetric) -> None:
        self.taken, self.functions = taken, functions

    def block(self, block: Block) -> Block:
        """The block with what takes the place of such nests."""
        items: list[Stmt] = []
        for item in block.items:
            joined = _joined(items[-1], item) if items else None
            halved = self.halved(joined, Block((items[-1], item), item.span)) if joined is not None else None
            if halved is not None:
                items[-1] = halved
            else:
                items.append(self.statement(item))
        return replace(block, items=tuple(items))

    def statement(self, stmt: Stmt) -> Stmt:
        """The statement, or what takes its place."""
        halved = self.halved(stmt, stmt)
        if halved is not None:
            return halved
        match stmt:
            case Block():
                return self.block(stmt)
            case For() | While():
                return replace(stmt, body=self.statement(stmt.body))
            case If():
                otherwise = None if stmt.otherwise is None else self.statement(stmt.otherwise)
                return replace(stmt, then=self.statement(stmt.then), otherwise=otherwise)
        return stmt

    def halved(self, stmt: Stmt, before: Stmt) -> Stmt | None:
        """The nest over half of its points where these take long, else `before`; None where it is not symmetric."""
        square = _square(stmt)
        takes_long = _takes_long(square) if square is not None else None
        if square is None or takes_long is None:
            return None
        result = _result(square)
        if result is None:
            return None
        i, j = (Name(loop.iterator, loop.iterator.type, loop.span) for loop in (square.outer, square.inner))
        turned = Renaming({}, {i.symbol.name: j, j.symbol.name: i})
        comparison = _Comparison((result, turned.node(result)), self.functions)
        if not comparison.agree(square.body.items, tuple(map(turned.node, square.body.items))):
            return None
        inner = replace(square.inner, relation="<=", bound=i, body=self._stored_twice(square, result, turned))
        nest = replace(square.outer, body=inner)
        if takes_long is TRUE:
            return nest
        declared = [each.symbol for each in walk(square.outer) if isinstance(each, Declare)]
        declared += [each.iterator for each in walk(square.outer) if isinstance(each, For) and each.declares]
        own = Renaming({symbol.name: renamed(symbol, self.taken) for symbol in declared}, {})
        return If(takes_long, own.node(nest), before, stmt.span)

    def _stored_twice(self, square: _Square, result: Index, turned: Renaming) -> Block:
        """What a point does, to a local in place of its element, which is stored where it is and where its twin is."""
        array = root(result)
        assert array is not None
        spelling, span = array.symbol.spelling, square.body.items[-1].span
        symbol = Symbol(fresh_name(spelling, self.taken), spelling, result.type, "local", span)
        local = Name(symbol, result.type, span)

        def kept(part: Node) -> Expr | None:
            return local if isinstance(part, Index) and same(part, result) else None

        items = (replaced(item, kept) for item in square.body.items)
        stores = (Assign(result, local, span), Assign(turned.node(result), local, span))
        return replace(square.body, items=(Declare(symbol, None, span), *items, *stores))


# ---- the nest ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Square:
    """Two loops over the same numbers, one directly inside of the other, and what they do."""

    outer: For
    inner: For
    body: Block


def _square(stmt: Stmt | None) -> _Square | None:
    """The loops of a statement that is such a nest."""
    outer = _only(stmt)
    inner = _only(outer.body) if isinstance(outer, For) else None
    if not isinstance(outer, For) or not isinstance(inner, For) or not (_counts(outer) and _counts(inner)):
        return None
    i, j = outer.iterator, inner.iterator
    if not _go_alike(outer, inner) or {i.name, j.name} & names_in(inner.lower, inner.bound):
        return None
    low, high = integer_value(inner.lower), integer_value(inner.bound)
    if low is not None and high is not None and high - low < LEAST_SIDE:
        return None
    changed = written_names(inner.body)
    if changed & {i.name, j.name, *names_in(inner.lower, inner.bound)}:
        return None
    return _Square(outer, inner, as_block(inner.body))


def _counts(loop: For) -> bool:
    """Whether a loop goes upwards one by one, and no clause says what it reduces."""
    return loop.step == 1 and loop.relation in ("<", "<=") and loop.factor is None and not loop.reductions


def _go_alike(one: For, other: For) -> bool:
    """Whether two loops go through the same values."""
    is_same = one.relation == other.relation and same(one.lower, other.lower) and same(one.bound, other.bound)
    return is_same and one.iterator.type == other.iterator.type


def _only(stmt: Stmt | None) -> Stmt | None:
    """The statement alone in blocks."""
    while isinstance(stmt, Block):
        stmt = stmt.items[0] if len(stmt.items) == 1 else None
    return stmt


def _result(square: _Square) -> Index | None:
    """The only element of memory that a point sets, and sets before it reads it: `c[i][j]`, or `c[i * n + j]`."""
    declared = {each.symbol.name for each in walk(square.body) if isinstance(each, Declare)}
    found: list[Index] = []
    for each in walk(square.body):
        match each:
            case Assign(target=target) | ReductionInit(variable=target) | ReductionUpdate(variable=target):
                if isinstance(target, Index):
                    found.append(target)
                elif not isinstance(target, Name):
                    return None
            case _ if _is_other(each):
                return None
    if not found or any(not same(each, found[0]) for each in found):
        return None
    result, array = found[0], base_of(found[0])
    if not isinstance(array, Name) or array.symbol.name in declared or not _is_place(result, square):
        return None
    scalars = written_names(square.body) - declared - {array.symbol.name}
    own = _own_names(square)
    if not all(_is_set_first(square.body.items, name, own) for name in (array.symbol.name, *scalars)):
        return None
    # A loop may have no iterations, which leaves the element as it was.
    first = next(each for each in square.body.items if array.symbol.name in names_in(each))
    if isinstance(first, For):
        return None
    others = (each for each in walk(square.body) if isinstance(each, Name) and each.symbol.name == array.symbol.name)
    inside = sum(1 for each in walk(square.body) if isinstance(each, Index) and same(each, result))
    return result if sum(1 for _ in others) == inside else None


def _is_other(node: Node) -> bool:
    """Whether a node is a statement of another kind than points of such nests have, or a call that may do more than
    give a value.
    """
    if isinstance(node, Call):
        return may_write(node)
    return isinstance(node, CallStmt | While | Jump | Return | Assume | Kill | AddressOf | Dereference | Initializer)


def _is_place(result: Index, square: _Square) -> bool:
    """Whether the points set elements that differ: each counter has a subscript, or both are those of a square."""
    i, j = square.outer.iterator, square.inner.iterator
    counters = {i.name, j.name}
    own = written_names(square.body) | {each.symbol.name for each in walk(square.body) if isinstance(each, Declare)}
    if own & names_in(*subscripts_in(result)):
        return False
    uses = [without_conversions(each) for each in subscripts_in(result) if counters & names_in(each)]
    named = [counters & names_in(each) for each in uses]
    if sorted(map(sorted, named)) == [[name] for name in sorted(counters)]:
        of_i, of_j = uses if named[0] == {i.name} else reversed(uses)
        turned = Renaming({}, {i.name: Name(j, j.type, square.outer.span)})
        return coefficient(of_i, i.name) in (1, -1) and same(turned.node(of_i), of_j)
    if len(uses) != 1 or square.inner.relation != "<" or integer_value(square.inner.lower) != 0:
        return False
    orders = ((i.name, j.name), (j.name, i.name))
    return any(_is_line(uses[0], row, column, square.inner.bound) for row, column in orders)


def _is_line(place: Expr, row: str, column: str, length: Expr) -> bool:
    """Whether a subscript is `row * length + column`."""
    match without_conversions(place):
        case Binary(op="+", left=left, right=right):
            for product, rest in ((left, right), (right, left)):
                match without_conversions(product), without_conversions(rest):
                    case Binary(op="*", left=one, right=other), Name(symbol=symbol) if symbol.name == column:
                        for factor, size in ((one, other), (other, one)):
                            inner = without_conversions(factor)
                            if isinstance(inner, Name) and inner.symbol.name == row and same(size, length):
                                return True
    return False


def _own_names(square: _Square) -> set[str]:
    """The variables that a point may find or leave with another value than others do."""
    declared = {each.symbol.name for each in walk(square.body) if isinstance(each, Declare)}
    return {square.outer.iterator.name, square.inner.iterator.name} | written_names(square.body) | declared


def _is_set_first(items: Seq[Stmt], name: str, own: set[str]) -> bool:
    """Whether the first statement that names a variable sets it, whatever it was before, or does not at any point:
    where it is in a loop, this has as many iterations at all of them.  `own`: what may differ from point to point.
    """
    for item in items:
        if name not in names_in(item):
            continue
        match item:
            case Assign(target=target, value=value):
                return name not in names_in(value, *subscripts_in(target)) and _variable(target) == name
            case ReductionInit(variable=target):
                return name not in names_in(*subscripts_in(target)) and _variable(target) == name
            case For(iterator=iterator, lower=lower) if iterator.name == name:
                return name not in names_in(lower)
            case For(lower=lower, bound=bound, body=body):
                is_alike = not own & names_in(lower, bound) and not _reads_memory(lower, bound)
                return is_alike and _is_set_first(as_block(body).items, name, own)
        return False
    return False


def _reads_memory(*values: Expr) -> bool:
    """Whether data decide a value."""
    return any(isinstance(node, Index | Call) for value in values for node in walk(value))


def _variable(target: Expr) -> str | None:
    """The variable that is set, or has the element that is."""
    found = root(target)
    return found.symbol.name if found is not None else None


def _takes_long(square: _Square) -> Expr | None:
    """Where a loop of each point has many iterations: TRUE, or a condition on sizes; None if none has."""
    own = _own_names(square)
    for each in square.body.items:
        if not isinstance(each, For) or each.step != 1 or each.relation not in ("<", "<="):
            continue
        low, high = integer_value(each.lower), integer_value(each.bound)
        # Next to an unsigned bound a negative number is a large one.
        if low is None or low < 0 or own & names_in(each.bound) or _reads_memory(each.bound):
            continue
        if high is None:
            return binary(">=", each.bound, number(LEAST_TRIPS + low))
        if high - low >= LEAST_TRIPS:
            return TRUE
    return None


# ---- several nests -----------------------------------------------------------------------------------


def _joined(before: Stmt, stmt: Stmt) -> Stmt | None:
    """One nest of two: one that sets the elements of a square, and one behind it that goes on with each of them."""
    first, second = _square(before), _square(_turned(stmt))
    if first is None or second is None or not isinstance(_only(first.body), Assign | ReductionInit):
        return None
    if not _go_alike(first.outer, second.outer) or not all(
        old.declares or old.iterator == new.iterator
        for old, new in ((first.outer, second.outer), (first.inner, second.inner))
    ):
        return None
    names = {
        old.iterator.name: new.iterator
        for old, new in ((first.outer, second.outer), (first.inner, second.inner))
    }  # fmt: skip
    # What the first nest reads under the name of a counter of the second is no counter there.
    if {new.name for new in names.values()} - names.keys() & names_in(first.body):
        return None
    begun = Renaming(names, {}).node(first.body)
    (begins,) = begun.items if isinstance(begun, Block) else (begun,)
    match begins:
        case Assign(target=target) | ReductionInit(variable=target):
            array = _variable(target)
        case _:
            return None
    if array is None or written_names(second.body) != {array}:
        return None
    body = replace(second.body, items=(begins, *second.body.items))
    return replace(second.outer, body=replace(second.inner, body=body))


def _turned(stmt: Stmt) -> Stmt:
    """`for (k) for (i) for (j) c[i][j] += …` with the loop over `k` inside: each element takes its values in turn."""
    loop = _only(stmt)
    square = _square(loop.body) if isinstance(loop, For) else None
    if not isinstance(loop, For) or square is None or not loop.declares or loop.factor is not None or loop.reductions:
        return stmt
    counters = {square.outer.iterator.name, square.inner.iterator.name}
    if counters & names_in(loop.lower, loop.bound):
        return stmt
    update = _only(square.body)
    match update:
        case Assign(target=target) if update.compound:
            array = _variable(target)
        case ReductionUpdate(variable=target):
            array = _variable(target)
        case _:
            return stmt
    of_place = names_in(*subscripts_in(target), square.inner.lower, square.inner.bound)
    if array is None or written_names(update) != {array} or loop.iterator.name in of_place:
        return stmt
    if array in names_in(loop.lower, loop.bound):
        return stmt
    inner = replace(square.inner, body=Block((replace(loop, body=update),), loop.span))
    return replace(square.outer, body=inner)


# ---- whether two points do the same ------------------------------------------------------------------


class _Comparison:
    """Compares the statements of a point with those of the point `(j, i)`, or of a function with its arguments in the
    other order, one by one.

    `result`: the element here and there, which are the same; `functions`: what is known of those that are called;
    `signs`: for each local what its value there is, 1 the same, -1 the negative of the one here (or both are zero), 0
    another one.
    """

    def __init__(self, result: tuple[Index, Index] | None, functions: Symmetric) -> None:
        self.result, self.functions = result, functions
        self.signs: dict[str, int] = {}

    def agree(self, ones: Seq[Stmt], others: Seq[Stmt]) -> bool:
        """Whether statements leave the same result, but for the signs of locals."""
        return len(ones) == len(others) and all(self._agrees(*pair) for pair in zip(ones, others, strict=True))

    def _agrees(self, one: Stmt, other: Stmt) -> bool:
        match one, other:
            case Block(items=ones), Block(items=others):
                return self.agree(ones, others)
            case For(), For():
                if self.sign(one.lower, other.lower) != 1 or self.sign(one.bound, other.bound) != 1:
                    return False
                is_counter = one.iterator == other.iterator and self.signs.get(one.iterator.name, 1) == 1
                return is_counter and self._keeps(one.body, other.body)
            case If(), If():
                if self.sign(one.condition, other.condition) != 1 or not self._keeps(one.then, other.then):
                    return False
                if one.otherwise is None or other.otherwise is None:
                    return one.otherwise is other.otherwise
                return self._keeps(one.otherwise, other.otherwise)
        return self._sets_alike(one, other)

    def _keeps(self, one: Stmt, other: Stmt) -> bool:
        """Whether what may be done several times, or not at all, agrees, and leaves what locals mean as it is."""
        before = self.signs.copy()
        if not self._agrees(one, other) or any(self.signs[name] != sign for name, sign in before.items()):
            return False
        self.signs |= dict.fromkeys(self.signs.keys() - before, 0)
        return True

    def _sets_alike(self, one: Stmt, other: Stmt) -> bool:
        match one, other:
            case Declare(symbol=symbol, init=None), Declare(init=None):
                return isinstance(symbol.type, Scalar) and self._set(symbol.name, 1)
            case Declare(symbol=symbol, init=init), Declare(init=its) if init is not None and its is not None:
                return isinstance(symbol.type, Scalar) and self._set(symbol.name, self.sign(init, its))
            case Assign(target=Name(symbol=symbol), value=value), Assign(target=Name(symbol=twin), value=its):
                return symbol.name == twin.name and self._set(symbol.name, self.sign(value, its))
            case Assign(value=value), Assign(value=its):
                return self.sign(value, its) == 1
            case ReductionInit(variable=Name(symbol=symbol)), ReductionInit():
                return self._set(symbol.name, 1)
            case ReductionInit(), ReductionInit():
                return True
            case ReductionUpdate(variable=target, element=value), ReductionUpdate(element=its):
                is_kept = not isinstance(target, Name) or self.signs.get(target.symbol.name, 1) == 1
                return is_kept and self.sign(value, its) == 1
            case Return(value=value), Return(value=its) if value is not None and its is not None:
                return self.sign(value, its) == 1
        return False

    def _set(self, name: str, sign: int) -> bool:
        if sign:
            self.signs[name] = sign
        return sign != 0

    def sign(self, one: Expr, other: Expr) -> int:
        """1 where the second expression has the value of the first one, -1 where it has its negative, else 0."""
        if self.result is not None and same(one, self.result[0]) and same(other, self.result[1]):
            return 1
        match one, other:
            case Name(symbol=symbol), Name(symbol=its):
                return self.signs.get(symbol.name, 1) if symbol.name == its.name else 0
            case ((IntLiteral() | FloatLiteral()), _):
                return int(same(one, other))
            case Cast(operand=operand), Cast(operand=its) if one.type == other.type:
                sign = self.sign(operand, its)
                return sign if sign > 0 or _keeps_signs(operand.type, one.type) else 0
            case Unary(op=op, operand=operand), Unary(op=its_op, operand=its) if op == its_op:
                sign = self.sign(operand, its)
                return sign if sign > 0 or (op == "-" and _has_signs(one.type)) else 0
            case Binary(), Binary() if one.op == other.op:
                return self._of_two(one, other)
            case Ternary(), Ternary():
                parts = ((one.condition, other.condition), (one.then, other.then), (one.otherwise, other.otherwise))
                return int(all(self.sign(*part) == 1 for part in parts))
            case Index(), Index():
                return int(self.sign(one.base, other.base) == 1 and self.sign(one.index, other.index) == 1)
            case MemberOf(), MemberOf() if one.member == other.member:
                return int(self.sign(one.base, other.base) == 1)
            case Call(), Call() if one.function == other.function and len(one.arguments) == len(other.arguments):
                return int(self._gives_the_same(one, other))
        return 0

    def _gives_the_same(self, one: Call, other: Call) -> bool:
        signs = [self.sign(*pair) for pair in zip(one.arguments, other.arguments, strict=True)]
        if one.function in self.functions.even and _has_signs(one.arguments[0].type):
            return signs[0] != 0
        if one.function in self.functions.either_order and signs != [1, 1]:
            signs = [self.sign(*pair) for pair in zip(one.arguments, reversed(other.arguments), strict=True)]
        return all(sign == 1 for sign in signs)

    def _of_two(self, one: Binary, other: Binary) -> int:
        """The sign of an operation on two values, in either order where that makes no difference."""
        straight = self.sign(one.left, other.left), self.sign(one.right, other.right)
        if straight == (1, 1):
            return 1
        crossed = self.sign(one.left, other.right), self.sign(one.right, other.left)
        has_signs = _has_signs(one.type)
        match one.op:
            case "*":
                # Of two differences one may be zero, whose sign is then that of the other.
                is_square = straight == (-1, -1) and has_signs and same(one.left, one.right)
                return int(crossed == (1, 1) or is_square)
            case "/" if straight[1] == 1 and isinstance(one.type, Scalar) and one.type.kind == "float":
                # What divides may be zero, which has no other sign there.
                return straight[0]
            case "+":
                if crossed == (1, 1):
                    return 1
                return -1 if has_signs and (-1, -1) in (straight, crossed) else 0
            case "-" if has_signs:
                if straight == (-1, -1):
                    return -1
                # Zeros may differ in sign: what is `a - b` here and `-b - -a` there is the same but for these.
                return -1 if crossed == (1, 1) else 0
            case "==" | "!=" | "&" | "|" | "^" | "&&" | "||":
                return int(crossed == (1, 1))
        return 0


def _keeps_signs(source: CType, target: CType) -> bool:
    """Whether the negative of any value is converted to the negative of what the value is converted to."""
    if not _has_signs(source) or not _has_signs(target):
        return False
    is_float = isinstance(target, Scalar) and target.kind == "float"
    return is_float or (isinstance(source, Scalar) and source.kind == "int" and target.size >= source.size)


def _has_signs(ctype: CType) -> bool:
    """Whether values of a type have negatives: floats, and integers that do not wrap."""
    return isinstance(ctype, Scalar) and ctype.kind in ("float", "int")
