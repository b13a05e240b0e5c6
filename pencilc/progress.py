"""How far long work is: on a terminal one line that is written over, elsewhere a line now and then."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TextIO, TypeAlias

Tell: TypeAlias = Callable[[str], None]
"""Takes what is being done at present; called as often as there is something to say, from any thread."""

# Seconds until the first line and between two: where somebody looks at a terminal, and where lines stay in a log.
ON_TERMINAL = (1.0, 0.25)
IN_LOG = (15.0, 15.0)
_CLEARED = "\r\x1b[K"


def silent(text: str) -> None:
    """Says nothing."""


class ProgressLine:
    """Inside a `with`, what was last told is written to `stream` with the seconds so far, once it has taken a while.

    A terminal's line is taken away in the end.  `pace` are the seconds until the first line and between two.
    """

    def __init__(
        self, stream: TextIO, is_terminal: bool, is_silent: bool = False, pace: tuple[float, float] | None = None
    ) -> None:
        self._stream, self._is_terminal, self._is_silent = stream, is_terminal, is_silent
        self._first, self._pause = pace or (ON_TERMINAL if is_terminal else IN_LOG)
        self._text = ""
        self._is_shown = False
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._show_now_and_then, daemon=True)
        self._started = 0.0

    def tell(self, text: str) -> None:
        """Say what is being done."""
        self._text = text

    def write(self, text: str, to: TextIO | None = None) -> None:
        """Write what is to stay, silent or not, `to` another stream if one is given."""
        stream = to or self._stream
        with self._lock:
            self._clear()
            stream.write(text)
            stream.flush()

    def __enter__(self) -> ProgressLine:
        self._started = time.monotonic()
        if not self._is_silent:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if not self._is_silent:
            self._thread.join()
        self._clear()

    def _clear(self) -> None:
        if self._is_shown:
            self._stream.write(_CLEARED)
            self._stream.flush()
        self._is_shown = False

    def _show_now_and_then(self) -> None:
        pause = self._first
        while not self._ended.wait(pause):
            pause = self._pause
            if self._text:
                self._show(f"{self._text} ({time.monotonic() - self._started:.0f} s)")

    def _show(self, line: str) -> None:
        with self._lock:
            if self._is_terminal:
                self._stream.write(f"{_CLEARED}{line[: shutil.get_terminal_size().columns - 1]}")
                self._is_shown = True
            else:
                self._stream.write(f"{line}\n")
            self._stream.flush()
