"""pycparser with messages that name the token at fault and what was expected there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any

from pycparser import c_ast, c_lexer, c_parser

from pencilc.frontend.syntax.near_names import nearest
from pencilc.records import dataclass

_SPELLED = {
    "SEMI": "`;`", "LPAREN": "`(`", "RPAREN": "`)`", "LBRACE": "`{`", "RBRACE": "`}`", "LBRACKET": "`[`",
    "RBRACKET": "`]`", "COLON": "`:`", "COMMA": "`,`", "EQUALS": "`=`", "WHILE": "`while`", "ID": "a name",
    "CONDOP": "`?`",
}  # fmt: skip
_BODY = "`;` or `{`"
_ALONE = re.compile(r"([A-Za-z_]\w*)[\s*]+[A-Za-z_]\w*\s*[;=,\[]")  # a declaration at file scope: `foo_t x;`
_LOOKED_AT = 12  # tokens before a fault, pragmas among them
# What pycparser calls it, and what is missing then.
_EXPECTED = (
    ("Invalid expression", "an expression"), ("Invalid declarator", "a name"), ("Invalid declaration", "a name"),
    ("Invalid abstract declarator", "a type"), ("Invalid function definition", _BODY),
    ("Expected identifier", "a name"), ("Missing type", "a type"), ("Invalid specifier list", "a type"),
    ("Invalid struct/union", "a name or `{`"), ("Invalid designator", "`=`"), ("Invalid constant", "a constant"),
)  # fmt: skip
# What stands where the token before it ends, and is missed there.
_CLOSING = ("`;`", "`)`", "`]`", "`}`", "`:`")
_HEADERS = {
    "bool": "stdbool.h", "size_t": "stddef.h", "ptrdiff_t": "stddef.h", "FILE": "stdio.h",
    **{f"{sign}int{size}_t": "stdint.h" for sign in ("", "u") for size in (8, 16, 32, 64)},
}  # fmt: skip
_TYPES = ("char", "short", "int", "long", "float", "double", "signed", "unsigned", "void", "const", "struct", "static")
# What other languages and libraries call a type or a statement, and what C calls it.
_SAID_OTHERWISE = {
    "uint": "unsigned int", "ushort": "unsigned short", "ulong": "unsigned long", "uchar": "unsigned char",
    "byte": "unsigned char", "u8": "unsigned char", "u16": "unsigned short", "u32": "unsigned int",
    "u64": "unsigned long", "i8": "signed char", "i16": "short", "i32": "int", "i64": "long", "f32": "float",
    "f64": "double", "elif": "else if", "elsif": "else if", "elseif": "else if",
}  # fmt: skip
_STATEMENTS = ("return", "goto", "case", "else", "typedef")  # what else a name may follow

# What GNU C has in declarations; only host code can use what they declare.  Headers of the C library make typedefs of
# some of these names for other compilers.
_GNU_TYPES = (
    *(f"_Float{size}" for size in ("16", "32", "64", "128", "32x", "64x", "128x")), "__float80", "__float128",
    "__fp16", "__bf16", "__ibm128", "_Decimal32", "_Decimal64", "_Decimal128", "__int128_t", "__uint128_t",
    "__auto_type",
)  # fmt: skip
_GNU_KEYWORDS = {
    "__thread": "_THREAD_LOCAL", "typeof": "TYPEOF", "__typeof": "TYPEOF", "__typeof__": "TYPEOF",
    "__complex": "_COMPLEX", "__complex__": "_COMPLEX", "__alignof": "_ALIGNOF", "__alignof__": "_ALIGNOF",
    "__volatile": "VOLATILE", "__signed": "SIGNED", "__builtin_offsetof": "OFFSETOF",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SyntaxFailure:
    """Where the text cannot be read, as line and column of the place to show and of the token that was met."""

    line: int
    column: int
    at_line: int
    at_column: int
    message: str
    name: str = ""  # what stands there and is not known, with what is likely meant, or the header that has it
    meant: str = ""
    header: str = ""
    missing: str = ""  # what has to be written behind the token at `line`, `column`
    declared: Mapping[str, bool] = field(default_factory=dict)  # the names in scope there, and whether each is a type
    is_plain: bool = False  # one token is not the one, or begins no expression, that has to stand there


class Lexer(c_lexer.CLexer):  # type: ignore[misc]
    """A lexer that knows the words of GNU C in declarations."""

    def token(self) -> Any:
        """The next token, or None at the end."""
        token = super().token()
        if token is not None and token.type == "ID":
            token.type = _GNU_KEYWORDS.get(token.value, "ID")
        return token


# Jumps in a `switch` that leave what is around it.
_INSIDE: tuple[type, ...] = (c_ast.Continue,)


def _is_left(node: Any, leaving: tuple[type, ...] = (c_ast.Break, c_ast.Continue)) -> bool:
    """Whether a jump below `node` leaves the loop of which it is the body."""
    for _, child in node.children():
        if isinstance(child, c_ast.For | c_ast.While | c_ast.DoWhile):
            continue
        if isinstance(child, leaving) or _is_left(child, _INSIDE if isinstance(child, c_ast.Switch) else leaving):
            return True
    return False


class Parser(c_parser.CParser):  # type: ignore[misc]
    """A parser that remembers where it stopped."""

    def __init__(self) -> None:
        super().__init__(lexer=Lexer)
        self.stopped: tuple[Any, str] | None = None  # the token met (None at the end) and what was expected
        self.is_plain = False

    def _parse_translation_unit_or_empty(self) -> Any:
        self._scope_stack[0].update(dict.fromkeys(_GNU_TYPES, True))
        return super()._parse_translation_unit_or_empty()

    def _expect(self, token_type: str) -> Any:
        token = self._peek()
        if token is None or token.type != token_type:
            self.stopped = (token, _SPELLED.get(token_type, "something else"))
            self.is_plain = token is not None
        return super()._expect(token_type)

    def _parse_iteration_statement(self) -> Any:
        """`do { … } while (0)`, as macros have it, is its block, unless a jump leaves that early."""
        node = super()._parse_iteration_statement()
        is_once = isinstance(node, c_ast.DoWhile) and isinstance(node.cond, c_ast.Constant) and node.cond.value == "0"
        return node.stmt if is_once and isinstance(node.stmt, c_ast.Compound) and not _is_left(node.stmt) else node

    def _parse_function_definition(self, spec: Any, decl: Any) -> Any:
        """Declarations may stand before the body of an old-style definition, whose parameters are mere names."""
        params = getattr(getattr(decl, "args", None), "params", ())
        if self._peek_type() != "LBRACE" and any(type(p).__name__ != "ID" for p in params):
            self._parse_error("Invalid function definition", decl.coord)
        return super()._parse_function_definition(spec, decl)

    def _parse_designator(self) -> Any:
        """`[first ... last]` of GNU C stands for all elements between them."""
        opening = self._peek()
        if opening is None or opening.type != "LBRACKET":
            return super()._parse_designator()
        self._advance()
        ends = [self._parse_constant_expression()]
        if self._accept("ELLIPSIS"):
            ends.append(self._parse_constant_expression())
        self._expect("RBRACKET")
        return c_ast.ExprList(ends, self._tok_coord(opening)) if len(ends) > 1 else ends[0]

    def _parse_error(self, msg: str, coord: Any) -> Any:
        if self.stopped is None:
            expected = next((text for start, text in _EXPECTED if msg.startswith(start)), "")
            if expected:
                self.stopped = (self._met(msg), expected)
                self.is_plain = self.stopped[0] is not None and msg.startswith("Invalid expression")
        super()._parse_error(msg, coord)

    def _met(self, message: str) -> Any:
        """The token that the parser cannot take; it has been passed where a message is about it alone."""
        stream = self._tokens
        passed = message.startswith(("Expected identifier", "Invalid constant"))
        if passed and stream._index:
            return stream._buffer[stream._index - 1]
        try:
            return self._peek()
        except c_parser.ParseError:
            return None

    def declared(self) -> dict[str, bool]:
        """The names that are in scope, and whether each is a type."""
        found: dict[str, bool] = {}
        for scope in self._scope_stack:
            found |= scope
        return found

    def before(self, token: Any) -> list[Any]:
        """The tokens before `token`, the nearest first, without pragmas."""
        found: list[Any] = []
        for each in self._tokens._buffer:
            if each is token:
                break
            if each is not None:
                found.append(each)
        near = [each for each in found[-_LOOKED_AT:] if not each.type.startswith("PPPRAGMA")]
        return near[:-5:-1]


def parse_text(text: str) -> tuple[Any, SyntaxFailure | None]:
    """The tree of `text`, or where and why it cannot be read."""
    parser = Parser()
    try:
        return parser.parse(text, ""), None
    except c_parser.ParseError as error:
        failure = _failure(parser, text, str(error))
        return None, replace(failure, declared=parser.declared(), is_plain=parser.is_plain)
    except (AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError):
        # pycparser trips over a few malformed inputs instead of refusing them.
        return None, _failure(parser, text, "syntax error")


def _failure(parser: Parser, text: str, said: str) -> SyntaxFailure:
    match = re.search(r":(\d+):(\d+): (.*)$", said, re.DOTALL)
    message = match.group(3) if match else said.lstrip(":? ")
    place = (int(match.group(1)), int(match.group(2))) if match else _end_of(text)
    if parser.stopped is None:
        return SyntaxFailure(*place, *place, _readable(message))
    token, expected = parser.stopped
    before = parser.before(token)
    at = (int(token.lineno), int(token.column)) if token is not None else _end_of(text)
    found = f"`{_shown(token.value)}`" if token is not None else "the end of the file"
    if (other := _other_else(text, {at[0], before[0].lineno if before else at[0]}, at)) is not None:
        return other
    if expected == "`;`" and _is_unknown_cast(token, before):
        name = before[1]
        return _no_type(parser, text, (name.lineno, name.column), at, name.value)
    if _is_unknown_type(token, before):
        name = before[0]
        return _no_type(parser, text, (name.lineno, name.column), at, name.value)
    if token is not None and token.type == "ID" and expected == "a name":
        # A name stands there, but one that begins no declaration.
        return _no_type(parser, text, at, at, token.value)
    if token is not None and token.type.startswith("PPPRAGMA"):
        return SyntaxFailure(*at, *at, "a pragma inside a statement")
    if expected == _BODY and (alone := _ALONE.match(text.split("\n")[place[0] - 1], place[1] - 1)):
        return _no_type(parser, text, place, place, alone.group(1))
    if expected == _BODY:
        name = text.split("\n")[place[0] - 1][place[1] - 1 :].split("(")[0].strip()
        return SyntaxFailure(*place, *place, f"expected {expected} behind the parameters of `{_shown(name)}`")
    if expected == "`;`" and before and before[0].value in (";", "{", "}"):
        expected = "a statement"
    told = (
        "`else` without `if`" if token is not None and token.type == "ELSE" else f"expected {expected} before {found}"
    )
    ends_block = expected == "`;`" and token is not None and token.type == "RBRACE"
    if before and expected in _CLOSING and (before[0].lineno != at[0] or ends_block):
        last = before[0]
        told = f"expected {expected} behind `{_shown(last.value)}`"
        return SyntaxFailure(last.lineno, last.column, *at, told, missing=expected.strip("`"))
    # A number behind `retrun` makes it no type.
    is_name = expected == "`;`" and bool(before) and before[0].type == "ID"
    if is_name and (meant := nearest(before[0].value, _STATEMENTS)):
        word = before[0]
        return SyntaxFailure(word.lineno, word.column, *at, f"`{word.value}` is no type", word.value, meant)
    return SyntaxFailure(*at, *at, told)


def _is_unknown_type(token: Any, before: list[Any]) -> bool:
    """Whether a name stands where a type belongs: before another name, or a `*`, and behind nothing."""
    if token is None or not before or before[0].type != "ID":
        return False
    behind = before[1].value if len(before) > 1 else ";"
    if token.type == "TIMES":
        return behind in ("const", "static", "volatile")
    return token.type == "ID" and behind in (
        ";", "{", "}", "(", ",", ")", "const", "static", "volatile", "scop", "endscop",
    )  # fmt: skip


def _other_else(text: str, lines: Iterable[int], at: tuple[int, int]) -> SyntaxFailure | None:
    """`elif` of another language at the beginning of one of the lines."""
    for line in sorted(lines):
        found = re.match(r"[\s}]*(elif|elsif|elseif)\b", text.split("\n")[line - 1])
        if found is not None:
            word = found.group(1)
            return SyntaxFailure(line, found.start(1) + 1, *at, f"`{word}` is no C", word, _SAID_OTHERWISE[word])
    return None


def _is_unknown_cast(token: Any, before: list[Any]) -> bool:
    """Whether an operand stands behind `(name)` that is no call: the name is meant for a type."""
    if token is None or len(before) < 4 or token.type not in ("ID", "INT_CONST_DEC", "FLOAT_CONST"):
        return False
    is_name = before[0].value == ")" and before[1].type == "ID" and before[2].value == "("
    return is_name and before[3].value in ("=", "(", ",", "+", "-", "*", "/", "return", "[", "<", ">", "?", ":")


def _no_type(parser: Parser, text: str, shown: tuple[int, int], met: tuple[int, int], name: str) -> SyntaxFailure:
    """A name that is no type, and what to do about it."""
    message = f"`{name}` is no type"
    if name in _SAID_OTHERWISE:
        return SyntaxFailure(*shown, *met, message, name, _SAID_OTHERWISE[name])
    if name in _HEADERS:
        return SyntaxFailure(*shown, *met, message, name, header=_HEADERS[name])
    if tag := re.search(rf"\b(?:struct|union|enum)\s+{re.escape(name)}\s*\{{", text):
        return SyntaxFailure(*shown, *met, message, name, " ".join(tag.group().rstrip("{").split()))
    return SyntaxFailure(*shown, *met, message, name, nearest(name, (*_TYPES, *_STATEMENTS, *_typedefs(parser))))


def _typedefs(parser: Parser) -> Iterable[str]:
    found = (name for scope in parser._scope_stack for name, is_type in scope.items() if is_type)
    return (name for name in found if name not in _GNU_TYPES)


def _readable(message: str) -> str:
    """What pycparser's lexer says, in the words of C."""
    if match := re.match(r"Illegal character '(.*)'", message, re.DOTALL):
        return f"`{match.group(1)}` means nothing in C"
    if "#line" in message or "#pragma" in message or message.startswith("Directives"):
        return "a `#` that begins no line"
    if message.startswith("Invalid multiple types"):
        return "two types in one declaration: a `;` is missing behind the first"
    return "syntax error: " + message[:1].lower() + message[1:]


def _end_of(text: str) -> tuple[int, int]:
    lines = text.rstrip().split("\n")
    return len(lines), max(len(lines[-1]), 1)


def _shown(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."
