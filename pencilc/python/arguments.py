"""What a call is given, matched with what an entry point expects: names, sizes, element types, shapes, memory.

All that can be wrong with a call is found here, before anything runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pencilc.ir.source import Cast, Expr, Function, Name, Scalar, Struct
from pencilc.ir.source_printer import print_expr
from pencilc.python.arrays import ArrayView, Memory, mismatch, spelled_layout, view_of
from pencilc.python.entries import EntryArgument, EntryPoint
from pencilc.python.errors import ArgumentTypeError, ArgumentValueError
from pencilc.python.values import encoded
from pencilc.records import dataclass
from pencilc.verify.cases import leaves, unpack_column
from pencilc.verify.intervals import Environment, constant


@dataclass(frozen=True, slots=True)
class GivenArgument:
    """What is given for one parameter: the bytes of a value, or an array."""

    expected: EntryArgument
    data: bytes = b""
    array: ArrayView | None = None


@dataclass(frozen=True, slots=True)
class GivenCall:
    """The checked arguments of a call in C order, and where its arrays lie: None if it has none."""

    arguments: tuple[GivenArgument, ...]
    memory: Memory | None

    @property
    def arrays(self) -> tuple[tuple[EntryArgument, ArrayView], ...]:
        """The arrays with what is expected of them."""
        return tuple((given.expected, given.array) for given in self.arguments if given.array is not None)


def bind(
    entry: EntryPoint,
    functions: Mapping[str, Function],
    positional: Sequence[Any],
    named: Mapping[str, Any],
    stream: int | None,
    goes_to_device: bool,
) -> GivenCall:
    """Match and check everything that a call of `entry` is given.

    `functions` are those of the file, which extents may call.  With `goes_to_device` what goes by pointer lies there,
    as arrays of one element.  Raises ArgumentTypeError and ArgumentValueError.
    """
    values = _matched(entry, positional, named)
    views = {
        a.name: view_of(values[a.name], a.name, stream)
        for a in entry.arguments
        if a.name in values and (a.is_array or (a.goes_by_pointer and goes_to_device))
    }
    for argument in entry.arguments:
        if argument.name in views and argument.is_array:
            _check_dimensions(argument, views[argument.name])
    for argument in entry.arguments:
        if argument.name not in values:
            values[argument.name] = _inferred(entry, argument.name, views)
    data = {a.name: encoded(a.type, values[a.name], a.name) for a in entry.arguments if a.name not in views}
    scope = _scope(entry, data, functions)
    for argument in entry.arguments:
        if argument.name in views:
            _check_array(argument, views[argument.name], scope)
    memory = _common_memory(views)
    if memory is not None:
        _check_apart(entry, views)
    given = tuple(GivenArgument(a, data.get(a.name, b""), views.get(a.name)) for a in entry.arguments)
    return GivenCall(given, memory)


# ---- which argument is which -----------------------------------------------------------------------


def _matched(entry: EntryPoint, positional: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """The values by name.  Sizes that the arrays tell may be left out, positional ones all or none."""
    names = [a.name for a in entry.arguments]
    for name in named:
        if name not in names:
            raise ArgumentTypeError(f"{entry.name}() has no parameter `{name}`; {_signature(entry)}")
    open_ = [name for name in names if name not in named]
    told = sizes_told(entry)
    needed = [name for name in open_ if name not in told]
    if len(positional) == len(open_):
        chosen = open_
    elif len(positional) == len(needed):
        chosen = needed
    else:
        least = f"{len(needed)} or " if len(needed) != len(open_) else ""
        raise ArgumentTypeError(
            f"{entry.name}() takes {least}{len(open_)} {'more ' if named else ''}arguments, but {len(positional)} "
            f"{'was' if len(positional) == 1 else 'were'} given; {_signature(entry)}"
        )
    return {**dict(zip(chosen, positional, strict=True)), **named}


def _signature(entry: EntryPoint) -> str:
    told = sizes_told(entry)
    more = f", where {', '.join(told)} may be left out" if told else ""
    return f"it is `{entry.prototype}`{more}"


def sizes_told(entry: EntryPoint) -> tuple[str, ...]:
    """The integer parameters that are, by themselves, an extent of some array: its shape tells them."""
    alone = {name for a in entry.arguments for e in a.extents if (name := _alone(e)) is not None}
    return tuple(
        a.name
        for a in entry.arguments
        if a.name in alone and not a.is_array and isinstance(a.type, Scalar) and a.type.is_integer
    )


def _alone(extent: Expr | None) -> str | None:
    """The parameter that an extent is, if it is nothing else."""
    while isinstance(extent, Cast):
        extent = extent.operand
    return extent.symbol.name if isinstance(extent, Name) else None


def _inferred(entry: EntryPoint, size: str, views: Mapping[str, ArrayView]) -> int:
    """The value of a size that was left out: all arrays have to agree on it."""
    found: dict[int, str] = {}
    for argument in entry.arguments:
        view = views.get(argument.name)
        if view is None or view.is_memory:
            continue
        for extent, length in zip(argument.extents, view.shape, strict=False):
            if _alone(extent) == size:
                found.setdefault(length, argument.name)
    if not found:
        raise ArgumentTypeError(f"`{size}` was left out, and no array tells it; {_signature(entry)}")
    if len(found) > 1:
        said = ", ".join(f"{value} by `{name}`" for value, name in found.items())
        raise ArgumentValueError(f"`{size}` was left out, and the arrays tell different values of it: {said}")
    return next(iter(found))


# ---- arrays ----------------------------------------------------------------------------------------


def _scope(entry: EntryPoint, data: Mapping[str, bytes], functions: Mapping[str, Function]) -> Environment:
    """The scalars with their values, members of structs under dotted names."""
    scope = Environment(functions)
    for argument in entry.arguments:
        if argument.name not in data:
            continue
        for leaf in leaves(argument.type, argument.name):
            (value,) = unpack_column(data[argument.name], leaf, argument.type.size)
            scope.values[leaf[0]] = (value, value)
    return scope


def _check_array(argument: EntryArgument, view: ArrayView, scope: Environment) -> None:
    name = argument.name
    shape = _expected_shape(argument, scope)
    if view.is_memory:
        _check_memory(argument, view, shape)
    else:
        _check_elements(argument, view, shape)
    if not view.is_contiguous:
        raise ArgumentValueError(
            f"the elements of `{name}` do not follow each other in C order (its strides are {view.strides} bytes): "
            "make it contiguous before, as numpy.ascontiguousarray or .contiguous() do"
        )
    if argument.is_written and not view.is_writable:
        raise ArgumentValueError(f"`{name}` is written by the call, and the array is read-only")
    if view.memory == "device" and view.address % argument.type.align:
        raise ArgumentValueError(
            f"`{name}` begins at {view.address:#x}, which is no multiple of the {argument.type.align} bytes that "
            f"{spelled_layout(argument.type)} needs"
        )


def _check_memory(argument: EntryArgument, view: ArrayView, shape: tuple[int, ...]) -> None:
    """Memory without a type has to hold what is expected, and may be larger."""
    needed = math.prod(shape) * argument.type.size
    if view.size < needed:
        raise ArgumentValueError(
            f"`{argument.name}` has {view.size} bytes, where C expects {_declared(argument, shape)} of "
            f"{spelled_layout(argument.type)}, which are {needed}"
        )


def _check_elements(argument: EntryArgument, view: ArrayView, shape: tuple[int, ...]) -> None:
    given = _shape_in_elements(argument, view)
    if given is None:
        fault = mismatch(argument.type, view.layout)
        raise ArgumentTypeError(f"`{argument.name}`: {fault}{_remedy_of_type(argument)}")
    is_one = not argument.is_array and view.count == 1
    if given != shape and not is_one:
        raise ArgumentValueError(f"`{argument.name}` has shape {given}, where C expects {_declared(argument, shape)}")


def _check_dimensions(argument: EntryArgument, view: ArrayView) -> None:
    expected, found = len(argument.extents), len(view.shape)
    if view.is_memory or found == expected or (found == expected + 1 and isinstance(argument.type, Struct)):
        return
    texts = "".join(f"[{'' if e is None else print_expr(e)}]" for e in argument.extents)
    raise ArgumentValueError(
        f"`{argument.name}` has {found} {'dimension' if found == 1 else 'dimensions'} (shape {view.shape}), where C "
        f"declares `{argument.name}{texts}`: give it that shape, as reshape does"
    )


def _expected_shape(argument: EntryArgument, scope: Environment) -> tuple[int, ...]:
    shape = []
    for extent in argument.extents:
        length = None if extent is None else constant(extent, scope)
        if not isinstance(length, int):
            text = "" if extent is None else f" `{print_expr(extent)}`"
            raise ArgumentValueError(f"the extent{text} of `{argument.name}` cannot be told from the arguments")
        if length < 0:
            assert extent is not None
            raise ArgumentValueError(f"the extent `{print_expr(extent)}` of `{argument.name}` is {length}")
        shape.append(length)
    return tuple(shape)


def _shape_in_elements(argument: EntryArgument, view: ArrayView) -> tuple[int, ...] | None:
    """The shape of an array of the right elements; None where they are others.

    Structs may also be given as their bytes, along a last dimension of their size: not every library has records.
    """
    if not mismatch(argument.type, view.layout):
        return view.shape
    are_bytes = view.layout.kind == "uint" and view.layout.size == 1
    if isinstance(argument.type, Struct) and are_bytes and view.shape[-1:] == (argument.type.size,):
        return view.shape[:-1]
    return None


def _remedy_of_type(argument: EntryArgument) -> str:
    if isinstance(argument.type, Struct):
        return f"; module.dtype({argument.type.name!r}) is NumPy's type of it"
    return ""


def _declared(argument: EntryArgument, shape: tuple[int, ...]) -> str:
    """`(3, 4) (rows, columns)`: the shape with what the source calls it."""
    texts = ", ".join(print_expr(e) for e in argument.extents if e is not None)
    return f"{shape} ({texts})" if argument.is_array else "one element"


def _common_memory(views: Mapping[str, ArrayView]) -> Memory | None:
    places = {view.memory: name for name, view in views.items()}
    if len(places) > 1:
        raise ArgumentTypeError(
            f"`{places['host']}` lies in host memory and `{places['device']}` on a device: all arrays of a call have to"
            " lie in the same memory"
        )
    return next(iter(places), None)


def _check_apart(entry: EntryPoint, views: Mapping[str, ArrayView]) -> None:
    """No array that is written shares memory with another one: the generated code relies on it."""
    by_name = {a.name: a for a in entry.arguments}
    spans = sorted((view.address, view.address + view.size, name) for name, view in views.items() if view.size)
    for position, (_, end, name) in enumerate(spans):
        for other_start, _, other in spans[position + 1 :]:
            if other_start >= end:
                break
            if by_name[name].is_written or by_name[other].is_written:
                first, second = sorted((name, other), key=list(by_name).index)
                written = first if by_name[first].is_written else second
                raise ArgumentValueError(
                    f"`{first}` and `{second}` share memory, and `{written}` is written: arrays of a call must not "
                    "overlap"
                )
