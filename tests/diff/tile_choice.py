"""What an entry point chooses among sizes of tiles: the functions of a generated file, compiled for the host."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from pencilc.records import dataclass

MAIN = """#include <cstdio>
{functions}
int main()
{{
    {table}
    long long rows, columns, points;
    int multiprocessors;
    while (scanf("%lld %lld %lld %d", &rows, &columns, &points, &multiprocessors) == 4) {{
        unsigned splits = 1;
        const auto tiles = [&](int d, int a) {{ return pencilc_tiles(rows, columns, 1, 16 * d, 16 * a); }};
        const auto of_tile = [&](int) {{ return points; }};
        const int size = pencilc_choose_tiles(
            sizes, tiles, of_tile, 1, {fewest}, {most}, multiprocessors, &splits);
        printf("%d %d %u\\n", sizes[size].down, sizes[size].across, splits);
    }}
}}
"""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Points of a thread, down and across, and how many blocks share a tile."""

    down: int
    across: int
    splits: int

    def blocks(self, rows: int, columns: int) -> int:
        """How many blocks are launched for so many results."""
        return -(-rows // (16 * self.down)) * -(-columns // (16 * self.across)) * self.splits


def table_of(cuda: str) -> str:
    """The sizes that the only entry point of a file chooses from."""
    (found,) = re.findall(r"static constexpr pencilc_tile sizes\[\] = \{.*?\};", cuda, re.DOTALL)
    return str(found)


def chosen(
    cuda: str, folder: Path, problems: Iterable[Sequence[int]], fewest: str = "1", most: str = "points / 256 + 1"
) -> list[Chosen]:
    """What is chosen for `problems`: rows, columns, reduced points, and multiprocessors of a device."""
    parts = (
        r"inline long long pencilc_tiles\(.*?\n\}",
        r"struct pencilc_tile \{.*?\n\};",
        r"template <int SIZES, typename Tiles.*?\n\}",
    )
    functions = "\n".join(match.group() for part in parts if (match := re.search(part, cuda, re.DOTALL)))
    source, program = folder / "choose.cpp", folder / "choose"
    source.write_text(MAIN.format(functions=functions, table=table_of(cuda), fewest=fewest, most=most))
    subprocess.run(["g++", "-std=c++17", "-O1", "-Wall", "-Werror", source, "-o", program], check=True)
    asked = "".join(" ".join(map(str, problem)) + "\n" for problem in problems)
    told = subprocess.run([program], input=asked, capture_output=True, text=True, check=True).stdout
    return [Chosen(*map(int, line.split())) for line in told.splitlines()]
