"""What the output takes over from the source."""

from __future__ import annotations

from dataclasses import replace

from pencilc.codegen.definitions import functions, types_and_tables, used
from pencilc.codegen.pencil_functions import DEFINITIONS, PINNED
from pencilc.ir.definitions import Definition, DeviceFunction, NamedConstant, StructDefinition, Table
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.nodes import Parameter
from pencilc.ir.source import FLOAT, TranslationUnit
from tests.unit.codegen.programs import program_of, told, unit

TEXT = """#include <pencil.h>
struct pair { int x; };
enum { RED = 3, BLUE };
static const float table[2] = { 1, 2 };
static const int many[20000] = { 1 };
static const int side = 7;
static float inner(const float t[2], int i) { return t[i] * 2; }
static float outer(float a, const float t[2]) { return mixf(a, inner(t, 1), 0.5f) + RED; }
void f(int n, const struct pair s[static const restrict n], float a[static const restrict n],
       const float t[static const restrict 2]) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = outer(table[0], t) + side + many[i] + s[i].x;
#pragma endscop
}
"""


def both() -> tuple[TranslationUnit, tuple[MappedProgram, ...]]:
    """The file and its region."""
    return unit(TEXT), (program_of(TEXT),)


def names(found: tuple[Definition, ...]) -> list[str]:
    """The names of definitions."""
    return [each.name for each in found]


def test_functions_come_callees_first() -> None:
    found = functions(*both())
    assert names(found) == ["mixf", "inner", "outer"]
    assert found[0] == DEFINITIONS["mixf"] and isinstance(found[2], DeviceFunction)


def test_what_a_function_only_reads_is_const() -> None:
    _, _, outer = functions(*both())
    assert isinstance(outer, DeviceFunction)
    assert outer.parameters[1].is_const and outer.parameters[0] == Parameter("a", FLOAT)


def test_functions_of_a_region_that_is_pinned_are_pinned() -> None:
    file, (program,) = both()
    mixf, inner, _ = functions(file, (replace(program, pinned=True),))
    plain_mixf, plain_inner, _ = functions(file, (program,))
    assert mixf == PINNED["mixf"] and plain_mixf == DEFINITIONS["mixf"] and inner != plain_inner


def test_the_host_multiplies_as_the_source_does() -> None:
    text = TEXT.replace("static float outer", "float outer")
    pinned = replace(program_of(text), pinned=True)
    mixf, _, outer = functions(unit(text), (pinned,))
    assert isinstance(mixf, DeviceFunction) and isinstance(outer, DeviceFunction) and mixf.for_host and outer.always
    assert mixf.body == PINNED["mixf"].body and mixf.on_host == DEFINITIONS["mixf"].body


def test_only_what_something_names_is_used() -> None:
    found = functions(*both())
    assert names(used(found, {"outer"})) == ["mixf", "inner", "outer"]
    assert names(used(found, {"inner"})) == ["inner"] and used(found, set()) == ()


def test_types_are_always_there_and_tables_and_constants_where_they_are_named() -> None:
    """nvcc warns of what nothing names: the values of a table may have taken its place."""
    found = types_and_tables(*both())
    assert names(found) == ["pair", "RED", "table", "many", "side"]
    assert names(used(found, set())) == ["pair"]
    assert names(used(found, {"side", "RED"})) == ["pair", "RED", "side"]
    assert names(used(found, {"many", "table"})) == ["pair", "table", "many"]
    assert isinstance(found[0], StructDefinition) and found[1] == NamedConstant("RED", 3)


def test_tables_that_fit_are_in_constant_memory() -> None:
    tables = [each for each in types_and_tables(*both()) if isinstance(each, Table)]
    assert [each.kind for each in tables] == ["__constant__", "__device__ const", "constexpr"]
    assert told(*(each.init for each in tables)) == ["{1.0f, 2.0f}", "{1}", "7"]


def test_a_file_without_regions_takes_over_its_types_alone() -> None:
    assert functions(unit(TEXT), ()) == ()
