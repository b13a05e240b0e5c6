"""Where every variable of the region lives: register, workspace, parameter.

A local stays in a register when one part (prologue, body or post) of one kernel is all that touches it and
its value does not outlive the launch.  Otherwise it lives in the workspace, with one dimension for each
loop of its scope that is not a loop on the host.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Seq
from collections.abc import Set as AbstractSet

from pencilc import islx
from pencilc.analysis.affinity import is_indexed_whole
from pencilc.analysis.box import Domains
from pencilc.gpu.records import Alternative, Placed, Shaped
from pencilc.gpu.variants.substitute import with_alternative
from pencilc.ir.mapping import HostItem, HostLoop
from pencilc.ir.schedule import Band, Leaf, Row, Tree, statements_of, statements_with_rows
from pencilc.ir.scop import AccessKind, Array, ArrayKind, Reduction, Scop, StatementKind
from pencilc.ir.shapes import Kernel
from pencilc.ir.source import ArrayType, IntLiteral
from pencilc.ir.storage import (
    Constant,
    Element,
    Home,
    Pointer,
    Register,
    Residence,
    Result,
    Storage,
    Uniform,
    Value,
    Workspace,
)
from pencilc.parts.contraction import is_contracted
from pencilc.parts.expansion import expansion
from pencilc.parts.part import Unmappable
from pencilc.poly.model.extents import check_sized
from pencilc.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class StatementUse:
    """A statement that touches a variable: in which part of which kernel, below which host rows."""

    statement: str
    kernel: Kernel
    part: str
    host: tuple[Row, ...]


def place(shaped: Shaped) -> Placed:
    """The pass `storage`: where variables live while the kernels run one by one; raises Unmappable."""
    region = shaped.region
    touching = _touching(region.scop, _uses(region.scop, shaped.items, ()))
    uniform = shaped.joined.parted.uniform
    table: list[Storage] = []
    for name, arrays in _by_symbol(region.scop).items():
        uses = _of(arrays, touching)
        residence = Uniform(uniform[name]) if name in uniform else _place(region.scop, arrays, uses, region.domains)
        table.append(Storage(name, residence))
    others = tuple(_table_of(alternative, shaped.items, table, touching) for alternative in shaped.alternatives)
    return Placed(shaped, tuple(table), others)


def _table_of(
    alternative: Alternative,
    items: tuple[HostItem, ...],
    one_by_one: Seq[Storage],
    touching_one_by_one: Mapping[str, Seq[StatementUse]],
) -> tuple[Storage, ...]:
    """Where variables live in the kernels of an alternative, which stand among the others of the region.

    A local that fewer kernels need may live in registers.  What stays in memory is where it is for the other kernels.
    `touching_one_by_one`: the uses of each array in the kernels of the region, as `_touching` has them.
    """
    scop = alternative.scop
    uses = _uses(scop, with_alternative(items, alternative), ())
    own = {kernel.name for kernel in alternative.kernels}
    inside = [use for use in uses if use.kernel.name in own]
    by_symbol = _by_symbol(scop)
    local = {
        symbol: by_symbol[symbol]
        for symbol in dict.fromkeys(scop.array(name).symbol.name for name in _touching(scop, inside))
        if by_symbol[symbol][0].kind is ArrayKind.LOCAL
    }
    # Hundreds of alternatives of one region have to do with few of its statements each.
    arrays_here = [array.name for arrays in local.values() for array in arrays]
    statements = {use.statement for name in arrays_here for use in touching_one_by_one.get(name, ())}
    statements |= {use.statement for use in inside}
    touching = _touching(scop, [use for use in uses if use.statement in statements])
    found: list[Storage] = []
    for known in one_by_one:
        arrays = local.get(known.array)
        if arrays is not None and not isinstance(known.residence, Uniform):
            here = Storage(known.array, _place(scop, arrays, _of(arrays, touching), alternative.domains))
            known = here if here.is_in_register else known
        found.append(known)
    return tuple(found)


def _by_symbol(scop: Scop) -> dict[str, list[Array]]:
    """The arrays that each symbol of the region stands for, in order of declaration."""
    found: dict[str, list[Array]] = {}
    for array in scop.arrays:
        found.setdefault(array.symbol.name, []).append(array)
    return found


def _uses(scop: Scop, items: tuple[HostItem, ...], host: tuple[Row, ...]) -> list[StatementUse]:
    found: list[StatementUse] = []
    for item in items:
        if isinstance(item, HostLoop):
            found += _uses(scop, item.items, (*host, item.row))
            continue
        if not isinstance(item, Kernel):
            continue  # kernels are stitched after this
        body = statements_of(item.body)
        for part, names in (("prologue", item.prologue), ("body", body), ("post", item.behind(scop))):
            found += [StatementUse(name, item, part, host) for name in names]
    return found


def _of(arrays: Seq[Array], touching: Mapping[str, Seq[StatementUse]]) -> list[StatementUse]:
    """The uses of any of the arrays that a symbol stands for, each once."""
    if len(arrays) == 1:
        return list(touching.get(arrays[0].name, ()))
    return list({(u.statement, u.kernel.name, u.part): u for a in arrays for u in touching.get(a.name, ())}.values())


def _place(scop: Scop, arrays: Seq[Array], touching: Seq[StatementUse], domains: Domains) -> Residence:
    first = arrays[0]
    written = any(scop.is_written(a.name) for a in arrays)
    if first.kind is ArrayKind.RESULT:
        return Result()
    if first.kind is ArrayKind.GLOBAL:
        return Constant()
    if first.kind is ArrayKind.PARAM:
        if isinstance(first.symbol.type, ArrayType):
            return Pointer()
        if first.symbol.name in scop.region.written_scalars:
            return Pointer()
        if written:
            raise Unmappable(f"parameter `{first.symbol.spelling}` is assigned to")
        return Value()
    if first.symbol.name in scop.region.left and touching:
        return Workspace(())  # the host reads it back in each round
    fits = _fits_register(scop, first, touching)
    if touching and (not fits or (first.extents and written)):
        home = {(u.kernel.name, u.part) for u in touching}
        kernel = touching[0].kernel
        rows = (*touching[0].host, *kernel.kept, *kernel.reduced)
        if home == {(kernel.name, "body")} and is_contracted(scop, arrays, rows, kernel.body, domains):
            return Element((Home(kernel.name, "body"),))
    if fits:
        kernels = dict.fromkeys(u.kernel.name for u in touching)
        return Register(tuple(Home(k, _home([u for u in touching if u.kernel.name == k])) for k in kernels))
    check_sized(first.symbol, {p.name: p for p in scop.params})
    users = [(use.statement, use.host) for use in touching]
    found = expansion(scop, first, users, domains)
    return Workspace(found, interleaved=bool(found) and len(arrays) == 1 and _is_of_threads(scop, first, touching))


def _is_of_threads(scop: Scop, array: Array, touching: Seq[StatementUse]) -> bool:
    """Whether threads have an iteration of the array's scope each, and go through its elements one after the other.

        for (i…) { double c[n];  for (j…) c[j] = f(c[j - 1], …); }

    What the threads of a warp access at once are elements of as many iterations.  Kernels that have a thread for each
    element access them less often, by fewer loops.
    """
    depth = len(array.scope_iterators)
    if not array.extents or any(reduction.array == array.name for reduction in scop.reductions):
        return False
    by_thread, by_element = [0], [0]  # the loops around the statements of each
    for use in touching:
        kernel, statement = use.kernel, scop.statement(use.statement)
        if not kernel.is_of_points or kernel.plans or kernel.tiling is not None or kernel.halo is not None:
            return False
        if not all(is_indexed_whole(root, array.symbol.name) for root in statement.roots):
            return False
        has_own = bool(kernel.kept) and all(_is_of_scope(row, use.statement, depth) for row in kernel.kept)
        (by_thread if has_own else by_element).append(len(statement.loops))
    return max(by_thread) > max(by_element)


def _touching(scop: Scop, uses: Seq[StatementUse]) -> dict[str, list[StatementUse]]:
    """For each array the uses whose statement reads or writes it itself; updates go to accumulators instead."""
    merged = {r.merge: r.array for r in scop.reductions}
    owners: dict[str, list[Reduction]] = {}
    for reduction in scop.reductions:
        for update in reduction.updates:
            owners.setdefault(update, []).append(reduction)
    found: dict[str, list[StatementUse]] = {}
    for use in uses:
        accumulated = {r.array for r in owners.get(use.statement, ()) if r.name in use.kernel.reductions}
        touched = {
            a.array: None
            for a in scop.statement(use.statement).accesses
            if a.kind is not AccessKind.KILL and not (a.kind is AccessKind.UPDATE and a.array in accumulated)
        }
        if use.statement in merged:
            touched[merged[use.statement]] = None
        for array in touched:
            found.setdefault(array, []).append(use)
    return found


def _home(touching: Seq[StatementUse]) -> str:
    parts = {u.part for u in touching}
    return "prologue" if "prologue" in parts else touching[0].part


def _fits_register(scop: Scop, array: Array, touching: Seq[StatementUse]) -> bool:
    if not touching:
        return True  # nobody needs it: what was stored there is not generated (parts/uniform.py)
    if any(not isinstance(e, IntLiteral) for e in array.extents):
        return False
    if not _is_repeated(scop, array, touching) or _is_torn(array, touching):
        return False
    parts = {u.part for u in touching}
    if len(parts) > 1 and "prologue" not in parts:
        return False
    # A value that an earlier host iteration left behind would be lost with the register.
    depth = len(array.scope_iterators)
    return all(_is_of_scope(row, use.statement, depth) for use in touching for row in use.host)


def _is_repeated(scop: Scop, array: Array, touching: Seq[StatementUse]) -> bool:
    """Whether each kernel that touches the variable makes its value itself (gpu/shapes/split.py), as one alone does."""
    uses: dict[str, set[str]] = {}
    for use in touching:
        uses.setdefault(use.kernel.name, set()).add(use.statement)
    written = {
        use.statement
        for use in touching
        if any(a.array == array.name and a.kind is not AccessKind.READ for a in scop.statement(use.statement).accesses)
    }
    # What a merge node leaves is handed on from kernel to kernel.
    handed_on = any(scop.statement(name).kind is StatementKind.MERGE for name in written)
    return len(uses) == 1 or (bool(written) and not handed_on and all(written <= names for names in uses.values()))


def _is_torn(array: Array, touching: Seq[StatementUse]) -> bool:
    """Whether a thread has several values of the variable at once: one statement makes all of them before another one
    needs any, or both are in unlike iterations of the variable's loops.
    """
    inside: dict[str, tuple[Kernel, set[str]]] = {}
    for use in touching:
        if use.part == "body":
            inside.setdefault(use.kernel.name, (use.kernel, set()))[1].add(use.statement)
    depth = len(array.scope_iterators)
    return any(
        len(names) > 1 and kernel.body is not None and _are_apart(kernel.body, names, depth)
        for kernel, names in inside.values()
    )


def _are_apart(tree: Tree, names: AbstractSet[str], depth: int) -> bool:
    """Whether statements below one tree have unlike values of their first `depth` loops at one point of it."""
    while isinstance(tree, Band):
        for row in tree.rows:
            functions = islx.pw_affs_of(row.function)
            if row.flag == "s" and len({islx.on_outer(functions[name], depth) for name in names}) > 1:
                return True
        tree = tree.child
    if isinstance(tree, Leaf):
        return False
    children = [(child, own) for child in tree.children if (own := names & {*statements_of(child)})]
    if len(children) == 1:
        return _are_apart(children[0][0], names, depth)
    return any(
        _is_about(row, name, depth)
        for child, own in children
        for name, rows in statements_with_rows(child)
        for row in rows
        if name in own
    )


def _is_of_scope(row: Row, name: str, depth: int) -> bool:
    """Whether a row has to do with nothing but the first loops of a statement, those around the variable."""
    function = islx.pw_affs_of(row.function).get(name)
    factors = None if function is None else islx.coefficients(function)
    return factors is not None and not any(factors[depth:])


def _is_about(row: Row, name: str, depth: int) -> bool:
    """Whether a row has to do with the first loops of a statement."""
    function = islx.pw_affs_of(row.function).get(name)
    factors = None if function is None else islx.coefficients(function)
    return function is not None and (factors is None or any(factors[:depth]))
