"""Composed kernels: device functions for the stages, and a kernel that runs them one after the other for each row.

A stage is written like the kernel that it is on its own, with the iterators of the rows as parameters, and with the
block where that has the grid.
"""

from __future__ import annotations

from dataclasses import replace

from pencilc import islx
from pencilc.analysis.box import within
from pencilc.analysis.iterators import iterator_symbol
from pencilc.codegen.ast_verifier import verify_ast
from pencilc.codegen.astgen import Affine, AstInstance, AstNode, generate, signed
from pencilc.codegen.bodies import set_to
from pencilc.codegen.frame import KernelFrame
from pencilc.codegen.hostloops import below, depth_names, host_schedule, loop_nodes
from pencilc.codegen.instances import Instances, KernelPart, iterator_type, shared_name
from pencilc.codegen.kernels import KernelWriter, uniform_lines
from pencilc.codegen.lowering import Bindings, access, lowered
from pencilc.codegen.parameters import exchanged, with_parameters
from pencilc.gpu.fusion.shared_promotion import is_dynamic
from pencilc.ir.build import (
    BLOCK,
    BLOCKS,
    THREAD,
    binary,
    cast,
    count_of,
    declare,
    evaluate,
    generated_type,
    is_number,
    minus,
    number,
    plus,
    product,
    substituted,
    symbol,
    variable,
)
from pencilc.ir.geometry import Share
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.mapping import Composed, HostItem, HostLoop, MappedProgram, RowPart, SharedPromotion, kernels_of
from pencilc.ir.nodes import For, If, Node, Parameter, SharedDecl, Sync, names_of
from pencilc.ir.schedule import Row
from pencilc.ir.scop import Statement
from pencilc.ir.shapes import Kernel, ParallelKernel
from pencilc.ir.source import CHAR, INT, Assign, CallStmt, CType, Expr, Name, PointerType, element_type, walk
from pencilc.options import RowLaunch
from pencilc.records import dataclass
from pencilc.target import WARP

# What the shared memory of a launch is declared as, for its alignment.
_PIECE = generated_type("uint4", size=16)


@dataclass(frozen=True, slots=True)
class ComposedCode:
    """The device function of each stage, and the kernel that calls them for each of `rows` rows.

    `counted`: numbers of points of a row that stages count in `int`; `sides`: of each stage, those of the box of its
    points of a row, kept and reduced ones.
    """

    stages: tuple[KernelFunction, ...]
    kernel: KernelFunction
    rows: Expr
    counted: tuple[Expr, ...]
    sides: tuple[tuple[Expr, ...] | None, ...]


