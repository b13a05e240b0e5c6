"""Regions that isl cannot analyse in time run in one thread, and a file may hold a few of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pencilc import driver, quotas
from pencilc.diagnostics.diagnostic import Severity, SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.fusion import greedy
from pencilc.gpu.fusion.cost import CostModel
from pencilc.gpu.fusion.families import Family
from pencilc.gpu.fusion.pack import Packer
from pencilc.gpu.fusion.stitch import Stitcher
from pencilc.gpu.verifiers.order import PlacedAccess, _Checker
from pencilc.ir.mapping import Stitched
from pencilc.ir.shapes import Kernel
from pencilc.options import CompileOptions
from pencilc.parts.part import Part
from pencilc.poly.dependences import relaxed
from pencilc.poly.dependences.flow import FlowModel
from pencilc.poly.detect import unmarked
from pencilc.poly.extract import extract_detected
from pencilc.poly.reductions import remedies
from pencilc.schedule import fuse, legality


def regions(count: int) -> SourceFile:
    body = "#pragma scop\n    for (int i = 1; i < n; i++)\n        a[i] = a[i - 1];\n#pragma endscop"
    functions = (f"void f{k}(int n, float a[static const restrict n])\n{{\n{body}\n}}\n" for k in range(count))
    return SourceFile("many.c", "#include <pencil.h>\n" + "".join(functions))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """isl may do next to nothing for the dependences of a region."""
    monkeypatch.setattr(relaxed, "_QUOTA", 1)
    monkeypatch.setattr(relaxed, "_LEAST", 1)


@pytest.mark.usefixtures("impatient")
def test_a_few_run_in_one_thread() -> None:
    done = compile_source(regions(4), CompileOptions())
    said = [d for d in done.diagnostics if d.code == "PC0701"]
    assert len(said) == 4
    assert all("take too long to find" in d.message for d in said)


@pytest.mark.usefixtures("impatient")
def test_more_are_too_many() -> None:
    with pytest.raises(SourceErrors) as errors:
        compile_source(regions(6), CompileOptions())
    told = [d for d in errors.value.diagnostics if d.code == "PC0006"]
    assert [(d.span.line, d.message.partition(":")[0]) for d in told] == [
        (30, "more than 3 regions of the file whose dependences take isl too long to find")
    ]


def test_ordinary_regions_are_no_concern() -> None:
    assert compile_source(regions(6), CompileOptions(), "dependences").dependences[5].unknown == ""


def test_what_only_other_orders_make_too_large_keeps_its_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """An option that permits more takes nothing away."""
    loop = "for (int i = 0; i < n; i++) { float s = 0; for (int j = 0; j < 9; j++) s += a[i]; b[i] = s; }"
    body = f"#pragma scop\n    {loop}"
    head = "void f(int n, const float a[static const restrict n], float b[static const restrict n])"
    source = SourceFile("sums.c", f"#include <pencil.h>\n{head}\n{{\n{body}\n#pragma endscop\n}}\n")
    options = CompileOptions(associative_math=True)
    assert not [d for d in compile_source(source, options).diagnostics if d.code == "PC0006"]
    extracted = extract_detected

    def impatient(unit: Any, position: int, associative: bool, operations: int) -> Any:
        if associative:
            raise quotas.OperationQuotaExceeded("too many")
        return extracted(unit, position, associative, operations)

    monkeypatch.setattr(driver, "extract_detected", impatient)
    done = compile_source(source, options)
    (told,) = [d for d in done.diagnostics if d.code == "PC0006"]
    assert told.severity is Severity.WARNING and "sums and products stay in their order" in told.message
    assert done.cuda == compile_source(source, CompileOptions()).cuda


def rows(count: int) -> SourceFile:
    """A row is divided by its sum again and again: two kernels each time, which all have the same rows."""
    each = (
        "        {\n            float s;\n            __pencil_reduction_var_init(&s, zero);\n"
        "            for (int j = 0; j < m; j++)\n                __pencil_reduction(&s, a[i][j], add);\n"
        "            for (int j = 0; j < m; j++)\n                a[i][j] = a[i][j] / s;\n        }\n"
    )
    return SourceFile(
        "rows.c",
        "#include <pencil.h>\nstatic void zero(float *v) { *v = 0; }\n"
        "static float add(float a, float b) { return a + b; }\n"
        "void f(int n, int m, float a[static const restrict n][m])\n"
        f"{{\n#pragma scop\n    for (int i = 0; i < n; i++) {{\n{each * count}    }}\n#pragma endscop\n}}\n",
    )


def test_long_runs_are_not_stitched_end_by_end(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[int] = []
    stitch = Stitcher.stitch

    def counted(self: Stitcher, family: Family, members: Sequence[tuple[Part, Kernel]]) -> Stitched:
        built.append(len(members))
        return stitch(self, family, members)

    monkeypatch.setattr(greedy, "NEAR", 4)
    monkeypatch.setattr(Stitcher, "stitch", counted)
    compile_source(rows(10), CompileOptions())
    assert 11 in built  # all of them in one
    assert len(built) < 8  # instead of one for each of the kernels that it might have ended with


# ---- what hundreds of reductions and updates ask ----------------------------------------------------------

HEAD = (
    "#include <pencil.h>\nstatic void zero(double *v) { *v = 0; }\n"
    "static double add(double a, double b) { return a + b; }\n"
)


def sums(count: int) -> SourceFile:
    """As many sums in one loop, the results of which go to one array."""
    inits = "".join(f"    double s{k};\n    __pencil_reduction_var_init(&s{k}, zero);\n" for k in range(count))
    updates = "".join(f"        __pencil_reduction(&s{k}, a[i] + {k}, add);\n" for k in range(count))
    stores = "".join(f"    out[{k}] = s{k};\n" for k in range(count))
    return SourceFile(
        "sums.c",
        f"{HEAD}void f(int n, const double a[static const restrict n], double out[static const restrict {count}])\n"
        f"{{\n#pragma scop\n{inits}    for (int i = 0; i < n; i++) {{\n{updates}    }}\n{stores}#pragma endscop\n}}\n",
    )


def updates(count: int) -> SourceFile:
    """As many updates of one sum in one loop, all pairs of which are relaxed."""
    each = "".join(f"        __pencil_reduction(&s, a[i] + {k}, add);\n" for k in range(count))
    return SourceFile(
        "updates.c",
        f"{HEAD}double f(int n, const double a[static const restrict n])\n{{\n    double s;\n"
        "    __pencil_reduction_var_init(&s, zero);\n"
        f"    for (int i = 0; i < n; i++) {{\n{each}    }}\n    return s;\n}}\n",
    )


def plain(count: int, statement: str) -> SourceFile:
    """As many plain statements in one loop; `{}` in `statement` is the number of each."""
    body = "".join(f"        {statement.format(k)}\n" for k in range(count))
    return SourceFile(
        "plain.c",
        "#include <pencil.h>\nvoid f(int n, float a[static const restrict n])\n{\n#pragma scop\n    float s = 0;\n"
        f"    for (int i = 0; i < n; i++) {{\n{body}    }}\n    a[0] = s;\n#pragma endscop\n}}\n",
    )


def calls(monkeypatch: pytest.MonkeyPatch, home: object, name: str) -> list[tuple[object, ...]]:
    """The arguments of each call of a function from now on."""
    found: list[tuple[object, ...]] = []
    inner = getattr(home, name)

    def counted(*arguments: object, **named: object) -> object:
        found.append(arguments)
        return inner(*arguments, **named)

    monkeypatch.setattr(home, name, counted)
    return found


def test_sums_have_to_do_with_few_accesses(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked for one of them does not grow with the others."""
    flows = calls(monkeypatch, FlowModel, "_flow")
    pairs = calls(monkeypatch, _Checker, "_check_pair")
    joins = calls(monkeypatch, fuse, "join")
    measured = calls(monkeypatch, CostModel, "_measure")
    compile_source(sums(60), CompileOptions())
    sources = [must.n_map() + may.n_map() for _, _, must, may, _ in flows]  # type: ignore[attr-defined]
    assert max(sources) < 10  # not all 60
    assert len(pairs) < 2 * 60 * 4  # each store with itself alone
    assert len(joins) < 2 * 60
    assert len(measured) < 2000


