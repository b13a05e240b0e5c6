"""How many registers a thread of a kernel needs, so that none are spilled.

The figures are what nvcc 13 was seen to need at sm_80, sm_90 and sm_100; too many cost blocks on a multiprocessor, too
few cost trips to local memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Seq

from pencilc.analysis.affinity import base_name, certain_indices, evaluated, outermost_indices
from pencilc.ir.queries import names_in
from pencilc.ir.schedule import statements_of
from pencilc.ir.scop import Scop, ShiftedSum
from pencilc.ir.shapes import ColumnKernel, IndirectKernel, Kernel, RowKernel
from pencilc.ir.source import (
    Assign,
    Binary,
    Call,
    CType,
    Function,
    Index,
    IntLiteral,
    Node,
    Scalar,
    Struct,
    element_type,
    walk,
)
from pencilc.ir.source_printer import print_expr
from pencilc.islx import constant_value
from pencilc.records import dataclass

# The warps of a fixed tree go round with their accumulators.
WIDE_IN_A_FIXED_TREE = 8
# What it takes to make a struct out of a smaller element.
MADE = 16
# Of a sum for any shift, what it works with; twice that in double.
OF_A_SHIFTED_SUM = 8
# What fits into a register, and into a few (bytes).
WORD, FEW_BYTES = 4, 16
# Of 64-bit divisions, for which there is no instruction, of those of 32 bits and less, and by a number of the source.
WIDE_DIVISION, DIVISION, BY_A_NUMBER = 32, 8, 2
# Of functions of math.h that take tables or long polynomials.  Those of angles have a way of their own for large ones,
# of floats too: the angle times 160 bits of 2 / pi.
WIDE_FUNCTION, FUNCTION = 40, 8
OF_ANGLES = frozenset(word + suffix for word in ("sin", "cos", "tan") for suffix in ("", "f"))
# Of each run of a row that is several, or one whose ends are data: where it begins and ends, and what is left over.
OF_A_RUN = 12
# Of rows that are single runs of memory, and elements of a word or more that take little work and read nothing else,
# so much less.
LESS_OF_PLAIN_ROWS = 14
# Of elements that read on a condition (`i > 0 ? a[i - 1] : 0`): the places and truths of a whole chunk.
OF_A_CONDITION = 12
# Of elements with a loop that reads memory, which nvcc unrolls: the addresses of what it reads, 64 bits each.
OF_INNER_READS = 12
# What the bins and values of a chunk take before any of them is put, for each array that they are made of.
OF_A_CHUNK = 16
# One or two instructions each.
CHEAP = frozenset(
    word + suffix
    for word in ("fabs", "fmin", "fmax", "fma", "floor", "ceil", "trunc", "rint", "nearbyint", "copysign", "sqrt")
    for suffix in ("", "f")
) - {"sqrt"}


@dataclass(frozen=True, slots=True)
class Beside:
    """What a shape takes beside loads, accumulators and the work on them; `fixed_tree`: where it has one.

    `recovered`: for the iterators of kept loops that are found from one number, by division; there are such where the
    kernel has more kept rows than `counted`.
    """

    plain: int = 28
    fixed_tree: int = 34
    recovered: int = 0
    counted: int = 0


# ROW kernels keep more numbers.  Of a COLUMN kernel the loops around the columns are found by division.
BESIDE: dict[type[Kernel], Beside] = {
    RowKernel: Beside(plain=34, recovered=10, counted=1),
    ColumnKernel: Beside(recovered=20, counted=2),
}


def needed_registers(kernel: Kernel, scop: Scop, carried: int, sizes: Seq[int]) -> int:
    """What a thread needs, about; `carried`: bytes of loads in flight and accumulators; `sizes`: of what is loaded."""
    largest = max(sizes, default=0)
    reductions = scop.reductions_of(kernel.reductions)
    functions = [reduction.operator.function for reduction in reductions]
    worked = working(scop, statements_of(kernel.body), functions)
    shifted = max((r.element_type.size for r in reductions if isinstance(r, ShiftedSum)), default=0)
    of_sum = OF_A_SHIFTED_SUM * shifted // 4
    # Of rows nvcc is done with what makes a term before it adds it up.
    worked = max(worked, of_sum) if isinstance(kernel, RowKernel) else worked + of_sum
    needed = _beside(kernel) + worked + carried // 4
    if isinstance(kernel, RowKernel):
        inside = frozenset(statements_of(kernel.body))
        runs = max((len(inside.intersection(reduction.updates)) for reduction in reductions), default=0)
        needed += OF_A_RUN * runs if runs > 1 or kernel.ragged is not None else 0
        is_light = worked <= FUNCTION and min(sizes, default=0) >= WORD and not kernel.fixed_tree
        needed -= LESS_OF_PLAIN_ROWS if is_light and _are_plain(scop, kernel) else 0
    if isinstance(kernel, IndirectKernel):
        needed += OF_A_CHUNK * len(sizes)
    if sizes and _reads_on_a_condition(scop, kernel):
        needed += OF_A_CONDITION
    if sizes and _reads_in_a_loop(scop, kernel):
        needed += OF_INNER_READS
    is_wide = is_made = False
    for reduction in reductions:
        ctype = reduction.element_type
        is_wide |= ctype.size > 4
        is_made |= isinstance(ctype, Struct) and ctype.size > largest
        # An operator on structs has both of them in registers, and some of what it makes of them.
        if _is_large(ctype):
            needed += ctype.size
    if is_wide and kernel.fixed_tree:
        needed += WIDE_IN_A_FIXED_TREE
    return needed + MADE if is_made else needed


def _are_plain(scop: Scop, kernel: RowKernel) -> bool:
    """Whether rows are single runs that all begin at zero, each its own, and nothing else is accessed.

    Integers of 64 bits take two registers and a carry each.
    """
    results = [reduction.element_type for reduction in scop.reductions_of(kernel.reductions)]
    if any(isinstance(ctype, Scalar) and ctype.is_integer and ctype.size > WORD for ctype in results):
        return False
    sides = (*(kernel.kept_box or ()), *(kernel.reduced_box or ()))
    if (
        kernel.host
        or len(kernel.kept) > 1
        or len(kernel.reduced) > 1
        or any(constant_value(side.lower) != 0 for side in sides)
    ):
        return False
    for vector in kernel.loads.vectors:
        if {it.name for it in scop.statement(vector.statement).iterators} - names_in(vector.first):
            return False
    return not any(_accesses_more(scop, kernel, name) for name in statements_of(kernel.body))


def _accesses_more(scop: Scop, kernel: RowKernel, name: str) -> bool:
    """Whether a statement accesses memory beside what is loaded ahead and what it reduces."""
    own = {reduction.array for reduction in scop.reductions_of(kernel.reductions)}
    loaded = {print_expr(vector.index) for vector in kernel.loads.vectors if vector.statement == name}
    record = scop.statement(name)
    accessed = [index for root in (*record.guards, *evaluated(record.body)) for index in outermost_indices(root)]
    if isinstance(record.body, Assign) and isinstance(record.body.target, Index):
        accessed.append(record.body.target)
    return any(base_name(each) not in own and print_expr(each) not in loaded for each in accessed)


def _reads_on_a_condition(scop: Scop, kernel: Kernel) -> bool:
    """Whether a condition inside of a statement decides which elements it reads."""
    for name in statements_of(kernel.body):
        for root in evaluated(scop.statement(name).body):
            if len(certain_indices(root)) < len(outermost_indices(root)):
                return True
    return False


def _reads_in_a_loop(scop: Scop, kernel: Kernel) -> bool:
    """Whether an element has a loop of its own in which it reads memory."""
    rows = len((*kernel.host, *kernel.kept, *kernel.reduced))
    inside = (record for record in map(scop.statement, statements_of(kernel.body)) if len(record.iterators) > rows)
    return any(outermost_indices(root) for record in inside for root in record.roots)


def _beside(kernel: Kernel) -> int:
    own = BESIDE.get(type(kernel), Beside())
    registers = own.fixed_tree if kernel.fixed_tree else own.plain
    return registers + own.recovered if len(kernel.kept) > own.counted else registers


def _is_large(ctype: CType) -> bool:
    """Whether an operator on the type takes more than a few registers: a large one, or a struct that begins with a
    value of two registers.
    """
    return ctype.size > FEW_BYTES or (isinstance(ctype, Struct) and element_type(ctype.members[0].type).size > 4)


def working(scop: Scop, statements: Iterable[str], operators: Iterable[str]) -> int:
    """Registers of the heaviest operation of the `statements` and of the functions `operators`, with what they call."""
    functions = {f.name: f for f in scop.functions}
    return max((_registers(node, functions) for node in operations(scop, statements, operators)), default=0)


def operations(scop: Scop, statements: Iterable[str], operators: Iterable[str]) -> Iterator[Node]:
    """All that the `statements` and the functions `operators` evaluate, and what they call, each function once."""
    functions = {f.name: f for f in scop.functions}
    bodies = (scop.statement(name).body for name in statements)
    pending: list[Node] = [body for body in bodies if body is not None]
    called = {name for name in operators if name in functions}
    pending += [functions[name].body for name in called]
    while pending:
        for node in walk(pending.pop()):
            yield node
            if isinstance(node, Call) and node.function in functions and node.function not in called:
                called.add(node.function)
                pending.append(functions[node.function].body)


def _registers(node: Node, functions: dict[str, Function]) -> int:
    """Of one operation, without what it is applied to."""
    if isinstance(node, Binary) and node.op in ("/", "%"):
        if isinstance(node.right, IntLiteral) and not is_wide(node.type):
            return BY_A_NUMBER
        return WIDE_DIVISION if is_wide(node.type) else DIVISION
    if isinstance(node, Call) and node.function not in functions and node.function not in CHEAP:
        return WIDE_FUNCTION if is_wide(node.type) or node.function in OF_ANGLES else FUNCTION
    return 0


def is_wide(ctype: object) -> bool:
    """Whether a value of the type takes two registers."""
    return isinstance(ctype, Scalar) and ctype.size == 8