class ComposeWriter:
    """Writes the functions of one composed kernel."""

    def __init__(self, program: MappedProgram, composed: Composed) -> None:
        self.program, self.composed, self.kernel = program, composed, composed.kernel
        self.own = replace(program, storage=composed.storage)
        self.scop = program.scop
        self.frame = KernelFrame(self.own, self.kernel, composed.iterators)
        for shared in composed.shared:
            for part in filter(None, (shared.fetched, shared.left_behind)):
                self.frame.types |= {place.name: place.type for place in part.iterators}
        self.symbols = {a.symbol.name: a.symbol for a in self.scop.arrays}
        # What stays in shared memory is stored to memory, but read from there at most before the first stage.
        kept = {s.storage.array for s in composed.shared if s.copied is None}
        self.exchanged = exchanged(self.own, composed.stages) - kept
        self.functions: dict[str, KernelFunction] = {}  # those of the stages, by their names
        self.counted: list[Expr] = []  # numbers of points of a row that stages count in `int`
        self.sides: list[tuple[Expr, ...] | None] = []  # of the box of the points of a row, in each stage

    def code(self) -> ComposedCode:
        """All functions, stages first."""
        stages = tuple(self._stage(stage) for stage in self.composed.stages)
        self.functions = {s.name: f for s, f in zip(self.composed.stages, stages, strict=True)}
        rows = count_of([self.frame.trips(box) for box in self.kernel.kept_box or ()])
        kernel = self._kernel(rows)
        return ComposedCode(stages, kernel, rows, tuple(dict.fromkeys(self.counted)), tuple(self.sides))

    # ---- stages ------------------------------------------------------------------------------------

    def _stage(self, stage: Kernel) -> KernelFunction:
        writer = StageWriter(self.program, self.own, self.composed, stage)
        (function, *_) = writer.functions()
        self.counted += writer.counted()
        self.sides.append(writer.sides())
        return with_parameters(self.own, function, stage, self.exchanged)

    def _item(self, item: HostItem) -> tuple[Node, ...]:
        """The work of a stage, where the row has any, and a barrier; or the rounds of a loop around stages."""
        if isinstance(item, HostLoop):
            stages = {stage.name: stage for stage in kernels_of((item,))}

            def round_of(instance: AstInstance) -> tuple[Node, ...]:
                stage = stages[instance.statement]
                values = dict(zip(stage.host, instance.arguments, strict=True))
                return (*_calls(self.functions[stage.name], values), Sync("block"))

            return loop_nodes(self._loops(item), self.scop, round_of)
        assert isinstance(item, Kernel)
        calls = _calls(self.functions[item.name], {})
        known = self.frame.context(self.kernel.kept, self.composed.iterators)
        where = islx.as_parameters(item.domain, (*self.kernel.host, *self.composed.iterators))
        condition = self.frame.affine.condition(where, known)
        return (If(condition, calls), Sync("block")) if condition is not None else (*calls, Sync("block"))

    # ---- loops around stages -----------------------------------------------------------------------

    def _loops(self, loop: HostLoop) -> AstNode:
        """The loops around stages, where the rows and the loops on the host have the values of parameters."""
        depth = depth_names((loop,))
        names = {*depth, *(name for stage in kernels_of((loop,)) for name in stage.host)}
        iterators = {name: signed(name, iterator_type(self.scop, name)) for name in sorted(names)}
        affine = Affine({**self.frame.affine.names, **iterators})
        known = self.frame.context(self.kernel.kept, self.composed.iterators)
        around = (*self.kernel.host, *self.composed.iterators)
        schedule = host_schedule((below(loop, around),))
        ast = generate(schedule, known, depth, affine)
        if schedule is not None:
            verify_ast(ast, islx.sets_of(schedule.get_domain()), known, affine, {})
        return ast

    # ---- the kernel --------------------------------------------------------------------------------

    def _kernel(self, rows: Expr) -> KernelFunction:
        composed, kernel, frame = self.composed, self.kernel, self.frame
        fetches = [node for shared in composed.shared for node in self._fetch(shared)]
        work: list[Node] = [*fetches, *([Sync("block")] if fetches else [])]
        for item in composed.items:
            work += self._item(item)
        parts = [shared.left_behind for shared in composed.shared if shared.left_behind is not None]
        left = [node for part in parts for node in self._part(part, self.program, self.own)]
        work += [*left, *([Sync("block")] if left else [])]
        point = frame.recover("@row", composed.iterators, kernel.kept_box or (), work)
        index = frame.index
        body: tuple[Node, ...] = (
            *self._declarations(),
            declare("@rows", index, rows, is_const=True),
            For(symbol("@row", index), BLOCK["x"], frame.point("@rows"), (*point, *work), BLOCKS["x"]),
        )
        dynamic = [n for n in dict.fromkeys(s.region for s in composed.shared if is_dynamic(self.scop, s.storage)) if n]
        whole = KernelFunction(
            kernel.name, "composed", (f"{frame.where(kernel.statements)}: a block for each row, in stages.",), (), (),
            kernel.block, (*uniform_lines(self.own, Instances(self.own, kernel, frame.types), body), *body),
            index=kernel.index, resident=kernel.resident,
            extra=tuple((Parameter(f"@at{k}", INT), cast(INT, variable(f"@at{k}"))) for k in dynamic),
        )  # fmt: skip
        own = {shared_name(s.storage) for s in composed.shared}
        whole = with_parameters(self.own, whole, kernel, self.exchanged)
        pairs = [(p, a) for p, a in zip(whole.parameters, whole.arguments, strict=True) if p.name not in own]
        return replace(whole, parameters=tuple(p for p, _ in pairs), arguments=tuple(a for _, a in pairs))

    def _declarations(self) -> tuple[Node, ...]:
        """The names of what a row keeps in shared memory."""
        found: list[Node] = []
        for shared in self.composed.shared:
            name, ctype = shared_name(shared.storage), element_type(self.symbols[shared.storage.array].type)
            if not is_dynamic(self.scop, shared.storage):
                found.append(SharedDecl(name, ctype, 1))
                continue
            first: Expr = variable("@shared", PointerType(_PIECE))
            if shared.region:
                first = plus(cast(PointerType(CHAR), first), variable(f"@at{shared.region}"))
            found.append(declare(name, PointerType(ctype), cast(PointerType(ctype), first), is_const=True))
        uses = any(is_dynamic(self.scop, s.storage) for s in self.composed.shared)
        return (*([SharedDecl("@shared", _PIECE, None)] if uses else []), *found)

    def _fetch(self, shared: SharedPromotion) -> tuple[Node, ...]:
        """`for (…) q_shared[d] = q[i * n + d];` where the row has such elements."""
        if shared.fetched is not None:
            return self._part(shared.fetched, self.own, self.program)
        copied = shared.copied
        if copied is None:
            return ()
        record = self.scop.statement(copied.statement)
        lower, end = self.frame.bounds(copied.box)
        name = self.frame.table.fresh(copied.iterator)
        kind = iterator_type(self.scop, copied.iterator)
        arguments = [
            variable(name, kind) if it.name == copied.iterator else self._value(record, it.name)
            for it in record.iterators
        ]
        to, source = (
            access(copied.index, Instances(program, self.kernel, self.frame.types).bindings(record, arguments))
            for program in (self.own, self.program)
        )
        loop = For(symbol(name, kind), plus(lower, THREAD["x"]), end, (set_to(to, source),), number(self.kernel.block))
        known = self.frame.context(self.kernel.kept, self.composed.iterators)
        condition = self.frame.affine.condition(copied.inhabited, known)
        return (If(condition, (loop,)),) if condition is not None else (loop,)

    def _part(self, part: RowPart, to: MappedProgram, source: MappedProgram) -> tuple[Node, ...]:
        """`for (…) a_shared[k * n + i] = a[(b * n + k) * n + i];` or back: what the row has of an array."""
        record, frame = self.scop.statement(part.statement), self.frame
        names = [place.name for place in part.iterators]
        places = {place.name: variable(place.name, place.type) for place in part.iterators}
        arguments = [self._value(record, it.name) for it in record.iterators]
        target, value = (
            access(part.element, replace(bindings, values={**bindings.values, **places}))
            for bindings in (Instances(p, self.kernel, frame.types).bindings(record, arguments) for p in (to, source))
        )
        known = frame.context(self.kernel.kept, self.composed.iterators)
        step: tuple[Node, ...] = (set_to(target, value),)
        if part.points is not None:
            around = known.intersect(islx.as_parameters(within(part.points, part.box), names))
            affine = Affine({**frame.affine.names, **{p.name: signed(p.name, p.type) for p in part.iterators}})
            condition = affine.condition(islx.as_parameters(part.points, names), around)
            step = (If(condition, step),) if condition is not None else step
        point = frame.recover("@at", names, part.box, step, INT)
        count = product([frame.trips(side) for side in part.box])
        count = count if count.type == INT else cast(INT, count)
        loop = For(symbol("@at", INT), THREAD["x"], count, (*point, *step), number(self.kernel.block))
        condition = frame.affine.condition(part.inhabited, known)
        return (If(condition, (loop,)),) if condition is not None else (loop,)

    def _value(self, record: Statement, iterator: str) -> Expr:
        """An iterator of a statement in terms of the rows around it; its own name where it is none of them."""
        rows: tuple[Row, ...] = (*self.program.host_rows(self.kernel), *self.kernel.kept)
        for row, name in zip(rows, (*self.kernel.host, *self.composed.iterators), strict=True):
            found = iterator_symbol(self.scop, row, record.name)
            if found is not None and found.name == iterator:
                position = [it.name for it in record.iterators].index(iterator)
                function = islx.pw_affs_of(row.function)[record.name]
                ahead = islx.constant_value(function.sub(islx.row_function(record.domain, position))) or 0
                return minus(variable(name, iterator_type(self.scop, name)), number(ahead))
        return variable(iterator)


