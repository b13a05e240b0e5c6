"""The function that does points in tiles; gpu/shapes/tiling.py says which of them share what."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from collections.abc import Sequence as Seq
from dataclasses import replace

import islpy as isl

from pencilc import islx
from pencilc.analysis.box import at_rows, within
from pencilc.codegen.accumulators import accumulator
from pencilc.codegen.astgen import AstBlock, AstFor, AstIf, AstInstance, AstLet, AstNode
from pencilc.codegen.bodies import set_to
from pencilc.codegen.cexpr import type_text
from pencilc.codegen.frame import KernelFrame, equals_parameter
from pencilc.codegen.instances import Instances, KernelPart, Load, places_of
from pencilc.codegen.names import NameTable, safe
from pencilc.codegen.tile_nodes import (
    Begin,
    Folded,
    PartialTiles,
    TileElement,
    TileParts,
    in_fragments,
    in_registers,
    rows_of_tiles,
    tile_of_points,
)
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.shapes.seen import asks_for_elements, seen_points
from pencilc.gpu.shapes.tiles import (
    TENSOR_ARCH,
    by_rows,
    group,
    keeps_rows_on_chip,
    tensor_depth,
    tensor_stages,
    tensor_step,
    tensor_unrolled,
    unrolled,
)
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.build import ONE, address, cast, count_of, declare, is_number, negation, plus, variable
from pencilc.ir.launches import Triangle
from pencilc.ir.nodes import If, Node, Parameter, uses
from pencilc.ir.schedule import statements_of
from pencilc.ir.scop import Statement
from pencilc.ir.shapes import Operand, Tiling
from pencilc.ir.source import (
    BFLOAT16,
    FLOAT,
    HALF,
    INT,
    Declare,
    Expr,
    Name,
    Scalar,
)
from pencilc.ir.tiles import EmptyTotal, FragmentNames, FromArch, OperandTile, TensorProduct
from pencilc.records import dataclass

# The two sides of a tile: the place of a point on each.
ROW, COLUMN = "@row", "@column"
# What the runtime has for factors of floats; all others are bytes.
OF_FLOATS = {
    HALF.name: FragmentNames("pencilc_halves", "pencilc_float_sums", "pencilc_multiply_half"),
    BFLOAT16.name: FragmentNames("pencilc_halves", "pencilc_float_sums", "pencilc_multiply_bfloat16"),
    FLOAT.name: FragmentNames("pencilc_tf32", "pencilc_float_sums", "pencilc_multiply_tf32"),
}
OF_BYTES = FragmentNames("pencilc_bytes", "pencilc_byte_sums", "pencilc_multiply_bytes")


def triangle_of(shared: Tiling) -> Triangle | None:
    """Which points have elements, if these are a triangle at a fixed distance from the corner of the box; else None."""
    points = shared.looping if shared.looping is not None else shared.occupied
    corner = [islx.constant_value(shared.kept_box[k].lower) for k in (shared.down, shared.across)]
    if points is None or shared.folds or None in corner:
        return None
    beside = points.gist(within(points, shared.kept_box)).gist_params(points.params()).coalesce()
    constraints = beside.get_basic_sets()[0].get_constraints() if beside.n_basic_set() == 1 else []
    if len(constraints) != 1 or constraints[0].is_equality() or constraints[0].is_div_constraint():
        return None
    sides = [_of_set(constraints[0], k) for k in range(islx.dimensions(points))]
    down, across = sides[shared.down], sides[shared.across]
    others = [side for k, side in enumerate(sides) if k not in (shared.down, shared.across)]
    named = range(points.dim(isl.dim_type.param))
    if (down, across) not in ((1, -1), (-1, 1)) or any(others):
        return None
    if any(constraints[0].involves_dims(isl.dim_type.param, k, 1) for k in named):
        return None
    first, second = (value for value in corner if value is not None)
    # down * (first + row) + across * (second + column) + constant >= 0
    constant = int(constraints[0].get_constant_val().to_python()) + down * first + across * second
    return Triangle(below=down > 0, offset=constant if down > 0 else -constant)


def _of_set(constraint: isl.Constraint, position: int) -> int:
    return int(constraint.get_coefficient_val(isl.dim_type.set, position).to_python())


@dataclass(frozen=True, slots=True, eq=False)
class EndsOfTile:
    """The first reduced point of a block's tile, and the one behind the last, counted from the first of the box.

    None where these are the box's.  `known`: what parameters are where a tile begins.
    """

    first: isl.PwAff | None
    last: isl.PwAff | None
    known: isl.Set


class TiledWriter:
    """Writes the nodes of a kernel whose points are done in tiles; counts of points fit an `int` where it is launched.

    `frame` and `writer` are those of its tiled form.
    """

    def __init__(self, frame: KernelFrame, writer: Instances, tiling: Tiling) -> None:
        self.frame, self.writer, self.tiling = frame, writer, tiling
        self.kernel = frame.kernel

    def nodes(self, post: tuple[Node, ...], rows: Accumulator | None = None) -> tuple[Node, ...]:
        """The points, with what follows each of them, `post`, where threads reduce.

        `rows`: what the points of each row are folded into; then `post` follows each row.
        """
        frame, kernel, shared = self.frame, self.kernel, self.tiling
        assert frame.tree is not None and kernel.kept_box and kernel.reduced_box
        names = (*frame.kept_names, *frame.reduced_names)
        part = KernelPart("body", along=names, operands=shared.operands, handed_on=shared.carried)
        asks = shared.points is not None or asks_for_elements(frame.scop, shared)
        if shared.looping is not None and not asks:
            # A condition on the kept point alone would stand around each element, and is asked again where results go.
            self._to_all_of_the_box()
        ast = frame.ast(frame.tree, (*frame.kept, *frame.reduced), names, frame.inner_names)
        body = self.writer.whole(part, ast)
        begin: Begin | None = None
        behind_rows = post if rows is not None else ()
        if shared.carried:
            begin, post = self._around(ast)
            found = Accumulator(f"{kernel.name}_point", begin.value.type, False, (), begin.value.type)
        else:
            found = accumulator(frame.program, kernel)
        if shared.has_others and not asks:
            post = (*self._without_elements(begin, found), *post)
        table = NameTable()
        operands = tuple(self._operand(load, table) for load in part.loads.values())
        element = self._element("@element", body, part, found)
        layers = self._layers()
        ends = self._ends(shared.points, layers) if shared.points is not None else None
        with_elements = None if shared.folds else self._with_elements(layers, ends)
        partial = self._partial(part, names, found, ends) if ends is not None else None
        boxes = [kernel.kept_box[k] for k in layers]
        occupied = self._occupied(layers)
        named = (body, begin, occupied, post, behind_rows, [each.address for each in operands])
        kept = frame.recover("@outer", [frame.kept_names[k] for k in layers], boxes, named)
        if begin is not None:
            begin = self._with_places(begin)
        parts = TileParts(
            found, self._count(shared.down), self._count(shared.across),
            count_of([frame.trips(box) for box in kernel.reduced_box]),
            count_of([frame.trips(box) for box in boxes]) if layers else None,
            kept, occupied, operands, element, begin, self._with_iterators(post), shared.sizes,
            (group(shared, True), group(shared, False)), unrolled(shared), shared.is_stepwise, partial, by_rows(shared),
            with_elements,
        )  # fmt: skip
        if rows is not None:
            takes = tuple(side for side in (ROW, COLUMN) if uses(parts.post, side))
            folded = Folded(rows, takes, parts.post, self._with_iterators(behind_rows))
            in_shared = max((size.points for size in shared.sizes if keeps_rows_on_chip(size.points)), default=0)
            return rows_of_tiles(parts, folded, in_shared)
        return self._tiles(parts)

    def _tiles(self, parts: TileParts) -> tuple[Node, ...]:
        """A tile of each block: by ordinary instructions, or by tensor cores where devices have such."""
        shared = self.tiling
        deepest = max(size.depth for size in shared.sizes)
        if not shared.on_tensor_cores:
            return (*tile_of_points(parts, deepest), *in_registers(parts))
        (down,) = (each for each in parts.operands if each.down)
        (across,) = (each for each in parts.operands if not each.down)
        depth, kind = tensor_depth(shared), shared.operands[0].index.type
        assert isinstance(kind, Scalar)
        names, unrolled = OF_FLOATS.get(kind.name, OF_BYTES), tensor_unrolled(shared)
        stages, step = tensor_stages(shared), tensor_step(shared)
        # With other types no register is left for it.
        keeps_places = kind.size == HALF.size and down.is_even and across.is_even
        product = TensorProduct(type_text(kind), names, depth, stages, step, unrolled, keeps_places, down, across)
        forms = FromArch(TENSOR_ARCH, in_fragments(parts, product), in_registers(parts))
        return (*tile_of_points(parts, max(deepest, depth)), forms)

    def _element(self, name: str, body: tuple[Node, ...], part: KernelPart, found: Accumulator) -> TileElement:
        """The function of an element: what it is given, and what it does."""
        assert self.kernel.reduced_box
        recovered = self.frame.recover("@point", self.frame.reduced_names, self.kernel.reduced_box, body, INT)
        row, column = (self._iterator(side, body) for side in (ROW, COLUMN))
        parameters = [Parameter(each.symbol.name, each.symbol.type, is_const=True) for each in (*row, *column)]
        if recovered:
            parameters.append(Parameter("@point", INT, is_const=True))
        for load in part.loads.values():
            parameters.append(Parameter(load.register, load.type, is_const=True, reference=load.is_struct))
        parameters.append(Parameter("@acc", found.carried, reference=True))
        return TileElement(name, tuple(parameters), (*recovered, *body), _value(row), _value(column), bool(recovered))

    def _with_places(self, begin: Begin) -> Begin:
        """What points begin with, behind the iterators that it uses; without any of these it is the same for all."""
        start = self._with_iterators(begin.start, begin.value, begin.loops)
        alike = not any(uses((start, begin.value, begin.loops), side) for side in (ROW, COLUMN))
        return replace(begin, start=start, alike=alike)

    def _around(self, ast: AstNode) -> tuple[Begin, tuple[Node, ...]]:
        """What a point begins with, behind what comes before its loop; what follows it."""
        shared, scop = self.tiling, self.frame.scop
        start = self.writer.whole(KernelPart("body"), *self.frame.of_kept_point(shared.before))
        touching = (each for each in _instances(ast) if _touches(scop.statement(each.statement), shared.carried))
        first = next(touching)
        place = self.writer.place_of(scop.statement(first.statement), first.arguments, shared.carried)
        behind, after = KernelPart("body", in_order=shared.in_order), self.frame.of_kept_point(shared.after)
        total = variable("@total", place.type)
        if isinstance(place, Name) and place.symbol.name == safe(shared.carried):
            # A register is there for every point.
            behind.declared.add(shared.carried)
            end: Node = declare(place.symbol.name, place.type, total)
            return Begin(start, place, None, False), (end, *self.writer.whole(behind, *after))
        loops = None if shared.looping is None else self._condition(shared.looping)
        stored: Node = set_to(place, total)
        if loops is not None:
            stored = If(loops, (stored,))
        return Begin(start, place, loops, False), (stored, *self.writer.whole(behind, *after))

    def _without_elements(self, begin: Begin | None, found: Accumulator) -> tuple[Node, ...]:
        """The total of a point that has none, where the stages have computed some for it all the same."""
        assert self.tiling.looping is not None
        condition = self._condition(self.tiling.looping)
        if condition is None:
            return ()
        start: tuple[Node, ...] = (EmptyTotal(found),)
        if begin is not None:
            start = (*begin.start, set_to(variable("@total", found.type), begin.value))
        return (If(negation(condition), start),)

    def _condition(self, points: isl.Set) -> Expr | None:
        """Whether a kept point is among `points`."""
        frame = self.frame
        here = islx.as_parameters(points, frame.kept_names)
        return frame.affine.condition(here, self._launched(frame.context(frame.kept, frame.kept_names)))

    def _launched(self, known: isl.Set) -> isl.Set:
        """What is `known` of parameters where tiles are launched: not where there are no reduced points."""
        for box in self.kernel.reduced_box or ():
            known = known.intersect(box.lower.le_set(box.upper).params())
        return known

    def _occupied(self, layers: list[int]) -> Expr | None:
        """Whether a tile, which begins at `@first_row` and `@first_column`, has any point; None where each has."""
        shared, frame = self.tiling, self.frame
        if shared.occupied is None:
            return None
        begin = self._of_tile(shared.occupied)[1]
        return frame.affine.condition(self._tiles_with(shared.occupied, layers), self._of_tiles(begin, layers))

    def _of_tile(self, points: isl.Set) -> tuple[isl.Set, isl.Set]:
        """Those of `points` { [t, …] } in the tile that begins at `@first_row` and `@first_column`; where tiles do."""
        shared, boxes = self.tiling, self.kernel.kept_box
        assert boxes is not None
        sides = {shared.down: ("@first_row", "@tile_rows"), shared.across: ("@first_column", "@tile_columns")}
        for name in itertools.chain(*sides.values()):
            points = _with_parameter(points, name)
        # A tile begins inside of the box, and has a point there.
        begin = isl.Set.universe(points.get_space())
        for position, (first, side) in sides.items():
            begin = begin.intersect(islx.parameter(points, side).ge_set(islx.constant(points, 1)))
            here = islx.variable(points, position)
            space = points.get_space()
            lower, upper = (each.insert_domain(space) for each in (boxes[position].lower, boxes[position].upper))
            start = lower.add(islx.parameter(points, first))
            begin = begin.intersect(lower.le_set(start)).intersect(start.le_set(upper))
            points = points.intersect(start.le_set(here))
            points = points.intersect(here.lt_set(start.add(islx.parameter(points, side))))
        return points, begin

    def _of_layer(self, points: isl.Set, layers: list[int]) -> isl.Set:
        """The parameters for which { [t] } of the layers, and of them alone, has the one that a block has."""
        return islx.as_parameters(points, [self.frame.kept_names[k] for k in layers])

    def _of_tiles(self, begin: isl.Set, layers: list[int]) -> isl.Set:
        """What is known of parameters where a tile begins in a layer."""
        frame = self.frame
        known = frame.context([frame.kept[k] for k in layers], [frame.kept_names[k] for k in layers])
        return known.intersect(begin.params())

    def _partial(self, part: KernelPart, names: Seq[str], found: Accumulator, ends: EndsOfTile) -> PartialTiles:
        """What a tile does of which points have different reduced ones."""
        frame, shared = self.frame, self.tiling
        assert frame.tree is not None and self.kernel.kept_box and self.kernel.reduced_box
        first, last = (None if end is None else frame.affine.value(end, ends.known) for end in (ends.first, ends.last))
        seen = seen_points(frame.scop, shared)
        here, ahead = (self._has_all(point, seen) for point in ("@at", "@next"))
        self._to_all_of_the_box()
        ast = frame.ast(frame.tree, (*frame.kept, *frame.reduced), names, frame.inner_names)
        whole = KernelPart(
            "body", along=names, operands=shared.operands, handed_on=shared.carried, loads=dict(part.loads)
        )
        body = self.writer.whole(whole, ast)
        if list(whole.loads) != list(part.loads):
            raise CompilerBug(f"{self.kernel.name}: what tiles fetch depends on a condition")
        return PartialTiles(first, last, here, ahead, self._element("@whole_element", body, part, found))

    def _ends(self, points: isl.Set, layers: list[int]) -> EndsOfTile:
        """Where the reduced points of a block's tile begin and end, of those { [t, r] } that the source has.

        Several rows are walked as one, from the first point of the box to its last.
        """
        frame = self.frame
        assert self.kernel.reduced_box
        points, begin = self._of_tile(self._beside_box(points))
        if len(self.kernel.reduced_box) > 1:
            return EndsOfTile(None, None, self._of_tiles(begin, layers))
        (box,) = self.kernel.reduced_box
        for position in sorted((self.tiling.down, self.tiling.across), reverse=True):
            points = points.project_out(isl.dim_type.set, position, 1)
        for position, k in enumerate(layers):
            points = points.intersect(equals_parameter(points, position, frame.kept_names[k]))
        points = points.project_out(isl.dim_type.set, 0, len(layers))
        known = self._of_tiles(begin, layers)
        first, highest = islx.lowest(points, 0), islx.highest(points, 0)
        last = None if highest is None else highest.add_constant_val(isl.Val(1))
        begin_at, end_at = (None if end is None else end.sub(box.lower).gist(known) for end in (first, last))
        return EndsOfTile(begin_at, end_at, known)

    def _ranges(self, ends: EndsOfTile) -> isl.Set:
        """Where a tile begins whose ends are a range of reduced points, whether the tile has these or not."""
        assert self.kernel.reduced_box
        if ends.first is None and ends.last is None:
            return ends.known
        (box,) = self.kernel.reduced_box
        trips = box.upper.sub(box.lower).add_constant_val(isl.Val(1))
        ranges = ends.known
        for start in (ends.first, trips.sub(trips)):
            for end in (ends.last, trips):
                if start is not None and end is not None:
                    is_range = islx.everywhere(start).lt_set(islx.everywhere(end))
                    ranges = ranges.intersect(is_range.params())
        return ranges

    def _with_elements(self, layers: list[int], ends: EndsOfTile | None) -> Expr | None:
        """Whether a tile that has points has any element; None where each has, or its range of points tells.

        Points that have a result and no elements make such tiles: `if (j <= i)` inside of the loop over `k`.
        """
        shared, frame = self.tiling, self.frame
        points = shared.looping if shared.points is None else shared.points
        if points is None:
            return None
        known = self._launched(self._of_tiles(self._of_tile(points)[1], layers))
        if shared.occupied is not None:
            known = known.intersect(self._tiles_with(shared.occupied, layers))
        those = self._tiles_with(points, layers)
        if ends is not None:
            known = known.intersect(self._ranges(ends).union(those))
        return frame.affine.condition(those, known)

    def _tiles_with(self, points: isl.Set, layers: list[int]) -> isl.Set:
        """Where tiles begin, in a layer, that have some of { [t, …] }, reduced points or none."""
        points, _ = self._of_tile(points)
        others = [k for k in range(islx.dimensions(points)) if k not in layers]
        for position in reversed(others):
            points = points.project_out(isl.dim_type.set, position, 1)
        return self._of_layer(points, layers)

    def _has_all(self, point: str, kept: isl.Set | None) -> Expr:
        """Whether all points of the tile, or those that are `kept`, have all of the stage that begins at `point`.

        Of several reduced rows, whose points a stage has from different rows: whether they have all of the box.
        """
        frame, shared, layers = self.frame, self.tiling, self._layers()
        assert shared.points is not None and self.kernel.reduced_box
        asked = [self._beside_box(shared.points, kept)]
        asked += [self._beside_box(each.read) for each in shared.operands if each.read is not None]
        asked += map(self._beside_box, shared.conditional)
        stage, begin = self._of_tile(isl.Set.universe(shared.points.get_space()))
        if len(self.kernel.reduced_box) > 1:
            stage = stage.intersect(within(stage, self.kernel.reduced_box, len(frame.kept_names)))
        else:
            stage = self._stage_at(point, stage)
            begin = begin.intersect(islx.parameter(stage, "@depth").ge_set(islx.constant(stage, 1)))
        for k in layers:
            stage = stage.intersect(equals_parameter(stage, k, frame.kept_names[k]))
        known = self._launched(self._of_tiles(begin, layers))
        found = isl.Set.universe(known.get_space())
        for points in asked:
            found = found.subtract(stage.subtract(points).params())
        condition = frame.affine.condition(found.coalesce(), known)
        return ONE if condition is None else condition

    def _stage_at(self, point: str, points: isl.Set) -> isl.Set:
        """Those of `points` { [t, r] } in the stage of the only reduced row that begins at `point`."""
        assert self.kernel.reduced_box
        (box,) = self.kernel.reduced_box
        for name in (point, "@depth"):
            points = _with_parameter(points, name)
        row = islx.variable(points, len(self.frame.kept_names))
        start = box.lower.insert_domain(points.get_space()).add(islx.parameter(points, point))
        return points.intersect(start.le_set(row)).intersect(row.lt_set(start.add(islx.parameter(points, "@depth"))))

    def _beside_box(self, points: isl.Set, kept: isl.Set | None = None) -> isl.Set:
        """What { [t, r] } asks beside that points are in the box, and among those that are `kept`."""
        assert self.kernel.kept_box and self.kernel.reduced_box
        box = within(points, (*self.kernel.kept_box, *self.kernel.reduced_box))
        if kept is not None:
            box = box.intersect(kept.add_dims(isl.dim_type.set, len(self.kernel.reduced_box)))
        return points.gist(box)

    def _to_all_of_the_box(self) -> None:
        """From here on elements are those of all points of the box, and so is what folded ones begin with."""
        frame, shared = self.frame, self.tiling
        assert self.kernel.kept_box and self.kernel.reduced_box
        boxes = (*self.kernel.kept_box, *self.kernel.reduced_box)
        of_body = ((name, (*frame.kept, *frame.reduced), boxes) for name in statements_of(shared.body))
        before = ((name, frame.kept, self.kernel.kept_box) for name in (shared.before if shared.folds else ()))
        for name, along, sides in (*of_body, *before):
            everywhere = isl.Set.universe(frame.domains[name].get_space())
            rows = at_rows(everywhere, (*frame.host_rows, *along), name)
            points = rows.range()
            points = points.intersect(within(points, sides, len(frame.host_rows)))
            frame.domains[name] = rows.intersect_range(points).domain().intersect_params(frame.scop.context)

    def _layers(self) -> list[int]:
        """The positions of the kept rows that are no side of a tile."""
        sides = (self.tiling.down, self.tiling.across)
        return [k for k in range(len(self.frame.kept_names)) if k not in sides]

    def _count(self, position: int) -> Expr:
        """How many places a side has in all."""
        assert self.kernel.kept_box
        return self.frame.trips(self.kernel.kept_box[position])

    def _with_iterators(self, nodes: tuple[Node, ...], *others: Expr | None) -> tuple[Node, ...]:
        """`nodes` behind the iterators of the point that they, and `others`, use."""
        used = (nodes, *others)
        return (*self._iterator(ROW, used), *self._iterator(COLUMN, used), *nodes)

    def _iterator(self, side: str, nodes: object) -> tuple[Declare, ...]:
        """The iterator of a side at its place, if `nodes` use it."""
        position = self.tiling.down if side == ROW else self.tiling.across
        name = self.frame.kept_names[position]
        if not uses(nodes, name):
            return ()
        assert self.kernel.kept_box
        kind, lower = self.frame.types[name], self.frame.bounds(self.kernel.kept_box[position])[0]
        place: Expr = variable(side, INT)
        value = place if is_number(lower, 0) and kind == INT else cast(kind, plus(lower, place))
        return (declare(name, kind, value, is_const=True),)

    def _operand(self, load: Load, table: NameTable) -> OperandTile:
        """What is fetched for one of the accesses of an element."""
        operand = load.read
        if not isinstance(operand, Operand):
            raise CompilerBug(f"{self.kernel.name} fetches `{load.array}`, which is no operand")
        assert self.kernel.reduced_box
        where, read = address(load.access), self._is_read(operand)
        recover, recover_read = (self._places(operand, each) for each in (where, read))
        kinds = ("at", "part", "tiles", "whole", "chunks", "is_read")
        fetch, part, tiles, whole, chunks, is_read = (table.fresh(f"@{load.array}_{kind}") for kind in kinds)
        return OperandTile(
            load.register, load.type, where, recover, operand.down, operand.along == "depth", operand.width,
            operand.is_even, fetch, part, tiles, whole, chunks, f"{load.register}s", read, is_read,
            recover_read,
        )  # fmt: skip

    def _places(self, operand: Operand, used: Expr | None) -> tuple[Node, ...]:
        """The iterators that an expression uses, at a place of the operand's side and a reduced point."""
        assert self.kernel.reduced_box
        recovered = self.frame.recover("@point", self.frame.reduced_names, self.kernel.reduced_box, used, INT)
        return (*self._iterator(ROW if operand.down else COLUMN, used), *recovered)

    def _is_read(self, operand: Operand) -> Expr | None:
        """Whether the source reads the element of an operand at a point; None where it reads all of them."""
        if operand.read is None:
            return None
        frame = self.frame
        names, rows = (*frame.kept_names, *frame.reduced_names), (*frame.kept, *frame.reduced)
        condition = frame.affine.condition(islx.as_parameters(operand.read, names), frame.context(rows, names))
        return ONE if condition is None else condition


def _with_parameter(points: isl.Set, name: str) -> isl.Set:
    """The same points, beside a parameter that has this name."""
    count = points.dim(isl.dim_type.param)
    return points.add_dims(isl.dim_type.param, 1).set_dim_name(isl.dim_type.param, count, name)


def _touches(record: Statement, variable_name: str) -> bool:
    """Whether a statement accesses the variable."""
    return next(places_of(record, variable_name), None) is not None


def _value(iterator: tuple[Declare, ...]) -> Expr | None:
    """The value of an iterator, if there is one."""
    return iterator[0].init if iterator else None


def _instances(ast: AstNode) -> Iterator[AstInstance]:
    """The instances that an AST without loops has."""
    match ast:
        case AstInstance():
            yield ast
        case AstBlock():
            for item in ast.items:
                yield from _instances(item)
        case AstIf():
            yield from _instances(ast.then)
            if ast.otherwise is not None:
                yield from _instances(ast.otherwise)
        case AstLet() | AstFor():
            yield from _instances(ast.body)
