"""Calls of helpers that only name an element, as the element: its array is that of the caller then.

static float at(const float *a, int w, int r, int c) { return a[r * w + c]; }
y[k] = at(x, m, i, j - 1);                          y[k] = x[i * m + (j - 1)];
y[k] = last(x + i * m, m);                          y[k] = x[i * m + (m - 1)];
"""

from __future__ import annotations

from typing import Any

from pencilc.frontend.syntax.nodes import may_change, nodes_below
from pencilc.port.elements import in_sum
from pencilc.port.find import FunctionText, ParameterText, definition, text_of
from pencilc.port.records import CannotPort, PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import (
    declared_names,
    has_effects,
    is_pointer,
    kind,
    members_of,
    names_below,
    resolved,
    root_name,
    with_parents,
)

_PRIMARY = ("ID", "Constant", "ArrayRef", "StructRef", "FuncCall")


def with_inlined_helpers(parsed: Parsed, function: FunctionText) -> PortChanges:
    """The pass over one function: the innermost of such calls."""
    edits: list[Replacement] = []
    steps: list[Step] = []
    for node, around in with_parents(function.node.body):
        if kind(node) != "FuncCall" or node.args is None or any(_callee(parsed, each) for each in _calls_in(node.args)):
            continue
        helper = _callee(parsed, node)
        is_statement = kind(around[0]) == "Compound" or any(
            getattr(around[0], part, None) is node for part in ("stmt", "iftrue", "iffalse")
        )
        made = None if helper is None else _inlined(parsed, function, node, helper, is_statement)
        if helper is not None and made is not None:
            edits.append(made)
            obstacle = f"`{helper.name}` does not say how large its arrays are"
            steps.append(Step(parsed.span(node).line, obstacle, f"what it stands for, `{made.new}`"))
    return PortChanges(tuple(edits), tuple(steps))


def _calls_in(node: Any) -> list[Any]:
    return [each for each in nodes_below(node) if kind(each) == "FuncCall"]


def _callee(parsed: Parsed, call: Any) -> FunctionText | None:
    """The helper that a call names, if it takes an array and has one statement."""
    node = definition(parsed, getattr(call.name, "name", "") if kind(call.name) == "ID" else "")
    if node is None or len(node.body.block_items or ()) != 1:
        return None
    try:
        helper = text_of(parsed, node)
    except CannotPort:
        return None
    item = node.body.block_items[0]
    is_value = kind(item) == "Return" and item.expr is not None and not has_effects(item.expr)
    is_store = kind(item) == "Assignment" and not has_effects(item.rvalue) and kind(item.lvalue) == "ArrayRef"
    takes_array = any(is_pointer(parsed, p.node.type) and _is_flat(parsed, p) for p in helper.parameters)
    is_kept = all(not may_change(node.body, p.name) for p in helper.parameters)
    return helper if takes_array and is_kept and (is_value or is_store) else None


def _is_flat(parsed: Parsed, parameter: ParameterText) -> bool:
    """Whether a parameter is a pointer to elements of which it is not said how many there are."""
    inner = resolved(parsed, parameter.node.type)
    return kind(inner) == "PtrDecl" or (kind(inner) == "ArrayDecl" and inner.dim is None)


def _inlined(
    parsed: Parsed, function: FunctionText, call: Any, helper: FunctionText, is_statement: bool
) -> Replacement | None:
    """The text in place of a call; None where it would mean something else."""
    item = helper.node.body.block_items[0]
    is_value = kind(item) == "Return"
    arguments = list(call.args.exprs)
    if len(arguments) != len(helper.parameters) or (not is_value and not is_statement):
        return None
    own = {p.name for p in helper.parameters}
    body = item.expr if is_value else item
    if (names_below(body) - own) & {*declared_names(function.node)}:
        return None
    at = parsed.token_of(call.name, helper.name)
    closing = parsed.closing(at + 1)
    texts: dict[str, str] = {}
    begins: dict[str, tuple[str, str]] = {}
    for parameter, argument, (first, last) in zip(
        helper.parameters, arguments, parsed.parts(at + 1, closing), strict=True
    ):
        begin = _part(parsed, parameter, argument, first, last)
        if begin is not None and _only_names_elements(body, parameter.name):
            begins[parameter.name] = begin
            continue
        text = _argument(parsed, function, parameter, argument, parsed.slice(first, last), first == last)
        if text is None:
            return None
        texts[parameter.name] = text
    first, last = helper.body + 1, helper.end - 2
    pieces: list[str] = []
    brackets: set[int] = set()  # those that close a subscript in a part of an array
    position = parsed.tokens[first + is_value].start
    for k in range(first + is_value, last + 1):
        token = parsed.tokens[k]
        if k in brackets:
            pieces += [parsed.text[position : token.start], ")]"]
            position = token.end
        if token.kind != "name" or parsed.tokens[k - 1].text in (".", "->"):
            continue
        if token.text in begins:
            array, offset = begins[token.text]
            pieces += [parsed.text[position : token.start], f"{array}[{offset} + ("]
            brackets.add(parsed.closing(k + 1))
            position = parsed.tokens[k + 1].end
        elif token.text in texts:
            pieces += [parsed.text[position : token.start], texts[token.text]]
            position = token.end
    value = "".join([*pieces, parsed.text[position : parsed.tokens[last].end]])
    if is_value:
        value = _converted(parsed, helper, item.expr, value)
    return Replacement(parsed.tokens[at].start, parsed.tokens[closing].end, value)


