"""Device memory of a call for variables of the region that live from kernel to kernel."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Seq

import islpy as isl

from pencilc.codegen.astgen import Affine
from pencilc.codegen.bodies import set_to
from pencilc.codegen.cexpr import type_text
from pencilc.codegen.instances import expansion_names, expansion_origins
from pencilc.codegen.lowering import Bindings, lowered
from pencilc.codegen.names import safe
from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.gpu.fusion.shared_promotion import fixed_subscripts, is_dynamic
from pencilc.ir.build import (
    ONE,
    SIZE,
    ZERO,
    address,
    binary,
    call,
    cast,
    choice,
    counted,
    declare,
    evaluate,
    method,
    number,
    plus,
    times,
    variable,
)
from pencilc.ir.mapping import MappedProgram, SharedPromotion
from pencilc.ir.nodes import Node
from pencilc.ir.source import CHAR, LLONG, CType, Expr, IntLiteral, Name, PointerType, Symbol, element_type, extents
from pencilc.ir.storage import Storage
from pencilc.target import MAX_THREADS


def needs_scratch(program: MappedProgram) -> bool:
    """Whether a call needs memory of its own: for partial results, for variables between kernels, or for a barrier."""
    if program.workspace():
        return True
    for kernel in program.kernels():
        if kernel.reductions or kernel.ragged is not None:
            return True
        if any(not bins.atomic for bins in kernel.bins):
            return True
    if program.loops():
        return True
    return any(stitched.on_chip for stitched in program.stitched()) or any(c.on_chip for c in program.composed())


_BYTES, _CALL = variable("@bytes", SIZE), variable("@call")


class WorkspaceWriter:
    """Writes what reserves memory for variables of one region."""

    def __init__(self, program: MappedProgram, affine: Affine, bindings: Bindings) -> None:
        self.program, self.affine, self.bindings = program, affine, bindings
        self.scop = program.scop
        self.symbols = {a.symbol.name: a.symbol for a in self.scop.arrays}
        self.stored = program.workspace()

    def lines(
        self,
        memory: str,
        holds: Callable[[str], bool],
        ragged: Seq[tuple[str, Expr]] = (),
        names: Callable[[str], bool] = lambda name: True,
    ) -> tuple[Node, ...]:
        """Reserve `memory`, one of those of a `pencilc_scratch`, for the workspace variables that it holds.

        `ragged`: kernels over ragged rows with the number of their rows, for where the points of each row begin.
        `names`: whether what follows names the variable of that name; others have their place, but no pointer.
        """
        stored = [s for s in self.stored if holds(s.array)]
        if not stored and not ragged:
            return ()
        found: list[Node] = [declare("@bytes", SIZE, ZERO)]
        pointers: list[Node] = []
        for storage in stored:
            symbol = self.symbols[storage.array]
            name, ctype = safe(storage.array), element_type(symbol.type)
            factors = self._factors(storage, symbol, found)
            bytes_ = _bytes_of(ctype, factors)
            if not names(name):
                found.append(evaluate("pencilc_place", address(_BYTES), bytes_))
                continue
            found += _reserved(f"@{name}_at", bytes_)
            pointers.append(_placed(name, ctype, memory, f"@{name}_at"))
        for kernel, rows in ragged:
            # Where the points of each row begin, how many there are, and room for a scan.
            found += _reserved(f"@{kernel}_at", _bytes_of(LLONG, [plus(rows, number(1 + MAX_THREADS))]))
            pointers.append(_placed(f"@{kernel}_starts", LLONG, memory, f"@{kernel}_at"))
        member = address(variable(f"pencilc_scratch::{memory}"))
        reserved = method(_CALL, "reserve", member, _BYTES, variable("false"))
        found.append(evaluate("PENCILC_RETURN", reserved))
        return (*found, *pointers)

    def regions(self, shared: Seq[SharedPromotion]) -> tuple[Node, ...]:
        """What places what a row of a composed kernel keeps in `used` bytes: region k begins at `at<k>`, the first one
        at the beginning.
        """
        found: list[Node] = []
        used = variable("@used", LLONG)
        for region in dict.fromkeys(s.region for s in shared if is_dynamic(self.scop, s.storage)):
            storage = next(s.storage for s in shared if s.region == region)
            symbol = self.symbols[storage.array]
            factors = self._factors(storage, symbol, found)
            found += [declare(f"@at{region}", LLONG, used, is_const=True)] if region else []
            bytes_ = _bytes_of(element_type(symbol.type), factors)
            found.append(set_to(used, call("pencilc_padded", bytes_, returns=LLONG), "+"))
            # Subscripts of the others name all of their sizes but the first.
            others = [s.storage for s in shared if s.region == region and s.storage is not storage]
            found += [declared for other in others for declared in self._origins(other)]
            found += [declared for other in others for _, declared in self._sizes(other)[1:]]
        return (declare("@used", LLONG, ZERO), *found) if found else ()

    def _factors(self, storage: Storage, symbol: Symbol, before: list[Node]) -> list[Expr]:
        """The sides of an array; what computes the sizes goes to `before`."""
        expanded = self._sizes(storage)
        before += [*self._origins(storage), *(declared for _, declared in expanded)]
        sides = extents(symbol.type)[fixed_subscripts(storage) :]
        factors: list[Expr] = [variable(name, LLONG) for name, _ in expanded]
        factors += [counted(lowered(e, self.bindings)) for e in sides if e is not None]
        return factors or [ONE]

    def _sizes(self, storage: Storage) -> list[tuple[str, Node]]:
        """The names of the expanded dimensions' sizes, and what computes them."""
        found: list[tuple[str, Node]] = []
        names = zip(expansion_names(storage), expansion_origins(storage), strict=True)
        for dimension, (name, origin) in zip(storage.expanded, names, strict=True):
            size, condition = self._bound(dimension.largest.add_constant_val(isl.Val(1)))
            if not isinstance(size, Name):
                # One more than the largest value, in 64 bits.
                size = binary("+", self._bound(dimension.largest)[0], IntLiteral(1, LLONG, UNKNOWN_SPAN))
            if origin:
                size = binary("-", size, variable(origin, LLONG))
            if condition is not None:
                size = choice(condition, size, ZERO)
            found.append((name, declare(name, LLONG, size, is_const=True)))
        return found

    def _origins(self, storage: Storage) -> list[Node]:
        """What computes the values from which expanded dimensions count."""
        found: list[Node] = []
        for dimension, name in zip(storage.expanded, expansion_origins(storage), strict=True):
            if dimension.least is None:
                continue
            value, condition = self._bound(dimension.least)
            if condition is not None:
                value = choice(condition, value, ZERO)
            found.append(declare(name, LLONG, value, is_const=True))
        return found

    def _bound(self, bound: isl.PwAff) -> tuple[Expr, Expr | None]:
        """A bound of a loop, and the condition under which it has values."""
        known = bound.domain().params() if bound.domain().dim(isl.dim_type.set) else bound.domain()
        value = self.affine.value(bound, self.scop.context.intersect(known))
        return value, self.affine.condition(known, self.scop.context)


def _bytes_of(ctype: CType, sides: Seq[Expr]) -> Expr:
    """`sizeof(ctype) * a * b …`."""
    size: Expr = call("sizeof", variable(type_text(ctype), ctype), returns=SIZE)
    for side in sides:
        size = times(size, side)
    return size


def _reserved(name: str, bytes_: Expr) -> list[Node]:
    """`name` is where so many bytes begin."""
    return [declare(name, SIZE, _place(bytes_), is_const=True)]


def _place(bytes_: Expr) -> Expr:
    """Where so many bytes begin, behind which others do."""
    return call("pencilc_place", address(_BYTES), bytes_, returns=SIZE)


def _placed(name: str, ctype: CType, memory: str, at: str) -> Node:
    """The variable in the memory of the call."""
    start = method(_CALL, memory, returns=PointerType(CHAR))
    pointer = PointerType(ctype)
    return declare(name, pointer, cast(pointer, binary("+", start, variable(at, SIZE))), is_const=True)
