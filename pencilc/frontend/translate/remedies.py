"""What to write instead of what PENCIL does not have, as text to be pasted into the file at hand.

`memset(h, 0, 256 * sizeof(int))`   ->  `for (int k = 0; k < 256; k++) h[k] = 0;`
`void *data`, read as `float *`      ->  `float data[static const restrict n]`
`__pencil_reduce`                    ->  did you mean `__pencil_reduction`?
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pycparser.c_generator import CGenerator

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Edit, Fix
from pencilc.diagnostics.source import SourceFile, Span
from pencilc.frontend.context import FileContext, Poisoned, Refused
from pencilc.frontend.stub_headers import include_dir
from pencilc.frontend.syntax import foreign
from pencilc.frontend.syntax.near_names import nearest
from pencilc.frontend.syntax.nodes import nodes_below, times_named
from pencilc.frontend.translate.replacements import OWN_FUNCTIONS, own_function
from pencilc.frontend.translate.translators import Expressions
from pencilc.ir.rewrite import fresh_name
from pencilc.ir.source import ArrayType, CType, PointerType, Symbol, element_type, extents
from pencilc.ir.source_printer import print_declarator, spelled
from pencilc.records import dataclass

_OUTPUT = {"printf", "fprintf", "puts", "putchar", "putc", "fputc", "fputs", "fflush", "perror", "fwrite"}
_ALLOCATION = {"malloc", "calloc", "realloc", "free"}
_RANDOM = {"rand", "random", "drand48", "rand_r", "srand"}
_TIME = {"time", "clock", "gettimeofday", "clock_gettime"}
# Functions and constants in the text of a header.
_DECLARED = re.compile(r"(?:^|(?<=;))(?!\s*#)[ \t]*[A-Za-z_][^;\n#()]*?\b(\w+)\s*\(", re.M)
_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+([A-Za-z]\w*)\b", re.M)
_FILLING = {"memset", "memcpy", "memmove"}


def generated(node: Any) -> str:
    """C text of a pycparser node."""
    text: str = CGenerator().visit(node)
    return text


# ---- names ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _declared_in_headers() -> dict[str, str]:
    """The functions and constants that the headers of pencilc declare, with the header of each."""
    found: dict[str, str] = {}
    for path in (*sorted((include_dir() / "libc").glob("*.h")), include_dir() / "pencil.h"):
        text = path.read_text()
        for match in _DECLARED.finditer(text):
            found.setdefault(match.group(1), path.name)
        for match in _DEFINED.finditer(text):
            if path.name != "pencil.h":
                found.setdefault(match.group(1), path.name)
    return found


def header_of(name: str) -> str:
    """The header that declares the function or constant `name`; empty if none does."""
    return _declared_in_headers().get(name, "")


def unknown_name(tr: Expressions, node: Any, known: Iterable[str], is_call: bool = False) -> Exception:
    """PC0010 for the name at `node`, with what was likely meant: a header, another name, or what is still missing."""
    name, context = node.name, tr.context
    header, macro = header_of(name), context.preprocessed.macros.get(name)
    helps: tuple[str, ...] = foreign.of_name(name)
    remedies: tuple[Fix | None, ...] = ()
    if header:
        remedies = (context.including(node, header),)
    elif macro is not None and macro.parameters is not None:
        helps = (f"`{name}` is a macro that is called: `{name}({', '.join(macro.parameters)})`",)
    elif not helps and name not in OWN_FUNCTIONS and (meant := nearest(name, known)):
        remedies = (context.renamed(node, name, meant),)
        helps = () if remedies[0] is not None else (f"did you mean `{meant}`?",)
    elif (own := own_function(context, name, context.span(node))) is not None:
        remedies = (own,)
    elif not helps and is_call:
        helps = (f"define `{name}` before its use",)
    return context.undeclared(name, tr.state.name, node, helps=helps, remedies=remedies)


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


def refuse_host_only(tr: Expressions, name: str, node: Any, arguments: list[Any]) -> None:
    """PC0505 for the functions of the C library that only the host has, with what to write instead; raises Refused."""
    context = tr.context
    if name in context.definitions or tr.state.kind not in ("region", "helper"):
        return
    declared = context.prototypes.get(name)
    is_ours = declared is None or context.path_of(declared).startswith("<pencilc>/libc/")
    if not is_ours or name not in (*_FILLING, *_OUTPUT, *_ALLOCATION, *_RANDOM, *_TIME, "assert"):
        return
    span = context.span(node)
    file = context.file_of(span)
    helps: tuple[str, ...] = (no_body_help(name),)
    made: Fix | None = None
    if name in _FILLING:
        code = _filling_loop(tr, name, arguments) if len(arguments) == 3 else ""
        helps = (f"write `{code}` instead" if code else "write a loop that assigns the elements instead",)
        if code:
            made = fixes.fix(helps[0], [fixes.statement_replaced(file, span, name, code)])
    elif name == "assert" and arguments:
        code = f"__pencil_assert({generated(arguments[0])});"
        helps = (f"write `{code}`, which says so to the reader and the host's compiler and costs nothing",)
        made = fixes.fix(helps[0], [fixes.statement_replaced(file, span, name, code)])
    elif name in _OUTPUT:
        made = _for_the_host(file, span, helps[0])
        if made is not None and declared is None:
            made = replace(made, help=f"{made.help}, and add `#include <{header_of(name)}>`")
            made = replace(made, edits=(fixes.header_included(file, header_of(name)), *made.edits))
    elif name == "free" and arguments and _was_array(tr, arguments[0]):
        raise Refused  # What `malloc` stands in tells of it.
    message = f"`{name}` has no body that the device could run"
    raise context.refuse("PC0505", message, node, helps=() if made is not None else helps, remedies=(made,))


def _was_array(tr: Expressions, node: Any) -> bool:
    """Whether an argument of `free` is a pointer whose declaration has been refused."""
    return type(node).__name__ == "ID" and isinstance(tr.state.scope.lookup(node.name), Poisoned)


def _for_the_host(file: SourceFile, span: Span, said: str) -> Fix | None:
    """The fix that hides a statement from pencilc, where it has its lines for itself."""
    found, line = fixes.statement_at(file, span), file.line(span.line)
    if found is None or line[: found[0] - 1].strip() or line[found[1] - 1 :].strip():
        return None
    is_alone = not fixes.is_in_block(file, span)  # all of a loop or branch, which must not take what follows
    end = f"#else\n{line[: found[0] - 1]};\n#endif" if is_alone else "#endif"
    text = said.replace("a line `#endif`", "lines `#else`, `;` and `#endif`") if is_alone else said
    edits = [
        fixes.line_before(file, span, "#ifndef __PENCILC__", indented=False),
        fixes.line_behind(file, span, end, indented=False),
    ]
    return fixes.fix(text, edits)


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


def count_of(size: Any, element: str, array: str) -> str:
    """How many elements `n * sizeof(element)` bytes are, as text; empty where that is not clear."""
    return _count(size, 0, element, array)


def _product(size: Any) -> list[str]:
    """The factors of a product but those with `sizeof`, sorted."""
    if type(size).__name__ == "BinaryOp" and size.op == "*":
        return sorted([*_product(size.left), *_product(size.right)])
    text = generated(size)
    return [] if text.startswith("sizeof") else [text]


def _is_sizeof(size: Any, array: str) -> bool:
    return generated(size) in (f"sizeof({array})", f"sizeof {array}")


# ---- pointers ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Remedy:
    """What to say about a declaration, as lines, or as a fix where all of it can be done by edits."""

    helps: tuple[str, ...] = ()
    remedies: tuple[Fix | None, ...] = ()


def pointer_remedy(
    context: FileContext, param: Any, function: Any, target: CType, is_const: bool, is_called: bool = False
) -> Remedy:
    """What to write in place of the pointer parameter `param` of `function`, which points to `target`.

    `is_called`: calls of the file name the parameters in their present order.
    """
    name, alias = param.name, _alias(function, param.name)
    base = _innermost(param)
    element, is_const = generated(base.type), is_const or "const" in (base.quals or ())
    if alias is not None and _only_use(function, name, alias):
        name, base = alias.name, _innermost(alias)
        element, is_const = generated(base.type), "const" in (base.quals or ())
    else:
        alias = None
    if element == "void":
        element = next(_casts_to(function, name), "float")
    count = 2 if isinstance(target, PointerType) and alias is None else 1
    while isinstance(target, PointerType):
        target = target.target
    extents = _extents(function, name, param.name, count)
    declared = f"{name}[static const restrict {extents[0]}]" + "".join(f"[{extent}]" for extent in extents[1:])
    is_array = isinstance(target, ArrayType) and alias is None
    written = print_declarator(target, declared, is_const) if is_array else f"{'const ' * is_const}{element} {declared}"
    return _instead_of(context, param, function, written, extents, alias, is_called)


def pointers_remedy(context: FileContext, param: Any, function: Any) -> Remedy:
    """What to write in place of a parameter `float *rows[4]`: an array of two dimensions."""
    base = _innermost(param)
    first = "n" if param.type.dim is None else generated(param.type.dim)
    inner = _extents(function, param.name, param.name, 2)[1]
    const = "const " * ("const" in (base.quals or ()))
    written = f"{const}{generated(base.type)} {param.name}[static const restrict {first}][{inner}]"
    return _instead_of(context, param, function, written, [first, inner], None, False)


def _instead_of(
    context: FileContext, param: Any, function: Any, written: str, extents: list[str], alias: Any, is_called: bool
) -> Remedy:
    """`written` in place of `param`, with what else has to change then."""
    span = context.span(param)
    file = context.file_of(span)
    found = _parameter_at(file, span)
    old = file.line(span.line)[found.column - 1 : found.end_column - 1] if found is not None else generated(param)
    said = [f"write `{written}` instead of `{old}`"]
    edits: list[Edit | None] = [Edit(found, written) if found is not None else None]
    if alias is not None:
        removed = declaration_at(file, context.span(alias))
        text = generated(alias) + ";"
        if removed is not None:
            text = file.line(removed.line)[removed.column - 1 : removed.end_column - 1].strip()
        said.append(f"and remove `{text}`")
        edits.append(Edit(removed, "") if removed is not None else None)
    elif extents == ["1"]:
        for shown, edit in _as_element(context, function, param.name):
            said += [shown] if shown not in said else []
            edits.append(edit)
    for shown, edit in () if alias is not None else _without_casts(context, function, param.name):
        said += [shown] if shown not in said else []
        edits.append(edit)
    late, missing = _parameters_of(extents, function, param.name)
    if late:
        where = ", in the calls too" if is_called else ""
        said.append(f"and put {' and '.join(f'`{each}`' for each in late)} in front of `{param.name}`{where}")
        edits += [None] if is_called else _moved(context, function, late, found)
    said += [f"where `{each}`, a parameter in front of it, says how many elements there are" for each in missing]
    made = fixes.fix(", ".join(said), edits) if not missing else None
    return Remedy((), (made,)) if made is not None else Remedy((", ".join(said),))


def late_extents(param: Any, function: Any) -> list[str]:
    """The parameters of `function` that the extents of `param` name and that stand behind it."""
    extents = [generated(dim) for dim in dimensions(param)] if hasattr(param, "type") else []
    return _parameters_of(extents, function, param.name)[0] if extents else []


def order_remedy(context: FileContext, param: Any, function: Any) -> Remedy:
    """What to do about the parameters that the extents of the array `param` need and that stand behind it."""
    late = late_extents(param, function)
    text = f"put {' and '.join(f'`{each}`' for each in late)} in front of `{param.name}`"
    span = context.span(param)
    made = fixes.fix(text, _moved(context, function, late, _parameter_at(context.file_of(span), span)))
    return Remedy((), (made,)) if made is not None else Remedy((text,))


def dimensions(param: Any) -> Iterator[Any]:
    """The extents that a declaration writes."""
    inner: Any = param.type
    while type(inner).__name__ in ("ArrayDecl", "PtrDecl"):
        if type(inner).__name__ == "ArrayDecl" and inner.dim is not None:
            yield inner.dim
        inner = inner.type


def _innermost(declaration: Any) -> Any:
    """The `TypeDecl` at the bottom of a declarator."""
    inner: Any = declaration.type
    while type(inner).__name__ != "TypeDecl":
        inner = inner.type
    return inner


def _parameter_at(file: SourceFile, span: Span) -> Span | None:
    """The place of the whole parameter whose name, or declarator, stands at `span`; in one line, without comments."""
    line = file.line(span.line)
    start = span.column - 1
    while start > 0 and line[start - 1] not in "(,;{}":
        start -= 1
    start += len(line[start:]) - len(line[start:].lstrip())
    end, depth = span.column - 1, 0
    while end < len(line) and (depth or line[end] not in ",)"):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(line[end], 0)
        end += 1
    if end == len(line) or "/*" in line[start:end] or "//" in line[:end]:
        return None
    return replace(span, column=start + 1, end_column=len(line[:end].rstrip()) + 1)


def declaration_at(file: SourceFile, span: Span) -> Span | None:
    """The place of the whole declaration whose name stands at `span`, with the space in front of it, in one line."""
    line = file.line(span.line)
    start = max(line.rfind(sign, 0, span.column - 1) for sign in ";{}") + 1
    found = fixes.statement_at(file, replace(span, column=start + 1))
    return (
        None if found is None or "," in line[start : found[1]] else replace(span, column=start + 1, end_column=found[1])
    )


def _moved(context: FileContext, function: Any, names: list[str], before: Span | None) -> list[Edit | None]:
    """The edits that put parameters in front of the one at `before`; None where that concerns more than one line."""
    called = len(re.findall(rf"\b{re.escape(function.decl.name)}\s*\(", context.preprocessed.text)) > 1
    if before is None or called:
        return [None]
    file, moved, edits = context.file_of(before), [], list[Edit | None]()
    for param in function.decl.type.args.params:
        if param.name not in names:
            continue
        span = _parameter_at(file, context.span(param))
        line = file.line(before.line)
        if span is None or span.line != before.line or line[: span.column - 1].rstrip()[-1:] != ",":
            return [None]
        moved.append(line[span.column - 1 : span.end_column - 1])
        edits.append(Edit(replace(span, column=len(line[: span.column - 1].rstrip())), ""))
    text = "".join(f"{each}, " for each in moved)
    return [Edit(replace(before, end_column=before.column), text), *edits]


def _as_element(context: FileContext, function: Any, name: str) -> Iterator[tuple[str, Edit | None]]:
    """How the one element of `name` is written where it was a pointer, for each place that says it otherwise."""
    for node in nodes_below(function.body):
        kind = type(node).__name__
        if _is_star(node, name):
            span = context.span(node.expr)
            at = replace(span, column=span.column - 1)
            yield (
                f"and `{name}[0]` instead of `*{name}`",
                fixes.replaced(context.file_of(span), at, f"*{name}", f"{name}[0]") if span.column > 1 else None,
            )
        elif kind == "StructRef" and node.type == "->" and getattr(node.name, "name", "") == name:
            span = context.span(node.name)
            edit = fixes.replaced(context.file_of(span), span, f"{name}->", f"{name}[0].")
            yield f"and `{name}[0].` instead of `{name}->`", edit
        elif (argument := _reduced(node)) is not None and getattr(argument, "name", "") == name:
            span = context.span(argument)
            edit = fixes.replaced(context.file_of(span), span, name, f"&{name}[0]")
            yield f"and `&{name}[0]` instead of `{name}` in the reduction", edit


def _without_casts(context: FileContext, function: Any, name: str) -> Iterator[tuple[str, Edit | None]]:
    """The casts of the pointer `name`, which an array needs none of, and how they are left out."""
    for node in nodes_below(function.body):
        if type(node).__name__ != "Cast" or getattr(node.expr, "name", "") != name:
            continue
        if type(node.to_type.type).__name__ != "PtrDecl":
            continue
        span = context.span(node.expr)
        file = context.file_of(span)
        found = re.search(r"\([^()]*\*\s*\)\s*$", file.line(span.line)[: span.column - 1])
        text = f"{found.group() if found else generated(node).removesuffix(name)}{name}"
        at = replace(span, column=found.start() + 1) if found else span
        yield f"and `{name}` instead of `{text}`", fixes.replaced(file, at, text, name) if found else None


def _reduced(node: Any) -> Any:
    """The first argument of a reduction builtin; None for any other node."""
    if type(node).__name__ != "FuncCall" or not getattr(node.name, "name", "").startswith("__pencil_reduction"):
        return None
    return node.args.exprs[0] if node.args is not None else None


def _parameters_of(extents: list[str], function: Any, param: str) -> tuple[list[str], list[str]]:
    """The parameters that the extents of `param` need: those that stand behind it, and those that are missing."""
    everywhere, before = _scalars(function), _scalars(function, param)
    used = dict.fromkeys(word for extent in extents for word in re.findall(r"[A-Za-z_]\w*", extent))
    late = [word for word in used if word in everywhere and word not in before]
    return late, [word for word in used if word in ("n", "m") and word not in everywhere]


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
    return times_named(function.body, name) == 1 and times_named(alias, name) == 1


def _casts_to(function: Any, name: str) -> Iterator[str]:
    """The element types of the pointers that `name` is cast to."""
    for node in nodes_below(function.body):
        if type(node).__name__ == "Cast" and type(node.expr).__name__ == "ID" and node.expr.name == name:
            kind = generated(node.to_type)
            if kind.endswith("*"):
                yield kind.rstrip("* ").removeprefix("const ")


def _extents(function: Any, name: str, param: str, count: int) -> list[str]:
    """How many elements the subscripts of `name` reach, for the first `count` of them.

    Where no loop tells it in terms of parameters, one before `param` is taken, or a name for it.
    """
    if count == 1 and _has_one_element(function, name):
        return ["1"]
    if count == 1 and (constant := _constant_extent(function, name)):
        return [constant]
    before = _scalars(function, param)
    found: list[str] = []
    for depth in range(count):
        reached = [
            each for subscripts in _subscripts(function, name) if len(subscripts) > depth
            for each in (_reached(function, subscripts[depth]),) if each is not None
        ]  # fmt: skip
        left = [each for each in before if each not in found]
        default = "nm"[depth]
        known = max(reached, key=lambda each: each[:2])[2] if reached else None
        found.append(known or (left[0] if len(left) == 1 and default not in left else default))
    return found


def _constant_extent(function: Any, name: str) -> str:
    """How many elements an array has that is only used with constants as subscripts; empty for another one."""
    uses = times_named(function.body, name)
    subscripts = [each[0] for each in _subscripts(function, name) if len(each) == 1]
    if not subscripts or len(subscripts) < uses:
        return ""
    if any(type(each).__name__ != "Constant" or "char" in each.type for each in subscripts):
        return ""
    return str(max(int(each.value.rstrip("uUlL"), 0) for each in subscripts) + 1)


def _reached(function: Any, subscript: Any) -> tuple[int, int, str] | None:
    """Factor and offset of a subscript `c * i + k`, by which they are compared, and the extent that it needs."""
    kind = type(subscript).__name__
    if kind == "ID":
        bound = _bound(function, {subscript.name}, _scalars(function))
        return None if bound is None else (1, 0, bound)
    if kind != "BinaryOp" or subscript.op not in ("+", "-", "*"):
        return None
    left, right = subscript.left, subscript.right
    if subscript.op == "*":
        factor, counter = (left, right) if type(left).__name__ == "Constant" else (right, left)
        inner = _reached(function, counter)
        if type(factor).__name__ != "Constant" or inner is None or inner[:2] != (1, 0):
            return None
        return int(factor.value, 0), 0, f"{factor.value} * {_factor(inner[2])}"
    if type(right).__name__ == "Constant":
        inner = _reached(function, left)
        if inner is None or inner[1]:
            return None
        offset = int(right.value, 0) if subscript.op == "+" else -int(right.value, 0)
        # Within the factor a constant goes no further: 3 * i + 2 stays below 3 * n.
        more = offset - (inner[0] - 1)
        return inner[0], offset, f"{inner[2]} + {more}" if more > 0 else inner[2]
    if subscript.op == "+" and type(left).__name__ == "BinaryOp" and left.op == "*":
        row, column = _reached(function, left.left), _reached(function, right)
        if row is not None and column is not None and row[:2] == (1, 0):
            return 1, column[1], f"{_factor(row[2])} * {generated(left.right)}"
    return None


def _factor(text: str) -> str:
    """`text` as a factor of a product."""
    return f"({text})" if re.search(r"[-+]", text) else text


def _bound(function: Any, counters: set[str], parameters: list[str]) -> str | None:
    """Where the first loop over one of `counters` ends, if that is made of `parameters`."""
    for loop in nodes_below(function.body):
        cond: Any = loop.cond if type(loop).__name__ == "For" else None
        if type(cond).__name__ == "BinaryOp" and cond.op in ("<", "<=") and generated(cond.left) in counters:
            used = {n.name for n in nodes_below(cond.right) if type(n).__name__ == "ID"}
            if used <= set(parameters):
                text = generated(cond.right)
                if cond.op == "<":
                    return text
                return text.removesuffix(" - 1") if text.endswith(" - 1") else f"{text} + 1"
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


def _is_star(node: Any, name: str) -> bool:
    """Whether `node` is `*name`."""
    if type(node).__name__ != "UnaryOp" or node.op != "*":
        return False
    return type(node.expr).__name__ == "ID" and bool(node.expr.name == name)


def _has_one_element(function: Any, name: str) -> bool:
    """Whether the function names `name` only as `*name`, `name[0]`, `name->member` and in reductions."""
    uses = times_named(function.body, name)
    ones = sum([generated(each) for each in found] == ["0"] for found in _subscripts(function, name))
    for node in nodes_below(function.body):
        is_member = type(node).__name__ == "StructRef" and node.type == "->" and getattr(node.name, "name", "") == name
        ones += is_member or _is_star(node, name) or getattr(_reduced(node), "name", "") == name
    return bool(uses) and bool(ones == uses)


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


# ---- old-style definitions -----------------------------------------------------------------------------------


def refuse_old_style(context: FileContext, definition: Any, where: Any) -> Refused:
    """PC0014 for `int f(a, b) int a; int b; {`, with the head to write instead; `definition` is None if not known."""
    message = "old-style function definitions are not supported"
    if definition is None or not getattr(definition, "param_decls", None):
        return context.refuse("PC0014", message, where)
    head = head_of_old_style(definition)
    text = f"write `{head}`"
    remedy = _new_head(context, definition, head, text)
    return context.refuse("PC0014", message, where, helps=() if remedy is not None else (text,), remedies=(remedy,))


def head_of_old_style(definition: Any) -> str:
    """The head that says the types of the parameters, for an old-style definition that declares one at least."""
    declared = {each.name: each for each in definition.param_decls}
    function = definition.decl
    params = [generated(declared[p.name]) if p.name in declared else f"int {p.name}" for p in function.type.args.params]
    return f"{generated(_returned(function))}({', '.join(params)})"


def _new_head(context: FileContext, definition: Any, head: str, text: str) -> Fix | None:
    """The fix that puts `head` in place of all that stands in front of the body of an old-style function."""
    begin, end = context.span(definition.decl), context.span(definition.body)
    file = context.file_of(begin)
    pieces: list[tuple[Span, str]] = []
    for number in range(begin.line, end.line + 1):
        line = file.line(number)
        first = len(line) - len(line.lstrip()) if number == begin.line else 0
        last = end.column - 1 if number == end.line else len(line)
        pieces.append((replace(begin, line=number, column=first + 1), line[first:last]))
    old = " ".join(piece for _, piece in pieces)
    if re.fullmatch(rf"[\w\s*]+\b{definition.decl.name}\s*\([\w\s,]*\)[\w\s*,;\[\]]*", old) is None:
        return None  # Macros or comments stand in it, or what is returned stands in a line of its own.
    edits = []
    for span, piece in pieces:
        new = head if span.line == begin.line else ""
        if piece.strip():
            edits.append(fixes.replaced(file, span, piece, f"{new} " if span.line == end.line else new))
    return fixes.fix(text, edits)


def _returned(function: Any) -> Any:
    """The declaration of what a function returns, under its name."""
    made = copy.copy(function)
    made.type = function.type.type
    return made
