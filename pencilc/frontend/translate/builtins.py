"""The PENCIL builtins that are statements: reductions, assume, kill, assert, use and def."""

from __future__ import annotations

from typing import Any

from pencilc.frontend.context import Scope
from pencilc.frontend.translate import calls
from pencilc.frontend.translate.translators import Expressions
from pencilc.frontend.translate.types import spell
from pencilc.ir.source import (
    VOID,
    ArrayType,
    Assume,
    Call,
    CallStmt,
    CType,
    Dereference,
    Expr,
    Index,
    Kill,
    MemberOf,
    Name,
    PointerType,
    ReductionInit,
    ReductionUpdate,
    Stmt,
)  # fmt: skip


def translate_builtin(tr: Expressions, name: str, node: Any) -> tuple[Stmt, ...]:
    """The statement(s) that a builtin call stands for; raises Refused."""
    arguments = list(node.args.exprs) if node.args is not None else []
    if name == "__pencil_reduction":
        return (_update(tr, node, arguments),)
    if name == "__pencil_reduction_var_init":
        return (_init(tr, node, arguments),)
    if not arguments or (len(arguments) > 1 and name in ("__pencil_assume", "__pencil_assert")):
        raise tr.context.refuse("PC0011", f"`{name}` wants one argument, not {len(arguments)}", node)
    span = tr.context.span(node)
    if name == "__pencil_assume":
        return (Assume(tr.arithmetic(arguments[0]), span),)
    if name == "__pencil_assert":
        tr.arithmetic(arguments[0])  # A statement about the program, as the C compiler takes it: no code.
        return ()
    variables = [_accessed(tr, name, a) for a in arguments]
    if name == "__pencil_kill":
        return tuple(Kill(v, v.span) for v in variables)
    if tr.state.kind != "summary":
        tr.context.warn(
            "PC0506",
            f"`{name}` outside of a summary function says nothing",
            node,
            "ignored",
            helps=("name a summary function with `__attribute__((pencil_access(summary)))`",),
        )
        return ()
    return tuple(CallStmt(Call(name, (v,), VOID, span), span) for v in variables)


def _accessed(tr: Expressions, name: str, node: Any) -> Expr:
    if type(node).__name__ == "UnaryOp" and node.op == "&":
        node = node.expr
    expr = tr.translate(node)
    if not isinstance(expr, Name | Index | MemberOf | Dereference):
        raise tr.context.refuse("PC0012", f"`{name}` wants a variable, an element or an array", node)
    return expr


def _variable(tr: Expressions, name: str, node: Any, arguments: list[Any]) -> Expr:
    first = arguments[0]
    if type(first).__name__ != "UnaryOp" or first.op != "&":
        text = first.name if type(first).__name__ == "ID" else "v"
        known = tr.state.scope.lookup(text) if type(first).__name__ == "ID" else None
        if isinstance(getattr(known, "type", None), ArrayType | PointerType):
            text += "[0]"
        raise tr.context.refuse(
            "PC0210", f"`{name}` wants the address of a variable", first, helps=(f"write `&{text}`",)
        )
    expr = tr.lvalue(first.expr, "a reduction variable")
    if isinstance(expr, Name) and isinstance(expr.type, PointerType):
        raise tr.context.refuse("PC0404", "a pointer cannot be a reduction variable", first)
    return expr


def _update(tr: Expressions, node: Any, arguments: list[Any]) -> Stmt:
    if len(arguments) not in (3, 4):
        raise tr.context.refuse(
            "PC0011",
            f"`__pencil_reduction` wants 3 arguments, not {len(arguments)}",
            node,
            helps=("`__pencil_reduction(&variable, element, operator)`",),
        )
    variable = _variable(tr, "__pencil_reduction", node, arguments)
    operator = _function_name(
        tr,
        "PC0202",
        "operator",
        f"{spell(variable.type)} op({spell(variable.type)}, {spell(variable.type)})",
        arguments[2],
    )
    element = tr.converted(arguments[1], variable.type, "the element")
    if not _is_generic_operator(tr, operator):
        _check_operator(tr, operator, variable.type, arguments[2])
        tr.state.called.setdefault(operator, arguments[2])
        tr.context.operators.setdefault(operator, tr.context.span(arguments[2]))
    return ReductionUpdate(variable, element, operator, tr.context.span(node))


