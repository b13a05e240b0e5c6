"""Which tests are left to `make test-full` for the time that they take: `python -m tests.long_tests LOG`.

LOG is what `make test` printed with PYTEST_ADDOPTS="--durations=0 --durations-min=1", alone on two cores.  Tests that
took longer than `LONGEST` seconds are written to `long_tests.txt`, with those that are listed there already; not those
in `KEPT`, one or a few of each area.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

LISTED = Path(__file__).parent / "long_tests.txt"
LONGEST = 1.5
# Parts of the names of tests that stay in `make test` whatever they take.
KEPT = (
    # Programs of a kind each, through compiler and executor.
    *(f"test_programs.py::test_program[{name}-" for name in (
        "collapsed", "control", "counters_side_by_side", "few_columns", "flattened", "handed_on",
        "host_loops", "kept_triangle", "loops_on_data", "masked_extremes", "member_arrays", "not_numbers",
        "one_thread_parts", "reused_results", "spread_kept", "stitched_fresh", "wide_elements",
    )),
    *(f"test_each_kind[{kind}]" for kind in (
        "bounds", "box", "flags", "map", "mixed", "opaque", "places", "rows", "scatters", "window",
    )),
    "test_verified[1000]", "test_kept_case[followed_bins]", "test_kept_case[loaded_past_the_last]",
    # Samples.
    *(f"test_samples.py::test_verify_in_one_order[{name}]" for name in (
        "csr", "gemm_tensor", "gradients", "matmul", "slambench", "softmax", "transpose", "welford",
    )),
    *(f"test_samples.py::test_verify[{name}]" for name in ("argmin", "sum", "sum_half")),
    # nvcc, and the machine code that it makes.
    *(f"test_strict[{name}-sm_90]" for name in ("csr", "matmul", "row_sums", "slambench", "sum")),
    "test_plain[sum]", "test_polybench.py::test_nvcc[lu-sm_90]", "test_nvcc[expressions-sm_90]",
    "test_loads_exchanges_registers_and_bytes_in_flight[row-sm_90-some]",
    "test_instructions_of_an_element_of_a_row[float-sm_90]",
    "test_bench_nvcc.py::test_kernels[bench/gpu/kernels/rows.c-sm_90]",
    # What is promised of the generated code.
    "test_captured_and_replayed[sum]", "test_two_runs_agree_whatever_the_order[run-kahan]",
    "test_calls_at_once[while_capturing]", "test_runs_on_a_t4[variance]", "test_columns_of_one_multiprocessor",
    "test_launches.py::test_launches[slambench]", "test_what_the_entry_point_chooses", "test_bins_are_parallel",
    "test_indirect.py::test_same_bits", "test_accuracy.py::test_errors[plain-run]", "test_a_program_of_several_files",
    "test_hosts.py::test_program[behind]", "test_tuned_kernels_are_right[rows]",
    "test_polybench.py::test_verify[seidel-2d]",
    "test_one_thread[kills]", "test_one_thread[inner_loops]",
    "test_nvcc[subgraphs-fuse-max]", "test_a_graph_of_sixty_statements_is_planned_in_time",
    "test_loops.py", "test_halo.py::test_ragged_tiles", "test_every_number_of_bins[centroids-2]",
    "test_two_operands_of_one_array[syrk-64]", "test_blocks_of_a_cluster_have_a_row[peaks]",
    # Faults that are put in.
    "test_mutant_is_found[sum-barrier:1]", "test_mutant_is_found[matmul-barrier:4]",
    "test_the_verifier_stops_it[helpers-without-const]",
    "test_the_verifier_stops_it[arrays-of-run-time-extent-in-kernels]",
    "test_verify.py::test_race", "test_hang_is_stopped", "test_wrong_values[wrong-return-value]",
    # The tools around.
    "test_lint[mypy]", "test_no_circle", "test_no_import_is_hidden", "test_a_class_has_one_meaning",
    "test_two_processes_give_the_same_bytes",
    "test_the_same_results_give_the_same_bytes", "test_wheel_holds[pencilc-",
    "test_browser.py::test_screens", "test_excerpts",
    "test_templates_hold_most_of_the_text", "test_traffic[csr]", "test_report_as_json", "test_sequential_code_is_told",
    "test_what_is_saved_gives_the_same_bytes", "test_example[PC0006]", "test_pathological[large",
)  # fmt: skip
_LINE = re.compile(r"^(\d+\.\d+)s call +(tests/.*)$")


def long_tests() -> frozenset[str]:
    """The names of those that are listed."""
    return frozenset(LISTED.read_text().splitlines())


def is_kept(name: str) -> bool:
    """Whether a test stays in `make test` whatever it takes."""
    return any(part in name for part in KEPT)


def listed(lines: Iterable[str], before: frozenset[str]) -> list[str]:
    """The names of long tests in the lines of a log, and those of `before`, in order."""
    found = {match[2]: float(match[1]) for line in lines if (match := _LINE.match(line.rstrip()))}
    slow = {name for name, seconds in found.items() if seconds > LONGEST}
    return sorted(name for name in slow | before if not is_kept(name))


def main() -> None:
    """Write the list."""
    (log,) = sys.argv[1:]
    names = listed(Path(log).read_text().splitlines(), long_tests() if LISTED.exists() else frozenset())
    LISTED.write_text("".join(f"{name}\n" for name in names))
    print(f"{len(names)} tests are left to `make test-full`")


if __name__ == "__main__":
    main()
