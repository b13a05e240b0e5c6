"""The functions that an entry point consists of, as callers see them: header, manifest and verifier ask here.

float f(int n, const float *x);                                                       "host"
cudaError_t f_device(int n, const float *x, float *result, cudaStream_t stream);      "device"
cudaError_t f_workspace(int n, const float *x, size_t *bytes);                        "workspace"
cudaError_t f_device_in(…, float *result, void *workspace, size_t bytes, cudaStream_t stream);   "device_in"
"""

from __future__ import annotations

from pencilc.ir.definitions import FunctionDeclaration
from pencilc.ir.host import Entry


def entry_functions(entry: Entry) -> dict[str, FunctionDeclaration]:
    """The functions by what they are; those of a workspace where calls need memory.

    `@stream` and the like are parameters that the source does not have, which every printer finds a name for.
    """
    by_node = {each.node: each for each in entry.functions}
    link_names = {"host": entry.symbol if entry.is_renamed else ""}
    return {
        kind: FunctionDeclaration(each.name, each.returns, each.parameters, link_names.get(kind, ""))
        for kind in ("host", "device", "workspace", "device_in")
        if (each := by_node.get(kind)) is not None
    }
