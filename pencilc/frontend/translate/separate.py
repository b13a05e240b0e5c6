"""An effect inside of an expression as a statement of its own, for the fix of PC0308.

`return *state = x;`        ->  `*state = x;` and `return *state;`
`if ((t = x[i]) > 1)`       ->  `t = x[i];` before `if (t > 1)`
`b[k++] = a[i];`            ->  `b[k] = a[i];` and `k++;`
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Fix
from pencilc.diagnostics.source import SourceFile, Span
from pencilc.frontend.context import FileContext
from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.frontend.translate.remedies import generated


def separated(context: FileContext, statement: Any, effect: Any) -> Fix | None:
    """The fix that takes `effect` out of the expression of `statement`; None where that is not so simple."""
    if statement is None or not _is_always_evaluated(statement, effect):
        return None
    span = context.span(statement)
    file = context.file_of(span)
    kind = type(statement).__name__
    variable = generated(effect.lvalue) if type(effect).__name__ == "Assignment" else generated(effect.expr)
    is_assignment = type(effect).__name__ == "Assignment"
    first = generated(effect) + ";" if is_assignment else f"{variable}{effect.op.strip('p')};"
    changed = sum(generated(node) == variable for node in nodes_below(_expression(statement)))
    if changed != (2 if is_assignment and effect.op != "=" else 1) and not is_assignment:
        return None  # Its other uses are before or behind the effect: C does not say which.
    without = _without(statement, effect)
    if kind == "If":
        return _before_if(file, span, without, first)
    behind = not is_assignment and effect.op.startswith("p")
    start = _start(file, span)
    rest = generated(without) + ("" if generated(without).endswith(";") else ";")
    both = (rest, first) if behind else (first, rest)
    edit = fixes.statement_replaced(file, start, "", _together(file, start, both))
    return fixes.fix(f"write `{both[0]}` and `{both[1]}`", [edit])


def _expression(statement: Any) -> Any:
    return statement.cond if type(statement).__name__ == "If" else statement


def _is_always_evaluated(statement: Any, effect: Any) -> bool:
    """Whether `effect` stands in a statement of one expression, and not where a condition may pass it over."""
    if type(statement).__name__ not in ("Return", "If", "Assignment", "Decl", "FuncCall"):
        return False

    def below(node: Any) -> Iterator[Any]:
        yield node
        is_choice = type(node).__name__ == "TernaryOp" or getattr(node, "op", "") in ("&&", "||")
        for _, child in () if is_choice else node.children():
            yield from below(child)

    return any(node is effect for node in below(_expression(statement)))


def _without(statement: Any, effect: Any) -> Any:
    """A copy of `statement` with the variable in place of `effect`."""
    target = effect.lvalue if type(effect).__name__ == "Assignment" else effect.expr

    def copied(node: Any) -> Any:
        if node is effect:
            return target
        made = copy.copy(node)
        for name in node.__slots__:
            value = getattr(node, name, None)
            if hasattr(value, "children"):
                setattr(made, name, copied(value))
            elif isinstance(value, list) and value and hasattr(value[0], "children"):
                setattr(made, name, [copied(each) for each in value])
        return made

    return copied(statement)


def _start(file: SourceFile, span: Span) -> Span:
    """Where the statement begins: a node of an expression may stand behind its first token."""
    line = file.line(span.line)
    start = max(line.rfind(sign, 0, span.column - 1) for sign in ";{})") + 1
    before = line[start : span.column - 1]
    blank = len(before) - len(before.lstrip())
    return replace(span, column=start + blank + 1)


def _together(file: SourceFile, span: Span, statements: tuple[str, str]) -> str:
    """Two statements in place of one at `span`: in braces where the one is all of a loop or branch."""
    line = file.line(span.line)
    if fixes.is_in_block(file, span):
        indentation = line[: len(line) - len(line.lstrip())]
        return f"{statements[0]}\n{indentation}{statements[1]}"
    return f"{{ {statements[0]} {statements[1]} }}"


def _before_if(file: SourceFile, span: Span, without: Any, first: str) -> Fix | None:
    """`if ((t = e) > 1)` as `t = e;` in front of `if (t > 1)`, where the whole head stands in its line."""
    line = file.line(span.line)
    end = fixes.closing(line, line.find("(", span.column - 1)) + 1
    if end == 0 or line[: span.column - 1].strip():
        return None
    head = f"if ({generated(without.cond)})"
    indentation = line[: span.column - 1]
    if not fixes.is_in_block(file, span):
        return None
    edit = fixes.replaced(file, span, line[span.column - 1 : end], f"{first}\n{indentation}{head}")
    return fixes.fix(f"write `{first}` and then `{head}`", [edit])
