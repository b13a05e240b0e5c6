"""Statement instances as C++: what a leaf of the schedule becomes in one part of one kernel."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Sequence as Seq
from dataclasses import dataclass, field, replace

from pencilc.analysis.affinity import base_name, outermost_indices, subscripts
from pencilc.analysis.sums import within_one_thread
from pencilc.codegen.astgen import AstBlock, AstFor, AstIf, AstInstance, AstLet, AstNode
from pencilc.codegen.cexpr import (
    CONVERSIONS,
    Bindings,
    LinearArray,
    access_key,
    argument,
    declarator,
    expression,
    type_text,
)
from pencilc.codegen.cstmt import statement
from pencilc.codegen.identity import identity
from pencilc.codegen.names import safe
from pencilc.gpu.shapes.registers import FEW_BYTES
from pencilc.ir.kernel import For, If, Line, Node
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.scop import Reduction, Scop, ShiftedSum, Statement, StatementKind
from pencilc.ir.shapes import Kernel
from pencilc.ir.source import (
    KEEP,
    ArrayType,
    Assign,
    Call,
    CType,
    Expr,
    Initializer,
    Name,
    ReductionInit,
    ReductionUpdate,
    Return,
    Scalar,
    Symbol,
    element_type,
)
from pencilc.ir.storage import Element, Home, InBlock, Storage, Value
from pencilc.options import Sums

_WORD = re.compile(r"(?<![\w.>@])[A-Za-z_]\w*")  # a variable, no member


@dataclass(frozen=True, slots=True)
class Load:
    """A vector access met in a body: the text of the access and the register that stands for it."""

    key: str
    register: str
    type: str
    is_struct: bool


@dataclass(slots=True)
class KernelPart:
    """One part of a kernel being written: what is declared in it, and the vector accesses met.

    `vectors`: whether neighbouring points lie side by side, so that vector accesses may be loaded in chunks.
    `carried`: what carries the sums of one thread, with its type.  `words`: the identifiers written so far.
    """

    name: str
    declared: set[str] = field(default_factory=set)
    loads: dict[str, Load] = field(default_factory=dict)
    vectors: bool = False
    carried: dict[str, str] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    stage: int | None = None  # of a stitched kernel

    def nested(self) -> KernelPart:
        """The same inside braces: a register must not be declared there, it may be used outside."""
        return replace(self, declared=self.declared | {"*"})


class Instances:
    """Writes the statement instances of one kernel; `symbols` are the region's symbols by name."""

    def __init__(self, program: MappedProgram, kernel: Kernel, iterator_types: Mapping[str, str]) -> None:
        self.program, self.kernel = program, kernel
        self.scop: Scop = program.scop
        self.symbols = {a.symbol.name: a.symbol for a in self.scop.arrays}
        self.base = self._base_bindings()
        self.iterator_types = iterator_types
        self.in_place = {bins.reduction for bins in kernel.bins}
        self.reductions = {r.name: r for r in self.scop.reductions_of(kernel.reductions)}
        self.members = member_names(self.scop, kernel)
        self.sequential_inits: set[str] = set()
        self.carried = self._carried()
        # Where values go to bins instead of accumulators (codegen/indirect.py): the lines of an update.
        self.put: Callable[[Statement, Bindings], list[str]] | None = None

    # ---- bindings ----------------------------------------------------------------------------------

    def _base_bindings(self) -> Bindings:
        values: dict[str, str] = {p.name: safe(p.name) for p in self.scop.params}
        arrays: dict[str, LinearArray] = {}
        for storage in self.program.storage:
            if storage.is_in_memory or isinstance(storage.residence, Element):
                arrays[storage.array] = LinearArray(safe(storage.array))
            elif isinstance(storage.residence, InBlock):
                arrays[storage.array] = LinearArray(shared_name(storage), skipped=storage.residence.fixed)
            elif isinstance(storage.residence, Value):
                values[storage.array] = safe(storage.array)
        return Bindings(values, arrays, pinned=self.program.pinned)

    def bindings(self, record: Statement, arguments: Seq[str]) -> Bindings:
        """What names mean in the instance of `record` whose iterators have these texts."""
        values = {it.name: self._typed(it, text) for it, text in zip(record.iterators, arguments, strict=True)}
        arrays = dict(self.base.arrays)
        for storage in self.program.storage:
            if storage.expanded:
                prefix = tuple(values.get(name, name) for name, _ in storage.expanded)
                known = arrays[storage.array]
                arrays[storage.array] = replace(known, prefix=prefix, prefix_extents=expansion_names(storage))
        return Bindings({**self.base.values, **values}, arrays, pinned=self.program.pinned)

    def _typed(self, iterator: Symbol, text: str) -> str:
        """The value of an iterator in its own C type: wrapping, products and templates depend on it."""
        plain, wanted = text.replace("_", "a").isalnum(), type_text(iterator.type)
        if plain and self._type_of(text) == wanted:
            return text
        return f"({wanted}){text}" if plain else f"({wanted})({text})"

    def _type_of(self, text: str) -> str:
        """The C type of a number or of a variable of the kernel: a loop's, a host loop's or a parameter."""
        params = {safe(p.name): type_text(p.type) for p in self.scop.params}
        if text in self.kernel.host:
            return iterator_type(self.scop, text)
        return params.get(text) or self.iterator_types.get(text, "int")

    # ---- nodes -------------------------------------------------------------------------------------

    def nodes(self, ast: AstNode, part: KernelPart) -> tuple[Node, ...]:
        """The C++ of an AST whose loops run inside one thread."""
        match ast:
            case AstInstance():
                return self.instance(ast, part)
            case AstBlock():
                return joined(node for item in ast.items for node in self.nodes(item, part))
            case AstIf():
                then = self.nodes(ast.then, part.nested())
                return (If(ast.condition, then, self.nodes(ast.otherwise, part.nested()) if ast.otherwise else ()),)
            case AstFor():
                return self.loop(ast, self.nodes(ast.body, part.nested()))
            case AstLet():
                return (let(ast), *self.nodes(ast.body, part))

    def loop(self, ast: AstFor, body: tuple[Node, ...]) -> tuple[Node, ...]:
        """A loop inside a thread."""
        kind = self.iterator_types.get(ast.name, "int")
        if ast.degenerate:
            return (Line(f"const {kind} {ast.name} = {ast.lower};"), *body)
        step = f"{ast.name}++" if ast.step == 1 else f"{ast.name} += {ast.step}"
        return (For(f"{kind} {ast.name} = {ast.lower}", f"{ast.name} < {ast.upper}", step, body),)

    def instance(self, ast: AstInstance, part: KernelPart) -> tuple[Node, ...]:
        """One instance: its guards around its lines."""
        record = self.scop.statement(ast.statement)
        bindings = self._with_loads(record, self.bindings(record, ast.arguments), part)
        lines = self._lines(record, bindings, part.nested() if record.own_guards else part)
        part.words.update(word for text in lines for word in _WORD.findall(text))
        nodes: tuple[Node, ...] = tuple(Line(text) for text in lines)
        if record.own_guards and nodes:
            guards = record.own_guards
            condition = " && ".join(_guard(expression(g, bindings), len(guards)) for g in guards)
            return (If(condition, nodes),)
        return nodes

    def _with_loads(self, record: Statement, bindings: Bindings, part: KernelPart) -> Bindings:
        bindings = bindings.with_loads(self._contracted(record, bindings))
        if not part.vectors:
            return bindings
        loads: dict[str, str] = {}
        for vector in self.kernel.loads.vectors:
            if vector.statement != record.name:
                continue
            key = access_key(vector.index, bindings)
            if key not in part.loads:
                wish = "@" + re.sub(r"\W+", "_", key.partition("[")[0].lstrip("@")) + "_element"
                taken = {load.register for load in part.loads.values()}
                number = sum(1 for name in taken if name.startswith(wish))
                register = wish if wish not in taken else f"{wish}{number}"
                ctype = vector.index.type
                part.loads[key] = Load(key, register, type_text(ctype), ctype.size > 8)
            loads[key] = part.loads[key].register
        return bindings.with_loads(loads)

    def _contracted(self, record: Statement, bindings: Bindings) -> dict[str, str]:
        """Registers for the accesses to arrays of which only the element of the point is needed."""
        elements = {s.array for s in self.program.storage if isinstance(s.residence, Element)}
        found: dict[str, str] = {}
        for root in record.roots if elements else ():
            for index in outermost_indices(root):
                if (name := base_name(index)) in elements:
                    found[access_key(index, bindings)] = safe(name)
        return found

    def _lines(self, record: Statement, bindings: Bindings, part: KernelPart) -> list[str]:
        body = record.body
        if record.kind is StatementKind.MERGE:
            return self._merge(record, bindings, part)
        if isinstance(body, ReductionInit):
            return self._init(record, body, bindings, part)
        if isinstance(body, ReductionUpdate):
            reduction = self._reduction_of(record.name)
            if self.put is not None and reduction is not None and reduction.name in self.in_place:
                return self.put(record, bindings)
            if reduction is not None and reduction.name in self.reductions:
                # An update behind the loops meets the value that the threads have combined.
                place = f"{'@total' if part.name == 'post' else '@acc'}{self.suffix(reduction)}"
                return [self._accumulate(reduction, place, body.element, bindings, part)]
            if reduction is not None and reduction.name in self.carried:
                place = self.carried[reduction.name]
                return [self._accumulate(reduction, place, body.element, bindings, part)]
        if isinstance(body, Return):
            return [f"*@result = {expression(body.value, bindings)};"] if body.value is not None else []
        if body is None:
            return []
        if isinstance(body, Assign):
            target = subscripts(body.target)[0]
            lines = statement(body, bindings)
            if isinstance(body.target, Name) and isinstance(body.value, Initializer):
                if isinstance(body.target.type, ArrayType):
                    return self._declaring_array(body, lines, bindings, part)
                return self._declaring(body.target.symbol, lines, part)
            return self._declaring(target.symbol, lines, part) if isinstance(target, Name) else lines
        return statement(body, bindings)

    def _declaring(self, symbol: Symbol, lines: list[str], part: KernelPart) -> list[str]:
        """Make the first assignment of a register its declaration, as one would write it by hand."""
        name = safe(symbol.name)
        if not self._is_register(symbol.name) or symbol.name in part.declared or "*" in part.declared:
            return lines
        if name in part.words:
            return lines  # A larger statement before has used it.
        if re.search(rf"\b{re.escape(name)}\b", lines[0].partition(" = ")[2]) or not lines[0].startswith(f"{name} = "):
            return lines
        part.declared.add(symbol.name)
        return [f"{declarator(self._register_type(symbol), lines[0])}", *lines[1:]]

    def _declaring_array(self, body: Assign, lines: list[str], bindings: Bindings, part: KernelPart) -> list[str]:
        """A local array with its initialiser: a declaration where it can be one."""
        assert isinstance(body.target, Name)
        symbol = body.target.symbol
        if not self._is_register(symbol.name) or {symbol.name, "*"} & part.declared or safe(symbol.name) in part.words:
            return lines
        part.declared.add(symbol.name)
        return [f"{declarator(symbol.type, safe(symbol.name))} = {expression(body.value, bindings)};"]

    def _declare_target(self, target: object, part: KernelPart) -> list[str]:
        if not isinstance(target, Name) or not self._is_register(target.symbol.name):
            return []
        if target.symbol.name in part.declared or "*" in part.declared:
            return []
        part.declared.add(target.symbol.name)
        return [f"{declarator(target.symbol.type, safe(target.symbol.name))};"]

    def _is_register(self, symbol: str) -> bool:
        return any(s.array == symbol and s.is_in_register for s in self.program.storage)

    def _register_type(self, symbol: Symbol) -> CType:
        """The type of a variable's register: of an array of which one element is needed, that element's."""
        contracted = any(s.array == symbol.name and isinstance(s.residence, Element) for s in self.program.storage)
        return element_type(symbol.type) if contracted else symbol.type

    # ---- sums --------------------------------------------------------------------------------------

    def _init(self, record: Statement, body: ReductionInit, bindings: Bindings, part: KernelPart) -> list[str]:
        """The initialisation of a reduction that one thread does."""
        self.sequential_inits.add(record.name)
        reduction = self.scop.reduction_with(record.name)
        if reduction is None or reduction.name not in self.carried:
            return [*self._declare_target(body.variable, part), *statement(body, bindings)]
        carried, ctype = self.carried[reduction.name], carried_sum(reduction, self.program.sums)
        part.carried[carried] = ctype or type_text(reduction.operator.wide or reduction.element_type)
        if ctype:
            return [f"{carried} = {ctype}::zero();"]
        if body.function == KEEP or reduction.operator.wide:
            # What was there comes in at the end: until then its statement need not have run.
            return [f"{carried} = {identity(reduction)};"]
        return [f"{safe(body.function)}(&{carried});"]

    def _carried(self) -> dict[str, str]:
        """The reductions that one thread begins and ends and does not carry in their variable: what carries them.

        A sum may be carried with more than its value, what lives in memory goes there once, at the end, and what the
        variable had before need only be there at the end.
        """
        body = self.kernel.body
        found: dict[str, str] = {}
        numbers: dict[str, int] = {}  # of those whose variables are called alike
        for reduction in self.scop.reductions:
            if body is not None and self._is_carried(reduction) and within_one_thread(body, reduction):
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

    def _accumulate(self, reduction: Reduction, place: str, operand: Expr, bindings: Bindings, part: KernelPart) -> str:
        """One more value: `acc = op(acc, a[i]);`."""
        if isinstance(reduction, ShiftedSum) and isinstance(operand, Call):
            terms = ", ".join(expression(term, bindings) for term in operand.arguments)
            return f"{place}.add({terms});"
        element = expression(operand, bindings)
        value = widened(reduction, element) if reduction.operator.wide else element
        exchanged = part.name == "post" and self.program.sums == "pairwise"
        if carried_sum(reduction, self.program.sums) and not exchanged:
            # A template, which finds one type for both.
            value = value if reduction.operator.wide else argument(operand, bindings)
            return f"pencilc_sum_add({place}, {value});"
        if reduction.operator.wide:
            return f"{place} += {value};"
        return f"{place} = {safe(reduction.operator.function)}({place}, {value});"

    # ---- merge nodes -------------------------------------------------------------------------------

    def _reduction_of(self, update: str) -> Reduction | None:
        return self.scop.reduction_with(update)

    def _continues(self, reduction: Reduction) -> bool:
        """Whether an earlier kernel has begun the reduction."""
        return any(plan.continues for plan in self.kernel.accumulated if plan.reduction == reduction.name)

    def suffix(self, reduction: Reduction) -> str:
        """How the reduction's member of the accumulator is selected."""
        if len(self.kernel.reductions) == 1:
            return ""
        return f".{self.members[reduction.name]}"

    def _merge(self, record: Statement, bindings: Bindings, part: KernelPart) -> list[str]:
        """The merge node: `op(init, total)`, or the total itself where its identity was init."""
        reduction = self.scop.reduction_with(record.name)
        assert reduction is not None
        target = expression(reduction.variable, bindings)
        if reduction.name not in self.reductions:
            return self._merge_alone(reduction, target, part)
        total = f"@total{self.suffix(reduction)}"
        if isinstance(reduction, ShiftedSum):
            total = f"{total}.at({expression(reduction.shift, bindings)})"
        if carried_sum(reduction, self.program.sums) and self.program.sums == "kahan":
            return [*self._begin(reduction, target, part), *self._merge_sum(reduction, target, total)]
        if reduction.operator.wide:
            return self._merge_wide(reduction, target, total, part)
        if self._continues(reduction) or reduction.init_function == KEEP:
            return [f"{target} = {safe(reduction.operator.function)}({target}, {total});"]
        lines = self._declare_target(reduction.variable, part)
        if reduction.operator.recognised is None:
            if lines:
                return [f"{lines[0].rstrip(';')} = {total};"]
            return [f"{target} = {total};"]
        init, operator = safe(reduction.init_function), safe(reduction.operator.function)
        if lines:
            return [*lines, f"{init}(&{target});", f"{target} = {operator}({target}, {total});"]
        start = f"@{self.members[reduction.name]}_init"
        return [
            f"{type_text(reduction.element_type)} {start};",
            f"{init}(&{start});",
            f"{target} = {operator}({start}, {total});",
        ]

    def _merge_alone(self, reduction: Reduction, target: str, part: KernelPart) -> list[str]:
        """The merge node of a reduction that one thread does."""
        if reduction.name not in self.carried:
            if reduction.init in self.sequential_inits or reduction.init_function == KEEP:
                return []
            return [*self._declare_target(reduction.variable, part), f"{safe(reduction.init_function)}(&{target});"]
        carried = self.carried[reduction.name]
        if carried_sum(reduction, self.program.sums):
            return [*self._begin(reduction, target, part), *self._merge_sum(reduction, target, carried)]
        if reduction.operator.wide:
            return self._merge_wide(reduction, target, carried, part)
        if reduction.init_function == KEEP:
            return [f"{target} = {safe(reduction.operator.function)}({target}, {carried});"]
        return [*self._declare_target(reduction.variable, part), f"{target} = {carried};"]

    def _merge_wide(self, reduction: Reduction, target: str, total: str, part: KernelPart) -> list[str]:
        """The merge node of a sum of 16-bit floats: rounded once, at the end."""
        lines = self._begin(reduction, target, part)
        return [*lines, f"{target} = {narrowed(reduction, f'{widened(reduction, target)} + {total}')};"]

    def _merge_sum(self, reduction: Reduction, target: str, carried: str) -> list[str]:
        """The merge node of a sum that is carried with more than its value: what was there is one more value."""
        wide = reduction.operator.wide is not None
        start = widened(reduction, target) if wide else target
        value = f"pencilc_sum_value({carried})"
        return [
            f"pencilc_sum_add({carried}, {start});",
            f"{target} = {narrowed(reduction, value) if wide else value};",
        ]

    def _begin(self, reduction: Reduction, target: str, part: KernelPart) -> list[str]:
        """The initialisation of the variable, unless it keeps what it has."""
        if self._continues(reduction) or reduction.init_function == KEEP:
            return []
        return [*self._declare_target(reduction.variable, part), f"{safe(reduction.init_function)}(&{target});"]

    # ---- declarations ------------------------------------------------------------------------------

    def missing_declarations(self, part: KernelPart, nodes: Seq[Node]) -> tuple[Line, ...]:
        """Declarations of the registers that `nodes` use and no assignment declared."""
        words = set(_WORD.findall("\n".join(texts(nodes))))
        found = [Line(f"{ctype} {name};") for name, ctype in part.carried.items()]
        part.carried.clear()
        for storage in self.program.storage:
            if not storage.is_in_register or storage.array in part.declared:
                continue
            name = safe(storage.array)
            if name in words and Home(self.kernel.name, part.name, part.stage) in storage.homes:
                part.declared.add(storage.array)
                found.append(Line(f"{declarator(self._register_type(self.symbols[storage.array]), name)};"))
        return tuple(found)


