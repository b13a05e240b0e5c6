"""C types from pycparser's declarations: names, layout as gcc on x86-64 has it, and conversions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pencilc.diagnostics import fixes
from pencilc.frontend.context import EnumConstant, FileContext, Refused, Scope, TypeName
from pencilc.frontend.limits import MEMBERS, more_than
from pencilc.frontend.syntax.literals import largest
from pencilc.frontend.syntax.near_names import nearest
from pencilc.ir.header_names import HEADER_NAMES
from pencilc.ir.rewrite import fresh_name
from pencilc.ir.source import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LLONG,
    LONG,
    SCHAR,
    SHORT,
    SMALL_FLOATS,
    UCHAR,
    UINT,
    ULLONG,
    ULONG,
    USHORT,
    VOID,
    ArrayType,
    Cast,
    CType,
    Expr,
    Member,
    PointerType,
    Scalar,
    Struct,
)  # fmt: skip
from pencilc.records import dataclass

_SPECIFIERS: dict[tuple[str, ...], Scalar] = {
    ("void",): VOID, ("_Bool",): BOOL, ("char",): CHAR, ("char", "signed"): SCHAR, ("char", "unsigned"): UCHAR,
    ("float",): FLOAT, ("double",): DOUBLE, ("int",): INT, ("signed",): INT, ("unsigned",): UINT,
    ("short",): SHORT, ("short", "unsigned"): USHORT, ("long",): LONG, ("long", "unsigned"): ULONG,
    ("long", "long"): LLONG, ("long", "long", "unsigned"): ULLONG,
}  # fmt: skip
_NO_UNION = (
    "use a struct, or a variable for each member; where one is written and another one read, to see the bits, do that "
    "on the host",
)
_NO_BITS = ("use a member of a whole type, and `>>` and `&` where its bits are meant",)
_RANK = {"_Bool": 0, "char": 1, "signed char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2, "int": 3,
         "unsigned int": 3, "long": 4, "unsigned long": 4, "long long": 5, "unsigned long long": 5}  # fmt: skip
_UNSIGNED = {"int": UINT, "long": ULONG, "long long": ULLONG}

ExtentTranslator = Callable[[Any], Expr]


@dataclass(frozen=True, slots=True)
class Declared:
    """A type with the qualifiers of the declaration it came from."""

    type: CType
    is_const: bool


def enumerator_type(value: int) -> Scalar:
    """The type of an enumeration constant: `int`, for gcc the least that has it where that is too small."""
    for ctype in (INT, UINT, LONG):
        if -largest(ctype) - 1 <= value <= largest(ctype) and (value >= 0 or ctype.kind == "int"):
            return ctype
    return ULONG


def promote(ctype: CType) -> CType:
    """The integer promotions."""
    if isinstance(ctype, Scalar) and ctype.is_integer and _RANK[ctype.name] < _RANK["int"]:
        return INT
    return ctype


def is_integer(ctype: CType) -> bool:
    """Whether a type is one of C's integer types."""
    return isinstance(ctype, Scalar) and ctype.is_integer


def common_type(left: Scalar, right: Scalar) -> Scalar:
    """The usual arithmetic conversions."""
    for floating in (DOUBLE, FLOAT):
        if floating in (left, right):
            return floating
    a, b = promote(left), promote(right)
    assert isinstance(a, Scalar) and isinstance(b, Scalar)
    if a == b:
        return a
    low, high = sorted((a, b), key=lambda t: (_RANK[t.name], t.kind == "uint"))
    if low.kind == high.kind or high.kind == "uint" or high.size > low.size:
        return high
    return _UNSIGNED[high.name]


def implicit(expr: Expr, ctype: CType) -> Expr:
    """`expr` converted to `ctype` where C does so without being asked."""
    if expr.type == ctype:
        return expr
    return Cast(expr, ctype, expr.span, implicit=True)


def spell(ctype: CType) -> str:
    """The type as messages show it."""
    if isinstance(ctype, ArrayType):
        inner: CType = ctype
        brackets = ""
        while isinstance(inner, ArrayType):
            brackets += f"[{getattr(inner.extent, 'value', '')}]"
            inner = inner.element
        return f"{'const ' if ctype.is_const else ''}{spell(inner)}{brackets}"
    if isinstance(ctype, PointerType):
        return f"{'const ' if ctype.is_const else ''}{spell(ctype.target)} *"
    return ctype.name


