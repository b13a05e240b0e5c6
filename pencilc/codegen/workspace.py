"""Device memory of a call for variables of the region that live from kernel to kernel."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Seq

import islpy as isl

from pencilc.codegen.astgen import Text
from pencilc.codegen.cexpr import Bindings, expression, type_text
from pencilc.codegen.frame import whole
from pencilc.codegen.instances import expansion_names
from pencilc.codegen.names import safe
from pencilc.gpu.fusion.shared_promotion import fixed_subscripts, is_dynamic
from pencilc.ir.mapping import MappedProgram, SharedPromotion
from pencilc.ir.source import Symbol, element_type, extents
from pencilc.ir.storage import Storage
from pencilc.target import MAX_THREADS


def needs_scratch(program: MappedProgram) -> bool:
    """Whether a call needs memory of its own: for partial results, or for variables between kernels."""
    if program.workspace():
        return True
    for kernel in program.kernels():
        if kernel.reductions or kernel.ragged is not None:
            return True
        if any(not bins.atomic for bins in kernel.bins):
            return True
    return any(stitched.on_chip for stitched in program.stitched()) or any(c.on_chip for c in program.composed())


class WorkspaceWriter:
    """Writes the lines that reserve memory for variables of one region."""

    def __init__(self, program: MappedProgram, text: Text, bindings: Bindings) -> None:
        self.program, self.text, self.bindings = program, text, bindings
        self.scop = program.scop
        self.symbols = {a.symbol.name: a.symbol for a in self.scop.arrays}

    def lines(self, memory: str, holds: Callable[[str], bool], ragged: Seq[tuple[str, str]] = ()) -> tuple[str, ...]:
        """Reserve `memory`, one of those of a `pencilc_scratch`, for the workspace variables that it holds.

        `ragged`: kernels over ragged rows with the number of their rows, for where the points of each row begin.
        """
        stored = [s for s in self.program.workspace() if holds(s.array)]
        if not stored and not ragged:
            return ()
        lines, pointers = ["size_t @bytes = 0;"], []
        for storage in stored:
            symbol = self.symbols[storage.array]
            name, ctype = safe(storage.array), type_text(element_type(symbol.type))
            count = self._count(storage, symbol, lines)
            lines.append(f"const size_t @{name}_at = @bytes;")
            lines.append(f"@bytes += (sizeof({ctype}) * {count} + 255) / 256 * 256;")
            pointers.append(f"{ctype} *const {name} = ({ctype} *)(@call.{memory}() + @{name}_at);")
        for kernel, rows in ragged:
            lines.append(f"const size_t @{kernel}_at = @bytes;")
            # Where the points of each row begin, how many there are, and room for a scan.
            lines.append(f"@bytes += (sizeof(long long) * ({rows} + {1 + MAX_THREADS}) + 255) / 256 * 256;")
            pointers.append(f"long long *const @{kernel}_starts = (long long *)(@call.{memory}() + @{kernel}_at);")
        lines.append(f"PENCILC_RETURN(@call.reserve(&pencilc_scratch::{memory}, @bytes, false));")
        return (*lines, *pointers)

    def regions(self, shared: Seq[SharedPromotion]) -> tuple[str, ...]:
        """Lines that place what a row of a composed kernel keeps in `used` bytes: region k begins at `at<k>`, the first
        one at the beginning.
        """
        lines: list[str] = []
        for region in dict.fromkeys(s.region for s in shared if is_dynamic(self.scop, s.storage)):
            storage = next(s.storage for s in shared if s.region == region)
            symbol = self.symbols[storage.array]
            count = self._count(storage, symbol, lines)
            lines += [f"const long long @at{region} = @used;"] if region else []
            lines.append(f"@used += pencilc_padded(sizeof({type_text(element_type(symbol.type))}) * {count});")
            # Subscripts of the others name all of their sizes but the first.
            others = [s.storage for s in shared if s.region == region and s.storage is not storage]
            lines += [line for other in others for _, line in self._sizes(other)[1:]]
        return ("long long @used = 0;", *lines) if lines else ()

    def _count(self, storage: Storage, symbol: Symbol, lines: list[str]) -> str:
        expanded = self._sizes(storage)
        lines += [line for _, line in expanded]
        sides = extents(symbol.type)[fixed_subscripts(storage) :]
        factors = [name for name, _ in expanded]
        factors += [f"pencilc_count({expression(e, self.bindings)})" for e in sides if e is not None]
        return " * ".join(factors) or "1"

    def _sizes(self, storage: Storage) -> list[tuple[str, str]]:
        """The names of the expanded dimensions' sizes, and the lines that compute them."""
        found = []
        for (_, largest), name in zip(storage.expanded, expansion_names(storage), strict=True):
            known = largest.domain().params() if largest.domain().dim(isl.dim_type.set) else largest.domain()
            value = whole(self.text.value(largest, self.scop.context.intersect(known)))
            condition = self.text.condition(known, self.scop.context)
            inhabited = f"{condition} ? {value} + 1ll : 0" if condition else f"{value} + 1ll"
            found.append((name, f"const long long {name} = {inhabited};"))
        return found
