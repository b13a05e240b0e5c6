"""The value of the expression of an `#if`, as C99 6.10.1 and gcc compute it.

    1 << 70 > 3 ? -1 > 0u : 'a' == 97        0

All integers have 64 bits, so an expression takes as long as it has tokens.  pcpp's own evaluator shifts integers of
any size, by as much as memory holds, and takes `a ? b : c ? d : e` for `(a ? b : c) ? d : e`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

from pencilc.frontend.limits import more_than
from pencilc.frontend.syntax.literals import parse_character
from pencilc.records import dataclass

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d[\w.]*)|(?P<character>[LuU]?'(?:\\.|[^'\\])+')|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<operator><<|>>|<=|>=|==|!=|&&|\|\||[-+~!*/%<>&|^?:(),])|(?P<stray>\S))"
)
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9]\d*)([uU]?(?:ll?|LL?)?[uU]?)")
_LEVELS = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"),
    ("*", "/", "%"),
)  # fmt: skip
_BINDING = {operator: level for level, operators in enumerate(_LEVELS) for operator in operators}
_BITS = 64
_NESTING = 100  # parentheses, signs and choices in each other


class Malformed(Exception):
    """The expression has no value; the message says why."""


@dataclass(frozen=True, slots=True)
class _Value:
    """A value of type `intmax_t`, or `uintmax_t`."""

    number: int
    is_unsigned: bool = False


def value_of(text: str) -> int:
    """The value of the expression `text`, in which macros have been expanded; raises Malformed."""
    parser = _Parser(text)
    value = parser.comma(True)
    if parser.kind:
        parser.fail()
    return value.number


class _Parser:
    """A parser by precedence that computes as it reads; what `evaluates` is false for may divide by zero."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self.at = self.depth = 0
        self.kind, self.token = "", ""
        self.advance()

    def advance(self) -> None:
        """Go to the next token; the kind is empty at the end."""
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            self.kind, self.token = "", ""
            return
        self.at = match.end()
        self.kind = str(match.lastgroup)
        self.token = match.group(self.kind)

    def fail(self) -> NoReturn:
        """Refuse the token that stands here."""
        raise Malformed(f"`{self.token}` is not expected in a condition" if self.kind else "the condition is cut off")

    def expect(self, operator: str) -> None:
        """Pass over `operator`; raises Malformed where another token stands."""
        if self.token != operator or self.kind != "operator":
            self.fail()
        self.advance()

    @contextmanager
    def nested(self) -> Iterator[None]:
        """One level further down; raises Malformed where there are too many."""
        self.depth += 1
        if self.depth > _NESTING:
            raise Malformed(more_than(_NESTING, "operators of a condition are nested in each other"))
        yield
        self.depth -= 1

    def comma(self, evaluates: bool) -> _Value:
        """`a, b`"""
        value = self.choice(evaluates)
        while self.token == ",":
            self.advance()
            value = self.choice(evaluates)
        return value

    def choice(self, evaluates: bool) -> _Value:
        """`a ? b : c`"""
        condition = self.binary(0, evaluates)
        if self.token != "?":
            return condition
        self.advance()
        with self.nested():
            then = self.comma(evaluates and condition.number != 0)
            self.expect(":")
            otherwise = self.choice(evaluates and condition.number == 0)
        chosen = then if condition.number else otherwise
        return _made(chosen.number, then.is_unsigned or otherwise.is_unsigned)

    def binary(self, level: int, evaluates: bool) -> _Value:
        """Operators that bind as `level` says, or more tightly."""
        left = self.unary(evaluates)
        while self.kind == "operator" and _BINDING.get(self.token, -1) >= level:
            operator = self.token
            self.advance()
            decided = (operator == "&&" and not left.number) or (operator == "||" and left.number != 0)
            right = self.binary(_BINDING[operator] + 1, evaluates and not decided)
            left = _combined(operator, left, right, evaluates)
        return left

    def unary(self, evaluates: bool) -> _Value:
        """A sign, or what it stands before."""
        if self.kind != "operator" or self.token not in "-+~!":
            return self.primary(evaluates)
        operator = self.token
        self.advance()
        with self.nested():
            operand = self.unary(evaluates)
        if operator == "!":
            return _Value(int(not operand.number))
        number = {"-": -operand.number, "+": operand.number, "~": ~operand.number}[operator]
        return _made(number, operand.is_unsigned)

    def primary(self, evaluates: bool) -> _Value:
        """A number, a character, a name without a macro, which is 0, or a parenthesis."""
        kind, token = self.kind, self.token
        if token == "(":
            self.advance()
            with self.nested():
                value = self.comma(evaluates)
                self.expect(")")
            return value
        if kind not in ("number", "character", "name"):
            self.fail()
        self.advance()
        if kind == "number":
            return _number(token)
        if kind == "character":
            return _character(token)
        if token.startswith("__has_"):
            self._pass_over_arguments()
        return _Value(0)

    def _pass_over_arguments(self) -> None:
        """Behind `defined(__has_include) &&` stands a call that only compilers with that macro read."""
        depth = 0
        while self.kind and (depth or self.token == "("):
            depth += {"(": 1, ")": -1}.get(self.token, 0)
            self.advance()