def _scalars(ctype: CType) -> int:
    """The members that are no structs, in structs at any depth; those of an array's element count once."""
    while isinstance(ctype, ArrayType):
        ctype = ctype.element
    return sum(_scalars(member.type) for member in ctype.members) if isinstance(ctype, Struct) else 1


def _as_parameter(member: Any) -> str:
    """The array parameter that a member `T *p` becomes; empty for a pointer to anything else than a named type."""
    base: Any = member.type.type if type(member.type).__name__ == "PtrDecl" else None
    if type(base).__name__ != "TypeDecl" or type(base.type).__name__ not in ("IdentifierType", "Struct", "Enum"):
        return ""
    word = {"Struct": "struct ", "Enum": "enum "}.get(type(base.type).__name__, "")
    name = " ".join(base.type.names) if not word else f"{word}{base.type.name}"
    const = "const " if "const" in (base.quals or ()) else ""
    return f"{const}{name} {member.name}[static const restrict n]"


class TypeResolver:
    """Turns pycparser's type nodes into `CType`s."""

    def __init__(self, context: FileContext, constant_extent: Callable[[TypeResolver, Any], Expr]) -> None:
        """`constant_extent` is the extent of an array at file scope or in a struct, which must be a constant."""
        self.context = context
        self._constant_extent = constant_extent
        self._open: set[int] = set()  # the structs whose layout is under way

    def resolve(self, node: Any, scope: Scope, extent: ExtentTranslator) -> Declared:
        """The type of a declarator; raises Refused after an error."""
        kind = type(node).__name__
        if kind in ("Decl", "Typedef", "Typename"):
            return self.resolve(node.type, scope, extent)
        self._refuse_volatile(node)
        if kind == "TypeDecl":
            base = self._specifiers(node.type, scope, extent)
            return Declared(base.type, base.is_const or "const" in (node.quals or ()))
        if kind == "PtrDecl":
            target = self.resolve(node.type, scope, extent)
            return Declared(PointerType(target.type, target.is_const), "const" in (node.quals or ()))
        if kind == "ArrayDecl":
            return self._array(node, scope, extent)
        helps = ("call a function by its name; `if`, `switch` or a macro can choose between several",)
        raise self.context.refuse("PC0013", "function types are not supported here", node, helps=helps)

    def _refuse_volatile(self, node: Any) -> None:
        """Somebody else may change such an object at any time, which no order of iterations can respect."""
        quals = (*(getattr(node, "quals", None) or ()), *(getattr(node, "dim_quals", None) or ()))
        word = next((word for word in ("volatile", "_Atomic") if word in quals), None)
        if word:
            name = self.context.span(node)
            taken = fixes.word_removed(self.context.file_of(name), name, word)
            raise self.context.refuse(
                "PC0013", f"`{word}` objects are not supported in PENCIL code", node,
                remedies=(fixes.fix(f"remove `{word}`, if nobody else changes it meanwhile", [taken]),),
            )  # fmt: skip

    def _array(self, node: Any, scope: Scope, extent: ExtentTranslator) -> Declared:
        size = None
        if node.dim is not None:
            if type(node.dim).__name__ == "ID" and node.dim.name == "*":
                raise self.context.refuse(
                    "PC0401",
                    "array extent `*` says nothing",
                    node.dim,
                    helps=("write the extent: `float A[static const restrict n]`",),
                )
            size = extent(node.dim)
        element = self.resolve(node.type, scope, extent)
        if isinstance(element.type, PointerType):
            raise self.context.refuse("PC0404", "arrays of pointers are not supported", node)
        if isinstance(element.type, ArrayType) and element.type.extent is None:
            raise self.context.refuse("PC0401", "only the outermost extent of an array may be left out", node)
        quals = node.dim_quals or ()
        return Declared(ArrayType(element.type, size, element.is_const, "restrict" in quals), element.is_const)

    def _specifiers(self, node: Any, scope: Scope, extent: ExtentTranslator) -> Declared:
        kind = type(node).__name__
        if kind == "IdentifierType":
            return self._named(node, scope, extent)
        if kind == "Enum":
            return Declared(self._enum_type(node, scope), False)
        if kind == "Union":
            raise self.context.refuse("PC0407", "unions are not part of PENCIL", node, helps=_NO_UNION)
        if kind == "Struct":
            return Declared(self.struct(node, scope, ""), False)
        raise self.context.refuse("PC0013", "this type is not supported", node)

    def _named(self, node: Any, scope: Scope, extent: ExtentTranslator) -> Declared:
        names = list(node.names)
        for word in ("_Complex", "__int128", "_Float128", "__float128"):
            if word in names:
                helps = ("use two numbers, or a struct of two",) if word == "_Complex" else ()
                raise self.context.refuse("PC0013", f"type `{' '.join(names)}` is not supported", node, helps=helps)
        if Counter(names) == Counter(("long", "double")):
            raise self.context.refuse(
                "PC0013", "type `long double` is not supported: no GPU has it", node, helps=("use `double`",)
            )
        key = sorted(names)
        if len(key) > 1:
            key = [n for n in key if n != "int" and not (n == "signed" and "char" not in key)] or ["int"]
        if tuple(key) in _SPECIFIERS:
            return Declared(_SPECIFIERS[tuple(key)], False)
        entry = scope.lookup(names[0]) if len(names) == 1 else None
        if isinstance(entry, TypeName):
            small = next((t for t in SMALL_FLOATS if t.name == names[0]), None)
            if small is not None and self.context.path_of(entry.node) == "<pencilc>/pencil.h":
                return Declared(small, False)
            return self._typedef(entry.node, names[0], extent)
        raise self.context.refuse("PC0013", f"type `{' '.join(names)}` is not supported", node)

    def _typedef(self, node: Any, name: str, extent: ExtentTranslator) -> Declared:
        inner = node.type
        if type(inner).__name__ == "TypeDecl" and type(inner.type).__name__ == "Struct":
            struct = self.struct(inner.type, self.context.scope, name)
            return Declared(struct, "const" in (inner.quals or ()))
        return self.resolve(inner, self.context.scope, extent)

    def _enum_type(self, node: Any, scope: Scope) -> Scalar:
        """An enumeration is `unsigned int` for gcc unless one of its constants is negative, or does not fit."""
        definition = node if node.values is not None else scope.lookup_tag(node.name)
        if definition is None or definition.values is None:
            raise self.context.refuse("PC0010", f"`enum {node.name}` is not declared", node)
        entries = [scope.lookup(each.name) for each in definition.values.enumerators]
        values = [entry.value for entry in entries if isinstance(entry, EnumConstant)]
        is_signed = any(value < 0 for value in values)
        if all(value <= (largest(INT) if is_signed else largest(UINT)) for value in values):
            return INT if is_signed else UINT
        return LONG if is_signed else ULONG

    def struct(self, node: Any, scope: Scope, typedef_name: str) -> Struct:
        """The layout of a struct, made once for each definition."""
        definition = node if node.decls is not None else scope.lookup_tag(node.name)
        if definition is None or definition.decls is None:
            raise self._no_tag(node, scope)
        if type(definition).__name__ == "Union":
            raise self.context.refuse("PC0407", "unions are not part of PENCIL", node, helps=_NO_UNION)
        known = self.context.structs.get(id(definition))
        if known is not None:
            return known
        defined = self.context.typedef_names.get(id(definition)) or typedef_name
        name = defined or node.name or f"anonymous_{self.context.span(definition).line}"
        self._refuse_packed(definition, name)
        if id(definition) in self._open:
            raise self.context.refuse("PC0012", f"`struct {name}` contains itself", definition)
        self._open.add(id(definition))
        try:
            struct = self._lay_out(definition, name, scope)
            struct = replace(struct, is_tag=not defined and bool(node.name), output_name=self._output_name(name))
        finally:
            self._open.discard(id(definition))
        self.context.structs[id(definition)] = struct
        return struct

    def _output_name(self, struct: str) -> str:
        """What C++ calls a struct whose name a function, a variable or another struct has too; empty where none has."""
        is_taken = any(struct in (each.name, each.output_name) for each in self.context.structs.values())
        if not is_taken and struct not in self.context.names_of_values():
            return ""
        made = {each.output_name for each in self.context.structs.values()}
        return fresh_name(f"{struct}_t", {*self.context.identifiers, *HEADER_NAMES, *made})

    def _no_tag(self, node: Any, scope: Scope) -> Refused:
        """The refusal of a struct that is not declared."""
        span = self.context.span(node)
        if span.path.startswith("<pencilc>/"):
            return self.context.refuse("PC0013", "what only the C library knows is not supported here", node)
        tags = {tag for each in scope.chain() for tag in each.tags}
        meant = nearest(node.name, tags)
        return self.context.refuse(
            "PC0010",
            f"`struct {node.name}` is not declared",
            node,
            remedies=(self.context.renamed(node, node.name, meant),) if meant else (),
        )

    def _pointer_member(self, first: Any, struct: str, definition: Any) -> Refused:
        """The refusal of a struct of which `first` is the first member that is a pointer."""
        pointers = [each for each in definition.decls if type(getattr(each, "type", None)).__name__ == "PtrDecl"]
        pointers = [first, *(each for each in pointers if each is not first and each.name)]
        arrays = [f"`{written}`" for each in pointers if (written := _as_parameter(each))]
        message = f"member `{first.name}` of `{struct}` is a pointer"
        if len(pointers) > 1:
            names = [f"`{each.name}`" for each in pointers]
            message = f"members {', '.join(names[:-1])} and {names[-1]} of `{struct}` are pointers"
        what = "it points to as an array" if len(pointers) == 1 else "they point to as arrays"
        helps = [f"give the function what {what} of its own, where `n` is the number of elements: {', '.join(arrays)}"]
        return self.context.refuse(
            "PC0404", message, first, secondary=[(each, "another") for each in pointers[1:]],
            helps=helps if arrays else (f"give what `{first.name}` points to as an array parameter of its own",),
        )  # fmt: skip

    def _lay_out(self, definition: Any, name: str, scope: Scope) -> Struct:
        members: list[Member] = []
        offset, align, scalars = 0, 1, 0
        for decl in definition.decls:
            if type(decl).__name__ == "Pragma":
                raise self.context.refuse("PC0013", "a pragma inside a struct is not supported", decl)
            if getattr(decl, "align", None):
                raise self.context.refuse("PC0013", f"layout of `{name}` is changed by `_Alignas`, not supported", decl)
            if getattr(decl, "bitsize", None) is not None:
                raise self.context.refuse(
                    "PC0407", "bit-fields are not part of PENCIL", decl, f"in `{name}`", helps=_NO_BITS
                )
            if decl.name is None:
                raise self.context.refuse("PC0013", "unnamed struct members are not supported", decl)
            if type(decl.type).__name__ == "PtrDecl":
                raise self._pointer_member(decl, name, definition)
            ctype = self.resolve(decl, scope, self.constant_extent).type
            if isinstance(ctype, PointerType):
                raise self._pointer_member(decl, name, definition)
            if isinstance(ctype, ArrayType) and ctype.extent is None:
                raise self.context.refuse("PC0401", f"member `{decl.name}` of `{name}` has no extent", decl)
            offset = -(-offset // ctype.align) * ctype.align
            members.append(Member(decl.name, ctype, offset))
            offset += ctype.size
            align = max(align, ctype.align)
            scalars += _scalars(ctype)
            if scalars > MEMBERS:
                raise self.context.refuse("PC0006", more_than(MEMBERS, f"members in `{name}` and its members"), decl)
        return Struct(name, tuple(members), -(-offset // align) * align, align)

    def constant_extent(self, node: Any) -> Expr:
        """The extent of an array at file scope or in a struct; raises Refused where it is no constant."""
        return self._constant_extent(self, node)

    def _refuse_packed(self, definition: Any, name: str) -> None:
        line = definition.coord.line if definition.coord else 0
        for (first, last), body in self.context.packed.items():
            if first <= line <= last:
                raise self.context.refuse(
                    "PC0013", f"layout of `{name}` is changed by `{body}`, which is not supported", definition
                )
