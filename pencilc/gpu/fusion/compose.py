"""Compose: kernels below the same rows become one that gives each row a block (FusionStitching, block composition).

    [h P]{ [k P]{ [d R]{S4}; M0; S5 }; [k R]{S7}; M1; [d P]{ [k R]{S12}; M3 } }
        -> one kernel: for row h { ROW{S4; M0, S5}  barrier  ALL{S7; M1}  barrier  COLUMN{S12; M3} }

To a stage the rows are what loops on the host are to a kernel, so it has the shape that suits it: the element of one
stage may be a whole reduction, and another one may reduce in the other direction.  What one stage leaves for another
stays in shared memory.  Dependences between the parts stay inside one row (gpu/fusion/families.py).
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from collections.abc import Set
from dataclasses import replace

from pencilc import islx
from pencilc.analysis.affinity import base_name
from pencilc.analysis.box import Domains, fixed, hull_of, image, launches
from pencilc.analysis.index import index_type
from pencilc.analysis.iterators import row_name
from pencilc.gpu.fusion.not_fused import NotFused
from pencilc.gpu.fusion.shared_promotion import SharedPromoter, is_dynamic
from pencilc.gpu.shapes.launch import launched, shared_bytes, with_threads
from pencilc.gpu.shapes.shape import Shaper
from pencilc.ir.mapping import Composed, HostItem, SharedPromotion, Stitched, Variant
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree
from pencilc.ir.scop import Scop
from pencilc.ir.shapes import (
    ComposedKernel,
    Kernel,
    by_themselves,
)
from pencilc.ir.source import For, Node, While, children
from pencilc.ir.storage import Element, Home, Register, Storage
from pencilc.options import ComposedLaunch, ReducingLaunch, Tuning
from pencilc.parts.part import Part, SequentialLoop, Unmappable, part_statements
from pencilc.target import STATIC_SHARED, WARP, Target

# Shared memory that the stages may declare, the scalars that they share among it: a launch has no more without asking.
STATIC_BYTES = STATIC_SHARED - 8 * 1024
# Registers of a thread beside those that a stage needs: where the row stands, and what every row needs again, the
# addresses of arrays in shared memory and of others above all.
IN_ROW, SHARED_ADDRESS, ADDRESS = 32, 4, 2
# Parameters that a search may change for all stages of a composed kernel.
LOADS = frozenset(("in_flight", "chunk_bytes", "across", "accumulator_bytes", "bytes_in_flight"))

Member = tuple[Part, Kernel]


class Composer:
    """Composes kernels of a region; `storage` is that of the kernels one by one."""

    def __init__(self, shaper: Shaper, domains: Domains, storage: Seq[Storage], target: Target, tuning: Tuning) -> None:
        self.shaper, self.scop, self.domains = shaper, shaper.scop, domains
        self.target, self.tuning = target, tuning
        self.storage = tuple(storage)
        # Stages by kernel, the names of the rows and that of the composed kernel, or why there is none.
        self.made: dict[tuple[str, tuple[str, ...], str], Kernel | str] = {}

    def compose(self, members: Seq[Member], one_by_one: Seq[Kernel | Stitched]) -> Composed:
        """The kernels of `members`, whose outermost kept rows are the same, as one; raises NotFused.

        `one_by_one`: what does their work where a row has no block.
        """
        parts, kernels = [part for part, _ in members], [kernel for _, kernel in members]
        rows = common_rows(parts)
        host = kernels[0].host
        name = f"{self.scop.name}_composed{kernels[0].number}"
        iterators = _iterators(self.scop, rows, parts, host)
        launch = ComposedLaunch().changed(self.tuning.of(name))
        stages = tuple(self._stage(part, kernel, rows, iterators, name) for part, kernel in members)
        statements = [s for part in parts for s in part_statements(part)]
        domains = fixed({s: self.domains[s] for s in statements}, parts[0].host, host)
        inside = fixed(domains, rows, iterators)
        points = image(domains, rows, statements)
        box = hull_of(points, self.scop.context)
        if box is None:
            raise NotFused("the rows have bounds that are not affine")
        sharing = SharedPromoter(self.shaper, domains, inside, parts[0].host, rows, stages, self.storage).find()
        if not sharing.shared:
            raise NotFused("no stage leaves anything for another that a row can keep")
        static = sum(_declared_bytes(stage, self.scop) for stage in stages) + self._scalar_bytes(sharing.shared)
        if static > STATIC_BYTES:
            raise NotFused("the stages need too much shared memory to exchange their values")
        registers = self._registers(stages, sharing.shared)
        kept = {s.storage.array for s in sharing.shared}
        stages = tuple(self._in_block(_at_hand(stage, kept), launch.threads, registers) for stage in stages)
        kernel = ComposedKernel(
            name=name, number=kernels[0].number, host=host, kept=rows, body=Sequence(()),
            post=tuple(dict.fromkeys(statements)), index=index_type(points, self.scop.context),
            domain=launches(kernels), kept_box=box, plans=tuple(plan for k in kernels for plan in k.accumulated),
            block=launch.threads, resident=min((s.resident for s in stages if s.loads.vectors), default=1),
            reason=f"does the work of {', '.join(k.name for k in kernels)}", launch=launch,
        )  # fmt: skip
        storage = self._inside(kernels, stages, sharing.shared)
        return Composed(
            kernel,
            iterators,
            stages,
            sharing.shared,
            sharing.on_chip,
            sharing.stored,
            static,
            unfit(one_by_one),
            storage,
        )

    def has_form(self, part: Part | SequentialLoop, kernel: HostItem) -> bool:
        """Whether an item is a kernel with a form for its outermost kept row, as far as it alone decides."""
        if not isinstance(part, Part) or not isinstance(kernel, Kernel):
            return False
        rows = part.kept[:1]
        try:
            self._stage(part, kernel, rows, _iterators(self.scop, rows, (part,), kernel.host), "")
        except NotFused:
            return False
        return True

    # ---- stages ------------------------------------------------------------------------------------

    def _stage(self, part: Part, kernel: Kernel, rows: Seq[Row], iterators: tuple[str, ...], name: str) -> Kernel:
        """The kernel that does the work of `kernel` for one row."""
        key = (kernel.name, iterators, name)
        if key not in self.made:
            changed = self.tuning.of(name)
            try:
                self.made[key] = self._made(part, kernel, rows, iterators, changed)
            except (NotFused, Unmappable) as reason:
                self.made[key] = str(reason)
        made = self.made[key]
        if isinstance(made, str):
            raise NotFused(made)
        return replace(made, name=f"{name}_{made.shape.value}{kernel.number}", number=kernel.number)

    def _made(self, part: Part, kernel: Kernel, rows: Seq[Row], iterators: Seq[str], changed: dict[str, int]) -> Kernel:
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
        done = replace(done, index="int") if _may_count_in_int(done, iterators) else done
        return self._in_block(done, changed.get("threads", ComposedLaunch().threads), IN_ROW)

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


def unfit(one_by_one: Seq[Kernel | Stitched]) -> Variant[Kernel | Stitched]:
    """What does the work of a composed kernel otherwise."""
    return Variant("they do not fit", tuple(one_by_one))


def common_rows(parts: Seq[Part]) -> tuple[Row, ...]:
    """The outermost kept rows that all parts have in common."""
    found: list[Row] = []
    for rows in zip(*(part.kept for part in parts), strict=False):
        if any(row is not rows[0] for row in rows):
            break
        found.append(rows[0])
    return tuple(found)


def _iterators(scop: Scop, rows: Seq[Row], parts: Seq[Part], host: Seq[str]) -> tuple[str, ...]:
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
    """Whether the entry point sees how many points a row has, so that it can leave out rows that are too long."""
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
