"""A sum over the second of two sweeps as one over the first, for any shift: { S5[i, j] } -> { S5'[i, j] }, { M1'[i] }.

S5' accumulates f(a - m) without m (gpu/variants/shifts.py), M1' takes the shift that the first sweep has left.  What
the second sweep computes for its elements on the way to the sum is inlined.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Seq
from dataclasses import fields, replace
from functools import partial

import islpy as isl

from pencilc import islx
from pencilc.analysis.affinity import base_name
from pencilc.gpu.variants.shifts import Match, matched
from pencilc.gpu.variants.sweeps import NotJoined, SumOfOneSweep, Sweeps, reads_of
from pencilc.ir.queries import names_in
from pencilc.ir.rewrite import Renaming, replaced
from pencilc.ir.scop import Access, AccessKind, Reduction, ShiftedSum, Statement
from pencilc.ir.source import (
    ArrayType,
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
    Scalar,
    Stmt,
    walk,
)
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class _Element:
    """The element of a sum in the iterators of its update, temporaries of the sweep inlined, and what it reads.

    `guards`: the conditions under which it counts, likewise.
    """

    expr: Expr
    guards: tuple[Expr, ...]
    reads: tuple[Access, ...]


def shifted_sum(sweeps: Sweeps, reduction: Reduction) -> SumOfOneSweep:
    """The sum, which the second of the sweeps accumulates, as one for any shift; raises NotJoined."""
    return _Summer(sweeps).sum(reduction)


class _Summer:
    """Makes shifted sums for one pair of sweeps."""

    def __init__(self, sweeps: Sweeps) -> None:
        self.sweeps = sweeps

    def sum(self, reduction: Reduction) -> SumOfOneSweep:
        """The sum as one for any shift."""
        update, merge = self._statements(reduction)
        assert isinstance(update.body, ReductionUpdate)
        element = self._inlined(update, _Element(update.body.element, update.guards, reads_of(update)))
        late = {self.sweeps.symbol(a) for a in element.reads if self.sweeps.is_late(update, a, element.reads)}
        match = self._match(element, reduction, late)
        (to_merge,) = islx.maps_of(reduction.r2m)
        shift = self._shift(match, update, merge, to_merge)
        names = {name: f"{name}_shifted" for name in (update.name, merge.name)}
        own_fields = {field.name: getattr(reduction, field.name) for field in fields(reduction)}
        shifted = ShiftedSum(**own_fields, function=match.function, shift=shift, instead_of=reduction)
        shifted = replace(
            shifted,
            name=f"{reduction.name}_shifted",
            updates=(names[update.name],),
            merge=names[merge.name],
            i2r=_renamed(reduction.i2r, names),
            r2m=_renamed(reduction.r2m, names),
            i2m=_renamed(reduction.i2m, names),
        )
        own = [a for a in element.reads if self.sweeps.symbol(a) not in late]
        own += [a for a in update.accesses if a.kind is not AccessKind.READ]
        terms = tuple(_explicit(term) for term in (match.value, match.weight) if term is not None)
        call = Call(match.function, terms, reduction.element_type, update.body.element.span)
        shifted_update = _as(update, names, replace(update.body, element=call), own)
        shifted_update = replace(shifted_update, guards=element.guards)
        taken = [a for a in element.reads if self.sweeps.symbol(a) in late]
        taken = [replace(a, relation=a.relation.apply_domain(to_merge)) for a in taken]
        shifted_merge = _as(merge, names, merge.body, [*merge.accesses, *taken])
        return SumOfOneSweep(shifted, shifted_update, shifted_merge, names)

    def _statements(self, reduction: Reduction) -> tuple[Statement, Statement]:
        """The update and the merge node of a floating sum that begins and ends with the second sweep."""
        is_floating = reduction.sum_type is not None and reduction.operator.wide is None
        if len(reduction.updates) != 1 or not is_floating or isinstance(reduction, ShiftedSum):
            raise NotJoined
        update = self.sweeps.scop.statement(reduction.updates[0])
        if not isinstance(update.body, ReductionUpdate) or reduction.merge not in self.sweeps.second.post:
            raise NotJoined
        return update, self.sweeps.scop.statement(reduction.merge)

    def _match(self, element: _Element, reduction: Reduction, late: set[str]) -> Match:
        """What the element is if only its shift reads what is `late`, and nobody changes that before the merge node."""

        def is_late(expr: Expr) -> bool:
            return bool(names_in(expr) & late)

        post = self.sweeps.second.post
        match = matched(element.expr, reduction.element_type, is_late)
        if match is None or any(is_late(guard) for guard in element.guards):
            raise NotJoined
        if names_in(match.shift) & self.sweeps.written(post[: post.index(reduction.merge)]):
            raise NotJoined
        return match

    def _shift(self, match: Match, update: Statement, merge: Statement, to_merge: isl.Map) -> Expr:
        """The shift in terms of the iterators of the merge node; raises NotJoined if it is another for each element."""
        iterators = [it.name for it in update.iterators]
        of_row = {
            iterators[k]: Name(merge.iterators[n], merge.iterators[n].type, merge.span)
            for n, k in _equal_positions(to_merge).items()
        }
        made = self.sweeps.written(self.sweeps.inside) - self.sweeps.written(self.sweeps.second.post)
        for node in walk(match.shift):
            if isinstance(node, Name) and (
                (node.symbol.name in iterators and node.symbol.name not in of_row) or node.symbol.name in made
            ):
                raise NotJoined
            # For a row without elements, what nobody has written yet need not be there, and divisors may be zero.
            if isinstance(node, Name) and isinstance(node.type, ArrayType) and node.symbol.name not in self.sweeps.late:
                raise NotJoined
            if isinstance(node, Binary) and node.op in "/%" and not _is_safe(node):
                raise NotJoined
        shift: Expr = Renaming({}, of_row).node(_explicit(match.shift))
        return shift

    def _inlined(self, record: Statement, element: _Element) -> _Element:
        """The element with what the sweep has computed for it in its place, from the last statement to the first."""
        for name in reversed(self.sweeps.inside[: self.sweeps.inside.index(record.name)]):
            writer = self.sweeps.scop.statement(name)
            used = [a for a in element.reads if self.sweeps.symbol(a) in self.sweeps.written((name,))]
            if not used:
                continue
            if not isinstance(writer.body, Assign) or not isinstance(writer.body.target, Name | Index):
                raise NotJoined
            if not self._is_certain(writer) or not all(self.sweeps.meets(writer, record, a) for a in used):
                raise NotJoined
            renaming = self._as_in(writer, record)
            value, symbol = renaming.node(_explicit(writer.body.value)), self.sweeps.symbol(used[0])
            inline = partial(_value_for, symbol, value)
            expr, guards = replaced(element.expr, inline), tuple(replaced(g, inline) for g in element.guards)
            through = self.sweeps.between(writer, record)
            reads = (replace(a, relation=a.relation.apply_domain(through)) for a in reads_of(writer))
            element = _Element(expr, guards, (*(a for a in element.reads if a not in used), *reads))
        return element

    def _is_certain(self, writer: Statement) -> bool:
        """Whether a statement of the second sweep certainly makes one element of one array that it alone makes."""
        writes = [a for a in writer.accesses if a.kind.writes]
        rows = self.sweeps.written((*self.sweeps.second.prologue, *self.sweeps.second.post))
        return (
            len(writes) == 1 and writes[0].kind is AccessKind.MUST_WRITE and not writer.guards
            and self.sweeps.symbol(writes[0]) not in rows
        )  # fmt: skip

    def _as_in(self, writer: Statement, reader: Statement) -> Renaming:
        """The iterators of the writer as those of the reader at the same point."""
        equal = _equal_positions(self.sweeps.between(writer, reader).reverse())
        if len(equal) != len(writer.iterators):
            raise NotJoined
        names = [Name(reader.iterators[equal[n]], reader.iterators[equal[n]].type, reader.span) for n in sorted(equal)]
        return Renaming({}, {it.name: name for it, name in zip(writer.iterators, names, strict=True)})


def _is_safe(division: Binary) -> bool:
    """Whether the division can be done with any values."""
    is_integer = isinstance(division.type, Scalar) and division.type.is_integer
    return not is_integer or (isinstance(division.right, IntLiteral) and division.right.value > 0)


def _explicit(expr: Expr) -> Expr:
    """The expression with the conversion that the place it had has made of it, for another place."""
    return replace(expr, implicit=False) if isinstance(expr, Cast) else expr


def _value_for(symbol: str, value: Expr, node: Node) -> Expr | None:
    """The value where the node reads the variable."""
    return value if isinstance(node, Index | Name) and base_name(node) == symbol else None


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
    moved = tuple(replace(a, relation=a.relation.set_tuple_name(isl.dim_type.in_, name)) for a in accesses)
    return replace(record, name=name, domain=islx.named(record.domain, name), body=body, accesses=moved)


def _equal_positions(relation: isl.Map) -> dict[int, int]:
    """For { S[i] -> T[j] } the dimensions of T that equal one of S everywhere: {position in T: position in S}."""
    found: dict[int, int] = {}
    for n in range(relation.dim(isl.dim_type.out)):
        for k in range(relation.dim(isl.dim_type.in_)):
            equal = isl.Map.universe(relation.get_space()).equate(isl.dim_type.in_, k, isl.dim_type.out, n)
            if n not in found and relation.is_subset(equal):
                found[n] = k
    return found
