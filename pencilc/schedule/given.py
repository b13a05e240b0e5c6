"""A schedule that the user gives: made a tree of a region, and refused where it breaks a dependence.

band                                           S1 before S0, which writes what it reads: refused, with the two
  P i: S0, S1 -> i                             instances; with a row `-i` for S1 too, and with a row `j` of S0 that
  sequence                                     leaves its instances in no order.  The flags are ours: a row without
    S1                                           one gets what it may have, and one that promises more is refused.
    S0
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import field, replace

import islpy as isl

from pencilc import islx
from pencilc.analysis.vectors import Vector, unit
from pencilc.diagnostics.diagnostic import Diagnostic, Label, Severity, SourceErrors
from pencilc.diagnostics.source import Span
from pencilc.ir.schedule import Band, Flag, Leaf, Row, ScheduledScop, Tree
from pencilc.ir.schedule import Sequence as InOrder
from pencilc.ir.scop import Dependences, Scop, Statement
from pencilc.ir.scop_printer import names_of
from pencilc.records import dataclass
from pencilc.schedule.elide import has_one_value
from pencilc.schedule.flags import flag_of
from pencilc.schedule.problem import Functions, Pair, SchedulingProblem, problem_of
from pencilc.schedule.rows import source_row
from pencilc.schedule.text import (
    SOURCE_ORDER,
    GivenBand,
    GivenLeaf,
    GivenRow,
    GivenSchedule,
    GivenSequence,
    GivenTree,
    GivenValue,
    fault,
)

_STRONGER = "PRs"
_LARGEST = 2**16  # factors and constants of a row beyond this would leave the integers of the generated loops
_WORD = re.compile(r"\d+|[A-Za-z_]\w*|[-+*()]|\s+")
_QUOTIENT = re.compile(r"(?:(.*\S)\s*\+\s*)?floor\((.*)/\s*(\d+)\s*\)")


def given_schedule(scop: Scop, dependences: Dependences, given: GivenSchedule) -> ScheduledScop:
    """The schedule of `scop` that the file gives.

    Raises SourceErrors: PC0811 where it is none of this region, PC0812 with the dependence that it breaks.
    """
    if given.tree is None:
        reason = "the schedule file asks for the order of the source"
        return ScheduledScop(scop, dependences, InOrder(()), sequential=dependences.unknown or reason)
    if dependences.unknown:
        raise fault(f"only `{SOURCE_ORDER}` can be checked for `{scop.name}`: {dependences.unknown}", given.tree.span)
    problem = problem_of(scop, dependences)
    # What shares a single value of an iteration gets one for each where it is torn apart (solve.py does so, too).
    problem = problem.loosened(problem.scalars)
    # Rows of one value are left out of a schedule (elide.py), so what they say is known without them.
    problem = replace(problem, fixed={name: _single_values(scop, name) for name in problem.statements})
    _Reader(scop, dependences, problem).check_statements(given)
    maker = _Maker(scop, dependences)
    tree = maker.tree(given.tree, problem) if problem.statements else InOrder(())
    return ScheduledScop(scop, dependences, tree)


class _Reader:
    """Whether the statements of a given tree are those of the region."""

    def __init__(self, scop: Scop, dependences: Dependences, problem: SchedulingProblem) -> None:
        self.scop, self.dependences, self.problem = scop, dependences, problem

    def check_statements(self, given: GivenSchedule) -> None:
        assert given.tree is not None
        found: dict[str, Span] = {}
        for leaf in _leaves(given.tree):
            if leaf.statement not in self.problem.statements:
                raise self._unknown(leaf.statement, leaf.span)
            if leaf.statement in found:
                raise fault(f"`{leaf.statement}` stands in the schedule twice", leaf.span)
            found[leaf.statement] = leaf.span
        missing = [name for name in self.problem.names if name not in found]
        if missing:
            verb = "is" if len(missing) == 1 else "are"
            text = f"{_listed(missing)} of `{self.scop.name}` {verb} not in the schedule"
            raise _at_statements(fault(text, given.span), [self.scop.statement(name) for name in missing])

    def _unknown(self, name: str, span: Span) -> SourceErrors:
        if name in self.dependences.dead:
            return fault(f"`{name}` stores what nobody reads and is not generated", span, "take it out")
        if any(statement.name == name for statement in self.scop.statements):
            return fault(f"`{name}` is not scheduled: it only begins or ends the life of a value", span, "take it out")
        close = difflib.get_close_matches(name, self.problem.names, 1)
        helps = (f"did you mean `{close[0]}`?",) if close else ()
        return fault(f"`{self.scop.name}` has no statement `{name}`", span, *helps)


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes the tree of a given one, and looks at what each of its nodes does to the dependences."""

    scop: Scop
    dependences: Dependences
    rows: dict[str, list[isl.PwAff]] = field(default_factory=dict)  # above each statement so far

    def tree(self, given: GivenTree, problem: SchedulingProblem) -> Tree:
        match given:
            case GivenLeaf():
                self._check_instances(given)
                return Leaf(given.statement)
            case GivenSequence():
                return self._sequence(given, problem)
            case GivenBand():
                return self._band(given, problem)

    # ---- sequences

    def _sequence(self, given: GivenSequence, problem: SchedulingProblem) -> Tree:
        children = list(_flat(given))
        parts = [tuple(leaf.statement for leaf in _leaves(child)) for child in children]
        place = {name: number for number, names in enumerate(parts) for name in names}
        for (source, target), pairs in problem.validity.items():
            if place[source] > place[target]:
                span = next(leaf.span for leaf in _leaves(children[place[target]]) if leaf.statement == target)
                raise self._broken((source, target), pairs, span, "runs before")
        for _, names in problem.together_now():
            apart = {place[name] for name in names}
            if len(apart) > 1:
                raise self._apart(names, children[max(apart)].span)
        made = [self.tree(child, part) for child, part in zip(children, problem.divided(parts), strict=True)]
        return made[0] if len(made) == 1 else InOrder(tuple(made))

    # ---- rows

    def _band(self, given: GivenBand, problem: SchedulingProblem) -> Tree:
        """The rows as bands: of one row where that is sequential, of several where these have one flag from outside."""
        bands: list[list[Row]] = []
        outside = problem
        for row in given.rows:
            functions = self._functions(row, problem)
            flag, joins = self._flag(row, functions, problem, outside if bands else None, bands[-1:] or [[]])
            if not joins:
                bands.append([])
                outside = problem
            bands[-1].append(Row(flag, islx.union_pw_aff(functions.values())))
            for name, function in functions.items():
                self.rows.setdefault(name, []).append(function)
            problem = problem.below([functions])
        tree = self.tree(given.child, problem)
        for rows in reversed(bands):
            tree = Band(tuple(rows), tree)
        return tree

    def _flag(
        self, row: GivenRow, functions: Functions, problem: SchedulingProblem, outside: SchedulingProblem | None,
        last: Sequence[Sequence[Row]],
    ) -> tuple[Flag, bool]:  # fmt: skip
        """The flag of a row, and whether it belongs to the last band, whose rows are `last` and stand in `outside`."""
        actual = flag_of(problem.validity, problem.relaxed, functions)
        if actual is None:
            raise self._backwards(row, functions, problem)
        # Where no loop of the source will do, the scheduler takes any row as well, and what it has is in memory.
        if actual == "s" and source_row(problem) is not None:
            self._check_shared(row, functions, problem)
        before = last[0][-1].flag if last[0] else "s"
        if outside is not None and before != "s" and row.flag in (None, before):
            from_outside = flag_of(outside.validity, outside.relaxed, functions)
            if from_outside == before:
                return before, True
        if row.flag is None:
            return actual, False
        if _STRONGER.index(row.flag) < _STRONGER.index(actual):
            raise self._promised(row, functions, problem, actual)
        if row.flag == "R" and actual == "P":
            raise fault("no reduction runs along this row, so it cannot be marked R", row.span, "mark it P")
        return row.flag, False

    def _functions(self, row: GivenRow, problem: SchedulingProblem) -> Functions:
        """{ S[i] -> [f(i)] } for every statement below the row."""
        found: dict[str, isl.PwAff] = {}
        for value in row.values:
            for name in value.statements:
                if name not in problem.statements:
                    is_known = any(statement.name == name for statement in self.scop.statements)
                    known, unknown = "does not stand below this row", f"is no statement of `{self.scop.name}`"
                    raise fault(f"`{name}` {known if is_known else unknown}", value.span)
                if name in found:
                    raise fault(f"`{name}` has two values of this row", value.span)
                found[name] = self._function(problem.statements[name], value)
        missing = [name for name in problem.names if name not in found]
        if missing:
            verb = "has" if len(missing) == 1 else "have"
            raise fault(f"{_listed(missing)} below this row {verb} no value of it", row.span)
        return {name: found[name] for name in problem.names}

    def _function(self, statement: Statement, value: GivenValue) -> isl.PwAff:
        """The function of a statement that an expression is, affine or with a quotient: -1 + floor((1 + i)/2)."""
        found = _QUOTIENT.fullmatch(value.value)
        if found is None:
            return self._affine(statement, value)
        summand, whole, step = found.group(1), found.group(2).strip(), int(found.group(3))
        if not 0 < step <= _LARGEST:
            raise fault(f"a row is divided by a whole number of 1 to {_LARGEST:,}", value.span)
        quotient = self._affine(statement, replace(value, value=whole)).scale_down_val(isl.Val(step)).floor()
        return quotient if summand is None else quotient.add(self._affine(statement, replace(value, value=summand)))

    def _affine(self, statement: Statement, value: GivenValue) -> isl.PwAff:
        """The function of a statement that an affine expression of its iterators and the parameters is."""
        iterators = [islx.dimension_name(statement.domain, k) for k in range(islx.dimensions(statement.domain))]
        names = names_of(self.scop)
        words = _WORD.findall(value.value)
        if "".join(words) != value.value:
            raise self._no_expression(statement, value)
        known = (*iterators, *names)
        unknown = next((word for word in words if re.match(r"[A-Za-z_]", word) and word not in known), None)
        if unknown is not None:
            text = f"`{statement.name}` has no iterator and the region no parameter `{unknown}`"
            raise fault(text, value.span, f"there are {_listed(known)}" if known else "write a number")
        space = f"{statement.name}[{', '.join(iterators)}]"
        try:
            function = isl.PwAff(f"[{', '.join(names)}] -> {{ {space} -> [({value.value})] }}")
        except isl.Error:
            raise self._no_expression(statement, value) from None
        if islx.coefficients(function) is None or not _is_small(function):
            raise fault(
                f"a row is a sum of iterators and parameters, with whole factors of at most {_LARGEST:,}", value.span
            )
        return function

    @staticmethod
    def _no_expression(statement: Statement, value: GivenValue) -> SourceErrors:
        return fault(
            f"the value for `{statement.name}` is no affine expression",
            value.span,
            "write `2i + j - 1`, or `floor(i/2)`",
        )

    # ---- what is refused

    def _check_instances(self, leaf: GivenLeaf) -> None:
        """Raise PC0811 unless the rows above a statement tell its instances apart."""
        statement = self.scop.statement(leaf.statement)
        domain = statement.domain.intersect_params(self.scop.context)
        place = isl.Map.from_domain(domain)
        for function in self.rows.get(leaf.statement, ()):
            place = place.flat_range_product(isl.Map.from_pw_aff(function))
        if place.is_injective():
            return
        loops = ", ".join(islx.dimension_name(domain, k) for k in range(islx.dimensions(domain)))
        raise fault(
            f"the rows above `{leaf.statement}[{loops}]` do not tell all of its instances apart", leaf.span,
            "put a band with the loops that are missing around it",
        )  # fmt: skip

    def _check_shared(self, row: GivenRow, functions: Functions, problem: SchedulingProblem) -> None:
        """Raise PC0812 unless statements that share a variable of loops have these loops' values in common.

        Along a row that is not sequential whatever waits for something is in the same iteration anyway.
        """
        for depth, names in problem.together_now():
            shared = {islx.on_outer(functions[name], depth) for name in names}
            if len(shared) > 1 or None in shared:
                raise self._apart(names, row.span)

    def _apart(self, names: Sequence[str], span: Span) -> SourceErrors:
        """The statements `names` share a variable, which has one value for each iteration of loops."""
        arrays = [{access.array for access in self.scop.statement(name).accesses} for name in names]
        shared = sorted(set.intersection(*arrays))
        text = f" share `{shared[0]}`" if shared else " share a variable"
        error = Diagnostic(
            Severity.ERROR, "PC0812", f"{_listed(names)}{text} and must share the loops around it", span,
            secondary=_labels(self.scop.statement(name) for name in names),
            helps=("give them one value in the rows of these loops, and no sequence outside of the rows",),
        )  # fmt: skip
        return SourceErrors([error])

    def _backwards(self, row: GivenRow, functions: Functions, problem: SchedulingProblem) -> SourceErrors:
        for (source, target), pairs in problem.validity.items():
            wrong = pairs.intersect(functions[source].gt_map(functions[target]))
            if not wrong.is_empty():
                return self._broken((source, target), wrong, row.span, "runs in an earlier iteration than")
        raise AssertionError("a row without a flag has a pair that runs backwards")

    def _promised(self, row: GivenRow, functions: Functions, problem: SchedulingProblem, actual: Flag) -> SourceErrors:
        """The row is marked as more than it is."""
        relations = problem.validity if actual == "s" else problem.relaxed
        text = "runs in another iteration than" if actual == "s" else "updates in another iteration what does"
        for (source, target), pairs in relations.items():
            wrong = pairs.subtract(functions[source].eq_map(functions[target]))
            if not wrong.is_empty():
                return self._broken(
                    (source, target), wrong, row.span, text, f"the row is marked {row.flag} and is {actual}"
                )
        raise AssertionError("a row has no pair that keeps it from being more parallel")

    def _broken(self, pair: Pair, wrong: isl.Map, span: Span, how: str, what: str = "") -> SourceErrors:
        """PC0812: an instance of `pair` [1] runs before, or beside, the one of [0] that it waits for."""
        source, target = (self.scop.statement(name) for name in pair)
        first, second, sizes = self._sample(wrong)
        kind = self._kind(pair, wrong)
        error = Diagnostic(
            Severity.ERROR, "PC0812",
            f"{what or 'the schedule breaks a dependence'}: `{second}` {how} `{first}`"
            + (f", but {kind}" if kind else ""),
            span, secondary=_labels((source, target)),
            notes=(f"this is so with {sizes}",) if sizes else (),
        )  # fmt: skip
        return SourceErrors([error])

    def _kind(self, pair: Pair, wrong: isl.Map) -> str:
        """Why the second has to wait for the first; nothing where both are updates of one reduction."""
        kinds = (
            (self.dependences.flow, "it needs the value of that"),
            (self.dependences.isolation, "it is complete only behind it"),
            (self.dependences.anti, "it overwrites what that reads"),
            (self.dependences.output, "it overwrites what that writes"),
        )
        for relation, text in kinds:
            for source, target, pairs in islx.named_maps(relation):
                if (source, target) == pair and not pairs.is_disjoint(wrong):
                    return text
        return ""

    def _sample(self, wrong: isl.Map) -> tuple[str, str, str]:
        """Two instances of a relation, `S0[i = 1]` and `S1[i = 0]`, and the sizes for which there are such."""
        within = wrong.intersect_params(self.scop.context)
        within = within if not within.is_empty() else wrong
        point = islx.small_point(within.wrap())
        sample = point.sample_point()
        spelled = {param.name: param.spelling for param in self.scop.params}
        values = [int(sample.get_coordinate_val(isl.dim_type.set, k).to_python())
                  for k in range(point.dim(isl.dim_type.set))]  # fmt: skip
        first, second = islx.in_name(wrong), islx.out_name(wrong)
        count = wrong.dim(isl.dim_type.in_)
        texts = [
            f"{name}[{', '.join(map(str, own))}]" for name, own in ((first, values[:count]), (second, values[count:]))
        ]
        sizes: list[str] = []
        for k in range(point.dim(isl.dim_type.param)):
            name = islx.unmangle(str(point.get_dim_name(isl.dim_type.param, k)))
            sizes.append(f"{spelled.get(name, name)} = {sample.get_coordinate_val(isl.dim_type.param, k)}")
        return texts[0], texts[1], ", ".join(sizes)