def _made(number: int, is_unsigned: bool) -> _Value:
    number %= 1 << _BITS
    if not is_unsigned and number >> (_BITS - 1):
        number -= 1 << _BITS
    return _Value(number, is_unsigned)


def _number(token: str) -> _Value:
    match = _INTEGER.fullmatch(token)
    if match is None or len(token) > _BITS + 5:
        shown = token if len(token) < 30 else f"{token[:20]}..."
        raise Malformed(f"`{shown}` is no integer of 64 bits")
    digits = match.group(1)
    is_octal = digits.startswith("0") and digits.isdigit()
    number = int(digits, 8 if is_octal else 0)
    if number >> _BITS:
        raise Malformed(f"`{token}` is no integer of 64 bits")
    return _Value(number, "u" in match.group(2).lower() or bool(number >> (_BITS - 1)))


def _character(token: str) -> _Value:
    try:
        return _Value(parse_character(token))
    except ValueError:
        raise Malformed(f"`{token}` is no character constant") from None


def _combined(operator: str, left: _Value, right: _Value, evaluates: bool) -> _Value:
    if operator in ("&&", "||"):
        both, either = bool(left.number and right.number), bool(left.number or right.number)
        return _Value(int(both if operator == "&&" else either))
    if operator in ("<<", ">>"):
        return _shifted(left, right.number if operator == "<<" else -right.number)
    is_unsigned = left.is_unsigned or right.is_unsigned
    a, b = _made(left.number, is_unsigned).number, _made(right.number, is_unsigned).number
    if operator in ("/", "%"):
        if b == 0 and evaluates:
            raise Malformed("division by zero in a condition")
        return _made(_quotient(operator, a, b) if b else 0, is_unsigned)
    compare: dict[str, Callable[[int, int], bool]] = {
        "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__, "==": int.__eq__, "!=": int.__ne__,
    }  # fmt: skip
    if operator in compare:
        return _Value(int(compare[operator](a, b)))
    compute: dict[str, Callable[[int, int], int]] = {
        "+": int.__add__, "-": int.__sub__, "*": int.__mul__, "&": int.__and__, "|": int.__or__, "^": int.__xor__,
    }  # fmt: skip
    return _made(compute[operator](a, b), is_unsigned)


def _quotient(operator: str, a: int, b: int) -> int:
    """`a / b` or `a % b`; C rounds towards zero."""
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient if operator == "/" else a - b * quotient


def _shifted(left: _Value, by: int) -> _Value:
    """Shifted to the left by `by`, or to the right by `-by`; all bits may go, as gcc has it."""
    by = max(-_BITS, min(_BITS, by))
    return _made(left.number << by if by >= 0 else left.number >> -by, left.is_unsigned)
