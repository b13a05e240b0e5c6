"""The macros that are defined before a file begins, as gcc has them on x86-64.

`__GNUC__` is not among them: headers then use standard C where they have the choice.
"""

from __future__ import annotations

# Types of <stdint.h> and their largest values, from which the headers of gcc and of the C library make theirs.
_LARGEST = {"char": 2**7 - 1, "short": 2**15 - 1, "int": 2**31 - 1, "long": 2**63 - 1}
_SUFFIX = {"char": "", "short": "", "int": "", "long": "L"}
_INTEGERS = {"8": "char", "16": "short", "32": "int", "64": "long"}
_FAST_INTEGERS = {"8": "char", "16": "long", "32": "long", "64": "long"}
_NAMED = {"SIZE": "unsigned long", "PTRDIFF": "long", "WCHAR": "int", "WINT": "unsigned int", "SIG_ATOMIC": "int"}


def _integer_types() -> dict[str, str]:
    """`INT8` is `signed char`, `UINT_FAST64` is `unsigned long`, and what is between them."""
    made = {**_NAMED, "INTMAX": "long", "UINTMAX": "unsigned long", "INTPTR": "long", "UINTPTR": "unsigned long"}
    for form, names in (("", _INTEGERS), ("_LEAST", _INTEGERS), ("_FAST", _FAST_INTEGERS)):
        for size, name in names.items():
            made[f"INT{form}{size}"] = "signed char" if name == "char" else name
            made[f"UINT{form}{size}"] = f"unsigned {name}"
    return made


def _integer_macros() -> tuple[str, ...]:
    """`__INT8_TYPE__ signed char`, `__INT8_MAX__ 127`, and so on."""
    made = []
    for name, ctype in _integer_types().items():
        base = ctype.split()[-1]
        is_unsigned = ctype.startswith("unsigned")
        largest = 2 * _LARGEST[base] + 1 if is_unsigned else _LARGEST[base]
        suffix = ("U" if is_unsigned and base in ("int", "long") else "") + _SUFFIX[base]
        made += [f"__{name}_TYPE__ {ctype}", f"__{name}_MAX__ {largest}{suffix}"]
    return tuple(made)


PREDEFINED = (
    "__STDC__ 1", "__STDC_HOSTED__ 1", "__PENCILC__ 1", "__PENCIL__ 1", "__LP64__ 1", "__x86_64__ 1", "__CHAR_BIT__ 8",
    "__SIZEOF_SHORT__ 2", "__SIZEOF_INT__ 4", "__SIZEOF_LONG__ 8", "__SIZEOF_LONG_LONG__ 8", "__SIZEOF_POINTER__ 8",
    "__SIZEOF_FLOAT__ 4", "__SIZEOF_DOUBLE__ 8", "__SIZEOF_SIZE_T__ 8", "__SIZEOF_PTRDIFF_T__ 8",
    "__SCHAR_MAX__ 127", "__SHRT_MAX__ 32767", "__INT_MAX__ 2147483647", "__LONG_MAX__ 9223372036854775807L",
    "__LONG_LONG_MAX__ 9223372036854775807LL",
    *_integer_macros(), "__CHAR16_TYPE__ unsigned short", "__CHAR32_TYPE__ unsigned int",
    "__ATOMIC_RELAXED 0", "__ATOMIC_CONSUME 1", "__ATOMIC_ACQUIRE 2", "__ATOMIC_RELEASE 3", "__ATOMIC_ACQ_REL 4",
    "__ATOMIC_SEQ_CST 5",
    "__ORDER_LITTLE_ENDIAN__ 1234", "__ORDER_BIG_ENDIAN__ 4321", "__BYTE_ORDER__ 1234",
    "__builtin_va_list char *",
    "__extension__", "__inline inline", "__inline__ inline", "__restrict restrict", "__restrict__ restrict",
    "__const const", "__volatile__ volatile", "__signed__ signed", '__DATE__ "Jan  1 1970"', '__TIME__ "00:00:00"',
)  # fmt: skip
