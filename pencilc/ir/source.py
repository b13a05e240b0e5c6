"""The typed PENCIL AST: what the front end hands to the polyhedral stages.

Types and expressions stand in one file because they hold each other: an expression has a type, and the
extent of an array type is an expression.
Every expression carries its C type after the usual conversions, with every implicit conversion
made an explicit `Cast(implicit=True)`, so that printing it as C++ cannot change its meaning.
Every variable of a function has a unique `Symbol.name` (a shadowing `i` becomes `i_1`); names are
compared by symbol name.  Stage: frontend.  No pycparser node leaves `frontend/`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Literal, TypeAlias, TypeGuard

from pencilc.diagnostics.source import SourceFile, Span
from pencilc.records import dataclass

# ---- types as the target sees them: LP64, as nvcc and gcc on 64-bit Linux ------------------------

Kind = Literal["int", "uint", "float", "bool", "void"]


@dataclass(frozen=True, slots=True)
class Scalar:
    """A built-in type: `name` is its canonical C spelling (`unsigned char`), sizes are in bytes."""

    name: str
    kind: Kind
    size: int

    @property
    def align(self) -> int:
        """Alignment in bytes; equal to the size for every built-in type here."""
        return max(self.size, 1)

    @property
    def is_integer(self) -> bool:
        """Whether C calls it an integer type (`_Bool` included)."""
        return self.kind in ("int", "uint", "bool")


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a struct at byte `offset`."""

    name: str
    type: CType
    offset: int


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct: `name` is its typedef name or, if `is_tag`, its tag.

    In C a tag is a name of its own kind: a function or a variable may have it too.  `output_name` is what the generated
    file calls such a struct; empty if that is `name`.
    """

    name: str
    members: tuple[Member, ...]
    size: int
    align: int
    is_tag: bool = False
    output_name: str = ""

    def member(self, name: str) -> Member:
        """The member called `name`; raises KeyError."""
        for member in self.members:
            if member.name == name:
                return member
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class ArrayType:
    """`element name[extent]`; the extent is an expression over parameters, or None if unknown."""

    element: CType
    extent: Expr | None
    is_const: bool = False
    is_restrict: bool = False

    @property
    def size(self) -> int:
        """Bytes, where the extent is a constant; 0 where it is not."""
        value = getattr(self.extent, "value", None)
        return int(value) * self.element.size if isinstance(value, int) else 0

    @property
    def align(self) -> int:
        """Alignment in bytes, that of the element."""
        return self.element.align


@dataclass(frozen=True, slots=True)
class PointerType:
    """`target *`; in PENCIL only as parameter of an init function or in host code."""

    target: CType
    is_const: bool = False

    @property
    def size(self) -> int:
        """Bytes."""
        return 8

    @property
    def align(self) -> int:
        """Bytes."""
        return 8


CType: TypeAlias = Scalar | Struct | ArrayType | PointerType

VOID = Scalar("void", "void", 0)
BOOL = Scalar("_Bool", "bool", 1)
CHAR = Scalar("char", "int", 1)
SCHAR = Scalar("signed char", "int", 1)
UCHAR = Scalar("unsigned char", "uint", 1)
SHORT = Scalar("short", "int", 2)
USHORT = Scalar("unsigned short", "uint", 2)
INT = Scalar("int", "int", 4)
UINT = Scalar("unsigned int", "uint", 4)
LONG = Scalar("long", "int", 8)
ULONG = Scalar("unsigned long", "uint", 8)
LLONG = Scalar("long long", "int", 8)
ULLONG = Scalar("unsigned long long", "uint", 8)
FLOAT = Scalar("float", "float", 4)
DOUBLE = Scalar("double", "float", 8)
# Storage types of pencil.h: they are converted to and from float by its functions, and have no arithmetic.
HALF = Scalar("pencil_half", "float", 2)
BFLOAT16 = Scalar("pencil_bfloat16", "float", 2)
SMALL_FLOATS = (HALF, BFLOAT16)

SCALARS = {
    t.name: t
    for t in (
        VOID, BOOL, CHAR, SCHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, LLONG, ULLONG, FLOAT, DOUBLE,
    )
}  # fmt: skip


def is_floating(ctype: CType) -> TypeGuard[Scalar]:
    """Whether C calls it a real floating type."""
    return isinstance(ctype, Scalar) and ctype.kind == "float"


def element_type(ctype: CType) -> CType:
    """The type of the innermost element of nested arrays; `ctype` itself if it is no array."""
    while isinstance(ctype, ArrayType):
        ctype = ctype.element
    return ctype


def extents(ctype: CType) -> tuple[Expr | None, ...]:
    """The extents of nested arrays, outermost first; empty for a scalar or struct."""
    result: list[Expr | None] = []
    while isinstance(ctype, ArrayType):
        result.append(ctype.extent)
        ctype = ctype.element
    return tuple(result)


def known_extents(ctype: CType) -> tuple[int, ...] | None:
    """The same where all of them are constants; else None."""
    found = extents(ctype)
    counts = tuple(extent.value for extent in found if isinstance(extent, IntLiteral))
    return counts if len(counts) == len(found) else None


# ---- variables -----------------------------------------------------------------------------------

SymbolKind = Literal["param", "local", "iterator", "global", "result", "geometry"]


@dataclass(frozen=True, slots=True)
class Symbol:
    """A variable: `name` is unique in its function, `spelling` is what the source says."""

    name: str
    spelling: str
    type: CType
    kind: SymbolKind
    span: Span
    is_const: bool = False


# ---- expressions ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IntLiteral:
    """An integer, character or enumeration constant (`value`, and `name`), of type `type`."""

    value: int
    type: CType
    span: Span
    name: str = ""


@dataclass(frozen=True, slots=True)
class FloatLiteral:
    """A floating constant with its C text (`1.5f`)."""

    text: str
    type: CType
    span: Span


@dataclass(frozen=True, slots=True)
class StringLiteral:
    """A string with its quotes; only in host code or an assert."""

    text: str
    type: CType
    span: Span


@dataclass(frozen=True, slots=True)
class Name:
    """A use of a variable."""

    symbol: Symbol
    type: CType
    span: Span


@dataclass(frozen=True, slots=True)
class Unary:
    """`op operand` with op one of `- + ! ~`."""

    op: str
    operand: Expr
    type: CType
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    """`left op right`; both sides already converted to the common type (not for shifts, `&&`, `||`)."""

    op: str
    left: Expr
    right: Expr
    type: CType
    span: Span


@dataclass(frozen=True, slots=True)
class Ternary:
    """`condition ? then : otherwise`."""

    condition: Expr
    then: Expr
    otherwise: Expr
    type: CType
    span: Span


@dataclass(frozen=True, slots=True)
class Cast:
    """A conversion; `implicit` where the source did not write it."""

    operand: Expr
    type: CType
    span: Span
    implicit: bool = False


@dataclass(frozen=True, slots=True)
class Index:
    """`base[index]`; base is a `Name`, `Index` or `Member` of array type."""

    base: Expr
    index: Expr
    type: CType
    span: Span


@dataclass(frozen=True, slots=True)
class MemberOf:
    """`base.member`."""

    base: Expr
    member: str
    type: CType
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """`function(arguments)`; a helper of this file, a math.h function, or a name of pencil.h.

    In the output, where functions may be templates, also `function<made_for>(arguments)`.
    """

    function: str
    arguments: tuple[Expr, ...]
    type: CType
    span: Span
    made_for: tuple[CType | int, ...] = ()


@dataclass(frozen=True, slots=True)
class AddressOf:
    """`&operand`; only as argument of the PENCIL builtins or of a helper."""

    operand: Expr
    type: CType
    span: Span


@dataclass(frozen=True, slots=True)
class Dereference:
    """`*operand`; only inside an init function."""

    operand: Expr
    type: CType
    span: Span


@dataclass(frozen=True, slots=True)
class Initializer:
    """`{…}` in a declaration or compound literal, normalised: one value for each member or element."""

    values: tuple[Expr, ...]
    type: CType
    span: Span


Expr: TypeAlias = (
    IntLiteral | FloatLiteral | StringLiteral | Name | Unary | Binary | Ternary | Cast | Index | MemberOf | Call
    | AddressOf | Dereference | Initializer
)  # fmt: skip
EXPRESSIONS = frozenset(
    (
        IntLiteral, FloatLiteral, StringLiteral, Name, Unary, Binary, Ternary, Cast, Index, MemberOf, Call, AddressOf,
        Dereference, Initializer,
    )
)  # fmt: skip


# ---- statements ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Block:
    """`{ items }`."""

    items: tuple[Stmt, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Declare:
    """A local variable; `init` already converted to its type."""

    symbol: Symbol
    init: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = value`.  A compound `a op= b` is the expanded `a = (T)(a op b)` with `compound` = `op`."""

    target: Expr
    value: Expr
    span: Span
    compound: str = ""


