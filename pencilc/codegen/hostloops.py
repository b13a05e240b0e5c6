"""Loops and conditions on the host around launches: the schedule of a level, names of its loops, what is grouped."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from collections.abc import Sequence as Seq
from dataclasses import replace

import islpy as isl

from pencilc import islx
from pencilc.analysis.box import launches
from pencilc.codegen.astgen import AstBlock, AstFor, AstIf, AstInstance, AstLet, AstNode, insert_rows
from pencilc.codegen.frame import equals_parameter
from pencilc.codegen.instances import iterator_type
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import number, symbol
from pencilc.ir.host import Fallback, HostIf, HostNode
from pencilc.ir.launches import KernelLaunch
from pencilc.ir.mapping import Composed, HostItem, HostLoop, Packed, Stitched
from pencilc.ir.nodes import For, If, Node
from pencilc.ir.schedule import Row
from pencilc.ir.scop import Scop
from pencilc.ir.shapes import Kernel


def host_schedule(items: Seq[HostItem]) -> isl.Schedule | None:
    """The launches of a level in order, { kernel[h] }; None if nothing is ever launched."""
    result: isl.Schedule | None = None
    for item in items:
        part = _host_part(item)
        if part is not None:
            result = part if result is None else result.sequence(part)
    return result


def _host_part(item: HostItem) -> isl.Schedule | None:
    if isinstance(item, Kernel):
        domain = islx.named(item.domain, item.name)
        return None if domain.is_empty() else isl.Schedule.from_domain(domain.to_union_set())
    if isinstance(item, Stitched | Composed):
        return host_schedule((item.kernel, *item.fallback.kernels))
    if isinstance(item, Packed):
        return isl.Schedule.from_domain(islx.named(launches(item.kernels), item.name).to_union_set())
    inner = host_schedule(item.items)
    if inner is None:
        return None
    whole = None if item.kernel is None else _host_part(item.kernel)
    position = _depth_of(item)
    functions = []
    for points in islx.sets_of(inner.get_domain()):
        functions.append(islx.variable(points, position))
    loop = insert_rows(inner, (Row("s", islx.union_pw_aff(functions)),))
    return loop if whole is None else whole.sequence(loop)


def _depth_of(loop: HostLoop) -> int:
    first = next(iter(_kernels_below(loop)))
    return first.host.index(loop.iterator)


def _kernels_below(item: HostItem) -> list[Kernel]:
    match item:
        case Kernel():
            return [item]
        case Stitched() | Composed():
            return [item.kernel]
        case Packed():
            return [item.kernels[0]]
        case HostLoop():
            return [k for inner in item.items for k in _kernels_below(inner)]


def instances_below(node: AstNode) -> Iterator[AstInstance]:
    """All launches below a node."""
    match node:
        case AstInstance():
            yield node
        case AstBlock():
            for item in node.items:
                yield from instances_below(item)
        case AstFor() | AstLet():
            yield from instances_below(node.body)
        case AstIf():
            yield from instances_below(node.then)
            if node.otherwise is not None:
                yield from instances_below(node.otherwise)


def depth_names(items: Seq[HostItem]) -> tuple[str, ...]:
    """A name for the loops of each depth: the iterator that they share, or one that no iterator has."""
    return tuple(names[0] if len(names) == 1 else depth_name(k) for k, names in enumerate(iterators_by_depth(items)))


def iterators_by_depth(items: Seq[HostItem]) -> list[list[str]]:
    """The iterators of the loops of each depth, by which the kernels inside know them."""
    names: list[dict[str, None]] = []
    _collect(items, 0, names)
    return [list(each) for each in names]


def depth_name(depth: int) -> str:
    """The name of a loop that is no iterator's."""
    return f"@depth{depth}"


def _collect(items: Seq[HostItem], depth: int, names: list[dict[str, None]]) -> None:
    for item in items:
        if isinstance(item, HostLoop):
            if len(names) <= depth:
                names.append({})
            names[depth][item.iterator] = None
            _collect(item.items, depth + 1, names)
        elif isinstance(item, Composed):
            _collect(item.fallback.kernels, depth, names)


def below(loop: HostLoop, around: Seq[str]) -> HostLoop:
    """The loop with the iterations of its kernels where the loops `around` it have the values of parameters."""
    found: list[HostItem] = []
    for item in loop.items:
        match item:
            case HostLoop():
                found.append(below(item, around))
            case Packed():
                found.append(replace(item, kernels=tuple(_at(kernel, around) for kernel in item.kernels)))
            case Kernel():
                found.append(_at(item, around))
            case _:
                found.append(item)
    return replace(loop, items=tuple(found))


