"""INDIRECT kernels: which subscripts tell the bins of one kept point apart, and how a value gets into a bin.

The rule.  An operator that gives the same bits in every order (integers) is applied by atomics.  Everything else is
put in order, so that two runs agree to the last bit, unless `--determinism=none` lets atomics have it: then `+`, `min`
and `max` of floating values and any operator on a type of 4 or 8 bytes are atomic, too.  Reductions that share a loop
share the form: all atomic or all in order.  Whether the bins fit the shared memory of a block is seen at run time.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace
from itertools import groupby
from math import prod

import islpy as isl

from pencilc import islx
from pencilc.analysis.box import Domains, box_of, fixed, image, ranges_of
from pencilc.analysis.index import index_type
from pencilc.analysis.iterators import iterator_of
from pencilc.analysis.lines import LineCounter
from pencilc.analysis.ragged_rows import points_of, ragged_points, unavailable
from pencilc.gpu.shapes.shape import Shaper, in_thread
from pencilc.ir.queries import names_in
from pencilc.ir.ragged_loops import ragged_depths
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree, statements_of
from pencilc.ir.scop import AccessKind, OperatorKind, Reduction, Scop
from pencilc.ir.shapes import Bins, IndirectKernel, InThread, Kernel, Loads, Ragged
from pencilc.ir.source import AddressOf, Expr, Index, IntLiteral, MemberOf, ReductionUpdate, Scalar
from pencilc.options import Determinism
from pencilc.parts.owners import Owners
from pencilc.parts.part import Part, Unmappable, part_statements
from pencilc.target import STATIC_SHARED, Target

_NATIVE = {
    OperatorKind.ADD: "atomicAdd", OperatorKind.MIN: "atomicMin", OperatorKind.MAX: "atomicMax",
    OperatorKind.BIT_AND: "atomicAnd", OperatorKind.BIT_OR: "atomicOr", OperatorKind.BIT_XOR: "atomicXor",
}  # fmt: skip
# Bins of that many bytes are worth a private copy however few the points.
_SMALL_BYTES = 16 * 1024
# Values of more bytes stay where they are while their places are sorted.
_LARGE_VALUE = 8
# Shared memory for the copies of a bucket of bins, in bytes, and the warps that have one.
_BUCKET_BYTES = STATIC_SHARED
_BUCKET_WARPS = 8
# Scratch memory for the pairs that are sorted at once, in bytes.
_PAIR_BYTES = 2**28


def atomic_of(reduction: Reduction, determinism: Determinism) -> tuple[str, str] | None:
    """(function, type of the word) that applies the operator atomically; None where values are put in order."""
    ctype, kind = reduction.element_type, reduction.operator.recognised
    if ctype.size not in (4, 8) or ctype.align != ctype.size:
        return None
    swap = ("swap", "unsigned" if ctype.size == 4 else "unsigned long long")
    if isinstance(ctype, Scalar) and ctype.is_integer and kind is not None:
        return (_NATIVE[kind], _word(ctype, kind)) if kind in _NATIVE else swap
    if determinism != "none":
        return None
    if isinstance(ctype, Scalar) and kind is OperatorKind.ADD:
        return _NATIVE[kind], ctype.name
    return swap


def _word(ctype: Scalar, kind: OperatorKind) -> str:
    """CUDA has no atomics on `long`, and none that add signed 64-bit integers, which wrap as unsigned ones do."""
    if ctype.size == 4:
        return "int" if ctype.kind == "int" else "unsigned"
    signed = ctype.kind == "int" and kind in (OperatorKind.MIN, OperatorKind.MAX)
    return "long long" if signed else "unsigned long long"


def is_put_in_order(scop: Scop, reduction: Reduction, determinism: Determinism) -> bool:
    """Whether the values of a reduction that accumulates in place are put in order; raises Unmappable."""
    if reduction.element_type.size > STATIC_SHARED:
        raise Unmappable(f"a value of `{scop.spelling(reduction.array)}` is too large to be put in order")
    return atomic_of(reduction, determinism) is None


class IndirectShaper(Shaper):
    """Shapes the parts that update bins in place, and leaves all others to `Shaper`.

    `in_place`: the reductions that accumulate so, in bins or by one thread; `in_threads`: why some of these do the
    latter.
    """

    def __init__(
        self, scop: Scop, domains: Domains, owners: Owners, lines: LineCounter, in_place: Collection[str],
        target: Target, determinism: Determinism, in_threads: Mapping[str, str],
    ) -> None:  # fmt: skip
        super().__init__(scop, domains, owners, lines)
        self.in_place, self.target, self.determinism = in_place, target, determinism
        self.in_threads = in_threads

    def kernel(self, part: Part, host: tuple[str, ...], name: str) -> Kernel:
        """The kernel of `part` below host loops whose iterators are the parameters `host`."""
        if not part.indirect:
            body = set(statements_of(part.body)) if part.body else set()
            names = [r.name for r in self.scop.reductions_of(self.in_place) if not body.isdisjoint(r.updates)]
            kernel = super().kernel(part, host, name)
            why = next((self.in_threads[name] for name in names if name in self.in_threads), kernel.reason)
            return replace(kernel, plans=(*kernel.plans, *map(InThread, names)), reason=why)
        inside = {s: self.domains[s] for s in part_statements(part)}
        within = fixed(inside, part.host, host)
        try:
            return self._indirect(part, within, host, name)
        except Unmappable as reason:
            if not part.kept or self._kept(part, self.scop.reductions_of(part.indirect))[0] != part.kept:
                raise
            # Still parallel over the kept points, which have bins of their own: each thread fills them alone.
            alone = self._possible(self._parallel(_in_thread(part), within, host, name), part)
            return replace(alone, reason=str(reason), plans=tuple(InThread(name) for name in part.indirect))

    # ---- the kernel --------------------------------------------------------------------------------

    def _indirect(self, part: Part, domains: Domains, host: tuple[str, ...], name: str) -> Kernel:
        assert part.body is not None
        if any(ragged_depths(self.scop.statement(s)) for s in part_statements(part)):
            return self._ragged(part, domains, host, name)
        body = tuple(s for s in statements_of(part.body) if self._has_rows(s, part))
        reductions = self.scop.reductions_of(part.indirect)
        kept, counts = self._kept(part, reductions)
        loose = tuple(row for row in part.kept if row not in kept)
        if loose:
            part = _with_prologue_inside(part)
        accumulated = {r.array for r in reductions}
        reads = self.reads(part, body, accumulated)
        found = self.lines.along((*loose, *part.reduced), (*part.host, *kept), part.body, accumulated)
        dealt_out = range(len(found.rows))
        best = found.best(dealt_out)
        reduced = found.last(best, dealt_out)
        points = image(domains, (*kept, *reduced), body)
        box = box_of(points, self.scop.context)
        vectors = self._vectors(reads, reduced[-1], (*kept, *reduced), domains, body) if box else ()
        inner = box[len(kept) :] if box is not None else ()
        collapsed = len(reduced) > 1 and box is not None and self.run_rows(vectors, reduced, inner) == len(reduced)
        hull = ranges_of(points, self.scop.context)
        bins, forms = self._bins(reductions, counts)
        assert part.body is not None
        return IndirectKernel(
            name=name,
            host=host,
            kept=kept,
            reduced=reduced,
            prologue=part.prologue,
            body=part.body,
            post=(),
            index=index_type(image(domains, (*kept, *reduced), body), self.scop.context),
            domain=self._host_domain(part, ()),
            kept_box=hull[: len(kept)],
            reduced_box=hull[len(kept) :],
            run_rows=len(reduced) if collapsed else 0,
            loads=Loads(vectors),
            plans=bins,
            forms=forms,
            thread_row=found.told(best) if len(reduced) > 1 else None,
        )

    def _ragged(self, part: Part, domains: Domains, host: tuple[str, ...], name: str) -> Kernel:
        """Points in ragged rows, all dealt out alike: a scan of the rows' lengths numbers them when the kernel runs."""
        part = _with_prologue_inside(part)
        assert part.body is not None
        rows = (*part.kept, *part.reduced)
        statements = statements_of(part.body)
        body = tuple(s for s in statements if self._has_rows(s, part))
        reductions = self.scop.reductions_of(part.indirect)
        found = self.lines.along(rows, part.host, part.body, {r.array for r in reductions})
        points = ragged_points(self.scop, rows, body, domains, [each.lines for each in found.candidates])
        bins, forms = self._bins(reductions, {r.name: 0 for r in reductions})
        if points.below and (body != statements or not all(b.atomic for b in bins)):
            raise Unmappable("values are put in order inside rows of data-dependent length in other such rows")
        tree = Band(points.below, part.body) if points.below else part.body
        reduced = (*points.outer, points.row, *points.inner)
        if why := unavailable(self.scop, part.host, (), reduced, tree):
            raise Unmappable(why)
        return IndirectKernel(
            name=name,
            host=host,
            kept=(),
            reduced=reduced,
            prologue=(),
            body=tree,
            post=(),
            index="long long",
            domain=self._host_domain(part, ()),
            kept_box=(),
            reduced_box=ranges_of(image(domains, (*points.outer, *points.inner), body), self.scop.context),
            plans=bins,
            forms=forms,
            ragged=Ragged(len(points.outer), points_of(self.scop, points.row, body)),
        )

    def _bins(self, reductions: Seq[Reduction], counts: Mapping[str, int]) -> tuple[tuple[Bins, ...], tuple[str, ...]]:
        """The bins behind the first `counts` subscripts of each reduction, and the forms that they may have."""
        atomics = [atomic_of(r, self.determinism) for r in reductions]
        ordered = any(atomic is None for atomic in atomics)
        sizes = [self._bin_count(r, counts[r.name]) for r in reductions]
        bins = tuple(
            Bins(r.name, counts[r.name], count, *(("", "") if ordered or atomic is None else atomic))
            for r, count, atomic in zip(reductions, sizes, atomics, strict=True)
        )
        return bins, self._forms(reductions, sizes, ordered)

    def _forms(self, reductions: Seq[Reduction], counts: Seq[int | None], ordered: bool) -> tuple[str, ...]:
        """`private` copies of the bins, or the `whole` array; both where it is decided at run time: by the number of
        bins, or by the shared memory of the device that there is.
        """
        if any(count is None for count in counts):
            return ("private", "whole")
        size = sum(
            (r.element_type.size * (count or 0) + 15) // 16 * 16 for r, count in zip(reductions, counts, strict=True)
        )
        if size <= _SMALL_BYTES:
            return ("private",)
        return ("private", "whole") if size * (2 if ordered else 1) <= self.target.shared_per_block else ("whole",)

    def _kept(self, part: Part, reductions: Seq[Reduction]) -> tuple[tuple[Row, ...], dict[str, int]]:
        """The kept rows whose values have bins of their own, and the subscripts that they then fix.

        A row that any reduction does not need is dealt out like a reduced one.
        """
        kept = part.kept
        while True:
            part = replace(part, kept=kept)
            counts = {r.name: self._fixed_count(r, part) for r in reductions}
            kept = tuple(
                row for row in kept if all(self._tells_apart(row, counts[r.name], r, part) for r in reductions)
            )
            if kept == part.kept:
                return kept, counts

    def _has_rows(self, statement: str, part: Part) -> bool:
        """Whether every row of the kernel orders the statement: not so for a scalar before an inner loop."""
        return all(statement in islx.pw_affs_of(row.function) for row in (*part.kept, *part.reduced))

    def _fixed_count(self, reduction: Reduction, part: Part) -> int:
        """How many leading subscripts of every update in `part` one kept point determines, the same for all."""
        counts = []
        updates = _updates_in(reduction, part)
        for update in updates:
            known = {iterator_of(self.scop, row, update) for row in (*part.host, *part.kept)}
            known |= {p.name for p in self.scop.params}
            names = self._subscript_names(reduction, update)
            counts.append(next((k for k, used in enumerate(names) if not used <= known), len(names)))
        count = min(counts)
        while count and len(updates) > 1 and not self._agree(reduction, updates, part, count):
            count -= 1
        return count

    def _agree(self, reduction: Reduction, updates: Seq[str], part: Part, count: int) -> bool:
        """Whether the first `count` subscripts of all updates are one function of the kept points."""
        whole: isl.Map | None = None
        for update in updates:
            accesses = self.scop.statement(update).accesses
            relation = next(a.relation for a in accesses if a.kind is AccessKind.UPDATE and a.array == reduction.array)
            relation = relation.intersect_domain(self.domains[update])
            given = relation.dim(isl.dim_type.out)
            relation = relation.project_out(isl.dim_type.out, min(count, given), max(given - count, 0))
            times = isl.Map.from_domain(self.domains[update])
            for row in (*part.host, *part.kept):
                times = times.flat_range_product(isl.Map.from_pw_aff(islx.pw_affs_of(row.function)[update]))
            relation = relation.apply_domain(times).reset_tuple_id(isl.dim_type.out)
            whole = relation if whole is None else whole.union(relation)
        return whole is None or bool(whole.is_single_valued())

    def _tells_apart(self, row: Row, fixed_count: int, reduction: Reduction, part: Part) -> bool:
        """Whether each value of the kept row has bins of its own."""
        for update in _updates_in(reduction, part):
            names = set[str]().union(*self._subscript_names(reduction, update)[:fixed_count])
            if iterator_of(self.scop, row, update) not in names:
                return False
        return True

    def _subscript_names(self, reduction: Reduction, update: str) -> list[set[str]]:
        """The names in each subscript of the variable, the iterators of its scope first."""
        record = self.scop.statement(update)
        assert isinstance(record.body, ReductionUpdate)
        scope = len(self.scop.array(reduction.array).scope_iterators)
        names = [{iterator.name} for iterator in record.iterators[:scope]]
        for subscript in variable_subscripts(record.body.variable):
            names.append(names_in(subscript))
        return names

    def _bin_count(self, reduction: Reduction, fixed_count: int) -> int | None:
        array = self.scop.array(reduction.array)
        sides = [e.value if isinstance(e, IntLiteral) else None for e in array.extents]
        if fixed_count < len(array.scope_iterators):
            return None
        mine = sides[fixed_count - len(array.scope_iterators) :]
        return None if None in mine else prod(side for side in mine if side is not None)


