"""Functions of the output without the variables that nothing reads."""

from __future__ import annotations

import re

from pencilc.codegen.bodies import function
from pencilc.codegen.cstmt import definition
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.ir.bins import KeptValue
from pencilc.ir.nodes import fields_with_expressions
from pencilc.options import CompileOptions
from tests.unit.codegen.programs import unit
from tests.unit.records import HEAD, TAIL

STEP = "static int step(int *p) { *p += 3; return 1; }\n"


def body(text: str) -> str:
    """The statements of the device function for `static int g(int k) { text }`, on one line."""
    found = unit(f"{STEP}static int g(int k) {{ {text} }}\n{HEAD} a[0] = g(1); {TAIL}").function("g")
    assert found is not None
    return " ".join(line.strip() for line in definition(function(found))[2:-1])


def test_variables_that_nothing_reads_are_left_out_with_what_sets_them() -> None:
    assert body("int dead; if (k) { int inner = 3; } return k;") == "return k;"
    assert body("int set; set = k; int sum = 0; sum += k; sum++; return k;") == "return k;"
    assert body("int a[3] = { 1 }; a[k & 1] = 2; struct { int x; } s; s.x = k; return k;") == "return k;"


def test_a_variable_that_only_an_unread_one_needs_is_unread() -> None:
    assert body("int from = k, to; to = from; return k;") == "return k;"
    assert body("const int size = 4; int a[3]; a[0] = size; return k;") == "return k;"


def test_what_is_read_stays() -> None:
    assert body("int at = k; int last; for (last = 0; last < 3; last++) at += last; return at;").startswith(
        "int at = k;"
    )
    assert body("int other; step(&other); return k;") == "int other; step(&other); return k;"
    assert body("int a[2]; a[0] = k; a[1] = a[0]; return a[1];").startswith("int a[2];")


def test_what_a_call_does_through_a_pointer_stays() -> None:
    assert body("int at = k; int dead = 1 + step(&at); return at;") == "int at = k; step(&at); return at;"
    assert body("int at; at = step(&at); return k;") == "int at; at = step(&at); return k;"
    both = "int at = k; int dead = k > 4 && step(&at); return at;"
    assert body(both) == "int at = k; if (k > 4) { step(&at); } return at;"
    either = "int at = k; int dead = k > 4 || step(&at); return at;"
    assert body(either) == "int at = k; if (!(k > 4)) { step(&at); } return at;"
    one = "int at = k; int dead = k ? step(&at) : 2; return at;"
    assert body(one) == "int at = k; if (k) { step(&at); } return at;"
    assert body("int at = k, a[9]; a[step(&at)] = 2; return at;") == "int at = k; step(&at); return at;"
    assert body("int at = k; if (step(&at)) { int dead = 1; } return at;") == "int at = k; step(&at); return at;"


def test_branches_stay_with_what_is_left_in_them() -> None:
    text = "int dead = 0; if (k > 4) { dead = 1; k = 3; } else dead = 2; return k;"
    assert body(text) == "if (k > 4) { k = 3; } return k;"
    assert body("int dead; for (int i = 0; i < k; i++) dead = i; return k;").endswith("{ } return k;")


COUNTED = """
void f(int n, int r[static const restrict n]) {
    unsigned long u;
#pragma scop
    for (u = (unsigned long)n; 0 < u--;) r[u] += 3;
#pragma endscop
}
"""


def test_a_kernel_does_not_set_what_only_the_place_of_a_sum_had_needed() -> None:
    made = compile_source(SourceFile("counted.c", COUNTED), CompileOptions()).cuda
    assert "r[" in made and not re.search(r"unsigned long u\w* =", made)


def test_what_belongs_to_all_records_of_a_kind_is_no_part_of_one() -> None:
    """A building block is made anew from its own fields; the name of its template is the class's."""
    assert fields_with_expressions(KeptValue) == ("update", "waits")
