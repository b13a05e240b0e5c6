"""Statements of kernels and functions of the source as C++ lines.  Only how things are written is settled here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import ClassVar, TypeAlias

from pencilc.codegen.cexpr import braces, compared, declarator, expression, parameter, type_text
from pencilc.codegen.names import Spelling, as_written, safe
from pencilc.diagnostics.source import UNKNOWN_SPAN, Span
from pencilc.ir.build import is_number
from pencilc.ir.definitions import (
    Definition,
    DeviceFunction,
    FunctionDeclaration,
    NamedConstant,
    StructDefinition,
    Table,
)
from pencilc.ir.nodes import BuildingBlock, For, If, Node, SharedDecl, Switch, WhileLoop
from pencilc.ir.source import (
    INT,
    Assign,
    CallStmt,
    CType,
    Declare,
    Expr,
    Initializer,
    IntLiteral,
    Jump,
    PointerType,
    Return,
    Scalar,
    Struct,
)
from pencilc.records import dataclass

_INDENT = "    "


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of C++, and the place of the source that it does the work of, if there is one."""

    text: str
    origin: Span = UNKNOWN_SPAN
    node: str = field(default="line", init=False)
    is_line: ClassVar[bool] = True

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class TextBlock:
    """`head { body } tail`."""

    head: str
    body: tuple[Text, ...]
    tail: str = ""
    node: str = field(default="block", init=False)
    is_line: ClassVar[bool] = False

    @property
    def is_short(self) -> bool:
        """Whether what is in it is one statement."""
        return _is_statement(self.body)


@dataclass(frozen=True, slots=True)
class TextIf:
    """`if (condition) then else otherwise`."""

    condition: str
    then: tuple[Text, ...]
    otherwise: tuple[Text, ...]
    node: str = field(default="if", init=False)
    is_line: ClassVar[bool] = False

    @property
    def is_short(self) -> bool:
        """Whether what is done in each case is one statement."""
        others = all(each.is_short for each in self.otherwise if isinstance(each, TextIf))
        is_other = self.has_else_if or not self.otherwise or _is_statement(self.otherwise)
        return _is_statement(self.then) and others and is_other

    @property
    def has_long_else_if(self) -> bool:
        """Whether what is done otherwise is one more condition, of more than statements."""
        return self.has_else_if and not any(each.is_short for each in self.otherwise if isinstance(each, TextIf))

    @property
    def has_else_if(self) -> bool:
        """Whether what is done otherwise is one more condition and nothing else."""
        return len(self.otherwise) == 1 and isinstance(self.otherwise[0], TextIf)


# Building blocks are left to their templates.
Text: TypeAlias = TextLine | TextBlock | TextIf | BuildingBlock


def _is_statement(body: tuple[Text, ...]) -> bool:
    """Whether a body is one line, which needs no braces."""
    return len(body) == 1 and body[0].is_line


def texts(nodes: Iterable[Node], spell: Spelling = as_written) -> tuple[Text, ...]:
    """What templates print for `nodes`."""
    return tuple(text for node in nodes for text in _text(node, spell))


def _text(node: Node, spell: Spelling) -> Iterator[Text]:
    match node:
        case For() if node.is_covered:
            yield TextBlock(f"if ({_place(node, spell)})", texts(node.body, spell))
        case For():
            if node.is_rare:
                yield TextLine("#pragma unroll 1")
            if node.is_unrolled:
                yield TextLine("#pragma unroll")
            yield TextBlock(f"for ({_head(node, spell)})", texts(node.body, spell))
        case WhileLoop() if node.do_first:
            yield TextBlock("do", texts(node.body, spell), f" while ({expression(node.condition, spell)});")
        case WhileLoop():
            yield TextBlock(f"while ({expression(node.condition, spell)})", texts(node.body, spell))
        case If():
            yield TextIf(expression(node.condition, spell), texts(node.then, spell), texts(node.otherwise, spell))
        case Switch():
            yield TextLine(f"switch ({expression(node.value, spell)}) {{")
            for case, each in node.cases:
                yield TextLine(f"case {case}: {expression(each.call, spell)}; break;")
            yield TextLine(f"default: {expression(node.default.call, spell)};")
            yield TextLine("}")
        case SharedDecl():
            yield TextLine(_line(node, spell))
        case Declare() | Assign() | CallStmt() | Jump() | Return():
            yield TextLine(_line(node, spell), node.span)
        case _:
            yield node


def _line(node: Declare | Assign | CallStmt | Jump | Return | SharedDecl, spell: Spelling) -> str:
    match node:
        case Declare():
            return _declaration(node, spell)
        case Assign():
            return f"{expression(node.target, spell)} {node.compound}= {expression(node.value, spell)};"
        case CallStmt():
            return f"{expression(node.call, spell)};"
        case Jump():
            return f"{node.keyword};"
        case Return():
            return f"return {expression(node.value, spell)};" if node.value is not None else "return;"
        case SharedDecl() if node.count is None:
            return f"extern __shared__ {type_text(node.type)} {spell(node.name)}[];"
        case SharedDecl():
            return f"__shared__ {type_text(node.type)} {spell(node.name)}[{node.count}];"