def let(ast: AstLet) -> Line:
    """The declaration of a constant."""
    return Line(f"const {ast.type} {ast.name} = {ast.value};")


def widened(reduction: Reduction, text: str) -> str:
    """A 16-bit float as a float."""
    assert isinstance(reduction.element_type, Scalar)
    return f"{CONVERSIONS[f'{reduction.element_type.name}_to_float']}({text})"


def narrowed(reduction: Reduction, text: str) -> str:
    """A float as the 16-bit float nearest to it."""
    assert isinstance(reduction.element_type, Scalar)
    name = reduction.element_type.name.removeprefix("pencil_")
    return f"{CONVERSIONS[f'pencil_float_to_{name}']}({text})"


def carried_sum(reduction: Reduction, sums: Sums) -> str:
    """The C++ type that a thread carries a floating sum in, where `--sum` wants more than its value; else nothing."""
    if sums == "plain" or reduction.sum_type is None:
        return ""
    return f"{'pencilc_sum' if sums == 'kahan' else 'pencilc_cascade'}<{type_text(reduction.sum_type)}>"


def shared_name(storage: Storage) -> str:
    """What a block of a composed kernel has of the variable."""
    return f"@{storage.array}_shared"


def expansion_names(storage: Storage) -> tuple[str, ...]:
    """Names of the run-time sizes of the expanded dimensions of a workspace variable."""
    return tuple(f"{safe(storage.array)}_size{k}" for k in range(len(storage.expanded)))


