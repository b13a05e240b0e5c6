"""Typed statements: declarations split, compound assignments expanded, pragmas bound to their loops."""

from __future__ import annotations

import copy
import re
from contextlib import suppress
from dataclasses import replace
from typing import Any

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Fix
from pencilc.diagnostics.source import Span
from pencilc.frontend.context import FileContext, Poisoned, Refused, Scope
from pencilc.frontend.syntax.nodes import may_change, nodes_below, times_named
from pencilc.frontend.translate import calls, effects, loops
from pencilc.frontend.translate.builtins import translate_builtin
from pencilc.frontend.translate.chains import inner_assignment
from pencilc.frontend.translate.declare import register
from pencilc.frontend.translate.expressions import ExpressionTranslator
from pencilc.frontend.translate.initializers import array_length, initialize
from pencilc.frontend.translate.jumps import instead_of_goto
from pencilc.frontend.translate.pointers import without_pointer
from pencilc.frontend.translate.pragmas import PragmaText, read_pragma
from pencilc.frontend.translate.switches import translate_switch
from pencilc.frontend.translate.translators import FunctionState, Statements
from pencilc.frontend.translate.types import TypeResolver, spell
from pencilc.ir.queries import names_in
from pencilc.ir.source import (
    INT,
    VOID,
    ArrayType,
    Assign,
    Block,
    Call,
    CallStmt,
    Declare,
    Expr,
    For,
    If,
    IntLiteral,
    Jump,
    PointerType,
    Return,
    Stmt,
    Symbol,
    While,
)  # fmt: skip

# Statements that are made of expressions alone.
_WITHOUT_STATEMENTS = ("Assignment", "Decl", "FuncCall", "UnaryOp", "Return")


