"""The functions of `rows.c` with arrays of CuPy: on the device, on streams, without a copy and without an allocation.

pip install . cupy-cuda13x 'cuda-toolkit[nvcc,cudart]==13.0.*'
python samples/python/cupy_example.py
"""

from __future__ import annotations

from pathlib import Path

import cupy

import pencilc


def main() -> None:
    """Compile, call in three ways, compare with what CuPy computes."""
    module = pencilc.compile(Path(__file__).with_name("rows.c"), device="gpu")

    x = cupy.random.normal(5.0, 2.0, (4000, 3000), dtype=cupy.float32)
    y = cupy.empty_like(x)
    # On the current stream of CuPy; the call does not wait.
    module.standardize(x, y)
    expected = (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)
    print(f"standardize: the largest difference to CuPy is {float(abs(y - expected).max()):.2g}")

    # A value that is returned as one of Python's is waited for.
    best = module.largest(x)
    print(f"largest: {best.value:.4f} in row {best.row}, column {best.column}")

    # On a stream of its own, with the result and all memory on the device: nothing waits, nothing is allocated.
    stream = cupy.cuda.Stream(non_blocking=True)
    stream.wait_event(cupy.cuda.get_current_stream().record())
    result = cupy.empty(12, cupy.uint8)  # a `Best`; CuPy has no records, so that it is given as its bytes
    room = cupy.empty(max(module.largest.workspace_bytes(x, stream=stream), 1), cupy.uint8)
    module.largest(x, stream=stream, result=result, workspace=room)
    stream.synchronize()
    print(f"largest, on a stream: {result.get().view(module.dtype('Best'))[0]}")


if __name__ == "__main__":
    main()
