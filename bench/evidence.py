"""What nvcc's own figures say of a kernel: how many threads an SM holds, and how many bytes they can have in flight."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Multiprocessor:
    """The limits of one architecture's SM (CUDA C++ Programming Guide, technical specifications per compute
    capability), and the bytes that must be in flight to fill its share of the memory's bandwidth (`pencilc.target`)."""

    threads: int
    blocks: int
    registers: int
    shared: int  # bytes, of which a block takes `reserved` for itself
    reserved: int
    bytes_wanted: int

    def resident_blocks(self, threads: int, registers: int, shared: int) -> int:
        """Blocks that fit together: registers are given to warps in units of 256."""
        warps = (threads + 31) // 32
        by_registers = self.registers // (warps * ((32 * registers + 255) // 256 * 256)) if registers else self.blocks
        by_shared = self.shared // (shared + self.reserved)
        return min(self.blocks, self.threads // threads, by_registers, by_shared)


# H200's figure stands for sm_90: it asks for more than the H100's.
MULTIPROCESSORS = {
    "sm_80": Multiprocessor(2048, 32, 65536, 164 * 1024, 1024, 16 * 1024),
    "sm_90": Multiprocessor(2048, 32, 65536, 228 * 1024, 1024, 48 * 1024),
    "sm_100": Multiprocessor(2048, 32, 65536, 228 * 1024, 1024, 64 * 1024),
}


@dataclass(frozen=True)
class Figures:
    """One kernel as `ptxas -v` describes it; bytes."""

    registers: int
    shared: int
    stack: int
    spills: int


def figures(said: str) -> dict[str, Figures]:
    """The kernels of ptxas's output by their mangled names."""
    found = {}
    for part in said.split("Compiling entry function '")[1:]:
        name = part.split("'")[0]
        stack = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", part)
        used = re.search(r"Used (\d+) registers", part)
        shared = re.search(r"(\d+) bytes smem", part)
        assert stack and used, part
        found[name] = Figures(
            int(used[1]), int(shared[1]) if shared else 0, int(stack[1]), int(stack[2]) + int(stack[3])
        )  # fmt: skip
    return found


def bytes_in_flight(sm: Multiprocessor, threads: int, grid_per_sm: int, of_a_thread: int, found: Figures) -> int:
    """What an SM has in flight when every thread has issued its loads; the grid may hold fewer blocks than fit."""
    resident = min(grid_per_sm, sm.resident_blocks(threads, found.registers, found.shared))
    return resident * threads * of_a_thread
