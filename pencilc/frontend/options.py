"""What the command line tells the front end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class FrontendOptions:
    """Options of the preprocessor, as gcc spells them; a define is `NAME` or `NAME=VALUE`.

    `autodetect` and `on_unsupported` say what is compiled (cli.md).
    """

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    std: str = "c99"
    system_dirs: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    autodetect: bool = False
    on_unsupported: Literal["error", "warn", "keep"] = "error"
