"""Functions of pencil.h that CUDA does not have, as device functions."""

from __future__ import annotations

_GENERIC = "template <typename T>\nstatic __device__ __forceinline__ T"

DEFINITIONS: dict[str, tuple[str, ...]] = {
    "min": (),
    "max": (),
    "clamp": (*f"{_GENERIC} clamp(T x, T low, T high)".split("\n"), "{", "    return x < low ? low : x > high ? high : x;", "}"),
    "mixf": ("static __device__ __forceinline__ float mixf(float x, float y, float a)", "{", "    return x + (x - y) * a;", "}"),
    **{
        name: (
            f"static __device__ __forceinline__ {kind} {name}({kind} a, {kind} b)",
            "{",
            f"    return a {relation} b ? a : b;",
            "}",
        )
        for name, kind, relation in (
            ("imin", "int", "<"), ("imax", "int", ">"), ("lmin", "long", "<"), ("lmax", "long", ">"),
        )
    },
    **{
        name: (
            f"static __device__ __forceinline__ {kind} {name}({kind} x, {kind} low, {kind} high)",
            "{",
            "    return x < low ? low : x > high ? high : x;",
            "}",
        )
        for name, kind in (("iclampi", "int"), ("clampi", "int"), ("fclampf", "float"), ("clampf", "float"))
    },
}  # fmt: skip