@dataclass(frozen=True, slots=True)
class CallStmt:
    """A call for its effect."""

    call: Call
    span: Span


@dataclass(frozen=True, slots=True)
class If:
    """`if (condition) then else otherwise`."""

    condition: Expr
    then: Stmt
    otherwise: Stmt | None
    span: Span


@dataclass(frozen=True, slots=True)
class ReductionClause:
    """`reduction(operator: variables)` of a `#pragma pencil independent`."""

    operator: str
    variables: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Factor:
    """What leads from a value of a counter to the next one: `(counter * times + more) / by`."""

    times: int
    by: int
    more: int = 0

    @property
    def divides(self) -> bool:
        """Whether the counter becomes smaller."""
        return self.by > 1

    @property
    def shift(self) -> str:
        """What is added before it is divided, with its sign; nothing where that is nothing."""
        return f"{'-' if self.more < 0 else '+'} {abs(self.more)}" if self.more else ""

    def next(self, counter: int) -> int:
        """The value behind a positive one."""
        return (counter * self.times + self.more) // self.by


@dataclass(frozen=True, slots=True)
class For:
    """A structured loop: iterator from `lower` by constant `step` while `iterator relation bound`.

    `declares` tells whether the loop declares its iterator.  `independent` is `#pragma pencil independent`
    and `reductions` its clauses.  `factor`: of the values that a unit step goes through only those that it leads to are
    taken (`poly/model/factor_loops.py`).
    """

    iterator: Symbol
    lower: Expr
    relation: Literal["<", "<=", ">", ">=", "!="]
    bound: Expr
    step: int
    body: Stmt
    declares: bool
    independent: bool
    span: Span
    reductions: tuple[ReductionClause, ...] = ()
    factor: Factor | None = None


