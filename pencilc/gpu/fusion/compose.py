"""Compose: kernels below the same rows become one that gives each row a block (FusionStitching, block composition).

    [h P]{ [k P]{ [d R]{S4}; M0; S5 }; [k R]{S7}; M1; [d P]{ [k R]{S12}; M3 } }
        -> one kernel: for row h { ROW{S4; M0, S5}  barrier  ALL{S7; M1}  barrier  COLUMN{S12; M3} }

To a stage the rows are what loops on the host are to a kernel, so it has the shape that suits it: the element of one
stage may be a whole reduction, and another one may reduce in the other direction.  What one stage leaves for another
stays in shared memory.  Dependences between the parts stay inside one row (gpu/fusion/families.py).

    [o P]{S1}; for t { [o P]{ [i P]{S2}; [i P]{S3} } }; [o P]{S4}
        -> one kernel: for row o { S1  barrier  for t { PARALLEL{S2}  barrier  PARALLEL{S3}  barrier }  S4 }

A sequential loop around such parts goes inside: the block that has a row does all of its rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from collections.abc import Sequence as Seq
from dataclasses import replace
from functools import reduce

import islpy as isl

from pencilc import islx
from pencilc.analysis.affinity import base_name
from pencilc.analysis.box import Domains, fixed, hull_of, image
from pencilc.analysis.index import index_type
from pencilc.analysis.iterators import loop_type, row_name
from pencilc.gpu.fusion.families import stays
from pencilc.gpu.fusion.not_fused import NotFused
from pencilc.gpu.fusion.shared_promotion import SharedPromoter, is_dynamic
from pencilc.gpu.shapes.launch import launched, shared_bytes, with_threads
from pencilc.gpu.shapes.shape import Shaper
from pencilc.ir.mapping import Composed, HostItem, HostLoop, SharedPromotion, Stitched, Variant
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree, statements_of
from pencilc.ir.scop import AccessKind, Scop
from pencilc.ir.shapes import (
    BoxDimension,
    ComposedKernel,
    Kernel,
    ParallelKernel,
    by_themselves,
)
from pencilc.ir.source import INT, For, Node, While, children
from pencilc.ir.storage import Element, Home, Register, Storage
from pencilc.islx import NamedMaps
from pencilc.options import ComposedLaunch, ReducingLaunch, Tuning
from pencilc.parts.part import Part, SequentialLoop, Unmappable, leaves_loop, part_statements
from pencilc.records import dataclass
from pencilc.target import STATIC_SHARED, WARP, Target

# Shared memory that the stages may declare, the scalars that they share among it: a launch has no more without asking.
STATIC_BYTES = STATIC_SHARED - 8 * 1024
# Registers of a thread beside those that a stage needs: where the row stands, and what every row needs again, the
# addresses of arrays in shared memory and of others above all.
IN_ROW, SHARED_ADDRESS, ADDRESS = 32, 4, 2
# Parameters that a search may change for all stages of a composed kernel.
LOADS = frozenset(("in_flight", "chunk_bytes", "across", "accumulator_bytes", "bytes_in_flight"))

Member = tuple[Part | SequentialLoop, HostItem]


@dataclass(frozen=True, slots=True, eq=False)
class KernelBelow:
    """A part with its kernel, and the rows of the loops around them that become loops of a block."""

    part: Part
    kernel: Kernel
    loops: tuple[Row, ...]


class Composer:
    """Composes kernels of a region; `storage` is that of the kernels one by one."""

    def __init__(
        self, shaper: Shaper, domains: Domains, storage: Seq[Storage], target: Target, tuning: Tuning, pairs: NamedMaps
    ) -> None:
        self.shaper, self.scop, self.domains, self.pairs = shaper, shaper.scop, domains, pairs
        self.target, self.tuning = target, tuning
        self.storage = tuple(storage)
        # Stages by kernel, the names of the rows and that of the composed kernel, or why there is none.
        self.made: dict[tuple[str, tuple[str, ...], str], Kernel | str] = {}

    def compose(self, members: Seq[Member], one_by_one: Seq[HostItem]) -> Composed:
        """The items `members`, the outermost kept rows of whose kernels are the same, as one; raises NotFused.

        `one_by_one`: what does their work where a row has no block.
        """
        below = [kernel for part, item in members for kernel in _below(part, item, ())]
        parts, kernels = [each.part for each in below], [each.kernel for each in below]
        rows, around = self._rows(members, parts), _host_around(members[0][0])
        host = kernels[0].host[: len(around)]
        name = f"{self.scop.name}_composed{kernels[0].number}"
        iterators = _iterators(self.scop, rows, parts, dict.fromkeys(it for kernel in kernels for it in kernel.host))
        launch = ComposedLaunch().changed(self.tuning.of(name))
        stages = tuple(self._stage(each, len(host), rows, iterators, name) for each in below)
        statements = [s for part in parts for s in part_statements(part)]
        domains = fixed({s: self.domains[s] for s in statements}, around, host)
        inside = fixed(domains, rows, iterators)
        points = image(domains, rows, statements)
        box = hull_of(points, self.scop.context)
        if box is None:
            raise NotFused("the rows have bounds that are not affine")
        in_rounds = [stage for stage, each in zip(stages, below, strict=True) if each.loops]
        if in_rounds and not any(stage.is_parallel for stage in in_rounds):
            raise NotFused("one thread of a block would do all rounds of a row")
        promoter = SharedPromoter(
            self.shaper, domains, inside, around, rows, stages, [each.loops for each in below], self.storage
        )
        sharing = promoter.find()
        if not sharing.shared and not in_rounds:
            raise NotFused("no stage leaves anything for another that a row can keep")
        widest = {stage.name: self._widest(stage, inside) for stage in in_rounds}
        in_memory = self._are_in_memory(below, {s.storage.array for s in sharing.shared})
        if in_memory and None in widest.values():
            raise NotFused("how many points of a row a round has is not known ahead")
        stages = tuple(self._counting(stage, widest.get(stage.name), iterators) for stage in stages)
        static = sum(_declared_bytes(stage, self.scop) for stage in stages) + self._scalar_bytes(sharing.shared)
        if static > STATIC_BYTES:
            raise NotFused("the stages need too much shared memory to exchange their values")
        registers = self._registers(stages, sharing.shared)
        kept = {s.storage.array for s in sharing.shared}
        known = {name: sides for name, sides in widest.items() if sides is not None}
        if in_rounds and len(known) == len(widest) and "threads" not in self.tuning.of(name):
            launch = replace(launch, threads=_threads_for(list(known.values())))
        stages = tuple(self._in_block(_at_hand(stage, kept), launch.threads, registers) for stage in stages)
        kernel = ComposedKernel(
            name=name, number=kernels[0].number, host=host, kept=rows, body=Sequence(()),
            post=tuple(dict.fromkeys(statements)), index=index_type(points, self.scop.context),
            domain=_launched(kernels, len(host)), kept_box=box,
            plans=tuple(plan for k in kernels for plan in k.accumulated),
            block=launch.threads, resident=min((s.resident for s in stages if s.loads.vectors), default=1),
            reason=f"does the work of {', '.join(k.name for k in kernels)}", launch=launch,
        )  # fmt: skip
        return Composed(
            kernel,
            iterators,
            _in_loops([item for _, item in members], iter(stages)),
            sharing.shared,
            sharing.on_chip,
            sharing.stored,
            static,
            unfit(one_by_one),
            self._inside(kernels, stages, sharing.shared),
            known,
            in_memory,
        )

    def has_form(self, part: Part | SequentialLoop, item: HostItem) -> bool:
        """Whether an item is a kernel with a form for its outermost kept row, or a loop around such kernels, as far as
        it alone decides.
        """
        if isinstance(part, SequentialLoop):
            # What finds out whether a loop ends has a place on the host.
            return isinstance(item, HostLoop) and all(
                self.has_form(inner, below) for inner, below in zip(part.items, item.items, strict=True)
            )
        if not isinstance(item, Kernel) or leaves_loop(self.scop, part_statements(part)):
            return False
        rows = part.kept[:1]
        iterators = _iterators(self.scop, rows, (part,), item.host)
        try:
            self._stage(KernelBelow(part, item, ()), len(item.host), rows, iterators, "")
        except NotFused:
            return False
        return True

    def _rows(self, members: Seq[Member], parts: Seq[Part]) -> tuple[Row, ...]:
        """The rows of which a block has one value: those that all parts have in common, and that no loop leaves."""
        found: list[Row] = []
        for row in common_rows(parts):
            if not all(stays(item, row, self.pairs) for item, _ in members):
                break
            found.append(row)
        return tuple(found)

    # ---- stages ------------------------------------------------------------------------------------

    def _stage(self, below: KernelBelow, around: int, rows: Seq[Row], iterators: tuple[str, ...], name: str) -> Kernel:
        """The kernel that does the work of one for one row, and for one round of those loops around it that are not the
        `around` outermost ones.
        """
        kernel = below.kernel
        key = (kernel.name, iterators, name)
        if key not in self.made:
            try:
                self.made[key] = self._made(below.part, kernel, around, rows, iterators, self.tuning.of(name))
            except (NotFused, Unmappable) as reason:
                self.made[key] = str(reason)
        made = self.made[key]
        if isinstance(made, str):
            raise NotFused(made)
        return replace(made, name=f"{name}_{made.shape.value}{kernel.number}", number=kernel.number)

    def _made(
        self, part: Part, kernel: Kernel, around: int, rows: Seq[Row], iterators: Seq[str], changed: dict[str, int]
    ) -> Kernel:
        if not kernel.has_block_form or kernel.ragged is not None:
            raise NotFused("bins or rows whose length is data take blocks of their own")
        if kernel.is_spread:
            raise NotFused("a reduction is spread over several loops")
        if kernel.reason:
            raise NotFused(kernel.reason)
        inner = len(kernel.kept) - len(rows)
        if (inner and kernel.kept[-1] in rows) or (not inner and kernel.owns_columns):
            raise NotFused("neighbouring rows are contiguous")
        below = replace(part, host=(*part.host, *rows), kept=part.kept[len(rows) :])
        made = self.shaper.kernel(below, (*kernel.host, *iterators), kernel.name)
        if made.reason or not made.has_block_form:
            raise NotFused(made.reason or "a stage has no form in a block")
        if not made.is_parallel and made.body is not None and self._loops_in(made.body) > 1:
            raise NotFused("one thread of a block would have loops in the loop of a stage")
        loads = tuple((name, value) for name, value in changed.items() if name in LOADS)
        tuning = Tuning(((kernel.name, loads),))
        done = launched(replace(made, plans=by_themselves(made.plans)), self.scop, self.target, tuning)
        done = replace(done, index="int") if _may_count_in_int(done, done.host[around:]) else done
        return self._in_block(done, changed.get("threads", ComposedLaunch().threads), IN_ROW)

    def _widest(self, stage: Kernel, inside: Domains) -> tuple[BoxDimension, ...] | None:
        """The box around the points of a stage in all rounds of the loops around it; None where it has no bounds."""
        body = statements_of(stage.body)
        points = image(inside, (*stage.kept, *stage.reduced), body) if body else None
        return hull_of(points, self.scop.context) if points is not None else None

    def _counting(self, stage: Kernel, box: Seq[BoxDimension] | None, iterators: Seq[str]) -> Kernel:
        """A stage in a loop that counts its points in `int` where the entry point sees that they fit."""
        if box is None or not isinstance(stage, ParallelKernel):
            return stage
        begins = [islx.constant_value(side.lower) for side in box]
        if None in begins or any(islx.involves(side.upper, name) for side in box for name in iterators):
            return stage
        is_int = all(loop_type(self.scop, (row,)) == INT for row in stage.kept)
        return replace(stage, index="int") if is_int else stage

    def _are_in_memory(self, below: Seq[KernelBelow], shared: Set[str]) -> bool:
        """Whether stages in loops leave something for each other in memory: in none of the variables `shared`."""
        inside = [name for each in below if each.loops for name in part_statements(each.part)]
        written, read = set[str](), set[str]()
        for access in self.scop.accesses(inside):
            name = self.scop.array(access.array).symbol.name
            written |= {name} if access.kind.writes else set()
            read |= {name} if access.kind in (AccessKind.READ, AccessKind.UPDATE) else set()
        return any(s.is_in_memory and s.array in (written & read) - shared for s in self.storage)

    def _loops_in(self, tree: Tree) -> int:
        """How many loops stand in each other in a schedule tree, those inside of statements counted."""
        match tree:
            case Leaf():
                body = self.scop.statement(tree.statement).body
                return 0 if body is None else _nested_loops(body)
            case Band():
                return len(tree.rows) + self._loops_in(tree.child)
            case Sequence():
                return max(map(self._loops_in, tree.children), default=0)

    def _in_block(self, stage: Kernel, threads: int, registers: int) -> Kernel:
        """The stage in a block of `threads`, each of which needs `registers` beside those of the stage."""
        done = with_threads(stage, self.scop, self.target, threads, registers)
        if done is None:
            raise NotFused("the accumulators are too large for the shared memory of a block")
        return done

    def _inside(self, kernels: Seq[Kernel], stages: Seq[Kernel], shared: Seq[SharedPromotion]) -> tuple[Storage, ...]:
        """Where variables live inside the composed kernel: registers of kernels are those of its stages."""
        in_block = {s.storage.array: s.storage for s in shared}
        names = {kernel.name: stage.name for kernel, stage in zip(kernels, stages, strict=True)}
        found = []
        for storage in self.storage:
            if isinstance(storage.residence, Register | Element):
                homes = tuple(Home(names.get(home.kernel, home.kernel), home.part) for home in storage.homes)
                storage = Storage(storage.array, replace(storage.residence, homes=homes))
            found.append(in_block.get(storage.array, storage))
        return tuple(found)

    def _scalar_bytes(self, shared: Seq[SharedPromotion]) -> int:
        """Bytes of what a row keeps that have a size of their own, whatever the parameters are."""
        sizes = {a.symbol.name: a.element.size for a in self.scop.arrays}
        return sum((sizes[s.storage.array] + 15) // 16 * 16 for s in shared if not is_dynamic(self.scop, s.storage))

    def _registers(self, stages: Seq[Kernel], shared: Seq[SharedPromotion]) -> int:
        """What a thread needs beside the registers of a stage, about."""
        symbols: set[str] = set()
        for stage in stages:
            symbols |= {self.scop.array(access.array).symbol.name for access in self.scop.accesses(stage.statements)}
        pointers = [s for s in self.storage if s.array in symbols and s.is_in_memory]
        return IN_ROW + SHARED_ADDRESS * len(shared) + ADDRESS * len(pointers)


def unfit(one_by_one: Seq[HostItem]) -> Variant[Kernel | Stitched | HostLoop]:
    """What does the work of a composed kernel otherwise."""
    return Variant("they do not fit", tuple(i for i in one_by_one if isinstance(i, Kernel | Stitched | HostLoop)))


def _below(part: Part | SequentialLoop, item: HostItem, loops: tuple[Row, ...]) -> Iterator[KernelBelow]:
    """The kernels of an item in order."""
    if isinstance(part, Part):
        assert isinstance(item, Kernel)
        yield KernelBelow(part, item, loops)
        return
    assert isinstance(item, HostLoop)
    for inner, below in zip(part.items, item.items, strict=True):
        yield from _below(inner, below, (*loops, part.row))


def _host_around(part: Part | SequentialLoop) -> tuple[Row, ...]:
    """The rows of the loops on the host around an item."""
    if isinstance(part, Part):
        return part.host
    return _host_around(part.items[0])[:-1]


def _in_loops(items: Seq[HostItem], stages: Iterator[Kernel]) -> tuple[Kernel | HostLoop, ...]:
    """The stages, in order, in loops as those of `items`."""
    found: list[Kernel | HostLoop] = []
    for item in items:
        if isinstance(item, HostLoop):
            found.append(HostLoop(item.iterator, item.row, _in_loops(item.items, stages)))
        else:
            found.append(next(stages))
    return tuple(found)


def _launched(kernels: Seq[Kernel], depth: int) -> isl.Set:
    """{ [h] }: the values of the `depth` outermost loops for which any of the kernels has something to do."""
    outer = [k.domain.project_out(isl.dim_type.set, depth, islx.dimensions(k.domain) - depth) for k in kernels]
    return reduce(isl.Set.union, outer).coalesce()


def _threads_for(boxes: Seq[Seq[BoxDimension]]) -> int:
    """The threads of a block of which the largest of the boxes has a point for each, where all are known."""
    most = WARP
    for box in boxes:
        points = 1
        for side in box:
            count = islx.constant_value(side.upper.sub(side.lower))
            if count is None:
                return ComposedLaunch().threads
            points *= max(0, count + 1)
        while most < min(points, ComposedLaunch().threads):
            most *= 2
    return most


def common_rows(parts: Seq[Part]) -> tuple[Row, ...]:
    """The outermost kept rows that all parts have in common."""
    found: list[Row] = []
    for rows in zip(*(part.kept for part in parts), strict=False):
        if any(row is not rows[0] for row in rows):
            break
        found.append(rows[0])
    return tuple(found)


def _iterators(scop: Scop, rows: Seq[Row], parts: Seq[Part], host: Iterable[str]) -> tuple[str, ...]:
    """Names for the rows: those of the source where they are iterators there."""
    taken = {*host, *(p.name for p in scop.params)}
    found: list[str] = []
    statements = [s for part in parts for s in part_statements(part)]
    for row in rows:
        found.append(row_name(scop, row, statements, taken))
        taken.add(found[-1])
    return tuple(found)


def _nested_loops(node: Node) -> int:
    """How many loops stand in each other in a part of a statement."""
    inside = max(map(_nested_loops, children(node)), default=0)
    return inside + isinstance(node, For | While)


def _may_count_in_int(stage: Kernel, iterators: Seq[str]) -> bool:
    """Whether the entry point sees how many points a row has, so that it can leave out rows that are too long.

    `iterators`: those of the rows and of the loops around them.
    """
    if stage.reduced_box is None:
        return False
    for side in (*(stage.kept_box or ()), *stage.reduced_box):
        for name in iterators:
            if islx.involves(side.lower, name) or islx.involves(side.upper, name):
                return False
    return True


def _at_hand(stage: Kernel, kept: Set[str]) -> Kernel:
    """The stage with one chunk in flight if all that it loads is in shared memory, which answers at once."""
    vectors = stage.loads.vectors
    if not vectors or not isinstance(stage.launch, ReducingLaunch):
        return stage
    if not all(base_name(vector.index) in kept for vector in vectors):
        return stage
    return replace(stage, launch=replace(stage.launch, in_flight=1))


def _declared_bytes(stage: Kernel, scop: Scop) -> int:
    """Bytes of shared memory that the functions of a stage declare, at most."""
    sizes = [r.element_type.size for r in scop.reductions_of(stage.reductions)]
    return shared_bytes(stage, scop) + WARP * sum(sizes)
