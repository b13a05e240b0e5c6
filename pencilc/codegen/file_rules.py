"""What a file defines, as C++ has it: each name once, and before anything that names it; functions return values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pencilc.codegen.cexpr import type_text
from pencilc.codegen.control import fault
from pencilc.codegen.expression_rules import check_expression
from pencilc.codegen.kernel_types import FileScope
from pencilc.codegen.names import OF_LANGUAGE
from pencilc.frontend.translate.constants import integer_value
from pencilc.ir.build import GeneratedType
from pencilc.ir.definitions import Definition, DeviceFunction, StructDefinition, Table
from pencilc.ir.host import Entry, KernelFile
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.nodes import Braces, If, Node, Parameter, WhileLoop
from pencilc.ir.source import VOID, CType, Jump, PointerType, Return, Struct, element_type


def verify_names(file: KernelFile) -> None:
    """Raise CompilerBug where a name of `file` is defined twice, or is one of C++ or CUDA."""
    _verify_once((type_text(each.struct) for each in file.types if isinstance(each, StructDefinition)), file.source)
    others = (each.name for each in file.types if not isinstance(each, StructDefinition))
    functions = (*(each.name for each in file.helpers), *(each.name for each in file.kernels))
    entries = (name for entry in file.entries for name in functions_of(entry))
    _verify_once((*others, *functions, *entries), file.source)
    _verify_once((name for kernel in file.kernels for name in _brought(kernel)), file.source)


def functions_of(entry: Entry) -> tuple[str, ...]:
    """The functions of an entry point."""
    return tuple(each.name for each in entry.functions if each.node != "link_name")


def _brought(kernel: KernelFunction) -> Iterator[str]:
    """What building blocks print beside a kernel, each for an accumulator, bins, or the places of one kernel."""
    for called in kernel.helpers:
        yield from (f"{name} by {called.macro}" for name in called.names)


def _verify_once(names: Iterable[str], where: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            fault(where, f"`{name}` is defined twice")
        if name in OF_LANGUAGE:
            fault(where, f"`{name}` is a name of C++ or CUDA")
        seen.add(name)


def verify_definition(definition: Definition, file: FileScope) -> None:
    """Raise CompilerBug where a definition names what stands behind it, or a function ends without its value."""
    match definition:
        case StructDefinition(struct=struct):
            _verify_types(definition.name, (each.type for each in struct.members), file)
        case Table():
            _verify_types(definition.name, (definition.type,), file)
            check_expression(definition.name, definition.init, file)
        case DeviceFunction():
            _verify_types(definition.name, (definition.returns, *_types(definition.parameters)), file)
            for body in (definition.body, *([definition.on_host] if definition.on_host else ())):
                if definition.returns != VOID and _ends(body):
                    fault(
                        definition.name,
                        f"its end can be reached, and nothing returns a {type_text(definition.returns)}",
                    )


def _ends(nodes: Iterable[Node]) -> bool:
    """Whether control can come behind nodes: in C++ nothing may, where a function is to return a value."""
    return all(_ends_one(node) for node in nodes)


def _ends_one(node: Node) -> bool:
    match node:
        case Return() | Jump():
            return False
        case Braces():
            return _ends(node.body)
        case If():
            return _ends(node.then) or _ends(node.otherwise)
        case WhileLoop():
            if _leaves_by(node.body, "break"):
                return True
            if node.do_first and not _ends(node.body) and not _leaves_by(node.body, "continue"):
                return False
            return not integer_value(node.condition)
    return True


def _leaves_by(nodes: Iterable[Node], keyword: str) -> bool:
    """Whether a jump in the body of a loop belongs to that loop."""
    for node in nodes:
        match node:
            case Jump():
                found = node.keyword == keyword
            case If():
                found = _leaves_by((*node.then, *node.otherwise), keyword)
            case Braces():
                found = _leaves_by(node.body, keyword)
            case _:
                found = False
        if found:
            return True
    return False


def _types(parameters: Iterable[Parameter]) -> Iterator[CType]:
    return (each.type for each in parameters)


def _verify_types(where: str, types: Iterable[CType], file: FileScope) -> None:
    for ctype in types:
        inner = element_type(ctype)
        inner = element_type(inner.target) if isinstance(inner, PointerType) else inner
        if isinstance(inner, Struct) and not isinstance(inner, GeneratedType) and type_text(inner) not in file.structs:
            fault(where, f"nothing above defines `{type_text(inner)}`")
