"""What the user asks for (`CompileOptions`) and what the machine offers (`Target`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from pencilc.diagnostics.policy import WarningPolicy

OnUnsupported = Literal["error", "warn", "keep"]


@dataclass(frozen=True, slots=True)
class Target:
    """A GPU as the mapping sees it; sizes in bytes."""

    arch: str = "sm_90"
    warp: int = 32
    max_threads: int = 1024
    static_shared: int = 48 * 1024
    vector_bytes: int = 16

    @property
    def capability(self) -> int:
        """Compute capability times ten: 90 for sm_90."""
        return int("".join(c for c in self.arch.removeprefix("sm_") if c.isdigit()))


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """Options of one compilation, as `cli.py` reads them; the bytes written depend on nothing else."""

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    std: str = "c99"
    target: Target = field(default_factory=Target)
    system_dirs: tuple[str, ...] = ()  # -isystem: no warnings about what stands there
    includes: tuple[str, ...] = ()  # -include: files read before the source
    warnings: WarningPolicy = field(default_factory=WarningPolicy)
    autodetect: bool = False
    on_unsupported: OnUnsupported = "error"
    left_to_host: tuple[str, ...] = ()  # functions that `on_unsupported` has left there