class StageWriter(KernelWriter):
    """Writes the functions of one stage; what it makes for others than the row goes to memory as well."""

    def __init__(self, program: MappedProgram, own: MappedProgram, composed: Composed, stage: Kernel) -> None:
        super().__init__(own, stage, Share.BLOCK)
        self.whole, self.composed = program, composed

    def counted(self) -> list[Expr]:
        """The numbers of points of a row that are counted in `int`; of a stage in a loop where its rows end."""
        if self.kernel.index != "int":
            return []
        found: list[Expr] = []
        for side in self.composed.widest.get(self.kernel.name, ()) if isinstance(self.kernel, ParallelKernel) else ():
            _, end = self.frame.bounds(side)
            found += [] if is_number(end) else [end]
        # What a row or a round decides is known to fit.
        inside = set(self.kernel.host) - set(self.composed.kernel.host)
        for box in (self.kernel.kept_box or (), self.kernel.reduced_box or ()):
            count = count_of([self.frame.trips(side) for side in box])
            if not is_number(count) and names_of(count).isdisjoint(inside):
                found.append(count)
        return found

    def sides(self) -> tuple[Expr, ...] | None:
        """The sides of the box of a row's points, kept and reduced ones; None where each row has others.

        Of a stage in a loop it is the box of all rounds.
        """
        box = (*(self.kernel.kept_box or ()), *(self.kernel.reduced_box or ()))
        if set(self.kernel.host) - {*self.composed.kernel.host, *self.composed.iterators}:
            widest = self.composed.widest.get(self.kernel.name)
            if widest is None:
                return None
            box = widest
        found = tuple(self.frame.trips(side) for side in box)
        names = {node.symbol.name for side in found for node in walk(side) if isinstance(node, Name)}
        return found if names.isdisjoint(self.composed.iterators) else None

    def _writer(self) -> Instances:
        return _StageInstances(self.whole, self.program, self.composed, self.kernel, self.frame.types)


