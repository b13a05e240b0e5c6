"""The PENCIL builtins that are statements: reductions, assume, kill, assert, use and def."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Edit, Fix, Label
from pencilc.diagnostics.source import Span
from pencilc.frontend.context import Refused, Scope
from pencilc.frontend.syntax.near_names import nearest
from pencilc.frontend.translate import calls
from pencilc.frontend.translate.remedies import generated, refuse_old_style
from pencilc.frontend.translate.translators import Expressions
from pencilc.frontend.translate.types import spell
from pencilc.ir.queries import root
from pencilc.ir.rewrite import fresh_name
from pencilc.ir.snippets import SIGNS, Helper, init_in, operator_in
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
    Scalar,
    Stmt,
)  # fmt: skip

# What the name of a function that is not written yet says about it.
_OPERATORS = (
    (r"add|sum|plus", "+"), (r"mul|prod|times", "*"), (r"max|large|great", "max"), (r"min|small|least", "min"),
)  # fmt: skip
_INITS = ((r"zero|null|clear", "0"), (r"^one$|_one$|^unit", "1"))


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
        raise _no_address(tr, name, first)
    expr = tr.lvalue(first.expr, "a reduction variable")
    if isinstance(expr, Name) and isinstance(expr.type, PointerType):
        raise tr.context.refuse("PC0404", "a pointer cannot be a reduction variable", first)
    return expr


def _no_address(tr: Expressions, name: str, first: Any) -> Exception:
    """PC0210 for `s` where `&s` is wanted, and `&s[0]` where `s` is an array or a pointer."""
    message = f"`{name}` wants the address of a variable"
    if type(first).__name__ not in ("ID", "ArrayRef", "StructRef"):
        return tr.context.refuse("PC0210", message, first, helps=("write `&` and the name of a variable",))
    known = tr.state.scope.lookup(first.name) if type(first).__name__ == "ID" else None
    element = "[0]" if isinstance(getattr(known, "type", None), ArrayType | PointerType) else ""
    wanted = f"&{generated(first)}{element}"
    span = tr.context.span(first)
    file = tr.context.file_of(span)
    edits = [fixes.inserted(file, span, span.column, "&")]
    if element:
        edits = [fixes.replaced(file, span, first.name, wanted)]
    return tr.context.refuse("PC0210", message, first, remedies=(fixes.fix(f"write `{wanted}`", edits),))


def _update(tr: Expressions, node: Any, arguments: list[Any]) -> Stmt:
    if len(arguments) not in (3, 4):
        raise tr.context.refuse(
            "PC0011",
            f"`__pencil_reduction` wants 3 arguments, not {len(arguments)}",
            node,
            helps=("`__pencil_reduction(&variable, element, operator)`",),
        )
    _check_order(tr, node, arguments)
    variable = _variable(tr, "__pencil_reduction", node, arguments)
    operator = _function_name(
        tr,
        "PC0202",
        "operator",
        f"{spell(variable.type)} op({spell(variable.type)}, {spell(variable.type)})",
        variable.type,
        arguments[2],
    )
    element = tr.converted(arguments[1], variable.type, "the element")
    if not _is_generic_operator(tr, operator):
        _check_operator(tr, operator, variable, arguments[2])
        tr.state.called.setdefault(operator, arguments[2])
        tr.context.operators.setdefault(operator, tr.context.span(arguments[2]))
    return ReductionUpdate(variable, element, operator, tr.context.span(node))


def _check_order(tr: Expressions, node: Any, arguments: list[Any]) -> None:
    """PC0011 for an operator that is not the third argument, and for a fourth one that is not `NULL`."""
    variable, element, third, *fourth = arguments
    known = [_names_function(tr, argument) for argument in arguments]
    helps: tuple[str, ...] = ()
    if fourth and known[3]:
        message = "the operator is the third argument of `__pencil_reduction`, not the fourth"
        where = fourth[0]
        if not known[2]:
            both = f"{generated(variable)}, {generated(element)} * {generated(third)}, {generated(fourth[0])}"
            code = f"__pencil_reduction({both});"
            text = f"an element is one expression: write `{code}` if it is their product"
            span = tr.context.span(node)
            edit = fixes.statement_replaced(tr.context.file_of(span), span, "__pencil_reduction", code)
            raise tr.context.refuse("PC0011", message, where, remedies=(fixes.fix(text, [edit]),))
        chosen = third
        if known[2] and _takes_two(tr, third) and not _takes_two(tr, fourth[0]):
            message = "`__pencil_reduction` has one operator, its third argument"
        else:
            chosen = fourth[0]
        wanted = ", ".join(generated(each) for each in (variable, element, chosen))
    elif fourth and generated(fourth[0]) not in ("0", "(void *) 0", "((void *) 0)", "(void *)0"):
        message, helps, where = "the fourth argument of `__pencil_reduction` can only be `NULL`", (), fourth[0]
        wanted = ", ".join(generated(each) for each in (variable, element, third))
    elif known[1] and not known[2]:
        message, helps, where = "the operator is the last argument of `__pencil_reduction`", (), element
        wanted = ", ".join(generated(each) for each in (variable, third, element))
    else:
        return
    span = tr.context.span(node)
    code = f"__pencil_reduction({wanted});"
    edit = fixes.statement_replaced(tr.context.file_of(span), span, "__pencil_reduction", code)
    raise tr.context.refuse("PC0011", message, where, helps=helps, remedies=(fixes.fix(f"write `{code}`", [edit]),))


def _takes_two(tr: Expressions, node: Any) -> bool:
    """Whether an argument names a function of the file with two parameters, as an operator has."""
    function = tr.context.definitions.get(getattr(node, "name", ""))
    given = None if function is None else function.decl.type.args
    return given is not None and len(given.params) == 2


def _names_function(tr: Expressions, node: Any) -> bool:
    """Whether an argument is the name of a function."""
    if type(node).__name__ == "UnaryOp" and node.op == "&":
        node = node.expr
    if type(node).__name__ != "ID" or tr.state.scope.lookup(node.name) is not None:
        return False
    return node.name in tr.context.definitions or node.name in tr.context.prototypes


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
    function = _function_name(tr, "PC0203", "init function", wanted, variable.type, arguments[1])
    returns, params = _signature(tr, function)
    fits = returns == VOID and len(params) == 1 and isinstance(params[0], PointerType)
    if not fits or not isinstance(params[0], PointerType) or params[0].target != variable.type or params[0].is_const:
        told = len(tr.context.diagnostics)
        own = params[0].target if fits and isinstance(params[0], PointerType) and not params[0].is_const else None
        what = f"init function `{function}`"
        refused = _mismatch(tr, "PC0203", what, wanted, function, arguments[1], variable.type, own)
        if own is not None and (of := root(variable)) is not None and len(tr.context.diagnostics) > told:
            tr.context.mistyped[of.symbol.span] = told
        raise refused
    tr.state.called.setdefault(function, arguments[1])
    tr.context.inits.setdefault(function, tr.context.span(arguments[1]))
    return ReductionInit(variable, function, tr.context.span(node))


def _function_name(tr: Expressions, code: str, what: str, wanted: str, ctype: CType, node: Any) -> str:
    """The name of a function that `node` is, for a variable of type `ctype`; raises Refused."""
    if type(node).__name__ == "UnaryOp" and node.op == "&":
        node = node.expr
    if type(node).__name__ != "ID":
        raise _no_name(tr, code, what, wanted, ctype, node)
    name: str = node.name
    if tr.state.scope.lookup(name) is not None:
        helps = (f"`{wanted}`",)
        if code == "PC0203":
            helps = (
                f"begin from the identity of the operator, and bring in `{name}` behind the loop: `{wanted}` writes it",
            )
        raise tr.context.refuse(code, f"{what} `{name}` is not a function", node, helps=helps)
    if name not in tr.context.definitions and name not in tr.context.prototypes:
        raise _no_function(tr, code, what, wanted, ctype, node)
    calls.check_declared_before(tr, node, name)
    return name


def _no_name(tr: Expressions, code: str, what: str, wanted: str, ctype: CType, node: Any) -> Exception:
    """The refusal of something else than a name: a sign in quotes, or the value that an init function writes."""
    message = f"the {what} must be the name of a function"
    text = node.value if type(node).__name__ == "Constant" else ""
    if type(node).__name__ == "UnaryOp" and node.op == "-" and type(node.expr).__name__ == "Constant":
        text = f"-{node.expr.value}"
    span = tr.context.span(node)
    file = tr.context.file_of(span)
    source = file.text
    shown = file.line(span.line)[span.column - 1 : span.end_column - 1]
    written = shown if shown in tr.context.preprocessed.macros else text
    if code == "PC0203" and text and not text.startswith('"'):
        return tr.context.refuse(
            code, message, node, remedies=(_added(tr, span, written, init_in(source, text, spell(ctype))),)
        )
    if code == "PC0202" and text.strip('"') in SIGNS:
        helper = operator_in(source, text.strip('"'), spell(ctype))
        return tr.context.refuse(code, message, node, remedies=(_added(tr, span, written, helper),))
    return tr.context.refuse(code, message, node, helps=(f"`{wanted}`",))


def _added(tr: Expressions, span: Span, old: str, helper: Helper) -> Fix | None:
    """The fix that names `helper` in place of `old`, and adds it to the file where it has to be."""
    edits = [fixes.replaced(tr.context.file_of(span), span, old, helper.name)]
    if helper.definition:
        edits.append(tr.context.before_function(span, helper.definition))
    return fixes.fix(f"write `{helper.name}` instead{helper.added}", edits)


def _no_function(tr: Expressions, code: str, what: str, wanted: str, ctype: CType, node: Any) -> Exception:
    """The refusal of a name that no function has: a misspelt one, a macro, or one that has to be written yet."""
    name, context = node.name, tr.context
    span = context.span(node)
    source, spelling = context.file_of(span).text, spell(ctype)
    macro = context.preprocessed.macros.get(name)
    if macro is not None and macro.parameters is not None:
        message = f"{what} `{name}` is a macro, and has to be a function"
        values = ("a", "b")[: len(macro.parameters)]
        if code == "PC0203" or len(values) != 2:
            return context.refuse(code, message, node, helps=(f"`{wanted}`",))
        called = fresh_name(name.lower(), {*context.identifiers, *re.findall(r"\w+", source)})
        made = Helper(called, f"static {spelling} {called}({spelling} a, {spelling} b) {{ return {name}(a, b); }}")
        return context.refuse(code, message, node, remedies=(_added(tr, span, name, made),))
    message = f"{what} `{name}` is not declared"
    # What is in the file is likelier to be meant than what one of its headers has.
    own = [each for each, decl in context.prototypes.items() if not context.path_of(decl).startswith("<pencilc>/")]
    if meant := nearest(name, (*context.definitions, *own)):
        return context.refuse(code, message, node, remedies=(context.renamed(node, name, meant),))
    helper = _likely(code, name, source, spelling) if isinstance(ctype, Scalar) else None
    if helper is not None and helper.definition:
        definition = helper.definition.replace(f" {helper.name}(", f" {name}(", 1)
        text = f"add `{definition}` before the function"
        return context.refuse(
            code, message, node, remedies=(fixes.fix(text, [context.before_function(span, definition)]),)
        )
    if helper is not None:
        return context.refuse(code, message, node, remedies=(context.renamed(node, name, helper.name),))
    definition = wanted.replace(" op(", f" {name}(").replace(" init(", f" {name}(")
    says = ", which writes the identity of the operator," if code == "PC0203" else ""
    return context.refuse(code, message, node, helps=(f"define `{definition}`{says} before its use",))


def _likely(code: str, name: str, source: str, ctype: str) -> Helper | None:
    """The function that a name asks for, in the file or to be added to it: `maximum`, `plus`, `zero`."""
    words = _INITS if code == "PC0203" else _OPERATORS
    meaning = next((what for word, what in words if re.search(word, name.lower())), None)
    if meaning is None:
        return None
    return init_in(source, meaning, ctype) if code == "PC0203" else operator_in(source, meaning, ctype)


def _check_operator(tr: Expressions, name: str, variable: Expr, node: Any) -> None:
    ctype = variable.type
    returns, params = _signature(tr, name)
    if isinstance(ctype, ArrayType) or returns != ctype or params != (ctype, ctype):
        of, text = root(variable), spell(ctype)
        told = None if of is None else tr.context.mistyped.get(of.symbol.span)
        if told is not None and params == (returns, returns):
            _told_with_init(tr, told, name, returns, ctype, node)
            raise Refused()
        own = returns if params == (returns, returns) else None
        wanted = f"{text} {name}({text}, {text})"
        raise _mismatch(tr, "PC0202", f"operator `{name}`", wanted, name, node, ctype, own)


def _told_with_init(tr: Expressions, index: int, name: str, own: CType, wanted: CType, node: Any) -> None:
    """Let the diagnostic of an init of another type than its variable's speak of the operator too, which has it too."""
    told = tr.context.diagnostics[index]
    if " have the wrong type" in told.message:
        return  # Of another update with the same variable it is not told again.
    decl = tr.context.definitions.get(name) or tr.context.prototypes[name]
    message = told.message.replace(" has the wrong type", f" and operator `{name}` have the wrong type")
    label = Label(tr.context.span(node), f"is `{spell(own)} {name}({spell(own)}, {spell(own)})`")
    edit = _retyped(tr, decl, name, own, wanted)
    both = f", and `{spell(wanted)} {name}({spell(wanted)}, {spell(wanted)})`"
    ways: list[Fix] = []
    if edit is not None:
        ways = [Fix(each.help + both, (*each.edits, edit)) for each in told.fixes]
    helps = () if ways else tuple(each + both for each in told.remedies)
    changed = replace(told, message=message, secondary=(*told.secondary, label), fixes=tuple(ways), helps=helps)
    tr.context.diagnostics[index] = changed


