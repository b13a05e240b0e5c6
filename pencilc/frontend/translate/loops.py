"""`for` loops: normalised to counter, lower bound, relation, bound and constant step.

Before: `for (i = n; 0 < i; i = i - 2) …`
After:  `For(i, lower=n, relation=">", bound=0, step=-2, …)`
In a helper a loop that has no such form becomes a `while`.
"""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from typing import Any

from pencilc.diagnostics import fixes
from pencilc.diagnostics.diagnostic import Edit, Fix
from pencilc.frontend.context import Refused, Scope
from pencilc.frontend.rewrite.continues import skipping
from pencilc.frontend.syntax.lexing import statement_end
from pencilc.frontend.syntax.nodes import may_change, nodes_below
from pencilc.frontend.syntax.tree import parse_expression
from pencilc.frontend.translate import effects
from pencilc.frontend.translate.chains import inner_assignment
from pencilc.frontend.translate.conditions import Relation, Unbounded, loop_condition
from pencilc.frontend.translate.constants import integer_value
from pencilc.frontend.translate.followers import without_follower
from pencilc.frontend.translate.pragmas import ClauseText, word_span
from pencilc.frontend.translate.remedies import generated
from pencilc.frontend.translate.stepping import changes, with_third_clause
from pencilc.frontend.translate.translators import Statements
from pencilc.ir.rewrite import Renaming, fresh_name, written_names
from pencilc.ir.source import (
    INT,
    Assign,
    Block,
    Declare,
    Expr,
    For,
    If,
    IntLiteral,
    Jump,
    Name,
    ReductionClause,
    ReductionUpdate,
    Scalar,
    Stmt,
    Symbol,
    Unary,
    While,
    walk,
)  # fmt: skip
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class _Start:
    """Where the counter starts: its symbol, first value, and whether the loop declares it.

    `variable` is the symbol that it would have as a variable like others.
    """

    iterator: Symbol
    lower: Expr
    declares: bool
    variable: Symbol


def translate_for(st: Statements, node: Any) -> tuple[Stmt, ...]:
    """A `for` loop in its own scope."""
    outer, st.state.scope = st.state.scope, Scope(st.state.scope)
    try:
        followed = without_follower(node)
        head, loop = _with_plain_start(st, followed.loop)
        stepped = with_third_clause(st, loop)
        before = (*head, *(s for each in stepped.before for s in st.statement(each)))
        if stepped.loop.init is None:
            made: Stmt = _as_while(st, stepped.loop, ())  # `for (;;)`, `for (; i < n; i++)`
        elif effects.has_effects(stepped.loop.cond) or (
            st.state.kind != "region" and not _is_counted(st, stepped.loop)
        ):
            made = _as_while(st, stepped.loop, st.statement(stepped.loop.init))
        else:
            made = _counted(st, stepped.loop)
        return (*before, made, *(s for each in (*stepped.behind, *followed.behind) for s in st.statement(each)))
    finally:
        st.state.scope = outer


def _with_plain_start(st: Statements, node: Any) -> tuple[tuple[Stmt, ...], Any]:
    """`for (i = j = 0; …)` as `j = 0; for (i = 0; …)`: what stands before the loop, and the loop."""
    declared = type(node.init).__name__ == "DeclList" and len(node.init.decls) == 1
    first = node.init.decls[0].init if declared else getattr(node.init, "rvalue", None)
    if type(first).__name__ != "Assignment" or not (declared or node.init.op == "="):
        return (), node
    before, value = inner_assignment(st, first)
    loop = copy.copy(node)
    loop.init = copy.copy(node.init)
    if declared:
        loop.init.decls = [copy.copy(node.init.decls[0])]
        loop.init.decls[0].init = value
    else:
        loop.init.rvalue = value
    return before, loop


def _counted(st: Statements, node: Any) -> Stmt:
    start = _start(st, node)
    if _steps_otherwise(node, start.iterator.spelling):
        return _as_while(st, node, _as_variable(st, start))
    try:
        step = _step(st, node, start.iterator)
        condition = loop_condition(st, node, start.iterator, start.lower, step)
    except Unbounded:
        return _as_while(st, node, _as_variable(st, start))
    except Refused:
        st.body(node.stmt)  # for the errors inside
        raise
    relation, bound = condition.relation, condition.bound
    _check_direction(st, node, relation, step, start.iterator)
    body = st.body(node.stmt)
    _check_counter_unchanged(st, body, start.iterator, node)
    if _moves(bound, body):
        variable = Renaming({start.iterator.name: start.variable}, {})
        return _as_while(st, node, _as_variable(st, start), variable.node(body))
    span = st.context.span(node)
    if condition.rest is not None:
        # `for (…; i < n && c; …) body` is `for (…; i < n; …) { if (!c) break; body }`.
        rest = condition.rest
        leave = If(Unary("!", rest, INT, rest.span), Jump("break", rest.span), None, rest.span)
        body = Block((leave, body), body.span)
    return For(start.iterator, start.lower, relation, bound, step, body, start.declares, False, span)


