"""The macros that are defined before a file begins, as gcc has them on x86-64.

`__GNUC__` is not among them: headers then use standard C where they have the choice; nor are those of vector
instructions (`__SSE2__`), which programs would use.
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


_FLOATING = (
    "__FLT_RADIX__ 2", "__FLT_EVAL_METHOD__ 0", "__FLT_DIG__ 6", "__FLT_MANT_DIG__ 24", "__FLT_MIN_EXP__ (-125)",
    "__FLT_MAX_EXP__ 128", "__FLT_MIN_10_EXP__ (-37)", "__FLT_MAX_10_EXP__ 38",
    "__FLT_MAX__ 3.40282346638528859811704183484516925e+38F", "__FLT_MIN__ 1.17549435082228750796873653722224568e-38F",
    "__FLT_EPSILON__ 1.19209289550781250000000000000000000e-7F",
    "__FLT_DENORM_MIN__ 1.40129846432481707092372958328991613e-45F",
    "__DBL_DIG__ 15", "__DBL_MANT_DIG__ 53", "__DBL_MIN_EXP__ (-1021)", "__DBL_MAX_EXP__ 1024",
    "__DBL_MIN_10_EXP__ (-307)", "__DBL_MAX_10_EXP__ 308", "__DBL_MAX__ 1.79769313486231570814527423731704357e+308",
    "__DBL_MIN__ 2.22507385850720138309023271733240406e-308",
    "__DBL_EPSILON__ 2.22044604925031308084726333618164062e-16",
    "__DBL_DENORM_MIN__ 4.94065645841246544176568792868221372e-324",
)  # fmt: skip

PREDEFINED = (
    "__linux__ 1", "__linux 1", "__gnu_linux__ 1", "__unix__ 1", "__unix 1", "__ELF__ 1", "_LP64 1", "__x86_64 1",
    "__amd64__ 1", "__amd64 1", "__STDC_IEC_559__ 1", "__STDC_IEC_559_COMPLEX__ 1", *_FLOATING,
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