def _retyped(tr: Expressions, decl: Any, name: str, old: CType, new: CType) -> Edit | None:
    """Let a function that is used once have another type: the edit of its head, if that is one line."""
    span = tr.context.span(decl.decl if type(decl).__name__ == "FuncDef" else decl)
    file = tr.context.file_of(span)
    head = re.match(rf".*?\b{name}\s*\([^()]*\)", file.line(span.line))
    if head is None or type(decl).__name__ != "FuncDef" or len(re.findall(rf"\b{name}\b", file.text)) != 2:
        return None
    changed, count = re.subn(rf"\b{re.escape(spell(old))}\b", spell(new), head.group())
    return fixes.replaced(file, replace(span, column=1), head.group(), changed) if count else None


def _signature(tr: Expressions, name: str) -> tuple[CType, tuple[CType, ...]]:
    decl = tr.context.definitions.get(name) or tr.context.prototypes[name]
    func = decl.decl.type if type(decl).__name__ == "FuncDef" else decl.type
    if any(type(param).__name__ == "ID" for param in (func.args.params if func.args is not None else ())):
        raise refuse_old_style(tr.context, decl, decl.decl)
    returns = tr.types.resolve(func.type, Scope(tr.context.scope), tr.extent).type
    params = [p for p in (func.args.params if func.args is not None else ()) if type(p).__name__ != "EllipsisParam"]
    types = tuple(calls.parameter_type(tr, p) for p in params)
    return returns, () if types == (VOID,) else types