def _moves(bound: Expr, body: Stmt) -> bool:
    """Whether the body of a loop sets what its bound is made of, which is another one in each iteration then."""
    written = written_names(body)
    return any(isinstance(n, Name) and isinstance(n.type, Scalar) and n.symbol.name in written for n in walk(bound))


def _start(st: Statements, node: Any) -> _Start:
    init = node.init
    kind = type(init).__name__
    if kind == "DeclList" and len(init.decls) == 1 and init.decls[0].init is not None:
        declare = st.declaration(init.decls[0])
        lower = declare.init if declare.init is not None else IntLiteral(0, INT, declare.span)
        symbol = declare.symbol
    elif kind == "Assignment" and init.op == "=" and type(init.lvalue).__name__ == "ID":
        target = st.tr.lvalue(init.lvalue)
        assert isinstance(target, Name)
        lower = st.tr.converted(init.rvalue, target.type, "the lower bound")
        symbol = target.symbol
    else:
        raise st.context.refuse(
            "PC0304",
            "a loop needs one counter with a start value",
            init or node,
            helps=("`for (int i = start; i < end; i += step)`",),
        )
    if not isinstance(symbol.type, Scalar) or not symbol.type.is_integer:
        raise st.context.refuse(
            "PC0303",
            f"loop counter `{symbol.spelling}` is not an integer",
            init,
            f"has type `{getattr(symbol.type, 'name', 'array')}`",
            helps=("count with an `int` and compute the value from it",),
        )
    iterator = _as_iterator(st, symbol) if kind == "DeclList" else symbol
    return _Start(iterator, lower, kind == "DeclList", symbol)


def _as_iterator(st: Statements, symbol: Symbol) -> Symbol:
    iterator = replace(symbol, kind="iterator", is_const=False)
    st.state.symbols[symbol.name] = iterator
    st.state.scope.names[symbol.spelling] = iterator
    return iterator


def _as_variable(st: Statements, start: _Start) -> tuple[Stmt, ...]:
    """What gives the counter its first value where it is a variable like others."""
    variable, span = start.variable, start.lower.span
    if not start.declares:
        return (Assign(Name(variable, variable.type, span), start.lower, span),)
    st.state.symbols[variable.name] = variable
    st.state.scope.names[variable.spelling] = variable
    return (Declare(variable, start.lower, span),)


def _step(st: Statements, node: Any, iterator: Symbol) -> int:
    step = node.next
    if step is None:
        raise st.context.refuse("PC0304", "a loop needs a step", node, helps=(f"`{iterator.spelling}++`",))
    parts = _step_parts(step)
    if parts is None or parts[0] != iterator.spelling:
        raise _no_step(st, step, iterator.spelling)
    amount = 1 if parts[2] is None else integer_value(st.tr.arithmetic(parts[2]))
    if amount is None:
        remedy = _stepping_by_one(st, node, parts) if parts[1] > 0 else None
        helps = ("make it a number, a macro or a constant of an `enum`",)
        raise st.context.refuse("PC0304", "loop step is not constant", parts[2], helps=helps, remedies=(remedy,))
    if amount == 0:
        raise st.context.refuse("PC0304", "loop step is zero", parts[2])
    return parts[1] * amount


def _steps_otherwise(loop: Any, counter: str) -> bool:
    """Whether the third clause changes the counter by something else than a summand: `k *= 2`, `k = next[k]`.

    So does a summand that is another one in each iteration, `i += length[i]`.  Where there is no third clause, the body
    may change the counter: `for (int i = 0; i < n;) { … i = end; }`.
    """
    if loop.next is None:
        return loop.cond is not None and may_change(loop.stmt, counter)
    parts = _step_parts(loop.next)
    if parts is None:
        return changes(loop.next, counter)
    return parts[0] == counter and parts[2] is not None and _varies(parts[2], loop, counter)


def _varies(amount: Any, loop: Any, counter: str) -> bool:
    """Whether a summand reads the counter, an array, or what the body of the loop sets."""
    for each in nodes_below(amount):
        kind = type(each).__name__
        if kind in ("ArrayRef", "FuncCall") or (kind == "UnaryOp" and each.op == "*"):
            return True
        if kind == "ID" and (each.name == counter or may_change(loop.stmt, each.name)):
            return True
    return False


