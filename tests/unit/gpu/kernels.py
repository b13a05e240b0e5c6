"""Kernels for the tests of the mapping's modules: those of a few lines of C, and some that are written by hand."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypeVar

import islpy as isl

from pencilc import islx
from pencilc.ir.shapes import BoxDimension, Kernel
from pencilc.options import CompileOptions
from pencilc.target import DEFAULT as TARGET
from tests.unit.records import DEFAULT, part_of, shaped

__all__ = ["TARGET", "bounds", "by_hand", "kernel", "kernels", "unlaunched"]

SomeKernel = TypeVar("SomeKernel", bound=Kernel)


def kernels(body: str, options: CompileOptions = DEFAULT) -> tuple[Kernel, ...]:
    """The kernels of a region outside of host loops, as the pass `shapes` makes them."""
    return tuple(item for item in shaped(body, options).items if isinstance(item, Kernel))


def kernel(body: str, options: CompileOptions = DEFAULT) -> Kernel:
    """The only one."""
    (found,) = kernels(body, options)
    return found


def unlaunched(body: str, statement: str) -> Kernel:
    """The kernel of the part that has the statement, before anything about its launch is decided."""
    return replace(shaped(body).shaper.kernel(part_of(body, statement), (), "k"), name="k")


def by_hand(shape: type[SomeKernel], **changes: Any) -> SomeKernel:
    """A kernel of this shape that does nothing."""
    needed: dict[str, Any] = {"name": "k", "host": (), "body": None, "index": "int", "domain": isl.Set("{ [] }")}
    if any(field.name == "reduced" for field in fields(shape)):
        needed["reduced"] = ()
    return shape(**{**needed, **changes})


def bounds(box: tuple[BoxDimension, ...] | None) -> list[tuple[str, str]] | None:
    """The text of the bounds of a box."""
    if box is None:
        return None
    return [(value(side.lower), value(side.upper)) for side in box]


def value(function: isl.PwAff) -> str:
    """The text of a function of the parameters."""
    constant = islx.constant_value(function)
    return str(constant) if constant is not None else str(function).partition("{ [(")[2].rpartition(")]")[0]
