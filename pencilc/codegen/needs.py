"""What a file needs: headers, and the fixed building blocks of `runtime.cu.j2`.

Nothing is searched for in printed text.  A macro states the names of CUDA that its own text has, at its head or at the
head of the branch that has them: `{% do needs("pencilc_load_row") %}`.  Below that it reads as CUDA, which it would not
if each of the names were an expression; tests/unit/codegen/test_needs.py holds statement and text together.  Building
blocks state theirs in the same way: printing one tells which others it rests on.  `names_in` asks the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, fields, is_dataclass
from functools import cache

from pencilc.codegen.cexpr import type_text
from pencilc.ir.source import Scalar, Struct
from pencilc.records import dataclass

# Building blocks of kernels in the order of their definition, each with the names that it is needed for.  They stand in
# each file, or in a header that files share where they rest on none of CUDA's, which others would read for nothing.
DEVICE: dict[str, tuple[str, ...]] = {
    "warp": ("PENCILC_WARP",),
    "last_block": ("pencilc_is_last",),
    "float_add": ("pencilc_add",),
    "integer_min": ("pencilc_min",),
    "integer_max": ("pencilc_max",),
    "from_bfloat16": ("pencilc_from_bfloat16",),
    "floor_div": ("pencilc_floor_div",),
    "inside": ("pencilc_inside",),
    "element": ("pencilc_element",),
    "set_element": ("pencilc_set",),
    "rounded_float": ("pencilc_sum<float>",),
    "rounded_double": ("pencilc_sum<double>",),
    "compensated": ("pencilc_sum",),
    "shifted_exp": ("pencilc_exp_sum",),
    "shifted_exp2": ("pencilc_exp2_sum",),
    "shifted_square": ("pencilc_square_sum",),
    "cascaded": ("pencilc_cascade",),
    "is_aligned": ("pencilc_is_aligned",),
    "neighbours": ("pencilc_neighbours",),
    "load": ("pencilc_load",),
    "load_narrow": ("pencilc_load_narrow",),
    "add_bytes": ("pencilc_add_bytes",),
    "load_one": ("pencilc_load_one",),
    "load_rows": ("pencilc_load_rows",),
    "shuffle": ("pencilc_shuffle_xor",),
    "butterfly": ("pencilc_butterfly", "pencilc_butterfly_index", "pencilc_spread"),
    "broadcast": ("pencilc_broadcast",),
    "combine_warp": ("pencilc_warp",),
    "combine_lanes": ("pencilc_lanes",),
    "combine_block": ("pencilc_block",),
    "combine_finish": ("pencilc_finish",),
    "combine_grid": ("pencilc_grid",),
    "combine_row": ("pencilc_row",),
    "clusters": ("pencilc_cluster_blocks", "pencilc_cluster_rank", "pencilc_cluster_row", "pencilc_cluster_end"),
    "combine_across": ("pencilc_row_across",),
    "divisor": ("pencilc_divisor", "pencilc_divide_by", "pencilc_quotient"),
    "load_row": ("pencilc_load_row",),
    "load_items": ("pencilc_load_items",),
    "copy_row": ("pencilc_copy_row",),
    "store_row": ("pencilc_store_row",),
    "load_part": ("pencilc_load_part",),
    "copy_read": ("pencilc_copy_read",),
    "place_of_tile": ("pencilc_place_of_tile",),
    "operand": (
        "pencilc_operand",
        "pencilc_take",
        "pencilc_result",
        "pencilc_results",
    ),
    "halves": ("pencilc_halves",),
    "tf32": ("pencilc_tf32",),
    "float_sums": ("pencilc_float_sums",),
    "multiply_tf32": ("pencilc_multiply_tf32",),
    "multiply_half": ("pencilc_multiply_half",),
    "multiply_bfloat16": ("pencilc_multiply_bfloat16",),
    "bytes": ("pencilc_bytes", "pencilc_byte_sums", "pencilc_multiply_bytes"),
    "tensor_operand": ("pencilc_tensor_operand", "pencilc_tensor_tile"),
    "shuffle_from": ("pencilc_shuffle",),
    "same_bytes": ("pencilc_same_bytes",),
    "slot": ("pencilc_slot",),
    "align": ("pencilc_align",),
    "sort": ("pencilc_sort_count", "pencilc_sort_scan", "pencilc_sort_move", "pencilc_sort_starts"),
    "grid_barrier": ("pencilc_grid_barrier",),
    "meet": ("pencilc_meet",),
    "runs": ("pencilc_find_run",),
    "team": ("pencilc_team",),
    "scan": ("pencilc_scan_shares", "pencilc_scan_sums", "pencilc_scan_values"),
}
# What all files of a program have in common: a function that it may define itself, and macros.
COMMON: dict[str, tuple[str, ...]] = {"failure": ("pencilc_fail", "PENCILC_RETURN")}
# The runtime of the host, which stands in each file or in a header that files share: nothing in it rests on DEVICE.
HOST: dict[str, tuple[str, ...]] = {
    "multiprocessors": ("pencilc_multiprocessors",),
    "resident": ("pencilc_resident",),
    "count": ("pencilc_count",),
    "blocks": ("pencilc_blocks",),
    "split": ("pencilc_split",),
    "shares": ("pencilc_shares",),
    "across": ("pencilc_across",),
    "block_rows": ("pencilc_block_rows",),
    "columns_across": ("pencilc_columns_across",),
    "tiles": ("pencilc_tiles",),
    "choice_of_tiles": ("pencilc_choose_tiles", "pencilc_tile"),
    "triangles_of_tiles": ("pencilc_tiles_with_points",),
    "launching": ("pencilc_launch", "pencilc_start", "PENCILC_COUNTING"),
    "held": ("pencilc_held", "pencilc_held_known", "pencilc_held_with"),
    "resident_launching": ("pencilc_start_resident", "pencilc_start_known"),
    "rows_on_chip": ("pencilc_form", "pencilc_start_form"),
    "shared_memory": ("pencilc_shared_memory",),
    "all_shared": ("pencilc_all_shared",),
    "long_rows": ("pencilc_start_long",),
    "clusters_of_rows": ("pencilc_start_clusters", "pencilc_known"),
    "padded": ("pencilc_padded",),
    "place": ("pencilc_place",),
    "relaxed": ("pencilc_relaxed",),
    "pool": ("pencilc_pool",),
    "scratch": ("pencilc_call", "pencilc_scratch"),
    "transfers": ("pencilc_range", "pencilc_copy", "pencilc_this_thread", "PENCILC_CHECK"),
    "clear": ("pencilc_clear",),
    "overlap": ("pencilc_are_apart", "pencilc_array"),
}
# What launches kernels that are building blocks: it stands in the file that has these.
LAUNCHING: dict[str, tuple[str, ...]] = {
    "sorting": ("pencilc_sort_pairs",),
    "scanning": ("pencilc_scan",),
}
HEADERS: dict[str, tuple[str, ...]] = {
    "cuda_bf16.h": ("__nv_bfloat16", "__float2bfloat16_rn"),
    "cuda_fp16.h": ("__half", "__half2float", "__float2half_rn"),
    "cuda_pipeline.h": ("__pipeline_memcpy_async", "__pipeline_commit", "__pipeline_wait_prior"),
    "mma.h": ("nvcuda",),
    "pthread.h": ("pthread_mutex_t",),
}
_OF_THREADS = "pthread.h"
# Overloads, which come with the type that they are for.
BESIDE_TYPES = frozenset({"pencilc_sum_add", "pencilc_sum_combine", "pencilc_sum_value", "pencilc_rounded_add"})
_BLOCKS = {**DEVICE, **COMMON, **HOST, **LAUNCHING}
# By name, the block or header that has it.
BROUGHT_BY = {name: block for block, names in {**_BLOCKS, **HEADERS}.items() for name in names}


@dataclass(slots=True)
class Needs:
    """Collects what a file needs while it is printed; templates know it as `needs`."""

    _wanted: set[str] = field(default_factory=set)
    _of_source: set[str] = field(default_factory=set)  # what functions of the source call
    _rests_on: dict[str, set[str]] = field(default_factory=dict)  # by the building block that is printed
    _printing: str = ""

    def __call__(self, *names: str) -> None:
        """What is printed has these names of CUDA."""
        found = {BROUGHT_BY[name] for name in names}
        self._wanted |= found
        self._rests_on.setdefault(self._printing, set()).update(found)

    def of(self, names: Iterable[str]) -> None:
        """What Python has made has these names, among others that are its own."""
        self._wanted.update(BROUGHT_BY[name] for name in names if name in BROUGHT_BY)

    def of_source(self, names: Iterable[str]) -> None:
        """The same of the functions of the source, which stand above other building blocks."""
        self._of_source.update(BROUGHT_BY[name] for name in names if name in BROUGHT_BY)
        self._wanted |= self._of_source

    def shared(self, runtime: Mapping[str, Callable[[], str]]) -> SharedBlocks:
        """The building blocks that a header has, whichever of the files that include it need them."""
        self._wanted.update(DEVICE, COMMON, HOST)
        texts = self._texts(runtime)
        device = tuple(texts[name] for name in DEVICE if self._is_shared(name))
        common, host = (tuple(texts[name] for name in table) for table in (COMMON, HOST))
        return SharedBlocks(device, common, host)

    def printed(self, runtime: Mapping[str, Callable[[], str]], has_header: bool = False) -> PrintedBlocks:
        """The building blocks with all that they rest on, which are macros of `runtime`.

        `has_header`: the file includes the header of `shared`, and prints none of its blocks.
        """
        asked_for = self._wanted.copy()
        texts = self._texts(runtime)
        headers = tuple(name for name in HEADERS if name in self._wanted)
        if has_header:
            texts = {name: text for name, text in texts.items() if not self._is_shared(name)}
        # `is_aligned` stands before all others where only they need it.
        device = sorted((name for name in DEVICE if name in texts), key=lambda n: n != "is_aligned" or n in asked_for)
        common, host, launching = (
            tuple(texts[name] for name in table if name in texts) for table in (COMMON, HOST, LAUNCHING)
        )
        above = self._below(self._of_source)
        of_source, others = (tuple(texts[n] for n in device if (n in above) == first) for first in (True, False))
        return PrintedBlocks(of_source, others, common, host, launching, headers)

    def _texts(self, runtime: Mapping[str, Callable[[], str]]) -> dict[str, str]:
        """The texts of the building blocks that are needed; printing one tells which others are."""
        texts: dict[str, str] = {}
        while missing := [name for name in _BLOCKS if name in self._wanted and name not in texts]:
            for self._printing in missing:
                texts[self._printing] = runtime[self._printing]()
        return texts

    def _is_shared(self, block: str) -> bool:
        """Whether a header has the block, whose text is printed."""
        if block in DEVICE:
            return self._below({block}).isdisjoint(HEADERS)
        return block not in LAUNCHING

    def _below(self, blocks: set[str]) -> set[str]:
        """Building blocks with all that they rest on."""
        found: set[str] = set()
        pending = [*blocks]
        while pending:
            name = pending.pop()
            if name not in found:
                found.add(name)
                pending += self._rests_on.get(name, ())
        return found


@dataclass(frozen=True, slots=True)
class SharedBlocks:
    """The texts of the building blocks in a header that files share, by the table that names them."""

    device: tuple[str, ...]
    common: tuple[str, ...]
    host: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrintedBlocks:
    """The texts of building blocks by the table that names them, and the headers that the file needs.

    `of_source`: those of the device that functions of the source rest on; `device`: the others.
    """

    of_source: tuple[str, ...]
    device: tuple[str, ...]
    common: tuple[str, ...]
    host: tuple[str, ...]
    launching: tuple[str, ...]
    headers: tuple[str, ...]

    @property
    def of_device(self) -> tuple[str, ...]:
        """The headers that kernels need, which begin a file."""
        return tuple(each for each in self.headers if each != _OF_THREADS)

    @property
    def has_threads(self) -> bool:
        """Whether the runtime of the host needs threads."""
        return _OF_THREADS in self.headers


def names_in(*records: object) -> set[str]:
    """The names that records of the tree have: of variables, functions, types and constants.

    `pencilc_sum<float>` is one, and so is `pencilc_sum`.
    """
    found: set[str] = set()
    _collect_names(records, found, set())
    return found


def _collect_names(record: object, found: set[str], seen: set[int]) -> None:
    """Adds the names in `record` to `found`; `seen`: the records, by their identity, that need no second look."""
    kind: type = type(record)
    if kind is str:
        found.add(record)  # type: ignore[arg-type]
    elif kind is tuple or kind is list:
        for item in record:  # type: ignore[attr-defined]
            _collect_names(item, found, seen)
    elif kind is Scalar or isinstance(record, Struct):
        found |= {record.name, type_text(record)}  # type: ignore[attr-defined, arg-type]
    else:
        names = _fields_of(kind)
        if names and id(record) not in seen:
            seen.add(id(record))
            for name in names:
                _collect_names(getattr(record, name), found, seen)


@cache
def _fields_of(kind: type) -> tuple[str, ...]:
    """The fields of a record that may hold names; of anything else none."""
    if not is_dataclass(kind):
        return ()
    return tuple(each.name for each in fields(kind) if each.name not in ("span", "spelling", "node"))
