"""The functions of `rows.c` with arrays of NumPy: on a GPU if there is one, else on the CPU executor.

pip install '.[python]'
python samples/python/numpy_example.py
"""

from __future__ import annotations

from pathlib import Path

import numpy

import pencilc


def main() -> None:
    """Compile, call, compare with what NumPy computes."""
    module = pencilc.compile(Path(__file__).with_name("rows.c"))
    print(module)

    x = numpy.random.default_rng(1).normal(5.0, 2.0, (40, 300)).astype(numpy.float32)
    y = numpy.empty_like(x)
    # `rows` and `columns` are told by the shapes; module.standardize(40, 300, x, y) is the same.
    module.standardize(x, y)
    expected = (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)
    print(f"standardize: the largest difference to NumPy is below 1e-4: {abs(y - expected).max() < 1e-4}")

    # A struct comes back as a named tuple.
    best = module.largest(x)
    print(f"largest: {best.value:.4f} in row {best.row}, column {best.column}")
    print(f"as NumPy says: {(best.row, best.column) == divmod(int(x.argmax()), x.shape[1])}")

    # What is wrong with a call is an exception, which says what C expects.
    try:
        module.standardize(x.astype(numpy.float64), y)
    except TypeError as error:
        print(f"float64: {error}")


if __name__ == "__main__":
    main()
