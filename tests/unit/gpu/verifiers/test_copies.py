"""The verifier of copies: what pencilc makes passes, and a copy that is too small, or lost, is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

import islpy as isl
import pytest

from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.storage import transfer
from pencilc.gpu.verifiers.copies import verify_copies
from pencilc.ir.mapping import MappedProgram, Transfer
from pencilc.options import CompileOptions
from pencilc.quotas import OperationQuotaExceeded

HEAD = """#include <pencil.h>
static void zero(int *v) { *v = 0; }
static int add(int a, int b) { return a + b; }
"""


def mapped(text: str) -> MappedProgram:
    """The program of a function, as it is without fusion."""
    options = CompileOptions(fuse="none")
    (program,) = compile_source(SourceFile("f.c", HEAD + text), options, "mapping").programs
    verify_copies(program)
    return program


def copy_of(program: MappedProgram, array: str) -> Transfer:
    (found,) = (each for each in program.transfers if each.array == array)
    return found


def refused(program: MappedProgram, array: str, changed: Transfer, match: str) -> None:
    transfers = tuple(changed if each.array == array else each for each in program.transfers)
    with pytest.raises(CompilerBug, match=match):
        verify_copies(replace(program, transfers=transfers))


TWICE = """void f(int n, const int a[static const restrict n], int b[static const restrict n]) {
#pragma scop
    for (int i = 1; i < n; i++) b[i] = 2 * a[i];
#pragma endscop
}
"""


def test_what_is_written_is_copied_out() -> None:
    program = mapped(TWICE)
    copy = copy_of(program, "b")
    assert (copy.copy_in, copy.copy_out) == (False, True)
    refused(program, "b", replace(copy, copy_out=False), "not copied out")


def killed(before: str, body: str, behind: str) -> MappedProgram:
    """The program of loops over `i` around which `t` is killed."""
    return mapped(f"""void f(int n, const int a[static const restrict n], int t[static const restrict n],
       int o[static const restrict n]) {{
#pragma scop
    {before}
    for (int i = 0; i < n; i++) {body}
    {behind}
#pragma endscop
}}
""")


def test_what_is_killed_behind_all_writes_need_not_come_back() -> None:
    body = "{ t[i] = a[i]; o[i] = t[i]; }"
    program = killed("", body, "__pencil_kill(t);")
    copy = copy_of(program, "t")
    assert copy.is_written and not (copy.copy_in or copy.copy_out)
    for behind in (
        "",
        "for (int i = 0; i < n; i++) if (a[i] > 0) __pencil_kill(t[i]);",
        "if (n > 9) __pencil_kill(t);",
    ):
        program = killed("__pencil_kill(t);", body, behind)
        refused(program, "t", replace(copy_of(program, "t"), copy_out=False), "written and not copied out")


def test_what_is_killed_and_comes_back_is_cleared() -> None:
    body = "if (a[i] > 0) t[i] = a[i];"
    program = killed("__pencil_kill(t);", body, "")
    copy = copy_of(program, "t")
    assert (copy.copy_in, copy.cleared, copy.copy_out) == (False, True, True)
    refused(program, "t", replace(copy, cleared=False), "comes back that is not written")
    for before in ("", "if (n > 9) __pencil_kill(t);"):
        program = killed(before, body, "")
        refused(program, "t", replace(copy_of(program, "t"), copy_in=False, cleared=True), "comes back")


def test_what_is_read_is_killed_or_written_before() -> None:
    body = "{ o[i] = t[i]; t[i] = a[i]; }"
    killed("__pencil_kill(t);", body, "__pencil_kill(t);")
    program = killed("", body, "__pencil_kill(t);")
    refused(program, "t", replace(copy_of(program, "t"), copy_in=False), "read and not copied in")
    refused(program, "t", replace(copy_of(program, "t"), is_written=False), "is written")
    refused(program, "a", replace(copy_of(program, "a"), is_written=True), "is not written")


def test_all_that_is_read_is_copied() -> None:
    program = mapped(TWICE)
    copy = copy_of(program, "a")
    (touched,) = copy.ranges
    assert touched is not None
    short = replace(touched, last=touched.first)
    refused(program, "a", replace(copy, ranges=(short,)), "not all that is touched of `a`")
    refused(program, "a", replace(copy, ranges=()), "not all that is touched of `a`")


def test_more_comes_back_than_is_written() -> None:
    program = mapped(TWICE)
    copy = copy_of(program, "b")
    (touched,) = copy.ranges
    assert touched is not None
    nothing = (isl.PwAff("[n] -> { [0] }"),)
    refused(program, "b", replace(copy, ranges=(replace(touched, first=nothing),)), "comes back that is not written")
    refused(program, "b", replace(copy, ranges=(None,)), "as a whole and not copied in")


MEMBERS = """typedef struct { int v[4]; double w; } Point;
void f(int n, const int a[static const restrict n], int b[static const restrict n], Point p[static const restrict n]) {
#pragma scop
    int s;
    __pencil_reduction_var_init(&s, zero);
    for (int i = 0; i < n; i++) __pencil_reduction(&s, p[i].v[1], add);
    int nobody_reads_it = s;
    for (int i = 0; i < n; i++) b[i] = a[i];
#pragma endscop
}
"""


def test_members_that_nobody_needs_are_not_copied() -> None:
    copy = copy_of(mapped(MEMBERS), "p")
    assert not copy.copy_in and not copy.copy_out


ROWS = """void f(int n, int m, int b[static const restrict n][m]) {
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m - %d; j++) b[i][j] = i + j;
#pragma endscop
}
"""


def test_what_lies_between_the_first_and_the_last_element_comes_back() -> None:
    whole, part = mapped(ROWS % 0), mapped(ROWS % 1)
    assert not copy_of(whole, "b").copy_in
    copy = copy_of(part, "b")
    assert copy.copy_in
    refused(part, "b", replace(copy, copy_in=False), "comes back that is not written")


UNDER_A_CONDITION = """void f(int n, int b[static const restrict n], int s[static const restrict 1]) {
    if (n %s) {
        for (int i = 0; i < n; i++) b[i] = i;
        __pencil_reduction_var_init(&s[0], zero);
        for (int i = 0; i < n; i++) __pencil_reduction(&s[0], b[i], add);
    }
}
"""


@pytest.mark.parametrize("condition", ["> 100", "% 2 == 0"])
def test_what_is_loaded_under_a_condition_of_sizes(condition: str) -> None:
    """No element is loaded for sizes without a launch: nothing would have written it, and it would come back."""
    program = mapped(UNDER_A_CONDITION % condition)
    assert not copy_of(program, "b").copy_in
    for touched in copy_of(program, "b").ranges:
        assert touched is not None
        assert touched.inhabited.is_subset(isl.Set(f"[n] -> {{ : n {condition.replace('==', '=')} }}"))


IN_A_LOOP_OF_LAUNCHES = """void f(int n, int m, int b[static const restrict n], int s[static const restrict 1]) {
    int most = 1;
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < n; i++) b[i] = i * most;
        __pencil_reduction_var_init(&s[0], zero);
        for (int i = 0; i < n; i++) __pencil_reduction(&s[0], b[i], add);
        most = s[0] % 7;
    }
}
"""


def test_what_is_loaded_in_a_loop_without_iterations() -> None:
    program = mapped(IN_A_LOOP_OF_LAUNCHES)
    assert not copy_of(program, "b").copy_in
    assert all(
        r is not None and r.inhabited.is_subset(isl.Set("[m] -> { : m > 0 }")) for r in copy_of(program, "b").ranges
    )


LOADED_FOR_OTHERS = """void f(int n, int m, int b[static const restrict n], int s[static const restrict n]) {
    if (m > 0)
        for (int i = 0; i < n; i++) b[i] = i;
    for (int i = 0; i < n; i++) {
        __pencil_reduction_var_init(&s[i], zero);
        for (int j = 0; j < m; j++) __pencil_reduction(&s[i], b[i], add);
    }
}
"""


def test_what_is_loaded_for_nobody_is_copied_in() -> None:
    """Where `m` is 0 the rows load all the same what only a larger `m` would have written."""
    program = mapped(LOADED_FOR_OTHERS)
    copy = copy_of(program, "b")
    assert copy.copy_in
    refused(program, "b", replace(copy, copy_in=False), "comes back that is not written")


REMAINDERS = """static int cut(int x, int n) { return x < 0 ? 0 : x >= n ? n - 1 : x; }
void f(int n, int b[static const restrict n], const int a[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) b[i] = a[cut(i % 2 + (i + 1) % 3 + (i + 2) % 4 + (i + 3) % 5 + (i + 4) % 6, n)];
#pragma endscop
}
"""


def test_what_many_remainders_reach_is_not_looked_for() -> None:
    """It took isl longer than there is, and the loop was left to one thread."""
    program = mapped(REMAINDERS)
    assert not program.sequential
    (touched,) = copy_of(program, "a").ranges
    assert touched is not None
    (last,) = touched.last
    assert "[(15)] : n >= 16" in str(last)


STRUCTS = """typedef struct { int v[4]; int w; } Point;
void f(int n, Point p[static const restrict n], int b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++) { p[i].v[2] = b[i]; p[i].w = p[i].v[1]; }
#pragma endscop
}
"""


def test_what_takes_too_long_to_find_is_copied_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many subscripts as the array has, whatever its members have."""

    def never(*_: object) -> NoReturn:
        raise OperationQuotaExceeded("too long")

    monkeypatch.setattr(transfer, "transfers", never)
    program = mapped(STRUCTS)
    assert not program.sequential
    for copy in program.transfers:
        assert copy.copy_in
        (touched,) = copy.ranges
        assert touched is not None
        assert [str(bound) for bound in touched.last] == ["[n] -> { [(-1 + n)] : n > 0 }"]
