"""The function of a contraction that does its points in tiles (gpu/shapes/contraction.py says which points share what)."""

from __future__ import annotations

from pencilc.codegen.accumulators import accumulator
from pencilc.codegen.frame import KernelFrame
from pencilc.codegen.instances import Instances, KernelPart, Load
from pencilc.codegen.names import NameTable
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.shapes.tiles import group
from pencilc.ir.build import address, cast, count_of, declare, is_number, plus, variable
from pencilc.ir.geometry import Geometry
from pencilc.ir.kernel import Node, OperandTile, Parameter, TiledPoints, uses
from pencilc.ir.shapes import Contraction, Operand
from pencilc.ir.source import INT, Declare, Expr

# The two sides of a tile: the place of a point on each.
ROW, COLUMN = "@row", "@column"


class TiledWriter:
    """Writes the node of a kernel whose points are done in tiles; counts of points fit an `int` where it is launched."""

    def __init__(self, frame: KernelFrame, writer: Instances, contraction: Contraction) -> None:
        self.frame, self.writer, self.contraction = frame, writer, contraction
        self.kernel = frame.kernel

    def node(self, at: Geometry, post: tuple[Node, ...]) -> TiledPoints:
        """The points, with what follows each of them."""
        frame, kernel, shared = self.frame, self.kernel, self.contraction
        assert frame.tree is not None and kernel.kept_box and kernel.reduced_box
        names = (*frame.kept_names, *frame.reduced_names)
        part = KernelPart("body", along=names, operands=shared.operands)
        ast = frame.ast(frame.tree, (*frame.kept, *frame.reduced), names, frame.inner_names)
        nodes = self.writer.nodes(ast, part)
        nodes = (*self.writer.missing_declarations(part, nodes), *nodes)
        table = NameTable()
        operands = tuple(self._operand(load, table) for load in part.loads.values())
        recovered = frame.recover("@point", frame.reduced_names, kernel.reduced_box, nodes, INT)
        row, column = (self._iterator(side, nodes) for side in (ROW, COLUMN))
        parameters = [Parameter(each.symbol.name, each.symbol.type, is_const=True) for each in (*row, *column)]
        if recovered:
            parameters.append(Parameter("@point", INT, is_const=True))
        parameters += [Parameter(load.register, load.type, is_const=True, reference=load.is_struct) for load in part.loads.values()]
        found = accumulator(frame.program, kernel)
        parameters.append(Parameter("@acc", found.carried, reference=True))
        layers = self._layers()
        addresses = [each.address for each in operands]
        kept = frame.recover(
            "@outer",
            [frame.kept_names[k] for k in layers],
            [kernel.kept_box[k] for k in layers],
            (*nodes, *post, *addresses),
        )
        axes = (*self._iterator(ROW, post), *self._iterator(COLUMN, post))
        return TiledPoints(
            found, at, self._count(shared.down), self._count(shared.across),
            count_of([frame.trips(box) for box in kernel.reduced_box]),
            count_of([frame.trips(kernel.kept_box[k]) for k in layers]) if layers else None,
            kept, operands, "@element", tuple(parameters), (*recovered, *nodes),
            _value(row), _value(column), bool(recovered), axes, post,
            shared.sizes, (group(shared, True), group(shared, False)), max(size.depth for size in shared.sizes),
        )  # fmt: skip

    def _layers(self) -> list[int]:
        """The positions of the kept rows that are no side of a tile."""
        sides = (self.contraction.down, self.contraction.across)
        return [k for k in range(len(self.frame.kept_names)) if k not in sides]

    def _count(self, position: int) -> Expr:
        """How many places a side has in all."""
        assert self.kernel.kept_box
        return self.frame.trips(self.kernel.kept_box[position])

    def _iterator(self, side: str, nodes: object) -> tuple[Declare, ...]:
        """The iterator of a side at its place, if `nodes` use it."""
        position = self.contraction.down if side == ROW else self.contraction.across
        name, kind = self.frame.kept_names[position], self.frame.types[self.frame.kept_names[position]]
        if not uses(nodes, name):
            return ()
        assert self.kernel.kept_box
        lower = self.frame.bounds(self.kernel.kept_box[position])[0]
        place: Expr = variable(side, INT)
        value = place if is_number(lower, 0) and kind == INT else cast(kind, plus(lower, place))
        return (declare(name, kind, value, is_const=True),)

    def _operand(self, load: Load, table: NameTable) -> OperandTile:
        """What is fetched for one of the accesses of an element."""
        operand = load.read
        if not isinstance(operand, Operand):
            raise CompilerBug(f"{self.kernel.name} fetches `{load.array}`, which is no operand")
        assert self.kernel.reduced_box
        where = address(load.access)
        recovered = self.frame.recover("@point", self.frame.reduced_names, self.kernel.reduced_box, where, INT)
        side = self._iterator(ROW if operand.down else COLUMN, where)
        fetch, part, tiles = (table.fresh(f"@{load.array}_{kind}") for kind in ("at", "part", "tiles"))
        return OperandTile(
            load.register, load.type, where, (*side, *recovered), operand.down, operand.along == "depth", operand.width,
            fetch, part, tiles, f"{load.register}s",
        )  # fmt: skip


def _value(iterator: tuple[Declare, ...]) -> Expr | None:
    """The value of an iterator, if there is one."""
    return iterator[0].init if iterator else None
