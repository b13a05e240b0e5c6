"""`python -m tests.mutation.run_defect KIND…` in a folder with a changed pencilc: says how random programs fail.

Ends with 1 if the program of a kind fails, as it should, and with 0 if none does.
"""

from __future__ import annotations

import os
import sys

from tests.fuzz.check import check_kind


def main() -> None:
    """Try the fast tier's program of each kind until one fails."""
    for kind in sys.argv[1:]:
        failure = check_kind(kind, os.environ.get("NVCC"))
        if failure is not None:
            print(f"{kind}: {failure.kind}: {failure.text}")
            sys.exit(1)


if __name__ == "__main__":
    main()
