"""The accumulator of a kernel: identity, operator and fast instruction of each of its reductions."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import replace

from pencilc.codegen.cexpr import made_for, type_text
from pencilc.codegen.identity import identity
from pencilc.codegen.instances import FEWEST_TOGETHER, carried_sum, member_names, shifted_type, zero_of
from pencilc.codegen.names import safe
from pencilc.gpu.shapes.policy import LARGEST_SHUFFLED
from pencilc.ir.accumulators import Accumulator, AccumulatorMember, Butterfly
from pencilc.ir.build import generated_type
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.scop import OperatorKind, Reduction, ShiftedSum
from pencilc.ir.shapes import Kernel
from pencilc.ir.source import CType, Scalar
from pencilc.options import Sums
from pencilc.target import WARP, Instruction

# More sums than these have two levels each, for all of their levels would not fit into registers.
MOST_CASCADED = 4

# The ends of the names of warp-wide instructions on 32-bit integers, where the GPU has them (Instruction.REDUX).
_INSTRUCTIONS = {
    OperatorKind.ADD: "add", OperatorKind.MIN: "min", OperatorKind.MAX: "max", OperatorKind.BIT_AND: "and",
    OperatorKind.BIT_OR: "or", OperatorKind.BIT_XOR: "xor",
}  # fmt: skip


def accumulator(program: MappedProgram, kernel: Kernel) -> Accumulator:
    """The accumulator of `kernel`: the bare type of a single reduction, else a struct with one member for each."""
    scop = program.scop
    reductions = scop.reductions_of(kernel.reductions)
    single = len(reductions) == 1
    names = member_names(scop, kernel)
    members = []
    for reduction in reductions:
        name = names[reduction.name]
        member = AccumulatorMember(
            "" if single else f".{name.text}",
            name.text,
            reduction.operator.wide or reduction.element_type,
            "pencilc_add" if reduction.operator.wide else safe(reduction.operator.function),
            safe(reduction.init_function),
            identity(reduction),
            _instruction(reduction) if program.target.has(Instruction.REDUX) else None,
            _is_direct(reduction.operator.wide or reduction.element_type),
            (reduction.operator.wide or reduction.element_type).size,
            reduction.element_type.size > LARGEST_SHUFFLED,
            array=name.array,
        )
        members.append(_shifted(_summed(member, reduction, program.sums), reduction, kernel))
    if sum(bool(m.cascade) for m in members) > MOST_CASCADED:
        members = [replace(m, cascade=_two_levels(m) if m.cascade else None) for m in members]
    exchanged: CType = generated_type(f"{kernel.name}_accumulator")
    cascaded: CType = generated_type(f"{kernel.name}_cascade")
    if single:
        exchanged, cascaded = members[0].type, members[0].cascade or members[0].type
    carried = cascaded if any(m.cascade for m in members) else exchanged
    return Accumulator(kernel.name, exchanged, not single, tuple(members), carried, _butterflies(members))


def _two_levels(member: AccumulatorMember) -> CType:
    return generated_type("pencilc_cascade", member.type, 2)


def _shifted(member: AccumulatorMember, reduction: Reduction, kernel: Kernel) -> AccumulatorMember:
    """`member` as a sum whose shift is not known yet is carried."""
    if not isinstance(reduction, ShiftedSum):
        return member
    kind = shifted_type(reduction, kernel)
    return replace(
        member, type=kind, operator=f"{type_text(kind)}::combine", identity=zero_of(kind),
        direct=False, size=reduction.exchanged_size,
    )  # fmt: skip


def _summed(member: AccumulatorMember, reduction: Reduction, sums: Sums) -> AccumulatorMember:
    """`member` as `--sum` wants floating sums to be carried."""
    kind = carried_sum(reduction, sums)
    if kind and sums == "kahan":
        operator = f"pencilc_sum_combine{made_for((member.type,))}"
        return replace(member, type=kind, operator=operator, identity=zero_of(kind), direct=False, size=2 * member.size)
    return replace(member, cascade=kind)


def _butterflies(members: Seq[AccumulatorMember]) -> tuple[Butterfly, ...]:
    """The members that are combined together: at least `FEWEST_TOGETHER` of one type and operator.

    Shuffled one by one, 32 values take 160 shuffles; handed on so that each step halves the values, they take 31.
    """
    groups: dict[tuple[CType, str], list[AccumulatorMember]] = {}
    for member in members:
        if member.warp_instruction is None and not member.by_memory:
            groups.setdefault((member.type, member.operator), []).append(member)
    found: list[Butterfly] = []
    for (ctype, operator), inside in groups.items():
        if len(inside) >= FEWEST_TOGETHER:
            found.append(Butterfly(f"together{len(found)}", ctype, operator, tuple(inside), -(-len(inside) // WARP)))
    return tuple(found)


def _is_direct(ctype: CType) -> bool:
    """Whether a shuffle takes the type as it is."""
    return isinstance(ctype, Scalar) and ctype.size >= 4


def _instruction(reduction: Reduction) -> str | None:
    ctype, kind = reduction.element_type, reduction.operator.recognised
    if kind is None or not isinstance(ctype, Scalar) or ctype.size != 4 or ctype.kind not in ("int", "uint"):
        return None
    name = _INSTRUCTIONS.get(kind)
    return f"__reduce_{name}_sync" if name else None
