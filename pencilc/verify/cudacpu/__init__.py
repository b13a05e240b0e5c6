"""The CPU executor: runs the very text of a generated `.cu` file on the CPU, with a race and memory detector."""

from .build import BuildError, Mode, Settings, ToolMissing, build, environment
from .rewrite import RewriteError, rewrite

__all__ = ["BuildError", "Mode", "RewriteError", "Settings", "ToolMissing", "build", "environment", "rewrite"]
