"""Elements that never meet, told apart by the name of their space.

    out[i][0], out[i][1], … out[i][99]: every access has a constant as its second subscript
    { S[i] -> out[i, 7] }  ->  { S[i] -> out#7[i, 7] }

Relations between different spaces are never compared, so that a hundred sums into one array cost as much as sums into
a hundred arrays, instead of a hundred times that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import islpy as isl

from pencilc.ir.scop import Access, Scop, Statement

# Fewer accesses are cheap however they are compared.
_FEWEST = 16


def split_spaces(scop: Scop) -> Scop:
    """`scop` with the spaces of array elements that never meet told apart; the accesses keep their arrays' names."""
    accesses: dict[str, list[Access]] = {}
    for statement in scop.statements:
        for access in statement.accesses:
            accesses.setdefault(access.array, []).append(access)
    split = {name: _constant_dimension(found) for name, found in accesses.items()}
    positions = {name: position for name, position in split.items() if position is not None}
    return replace(scop, statements=tuple(_renamed(s, positions) for s in scop.statements)) if positions else scop


def merged_spaces(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """The statements with every access in the space of its array again."""
    return tuple(
        replace(s, accesses=tuple(_in_space(a, a.array) for a in s.accesses))
        if any(a.relation.get_tuple_name(isl.dim_type.out) != a.array for a in s.accesses)
        else s
        for s in statements
    )


def _constant_dimension(accesses: list[Access]) -> int | None:
    """The first subscript that is a constant in every access, if there are several constants."""
    if len(accesses) < _FEWEST:
        return None
    for position in range(accesses[0].relation.dim(isl.dim_type.out)):
        values = [_constant(a, position) for a in accesses]
        if None not in values and len(set(values)) > 1:
            return position
    return None


def _constant(access: Access, position: int) -> int | None:
    value = access.relation.plain_get_val_if_fixed(isl.dim_type.out, position)
    return int(value.to_python()) if value.is_int() else None


def _renamed(statement: Statement, positions: dict[str, int]) -> Statement:
    accesses = tuple(
        _in_space(a, f"{a.array}#{_constant(a, positions[a.array])}") if a.array in positions else a
        for a in statement.accesses
    )
    return replace(statement, accesses=accesses)


def _in_space(access: Access, name: str) -> Access:
    return replace(access, relation=access.relation.set_tuple_name(isl.dim_type.out, name))
