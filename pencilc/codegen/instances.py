"""Statement instances: what a leaf of the schedule becomes in one part of one kernel."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from collections.abc import Sequence as Seq
from dataclasses import field, replace
from functools import lru_cache

from pencilc.analysis.affinity import base_name, outermost_indices, subscripts
from pencilc.analysis.sums import within_one_thread
from pencilc.codegen.astgen import AstBlock, AstFor, AstIf, AstInstance, AstLet, AstNode
from pencilc.codegen.bodies import lowered_type, placed, set_to, statement, with_own_counters
from pencilc.codegen.cexpr import type_text
from pencilc.codegen.identity import identity
from pencilc.codegen.lowering import CONVERSIONS, Bindings, LinearArray, access, argument, lowered
from pencilc.codegen.names import safe
from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.gpu.shapes.policy import LARGEST_SHUFFLED
from pencilc.gpu.shapes.registers import FEW_BYTES
from pencilc.ir.build import (
    GeneratedType,
    address,
    binary,
    call,
    cast,
    conjunction,
    declare,
    evaluate,
    generated_type,
    member,
    method,
    negation,
    number,
    symbol,
    variable,
)
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.nodes import For, If, Node, blocks_in, expressions_in, names_of, uses, variables_of
from pencilc.ir.queries import function_in_order, mentions_any, root
from pencilc.ir.schedule import statements_of
from pencilc.ir.scop import Reduction, Scop, ShiftedSum, Statement, StatementKind
from pencilc.ir.shapes import Kernel, Operand, VectorAccess
from pencilc.ir.source import (
    FLOAT,
    INT,
    KEEP,
    LLONG,
    SCALARS,
    ArrayType,
    Assign,
    Call,
    CallStmt,
    CType,
    Declare,
    Dereference,
    Expr,
    Index,
    Initializer,
    IntLiteral,
    Name,
    PointerType,
    ReductionInit,
    ReductionUpdate,
    Return,
    Scalar,
    Symbol,
    element_type,
    walk,
)
from pencilc.ir.storage import Element, Expanded, Home, InBlock, Storage, Value
from pencilc.options import Sums
from pencilc.records import dataclass

# So many members of one type and operator, or more, are elements of an array, which a warp combines together.
FEWEST_TOGETHER = 8


@dataclass(frozen=True, slots=True)
class Load:
    """An access met in a body, to the array called `array`, and the register that it is loaded into ahead."""

    access: Expr
    read: VectorAccess | Operand
    array: str
    register: str
    type: CType
    is_struct: bool


@dataclass(slots=True)
class KernelPart:
    """One part of a kernel being written: what is declared in it, and the vector accesses met.

    `along`: the iterators along which neighbouring points lie side by side, so that vector accesses that they move may
    be loaded in chunks; where a condition leaves one value of them (`if (i == 3)`), an access does not move.
    `operands`: what is loaded ahead instead, for all points of a tile.  `handed_on`: the variable that is `@acc` here.
    `carried`: what carries the sums of one thread, with its type.  `words`: the names used so far.  `in_order`: updates
    whose elements come by ascending places.
    """

    name: str
    declared: set[str] = field(default_factory=set)
    loads: dict[Expr, Load] = field(default_factory=dict)
    along: Seq[str] = ()
    operands: Seq[Operand] = ()
    handed_on: str = ""
    carried: dict[str, CType] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    stage: int | None = None  # of a stitched kernel
    in_order: Set[str] = frozenset()

    def nested(self) -> KernelPart:
        """The same inside braces: a register must not be declared there, it may be used outside."""
        return replace(self, declared=self.declared | {"*"})


class _ArraysOfInstance(Mapping[str, LinearArray]):
    """The arrays as one instance finds them: those that have more dimensions begin where `iterators` say."""

    def __init__(
        self, known: Mapping[str, LinearArray], expanded: Mapping[str, Storage], iterators: Mapping[str, Expr]
    ) -> None:
        self.known, self.expanded, self.iterators = known, expanded, iterators

    def __getitem__(self, array: str) -> LinearArray:
        linear, storage = self.known[array], self.expanded.get(array)
        if storage is None:
            return linear
        prefix = tuple(map(self._place, storage.expanded, expansion_origins(storage)))
        sizes = tuple(variable(name, LLONG) for name in expansion_names(storage))
        return replace(linear, prefix=prefix, prefix_extents=sizes, interleaved=storage.is_interleaved)

    def _place(self, dimension: Expanded, origin: str) -> Expr:
        """Where an instance is along a dimension: what it counts from may be below zero."""
        value = self.iterators.get(dimension.iterator, variable(dimension.iterator))
        return binary("-", value, variable(origin, LLONG)) if origin else value

    def __contains__(self, array: object) -> bool:
        return array in self.known

    def __iter__(self) -> Iterator[str]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)


class Instances:
    """Writes the statement instances of one kernel; `symbols` are the region's symbols by name."""

    def __init__(self, program: MappedProgram, kernel: Kernel, iterator_types: Mapping[str, CType]) -> None:
        self.program, self.kernel = program, kernel
        self.scop: Scop = program.scop
        self.symbols = {a.symbol.name: a.symbol for a in self.scop.arrays}
        self.base = _base_bindings(program)
        self.iterator_types = iterator_types
        self.in_place = {bins.reduction for bins in kernel.bins}
        self.reductions = {r.name: r for r in self.scop.reductions_of(kernel.reductions)}
        self.members = member_names(self.scop, kernel)
        self.sequential_inits: set[str] = set()
        self.carried = self._carried()
        # Where values go to bins instead of accumulators (codegen/indirect.py): what an update is.
        self.put: Callable[[Statement, Bindings], Node] | None = None
        # What a block holds in shared memory of reads, by statement: where it is (codegen/halo.py).
        self.held: Mapping[str, Seq[tuple[Index, LinearArray]]] = {}
        # The updates that another function does.
        self.left_out: frozenset[str] = frozenset()

    # ---- bindings ----------------------------------------------------------------------------------

    def bindings(self, record: Statement, arguments: Seq[Expr]) -> Bindings:
        """What names mean in the instance of `record` whose iterators have these values."""
        values = {it.name: self._typed(it, value) for it, value in zip(record.iterators, arguments, strict=True)}
        arrays = _ArraysOfInstance(self.base.arrays, _expanded(self.program), values)
        return Bindings({**self.base.values, **values}, arrays, pinned=self.program.pinned)

    def _typed(self, iterator: Symbol, value: Expr) -> Expr:
        """The value of an iterator in its own C type: wrapping, products and templates depend on it."""
        if isinstance(value, Name) and self._type_of(value.symbol.name) == iterator.type:
            return variable(value.symbol.name, iterator.type)
        is_plain = isinstance(value, IntLiteral) and value.value >= 0
        return value if is_plain and value.type == iterator.type else cast(iterator.type, value)

    def _type_of(self, name: str) -> CType:
        """The C type of a variable of the kernel: a loop's, a host loop's or a parameter."""
        params = {safe(p.name): p.type for p in self.scop.params}
        if name in self.kernel.host:
            return iterator_type(self.scop, name)
        return params.get(name) or self.iterator_types.get(name) or INT

    # ---- nodes -------------------------------------------------------------------------------------

    def nodes(self, ast: AstNode, part: KernelPart) -> tuple[Node, ...]:
        """An AST whose loops run inside one thread."""
        match ast:
            case AstInstance():
                return self.instance(ast, part)
            case AstBlock():
                return joined(node for item in ast.items for node in self.nodes(item, part))
            case AstIf():
                then = self.nodes(ast.then, part.nested())
                otherwise = self.nodes(ast.otherwise, part.nested()) if ast.otherwise else ()
                return (If(ast.condition, then, otherwise),) if then or otherwise else ()
            case AstFor():
                body = self.nodes(ast.body, part.nested())
                return self.loop(ast, body) if body else ()
            case AstLet():
                body = self.nodes(ast.body, part)
                return named(ast, body)

    def loop(self, ast: AstFor, body: tuple[Node, ...]) -> tuple[Node, ...]:
        """A loop inside a thread."""
        kind = self.iterator_types.get(ast.name) or LLONG
        if ast.degenerate:
            return named(AstLet(kind, ast.name, ast.lower, ast.body), body)
        return (For(symbol(ast.name, kind), ast.lower, ast.upper, body, number(ast.step)),)

    def instance(self, ast: AstInstance, part: KernelPart) -> tuple[Node, ...]:
        """One instance: its guards around what it does."""
        if ast.statement in self.left_out:
            return ()
        record = self.scop.statement(ast.statement)
        bindings = self._with_loads(record, self.bindings(record, ast.arguments), part)
        written = self._written(record, bindings, part.nested() if record.own_guards else part)
        nodes = placed(written, record.span)
        part.words.update(names_of(nodes))
        condition = conjunction(lowered(guard, bindings) for guard in record.own_guards)
        return (If(condition, nodes),) if condition is not None and nodes else nodes

    def _with_loads(self, record: Statement, bindings: Bindings, part: KernelPart) -> Bindings:
        bindings = bindings.with_loads(self._contracted(record, bindings))
        if part.handed_on:
            bindings = self._with_handed_on(record, bindings, part.handed_on)
        bindings = bindings.with_loads(self._with_held(record, bindings))
        ahead = part.operands or (self.kernel.loads.vectors if part.along else ())
        loads: dict[Expr, Expr] = {}
        for vector in ahead:
            if vector.statement != record.name:
                continue
            among = vector.among if isinstance(vector, VectorAccess) else None
            key = access(among.first if among else vector.index, bindings)
            if not _is_ahead(vector, key, part):
                continue
            if key not in part.loads:
                part.loads[key] = _load(key, vector, part)
            register = variable(part.loads[key].register, part.loads[key].type)
            kind = vector.index.type
            if among:
                of = member(register, "of", PointerType(kind))
                loads[access(vector.index, bindings)] = Index(of, number(among.place), kind, UNKNOWN_SPAN)
            else:
                loads[key] = register
        return bindings.with_loads(loads)

    def _with_held(self, record: Statement, bindings: Bindings) -> dict[Expr, Expr]:
        """Elements of shared memory for the reads that a block holds."""
        found: dict[Expr, Expr] = {}
        for index, place in self.held.get(record.name, ()):
            there = replace(bindings, arrays={base_name(index): place}, loads={})
            found[access(index, bindings)] = lowered(index, there)
        return found

    def _with_handed_on(self, record: Statement, bindings: Bindings, variable_name: str) -> Bindings:
        """`@acc` for every access to the variable: all are to one element."""
        element = self.scop.arrays_of(variable_name)[0].element
        accumulated = variable("@acc", element)
        found: dict[Expr, Expr] = {}
        for place in places_of(record, variable_name):
            if isinstance(place, Name):
                bindings = replace(bindings, values={**bindings.values, variable_name: accumulated})
            else:
                found[access(place, bindings)] = accumulated
        return bindings.with_loads(found)

    def place_of(self, record: Statement, arguments: Seq[Expr], variable_name: str) -> Expr:
        """Where an instance of `record` finds the element of the variable that it accesses."""
        bindings = self.bindings(record, arguments)
        return lowered(next(places_of(record, variable_name)), bindings.with_loads(self._contracted(record, bindings)))

    def _contracted(self, record: Statement, bindings: Bindings) -> dict[Expr, Expr]:
        """Registers for the accesses to arrays of which only the element of the point is needed."""
        elements = _elements(self.program)
        found: dict[Expr, Expr] = {}
        for expression in record.roots if elements else ():
            for index in outermost_indices(expression):
                if (name := base_name(index)) in elements:
                    found[access(index, bindings)] = variable(safe(name), index.type)
        return found

    def _written(self, record: Statement, bindings: Bindings, part: KernelPart) -> tuple[Node, ...]:
        """What the statement does, without its guards."""
        body = record.body
        if record.kind is StatementKind.MERGE:
            return self._merge(record, bindings, part)
        if isinstance(body, ReductionInit):
            return self._init(record, body, bindings, part)
        if isinstance(body, ReductionUpdate):
            updated = self._update(record, body, bindings, part)
            if updated is not None:
                return (updated,)
        if isinstance(body, Return):
            return self._result(body, bindings)
        if body is None:
            return ()
        nodes = statement(with_own_counters(body), bindings)
        if not isinstance(body, Assign):
            return nodes
        if isinstance(body.target, Name) and isinstance(body.value, Initializer):
            if isinstance(body.target.type, ArrayType):
                return self._declaring_array(body, nodes, bindings, part)
            return self._declaring(body.target.symbol, nodes, part)
        target = subscripts(body.target)[0]
        return self._declaring(target.symbol, nodes, part) if isinstance(target, Name) else nodes

    def _update(self, record: Statement, body: ReductionUpdate, bindings: Bindings, part: KernelPart) -> Node | None:
        """One more value of a reduction that the kernel does; None where it is done as any other statement."""
        reduction = self.scop.reduction_with(record.name)
        if reduction is None:
            return None
        if self.put is not None and reduction.name in self.in_place:
            return self.put(record, bindings)
        if reduction.name in self.reductions:
            # An update behind the loops meets the value that the threads have combined.
            place = self.combined("@total" if part.name == "post" else "@acc", reduction)
            if record.name in part.in_order:
                return self._next(place, body, bindings)
            return self._accumulate(reduction, place, body.element, bindings, part)
        if reduction.name in self.carried:
            place = variable(self.carried[reduction.name], carried_type(reduction, self.program.sums))
            return self._accumulate(reduction, place, body.element, bindings, part)
        return None

    def _result(self, body: Return, bindings: Bindings) -> tuple[Node, ...]:
        if body.value is None:
            return ()
        ctype = body.value.type
        result = Dereference(variable("@result", PointerType(ctype)), ctype, UNKNOWN_SPAN)
        return (set_to(result, lowered(body.value, bindings)),)

    def _declaring(self, target: Symbol, nodes: tuple[Node, ...], part: KernelPart) -> tuple[Node, ...]:
        """Make the first assignment of a register its declaration, as one would write it by hand."""
        name = safe(target.name)
        if not self._is_register(target.name) or target.name in part.declared or "*" in part.declared:
            return nodes
        if name in part.words:
            return nodes  # A larger statement before has used it.
        first, *others = nodes
        if not isinstance(first, Assign) or first.compound or not isinstance(first.target, Name):
            return nodes
        if first.target.symbol.name != name or uses(first.value, name):
            return nodes
        part.declared.add(target.name)
        return (declare(name, self._register_type(target), first.value), *others)

    def _declaring_array(
        self, body: Assign, nodes: tuple[Node, ...], bindings: Bindings, part: KernelPart
    ) -> tuple[Node, ...]:
        """A local array with its initialiser: a declaration where it can be one."""
        assert isinstance(body.target, Name)
        target = body.target.symbol
        if not self._is_register(target.name) or {target.name, "*"} & part.declared or safe(target.name) in part.words:
            return nodes
        part.declared.add(target.name)
        return (declare(safe(target.name), lowered_type(target.type, Bindings()), lowered(body.value, bindings)),)

    def _declare_target(self, target: object, part: KernelPart) -> tuple[Declare, ...]:
        if not isinstance(target, Name) or not self._is_register(target.symbol.name):
            return ()
        if target.symbol.name in part.declared or "*" in part.declared:
            return ()
        part.declared.add(target.symbol.name)
        return (declare(safe(target.symbol.name), lowered_type(target.symbol.type, Bindings())),)

    def _is_register(self, name: str) -> bool:
        return name in in_registers(self.program)

    def _register_type(self, register: Symbol) -> CType:
        """The type of a variable's register: of an array of which one element is needed, that element's."""
        is_element = register.name in _elements(self.program)
        return element_type(register.type) if is_element else lowered_type(register.type, Bindings())

    # ---- sums --------------------------------------------------------------------------------------

    def _init(self, record: Statement, body: ReductionInit, bindings: Bindings, part: KernelPart) -> tuple[Node, ...]:
        """The initialisation of a reduction that one thread does."""
        self.sequential_inits.add(record.name)
        reduction = self.scop.reduction_with(record.name)
        if reduction is None or reduction.name not in self.carried:
            return (*self._declare_target(body.variable, part), *statement(body, bindings))
        ctype = carried_type(reduction, self.program.sums)
        carried = variable(self.carried[reduction.name], ctype)
        part.carried[carried.symbol.name] = ctype
        if carried_sum(reduction, self.program.sums):
            return (set_to(carried, zero_of(ctype)),)
        if body.function == KEEP or reduction.operator.wide:
            # What was there comes in at the end: until then its statement need not have run.
            start = identity(reduction)
            assert start is not None
            return (set_to(carried, start),)
        return (evaluate(safe(body.function), address(carried)),)

    def _carried(self) -> dict[str, str]:
        """The reductions that one thread begins and ends and does not carry in their variable: what carries them.

        A sum may be carried with more than its value, what lives in memory goes there once, at the end, and what the
        variable had before need only be there at the end.
        """
        body = self.kernel.body
        found: dict[str, str] = {}
        numbers: dict[str, int] = {}  # of those whose variables are called alike
        within = frozenset(statements_of(body)) if body is not None else ()
        for reduction in self.scop.reductions:
            if body is None or reduction.merge not in within:
                continue
            if self._is_carried(reduction) and within_one_thread(body, reduction):
                stem = _stem(reduction)
                found[reduction.name] = f"@{stem}_carried{numbers.get(stem) or ''}"
                numbers[stem] = numbers.get(stem, 0) + 1
        return found

    def _is_carried(self, reduction: Reduction) -> bool:
        if carried_sum(reduction, self.program.sums) or reduction.init_function == KEEP:
            return True
        symbol = self.scop.array(reduction.array).symbol.name
        in_memory = self.program.storage_of(symbol).is_in_memory
        return in_memory and reduction.element_type.size <= FEW_BYTES

    def _accumulate(
        self, reduction: Reduction, place: Expr, operand: Expr, bindings: Bindings, part: KernelPart
    ) -> Node:
        """One more value: `acc = op(acc, a[i]);`."""
        if isinstance(reduction, ShiftedSum) and isinstance(operand, Call):
            terms = tuple(lowered(term, bindings) for term in operand.arguments)
            return CallStmt(method(place, "add", *terms), UNKNOWN_SPAN)
        plain = lowered(operand, bindings)
        value = widened(reduction, plain) if reduction.operator.wide else plain
        exchanged = part.name == "post" and self.program.sums == "pairwise"
        if carried_sum(reduction, self.program.sums) and not exchanged:
            # A template, which finds one type for both.
            value = value if reduction.operator.wide else argument(operand, bindings)
            return evaluate("pencilc_sum_add", place, value)
        if reduction.operator.wide:
            return set_to(place, value, "+")
        return set_to(place, self._combined(reduction, place, value))

    def _next(self, place: Expr, update: ReductionUpdate, bindings: Bindings) -> Node:
        """One more value, whose place is behind those of all others: `acc = next_of(acc, a[i], i);`."""
        following, made = function_in_order(self.scop.functions, update), lowered(update.element, bindings)
        assert following is not None and isinstance(made, Call)
        return set_to(place, call(safe(following.name), place, *made.arguments, returns=place.type))

    @staticmethod
    def _combined(reduction: Reduction, left: Expr, right: Expr) -> Expr:
        """`op(left, right)`."""
        return call(safe(reduction.operator.function), left, right, returns=left.type)

    # ---- merge nodes -------------------------------------------------------------------------------

    def _continues(self, reduction: Reduction) -> bool:
        """Whether an earlier kernel has begun the reduction."""
        return any(plan.continues for plan in self.kernel.accumulated if plan.reduction == reduction.name)

    def combined(self, name: str, reduction: Reduction) -> Expr:
        """The reduction's member of the accumulator `name`."""
        ctype = carried_type(reduction, self.program.sums)
        if name == "@total" and self.program.sums == "pairwise":
            ctype = carried_type(reduction, "plain")  # the levels of a sum end with the thread
        if isinstance(reduction, ShiftedSum):
            ctype = shifted_type(reduction, self.kernel)
        if len(self.kernel.reductions) == 1:
            return variable(name, ctype)
        return member(variable(name, generated_type("")), self.members[reduction.name].text, ctype)

    def _merge(self, record: Statement, bindings: Bindings, part: KernelPart) -> tuple[Node, ...]:
        """The merge node: `op(init, total)`, or the total itself where its identity was init."""
        reduction = self.scop.reduction_with(record.name)
        assert reduction is not None
        target = lowered(reduction.variable, bindings)
        if reduction.name not in self.reductions:
            return self._merge_alone(reduction, target, part)
        total = self.combined("@total", reduction)
        if isinstance(reduction, ShiftedSum):
            total = method(total, "at", lowered(reduction.shift, bindings), returns=reduction.element_type)
        if carried_sum(reduction, self.program.sums) and self.program.sums == "kahan":
            return (*self._begin(reduction, target, part), *self._merge_sum(reduction, target, total))
        if reduction.operator.wide:
            return self._merge_wide(reduction, target, total, part)
        if self._continues(reduction) or reduction.init_function == KEEP:
            return (set_to(target, self._combined(reduction, target, total)),)
        declared = self._declare_target(reduction.variable, part)
        if reduction.operator.recognised is None:
            return (_initialised(declared, total),) if declared else (set_to(target, total),)
        init = safe(reduction.init_function)
        if declared:
            update = set_to(target, self._combined(reduction, target, total))
            return (*declared, evaluate(init, address(target)), update)
        start = variable(f"@{self.members[reduction.name].word}_init", reduction.element_type)
        return (
            declare(start.symbol.name, reduction.element_type),
            evaluate(init, address(start)),
            set_to(target, self._combined(reduction, start, total)),
        )

    def _merge_alone(self, reduction: Reduction, target: Expr, part: KernelPart) -> tuple[Node, ...]:
        """The merge node of a reduction that one thread does."""
        if reduction.name not in self.carried:
            if reduction.init in self.sequential_inits or reduction.init_function == KEEP:
                return ()
            init = evaluate(safe(reduction.init_function), address(target))
            return (*self._declare_target(reduction.variable, part), init)
        carried = variable(self.carried[reduction.name], carried_type(reduction, self.program.sums))
        if carried_sum(reduction, self.program.sums):
            return (*self._begin(reduction, target, part), *self._merge_sum(reduction, target, carried))
        if reduction.operator.wide:
            return self._merge_wide(reduction, target, carried, part)
        if reduction.init_function == KEEP:
            return (set_to(target, self._combined(reduction, target, carried)),)
        return (*self._declare_target(reduction.variable, part), set_to(target, carried))

    def _merge_wide(self, reduction: Reduction, target: Expr, total: Expr, part: KernelPart) -> tuple[Node, ...]:
        """The merge node of a sum of 16-bit floats: rounded once, at the end."""
        begun = self._begin(reduction, target, part)
        return (*begun, set_to(target, narrowed(reduction, binary("+", widened(reduction, target), total))))

    def _merge_sum(self, reduction: Reduction, target: Expr, carried: Expr) -> tuple[Node, ...]:
        """The merge node of a sum that is carried with more than its value: what was there is one more value."""
        wide = reduction.operator.wide
        start = widened(reduction, target) if wide else target
        value = call("pencilc_sum_value", carried, returns=wide or reduction.element_type)
        return (
            evaluate("pencilc_sum_add", carried, start),
            set_to(target, narrowed(reduction, value) if wide else value),
        )

    def _begin(self, reduction: Reduction, target: Expr, part: KernelPart) -> tuple[Node, ...]:
        """The initialisation of the variable, unless it keeps what it has."""
        if self._continues(reduction) or reduction.init_function == KEEP:
            return ()
        init = evaluate(safe(reduction.init_function), address(target))
        return (*self._declare_target(reduction.variable, part), init)

    # ---- declarations ------------------------------------------------------------------------------

    def whole(self, part: KernelPart, *asts: AstNode) -> tuple[Node, ...]:
        """What the ASTs do one after the other, behind the declarations of the registers that this needs."""
        nodes: tuple[Node, ...] = ()
        for ast in asts:
            nodes += self.nodes(ast, part)
        return (*self.missing_declarations(part, nodes), *nodes)

    def missing_declarations(self, part: KernelPart, nodes: object) -> tuple[Node, ...]:
        """Declarations of the registers that `nodes` use and no assignment declared."""
        words = names_of(nodes)
        found = [declare(name, ctype) for name, ctype in part.carried.items()]
        part.carried.clear()
        here = Home(self.kernel.name, part.name, part.stage)
        for array in _registers_at(self.program).get(here, ()):
            name = safe(array)
            if name in words and array not in part.declared:
                part.declared.add(array)
                found.append(declare(name, self._register_type(self.symbols[array])))
        return tuple(found)