def _at(kernel: Kernel, around: Seq[str]) -> Kernel:
    domain = kernel.domain
    for name in around:
        domain = domain.intersect(equals_parameter(domain, kernel.host.index(name), name))
    return replace(kernel, domain=domain)


def loop_nodes(node: AstNode, scop: Scop, work: Callable[[AstInstance], tuple[Node, ...]]) -> tuple[Node, ...]:
    """The loops of a level as those of a function, with `work` for each instance in them."""
    match node:
        case AstBlock():
            return tuple(found for item in node.items for found in loop_nodes(item, scop, work))
        case AstIf():
            otherwise = loop_nodes(node.otherwise, scop, work) if node.otherwise is not None else ()
            return (If(node.condition, loop_nodes(node.then, scop, work), otherwise),)
        case AstFor():
            iterator = symbol(node.name, iterator_type(scop, node.name))
            return (For(iterator, node.lower, node.upper, loop_nodes(node.body, scop, work), number(node.step)),)
        case AstInstance():
            return work(node)
        case AstLet():
            raise CompilerBug(f"`{node.name}` is no loop on the host")


def grouped(
    items: Seq[HostNode], around: Mapping[str, str], inside: str = "", loops: Collection[str] = ()
) -> tuple[HostNode, ...]:
    """Launches for which a fused kernel stands, side by side, under one condition.

    `around`: the fused kernel that stands for a kernel; another one may stand for that.  `inside`: where it is known
    that this one did not run.  `loops`: the kernels that stand for whole loops, launched in front of these.
    """
    found: list[HostNode] = []
    for item in items:
        name = _unless(item, around, inside, loops)
        last = found[-1] if found else None
        if not name:
            if not isinstance(item, KernelLaunch):
                item = replace(item, inner=grouped(item.inner, around, inside, loops))
            found.append(item)
        elif isinstance(last, Fallback) and last.name == name:
            found[-1] = Fallback(name, (*last.inner, item))
        else:
            found.append(Fallback(name, (item,)))
    return tuple(
        replace(item, inner=grouped(item.inner, around, item.name, loops)) if isinstance(item, Fallback) else item
        for item in found
    )


def _unless(item: HostNode, around: Mapping[str, str], inside: str, loops: Collection[str]) -> str:
    """The outermost fused kernel, `inside` another one, that does all of `item`, if one does."""
    if isinstance(item, KernelLaunch):
        chain = [item.unless]
        while chain[-1]:
            chain.append(around.get(chain[-1], ""))
        known = chain[: chain.index(inside)]
        return known[-1] if known else ""
    names = {_unless(each, around, inside, loops) for each in item.inner}
    name = names.pop() if len(names) == 1 else ""
    return name if isinstance(item, HostIf) or name in loops else ""


def launches_in(items: Seq[HostNode]) -> Iterator[KernelLaunch]:
    """All launches of a level and below it."""
    for item in items:
        if isinstance(item, KernelLaunch):
            yield item
        else:
            yield from launches_in(item.inner)


def asked_outside(items: Seq[HostNode]) -> tuple[str, ...]:
    """The fused kernels that somebody asks for outside of the braces that they are launched in."""
    launched: dict[str, tuple[int, ...]] = {}
    asked: list[tuple[str, tuple[int, ...]]] = []

    def look(level: Seq[HostNode], braces: tuple[int, ...]) -> None:
        for place, item in enumerate(level):
            if isinstance(item, KernelLaunch):
                launched.setdefault(item.name, braces)
                continue
            if isinstance(item, Fallback):
                asked.append((item.name, braces))
            look(item.inner, (*braces, place))

    look(items, ())
    outside = (name for name, braces in asked if braces[: len(launched[name])] != launched[name])
    return tuple(dict.fromkeys(outside))


def declared(items: Seq[HostNode], flags: Seq[str]) -> tuple[HostNode, ...]:
    """`items`, whose launches know whether what tells that they fit is declared ahead, as that of `flags` is."""
    return tuple(
        replace(item, is_declared=item.name in flags)
        if isinstance(item, KernelLaunch)
        else replace(item, inner=declared(item.inner, flags))
        for item in items
    )
