"""Names in the generated file: what C allows and C++ or CUDA does not, and fresh names.

`template`, `new`, `threadIdx` or an own `float3` are ordinary names in C and must survive; they get
one underscore here, the same one everywhere in a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import TypeAlias

from pencilc.ir.header_names import HEADER_NAMES, MACROS

# What a name of the tree is called in the function of the output that is printed.
Spelling: TypeAlias = Callable[[str], str]

_CPP = """alignas alignof and and_eq asm auto bitand bitor bool catch char8_t char16_t char32_t class compl concept
consteval constexpr constinit const_cast co_await co_return co_yield decltype delete dynamic_cast explicit export
false friend inline mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public
register reinterpret_cast requires static_assert static_cast std template this thread_local throw true try typeid
typename using virtual wchar_t xor xor_eq"""

_CUDA = """threadIdx blockIdx blockDim gridDim warpSize dim3 uint3 min max rsqrt rsqrtf saturate
cudaError_t cudaStream_t cudaSuccess atomicAdd atomicSub atomicMin atomicMax atomicInc atomicDec atomicCAS
atomicExch atomicAnd atomicOr atomicXor clock clock64 assert printf malloc free memcpy memset
norm rnorm norm3d norm4d normf rnormf rhypot rcbrt sincos sincosf sincospi sincospif sinpi cospi sinpif cospif
normcdf normcdfinv erfcinv erfinv erfcx exp10 exp10f cyl_bessel_i0 fdividef umulhi mulhi saturatef surface texture
unix linux NULL EOF I main"""

# What building blocks call numbers that the compiler of CUDA knows: `template <int LANES>`.
_CONSTANTS = "ACROSS BINS BLOCK BLOCKS COUNT DEPTH DOWN HALF ITEMS LANES GROUP ONCE WIDTH THREADS WARPS"

_VECTOR_BASES = "char uchar short ushort int uint long ulong longlong ulonglong float double"
_VECTORS = [f"{base}{n}" for base in _VECTOR_BASES.split() for n in range(1, 5)]

# Names of C++ and CUDA; with those of building blocks and the macros of headers, all that no name of the source can be.
OF_LANGUAGE = frozenset([*_CPP.split(), *_CUDA.split(), *_VECTORS, *(f"make_{v}" for v in _VECTORS)])
RESERVED = OF_LANGUAGE | MACROS | frozenset(_CONSTANTS.split())


@cache
def safe(name: str) -> str:
    """`name` as it may stand in CUDA C++: one underscore more if the language has taken it."""
    return (
        name
        if name.startswith("@")
        else f"{name}_"
        if name in RESERVED or name.startswith(("cuda", "__", "pencilc_"))
        else name
    )


def entry_name(name: str) -> str:
    """What the file calls the entry point for the host of a function `name`, which the linker knows under that name."""
    return f"{name}_" if name in HEADER_NAMES else safe(name)


def as_written(name: str) -> str:
    """`name`, variables of building blocks as `@count`: what dumps show."""
    return name


class NameTable:
    """Unique names of one scope of the output; asking twice for a key gives the same name."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._by_key: dict[str, str] = {}

    def name(self, key: str, wish: str | None = None) -> str:
        """The name of `key`: `wish` (or the key itself), made safe and distinct from all others."""
        if key not in self._by_key:
            self._by_key[key] = self.fresh(wish or key)
        return self._by_key[key]

    def copy(self) -> NameTable:
        """A table for a scope inside of this one."""
        return NameTable(self._taken)

    def fresh(self, wish: str) -> str:
        """A name that nothing else has, `wish` if it is free."""
        base = safe(wish)
        candidate, number = base, 1
        while candidate in self._taken:
            candidate, number = f"{base}_{number}", number + 1
        self._taken.add(candidate)
        return candidate