def _declaration(node: Declare, spell: Spelling) -> str:
    symbol = node.symbol
    if symbol.is_const and isinstance(symbol.type, PointerType):
        text = f"{type_text(symbol.type)}const {spell(symbol.name)}"
    else:
        text = f"{'const ' if symbol.is_const else ''}{declarator(symbol.type, symbol.name, spell)}"
    if node.init is None:
        return f"{text};"
    return f"{text} = {_initial(node.init, symbol.type, spell)};"


def _initial(value: Expr, ctype: object, spell: Spelling) -> str:
    """What a variable of this type is initialised with, behind `=`."""
    if isinstance(value, Initializer) and isinstance(ctype, Struct):
        return braces(value, spell)
    return expression(value, spell)


def _head(node: For, spell: Spelling) -> str:
    kind = f"{type_text(node.iterator.type)} " if node.declares else ""
    step = _step(spell(node.iterator.name), node.iterator.type, node.step, spell)
    return f"{kind}{_begin(node, spell)}; {step}"


def _place(node: For, spell: Spelling) -> str:
    """The iteration that a thread has of a loop, if there is one for it."""
    return f"const {type_text(node.iterator.type)} {_begin(node, spell)}"


def _begin(node: For, spell: Spelling) -> str:
    name = spell(node.iterator.name)
    return f"{name} = {expression(node.lower, spell)}; {name} {node.relation} {compared(node.bound, spell)}"


def _step(name: str, ctype: CType, step: Expr, spell: Spelling) -> str:
    if is_number(step) and isinstance(step, IntLiteral):
        # nvcc (13.0) takes it that `c++` of a narrow signed `c` does not wrap, which `c += 1` may, as in C.
        is_narrow = isinstance(ctype, Scalar) and ctype.kind == "int" and ctype.size < INT.size
        if step.value in (1, -1) and not is_narrow:
            return f"{name}{'++' if step.value > 0 else '--'}"
        if step.value < 0:
            # `u += -2` of an unsigned counter is a conversion that nvcc warns of.
            return f"{name} -= {-step.value}"
    return f"{name} += {expression(step, spell)}"


# ---- definitions of the source ---------------------------------------------------------------------


def definition(node: Definition, spell: Spelling = as_written) -> tuple[str, ...]:
    """The lines of a definition."""
    match node:
        case StructDefinition(struct=struct):
            members = (f"    {declarator(each.type, safe(each.name))};" for each in struct.members)
            return (f"struct {type_text(struct)} {{", *members, "};")
        case NamedConstant():
            return (f"static constexpr int {node.name} = {node.value};",)
        case Table():
            declared = declarator(node.type, node.name, spell)
            return (f"static {node.kind} {declared} = {_initial(node.init, node.type, spell)};",)
        case DeviceFunction():
            return _function(node, spell)


def declaration(node: FunctionDeclaration, spell: Spelling = as_written) -> str:
    """`int f(int n) __asm__("g");`; what has no parameters says so, as C asks for."""
    label = f' __asm__("{node.link_name}")' if node.link_name else ""
    return f"{_signature(node, spell, 'void')}{label};"


def _signature(node: FunctionDeclaration | DeviceFunction, spell: Spelling, nothing: str = "") -> str:
    """`int f(int n)`; `nothing`: what stands there if there are no parameters."""
    gap = "" if isinstance(node.returns, PointerType) else " "
    parameters = ", ".join(parameter(each, spell) for each in node.parameters)
    return f"{type_text(node.returns)}{gap}{node.name}({parameters or nothing})"


def _function(node: DeviceFunction, spell: Spelling) -> tuple[str, ...]:
    qualifiers = "static __device__ __forceinline__"
    if node.for_host:
        qualifiers = 'extern "C" __host__ __device__' if node.always else "static __host__ __device__ __forceinline__"
    head = f"{qualifiers} {_signature(node, spell)}"
    body = [*_lines(texts(node.body, spell), 1)]
    if node.on_host:
        body = ["#ifdef __CUDA_ARCH__", *body, "#else", *_lines(texts(node.on_host, spell), 1), "#endif"]
    label = [f'{head} __asm__("{node.link_name}");'] if node.link_name else []
    template = ["template <typename T>"] if node.is_template else []
    return (*label, *template, head, "{", *body, "}")


def _lines(nodes: Iterable[Text], depth: int) -> Iterator[str]:
    """The lines of nodes without runs of points, indented by `depth` levels."""
    pad = _INDENT * depth
    for node in nodes:
        match node:
            case TextLine():
                yield pad + node.text
            case TextBlock():
                yield f"{pad}{node.head} {{"
                yield from _lines(node.body, depth + 1)
                yield f"{pad}}}{node.tail}"
            case TextIf():
                yield f"{pad}if ({node.condition}) {{"
                yield from _lines(node.then, depth + 1)
                if node.otherwise:
                    yield f"{pad}}} else {{"
                    yield from _lines(node.otherwise, depth + 1)
                yield f"{pad}}}"
