"""Functions of pencil.h as device functions, with that header's meaning (it differs from CUDA's on NaN)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PencilCode:
    """A function in C++: its head without qualifiers, the lines of its body, whether it is a template over `T`."""

    head: str
    body: tuple[str, ...]
    is_template: bool = False


def _returning(head: str, *lines: str, is_template: bool = False) -> PencilCode:
    *before, value = lines
    return PencilCode(head, (*before, f"return {value};"), is_template)


def _generic(name: str, parameters: str, *lines: str) -> PencilCode:
    return _returning(f"T {name}({parameters})", *lines, is_template=True)


def _scalar(name: str, kind: str, parameters: str, *lines: str) -> PencilCode:
    return _returning(f"{kind} {name}({parameters})", *lines)


def _clamp(kind: str) -> tuple[str, str]:
    return f"const {kind} raised = x < low ? low : x;", "high < raised ? high : raised"


def _test(name: str, parameters: str, *lines: str) -> PencilCode:
    """A macro of math.h that is no device function in C++."""
    return _returning(f"int pencilc_{name}({parameters})", *lines, is_template=True)


_SMALLEST = "const T smallest = sizeof(T) == 4 ? (T)1.17549435e-38f : (T)2.2250738585072014e-308;"

# Macros of math.h that C++ has as host functions only.
TESTS: dict[str, PencilCode] = {
    "isgreater": _test("isgreater", "T x, T y", "x > y"),
    "isgreaterequal": _test("isgreaterequal", "T x, T y", "x >= y"),
    "isless": _test("isless", "T x, T y", "x < y"),
    "islessequal": _test("islessequal", "T x, T y", "x <= y"),
    "islessgreater": _test("islessgreater", "T x, T y", "x < y || x > y"),
    "isunordered": _test("isunordered", "T x, T y", "isnan(x) || isnan(y)"),
    "isnormal": _test("isnormal", "T x", _SMALLEST, "fabs(x) >= smallest && !isinf(x)"),
    "fpclassify": _test(
        "fpclassify", "T x", _SMALLEST, "isnan(x) ? 0 : isinf(x) ? 1 : x == 0 ? 2 : fabs(x) < smallest ? 3 : 4"
    ),
}

# `min` and `max` are CUDA's own names, so these get an underscore (see codegen/names.py).
DEFINITIONS: dict[str, PencilCode] = {
    "min": _generic("min_", "T x, T y", "y < x ? y : x"),
    "max": _generic("max_", "T x, T y", "x < y ? y : x"),
    "clamp": _generic("clamp", "T x, T low, T high", *_clamp("T")),
    "imin": _scalar("imin", "int", "int x, int y", "y < x ? y : x"),
    "imax": _scalar("imax", "int", "int x, int y", "x < y ? y : x"),
    "iclamp": _scalar("iclamp", "int", "int x, int low, int high", *_clamp("int")),
    "fclampf": _scalar("fclampf", "float", "float x, float low, float high", *_clamp("float")),
    "fclamp": _scalar("fclamp", "double", "double x, double low, double high", *_clamp("double")),
    "mixf": _scalar("mixf", "float", "float x, float y, float a", "x + (x - y) * a"),
    **TESTS,
    "mix": _scalar("mix", "double", "double x, double y, double a", "x + (x - y) * a"),
}
# Those that nvcc would contract, without that.
PINNED: dict[str, PencilCode] = {
    "mixf": _scalar("mixf", "float", "float x, float y, float a", "x + __fmul_rn(x - y, a)"),
    "mix": _scalar("mix", "double", "double x, double y, double a", "x + __dmul_rn(x - y, a)"),
}
# Those that take their type from their arguments, all of which have it.
TEMPLATES = frozenset(name for name, code in DEFINITIONS.items() if code.is_template)
