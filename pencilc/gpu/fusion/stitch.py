"""Stitch: kernels over the same kept points become one that holds a row on the chip between its stages.

    [i P]{ [j R]{S3}; M0; [j R]{S5}; M1; [j P]{S6} }
        -> one kernel: for row i { reduce S3; M0; reduce S5; M1; S6 }, the row in the registers of a block

The parts of a sequence below parallel rows depend on each other only inside one point of those rows, so the
threads that own the point may run all of them, with a barrier between two.  Rows that are too long for the
registers go on to be run by the kernels one by one: the entry point decides when it knows the sizes.
"""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Sequence as Seq
from dataclasses import replace

import islpy as isl

from pencilc import islx
from pencilc.analysis.box import Domains, box_of, fixed, image, launches
from pencilc.analysis.index import index_type
from pencilc.gpu.fusion.families import Family
from pencilc.gpu.fusion.long_rows import THREADS, long_rows
from pencilc.gpu.fusion.not_fused import NotFused
from pencilc.gpu.fusion.register_promotion import RegisterPromoter, Rows, StageStatement
from pencilc.gpu.fusion.reuse import with_calls
from pencilc.gpu.shapes.launch import chunk_width, row_chunks, stitched_values
from pencilc.gpu.shapes.policy import LARGEST_SHUFFLED
from pencilc.gpu.shapes.shape import Shaper, is_dense
from pencilc.ir.mapping import LongRows, RegisterPromotion, RowStage, Stitched, Variant
from pencilc.ir.schedule import Row, Sequence, statements_of
from pencilc.ir.shapes import (
    Accumulated,
    BoxDimension,
    Kernel,
    StitchedKernel,
)
from pencilc.ir.source import Struct
from pencilc.ir.storage import Element, Home, Register, Storage
from pencilc.options import StitchedLaunch, Tuning
from pencilc.parts.part import Part, part_statements
from pencilc.target import Instruction, Target

# Most bytes of elements that a thread of the largest block holds, in the 64 registers that it has; with accumulators,
# its own and those that another thread hands to it.
_WIDE_BYTES, _WIDE_BYTES_IN_ALL = 96, 144
_EXCHANGE_BYTES = 32  # most bytes of the accumulators of a thread across, eight times that where warps combine first
# Forms of rows in registers: each takes nvcc 0.1 to 0.2 s.  That in which lanes of a warp have a row finds its elements
# when it runs, for which 16 that are no runs leave no registers.
_FORMS, _FORMS_OF_ELEMENTS = 2, 3


