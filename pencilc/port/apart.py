"""Whether the file itself hands one array in twice: what it does so, of which something is written, is left as it is.

add(a + 1, a, 99);      dst and src overlap           f(x, x + n, n);      the halves of an array, which do not
norm(b, &b[0], n);      they do here too              blur(&b, &b);        members of one struct
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from typing import Any

from pencilc.frontend.syntax.nodes import nodes_below
from pencilc.frontend.translate.remedies import generated
from pencilc.port.extents import Extent
from pencilc.port.find import FunctionText
from pencilc.port.pointers import Flattened
from pencilc.port.polynomial import Polynomial
from pencilc.port.records import CannotPort
from pencilc.port.text import Parsed
from pencilc.port.tree import kind, polynomial_of, without_cast
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class _Given:
    """What a call hands in for an array: its text, what the array belongs to, and how far in that it begins."""

    text: str
    base: str
    offset: Polynomial | None


def check_apart(
    parsed: Parsed, function: FunctionText, written: Collection[str], extents: Mapping[str, Extent],
    flattened: Mapping[str, Flattened],
) -> None:  # fmt: skip
    """Raise CannotPort if a call in the file may hand in arrays that overlap, of which the function writes something.

    `extents`: of its arrays by name, those of the members of `flattened` structs and numbers included.
    """
    for call in nodes_below(parsed.tree):
        if kind(call) != "FuncCall" or getattr(call.name, "name", "") != function.name or call.args is None:
            continue
        given = dict(_arrays(function, list(call.args.exprs), extents, flattened))
        values = {
            p.name: polynomial_of(argument)
            for p, argument in zip(function.parameters, call.args.exprs, strict=False)
        }  # fmt: skip
        sizes = {name: _with_values(extents[name].size, values) for name in given}
        for one, other in combinations(given, 2):
            is_written = one in written or other in written
            if is_written and not _are_apart(given[one], given[other], sizes[one], sizes[other]):
                raise CannotPort(_told(given, one, other), parsed.span(call), (_HELP,))


_HELP = "write a function with one array for this call"


def _told(given: Mapping[str, _Given], one: str, other: str) -> str:
    first, second = given[one].text, given[other].text
    if first == second:
        what = f"`{first}` is handed in for `{one}` and `{other}`, of which elements are written:"
    else:
        what = (
            f"`{first}` and `{second}`, which may overlap, are handed in for `{one}` and `{other}`, of which elements "
            "are written:"
        )
    return f"{what} arrays of PENCIL do not overlap"


def _arrays(
    function: FunctionText, arguments: list[Any], extents: Mapping[str, Extent], flattened: Mapping[str, Flattened]
) -> Iterator[tuple[str, _Given]]:
    """The arrays of the function with what a call hands in for each."""
    for parameter, argument in zip(function.parameters, arguments, strict=False):
        if not any(kind(each) == "ID" for each in nodes_below(argument)):
            continue  # no array
        base, offset = _place(argument)
        text = generated(argument)
        if parameter.name in flattened:
            flat = flattened[parameter.name]
            for member, name in flat.members:
                if name in extents:
                    yield name, _Given(text, base if flat.is_number else f"{base}.{member.name}", offset)
        elif parameter.name in extents:
            yield parameter.name, _Given(text, base, offset)


def _place(node: Any) -> tuple[str, Polynomial | None]:
    """What a pointer points into, and how far from its beginning in elements; None where that is not seen."""
    node = without_cast(node)
    if kind(node) == "UnaryOp" and node.op == "&":
        inner = without_cast(node.expr)
        if kind(inner) != "ArrayRef":
            return generated(inner), Polynomial.number(0)
        return _moved(_place(inner.name), polynomial_of(inner.subscript), 1)
    if kind(node) == "BinaryOp" and node.op in ("+", "-"):
        return _moved(_place(node.left), polynomial_of(node.right), 1 if node.op == "+" else -1)
    return generated(node), Polynomial.number(0)


def _moved(
    place: tuple[str, Polynomial | None], by: Polynomial | None, sign: int
) -> tuple[str, Polynomial | None]:  # fmt: skip
    base, offset = place
    if offset is None or by is None:
        return base, None
    return base, offset + by if sign > 0 else offset - by


def _are_apart(one: _Given, other: _Given, size_of_one: Polynomial | None, size_of_other: Polynomial | None) -> bool:
    """Whether two arrays have no element in common, as far as that can be seen."""
    if one.base != other.base:
        return True
    if one.offset is None or other.offset is None:
        return False
    for first, second, size in ((one, other, size_of_one), (other, one, size_of_other)):
        assert first.offset is not None and second.offset is not None
        if size is not None and (second.offset - first.offset - size).is_never_negative():
            return True
    return False


def _with_values(size: Polynomial | None, values: Mapping[str, Polynomial | None]) -> Polynomial | None:
    """A size with the arguments of a call in place of the parameters; None where it is not made of them."""
    if size is None:
        return None
    # The caller may call other variables as the function calls its parameters.
    made: Polynomial | None = Polynomial.of((factor, tuple(map(_own, names))) for factor, names in size.terms.values())
    for name in sorted(size.names()):
        value = values.get(name)
        if made is None or value is None:
            return None
        made = made.with_value(_own(name), value)
    return made


def _own(name: str) -> str:
    return f"{name} of the function"
