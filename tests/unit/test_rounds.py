"""Loops around parallel loops that data end: which are taken, what the host does, and what is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc import islx
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation, compile_source
from pencilc.gpu.verifiers.rounds import verify_rounds
from pencilc.ir.mapping import HostLoop, MappedProgram
from pencilc.ir.scop import StatementKind
from pencilc.ir.shapes import Kernel
from pencilc.ir.source_printer import print_stmt
from pencilc.options import CompileOptions

HALVE = "for (int i = 0; i < n; i++) a[i] = 0.5f * a[i];"
LARGEST = "err = 0.0f; for (int i = 0; i < n; i++) err = a[i] > err ? a[i] : err;"


def compiled(body: str) -> Compilation:
    text = (
        "#include <pencil.h>\nstatic void zero(float *v) { *v = 0.0f; }\n"
        "static float add(float x, float y) { return x + y; }\n"
        "void f(int n, int most, float tol, float a[static const restrict n], float b[static const restrict n])\n"
        "{\n    float err = 1.0f; int it = 0; int done = 0;\n#pragma scop\n" + body + "\n#pragma endscop\n}\n"
    )
    return compile_source(SourceFile("f.c", text), CompileOptions())


def program_of(body: str) -> MappedProgram:
    return compiled(body).programs[0]


def leaves(program: MappedProgram) -> list[str]:
    return [s.name for s in program.scop.statements if s.kind is StatementKind.LEAVE]


def loops(program: MappedProgram) -> list[HostLoop]:
    return [item for item in program.items if isinstance(item, HostLoop)]


@pytest.mark.parametrize(
    "body",
    [
        f"while (err > tol) {{ {LARGEST} {HALVE} }}",
        f"do {{ {LARGEST} {HALVE} }} while (err > tol);",
        f"for (it = 0; it < most && err > tol; it++) {{ {LARGEST} {HALVE} }}",
        f"for (int k = 0; k < most; k++) {{ {LARGEST} if (err < tol) break; {HALVE} }}",
        f"while (!done) {{ {LARGEST} {HALVE} if (err < tol) done = 1; }}",
        f"while (1) {{ {LARGEST} if (err < tol) {{ b[0] = err; break; }} {HALVE} }}",
        f"for (;;) {{ {LARGEST} if (err < tol) break; {HALVE} }}",
        f"while (err > tol) {{ {LARGEST} if (n > most) continue; {HALVE} }}",
        f"while (err > tol) {{ {LARGEST} if (err < 2 * tol) continue; {HALVE} }}",
        f"do {{ {LARGEST} if (err > b[0]) {{ b[1] = err; continue; }} {HALVE} }} while (err > tol);",
        f"for (int k = 0; k < most; k++) {{ {LARGEST} if (err > b[0]) b[1] = k; else if (err < tol) break; {HALVE} }}",
        f"for (int k = 0; k < most; k++) {{ {LARGEST} if (err > b[0]) {{ if (err < tol) break; b[1] = k; }} {HALVE} }}",
        # Where the loop is left the reduction is what its beginning has made of it.
        "for (int k = 0; k < most; k++) { __pencil_reduction_var_init(&err, zero); if (a[0] < tol) break;"
        f" for (int i = 0; i < n; i++) __pencil_reduction(&err, a[i], add); {HALVE} }} b[0] = err;",
    ],
    ids=[
        "while",
        "do",
        "for-and",
        "break",
        "flag",
        "endless",
        "for-ever",
        "continue",
        "continue-data",
        "continue-do",
        "else",
        "nested",
        "begun",
    ],
)
def test_the_forms_that_people_write_are_loops_on_the_host(body: str) -> None:
    done = compiled(body)
    program = done.programs[0]
    assert len(leaves(program)) == 1
    (loop,) = loops(program)
    assert loop.kernel is None
    assert any(kernel.is_parallel for kernel in program.kernels())
    assert done.cuda.count("if (ends) break;") == 1
    assert [d.code for d in done.diagnostics].count("PC0703") == 1


def test_what_a_break_stands_between_stays_on_its_side() -> None:
    program = program_of(f"for (int k = 0; k < most; k++) {{ {LARGEST} if (err < tol) break; {HALVE} b[0] = k; }}")
    (loop,) = loops(program)
    (leave,) = leaves(program)
    names = [set(item.statements) if isinstance(item, Kernel) else None for item in loop.items]
    assert {leave} in names
    assert 0 < names.index({leave}) < len(names) - 1


@pytest.mark.parametrize(
    "body",
    [
        f"for (int k = 0; k < most; k++) {{ {LARGEST} if (err < tol) continue; {HALVE} }}",
        "while (err > tol) { for (int i = 0; i < 4; i++) a[i] = 0.5f * a[i]; err = a[0]; }",
        "for (int j = 0; j < n; j++) { while (b[j] > tol) { for (int i = 0; i < n; i++) b[j] = 0.5f * b[j]; } }",
    ],
    ids=["not-left", "short", "inside"],
)
def test_other_loops_are_one_statement(body: str) -> None:
    done = compiled(body)
    assert not leaves(done.programs[0])
    assert "PC0703" not in [d.code for d in done.diagnostics]


SOLVER = f"err = 1.0f; while (err > tol) {{ {LARGEST} {HALVE} }}"


@pytest.mark.parametrize("head", ["for (it = 0; it < most; it++)", "for (int t = most; t > 0; t -= 2)"])
def test_a_loop_that_data_end_in_one_that_counts(head: str) -> None:
    program = program_of(f"{head} {{ {SOLVER} a[0] = 2.0f + err; }}")
    (outer,) = loops(program)
    (inner,) = [item for item in outer.items if isinstance(item, HostLoop)]
    assert len(leaves(program)) == 1
    assert "inside" in outer.reason and "inside" not in inner.reason


def test_a_loop_in_a_parallel_one_leaves_those_beside_it_on_the_host() -> None:
    own = "for (int j = 0; j < n; j++) { while (b[j] > tol) { for (int i = 0; i < n; i++) b[j] = 0.5f * b[j]; } }"
    program = program_of(f"{SOLVER} {own}")
    assert len(leaves(program)) == 1 and len(loops(program)) == 1


def test_threads_of_a_parallel_loop_have_their_own() -> None:
    text = """#include <pencil.h>
    void f(int n, float tol, float x[static const restrict n][n]) {
    #pragma scop
        for (int j = 0; j < n; j++)
            while (x[j][0] > tol)
                for (int i = 0; i < n; i++)
                    x[j][i] = 0.5f * x[j][i];
    #pragma endscop
    }"""
    (program,) = compile_source(SourceFile("f.c", text), CompileOptions()).programs
    assert not leaves(program) and not loops(program)
    assert [kernel.is_parallel for kernel in program.kernels()] == [True]


def test_what_is_skipped_stays_parallel() -> None:
    program = program_of(f"while (err > tol) {{ {LARGEST} if (err > b[0]) continue; {HALVE} b[1] = err; }}")
    (halving,) = [s for s in program.scop.statements if any(a.array == "a" and a.kind.writes for a in s.accesses)]
    assert len(halving.loops) == 2
    kernel = next(kernel for kernel in program.kernels() if halving.name in kernel.statements)
    assert kernel.is_parallel


def test_what_a_condition_was_is_kept() -> None:
    inside = "if (b[0] > 0) { b[0] = b[0] - 1; if (b[0] > 3) continue; b[1] = err; }"
    program = program_of(f"while (err > tol) {{ {LARGEST} {inside} {HALVE} }}")
    text = print_stmt(program.scop.region.body)
    assert "int holds = b[0] > " in text
    assert "if (!skips)" in text
    (halving,) = [s for s in program.scop.statements if any(a.array == "a" and a.kind.writes for a in s.accesses)]
    assert len(halving.loops) == 2


def test_what_a_condition_was_is_kept_beside_a_break() -> None:
    inside = "if (b[0] > 0) { b[0] = b[0] - 1; if (b[0] > 3) break; b[1] = err; }"
    program = program_of(f"while (err > tol) {{ {LARGEST} {inside} {HALVE} }}")
    text = print_stmt(program.scop.region.body)
    assert "int left_1 = holds && b[0] > " in text
    assert "if (holds)" in text


def test_a_loop_that_leaves_nothing_to_many_threads_is_no_loop_on_the_host() -> None:
    program = program_of(
        "while (err > tol) { for (int i = 1; i < n; i++) a[i] += a[i - 1]; err = a[0]; }"
        "for (int i = 0; i < n; i++) b[i] = a[i];"
    )
    assert not leaves(program)
    assert not loops(program)
    assert program.kernels()[-1].is_parallel


def test_what_no_round_may_have_written_is_copied_in() -> None:
    program = program_of("while (a[0] > tol) { for (int i = 0; i < n; i++) b[i] = 0.0f; a[0] = a[0] - 1.0f; }")
    assert leaves(program)
    (b,) = (each for each in program.transfers if each.array == "b")
    assert b.copy_in and b.copy_out


def test_what_stands_in_front_is_needed_behind_where_there_is_no_round() -> None:
    program = program_of(
        "float value = 5.0f;"
        "while (a[0] > tol) { value = 7.0f; for (int i = 0; i < n; i++) b[i] = 0.0f; a[0] -= 1.0f; }"
        "for (int i = 0; i < n; i++) a[i] = value;"
    )
    assert leaves(program)
    before = next(s for s in program.scop.statements if any(a.array == "value" and a.kind.writes for a in s.accesses))
    behind = program.scop.statements[-1]
    flow = program.scheduled.dependences.flow
    assert (before.name, behind.name) in {(islx.in_name(pairs), islx.out_name(pairs)) for pairs in islx.maps_of(flow)}


def test_a_kernel_on_the_wrong_side_is_found() -> None:
    program = program_of(f"while (err > tol) {{ {LARGEST} {HALVE} }}")
    verify_rounds(program)
    loop = loops(program)[0]
    turned = replace(loop, items=(*loop.items[1:], loop.items[0]))
    items = tuple(turned if item is loop else item for item in program.items)
    with pytest.raises(CompilerBug, match="on the wrong side"):
        verify_rounds(replace(program, items=items))


def test_a_loop_without_one_of_its_kernels_is_found() -> None:
    program = program_of(f"while (err > tol) {{ {LARGEST} {HALVE} }}")
    loop = loops(program)[0]
    items: list[object] = []
    for item in program.items:
        items += [replace(loop, items=loop.items[:-1]), loop.items[-1]] if item is loop else [item]
    with pytest.raises(CompilerBug, match="not the loop around it"):
        verify_rounds(replace(program, items=tuple(items)))  # type: ignore[arg-type]
