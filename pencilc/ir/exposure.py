"""Which variables a statement reads before it has set them, and which ones it surely sets.

    if (c) t = a; else t = b;   u = t + v;      reads c, a, b, v;  sets t, u

These are the upward exposed uses and the definitions on all paths of data-flow analysis.  Of a struct the members count
one by one; of an array nothing is ever set.
"""

from __future__ import annotations

from collections.abc import Iterable

from pencilc.ir.queries import base_of, path_of, root, subscripts_in
from pencilc.ir.source import (
    Assign,
    Block,
    Declare,
    Expr,
    For,
    If,
    Index,
    Jump,
    Kill,
    MemberOf,
    Name,
    Node,
    ReductionInit,
    ReductionUpdate,
    Return,
    Stmt,
    Struct,
    Symbol,
    While,
    children,
    walk,
)
from pencilc.records import dataclass

# A variable, or a member of one: the member is empty for all of it.
_Part = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Exposure:
    """`exposed` is read with a value from before; `certain` is set on all paths, None where no path goes on."""

    exposed: frozenset[_Part]
    certain: frozenset[_Part] | None

    def reads(self, name: str) -> bool:
        """Whether something of the variable is read before it is set."""
        return any(part[0] == name for part in self.exposed)

    def sets(self, name: str) -> bool:
        """Whether the variable is set as a whole, or nothing follows."""
        return self.certain is None or (name, "") in self.certain

    def sets_all_of(self, symbol: Symbol) -> bool:
        """Whether the variable is set as a whole or member by member, and something follows."""
        if self.certain is None:
            return False
        return (symbol.name, "") in self.certain or (
            isinstance(symbol.type, Struct) and _all_of(symbol) <= self.certain
        )


_NOTHING = Exposure(frozenset(), frozenset())
_LEAVES = Exposure(frozenset(), None)


def exposure(stmt: Stmt) -> Exposure:
    """What `stmt` reads and sets."""
    match stmt:
        case Block():
            return exposure_of_items(stmt.items)
        case Declare():
            read = _NOTHING if stmt.init is None else _read(stmt.init)
            return _then(read, Exposure(frozenset(), frozenset({(stmt.symbol.name, "")})))
        case Assign():
            return _then(_joined(_read(stmt.value), _beside(stmt.target)), _set(stmt.target))
        case ReductionInit():
            return _then(_beside(stmt.variable), _set(stmt.variable))
        case ReductionUpdate():
            return _joined(_read(stmt.element), _read(stmt.variable))
        case If():
            return _branches(stmt)
        case For():
            head = _joined(_read(stmt.lower), _read(stmt.bound))
            clauses = [_read(variable) for clause in stmt.reductions for variable in clause.variables]
            body = Exposure(exposure(stmt.body).exposed, frozenset())
            return _then(_joined(head, *clauses), body)
        case While():
            return _while(stmt)
        case Jump():
            return _LEAVES
        case Return():
            return _LEAVES if stmt.value is None else _then(_read(stmt.value), _LEAVES)
        case Kill():
            return _NOTHING
    return _read(stmt)


def exposure_of_items(items: Iterable[Stmt]) -> Exposure:
    """What statements read and set that stand one behind the other."""
    found = _NOTHING
    for item in items:
        if found.certain is None:
            break
        found = _then(found, exposure(item))
    return found


def _branches(stmt: If) -> Exposure:
    then = exposure(stmt.then)
    otherwise = _NOTHING if stmt.otherwise is None else exposure(stmt.otherwise)
    if then.certain is None or otherwise.certain is None:
        certain = otherwise.certain if then.certain is None else then.certain
    else:
        certain = then.certain & otherwise.certain
    return _then(_read(stmt.condition), Exposure(then.exposed | otherwise.exposed, certain))


def _while(stmt: While) -> Exposure:
    body, condition = exposure(stmt.body), _read(stmt.condition)
    if not stmt.do_first:
        return Exposure(condition.exposed | body.exposed, frozenset())
    # The condition is also met by a `continue`, and what is behind the loop by a `break`.
    if any(isinstance(node, Jump | Return) for node in walk(stmt.body)):
        return Exposure(condition.exposed | body.exposed, frozenset())
    return _then(body, condition)


# ---- putting together ------------------------------------------------------------------------------


def _then(first: Exposure, second: Exposure) -> Exposure:
    """`first`, and `second` behind it."""
    if first.certain is None:
        return first
    set_before = first.certain
    exposed = {part for part in second.exposed if part not in set_before and (part[0], "") not in set_before}
    certain = None if second.certain is None else set_before | second.certain
    return Exposure(first.exposed | exposed, certain)


def _joined(*found: Exposure) -> Exposure:
    """What expressions read, in whatever order."""
    return Exposure(frozenset[_Part]().union(*(each.exposed for each in found)), frozenset())


# ---- expressions -----------------------------------------------------------------------------------


def _read(node: Node) -> Exposure:
    """What an expression, or a statement that is nothing else, reads."""
    found: set[_Part] = set()
    _collect(node, found)
    return Exposure(frozenset(found), frozenset())


def _collect(node: Node, found: set[_Part]) -> None:
    if not isinstance(node, Name | Index | MemberOf):
        for child in children(node):
            _collect(child, found)
        return
    _collect_beside(node, found)
    variable, path = root(node), path_of(node)
    if variable is not None:
        is_member = bool(path) and isinstance(path[0], MemberOf)
        found |= {(variable.symbol.name, path[0].member)} if is_member else _all_of(variable.symbol)  # type: ignore[union-attr]


def _collect_beside(lvalue: Expr, found: set[_Part]) -> None:
    """What tells which part of a variable is meant: subscripts, and where a pointer points to."""
    for subscript in subscripts_in(lvalue):
        _collect(subscript, found)
    if root(lvalue) is None:
        for child in children(base_of(lvalue)):
            _collect(child, found)


def _all_of(symbol: Symbol) -> set[_Part]:
    if isinstance(symbol.type, Struct):
        return {(symbol.name, member.name) for member in symbol.type.members}
    return {(symbol.name, "")}


def _beside(target: Expr) -> Exposure:
    found: set[_Part] = set()
    _collect_beside(target, found)
    return Exposure(frozenset(found), frozenset())


def _set(target: Expr) -> Exposure:
    """What an assignment to `target` surely sets."""
    variable, path = root(target), path_of(target)
    certain: frozenset[_Part] = frozenset()
    if variable is not None and not path:
        certain = frozenset({(variable.symbol.name, "")})
    elif variable is not None and len(path) == 1 and isinstance(path[0], MemberOf):
        certain = frozenset({(variable.symbol.name, path[0].member)})
    return Exposure(frozenset(), certain)
