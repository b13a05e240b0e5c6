"""How C spells constants: integers, characters, strings."""

from __future__ import annotations

import re

from pencilc.ir.source import INT, LLONG, LONG, UINT, ULLONG, ULONG, Scalar

_PIECES = re.compile(r"\\x[0-9a-fA-F]+|\\[0-7]{1,3}|\\.|[^\\]+")  # of a string literal
_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "\\": 92, "'": 39, '"': 34, "?": 63, "e": 27}


def parse_integer(text: str) -> tuple[int, Scalar]:
    """Value and type of an integer constant, as C99 6.4.4.1 chooses it; raises ValueError."""
    body = text.rstrip("uUlL")
    suffix = text[len(body) :].lower()
    digits = body.lower()
    if digits.startswith("0x"):
        value = int(digits, 16)
    elif digits.startswith("0b"):
        value = int(digits[2:], 2)
    else:
        value = int(digits, 8) if digits.startswith("0") and len(digits) > 1 else int(digits)
    decimal = not digits.startswith("0") or value == 0
    candidates: list[Scalar] = [INT, UINT, LONG, ULONG]
    if "u" in suffix:
        candidates = [UINT, ULONG]
    elif decimal:
        candidates = [INT, LONG]
    if "l" in suffix:
        candidates = [t for t in candidates if t.size == 8]
    for ctype in candidates:
        if value <= largest(ctype):
            if "ll" in suffix:
                ctype = LLONG if ctype == LONG else ULLONG
            return value, ctype
    raise ValueError(text)


def parse_character(text: str) -> int:
    """Value of a character constant; raises ValueError for those of several characters, or bytes."""
    prefix, _, rest_of_text = text.partition("'")
    body = rest_of_text[:-1]
    if body.startswith("\\"):
        rest = body[1:]
        if rest[:1] == "x":
            value = int(rest[1:], 16)
        elif rest[:1].isdigit():
            value = int(rest, 8)
        elif rest in _ESCAPES:
            value = _ESCAPES[rest]
        else:
            raise ValueError(text)
    elif len(body) == 1:
        value = ord(body)
    else:
        raise ValueError(text)
    if prefix:
        # `wchar_t` is `int`.
        return value - 2**32 if prefix == "L" and value >= 2**31 else value
    if value > 255 or not (body.startswith("\\") or body.isascii()):
        raise ValueError(text)
    return value - 256 if value >= 128 else value


def parse_string(text: str) -> bytes:
    """The bytes of a string literal without the last zero; raises ValueError for wide ones."""
    if not text.startswith('"'):
        raise ValueError(text)
    found = bytearray()
    for piece in _PIECES.findall(text[1:-1]):
        found += bytes([parse_character(f"'{piece}'") % 256]) if piece.startswith("\\") else piece.encode()
    return bytes(found)


def largest(ctype: Scalar) -> int:
    """The largest value of an integer type."""
    if ctype.kind == "bool":
        return 1
    bits = 8 * ctype.size
    return int(2**bits - 1 if ctype.kind == "uint" else 2 ** (bits - 1) - 1)


def is_float_text(text: str) -> bool:
    """Whether a numeric constant is a floating one."""
    lower = text.lower()
    if lower.startswith("0x"):
        return "p" in lower or "." in lower
    return bool(re.search(r"[.e]", lower))
