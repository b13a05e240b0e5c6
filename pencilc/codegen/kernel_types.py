"""Names and types of the tree as C++ has them: what is in scope, which type an expression has, what may be assigned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NoReturn

from pencilc.codegen.cexpr import expression, type_text
from pencilc.codegen.needs import BROUGHT_BY
from pencilc.codegen.pencil_functions import TEMPLATES
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.bins import BroughtBins
from pencilc.ir.build import NOTHING, STREAM, TRUTHS, GeneratedType, common_type, promoted
from pencilc.ir.definitions import (
    Definition,
    DeviceFunction,
    NamedConstant,
    PencilFunction,
    StructDefinition,
    Table,
)
from pencilc.ir.header_names import HEADER_NAMES
from pencilc.ir.kernel import HelperCall, KernelFunction
from pencilc.ir.nodes import Parameter
from pencilc.ir.source import (
    BOOL,
    FLOAT,
    INT,
    LLONG,
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
    Index,
    Initializer,
    IntLiteral,
    MemberOf,
    Name,
    PointerType,
    Scalar,
    Struct,
    Ternary,
    Unary,
)

# Names of C++ and CUDA, and what every generated file defines.
_OF_LANGUAGE: dict[str, CType] = {
    "INFINITY": FLOAT, "true": BOOL, "false": BOOL, "nullptr": NOTHING, "PENCILC_WARP": INT, "PENCILC_COUNTING": STREAM,
    "pencilc_scratch::workspace": LLONG, "pencilc_scratch::fallback": LLONG,
}  # fmt: skip
# Templates that find one type for two arguments: what carries a sum, and a value.
_OF_ONE_TYPE = frozenset(("pencilc_sum_add",))
_SHIFTED = ("pencilc_exp_sum", "pencilc_exp2_sum", "pencilc_square_sum")
_TEMPLATES = frozenset(f"{name}_" if name in ("min", "max") else name for name in TEMPLATES)
# Functions of headers and building blocks, and what looks like a function in an expression.
_OF_HEADERS = frozenset((*HEADER_NAMES, *BROUGHT_BY, "dim3", "sizeof"))


@dataclass(frozen=True, slots=True)
class Known:
    """A variable: its type, whether it is const, and whether a pointer is one to const elements."""

    type: CType
    is_const: bool = False
    reads_only: bool = False


@dataclass(slots=True)
class NameScope:
    """The names between two braces, and of what is around."""

    around: NameScope | None = None
    names: dict[str, Known] = field(default_factory=dict)
    functions: dict[str, DeviceFunction] = field(default_factory=dict)
    others: set[str] = field(default_factory=set)  # functions that take whatever they are given

    def inner(self) -> NameScope:
        """A scope inside of this one."""
        return NameScope(self, {}, self.functions, self.others)

    def declare(self, name: str, known: Known) -> bool:
        """Add a name; false if this scope has it already."""
        if name in self.names:
            return False
        self.names[name] = known
        return True

    def provide(self, names: Iterable[str], ctype: CType) -> None:
        """Names of one type that a building block or a launch has; some may be there already."""
        for name in names:
            self.declare(name, Known(ctype))

    def find(self, name: str) -> Known | None:
        """What a name means here."""
        scope: NameScope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.around
        return None

    def binds(self, name: str) -> bool:
        """Whether a name of a function, its loops and conditions is called so; names of the file may be hidden."""
        scope: NameScope | None = self
        while scope is not None and scope.around is not None:
            if name in scope.names:
                return True
            scope = scope.around
        return False

    def knows(self, name: str) -> bool:
        """Whether the name is declared, here or by the language."""
        return self.find(name) is not None or name in self.functions or name in _OF_LANGUAGE


class FileScope(NameScope):
    """The names of a file, as far as it has been read: none at first but those of headers and building blocks."""

    def __init__(self) -> None:
        super().__init__(others=set(_OF_HEADERS))
        self.parts: set[str] = set()
        self.structs: set[str] = set()

    def define(self, definition: Definition) -> None:
        """One more type, table or function of the source."""
        match definition:
            case NamedConstant():
                self.names[definition.name] = Known(INT, is_const=True)
            case Table():
                ctype = definition.type
                ctype = PointerType(ctype.element) if isinstance(ctype, ArrayType) else ctype
                self.names[definition.name] = Known(ctype, is_const=True, reads_only=True)
            case PencilFunction():
                self.others.add(definition.name)
            case DeviceFunction():
                self.functions[definition.name] = definition
            case StructDefinition():
                self.structs.add(type_text(definition.struct))

    def define_brought(self, called: HelperCall) -> None:
        """The functions beside a kernel that the tree calls; building blocks call the others."""
        match called.arguments:
            case (BroughtBins(bins=bins, partial=True), *_):
                self.others |= {f"{each.stem}_is_start" for each in bins}

    def define_kernel(self, function: KernelFunction) -> None:
        """One more kernel, or what has a part of one."""
        self.others.add(function.name)
        if function.layout:
            self.parts.add(function.name)

    def meets(self, call: Call) -> bool:
        """Whether the threads of a block meet in what is called: the stages and parts of kernels have barriers."""
        return call.function in self.parts


def _fault(where: str, what: str) -> NoReturn:
    raise CompilerBug(f"`{where}`: {what}")


# ---- types -----------------------------------------------------------------------------------------


def type_of(expr: Expr, scope: NameScope) -> CType:  # noqa: C901  (one case for each kind of expression)
    """The type that C++ gives an expression."""
    match expr:
        case Name():
            known = scope.find(expr.symbol.name)
            return known.type if known is not None else _OF_LANGUAGE.get(expr.symbol.name, expr.type)
        case Unary(op="!"):
            return BOOL
        case Unary():
            return promoted(type_of(expr.operand, scope))
        case Binary() if expr.op in TRUTHS:
            return BOOL
        case Binary():
            left, right = type_of(expr.left, scope), type_of(expr.right, scope)
            return promoted(left) if expr.op in ("<<", ">>") else common_type(left, right)
        case Ternary():
            then, otherwise = type_of(expr.then, scope), type_of(expr.otherwise, scope)
            return then if then == otherwise else common_type(then, otherwise)
        case Index() | Dereference():
            base = type_of(expr.base if isinstance(expr, Index) else expr.operand, scope)
            if isinstance(base, PointerType):
                return base.target
            return base.element if isinstance(base, ArrayType) else expr.type
        case MemberOf():
            base = type_of(expr.base, scope)
            if isinstance(base, GeneratedType) and base.name == "pencilc_copy" and expr.member == "device":
                (copied,) = base.made_for
                return PointerType(copied) if not isinstance(copied, int) else expr.type
            if isinstance(base, Struct) and not isinstance(base, GeneratedType):
                members = {f"{m.name}": m.type for m in base.members}
                return members.get(expr.member, expr.type)
            return expr.type
        case AddressOf():
            return PointerType(type_of(expr.operand, scope))
        case Call() if expr.function in scope.functions:
            return scope.functions[expr.function].returns
        case Call() if expr.function in _TEMPLATES and not expr.made_for:
            return type_of(expr.arguments[0], scope)
    return expr.type


def _reads_only(expr: Expr, scope: NameScope) -> bool:
    """Whether what `expr` names, or points to, may not be written."""
    match expr:
        case Name():
            known = scope.find(expr.symbol.name)
            return known is not None and known.reads_only
        case Index() | MemberOf():
            return _reads_only(expr.base, scope)
        case Dereference() | AddressOf() | Cast():
            return _reads_only(expr.operand, scope)
        case Binary():
            return _reads_only(expr.left, scope) or _reads_only(expr.right, scope)
    return False


# ---- rules -----------------------------------------------------------------------------------------


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
                pending += node.values


def _check_element(where: str, node: Index, scope: NameScope) -> None:
    base = type_of(node.base, scope)
    if not isinstance(base, PointerType | ArrayType):
        _fault(where, f"`{expression(node)}` is an element of a {type_text(base)}")


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
    elif name in _TEMPLATES and name in scope.others and not node.made_for:
        types = {type_text(type_of(argument, scope)) for argument in node.arguments}
        if len(types) > 1:
            _fault(where, f"`{expression(node)}` has arguments of {' and '.join(sorted(types))}, which is one type")
    elif name in _OF_ONE_TYPE:
        carried, value = (type_of(argument, scope) for argument in node.arguments)
        if element_text(carried) != type_text(value):
            _fault(where, f"`{expression(node)}` adds a {type_text(value)} to a {type_text(carried)}")
    elif name.startswith("."):
        base = type_of(node.arguments[0], scope)
        if name in (".add", ".at") and not (isinstance(base, GeneratedType) and base.name in _SHIFTED):
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
    for argument, declared in zip(node.arguments, function.parameters, strict=True):
        check_passed(where, f"`{expression(node)}`", argument, declared, scope)


def check_passed(where: str, call: str, argument: Expr, declared: Parameter, scope: NameScope) -> None:
    """Raise CompilerBug if a parameter does not take an argument of `call`, or would write what is only read."""
    given = type_of(argument, scope)
    if not _fits(given, declared.type):
        _fault(where, f"{call}: a {type_text(given)} as {type_text(declared.type)} `{declared.name}`")
    if isinstance(declared.type, PointerType) and not declared.is_const and _reads_only(argument, scope):
        _fault(where, f"{call}: `{declared.name}` is not const, and the argument is")


def check_moved(where: str, given: Expr, taken: Expr, scope: NameScope) -> None:
    """Raise CompilerBug if what is `given` are no elements of the same type as `taken`, or that is only read."""
    types = [type_of(side, scope) for side in (given, taken)]
    if not all(isinstance(each, PointerType) for each in types) or not _fits(*types):
        kinds = " to a ".join(map(type_text, types))
        _fault(where, f"`{expression(given)}` goes to `{expression(taken)}`, a {kinds}")
    if _reads_only(taken, scope):
        _fault(where, f"`{expression(taken)}` is only read in this function, and is written")


def check_assigned(where: str, node: Assign | Declare, scope: NameScope) -> None:
    """Raise CompilerBug if a value cannot become that of its variable, or what is only read is written."""
    if isinstance(node, Declare):
        assert node.init is not None
        target, value = node.symbol.type, node.init
        text = node.symbol.name
    else:
        target, value = type_of(node.target, scope), node.value
        text = expression(node.target)
        known = scope.find(node.target.symbol.name) if isinstance(node.target, Name) else None
        if known is not None and known.is_const:
            _fault(where, f"`{text}` is const and is written")
        if not isinstance(node.target, Name) and _reads_only(node.target, scope):
            _fault(where, f"`{text}` is only read in this function, and is written")
    given = type_of(value, scope)
    if not isinstance(value, Initializer) and not _fits(given, target):
        _fault(where, f"a {type_text(given)} is stored to `{text}`, a {type_text(target)}")


def _fits(given: CType, wanted: CType) -> bool:
    """Whether C++ converts one type to the other by itself."""
    if isinstance(given, ArrayType):
        given = PointerType(given.element)
    if isinstance(given, Scalar) and isinstance(wanted, Scalar):
        return True
    if given == NOTHING:
        return isinstance(wanted, PointerType)
    if isinstance(given, PointerType) and isinstance(wanted, PointerType):
        return type_text(_element(given.target)) == type_text(_element(wanted.target))
    return type_text(given) == type_text(wanted)


def _element(ctype: CType) -> CType:
    while isinstance(ctype, ArrayType):
        ctype = ctype.element
    return ctype