@dataclass(frozen=True, slots=True)
class While:
    """`while (condition) body`; `do_first` for do-while."""

    condition: Expr
    body: Stmt
    do_first: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Jump:
    """`break` or `continue`."""

    keyword: Literal["break", "continue"]
    span: Span


@dataclass(frozen=True, slots=True)
class Return:
    """`return value;`."""

    value: Expr | None
    span: Span


KEEP = ""  # the init function of a detected reduction: the variable keeps its value, which enters the result once


@dataclass(frozen=True, slots=True)
class ReductionInit:
    """`__pencil_reduction_var_init(&variable, function)`; of a detected reduction, `function` may be KEEP."""

    variable: Expr
    function: str
    span: Span
    detected: bool = False


@dataclass(frozen=True, slots=True)
class ReductionUpdate:
    """`__pencil_reduction(&variable, element, operator)`; element converted to the variable's type."""

    variable: Expr
    element: Expr
    operator: str
    span: Span


@dataclass(frozen=True, slots=True)
class Assume:
    """`__pencil_assume(condition)`."""

    condition: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Kill:
    """`__pencil_kill(variable)`."""

    variable: Expr
    span: Span


Stmt: TypeAlias = (
    Block | Declare | Assign | CallStmt | If | For | While | Jump | Return | ReductionInit | ReductionUpdate
    | Assume | Kill
)  # fmt: skip
Node: TypeAlias = Expr | Stmt


# ---- declarations --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class InOrder:
    """What a function computes of `a` and what an element is made of, `f(a, value, at0, …)`: `operator(a,
    element(value, at0, …))`, where the places, so many of them, are lexicographically behind those of all that `a` has
    come from (`poly/detect/selections.py`).
    """

    operator: str
    element: str
    places: int


@dataclass(frozen=True, slots=True)
class Function:
    """A function with a body that regions may call (helper, operator, init function).

    `link_name` is what other files call it where that is not `name`; `is_exported` tells that the CUDA file defines
    it for them.  `in_order`: which operator it stands for where elements come in an order that is known.
    """

    name: str
    returns: CType
    params: tuple[Symbol, ...]
    body: Block
    is_static: bool
    span: Span
    is_exported: bool = False
    link_name: str = ""
    in_order: InOrder | None = None


@dataclass(frozen=True, slots=True)
class AnyElement:
    """An access at `span` that may leave its row, and is taken to touch any element (poly/model/flat_arrays.py).

    It stays inside where `stays`, a condition on parameters, holds; "" where there is none.
    """

    span: Span
    stays: str


@dataclass(frozen=True, slots=True)
class CopiedArray:
    """A parameter of which the elements at `reads` are taken from `copy`, made first: nothing of the region has written
    them by then, so that what writes them need not wait for who reads them (poly/old_values.py).
    """

    array: Symbol
    copy: Symbol
    reads: tuple[Span, ...]

    @property
    def lines(self) -> tuple[int, ...]:
        """The lines of the source on which they are read."""
        return tuple(sorted({span.line for span in self.reads}))


@dataclass(frozen=True, slots=True)
class PrivateArray:
    """An array, or a scalar, that each iteration of the loop over `iterator` has for itself; `most`: the bytes that all
    of them may take together, more than the arrays of the caller, and 0 where it is known that they take no more than
    one of these.  With `most` there is a loop for other sizes, too, which is that over `iterator`.
    """

    array: Symbol
    iterator: Symbol
    most: int