def test_a_schedule_is_checked_in_one_look_at_its_relations(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = calls(monkeypatch, legality, "_inside")
    compile_source(updates(40), CompileOptions(), "schedule")
    # 40 updates, the merge node and the return stand in sequences; 1,560 pairs of updates are relaxed.
    assert sum(len(relations) for relations, *_ in looked if isinstance(relations, list)) < 4 * 1560


def test_stores_to_elements_are_compared_with_their_like(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs: list[tuple[PlacedAccess, PlacedAccess]] = []
    check = _Checker._check_before

    def counted(self: _Checker, before: PlacedAccess, after: PlacedAccess, uses: Sequence[PlacedAccess]) -> None:
        pairs.append((before, after))
        check(self, before, after, uses)

    monkeypatch.setattr(_Checker, "_check_before", counted)
    compile_source(sums(60), CompileOptions())
    assert all(before is after for before, after in pairs if before.access.array == "out")


def test_columns_are_compared_with_their_like(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums of rows go to columns of one array, which a constant subscript tells apart."""
    pairs = calls(monkeypatch, _Checker, "_check_before")
    each = "".join(
        f"        __pencil_reduction_var_init(&o[i][{k}], zero);\n        for (int j = 0; j < m; j++)\n"
        f"            __pencil_reduction(&o[i][{k}], a[i][j] * {k}, add);\n"
        for k in range(40)
    )
    text = (
        f"{HEAD}void f(int n, int m, const double a[static const restrict n][m],\n"
        "       double o[static const restrict n][40])\n"
        f"{{\n#pragma scop\n    for (int i = 0; i < n; i++) {{\n{each}    }}\n#pragma endscop\n}}\n"
    )
    compile_source(SourceFile("columns.c", text), CompileOptions())
    assert len(pairs) < 40 * 4


def test_full_packs_are_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = calls(monkeypatch, Packer, "_refusal")
    bodies = "".join(
        f"    double s{k};\n    __pencil_reduction_var_init(&s{k}, zero);\n    for (int i = 0; i < n; i++)\n"
        f"        __pencil_reduction(&s{k}, a{k}[i], add);\n    out[{k}] = s{k};\n"
        for k in range(100)
    )
    params = ", ".join(f"const double a{k}[static const restrict n]" for k in range(100))
    text = f"{HEAD}void f(int n, {params}, double out[static const restrict 100])\n{{\n{bodies}}}\n"
    compile_source(SourceFile("packs.c", text), CompileOptions())
    assert len(asked) < 3 * 100


def test_plain_updates_of_a_loop_are_judged_together(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = calls(monkeypatch, unmarked._Finder, "_judge")
    walked = calls(monkeypatch, unmarked._TouchedElements, "__init__")
    compile_source(plain(100, "a[i] = a[i] * {};"), CompileOptions(), "scop")
    assert len(judged) == 1
    assert len(walked) < 2 * 100


def test_ways_to_reorder_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = calls(monkeypatch, remedies, "operator_for")
    compile_source(plain(100, "s += a[i] * {};"), CompileOptions(), "scop")
    assert len(asked) == 1


SWEEP = """#include <pencil.h>
static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }
void f(int n, int m, int rounds, unsigned x[static const restrict n][m])
{
#pragma scop
    for (int t = 0; t < rounds; t++)
        for (int d = 0; d < n + m - 1; d++)
            for (int i = most(0, d - m + 1); i <= least(d, n - 1); i++)
                x[i][d - i] += (i > 0 ? x[i - 1][d - i] : 1u) ^ (d - i > 0 ? x[i][d - i - 1] : 2u);
#pragma endscop
}
void g(int n, float a[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) a[i] *= 2;
#pragma endscop
}
"""


def test_loops_that_take_too_long_to_generate_run_in_one_thread() -> None:
    """The other regions of the file are what they would be without."""
    done = compile_source(SourceFile("f.c", SWEEP), CompileOptions())
    assert [program.sequential for program in done.programs] == ["its loops take too long to generate", ""]
    assert [each.code for each in done.diagnostics] == ["PC0701"]
    assert "its loops take too long to generate" in done.diagnostics[0].message
    assert "f_sequential" in done.cuda and "g_parallel0" in done.cuda
