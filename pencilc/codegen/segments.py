"""Loops over the reduced rows of a kernel, down to runs of points that threads take in chunks."""

from __future__ import annotations

import re
from dataclasses import replace

from pencilc.codegen.accumulators import accumulator
from pencilc.codegen.astgen import AstBlock, AstFor, AstIf, AstLet, AstNode, has_loop, pieces_around_loops
from pencilc.codegen.frame import KernelFrame, count_of, wrapped
from pencilc.codegen.instances import Instances, KernelPart, let, uses
from pencilc.codegen.names import NameTable
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.kernel import For, If, Line, LoadVector, Node, Segment
from pencilc.ir.schedule import Band


class Segments:
    """The loops over the reduced rows of a kernel, down to runs of contiguous elements."""

    def __init__(self, frame: KernelFrame, writer: Instances, rank: str, size: str) -> None:
        self.frame, self.writer, self.rank, self.size = frame, writer, rank, size
        self.kernel = frame.kernel
        self.count = 0

    def nodes(self) -> tuple[Node, ...]:
        """The loops over the reduced rows with their segments."""
        kernel, frame = self.kernel, self.frame
        assert frame.tree is not None
        if kernel.collapsed:
            return (self._collapsed(),)
        rows = frame.kept
        ast = frame.ast(
            Band(frame.reduced, frame.tree), rows, frame.kept_names, (*frame.reduced_names, *frame.inner_names)
        )
        return self._walk(ast, outermost=True)

    def _walk(self, ast: AstNode, outermost: bool) -> tuple[Node, ...]:
        """The loops over the reduced rows, told by their names: the innermost are runs, what has none is a point."""
        names = self.frame.reduced_names
        if not has_loop(ast, names):
            return (self._point(ast),)
        match ast:
            case AstBlock():
                pieces = pieces_around_loops(ast, names)
                return tuple(n for piece in pieces for n in self._walk(piece, outermost))
            case AstIf():
                other = self._walk(ast.otherwise, outermost) if ast.otherwise else ()
                return (If(ast.condition, self._walk(ast.then, outermost), other),)
            case AstFor() if not has_loop(ast.body, names):
                return (self._segment(ast),)
            case AstFor():
                dealt = outermost and not self.kernel.kept
                rank, size = self.rank, self.size
                if dealt:
                    self.rank, self.size = "@thread % @team", "@team"
                body = self._walk(ast.body, outermost=False)
                self.rank, self.size = rank, size
                if dealt:
                    # What is left over when the threads are dealt out to teams stays idle.
                    loop = strided(self.frame, ast, "@thread / @team", "@teams", body)
                    return (If("@thread / @team < @teams", (loop,)),)
                return self.writer.loop(ast, body)
            case AstLet():
                return (let(ast), *self._walk(ast.body, outermost))
        raise CompilerBug(f"{self.kernel.name}: a loop over a reduced row inside of an instance")

    def _segment(self, ast: AstFor) -> Segment:
        if ast.name not in self.frame.reduced_names:
            raise CompilerBug(f"{self.kernel.name} deals out the loop over `{ast.name}`, which is none of its rows")
        part = KernelPart("body", vectors=ast.step == 1)
        nodes = self.writer.nodes(ast.body, part)
        nodes = (*self.writer.missing_declarations(part, nodes), *nodes)
        count = ast.upper if ast.lower == "0" else f"(@index){wrapped(ast.upper)} - {wrapped(ast.lower)}"
        if ast.step != 1:
            count = f"({count} + {ast.step - 1}) / {ast.step}"
        kind = self.frame.types.get(ast.name, "int")
        scaled = "@x" if ast.step == 1 else f"{ast.step} * @x"
        point = scaled if ast.lower == "0" else f"{ast.lower} + {scaled}"
        used = uses(nodes, ast.name)
        parameters = [f"const {kind} {ast.name}"] if used else []
        value = f"({kind}){wrapped(point)}"
        return self._make(part, nodes, count, value if used else None, parameters, {ast.name: ast.lower})

    def _point(self, ast: AstNode) -> Segment:
        """A point that no loop is left around: a run of one."""
        part = KernelPart("body")
        nodes = self.writer.nodes(ast, part)
        return self._make(part, (*self.writer.missing_declarations(part, nodes), *nodes), "1", None, [], {})

    def _collapsed(self) -> Segment:
        frame, kernel = self.frame, self.kernel
        assert frame.tree is not None and kernel.reduced_box
        part = KernelPart("body", vectors=True)
        rows, names = (*frame.kept, *frame.reduced), (*frame.kept_names, *frame.reduced_names)
        nodes = self.writer.nodes(frame.ast(frame.tree, rows, names, frame.inner_names), part)
        nodes = (*self.writer.missing_declarations(part, nodes), *nodes)
        recovered = frame.recover("@point", frame.reduced_names, kernel.reduced_box, nodes)
        count = count_of([frame.trips(b) for b in kernel.reduced_box])
        lowers = {n: frame.bounds(b)[0] for n, b in zip(frame.reduced_names, kernel.reduced_box, strict=True)}
        parameters = ["const @index @point"] if recovered else []
        return self._make(part, (*recovered, *nodes), count, "@x" if recovered else None, parameters, lowers)

    def column(self, part: KernelPart, nodes: tuple[Node, ...], axis: str) -> Segment:
        """The element of a COLUMN kernel: `axis` is the kept iterator along which chunks lie."""
        frame, kernel = self.frame, self.kernel
        assert kernel.kept_box and kernel.reduced_box
        recovered = frame.recover("@row", frame.reduced_names, kernel.reduced_box, nodes)
        lower = frame.bounds(kernel.kept_box[-1])[0]
        kind = frame.types[axis]
        used = uses(nodes, axis)
        parameters = [f"const {kind} {axis}"] if used else []
        if recovered:
            parameters.insert(0, "const @index @row")
        point = f"({kind}){'@x' if lower == '0' else f'({lower} + @x)'}"
        start = "@column" if lower == "0" else f"{lower} + @column"
        segment = self._make(part, (*recovered, *nodes), "@columns", point, parameters, {axis: start})
        return replace(segment, uses_point=used, uses_row=bool(recovered))

    def _make(
        self, part: KernelPart, nodes: tuple[Node, ...], count: str, point: str | None, parameters: list[str],
        lowers: dict[str, str],
    ) -> Segment:  # fmt: skip
        loads = []
        table = NameTable()
        for load in part.loads.values():
            base = load.register.removesuffix("_element").rstrip("0123456789").removesuffix("_element")
            first = run_address(load.key, lowers)
            loads.append(
                LoadVector(load.register, load.type, first, table.fresh(f"{base}_run"), table.fresh(f"{base}_wide"))
            )
            reference = (
                f"const {load.type} &{load.register}" if load.is_struct else f"const {load.type} {load.register}"
            )
            parameters.append(reference)
        self.count += 1
        name = "@element" if self.count == 1 else f"@element{self.count}"
        parameters.append(f"{accumulator(self.frame.program, self.kernel).carried} &@acc")
        kernel = self.kernel
        return Segment(
            name, tuple(parameters), nodes, self.rank, self.size, count, point, tuple(loads),
            kernel.loads.width if loads else 1, kernel.loads.in_flight, kernel.loads.sets, point is not None,
        )  # fmt: skip


