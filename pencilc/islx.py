"""The only home of isl callbacks, positional dimensions and sorted dumps.

isl objects are compared with their own `is_equal`, never hashed or used as dict keys: equality is
by meaning and the hash by structure.  Names are plain strings; `isl.Id` user pointers are not used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any, TypeAlias, TypeVar

import islpy as isl

from pencilc import quotas

# ==== poly and schedule ===========================================================================

# Words that isl's text parser takes for itself; a dump that used one as a name would not read back.
_WORDS = "min max mod floor floord ceil ceild fdiv exists and or not true false infty infinity NaN implies rat all"
RESERVED = frozenset(_WORDS.split())
_SUFFIX = "_v"


def mangle(name: str) -> str:
    """`name` as isl can parse it back: `min` becomes `min_v`; injective, other names are unchanged."""
    stem = name
    while stem.endswith(_SUFFIX):
        stem = stem[: -len(_SUFFIX)]
    return name + _SUFFIX if stem in RESERVED else name


def unmangle(name: str) -> str:
    """The inverse of `mangle`."""
    stem = name
    while stem.endswith(_SUFFIX):
        stem = stem[: -len(_SUFFIX)]
    return name[: -len(_SUFFIX)] if stem in RESERVED and name.endswith(_SUFFIX) else name


# Read once: there are thousands of them.
_EMPTY_MAP, _EMPTY_SET = isl.UnionMap("{ }"), isl.UnionSet("{ }")


def empty_map() -> isl.UnionMap:
    """`{ }` as a relation."""
    return _EMPTY_MAP


def empty_set() -> isl.UnionSet:
    """`{ }` as a set."""
    return _EMPTY_SET


def shortened(relation: isl.UnionMap) -> isl.UnionMap:
    """The same pairs in few parts, none with a condition that its others say: 0 <= i < n is n >= 0 too."""
    return relation.coalesce().remove_redundancies()


# From so many parts on a union is put together in pairs, for isl copies all of a union to add to it.
_MANY = 32
_Joined = TypeVar("_Joined")
_Part = TypeVar("_Part", isl.Map, isl.Set)


def joined(parts: Sequence[_Joined], join: Callable[[_Joined, _Joined], _Joined]) -> _Joined:
    """All of the parts, of which there is at least one, in order; `join` is associative."""
    while len(parts) > _MANY:
        last = parts[-1:] if len(parts) % 2 else []
        parts = [*(join(a, b) for a, b in zip(parts[::2], parts[1::2], strict=False)), *last]
    result = parts[0]
    for part in parts[1:]:
        result = join(result, part)
    return result


def union_set(sets: Iterable[isl.Set]) -> isl.UnionSet:
    """The union of sets of any spaces."""
    return joined([empty_set(), *(item.to_union_set() for item in sets)], isl.UnionSet.union)


def union_map(maps: Iterable[isl.Map]) -> isl.UnionMap:
    """The union of relations between any spaces."""
    return joined([empty_map(), *(item.to_union_map() for item in maps)], isl.UnionMap.union)


# An array with its subscripts: each the number that it always is, or None.
Subscripted = tuple[str, tuple[int | None, ...]]


def by_subscripts(relation: isl.UnionMap) -> dict[Subscripted, isl.UnionMap]:
    """{ S[i] -> A[a] } by what it leads to: arrays, and elements of them with constant subscripts."""
    found: list[isl.Map] = []
    relation.foreach_map(found.append)
    parts: dict[Subscripted, list[isl.Map]] = {}
    for item in found:
        parts.setdefault((out_name(item), fixed_values(item)), []).append(item)
    return {key: union_map(parts[key]) for key in sorted(parts, key=str)}


class ByPlace:
    """A relation { S[i] -> A[a] } by what it leads to, so that what is near one element is found without a search."""

    def __init__(self, relation: isl.UnionMap) -> None:
        self.parts = by_subscripts(relation)
        self._of_array: dict[str, list[Subscripted]] = {}
        self._open: dict[str, list[Subscripted]] = {}  # those of them with a subscript that is not constant
        for place in self.parts:
            self._of_array.setdefault(place[0], []).append(place)
            if None in place[1]:
                self._open.setdefault(place[0], []).append(place)

    def near(self, places: Iterable[Subscripted]) -> isl.UnionMap:
        """The part of the relation that may lead to an element at one of `places`."""
        return union_of(self.parts[other] for other in dict.fromkeys(o for p in places for o in self._meeting(p)))

    def _meeting(self, place: Subscripted) -> Iterator[Subscripted]:
        if None in place[1]:
            yield from (other for other in self._of_array.get(place[0], ()) if may_meet(other, place))
            return
        if place in self.parts:
            yield place
        yield from (other for other in self._open.get(place[0], ()) if may_meet(other, place))


def may_meet(first: Subscripted, second: Subscripted) -> bool:
    """Whether two of them may share an element: constant subscripts that differ tell that they do not."""
    return first[0] == second[0] and all(
        a is None or b is None or a == b for a, b in zip(first[1], second[1], strict=True)
    )


def union_of(maps: Iterable[isl.UnionMap]) -> isl.UnionMap:
    """The union of union relations."""
    return joined([empty_map(), *maps], isl.UnionMap.union)


def pieces_of(relation: isl.UnionMap) -> list[isl.UnionMap]:
    """The relation in parts, in each of which every map has one of its pieces, a set of conditions."""
    pieces = [part.get_basic_maps() for part in maps_of(relation)]
    return [union_map(isl.Map.from_basic_map(piece) for piece in several if piece) for several in zip_longest(*pieces)]


NamedMaps: TypeAlias = "Sequence[tuple[str, str, isl.Map]]"  # (S, T, { S[i] -> T[j] })


def named_maps(relation: isl.UnionMap) -> NamedMaps:
    """The maps { S[i] -> T[j] } of a relation with the names of both statements."""
    return [(in_name(part), out_name(part), part) for part in maps_of(relation)]


def in_name(relation: isl.Map) -> str:
    """`S` for `{ S[i] -> A[a] }`."""
    return str(relation.get_tuple_name(isl.dim_type.in_))


def out_name(relation: isl.Map) -> str:
    """`A` for `{ S[i] -> A[a] }`."""
    return str(relation.get_tuple_name(isl.dim_type.out))


def set_name(points: isl.Set) -> str:
    """`S` for `{ S[i] }`; empty where the tuple has no name."""
    return str(points.get_tuple_name()) if points.has_tuple_name() else ""


def named(points: isl.Set, name: str) -> isl.Set:
    """`{ name[i] }` for `{ [i] }`."""
    return points.set_tuple_name(name)


def in_names(relation: isl.UnionMap) -> set[str]:
    """The statements S of { S[i] -> A[a] }."""
    found: list[isl.Map] = []
    relation.foreach_map(found.append)
    return {in_name(item) for item in found}


def orders_of(schedule: isl.Schedule) -> dict[str, isl.Map]:
    """The order { S[i] -> [t] } that a schedule gives to each statement, by its name."""
    known = _ORDERS.get(id(schedule))
    if known is None:
        known = schedule, {in_name(item): item for item in maps_of(schedule.get_map())}
        if len(_ORDERS) >= _MOST_ORDERS:
            _ORDERS.clear()
        _ORDERS[id(schedule)] = known
    return dict(known[1])


# isl takes long to derive the order of a thousand statements: what was found, by the schedule, which is kept.
_ORDERS: dict[int, tuple[isl.Schedule, dict[str, isl.Map]]] = {}
_MOST_ORDERS = 16


def maps_of(relation: isl.UnionMap) -> list[isl.Map]:
    """The relations of a union, in a fixed order."""
    found: list[isl.Map] = []
    relation.foreach_map(found.append)
    return _in_order(found, lambda m: (natural(in_name(m)), natural(out_name(m))))


def sets_of(points: isl.UnionSet) -> list[isl.Set]:
    """The sets of a union, in a fixed order."""
    found: list[isl.Set] = []
    points.foreach_set(found.append)
    return _in_order(found, lambda s: natural(set_name(s)))


def _in_order(parts: Sequence[_Part], names: Callable[[_Part], object]) -> list[_Part]:
    """By their names; by their text, which takes isl long, where names are the same."""
    together: dict[Any, list[_Part]] = {}
    for part in parts:
        together.setdefault(names(part), []).append(part)
    return [part for key in sorted(together) for part in _by_text(together[key])]


def _by_text(parts: list[_Part]) -> list[_Part]:
    return sorted(parts, key=str) if len(parts) > 1 else parts


def pw_affs_of(row: isl.UnionPwAff) -> dict[str, isl.PwAff]:
    """The function of each statement in `{ S[i] -> [f(i)] }`, by statement name, in a fixed order."""
    known = _SPLIT_ROWS.get(id(row))
    if known is None:
        found: list[isl.PwAff] = []
        row.foreach_pw_aff(found.append)
        pairs = [(str(f.domain().get_tuple_name()), f) for f in found]
        known = row, dict(sorted(pairs, key=lambda pair: natural(pair[0])))
        if len(_SPLIT_ROWS) >= _MOST_SPLIT_ROWS:
            _SPLIT_ROWS.clear()
        _SPLIT_ROWS[id(row)] = known
    return dict(known[1])


# Rows of a hundred statements are split again and again: what was found, by the identity of the row, which is kept.
_SPLIT_ROWS: dict[int, tuple[isl.UnionPwAff, dict[str, isl.PwAff]]] = {}
_MOST_SPLIT_ROWS = 256


def pieces(function: isl.PwAff) -> list[tuple[isl.Set, isl.Aff]]:
    """The pieces (domain, affine function) of a piecewise affine function."""
    found: list[tuple[isl.Set, isl.Aff]] = []
    function.foreach_piece(lambda where, aff: found.append((where, aff)))
    return found


@lru_cache(maxsize=4096)
def natural(name: str) -> tuple[str, int, str]:
    """A sort key that puts S2 before S10."""
    stem = name.rstrip("0123456789")
    return (stem, int(name[len(stem) :] or -1), name)


def dimension_name(points: isl.Set, position: int) -> str:
    """The name of set dimension `position`, or `d0`, `d1`, ... where it has none."""
    if points.has_dim_name(isl.dim_type.set, position):
        return str(points.get_dim_name(isl.dim_type.set, position))
    return f"d{position}"


def as_parameters(points: isl.Set, names: Sequence[str]) -> isl.Set:
    """{ [i, j] : ... } as conditions on parameters with these names."""
    points = points.reset_tuple_id()
    points = points.move_dims(isl.dim_type.param, points.dim(isl.dim_type.param), isl.dim_type.set, 0, len(names))
    first = points.dim(isl.dim_type.param) - len(names)
    for position, name in enumerate(names):
        points = points.set_dim_name(isl.dim_type.param, first + position, name)
    return points.params()


def dimensions(points: isl.Set) -> int:
    """The number of set dimensions."""
    return int(points.dim(isl.dim_type.set))


def with_names(points: isl.Set, names: Sequence[str]) -> isl.Set:
    """`points` with its set dimensions called `names`."""
    for position, name in enumerate(names):
        points = points.set_dim_name(isl.dim_type.set, position, name)
    return points


def extend(points: isl.Set, names: Sequence[str]) -> isl.Set:
    """`{ [i, j] }` for `{ [i] }` and names `(i, j)`: new dimensions are unconstrained."""
    missing = len(names) - dimensions(points)
    return with_names(points.add_dims(isl.dim_type.set, missing), names)


def universe(names: Sequence[str], params: Sequence[str]) -> isl.Set:
    """`[params] -> { [names] }`, everything."""
    space = isl.Space.create_from_names(isl.DEFAULT_CONTEXT, set=list(names), params=list(params))
    return isl.Set.universe(space)


def fixed_values(relation: isl.Map) -> tuple[int | None, ...]:
    """For each dimension of a in { S[i] -> A[a] } its value where it plainly has only one; None otherwise."""
    kind = isl.dim_type.out
    values = (relation.plain_get_val_if_fixed(kind, k) for k in range(relation.dim(kind)))
    return tuple(_number(value) if value.is_int() else None for value in values)


def _number(value: isl.Val) -> int:
    """An integer of isl; raises isl.Error where its operations are used up, for it has no text for the number then."""
    try:
        return int(value.to_python())
    except TypeError:
        raise isl.Error("isl gives no number") from None


def is_bounded(points: isl.Set, position: int) -> bool:
    """Whether dimension `position` of { [t] } has bounds; isl takes what divides it for one."""
    plain = points.remove_divs()
    kind = isl.dim_type.set
    return bool(plain.dim_has_lower_bound(kind, position) and plain.dim_has_upper_bound(kind, position))


def lowest(points: isl.Set, position: int) -> isl.PwAff | None:
    """The least value of a dimension as a function of the parameters; None where there is none."""
    return _optimum(points, position, "lower")


def highest(points: isl.Set, position: int) -> isl.PwAff | None:
    """The greatest value of a dimension as a function of the parameters; None where there is none."""
    return _optimum(points, position, "upper")


def count_along(points: isl.Set, position: int) -> isl.PwAff | None:
    """How many values a dimension has at most, as a function of the parameters; None where there is no such number."""
    least, greatest = lowest(points, position), highest(points, position)
    if least is None or greatest is None:
        return None
    return greatest.sub(least).add(constant(greatest.domain(), 1).intersect_domain(greatest.domain()))


def most_values(points: isl.Set, position: int) -> int | None:
    """The same as a number that holds whatever the parameters are; None where there is none."""
    count = count_along(points, position)
    most = None if count is None else count.max_val()
    return int(most.to_python()) if most is not None and most.is_int() else None


def has_room(where: isl.Set, extents: Iterable[isl.PwAff | None], sides: Iterable[isl.PwAff | None]) -> bool:
    """Whether a box of these extents has room for one with these sides `where` both have any: each side in an extent of
    its own.  None is an extent or a side that nothing tells.
    """
    left = [extent for extent in extents if extent is not None]
    needed = list(sides)
    for side in (*needed, *left):
        if side is None:
            return False
        where = where.intersect(side.domain())
    for side in needed:
        assert side is not None
        fitting = next((extent for extent in left if where.is_subset(side.le_set(extent))), None)
        if fitting is None:
            return False
        left.remove(fitting)
    return True


def _optimum(points: isl.Set, position: int, side: str) -> isl.PwAff | None:
    """The bound of a dimension; isl says of some sets that they have one and finds then that they have not."""
    if not getattr(points, f"dim_has_{side}_bound")(isl.dim_type.set, position):
        return None
    question = points.dim_min if side == "lower" else points.dim_max
    try:
        found: isl.PwAff = (
            quotas.patiently(lambda: question(position)) if points.involves_locals() else question(position)
        )
    except isl.Error as error:
        if "unbounded optimum" not in str(error):
            raise
        return None
    return found


def distance(points: isl.Set, here: isl.PwAff, there: int) -> tuple[int | None, int | None]:
    """The least and the greatest distance of dimension `there` of { [t] } from a function, where they are numbers.

    Where `points` say that the dimension is a remainder, isl makes of the difference a function that is no whole number
    in its text, of which it does not find the least value; of a set it does.
    """
    away = isl.Map.from_pw_aff(variable(points, there).sub(here)).intersect_domain(points).range()
    ends = (away.dim_min_val(0), away.dim_max_val(0))
    least, most = (_number(end) if end.is_int() else None for end in ends)
    return least, most


def variable(where: isl.Set, position: int) -> isl.PwAff:
    """The set dimension `position` as a function on the space of `where`."""
    local = isl.LocalSpace.from_space(where.get_space())
    return isl.PwAff.from_aff(isl.Aff.var_on_domain(local, isl.dim_type.set, position))


def involves(function: isl.PwAff, parameter: str) -> bool:
    """Whether the value depends on the parameter."""
    position = function.find_dim_by_name(isl.dim_type.param, parameter)
    return position >= 0 and bool(function.involves_dims(isl.dim_type.param, position, 1))


def parameter(where: isl.Set, name: str) -> isl.PwAff:
    """The parameter `name` as a function on the space of `where`."""
    space = where.get_space()
    position = space.find_dim_by_name(isl.dim_type.param, name)
    local = isl.LocalSpace.from_space(space)
    return isl.PwAff.from_aff(isl.Aff.var_on_domain(local, isl.dim_type.param, position))


def constant(where: isl.Set, value: int) -> isl.PwAff:
    """A constant function on the space of `where`."""
    local = isl.LocalSpace.from_space(where.get_space())
    number = isl.Val.int_from_si(isl.DEFAULT_CONTEXT, value) if abs(value) < 2**62 else isl.Val(str(value))
    return isl.PwAff.from_aff(isl.Aff.val_on_domain(local, number))


def constant_value(function: isl.PwAff) -> int | None:
    """The value of a function that is one integer constant everywhere; None otherwise."""
    found = pieces(function)
    if len(found) != 1 or not found[0][1].is_cst():
        return None
    value = found[0][1].get_constant_val()
    return int(value.to_python()) if value.is_int() else None


def product(functions: Sequence[isl.PwAff], domain: isl.Set, name: str) -> isl.Map:
    """`{ domain[i] -> name[f0(i), f1(i), ...] }` from functions on the unnamed space of `domain`."""
    relation = isl.Map.from_domain(domain)
    for function in functions:
        relation = relation.flat_range_product(isl.Map.from_pw_aff(function.intersect_domain(domain)))
    return relation.set_tuple_name(isl.dim_type.out, name)


def row_function(domain: isl.Set, position: int, sign: int = 1) -> isl.PwAff:
    """`{ S[i] -> [(sign * i_position)] }` on the (named) space of `domain`."""
    function = variable(domain, position)
    return function if sign == 1 else function.neg()


def union_pw_aff(functions: Iterable[isl.PwAff]) -> isl.UnionPwAff:
    """The functions of several statements as one row."""
    parts = [isl.UnionPwAff.from_pw_aff(function) for function in functions]
    if not parts:
        raise ValueError("a row needs a statement")
    return joined(parts, isl.UnionPwAff.union_add)


def coefficients(function: isl.PwAff) -> tuple[int, ...] | None:
    """The coefficients of the set dimensions in a function of one piece without divisions; None otherwise.

    They are whole numbers: those of (3 + i) / 2 are those of 3 + i.
    """
    found = pieces(function)
    if len(found) != 1 or found[0][1].dim(isl.dim_type.div) > 0:
        return None
    aff = found[0][1]
    scale = aff.get_denominator_val()
    count = aff.dim(isl.dim_type.in_)
    return tuple(int(aff.get_coefficient_val(isl.dim_type.in_, k).mul(scale).to_python()) for k in range(count))


def on_outer(function: isl.PwAff, depth: int) -> tuple[str, ...] | None:
    """What a function is on the first `depth` dimensions: its factors, with those of the parameters and the constant.

    None where it has to do with dimensions further inside, or has divisions or several pieces.
    """
    vector = coefficients(function)
    if vector is None or any(vector[depth:]):
        return None
    ((_, aff),) = pieces(function)
    params = (str(aff.get_coefficient_val(isl.dim_type.param, k)) for k in range(aff.dim(isl.dim_type.param)))
    return (*map(str, vector[:depth]), *params, str(aff.get_constant_val()))


def is_quotient(function: isl.PwAff) -> bool:
    """Whether a function of one piece has divisions: floor(i / 2)."""
    found = pieces(function)
    return len(found) == 1 and bool(found[0][1].dim(isl.dim_type.div) > 0)


def parameter_factors(found: isl.Aff | isl.Constraint) -> list[tuple[str, int]]:
    """The parameters in a function or a constraint, with their factors, which are whole numbers."""
    pairs: list[tuple[str, int]] = []
    for position in range(found.dim(isl.dim_type.param)):
        factor = int(found.get_coefficient_val(isl.dim_type.param, position).to_python())
        if factor:
            pairs.append((unmangle(str(found.get_dim_name(isl.dim_type.param, position))), factor))
    return pairs


def everywhere(function: isl.PwAff) -> isl.PwAff:
    """A function of one piece without the conditions under which it holds; another one as it is.

    A row has no condition of its own, so that one that is read back from its text is the same.
    """
    found = pieces(function)
    return isl.PwAff.from_aff(found[0][1]) if len(found) == 1 else function


def unit_row(function: isl.PwAff) -> tuple[int, ...] | None:
    """The coefficients and the constant of a function that is an iterator up to its sign and a constant; else None."""
    factors = coefficients(function)
    if factors is None or sorted(map(abs, factors)) != [0] * (len(factors) - 1) + [1]:
        return None
    constant = pieces(function)[0][1]
    parameters = range(constant.dim(isl.dim_type.param))
    if any(not constant.get_coefficient_val(isl.dim_type.param, k).is_zero() for k in parameters):
        return None
    return (*factors, int(constant.get_constant_val().to_python()))


def sample_text(points: isl.Set, spellings: Mapping[str, str]) -> str:
    """A point of a non-empty set in words, `n = 1, i = 0`; small parameter values are preferred.

    `spellings`: how the source writes the parameters and iterators, by their names in isl.
    """
    point = points
    for kind in (isl.dim_type.param, isl.dim_type.set):
        for position in range(point.dim(kind)):
            for value in range(0, 9):
                fixed = point.fix_val(kind, position, isl.Val(value))
                if not fixed.is_empty():
                    point = fixed
                    break
    sample = point.sample_point()
    words = []
    for kind in (isl.dim_type.param, isl.dim_type.set):
        for position in range(points.dim(kind)):
            name = points.get_dim_name(kind, position) if points.has_dim_name(kind, position) else f"d{position}"
            shown = unmangle(str(name))
            words.append(f"{spellings.get(shown, shown)} = {sample.get_coordinate_val(kind, position)}")
    return ", ".join(words)


def points_of(points: isl.Set) -> list[tuple[int, ...]]:
    """The points of a bounded set without free parameters, in lexicographic order."""
    found: list[tuple[int, ...]] = []
    count = dimensions(points)

    def note(point: isl.Point) -> None:
        values = (point.get_coordinate_val(isl.dim_type.set, k) for k in range(count))
        found.append(tuple(_number(value) for value in values))

    points.foreach_point(note)
    return sorted(found)


def small_point(points: isl.Set) -> isl.Set:
    """One point of a non-empty set, the one that `sample_text` names."""
    for kind in (isl.dim_type.param, isl.dim_type.set):
        for position in range(points.dim(kind)):
            for value in range(9):
                fixed = points.fix_val(kind, position, isl.Val(value))
                if not fixed.is_empty():
                    points = fixed
                    break
    return isl.Set.from_point(points.sample_point())


SetLike: TypeAlias = isl.Set | isl.Map | isl.PwAff


def text_over(part: SetLike, params: Sequence[str]) -> str:
    """isl's notation without the parameters in front, where there are none but `params`, for a text that has them."""
    text = str(part)
    found = re.match(r"\[([^\]]*)\] -> (?=\{)", text)
    if found is None or not {name.strip() for name in found.group(1).split(",")} <= {*params}:
        return text
    return text[found.end() :]


