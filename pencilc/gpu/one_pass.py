"""One walk over the elements where the program has two: a reduction, and a sum that is shifted by its result.

    [i P]{ [j R]{S3}; M0 }  [i P]{ [j R]{S5}; M1 }        S5: sum += expf(x[i][j] - max)
        -> [i P]{ [j R]{S3, S5'}; M0; M1' }

S5' accumulates what gives the sum for any shift (gpu/shifts.py), and M1' takes the shift that M0 has left.  The kernels
that stand for a stitched one are joined so, for rows that do not fit on the chip: softmax reads these twice, not three
times.  What the second walk makes for later elements besides is made by them; what only the sum needed, by nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Seq
from dataclasses import dataclass, replace
from functools import partial

import islpy as isl

from pencilc import islx
from pencilc.gpu.affinity import subscripts
from pencilc.gpu.box import Domains, at_rows, image
from pencilc.gpu.families import Pairs
from pencilc.gpu.kernels import Part, part_statements
from pencilc.gpu.shifts import Match, matched
from pencilc.ir.ctypes import Array as ArrayType
from pencilc.ir.ctypes import Scalar
from pencilc.ir.rewrite import Renaming, replaced
from pencilc.ir.schedule import Leaf, Row, Sequence, Tree, statements_of
from pencilc.ir.scop import Access, AccessKind, Reduction, Scop, Scope, Shifted, Statement
from pencilc.ir.source import (
    Assign,
    Binary,
    Call,
    Cast,
    Expr,
    Index,
    IntLiteral,
    Name,
    Node,
    ReductionUpdate,
    Stmt,
    walk,
)


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """Parts that run one after the other, and the model with what their joined walks need.

    `numbers`: which of the parts each was at first, before others joined it.  `dropped`: statements whose values nobody
    needs any longer.
    """

    scop: Scop
    domains: Domains
    parts: tuple[Part, ...]
    numbers: tuple[int, ...]
    dropped: tuple[str, ...] = ()


class NotJoined(Exception):
    """Two walks stay two."""


def joined(done: Joined, pairs: Pairs) -> Joined:
    """The parts of a stitched kernel with every shifted sum in the walk before it, where that is possible.

    `pairs`: the dependences of the region.
    """
    position = 0
    while position + 1 < len(done.parts):
        try:
            done = _Pair(done, position, pairs).joined()
        except NotJoined:
            position += 1
    return done


@dataclass(frozen=True, slots=True, eq=False)
class _Sum:
    """A shifted sum with its own statements; `names` are those that they stand for."""

    reduction: Reduction
    update: Statement
    merge: Statement
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class _Element:
    """The element of a sum in the iterators of its update, temporaries of the walk inlined, and what it reads.

    `guards`: the conditions under which it counts, likewise.
    """

    expr: Expr
    guards: tuple[Expr, ...]
    reads: tuple[Access, ...]


class _Pair:
    """The part at `position` and the one behind it."""

    def __init__(self, done: Joined, position: int, pairs: Pairs) -> None:
        self.done, self.scop, self.domains, self.pairs = done, done.scop, done.domains, pairs
        self.position, (self.first, self.second) = position, done.parts[position : position + 2]
        self.later = done.parts[position + 2 :]
        self.inside = statements_of(self.second.body)
        # What is written once the elements of the first walk are done.  What the second one makes of its elements is
        # made later still, by later parts.
        rows = (*self.first.post, *self.second.prologue, *self.second.post)
        self.late = self._written(rows)
        self.early = self._written(statements_of(self.first.body)) - self.late

    def joined(self) -> Joined:
        """The parts with the two as one; raises NotJoined."""
        self._check()
        sums = [self._sum(r) for r in self.scop.reductions if set(r.updates) & set(self.inside)]
        updates = {name for s in sums for name in s.names}
        kept, dropped = self._others([name for name in self.inside if name not in updates])
        scop, domains = self._extended(sums)
        names = {old: new for s in sums for old, new in s.names.items()}
        post = (*self.first.post, *self.second.prologue, *(names.get(name, name) for name in self.second.post))
        body = _behind(self.first.body, tuple(Leaf(s.update.name) for s in sums))
        host, kept_rows, reduced = (self._rows(role, names) for role in ("host", "kept", "reduced"))
        part = Part(host, kept_rows, reduced, body, self.first.prologue, post)
        later = self._with(kept)
        parts = (*self.done.parts[: self.position], part, *later)
        numbers = tuple(n for k, n in enumerate(self.done.numbers) if k != self.position + 1)
        return Joined(scop, domains, parts, numbers, (*self.done.dropped, *dropped))

    def _check(self) -> None:
        """Whether both parts walk over the same elements."""
        first, second = self.first, self.second
        same = len(first.kept) == len(second.kept) and len(first.reduced) == len(second.reduced)
        if not (same and first.reduced and _is_flat(second.body)):
            raise NotJoined
        if first.indirect or second.indirect or any(self.scop.statement(s).is_ragged for s in self.inside):
            raise NotJoined
        points = (
            image(self.domains, (*part.kept, *part.reduced), statements_of(part.body)) for part in (first, second)
        )
        if not next(points).is_equal(next(points)):
            raise NotJoined

    # ---- the sums ----------------------------------------------------------------------------------

    def _sum(self, reduction: Reduction) -> _Sum:
        """The sum as one for any shift."""
        is_floating = reduction.sum_type is not None and reduction.operator.wide is None
        if (
            len(reduction.updates) != 1
            or not is_floating
            or reduction.shifted
            or reduction.merge not in self.second.post
        ):
            raise NotJoined
        update, merge = self.scop.statement(reduction.updates[0]), self.scop.statement(reduction.merge)
        if not isinstance(update.body, ReductionUpdate):
            raise NotJoined
        element = self._inlined(update, _Element(update.body.element, update.guards, _reads(update)))
        late = {self._symbol(a) for a in element.reads if self._is_late(update, a, element.reads)}

        def is_late(expr: Expr) -> bool:
            return bool(_names(expr) & late)

        match = matched(element.expr, reduction.element_type, is_late)
        before = self.second.post[: self.second.post.index(merge.name)]
        if match is None or any(is_late(guard) for guard in element.guards):
            raise NotJoined
        if _names(match.shift) & self._written(before):
            raise NotJoined
        (to_merge,) = islx.maps_of(reduction.r2m)
        shift = self._shift(match, update, merge, to_merge)
        names = {name: f"{name}_shifted" for name in (update.name, merge.name)}
        reduction = replace(
            reduction,
            name=f"{reduction.name}_shifted",
            updates=(names[update.name],),
            merge=names[merge.name],
            i2r=_renamed(reduction.i2r, names),
            r2m=_renamed(reduction.r2m, names),
            i2m=_renamed(reduction.i2m, names),
            shifted=Shifted(match.function, shift, reduction.name),
        )
        own = [a for a in element.reads if self._symbol(a) not in late]
        own += [a for a in update.accesses if a.kind is not AccessKind.READ]
        terms = tuple(_explicit(term) for term in (match.value, match.weight) if term is not None)
        call = Call(match.function, terms, reduction.element_type, update.body.element.span)
        shifted_update = _as(update, names, replace(update.body, element=call), own)
        shifted_update = replace(shifted_update, guards=element.guards)
        taken = [a for a in element.reads if self._symbol(a) in late]
        taken = [replace(a, relation=a.relation.apply_domain(to_merge)) for a in taken]
        shifted_merge = _as(merge, names, merge.body, [*merge.accesses, *taken])
        return _Sum(reduction, shifted_update, shifted_merge, names)

    def _shift(self, match: Match, update: Statement, merge: Statement, to_merge: isl.Map) -> Expr:
        """The shift in terms of the iterators of the merge node; raises NotJoined if it is another for each element."""
        iterators = [it.name for it in update.iterators]
        of_row = {
            iterators[k]: Name(merge.iterators[n], merge.iterators[n].type, merge.span)
            for n, k in _equal_positions(to_merge).items()
        }
        made = self._written(self.inside) - self._written(self.second.post)
        for node in walk(match.shift):
            if isinstance(node, Name) and (
                (node.symbol.name in iterators and node.symbol.name not in of_row) or node.symbol.name in made
            ):
                raise NotJoined
            # For a row without elements, what nobody has written yet need not be there, and divisors may be zero.
            if isinstance(node, Name) and isinstance(node.type, ArrayType) and node.symbol.name not in self.late:
                raise NotJoined
            if isinstance(node, Binary) and node.op in "/%" and not _is_safe(node):
                raise NotJoined
        shift: Expr = Renaming({}, of_row).node(_explicit(match.shift))
        return shift

    # ---- what elements read ------------------------------------------------------------------------

    def _inlined(self, record: Statement, element: _Element) -> _Element:
        """The element with what the walk has computed for it in its place, from the last statement to the first."""
        for name in reversed(self.inside[: self.inside.index(record.name)]):
            writer = self.scop.statement(name)
            used = [a for a in element.reads if self._symbol(a) in self._written((name,))]
            if not used:
                continue
            if not isinstance(writer.body, Assign) or not isinstance(writer.body.target, Name | Index):
                raise NotJoined
            if not self._is_certain(writer) or not all(self._meets(writer, record, a) for a in used):
                raise NotJoined
            renaming = self._as_in(writer, record)
            value, symbol = renaming.node(_explicit(writer.body.value)), self._symbol(used[0])
            inline = partial(_value_for, symbol, value)
            expr, guards = replaced(element.expr, inline), tuple(replaced(g, inline) for g in element.guards)
            through = self._between(writer, record)
            reads = (replace(a, relation=a.relation.apply_domain(through)) for a in _reads(writer))
            element = _Element(expr, guards, (*(a for a in element.reads if a not in used), *reads))
        return element

    def _is_certain(self, writer: Statement) -> bool:
        """Whether a statement of the second walk certainly makes one element of one array that it alone makes."""
        writes = [a for a in writer.accesses if a.kind.writes]
        rows = self._written((*self.second.prologue, *self.second.post))
        return (
            len(writes) == 1 and writes[0].kind is AccessKind.MUST_WRITE and not writer.guards
            and self._symbol(writes[0]) not in rows
        )  # fmt: skip

    def _meets(self, writer: Statement, reader: Statement, read: Access) -> bool:
        """Whether what is read was written at the same point, and nowhere else."""
        written = next(a for a in writer.accesses if a.kind.writes)
        made = written.relation.intersect_domain(self.domains[writer.name]).apply_domain(self._points(writer.name))
        used = read.relation.intersect_domain(self.domains[reader.name]).apply_domain(self._points(reader.name))
        exact = written.exact and read.exact and not read.member_path and not written.member_path
        return bool(exact and written.array == read.array and made.is_injective() and used.is_subset(made))

    def _points(self, name: str) -> isl.Map:
        """{ S[i] -> [t] }: the values of the rows of its part."""
        part = self.second if name in self.inside else self.first
        return at_rows(self.domains[name], (*part.host, *part.kept, *part.reduced), name)

    def _between(self, writer: Statement, reader: Statement) -> isl.Map:
        """{ S[i] -> T[j] } at the same point."""
        return self._points(writer.name).apply_range(self._points(reader.name).reverse())

    def _as_in(self, writer: Statement, reader: Statement) -> Renaming:
        """The iterators of the writer as those of the reader at the same point."""
        equal = _equal_positions(self._between(writer, reader).reverse())
        if len(equal) != len(writer.iterators):
            raise NotJoined
        names = [Name(reader.iterators[equal[n]], reader.iterators[equal[n]].type, reader.span) for n in sorted(equal)]
        return Renaming({}, {it.name: name for it, name in zip(writer.iterators, names, strict=True)})

    def _is_late(self, reader: Statement, read: Access, reads: Seq[Access]) -> bool:
        """Whether what is read is written behind the first walk, or in it at another point."""
        symbol = self._symbol(read)
        if symbol not in self.early:
            return symbol in self.late
        writers = [self.scop.statement(s) for s in statements_of(self.first.body) if symbol in self._written((s,))]
        used = [a for a in reads if self._symbol(a) == symbol]
        return len(writers) != 1 or not all(self._meets(writers[0], reader, a) for a in used)

    def _written(self, statements: Seq[str]) -> set[str]:
        """The symbols of what the statements may write."""
        accesses = (a for s in statements for a in self.scop.statement(s).accesses if a.kind.writes)
        return {self._symbol(a) for a in accesses}

    def _symbol(self, access: Access) -> str:
        return self.scop.array(access.array).symbol.name

    # ---- what else the second walk does ------------------------------------------------------------

    def _others(self, names: Seq[str]) -> tuple[dict[int, list[str]], tuple[str, ...]]:
        """Where its other statements go: (by number of the later part, those that nobody needs); raises NotJoined."""
        homes: dict[str, int] = {}
        for name in reversed(names):
            if self._is_needed(name, homes):
                homes[name] = self._home(name, homes)
                self._check_move(name, homes[name])
        kept = {number: [name for name in names if homes.get(name) == number] for number in homes.values()}
        return kept, tuple(name for name in names if name not in homes)

    def _is_needed(self, name: str, kept: Mapping[str, int]) -> bool:
        """Whether anybody but the sums reads what the statement writes; `kept` are those behind it that are needed."""
        arrays = {a.array for a in self.scop.statement(name).accesses if a.kind.writes}
        if any(self.scop.array(array).scope is not Scope.LOCAL for array in arrays):
            return True
        readers = (s for s in self.scop.statements if s.name not in self.inside or s.name in kept)
        return any(a.array in arrays for s in readers for a in _reads(s))

    def _home(self, name: str, kept: Mapping[str, int]) -> int:
        """The first later part over the same elements that reads what the statement writes, else the first of all.

        It is no later than that of a statement in `kept` which has to run behind this one.
        """
        rows = len(self.second.kept) + len(self.second.reduced)
        numbers = [k for k, part in enumerate(self.later) if len(part.kept) + len(part.reduced) == rows]
        reading = [k for k in numbers if self._read(part_statements(self.later[k])) & self._written((name,))]
        reading += [kept[sink] for source, sink, _ in self.pairs if source == name and sink in kept]
        if not numbers:
            raise NotJoined
        return min(reading or numbers)

    def _read(self, statements: Seq[str]) -> set[str]:
        return {self._symbol(a) for s in statements for a in _reads(self.scop.statement(s))}

    def _check_move(self, name: str, number: int) -> None:
        """Whether the statement may wait for the elements of a later part; raises NotJoined."""
        target = self.later[number]
        between = {s for part in self.later[:number] for s in part_statements(part)}
        between |= {*self.second.post, *target.prologue}
        rows = (*target.kept, *target.reduced)
        mine = (*self.second.kept, *self.second.reduced)
        inside = statements_of(target.body)
        if not image(self.domains, mine, (name,)).is_equal(image(self.domains, rows, inside)):
            raise NotJoined
        for source, sink, pair in self.pairs:
            if source == name and sink in between:
                raise NotJoined
            if source == name and sink in inside:
                left, right = at_rows(self.domains[source], mine, source), at_rows(self.domains[sink], rows, sink)
                together = left.apply_range(right.reverse())
                if (
                    not pair.intersect_domain(self.domains[source])
                    .intersect_range(self.domains[sink])
                    .is_subset(together)
                ):
                    raise NotJoined

    # ---- the parts ---------------------------------------------------------------------------------

    def _rows(self, role: str, names: Mapping[str, str]) -> tuple[Row, ...]:
        """The rows of both parts as one each, on the new statements as well."""
        pairs = zip(getattr(self.first, role), getattr(self.second, role), strict=True)
        return tuple(with_functions(one, other, names) for one, other in pairs)

    def _with(self, moved: Mapping[int, Seq[str]]) -> tuple[Part, ...]:
        """The later parts, some with statements of the second walk before their own."""
        found = []
        for number, part in enumerate(self.later):
            names = moved.get(number, ())
            if names:
                assert part.body is not None
                mine = (*self.second.kept, *self.second.reduced)
                own = {name: name for name in names}
                rows = [with_functions(row, m, own) for row, m in zip((*part.kept, *part.reduced), mine, strict=True)]
                body = Sequence((*(Leaf(name) for name in names), *_children(part.body)))
                count = len(part.kept)
                part = replace(part, kept=tuple(rows[:count]), reduced=tuple(rows[count:]), body=body)
            found.append(part)
        return tuple(found)

    def _extended(self, sums: Seq[_Sum]) -> tuple[Scop, Domains]:
        """The model with the shifted sums."""
        new = [record for s in sums for record in (s.update, s.merge)]
        domains = {n: islx.named(self.domains[o], n) for s in sums for o, n in s.names.items()}
        reductions = (*self.scop.reductions, *(s.reduction for s in sums))
        scop = replace(self.scop, statements=(*self.scop.statements, *new), reductions=reductions)
        return scop, {**self.domains, **domains}


def _names(expr: Expr) -> set[str]:
    """The symbols of all variables in an expression."""
    return {node.symbol.name for node in walk(expr) if isinstance(node, Name)}


def _reads(record: Statement) -> tuple[Access, ...]:
    return tuple(a for a in record.accesses if a.kind is AccessKind.READ)


def _is_safe(division: Binary) -> bool:
    """Whether the division can be done with any values."""
    is_integer = isinstance(division.type, Scalar) and division.type.is_integer
    return not is_integer or (isinstance(division.right, IntLiteral) and division.right.value > 0)


def _explicit(expr: Expr) -> Expr:
    """The expression with the conversion that the place it had has made of it, for another place."""
    return replace(expr, implicit=False) if isinstance(expr, Cast) else expr


def _value_for(symbol: str, value: Expr, node: Node) -> Expr | None:
    """The value where the node reads the variable."""
    base = subscripts(node)[0] if isinstance(node, Index) else node
    return value if isinstance(base, Name) and base.symbol.name == symbol else None


def _equal_positions(relation: isl.Map) -> dict[int, int]:
    """For { S[i] -> T[j] } the dimensions of T that equal one of S everywhere: {position in T: position in S}."""
    found: dict[int, int] = {}
    for n in range(relation.dim(isl.dim_type.out)):
        for k in range(relation.dim(isl.dim_type.in_)):
            equal = isl.Map.universe(relation.get_space()).equate(isl.dim_type.in_, k, isl.dim_type.out, n)
            if n not in found and relation.is_subset(equal):
                found[n] = k
    return found


def _renamed(relation: isl.UnionMap, names: Mapping[str, str]) -> isl.UnionMap:
    """The relation with other names of statements."""
    maps = []
    for part in islx.maps_of(relation):
        part = part.set_tuple_name(isl.dim_type.in_, names.get(islx.in_name(part), islx.in_name(part)))
        maps.append(part.set_tuple_name(isl.dim_type.out, names.get(islx.out_name(part), islx.out_name(part))))
    return islx.union_map(maps)


def _as(record: Statement, names: Mapping[str, str], body: Stmt | None, accesses: Seq[Access]) -> Statement:
    """The statement under its new name."""
    name = names[record.name]
    moved = tuple(
        replace(a, ref_id=f"{a.ref_id}_shifted", relation=a.relation.set_tuple_name(isl.dim_type.in_, name))
        for a in accesses
    )
    return replace(record, name=name, domain=islx.named(record.domain, name), body=body, accesses=moved)


def with_functions(row: Row, other: Row, names: Mapping[str, str]) -> Row:
    """`row`, on the statements of `other` as well, those in `names` also by their new names."""
    functions = islx.pw_affs_of(row.function)
    for name, function in islx.pw_affs_of(other.function).items():
        functions.setdefault(name, function)
        if name in names and names[name] != name:
            same = isl.Map.identity(function.domain().get_space().map_from_set())
            renaming = same.set_tuple_name(isl.dim_type.in_, names[name]).as_pw_multi_aff()
            functions[names[name]] = function.pullback_pw_multi_aff(renaming)
    return Row(row.flag, islx.union_pw_aff(functions.values()))


def _children(body: Tree) -> tuple[Tree, ...]:
    return body.children if isinstance(body, Sequence) else (body,)


def _behind(body: Tree | None, leaves: tuple[Leaf, ...]) -> Tree:
    assert body is not None
    return Sequence((*_children(body), *leaves))


def _is_flat(body: Tree | None) -> bool:
    return body is not None and all(isinstance(child, Leaf) for child in _children(body))
