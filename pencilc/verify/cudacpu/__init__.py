"""The CPU executor: runs the very text of a generated `.cu` file on the CPU, with a race and memory detector."""

from pencilc.verify.cudacpu.build import (
    BuildError,
    CompilerMissing,
    ExecutorSettings,
    Mode,
    build,
    compile_object,
    environment,
    link,
)
from pencilc.verify.cudacpu.rewrite import RewriteError, rewrite

__all__ = [
    "BuildError",
    "CompilerMissing",
    "ExecutorSettings",
    "Mode",
    "RewriteError",
    "build",
    "compile_object",
    "environment",
    "link",
    "rewrite",
]
