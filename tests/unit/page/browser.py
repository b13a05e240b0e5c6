"""A browser without a window: what it says of a page, and what the page looks like in it."""

from __future__ import annotations

import html
import json
import os
import shutil
import statistics
import struct
import subprocess
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_SWITCHES = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
    "--hide-scrollbars", "--force-color-profile=srgb",
)  # fmt: skip
_HERE = Path(__file__).resolve().parent
# The pictures of pages are an eighth as wide and high: letters are grey then, whatever the font.
SCALE = 0.125


def browser() -> str:
    """The command of the browser; under CI the test fails where there is none, elsewhere it is skipped."""
    for name in _NAMES:
        command = shutil.which(name)
        if command is not None:
            return command
    reason = "no chromium: apt-get install chromium"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def started(folder: Path, page: Path, *more: str) -> str:
    """What the browser prints for a page."""
    command = [browser(), *_SWITCHES, f"--user-data-dir={folder / 'profile'}", *more, page.resolve().as_uri()]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout


def themed(page: str, theme: str) -> str:
    """The page as it is once a theme has been chosen."""
    assert page.count('<html lang="en">') == 1
    return page.replace('<html lang="en">', f'<html lang="en" data-theme="{theme}">')


@dataclass(frozen=True)
class Frame:
    """A page in a frame of this width in pixels; `key` tells it from others."""

    key: str
    page: str
    width: int


def _framed(key: str, page: str, width: int, height: int) -> str:
    size = f'width="{width}" height="{height}" style="border:0"'
    return f'<iframe id="{key}" {size} srcdoc="{html.escape(page)}"></iframe>'


def facts(folder: Path, frames: Iterable[Frame]) -> dict[str, Any]:
    """What the browser says of the page in each frame (facts.js), by their keys."""
    shown_in = [_framed(frame.key, frame.page, frame.width, 900) for frame in frames]
    script = (_HERE / "facts.js").read_text()
    harness = folder / "harness.html"
    harness.write_text(
        f'<!DOCTYPE html><meta charset="utf-8"><pre id="facts"></pre>{"".join(shown_in)}<script>{script}</script>'
    )
    shown = started(folder, harness, "--window-size=1500,1000", "--virtual-time-budget=20000", "--dump-dom")
    told = shown.partition('<pre id="facts">')[2].partition("</pre>")[0]
    assert told, "the browser ran no script"
    found: dict[str, Any] = json.loads(html.unescape(told))
    return found


def screens(folder: Path, frames: Sequence[Frame], height: int) -> dict[str, list[list[int]]]:
    """How bright each point of the pages is, 0 to 255, at an eighth of their size, by the keys of their frames."""
    shown_in = []
    for frame in frames:
        page = frame.page
        for stack, font in (("system-ui, ", '"DejaVu Sans", '), ("ui-monospace, ", '"DejaVu Sans Mono", ')):
            # One font, where it is installed: with another one lines break elsewhere.
            assert stack in page
            page = page.replace(stack, font)
        shown_in.append(_framed(frame.key, page, frame.width, height))
    source, target = folder / "screens.html", folder / "screens.png"
    whole = sum(frame.width for frame in frames)
    style = (
        "html, body { margin: 0; overflow: hidden } iframe { flex: none }"
        f" div {{ display: flex; width: {whole}px; transform: scale({SCALE}); transform-origin: 0 0 }}"
    )
    source.write_text(f'<!DOCTYPE html><meta charset="utf-8"><style>{style}</style><div>{"".join(shown_in)}</div>')
    # A small window gets a little less than it asks for; what is outside of the pages is cut off.
    size = f"--window-size={int(whole * SCALE) + 100},{int(height * SCALE) + 200}"
    started(folder, source, size, f"--screenshot={target}")
    rows = grey(target.read_bytes())[: int(height * SCALE)]
    found: dict[str, list[list[int]]] = {}
    left = 0
    for frame in frames:
        right = left + frame.width
        found[frame.key] = [row[int(left * SCALE) : int(right * SCALE)] for row in rows]
        left = right
    return found


def grey(png: bytes) -> list[list[int]]:
    """The brightness of the points of a PNG file of 8 bits a channel, without an alpha channel or with one."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, data, width, height, channels = 8, b"", 0, 0, 0
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        body = png[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", body)
            assert (depth, interlace) == (8, 0) and colour in (2, 6)
            channels = 3 if colour == 2 else 4
        elif kind == b"IDAT":
            data += body
        at += 12 + length
    raw, stride = zlib.decompress(data), width * channels
    rows: list[list[int]] = []
    above = bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        above = _unfiltered(raw[start], bytearray(raw[start + 1 : start + 1 + stride]), above, channels)
        rows.append([sum(above[x : x + 3]) // 3 for x in range(0, stride, channels)])
    return rows


def _unfiltered(kind: int, line: bytearray, above: bytearray, channels: int) -> bytearray:
    """A line of a PNG file without its filter (RFC 2083, section 6)."""
    for x in range(len(line)):
        left = line[x - channels] if x >= channels else 0
        corner = above[x - channels] if x >= channels else 0
        predicted = (0, left, above[x], (left + above[x]) // 2, _paeth(left, above[x], corner))[kind]
        line[x] = (line[x] + predicted) & 255
    return line


def _paeth(left: int, above: int, corner: int) -> int:
    estimate = left + above - corner
    return min((left, above, corner), key=lambda value: abs(estimate - value))


def cells(points: list[list[int]], across: int) -> list[str]:
    """The picture as square cells, `across` of them in a row, each a letter from `a` (dark) to `z` (bright)."""
    side = len(points[0]) / across
    lines = []
    for top in range(int(len(points) / side)):
        line = ""
        for left in range(across):
            block = [
                points[y][x]
                for y in range(int(top * side), int((top + 1) * side))
                for x in range(int(left * side), int((left + 1) * side))
            ]
            line += chr(ord("a") + sum(block) // len(block) * 25 // 255)
        lines.append(line)
    return lines


def likeness(one: list[str], other: list[str]) -> float:
    """How alike two pictures are: the correlation of their cells, 1 for the same one; 0 where they have other sizes."""
    if [len(line) for line in one] != [len(line) for line in other]:
        return 0.0
    first, second = ([ord(cell) for line in picture for cell in line] for picture in (one, other))
    return statistics.correlation(first, second)


def brightness(picture: list[str]) -> float:
    """The mean of the cells, in letters from 0."""
    return statistics.mean(ord(cell) - ord("a") for line in picture for cell in line)
