"""The header of the entry points."""

from __future__ import annotations

from pencilc.codegen.header import header
from pencilc.codegen.tree import kernel_file
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from tests.unit.codegen.programs import file, program, program_of, unit
from tests.unit.records import DEFAULT, HEAD, ROW_SUMS, SOFTMAX, TAIL

STRUCTS = """#include <pencil.h>
typedef struct { float re, new; } inside;
struct outside { inside parts[2]; };
struct other { int x; };
void max(int n, struct outside a[static const restrict n], const float b[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i].parts[0].re = b[i];
#pragma endscop
}
"""


SHARED_NAMES = """#include <pencil.h>
enum { COLUMNS = 3 };
static const int MORE = 2;
struct gamma { float half; };
typedef struct { float v; } B;
B gamma(int n, struct gamma gamma[static const restrict n][MORE + COLUMNS], B B) {
#pragma scop
    for (int i = 0; i < n; i++)
        gamma[i][1].half *= B.v;
#pragma endscop
    return B;
}
"""


def of(body: str) -> str:
    """The header of a region."""
    return header(unit(HEAD + body + TAIL), (program(body),), file(body).entries, "some/f-1.h")


def of_text(text: str) -> str:
    """The header of a file."""
    programs = (program_of(text),)
    return header(unit(text), programs, kernel_file(unit(text), programs).entries, "f.h")


def test_the_guard_is_the_name_of_the_file() -> None:
    lines = of(ROW_SUMS).splitlines()
    assert lines[0] == "/* Entry points of f.c. */"
    assert lines[1:3] == ["#ifndef PENCILC_F_1_H", "#define PENCILC_F_1_H"] and lines[-1] == "#endif"
    assert "NO_TYPES" not in of(ROW_SUMS)


def test_c_sees_arrays_and_cpp_pointers_to_const_where_nothing_is_written() -> None:
    cpp, c = of(ROW_SUMS).partition("#else")[::2]
    assert "void f(int n, int m, float *a, const float *b," in cpp and "const float *x," in cpp
    assert "void f(int n, int m, float a[n], float b[n]," in c and "float x[n][m]," in c


def test_a_workspace_is_offered_where_a_call_needs_memory() -> None:
    assert "_device_in(" in of(SOFTMAX) and "size_t *bytes);" in of(SOFTMAX)
    plain = of("FOR(i, n) a[i] = b[i];")
    assert "_device(" in plain and "_device_in(" not in plain and "size_t" not in plain.partition("#if defined")[2]


def test_types_that_entry_points_need_are_defined_and_others_are_not() -> None:
    text = of_text(STRUCTS)
    assert "#ifndef PENCILC_F_H_NO_TYPES" in text and "other" not in text
    assert text.index("inside") < text.index("outside")


def test_names_that_cpp_has_taken_are_kept_for_the_linker() -> None:
    text = of_text(STRUCTS)
    assert ' __asm__("max");' in text and "void max_(" in text and "max_device(" in text


def test_a_struct_is_told_from_what_has_its_name_and_extents_name_nothing() -> None:
    text = of_text(SHARED_NAMES)
    assert "struct gamma {" in text and "typedef struct B {" in text
    assert "B gamma(int n, struct gamma gamma[n][5], B B);" in text
    assert 'B gamma_(int n, struct gamma *gamma_, B B_) __asm__("gamma");' in text
    assert "gamma_device(int n, struct gamma *gamma_, B B_, B *result, cudaStream_t stream);" in text


def test_parameters_that_the_source_lacks_find_a_name() -> None:
    text = """#include <pencil.h>
int f(int stream, int result[static const restrict stream], const int s[static const restrict stream]) {
#pragma scop
    for (int i = 0; i < stream; i++)
        result[i] = s[i];
#pragma endscop
    return stream;
}
int g(void) {
    int s;
#pragma scop
    s = 3;
#pragma endscop
    return s;
}
"""
    done = compile_source(SourceFile("f.c", text), DEFAULT, "kernels")
    assert done.kernels is not None
    found = header(done.parsed, done.programs, done.kernels.entries, "f.h")
    own = "int stream, int *result, const int *s"
    assert f"cudaError_t f_device({own}, int *result_, cudaStream_t stream_);" in found
    assert found.count("int g(void);") == 2 and "g_device(int *result, cudaStream_t stream);" in found