def _mismatch(
    tr: Expressions, code: str, what: str, wanted: str, name: str, node: Any, ctype: CType, own: CType | None
) -> Exception:
    """The refusal of a function for a variable of type `ctype`; `own`: it is right, but for another type."""
    returns, params = _signature(tr, name)
    decl = tr.context.definitions.get(name) or tr.context.prototypes[name]
    signature = wanted.replace(" init(", f" {name}(")
    better = _as_init(tr, decl, name, wanted) if code == "PC0203" else None
    if better is None and own is not None:
        better = fixes.fix(f"write `{signature}`", [_retyped(tr, decl, name, own, ctype)])
    return tr.context.refuse(
        code,
        f"{what} has the wrong type",
        node,
        f"is `{spell(returns)} {name}({', '.join(map(spell, params))})`",
        secondary=((decl.decl if type(decl).__name__ == "FuncDef" else decl, "declared here"),),
        helps=() if better is not None else (f"the signature wanted is `{signature}`",),
        remedies=(better,),
    )


def _as_init(tr: Expressions, decl: Any, name: str, wanted: str) -> Fix | None:
    """The fix that makes an init function of one that returns the value: `float zero(void) { return 0; }`."""
    span = tr.context.span(decl.decl if type(decl).__name__ == "FuncDef" else decl)
    line = tr.context.file_of(span).line(span.line)
    found = re.fullmatch(rf"(\s*(?:static\s+)?(?:inline\s+)?)\w+ {name}\((?:void)?\) ?\{{ ?return ([^;]+); ?\}}", line)
    if found is None:
        return None
    pointer = wanted.replace("init(", f"{name}(").replace(" *)", " *v)")
    new = f"{pointer} {{ *v = {found.group(2)}; }}"
    at = replace(span, column=len(found.group(1)) + 1)
    old = line[len(found.group(1)) :]
    return fixes.fix(f"write `{new}`", [fixes.replaced(tr.context.file_of(span), at, old, new)])
