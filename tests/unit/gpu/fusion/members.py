"""What the modules of the fusion are given, for the parts of a few lines of C."""

from __future__ import annotations

from pencilc import islx
from pencilc.gpu.fusion.compose import Composer
from pencilc.gpu.fusion.cost import CostModel
from pencilc.gpu.fusion.families import Family, aligned, families
from pencilc.gpu.fusion.pack import Packer
from pencilc.gpu.fusion.stitch import Stitcher
from pencilc.ir.mapping import HostItem, Stitched
from pencilc.ir.shapes import Kernel
from pencilc.options import Fuse, Tuning
from pencilc.parts.part import Part, SequentialLoop
from tests.unit.gpu.kernels import TARGET
from tests.unit.records import placed


def members(body: str) -> list[tuple[Part, Kernel]]:
    """The parts of a region outside of host loops, their kept rows made one where that is possible, and the kernels."""
    both = items(body)
    return [(part, item) for part, item in both if isinstance(part, Part) and isinstance(item, Kernel)]


def items(body: str) -> list[tuple[Part | SequentialLoop, HostItem]]:
    """The same with the loops on the host."""
    done = placed(body)
    pairs = islx.named_maps(done.shaped.region.scheduled.dependences.validity)
    parts = aligned(done.shaped.joined.parted.items, pairs)
    return list(zip(parts, done.shaped.items, strict=True))


def family(body: str) -> Family:
    """The first family of the region."""
    return families([part for part, _ in members(body)])[0]


def stitcher(body: str) -> Stitcher:
    """What stitches kernels of the region."""
    done = placed(body)
    return Stitcher(done.shaped.shaper, done.shaped.region.domains, done.storage, TARGET, Tuning(()))


def stitched(body: str) -> Stitched:
    """The whole family as one."""
    found = family(body)
    return stitcher(body).stitch(found, [pair for k, pair in enumerate(members(body)) if found.items >> k & 1])


def composer(body: str) -> Composer:
    """What composes kernels of the region."""
    done = placed(body)
    region = done.shaped.region
    pairs = islx.named_maps(region.scheduled.dependences.validity)
    return Composer(done.shaped.shaper, region.domains, done.storage, TARGET, Tuning(()), pairs)


def model(body: str) -> CostModel:
    """The estimates for the region."""
    done = placed(body)
    return CostModel(done.shaped.region.scop, done.shaped.region.domains, TARGET, done.storage)


def packer(body: str, mode: Fuse = "model") -> Packer:
    """What packs kernels of the region."""
    region = placed(body).shaped.region
    return Packer(region.scop, region.scheduled.dependences, model(body), mode)
