"""What the command line tells the front end."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FrontendOptions:
    """Options of the preprocessor, as gcc spells them; a define is `NAME` or `NAME=VALUE`."""

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    std: str = "c99"