def _in_thread(part: Part) -> Part:
    """The part with its reduced rows as loops of one thread, each around the statements that it has a value for.

    [y,x R]{ S2; S3 } with S2 before the loop over x -> [y s]{ S2; [x s]{S3} }
    """
    assert part.body is not None
    children = part.body.children if isinstance(part.body, Sequence) else (part.body,)
    return in_thread(replace(part, reduced=(), body=_sequence(_nested(part.reduced, children))))


def _nested(rows: Seq[Row], children: Seq[Tree]) -> list[Tree]:
    if not rows:
        return list(children)
    known = islx.pw_affs_of(rows[0].function)
    found: list[Tree] = []
    for is_inside, group in groupby(children, lambda child: all(name in known for name in statements_of(child))):
        inner = list(group)
        found += [Band(tuple(rows[:1]), _sequence(_nested(rows[1:], inner)))] if is_inside else inner
    return found


def _sequence(trees: Seq[Tree]) -> Tree:
    return trees[0] if len(trees) == 1 else Sequence(tuple(trees))


def _with_prologue_inside(part: Part) -> Part:
    """What is computed for a kept point belongs to the elements where kept points are dealt out with them."""
    if not part.prologue:
        return part
    assert part.body is not None
    before = tuple(Leaf(name) for name in part.prologue)
    return replace(part, prologue=(), body=Sequence((*before, part.body)))


def bucket_of(size: int) -> tuple[bool, int, int, int]:
    """For values of `size` bytes: whether places are sorted, warps and bins (as a power of two) of a bucket, pairs."""
    warps = min(_BUCKET_WARPS, _BUCKET_BYTES // size)
    shift = (_BUCKET_BYTES // (warps * size)).bit_length() - 1
    indexed = size > _LARGE_VALUE
    pair = 8 + (8 + size if indexed else 2 * size)
    return indexed, warps, shift, _PAIR_BYTES // pair


def variable_subscripts(variable: Expr) -> tuple[Expr, ...]:
    """Every subscript on the way to a variable, outermost first: `cells[c].hist[b]` -> (c, b)."""
    found: list[Expr] = []
    while isinstance(variable, Index | MemberOf | AddressOf):
        if isinstance(variable, Index):
            found.insert(0, variable.index)
        variable = variable.operand if isinstance(variable, AddressOf) else variable.base
    return tuple(found)


def _updates_in(reduction: Reduction, part: Part) -> list[str]:
    inside = set(part_statements(part))
    return [update for update in reduction.updates if update in inside]
