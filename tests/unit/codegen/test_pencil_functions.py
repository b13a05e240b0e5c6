"""Functions of pencil.h as the output has them: their C++ gives what C does, NaN and signed zeros included."""

from __future__ import annotations

import ctypes
import itertools
import math
import struct
import subprocess

import pytest

from pencilc.codegen.pencil_functions import DEFINITIONS, PINNED, TEMPLATES, TESTS, PencilCode
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


def cxx(name: str, code: PencilCode) -> str:
    """The function as C++ of the host, in a namespace of its own, and one of C linkage that calls it."""
    *given, result = list(KINDS[name])
    template = "template <typename T> " if code.is_template else ""
    called = code.head.partition("(")[0].split()[-1]
    parameters = ", ".join(f"{NAMES[kind]} x{k}" for k, kind in enumerate(given))
    arguments = ", ".join(f"x{k}" for k in range(len(given)))
    body = " ".join(code.body)
    return (
        f"namespace ns_{name} {{ {template}static {code.head} {{ {body} }} }}\n"
        f'extern "C" {NAMES[result]} out_{name}({parameters}) {{ return ns_{name}::{called}({arguments}); }}\n'
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
    names = "using std::isnan; using std::isinf; using std::fabs;\n"
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
    for code in DEFINITIONS.values():
        assert code.is_template == ("T " in code.head)


def test_what_nvcc_would_contract_is_pinned() -> None:
    assert set(PINNED) == {"mix", "mixf"}
    for name, code in PINNED.items():
        assert code.head == DEFINITIONS[name].head and "*" not in code.body[-1] and "mul_rn(" in code.body[-1]
