"""Mutated inputs: `python -m tests.fuzz.mutate --count 10000` damages samples and tests, and compiles what comes out.

A seed picks a file of the project and changes it: characters, tokens or lines are deleted, doubled, swapped or
replaced, the file is cut, or a piece of another one is put into it.  Whatever that is, pencilc compiles it or refuses
it with a place (exit status 0 with output, or 1): no traceback, no internal fault or limit (exit status 3), no ten
seconds.  The run goes on where the last one ended (`build/fuzz/next_mutant`); the text of a seed that fails is kept
beside it.
"""

from __future__ import annotations

import argparse
import random
import re
import signal
import sys
import time
from functools import cache
from pathlib import Path

from pencilc.diagnostics.diagnostic import CompilerLimitation, SourceErrors
from pencilc.diagnostics.render import render_text
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import compile_source
from pencilc.frontend import read_source
from pencilc.options import CompileOptions
from tests.conftest import ROOT

SECONDS = 10
_WALL_SECONDS = 90  # other work may share the machine
BUILD = ROOT / "build" / "fuzz"
NEXT = BUILD / "next_mutant"
FOLDERS = ("samples", "tests/errors", "tests/diff/programs", "tests/diff/hosts", "tests/fuzz/cases")
_LONGEST = 12_000  # characters: longer files cost minutes, and hold nothing that shorter ones do not

WORDS = [
    "(", ")", "{", "}", "[", "]", ";", ",", "&", "*", "0", "1", "-1", "n", "i", "float", "int", "for", "if", "while",
    "return", "__pencil_reduction", "__pencil_reduction_var_init", "#pragma scop\n", "\n#pragma endscop\n",
    "\n#pragma pencil independent\n", "struct", "const", "static", "=", "+=", "<", "++", "NULL", "break;", "else",
    "1e99", "'", '"', "#", "\\", "@", "é", "/*", "*/", "//", "->", "::", "<<", "sizeof", "void", "double", "unsigned",
    "long", "switch", "case 1:", "do", "goto", "2147483648", "0x", "1u", ".5f", "?", ":", "%", "##", "\n#if 0\n",
    "\n#else\n", "\n#endif\n", "\n#define n i\n", "\n#include <math.h>\n", "typedef", "enum", "union",
    "__attribute__((",
]  # fmt: skip


class Wrong(Exception):
    """What pencilc must never do with any input."""


