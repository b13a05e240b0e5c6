"""The CPU executor: what it runs, what it finds, and what it must not complain about."""

from __future__ import annotations

import ctypes
import mmap
import os
import re
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from pencilc.verify.cudacpu import BuildError, Mode, RewriteError, build, environment, rewrite

HERE = Path(__file__).resolve().parent / "cudacpu"
ORDERS = ("fwd", "rev", "rand:7")
DEFECTS = {
    # Defect: the kernel or function whose marker line the message must name (None: a host call without a line).
    **{
        name: name
        for name in (
            *("missing_sync", "missing_sync_in_tree", "overwritten_too_early", "threads_share_output"),
            *("blocks_share_output", "device_variable_race", "volatile_warp_steps", "bytes_race", "past_the_end"),
            *("past_shared", "past_dynamic_shared", "past_variable", "constant_write", "uninitialised_global"),
            *("uninitialised_shared", "misaligned", "divergent_barrier", "early_return", "two_barriers"),
            *("missing_lanes", "inactive_lane", "not_in_mask", "two_warp_operations", "block_scope", "other_local"),
            *("grid_sync", "mixed_scopes", "claimed_by_plain_write"),
        )
    },
    "ticket_without_fence": "last_block",
    "ticket_without_acquire": "last_block",
    "ticket_with_narrow_release": "last_block",
    "ticket_with_narrow_acquire": "last_block",
    "relaxed_ticket": "ordered_ticket",
    "ticket_that_acquires": "ordered_ticket",
    "ticket_that_releases": "ordered_ticket",
    "columns_without_release": "column_blocks",
    "columns_without_acquire": "column_blocks",
    "lock_without_release": "user_lock",
    "lock_without_acquire": "user_lock",
    "forgotten_arrival": "spins",
    "use_after_free": "reads",
    "host_pointer": "reads",
    "host_reads_device": "run_defects",
    "two_streams": "scratch_write",
    "free_under_kernel": "scratch_write",
    "threads_without_lock": "queue_from_two_threads",
    "threads_share_a_sum": "sum_in_two_threads",
}
HOST_DEFECTS = {
    "no_threads": "no threads",
    "too_much_shared": "more dynamic shared memory",
    "copy_direction": "the kind says host",
    "copy_too_long": "not within one live device allocation",
    "copy_uninitialised": "uninitialised",
    "double_free": "not the start of a live allocation",
    "host_reads_too_early": "which cudaMemcpyAsync is still to write",
    "host_writes_too_early": "which cudaMemcpyAsync is still to read",
    "host_frees_too_early": "host code frees",
    "pinned_reads_too_early": "which cudaMemcpyAsync is still to write",
    "no_synchronisation": "no synchronisation has waited",
    "free_under_copy": "freed) at byte 0",
    "free_host_under_copy": "host code frees",
    "free_async_unordered": "cudaFreeAsync: data race",
    "unlock_without_lock": "unlocks a mutex that it does not hold",
    "leak": "leak: allocation #4 (1234 bytes)",
}
CLUSTER_DEFECTS = (
    *(
        "without_sync",
        "ends_too_early",
        "may_end_too_early",
        "used_again",
        "other_cluster",
        "returned",
        "no_such_block",
    ),
    *("no_shared_memory", "between", "not_arrived", "arrived_twice"),
)
Build = Callable[[str, Mode], Path]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    folder = tmp_path_factory.mktemp("cudacpu")
    made: dict[tuple[str, Mode], Path] = {}

    def get(name: str, mode: Mode) -> Path:
        key = (name, mode)
        if key not in made:
            made[key] = folder / f"{name}-{mode}"
            build(HERE / f"{name}.cu", made[key], mode=mode)
        return made[key]

    return get


def run(program: Path, *arguments: str, order: str = "fwd", **settings: int) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **environment(order, timeout_s=settings.pop("timeout", 60), **settings)}
    return subprocess.run([program, *arguments], capture_output=True, text=True, env=env, timeout=60, check=False)


def marker(function: str, file: str = "defects") -> tuple[int, str]:
    """The line of the function's `// defect:` comment, and the words of which one must be in the message."""
    lines = (HERE / f"{file}.cu").read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if re.search(rf"(void|int) {function}\(", line))
    at = next(i for i in range(start, len(lines)) if "// defect: " in lines[i])
    return at + 1, lines[at].split("// defect: ")[1]


@pytest.mark.parametrize("name", DEFECTS)
def test_defect_is_found_at_its_line(built: Build, name: str) -> None:
    line, words = marker(DEFECTS[name])
    for order in ORDERS:
        done = run(built("defects", "check"), name, order=order)
        first = done.stderr.splitlines()[0] if done.stderr else ""
        assert first.startswith("cudacpu: error: "), (order, done)
        assert any(word in first for word in words.split("|")), (order, first)
        assert f"defects.cu:{line}" in first or name == "early_return", (order, first)
        # A missing lock does damage of its own, which is found as well.
        assert done.returncode == 1 or name == "threads_without_lock", (order, done)


@pytest.mark.parametrize("name", HOST_DEFECTS)
def test_host_defect_is_found(built: Build, name: str) -> None:
    done = run(built("defects", "check"), name)
    assert HOST_DEFECTS[name] in done.stderr, done
    assert done.returncode == 1, done


