"""What the user asks for (`CompileOptions`) and what the machine offers (`Target`)."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Target:
    """A GPU as the mapping sees it; sizes in bytes."""

    arch: str = "sm_90"
    warp: int = 32
    max_threads: int = 1024
    static_shared: int = 48 * 1024
    vector_bytes: int = 16
    # For estimates, not measured here: multiprocessors, bytes a second from memory, seconds a launch takes.
    multiprocessors: int = 132
    bandwidth: float = 3.0e12
    launch_seconds: float = 2.5e-6

    @property
    def capability(self) -> int:
        """Compute capability times ten: 90 for sm_90."""
        return int("".join(c for c in self.arch.removeprefix("sm_") if c.isdigit()))


FUSE = ("none", "pairwise", "model", "max")


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """Options of one compilation, as `cli.py` reads them; the bytes written depend on nothing else."""

    include_dirs: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    undefines: tuple[str, ...] = ()
    std: str = "c99"
    target: Target = field(default_factory=Target)
    fuse: str = "model"  # one of FUSE
