"""`@count` in templates: a variable of a building block, which each function of the output calls by a name of its own.

In the text of a template, and in the strings of its expressions, `scope["count"]` is put in the place of `@count`
before the template is compiled; `scope` is that of the function that is printed (`codegen/render.py`).  A name goes on
in what adjoins it, up to what can be in no name: `@end{{ n }}` and `"@end" ~ n` are `scope["end" ~ n]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha1
from pathlib import Path

import jinja2
from jinja2 import nodes
from jinja2.visitor import NodeTransformer

_WORD = re.compile(r"\w*")


class TemplateEnvironment(jinja2.Environment):
    """An environment whose templates write `@count`."""

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree: nodes.Template = _Named().visit(super()._parse(source, name, filename))
        tree.set_environment(self)
        return tree


class BytecodeCache(jinja2.FileSystemBytecodeCache):
    """Compiled templates in a folder; those that another version of this file has made are compiled anew."""

    def get_source_checksum(self, source: str) -> str:
        """What tells whether a template is the one that was compiled."""
        return sha1(Path(__file__).read_bytes() + source.encode()).hexdigest()


class _Named(NodeTransformer):
    """Puts names in the place of `@count`, wherever pieces of text adjoin each other."""

    def visit_Output(self, node: nodes.Output) -> nodes.Output:
        node.nodes = list(_with_names([self._piece(piece) for piece in node.nodes]))
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Expr:
        return _joined([self._piece(piece) for piece in node.nodes], node.lineno)

    def visit_Const(self, node: nodes.Const) -> nodes.Expr:
        return _joined([node], node.lineno) if isinstance(node.value, str) else node

    def _piece(self, piece: nodes.Expr) -> nodes.Expr:
        """A piece of text as it is, for its names may go on in others; an expression with its own names."""
        if _text(piece) is not None:
            return piece
        made: nodes.Expr = self.visit(piece)
        return made


def _joined(pieces: list[nodes.Expr], lineno: int) -> nodes.Expr:
    named = list(_with_names(pieces))
    return named[0] if len(named) == 1 else nodes.Concat(named, lineno=lineno)


def _with_names(pieces: list[nodes.Expr]) -> Iterator[nodes.Expr]:
    """Neighbouring pieces with their names in place."""
    name: list[nodes.Expr] = []  # the pieces of a name that may go on
    for piece in pieces:
        text = _text(piece)
        if text is None:
            if name and not _begins_with_no_letter(piece):
                name.append(piece)
                continue
            yield from _name(name)
            name = []
            yield piece
            continue
        before, *behind = text.split("@")
        if name:
            word, before = _word_and_rest(before)
            name += [nodes.Const(word, lineno=piece.lineno)] if word else []
        if before or behind:
            yield from _name(name)
            name = []
        if before or text == "":
            yield _like(piece, before)
        for each in behind:
            yield from _name(name)
            word, rest = _word_and_rest(each)
            name = [nodes.Const(word, lineno=piece.lineno)]
            if rest:
                yield from _name(name)
                name = []
                yield _like(piece, rest)
    yield from _name(name)


def _name(pieces: list[nodes.Expr]) -> Iterator[nodes.Expr]:
    """`scope[…]` for a name of these pieces, if there are any."""
    if pieces:
        lineno = pieces[0].lineno
        wish = pieces[0] if len(pieces) == 1 else nodes.Concat(pieces, lineno=lineno)
        yield nodes.Getitem(nodes.Name("scope", "load", lineno=lineno), wish, "load", lineno=lineno)


def _text(piece: nodes.Expr) -> str | None:
    """The text of a piece that is no expression."""
    if isinstance(piece, nodes.TemplateData):
        return piece.data
    return piece.value if isinstance(piece, nodes.Const) and isinstance(piece.value, str) else None


def _like(piece: nodes.Expr, text: str) -> nodes.Expr:
    """A piece of the kind of `piece`."""
    if isinstance(piece, nodes.TemplateData):
        return nodes.TemplateData(text, lineno=piece.lineno)
    return nodes.Const(text, lineno=piece.lineno)


def _begins_with_no_letter(piece: nodes.Expr) -> bool:
    """Whether what `piece` gives can go on with no name: `" * " ~ width if width > 1`."""
    match piece:
        case nodes.CondExpr():
            return _begins_with_no_letter(piece.expr1)
        case nodes.Concat():
            return _begins_with_no_letter(piece.nodes[0])
    text = _text(piece)
    return text is not None and not _word_and_rest(text)[0]


def _word_and_rest(text: str) -> tuple[str, str]:
    match = _WORD.match(text)
    assert match is not None
    return match.group(), text[match.end() :]