@pytest.mark.parametrize("mode", ["plain", "check"])
def test_endless_loop_ends_the_process(built: Build, mode: Mode) -> None:
    done = run(built("defects", mode), "spin", timeout=1)
    assert done.returncode == 124, done
    assert "kernel spin: timeout" in done.stderr
    assert ("in plain mode threads do not take turns at loads" in done.stderr) == (mode == "plain")
    assert mode == "plain" or f"defects.cu:{marker('spin')[0]}" in done.stderr


@pytest.mark.parametrize("mode", ["plain", "check"])
def test_stack_overflow_is_an_error_of_the_kernel(built: Build, mode: Mode) -> None:
    done = run(built("defects", mode), "deep_stack", stack_bytes=65536)
    assert "stack overflow" in done.stderr, done
    assert done.returncode == 1, done


@pytest.mark.parametrize("order", ORDERS)
def test_correct_programs_raise_no_alarm(built: Build, order: str) -> None:
    done = run(built("defects", "check"), "correct", order=order)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done


@pytest.mark.parametrize("mode", ["plain", "check"])
def test_features(built: Build, mode: Mode) -> None:
    orders = {}
    for order in ORDERS:
        done = run(built("features", mode), order=order, sm_count=6)
        assert "wrong" not in done.stdout, done
        assert (done.returncode, done.stderr) == (0, ""), done
        orders[order] = [int(word) for word in done.stdout.split()[1:]]
    assert orders["fwd"] == list(range(21))
    assert orders["rev"] == list(range(20, -1, -1))
    assert sorted(orders["rand:7"]) == orders["fwd"] != orders["rand:7"]


@pytest.mark.parametrize("name", CLUSTER_DEFECTS)
def test_a_defect_of_clusters_is_found(built: Build, name: str) -> None:
    line, words = marker(name, "clusters")
    for order in ORDERS:
        done = run(built("clusters", "check"), name, order=order)
        first = done.stderr.splitlines()[0] if done.stderr else ""
        assert any(word in first for word in words.split("|")), (order, done)
        assert f"clusters.cu:{line}" in first, (order, done)
        assert done.returncode == 1, (order, done)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("part_of_a_cluster", "no whole number of clusters"),
        ("too_large", "a cluster has one to eight blocks"),
        ("no_stream", "the configuration names no stream"),
    ],
)
def test_no_such_clusters_are_launched(built: Build, name: str, says: str) -> None:
    done = run(built("clusters", "check"), name)
    assert says in done.stderr, done
    assert done.returncode == 1, done


@pytest.mark.parametrize("mode", ["plain", "check"])
@pytest.mark.parametrize("order", ORDERS)
def test_blocks_of_a_cluster_reach_into_each_others_shared_memory(built: Build, mode: Mode, order: str) -> None:
    done = run(built("clusters", mode), "correct", order=order)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done


def peak_kilobytes() -> int:
    return int(re.findall(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text(encoding="utf-8"))[0])


def test_shared_library_from_several_threads_with_a_huge_array(tmp_path: Path) -> None:
    library = tmp_path / "features.so"
    build(HERE / "features.cu", library, shared=True)
    loaded = ctypes.CDLL(str(library))
    loaded.big_sum.argtypes = [ctypes.c_void_p, ctypes.c_long]
    small = ctypes.create_string_buffer(b"\1" * 1000)
    results: list[int] = []
    threads = [threading.Thread(target=lambda: results.append(loaded.big_sum(small, 1000))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [1000] * 4
    size = 2**31 + 7
    before = peak_kilobytes()
    zeros = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    zeros[size - 1] = 5
    zeros[2**30] = 7
    pointer = ctypes.addressof(ctypes.c_char.from_buffer(zeros))
    assert loaded.big_sum(pointer, size) == 12
    assert peak_kilobytes() - before < 2**20, "the zeros must stay untouched"
    assert loaded.cudacpu_error_count() == 0
    assert loaded.cudacpu_launch_count() == 5
    loaded.cudacpu_reset()
    assert loaded.cudacpu_launch_count() == 0


def test_rewriter_keeps_lines_and_leaves_comments_alone() -> None:
    source = "// k<<<1, 2>>>(x)\n__device__ int f(int a);\nvoid g() {\n  k<int, 3><<<dim3(1),\n    2>>>(x);\n}\n"
    made = rewrite(source, "a.cu")
    assert made.partition('#line 1 "a.cu"\n')[2].count("\n") == source.count("\n")
    assert "// k<<<1, 2>>>(x)" in made
    assert 'cc_launcher(k<int, 3>, "k<int, 3>")(dim3(1)' in made
    with pytest.raises(RewriteError, match=r"a\.cu:2"):
        rewrite("\nextern __shared__ int s[];\n", "a.cu")


def test_a_compile_error_names_the_line_of_the_source(tmp_path: Path) -> None:
    source = tmp_path / "bad.cu"
    source.write_text("#include <cuda_runtime.h>\n__global__ void k() { undeclared = 1; }\n", encoding="utf-8")
    with pytest.raises(BuildError, match=r"bad\.cu:2"):
        build(source, tmp_path / "bad")


def test_an_array_of_run_time_extent_is_an_error_as_with_nvcc(tmp_path: Path) -> None:
    source = tmp_path / "extent.cu"
    source.write_text(
        "#include <cuda_runtime.h>\n__global__ void k(int n, int *o) {\n  int t[n];\n  t[0] = n;\n  o[0] = t[0];\n}\n"
    )
    with pytest.raises(BuildError, match=r"extent\.cu:3.*variable length array"):
        build(source, tmp_path / "extent")
