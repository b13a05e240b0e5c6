"""What elements of a tile do for points that the source has not: whether anybody would see it."""

from __future__ import annotations

import islpy as isl

from pencilc.analysis.affinity import base_name
from pencilc.ir.schedule import statements_of
from pencilc.ir.scop import Scop
from pencilc.ir.shapes import Tiling
from pencilc.ir.source import Binary, Call, Dereference, For, Index, Name, ReductionUpdate, Scalar, While, children
from pencilc.ir.source_printer import print_expr


def seen_points(scop: Scop, shared: Tiling) -> isl.Set | None:
    """The kept points whose results somebody sees, where elements of others do no harm; None if all of the box."""
    looping, occupied = shared.looping, shared.occupied
    if looping is None or not only_computes(scop, shared):
        return None
    has_others = occupied is None or not occupied.is_subset(looping)
    return None if has_others and not keeps_others(scop, shared.carried) else looping


def keeps_others(scop: Scop, carried: str) -> bool:
    """Whether what elements make of `carried` is lost where a point has no reduced ones, for it is not stored there.

    What is reduced has a result without any, and what a point hands on in a local variable is used behind its loop.
    """
    return bool(carried) and scop.arrays_of(carried)[0].symbol.kind != "local"


def asks_for_elements(scop: Scop, shared: Tiling) -> bool:
    """Whether each element is asked for, in all stages: a point may have none, or not all, and that has to be kept.

    Where a point has all of its elements or none, and these only compute, it has them in any case; what it would have
    without any is put in its place behind the loop, where the source has a result for it.
    """
    if shared.looping is None or shared.points is not None:
        return False
    is_free = shared.is_product and only_computes(scop, shared)
    return not is_free or (shared.has_others and not _begins_again(scop, shared))


def _begins_again(scop: Scop, shared: Tiling) -> bool:
    """Whether what a point begins with may be computed once more behind its loop: it sets nothing else, and reads
    nothing that the kernel writes.
    """
    if not shared.carried:
        return True
    own = {array.name for array in scop.arrays_of(shared.carried)}
    written = scop.written((*shared.before, *statements_of(shared.body), *shared.after))
    return scop.written(shared.before) <= own and scop.read(shared.before).isdisjoint(written)


def only_computes(scop: Scop, shared: Tiling) -> bool:
    """Whether elements may be computed for points that the source has not, whose results nobody sees."""
    return all(_only_computes(scop.statement(name).body, scop, shared) for name in statements_of(shared.body))


def begins_anywhere(scop: Scop, shared: Tiling) -> bool:
    """Whether what a point begins with may be computed where the source has no point, and left out behind that."""
    return all(_only_computes(scop.statement(name).body, scop, shared) for name in shared.before)


def _only_computes(body: object, scop: Scop, shared: Tiling) -> bool:
    """Whether a statement of an element does nothing but arithmetic on operands, whatever their values are.

    No division of integers, no access to memory, no loop: what it makes of other values than the source's harms nobody.
    """
    operands = {print_expr(each.index) for each in shared.operands}
    own = scop.written((*shared.before, *statements_of(shared.body)))
    functions = {each.name: each for each in scop.functions}
    pending, called = [body], set[str]()
    while pending:
        node = pending.pop()
        match node:
            case ReductionUpdate():
                pending += [node.element, functions[node.operator].body]
                continue
            case For() | While() | Dereference():
                return False
            case Binary(op="/" | "%") if isinstance(node.type, Scalar) and node.type.is_integer:
                return False
            case Index():
                if print_expr(node) not in operands and base_name(node) != shared.carried:
                    return False
                continue
            case Name(symbol=symbol) if is_left_by_others(scop, symbol.name, own):
                return False
            case Call() if node.function in functions and node.function not in called:
                called.add(node.function)
                pending.append(functions[node.function].body)
        pending += children(node)  # type: ignore[arg-type]
    return True


def is_left_by_others(scop: Scop, name: str, own: set[str]) -> bool:
    """Whether another kernel leaves the variable in memory, for each of the points that the source has."""
    return any(array.scope_iterators and array.name not in own for array in scop.arrays_of(name))