class Stitcher:
    """Stitches kernels of a region; `storage` is that of the kernels one by one."""

    def __init__(self, shaper: Shaper, domains: Domains, storage: Seq[Storage], target: Target, tuning: Tuning) -> None:
        self.shaper, self.scop, self.domains = shaper, shaper.scop, domains
        self.target, self.tuning = target, tuning
        self.storage = tuple(storage)

    def stitch(self, family: Family, members: Seq[tuple[Part, Kernel]]) -> Stitched:
        """The kernels of `members`, parts of one family, as one; raises NotFused."""
        parts, kernels = [p for p, _ in members], tuple(k for _, k in members)
        stages = _stages(family, members)
        self._check(stages, kernels)
        domains = fixed({s: self.domains[s] for p in parts for s in part_statements(p)}, parts[0].host, kernels[0].host)
        rows = self._rows(family, stages, parts, domains, self._launches(kernels))
        steps = [step for number, stage in enumerate(stages) for step in _steps(number, stage)]
        reduced = [name for stage in stages for name in stage.reductions]
        accumulated = {u for r in self.scop.reductions_of(reduced) for u in r.updates}
        across = any(k.owns_columns for k in kernels)
        finders = [
            RegisterPromoter(self.shaper, domains, rows, steps, accumulated, self.storage, scattered)
            for scattered in ((True,) if across else (False, True))
        ]
        promotions, by_one_thread, finder = _best_promotions(finders)
        for promotion in promotions:
            met = any(stage.reductions for stage in stages[: promotion.stored + 1])
            if promotion.of_row and promotion.loaded >= 0 and promotion.stored >= 0 and not met:
                raise NotFused(f"`{promotion.symbol}` would be overwritten before every thread of the row has read it")
        scattered = finder.scattered
        name = f"{self.scop.name}_stitched{kernels[0].number}"
        launch = stitched_values(name, across, not family.kept and self._has_structs(stages), self.tuning)
        width = 1 if scattered else chunk_width([s.size for s in promotions if not s.of_row], 0, launch.chunk_bytes)
        items = _items(promotions, width, len(stages), launch)
        reused = with_calls(finder, promotions)
        if _items(reused, width, len(stages), launch) == items:
            promotions = reused  # a register is cheaper than a call as long as the rows need not be shorter for it
        kernel = self._combined(family, stages, rows, kernels, name, launch)
        on_chip = tuple(s.symbol for s in promotions if s.loaded < 0 and s.stored < 0 and not s.computed)
        kept = self._long_rows(family, stages, promotions, width, across, launch)
        fallback = Variant("a row is too long", kernels)
        inside = self._inside(name, stages, kernels, promotions, on_chip)
        wide: tuple[int, ...] = ()
        if family.kept and not across:
            forms = items[-(_FORMS_OF_ELEMENTS if scattered else _FORMS) :]
            exchanged = self._exchanged(stages)
            wide = _wide_items(promotions, width, forms, kept, exchanged)
            wide = wide or _wide_items(promotions, width, items, kept, exchanged)[-1:]
            items = forms
        return Stitched(
            kernel, stages, promotions, width, items, by_one_thread, fallback, on_chip, scattered, across, inside, kept,
            wide,
        )  # fmt: skip

    def _long_rows(
        self, family: Family, stages: Seq[RowStage], promotions: Seq[RegisterPromotion], width: int, across: bool,
        launch: StitchedLaunch,
    ) -> LongRows | None:  # fmt: skip
        """How rows are kept in shared memory, by a block each or by several; None where they are not."""
        # Across and over the grid, the form in shared memory has the exchange of the one in registers.
        has_own = bool(family.kept) and not across
        threads = THREADS if has_own else launch.threads
        # Rows of their own fill the shared memory of a multiprocessor, which has one block then.
        of_sm = threads if family.kept else threads * launch.grid_blocks_per_sm
        kept = long_rows(promotions, width, len(stages), threads, -(-self.target.bytes_in_flight // of_sm))
        if kept is None or not has_own or not kept.size or not self.target.has(Instruction.CLUSTERS):
            return kept
        # Blocks share a row to keep a part of it each, and meet where its threads exchange what they have.
        exchanges = any(stage.reductions for stage in stages)
        return replace(kept, clusters=launch.cluster_blocks) if exchanges else kept

    def _exchanged(self, stages: Seq[RowStage]) -> int:
        """Bytes of the accumulators of a stage that its threads exchange, at most."""
        return max(sum(r.exchanged_size for r in self.scop.reductions_of(stage.reductions)) for stage in stages)

    def _check(self, stages: Seq[RowStage], kernels: Seq[Kernel]) -> None:
        if sum(stage.body is not None for stage in stages) < 2:
            raise NotFused("there is only one sweep over the elements")
        if len({k.shape for k in kernels if k.reduced}) > 1:
            raise NotFused("some reductions have the reduced points contiguous and some the kept ones")
        across = any(k.owns_columns for k in kernels)
        for stage in stages:
            sizes = [r.element_type.size for r in self.scop.reductions_of(stage.reductions)]
            if sum(sizes) > (_EXCHANGE_BYTES if across else 8 * _EXCHANGE_BYTES):
                raise NotFused("the accumulators are too large for an exchange")
            # Such a value is handed on through memory that is there for the threads of its own kernel.
            if max(sizes, default=0) > LARGEST_SHUFFLED:
                raise NotFused("an accumulator is too large to be shuffled")
        for kernel in kernels:
            if kernel.reduced and not kernel.has_row_form:
                raise NotFused("a reduction has no row form")
            if kernel.is_spread:
                raise NotFused("a reduction is spread over several loops")
            if kernel.reason:
                raise NotFused(kernel.reason)

    def _has_structs(self, stages: Seq[RowStage]) -> bool:
        """Whether a reduction of the stages combines structs."""
        names = {name for stage in stages for name in stage.reductions}
        return any(isinstance(r.element_type, Struct) for r in self.scop.reductions_of(names))

    def _launches(self, kernels: Seq[Kernel]) -> isl.Set:
        """The parameters for which the kernels are launched, iterators of host loops included."""
        known = self.scop.context
        if kernels[0].host:
            known = known.intersect(islx.as_parameters(launches(kernels), kernels[0].host))
        return known

    def _rows(
        self, family: Family, stages: Seq[RowStage], parts: Seq[Part], domains: Domains, launched: isl.Set
    ) -> Rows:
        kept = parts[0].kept[: family.kept]
        element = tuple(
            Row("R", islx.union_pw_aff(f for p in parts for f in _element_functions(p, family, position)))
            for position in range(family.depth)
        )
        inside = [s for stage in stages if stage.body is not None for s in statements_of(stage.body)]
        points = image(domains, (*kept, *element), inside)
        kept_points = image(domains, kept, domains)
        box = box_of(points, self.scop.context)
        if box is None or not is_dense(points, len(kept) + family.depth - 1):
            raise NotFused("the rows are not equally long")
        kept_box = box_of(kept_points, self.scop.context)
        if kept_box is None or not (_is_tight(kept_points, kept_box, launched) and _is_tight(points, box, launched)):
            raise NotFused("the rows are no box")
        if not _has_elements(kept_points, points):
            raise NotFused("some of the rows have no elements")
        return Rows(kept, element, kept_points, points, box[family.kept :], parts[0].host)

    def _inside(
        self,
        name: str,
        stages: Seq[RowStage],
        kernels: Seq[Kernel],
        promotions: Seq[RegisterPromotion],
        on_chip: Collection[str],
    ) -> tuple[Storage, ...]:
        """Where variables live inside the stitched kernel: those of its parts are registers of its stages."""
        homes: dict[Home, Home] = {}
        for kernel in kernels:
            number = _stage_of(stages, kernel)
            inside = kernel is stages[number].kernel
            homes[Home(kernel.name, "prologue")] = Home(name, "row")
            homes[Home(kernel.name, "body")] = Home(name, "body" if inside else "post", number)
            homes[Home(kernel.name, "post")] = Home(name, "post", number)
        of_row = {promotion.symbol for promotion in promotions if promotion.of_row}
        arrays = {array.symbol.name for array in self.scop.arrays if array.extents}
        found = []
        for storage in self.storage:
            if storage.array in on_chip:
                own = (Home(name, "row"),) if storage.array in of_row else ()
                residence = Element(own) if storage.array in arrays else Register(own)
                storage = Storage(storage.array, residence)
            elif isinstance(storage.residence, Register | Element):
                # Several kernels may have one each (gpu/shapes/split.py), of which some are stitched.
                moved = dict.fromkeys(homes.get(home, home) for home in storage.homes)
                storage = Storage(storage.array, replace(storage.residence, homes=tuple(moved)))
            found.append(storage)
        return tuple(found)

    def _combined(
        self, family: Family, stages: Seq[RowStage], rows: Rows, kernels: Seq[Kernel], name: str, launch: StitchedLaunch
    ) -> StitchedKernel:
        kept_box = box_of(rows.kept_points, self.scop.context)
        names = ", ".join(k.name for k in kernels)
        return StitchedKernel(
            name=name,
            number=kernels[0].number,
            host=kernels[0].host,
            kept=rows.kept,
            reduced=rows.element,
            body=Sequence(tuple(stage.body for stage in stages if stage.body is not None)),
            post=tuple(name for stage in stages for name in stage.post),
            block=launch.threads,
            index=index_type(rows.points, self.scop.context),
            domain=launches(kernels),
            plans=tuple(Accumulated(name) for stage in stages for name in stage.reductions),
            kept_box=kept_box,
            reduced_box=rows.box,
            run_rows=family.depth if family.depth > 1 else 0,
            reason=f"does the work of {names}",
            launch=launch,
        )


def _is_tight(points: isl.Set, box: Seq[BoxDimension], known: isl.Set) -> bool:
    """Whether bounds in the right order are enough for the box to be inhabited: loads are not guarded otherwise."""
    for dimension in box:
        known = known.intersect(dimension.lower.le_set(dimension.upper).params())
    return bool(known.is_subset(points.params()))


def _has_elements(kept_points: isl.Set, points: isl.Set) -> bool:
    """Whether every row { [kept] } has elements { [kept, element] } if any has.

    Those of a row are loaded and stored in chunks, which no condition on the row guards.
    """
    kept = islx.dimensions(kept_points)
    inhabited = points.project_out(isl.dim_type.set, kept, islx.dimensions(points) - kept)
    return bool(kept_points.intersect_params(points.params()).is_subset(inhabited))


def _stages(family: Family, members: Seq[tuple[Part, Kernel]]) -> tuple[RowStage, ...]:
    """The stages of the parts: one for each with elements; what has none is added to the stage before it.

    What several parts compute for themselves is computed once for a row.
    """
    found: list[RowStage] = []
    for part, kernel in members:
        done = {name for stage in found for name in stage.post}
        before = tuple(name for name in part.prologue if name not in done)
        if not part.reduced and len(part.kept) == family.kept:
            before = (*before, *part_statements(part))
        if before:
            last = found.pop() if found else RowStage(None, (), ())
            found.append(replace(last, post=(*last.post, *before)))
        if part.reduced or len(part.kept) > family.kept:
            found.append(RowStage(part.body, kernel.reductions, part.post, kernel))
    return tuple(found)


def _stage_of(stages: Seq[RowStage], kernel: Kernel) -> int:
    """The stage of a kernel: its own, or the one whose last step its statements became."""
    for number, stage in enumerate(stages):
        if stage.kernel is kernel:
            return number
    assert kernel.body is not None
    first = statements_of(kernel.body)[0]
    return next(n for n, stage in enumerate(stages) if first in stage.post)


def _steps(number: int, stage: RowStage) -> list[StageStatement]:
    body = statements_of(stage.body)
    return [*(StageStatement(s, number, False) for s in body), *(StageStatement(s, number, True) for s in stage.post)]


def _element_functions(part: Part, family: Family, position: int) -> list[isl.PwAff]:
    """The functions of the element row at `position` on the statements of the part's body."""
    if part.reduced:
        row = part.reduced[position]
    elif len(part.kept) > family.kept:
        row = part.kept[family.kept + position]
    else:
        return []
    body = set(statements_of(part.body)) if part.body is not None else set()
    return [f for name, f in islx.pw_affs_of(row.function).items() if name in body]


def _items(promotions: Seq[RegisterPromotion], width: int, stages: int, launch: StitchedLaunch) -> tuple[int, ...]:
    """How many chunks a thread may hold, so that the values that live at one time fit into its registers."""
    most = max(
        sum(s.size * width for s in promotions if not s.of_row and s.first < s.last and s.first <= number <= s.last)
        for number in range(stages)
    )
    return row_chunks(launch, width, most)


def _wide_items(
    promotions: Seq[RegisterPromotion], width: int, items: Seq[int], kept: LongRows | None, exchanged: int
) -> tuple[int, ...]:
    """The largest two of `items` chunks that a thread of the largest block has registers for, which has `exchanged`
    bytes of accumulators.

    Values that do not live at one time take turns there, as they do in the shared memory of longer rows (`kept`).
    Shorter rows leave some of the threads without elements, which takes less than a form of their own.
    """
    if kept is None:
        return ()
    of_element = max((kept.size, *(s.size for s in promotions if not s.of_row)))
    most = min(_WIDE_BYTES, _WIDE_BYTES_IN_ALL - 2 * exchanged)
    return tuple(count for count in items if count * width * of_element <= most)[-2:]


def _best_promotions(
    finders: Seq[RegisterPromoter],
) -> tuple[tuple[RegisterPromotion, ...], tuple[str, ...], RegisterPromoter]:
    """The promotions of the finder that serves most sweeps over elements, the first of equals; raises NotFused."""
    refused: NotFused | None = None
    found: list[tuple[int, tuple[RegisterPromotion, ...], tuple[str, ...], RegisterPromoter]] = []
    for finder in finders:
        if found and not finders[0].has_gaps:
            break
        try:
            promotions, by_one_thread = finder.find()
        except NotFused as reason:
            refused = refused or reason
            continue
        served = sum(s.last - s.first for s in promotions if not s.of_row)
        if not found or served > found[0][0]:
            found = [(served, promotions, by_one_thread, finder)]
    if not found:
        assert refused is not None
        raise refused
    return found[0][1:]