def places_of(record: Statement, variable_name: str) -> Iterator[Expr]:
    """The accesses to a variable in a statement: `c[i][j]` whole, or the name of a scalar."""
    for expression in record.roots:
        for index in outermost_indices(expression):
            if base_name(index) == variable_name:
                yield index
        for node in walk(expression):
            if isinstance(node, Name) and node.symbol.name == variable_name and not isinstance(node.type, ArrayType):
                yield node


def _is_ahead(read: VectorAccess | Operand, key: Expr, part: KernelPart) -> bool:
    """Whether the access moves as it is loaded: a condition may leave one value of an iterator."""
    moving = sum(mentions_any(key, name) for name in part.along)
    return moving == read.moves if isinstance(read, Operand) else moving > 0


def _load(key: Expr, read: VectorAccess | Operand, part: KernelPart) -> Load:
    """The register of an access that is loaded ahead and that a part has not met yet."""
    array = root(key)
    assert array is not None
    name = array.symbol.name.lstrip("@")
    same = sum(load.array == name for load in part.loads.values())
    ctype = read.index.type
    if isinstance(read, VectorAccess) and read.among:
        ctype = generated_type("pencilc_neighbours", ctype, read.count, size=ctype.size * read.count)
    return Load(key, read, name, f"@{name}_element{same or ''}", ctype, ctype.size > 8)


