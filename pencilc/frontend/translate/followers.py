"""Loops whose second counter is one behind the first: the sides of a polygon, from each corner to the next.

    for (int i = 0, j = n - 1; i < n; j = i++) …      for (int i = 0; i < n; i++) { int j = i == 0 ? n - 1 : i - 1; … }
    for (i = 0, j = n - 1; i < n; j = i, i++) …       for (i = 0; i < n; i++) { j = …; … }  j = …;

Each iteration finds the one before by itself then, so that none needs another.
"""

from __future__ import annotations

import copy
from typing import Any

from pycparser import c_ast

from pencilc.frontend.syntax.nodes import may_change, nodes_below
from pencilc.records import dataclass

_PURE = {"ID", "Constant", "BinaryOp", "UnaryOp", "Cast", "Typename", "TypeDecl", "IdentifierType"}


@dataclass(frozen=True, slots=True)
class Followed:
    """A loop with one counter, and what gives the other one its value behind it."""

    loop: Any
    behind: tuple[Any, ...] = ()


def without_follower(node: Any) -> Followed:
    """`node`, a pycparser `for`, with one counter; as it is where it has no second one that follows the first."""
    starts = _starts(node.init)
    steps = _steps(node.next)
    if starts is None or steps is None:
        return Followed(node)
    leader, follower = steps
    if {leader, follower} != starts.keys() or _names(node.cond) & {follower}:
        return Followed(node)
    first, before = _value(starts[leader]), _value(starts[follower])
    body_changes = {leader, follower, *_names(first), *_names(before)} - {""}
    if not (_is_pure(first) and _is_pure(before)) or any(may_change(node.stmt, name) for name in body_changes):
        return Followed(node)
    if _names(before) & {leader, follower} or _names(first) & {leader, follower}:
        return Followed(node)
    counter = c_ast.ID(leader, node.coord)
    is_first = c_ast.BinaryOp("==", counter, first, node.coord)
    one = c_ast.Constant("int", "1", node.coord)
    value = c_ast.TernaryOp(is_first, before, c_ast.BinaryOp("-", counter, one, node.coord), node.coord)
    loop = copy.copy(node)
    loop.next = c_ast.UnaryOp("p++", counter, node.coord)
    given: Any
    behind: tuple[Any, ...] = ()
    if type(node.init).__name__ == "DeclList":
        loop.init = copy.copy(node.init)
        loop.init.decls = [starts[leader]]
        given = copy.copy(starts[follower])
        given.init = value
    else:
        loop.init = starts[leader]
        given = c_ast.Assignment("=", c_ast.ID(follower, node.coord), value, node.coord)
        behind = (copy.deepcopy(given),)
    loop.stmt = c_ast.Compound([given, node.stmt], node.stmt.coord)
    return Followed(loop, behind)


def _starts(init: Any) -> dict[str, Any] | None:
    """The two counters that the first clause begins, each with its declaration or assignment; None for others."""
    if type(init).__name__ == "DeclList":
        parts = [each for each in init.decls if each.init is not None]
        found = {each.name: each for each in parts}
    elif type(init).__name__ == "ExprList":
        parts = [each for each in init.exprs if type(each).__name__ == "Assignment" and each.op == "="]
        found = {getattr(each.lvalue, "name", ""): each for each in parts if type(each.lvalue).__name__ == "ID"}
    else:
        return None
    whole = init.decls if type(init).__name__ == "DeclList" else init.exprs
    return found if len(found) == len(whole) == 2 else None


def _steps(step: Any) -> tuple[str, str] | None:
    """The counter that the third clause moves on by one, and the one that gets what it was; None for anything else."""
    if type(step).__name__ == "Assignment":
        value = step.rvalue
        is_both = step.op == "=" and type(value).__name__ == "UnaryOp" and value.op == "p++"
        return _pair(value.expr, step.lvalue) if is_both else None
    if type(step).__name__ != "ExprList" or len(step.exprs) != 2:
        return None
    kept, moved = step.exprs
    if type(kept).__name__ != "Assignment" or kept.op != "=" or type(moved).__name__ != "UnaryOp":
        return None
    pair = _pair(moved.expr, kept.lvalue) if moved.op in ("p++", "++") else None
    return pair if pair is not None and getattr(kept.rvalue, "name", "") == pair[0] else None


def _pair(leader: Any, follower: Any) -> tuple[str, str] | None:
    if type(leader).__name__ != "ID" or type(follower).__name__ != "ID" or leader.name == follower.name:
        return None
    return leader.name, follower.name


def _value(start: Any) -> Any:
    return start.init if type(start).__name__ == "Decl" else start.rvalue


def _names(node: Any) -> set[str]:
    if node is None:
        return set()
    return {each.name for each in (node, *nodes_below(node)) if type(each).__name__ == "ID"}


def _is_pure(node: Any) -> bool:
    """Whether a value is computed from variables and numbers, with no effect."""
    parts = (node, *nodes_below(node))
    is_plain = {type(each).__name__ for each in parts} <= _PURE
    return is_plain and not any(type(each).__name__ == "UnaryOp" and each.op not in ("-", "+", "~") for each in parts)