def strided(frame: KernelFrame, ast: AstFor, rank: str, size: str, body: tuple[Node, ...]) -> For:
    """A loop whose iterations are dealt out to `size` threads, of which this one is number `rank`.

    The last step may go beyond the bound by a whole grid, so the loop counts in the kernel's index type, which is
    the iterator's own only where the bounds prove that nothing overflows.  Raises CompilerBug for a loop that is none
    over a row of the kernel.
    """
    if ast.name not in (*frame.kept_names, *frame.reduced_names):
        raise CompilerBug(f"{frame.kernel.name} deals out the loop over `{ast.name}`, which is none of its rows")
    kind, index = frame.types.get(ast.name, "int"), frame.kernel.index
    start = f"({index})({rank})" if ast.step == 1 else f"({index})({rank}) * {ast.step}"
    start = start if ast.lower == "0" else f"{ast.lower} + {start}"
    stride = f"({index})({size})" if ast.step == 1 else f"({index})({size}) * {ast.step}"
    at = ast.name if kind == index else f"@{ast.name}_at"
    named = () if kind == index or not uses(body, ast.name) else (Line(f"const {kind} {ast.name} = ({kind}){at};"),)
    return For(f"{index} {at} = {start}", f"{at} < {ast.upper}", f"{at} += {stride}", (*named, *body))


def run_address(key: str, lowers: dict[str, str]) -> str:
    """The address of the first element of a run: the access with its iterators at their lower bounds."""
    for name, lower in lowers.items():
        key = re.sub(rf"(?<![\w.@]){re.escape(name)}\b", lambda _, t=lower: wrapped(t), key)  # type: ignore[misc]
    key = key.replace(" + 0]", "]").replace("(long long)0 * ", "0 * ")
    if re.search(r"\[0( \* \w+)*\]$", key):
        return key.partition("[")[0]
    return f"&{key}"
