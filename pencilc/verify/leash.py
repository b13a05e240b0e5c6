"""A process that ends with the one that started it (`python leash.py PARENT PROGRAM [ARGUMENT ...]`).

What verify runs may go on for ever, and then only verify stops it: if that is killed first, nobody would. The kernel
sends the signal, so that nothing in the program has to cooperate. Run as a script, this file turns into the program.
It imports nothing of pencilc, because that would take longer than the programs that are started this way.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from pathlib import Path

_PR_SET_PDEATHSIG = 1


def end_with(parent: int) -> None:
    """Have this process killed when `parent`, the process that started it, ends; at once if it has ended before.

    Without effect where the system has no such signal.
    """
    control = getattr(ctypes.CDLL(None), "prctl", None)
    if control is None:
        return
    control(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def on_leash(command: list[str]) -> list[str]:
    """The command line that runs `command` so that it ends with this process."""
    return [sys.executable, "-I", "-S", str(Path(__file__).resolve()), str(os.getpid()), *command]


if __name__ == "__main__":
    end_with(int(sys.argv[1]))
    os.execv(sys.argv[2], sys.argv[2:])
