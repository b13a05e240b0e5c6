"""Functions of C compilers and of the C library that PENCIL does not have, as functions of the program's own.

`__builtin_popcount(x)`, `isalpha(c)`: each with a name and a definition that C and PENCIL read alike.  Characters are
those of the "C" locale.
"""

from __future__ import annotations

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Fix
from pencilc.diagnostics.source import Span
from pencilc.frontend.context import FileContext
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class OwnFunction:
    """A function to be called instead, and its definition."""

    name: str
    definition: str


def _bits(name: str, ctype: str, width: int) -> dict[str, OwnFunction]:
    """The functions on the bits of a type, named after those of gcc."""
    suffix = {"unsigned": "", "unsigned long": "l", "unsigned long long": "ll"}[ctype]
    bodies = {
        "popcount": "int n = 0; for (int k = 0; k < W; k++) n += (int)(x >> k & 1); return n;",
        "parity": "int n = 0; for (int k = 0; k < W; k++) n ^= (int)(x >> k & 1); return n;",
        "clz": "int n = W; for (int k = 0; k < W; k++) if (x >> k & 1) n = W - 1 - k; return n;",
        "ctz": "int n = W; for (int k = W - 1; k >= 0; k--) if (x >> k & 1) n = k; return n;",
        "ffs": "int n = 0; for (int k = W - 1; k >= 0; k--) if (x >> k & 1) n = k + 1; return n;",
    }
    return {
        f"__builtin_{what}{suffix}": OwnFunction(
            f"{name}_{what}", f"static int {name}_{what}({ctype} x) {{ {body.replace('W', str(width))} }}"
        )
        for what, body in bodies.items()
    }  # fmt: skip


def _character(name: str, new: str, test: str, value: str = "") -> tuple[str, OwnFunction]:
    """A test of a character, or with `value` what it becomes where the test holds."""
    result = f"{test} ? {value} : c" if value else test
    return name, OwnFunction(new, f"static int {new}(int c) {{ return {result}; }}")


_UPPER, _LOWER, _DIGIT = "c >= 'A' && c <= 'Z'", "c >= 'a' && c <= 'z'", "c >= '0' && c <= '9'"
_LETTER = f"({_UPPER}) || ({_LOWER})"
OWN_FUNCTIONS: dict[str, OwnFunction] = {
    **_bits("bits", "unsigned", 32),
    **_bits("bits_of_long", "unsigned long", 64),
    **_bits("bits_of_64", "unsigned long long", 64),
    **dict(
        [
            _character("isalpha", "is_letter", _LETTER),
            _character("isalnum", "is_letter_or_digit", f"{_LETTER} || ({_DIGIT})"),
            _character("isdigit", "is_digit", _DIGIT),
            _character("isxdigit", "is_hex_digit", f"({_DIGIT}) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')"),
            _character("isupper", "is_upper", _UPPER),
            _character("islower", "is_lower", _LOWER),
            _character("isspace", "is_space", "c == ' ' || (c >= '\\t' && c <= '\\r')"),
            _character("isblank", "is_blank", "c == ' ' || c == '\\t'"),
            _character("isprint", "is_printed", "c >= 32 && c < 127"),
            _character("isgraph", "is_seen", "c > 32 && c < 127"),
            _character("iscntrl", "is_control", "(c >= 0 && c < 32) || c == 127"),
            _character("ispunct", "is_mark", f"c > 32 && c < 127 && !({_LETTER} || ({_DIGIT}))"),
            _character("toupper", "to_upper", f"({_LOWER})", "c - 'a' + 'A'"),
            _character("tolower", "to_lower", f"({_UPPER})", "c - 'A' + 'a'"),
        ]
    ),
}


def own_function(context: FileContext, name: str, span: Span) -> Fix | None:
    """The fix that defines a function for the one that is called at `span`, and calls it; None where there is none."""
    own = OWN_FUNCTIONS.get(name)
    if own is None:
        return None
    if own.name in context.definitions:
        return context.renamed(span, name, own.name, f"call `{own.name}`, which the file has")
    text = f"write `{own.definition}` in front of the function, and call `{own.name}`"
    called = fixes.replaced(context.file_of(span), span, name, own.name)
    return fixes.fix(text, [called, context.before_function(span, own.definition)])
