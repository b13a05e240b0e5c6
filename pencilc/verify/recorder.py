"""The child of `launched`: a call whose launches are recorded (`python -m pencilc.verify.recorder JOB FOUND`)."""

from __future__ import annotations

import ctypes
import pickle
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pencilc.ir.source import ArrayType, CType, Scalar
from pencilc.records import dataclass
from pencilc.verify.abi import by_value

# Where arrays seem to be: nobody reads them, so that nothing need be there.
_FIRST, _APART = 1 << 32, 1 << 40


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call of `symbol` on device pointers: the type of each argument, None for a pointer, and the value of a number.

    Numbers that are no integers, and structs, are zero: no launch depends on them.
    """

    library: str
    symbol: str
    types: tuple[CType | None, ...]
    values: tuple[int, ...]


def main(arguments: Sequence[str]) -> int:
    """Make the call that the first file says, and write what was recorded into the second one."""
    call: RecordedCall = pickle.loads(Path(arguments[0]).read_bytes())
    library = ctypes.CDLL(call.library)
    values = [_value(ctype, call.values[k], k) for k, ctype in enumerate(call.types)]
    library.cudacpu_record(1)
    code = int(getattr(library, call.symbol)(*values, ctypes.c_void_p()))
    library.cudacpu_record(0)
    if code:
        sys.stderr.write(f"{call.symbol} returned cudaError_t {code}\n")
        return 1
    text = library.cudacpu_recorded
    text.restype = ctypes.c_char_p
    Path(arguments[1]).write_bytes(text())
    return 0


def _value(ctype: CType | None, value: int, number: int) -> Any:
    if ctype is None or isinstance(ctype, ArrayType):
        return ctypes.c_void_p(_FIRST + number * _APART)
    kind = by_value(ctype)
    return kind(value) if isinstance(ctype, Scalar) and ctype.is_integer else kind()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