def _initialised(declared: tuple[Declare, ...], value: Expr) -> Declare:
    """The declaration of one variable, with its value."""
    (only,) = declared
    return replace(only, init=value)


def named(ast: AstLet, body: tuple[Node, ...]) -> tuple[Node, ...]:
    """`body` behind the declaration of the constant, unless isl has put its value in its place everywhere."""
    return (declare(ast.name, ast.type, ast.value, is_const=True), *body) if uses(body, ast.name) else body


def widened(reduction: Reduction, value: Expr) -> Expr:
    """A 16-bit float as a float."""
    assert isinstance(reduction.element_type, Scalar)
    return call(CONVERSIONS[f"{reduction.element_type.name}_to_float"], value, returns=FLOAT)


def narrowed(reduction: Reduction, value: Expr) -> Expr:
    """A float as the 16-bit float nearest to it."""
    assert isinstance(reduction.element_type, Scalar)
    name = reduction.element_type.name.removeprefix("pencil_")
    return call(CONVERSIONS[f"pencil_float_to_{name}"], value, returns=reduction.element_type)


# A region may have hundreds of variables, and as many kernels that ask for them; programs are told apart as such.
@lru_cache(maxsize=8)
def _base_bindings(program: MappedProgram) -> Bindings:
    """What names mean wherever in a kernel."""
    symbols = {a.symbol.name: a.symbol for a in program.scop.arrays}
    values: dict[str, Expr] = {p.name: variable(safe(p.name), p.type) for p in program.scop.params}
    arrays: dict[str, LinearArray] = {}
    for storage in program.storage:
        if storage.is_in_memory or isinstance(storage.residence, Element):
            arrays[storage.array] = LinearArray(safe(storage.array))
        elif isinstance(storage.residence, InBlock):
            arrays[storage.array] = LinearArray(shared_name(storage), skipped=storage.residence.fixed)
        elif isinstance(storage.residence, Value):
            values[storage.array] = variable(safe(storage.array), symbols[storage.array].type)
    return Bindings(values, arrays, pinned=program.pinned)


