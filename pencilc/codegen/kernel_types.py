"""Names and types of the tree as C++ has them: what is in scope, which type an expression has, what may be assigned."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from pencilc.codegen.cexpr import type_text
from pencilc.codegen.lowering import CONVERSIONS, PRODUCTS
from pencilc.codegen.needs import BESIDE_TYPES, BROUGHT_BY
from pencilc.ir.bins import BroughtBins
from pencilc.ir.build import NOTHING, STREAM, TRUTHS, GeneratedType, common_type, promoted
from pencilc.ir.definitions import (
    TEMPLATE_TYPE,
    Definition,
    DeviceFunction,
    NamedConstant,
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
    Binary,
    Call,
    Cast,
    CType,
    Dereference,
    Expr,
    Index,
    MemberOf,
    Name,
    PointerType,
    Struct,
    Ternary,
    Unary,
)
from pencilc.records import dataclass

# Names of C++ and CUDA, and what every generated file defines.
_OF_LANGUAGE: dict[str, CType] = {
    "INFINITY": FLOAT, "NAN": FLOAT, "true": BOOL, "false": BOOL, "nullptr": NOTHING, "PENCILC_WARP": INT,
    "PENCILC_COUNTING": STREAM,
    "pencilc_scratch::workspace": LLONG, "pencilc_scratch::fallback": LLONG,
}  # fmt: skip
# Templates that find one type for two arguments: what carries a sum, and a value.
OF_ONE_TYPE = frozenset(("pencilc_sum_add",))
SHIFTED = ("pencilc_exp_sum", "pencilc_exp2_sum", "pencilc_square_sum")
# Functions of headers and building blocks, and what looks like a function in an expression; barriers are nodes.
_OF_HEADERS = frozenset(
    (*HEADER_NAMES, *BROUGHT_BY, *BESIDE_TYPES, *CONVERSIONS.values(), *PRODUCTS.values(), "dim3", "sizeof")
) - {"pencilc_meet"}


@dataclass(frozen=True, slots=True)
class Known:
    """A variable: its type, whether it is const, and whether a pointer is one to const elements."""

    type: CType
    is_const: bool = False
    reads_only: bool = False


def known_parameter(declared: Parameter) -> Known:
    """What a parameter of a function is inside of it."""
    of_const = declared.is_const or (isinstance(declared.type, PointerType) and declared.type.is_const)
    is_value = not isinstance(declared.type, PointerType)
    return Known(declared.type, is_const=declared.is_const and is_value, reads_only=of_const)


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

    def copy(self) -> NameScope:
        """The same names, to which others may be added apart."""
        return NameScope(self.around, dict(self.names), self.functions, self.others)

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
            case DeviceFunction():
                self.functions[definition.name] = definition
            case StructDefinition():
                self.structs.add(type_text(definition.struct))

    def define_brought(self, called: HelperCall) -> None:
        """The functions beside a kernel that the tree calls; building blocks call the others."""
        match called.arguments:
            case (BroughtBins(bins=bins), *_):
                self.others |= {f"{each.stem}_is_start" for each in bins}

    def define_kernel(self, function: KernelFunction) -> None:
        """One more kernel, or what has a part of one."""
        self.others.add(function.name)
        if function.layout:
            self.parts.add(function.name)

    def meets(self, call: Call) -> bool:
        """Whether the threads of a block meet in what is called: the stages and parts of kernels have barriers."""
        return call.function in self.parts


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
            function = scope.functions[expr.function]
            return made_of(expr, function, scope) if function.returns == TEMPLATE_TYPE else function.returns
    return expr.type


def made_of(expr: Call, function: DeviceFunction, scope: NameScope) -> CType:
    """What the template's type is in a call: what the call says, or the type of the first argument that has it."""
    for each in expr.made_for:
        if not isinstance(each, int):
            return each
    pairs = zip(expr.arguments, function.parameters, strict=False)
    given = (type_of(argument, scope) for argument, declared in pairs if declared.type == TEMPLATE_TYPE)
    return next(given, TEMPLATE_TYPE)


def reads_only(expr: Expr, scope: NameScope) -> bool:
    """Whether what a pointer leads to may not be written."""
    match expr:
        case Name():
            known = scope.find(expr.symbol.name)
            return known is not None and known.reads_only
        case AddressOf():
            return not may_be_written(expr.operand, scope)
        case Index() | MemberOf():
            return reads_only(expr.base, scope)
        case Dereference() | Cast():
            return reads_only(expr.operand, scope)
        case Binary():
            return reads_only(expr.left, scope) or reads_only(expr.right, scope)
        case Ternary():
            return reads_only(expr.then, scope) or reads_only(expr.otherwise, scope)
    return False


def may_be_written(target: Expr, scope: NameScope) -> bool:
    """Whether C++ lets a place be written: a variable that is not const, what a pointer to such leads to, a member."""
    match target:
        case Name():
            known = scope.find(target.symbol.name)
            return known is None or not known.is_const
        case MemberOf():
            return may_be_written(target.base, scope) and not reads_only(target.base, scope)
        case Index():
            return not reads_only(target.base, scope)
        case Dereference():
            return not reads_only(target.operand, scope)
    return False