@dataclass(frozen=True, slots=True)
class Prototype:
    """The C text of a function's declaration, as the user wrote it and without `;`, around its name."""

    before: str
    after: str

    def of(self, name: str) -> str:
        """The declaration of a function of that name."""
        return f"{self.before}{name}{self.after}"


@dataclass(frozen=True, slots=True)
class Region:
    """What is compiled: a whole entry function, or a part of a host function that is outlined.

    `name` is the entry point (`f` or `f_scop0`); `params` are its parameters in order; an outlined
    region's scalars that it writes are in `written_scalars` and go by pointer.  For an entry function
    `body` is its whole body, the final `Return` included.
    """

    name: str
    function: str
    params: tuple[Symbol, ...]
    returns: CType
    body: Block
    is_static: bool
    outlined: bool
    written_scalars: tuple[str, ...]
    span: Span
    prototype: Prototype
    detected: bool = False  # found by `--autodetect`
    declared: tuple[Symbol, ...] = ()  # `params` as the source has them, where the model has another type of one
    left: tuple[str, ...] = ()  # variables that say that a loop on the host is left (poly/model/rounds.py)
    rounds: Symbol | None = None  # what stands for the number of rounds of such loops that have no other bound
    plain: Region | None = None  # the region with these loops as the source has them
    private: tuple[PrivateArray, ...] = ()  # what iterations have got for themselves (poly/private_arrays.py)
    copied: tuple[CopiedArray, ...] = ()  # of what old values are read from copies (poly/old_values.py)
    limited: tuple[str, ...] = ()  # scalars with few values, where others may have more (poly/expanded_scalars.py)
    apart: frozenset[Span] = frozenset()  # conditions that each statement under them has (poly/conditions_apart.py)
    anywhere: tuple[AnyElement, ...] = ()  # accesses of flattened arrays that may leave their row
    multiplied: tuple[tuple[Expr, ...], ...] = ()  # sizes whose products are extents: none negative, or not positive

    @property
    def declared_params(self) -> tuple[Symbol, ...]:
        """The parameters with the types that callers know."""
        return self.declared or self.params

    @property
    def places_anywhere(self) -> frozenset[Span]:
        """Where the accesses stand that may leave their row."""
        return frozenset(each.span for each in self.anywhere)


@dataclass(frozen=True, slots=True)
class TranslationUnit:
    """A whole parsed and checked file.

    `structs` in order of declaration; `globals` are the constant globals with their initialisers;
    `functions` are all functions of the file that have a body, in order; `host_text` is the C99 text
    of the host file, or None if the input holds nothing but entry functions, types and helpers; `has_main` where the
    input is a whole program, whose `main` is host code.  `summaries` pairs a
    function with the summary function of its `pencil_access` attribute (both may lack a body).  `headers` are
    the files that the input includes, `system_headers` those of them that no dependency of a project need name.
    """

    file: SourceFile
    structs: tuple[Struct, ...]
    globals: tuple[Declare, ...]
    functions: tuple[Function, ...]
    regions: tuple[Region, ...]
    host_text: str | None
    summaries: tuple[tuple[str, str], ...] = ()
    headers: tuple[str, ...] = ()
    system_headers: tuple[str, ...] = ()
    has_main: bool = False

    def function(self, name: str) -> Function | None:
        """The function with a body called `name`, if any."""
        return next((f for f in self.functions if f.name == name), None)


def children(node: Node) -> list[Node]:
    """The direct expression and statement children of `node`, in textual order."""
    found: list[Node] = []
    for name in _FIELDS[type(node)]:
        value = getattr(node, name)
        if type(value) is tuple:
            found += [item for item in value if type(item) in _FIELDS]
        elif type(value) in _FIELDS:
            found.append(value)
    return found


def walk(node: Node) -> Iterator[Node]:
    """`node` and all nodes below it, parents first."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        if _FIELDS[type(current)]:
            pending += children(current)[::-1]


_NODE_CLASSES = (
    IntLiteral, FloatLiteral, StringLiteral, Name, Unary, Binary, Ternary, Cast, Index, MemberOf, Call, AddressOf,
    Dereference, Initializer, Block, Declare, Assign, CallStmt, If, For, While, Jump, Return, ReductionInit,
    ReductionUpdate, Assume, Kill,
)  # fmt: skip

# Fields that hold no nodes are left out: a file has hundred thousands of nodes to walk over.
_PLAIN = frozenset(
    (
        "symbol", "type", "span", "op", "name", "member", "function", "operator", "keyword", "compound", "relation",
        "step", "declares", "independent", "reductions", "iterator", "text", "do_first", "implicit",
    )
)  # fmt: skip
_FIELDS: dict[type, tuple[str, ...]] = {
    cls: tuple(f.name for f in fields(cls) if f.name not in _PLAIN) for cls in _NODE_CLASSES
}
