"""The functions that an entry point consists of, as callers see them: header, manifest and verifier ask here.

float f(int n, const float *x);                                                       "host"
cudaError_t f_device(int n, const float *x, float *result, cudaStream_t stream);      "device"
cudaError_t f_workspace(int n, const float *x, size_t *bytes);                        "workspace"
cudaError_t f_device_in(…, float *result, void *workspace, size_t bytes, cudaStream_t stream);   "device_in"
"""

from __future__ import annotations

from pencilc.ir.build import generated_type
from pencilc.ir.definitions import FunctionDeclaration
from pencilc.ir.host import Entry

_ERROR = generated_type("cudaError_t")


def entry_functions(entry: Entry) -> dict[str, FunctionDeclaration]:
    """The functions by what they are; those of a workspace where calls need memory.

    `@stream` and the like are parameters that the source does not have, which every printer finds a name for.
    """
    link_name = entry.symbol if entry.is_renamed else ""
    found = {"host": FunctionDeclaration(entry.name, entry.returns, entry.host_parameters, link_name)}
    parameters = {"device": entry.device_parameters}
    if entry.uses_scratch:
        parameters |= {"workspace": entry.workspace_parameters, "device_in": entry.in_parameters}
    for kind, declared in parameters.items():
        found[kind] = FunctionDeclaration(f"{entry.symbol}_{kind}", _ERROR, declared)
    return found
