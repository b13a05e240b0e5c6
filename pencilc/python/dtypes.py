"""NumPy's types of C's: `module.dtype("Best")`, for arrays of structs."""

from __future__ import annotations

from typing import Any

from pencilc.ir.source import BFLOAT16, ArrayType, CType, Scalar, Struct

_LETTERS = {"bool": "b", "int": "i", "uint": "u", "float": "f"}


def dtype_of(ctype: CType) -> Any:
    """The `numpy.dtype` with the layout of `ctype`; of bfloat16 that of ml_dtypes where it is installed, else 2 bytes.

    Raises ImportError without NumPy.
    """
    import numpy

    if isinstance(ctype, ArrayType):
        return numpy.dtype((dtype_of(ctype.element), (ctype.size // ctype.element.size,)))
    if isinstance(ctype, Struct):
        return numpy.dtype(
            {
                "names": [member.name for member in ctype.members],
                "formats": [dtype_of(member.type) for member in ctype.members],
                "offsets": [member.offset for member in ctype.members],
                "itemsize": ctype.size,
            }
        )
    assert isinstance(ctype, Scalar)
    if ctype == BFLOAT16:
        return _bfloat16(numpy)
    return numpy.dtype(f"<{_LETTERS[ctype.kind]}{ctype.size}")


def _bfloat16(numpy: Any) -> Any:
    try:
        import ml_dtypes
    except ImportError:
        return numpy.dtype("V2")
    return numpy.dtype(ml_dtypes.bfloat16)
