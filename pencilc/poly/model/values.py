"""What integer scalars hold at the point that the walk over a region has reached.

    int x = j + 1;              x -> j + 1
    if (x >= m) x = m - 1;      x -> j + 1 >= m ? m - 1 : j + 1

A value is an expression over parameters, iterators around the point, and scalars that are assigned once.  What is
written in a loop, or in code that is not affine, is not known behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pencilc.ir.source import Binary, Call, Cast, Expr, IntLiteral, Name, Scalar, Symbol, Ternary, Unary, walk
from pencilc.poly.model.substitute import substitute

_MAX_NODES = 200


class Values:
    """The known values by symbol name; `constant` are the names that mean the same everywhere."""

    def __init__(self, constant: Iterable[str]) -> None:
        self._constant = frozenset(constant)
        self._known: dict[str, Expr] = {}

    @property
    def known(self) -> Mapping[str, Expr]:
        """The values at this point."""
        return self._known

    def resolved(self, expr: Expr, iterators: Iterable[str]) -> Expr | None:
        """`expr` over what does not change as long as `iterators` are in scope; None where it has another form."""
        full = substitute(expr, self._known)
        fixed = {*self._constant, *iterators}
        for count, node in enumerate(walk(full)):
            if count > _MAX_NODES or not isinstance(node, IntLiteral | Name | Unary | Binary | Ternary | Cast | Call):
                return None
            if isinstance(node, Name) and node.symbol.name not in fixed:
                return None
        return full

    def assign(self, symbol: Symbol, value: Expr, iterators: Iterable[str]) -> None:
        """`symbol = value` has been executed."""
        if symbol.name in self._constant or not isinstance(symbol.type, Scalar) or not symbol.type.is_integer:
            return
        full = self.resolved(value, iterators)
        if full is None:
            self.forget([symbol.name])
        else:
            self._known[symbol.name] = full

    def forget(self, names: Iterable[str]) -> None:
        """The variables may hold anything."""
        for name in names:
            self._known.pop(name, None)

    def branch(self) -> dict[str, Expr]:
        """A copy, to return to with `restore` or to join with `join`."""
        return dict(self._known)

    def restore(self, known: dict[str, Expr]) -> None:
        """Go back to what was known."""
        self._known = dict(known)

    def join(self, condition: Expr | None, then: Mapping[str, Expr]) -> None:
        """Behind an `if`: `then` is what its first branch left, this what the other one did."""
        joined: dict[str, Expr] = {}
        for name, otherwise in self._known.items():
            value = then.get(name)
            if value is None:
                continue
            if value == otherwise:
                joined[name] = value
            elif condition is not None:
                joined[name] = Ternary(condition, value, otherwise, value.type, value.span)
        self._known = joined