class _StageInstances(Instances):
    """Statement instances that store what they write to shared memory in memory too."""

    def __init__(
        self, program: MappedProgram, own: MappedProgram, composed: Composed, stage: Kernel, types: dict[str, CType]
    ) -> None:
        super().__init__(own, stage, types)
        self.stored = dict(composed.stored)
        self.memory = Instances(program, stage, types)

    def _written(self, record: Statement, bindings: Bindings, part: KernelPart) -> tuple[Node, ...]:
        nodes = super()._written(record, bindings, part)
        if record.name not in self.stored:
            return nodes
        target = self._target(record)
        arguments = [bindings.values[it.name] for it in record.iterators]
        memory = Bindings(bindings.values, self.memory.bindings(record, arguments).arrays)
        return (*nodes, set_to(lowered(target, memory), access(target, bindings)))

    def _target(self, record: Statement) -> Expr:
        if isinstance(record.body, Assign):
            return record.body.target
        reduction = self.scop.reduction_with(record.name)
        assert reduction is not None
        return reduction.variable


def _calls(function: KernelFunction, values: dict[str, Expr]) -> tuple[Node, ...]:
    """The work of a stage, in the round in which the loops around it have `values`."""
    return _by_lanes(function, values) if function.shape == "row_lanes" else (_call(function, values),)


def _by_lanes(function: KernelFunction, values: dict[str, Expr]) -> tuple[Node, ...]:
    """Points that are no single runs of elements: some lanes of a warp for each, or all of them."""
    assert function.counts is not None
    narrow, wide = (_call(function, values, (lanes,)) for lanes in (RowLaunch().few_lanes, WARP))
    if function.counts.reduced is None:
        return (wide,)
    chunks = substituted(function.counts.reduced, values)
    return (If(binary("<=", chunks, number(RowLaunch().few_chunks)), (narrow,), (wide,)),)


def _call(function: KernelFunction, values: dict[str, Expr], lanes: tuple[int, ...] = ()) -> CallStmt:
    """A call with what the caller knows under the names of the parameters, but for those that have `values`."""
    arguments = (values.get(p.name) or variable(p.name, p.type) for p in function.parameters)
    return evaluate(function.name, *arguments, made_for=lanes)