@cache
def corpus() -> tuple[Path, ...]:
    """The files that are damaged."""
    files = (path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.c")))
    return tuple(path for path in files if path.stat().st_size <= _LONGEST)


def with_tokens(text: str, draw: random.Random) -> str:
    """`text` with a token dropped, doubled, swapped, replaced or added."""
    parts = re.findall(r"\w+|\s+|[^\w\s]", text)
    if not parts:
        return text
    k, other, kind = draw.randrange(len(parts)), draw.randrange(len(parts)), draw.randrange(5)
    if kind == 0:
        del parts[k]
    elif kind == 1:
        parts.insert(k, parts[k])
    elif kind == 2:
        parts[k], parts[other] = parts[other], parts[k]
    elif kind == 3:
        parts[k] = draw.choice(WORDS)
    else:
        parts.insert(k, draw.choice(WORDS))
    return "".join(parts)


def with_lines(text: str, draw: random.Random) -> str:
    """`text` with a line dropped, doubled, swapped or moved."""
    lines = text.splitlines(keepends=True)
    if not lines:
        return text
    k, other, kind = draw.randrange(len(lines)), draw.randrange(len(lines)), draw.randrange(4)
    if kind == 0:
        del lines[k]
    elif kind == 1:
        lines.insert(k, lines[k])
    elif kind == 2:
        lines[k], lines[other] = lines[other], lines[k]
    else:
        lines.insert(other, lines.pop(k))
    return "".join(lines)


def with_characters(text: str, draw: random.Random) -> str:
    """`text` with a character dropped, doubled, swapped with the next one, or replaced."""
    if not text:
        return text
    k, kind = draw.randrange(len(text)), draw.randrange(4)
    if kind == 0:
        return text[:k] + text[k + 1 :]
    if kind == 1:
        return text[:k] + text[k] + text[k:]
    if kind == 2:
        return text[:k] + text[k + 1 : k + 2] + text[k] + text[k + 2 :]
    return text[:k] + chr(draw.choice((*range(32, 127), 9, 10, 0xE9))) + text[k + 1 :]


def spliced(text: str, draw: random.Random) -> str:
    """`text` cut, or with a few lines of another file in it."""
    if draw.randrange(4) == 0:
        return text[: draw.randrange(len(text) + 1)]
    lines, more = text.splitlines(keepends=True), draw.choice(corpus()).read_text().splitlines(keepends=True)
    start, at = draw.randrange(len(more) + 1), draw.randrange(len(lines) + 1)
    return "".join((*lines[:at], *more[start : start + draw.choice((1, 3, 10))], *lines[at:]))


def mutant(seed: int) -> tuple[str, str]:
    """The name of the file that `seed` damages, and what becomes of it."""
    draw = random.Random(f"mutant {seed}")
    path = draw.choice(corpus())
    text = path.read_text()
    for _ in range(draw.choice((1, 1, 1, 2, 5))):
        text = draw.choice((with_tokens, with_tokens, with_lines, with_characters, spliced))(text, draw)
    return path.relative_to(ROOT).as_posix(), text


def outcome(text: str, name: str) -> str:
    """`ok`, or the codes of the errors; raises Wrong, or whatever pencilc must not raise."""
    started = time.process_time()
    try:
        done = compile_source(read_source(name, text.encode("utf-8", "surrogateescape")), CompileOptions())
        if not done.cuda.strip():
            raise Wrong("compiled, and nothing comes out")
        said = "ok"
    except SourceErrors as errors:
        if not errors.diagnostics:
            raise Wrong("refused without a word") from errors
        render_text(errors.diagnostics, {name: SourceFile(name, text)}).encode()
        said = " ".join(sorted({d.code for d in errors.diagnostics}))
    except CompilerLimitation as limit:
        raise Wrong(f"exit status 3: {limit.message}") from limit
    if (seconds := time.process_time() - started) > SECONDS:
        raise Wrong(f"took {seconds:.0f} s")
    return said


def failure(seed: int) -> str:
    """What goes wrong with the mutant of `seed`; empty if nothing does."""
    name, text = mutant(seed)
    try:
        outcome(text, name)
    except Exception as fault:  # noqa: BLE001  (whatever it is, it is what is looked for)
        return f"{name}: {type(fault).__name__}: {fault}"
    return ""


def _too_long(_: int, __: object) -> None:
    raise Wrong(f"hangs: no answer after {_WALL_SECONDS} s")


def main() -> None:
    """Check some seeds; exit status 1 if one fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="how many mutants")
    parser.add_argument("--first", type=int, help="the first seed, in place of the one where the last run ended")
    arguments = parser.parse_args()
    BUILD.mkdir(parents=True, exist_ok=True)
    first = arguments.first
    if first is None:
        first = int(NEXT.read_text()) if NEXT.is_file() else 0
    signal.signal(signal.SIGALRM, _too_long)
    bad = 0
    for seed in range(first, first + arguments.count):
        signal.alarm(_WALL_SECONDS)
        wrong = failure(seed)
        signal.alarm(0)
        if wrong:
            bad += 1
            print(f"seed {seed}: {wrong}", flush=True)
            (BUILD / f"mutant{seed}.c").write_text(mutant(seed)[1], errors="surrogateescape")
        NEXT.write_text(f"{seed + 1}\n")
    print(f"{arguments.count} mutants from seed {first} on: {bad} failures")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