def _is_generic_operator(tr: Expressions, name: str) -> bool:
    return calls.GENERIC.get(name) == 2 and calls.is_pure_library(tr, name)


def _init(tr: Expressions, node: Any, arguments: list[Any]) -> Stmt:
    if len(arguments) != 2:
        raise tr.context.refuse(
            "PC0011",
            f"`__pencil_reduction_var_init` wants 2 arguments, not {len(arguments)}",
            node,
            helps=("`__pencil_reduction_var_init(&variable, init)`",),
        )
    variable = _variable(tr, "__pencil_reduction_var_init", node, arguments)
    wanted = f"void init({spell(variable.type)} *)"
    function = _function_name(tr, "PC0203", "init function", wanted, arguments[1])
    returns, params = _signature(tr, function)
    fits = returns == VOID and len(params) == 1 and isinstance(params[0], PointerType)
    if not fits or not isinstance(params[0], PointerType) or params[0].target != variable.type or params[0].is_const:
        raise _mismatch(tr, "PC0203", f"init function `{function}`", wanted, function, arguments[1])
    tr.state.called.setdefault(function, arguments[1])
    tr.context.inits.setdefault(function, tr.context.span(arguments[1]))
    return ReductionInit(variable, function, tr.context.span(node))


def _function_name(tr: Expressions, code: str, what: str, wanted: str, node: Any) -> str:
    if type(node).__name__ == "UnaryOp" and node.op == "&":
        node = node.expr
    if type(node).__name__ != "ID":
        helps = [f"`{wanted}`"]
        if type(node).__name__ == "Constant" and code == "PC0203":
            helps = [f"define `static {wanted.replace('*', '*v')} {{ *v = {node.value}; }}`, and write `init` here"]
        raise tr.context.refuse(code, f"the {what} must be the name of a function", node, helps=tuple(helps))
    name: str = node.name
    entry = tr.state.scope.lookup(name)
    if entry is not None:
        raise tr.context.refuse(code, f"{what} `{name}` is not a function", node, helps=(f"`{wanted}`",))
    if name not in tr.context.definitions and name not in tr.context.prototypes:
        raise tr.context.refuse(
            code,
            f"{what} `{name}` is not declared",
            node,
            helps=(f"define `{wanted.replace(' op(', f' {name}(').replace(' init(', f' {name}(')}` before its use",),
        )
    calls.check_declared_before(tr, node, name)
    return name


def _check_operator(tr: Expressions, name: str, ctype: CType, node: Any) -> None:
    returns, params = _signature(tr, name)
    if isinstance(ctype, ArrayType) or returns != ctype or params != (ctype, ctype):
        text = spell(ctype)
        raise _mismatch(tr, "PC0202", f"operator `{name}`", f"{text} {name}({text}, {text})", name, node)


def _signature(tr: Expressions, name: str) -> tuple[CType, tuple[CType, ...]]:
    decl = tr.context.definitions.get(name) or tr.context.prototypes[name]
    func = decl.decl.type if type(decl).__name__ == "FuncDef" else decl.type
    returns = tr.types.resolve(func.type, Scope(tr.context.scope), tr.extent).type
    params = [p for p in (func.args.params if func.args is not None else ()) if type(p).__name__ != "EllipsisParam"]
    types = tuple(calls.parameter_type(tr, p) for p in params)
    return returns, () if types == (VOID,) else types


def _mismatch(tr: Expressions, code: str, what: str, wanted: str, name: str, node: Any) -> Exception:
    returns, params = _signature(tr, name)
    decl = tr.context.definitions.get(name) or tr.context.prototypes[name]
    return tr.context.refuse(
        code,
        f"{what} has the wrong type",
        node,
        f"is `{spell(returns)} {name}({', '.join(map(spell, params))})`",
        secondary=((decl.decl if type(decl).__name__ == "FuncDef" else decl, "declared here"),),
        helps=(f"the signature wanted is `{wanted.replace(' init(', f' {name}(')}`",),
    )
