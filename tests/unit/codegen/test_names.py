"""Names that the language has taken, and names that nothing else has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pencilc.codegen.names import RESERVED, NameTable, safe
from tests.unit.codegen.programs import file
from tests.unit.records import ROW_SUMS, SOFTMAX

TEMPLATES = Path(__file__).parents[3] / "templates"


@pytest.mark.parametrize(
    "taken",
    ["template", "threadIdx", "float3", "make_uint2", "cudaMalloc", "__global", "pencilc_add", "max", "NULL", "LANES"],
)
def test_what_cpp_or_cuda_has_taken_gets_an_underscore(taken: str) -> None:
    assert safe(taken) == f"{taken}_"


@pytest.mark.parametrize("free", ["a", "maximum", "float5", "_x", "threadidx", "@max", "pencilcase"])
def test_other_names_stay_and_so_do_those_of_building_blocks(free: str) -> None:
    assert safe(free) == free


def test_constants_of_building_blocks_are_taken() -> None:
    """Templates beside `runtime.cu.j2`, which has nothing of the source in it but types."""
    texts = [path.read_text() for path in TEMPLATES.rglob("*.j2") if path.name != "runtime.cu.j2"]
    declared = [each for text in texts for each in re.findall(r"template <(.*?)>\n|constexpr int (.*?);", text)]
    found = {name for pair in declared for name in re.findall(r"\b[A-Z]{3,}\b", "".join(pair))}
    # The tree says of which numbers a function is a template.
    of_tree = {name for body in (SOFTMAX, ROW_SUMS) for made in file(body).kernels for name in made.numbers}
    assert {"LANES", "BLOCK"} <= found <= RESERVED and {"ITEMS"} <= of_tree <= RESERVED


def test_fresh_names_are_numbered_and_safe() -> None:
    table = NameTable(["t"])
    assert [table.fresh("t"), table.fresh("t"), table.fresh("new"), table.fresh("new")] == [
        "t_1",
        "t_2",
        "new_",
        "new__1",
    ]


def test_a_numbered_name_that_is_taken_is_passed_over() -> None:
    assert NameTable(["t", "t_1"]).fresh("t") == "t_2"


def test_a_key_keeps_its_name() -> None:
    table = NameTable()
    assert table.name("S1", "x") == table.name("S1", "other") == "x"
    assert table.name("S2", "x") == "x_1" and table.name("y") == "y"


def test_a_scope_inside_knows_the_names_around_it_and_tells_none() -> None:
    outer = NameTable(["i"])
    inner = outer.copy()
    assert inner.fresh("i") == "i_1" and inner.fresh("j") == "j"
    assert outer.fresh("j") == "j" and outer.fresh("i") == "i_1"


def test_variables_of_building_blocks_are_written_so_that_they_can_be_renamed() -> None:
    """But those of `runtime.cu.j2`, whose functions have no name of the source in them."""
    declaration = re.compile(r"\b(?:unsigned|int|bool|long long|size_t|dim3|auto) (?:const )?[*&]*([a-z]\w*)\b(?![(<])")
    types = {"int", "long", "unsigned", "const"}
    for path in TEMPLATES.rglob("*.j2"):
        if path.name != "runtime.cu.j2":
            code = re.sub(r"\{#.*?#\}|\{%.*?%\}|//[^\n]*", "", path.read_text(), flags=re.DOTALL)
            assert set(declaration.findall(code)) <= types, path.name
