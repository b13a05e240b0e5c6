"""What C++ takes of expressions, and what it would take but narrow: names, operands, arguments, stores."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from pencilc.codegen.cexpr import expression, type_text
from pencilc.codegen.kernel_types import OF_ONE_TYPE, SHIFTED, NameScope, made_of, may_be_written, reads_only, type_of
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import NOTHING, STREAM, GeneratedType
from pencilc.ir.definitions import TEMPLATE_TYPE, DeviceFunction
from pencilc.ir.nodes import Parameter
from pencilc.ir.source import (
    SMALL_FLOATS,
    VOID,
    AddressOf,
    ArrayType,
    Assign,
    Binary,
    Call,
    Cast,
    CType,
    Declare,
    Dereference,
    Expr,
    FloatLiteral,
    Index,
    Initializer,
    IntLiteral,
    MemberOf,
    Name,
    PointerType,
    Return,
    Scalar,
    Struct,
    Ternary,
    Unary,
)


def _fault(where: str, what: str) -> NoReturn:
    raise CompilerBug(f"`{where}`: {what}")


def check_expression(where: str, expr: Expr, scope: NameScope) -> None:
    """Raise CompilerBug if a name is not declared, or a call has arguments that C++ does not take."""
    pending: list[Expr] = [expr]
    while pending:
        node = pending.pop()
        match node:
            case Name():
                _check_name(where, node, scope)
            case Call():
                _check_call(where, node, scope)
                pending += node.arguments if node.function != "sizeof" else ()
            case IntLiteral():
                if node.name and not scope.knows(node.name):
                    _fault(where, f"`{node.name}` is not declared")
            case Binary():
                _check_operands(where, node)
                pending += (node.left, node.right)
            case Index():
                _check_element(where, node, scope)
                pending += (node.base, node.index)
            case Ternary():
                pending += (node.condition, node.then, node.otherwise)
            case Unary() | Cast() | AddressOf() | Dereference():
                pending.append(node.operand)
            case MemberOf():
                pending.append(node.base)
            case Initializer():
                _check_members(where, node, scope)
                pending += node.values


def _check_operands(where: str, node: Binary) -> None:
    """Operators have operands of a kind that C++ has them for; a node has the type of the names in it."""
    left, right = node.left.type, node.right.type
    if isinstance(left, Scalar) and isinstance(right, Scalar):
        takes = node.op not in _OF_INTEGERS or "float" not in (left.kind, right.kind)
    else:
        takes = node.op in _OF_POINTERS and all(
            isinstance(each, Scalar | PointerType | ArrayType) for each in (left, right)
        )
        takes = takes and (node.op != "+" or isinstance(left, Scalar) or isinstance(right, Scalar))
        takes = takes or (left == right == STREAM and node.op in ("==", "!="))
    if not takes:
        _fault(where, f"`{expression(node)}`: there is no `{node.op}` of {type_text(left)} and {type_text(right)}")


# Operators that floats do not have, and those that pointers have.
_OF_INTEGERS = frozenset(("%", "&", "|", "^", "<<", ">>"))
_OF_POINTERS = frozenset(("+", "-", "<", "<=", ">", ">=", "==", "!=", "&&", "||"))


def _check_members(where: str, node: Initializer, scope: NameScope) -> None:
    """Between braces nothing is narrowed: C++ refuses it."""
    match node.type:
        case ArrayType(element=element):
            types: tuple[CType, ...] = (element,) * len(node.values)
        case GeneratedType():
            return
        case Struct(members=members):
            types = tuple(each.type for each in members)
        case _:
            return
    for value, wanted in zip(node.values, types, strict=False):
        given = type_of(value, scope)
        if not isinstance(value, Initializer) and (not _fits(given, wanted) or _loses(value, given, wanted)):
            _fault(where, f"`{expression(node)}` has a {type_text(given)} for a {type_text(wanted)}")


def _check_element(where: str, node: Index, scope: NameScope) -> None:
    base = type_of(node.base, scope)
    if not isinstance(base, PointerType | ArrayType):
        _fault(where, f"`{expression(node)}` is an element of a {type_text(base)}")
    if not (isinstance(node.index.type, Scalar) and node.index.type.is_integer):
        _fault(where, f"`{expression(node)}` is element number {type_text(node.index.type)}")


def _check_name(where: str, node: Name, scope: NameScope) -> None:
    """A name is declared, and is used with the type of its declaration.

    Names of building blocks (`@row`) are exempt from the second: their templates declare them, and uses are made with
    no type of their own. An array and a pointer to its elements are one type here, as where C++ passes them.
    """
    name = node.symbol.name
    if node.symbol.kind == "geometry":
        return
    if not scope.knows(name):
        _fault(where, f"`{name}` is not declared")
    declared = scope.find(name)
    if declared is None or name.startswith("@"):
        return
    used, wanted = (type_text(_pointed(each)) for each in (node.type, declared.type))
    if used != wanted:
        _fault(where, f"`{name}` is declared as {wanted} and used as {used}")


def _pointed(ctype: CType) -> CType:
    """A type, without const, as C++ passes it: of an array, what points to its innermost elements."""
    if isinstance(ctype, ArrayType | PointerType):
        return PointerType(_element(ctype.element if isinstance(ctype, ArrayType) else ctype.target))
    return ctype


def _check_call(where: str, node: Call, scope: NameScope) -> None:
    name = node.function
    function = scope.functions.get(name)
    if function is not None:
        _check_arguments(where, node, function, scope)
    elif name in OF_ONE_TYPE:
        carried, value = (type_of(argument, scope) for argument in node.arguments)
        if element_text(carried) != type_text(value):
            _fault(where, f"`{expression(node)}` adds a {type_text(value)} to a {type_text(carried)}")
    elif name.startswith("."):
        base = type_of(node.arguments[0], scope)
        if name in (".add", ".at") and not (isinstance(base, GeneratedType) and base.name in SHIFTED):
            _fault(where, f"`{expression(node)}`: a {type_text(base)} has no member `{name[1:]}`")
    elif name not in scope.others and name != f"{type_text(node.type)}::zero":
        _fault(where, f"`{name}` is called, and nothing above defines it")


def element_text(ctype: CType) -> str:
    """Of which values a class of the building blocks is a sum; empty where it is none."""
    found = ctype.made_for[0] if isinstance(ctype, GeneratedType) and ctype.made_for else 0
    return "" if isinstance(found, int) else type_text(found)


def _check_arguments(where: str, node: Call, function: DeviceFunction, scope: NameScope) -> None:
    if len(node.arguments) != len(function.parameters):
        _fault(where, f"`{expression(node)}` has another number of arguments than its definition")
    pairs = list(zip(node.arguments, function.parameters, strict=True))
    made_for: CType = TEMPLATE_TYPE
    if function.is_template:
        types = {type_text(type_of(argument, scope)) for argument, each in pairs if each.type == TEMPLATE_TYPE}
        if len(types) > 1 and not node.made_for:
            _fault(where, f"`{expression(node)}` has arguments of {' and '.join(sorted(types))}, which is one type")
        made_for = made_of(node, function, scope)
    for argument, each in pairs:
        declared = replace(each, type=made_for) if each.type == TEMPLATE_TYPE else each
        check_passed(where, f"`{expression(node)}`", argument, declared, scope)


def check_passed(where: str, call: str, argument: Expr, declared: Parameter, scope: NameScope) -> None:
    """Raise CompilerBug if a parameter does not take an argument of `call`, or would write what is only read."""
    given = type_of(argument, scope)
    if not _fits(given, declared.type):
        _fault(where, f"{call}: a {type_text(given)} as {type_text(declared.type)} `{declared.name}`")
    if isinstance(declared.type, PointerType) and not declared.is_const and reads_only(argument, scope):
        _fault(where, f"{call}: `{declared.name}` is not const, and the argument is")
    if declared.reference and not declared.is_const and not may_be_written(argument, scope):
        _fault(where, f"{call}: `{declared.name}` is written, and the argument may not be")


def check_given(where: str, call: str, argument: Expr, declared: Parameter, scope: NameScope) -> None:
    """The same of what the host gives functions, where nothing of the source is converted: no number is narrowed."""
    check_passed(where, call, argument, declared, scope)
    given = type_of(argument, scope)
    if _loses(argument, given, declared.type):
        _fault(where, f"{call}: a {type_text(given)} does not fit into {type_text(declared.type)} `{declared.name}`")


def check_moved(where: str, given: Expr, taken: Expr, scope: NameScope) -> None:
    """Raise CompilerBug if what is `given` are no elements of the same type as `taken`, or that is only read."""
    types = [type_of(side, scope) for side in (given, taken)]
    if not all(isinstance(each, PointerType) for each in types) or not _fits(*types):
        kinds = " to a ".join(map(type_text, types))
        _fault(where, f"`{expression(given)}` goes to `{expression(taken)}`, a {kinds}")
    if reads_only(taken, scope):
        _fault(where, f"`{expression(taken)}` is only read in this function, and is written")


def check_assigned(where: str, node: Assign | Declare, scope: NameScope) -> None:
    """Raise CompilerBug if a value cannot become that of its variable, or what is only read is written.

    Numbers are narrowed as C narrows what the source stores.
    """
    if isinstance(node, Declare):
        assert node.init is not None
        target, value, text = node.symbol.type, node.init, node.symbol.name
    else:
        target, value, text = type_of(node.target, scope), node.value, expression(node.target)
        _check_target(where, node.target, text, scope)
    if isinstance(value, Initializer):
        return
    given = type_of(value, scope)
    if not _fits(given, target):
        _fault(where, f"a {type_text(given)} is stored to `{text}`, a {type_text(target)}")
    if isinstance(target, PointerType) and not _is_to_const(target, node, scope) and reads_only(value, scope):
        _fault(where, f"`{text}` is no pointer to const, and is given one")


def check_returned(where: str, node: Return, returns: CType, scope: NameScope) -> None:
    """Raise CompilerBug if a function returns another type than it has, or nothing for something."""
    given = VOID if node.value is None else type_of(node.value, scope)
    if (given == VOID) != (returns == VOID) or (given != VOID and not _fits(given, returns)):
        _fault(where, f"a {type_text(given)} is returned as {type_text(returns)}")
    is_written = isinstance(returns, PointerType) and not returns.is_const
    if node.value is not None and is_written and reads_only(node.value, scope):
        _fault(where, f"`{expression(node.value)}` is a pointer to const, and is returned as none")


def _is_to_const(ctype: PointerType, node: Assign | Declare, scope: NameScope) -> bool:
    return ctype.is_const or (isinstance(node, Assign) and reads_only(node.target, scope))


def _check_target(where: str, target: Expr, text: str, scope: NameScope) -> None:
    if not isinstance(target, Name | Index | MemberOf | Dereference):
        _fault(where, f"`{text}` is no place that has a value, and is given one")
    if not may_be_written(target, scope):
        what = "const" if isinstance(target, Name) else "only read in this function,"
        _fault(where, f"`{text}` is {what} and is written")


def _fits(given: CType, wanted: CType) -> bool:
    """Whether C++ converts one type to the other by itself; the small floats are converted by functions of CUDA."""
    if isinstance(given, ArrayType):
        given = PointerType(given.element)
    if given == NOTHING:
        return isinstance(wanted, PointerType)
    if isinstance(given, Scalar) and isinstance(wanted, Scalar):
        return given == wanted or not ({given, wanted} & _EXACT)
    if isinstance(given, PointerType) and isinstance(wanted, PointerType):
        return type_text(_element(given.target)) == type_text(_element(wanted.target))
    return type_text(given) == type_text(wanted)


_EXACT = frozenset((VOID, *SMALL_FLOATS))


def _loses(value: Expr, given: CType, wanted: CType) -> bool:
    """Whether a number would not keep its value: fewer bytes, or no place behind the point.

    The sign of as many bytes is that of an address or a size, which are never negative; literals fit, or nvcc says so.
    """
    if not isinstance(given, Scalar) or not isinstance(wanted, Scalar) or isinstance(value, IntLiteral | FloatLiteral):
        return False
    if given.is_integer:
        return wanted.is_integer and wanted.size < given.size and wanted.kind != "bool"
    return wanted.is_integer or wanted.size < given.size


def _element(ctype: CType) -> CType:
    while isinstance(ctype, ArrayType):
        ctype = ctype.element
    return ctype