def member_names(scop: Scop, kernel: Kernel) -> dict[str, str]:
    """A readable, unique name for each reduction inside its kernel: the variable's, numbered where it is shared."""
    together: dict[str, list[str]] = {}
    for reduction in scop.reductions_of(kernel.reductions):
        together.setdefault(_stem(reduction), []).append(reduction.name)
    found: dict[str, str] = {}
    for stem, names in together.items():
        if len(names) == 1:
            found[names[0]] = safe(stem)
        else:
            found |= {name: f"{stem}_{number}" for number, name in enumerate(names)}
    return found


def _stem(reduction: Reduction) -> str:
    return re.sub(r"\W+", "_", reduction.array)


def joined(nodes: Iterable[Node]) -> tuple[Node, ...]:
    """Neighbouring `if`s on one condition become one, and one on its negation the `else`.

    The guards of neighbouring statements read nothing that is written under them (see `Statement`), so the
    condition has the same value each time.
    """
    found: list[Node] = []
    for node in nodes:
        last = found[-1] if found else None
        if isinstance(node, If) and isinstance(last, If) and not node.otherwise:
            if node.condition == last.condition and not last.otherwise:
                found[-1] = If(last.condition, joined((*last.then, *node.then)))
                continue
            if node.condition in (f"!({last.condition})", f"!{last.condition}"):
                found[-1] = If(last.condition, last.then, joined((*last.otherwise, *node.then)))
                continue
        found.append(node)
    return tuple(found)


def iterator_type(scop: Scop, name: str) -> str:
    """The C type of the loop variable `name` of the source; that of a new one."""
    for record in scop.statements:
        for iterator in record.iterators:
            if iterator.name == name:
                return type_text(iterator.type)
    return "long long"


def _guard(text: str, count: int) -> str:
    return f"({text})" if count > 1 and not text.replace("_", "a").isalnum() else text


def texts(nodes: Seq[Node]) -> list[str]:
    """All texts below `nodes`, to find out which names they use."""
    found: list[str] = []
    for node in nodes:
        match node:
            case Line():
                found.append(node.text)
            case For():
                found += [node.init, node.condition, node.step, *texts(node.body)]
            case If():
                found += [node.condition, *texts(node.then), *texts(node.otherwise)]
            case _:
                found += [
                    node.count,
                    node.point or "",
                    node.rank,
                    node.size,
                    *node.parameters,
                    *(v.first for v in node.loads),
                ]
                found += [*(v.wide for v in node.loads), *texts(node.body)]
    return found


def uses(nodes: Seq[Node], name: str) -> bool:
    """Whether `name` occurs as a word in `nodes`."""
    return any(re.search(rf"(?<![\w.@]){re.escape(name)}\b", text) for text in texts(nodes))