def _leaves(given: GivenTree) -> Iterable[GivenLeaf]:
    match given:
        case GivenLeaf():
            yield given
        case GivenBand():
            yield from _leaves(given.child)
        case GivenSequence():
            for child in given.children:
                yield from _leaves(child)


def _flat(given: GivenSequence) -> Iterable[GivenLeaf | GivenBand]:
    for child in given.children:
        if isinstance(child, GivenSequence):
            yield from _flat(child)
        else:
            yield child


def _listed(names: Sequence[str]) -> str:
    shown = [f"`{name}`" for name in names]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _labels(statements: Iterable[Statement]) -> tuple[Label, ...]:
    """The places of statements in the source; of one that stands in none (a merge node) that of its reduction."""
    labels: dict[str, Label] = {}
    for statement in statements:
        labels.setdefault(statement.name, Label(statement.span, f"{statement.name}"))
    return tuple(labels.values())


def _at_statements(errors: SourceErrors, statements: Iterable[Statement]) -> SourceErrors:
    """The error with the places of `statements` too."""
    (error,) = errors.diagnostics
    return SourceErrors(
        [Diagnostic(error.severity, error.code, error.message, error.span, "", _labels(statements), (), error.helps)]
    )


def _is_small(function: isl.PwAff) -> bool:
    """Whether a function of one piece has whole factors and a constant that are small enough to compute with."""
    ((_, aff),) = islx.pieces(function)
    kinds = (isl.dim_type.in_, isl.dim_type.param)
    numbers = [aff.get_coefficient_val(kind, k) for kind in kinds for k in range(aff.dim(kind))]
    numbers.append(aff.get_constant_val())
    return all(number.is_int() and abs(number.to_python()) <= _LARGEST for number in numbers)


def _single_values(scop: Scop, name: str) -> tuple[Vector, ...]:
    """The loops { S[i, j] -> [j] } around a statement that have one value at most."""
    domain = scop.statement(name).domain
    count = islx.dimensions(domain)
    return tuple(unit(d, count) for d in range(count) if has_one_value(scop, {name: islx.row_function(domain, d)}))
