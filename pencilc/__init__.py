"""pencilc: from C with declared reductions to CUDA.

The folders are the pipeline, in order:

    frontend   C text -> typed AST (`ir.source`)
    poly       typed AST -> polyhedral model of one region (`ir.scop`), its dependences
    schedule   dependences -> schedule tree with row flags P / R / s (`ir.schedule`)
    parts      schedule -> parts: what every back end needs, whatever it makes of them
    gpu        parts -> kernels, reduction shapes, launches (`ir.mapping`)
    codegen    kernels -> kernel AST (`ir.kernel`) -> CUDA text through `templates/`

Each stage is a pure function from one frozen record to the next; `driver.PIPELINE` lists them.
`analysis` answers questions about rows, domains and subscripts for all that comes behind the schedule.
`verify` runs the sequential C beside the generated CUDA, on a GPU or on the CPU executor.
`report` tells what was done as text and JSON, `page` shows it.
"""

__version__ = "0.1.0"
