"""Parameters of kernel functions: whatever their tree names.

An argument is an expression of the entry point, which calls most variables as the kernel does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from collections.abc import Sequence as Seq
from dataclasses import replace
from functools import lru_cache

from pencilc.codegen.instances import expansion_names, expansion_origins, iterator_type, shared_name
from pencilc.codegen.names import safe
from pencilc.codegen.unread import without_unread
from pencilc.ir.build import cast, variable
from pencilc.ir.kernel import BLOCK_ROWS, KernelFunction
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.nodes import Node, Parameter, blocks_in, names_of, values_taken, variables_of
from pencilc.ir.queries import subscripts_in
from pencilc.ir.schedule import statements_of
from pencilc.ir.shapes import Kernel
from pencilc.ir.source import LLONG, SCALARS, VOID, Expr, PointerType, Symbol, element_type
from pencilc.ir.storage import InBlock, Pointer, Storage, Value, Workspace

Pair = tuple[Parameter, Expr]  # a parameter and the argument at the launch

# What building blocks are given at the launch, in the order of parameters.
_GIVEN = ("@depth", "@workers", "@partials", "@tickets", "@barrier")


def with_parameters(
    program: MappedProgram, function: KernelFunction, kernel: Kernel, exchanged: frozenset[str] = frozenset()
) -> KernelFunction:
    """`function` with its parameters and arguments, in the order of the region's parameters.

    What it does that nothing needs is left out first.  `exchanged`: variables that other functions of the same kernel
    access through pointers of their own.
    """
    function = replace(function, body=without_unread(function.body))
    blocks = tuple(blocks_in(function.body))
    words = names_of(function.body)
    pairs = [
        *_without_stale_loads(_variables(program, kernel, words, exchanged), function.body),
        *_shared(program, kernel, words),
        *_sizes(program, kernel, words),
    ]
    returns = program.scop.region.returns
    if returns != VOID and "@result" in words:
        pairs.append(_same(Parameter("@result", PointerType(returns), restrict=True)))
    if BLOCK_ROWS in words:
        counted = variable(BLOCK_ROWS, LLONG)
        index = SCALARS[function.index]
        pairs.append((Parameter(BLOCK_ROWS, index), counted if index == LLONG else cast(index, counted)))
    given = {each.name: each for node in blocks for each in getattr(node, "given", ())}
    pairs += [_same(given[name]) for name in _GIVEN if name in given]
    pairs += function.extra
    parameters, arguments = tuple(parameter for parameter, _ in pairs), tuple(argument for _, argument in pairs)
    return replace(function, parameters=parameters, arguments=arguments)


def _same(parameter: Parameter) -> Pair:
    """A parameter that the entry point has under the same name."""
    return parameter, variable(parameter.name, parameter.type)


def exchanged(program: MappedProgram, stages: Seq[Kernel]) -> frozenset[str]:
    """Variables that one of the stages writes and another one accesses."""
    written = set().union(*(written_in(program, stage) for stage in stages))
    accessed: Counter[str] = Counter()
    for stage in stages:
        names = {a.array for n in stage.statements for a in program.scop.statement(n).accesses}
        accessed.update({program.scop.array(name).symbol.name for name in names} | written_in(program, stage))
    return frozenset(name for name in written if accessed[name] > 1)


def _variables(program: MappedProgram, kernel: Kernel, words: set[str], exchanged: frozenset[str]) -> Iterator[Pair]:
    """Arrays and scalars of the region, its parameters first."""
    written = written_in(program, kernel)
    for word, symbol, storage in _given(program):
        if word in words:
            name = symbol.name
            yield _same(_kernel_parameter(symbol, storage, name in written, name in exchanged))


def _without_stale_loads(pairs: Iterable[Pair], body: tuple[Node, ...]) -> list[Pair]:
    """The parameters such that nvcc takes nothing that the function writes through the read-only cache.

    It makes one load of `c ? written[i] : constant[j]`, by a chosen address, and takes that for one of the constants
    where these are `__restrict__` (seen with nvcc 13.0 and 13.5, whatever the choice is written as).  So nothing that
    is only read is, where the function reads what it or another function of the kernel writes; that what is written is
    `__restrict__` says as much.
    """
    found = list(pairs)
    read = values_taken(body, lambda stmt: variables_of(subscripts_in(stmt.target), stmt.value))
    arrays = [p for p, _ in found if isinstance(p.type, PointerType)]
    if all(p.name not in read or (p.is_const and p.restrict) for p in arrays):
        return found
    return [(replace(p, restrict=p.restrict and not p.is_const), argument) for p, argument in found]


@lru_cache(maxsize=8)
def _given(program: MappedProgram) -> tuple[tuple[str, Symbol, Storage | None], ...]:
    """What kernels may be given, the region's parameters first: the word in the output, the symbol, where it lives."""
    scop = program.scop
    params = {p.name: p for p in (*scop.region.params, *(product.symbol for product in scop.products))}
    symbols = params | {a.symbol.name: a.symbol for a in scop.arrays} | params
    places = {s.array: s for s in program.storage}
    found = ((safe(name), symbol, places.get(name)) for name, symbol in symbols.items())
    return tuple(each for each in found if each[2] is None or _is_parameter(each[2]))


