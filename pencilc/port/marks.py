"""The pragmas: which statements are compiled, and which sums may be added up in another order.

`#pragma pencil reduction(+: s)` is one line, needs no header, and leaves the sum as it is for a C compiler.  It says
that the order of the updates does not matter, and nothing of what else iterations hand on, which the compiler looks at.
It stands at the outermost loop in which nothing but such updates touches the sum.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pencilc.frontend.syntax.lexing import statement_end
from pencilc.frontend.syntax.nodes import LOOPS, nodes_below
from pencilc.ir.scop import Candidate
from pencilc.port.find import FunctionText, definition, holds_loop
from pencilc.port.records import CannotPort, Replacement
from pencilc.port.text import Parsed
from pencilc.port.tree import kind, members_of, names_in, root_name, with_parents
from pencilc.records import dataclass

_MARK = "#pragma scop\n"
_END = "#pragma endscop\n"
_UNIT = "    "
_INDEPENDENT = re.compile(r"\s*#\s*pragma\s+pencil\b")
_FOREIGN = re.compile(r"\s*#\s*pragma\s+(?!pencil\b|scop\b|endscop\b)")
# As many values are left to one thread by the compiler too (`poly/detect/unmarked.py`).
_FEW_POINTS = 256
# Operators that give several values of a counter the same result.
_FOLDING = ("/", "%", ">>", "&", "|", "^")


@dataclass(frozen=True, slots=True)
class Sum:
    """A plain update that only its order keeps sequential: the loop for its clause, and how deep that stands.

    `name` is that of the variable; `what` is told of it: a member, if it is a struct.
    """

    function: str
    name: str
    what: str
    operator: str
    loop: Any
    number: int  # of the loop among those of the function
    depth: int
    line: int


def with_region(
    parsed: Parsed, function: FunctionText, ahead: bool = False, behind_too: bool = False
) -> list[Replacement]:  # fmt: skip
    """`#pragma scop` and `#pragma endscop` around the loops of a function, and the sizes declared right before them.

    `ahead`: around all that stands in front of the loops too; `behind_too`: around what follows them, but for a
    `return` at the end.
    """
    items = list(function.node.body.block_items or ())
    looping = [k for k, item in enumerate(items) if holds_loop(item)]
    first = token_before(parsed, items[looping[0]])
    if ahead:
        first = function.body + 1
    for item in reversed(items[: looping[0]] if not ahead else []):
        if not _is_size(item) or any(names_in(behind, item.name) for behind in items[looping[-1] + 1 :]):
            break
        first = beginning(parsed, item)
    covered = items[:-1] if behind_too and kind(items[-1]) == "Return" else items
    while first and _INDEPENDENT.match(parsed.tokens[first - 1].text):
        first -= 1
    last = end_of_statement(parsed, covered[-1] if behind_too else items[looping[-1]], function.end)
    behind = parsed.tokens[last].end
    end = parsed.text.find("\n", behind) + 1
    rest = parsed.text[behind:end].strip()
    if not rest or rest.startswith("//") or (rest.startswith("/*") and rest.find("*/") == len(rest) - 2):
        return [_before(parsed, first, _MARK), Replacement(end, end, _END)]
    indent = "" if rest.startswith("}") else _UNIT
    return [_before(parsed, first, _MARK), Replacement(behind, parsed.after_space(behind), f"\n{_END}{indent}")]


def _is_size(item: Any) -> bool:
    """Whether a statement declares a number that is computed from others, as in `int ow = (w - 3) / 2 + 1;`."""
    if kind(item) != "Decl" or kind(item.type) != "TypeDecl" or item.init is None:
        return False
    named = set(getattr(item.type.type, "names", ()))
    is_number = not named & {"float", "double", "bool", "_Bool"} and kind(item.type.type) == "IdentifierType"
    parts = {kind(node) for node in nodes_below(item.init)}
    return is_number and "ID" in parts and "BinaryOp" in parts and parts <= {"ID", "Constant", "BinaryOp", "UnaryOp"}


def beginning(parsed: Parsed, declaration: Any) -> int:
    """The token that a declaration of a block begins with."""
    return _first_of_statement(parsed, parsed.name_of(declaration))


def _first_of_statement(parsed: Parsed, at: int) -> int:
    """The first token of the declaration or the plain statement of a block that token `at` belongs to."""
    while parsed.tokens[at - 1].kind != "pragma" and parsed.tokens[at - 1].text not in (";", "{", "}", ":"):
        at -= 1
    return at


def sums_of(parsed: Parsed, function: Any, candidates: Sequence[Candidate], is_called: bool) -> list[Sum]:
    """The sums of a function definition that another order would make parallel; `is_called`: it is a helper."""
    found: list[Sum] = []
    updates = _updates(function.body)
    loops = [id(n) for n in nodes_below(function.body) if kind(n) == "For"]
    reorderable = [c for c in candidates if c.refused and c.ways]
    reductions = [c for c in candidates if not c.refused or c.ways]
    for candidate in reorderable:
        for node, target, around in updates:
            name = root_name(target)
            if parsed.span(node).line != candidate.span.line or _root_text(candidate.variable) != name:
                continue
            lines = {
                c.span.line for c in reorderable if _root_text(c.variable) == name and c.operator == candidate.operator
            }
            told = {c.span.line for c in reductions if _root_text(c.variable) == name}
            loop = _loop_of(parsed, name, target, around, updates, lines, told)
            if loop is not None and not _is_short(loop, around):
                depth = sum(kind(each) in LOOPS for each in around[around.index(loop) + 1 :])
                depth += is_called
                found.append(
                    Sum(
                        function.decl.name,
                        name,
                        candidate.variable if members_of(target) else name,
                        candidate.operator,
                        loop,
                        loops.index(id(loop)),
                        depth,
                        candidate.span.line,
                    )
                )
                break
    return found


def in_tree(parsed: Parsed, sums: Sequence[Sum]) -> list[Sum]:
    """The same sums with the loops of another tree of their functions."""
    found: list[Sum] = []
    for each in sums:
        loops = [n for n in nodes_below(definition(parsed, each.function).body) if kind(n) == "For"]
        found.append(replace(each, loop=loops[each.number]))
    return found


def with_clauses(parsed: Parsed, sums: Sequence[Sum]) -> list[Replacement]:
    """A clause at the loop of each sum."""
    at_loops: dict[int, list[Sum]] = {}
    for each in sums:
        at_loops.setdefault(token_before(parsed, each.loop), []).append(each)
    edits = []
    for at, here in at_loops.items():
        clauses = ""
        for operator in dict.fromkeys(each.operator for each in here):
            names = ", ".join(dict.fromkeys(each.name for each in here if each.operator == operator))
            clauses += f" reduction({operator}: {names})"
        pragma = f"#pragma pencil{clauses}\n"
        edit = _before(parsed, at, pragma)
        edits.append(edit)
        last = end_of_statement(parsed, here[0].loop, len(parsed.tokens))
        behind = parsed.tokens[last].end
        following = parsed.after_space(behind)
        if edit.new.startswith("\n") and "\n" not in parsed.text[behind:following] and parsed.text[following] != "}":
            edits.append(Replacement(behind, following, f"\n{_UNIT}"))
    return edits


def above_pragmas(parsed: Parsed, at: int) -> int:
    """The first of the pragmas of other tools in front of the statement that begins with a token."""
    while at and parsed.tokens[at - 1].kind == "pragma" and _FOREIGN.match(parsed.tokens[at - 1].text):
        at -= 1
    return at


def _before(parsed: Parsed, at: int, pragma: str) -> Replacement:
    """A pragma on a line of its own before token `at`, and before what other tools are told of the statement there."""
    at = above_pragmas(parsed, at)
    place = parsed.tokens[at].start
    start = parsed.line_start(place)
    if not parsed.text[start:place].strip():
        return Replacement(start, start, pragma)
    space = place - len(parsed.text[:place]) + len(parsed.text[:place].rstrip())
    return Replacement(space, place, f"\n{pragma}{_UNIT}")


def _updates(body: Any) -> list[tuple[Any, Any, tuple[Any, ...]]]:
    """The assignments: node, what is assigned to, the nodes around."""
    found = []
    for node, around in with_parents(body):
        if kind(node) == "Assignment":
            found.append((node, node.lvalue, around))
        elif kind(node) == "UnaryOp" and node.op.strip("p") in ("++", "--"):
            found.append((node, node.expr, around))
    return found


def _loop_of(
    parsed: Parsed, name: str, target: Any, around: tuple[Any, ...],
    updates: Sequence[tuple[Any, Any, tuple[Any, ...]]], lines: set[int], told: set[int],
) -> Any:  # fmt: skip
    """The outermost loop around an update in which nothing but such updates touches the variable.

    `lines` are those of its updates, `told` those of all that have clauses of their own, of other members too.
    """
    counters, path = _plain_subscripts(target), members_of(target)
    own: set[int] = set()
    assigned: set[int] = set()
    for node, other, _ in updates:
        if root_name(other) == name and parsed.span(node).line in lines:
            own |= {id(n) for n in nodes_below(node)}
        elif parsed.span(node).line not in told:
            assigned |= {id(n) for n in nodes_below(other)}
    for node in nodes_below(around[-1]):
        if kind(node) == "StructRef" and root_name(node) == name and members_of(node)[: len(path)] != path:
            # Another member, unless the loop sets it: iterations may hand that on.
            own |= {id(n) for n in nodes_below(node)} - assigned
    chosen: Any = None
    for loop in around:
        if kind(loop) == "Compound" and any(kind(i) == "Decl" and i.name == name for i in loop.block_items or ()):
            break
        if kind(loop) != "For":
            if kind(loop) in LOOPS:
                break
            continue
        tested = _extreme_tests(loop, name, own)
        if any(id(n) not in own | tested for n in names_in(loop, name)):
            break
        if not counters & {n.name for n in nodes_below(loop.init) if hasattr(n, "name") and isinstance(n.name, str)}:
            chosen = loop
    return chosen


def _plain_subscripts(target: Any) -> set[str]:
    """The names in the subscripts of an lvalue, but those that decide through memory, a call or a remainder."""
    found: set[str] = set()
    waiting = []
    while kind(target) in ("ArrayRef", "StructRef"):
        waiting += [target.subscript] if kind(target) == "ArrayRef" else []
        target = target.name
    while waiting:
        node = waiting.pop()
        if kind(node) == "ID":
            found.add(node.name)
        folds = kind(node) == "BinaryOp" and node.op in _FOLDING
        if not folds and kind(node) not in ("ArrayRef", "FuncCall", "TernaryOp"):
            waiting += [child for _, child in node.children()]
    return found


def _is_short(loop: Any, around: tuple[Any, ...]) -> bool:
    """Whether so few values are added up for each of many results that the thread of the result does it best."""
    points = 1
    for each in around[: around.index(loop) + 1]:
        if kind(each) == "For":
            right: Any = getattr(each.cond, "right", None)
            text = right.value.rstrip("uUlL") if kind(right) == "Constant" else ""
            points *= int(text) if text.isdigit() else _FEW_POINTS + 1
    return points <= _FEW_POINTS and any(kind(each) in LOOPS for each in around[around.index(loop) + 1 :])


def _extreme_tests(loop: Any, name: str, own: set[int]) -> set[int]:
    """The nodes of `a[i] > most` in `if (a[i] > most) most = a[i];`."""
    found: set[int] = set()
    for node in nodes_below(loop):
        if kind(node) == "If" and any(id(n) in own for n in nodes_below(node.iftrue)):
            found |= {id(n) for n in names_in(node.cond, name)}
    return found


def _root_text(variable: str) -> str:
    for sign in "[.":
        variable = variable.partition(sign)[0]
    return variable


def token_before(parsed: Parsed, node: Any) -> int:
    """The token that a statement begins with."""
    words = {"For": "for", "While": "while", "If": "if", "DoWhile": "do", "Switch": "switch"}
    if kind(node) == "Decl":
        return beginning(parsed, node)
    if kind(node) in ("Assignment", "UnaryOp", "FuncCall"):
        named = next(each for each in nodes_below(node) if kind(each) == "ID")
        return _first_of_statement(parsed, parsed.token_of(named, named.name))
    try:
        return parsed.token_of(node, words.get(kind(node), "{"))
    except CannotPort:
        if kind(node) not in LOOPS or (at := _macro_head(parsed, node)) is None:
            raise
        return at


def _macro_head(parsed: Parsed, node: Any) -> int | None:
    """The token that a loop begins with whose head is a macro, `FOR(i, n) …`; None where that is not all that it is."""
    line = parsed.span(node).line
    here = [k for k, token in enumerate(parsed.tokens) if parsed.line_at(token.start) == line]
    if not here or not _heads_statement(parsed, here[0]):
        return None
    is_first = here[0] == 0 or parsed.tokens[here[0] - 1].text in (";", "{", "}", ")", "else", "do")
    return here[0] if is_first or parsed.tokens[here[0] - 1].kind == "pragma" else None


def _heads_statement(parsed: Parsed, at: int) -> bool:
    """Whether a token is the name of a macro with arguments that another statement follows."""
    tokens = parsed.tokens
    if tokens[at].kind != "name" or tokens[at].text not in parsed.preprocessed.macros or tokens[at + 1].text != "(":
        return False
    behind = tokens[parsed.closing(at + 1) + 1]
    return behind.kind in ("name", "number") or behind.text in ("{", "*", "(")


def end_of_statement(parsed: Parsed, node: Any, end: int) -> int:
    """The last token of a statement of a block that ends with token `end`."""
    first = token_before(parsed, node)
    while _heads_statement(parsed, first):
        first = parsed.closing(first + 1) + 1
    offset = statement_end(parsed.text, parsed.tokens[first].start)
    return next(k for k in range(end) if parsed.tokens[k].end >= offset)
