"""Whether any row can keep all pairs of a problem together, found by linear algebra before an ILP looks for it.

A row { S[i] -> [c_S i + b_S p + k_S] } keeps the pairs of { S[i] -> T[j] } together where c_T j - c_S i + … is zero for
all of them, that is on their affine hull: one linear equation in the coefficients for each vector that spans it.  Where
the solutions of all equations are spanned by the rows that a statement has already, there is no such row, and isl's
ILP, which takes seconds for pairs of many pieces (borders that are periodic), need not look for one.

Numbers are those modulo a large prime, of which small coefficients see nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Sequence as Seq

import islpy as isl

from pencilc import islx
from pencilc.schedule.problem import SchedulingProblem

_PRIME = 2**61 - 1

# An equation: its coefficients that are not zero, by column.
_Equation = dict[int, int]


def may_keep_all_together(problem: SchedulingProblem) -> bool:
    """Whether there may be a row that keeps all pairs together and is new for each statement with loops left."""
    domains = {name: s.domain.intersect_params(problem.context) for name, s in problem.statements.items()}
    relations = [
        relation.intersect_domain(domains[source]).intersect_range(domains[target])
        for each in (problem.validity, problem.relaxed)
        for (source, target), relation in each.items()
    ]
    columns = _Columns(problem, relations)
    pivots: dict[int, _Equation] = {}
    for relation in relations:
        for equation in columns.equations(relation):
            _add(equation, pivots)
    solutions = list(_solutions(pivots, columns.count))
    for name in problem.names:
        fixed = [list(vector) for vector in problem.fixed[name]]
        own = [[solution.get(column, 0) for column in columns.of(name)] for solution in solutions]
        if problem.free_depths(name) and _rank([*fixed, *own]) == _rank(fixed):
            return False
    return True


class _Columns:
    """The unknowns: for each statement the coefficients of its loops, those of the parameters, and a constant."""

    def __init__(self, problem: SchedulingProblem, relations: Iterable[isl.Map]) -> None:
        self.params = list(dict.fromkeys(name for each in relations for name in _params_of(each)))
        self._loops = {name: len(problem.statements[name].loops) for name in problem.names}
        self._first: dict[str, int] = {}
        self.count = 0
        for name, loops in self._loops.items():
            self._first[name] = self.count
            self.count += loops + len(self.params) + 1

    def of(self, name: str) -> range:
        """Those of the loops of a statement."""
        return range(self._first[name], self._first[name] + self._loops[name])

    def equations(self, relation: isl.Map) -> Iterator[_Equation]:
        """What keeping the pairs of { S[i] -> T[j] } together asks of the unknowns of S and T."""
        source, target = islx.in_name(relation), islx.out_name(relation)
        if relation.is_empty():
            return
        hull = relation.affine_hull()
        inside, outside = self._loops[source], self._loops[target]
        names = _params_of(relation)
        for vector in _spanning(hull, inside, outside, len(names)):
            values = dict(zip(names, vector[inside + outside : -1], strict=True))
            found: _Equation = {}
            for name, sign, own in ((source, -1, vector[:inside]), (target, 1, vector[inside : inside + outside])):
                first, params = self._first[name], [values.get(each, 0) for each in self.params]
                for column, value in enumerate((*own, *params, vector[-1]), start=first):
                    found[column] = (found.get(column, 0) + sign * value) % _PRIME
            yield {column: value for column, value in found.items() if value}


def _params_of(relation: isl.Map) -> list[str]:
    return [str(name) for name in relation.get_var_names(isl.dim_type.param)]


def _spanning(hull: isl.BasicMap, inside: int, outside: int, params: int) -> Iterator[Seq[int]]:
    """Vectors (i, j, p, 1) that span an affine hull { S[i] -> T[j] }."""
    divisions = hull.dim(isl.dim_type.div)
    count = inside + outside + params + 1
    kinds = (
        (isl.dim_type.div, divisions), (isl.dim_type.in_, inside), (isl.dim_type.out, outside),
        (isl.dim_type.param, params),
    )  # fmt: skip
    pivots: dict[int, _Equation] = {}
    for constraint in hull.get_constraints():
        if not constraint.is_equality():
            continue
        places = [(kind, k) for kind, number in kinds for k in range(number)]
        row = [_whole(constraint.get_coefficient_val(kind, k)) for kind, k in places]
        row.append(_whole(constraint.get_constant_val()))
        _add({column: value % _PRIME for column, value in enumerate(row) if value % _PRIME}, pivots)
    # What stands below the columns of divisions says nothing about the others.
    own = {
        column - divisions: {c - divisions: value for c, value in row.items()}
        for column, row in pivots.items()
        if column >= divisions
    }
    for solution in _solutions(own, count):
        yield [solution.get(column, 0) for column in range(count)]


def _whole(value: isl.Val) -> int:
    return int(value.to_python())


# ---- equations modulo a prime ------------------------------------------------------------------------


def _add(equation: _Equation, pivots: dict[int, _Equation]) -> None:
    """Take an equation into those that are reduced, each by its first column, if it says something new."""
    while equation:
        column = min(equation)
        known = pivots.get(column)
        if known is None:
            scale = pow(equation[column], -1, _PRIME)
            pivots[column] = {c: value * scale % _PRIME for c, value in equation.items()}
            return
        equation = _minus(equation, equation[column], known)


def _minus(equation: _Equation, times: int, other: Mapping[int, int]) -> _Equation:
    found = dict(equation)
    for column, value in other.items():
        left = (found.get(column, 0) - times * value) % _PRIME
        if left:
            found[column] = left
        else:
            found.pop(column, None)
    return found


def _solutions(pivots: Mapping[int, _Equation], count: int) -> Iterator[dict[int, int]]:
    """A basis of what solves all equations in `count` unknowns."""
    order = sorted(pivots, reverse=True)
    for free in range(count):
        if free in pivots:
            continue
        found = {free: 1}
        for column in order:
            if column < free:
                value = -sum(each * found.get(c, 0) for c, each in pivots[column].items() if c != column) % _PRIME
                if value:
                    found[column] = value
        yield found


def _rank(vectors: Iterable[Seq[int]]) -> int:
    pivots: dict[int, _Equation] = {}
    for vector in vectors:
        _add({column: value % _PRIME for column, value in enumerate(vector) if value % _PRIME}, pivots)
    return len(pivots)