def _no_step(st: Statements, step: Any, counter: str) -> Refused:
    """PC0304 for a third clause that leaves the counter as it is: `for (i = 0; i < n; j++)`."""
    helps = (f"`{counter}++`",)
    return st.context.refuse("PC0304", f"the loop must step its counter `{counter}`", step, helps=helps)


def _stepping_by_one(st: Statements, node: Any, parts: tuple[str, int, Any]) -> Fix | None:
    """The fix that counts the iterations of `for (int i = first; i < end; i += k)` and computes `i` from that."""
    counter, _, amount = parts
    declared = type(node.init).__name__ == "DeclList" and len(node.init.decls) == 1
    is_plain = type(node.cond).__name__ == "BinaryOp" and node.cond.op == "<" and generated(node.cond.left) == counter
    if not declared or not is_plain:
        return None
    context, number = st.context, fresh_name("t", set(st.context.identifiers))
    first, end, by = (generated(each) for each in (node.init.decls[0].init, node.cond.right, amount))
    factor = by if type(amount).__name__ in ("ID", "Constant") else f"({by})"
    span = (
        end if first == "0" else f"{end} - {first if type(node.init.decls[0].init).__name__ == 'ID' else f'({first})'}"
    )
    ctype = generated(node.init.decls[0].type).removesuffix(counter).strip()
    head = f"for ({ctype} {number} = 0; {number} < ({span} + {by} - 1) / {factor}; {number}++)"
    value = f"{ctype} {counter} = {f'{first} + ' if first != '0' else ''}{number} * {factor};"
    place = context.span(node)
    file = context.file_of(place)
    line = file.line(place.line)
    closing = fixes.closing(line, line.find("(", place.column - 1))
    text = f"write `{head}`, and `{value}` in it"
    if closing < 0:
        return None
    indentation = line[: len(line) - len(line.lstrip())] + "    "
    edits: list[Edit | None] = []
    if line[closing + 1 :].strip() == "{":
        edits = [fixes.replaced(file, place, line[place.column - 1 : closing + 1], head),
                 fixes.line_behind(file, place, f"    {value}")]  # fmt: skip
    elif not line[closing + 1 :].strip() and type(node.stmt).__name__ != "Compound":
        last = context.place(statement_end(context.preprocessed.text, context.offset(node)) - 1)
        both = f"{head} {{\n{indentation}{value}"
        edits = [fixes.replaced(file, place, line[place.column - 1 : closing + 1], both),
                 fixes.line_behind(context.file_of(last), last, f"{indentation[:-4]}}}", indented=False)]  # fmt: skip
    return fixes.fix(text, edits)


def _step_parts(node: Any) -> tuple[str, int, Any] | None:
    """Counter, sign and amount (None for 1) of the third clause, or None if it is no step."""
    kind = type(node).__name__
    if kind == "UnaryOp" and node.op.strip("p") in ("++", "--") and type(node.expr).__name__ == "ID":
        return node.expr.name, 1 if "+" in node.op else -1, None
    if kind != "Assignment" or type(node.lvalue).__name__ != "ID":
        return None
    name, value = node.lvalue.name, node.rvalue
    if node.op in ("+=", "-="):
        return name, 1 if node.op == "+=" else -1, value
    if node.op == "=" and type(value).__name__ == "BinaryOp" and value.op in ("+", "-"):
        if type(value.left).__name__ == "ID" and value.left.name == name:
            return name, 1 if value.op == "+" else -1, value.right
        if value.op == "+" and type(value.right).__name__ == "ID" and value.right.name == name:
            return name, 1, value.left
    return None


def _check_direction(st: Statements, node: Any, relation: Relation, step: int, iterator: Symbol) -> None:
    if (relation in ("<", "<=") and step < 0) or (relation in (">", ">=") and step > 0):
        name, ctype = iterator.spelling, iterator.type
        helps: tuple[str, ...] = ()
        if step == -1 and isinstance(ctype, Scalar) and ctype.kind == "uint":
            # `for (unsigned i = n - 1; i < n; i--)` is no mistake: it ends where 0 - 1 is a large number.
            helps = (
                f"where it ends because `{name}` wraps below 0, begin with one more, and write `{name}-- > 0` as its "
                "condition and nothing behind it",
            )
        text, bound = "the loop steps away from its bound", ((node.cond, "the bound"),)
        raise st.context.refuse("PC0304", text, node.next, secondary=bound, helps=helps)