def _shared(program: MappedProgram, kernel: Kernel, words: set[str]) -> Iterator[Pair]:
    """What a block has of variables in shared memory."""
    written = written_in(program, kernel)
    symbols = {a.symbol.name: a.symbol for a in program.scop.arrays}
    for storage in program.storage:
        if isinstance(storage.residence, InBlock) and shared_name(storage) in words:
            pointer = PointerType(element_type(symbols[storage.array].type))
            yield _same(Parameter(shared_name(storage), pointer, is_const=storage.array not in written))


def _sizes(program: MappedProgram, kernel: Kernel, words: set[str]) -> Iterator[Pair]:
    """Sizes of expanded workspace variables, and the iterators of the host loops around the launch."""
    for name in _size_names(program):
        if name in words:
            yield _same(Parameter(name, LLONG))
    for name in kernel.host:
        if name in words:
            yield _same(Parameter(name, iterator_type(program.scop, name)))


@lru_cache(maxsize=8)
def _size_names(program: MappedProgram) -> tuple[str, ...]:
    """The sizes of all dimensions that variables have beside their own, and what they count from."""
    return tuple(
        name
        for storage in program.storage
        for name in (*expansion_names(storage), *filter(None, expansion_origins(storage)))
    )


def _is_parameter(storage: Storage) -> bool:
    """Whether a kernel that uses the variable is given it, or where it is in memory."""
    residence = storage.residence
    if isinstance(residence, InBlock):
        return residence.memory is not None
    return isinstance(residence, Pointer | Value | Workspace)


def _kernel_parameter(symbol: Symbol, storage: Storage | None, written: bool, exchanged: bool) -> Parameter:
    """`exchanged` data may not come through the read-only cache, which `const` and `__restrict__` together allow."""
    name = safe(symbol.name)
    if storage is not None and isinstance(storage.residence, Workspace | Pointer | InBlock):
        return Parameter(name, PointerType(element_type(symbol.type)), not written, not exchanged)
    return Parameter(name, symbol.type)


def written_in(program: MappedProgram, kernel: Kernel) -> set[str]:
    """The symbols of the variables that a kernel writes."""
    scop = program.scop
    if kernel.body is None:
        names = tuple(s.name for s in scop.statements)
    else:
        names = (*kernel.prologue, *statements_of(kernel.body), *kernel.behind(scop))
    written = {a.array for n in names for a in scop.statement(n).accesses if a.kind.writes}
    for name in names:
        reduction = scop.reduction_with(name)
        if reduction is not None and reduction.merge == name:
            written.add(reduction.array)
    return {scop.array(name).symbol.name for name in written}
