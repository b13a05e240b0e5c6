"""`--tile`: the tiles that the user asks for, and what is said where a kernel cannot have them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.gpu.tile_choices import TilesRefused
from pencilc.options import CompileOptions, TileChoice, Tuning
from tests.unit.test_cli import pencilc

TEXT = """
void f(int m, int n, int p, const float a[static const restrict m][p], const float b[static const restrict p][n],
       float c[static const restrict m][n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < p; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
#pragma endscop
}
void turned(int m, int n, const float a[static const restrict m][n], float b[static const restrict n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = a[j][i];
#pragma endscop
}
void g(int n, float a[static const restrict n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma endscop
}
"""
PRODUCT, TRANSPOSE, PLAIN = "f_parallel0", "turned_parallel0", "g_parallel0"


def cuda(*choices: TileChoice, tuning: Tuning | None = None, **more: str) -> str:
    options = CompileOptions(tiles=choices, tuning=tuning or Tuning(), **more)  # type: ignore[arg-type]
    return compile_source(SourceFile("f.c", TEXT), options).cuda


def test_a_kernel_has_the_tiles_that_are_asked_for_and_no_others() -> None:
    """They go before those of a tuning file, whose other parameters stay."""
    tuning = Tuning(((PRODUCT, (("tile_down", 2), ("tile_side", 32))),))
    text = cuda(TileChoice(PRODUCT, (64, 64)), TileChoice(TRANSPOSE, (32, 64)), tuning=tuning)
    assert set(re.findall(rf"{PRODUCT}_tiles<(\d+, \d+)", text)) == {"4, 4"}
    assert "m >= 32" in text or "rows >= 32" in text


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        (TileChoice("k0", (64, 64)), f"there is no kernel `k0`; those with tiles are `{PRODUCT}`, `{TRANSPOSE}`"),
        (TileChoice(PLAIN, (64, 64)), f"`{PLAIN}` cannot have tiles of 64 x 64 points"),
        (TileChoice(PRODUCT, (48, 48)), f"`{PRODUCT}` cannot have tiles of 48 x 48 points"),
        (TileChoice(PRODUCT, (65, 65)), f"`{PRODUCT}` cannot have tiles of 65 x 65 points"),
        (TileChoice(PRODUCT, (64, 32)), f"`{PRODUCT}` cannot have tiles of 64 x 32 points"),
        (TileChoice(PRODUCT, (2, 64, 64)), f"`{PRODUCT}` cannot have tiles of 2 x 64 x 64 points"),
        (TileChoice(TRANSPOSE, (16, 512)), "near that are 16 x 256"),
        (TileChoice(TRANSPOSE, (4, 32, 32)), f"`{TRANSPOSE}` cannot have tiles of 4 x 32 x 32 points"),
    ],
)
def test_what_a_kernel_cannot_have_is_refused(choice: TileChoice, told: str) -> None:
    with pytest.raises(TilesRefused) as refused:
        cuda(choice)
    assert told in str(refused.value)


def test_a_fixed_tree_keeps_its_tiles() -> None:
    text = TEXT.replace("void f(", "#include <pencil.h>\nvoid f(")
    options = CompileOptions(
        determinism="fixed-tree", associative_math=True, tiles=(TileChoice("f_column0", (64, 64)),)
    )
    with pytest.raises(TilesRefused, match="not under --determinism=fixed-tree"):
        compile_source(SourceFile("f.c", text), options)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--tile", f"{PRODUCT}:64,64"], f"--tile {PRODUCT}:64,64: give KERNEL:tile=DOWN,ACROSS"),
        (["--tile", f"{PRODUCT}:tile=64,64:block=8,8"], "a block of tiles has 256 threads"),
        (["--tile", f"{PRODUCT}:tile=0,64"], "a tile has points in every direction"),
        (["--tile", f"{PRODUCT}:tile=64,64", "--tile", f"{PRODUCT}:tile=32,32"], "has its tiles already"),
        (["--tile", "k0:tile=64,64"], "pencilc: --tile: there is no kernel `k0`"),
    ],
    ids=["form", "block", "empty", "twice", "no kernel"],
)
def test_bad_input_is_wrong_usage_and_writes_nothing(given: list[str], told: str, tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(TEXT)
    result = pencilc(tmp_path, "f.c", *given)
    assert result.returncode == 2 and told in result.stderr
    assert not (tmp_path / "f.cu").exists()
