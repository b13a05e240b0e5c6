"""C++ and CUDA, recognised by what only they can mean: pencilc reads C99."""

from __future__ import annotations

import re

from pencilc.records import dataclass

_CPP = "C++"
_CUDA = "CUDA"
_TYPES = "void|char|short|int|long|float|double|signed|unsigned|struct|union"  # behind which C has `auto` as well
# What stands in a line that cannot be read; names that C may use otherwise need the company of their construct.
_PATTERNS = (
    (_CPP, "template", r"\btemplate\s*<"),
    (_CPP, "class", r"\bclass\s+\w+"),
    (_CPP, "using", r"\busing\s+\w+"),
    (_CPP, "namespace", r"\bnamespace\s+\w+"),
    (_CPP, "{0}", r"\b(?!return\b)\w+\s*::\s*~?\w+"),
    (_CPP, "::", r"::"),
    (_CPP, "{0}", r"\b(?:static|const|reinterpret|dynamic)_cast\b"),
    (_CPP, "operator", r"\boperator\s*[-+*/%<>=!&|^\[(]"),
    (_CPP, "{0}", r"\b(?:public|private|protected)\s*:"),
    (_CPP, "extern \"C\"", r"\bextern\s*\"C(?:\+\+)?\""),
    (_CPP, "{0}", rf"\bauto\b(?!\s+(?:{_TYPES})\b)\s*(?:&&?|\*)?"),
    (_CPP, "new", r"\bnew\s+\w+"),
    (_CPP, "delete", r"\bdelete\b(?:\s*\[\s*\]|\s+\w)"),
    (_CPP, "{0}", r"\b(?:constexpr|typename|noexcept|decltype)\b"),
    (_CPP, "{0}", r"\b(?:virtual|explicit|friend|mutable|throw)\s+\w+|\btry\s*\{|\bcatch\s*\("),
    (_CPP, "a lambda", r"\[[&=\w,\s]*\]\s*\([^()]*\)\s*(?:->\s*\w+\s*)?\{"),
    (_CPP, "a reference", r"\b(?:const\s+\w+|int|float|double|char|long|short|bool|unsigned)\s*&\s*\w+\s*[,)=]"),
    (_CPP, "a loop over a container", r"\bfor\s*\((?:\s*\w+)+\s*[&*]?\s*\w+\s*:(?!:)[^;?]*\)"),
    (_CUDA, "{0}", r"__(?:global|device|host|shared|constant|managed|launch_bounds|forceinline)__"),
    (_CUDA, "<<<", r"<<<"),
)  # fmt: skip
_ASSEMBLY = re.compile(r"\b(?:asm|__asm|__asm__)\b")
_STRING = re.compile(r"\"(?:\\.|[^\"\\])*\"")
_COMPILED = tuple((language, what, re.compile(pattern)) for language, what, pattern in _PATTERNS)
_CPP_NAMES = {"nullptr", "std", "string", "vector", "this", "cout", "cin", "endl"}
_CUDA_NAMES = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "__syncthreads", "__syncwarp", "atomicAdd"}
_CPP_HEADERS = {
    "algorithm", "array", "atomic", "bitset", "cassert", "cctype", "cfloat", "chrono", "climits", "cmath", "complex",
    "cstddef", "cstdint", "cstdio", "cstdlib", "cstring", "deque", "fstream", "functional", "iomanip", "iostream",
    "iterator", "limits", "list", "map", "memory", "numeric", "optional", "queue", "random", "set", "sstream", "stack",
    "stdexcept", "string", "thread", "tuple", "type_traits", "unordered_map", "utility", "vector",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """What is C++ or CUDA, as a message, and its offset in the text."""

    message: str
    offset: int


def in_line(text: str, offset: int) -> Found | None:
    """What the line of `offset`, or the one before it, has of C++ or CUDA: what stands nearest to `offset`."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    before = text.rfind("\n", 0, max(start - 1, 0)) + 1
    for first, last in ((start, len(text) if end < 0 else end), (before, start)):
        code = _STRING.sub(_blanked, text[first:last])
        if _ASSEMBLY.search(code):
            continue  # Its operands stand between any number of `:`.
        found = [
            (max(match.start() - (offset - first), (offset - first) - match.end(), 0), order, match)
            for order, (_, _, pattern) in enumerate(_COMPILED)
            for match in pattern.finditer(code)
        ]
        if found:
            _, order, match = min(found, key=lambda each: each[:2])
            language, what, _ = _COMPILED[order]
            named = what.format(" ".join(match.group().split()))
            shown = named if named.startswith("a ") else f"`{named}`"
            return Found(f"{shown} is {language}: pencilc reads C99", first + match.start())
    return None


def _blanked(string: re.Match[str]) -> str:
    """A string of the same length that says nothing; `extern "C"` is a construct of its own."""
    text = string.group()
    return text if text in ('"C"', '"C++"') else f'"{" " * (len(text) - 2)}"'


def of_name(name: str) -> tuple[str, ...]:
    """What to say about an undeclared name that C++ or CUDA brings."""
    if name in _CPP_NAMES:
        return (f"`{name}` is C++: pencilc reads C99",)
    if name in _CUDA_NAMES or re.match(r"cuda[A-Z]", name):
        return (f"`{name}` is CUDA: pencilc reads C99 and chooses blocks, threads and copies itself",)
    if name in ("asm", "__asm", "__asm__"):
        return ("assembly is for one processor: write in C what it does",)
    return ()


def is_header(path: str) -> bool:
    """Whether `#include <path>` asks for a header of the C++ library."""
    return path in _CPP_HEADERS