@lru_cache(maxsize=8)
def _expanded(program: MappedProgram) -> Mapping[str, Storage]:
    """The variables that have dimensions beside their own."""
    return {storage.array: storage for storage in program.storage if storage.expanded}


@lru_cache(maxsize=8)
def _elements(program: MappedProgram) -> frozenset[str]:
    """The arrays of which only the element of the point is needed."""
    return frozenset(storage.array for storage in program.storage if isinstance(storage.residence, Element))


@lru_cache(maxsize=8)
def in_registers(program: MappedProgram) -> frozenset[str]:
    """The variables that live in registers."""
    return frozenset(storage.array for storage in program.storage if storage.is_in_register)


@lru_cache(maxsize=8)
def _registers_at(program: MappedProgram) -> Mapping[Home, Seq[str]]:
    """The variables that have a register in a part of a kernel, in the order of the table of storage."""
    found: dict[Home, list[str]] = {}
    for storage in program.storage:
        for home in storage.homes:
            found.setdefault(home, []).append(storage.array)
    return found


def carried_sum(reduction: Reduction, sums: Sums) -> GeneratedType | None:
    """The type that a thread carries a floating sum in, where `--sum` wants more than its value; else None."""
    if sums == "plain" or reduction.sum_type is None:
        return None
    kind = "pencilc_sum" if sums == "kahan" else "pencilc_cascade"
    return generated_type(kind, reduction.sum_type)


