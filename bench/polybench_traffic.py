"""PolyBench: bytes that kernels move, beside those of tiles, `python -m bench.polybench_traffic [PROGRAM…]`.

For each kernel of the thirty programs: what it moves of global memory in a call at SIZES, counted by the CPU executor,
and what tiles of WIDTH iterations in every row of its bands would (`needed`).  `--table` writes that to
`docs/polybench_traffic.md`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import islpy as isl

from bench.polybench import MINI, ROOT, mapped, source
from pencilc import islx
from pencilc.driver import compile_source
from pencilc.ir.mapping import Composed, HostItem, HostLoop, MappedProgram, Stitched, kernels_of, name_of
from pencilc.ir.schedule import Band, Leaf, Row, Tree, statements_of
from pencilc.ir.scop import AccessKind
from pencilc.ir.shapes import Kernel, ParallelKernel
from pencilc.options import CompileOptions, Tuning
from pencilc.target import SECTOR
from pencilc.verify.command import Generated, VerifySettings, executor_for, measure_traffic
from pencilc.verify.forms import BY_LAUNCHES, forms_of

Tiles: TypeAlias = Mapping[str, isl.Map]

WIDTH = 32
PAGE = ROOT / "docs" / "polybench_traffic.md"
# More than two tiles and a part of one each way, as far as the executor runs that in seconds.
EXTENT, STEPS = 70, 3
OF_TIME = {"tsteps", "tmax"}
SIZES = {
    name: {size: STEPS if size in OF_TIME else EXTENT + k for k, size in enumerate(sizes)}
    for name, sizes in MINI.items()
}
SIZES["heat-3d"]["n"] = 40
SIZES["doitgen"].update(nr=4, nq=40)
HEAD = f"""# PolyBench: bytes beside those of tiles

What the kernels of the thirty programs of PolyBench/C 4.2.1 ([polybench.md](polybench.md)) move of global memory,
beside what tiles would.  `python -m bench.polybench_traffic --table` writes this page; a test compares it with what the
compiler does.

