"""What a leaf of the schedule becomes in one part of a kernel."""

from __future__ import annotations

from pencilc.codegen.astgen import AstBlock, AstFor, AstIf, AstInstance, AstLet
from pencilc.codegen.instances import KernelPart, MemberName, carried_sum, joined, member_names
from pencilc.ir.build import ZERO, cast, declare, generated_type, negation, number, variable
from pencilc.ir.nodes import For, If, Node
from pencilc.ir.source import FLOAT, INT, LLONG, UINT, Assign, CallStmt, Declare, Expr
from pencilc.options import CompileOptions
from tests.unit.codegen.programs import ITER, A, B, C, N, instances, told
from tests.unit.records import DEFAULT, ROW_SUMS, SUM, modelled

GUARDED = "FOR(i, n) { if (b[i] > 0) a[i] = 1; }"
IN_THREAD = "FOR(i, n) { INIT(&a[i], zero); for (int j = i; j < i + 4; j++) UPDATE(&a[i], x[j][i], add); }"


def written(
    body: str, statement: str, *arguments: Expr, part: str = "body", options: CompileOptions = DEFAULT
) -> list[str]:
    """The lines of an instance."""
    _, writer = instances(body, options)
    return lines(writer.instance(AstInstance(statement, arguments), KernelPart(part)))


def lines(nodes: tuple[Node, ...]) -> list[str]:
    """Nodes without loops as `target = value`, conditions in front."""
    found = []
    for node in nodes:
        if isinstance(node, Assign):
            found.append(" = ".join(told(node.target, node.value)))
        elif isinstance(node, CallStmt):
            found += told(node.call)
        elif isinstance(node, Declare):
            found.append(f"{node.symbol.name}: {told(node.init)[0] if node.init else '?'}")
        elif isinstance(node, If):
            found += [f"{told(node.condition)[0]}: {line}" for line in lines(node.then)]
    return found


def test_an_instance_has_the_values_of_its_iterators() -> None:
    assert written("FOR(i, n) a[i] = b[i];", "S0", ITER) == ["a[i] = b[i]"]
    assert written("FOR(i, n) a[i] = b[i];", "S0", number(3)) == ["a[3] = b[3]"]


def test_values_have_the_type_of_the_iterator_that_they_stand_for() -> None:
    unsigned = "for (unsigned i = 0; i < 40; i++) h[i] = i;"
    assert written(unsigned, "S0", variable("i", UINT)) == ["h[i] = i"]
    assert written(unsigned, "S0", number(3)) == ["h[(unsigned int)3] = (unsigned int)3"]
    assert written("FOR(i, n) a[i] = b[i];", "S0", cast(LLONG, N)) == ["a[(int)(long long)n] = b[(int)(long long)n]"]


def test_guards_stand_around() -> None:
    assert written(GUARDED, "S0", ITER) == ["b[i] > 0: a[i] = 1"]


def test_updates_go_to_the_accumulator_and_the_merge_begins_with_init() -> None:
    assert written(ROW_SUMS, "S1", ITER, variable("j")) == ["@acc = add(@acc, x[(long long)i * m + j])"]
    assert written(ROW_SUMS, "M0", ITER, part="post") == [
        "@a_init: ?", "zero(&@a_init)", "a[i] = add(@a_init, @total)",
    ]  # fmt: skip


def test_sums_that_are_carried_with_more_are_calls() -> None:
    kahan = CompileOptions(sums="kahan")
    assert written(SUM, "S2", ITER, options=kahan) == ["pencilc_sum_add(@acc, a[i])"]


def test_a_sum_of_one_thread_goes_to_memory_once() -> None:
    _, writer = instances(IN_THREAD)
    assert list(writer.carried.values()) == ["@a_carried"]
    part = KernelPart("body")
    begun = writer.instance(AstInstance("S0", (ITER,)), part)
    assert lines(begun) == ["zero(&@a_carried)"]
    assert lines(writer.missing_declarations(part, begun)) == ["@a_carried: ?"]
    assert lines(writer.missing_declarations(part, begun)) == []


def test_a_register_is_declared_where_it_is_first_assigned() -> None:
    body = "FOR(i, n) { float s = b[i]; a[i] = s * s; }"
    _, writer = instances(body)
    part = KernelPart("body")
    made = writer.nodes(AstBlock((AstInstance("S1", (ITER,)), AstInstance("S2", (ITER,)))), part)
    assert lines(made) == ["s: b[i]", "a[i] = s * s"] and writer.missing_declarations(part, made) == ()


def test_a_register_that_is_assigned_in_braces_is_declared_before_them() -> None:
    _, writer = instances("FOR(i, n) { float s = b[i]; a[i] = s * s; }")
    part = KernelPart("body")
    made = writer.nodes(AstFor("t", ZERO, N, 1, False, AstInstance("S1", (ITER,))), part)
    assert writer.missing_declarations(part, made) == (declare("s", FLOAT),)


