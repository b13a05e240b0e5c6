"""Whole functions: parameters, bodies, and the record each becomes."""

from __future__ import annotations

import hashlib
from itertools import pairwise
from typing import Any

from pencilc.diagnostics.source import Span
from pencilc.frontend.context import FileContext, Refused, Scope
from pencilc.frontend.limits import more_than
from pencilc.frontend.rewrite.kept_extents import with_kept_extents, with_writable_copies
from pencilc.frontend.syntax.lexing import tokens
from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.frontend.translate.remedies import (
    dimensions,
    late_extents,
    order_remedy,
    pointer_remedy,
    pointers_remedy,
    refuse_old_style,
)
from pencilc.frontend.translate.restrict import warn_restrict
from pencilc.frontend.translate.statements import StatementTranslator
from pencilc.frontend.translate.translators import FunctionState
from pencilc.frontend.translate.types import TypeResolver
from pencilc.ir.source import (
    VOID,
    ArrayType,
    Block,
    CType,
    Function,
    PointerType,
    Prototype,
    Region,
    Symbol,
)

MAX_PARAMETERS = 500  # the polyhedral model has a dimension for each of them that is an integer


class FunctionTranslator:
    """Translates functions as a whole; remembers what each calls."""

    def __init__(self, context: FileContext, types: TypeResolver, file_hash: str) -> None:
        self.context = context
        self.types = types
        self.file_hash = file_hash
        self.calls: dict[str, dict[str, Any]] = {}

    def entry(self, node: Any) -> Region | None:
        """The region of an entry function, or None after an error in its signature."""
        state, params, body = self._translate(node, "region")
        if params is None:
            return None
        name = node.decl.name
        is_static = "static" in node.decl.storage
        warn_restrict(self.context, params)
        entry_name = f"{name}_{self.file_hash}" if is_static else name
        prototype = self._prototype(node, is_static)
        taken = {*self.context.identifiers, *state.used_names}
        body = with_writable_copies(params, with_kept_extents(body, taken), taken, all_of_them=True)
        return Region(
            entry_name, name, params, state.returns, body, is_static, False, (), self.context.span(node.decl), prototype
        )

    def helper(self, node: Any, kind: str = "helper") -> Function | None:
        """A function that regions call."""
        state, params, body = self._translate(node, kind)
        if params is None:
            return None
        taken = {*self.context.identifiers, *state.used_names}
        body = with_writable_copies(params, with_kept_extents(body, taken), taken, all_of_them=False)
        static = "static" in node.decl.storage or "inline" in node.decl.funcspec
        return Function(node.decl.name, state.returns, params, body, static, self.context.span(node.decl))

    def _translate(self, node: Any, kind: str) -> tuple[FunctionState, tuple[Symbol, ...] | None, Block]:
        name, func = node.decl.name, node.decl.type
        state = FunctionState(name, Scope(self.context.scope), kind)
        statements = StatementTranslator(self.context, self.types, state)
        empty = Block((), self.context.span(node.decl))
        try:
            state.returns = self._returns(func, statements, node)
            params = self._params(func, statements, node)
            # The outermost block has the scope of the parameters (C99 6.2.1).
            body = Block(statements.items(list(node.body.block_items or ())), self.context.span(node.body))
        except Refused:
            return state, None, empty
        finally:
            self.calls[name] = state.called
        return state, params, body

    def _returns(self, func: Any, statements: StatementTranslator, node: Any) -> CType:
        ctype = self.types.resolve(func.type, self.context.scope, statements.tr.extent).type
        if isinstance(ctype, PointerType | ArrayType):
            raise self.context.refuse("PC0404", f"`{node.decl.name}` returns a pointer", node.decl)
        return ctype

    def _params(self, func: Any, statements: StatementTranslator, node: Any) -> tuple[Symbol, ...]:
        nodes = list(func.args.params) if func.args is not None else []
        if any(type(param).__name__ == "ID" for param in nodes):
            raise refuse_old_style(self.context, node, node.decl)
        if len(nodes) > MAX_PARAMETERS:
            message = more_than(MAX_PARAMETERS, "parameters of a function that is compiled")
            raise self.context.refuse("PC0006", message, nodes[MAX_PARAMETERS])
        statements.state.parameters = tuple(getattr(p, "name", "") or "" for p in nodes)
        result: list[Symbol] = []
        refused = False
        for param in nodes:
            try:
                symbol = self._param(param, statements, node)
            except Refused:
                refused = True
                continue
            if symbol is not None:
                result.append(symbol)
        statements.state.parameters = ()
        if refused:
            raise Refused
        return tuple(result)

    def _param(self, param: Any, statements: StatementTranslator, node: Any) -> Symbol | None:
        if type(param).__name__ == "EllipsisParam":
            raise self.context.refuse("PC0014", "this kind of parameter is not supported", node.decl)
        if statements.state.kind == "region" and _holds_pointers(param):
            remedy = pointers_remedy(self.context, param, node)
            message = f"parameter `{param.name}` is an array of pointers"
            raise self.context.refuse("PC0404", message, param, helps=remedy.helps, remedies=remedy.remedies)
        if late_extents(param, node):
            self._refuse_late(param, node)
        declared = self.types.resolve(param, statements.state.scope, statements.tr.extent)
        ctype = declared.type
        if param.name is None:
            if ctype == VOID:
                return None
            raise self.context.refuse("PC0014", "a parameter has no name", param)
        if statements.state.kind == "region" and isinstance(ctype, PointerType):
            remedy = pointer_remedy(self.context, param, node, ctype.target, ctype.is_const)
            message = f"pointer parameter `{param.name}` has no extent"
            raise self.context.refuse("PC0401", message, param, helps=remedy.helps, remedies=remedy.remedies)
        if statements.state.kind == "region" and isinstance(ctype, ArrayType) and ctype.extent is None:
            remedy = pointer_remedy(self.context, param, node, ctype.element, ctype.is_const)
            message = f"array parameter `{param.name}` has no extent"
            raise self.context.refuse("PC0401", message, param, helps=remedy.helps, remedies=remedy.remedies)
        return statements.tr.declare(param.name, ctype, "param", self.context.span(param), declared.is_const)

    def _refuse_late(self, param: Any, node: Any) -> None:
        """PC0403: an extent of the array `param` names parameters behind it."""
        late = late_extents(param, node)
        remedy = order_remedy(self.context, param, node)
        where = next(n for dim in dimensions(param) for n in nodes_below(dim) if getattr(n, "name", "") == late[0])
        raise self.context.refuse(
            "PC0403",
            f"extent `{late[0]}` is not known here",
            where,
            "declared after the array",
            helps=remedy.helps,
            remedies=remedy.remedies,
        )

    def _prototype(self, node: Any, is_static: bool) -> Prototype:
        """The declaration as the user wrote it, on one line; what is static there is linked under a name of its own."""
        name = node.decl.name
        chunk = next(each for each in self.context.syntax.chunks if each.body >= 0 and each.name == name)
        head = self.context.preprocessed.map.text[: chunk.body]
        words = tokens(head, chunk.start)
        gaps = ["", *(" " if before.end < token.start else "" for before, token in pairwise(words))]
        named = [at for at, token in enumerate(words) if token.text == name]
        called = next((at for at in named if words[at + 1].text == "("), named[0])
        spaced = [gap + token.text for gap, token in zip(gaps, words, strict=True)]
        dropped = ("static", "inline") if is_static else ()
        before = "".join(each for each in spaced[:called] if each.strip() not in dropped) + gaps[called]
        return Prototype(before.lstrip(), "".join(spaced[called + 1 :]))

    def span(self, node: Any) -> Span:
        """Where a definition stands."""
        return self.context.span(node.decl)


def pencil_hash(text: str) -> str:
    """First 8 hex digits of the SHA-256 of the preprocessed text, white space normalised, without paths."""
    return hashlib.sha256(" ".join(text.split()).encode("utf-8", "surrogateescape")).hexdigest()[:8]


def _holds_pointers(param: Any) -> bool:
    """Whether a parameter is `T *name[…]`."""
    inner: Any = getattr(param, "type", None)
    return type(inner).__name__ == "ArrayDecl" and type(inner.type).__name__ == "PtrDecl" and param.name is not None
