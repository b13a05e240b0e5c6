"""`python -m pencilc`: the command, where its script is not on the PATH."""

from __future__ import annotations

from pencilc.cli import main

if __name__ == "__main__":
    main(prog_name="pencilc")
