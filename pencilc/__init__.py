"""pencilc: from C with declared reductions to CUDA.

The folders are the pipeline, in order:

    frontend   C text -> typed AST (`ir.source`)
    poly       typed AST -> polyhedral model of one region (`ir.scop`), its dependences
    schedule   dependences -> schedule tree with row flags P / R / s (`ir.schedule`)
    parts      schedule -> parts: what every back end needs, whatever it makes of them
    gpu        parts -> kernels, reduction shapes, launches (`ir.mapping`)
    codegen    kernels -> kernel AST (`ir.kernel`, `ir.nodes`) -> CUDA text through `templates/`

Each stage is a pure function from one frozen record to the next; `driver.PIPELINE` lists them.
`analysis` answers questions about rows, domains and subscripts for all that comes behind the schedule.
`verify` runs the sequential C beside the generated CUDA, on a GPU or on the CPU executor.
`python` is what `pencilc.compile` leads to: generated code called from Python, with arrays of NumPy, CuPy and others.
`report` tells what was done as text and JSON, `page` shows it.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# What the package offers to Python, and where it is: loaded when it is first asked for, because the command line is not
# to wait for it.
_OFFERED = {
    "compile": "module", "Module": "module", "PythonFunction": "module", "PencilcError": "errors",
    "CompileError": "errors", "CompileWarning": "errors", "NvccMissing": "errors", "HostCompilerMissing": "errors",
    "LibraryError": "errors", "DeviceMissing": "errors", "ArgumentTypeError": "errors", "ArgumentValueError": "errors",
    "CallFailed": "errors",
}  # fmt: skip
__all__ = ["__version__", *_OFFERED]


def __getattr__(name: str) -> Any:
    if name not in _OFFERED:
        raise AttributeError(f"module 'pencilc' has no attribute {name!r}")
    found = getattr(import_module(f"pencilc.python.{_OFFERED[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_OFFERED})
