"""Mapped kernels to kernel functions: bodies by isl's AST, shapes by name, the rest is left to the templates."""

from __future__ import annotations

import re
from collections.abc import Sequence as Seq
from dataclasses import replace

import islpy as isl

from pencilc import islx
from pencilc.codegen.accumulators import accumulator
from pencilc.codegen.astgen import AstBlock, AstFor, AstIf, AstInstance, AstNode, Text, generate, schedule_of
from pencilc.codegen.cexpr import type_text
from pencilc.codegen.cstmt import statement
from pencilc.codegen.instances import Instances, Part, texts, uses
from pencilc.codegen.names import NameTable, safe
from pencilc.codegen.sequential import with_inits
from pencilc.gpu.box import fixed
from pencilc.gpu.shape import iterator_symbol
from pencilc.ir.kernel import For, If, KernelFunction, Line, LoadVector, Node, Segment
from pencilc.ir.mapping import BoxDimension, Kernel, MappedProgram, Shape
from pencilc.ir.schedule import Band, Leaf, Row, Sequence, Tree, statements_of
from pencilc.ir.source import Assign, Name


class KernelWriter:
    """Writes the functions of one kernel: one, or two for ROW (lanes of a warp, and blocks)."""

    def __init__(self, program: MappedProgram, kernel: Kernel) -> None:
        self.program, self.kernel = program, kernel
        self.scop = program.scheduled.scop
        taken = [safe(a.symbol.name) for a in self.scop.arrays] + [safe(p.name) for p in self.scop.params]
        self.table = NameTable([*taken, *kernel.host])
        self.types: dict[str, str] = {}  # the C type of every loop variable of the kernel
        self.kept_names = tuple(self._row_name(row) for row in kernel.kept)
        self.reduced_names = tuple(self._row_name(row) for row in kernel.reduced)
        self.inner_names = self._inner_names(kernel.body)
        domains = {s.name: s.domain.intersect_params(self.scop.context) for s in self.scop.statements}
        self.tree = kernel.body
        if kernel.body is not None and not kernel.reduced:
            self.tree = with_inits(self.scop, kernel.body)
        self.domains = {n: domains[n] for n in self._all_statements()}
        self.host_rows = _host_rows(program, kernel)
        self.text = Text({p.name: safe(p.name) for p in self.scop.params})

    def _all_statements(self) -> tuple[str, ...]:
        body = statements_of(self.tree) if self.tree is not None else ()
        return (*self.kernel.prologue, *body, *self.kernel.post)

    # ---- names -------------------------------------------------------------------------------------

    def _row_name(self, row: Row) -> str:
        for statement_name in islx.pw_affs_of(row.function):
            symbol = iterator_symbol(self.scop, row, statement_name)
            if symbol is not None:
                name = self.table.fresh(symbol.spelling)
                self.types[name] = type_text(symbol.type)
                return name
        name = self.table.fresh("t")
        self.types[name] = "long long"
        return name

    def _inner_names(self, tree: Tree | None) -> tuple[str, ...]:
        """Names of the loops inside the body, by depth."""
        match tree:
            case Band():
                return (*(self._row_name(row) for row in tree.rows), *self._inner_names(tree.child))
            case Sequence():
                longest: tuple[str, ...] = ()
                for child in tree.children:
                    names = self._inner_names(child)
                    longest = names if len(names) > len(longest) else longest
                return longest
        return ()

    # ---- AST ---------------------------------------------------------------------------------------

    def _ast(self, tree: Tree, rows: Seq[Row], names: Seq[str], iterators: Seq[str]) -> AstNode:
        """The AST of `tree` with `rows` (and the host rows) fixed to the parameters `names`."""
        inside = {n: self.domains[n] for n in statements_of(tree)}
        every_row = (*self.host_rows, *rows)
        every_name = (*self.kernel.host, *names)
        cut = fixed(inside, every_row, every_name)
        return generate(schedule_of(tree, cut), self._context(rows, names), iterators, self.text)

    def _context(self, rows: Seq[Row], names: Seq[str]) -> isl.Set:
        """What is known where the AST stands: the context, the host domain, the ranges of fixed rows."""
        context = self.scop.context
        host = self.kernel.domain
        for position, name in enumerate(self.kernel.host):
            host = host.intersect(_equals_parameter(host, position, name))
        if self.kernel.host:
            context = context.intersect(host.params())
        boxes: dict[str, BoxDimension] = {}
        if self.kernel.kept_box and rows:
            boxes |= dict(zip(self.kept_names, self.kernel.kept_box, strict=True))
        if self.kernel.reduced_box:
            boxes |= dict(zip(self.reduced_names, self.kernel.reduced_box, strict=True))
        for name in names:
            if name in boxes:
                context = context.intersect(_in_range(name, boxes[name]))
        return context

    # ---- functions ---------------------------------------------------------------------------------

    def functions(self) -> tuple[KernelFunction, ...]:
        """The `__global__` functions of the kernel."""
        match self.kernel.shape:
            case Shape.SINGLE:
                return (self._single(),)
            case Shape.PARALLEL:
                return (self._parallel(),)
            case Shape.ALL:
                rank, size = "(long long)blockIdx.x * blockDim.x + threadIdx.x", "(long long)gridDim.x * blockDim.x"
                return (self._reduction("all", "", rank, size),)
            case Shape.ROW:
                lanes = self._reduction("row_lanes", "_lanes", "threadIdx.x % LANES", "LANES")
                rank, size = "(long long)blockIdx.x * blockDim.x + threadIdx.x", "(long long)gridDim.x * blockDim.x"
                return (lanes, self._reduction("row_blocks", "_blocks", rank, size))
            case Shape.COLUMN:
                return (self._column(),)

    def _writer(self) -> Instances:
        return Instances(self.program, self.kernel, self.types)

    def _function(self, shape: str, suffix: str, parts: dict[str, tuple[Node, ...]], **more: object) -> KernelFunction:
        kept = parts.pop("kept", ())
        kernel = self.kernel
        segment = more.pop("segment", None)
        nodes = (*kept, *(n for part in parts.values() for n in part), *((segment,) if isinstance(segment, Segment) else ()))
        more["uniform"], more["segment"] = self._uniform(nodes), segment
        return KernelFunction(
            kernel.name + suffix, shape, self._comment(), (), (), kernel.block,
            accumulator(self.scop, kernel) if kernel.reductions else None,
            parts.get("prologue", ()), tuple(texts(kept)), parts.get("body", ()), parts.get("post", ()), **more,  # type: ignore[arg-type]
        )  # fmt: skip

    def _uniform(self, nodes: Seq[Node]) -> tuple[str, ...]:
        """Lines that compute the uniform scalars which `nodes` use, and those that these use."""
        writer, found = self._writer(), list[str]()
        for name in reversed(self.program.uniform):
            record = self.scop.statement(name)
            if isinstance(record.body, Assign) and isinstance(record.body.target, Name):
                symbol = record.body.target.symbol
                if uses((*nodes, *(Line(text) for text in found)), safe(symbol.name)):
                    (line,) = statement(record.body, writer.bindings(record, ()))
                    found.insert(0, f"const {type_text(symbol.type)} {line}")
        return tuple(found)

    def _comment(self) -> tuple[str, ...]:
        lines = sorted({self.scop.statement(s).span.line for s in self._all_statements() if self.scop.statement(s).span.line})
        if self.kernel.body is None:
            return (f"All of `{self.scop.region.name}` in one thread: {self.kernel.reason}.",)
        where = f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]}-{lines[-1]}" if lines else "the declarations"
        if not self.kernel.reductions:
            how = "one thread for each point" if self.kernel.kept else "one thread"
            return (f"{where[0].upper()}{where[1:]}: {how}.",)
        arrays = dict.fromkeys(r.array for r in self.scop.reductions if r.name in self.kernel.reductions)
        names = ", ".join(f"`{array}`" for array in arrays)
        return (f"{where[0].upper()}{where[1:]}: reduces {names}.",)

    def _single(self) -> KernelFunction:
        writer = self._writer()
        if self.tree is None:
            lines = statement(_without_returns(self.scop.region.body), writer.base, 0)
            nodes: tuple[Node, ...] = tuple(Line(text) for text in lines)
            return self._function("single", "", {"body": nodes})
        part = Part("body")
        nodes = writer.nodes(self._ast(self.tree, (), (), self.inner_names), part)
        return self._function("single", "", {"body": (*writer.missing_declarations(part, nodes), *nodes)})

    def _parallel(self) -> KernelFunction:
        writer, part, depth = self._writer(), Part("body"), len(self.kernel.kept)
        assert self.tree is not None
        tree = Band(self.kernel.kept, self.tree)
        ast = self._ast(tree, (), (), (*self.kept_names, *self.inner_names))
        nodes = self._distributed(ast, depth, writer, part)
        return self._function("parallel", "", {"body": nodes}, launch={"depth": str(min(depth, 3))})

    def _distributed(self, ast: AstNode, depth: int, writer: Instances, part: Part) -> tuple[Node, ...]:
        """Loops over the kept rows, the innermost dealt out along x, the next along y and z."""
        match ast:
            case AstBlock():
                return tuple(n for item in ast.items for n in self._distributed(item, depth, writer, part))
            case AstIf():
                then = self._distributed(ast.then, depth, writer, part)
                other = self._distributed(ast.otherwise, depth, writer, part) if ast.otherwise else ()
                return (If(ast.condition, then, other),)
            case AstFor() if depth:
                if depth == 1:
                    inner = Part(part.name, set(), part.loads)
                    nodes = writer.nodes(ast.body, inner)
                    nodes = (*writer.missing_declarations(inner, nodes), *nodes)
                else:
                    nodes = self._distributed(ast.body, depth - 1, writer, part)
                if depth > 3:
                    return writer.loop(ast, nodes)
                axis = "xyz"[depth - 1]
                rank = f"blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis}"
                return (self._strided(ast, rank, f"gridDim.{axis} * blockDim.{axis}", nodes),)
        return writer.nodes(ast, part)

    def _strided(self, ast: AstFor, rank: str, size: str, body: tuple[Node, ...]) -> For:
        """A loop whose iterations are dealt out to `size` threads; 64 bits, so that the last step cannot overflow."""
        kind, at = self.types.get(ast.name, "int"), f"@{ast.name}_at"
        start = f"(long long){rank}" if ast.step == 1 else f"({rank}) * {ast.step}ll"
        start = start if ast.lower == "0" else f"{ast.lower} + {start}"
        stride = f"(long long){size}" if ast.step == 1 else f"(long long){size} * {ast.step}"
        named = Line(f"const {kind} {ast.name} = ({kind}){at};")
        return For(f"long long {at} = {start}", f"{at} < {ast.upper}", f"{at} += {stride}", (named, *body))

    # ---- reductions --------------------------------------------------------------------------------

    def _reduction(self, shape: str, suffix: str, rank: str, size: str) -> KernelFunction:
        writer = self._writer()
        prologue, part = self._prologue(writer)
        segments = _Segments(self, writer, rank, size)
        body = segments.nodes()
        post = self._post(writer, part)
        launch = self._counts()
        kept = self._kept_lines((*prologue, *body, *post))
        return self._function(
            shape, suffix, {"prologue": prologue, "kept": kept, "body": body, "post": post}, launch=launch
        )

    def _prologue(self, writer: Instances) -> tuple[tuple[Node, ...], Part]:
        part = Part("prologue")
        if not self.kernel.prologue:
            return (), part
        nodes: tuple[Node, ...] = ()
        for name in self.kernel.prologue:
            ast = self._ast(Leaf(name), self.kernel.kept, self.kept_names, ())
            nodes += writer.nodes(ast, part)
        return (*writer.missing_declarations(part, nodes), *nodes), part

    def _post(self, writer: Instances, prologue: Part) -> tuple[Node, ...]:
        part = Part("post", set(prologue.declared))
        nodes: tuple[Node, ...] = ()
        for name in self.kernel.post:
            ast = self._ast(Leaf(name), self.kernel.kept, self.kept_names, self.inner_names or ("t0", "t1", "t2"))
            nodes += writer.nodes(ast, part)
        return (*writer.missing_declarations(part, nodes), *nodes)

    def _counts(self) -> dict[str, object]:
        """Texts of the numbers of kept and reduced points, for the kernel and for its launch."""
        kept = [self._trips(b) for b in self.kernel.kept_box or ()]
        reduced = [self._trips(b) for b in self.kernel.reduced_box or ()]
        return {
            "rows": _product(kept),
            "outers": _product(kept[:-1]),
            "columns": kept[-1] if kept else "1",
            "reduced": _product(reduced) if reduced else "",
            "inner": reduced[-1] if reduced else "",
        }

    def _trips(self, dimension: BoxDimension) -> str:
        lower, upper = self.bounds(dimension)
        length = upper if lower == "0" else f"{upper} - {_wrapped(lower)}"
        return length

    def bounds(self, dimension: BoxDimension) -> tuple[str, str]:
        """Texts of the first value and of one past the last value of a row."""
        context = self.scop.context
        lower = self.text.value(dimension.lower, context)
        one_more = dimension.upper.add_constant_val(isl.Val.one(isl.DEFAULT_CONTEXT))
        return lower, self.text.value(one_more, context)

    def _kept_lines(self, nodes: Seq[Node]) -> tuple[Node, ...]:
        """Recover the kept iterators from `row`, the last one fastest."""
        boxes = self.kernel.kept_box or ()
        return self.recover("@row", self.kept_names, boxes, nodes)

    def recover(self, index: str, names: Seq[str], boxes: Seq[BoxDimension], nodes: Seq[Node]) -> tuple[Node, ...]:
        """`const int i = index / m;` … for the iterators that `nodes` use."""
        found: list[Node] = []
        trips = [self._trips(b) for b in boxes]
        for position, (name, box) in enumerate(zip(names, boxes, strict=True)):
            if not uses(nodes, name):
                continue
            inner = _product(trips[position + 1 :])
            value = index if inner == "1" else f"{index} / {_wrapped(inner)}"
            if position:
                value = f"{value} % {_wrapped(trips[position])}"
            lower = self.bounds(box)[0]
            kind = self.types[name]
            full = value if lower == "0" else f"{lower} + {_wrapped(value)}"
            cast = full if full == index else f"({full})"
            found.append(Line(f"const {kind} {name} = ({kind}){cast};"))
        return tuple(found)

    def _column(self) -> KernelFunction:
        writer = self._writer()
        prologue, part = self._prologue(writer)
        names = (*self.kept_names, *self.reduced_names)
        assert self.tree is not None and self.kernel.kept_box and self.kernel.reduced_box
        inner = Part("body")
        ast = self._ast(self.tree, (*self.kernel.kept, *self.kernel.reduced), names, self.inner_names)
        nodes = writer.nodes(ast, inner)
        nodes = (*writer.missing_declarations(inner, nodes), *nodes)
        post = self._post(writer, part)
        axis = self.kept_names[-1]
        segment = _Segments(self, writer, "", "").column(inner, nodes, axis)
        boxes = self.kernel.kept_box
        addresses = [Line(load.first) for load in segment.loads]
        outer = self.recover("@outer", self.kept_names[:-1], boxes[:-1], (*nodes, *post, *prologue, *addresses))
        launch: dict[str, object] = {
            **self._counts(),
            "recover": texts(self.recover("@row", self.reduced_names, self.kernel.reduced_box, addresses)),
            "axis": axis,
            "axis_type": self.types[axis],
            "axis_value": segment.point,
            "axis_used": uses(post, axis),
            "has_outer": len(boxes) > 1,
        }
        function = self._function("column", "", {"prologue": prologue, "post": post}, launch=launch, segment=segment)
        return replace(function, kept=tuple(texts(outer)))


