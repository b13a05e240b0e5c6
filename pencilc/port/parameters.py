"""The head of a function: arrays with extents, what extents need in front of them, and a wrapper with the old head.

    void mean(const float *x, int n, float *out)
    void mean_sized(int n, const float x[static const restrict n], float out[static const restrict 1])

Where no parameter has to move, the function keeps its name and its callers see the same parameters.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from typing import Any

from pencilc.diagnostics.source import Span
from pencilc.frontend.syntax.nodes import may_change, nodes_below
from pencilc.frontend.translate.remedies import generated
from pencilc.ir.rewrite import fresh_name
from pencilc.port.apart import check_apart
from pencilc.port.computed_sizes import ComputedSize
from pencilc.port.counting import parts_of
from pencilc.port.extents import Extent, extents_of, rows_of
from pencilc.port.find import FunctionText, ParameterText, definition, holds_loop, named_numbers
from pencilc.port.globals import Handed
from pencilc.port.pointers import Flattened
from pencilc.port.polynomial import Polynomial, larger, spelled
from pencilc.port.records import CannotPort, PortChanges, Replacement, Step
from pencilc.port.text import Parsed
from pencilc.port.tree import (
    declared_names,
    is_pointer,
    kind,
    names_in,
    resolved,
    whole_number,
    with_parents,
    without_cast,
)
from pencilc.port.unknown_sizes import why_unknown
from pencilc.records import dataclass

# Names by which the number of all entries of a sparse matrix or a graph goes.
_TOTALS = ("nnz", "nz", "nonz", "edge", "entr", "total")


@dataclass(frozen=True, slots=True)
class NewHead:
    """The file with the new head, the name of what is compiled, and how its arguments follow from the old ones.

    `wrapper` is the text of the function with the old head, where parameters have moved; `on_host` is what it does that
    only the host can.
    """

    changes: PortChanges
    name: str
    arguments: tuple[str, ...]
    wrapper: str = ""
    on_host: str = ""


@dataclass(frozen=True, slots=True)
class Around:
    """Statements of the function with the old head around its call: lines before it, and those behind it.

    Where these allocate arrays, or ask for pointers, `head` is the text of the old head, which does not have what these
    hand over; `counts` has how many elements arrays get, as far as that is seen, and `on_host` says what is done.
    `optional` has of arrays that may be NULL the size that is 1 where they are there, and else 0; `strings` has how
    many characters stand in front of the end of each.
    """

    before: str = ""
    behind: tuple[str, ...] = ()
    head: str = ""
    counts: Mapping[str, str] = field(default_factory=dict)
    on_host: str = ""
    optional: Mapping[str, str] = field(default_factory=dict)
    strings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Item:
    """A parameter of the new head: its text, what it is called with, the sizes that its text names."""

    name: str
    text: str
    argument: str
    needs: frozenset[str]
    is_size: bool


def with_sized_arrays(
    parsed: Parsed, function: FunctionText, flattened: Sequence[Flattened], around: Around | None = None,
    positive: Sequence[str] = (), handed: Sequence[Handed] = (), divided: Sequence[ComputedSize] = (),
    assumed: Sequence[str] = (), kept: Collection[str] = (), in_rows: bool = True,
) -> NewHead:  # fmt: skip
    """The pass; raises CannotPort where an extent cannot be told.

    `around` are statements for the wrapper, `positive` the sizes without which the function itself goes wrong, `handed`
    the globals that become parameters, `divided` the sizes that it is called with in place of computing them, `assumed`
    what else is promised about sizes, `kept` are parameters that point to one value; `in_rows`: that rows of arrays do
    not overlap may be promised.
    """
    head = _Head(parsed, function, flattened, around or Around(), handed, divided, kept, in_rows)
    for size in positive:
        head.assume(f"1 <= {size}")
    for condition in assumed:
        head.assume(condition)
    return head.rewritten()


def starts_of_loops(function: FunctionText) -> list[str]:
    """That the parameters at which loops begin are not negative: `0 <= r` of `for (x = r; …)`, and of `x = -r`."""
    body = function.node.body
    counted = {
        p.name for p in function.parameters
        if kind(p.node.type) == "TypeDecl" and not {"float", "double", "unsigned"} & {*_words(p.node)}
        and not may_change(body, p.name)
    }  # fmt: skip
    found: dict[str, None] = {}
    for loop in nodes_below(body):
        parts = parts_of(loop.init) if kind(loop) == "For" else []
        for part in parts:
            value: Any = getattr(part, "init", None) or getattr(part, "rvalue", None)
            inner = value.expr if kind(value) == "UnaryOp" and value.op == "-" else value
            if kind(inner) == "ID" and inner.name in counted:
                found[f"0 <= {inner.name}"] = None
    return list(found)


def small_sizes(function: FunctionText) -> list[str]:
    """That the parameters of 64 bits without a sign are small, so that no sum or product of them wraps."""
    body = function.node.body
    return [
        f"{p.name} <= 2147483647" for p in function.parameters
        if kind(p.node.type) == "TypeDecl" and not may_change(body, p.name)
        and (_words(p.node) == ("size_t",) or {*_words(p.node)} - {"int"} == {"unsigned", "long"})
    ]  # fmt: skip


def _words(declaration: Any) -> tuple[str, ...]:
    return tuple(getattr(declaration.type.type, "names", ()))


class _Head:
    """The head of one function."""

    def __init__(
        self, parsed: Parsed, function: FunctionText, flattened: Sequence[Flattened], around: Around,
        handed: Sequence[Handed], divided: Sequence[ComputedSize], kept: Collection[str], in_rows: bool,
    ) -> None:  # fmt: skip
        self.around = around
        self.divided = divided
        self.handed = {each.name: each for each in handed}
        self.setup: list[str] = []  # lines of the wrapper that find sizes in the data
        self.parsed = parsed
        self.function = function
        self.flattened = {each.parameter: each for each in flattened}
        self.promises: list[str] = []
        self.assumed: list[str] = []
        self.computed: list[tuple[str, str]] = []  # sizes that the wrapper finds in the data: name and expression
        self.totals: dict[str, str] = {}  # array of positions -> the size that is its last element
        self.rows_asked: dict[str, str] = {}  # such a size -> whether there are rows: else no position is read
        self.written = written_arrays(parsed, function)
        self.constants = named_numbers(parsed, function)
        self.unused: set[str] = set()  # pointers that the function is given for nothing
        self.arrays: dict[str, Any] = {}
        self.sizes: dict[str, None] = {}
        for parameter in function.parameters:
            if parameter.name in self.flattened:
                for member, name in self.flattened[parameter.name].members:
                    self._enter(name, member.type)
            elif self._is_unused_pointer(parameter):
                self.unused.add(parameter.name)
            elif parameter.name not in kept:
                self._enter(parameter.name, parameter.node.type)
        for each in handed:
            self._enter(each.name, each.type)
            if each.is_cell:
                self.arrays[each.name] = each.type
                self.sizes.pop(each.name, None)
        self.sizes |= {each.name: None for each in divided}
        self.extents = extents_of(parsed, function, tuple(self.arrays), frozenset(self.sizes), divided, in_rows)
        self._promise_quotients()

    def rewritten(self) -> NewHead:
        """The new text."""
        sizes = self._sizes_of_arrays()
        items = [item for parameter in self.function.parameters for item in self._items(parameter, sizes)]
        items += [self._global(each, sizes) for each in self.handed.values()]
        items += [_Item(each.name, f"{each.type} {each.name}", self._as_arguments(each.value), frozenset(), True)
                  for each in self.divided]  # fmt: skip
        for name, value in self.computed:
            argument = f"{self.rows_asked[name]} ? {value} : 0" if name in self.rows_asked else value
            items.append(_Item(name, f"int {name}", argument, frozenset(), True))
        has_others = self.flattened or self.handed or self.computed or self.divided or self.around.before or self.unused
        is_kept = not (has_others or self._is_known_elsewhere())
        is_in_order = is_kept and all(
            item.needs <= {other.name for other in items[:k]} for k, item in enumerate(items)
        )  # fmt: skip
        if is_in_order:
            return self._in_place(items)
        return self._around([item for item in items if item.is_size] + [item for item in items if not item.is_size])

    # ---- what the parameters are -----------------------------------------------------------------------------

    def _is_unused_pointer(self, parameter: ParameterText) -> bool:
        """Whether a pointer stays with the wrapper, for no element of it is named."""
        is_function = kind(resolved(self.parsed, parameter.node.type)) == "FuncDecl"
        return (is_function or is_pointer(self.parsed, parameter.node.type)) and not self._is_used(parameter.name)

    def _enter(self, name: str, node: Any) -> None:
        inner = resolved(self.parsed, node)
        if is_pointer(self.parsed, node):
            self.arrays[name] = inner
        elif kind(inner) == "IdentifierType" and not {"float", "double", "_Bool"} & {*inner.names}:
            body = self.function.node.body
            if holds_loop(body) or not may_change(body, name):
                self.sizes[name] = None

    def _promise_quotients(self) -> None:
        """What has to hold so that a size that is divided out of others is what it seems to be."""
        for each in self.divided:
            for divisor in each.divisors:
                self.assume(f"1 <= {divisor}")
            order = None if each.quotient is None else each.quotient.least_dividend()
            if order is not None:
                self.assume(" <= ".join(map(self._spelled, order)))
            self.assumed.append(f"{each.name} == {each.value}")  # No promise: the wrapper sees to it.

    # ---- extents ---------------------------------------------------------------------------------------------

    def _sizes_of_arrays(self) -> dict[str, str]:
        """The text of the first extent of every array parameter."""
        found: dict[str, str] = {}
        for name, node in self.arrays.items():
            extent = self.extents[name]
            if name in self.handed and self.handed[name].is_cell:
                found[name] = "1"
                continue
            if kind(node) == "ArrayDecl" and node.dim is not None:
                found[name] = self._given(name, node)
                continue
            if extent.size is not None:
                found[name] = self._spelled(self._as_large_as_others(name, extent.size))
                for low, high in extent.promised:
                    self.assume(f"{self._spelled(low)} <= {self._spelled(high)}")
                for data, stride in extent.picked:
                    self._promise(f"`{data}` is not negative and less than `{stride}`")
                if " * " in found[name] and not any(each.startswith(f"`{name}` has") for each in self.promises):
                    self.promises.append(f"`{name}` has {found[name]} elements")
        found |= {name: self._whole_string(name, length) for name, length in self.around.strings.items()}
        for name in self.arrays:
            if name not in found:
                found[name] = self._from_data(name, self.extents[name], found)
        for name, has in self.around.optional.items():
            size = f"({found[name]})" if re.search(" [+-] ", found[name]) else found[name]
            found[name] = f"{has} * {size}"
            self.assumed += [f"0 <= {has}", f"{has} <= 1"]  # No promises: the wrapper sees to it.
        return found

    def _whole_string(self, name: str, length: str) -> str:
        """The extent of a string, the 0 at its end included."""
        whole = Polynomial.name(length) + Polynomial.number(1)
        known = self.extents[name].size if name in self.extents else None
        if known is None:
            self._promise(f"nothing beyond the end of `{name}` is read or written")
        elif larger(known, whole) != whole:
            self.assume(f"{self._spelled(known)} <= {self._spelled(whole)}")
        return self._spelled(whole)

    def _given(self, name: str, node: Any) -> str:
        """The first extent of an array that has one, as it is written."""
        for parameter in self.function.parameters:
            if parameter.name == name and kind(parameter.node.type) == "ArrayDecl":
                opening = self.parsed.name_of(parameter.node) + 1
                text = self._slice(opening + 1, self.parsed.closing(opening) - 1)
                return re.sub(r"\b(static|const|restrict|volatile)\b\s*", "", text)
        return self._dimension(node.dim)

    def _dimension(self, node: Any) -> str:
        """An extent that stands in a declaration, by the name that the function has for it."""
        number = whole_number(node) if kind(node) == "Constant" else None
        return generated(node) if number is None else self._spelled(number)

    def _as_large_as_others(self, name: str, size: Polynomial) -> Polynomial:
        """The size of another array where this one is used but for an edge: `n * m` for `n * m - m - 1`."""
        value = size.constant()
        named = any(number - 2 <= value < number for number in self.constants) if value is not None else False
        if not named and all(coefficient > 0 for coefficient in size.coefficients().values()):
            return size
        for other, extent in self.extents.items():
            whole = extent.size
            if other == name or whole is None or whole.names() != size.names() or whole == size:
                continue
            if value is not None and whole.constant() not in self.constants:
                continue
            if larger(whole, size) == whole:
                self._promise(f"`{name}` has {self._spelled(whole)} elements, as `{other}`")
                return whole
        return size

    def _spelled(self, size: Polynomial) -> str:
        return spelled(size, self.constants)

    def assume(self, condition: str) -> None:
        """Promise a condition on sizes, and tell pencilc."""
        if condition not in self.assumed:
            self.assumed.append(condition)
            self.promises.append(condition)

    def _from_data(self, name: str, extent: Extent, found: Mapping[str, str]) -> str:
        """The extent of an array whose subscripts are data: a parameter that says it, or what the data say."""
        where = Span(self.parsed.file.path, extent.line or self.function.span.line, 1, 2)
        declared = declared_names(self.function.node)
        for size in self.sizes:
            if declared.count(size) > 1 or may_change(self.function.node.body, size):
                raise CannotPort(f"how large `{name}` is cannot be told: `{size}` is not the same everywhere", where)
        count = self.around.counts.get(name, "")
        if count and set(re.findall(r"[A-Za-z_]\w*", count)) <= self.sizes.keys():
            return count
        subscripts = [each.subscript for each in self._named(name)]
        if not subscripts:
            raise self._not_named(name, where)
        free = self._free_sizes(found)
        index = self._index(subscripts)
        starts = "" if index else self._positions(subscripts)
        if starts:
            return self._end_of_rows(name, starts, free, found.get(starts, ""), where)
        # The size that other accesses show comes before any that is not used elsewhere, but for one whose name has to
        # do with the data that pick.
        shown = extent.least is not None and (not index or extent.least.constant() is None)
        candidates = _similar_sizes(free, index) if shown else _likely_sizes(free, index)
        known = extent if extent.least is not None else self._picked_alike(name, index)
        if not candidates and known.least is not None and known.least.constant() != 1:
            candidates = [self._spelled(known.least)]
            for low, high in known.promised:
                self.assume(f"{self._spelled(low)} <= {self._spelled(high)}")
        if not candidates and index in found and self._are_elements(subscripts, index):
            return self._largest_index(name, index, found)
        row = self._row_by_data(subscripts)
        rows = _likely_sizes(free, row[0]) if row is not None else []
        if row is not None and len(rows) == 1:
            self._promise(
                f"`{name}` has {rows[0]} * {row[1]} elements: all elements of `{row[0]}` are less than {rows[0]}"
            )
            return f"{rows[0]} * {row[1]}"
        if row is not None and row[0] in found:
            return f"{self._largest_index(name, row[0], found)} * {row[1]}"
        # What data are multiplied by may be the length of a row: then there are more elements than the size says.
        if len(candidates) != 1 or (candidates[0] in free and _has_product(subscripts)):
            raise CannotPort(
                f"{why_unknown(self.parsed, self.function, name)}, and no parameter says how large `{name}` is",
                where,
                (f"add one, as in `int count, … {name}[static const restrict count]`",),
            )  # fmt: skip
        is_plain = bool(index) and self._are_elements(subscripts, index)
        what = f"elements of `{index}` are" if is_plain else "subscripts are"
        self._promise(f"`{name}` has {candidates[0]} elements: all {what} less than that")
        return candidates[0]

    def _not_named(self, name: str, where: Span) -> CannotPort:
        """Why nothing tells the extent of an array of which the function names no element."""
        for node in nodes_below(self.function.node.body):
            arguments = list(node.args.exprs) if kind(node) == "FuncCall" and node.args is not None else []
            callee = definition(self.parsed, getattr(node.name, "name", "")) if arguments else None
            for number, argument in enumerate(arguments):
                if kind(argument) != "ID" or argument.name != name or callee is None:
                    continue
                parameter = callee.decl.type.args.params[number].name
                return CannotPort(
                    f"`{name}` is handed to `{callee.decl.name}`, which does not say how large it is",
                    self.parsed.span(node),
                    (f"write it there, in parameters in front of it: `{parameter}[static const restrict n]`",),
                )
        return CannotPort(f"how large `{name}` is cannot be told: no element of it is named", where)

    def _free_sizes(self, found: Mapping[str, str]) -> list[str]:
        """The size parameters that neither an extent nor the function uses."""
        used: set[str] = set()
        for text in found.values():
            used |= set(re.findall(r"\w+", text))
        return [size for size in self.sizes if size not in used and not self._is_used(size)]

    def _end_of_rows(self, name: str, starts: str, free: Sequence[str], extent: str, where: Span) -> str:
        """The extent of an array whose rows begin at the positions in `starts`, of the given extent.

        A parameter that seems to be the total, or else the last position, which the wrapper reads.
        """
        if starts in self.totals:
            return self.totals[starts]
        last = _last(extent)
        # One that is called otherwise may as well be the number of columns, of which nothing here tells.
        totals = [size for size in free if _is_total(size)]
        if totals:
            size = totals[0]
            self._promise(f"the elements of `{starts}` grow, and `{size}` is the last of them")
        else:
            if last is None:
                raise CannotPort(f"how large `{name}` is depends on `{starts}`, whose size is not known", where)
            size = fresh_name("nnz" if last != "0" else f"size_of_{name}", self._taken())
            self.computed.append((size, f"{self._argument(starts)}[{self._as_arguments(last)}]"))
            if last != "0":
                self._promise(f"the elements of `{starts}` grow")
        self.totals[starts] = size
        if last is not None and not last.isdigit():
            # The last of `n` positions is there where `n` is not 0; of `n + 1` none is read where there are no rows.
            asked = extent if last == f"{extent} - 1" else last
            self.rows_asked[size] = f"{self._as_arguments(asked)} > 0"
        return size

    def _as_arguments(self, text: str) -> str:
        """An expression of parameters as the wrapper writes it."""
        return re.sub(r"[A-Za-z_]\w*", lambda match: self._argument(match.group()), text)

    def _row_by_data(self, subscripts: Sequence[Any]) -> tuple[str, str] | None:
        """The array whose elements are numbers of rows, and how long a row is: `e[id[i] * d + k]` below `k < d`."""
        found: set[tuple[str, str]] = set()
        for each in subscripts:
            product, place = (each.left, each.right) if kind(each) == "BinaryOp" and each.op == "+" else (each, None)
            if kind(product) != "BinaryOp" or product.op != "*":
                return None
            sides = (product.left, product.right)
            rows = [self._inlined(without_cast(side)) for side in sides]
            indices = [k for k, row in enumerate(rows) if kind(row) == "ArrayRef" and kind(row.name) == "ID"]
            if len(indices) != 1:
                return None
            stride = _length(sides[1 - indices[0]])
            if not stride.isdigit() and stride not in self.sizes:
                return None
            if place is not None and not self._is_below(place, stride):
                return None
            found.add((rows[indices[0]].name.name, stride))
        return found.pop() if len(found) == 1 else None

    def _is_below(self, place: Any, stride: str) -> bool:
        """Whether a place in a row is a number below its length, or a counter that a loop keeps below it."""
        number = _number(place)
        if number is not None:
            return stride.isdigit() and number < int(stride)
        for loop in nodes_below(self.function.node.body):
            cond: Any = loop.cond if kind(loop) == "For" else None
            is_counted = kind(cond) == "BinaryOp" and cond.op in ("<", "!=") and kind(place) == "ID"
            if is_counted and getattr(cond.left, "name", "") == place.name and _length(cond.right) == stride:
                return True
        return False

    def _picked_alike(self, name: str, index: str) -> Extent:
        """What is seen of an array of which the same data pick elements: `area[tri[i]]` beside `corner[tri[i]]`."""
        for other, extent in self.extents.items():
            subscripts = [each.subscript for each in self._named(other)]
            is_picked = bool(index) and self._index(subscripts) == index
            if other != name and is_picked and extent.least is not None:
                return extent
        return self.extents[name]

    def _largest_index(self, name: str, index: str, found: Mapping[str, str]) -> str:
        """A size that the wrapper finds: the largest subscript in `index` and 1; `found` are the extents of arrays."""
        taken = self._taken()
        size = fresh_name(f"{name}_count", taken)
        taken.add(size)
        self.setup.append(f"int {size} = 0;")
        first = next((f"{self._argument(s)}[0]" for s, total in self.totals.items() if total == found[index]), "0")
        indent = ""
        for total, asked in self.rows_asked.items():
            if total in re.findall(r"\w+", found[index]):
                self.setup.append(f"{indent}if ({asked})")
                indent += "    "
        element = self._argument(index)
        for begin, end in [(first, self._as_arguments(found[index])), *(("0", each) for each in self._rows_of(index))]:
            counter = fresh_name("k", taken)
            taken.add(counter)
            self.setup.append(f"{indent}for (int {counter} = {begin}; {counter} < {end}; {counter}++)")
            element += f"[{counter}]"
            indent += "    "
        self.setup += [f"{indent}if ({element} >= {size})", f"{indent}    {size} = {element} + 1;"]
        self.computed.append((size, size))
        return size

    def _rows_of(self, array: str) -> list[str]:
        """The extents of an array but for the first one."""
        found: list[str] = []
        inner = resolved(self.parsed, self.arrays[array].type)
        while kind(inner) == "ArrayDecl":
            found.append(self._as_arguments(self._dimension(inner.dim)))
            inner = resolved(self.parsed, inner.type)
        return found

    def _taken(self) -> set[str]:
        """The names that a parameter of the new head may not have."""
        words = re.findall(r"\w+", self._slice(self.function.opening, self.function.end))
        return {*self.sizes, *self.arrays, *words, *(name for name, _ in self.computed)}

    def _promise(self, text: str) -> None:
        if text not in self.promises:
            self.promises.append(text)

    def _named(self, name: str) -> list[Any]:
        return [
            node for node in nodes_below(self.function.node.body)
            if kind(node) == "ArrayRef" and kind(node.name) == "ID" and node.name.name == name
        ]  # fmt: skip

    def _is_used(self, size: str) -> bool:
        return bool(names_in(self.function.node.body, size))

    def _positions(self, subscripts: Sequence[Any]) -> str:
        """The array of positions by which a loop over a subscript is bounded (`k < start[i + 1]`); empty if none is.

        What a loop counts from 0 to, `j < length[i]`, is no position.
        """
        counters = {node.name for each in subscripts for node in nodes_below(each) if kind(node) == "ID"}
        for loop in nodes_below(self.function.node.body):
            cond: Any = getattr(loop, "cond", None) if kind(loop) == "For" else None
            if kind(cond) == "BinaryOp" and cond.op in ("<", "!=") and getattr(cond.left, "name", "") in counters:
                right = self._inlined(cond.right)
                is_element = kind(right) == "ArrayRef" and kind(right.name) == "ID" and right.name.name in self.arrays
                if is_element and kind(self._inlined(_begin(loop, cond.left.name))) != "Constant":
                    return str(right.name.name)
        return ""

    def _index(self, subscripts: Sequence[Any]) -> str:
        """The array whose elements are subscripts; empty if there is none."""
        for each in subscripts:
            for node in nodes_below(self._inlined(each)):
                if kind(node) == "ArrayRef" and kind(node.name) == "ID":
                    return str(node.name.name)
        return ""

    def _are_elements(self, subscripts: Sequence[Any], index: str) -> bool:
        """Whether each subscript that has to do with an array is an element of it as it is."""
        for each in subscripts:
            node = self._inlined(each)
            while kind(node) == "Cast":
                node = node.expr
            if kind(node) != "ArrayRef" and any(getattr(n, "name", "") == index for n in nodes_below(node)):
                return False
        return True

    def _inlined(self, node: Any) -> Any:
        """The value of a local variable that is named alone and does not change."""
        if kind(node) == "ID" and not may_change(self.function.node.body, node.name):
            for each in nodes_below(self.function.node.body):
                if kind(each) == "Decl" and each.name == node.name and each.init is not None:
                    return each.init
        return node

    # ---- text ------------------------------------------------------------------------------------------------

    def _items(self, parameter: ParameterText, sizes: Mapping[str, str]) -> list[_Item]:
        """What one parameter becomes."""
        flat = self.flattened.get(parameter.name)
        if parameter.name in self.unused:
            return []
        if flat is None:
            return [self._item(parameter, sizes)]
        needed = {word for text in (*sizes.values(), *self.assumed) for word in re.findall(r"\w+", text)}
        items = []
        for member, name in flat.members:
            argument = flat.argument(member)
            if name in self.arrays:
                if name not in sizes:
                    continue
                inner, rows = member.type.type, ""
                while kind(inner) == "ArrayDecl":
                    rows += f"[{self._dimension(inner.dim)}]"
                    inner = inner.type
                items.append(self._array(name, _type_text(inner), rows, sizes[name], argument))
            elif name in needed or self._is_used(name):
                text = f"{_type_text(member.type)} {name}"
                items.append(_Item(name, text, argument, frozenset(), name in self.sizes))
        return items

    def _global(self, each: Handed, sizes: Mapping[str, str]) -> _Item:
        """The parameter that a global becomes."""
        if each.name not in self.arrays:
            text = f"{_type_text(each.type)} {each.name}"
            return _Item(each.name, text, each.argument, frozenset(), each.name in self.sizes)
        return self._written(each.name, each.type if each.is_cell else each.type.type, sizes[each.name], each.argument)

    def _written(self, name: str, element: Any, size: str, argument: str) -> _Item:
        """The parameter for an array of elements of a type, which may be rows."""
        inner, rows = element, ""
        while kind(inner) == "ArrayDecl":
            rows += f"[{self._dimension(inner.dim)}]"
            inner = inner.type
        if kind(resolved(self.parsed, inner)) == "PtrDecl":
            raise CannotPort(
                f"the rows of `{name}` are reached through pointers; use one array", self.function.span,
                self._rows_in_one(name, inner),
            )  # fmt: skip
        return self._array(name, _type_text(inner), rows, size, argument)

    def _item(self, parameter: ParameterText, sizes: Mapping[str, str]) -> _Item:
        name, tokens = parameter.name, self.parsed.tokens
        if name not in sizes:
            return _Item(name, self._slice(parameter.first, parameter.last), name, frozenset(), name in self.sizes)
        at = self.parsed.name_of(parameter.node)
        where = self.function.span
        if kind(parameter.node.type) not in ("PtrDecl", "ArrayDecl"):
            return self._written(name, resolved(self.parsed, parameter.node.type).type, sizes[name], name)
        words = [tokens[k].text for k in range(parameter.first, at)]
        if (
            kind(parameter.node.type) == "PtrDecl"
            and kind(resolved(self.parsed, parameter.node.type.type)) == "PtrDecl"
        ):
            helps = self._rows_in_one(name, parameter.node.type.type)
            raise CannotPort(f"the rows of `{name}` are reached through pointers; hand over one array", where, helps)
        inner = ""
        stars = [k for k in range(parameter.first, at) if tokens[k].text == "*"]
        last = at - 1
        if kind(parameter.node.type) == "PtrDecl":
            if not stars:
                raise CannotPort(f"the parameter `{name}` comes from a macro", where)
            last = stars[0] - 1
            if tokens[last].text == "(":
                last -= 1
                inner = self._slice(self.parsed.closing(last + 1) + 1, parameter.last)
        elif "*" in words:
            raise CannotPort(f"`{name}` is an array of pointers; hand over one array", where)
        else:
            first_dimension = self.parsed.closing(at + 1)
            inner = self._slice(first_dimension + 1, parameter.last) if first_dimension < parameter.last else ""
        element = self._slice(parameter.first, last)
        return self._array(name, element, inner, sizes[name], name)

    def _rows_in_one(self, name: str, inner: Any) -> tuple[str, ...]:
        """What to write for an array of pointers to rows: one array, if it is seen how large that is."""
        sizes = frozenset(self.sizes)
        rows, whole = rows_of(self.parsed, self.function, (name,), sizes)[name].size, self.extents[name].size
        pointed = resolved(self.parsed, inner)
        is_flat = kind(getattr(pointed, "type", None)) == "TypeDecl"
        if rows is None or whole is None or not is_flat:
            return ()
        count, row, element = self._spelled(whole), self._spelled(rows), _type_text(pointed.type)
        prefix = "" if name in self.written or "const" in element.split() else "const "
        plain = element.replace("const ", "")
        array = f"{prefix}{element} {name}[static const restrict {count}][{row}]"
        return (
            f"take `{array}`, with `{count}` and `{row}` in front",
            f"where it is allocated: `{plain} (*{name})[{row}] = malloc(sizeof({plain}[{count}][{row}]));`",
        )

    def _slice(self, first: int, last: int) -> str:
        return self.parsed.slice(first, last)

    def _array(self, name: str, element: str, inner: str, size: str, argument: str) -> _Item:
        is_const = re.search(r"\bconst\b", element) is not None
        prefix = "" if is_const or name in self.written else "const "
        text = f"{prefix}{element} {name}[static const restrict {size}]{inner}"
        needs = frozenset(re.findall(r"\w+", size + inner)) & (self.sizes.keys() | {n for n, _ in self.computed})
        return _Item(name, text, argument, needs, False)

    def _is_known_elsewhere(self) -> bool:
        """Whether something else in the file, a header or a pointer, says what type the function has."""
        name, count = self.function.name, 0
        for node in nodes_below(self.parsed.tree):
            count += kind(node) == "Decl" and node.name == name
            if kind(node) == "FuncCall" and getattr(node.name, "name", "") == name:
                count -= 1
            count += kind(node) == "ID" and node.name == name
        return count != 1

    def _argument(self, name: str) -> str:
        """How the old head names an array or a size."""
        for size, value in self.computed:
            if size == name:
                return value
        for flat in self.flattened.values():
            for member, new in flat.members:
                if new == name:
                    return flat.argument(member)
        return name

    def _in_place(self, items: Sequence[_Item]) -> NewHead:
        """The function keeps its name; only the parameters that change are touched."""
        tokens, edits, steps = self.parsed.tokens, [], []
        for parameter, item in zip(self.function.parameters, items, strict=True):
            edit = Replacement(tokens[parameter.first].start, tokens[parameter.last].end, item.text)
            before = self.parsed.text[edit.start : edit.end]
            if _without_space(before) != _without_space(item.text) and item.name in self.arrays:
                edits.append(edit)
                line = self.parsed.line_at(edit.start)
                steps.append(Step(line, f"`{item.name}` does not say how large it is", f"`{item.text}`"))
        edits += self._assumes(items)
        return NewHead(PortChanges(tuple(edits), tuple(steps), self._all_promises()), self.function.name, ())

    def _around(self, items: Sequence[_Item]) -> NewHead:
        """A new function, and behind it one with the old head that calls it."""
        function, parsed = self.function, self.parsed
        taken = set(re.findall(r"\w+", parsed.preprocessed.text)) | set(re.findall(r"\w+", parsed.text))
        new_name = fresh_name(f"{function.name}_sized", taken)
        tokens = parsed.tokens
        old_head = self.around.head or parsed.slice(function.start, function.closing)
        before = parsed.slice(function.start, function.name_at - 1) if function.start < function.name_at else ""
        between = parsed.text[tokens[function.name_at - 1].end : tokens[function.name_at].start]
        new_head = f"{before}{between}{new_name}{_wrapped(items, len(before + between + new_name) + 1)}"
        call = f"{new_name}({', '.join(item.argument for item in items)});"
        if not _returns_nothing(function.node):
            call = f"return {call}"
        unit = "\t" if re.search(r"^\t", parsed.slice(function.body, function.end), re.M) else "    "
        gap = parsed.text[tokens[function.closing].end : tokens[function.body].start]
        gap = "\n" if "\n" not in parsed.slice(function.body, function.end) else gap
        lines = [f"{unit}{line}\n" for line in self.setup]
        guards = self.around.before
        guards = f"{guards}\n" if guards.startswith((" ", "\t")) else f"{unit}{guards}\n"
        guards = guards if self.around.before else ""
        if self.around.behind:
            call = self._followed(call, unit)
        wrapper = f"\n\n{old_head}{gap}{{\n{guards}{''.join(lines)}{unit}{call}\n}}"
        end = tokens[function.end].end
        following = parsed.text[end:].split("\n", 2)
        wrapper += "\n" if len(following) > 1 and not following[0].strip() and following[1].strip() else ""
        edits = [
            Replacement(tokens[function.start].start, tokens[function.closing].end, new_head),
            *self._assumes(items),
            Replacement(end, end, wrapper),
        ]
        line = parsed.line_at(tokens[function.name_at].start)
        arrays = [f"`{item.name}`" for item in items if item.name in self.arrays]
        arrays = [each for each in arrays if each.strip("`") not in self.handed]
        obstacle = f"{', '.join(arrays)} do not say how large they are"
        moved = f"`{new_name}` has their sizes in front of them, `{function.name}` calls it"
        if len(arrays) == 1:
            obstacle = f"{arrays[0]} does not say how large it is"
            moved = f"`{new_name}` has its size in front of it, `{function.name}` calls it"
        if not arrays:
            obstacle = "it works on globals" if self.handed else "its loops are not the whole of it"
            moved = f"`{new_name}` has them, `{function.name}` calls it"
        changes = PortChanges(tuple(edits), (Step(line, obstacle, moved),), self._all_promises())
        return NewHead(changes, new_name, tuple(item.argument for item in items), wrapper, self.around.on_host)

    def _followed(self, call: str, unit: str) -> str:
        """The call with what comes behind it, which the result waits for."""
        lines = [f"{unit}{each.strip()}" for each in self.around.behind]
        if not call.startswith("return "):
            return "\n".join([call, *lines])
        words = self.parsed.slice(self.function.start, self.function.name_at - 1)
        ctype = re.sub(r"\b(static|inline|extern)\b", " ", words).strip()
        name = fresh_name("result", self._taken())
        return "\n".join([f"{ctype} {name} = {call.removeprefix('return ')}", *lines, f"{unit}return {name};"])

    def _assumes(self, items: Sequence[_Item]) -> list[Replacement]:
        """What is promised about sizes, for pencilc alone: no header is needed then."""
        if not self.assumed:
            return []
        at = self.parsed.tokens[self.function.body].end
        unit = "\t" if re.search(r"^\t", self.parsed.slice(self.function.body, self.function.end), re.M) else "    "
        lines = "".join(f"\n{unit}__pencil_assume({condition});" for condition in self.assumed)
        following = self.parsed.tokens[self.function.body + 1].start
        # What nothing but an assumption names would draw a warning of other compilers.
        used = {word for item in items for word in item.needs}
        named = {word for condition in self.assumed for word in re.findall(r"\w+", condition)} - used
        voids = "".join(f"\n{unit}(void){size};" for size in self.sizes if size in named and not self._is_used(size))
        otherwise = f"\n#else{voids}" if voids else ""
        text = f"\n#ifdef __PENCILC__{lines}{otherwise}\n#endif"
        if "\n" in self.parsed.text[at:following]:
            return [Replacement(at, at, text)]
        return [Replacement(at, following, f"{text}\n{unit}")]

    def _all_promises(self) -> tuple[str, ...]:
        promises = list(self.promises)
        # Globals are apart from each other, and what is allocated here from all others.
        given = self.arrays.keys() - self.handed.keys() - self.around.counts.keys()
        numbers = {each.parameter: Extent(Polynomial.number(1)) for each in self.flattened.values() if each.is_number}
        names = [f"`{name}`" for name in (*numbers, *self.arrays) if name not in self.around.counts]
        if given and len(names) > 1 and self.written & self.arrays.keys():
            check_apart(self.parsed, self.function, self.written, {**self.extents, **numbers}, self.flattened)
            promises.insert(0, f"{', '.join(names[:-1])} and {names[-1]} do not overlap")
        return tuple(promises)


def written_arrays(parsed: Parsed, function: FunctionText) -> frozenset[str]:
    """The variables of which something is written, or handed to a function that may."""
    found: set[str] = set()
    for node, around in with_parents(function.node.body):
        target: Any = None
        if kind(node) == "Assignment":
            target = node.lvalue
        elif kind(node) == "UnaryOp" and node.op in ("++", "--", "p++", "p--", "&"):
            target = node.expr
        elif kind(node) == "ExprList" and kind(around[0]) == "FuncCall":
            for each in node.exprs:
                if kind(each) == "ID":
                    found.add(each.name)
            continue
        while kind(target) in ("ArrayRef", "StructRef"):
            target = target.name
        if kind(target) == "ID":
            found.add(target.name)
    return frozenset(found)


def _type_text(node: Any) -> str:
    """The type of a declaration of one name, without the name."""
    words = [] if kind(node) != "TypeDecl" else list(node.quals or ())
    named = kind(node.type) in ("Struct", "Union", "Enum") and node.type.name
    text = f"{kind(node.type).lower()} {node.type.name}" if named else generated(node.type).strip()
    return " ".join([*words, text])


def _returns_nothing(node: Any) -> bool:
    inner = node.decl.type.type
    return kind(inner) == "TypeDecl" and kind(inner.type) == "IdentifierType" and inner.type.names == ["void"]


def _number(node: Any) -> int | None:
    """The value of a literal; None for anything else."""
    value = whole_number(node) if kind(node) == "Constant" else None
    return None if value is None else value.constant()


def _length(node: Any) -> str:
    """The length of a row: a number or a name; empty for anything else."""
    number = _number(node)
    return getattr(node, "name", "") if number is None else str(number)


def _has_product(subscripts: Sequence[Any]) -> bool:
    """Whether subscripts multiply, or shift, what they are made of."""
    return any(kind(n) == "BinaryOp" and n.op in ("*", "<<") for each in subscripts for n in nodes_below(each))


def _is_total(size: str) -> bool:
    """Whether a parameter is called as the number of all elements of all rows often is."""
    return any(word in size.lower() for word in _TOTALS)


def _likely_sizes(free: Sequence[str], index: str) -> Sequence[str]:
    """The sizes that may be meant for an array whose subscripts are elements of `index`, which may be empty.

    Those whose names have to do with it, else those that are no total, else all.
    """
    return _similar_sizes(free, index) or [size for size in free if not _is_total(size)] or free


def _similar_sizes(free: Sequence[str], index: str) -> list[str]:
    """The sizes whose names have to do with that of `index`."""
    similar: list[str] = []
    for size in free:
        if index and (size.lower() in index.lower() or index.lower() in size.lower()):
            similar.append(size)
    return similar


def _last(extent: str) -> str | None:
    """The last subscript of an array with an extent such as `n + 1`."""
    if extent.isdigit():
        return str(int(extent) - 1)
    match = re.fullmatch(r"(\S.*?) \+ 1", extent)
    return match.group(1) if match else (f"{extent} - 1" if extent else None)


def _begin(loop: Any, counter: str) -> Any:
    """What a counter begins with in the head of a `for`; None where that does not say."""
    for part in parts_of(loop.init):
        if kind(part) == "Decl" and part.name == counter:
            return part.init
        if kind(part) == "Assignment" and part.op == "=" and getattr(part.lvalue, "name", "") == counter:
            return part.rvalue
    return None


def _wrapped(items: Sequence[_Item], column: int) -> str:
    """The parameters in parentheses, in lines of at most 100 characters."""
    lines: list[str] = []
    line = ""
    for number, item in enumerate(items):
        piece = item.text + ("," if number < len(items) - 1 else "")
        if line and column + len(line) + 1 + len(piece) > 100:
            lines.append(line)
            line = piece
        else:
            line = f"{line} {piece}" if line else piece
    lines.append(line)
    return "(" + ("\n" + " " * column).join(lines) + ")"


def _without_space(text: str) -> str:
    return re.sub(r"\s+", "", text)
