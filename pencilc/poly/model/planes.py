"""Planes of an array: by number, `u[1][i] = f(u[0][i - 1])`, or in turns, `u[(t + 1) % 2][i] = f(u[t % 2][i - 1])`."""

from __future__ import annotations

import islpy as isl


def plane_of(points: isl.Map, planes: int, in_turns: bool) -> int | None:
    """Which of `planes` has all of { [t, kept] -> [x] }, by the first subscript: number c, or number (t + c) mod
    `planes`; None if no single one has.
    """
    kept = points.dim(isl.dim_type.in_) - 1
    others = points.dim(isl.dim_type.out) - 1
    inside = ", ".join(["t", *(f"k{position}" for position in range(kept))])
    outside = ", ".join(["x", *(f"y{position}" for position in range(others))])
    for plane in range(planes):
        condition = f"(x - t - {plane}) mod {planes} = 0" if in_turns else f"x = {plane}"
        if points.is_subset(isl.Map(f"{{ [{inside}] -> [{outside}] : {condition} }}")):
            return plane
    return None


def without_plane(points: isl.Map) -> isl.Map:
    """{ [t, kept] -> [x] } without the first subscript."""
    return points.project_out(isl.dim_type.out, 0, 1)
