"""pcpp set up for us: its messages collected, the files it reads kept, comments and pragmas passed on."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

from pcpp.evaluator import Value
from pcpp.preprocessor import Action, OutputDirective, Preprocessor

from pencilc.diagnostics.diagnostic import Severity
from pencilc.frontend.limits import (
    ARGUMENTS,
    CHARACTERS,
    CONDITION_TOKENS,
    CONDITIONS,
    DEPTH,
    EXPANSION,
    FILES,
    TooLarge,
    more_than,
)
from pencilc.frontend.options import FrontendOptions
from pencilc.frontend.preprocess.if_expression import Malformed, value_of
from pencilc.frontend.preprocess.predefined import PREDEFINED
from pencilc.frontend.stub_headers import include_dir
from pencilc.frontend.syntax import foreign
from pencilc.frontend.syntax.brackets import unclosed_comment

_OTHER_DIRECTIVES = ("pragma", "line", "ident", "sccs", "assert", "unassert", "import")
_NAMING = ("include", "ifdef", "ifndef", "undef", "define")  # the directives that want a name
_FEW_NAMES = 50
_FEW_TOKENS = 500


def absolute(path: str) -> str:
    """The absolute path as pcpp computes it, symbolic links kept."""
    return os.path.abspath(path)  # noqa: PTH100 - Path.resolve follows links


class Pcpp(Preprocessor):  # type: ignore[misc]
    """pcpp with its messages collected instead of printed."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.problems: list[tuple[Severity, str, str, int, str, str]] = []
        self.expanded = self.made = self.opened = self.conditions = self.characters = 0
        self.arguments = self.calls_around = 0
        self.is_renumbered = False  # whether `#line` has been met
        self._reading: Any = None  # the first token of what macros are looked for in
        super().__init__()
        self.evaluator = self._evaluate

    @property
    def place(self) -> tuple[str, int] | None:
        """File and line of what is read now."""
        token = self._reading or getattr(self, "lastdirective", None)
        return (token.source, token.lineno) if token is not None else None

    def group_lines(self, input: str, abssource: str) -> Any:
        """The tokens of each line; a comment that a backslash continues goes on in the next one, which pcpp misses."""
        return super().group_lines(_LONG_COMMENTS.sub(_shortened, input), abssource)

    def expand_macros(self, tokens: Any, expanding_from: Any = ()) -> Any:
        """Expand macros; raises TooLarge where each doubles the one before, forty times."""
        if self.is_renumbered and (asked := [each for each in tokens if each.value == "__LINE__"]):
            message = "`__LINE__` behind `#line`: pencilc counts the lines of the file itself"
            self.problems.append((Severity.ERROR, "PC0005", asked[0].source, asked[0].lineno, message, "__LINE__"))
            self.is_renumbered = False
        if expanding_from or self.calls_around:
            return self._expanded_again(tokens, list(expanding_from))
        # pcpp copies all that is left of the tokens for each call of a macro that it finds among them.
        is_cut = len(tokens) > _FEW_TOKENS and self._have_pairs()
        made: list[Any] = []
        for piece in _pieces(tokens) if is_cut else (tokens,):
            self._reading = piece[0] if piece else None
            made += super().expand_macros(piece, [])
        self._reading = None
        return made

    def _expanded_again(self, tokens: Any, expanding_from: list[str]) -> Any:
        """The text of a macro, or of one of its arguments, with the macros that it has; raises TooLarge."""
        if expanding_from:
            self.expanded += len(tokens)
        if self.expanded > EXPANSION:
            raise TooLarge(more_than(EXPANSION, "tokens in the expansion of macros"))
        made = super().expand_macros(tokens, expanding_from)
        # pcpp notes in lists, which tokens share, the macro that a token came from, once for each of them.
        short: dict[int, list[str]] = {}
        for token in made if expanding_from else ():
            names = token.expanded_from
            if len(names) > _FEW_NAMES:
                token.expanded_from = short.setdefault(id(names), list(dict.fromkeys(names)))
        return made

    def _have_pairs(self) -> bool:
        """Whether no macro opens a parenthesis that it does not close: what looks like the end of a call is one."""
        return all(_depths(macro.value)[-1] == 0 for macro in self.macros.values())

    def macro_expand_args(self, macro: Any, args: Any) -> Any:
        """The text of a macro with its arguments; raises TooLarge where `##` and `#` make endless tokens.

        What stands in the arguments of many macros is read once for each of them, which is limited too.
        """
        if self.calls_around:
            self.arguments += sum(map(len, args))
        if self.arguments > ARGUMENTS:
            raise TooLarge(more_than(ARGUMENTS, "tokens in the arguments of macros that are arguments themselves"))
        self.calls_around += 1
        made = super().macro_expand_args(macro, args)
        self.calls_around -= 1
        self.made += sum(len(token.value) for token in made)
        if self.made > CHARACTERS:
            raise TooLarge(more_than(CHARACTERS, "characters made by macros"))
        return made

    def evalexpr(self, tokens: Any) -> Any:
        """The value of the expression of an `#if`; raises TooLarge."""
        self.conditions += 1
        if self.conditions > CONDITIONS:
            raise TooLarge(more_than(CONDITIONS, "conditions of the preprocessor"))
        if len(tokens) > CONDITION_TOKENS:
            raise TooLarge(more_than(CONDITION_TOKENS, "tokens in a condition of the preprocessor"))
        return super().evalexpr(tokens)

    def _evaluate(self, tokens: Any, **_: Any) -> Value:
        """What pcpp takes for its own evaluator; a condition without a value is told and false."""
        if len(tokens) > CONDITION_TOKENS:
            where = self.lastdirective
            message = more_than(CONDITION_TOKENS, "tokens in a condition of the preprocessor")
            self.problems.append((Severity.ERROR, "PC0006", where.source, where.lineno, message, ""))
            return Value(0)
        text = "".join(" " if "COMMENT" in token.type else str(token.value) for token in tokens)
        try:
            return Value(value_of(text))
        except Malformed as error:
            self.on_error("", 0, str(error))
            return Value(0)

    def on_error(self, file: str, line: int, msg: str) -> None:
        """An error that pcpp would print; one in the expression of an `#if` carries no place."""
        where = getattr(self, "lastdirective", None)
        if line < 1 and where is not None:
            file, line = where.source, where.lineno
        msg = " ".join(msg.split())
        if msg.startswith("Unterminated #"):
            msg = f"this `{msg.split()[1]}` is never closed by `#endif`"
        self.problems.append((Severity.ERROR, "PC0005", str(file), line, msg[:1].lower() + msg[1:], ""))

    def on_include_not_found(self, is_malformed: bool, is_system: bool, curdir: str, path: str) -> None:
        """A missing header: an error if quoted, a warning if it may be a system header that only host code needs."""
        where = self.lastdirective
        severity = Severity.WARNING if is_system and not is_malformed else Severity.ERROR
        message = "malformed #include" if is_malformed else f"include file `{path}` not found"
        if foreign.is_header(path):
            severity, message = Severity.ERROR, f"`<{path}>` is a header of C++: pencilc reads C99"
        self.problems.append((severity, "PC0002", where.source, where.lineno, message, path))
        raise OutputDirective(Action.IgnoreAndRemove)

    def look_for_open_comment(self, text: str, path: str) -> None:
        """Tell a comment that is never closed; everything behind it is lost."""
        if (offset := unclosed_comment(text)) is not None:
            line = text.count("\n", 0, offset) + 1
            self.problems.append((Severity.ERROR, "PC0001", path, line, "this comment is never closed", "/*"))

    def on_comment(self, tok: Any) -> bool:
        """Keep comments, so that columns stay; they are blanked later."""
        return True

    def on_directive_handle(self, directive: Any, toks: Any, ifpassthru: bool, precedingtoks: Any) -> Any:
        """An `#include` or `#ifdef` of nothing: pcpp passes over the one and trips over the other."""
        if directive.value in _NAMING and not "".join(t.value for t in toks).strip():
            message = f"`#{directive.value}` of nothing"
            self.problems.append((Severity.ERROR, "PC0005", directive.source, directive.lineno, message, ""))
        return super().on_directive_handle(directive, toks, ifpassthru, precedingtoks)

    def on_directive_unknown(self, directive: Any, toks: Any, ifpassthru: Any, precedingtoks: Any) -> Any:
        """`#error` and `#warning`; pragmas pass through."""
        self.is_renumbered = self.is_renumbered or directive.value == "line"
        if directive.value not in ("error", "warning"):
            if directive.value == "include_next":
                message = (
                    "`#include_next` is not taken: name the header by its path, or the folders by `-I` in another order"
                )
            elif directive.value not in _OTHER_DIRECTIVES:
                message = f"unknown directive `#{directive.value}`"
            else:
                return None
            where = directive.source, directive.lineno
            self.problems.append((Severity.ERROR, "PC0005", *where, message, directive.value))
            return None
        severity = Severity.ERROR if directive.value == "error" else Severity.WARNING
        text = f"#{directive.value} " + "".join(t.value for t in toks).strip()
        self.problems.append((severity, "PC0005", directive.source, directive.lineno, text, ""))
        return True

    def on_file_open(self, is_system_include: bool, includepath: str) -> Any:
        """Read an included file, whatever its bytes, and keep its text for positions."""
        with Path(includepath).open(encoding="utf-8-sig", errors="surrogateescape") as handle:
            text = handle.read(CHARACTERS + 1)
        self.opened += 1
        self.characters += len(text)
        if self.characters > CHARACTERS:
            raise TooLarge(more_than(CHARACTERS, "characters in all files"))
        if self.opened > FILES:
            raise TooLarge(more_than(FILES, "files are included"))
        if self.include_depth > DEPTH:
            raise TooLarge(more_than(DEPTH, "files include each other"))
        self.texts[absolute(includepath)] = text
        self.look_for_open_comment(text, includepath)
        return io.StringIO(text)