def test_loops_of_one_value_are_constants() -> None:
    _, writer = instances("FOR(i, n) a[i] = b[i];")
    inside = (Declare(A.symbol, None, A.span),)
    once = AstFor("t", A, B, 1, True, AstBlock(()))
    named = (declare("k", INT, variable("t"), is_const=True),)
    assert writer.loop(once, named) == (declare("t", LLONG, A, is_const=True), *named)
    assert writer.loop(once, inside) == inside  # which does not name it
    (loop,) = writer.loop(AstFor("t", A, B, 2, False, AstBlock(())), inside)
    assert isinstance(loop, For) and loop.step == number(2) and loop.body == inside
    instance = AstInstance("S0", (ITER,))
    assert lines(writer.nodes(AstLet(INT, "k", A, instance), KernelPart("body"))) == ["a[i] = b[i]"]
    let, *inner = writer.nodes(AstLet(INT, "k", A, AstInstance("S0", (variable("k"),))), KernelPart("body"))
    assert let == declare("k", INT, A, is_const=True) and lines(tuple(inner)) == ["a[k] = b[k]"]


def test_what_is_left_out_leaves_no_loop_and_no_condition() -> None:
    _, writer = instances("FOR(i, n) a[i] = b[i];")
    instance = AstInstance("S0", (ITER,))
    around = AstFor("i", A, B, 1, False, AstIf(A, AstLet(INT, "k", A, AstBlock((instance, instance))), instance))
    assert len(writer.nodes(around, KernelPart("body"))) == 1
    writer.left_out = frozenset({"S0"})
    assert writer.nodes(around, KernelPart("body")) == ()


def test_neighbouring_conditions_become_one() -> None:
    one, two = (Declare(v.symbol, None, v.span) for v in (B, C))
    assert joined([If(A, (one,)), If(A, (two,))]) == (If(A, (one, two)),)
    assert joined([If(A, (one,)), If(negation(A), (two,))]) == (If(A, (one,), (two,)),)
    assert joined([If(A, (one,)), one, If(A, (two,))]) == (If(A, (one,)), one, If(A, (two,)))
    assert joined([If(A, (one,)), If(B, (two,))]) == (If(A, (one,)), If(B, (two,)))
    assert joined([If(A, (one,), (two,)), If(A, (two,))]) == (If(A, (one,), (two,)), If(A, (two,)))
    assert joined([]) == ()


def test_members_are_numbered_where_they_are_called_alike() -> None:
    _, single = instances(SUM)
    assert member_names(single.scop, single.kernel) == {"s": MemberName("s", "s")}
    first, last = "INIT(&s[0], zero); INIT(&s[1], lowest);", "b[0] = s[0]; b[1] = s[1];"
    both = f"float s[2]; {first} FOR(i, n) {{ UPDATE(&s[0], a[i], add); UPDATE(&s[1], a[i], larger); }} {last}"
    assert [each.text for each in instances(both)[1].members.values()] == ["s_0", "s_1"]


def test_many_that_are_alike_are_elements_of_an_array() -> None:
    numbers = range(9)
    begin = " ".join(f"INIT(&s[{k}], {'lowest' if k == 4 else 'zero'});" for k in numbers)
    updates = " ".join(f"UPDATE(&s[{k}], a[i], {'larger' if k == 4 else 'add'});" for k in numbers)
    many = f"float s[9]; {begin} FOR(i, n) {{ {updates} }} b[0] = s[0] + s[4];"
    found = list(instances(many)[1].members.values())
    assert [each.text for each in found] == ["s[0]", "s[1]", "s[2]", "s[3]", "s_4", "s[4]", "s[5]", "s[6]", "s[7]"]
    assert found[5] == MemberName("s[4]", "s_5", "s") and not found[4].array


def test_only_floating_sums_are_carried_with_more() -> None:
    (reduction,) = modelled(SUM).reductions
    (largest,) = modelled(SUM.replace("add", "larger")).reductions
    assert carried_sum(reduction, "kahan") == generated_type("pencilc_sum", FLOAT)
    assert carried_sum(reduction, "pairwise") == generated_type("pencilc_cascade", FLOAT)
    assert carried_sum(reduction, "plain") is None and carried_sum(largest, "kahan") is None


def test_vector_accesses_become_registers_where_points_lie_side_by_side() -> None:
    _, writer = instances(ROW_SUMS)
    once = "@acc = add(@acc, x[(long long)i * m + j])"
    for along, text in ((("j",), "@acc = add(@acc, @x_element)"), ((), once)):
        part = KernelPart("body", along=along)
        assert lines(writer.instance(AstInstance("S1", (ITER, variable("j"))), part)) == [text]
        assert len(part.loads) == len(along)


def test_an_access_that_a_condition_keeps_in_one_place_is_no_vector_access() -> None:
    """`if (j == 3)` leaves one element of the row: a chunk that began there would have others behind it."""
    _, writer = instances(ROW_SUMS)
    part = KernelPart("body", along=("j",))
    assert lines(writer.instance(AstInstance("S1", (ITER, number(3))), part)) == [
        "@acc = add(@acc, x[(long long)i * m + 3])"
    ]
    assert part.loads == {}
