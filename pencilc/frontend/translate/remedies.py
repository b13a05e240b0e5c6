"""What to write instead of what PENCIL does not have, as text to be pasted into the file at hand.

`memset(h, 0, 256 * sizeof(int))`   ->  `for (int k = 0; k < 256; k++) h[k] = 0;`
`void *data`, read as `float *`      ->  `float data[static const restrict n]`
`__pencil_reduce`                    ->  did you mean `__pencil_reduction`?
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from pencilc.frontend.context import FileContext
from pencilc.frontend.stub_headers import include_dir
from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.frontend.translate.translators import Expressions
from pencilc.ir.rewrite import fresh_name
from pencilc.ir.source import VOID, ArrayType, CType, PointerType, Symbol, element_type, extents
from pencilc.ir.source_printer import print_declarator, print_type, spelled

_OUTPUT = {"printf", "fprintf", "puts", "putchar", "putc", "fputc", "fputs", "fflush", "perror", "fwrite"}
_ALLOCATION = {"malloc", "calloc", "realloc", "free"}
_RANDOM = {"rand", "random", "drand48", "rand_r", "srand"}
_TIME = {"time", "clock", "gettimeofday", "clock_gettime"}
_FILLING = {"memset", "memcpy", "memmove"}


def generated(node: Any) -> str:
    """C text of a pycparser node."""
    from pycparser.c_generator import CGenerator

    text: str = CGenerator().visit(node)
    return text


# ---- names ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _declared_in_headers() -> dict[str, str]:
    """The functions that the headers of pencilc declare, with the header of each."""
    found: dict[str, str] = {}
    for path in (*sorted((include_dir() / "libc").glob("*.h")), include_dir() / "pencil.h"):
        for match in re.finditer(r"^(?!\s*#)[^\n#]*?\b(\w+)\s*\(", path.read_text(), re.M):
            found.setdefault(match.group(1), path.name)
    return found


def header_of(name: str) -> str:
    """The header that declares the function `name`; empty if none does."""
    return _declared_in_headers().get(name, "")


# ---- the C library -------------------------------------------------------------------------------------------


def no_body_help(name: str) -> str:
    """What to do about a call of a function that no GPU thread can call."""
    if name in _OUTPUT:
        return "keep it to the C program: put a line `#ifndef __PENCILC__` before it and a line `#endif` behind it"
    if name in _ALLOCATION:
        return "declare an array with its extent instead, as in `float a[n];`, or allocate outside of the region"
    if name in _RANDOM:
        return "fill an array with random numbers before the region, on the host, and read that"
    if name in _TIME:
        return "measure the time outside of the region, on the host"
    if header_of(name):
        return "call it before or behind the region, on the host, and hand over what is needed in a variable"
    return "define it in this file or in a header that this file includes"


def refuse_filling(tr: Expressions, name: str, node: Any, arguments: list[Any]) -> None:
    """PC0505 for `memset` and its kin, with the loop to write instead; raises Refused."""
    if name not in _FILLING or name in tr.context.definitions:
        return
    code = _filling_loop(tr, name, arguments) if len(arguments) == 3 else ""
    write = f"write `{code}` instead" if code else "write a loop that assigns the elements instead"
    raise tr.context.refuse("PC0505", f"`{name}` has no body that the device could run", node, helps=(write,))


def _filling_loop(tr: Expressions, name: str, arguments: list[Any]) -> str:
    target = _named_array(tr, arguments[0])
    source = None if name == "memset" else _named_array(tr, arguments[1])
    if target is None or (name != "memset" and source is None):
        return ""
    assert isinstance(target[1], ArrayType)
    element = element_type(target[1])
    value = generated(arguments[1]) if name == "memset" else ""
    if name == "memset" and value != "0" and element.size != 1:
        return ""
    limits = [None if e is None else spelled(e) for e in extents(target[1])]
    if len(limits) == 1:
        limits = [_count(arguments[2], element.size, getattr(element, "name", ""), target[0]) or limits[0]]
    elif not _is_sizeof(arguments[2], target[0]) and _product(arguments[2]) != sorted(filter(None, limits)):
        return ""
    if None in limits:
        return ""
    taken = set(tr.context.identifiers)
    counters = [fresh_name(letter, taken) for letter in ("k", "l", "m", "p")[: len(limits)]]
    loops = " ".join(f"for (int {c} = 0; {c} < {e}; {c}++)" for c, e in zip(counters, limits, strict=True))
    subscript = "".join(f"[{c}]" for c in counters)
    return f"{loops} {target[0]}{subscript} = {f'{source[0]}{subscript}' if source is not None else value};"


def _named_array(tr: Expressions, node: Any) -> tuple[str, Any] | None:
    """The name and type of an array argument, which may be cast or be the address of its first element."""
    while type(node).__name__ == "Cast":
        node = node.expr
    if type(node).__name__ == "UnaryOp" and node.op == "&" and type(node.expr).__name__ == "ArrayRef":
        node = node.expr.name if generated(node.expr.subscript) == "0" else node
    entry = tr.state.scope.lookup(node.name) if type(node).__name__ == "ID" else None
    return (node.name, entry.type) if isinstance(entry, Symbol) and isinstance(entry.type, ArrayType) else None


def _count(size: Any, width: int, element: str, array: str) -> str:
    """How many elements `size` bytes are, as text; empty where that is all of the array, or is not clear."""
    if width == 1 and not _is_sizeof(size, array):
        return generated(size)
    if type(size).__name__ == "BinaryOp" and size.op == "*":
        for one, other in ((size.left, size.right), (size.right, size.left)):
            text = generated(one)
            if text in (f"sizeof({element})", f"sizeof({array}[0])", f"sizeof(*{array})", str(width)) or (
                text.startswith("sizeof(unsigned") and element.startswith("unsigned")
            ):
                return generated(other)
    return ""


def _product(size: Any) -> list[str]:
    """The factors of a product but those with `sizeof`, sorted."""
    if type(size).__name__ == "BinaryOp" and size.op == "*":
        return sorted([*_product(size.left), *_product(size.right)])
    text = generated(size)
    return [] if text.startswith("sizeof") else [text]


def _is_sizeof(size: Any, array: str) -> bool:
    return generated(size) in (f"sizeof({array})", f"sizeof {array}")


# ---- pointers ------------------------------------------------------------------------------------------------


def pointer_helps(param: Any, function: Any, target: CType, is_const: bool) -> tuple[str, ...]:
    """What to write in place of the pointer parameter `param` of `function`, which points to `target`."""
    name, removed = param.name, ""
    element = print_type(target)
    alias = _alias(function, name)
    if alias is not None and _only_use(function, name, alias):
        name, element, is_const = alias.name, generated(alias.type.type), "const" in (alias.type.type.quals or ())
        element = element.removeprefix("const ")
        removed = generated(alias)
    elif element == "void":
        element = next(_casts_to(function, name), "float")
    count = 2 if isinstance(target, PointerType) and not removed else 1
    while isinstance(target, PointerType):
        target = target.target
    extents = _extents(function, name, param.name, count)
    declared = f"{name}[static const restrict {extents[0]}]" + "".join(f"[{extent}]" for extent in extents[1:])
    prefix = "const " if is_const else ""
    written = print_declarator(target, declared, is_const) if target != VOID and not removed else ""
    written = written or f"{prefix}{element} {declared}"
    helps = [f"write `{written}` instead of `{generated(param)}`"]
    if removed:
        helps.append(f"and remove `{removed};`")
    if extents == ["1"] and _is_dereferenced(function, name):
        helps.append(f"and `{name}[0]` instead of `*{name}`")
    return (*helps, *_parameters_of(extents, function, param.name))


def _parameters_of(extents: list[str], function: Any, param: str) -> list[str]:
    """What to do about the parameters that the extents of `param` need and that do not stand in front of it."""
    helps: list[str] = []
    everywhere, before = _scalars(function), _scalars(function, param)
    used = dict.fromkeys(word for extent in extents for word in re.findall(r"[A-Za-z_]\w*", extent))
    late = [f"`{word}`" for word in used if word in everywhere and word not in before]
    if late:
        helps.append(f"and put {' and '.join(late)} in front of `{param}`")
    for word in used:
        if word in ("n", "m") and word not in everywhere:
            helps.append(f"where `{word}`, a parameter in front of it, says how many elements there are")
    return helps


def _alias(function: Any, name: str) -> Any:
    """The local pointer that is declared as `name`, cast or not."""
    for node in nodes_below(function.body):
        if type(node).__name__ == "Decl" and type(node.type).__name__ == "PtrDecl":
            value = node.init.expr if type(node.init).__name__ == "Cast" else node.init
            if type(value).__name__ == "ID" and value.name == name and type(node.type.type).__name__ == "TypeDecl":
                return node
    return None


def _only_use(function: Any, name: str, alias: Any) -> bool:
    """Whether the declaration `alias` is the one place of the function that names `name`."""

    def uses(node: Any) -> int:
        return sum(type(n).__name__ == "ID" and n.name == name for n in nodes_below(node))

    return uses(function.body) == 1 and uses(alias) == 1


def _casts_to(function: Any, name: str) -> Iterator[str]:
    """The element types of the pointers that `name` is cast to."""
    for node in nodes_below(function.body):
        if type(node).__name__ == "Cast" and type(node.expr).__name__ == "ID" and node.expr.name == name:
            kind = generated(node.to_type)
            if kind.endswith("*"):
                yield kind.rstrip("* ").removeprefix("const ")


def _extents(function: Any, name: str, param: str, count: int) -> list[str]:
    """The bounds of the loops that subscript `name` with their counters, for the first `count` of its subscripts.

    Where there is none that is made of parameters, one before `param` is taken, or a name for it.
    """
    if count == 1 and _has_one_element(function, name):
        return ["1"]
    before = _scalars(function, param)
    found: list[str] = []
    for depth in range(count):
        deep = (subscripts for subscripts in _subscripts(function, name) if len(subscripts) > depth)
        counters = {generated(subscripts[depth]) for subscripts in deep}
        bound = _bound(function, counters, _scalars(function))
        left = [each for each in before if each not in found]
        default = "nm"[depth]
        found.append(bound or (left[0] if len(left) == 1 and default not in left else default))
    return found


def _bound(function: Any, counters: set[str], parameters: list[str]) -> str | None:
    """Where the first loop over one of `counters` ends, if that is made of `parameters`."""
    for loop in nodes_below(function.body):
        cond: Any = loop.cond if type(loop).__name__ == "For" else None
        if type(cond).__name__ == "BinaryOp" and cond.op == "<" and generated(cond.left) in counters:
            used = {n.name for n in nodes_below(cond.right) if type(n).__name__ == "ID"}
            if used <= set(parameters):
                return generated(cond.right)
    return None


def _scalars(function: Any, param: str = "") -> list[str]:
    """The parameters that are no arrays or pointers, those in front of `param` if there is one."""
    found: list[str] = []
    for each in function.decl.type.args.params:
        if param and getattr(each, "name", None) == param:
            break
        if type(getattr(each, "type", None)).__name__ == "TypeDecl" and each.name:
            found.append(each.name)
    return found


def _subscripts(function: Any, name: str) -> Iterator[list[Any]]:
    """The subscripts of each element of `name` that the function names, the first one first."""
    for node in nodes_below(function.body):
        inner: Any = node
        found: list[Any] = []
        while type(inner).__name__ == "ArrayRef":
            found.insert(0, inner.subscript)
            inner = inner.name
        if found and type(inner).__name__ == "ID" and inner.name == name:
            yield found


def _is_dereferenced(function: Any, name: str) -> bool:
    return any(_is_star(node, name) for node in nodes_below(function.body))


def _is_star(node: Any, name: str) -> bool:
    """Whether `node` is `*name`."""
    if type(node).__name__ != "UnaryOp" or node.op != "*":
        return False
    return type(node.expr).__name__ == "ID" and bool(node.expr.name == name)


def _has_one_element(function: Any, name: str) -> bool:
    """Whether the function names `name` only as `*name` and `name[0]`."""
    uses = sum(type(n).__name__ == "ID" and n.name == name for n in nodes_below(function.body))
    stars = sum(_is_star(n, name) for n in nodes_below(function.body))
    first = sum([generated(each) for each in found] == ["0"] for found in _subscripts(function, name))
    return bool(uses) and bool(stars + first == uses)


def init_function(context: FileContext, ctype: str) -> str:
    """The name of a function `void f(ctype *)` of the file, those that reductions use first; `init` if none."""
    fitting = [name for name, node in context.definitions.items() if _is_init(node, ctype)]
    for name in fitting:
        if name in context.inits:
            return name
    return fitting[0] if fitting else "init"


def _is_init(node: Any, ctype: str) -> bool:
    func = node.decl.type
    params = func.args.params if func.args is not None else []
    if len(params) != 1 or _base(func.type) != "void":
        return False
    pointer: Any = getattr(params[0], "type", None)
    return type(pointer).__name__ == "PtrDecl" and _base(pointer.type) == ctype


def _base(node: Any) -> str:
    """The name of the type of a plain declarator; empty for any other."""
    inner: Any = getattr(node, "type", None)
    return " ".join(inner.names) if type(inner).__name__ == "IdentifierType" and not node.quals else ""
