"""The function that does points in tiles; gpu/shapes/contraction.py says which of them share what."""

from __future__ import annotations

from collections.abc import Iterator

from pencilc.codegen.accumulators import accumulator
from pencilc.codegen.astgen import AstBlock, AstFor, AstIf, AstInstance, AstLet, AstNode
from pencilc.codegen.bodies import set_to
from pencilc.codegen.frame import KernelFrame
from pencilc.codegen.instances import Instances, KernelPart, Load
from pencilc.codegen.names import NameTable, safe
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.gpu.shapes.tiles import group
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.build import address, cast, count_of, declare, is_number, plus, variable
from pencilc.ir.geometry import Geometry
from pencilc.ir.kernel import Node, OperandTile, Parameter, TiledPoints, uses
from pencilc.ir.schedule import Leaf
from pencilc.ir.shapes import Contraction, Operand
from pencilc.ir.source import INT, Declare, Expr, Name

# The two sides of a tile: the place of a point on each.
ROW, COLUMN = "@row", "@column"


class TiledWriter:
    """Writes the node of a kernel whose points are done in tiles; counts of points fit an `int` where it is launched.

    `frame` and `writer` are those of its tiled form.
    """

    def __init__(self, frame: KernelFrame, writer: Instances, contraction: Contraction) -> None:
        self.frame, self.writer, self.contraction = frame, writer, contraction
        self.kernel = frame.kernel

    def node(self, at: Geometry, post: tuple[Node, ...]) -> TiledPoints:
        """The points, with what follows each of them: `post`, where threads reduce."""
        frame, kernel, shared = self.frame, self.kernel, self.contraction
        assert frame.tree is not None and kernel.kept_box and kernel.reduced_box
        names = (*frame.kept_names, *frame.reduced_names)
        part = KernelPart("body", along=names, operands=shared.operands, handed_on=shared.carried)
        ast = frame.ast(frame.tree, (*frame.kept, *frame.reduced), names, frame.inner_names)
        nodes = self.writer.nodes(ast, part)
        nodes = (*self.writer.missing_declarations(part, nodes), *nodes)
        start: tuple[Node, ...] = ()
        begins: Expr | None = None
        if shared.carried:
            start, begins, post = self._around(next(_instances(ast)))
            kind = begins.type
            found = Accumulator(kernel.name, kind, False, (), kind)
        else:
            found = accumulator(frame.program, kernel)
        table = NameTable()
        operands = tuple(self._operand(load, table) for load in part.loads.values())
        recovered = frame.recover("@point", frame.reduced_names, kernel.reduced_box, nodes, INT)
        row, column = (self._iterator(side, nodes) for side in (ROW, COLUMN))
        parameters = [Parameter(each.symbol.name, each.symbol.type, is_const=True) for each in (*row, *column)]
        if recovered:
            parameters.append(Parameter("@point", INT, is_const=True))
        for load in part.loads.values():
            parameters.append(Parameter(load.register, load.type, is_const=True, reference=load.is_struct))
        parameters.append(Parameter("@acc", found.carried, reference=True))
        layers = self._layers()
        boxes = [kernel.kept_box[k] for k in layers]
        named = (*nodes, *start, begins, *post, *(each.address for each in operands))
        kept = frame.recover("@outer", [frame.kept_names[k] for k in layers], boxes, named)
        return TiledPoints(
            found, at, self._count(shared.down), self._count(shared.across),
            count_of([frame.trips(box) for box in kernel.reduced_box]),
            count_of([frame.trips(box) for box in boxes]) if layers else None,
            kept, operands, "@element", tuple(parameters), (*recovered, *nodes),
            _value(row), _value(column), bool(recovered), self._with_iterators(start, begins), begins,
            self._with_iterators(post), shared.sizes, (group(shared, True), group(shared, False)),
            max(size.depth for size in shared.sizes),
        )  # fmt: skip

    def _around(self, instance: AstInstance) -> tuple[tuple[Node, ...], Expr, tuple[Node, ...]]:
        """What comes before the loop of a point, the value that it begins with, and what is done with the last one."""
        shared, scop = self.contraction, self.frame.scop
        first = KernelPart("body")
        start = self._leaves(shared.before, first)
        place = self.writer.place_of(scop.statement(instance.statement), instance.arguments, shared.carried)
        behind = KernelPart("body")
        total = variable("@total", place.type)
        if isinstance(place, Name) and place.symbol.name == safe(shared.carried):
            behind.declared.add(shared.carried)
            end: Node = declare(place.symbol.name, place.type, total)
        else:
            end = set_to(place, total)
        return start, place, (end, *self._leaves(shared.after, behind))

    def _leaves(self, statements: tuple[str, ...], part: KernelPart) -> tuple[Node, ...]:
        """Statements of a kept point, in order."""
        frame, nodes = self.frame, tuple[Node, ...]()
        for name in statements:
            ast = frame.ast(Leaf(name), frame.kept, frame.kept_names, ())
            nodes += self.writer.nodes(ast, part)
        return (*self.writer.missing_declarations(part, nodes), *nodes)

    def _layers(self) -> list[int]:
        """The positions of the kept rows that are no side of a tile."""
        sides = (self.contraction.down, self.contraction.across)
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
        position = self.contraction.down if side == ROW else self.contraction.across
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
