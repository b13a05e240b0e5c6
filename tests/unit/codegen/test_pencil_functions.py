"""Functions of pencil.h as the output has them: their C++ gives what C does, NaN and signed zeros included."""

from __future__ import annotations

import ctypes
import itertools
import math
import struct
import subprocess
from dataclasses import replace

import pytest

from pencilc.codegen.cstmt import definition
from pencilc.codegen.kernel_types import FileScope
from pencilc.codegen.kernel_verifier import verify_helper
from pencilc.codegen.names import safe
from pencilc.codegen.pencil_functions import DEFINITIONS, PINNED, TEMPLATES, TESTS
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.definitions import TEMPLATE_TYPE, DeviceFunction
from pencilc.ir.source import Call, Return, walk
from tests.conftest import ROOT

INCLUDE = ROOT / "pencilc" / "include"
FLOATS = (math.nan, math.inf, -math.inf, 0.0, -0.0, 1.5, -2.25, 1e-40, 1.1754943508222875e-38, 3e38)
INTS = (0, 1, -1, 2**31 - 1, -(2**31), 17)
# What each function is called with, and what it gives.
KINDS = {
    **dict.fromkeys(("min", "max"), "fff"), "clamp": "ffff", **dict.fromkeys(("imin", "imax"), "iii"), "iclamp": "iiii",
    "fclampf": "ffff", "fclamp": "dddd", "mixf": "ffff", "mix": "dddd",
    **dict.fromkeys(("isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "isunordered"), "ddi"),
    **dict.fromkeys(("isnormal", "fpclassify"), "di"),
}  # fmt: skip
NAMES = {"f": "float", "d": "double", "i": "int"}
TYPES = {"f": ctypes.c_float, "d": ctypes.c_double, "i": ctypes.c_int}


def cxx(name: str, function: DeviceFunction) -> str:
    """The function as C++ of the host, in a namespace of its own, and one of C linkage that calls it."""
    *given, result = list(KINDS[name])
    parameters = ", ".join(f"{NAMES[kind]} x{k}" for k, kind in enumerate(given))
    arguments = ", ".join(f"x{k}" for k in range(len(given)))
    text = "\n".join(definition(function))
    return (
        f"namespace ns_{name} {{\n{text}\n}}\n"
        f'extern "C" {NAMES[result]} out_{name}({parameters}) {{ return ns_{name}::{function.name}({arguments}); }}\n'
    )


def plain_c(name: str) -> str:
    """What pencil.h and math.h give a C compiler."""
    *given, result = list(KINDS[name])
    parameters = ", ".join(f"{NAMES[kind]} x{k}" for k, kind in enumerate(given))
    arguments = ", ".join(f"x{k}" for k in range(len(given)))
    return f"{NAMES[result]} in_{name}({parameters}) {{ return {name}({arguments}); }}\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """Both as one library."""
    folder = tmp_path_factory.mktemp("pencil")
    definitions = {**DEFINITIONS, **PINNED}
    rounded = "".join(
        f"static {kind} {name}({kind} a, {kind} b) {{ volatile {kind} product = a * b; return product; }}\n"
        for kind, name in (("float", "__fmul_rn"), ("double", "__dmul_rn"))
    )
    names = "#define __device__\n#define __forceinline__ inline\nusing std::isnan; using std::isinf; using std::fabs;\n"
    text = "#include <cmath>\n" + names + rounded + "".join(cxx(name, code) for name, code in definitions.items())
    (folder / "out.cpp").write_text(text)
    (folder / "in.c").write_text("#include <pencil.h>\n" + "".join(map(plain_c, definitions)))
    flags = ["-O0", "-fPIC", "-ffp-contract=off", "-I", str(INCLUDE)]
    for compiler, name in (("g++", "out.cpp"), ("gcc", "in.c")):
        subprocess.run([compiler, *flags, "-c", name], cwd=folder, check=True)
    subprocess.run(["g++", "-shared", "-o", "both.so", "out.o", "in.o"], cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "both.so"))


def bits(value: float) -> bytes:
    """The bits of a number; of all NaN the same."""
    return b"nan" if math.isnan(value) else struct.pack("<d", value)


@pytest.mark.parametrize("name", sorted({**DEFINITIONS, **PINNED}))
def test_it_is_what_c_computes(name: str, built: ctypes.CDLL) -> None:
    *given, result = list(KINDS[name])
    functions = [getattr(built, f"{side}_{name}") for side in ("out", "in")]
    for function in functions:
        function.argtypes, function.restype = [TYPES[kind] for kind in given], TYPES[result]
    values = INTS if given[0] == "i" else FLOATS
    found = set()
    for arguments in itertools.product(values, repeat=len(given)):
        ours, wanted = (function(*arguments) for function in functions)
        assert bits(ours) == bits(wanted), arguments
        found.add(bits(ours))
    assert len(found) > 1


def test_all_that_the_header_has_is_there() -> None:
    known = (INCLUDE / "pencil.h").read_text().partition("__PENCILC__")[2].partition("typedef")[0]
    declared = {line.partition("(")[0].split()[-1] for line in known.splitlines() if line.endswith(");")}
    assert declared == set(DEFINITIONS) - set(TESTS) and len(declared) == 10


def test_templates_have_one_type_and_the_others_their_own() -> None:
    assert {"min", "max", "clamp"} == TEMPLATES - set(TESTS)
    for name, function in DEFINITIONS.items():
        assert {each.type == TEMPLATE_TYPE for each in function.parameters} == {function.is_template}
        assert function.name == (f"pencilc_{name}" if name in TESTS else safe(name))


def test_what_nvcc_would_contract_is_pinned() -> None:
    assert set(PINNED) == {"mix", "mixf"}
    for name, function in PINNED.items():
        plain = DEFINITIONS[name]
        assert (function.name, function.parameters) == (plain.name, plain.parameters)
        (value,) = (node.value for node in function.body if isinstance(node, Return))
        assert value is not None
        assert [n.function for n in walk(value) if isinstance(n, Call)] == [
            "__fmul_rn" if name == "mixf" else "__dmul_rn"
        ]
        assert "*" not in [getattr(node, "op", "") for node in walk(value)]


@pytest.mark.parametrize("name", sorted({**DEFINITIONS, **PINNED}))
def test_they_are_verified_as_any_other_function(name: str) -> None:
    for function in (each[name] for each in (DEFINITIONS, PINNED) if name in each):
        verify_helper(function, FileScope())
        with pytest.raises(CompilerBug, match="`x` is not declared"):
            verify_helper(replace(function, parameters=function.parameters[1:]), FileScope())
        with pytest.raises(CompilerBug, match="its end can be reached"):
            verify_helper(replace(function, body=function.body[:-1]), FileScope())
