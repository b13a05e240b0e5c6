"""Tiles that the user asks for, of kernels that are written by hand: which are taken, and what is said of others."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pencilc.gpu.tile_choices import TilesRefused, check_tiles
from pencilc.ir.shapes import TileSize
from pencilc.options import HaloLaunch, TileChoice


def program(*kernels: Any, tunable: tuple[Any, ...] = ()) -> Any:
    """A region with these kernels, and others that a search knows besides."""
    return SimpleNamespace(kernels=lambda: kernels, tunable=lambda: tunable, loops=dict)


def tiled(name: str, *shapes: tuple[int, int]) -> Any:
    """A kernel whose points share what they read, in tiles of which a thread has so many points down and across."""
    tiling = SimpleNamespace(sizes=tuple(TileSize(*shape, 8, 2) for shape in shapes)) if shapes else None
    return SimpleNamespace(name=name, tiling=tiling, halo=None)


def with_halo(name: str, along: int | None = None) -> Any:
    """A kernel whose tiles have a halo."""
    launch = HaloLaunch(halo_across=64, halo_down=8, halo_depth=4)
    return SimpleNamespace(name=name, tiling=None, halo=SimpleNamespace(launch=launch, along=along))


def refused(told: str, made: Any, *choices: TileChoice) -> None:
    """The choices are, and that is said."""
    with pytest.raises(TilesRefused) as error:
        check_tiles((made,), choices)
    assert told in str(error.value)


def test_a_kernel_that_follows_is_taken() -> None:
    made = program(tiled("k", (4, 4)), with_halo("h"), with_halo("planes", along=0))
    choices = (TileChoice("k", (64, 64)), TileChoice("h", (8, 64)), TileChoice("planes", (4, 8, 64)))
    check_tiles((program(), made), choices)
    check_tiles((made,), (TileChoice("planes", (8, 64)),))
    check_tiles((program(tunable=(tiled("other", (2, 2)),)),), (TileChoice("other", (32, 32)),))
    check_tiles((program(tiled("k", (16, 8))),), (TileChoice("k", (256, 128)),))
    check_tiles((), ())


@pytest.mark.parametrize("points", [(32, 32), (64, 32), (65, 65), (256, 256), (4, 64, 64)])
def test_other_tiles_than_it_has_are_refused(points: tuple[int, ...]) -> None:
    text = " x ".join(map(str, points))
    told = f"`k` cannot have tiles of {text} points: where its points share"
    refused(told, program(tiled("k", (4, 4))), TileChoice("k", points))
    there = "these have 256 x 128, 128 x 128, 64 x 64, 32 x 128, 128 x 32, 32 x 32 points"
    refused(there, program(tiled("k", (4, 4))), TileChoice("k", points))


def test_a_kernel_with_several_sizes_has_none_of_them_alone() -> None:
    for side in (128, 64):
        told = f"`k` cannot have tiles of {side} x {side} points"
        refused(told, program(tiled("k", (8, 8), (4, 4))), TileChoice("k", (side, side)))
    refused("`k` cannot have tiles of 64 x 64 points", program(tiled("k")), TileChoice("k", (64, 64)))


def test_tiles_near_those_of_a_halo_are_told() -> None:
    near = "near that are 8 x 64"
    refused(near, program(with_halo("h")), TileChoice("h", (16, 64)))
    refused(f"{near}, with any number of planes before them", program(with_halo("h", 0)), TileChoice("h", (9, 9, 9)))
    with pytest.raises(TilesRefused) as error:
        check_tiles((program(with_halo("h")),), (TileChoice("h", (4, 8, 64)),))
    assert "planes" not in str(error.value)


def test_kernels_that_there_are_are_told() -> None:
    made = program(tiled("k", (4, 4)), with_halo("h"), tiled("plain"))
    refused("there is no kernel `x`; those with tiles are `k`, `h`", made, TileChoice("x", (64, 64)))
    refused("no kernel has tiles that could be chosen", program(tiled("plain")), TileChoice("x", (64, 64)))


def test_the_first_that_is_not_followed_is_told() -> None:
    refused("`k` cannot", program(tiled("k", (4, 4))), TileChoice("k", (32, 32)), TileChoice("x", (64, 64)))
