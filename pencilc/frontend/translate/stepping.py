"""Loops that step their counter in the condition, rewritten to step it in the third clause.

    for (int i = n; i-- > 0;) …          for (int i = n - 1; i + 1 > 0; i--) …
    for (i = 0; ++i < n;) …              for (i = 0 + 1; i < n; i++) …
    for (unsigned i = n; i-- > 0;) …     for (unsigned i_1 = n; i_1 > 0; i_1--) { unsigned i = i_1 - 1; … }

An unsigned counter that is one less than it was compared with would wrap, so it gets a variable of its own.
"""

from __future__ import annotations

import copy
from typing import Any

from pycparser import c_ast

from pencilc.frontend.translate.conditions import FLIPPED
from pencilc.frontend.translate.translators import Statements
from pencilc.ir.rewrite import fresh_name
from pencilc.ir.source import Scalar
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class Stepped:
    """A loop in the usual form, with what must stand before and behind it."""

    loop: Any
    before: tuple[Any, ...] = ()
    behind: tuple[Any, ...] = ()


def with_third_clause(st: Statements, node: Any) -> Stepped:
    """`node`, a pycparser `for`, in the usual form; as it is where its condition steps no counter."""
    parts = _conjuncts(node.cond) if node.cond is not None else []
    step = _step_in(parts[0]) if parts and node.next is None else None
    name = _counter(node.init)
    if step is None or name is None or step.expr.name != name:
        return Stepped(node)
    sign = "+" if "+" in step.op else "-"
    relation = _relation(parts[0], step)
    if not step.op.startswith("p"):
        return Stepped(_shifted(node, name, sign, _joined([relation, *parts[1:]])))
    if not _is_unsigned(st, node.init, name):
        before = c_ast.BinaryOp("-" if sign == "+" else "+", relation.left, _one(step), step.coord)
        moved = c_ast.BinaryOp(relation.op, before, relation.right, relation.coord)
        return Stepped(_shifted(node, name, sign, _joined([moved, *parts[1:]])))
    if changes(node.stmt, name):
        raise st.context.refuse("PC0305", f"loop counter `{name}` is changed in the body", node)
    return _with_own_counter(st, node, name, sign, relation, parts[1:])


def _shifted(node: Any, name: str, sign: str, condition: Any) -> Any:
    """The loop that starts one step later."""
    loop = copy.copy(node)
    loop.init = copy.copy(node.init)
    if type(node.init).__name__ == "DeclList":
        declared = copy.copy(node.init.decls[0])
        declared.init = c_ast.BinaryOp(sign, declared.init, _one(node), declared.init.coord)
        loop.init.decls = [declared]
    else:
        loop.init.rvalue = c_ast.BinaryOp(sign, node.init.rvalue, _one(node), node.init.coord)
    loop.cond, loop.next = condition, c_ast.UnaryOp(f"p{sign}{sign}", _name(name, node), node.cond.coord)
    return loop


def _with_own_counter(st: Statements, node: Any, name: str, sign: str, relation: Any, rest: list[Any]) -> Stepped:
    """The loop over a counter of its own, in which the variable `name` is one step further."""
    own = fresh_name(name, {*st.context.identifiers, *st.state.used_names})
    declares = type(node.init).__name__ == "DeclList"
    coord = node.init.coord or node.coord
    ctype = _type_of(st, node.init, name)
    start = node.init.decls[0].init if declares else node.init.rvalue
    value = c_ast.BinaryOp(sign, _name(own, node), _one(node), coord)
    moved = _declaration(name, ctype, value, coord)
    leave = (
        [c_ast.If(c_ast.UnaryOp("!", _joined(rest), rest[0].coord), c_ast.Break(coord), None, coord)] if rest else []
    )
    loop = copy.copy(node)
    loop.cond = c_ast.BinaryOp(relation.op, _name(own, node), relation.right, relation.coord)
    loop.next = c_ast.UnaryOp(f"p{sign}{sign}", _name(own, node), node.cond.coord)
    loop.stmt = c_ast.Compound([moved, *leave, node.stmt], node.stmt.coord)
    if declares:
        loop.init = c_ast.DeclList([_declaration(own, ctype, start, coord)], coord)
        return Stepped(loop)
    loop.init = _assigned(own, start, coord)
    return Stepped(loop, (_declaration(own, ctype, None, coord),), (_assigned(name, value, coord),))


def _conjuncts(node: Any) -> list[Any]:
    if type(node).__name__ == "BinaryOp" and node.op == "&&":
        return [*_conjuncts(node.left), node.right]
    return [node]


def _joined(parts: list[Any]) -> Any:
    joined = parts[0]
    for part in parts[1:]:
        joined = c_ast.BinaryOp("&&", joined, part, part.coord)
    return joined


def _is_step(node: Any) -> bool:
    return type(node).__name__ == "UnaryOp" and node.op[-2:] in ("++", "--") and type(node.expr).__name__ == "ID"


def _step_in(condition: Any) -> Any:
    """The `i--` of a condition `i-- > b`, `b < i--` or `i--`."""
    if _is_step(condition):
        return condition
    if type(condition).__name__ == "BinaryOp" and condition.op in FLIPPED:
        return next((side for side in (condition.left, condition.right) if _is_step(side)), None)
    return None


def _relation(condition: Any, step: Any) -> Any:
    """`i > b` for a condition `i-- > b`."""
    if condition is step:
        return c_ast.BinaryOp("!=", step.expr, c_ast.Constant("int", "0", step.coord), step.coord)
    if condition.left is step:
        return c_ast.BinaryOp(condition.op, step.expr, condition.right, condition.coord)
    return c_ast.BinaryOp(FLIPPED[condition.op], step.expr, condition.left, condition.coord)


def _counter(init: Any) -> str | None:
    if type(init).__name__ == "DeclList" and len(init.decls) == 1 and init.decls[0].init is not None:
        return str(init.decls[0].name)
    if type(init).__name__ == "Assignment" and init.op == "=" and type(init.lvalue).__name__ == "ID":
        return str(init.lvalue.name)
    return None


def _type_of(st: Statements, init: Any, name: str) -> Any:
    if type(init).__name__ == "DeclList":
        return st.types.resolve(init.decls[0], st.state.scope, st.tr.extent).type
    return st.tr.translate(_name(name, init)).type


def _is_unsigned(st: Statements, init: Any, name: str) -> bool:
    ctype = _type_of(st, init, name)
    return isinstance(ctype, Scalar) and ctype.kind == "uint"


def changes(node: Any, name: str) -> bool:
    """Whether a pycparser node assigns to the variable `name`."""
    kind = type(node).__name__
    target: Any = None
    if kind == "Assignment":
        target = node.lvalue
    elif kind == "UnaryOp" and node.op[-2:] in ("++", "--"):
        target = node.expr
    if type(target).__name__ == "ID" and target.name == name:
        return True
    return any(changes(child, name) for _, child in node.children())


def _name(name: str, at: Any) -> Any:
    return c_ast.ID(name, at.coord)


def _one(at: Any) -> Any:
    return c_ast.Constant("int", "1", at.coord)


def _assigned(name: str, value: Any, coord: Any) -> Any:
    return c_ast.Assignment("=", c_ast.ID(name, coord), value, coord)


def _declaration(name: str, ctype: Scalar, init: Any, coord: Any) -> Any:
    kind = c_ast.TypeDecl(name, [], None, c_ast.IdentifierType(ctype.name.split(), coord), coord)
    return c_ast.Decl(name, [], [], [], [], kind, init, None, coord)
