"""A part of a packed kernel and a stage of a composed one have blocks of their own: they know none of the launch."""

from __future__ import annotations

import re

from tests.conftest import samples
from tests.golden.test_golden import compilation

_HEAD = r"^static __device__ __forceinline__ void (?!pencilc_)(\w+)\(([^)]*)\)\n"
_FUNCTION = re.compile(_HEAD + r"\{\n(.*?)^\}\n", re.M | re.S)


def test_parts_and_stages_use_blocks_of_their_own() -> None:
    kinds = {"part": 0, "threads in rows": 0, "stage": 0}
    for sample in samples():
        if sample.name not in ("attention", "plain", "stitching"):
            continue
        for name, parameters, body in _FUNCTION.findall(compilation(sample).cuda):
            assert not re.search(r"\b(blockIdx|gridDim)\b", body), (sample.name, name)
            in_rows = "threads_of_part" in parameters
            assert not in_rows or not re.search(r"\b(threadIdx|blockDim)\b", body), (sample.name, name)
            kinds["threads in rows" if in_rows else "part" if "block_of_part" in parameters else "stage"] += 1
    assert all(kinds.values()), kinds
