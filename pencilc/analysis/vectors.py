"""Vectors of whole numbers: which depend on others, and the directions in which one function alone grows."""

from __future__ import annotations

from collections.abc import Sequence as Seq
from fractions import Fraction
from typing import TypeAlias

Vector: TypeAlias = tuple[int, ...]
Direction: TypeAlias = tuple[Fraction, ...]


def unit(position: int, count: int) -> Vector:
    """The vector with 1 at `position`."""
    return tuple(int(k == position) for k in range(count))


def independent(vector: Vector, others: Seq[Vector]) -> bool:
    """Whether `vector` is no rational combination of `others`."""
    return rank_of([*others, vector]) > rank_of(others)


def rank_of(vectors: Seq[Vector]) -> int:
    """The number of independent vectors; fraction-free elimination."""
    rows = [list(v) for v in vectors if any(v)]
    rank = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((k for k in range(rank, len(rows)) if rows[k][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for k in range(rank + 1, len(rows)):
            a, b = rows[rank][column], rows[k][column]
            rows[k] = [a * x - b * y for x, y in zip(rows[k], rows[rank], strict=True)]
        rank += 1
    return rank


def directions(vectors: Seq[Vector], count: int) -> list[Direction]:
    """How the `count` iterators move when one of the rows `vectors` grows by one and those independent of it stay.

    All zeros for a row that those before it determine.
    """
    basis: list[Vector] = []
    places: list[int | None] = []
    for vector in vectors:
        is_new = independent(vector, basis)
        places.append(len(basis) if is_new else None)
        basis += [vector] if is_new else []
    for position in range(count):
        basis += [unit(position, count)] if independent(unit(position, count), basis) else []
    columns = _inverse(basis)
    return [(Fraction(0),) * count if place is None else columns[place] for place in places]


def dot(first: Seq[int], second: Direction) -> Fraction:
    """The scalar product."""
    return sum((x * y for x, y in zip(first, second, strict=True)), Fraction(0))


def _inverse(matrix: Seq[Vector]) -> list[Direction]:
    """The columns of the inverse of a regular matrix; Gauss-Jordan elimination."""
    count = len(matrix)
    rows = [[Fraction(x) for x in (*row, *unit(k, count))] for k, row in enumerate(matrix)]
    for column in range(count):
        pivot = next(k for k in range(column, count) if rows[k][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [x / rows[column][column] for x in rows[column]]
        for k in range(count):
            if k != column and rows[k][column]:
                rows[k] = [x - rows[k][column] * y for x, y in zip(rows[k], rows[column], strict=True)]
    return [tuple(row[count + k] for row in rows) for k in range(count)]