def zero_of(kind: CType) -> Call:
    """What a sum of a class of the building blocks begins with."""
    return call(f"{type_text(kind)}::zero", returns=kind)


def carried_type(reduction: Reduction, sums: Sums) -> CType:
    """The type that a thread carries a reduction in."""
    return carried_sum(reduction, sums) or reduction.operator.wide or reduction.element_type


def shifted_type(reduction: ShiftedSum, kernel: Kernel) -> GeneratedType:
    """The type that carries a sum whose shift is not known yet."""
    counts = (SCALARS[kernel.index],) if reduction.function == "square" else ()
    return generated_type(f"pencilc_{reduction.function}_sum", reduction.element_type, *counts)


def shared_name(storage: Storage) -> str:
    """What a block of a composed kernel has of the variable."""
    return f"@{storage.array}_shared"


def expansion_names(storage: Storage) -> tuple[str, ...]:
    """Names of the run-time sizes of the expanded dimensions of a workspace variable."""
    return tuple(f"{safe(storage.array)}_size{k}" for k in range(len(storage.expanded)))


def expansion_origins(storage: Storage) -> tuple[str, ...]:
    """Names of the values from which the expanded dimensions count, "" for those that count from zero."""
    return tuple(
        "" if dimension.least is None else f"{safe(storage.array)}_from{k}"
        for k, dimension in enumerate(storage.expanded)
    )