class _Segments:
    """The loops over the reduced rows of a kernel, down to runs of contiguous elements."""

    def __init__(self, owner: KernelWriter, writer: Instances, rank: str, size: str) -> None:
        self.owner, self.writer, self.rank, self.size = owner, writer, rank, size
        self.kernel = owner.kernel
        self.count = 0

    def nodes(self) -> tuple[Node, ...]:
        kernel, owner = self.kernel, self.owner
        assert owner.tree is not None
        if kernel.collapsed:
            return (self._collapsed(),)
        rows = (*kernel.kept,)
        ast = owner._ast(
            Band(kernel.reduced, owner.tree), rows, owner.kept_names, (*owner.reduced_names, *owner.inner_names)
        )
        return self._walk(ast, len(kernel.reduced), outermost=True)

    def _walk(self, ast: AstNode, depth: int, outermost: bool) -> tuple[Node, ...]:
        match ast:
            case AstBlock():
                return tuple(n for item in ast.items for n in self._walk(item, depth, outermost))
            case AstIf():
                other = self._walk(ast.otherwise, depth, outermost) if ast.otherwise else ()
                return (If(ast.condition, self._walk(ast.then, depth, outermost), other),)
            case AstFor() if depth == 1:
                return (self._segment(ast),)
            case AstFor():
                dealt = outermost and self.kernel.shape is Shape.ALL
                rank, size = self.rank, self.size
                if dealt:
                    # Short inner runs would leave most of a block idle: each warp takes its own outer point.
                    self.rank, self.size = "threadIdx.x % 32", "32"
                body = self._walk(ast.body, depth - 1, outermost=False)
                self.rank, self.size = rank, size
                if dealt:
                    warp = "(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32)"
                    return (self.owner._strided(ast, warp, "gridDim.x * (blockDim.x / 32)", body),)
                return self.writer.loop(ast, body)
            case AstInstance():
                return self.writer.instance(ast, Part("body"))

    def _segment(self, ast: AstFor) -> Segment:
        part = Part("body")
        nodes = self.writer.nodes(ast.body, part)
        nodes = (*self.writer.missing_declarations(part, nodes), *nodes)
        count = ast.upper if ast.lower == "0" else f"(long long){_wrapped(ast.upper)} - {_wrapped(ast.lower)}"
        if ast.step != 1:
            count = f"({count} + {ast.step - 1}) / {ast.step}"
        kind = self.owner.types.get(ast.name, "int")
        scaled = "@x" if ast.step == 1 else f"{ast.step} * @x"
        point = scaled if ast.lower == "0" else f"{ast.lower} + {scaled}"
        used = uses(nodes, ast.name)
        parameters = [f"const {kind} {ast.name}"] if used else []
        return self._make(part, nodes, count, f"({kind})({point})" if used else None, parameters, {ast.name: ast.lower})

    def _collapsed(self) -> Segment:
        owner, kernel = self.owner, self.kernel
        assert owner.tree is not None and kernel.reduced_box
        part = Part("body")
        rows, names = (*kernel.kept, *kernel.reduced), (*owner.kept_names, *owner.reduced_names)
        nodes = self.writer.nodes(owner._ast(owner.tree, rows, names, owner.inner_names), part)
        nodes = (*self.writer.missing_declarations(part, nodes), *nodes)
        recovered = owner.recover("@point", owner.reduced_names, kernel.reduced_box, nodes)
        count = _product([f"(long long){_wrapped(owner._trips(b))}" if k == 0 else owner._trips(b) for k, b in enumerate(kernel.reduced_box)])
        lowers = {n: owner.bounds(b)[0] for n, b in zip(owner.reduced_names, kernel.reduced_box, strict=True)}
        parameters = ["const long long @point"] if recovered else []
        return self._make(part, (*recovered, *nodes), count, "@x" if recovered else None, parameters, lowers)

    def column(self, part: Part, nodes: tuple[Node, ...], axis: str) -> Segment:
        """The element of a COLUMN kernel: `axis` is the kept iterator along which chunks lie."""
        owner, kernel = self.owner, self.kernel
        assert kernel.kept_box and kernel.reduced_box
        recovered = owner.recover("@row", owner.reduced_names, kernel.reduced_box, nodes)
        lower = owner.bounds(kernel.kept_box[-1])[0]
        kind = owner.types[axis]
        used = uses(nodes, axis)
        parameters = [f"const {kind} {axis}"] if used else []
        if recovered:
            parameters.insert(0, "const long long @row")
        point = f"({kind}){'@x' if lower == '0' else f'({lower} + @x)'}"
        start = "@column" if lower == "0" else f"{lower} + @column"
        segment = self._make(part, (*recovered, *nodes), "@columns", point, parameters, {axis: start})
        return replace(segment, uses_point=used, uses_row=bool(recovered))

    def _make(
        self, part: Part, nodes: tuple[Node, ...], count: str, point: str | None, parameters: list[str],
        lowers: dict[str, str],
    ) -> Segment:  # fmt: skip
        loads = []
        table = NameTable()
        for load in part.loads.values():
            base = load.register.removesuffix("_element").rstrip("0123456789").removesuffix("_element")
            first = _at(load.key, lowers)
            loads.append(
                LoadVector(load.register, load.type, first, table.fresh(f"{base}_run"), table.fresh(f"{base}_wide"))
            )
            reference = f"const {load.type} &{load.register}" if load.is_struct else f"const {load.type} {load.register}"
            parameters.append(reference)
        self.count += 1
        name = "@element" if self.count == 1 else f"@element{self.count}"
        accumulated = accumulator(self.owner.scop, self.kernel)
        parameters.append(f"{accumulated.type} &@acc")
        kernel = self.kernel
        return Segment(
            name, tuple(parameters), nodes, self.rank, self.size, count, point, tuple(loads),
            kernel.width if loads else 1, kernel.in_flight, kernel.sets, point is not None,
        )  # fmt: skip