def _check_counter_unchanged(st: Statements, body: Stmt, iterator: Symbol, node: Any) -> None:
    for each in walk(body):
        target = each.target if isinstance(each, Assign) else getattr(each, "variable", None)
        if isinstance(each, For) and each.iterator.name == iterator.name:
            st.context.error(
                "PC0305",
                f"inner loop uses the counter `{iterator.spelling}` of an outer loop",
                each.span,
                secondary=((st.context.span(node), "outer loop"),),
            )
        elif (
            isinstance(target, Name)
            and target.symbol.name == iterator.name
            and isinstance(each, Assign | ReductionUpdate)
        ):
            st.context.error(
                "PC0305",
                f"loop counter `{iterator.spelling}` is changed in the body",
                each.span,
                secondary=((st.context.span(node), "the loop"),),
            )


def _is_counted(st: Statements, node: Any) -> bool:
    """Whether a loop of a helper has the normal form: one counter, not changed in the body, and a bound."""
    init, cond = node.init, node.cond
    if type(init).__name__ == "DeclList" and len(init.decls) == 1 and init.decls[0].init is not None:
        name = init.decls[0].name
    elif type(init).__name__ == "Assignment" and init.op == "=" and type(init.lvalue).__name__ == "ID":
        name = init.lvalue.name
    else:
        return False
    parts = _step_parts(node.next) if node.next is not None else None
    if parts is None or parts[0] != name or (parts[2] is not None and type(parts[2]).__name__ != "Constant"):
        return False
    return cond is not None and not changes(node.stmt, name) and _has_bound(st, node)


def _has_bound(st: Statements, node: Any) -> bool:
    """Whether the condition is nothing but a bound of the counter; tried out."""
    state = st.state
    scope, names, symbols = state.scope, set(state.used_names), dict(state.symbols)
    state.scope = Scope(scope)
    try:
        with st.context.trial() as reported:
            start = _start(st, node)
            step = _step(st, node, start.iterator)
            condition = loop_condition(st, node, start.iterator, start.lower, step)
            return condition.rest is None and not reported()
    except (Refused, Unbounded):
        return False
    finally:
        state.scope, state.used_names, state.symbols = scope, names, symbols


def _as_while(st: Statements, node: Any, init: tuple[Stmt, ...], body: Stmt | None = None) -> Stmt:
    """The loop as a `while` behind `init`; `body`: what its body is translated to, if it has been translated."""
    span = st.context.span(node)
    leaves = effects.goes_on(st, node.cond) if node.cond is not None else None
    is_asked = node.cond is not None and leaves is None
    condition = st.tr.arithmetic(node.cond) if is_asked else IntLiteral(1, INT, span)
    body = body or st.body(node.stmt)
    step = st.statement(node.next) if node.next is not None else ()
    if step:  # It stands behind the body, where a `continue` would skip it.
        before = {*st.context.identifiers, *st.state.used_names}
        taken = set(before)
        body = skipping(body, taken)
        st.state.used_names |= taken - before
    declared = tuple(s for s in init if isinstance(s, Declare))
    rest = tuple(s for s in init if not isinstance(s, Declare))
    loop = While(condition, Block((*(leaves or ()), body, *step), body.span), False, span)
    return Block((*declared, *rest, loop), span)


def reduction_clauses(st: Statements, clauses: tuple[ClauseText, ...], pragma: Any) -> tuple[ReductionClause, ...]:
    """The `reduction(op: list)` clauses of a pragma, with their variables resolved."""
    result: list[ReductionClause] = []
    for clause in clauses:
        variables: list[Expr] = []
        for text in clause.variables:
            tree = parse_expression(text)
            if type(tree).__name__ not in ("ID", "ArrayRef", "StructRef"):
                st.context.error("PC0210", f"`{text}` is no variable that a reduction can take", pragma)
                continue
            _place(tree, pragma, text)
            try:
                variables.append(st.tr.translate(tree))
            except Refused:
                continue
        span = word_span(st.context.span(pragma), pragma.string, f"reduction({clause.operator}")
        result.append(ReductionClause(clause.operator, tuple(variables), span))
    return tuple(result)


def _place(tree: Any, pragma: Any, text: str) -> None:
    """Let the nodes of `tree`, made of `text`, stand where that stands in the pragma."""
    colon = pragma.string.find(":")
    found = re.compile(rf"(?<!\w){re.escape(text)}").search(pragma.string, max(colon, 0))
    first = tree.coord.column
    for node in nodes_below(tree):
        shift = (found.start() if found is not None else 0) + node.coord.column - first
        node.coord = _behind(pragma.coord, shift)


def _behind(coord: Any, shift: int) -> Any:
    """A place `shift` columns behind `coord`."""
    made = copy.copy(coord)
    made.column = (coord.column or 1) + shift
    return made
