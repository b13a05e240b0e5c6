"""The functions of an entry point as header, manifest and verifier see them."""

from __future__ import annotations

from pencilc.codegen.cexpr import parameter
from pencilc.codegen.cstmt import declaration
from pencilc.codegen.entry_functions import entry_functions
from pencilc.codegen.tree import kernel_file
from pencilc.ir.host import Entry
from tests.unit.codegen.programs import file, program_of, unit
from tests.unit.records import SOFTMAX

RENAMED = """#include <pencil.h>
int max(int n, int a[static const restrict n]) {
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = 1;
#pragma endscop
    return n;
}
"""


def entry_of(text: str) -> Entry:
    """The entry point of a file."""
    (found,) = kernel_file(unit(text), (program_of(text),)).entries
    return found


def test_what_the_linker_knows_otherwise_says_so() -> None:
    found = entry_functions(entry_of(RENAMED))
    assert list(found) == ["host", "device"]
    assert declaration(found["host"]) == 'int max_(int n, int *a) __asm__("max");'
    assert declaration(found["device"]) == "cudaError_t max_device(int n, int *a, int *@result, cudaStream_t @stream);"


def test_calls_that_need_memory_have_a_workspace() -> None:
    (entry,) = file(SOFTMAX).entries
    found = entry_functions(entry)
    assert {kind: each.name for kind, each in found.items()} == {
        "host": "f", "device": "f_device", "workspace": "f_workspace", "device_in": "f_device_in",
    }  # fmt: skip
    behind = {kind: each.parameters[len(entry.host_parameters) :] for kind, each in found.items()}
    assert behind["host"] == () and {k: [parameter(p) for p in each] for k, each in behind.items() if k != "host"} == {
        "device": ["cudaStream_t @stream"],
        "workspace": ["size_t *@bytes"],
        "device_in": ["void *@workspace", "size_t @bytes", "cudaStream_t @stream"],
    }