def _at(key: str, lowers: dict[str, str]) -> str:
    """The address of the first element of a run: the access with its iterators at their lower bounds."""
    for name, lower in lowers.items():
        key = re.sub(rf"(?<![\w.@]){re.escape(name)}\b", lambda _, t=lower: _wrapped(t), key)  # type: ignore[misc]
    key = key.replace(" + 0]", "]").replace("(long long)0 * ", "0 * ")
    if re.search(r"\[0( \* \w+)*\]$", key):
        return key.partition("[")[0]
    return f"&{key}"


def _product(factors: Seq[str]) -> str:
    factors = [f for f in factors if f != "1"]
    if len(factors) > 1:
        factors = [_wrapped(f) for f in factors]
        if not factors[0].startswith("(long long)"):
            factors[0] = f"(long long){factors[0]}"
    return " * ".join(factors) or "1"


def _wrapped(text: str) -> str:
    return text if text.replace("_", "a").isalnum() or text.startswith("(long long)") and " " not in text[11:] else f"({text})"


def _host_rows(program: MappedProgram, kernel: Kernel) -> tuple[Row, ...]:
    from pencilc.ir.mapping import HostLoop

    def find(items: object, rows: tuple[Row, ...]) -> tuple[Row, ...] | None:
        for item in items:  # type: ignore[attr-defined]
            if item is kernel:
                return rows
            if isinstance(item, HostLoop):
                found = find(item.items, (*rows, item.row))
                if found is not None:
                    return found
        return None

    return find(program.items, ()) or ()


def _equals_parameter(points: isl.Set, position: int, name: str) -> isl.Set:
    here = islx.variable(points, position)
    value = isl.PwAff(f"[{name}] -> {{ [{name}] }}").insert_domain(points.get_space())
    return here.eq_set(value)


def _in_range(name: str, box: BoxDimension) -> isl.Set:
    value = isl.PwAff(f"[{name}] -> {{ [{name}] }}")
    return box.lower.le_set(value).intersect(value.le_set(box.upper)).params()


def _without_returns(body: object) -> object:
    """The body with its final `return e;` as a store of the result (the sequential form only)."""
    from pencilc.ir.source import Assign, Block, Dereference, Name, Return, Symbol

    def convert(node: object) -> object:
        if isinstance(node, Return) and node.value is not None:
            symbol = Symbol("@result", "result", node.value.type, "result", node.span)
            target = Dereference(Name(symbol, node.value.type, node.span), node.value.type, node.span)
            return Assign(target, node.value, node.span)
        if isinstance(node, Block):
            return Block(tuple(convert(i) for i in node.items), node.span)  # type: ignore[arg-type]
        return node

    return convert(body)