class StatementTranslator(Statements):
    """Translates the statements of one function."""

    def __init__(self, context: FileContext, types: TypeResolver, state: FunctionState) -> None:
        super().__init__(ExpressionTranslator(context, types, state))

    # ---- blocks ----------------------------------------------------------------------------------

    def block(self, node: Any) -> Block:
        """A compound statement, in a scope of its own."""
        outer, self.state.scope = self.state.scope, Scope(self.state.scope)
        try:
            return Block(self.items(list(node.block_items or ())), self.context.span(node))
        finally:
            self.state.scope = outer

    def items(self, nodes: list[Any]) -> tuple[Stmt, ...]:
        """The statements of a block; a statement in error is left out."""
        result: list[Stmt] = []
        pending: list[tuple[Any, PragmaText]] = []
        for node in nodes:
            if type(node).__name__ == "Pragma":
                pragma = read_pragma(self.context, node)
                if pragma.kind in ("independent", "reduction"):
                    pending.append((node, pragma))
                continue
            try:
                result += self._with_pragmas(node, pending)
            except Refused:
                self._leave_out(node)
            pending = []
        for node, pragma in pending:
            self.context.error(
                "PC0102", f"`#pragma pencil {pragma.kind}` stands before no loop", node, "the block ends here"
            )
        return tuple(result)

    def _leave_out(self, node: Any) -> None:
        """Of a statement in error nothing is left, but what it would have initialised draws no errors of its own."""
        for call in nodes_below(node):
            if type(call).__name__ != "FuncCall" or getattr(call.name, "name", "") != "__pencil_reduction_var_init":
                continue
            for name in nodes_below(call.args.exprs[0] if call.args is not None else call):
                known = self.state.scope.lookup(name.name) if type(name).__name__ == "ID" else None
                if isinstance(known, Symbol):
                    self.context.lost_inits.add(known.span)

    def _with_pragmas(self, node: Any, pending: list[tuple[Any, PragmaText]]) -> tuple[Stmt, ...]:
        if not pending:
            return self.statement(node)
        if type(node).__name__ != "For":
            self.context.error(
                "PC0102",
                f"`#pragma pencil {pending[0][1].kind}` stands before no loop",
                pending[0][0],
                secondary=((node, f"{_describe(node)} found instead"),),
            )
            return self.statement(node)
        clauses = tuple(c for _, p in pending for c in p.clauses)
        is_independent = any(p.kind == "independent" for _, p in pending)
        return self._marked(self.statement(node), clauses, pending[0][0], is_independent)

    def _marked(
        self, made: tuple[Stmt, ...], clauses: tuple[Any, ...], pragma: Any, is_independent: bool
    ) -> tuple[Stmt, ...]:
        if not any(isinstance(s, For) for s in made):
            self.context.error(
                "PC0102",
                f"`#pragma pencil {'independent' if is_independent else 'reduction'}` stands before a loop whose "
                "iterations cannot be counted",
                pragma,
                helps=("a loop is counted if it adds a constant to its counter: `for (int i = 0; i < n; i++)`",),
            )
        return tuple(
            replace(s, independent=is_independent, reductions=loops.reduction_clauses(self, clauses, pragma))
            if isinstance(s, For) else s for s in made
        )  # fmt: skip

    def body(self, node: Any) -> Stmt:
        """The body of a loop or branch, in a scope of its own."""
        if type(node).__name__ == "Compound":
            return self.block(node)
        outer, self.state.scope = self.state.scope, Scope(self.state.scope)
        try:
            made = self.statement(node)
        except Refused:
            self._leave_out(node)
            made = ()
        finally:
            self.state.scope = outer
        return made[0] if len(made) == 1 and not isinstance(made[0], Declare) else Block(made, self.context.span(node))

    # ---- statements ------------------------------------------------------------------------------

    def statement(self, node: Any) -> tuple[Stmt, ...]:
        """The statement(s) for one node of pycparser; raises Refused."""
        method = getattr(self, "_" + type(node).__name__, self._expression_statement)
        outer, self.state.statement = self.state.statement, node
        try:
            parts = effects.of_statement(node)
            if parts is not None:
                return self._each((*parts.before, parts.expression, *parts.behind))
            result: tuple[Stmt, ...] = method(node)
            return result
        except Refused:
            if type(node).__name__ in _WITHOUT_STATEMENTS:
                self._tell_undeclared(node)
            elif type(node).__name__ in ("If", "While", "DoWhile", "Switch"):
                self._tell_undeclared(node.cond)
            raise
        finally:
            self.state.statement = outer

    def _each(self, nodes: tuple[Any, ...]) -> tuple[Stmt, ...]:
        return tuple(made for node in nodes for made in self.statement(node))

    def _tell_undeclared(self, node: Any) -> None:
        """Tell of all names in a refused expression that are not declared, and all members, not of the first alone."""
        match type(node).__name__:
            case "Compound" | "NamedInitializer":
                return  # what is declared in it, and members, have no place here
            case "ID":
                known = (self.context.definitions, self.context.prototypes, self.context.globals)
                if self.state.scope.lookup(node.name) is None and not any(node.name in each for each in known):
                    with suppress(Refused):
                        self.tr.translate(node)
                return
            case "StructRef":
                told = len(self.context.diagnostics)
                self._tell_undeclared(node.name)
                if len(self.context.diagnostics) == told:
                    with suppress(Refused):
                        self.tr.translate(node)  # which may have no such member
                return
            case "FuncCall" if type(node.name).__name__ == "ID" and node.name.name.startswith("__builtin_"):
                return  # what it takes may be no expression
            case "FuncCall" if type(node.name).__name__ == "ID":
                name, arguments = node.name.name, list(node.args.exprs) if node.args is not None else []
                if name in calls.BUILTIN_STATEMENTS:
                    arguments = arguments[:2] if name == "__pencil_reduction" else arguments[:1]  # no functions
                elif name not in self.context.definitions and name not in self.context.prototypes:
                    with suppress(Refused):
                        self.tr.translate(node)
                for each in arguments:
                    self._tell_undeclared(each)
                return
        for _, child in node.children():
            self._tell_undeclared(child)

    def _Compound(self, node: Any) -> tuple[Stmt, ...]:
        return (self.block(node),)

    def _EmptyStatement(self, node: Any) -> tuple[Stmt, ...]:
        return ()

    def _Decl(self, node: Any) -> tuple[Stmt, ...]:
        register(self.context, self.types, node, self.state.scope)
        if node.name is None:
            return ()
        if type(node.type).__name__ == "FuncDecl":
            self.context.prototypes.setdefault(node.name, node)
            return ()
        before: tuple[Stmt, ...] = ()
        try:
            if type(node.init).__name__ == "Assignment" and not times_named(node.init, node.name):
                before, value = inner_assignment(self, node.init)
                node = copy.copy(node)
                node.init = value
            return (*before, self.declaration(node))
        except Refused:
            self.state.scope.names[node.name] = Poisoned()
            raise

    def _DeclList(self, node: Any) -> tuple[Stmt, ...]:
        return tuple(s for decl in node.decls for s in self.statement(decl))

    def _Typedef(self, node: Any) -> tuple[Stmt, ...]:
        register(self.context, self.types, node, self.state.scope)
        return ()

    def _constant(self, node: Any) -> Fix | None:
        """The fix that makes a static variable `const`, if it has a value and the function does not change it."""
        function = self.context.definitions.get(self.state.name)
        if node.init is None or function is None or may_change(function.body, node.name):
            return None
        span = self.context.span(node)
        file = self.context.file_of(span)
        found = re.search(r"\bstatic ", file.line(span.line)[: span.column - 1])
        if found is None:
            return None
        return fixes.fix("write `static const`", [fixes.inserted(file, span, found.end() + 1, "const ")])

    def declaration(self, node: Any) -> Declare:
        """A local variable."""
        span = self.context.span(node)
        if "static" in node.storage and "const" not in (node.quals or ()):
            code = "PC0204" if self.state.kind == "operator" else "PC0407"
            remedy = self._constant(node)
            raise self.context.refuse(
                code,
                f"static variable `{node.name}` keeps its value between calls",
                node,
                helps=() if remedy is not None else ("make it a parameter, or `const` if it never changes",),
                remedies=(remedy,),
            )
        if "extern" in node.storage:
            raise self.context.refuse("PC0407", f"writable global `{node.name}` is used in a region", node)
        declared = self.types.resolve(node, self.state.scope, self.tr.extent)
        ctype, init = declared.type, None
        if isinstance(ctype, PointerType):
            function = self.context.definitions.get(self.state.name)
            remedy = None if function is None else without_pointer(self.context, function, node)
            raise self.context.refuse(
                "PC0404",
                f"`{node.name}` is a pointer: pointers are not part of PENCIL",
                node,
                helps=() if remedy is not None else ("use an array and a subscript, as in `a[i]`",),
                remedies=(remedy,),
            )
        if ctype == VOID:
            raise self.context.refuse("PC0012", f"variable `{node.name}` has type void", node)
        if isinstance(ctype, ArrayType) and ctype.extent is None:
            length = array_length(self.tr, ctype, node.init)
            if length is None:
                raise self.context.refuse("PC0401", f"array `{node.name}` has no extent", node)
            ctype = replace(ctype, extent=IntLiteral(length, INT, span))
        # Its scope begins in front of its initialiser (C99 6.2.1), errors in which draw none where it is used.
        symbol = self.tr.declare(node.name, ctype, "local", span, declared.is_const)
        if node.init is not None:
            with suppress(Refused):
                init = initialize(self.tr, ctype, node.init)
        if init is not None and symbol.name in names_in(init):
            raise self.context.refuse(
                "PC0408", f"`{node.name}` is read in its own initialiser, where it has no value", node
            )
        return Declare(symbol, init, span)

    def _Assignment(self, node: Any) -> tuple[Stmt, ...]:
        before: tuple[Stmt, ...] = ()
        value = node.rvalue
        if type(value).__name__ == "Assignment":
            before, value = inner_assignment(self, value)
        target = self.tr.lvalue(node.lvalue)
        span = self.context.span(node)
        if node.op == "=":
            return (*before, Assign(target, self.tr.converted(value, target.type, "the value"), span))
        return (*before, self._compound(target, node.op[:-1], self.tr.arithmetic(value), node))

    def _compound(self, target: Expr, op: str, operand: Expr, node: Any) -> Stmt:
        if isinstance(target.type, PointerType):
            raise self.context.refuse("PC0404", "pointer arithmetic is not part of PENCIL", node)
        self.tr.convert(operand, target.type, node, "the operand")
        value = self.tr.binary(op, target, operand, node)
        return Assign(target, self.tr.convert(value, target.type, node, "the value"), self.context.span(node), op)

    def _UnaryOp(self, node: Any) -> tuple[Stmt, ...]:
        if node.op not in ("++", "--", "p++", "p--"):
            return self._expression_statement(node)
        target = self.tr.lvalue(node.expr)
        return (self._compound(target, node.op.strip("p")[0], IntLiteral(1, INT, self.context.span(node)), node),)

    def _FuncCall(self, node: Any) -> tuple[Stmt, ...]:
        name = node.name.name if type(node.name).__name__ == "ID" else ""
        if name in calls.BUILTIN_STATEMENTS:
            return translate_builtin(self.tr, name, node)
        if calls.only_returns(self.context, name):
            self.context.warn("PC0310", "this statement has no effect", node, f"the result of `{name}` is not used")
        return self._call(node)

    def _call(self, node: Any) -> tuple[Stmt, ...]:
        call = self.tr.translate(node)
        assert isinstance(call, Call)
        return (CallStmt(call, self.context.span(node)),)

    def _ExprList(self, node: Any) -> tuple[Stmt, ...]:
        return tuple(s for each in node.exprs for s in self.statement(each))

    def _Cast(self, node: Any) -> tuple[Stmt, ...]:
        # `(void)x;` only silences a warning.
        if not _is_void_cast(node):
            return self._expression_statement(node)
        if type(node.expr).__name__ == "FuncCall":
            return self._call(node.expr)
        self.tr.translate(node.expr)
        return ()

    def _expression_statement(self, node: Any) -> tuple[Stmt, ...]:
        if type(node).__name__ == "FuncCall":
            return self._FuncCall(node)
        self.tr.translate(node)  # For its errors.
        self.context.warn("PC0310", "this statement has no effect", node, "its value is not used")
        return ()

    # ---- control ---------------------------------------------------------------------------------

    def _If(self, node: Any) -> tuple[Stmt, ...]:
        before, condition = effects.condition(self, node.cond)
        then = self.body(node.iftrue) if node.iftrue is not None else Block((), self.context.span(node))
        otherwise = self.body(node.iffalse) if node.iffalse is not None else None
        return (*before, If(condition, then, otherwise, self.context.span(node)))

    def _While(self, node: Any) -> tuple[Stmt, ...]:
        span = self.context.span(node)
        leaves = effects.goes_on(self, node.cond)
        if leaves is not None:
            return (While(IntLiteral(1, INT, span), Block((*leaves, self.body(node.stmt)), span), False, span),)
        condition = self.tr.arithmetic(node.cond)
        return (While(condition, self.body(node.stmt), False, span),)

    def _DoWhile(self, node: Any) -> tuple[Stmt, ...]:
        body, span = self.body(node.stmt), self.context.span(node)
        # A `continue` goes on with the condition, which would be a part of the body.
        stays = any(type(each).__name__ == "Continue" for each in nodes_below(node.stmt))
        leaves = None if stays else effects.goes_on(self, node.cond)
        if leaves is not None:
            return (While(IntLiteral(1, INT, span), Block((body, *leaves), span), False, span),)
        return (While(self.tr.arithmetic(node.cond), body, True, span),)

    def _For(self, node: Any) -> tuple[Stmt, ...]:
        return loops.translate_for(self, node)

    def _Break(self, node: Any) -> tuple[Stmt, ...]:
        return (Jump("break", self.context.span(node)),)

    def _Continue(self, node: Any) -> tuple[Stmt, ...]:
        return (Jump("continue", self.context.span(node)),)

    def _Return(self, node: Any) -> tuple[Stmt, ...]:
        span = self.context.span(node)
        if node.expr is None:
            if self.state.returns != VOID:
                raise self.context.refuse("PC0012", f"`return` without a value in `{self.state.name}`", node)
            return (Return(None, span),)
        if self.state.returns == VOID:
            raise self.context.refuse("PC0012", f"`return` with a value in void function `{self.state.name}`", node)
        return (Return(self.tr.converted(node.expr, self.state.returns, "the returned value"), span),)

    def _Goto(self, node: Any) -> tuple[Stmt, ...]:
        function = self.context.definitions.get(self.state.name)
        remedy = None if function is None else instead_of_goto(self.context, function, node)
        helps = ("use `if` and `else`, or a helper function, which may return early",)
        raise self.context.refuse(
            "PC0307", "`goto` is not part of PENCIL", node, helps=() if remedy is not None else helps,
            remedies=(remedy,),
        )  # fmt: skip

    def _Label(self, node: Any) -> tuple[Stmt, ...]:
        return self.statement(node.stmt)

    def _Switch(self, node: Any) -> tuple[Stmt, ...]:
        return translate_switch(self, node)

    def _StaticAssert(self, node: Any) -> tuple[Stmt, ...]:
        return ()


def _is_void_cast(node: Any) -> bool:
    inner = node.to_type.type
    return getattr(getattr(inner, "type", None), "names", None) == ["void"]


def _describe(node: Any) -> str:
    names = {
        "Decl": "a declaration",
        "Assignment": "an assignment",
        "If": "an `if`",
        "While": "a `while` loop",
        "FuncCall": "a call",
        "Compound": "a block",
        "Return": "a `return`",
        "DoWhile": "a `do` loop",
    }
    return names.get(type(node).__name__, "a statement")


__all__ = ["Span", "StatementTranslator", "spell"]
