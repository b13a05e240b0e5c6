"""Functions of pencil.h as device functions, with that header's meaning (it differs from CUDA's on NaN)."""

from __future__ import annotations

_GENERIC = "template <typename T>\nstatic __device__ __forceinline__ T"
_INLINE = "static __device__ __forceinline__"


def _returning(head: str, *lines: str) -> tuple[str, ...]:
    *before, value = lines
    return (*head.split("\n"), "{", *(f"    {line}" for line in before), f"    return {value};", "}")


def _scalar(name: str, kind: str, parameters: str, *lines: str) -> tuple[str, ...]:
    return _returning(f"{_INLINE} {kind} {name}({parameters})", *lines)


def _clamp(kind: str) -> tuple[str, str]:
    return f"const {kind} raised = x < low ? low : x;", "high < raised ? high : raised"


# `min` and `max` are CUDA's own names, so these get an underscore (see codegen/names.py).
DEFINITIONS: dict[str, tuple[str, ...]] = {
    "min": _returning(f"{_GENERIC} min_(T x, T y)", "y < x ? y : x"),
    "max": _returning(f"{_GENERIC} max_(T x, T y)", "x < y ? y : x"),
    "clamp": _returning(f"{_GENERIC} clamp(T x, T low, T high)", *_clamp("T")),
    "imin": _scalar("imin", "int", "int x, int y", "y < x ? y : x"),
    "imax": _scalar("imax", "int", "int x, int y", "x < y ? y : x"),
    "iclamp": _scalar("iclamp", "int", "int x, int low, int high", *_clamp("int")),
    "fclampf": _scalar("fclampf", "float", "float x, float low, float high", *_clamp("float")),
    "fclamp": _scalar("fclamp", "double", "double x, double low, double high", *_clamp("double")),
    "mixf": _scalar("mixf", "float", "float x, float y, float a", "x + (x - y) * a"),
    "mix": _scalar("mix", "double", "double x, double y, double a", "x + (x - y) * a"),
}
# Those that nvcc would contract, without that.
PINNED: dict[str, tuple[str, ...]] = {
    "mixf": _scalar("mixf", "float", "float x, float y, float a", "x + __fmul_rn(x - y, a)"),
    "mix": _scalar("mix", "double", "double x, double y, double a", "x + __dmul_rn(x - y, a)"),
}