def is_band(node: isl.ScheduleNode) -> bool:
    """Whether a schedule tree node is a band; islpy's stubs call the type an int."""
    kind: object = node.get_type()
    return kind == isl.schedule_node_type.band


# Factors up to so much are the strides of arrays and blocks that people write.
_LARGE = 2**16


def divisions(part: isl.Set | isl.Map) -> int:
    """The most divisions that one of the convex parts of a set or a relation has."""
    basic = part.get_basic_sets() if isinstance(part, isl.Set) else part.get_basic_maps()
    return max((each.dim(isl.dim_type.div) for each in basic), default=0)


def is_plain(parts: Iterable[isl.Set | isl.Map]) -> bool:
    """Whether no constraint has a division or a large factor: questions about such are never hard."""
    for part in parts:
        for basic in part.get_basic_sets() if isinstance(part, isl.Set) else part.get_basic_maps():
            if basic.dim(isl.dim_type.div) or any(not _is_small(constraint) for constraint in basic.get_constraints()):
                return False
    return True


def _is_small(constraint: isl.Constraint) -> bool:
    kinds = (isl.dim_type.param, isl.dim_type.in_, isl.dim_type.out)
    return all(factor <= _LARGE for kind in kinds for factor in factors(constraint, kind))


def factors(of: isl.Constraint | isl.Aff, kind: isl.dim_type) -> Iterator[int]:
    """The factors of the dimensions of one kind (parameters, iterators, divisions), without their signs."""
    for position in range(of.dim(kind)):
        yield abs(of.get_coefficient_val(kind, position).to_python())


class CallbackGuard:
    """Keeps an exception raised inside an isl callback and raises it outside.

    An exception that leaves an AST-build callback loses its message and may crash the process.  The
    handles that the `set_*` methods of `isl.AstBuild` return must be kept while the build is used:
    append them to `handles`.
    """

    def __init__(self) -> None:
        self.error: BaseException | None = None
        self.handles: list[object] = []

    def node(self, function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        """Wrap a callback `(node, build) -> node`; after a failure the node is returned as it is."""

        def call(node: Any, build: Any) -> Any:
            if self.error is None:
                try:
                    return function(node, build) or node
                except BaseException as error:  # noqa: BLE001  (kept, and raised again by check)
                    self.error = error
            return node

        return call

    def check(self) -> None:
        """Raise what a callback raised, if any."""
        if self.error is not None:
            raise self.error
