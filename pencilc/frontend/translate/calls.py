"""Calls in expressions: helpers of the file, math.h, and the type-generic names of pencil.h."""

from __future__ import annotations

from typing import Any

from pencilc.diagnostics import fixes
from pencilc.frontend.context import FileContext, Poisoned, Refused, Scope
from pencilc.frontend.translate.remedies import generated, refuse_host_only, refuse_old_style, unknown_name
from pencilc.frontend.translate.translators import Expressions
from pencilc.frontend.translate.types import common_type, implicit, spell
from pencilc.ir.source import INT, LONG, AddressOf, ArrayType, Call, CType, Expr, IntLiteral, PointerType, Scalar

GENERIC = {"min": 2, "max": 2, "clamp": 3}
PURE_STDLIB = {"abs", "labs", "llabs"}
_CLASSIFY = {"isnan", "isinf", "isfinite", "isnormal", "signbit", "fpclassify"}
_COMPARE = {"isgreater", "isless", "isgreaterequal", "islessequal", "islessgreater", "isunordered"}
BUILTIN_STATEMENTS = {
    "__pencil_reduction", "__pencil_reduction_var_init", "__pencil_assume", "__pencil_kill", "__pencil_assert",
    "__pencil_use", "__pencil_def",
}  # fmt: skip


# Functions of math.h and stdlib.h that set no `errno`; those of math.h with an `f` behind them too.
_ONLY_RETURN = frozenset(
    (
        "abs", "asinh", "atan", "cbrt", "ceil", "copysign", "cos", "erf", "fabs", "floor", "fma", "fmax", "fmin",
        "labs", "llabs", "nan", "nearbyint", "rint", "round", "sin", "tan", "tanh", "trunc",
    )
)  # fmt: skip


def is_library(context: FileContext, name: str, decl: Any) -> bool:
    """Whether a declaration is that of a pure function of math.h, stdlib.h, or of pencil.h."""
    path = context.path_of(decl)
    if path in ("<pencilc>/libc/math.h", "<pencilc>/pencil.h"):
        return True
    return path == "<pencilc>/libc/stdlib.h" and name in PURE_STDLIB


def only_returns(context: FileContext, name: str) -> bool:
    """Whether gcc knows that `name` does nothing but return a value, so that a call alone draws a warning."""
    if name in context.pure:
        return True
    decl = context.prototypes.get(name)
    is_known = name in _ONLY_RETURN or (name.endswith("f") and name[:-1] in _ONLY_RETURN)
    return is_known and name not in context.definitions and decl is not None and is_library(context, name, decl)


def is_pure_library(tr: Expressions, name: str) -> bool:
    """Whether `name` is a library function that the file itself does not define."""
    decl = tr.context.prototypes.get(name)
    return name not in tr.context.definitions and decl is not None and is_library(tr.context, name, decl)


def translate_call(tr: Expressions, node: Any) -> Expr:
    """A call as an expression; raises Refused."""
    if type(node.name).__name__ != "ID":
        raise tr.context.refuse("PC0404", "calls through pointers are not part of PENCIL", node)
    name = node.name.name
    arguments = list(node.args.exprs) if node.args is not None else []
    span = tr.context.span(node)
    if isinstance(tr.state.scope.lookup(name), Poisoned):
        raise Refused  # Its declaration has been told.
    if name == "__pencil_maybe":
        if tr.state.kind != "summary":
            raise tr.context.refuse(
                "PC0014", "`__pencil_maybe` has a meaning only in a summary function", node, "its value is unknown"
            )
        return Call(name, (), INT, span)
    if name in BUILTIN_STATEMENTS:
        raise tr.context.refuse("PC0308", f"`{name}` is a statement, not a value", node)
    if is_pure_library(tr, name) and (name in GENERIC or name in _CLASSIFY or name in _COMPARE):
        return _generic(tr, node, name, arguments)
    refuse_host_only(tr, name, node, arguments)
    decl = tr.context.definitions.get(name) or tr.context.prototypes.get(name)
    if decl is None:
        raise _unknown(tr, node, name)
    check_declared_before(tr, node, name)
    func = decl.decl.type if type(decl).__name__ == "FuncDef" else decl.type
    if any(type(param).__name__ == "ID" for param in (func.args.params if func.args is not None else ())):
        raise refuse_old_style(tr.context, decl, decl.decl)
    tr.state.called.setdefault(name, node.name)
    returns = tr.types.resolve(func.type, tr.context.scope, tr.extent).type
    return Call(name, _arguments(tr, node, name, func, arguments), returns, span)


def check_declared_before(tr: Expressions, node: Any, name: str) -> None:
    """Report a function that is used in front of its first declaration, as C compilers do."""
    definition, prototype = tr.context.definitions.get(name), tr.context.prototypes.get(name)
    found = [each for each in (definition and definition.decl, prototype) if each is not None and each.coord]
    first = min(found, key=_place, default=None)
    if first is None or not node.coord or _place(first) <= _place(node) or (tr.state.name, name) in tr.context.late:
        return
    tr.context.late.add((tr.state.name, name))
    span = tr.context.span(node)
    declared = f"{generated(first)};"
    text = f"put `{declared}` in front of `{tr.state.name}`"
    remedy = fixes.fix(text, [tr.context.before_function(span, declared)])
    tr.context.error(
        "PC0010",
        f"`{name}` is used before it is declared",
        node,
        secondary=((first, "declared here"),),
        helps=() if remedy is not None else (text,),
        remedies=(remedy,),
    )


def _place(node: Any) -> tuple[int, int]:
    return node.coord.line, node.coord.column or 0


