"""The GPUs that pencilc chooses for: what their hardware has, and the figures that estimates are made with.

Sizes and limits are those of the table "Technical Specifications per Compute Capability" of the CUDA programming
guide.  A generated file runs on every device from sm_75 on, whatever it was chosen for: where it relies on something
on all of them, it relies on the constants of this module; what a device has beyond that, the file asks when it runs.
"""

from __future__ import annotations

from enum import Enum

from pencilc.records import dataclass

WARP = 32
"""Threads of a warp, on every GPU of NVIDIA's."""
SECTOR, LINE = 32, 128
"""Bytes that memory moves together, and those that have one place in a cache: four sectors, on every GPU."""
LANE_COUNTS = tuple(1 << k for k in range(WARP.bit_length()))
"""Into how many lanes a warp can be divided evenly: the powers of two up to all of it."""
SHARED_A_CYCLE = 128
"""Bytes of shared memory that a multiprocessor moves in a cycle, on every GPU: 32 banks of four bytes."""
STATIC_SHARED = 48 * 1024
"""Bytes of shared memory that a block has without asking for more, on every GPU."""
RESERVED_SHARED = 1024
"""Bytes of shared memory that the driver takes for itself from each resident block: none on sm_75, this much on all
others."""
CONSTANT_MEMORY = 64 * 1024
"""Bytes of constant memory of a file, on every GPU."""
MAX_THREADS = 1024
"""Threads of a block, at most, on every GPU."""
THREADS_PER_SM = 2048
"""Threads that a multiprocessor holds, at most, on every GPU."""
MAX_GRID = 65535
"""Blocks along y and z, at most, on every GPU."""
MAX_WIDE = 2**31 - 1
"""Blocks along x, at most, on every GPU."""
REGISTERS = 65536
"""Registers of 32 bits of a multiprocessor, on every GPU."""
THREAD_REGISTERS = 255
"""Those of a thread, at most, on every GPU."""


class Instruction(Enum):
    """What only some GPUs have an instruction for."""

    REDUX = "a reduction of 32-bit integers over a warp"
    ASYNC_COPY = "a copy from global to shared memory that passes no register"
    CLUSTERS = "blocks that reach into each other's shared memory"
    MMA_HALF = "products of matrices of half"
    MMA_INT8 = "products of matrices of 8-bit integers"
    MMA_BFLOAT16 = "products of matrices of bfloat16, and of float rounded to tf32"
    MMA_DOUBLE = "products of matrices of double"


_TURING = frozenset((Instruction.MMA_HALF, Instruction.MMA_INT8))
_AMPERE = _TURING | {Instruction.REDUX, Instruction.ASYNC_COPY, Instruction.MMA_BFLOAT16, Instruction.MMA_DOUBLE}
_HOPPER = _AMPERE | {Instruction.CLUSTERS}


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """What a GPU computes, by its data sheet and the table "Throughput of Native Arithmetic Instructions" of the guide.

    `floats`: instructions on 32-bit floats in a second, of all threads: half of the operations of the data sheet, where
    a product that is added counts as two.  `for_double`: how many of them a multiprocessor does in the time of one of
    64-bit floats (128 to 64 on sm_90); data sheets that name both say the same (A100 19.5 and 9.7, H100 67 and 34
    TFLOPS).  `for_int`: the same for 32-bit integers (64 on all but sm_120).  `at_once`: how many a multiprocessor does
    in a cycle, in which its shared memory moves SHARED_A_CYCLE bytes.
    `halves`: products of 16-bit floats that tensor cores add in a second, with sums of 32 bits and without sparsity,
    half of the operations of the data sheet; those of tf32 take twice the time.  `bytes`: the same of bytes.  0 where
    tensor cores are not used.
    """

    floats: float
    for_double: int
    for_int: int
    at_once: int
    halves: float = 0
    bytes: float = 0

    @property
    def shared_bandwidth(self) -> float:
        """Bytes in a second of the shared memory of all multiprocessors."""
        return self.floats / self.at_once * SHARED_A_CYCLE