def _part(parsed: Parsed, parameter: ParameterText, argument: Any, first: int, last: int) -> tuple[str, str] | None:
    """The array of an argument `a + e` or `&a[e]`, and the text of `e`; None for any other argument."""
    tokens = parsed.tokens
    if not is_pointer(parsed, parameter.node.type) or has_effects(argument):
        return None
    if kind(argument) == "UnaryOp" and argument.op == "&" and kind(argument.expr) == "ArrayRef":
        is_plain = kind(argument.expr.name) == "ID" and tokens[first + 2].text == "["
        text = parsed.slice(first + 3, last - 1)
        is_whole = is_plain and parsed.closing(first + 2) == last
        return (tokens[first + 1].text, in_sum(argument.expr.subscript, text)) if is_whole else None
    leaf = argument
    while kind(leaf) == "BinaryOp" and leaf.op in ("+", "-"):
        leaf = leaf.left
    is_sum = leaf is not argument and kind(leaf) == "ID" and tokens[first].text == leaf.name
    return (leaf.name, parsed.slice(first + 2, last)) if is_sum and tokens[first + 1].text == "+" else None


def _only_names_elements(body: Any, name: str) -> bool:
    """Whether all that is done with an array is that its elements are named."""
    return all(
        kind(around[0]) == "ArrayRef" and around[0].name is node
        for node, around in with_parents(body) if kind(node) == "ID" and node.name == name
    )  # fmt: skip


def _argument(
    parsed: Parsed, function: FunctionText, parameter: ParameterText, argument: Any, text: str, is_short: bool
) -> str | None:
    """The text of an argument in the place of a parameter, of whose type it has to be; None where it may not stand."""
    if has_effects(argument):
        return None
    if is_pointer(parsed, parameter.node.type):
        return text if kind(argument) == "ID" else None
    wanted = _type_of(parsed, function, argument)
    if wanted == _words(parsed, parameter.node):
        return text if is_short else f"({text})"
    written = parsed.slice(parameter.first, parsed.name_of(parameter.node) - 1).replace("const ", "")
    return f"({written}){text}" if is_short else f"({written})({text})"


def _type_of(parsed: Parsed, function: FunctionText, node: Any) -> tuple[str, ...]:
    """The words of the type of an expression, where it is seen at once; nothing otherwise."""
    if kind(node) == "Constant":
        return ("int",) if node.type == "int" else ()
    if kind(node) in ("ID", "ArrayRef"):
        name = root_name(node) if not members_of(node) else ""
        found = [each for each in nodes_below(function.node) if kind(each) == "Decl" and each.name == name]
        return _words(parsed, found[0], kind(node) == "ArrayRef") if len(found) == 1 else ()
    if kind(node) == "UnaryOp" and node.op in ("-", "+"):
        return _type_of(parsed, function, node.expr)
    if kind(node) == "BinaryOp" and node.op in ("+", "-", "*", "/", "%"):
        left, right = (_type_of(parsed, function, side) for side in (node.left, node.right))
        return left if left == right and left in (("int",), ("double",), ("float",), ("long",)) else ()
    return ()


def _words(parsed: Parsed, declaration: Any, is_element: bool = False) -> tuple[str, ...]:
    """The words of the type of a variable, or of its elements."""
    inner = resolved(parsed, declaration.type)
    while is_element and kind(inner) in ("PtrDecl", "ArrayDecl"):
        inner = resolved(parsed, inner.type)
    return tuple(sorted(getattr(inner, "names", ()))) if kind(inner) == "IdentifierType" else ()


def _converted(parsed: Parsed, helper: FunctionText, node: Any, text: str) -> str:
    """The value in the type that the helper returns."""
    returned = resolved(parsed, helper.node.decl.type.type)
    words = tuple(sorted(returned.names)) if kind(returned) == "IdentifierType" else ()
    if words == _type_of(parsed, helper, node):
        return text
    written = parsed.slice(helper.start, helper.name_at - 1)
    plain = " ".join(word for word in written.split() if word not in ("static", "inline", "extern", "const"))
    return f"({plain}){text}" if kind(node) in _PRIMARY else f"({plain})({text})"