def _unknown(tr: Expressions, node: Any, name: str) -> Exception:
    known = (*tr.context.definitions, *tr.context.prototypes, *BUILTIN_STATEMENTS)
    return unknown_name(tr, node.name, known, is_call=True)


def _generic(tr: Expressions, node: Any, name: str, nodes: list[Any]) -> Expr:
    wanted = GENERIC.get(name, 2 if name in _COMPARE else 1)
    if len(nodes) != wanted:
        raise tr.context.refuse("PC0011", f"`{name}` wants {wanted} arguments, not {len(nodes)}", node)
    values = [tr.arithmetic(n) for n in nodes]
    common: CType = values[0].type
    for value in values[1:] if len(values) > 1 else values:
        assert isinstance(common, Scalar) and isinstance(value.type, Scalar)
        common = common_type(common, value.type) if name in GENERIC or len(values) > 1 else common
    converted = tuple(implicit(v, common) for v in values)
    return Call(name, converted, common if name in GENERIC else INT, tr.context.span(node))


def _arguments(tr: Expressions, node: Any, name: str, func: Any, nodes: list[Any]) -> tuple[Expr, ...]:
    params = list(func.args.params) if func.args is not None else []
    if len(params) == 1 and _is_void(params[0]):
        params = []
    elif func.args is None and nodes:
        raise tr.context.refuse("PC0011", f"`{name}` is declared without parameters", node)
    variadic = bool(params) and type(params[-1]).__name__ == "EllipsisParam"
    fixed = params[:-1] if variadic else params
    if len(nodes) != len(fixed) and not (variadic and len(nodes) > len(fixed)):
        raise tr.context.refuse("PC0011", f"`{name}` wants {len(fixed)} arguments, not {len(nodes)}", node)
    result = [_argument(tr, name, p, n) for p, n in zip(fixed, nodes, strict=False)]
    return tuple(result) + tuple(tr.translate(n) for n in nodes[len(fixed) :])


def _is_void(param: Any) -> bool:
    inner: Any = getattr(param, "type", None)
    return (
        type(param).__name__ == "Typename"
        and type(inner).__name__ == "TypeDecl"
        and getattr(inner.type, "names", None) == ["void"]
    )


def _argument(tr: Expressions, name: str, param: Any, node: Any) -> Expr:
    target = parameter_type(tr, param)
    if type(node).__name__ == "UnaryOp" and node.op == "&":
        inner = tr.translate(node.expr)
        if isinstance(target, PointerType) and target.target == inner.type:
            if not target.is_const:
                inner = tr.lvalue(node.expr, "passed by pointer to be written")
            return AddressOf(inner, PointerType(inner.type), tr.context.span(node))
        message = f"the address of `{spell(inner.type)}` is passed to `{name}`"
        helps: tuple[str, ...] = ("pass the array or the value itself",)
        if isinstance(target, ArrayType | PointerType) and type(node.expr).__name__ == "ArrayRef":
            helps = _part_helps(name, generated(node.expr.name), generated(node.expr.subscript))
        raise tr.context.refuse("PC0404", message, node, helps=helps)
    if isinstance(target, ArrayType | PointerType) and type(node).__name__ == "BinaryOp" and node.op in ("+", "-"):
        base = tr.translate(node.left)
        if isinstance(base.type, ArrayType | PointerType):
            offset = generated(node.right) if node.op == "+" else f"-{generated(node.right)}"
            helps = _part_helps(name, generated(node.left), offset)
            raise tr.context.refuse("PC0404", "pointer arithmetic is not part of PENCIL", node, helps=helps)
    if not isinstance(target, ArrayType | PointerType):
        return tr.converted(node, target, f"this argument of `{name}`")
    expr = tr.translate(node)
    if not isinstance(expr.type, ArrayType):
        if expr.type == target:
            return expr
        raise tr.context.refuse(
            "PC0012", f"this argument of `{name}` has type `{spell(expr.type)}` where an array is expected", node
        )
    wanted = target.element if isinstance(target, ArrayType) else target.target
    if not _same_shape(wanted, expr.type.element):
        raise tr.context.refuse(
            "PC0012",
            f"this argument of `{name}` has elements of type `{spell(expr.type.element)}` where "
            f"`{spell(wanted)}` is expected",
            node,
        )
    if expr.type.is_const and not target.is_const:
        tr.context.error("PC0406", f"passing this to `{name}` drops its const", node, "elements are const")
    return expr


def _part_helps(name: str, array: str, offset: str) -> tuple[str, ...]:
    """What to do about a part of an array that is passed to the function `name`."""
    whole = (
        f"pass the whole array and where the part begins: `{name}(..., {array}, {offset})`, and add it to the "
        f"subscripts in `{name}`"
    )
    rows = f"or declare `{array}` with two dimensions, `{array}[h][w]`, and pass a row: `{array}[y]`"
    return (whole, rows) if "*" in offset else (whole,)


def parameter_type(tr: Expressions, param: Any) -> CType:
    """The type of a callee's parameter; extents that depend on its other parameters are left out."""

    def unknown_extent(node: Any) -> Expr:
        return IntLiteral(0, LONG, tr.context.span(node))

    if type(param).__name__ == "ID":
        raise refuse_old_style(tr.context, None, param)
    return tr.types.resolve(param, Scope(tr.context.scope), unknown_extent).type


def _same_shape(left: CType, right: CType) -> bool:
    if isinstance(left, ArrayType) and isinstance(right, ArrayType):
        return _same_shape(left.element, right.element)
    return left == right