@dataclass(frozen=True, slots=True)
class MemberName:
    """What a reduction is called in its kernel: `text`, an element of `array` if there is one; `word`: a plain name."""

    text: str
    word: str
    array: str = ""


def member_names(scop: Scop, kernel: Kernel) -> dict[str, MemberName]:
    """A readable, unique name for each reduction inside its kernel: the variable's, numbered where it is shared.

    Many that are alike are elements of an array: `s[0]`, `s[1]` and so on.
    """
    together: dict[str, list[Reduction]] = {}
    for reduction in scop.reductions_of(kernel.reductions):
        together.setdefault(_stem(reduction), []).append(reduction)
    found: dict[str, MemberName] = {}
    for stem, reductions in together.items():
        if len(reductions) == 1:
            found[reductions[0].name] = MemberName(safe(stem), safe(stem))
            continue
        words = {reduction.name: f"{stem}_{number}" for number, reduction in enumerate(reductions)}
        found |= {name: MemberName(word, word) for name, word in words.items()}
        alike = next((each for each in _alike(reductions) if len(each) >= FEWEST_TOGETHER), [])
        for place, name in enumerate(alike):
            found[name] = MemberName(f"{safe(stem)}[{place}]", words[name], safe(stem))
    return found


def _alike(reductions: Iterable[Reduction]) -> Iterator[list[str]]:
    """The names of those that begin with the same value and are combined in the same way, lanes by shuffles."""
    found: dict[object, list[str]] = {}
    for each in reductions:
        if not isinstance(each, ShiftedSum) and each.element_type.size <= LARGEST_SHUFFLED:
            key = (each.element_type, each.operator.function, each.operator.wide, each.init_function)
            found.setdefault(key, []).append(each.name)
    yield from found.values()


