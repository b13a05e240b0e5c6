"""What threads of a kernel combine."""

from __future__ import annotations

import pytest

from pencilc.codegen.accumulators import MOST_CASCADED, accumulator
from pencilc.codegen.instances import FEWEST_TOGETHER
from pencilc.ir.accumulators import Accumulator
from pencilc.ir.build import generated_type
from pencilc.ir.source import FLOAT, INT
from pencilc.options import CompileOptions, Sums
from tests.unit.codegen.programs import functions, kernel, told
from tests.unit.records import DEFAULT, SOFTMAX, SUM

INTEGERS = "int s; INIT(&s, izero); FOR(i, n) UPDATE(&s, p[i], iadd); h[0] = s;"


def of(body: str, options: CompileOptions = DEFAULT) -> Accumulator:
    """The accumulator of the only kernel."""
    return accumulator(*kernel(body, options))


def sums(count: int) -> str:
    """So many sums in one sweep."""
    first = "".join(f"float s{k}; INIT(&s{k}, zero); " for k in range(count))
    inside = " ".join(f"UPDATE(&s{k}, a[i] * {k + 2}, add);" for k in range(count))
    last = " ".join(f"b[{k}] = s{k};" for k in range(count))
    return f"__pencil_assume(n > {count}); {first} FOR(i, n) {{ {inside} }} {last}"


def summed(how: Sums) -> CompileOptions:
    """The options that sum this way."""
    return CompileOptions(sums=how)


def test_a_single_reduction_is_its_bare_type() -> None:
    made = of(SUM)
    (member,) = made.members
    assert (made.type, made.carried, made.is_struct, made.is_cascade) == (FLOAT, FLOAT, False, False)
    assert (member.suffix, member.operator, member.init_function, member.size) == ("", "add", "zero", 4)
    assert member.direct and not member.by_memory and member.warp_instruction is None


def test_several_are_members_of_a_struct() -> None:
    made = of(sums(2))
    assert made.type == generated_type("f_all0_accumulator") and made.is_struct
    assert [member.suffix for member in made.members] == [".s0", ".s1"] and made.butterflies == ()


def test_integers_of_32_bits_have_an_instruction() -> None:
    (member,) = of(INTEGERS).members
    assert (member.warp_instruction, member.type) == ("__reduce_add_sync", INT)
    (wide,) = of(INTEGERS.replace("int s;", "float s;").replace("izero", "zero").replace("iadd", "add")).members
    assert wide.warp_instruction is None


@pytest.mark.parametrize(("count", "together"), [(FEWEST_TOGETHER - 1, 0), (FEWEST_TOGETHER, 1)])
def test_many_of_one_kind_are_combined_together(count: int, together: int) -> None:
    made = of(sums(count))
    assert len(made.butterflies) == together and len(made.single) == (0 if together else count)
    assert all((b.slots, len(b.members)) == (1, count) for b in made.butterflies)


def test_integers_have_their_instruction_instead() -> None:
    body = sums(FEWEST_TOGETHER).replace("float s", "int s").replace("zero", "izero").replace("add", "iadd")
    made = of(body.replace("a[i]", "p[i]").replace("b[", "h["))
    assert made.butterflies == () and len(made.single) == FEWEST_TOGETHER


def test_a_compensated_sum_is_exchanged_with_what_it_lost() -> None:
    made = of(SUM, summed("kahan"))
    (member,) = made.members
    assert made.type == made.carried == member.type == generated_type("pencilc_sum", FLOAT)
    assert (member.operator, member.size, member.direct) == ("pencilc_sum_combine<float>", 8, False)
    assert member.identity is not None and told(member.identity) == ["pencilc_sum<float>::zero()"]


def test_a_cascade_ends_with_the_thread() -> None:
    made = of(SUM, summed("pairwise"))
    assert (made.type, made.carried, made.is_cascade) == (FLOAT, generated_type("pencilc_cascade", FLOAT), True)
    assert not of(INTEGERS, summed("pairwise")).is_cascade


@pytest.mark.parametrize(("count", "levels"), [(MOST_CASCADED, ()), (MOST_CASCADED + 1, (2,))])
def test_cascades_of_many_sums_have_two_levels(count: int, levels: tuple[int, ...]) -> None:
    made = of(sums(count), summed("pairwise"))
    assert {member.cascade for member in made.members} == {generated_type("pencilc_cascade", FLOAT, *levels)}


def test_a_shifted_sum_is_carried_with_its_shift() -> None:
    made = functions(SOFTMAX)["f_row3_blocks"].accumulator
    assert made is not None
    _, member = made.members
    assert (
        member.type == generated_type("pencilc_exp_sum", FLOAT) and member.operator == "pencilc_exp_sum<float>::combine"
    )
    assert (member.size, member.direct) == (8, False)