# Strings and comments, of which those are named that a backslash continues.
_LONG_COMMENTS = re.compile(
    r"/\*.*?(?:\*/|\Z)|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    r"|(?P<long>//[^\n]*?\\[ \t]*\n(?:[^\n]*?\\[ \t]*\n)*[^\n]*)|//[^\n]*",
    re.DOTALL,
)


def _shortened(piece: re.Match[str]) -> str:
    """A comment of several lines as one of its first, with nothing in the others."""
    if piece["long"] is None:
        return piece[0]
    first, *others = piece["long"].split("\n")
    return "\n".join([first.rstrip().removesuffix("\\"), *(" " * len(each) for each in others)])


def make_preprocessor(options: FrontendOptions) -> Pcpp:
    """A preprocessor with the predefined macros, the options and the stub headers."""
    pcpp = Pcpp()
    pcpp.line_directive = None
    version = {"c11": "201112L", "c17": "201710L", "c18": "201710L"}.get(options.std.replace("gnu", "c"), "199901L")
    for define in (*PREDEFINED, f"__STDC_VERSION__ {version}"):
        pcpp.define(define)
    for define in options.defines:
        name, _, value = define.partition("=")
        pcpp.define(f"{name} {value if '=' in define else '1'}")
    for name in ("__PCPP__", *options.undefines):
        pcpp.macros.pop(name, None)
    pcpp.temp_path += options.quote_dirs  # behind the folders of the files that are being read
    ours = (str(include_dir()), str(include_dir() / "libc"))
    for folder in (*options.include_dirs, *options.system_dirs, *ours, *options.after_dirs):
        pcpp.add_path(folder)
    return pcpp


def _depths(tokens: Any) -> list[int]:
    """How many parentheses are open at the start, and behind each of the tokens."""
    steps = ((token.value == "(") - (token.value == ")") for token in tokens)
    return list(accumulate(steps, initial=0))


def _pieces(tokens: Any) -> Iterator[Any]:
    """The tokens in pieces that end with a separator outside of parentheses: no call of a macro reaches beyond one."""
    start = 0
    for end, depth in enumerate(_depths(tokens)[1:], 1):
        if depth == 0 and end - start >= _FEW_TOKENS and tokens[end - 1].value in (",", ";", "{", "}"):
            yield tokens[start:end]
            start = end
    yield tokens[start:]
