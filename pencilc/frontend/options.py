"""What the command line tells the front end."""

from __future__ import annotations

from pencilc.records import dataclass


@dataclass(frozen=True, slots=True)
class FrontendOptions:
    """Options of the preprocessor, as gcc spells them; a define is `NAME` or `NAME=VALUE`.

    `autodetect`, `left_to_host` and `whiles_on_host` say what is compiled.  `associative_math`: floating sums may be
    computed in another order, so that a loop that holds nothing else is worth compiling.  `may_be_empty`: it is no
    error where all is left to the host.
    """

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    std: str = "c99"
    system_dirs: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    autodetect: bool = False
    associative_math: bool = False
    left_to_host: tuple[str, ...] = ()  # functions that stay on the host whatever they hold
    quote_dirs: tuple[str, ...] = ()
    after_dirs: tuple[str, ...] = ()
    may_be_empty: bool = False
    whiles_on_host: tuple[str, ...] = ()  # functions of which no `while` is detected, only the loops in it
