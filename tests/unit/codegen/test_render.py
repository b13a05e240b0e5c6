"""The stage `cuda`: scopes of functions, blank lines."""

from __future__ import annotations

import pytest

from pencilc.codegen.render import FunctionScope, render, tidy
from pencilc.ir.definitions import DeviceFunction
from tests.unit.codegen.programs import entry, file, functions

SUM = "float s; INIT(&s, zero); FOR(i, n) UPDATE(&s, a[i], add); b[0] = s;"


def text_of(field: object) -> str:
    """What a template is given for a field of a record."""
    assert isinstance(field, str)
    return field


@pytest.mark.parametrize(
    ("text", "tidied"),
    [
        ("a  \n\n\n\nb\n", "a\n\nb\n"),
        ("f()\n{\n    \n    x;\n\n    }\n\n\n", "f()\n{\n    x;\n    }\n"),
        ("\n\na;\t\n", "a;\n"),
        ("if (x) {\n\n} else {\n\n\n    y;\n}", "if (x) {\n} else {\n    y;\n}\n"),
    ],
)
def test_blank_lines_part_what_belongs_together_and_nothing_else(text: str, tidied: str) -> None:
    assert tidy(text) == tidied


def test_each_function_has_a_scope_of_its_own() -> None:
    scope = FunctionScope()
    (kernel,) = functions(SUM).values()
    assert text_of(scope.kernel(kernel).parameters[0]) == "int n" and scope["n"] == "n_"
    assert scope["index"] == kernel.index
    arguments = scope.host_entry(entry(SUM)).arguments
    assert (scope["n"], scope["s"], text_of(arguments[-1])) == ("n_", "s", "stream")
    arguments = scope.device_entry(entry(SUM)).queue_arguments
    assert [text_of(each) for each in arguments[-2:]] == ["call", "stream"]


def test_a_function_of_the_source_has_one_too() -> None:
    (operator,) = (each for each in file(SUM).helpers if isinstance(each, DeviceFunction) and each.name == "add")
    scope = FunctionScope()
    assert scope.definition(operator)[0].endswith("add(float a, float b)") and scope["a"] == "a_"


def test_a_file_has_no_name_left_open() -> None:
    assert "@" not in render(file(SUM))
