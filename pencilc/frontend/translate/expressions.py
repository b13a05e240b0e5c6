"""Typed expressions: names resolved, promotions and conversions explicit, constants folded where C does."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Fix
from pencilc.diagnostics.source import Span
from pencilc.frontend.context import EnumConstant, FileContext, OuterVariable, Poisoned, Refused
from pencilc.frontend.syntax.literals import is_float_text, largest, parse_character, parse_integer
from pencilc.frontend.translate import access, calls
from pencilc.frontend.translate.constants import integer_value
from pencilc.frontend.translate.globals import global_symbol
from pencilc.frontend.translate.initializers import initialize
from pencilc.frontend.translate.remedies import unknown_name
from pencilc.frontend.translate.translators import Expressions, FunctionState
from pencilc.frontend.translate.types import (
    TypeResolver,
    common_type,
    enumerator_type,
    implicit,
    is_integer,
    promote,
    spell,
)
from pencilc.ir.header_names import HEADER_NAMES
from pencilc.ir.rewrite import replaced
from pencilc.ir.source import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    SMALL_FLOATS,
    UINT,
    ULONG,
    VOID,
    AddressOf,
    ArrayType,
    Binary,
    Cast,
    CType,
    Dereference,
    Expr,
    FloatLiteral,
    Index,
    IntLiteral,
    Name,
    Node,
    PointerType,
    Scalar,
    StringLiteral,
    Struct,
    Symbol,
    SymbolKind,
    Ternary,
    Unary,
)  # fmt: skip
from pencilc.ir.source_printer import spelled

_ARITHMETIC = {"+", "-", "*", "/", "%", "&", "|", "^"}
_COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}
_INTEGER_ONLY = {"%", "&", "|", "^", "<<", ">>"}


class ExpressionTranslator(Expressions):
    """Translates pycparser's expressions in one function."""

    def outside(self, name: str) -> ExpressionTranslator:
        """A translator for what stands at file scope, as in the initialiser of `name`."""
        return ExpressionTranslator(self.context, self.types, FunctionState(name, self.context.scope))

    # ---- entry points ----------------------------------------------------------------------------

    def translate(self, node: Any) -> Expr:
        """The typed expression for `node`; raises Refused after an error."""
        method = getattr(self, "_" + type(node).__name__, None)
        if type(node).__name__ == "Compound":
            helps = ("write a `static` function of what stands in it, and call that",)
            raise self.context.refuse("PC0014", "`({ ... })` is GNU C, not C99", node, helps=helps)
        if method is None:
            raise self.context.refuse("PC0014", "this expression is not supported", node)
        result: Expr = method(node)
        return result

    def value(self, node: Any) -> Expr:
        """`node` as a value: not an array, not void."""
        expr = self.translate(node)
        if isinstance(expr.type, ArrayType):
            raise self.context.refuse("PC0012", "an array is used as a value", node, f"has type `{spell(expr.type)}`")
        if expr.type == VOID:
            raise self.context.refuse("PC0012", "a void expression is used as a value", node)
        return expr

    def arithmetic(self, node: Any) -> Expr:
        """`node` as an arithmetic value."""
        expr = self.value(node)
        if isinstance(expr.type, PointerType):
            raise self.context.refuse(
                "PC0404",
                "pointer arithmetic is not part of PENCIL",
                node,
                helps=("use an array parameter `T A[static const restrict n]` and a subscript",),
            )
        if not isinstance(expr.type, Scalar):
            raise self.context.refuse("PC0012", f"a `{spell(expr.type)}` cannot be an operand here", node)
        if expr.type in SMALL_FLOATS:
            raise self._storage_only(expr.type, node)
        return expr

    def _storage_only(self, ctype: Scalar, node: Any) -> Refused:
        """Arithmetic on, or another conversion of, a type that only stores."""
        return self.context.refuse(
            "PC0012",
            f"a `{ctype.name}` only stores a value",
            node,
            helps=(f"convert with `{ctype.name}_to_float` and `pencil_float_to_{ctype.name.removeprefix('pencil_')}`",),
        )

    def converted(self, node: Any, target: CType, what: str) -> Expr:
        """The value of `node` converted to `target`, as by assignment."""
        return self.convert(self.translate(node), target, node, what)

    def convert(self, expr: Expr, target: CType, where: Any, what: str) -> Expr:
        """`expr` converted to `target`, as by assignment."""
        source = expr.type
        if source == target:
            return expr
        if isinstance(source, Scalar) and isinstance(target, Scalar) and VOID not in (source, target):
            for small in (source, target):
                if small in SMALL_FLOATS:
                    raise self._storage_only(small, where)
            return implicit(expr, target)
        message = f"{what} has type `{spell(source)}` where `{spell(target)}` is expected"
        raise self.context.refuse("PC0012", message, where)

    # ---- symbols ---------------------------------------------------------------------------------

    def declare(self, spelling: str, ctype: CType, kind: SymbolKind, span: Span, is_const: bool = False) -> Symbol:
        """A new variable in the current scope, under a name unique in the function."""
        if spelling in self.state.scope.names:
            previous = self.state.scope.names[spelling]
            labels = ((previous.span, "declared here before"),) if isinstance(previous, Symbol) else ()
            self.context.error("PC0015", f"`{spelling}` is declared twice", span, secondary=labels)
        name, k = spelling, 0
        while (
            name in self.state.used_names
            or (k and name in self.context.identifiers)
            or name in self.context.globals
            or isinstance(self.context.scope.names.get(name), EnumConstant)
        ):
            k += 1
            name = f"{spelling}_{k}"
        symbol = Symbol(name, spelling, ctype, kind, span, is_const)
        self.state.used_names.add(name)
        self.state.symbols[name] = symbol
        self.state.scope.names[spelling] = symbol
        return symbol

    # ---- leaves ----------------------------------------------------------------------------------

    def _Constant(self, node: Any) -> Expr:
        span, text = self.context.span(node), node.value
        try:
            if node.type == "string":
                return StringLiteral(text, ArrayType(CHAR, None, True), span)
            if text.endswith("'"):
                return IntLiteral(parse_character(text), UINT if text.startswith("U") else INT, span)
            if not is_float_text(text):
                value, ctype = parse_integer(text)
                return IntLiteral(value, ctype, span)
        except ValueError:
            raise self.context.refuse("PC0014", f"constant `{text}` is not supported", node) from None
        if text[-1] in "lL":
            raise self.context.refuse("PC0013", "type `long double` is not supported: no GPU has it", node)
        return FloatLiteral(
            text,
            FLOAT
            if (text[-1] in "fF" and not text.lower().startswith("0x")) or (text[-1] in "fF" and "p" in text.lower())
            else DOUBLE,
            span,
        )

    def _ID(self, node: Any) -> Expr:
        entry = self.state.scope.lookup(node.name)
        span = self.context.span(node)
        if isinstance(entry, EnumConstant):
            is_global = self.context.scope.names.get(node.name) is entry and node.name not in HEADER_NAMES
            ctype = enumerator_type(entry.value)
            return IntLiteral(entry.value, ctype, span, node.name if is_global and ctype == INT else "")
        if isinstance(entry, Symbol):
            return Name(entry, entry.type, span)
        if isinstance(entry, Poisoned):
            raise Refused
        if isinstance(entry, OuterVariable):
            symbol = access.outer_symbol(self, node, entry)
            return Name(symbol, symbol.type, span)
        if node.name in self.context.globals:
            symbol = global_symbol(self, node)
            return Name(symbol, symbol.type, span)
        if node.name in self.context.definitions or node.name in self.context.prototypes:
            raise self.context.refuse("PC0404", f"function `{node.name}` is used as a value", node)
        if node.name in self.state.parameters:
            raise self.context.refuse(
                "PC0403",
                f"extent `{node.name}` is not known here",
                node,
                "declared after the array",
                helps=(f"move parameter `{node.name}` before the array",),
            )
        names = (name for scope in self.state.scope.chain() for name in scope.names)
        raise unknown_name(self, node, (*names, *self.context.globals))

    # ---- operators -------------------------------------------------------------------------------

    def _UnaryOp(self, node: Any) -> Expr:
        op = node.op
        if op == "sizeof":
            return self._sizeof(node)
        if op == "&":
            return self._address(node)
        if op == "*":
            return self._dereference(node)
        if op in ("++", "--", "p++", "p--"):
            self.translate(node.expr)  # For its errors.
            raise self._hidden_effect(f"`{op.strip('p')}` inside an expression", node)
        operand = self.arithmetic(node.expr)
        span = self.context.span(node)
        if op == "!":
            return Unary("!", operand, INT, span)
        if op not in ("-", "+", "~"):
            raise self.context.refuse("PC0014", f"operator `{op}` is not supported", node)
        if op == "~" and not is_integer(operand.type):
            raise self.context.refuse("PC0012", "`~` wants an integer", node, f"has type `{spell(operand.type)}`")
        ctype = promote(operand.type)
        return Unary(op, implicit(operand, ctype), ctype, span)

    def _BinaryOp(self, node: Any) -> Expr:
        left, right = self.arithmetic(node.left), self.arithmetic(node.right)
        return self.binary(node.op, left, right, node)

    def binary(self, op: str, left: Expr, right: Expr, node: Any) -> Expr:
        """`left op right` after the conversions that C makes."""
        span = self.context.span(node)
        for side in (left, right):
            if op in _INTEGER_ONLY and not is_integer(side.type):
                raise self.context.refuse(
                    "PC0012", f"`{op}` wants integers", side.span, f"has type `{spell(side.type)}`",
                    helps=("the remainder of floating numbers is `fmod`, or `fmodf`, of `<math.h>`",)
                    if op == "%" else (),
                )  # fmt: skip
        assert isinstance(left.type, Scalar) and isinstance(right.type, Scalar)
        if op in ("&&", "||"):
            return Binary(op, left, right, INT, span)
        if op in ("<<", ">>"):
            ctype = promote(left.type)
            return Binary(op, implicit(left, ctype), implicit(right, promote(right.type)), ctype, span)
        common = common_type(left.type, right.type)
        left, right = implicit(left, common), implicit(right, common)
        if op in _COMPARISONS:
            return Binary(op, left, right, INT, span)
        assert op in _ARITHMETIC, op
        return Binary(op, left, right, common, span)

    def _TernaryOp(self, node: Any) -> Expr:
        condition = self.arithmetic(node.cond)
        then, otherwise = self.value(node.iftrue), self.value(node.iffalse)
        ctype = then.type
        if isinstance(then.type, Scalar) and isinstance(otherwise.type, Scalar) and then.type != otherwise.type:
            for side in (then, otherwise):
                if side.type in SMALL_FLOATS:
                    raise self._storage_only(side.type, node)
            ctype = common_type(then.type, otherwise.type)
            then, otherwise = implicit(then, ctype), implicit(otherwise, ctype)
        elif then.type != otherwise.type:
            raise self.context.refuse(
                "PC0012", f"the branches of `?:` have types `{spell(then.type)}` and `{spell(otherwise.type)}`", node
            )
        return Ternary(condition, then, otherwise, ctype, self.context.span(node))

    def _Cast(self, node: Any) -> Expr:
        target = self.types.resolve(node.to_type, self.state.scope, self.extent).type
        if isinstance(target, PointerType | ArrayType):
            raise self.context.refuse(
                "PC0404",
                "casts to pointers are not part of PENCIL",
                node,
                helps=("put the cast into a host function that calls this one",),
            )
        operand = self.value(node.expr)
        for ctype in (operand.type, target):
            if ctype in SMALL_FLOATS and operand.type != target:
                raise self._storage_only(ctype, node)
        if not isinstance(target, Scalar) or not isinstance(operand.type, Scalar):
            raise self.context.refuse("PC0012", f"cannot cast `{spell(operand.type)}` to `{spell(target)}`", node)
        return Cast(operand, target, self.context.span(node))

    def _sizeof(self, node: Any) -> Expr:
        if type(node.expr).__name__ == "Typename":
            ctype = self.types.resolve(node.expr, self.state.scope, self.extent).type
        else:
            ctype = self.translate(node.expr).type
            if isinstance(ctype, ArrayType) and self._is_parameter(node.expr):
                message = f"`sizeof` of the parameter `{node.expr.name}` is that of a pointer in C, not of the array"
                raise self._no_size(message, node, ctype)
        if (isinstance(ctype, ArrayType) and ctype.size == 0) or ctype == VOID:
            raise self._no_size("`sizeof` of this is not a constant", node, ctype)
        return IntLiteral(ctype.size, ULONG, self.context.span(node))

    def _is_parameter(self, node: Any) -> bool:
        """Whether `node` names a parameter of the function at hand, or of the host function around the region."""
        entry = self.state.scope.lookup(node.name) if type(node).__name__ == "ID" else None
        function = self.context.definitions.get(self.state.name)
        args = function.decl.type.args if function is not None else None
        places = {self.context.span(param) for param in (args.params if args is not None else ())}
        return isinstance(entry, Symbol) and entry.span in places

    def _no_size(self, message: str, node: Any, ctype: CType) -> Refused:
        """PC0014 for `sizeof`, which the number of elements was to be computed with."""
        name = getattr(node.expr, "name", "")
        if not isinstance(ctype, ArrayType) or ctype.extent is None or not isinstance(name, str) or not name:
            return self.context.refuse("PC0014", message, node)
        count = spelled(ctype.extent)
        span = self.context.span(node)
        file = self.context.file_of(span)
        line = file.line(span.line)
        one = rf"sizeof\s*\(?\s*{name}\s*\)?"
        element = rf"sizeof\s*\(?\s*(?:\*\s*{name}|{name}\s*\[\s*0\s*\]|(?:unsigned |struct )?\w+)\s*\)?"
        found = re.compile(rf"{one}\s*/\s*{element}").search(line, max(line.rfind("sizeof", 0, span.column + 6), 0))
        text = f"write `{count}`, the number of elements of `{name}`"
        if found is None:
            called = re.compile(rf"(\w+)\(\s*{name}\s*\)").match(line, span.column - 1)  # a macro that computes it
            found = called if called is not None and called.group(1) in self.context.preprocessed.macros else None
        if found is None:
            return self.context.refuse("PC0014", message, node, helps=(text,))
        at = replace(span, column=found.start() + 1)
        text += f", instead of `{found.group()}`"
        remedy = fixes.fix(text, [fixes.replaced(file, at, found.group(), count)])
        return self.context.refuse("PC0014", message, node, remedies=(remedy,))

    def _address(self, node: Any) -> Expr:
        raise self.context.refuse(
            "PC0404", "address taken outside the PENCIL builtins", node, helps=("pass the array or the value itself",)
        )

    def _dereference(self, node: Any) -> Expr:
        operand = self.translate(node.expr)
        span = self.context.span(node)
        if isinstance(operand.type, ArrayType) and not isinstance(operand, StringLiteral):
            return Index(operand, IntLiteral(0, INT, span), operand.type.element, span)
        if not isinstance(operand.type, PointerType):
            raise self.context.refuse(
                "PC0404",
                "pointers are not part of PENCIL",
                node,
                helps=("use an array parameter `T A[static const restrict n]` and a subscript",),
            )
        return Dereference(operand, operand.type.target, span)

    # ---- access paths ----------------------------------------------------------------------------

    def _ArrayRef(self, node: Any) -> Expr:
        return access.array_ref(self, node)

    def _StructRef(self, node: Any) -> Expr:
        return access.struct_ref(self, node)

    def lvalue(self, node: Any, verb: str = "assigned") -> Expr:
        """`node` as something that can be written."""
        return access.lvalue(self, node, verb)

    # ---- the rest --------------------------------------------------------------------------------

    def extent(self, node: Any) -> Expr:
        """The extent of an array in this function; constants are folded, those of the file among them."""
        expr: Expr = replaced(self.arithmetic(node), self._constant_of_file)
        if not is_integer(expr.type):
            raise self.context.refuse("PC0012", "array extent is not an integer", node)
        value = integer_value(expr)
        if value is None:
            return expr
        if value <= 0:
            raise self.context.refuse("PC0403", "array extent must be positive", node, f"this is {value}")
        return IntLiteral(value, INT if value < 2**31 else LONG, expr.span)

    def _constant_of_file(self, node: Node) -> Expr | None:
        """The value of a name, where that is an integer constant of the file."""
        if not isinstance(node, Name) or node.symbol.kind != "global" or not is_integer(node.type):
            return None
        init = self.context.globals[node.symbol.spelling].init
        value = None if init is None else integer_value(initialize(self.outside(""), node.type, init))
        return None if value is None else IntLiteral(value, node.type, node.span)

    def _FuncCall(self, node: Any) -> Expr:
        return calls.translate_call(self, node)

    def _CompoundLiteral(self, node: Any) -> Expr:
        ctype = self.types.resolve(node.type, self.state.scope, self.extent).type
        if not isinstance(ctype, Struct | Scalar):
            raise self.context.refuse("PC0014", "only struct compound literals are supported", node)
        return initialize(self, ctype, node.init)

    def _Assignment(self, node: Any) -> Expr:
        around = self.state.statement
        if node.op == "=" and getattr(around, "cond", None) is node:
            equal = _first_assignment(self.context, node)
            message = "assignment inside a condition"
            helps = ("make it a statement of its own, or write `==`",)
            raise self.context.refuse("PC0308", message, node, helps=() if equal else helps, remedies=(equal,))
        raise self._hidden_effect("assignment inside an expression", node)

    def _hidden_effect(self, message: str, node: Any) -> Refused:
        """PC0308 for an assignment, `++` or `--` that has to stay inside an expression (`effects.py`)."""
        return self.context.refuse("PC0308", message, node, helps=("make it a statement of its own",))

    def _ExprList(self, node: Any) -> Expr:
        raise self.context.refuse(
            "PC0308", "the comma operator is not part of PENCIL", node, helps=("use two statements",)
        )

    def _InitList(self, node: Any) -> Expr:
        raise self.context.refuse("PC0014", "`{…}` is not supported here", node)


def _first_assignment(context: FileContext, node: Any) -> Fix | None:
    """The fix that compares where the assignment `node` is a condition."""
    span = context.span(node)
    file = context.file_of(span)
    found = re.search(r"(?<![=<>!+*/%&|^-])=(?!=)", file.line(span.line)[span.column - 1 :])
    if found is None:
        return None
    column = span.column + found.start()
    place = replace(span, column=column, end_column=column + 1)
    return fixes.fix("write `==` to compare", [fixes.replaced(file, place, "=", "==")])


def address_of(expr: Expr, span: Span) -> AddressOf:
    """`&expr`."""
    return AddressOf(expr, PointerType(expr.type), span)


def constant_extent(types: TypeResolver, node: Any) -> IntLiteral:
    """The extent of an array at file scope or in a struct, which must be a constant."""
    context = types.context
    value = integer_value(ExpressionTranslator(context, types, FunctionState("", context.scope)).translate(node))
    if value is None or value <= 0:
        raise context.refuse("PC0403", "array extent must be a positive constant here", node)
    return IntLiteral(value, INT if value <= largest(INT) else LONG, context.span(node))
