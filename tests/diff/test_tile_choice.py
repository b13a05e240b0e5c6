"""Which tiles the entry points choose, on devices of several sizes, and that these take the least time by the model."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.options import CompileOptions
from tests.diff.test_tiles import product
from tests.diff.tile_choice import Chosen, chosen, table_of

ONCE = 2000  # cycles of a block besides, as the runtime has them
# Rows, columns, reduced points; points of a thread and blocks of a tile on 132 multiprocessors.
PROBLEMS = {
    (4096, 4096, 4096): (16, 8, 1),
    (2048, 2048, 2048): (16, 8, 1),  # in one round, almost full
    (8192, 8192, 64): (16, 8, 1),
    (2304, 2304, 2304): (8, 8, 1),
    (1536, 1536, 1536): (4, 4, 1),  # larger ones would leave most of a round empty
    (1024, 1024, 1024): (8, 8, 4),
    (65536, 64, 64): (4, 4, 1),  # of 128 columns half would be empty
    (64, 64, 2**20): (4, 4, 264),
    (128, 4096, 4096): (8, 8, 8),
    (256, 256, 256): (2, 2, 2),
    (33, 35, 37): (4, 4, 1),
    (16, 16, 4096): (2, 2, 17),
    # One short side: the other operand is fetched once for all of its rows, or columns.
    (32, 4096, 4096): (2, 8, 8),
    (5, 4096, 4096): (2, 8, 8),
    (4096, 32, 4096): (8, 2, 8),
    (20, 10**6, 64): (2, 8, 1),
    (48, 4096, 4096): (4, 4, 6),  # 64 rows are padded no more than two times 32
    (2**30 - 1, 2**30 - 1, 2**30 - 1): (16, 8, 1),
    (2**30 - 1, 4, 1): (8, 2, 1),
}


@pytest.fixture(scope="module")
def cuda() -> str:
    return compile_source(SourceFile("tiles.c", product()), CompileOptions()).cuda


def test_of_a_product(cuda: str, tmp_path: Path) -> None:
    found = chosen(cuda, tmp_path, [(*problem, 132) for problem in PROBLEMS])
    assert dict(zip(PROBLEMS, found, strict=True)) == {key: Chosen(*value) for key, value in PROBLEMS.items()}


def test_a_fixed_number_of_blocks_stays(cuda: str, tmp_path: Path) -> None:
    for made in chosen(cuda, tmp_path, [(*problem, sms) for problem in PROBLEMS for sms in (1, 132)], "7", "7"):
        assert made.splits == 7


def test_nobody_shares_what_must_not_be(cuda: str, tmp_path: Path) -> None:
    assert {made.splits for made in chosen(cuda, tmp_path, [(*problem, 132) for problem in PROBLEMS], "1", "1")} == {1}


def test_no_other_takes_less_time_by_the_model(cuda: str, tmp_path: Path) -> None:
    sizes = [tuple(map(float, row.split(", "))) for row in re.findall(r"\{(\d.*?)\},", table_of(cuda))]
    assert len(sizes) == 6

    def tiles(down: float, across: float, rows: int, columns: int) -> int:
        return int(-(-rows // (16 * down)) * -(-columns // (16 * across)))

    problems = [
        (rows, columns, points, sms)
        for rows in (16, 100, 700, 3000)
        for columns in (16, 130, 1000, 5000)
        for points in (1, 300, 10000)
        for sms in (1, 6, 40, 132)
    ]
    for (rows, columns, points, sms), made in zip(problems, chosen(cuda, tmp_path, problems), strict=True):
        times = {}
        for down, across, resident, cycles, wait, left in sizes:
            count = tiles(down, across, rows, columns)
            is_narrow = max(down, across) >= 4 * min(down, across)
            if is_narrow and 4 * count > 3 * tiles(4, 4, rows, columns):
                continue
            for each in range(int(resident) + 1):
                splits = max(1, min(each * sms // count, points // 256 + 1))
                own, blocks = -(-points // splits), count * splits
                of_one, rounds = -(-blocks // sms), -(-blocks // (resident * sms))
                alone = max(0, 4 * wait - min(of_one, resident) * cycles)
                time = of_one * own * cycles + rounds * (own * (wait + alone) + ONCE)
                times[down, across, splits] = time + (ONCE + splits * left if splits > 1 else 0)
        assert times[made.down, made.across, made.splits] == pytest.approx(min(times.values()))


def test_other_elements_have_costs_of_their_own() -> None:
    """Doubles take twice the cycles of floats; tensor cores take less."""

    def cycles(text: str, options: CompileOptions | None = None) -> list[float]:
        made = compile_source(SourceFile("tiles.c", text), options or CompileOptions()).cuda
        return [float(row.split(", ")[3]) for row in re.findall(r"\{(\d.*?)\},", table_of(made))]

    floats, doubles = cycles(product()), cycles(product("double"))
    assert doubles[0] / floats[1] == pytest.approx(2, rel=0.15)
    tf32 = cycles(product(), CompileOptions(allow_tf32=True))
    assert len(tf32) == 2 and tf32[0] < floats[1]