def _stem(reduction: Reduction) -> str:
    return re.sub(r"\W+", "_", reduction.array)


def joined(nodes: Iterable[Node]) -> tuple[Node, ...]:
    """Neighbouring `if`s on one condition become one, and one on its negation the `else`.

    The condition has the same value each time, unless what is done under it changes what it reads.
    """
    found: list[Node] = []
    for node in nodes:
        last = found[-1] if found else None
        if isinstance(node, If) and isinstance(last, If) and not node.otherwise:
            is_same, is_other = node.condition == last.condition, node.condition == negation(last.condition)
            if (is_same or is_other) and not _may_change_condition(last):
                if is_other:
                    found[-1] = If(last.condition, last.then, joined((*last.otherwise, *node.then)))
                    continue
                if not last.otherwise:
                    found[-1] = If(last.condition, joined((*last.then, *node.then)))
                    continue
        found.append(node)
    return tuple(found)


def _may_change_condition(node: If) -> bool:
    """Whether what stands below `node` may give another value to a variable that its condition reads."""
    read = variables_of(node.condition)
    for each in blocks_in((node.then, node.otherwise)):
        if isinstance(each, Assign):
            target = root(each.target)
            if target is None or target.symbol.name in read:
                return True
        if isinstance(each, For) and each.iterator.name in read:
            return True
    parts = (part for expr in expressions_in((node.then, node.otherwise)) for part in walk(expr))
    return any(isinstance(part, Call) and not read.isdisjoint(_places_told(part)) for part in parts)


def _places_told(call: Call) -> set[str]:
    """The variables of which a call is told where they are."""
    places = [each for each in call.arguments if isinstance(each.type, PointerType | ArrayType)]
    return {n.symbol.name for each in places for n in walk(each) if isinstance(n, Name)}


def iterator_type(scop: Scop, name: str) -> CType:
    """The C type of the loop variable `name` of the source; that of a new one."""
    for record in scop.statements:
        for iterator in record.iterators:
            if iterator.name == name:
                return iterator.type
    return LLONG