@dataclass(frozen=True, slots=True)
class Target:
    """A GPU as the mapping sees it; sizes in bytes, times in seconds.

    `like` names the device that the figures for estimates are those of: its multiprocessors; nine tenths of the
    bandwidth that its data sheet names; the bytes that a multiprocessor must have in flight to reach it, which is its
    share of the bandwidth times the latency of memory, and as much again for what is not spread evenly; what a launch
    and a barrier of the whole grid take; what it computes.  None of them was measured for pencilc.
    """

    arch: str
    like: str
    threads_per_sm: int
    blocks_per_sm: int
    shared_per_sm: int
    shared_per_block: int
    instructions: frozenset[Instruction]
    multiprocessors: int
    bandwidth: float
    bytes_in_flight: int
    arithmetic: Arithmetic
    launch_seconds: float = 2.5e-6
    grid_seconds: float = 1.2e-6

    @property
    def arch_macro(self) -> int:
        """What `__CUDA_ARCH__` is when code is compiled for the GPU: 900 for sm_90."""
        return 10 * int(self.arch.removeprefix("sm_"))

    def has(self, instruction: Instruction) -> bool:
        """Whether the GPU has the instruction."""
        return instruction in self.instructions

    def resident(self, threads: int, registers: int = 0, shared: int = 0) -> int:
        """Blocks of `threads` threads that a multiprocessor holds; `registers` of a thread, `shared` bytes of a block.

        Registers are taken as if they were given out one by one.  0 where not even one block fits.
        """
        found = min(self.blocks_per_sm, self.threads_per_sm // threads)
        if registers:
            found = min(found, REGISTERS // (threads * registers))
        if shared:
            found = min(found, self.shared_per_sm // (shared + RESERVED_SHARED))
        return found


_T4 = Arithmetic(4.05e12, 32, 1, 64)
_A100 = Arithmetic(9.75e12, 2, 1, 64, halves=156e12, bytes=312e12)
_A10 = Arithmetic(15.6e12, 64, 2, 128, halves=62.5e12, bytes=125e12)
_L40S = Arithmetic(45.8e12, 64, 2, 128, halves=181e12, bytes=366e12)
_H100 = Arithmetic(33.5e12, 2, 2, 128, halves=494.5e12, bytes=989.5e12)
_B200 = Arithmetic(40e12, 2, 2, 128, halves=1125e12, bytes=2250e12)
_RTX_5090 = Arithmetic(52.4e12, 64, 1, 128, halves=104.8e12, bytes=419e12)
_KIB = 1024
TARGETS = {
    target.arch: target
    for target in (
        Target("sm_75", "T4", 1024, 16, 64 * _KIB, 64 * _KIB, _TURING, 40, 0.29e12, 8 * _KIB, _T4),
        Target("sm_80", "A100", 2048, 32, 164 * _KIB, 163 * _KIB, _AMPERE, 108, 1.8e12, 16 * _KIB, _A100),
        Target("sm_86", "A10", 1536, 16, 100 * _KIB, 99 * _KIB, _AMPERE, 72, 0.54e12, 8 * _KIB, _A10),
        Target("sm_89", "L40S", 1536, 24, 100 * _KIB, 99 * _KIB, _AMPERE, 142, 0.78e12, 8 * _KIB, _L40S),
        Target("sm_90", "H100 and H200", 2048, 32, 228 * _KIB, 227 * _KIB, _HOPPER, 132, 3.0e12, 48 * _KIB, _H100),
        Target("sm_100", "B200", 2048, 32, 228 * _KIB, 227 * _KIB, _HOPPER, 148, 7.2e12, 64 * _KIB, _B200),
        Target("sm_120", "RTX 5090", 1536, 24, 100 * _KIB, 99 * _KIB, _HOPPER, 170, 1.6e12, 12 * _KIB, _RTX_5090),
    )
}
DEFAULT = TARGETS["sm_90"]


class UnknownTarget(Exception):
    """No GPU that pencilc knows has the name."""


def target_of(arch: str) -> Target:
    """The target of a name as nvcc takes it: `sm_90`, and `sm_90a` or `sm_100f` for the same; raises UnknownTarget.

    A GPU between two that are known (sm_87, sm_103) is taken for the older one of them, with the same generation's
    sizes where there is one.
    """
    digits = arch.removeprefix("sm_").rstrip("af")
    if not arch.startswith("sm_") or not digits.isdigit():
        raise UnknownTarget(f"give a target such as {DEFAULT.arch}")
    known = [name for name in TARGETS if int(name.removeprefix("sm_")) <= int(digits)]
    if not known:
        raise UnknownTarget(f"{next(iter(TARGETS))} is the least")
    return TARGETS[known[-1]]