*Asked* is what the threads of a kernel ask for, all of its launches in a call together, each for itself and whatever
a cache would answer.  *By warps* are the sectors of 32 bytes that the instructions of its warps move: what 32 threads
read in one place is moved once for all of them, and what lies apart takes a sector each.  *By blocks* are the different
bytes that each block reads and writes, added up ([mapping.md](mapping.md#what-warps-ask-for)).  *Tiles* is what tiles
of {WIDTH} iterations in every row of the bands around its statements would move, if each had on the chip what it uses:

> tiles = Σ over the tiles t, Σ over the arrays a:
> (elements of a that t reads + elements of a that t writes) · bytes of an element

An instance S[i] is in tile (⌊f1(i) / {WIDTH}⌋, ⌊f2(i) / {WIDTH}⌋, …), where f1, f2, … are the rows of the schedule
above S; a row that is a loop on the host has tiles of one iteration.  All references of a tile to one element count
once, whichever statement they stand in, so that no reference group counts twice.  Variables that are in no memory count
nothing.  isl counts the elements, at the sizes of the call: {EXTENT} and a little more for each size, so that there
are two whole tiles and a part of one each way; {STEPS} steps of time loops; 40 each way for `heat-3d`, 4 and
40 for the outer rows of `doitgen`.  Plain kernels have blocks of {WIDTH} rows there, as they have where points are
many ([mapping.md](mapping.md)), and tiles with a halo go along as many planes.

Loops in one launch are listed beside the kernels that do their iterations launch by launch, which is what becomes of
them where their points are many.  The word at which the blocks of such a launch meet counts as an array.  What is more
than tiles would move is in bold: what several warps of a block read, or one of them again, is moved each time by the
first two counts, and comes from a cache.  By blocks no kernel moves more.

| program | kernel | asked | by warps | by blocks | tiles | asked / tiles | by warps / tiles | by blocks / tiles |
|---|---|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Compared:
    """A kernel as it is launched, in bytes of a call.

    What its threads ask for, what its warps move in whole sectors, what its blocks must fetch and store at least, and
    what tiles would.
    """

    kernel: str
    asked: int
    by_warps: int
    by_blocks: int
    tiles: int

    def told(self, program: str) -> str:
        """The line of the table."""
        moved = (self.asked, self.by_warps, self.by_blocks)
        cells = (program, self.kernel, *moved, self.tiles, *(_share(each / self.tiles) for each in moved))
        return f"| {' | '.join(map(str, cells))} |"


def _share(share: float) -> str:
    return f"**{share:.2f}**" if share > 1 else f"{share:.2f}"


def needed(program: MappedProgram, sizes: Mapping[str, int]) -> dict[str, int]:
    """By kernel, as it may be launched: the bytes that tiles of WIDTH iterations in each row would move.

    A tile reads each element that its statements read once, whatever the reference, and writes each that they write
    once.  Rows of loops on the host are no part of a tile: each of their iterations has tiles of its own.
    """
    tiles = _tiles(program, sizes)
    return {
        name: sum(_needed(program, kernel, tiles, sizes) for kernel in kernels)
        for name, kernels in _launched(program.items)
    }


def _rows(tree: Tree, above: tuple[Row, ...]) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """The rows above each statement, outermost first."""
    match tree:
        case Band():
            yield from _rows(tree.child, (*above, *tree.rows))
        case Leaf():
            yield tree.statement, above
        case _:
            for child in tree.children:
                yield from _rows(child, above)


def _host_rows(items: Iterable[HostItem]) -> Iterator[Row]:
    for item in items:
        if isinstance(item, HostLoop):
            yield item.row
            yield from _host_rows(item.items)


def _launched(items: Iterable[HostItem]) -> Iterator[tuple[str, tuple[Kernel, ...]]]:
    """What may be launched, by name, and the kernels whose work it does."""
    for item in items:
        match item:
            case HostLoop():
                if item.kernel is not None:
                    yield item.kernel.name, kernels_of(item.items)
                yield from _launched(item.items)
            case Stitched() | Composed():
                yield name_of(item), kernels_of((item,))
                yield from _launched(item.fallback.kernels)
            case _:
                yield name_of(item), kernels_of((item,))


def _needed(program: MappedProgram, kernel: Kernel, tiles: Tiles, sizes: Mapping[str, int]) -> int:
    """The bytes of a kernel's tiles, all of its launches together."""
    own = (*kernel.prologue, *statements_of(kernel.body), *kernel.post)
    return sum(
        _count(relation) * program.scop.array(array).element.size
        for writes in (False, True)
        for array, relation in _touched(program, own, tiles, writes, sizes).items()
    )


def _touched(
    program: MappedProgram, statements: Iterable[str], tiles: Tiles, writes: bool, sizes: Mapping[str, int]
) -> dict[str, isl.Map]:
    """{ [t] -> A[a] } for each array in memory: what a tile reads of it, or writes, whatever the reference."""
    found: dict[str, isl.Map] = {}
    for statement in (program.scop.statement(name) for name in statements):
        for access in statement.accesses:
            if access.kind is AccessKind.KILL or not program.storage_of(access.array).is_in_memory:
                continue
            if access.kind is not AccessKind.UPDATE and access.kind.writes is not writes:
                continue
            relation = _at(access.relation.intersect_domain(statement.domain), sizes)
            of_tile = relation.apply_domain(tiles[statement.name])
            known = found.get(access.array)
            found[access.array] = of_tile if known is None else known.union(of_tile)
    return found


def _tiles(program: MappedProgram, sizes: Mapping[str, int]) -> Tiles:
    """{ S[i] -> [t] } for each statement: its tile, with as many dimensions for all."""
    rows = dict(_rows(program.scheduled.tree, ()))
    host = tuple(_host_rows(program.items))
    depth = max(map(len, rows.values()), default=0)
    found: dict[str, isl.Map] = {}
    for statement in program.scop.statements:
        domain = _at(statement.domain, sizes)
        tile = isl.Map.from_domain(domain).intersect_domain(domain)
        for k in range(depth):
            own = rows.get(statement.name, ())
            row = own[k] if k < len(own) else None
            number = None if row is None else islx.pw_affs_of(row.function).get(statement.name)
            place = _number(domain, number, 1 if row in host else WIDTH, sizes)
            tile = tile.flat_range_product(place)
        found[statement.name] = tile
    return found


def _number(domain: isl.Set, row: isl.PwAff | None, width: int, sizes: Mapping[str, int]) -> isl.Map:
    """{ S[i] -> [floor(f(i) / width)] }; 0 where a statement has no place in the row."""
    if row is None:
        return isl.Map.from_domain_and_range(domain, isl.Set("{ [0] }"))
    value = isl.Map.from_pw_aff(row)
    return _at(value, sizes).intersect_domain(domain).apply_range(isl.Map(f"{{ [x] -> [floor(x / {width})] }}"))


Fixed = TypeVar("Fixed", isl.Set, isl.Map)


def _at(relation: Fixed, sizes: Mapping[str, int]) -> Fixed:
    """With these values of the parameters, which are gone."""
    for name, value in sizes.items():
        position = relation.find_dim_by_name(isl.dim_type.param, name)
        if position >= 0:
            relation = relation.fix_val(isl.dim_type.param, position, isl.Val(value))
            relation = relation.project_out(isl.dim_type.param, position, 1)
    return relation


def _count(relation: isl.Map) -> int:
    return int(relation.wrap().coalesce().count_val().to_python())


def compared(name: str) -> list[Compared]:
    """The kernels that a call of a program at SIZES launches, and those of its loops by launches; runs both."""
    done = compile_source(source(name), CompileOptions())
    many = tuple(
        (kernel.name, (("full_blocks_per_sm", 0), ("halo_blocks_per_sm", 0)))
        for program in done.programs
        for kernel in program.kernels()
        if isinstance(kernel, ParallelKernel)
    )
    done = compile_source(source(name), CompileOptions(tuning=Tuning(many)))
    least = needed(mapped(name), SIZES[name])
    found: dict[str, Compared] = {}
    for text in (done.cuda, *(form.cuda for form in forms_of(done) if form.name == BY_LAUNCHES)):
        found.update((line.kernel, line) for line in _moved(name, Generated(done.parsed, text, None), least))
    return list(found.values())


def _moved(name: str, generated: Generated, least: Mapping[str, int]) -> Iterator[Compared]:
    sizes = {size: (value,) for size, value in SIZES[name].items()}
    settings = VerifySettings(sizes=sizes, orders=("fwd",), traffic=True)
    (call,) = measure_traffic(generated, CompileOptions(), settings, executor_for(settings))
    for kernel, _ in call.device.launches:
        moved = [each for each in call.device.moved if each.kernel == kernel]
        asked = sum(each.read + each.written for each in moved)
        by_blocks = sum(each.block_read + each.block_written for each in moved)
        requests = (each for each in call.device.requests if each.kernel == kernel and not each.shared)
        by_warps = SECTOR * sum(each.moved for each in requests)
        yield Compared(kernel, asked, by_warps, by_blocks, least[_name_in(least, kernel)])


def _name_in(names: Iterable[str], emitted: str) -> str:
    """The kernel whose emitted form is called so: its name, or that with a word behind it."""
    return max((name for name in names if f"{emitted}_".startswith(f"{name}_")), key=len)


def known() -> dict[str, list[Compared]]:
    """What the page says, by program."""
    found: dict[str, list[Compared]] = {}
    for line in PAGE.read_text().splitlines() if PAGE.is_file() else ():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 5 and cells[1] in MINI:
            found.setdefault(cells[1], []).append(Compared(cells[2], *map(int, cells[3:7])))
    return found


def main() -> None:
    """Print the lines, or write the page: anew for the programs that are given, as it stands for the others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", choices=[*MINI, []], metavar="PROGRAM")
    parser.add_argument("--table", action="store_true", help="write docs/polybench_traffic.md")
    arguments = parser.parse_args()
    lines = known()
    for name in arguments.programs or MINI:
        lines[name] = compared(name)
        for line in lines[name]:
            print(line.told(name), flush=True)
    if arguments.table:
        PAGE.write_text(HEAD + "".join(f"{line.told(name)}\n" for name in MINI for line in lines.get(name, ())))


if __name__ == "__main__":
    main()
