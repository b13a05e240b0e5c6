"""gcc's address and undefined-behaviour sanitizers: whether they work here, and what they say in terms of the source.

The sequential program is what the generated one is compared with, so what it does outside of its arrays must not go
unseen: it would be taken for its meaning.
"""

from __future__ import annotations

import functools
import hashlib
import linecache
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from pencilc.records import dataclass
from pencilc.verify.cases import GUARD, PLACED, Argument
from pencilc.verify.cudacpu.build import cache_directory

# Signed overflow wraps in the generated code and in the reference (-fwrapv), and an array of no elements is allowed.
# What lies outside of an object is told by the address sanitizer, which knows more of the place.
FLAGS = (
    *("-g1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined,bounds-strict"),
    *("-fno-sanitize=vla-bound,object-size", "-fno-sanitize-recover=undefined"),
)

_ADDRESS = re.compile(r"ERROR: AddressSanitizer: (\S+)(?:.*? address (0x[0-9a-f]+))?")
_ACCESS = re.compile(r"^(READ|WRITE) of size (\d+)|caused by a (READ|WRITE) memory access", re.MULTILINE)
# Not the frames of the sanitizers themselves, of memcpy and its like: they have C++ names, and paths where they were
# built.  The user's files have the paths that they were given by.
_FRAME = re.compile(
    r"^\s*#\d+ 0x[0-9a-f]+ in \S+ (?!.*/(?:libsanitizer|sysdeps)/)(\S.*?):(\d+)(?::\d+)?$", re.MULTILINE
)
_SIDES = "to the right of|after|to the left of|before|inside of"
_REGION = re.compile(rf"is located (\d+ bytes) ({_SIDES}) (\d+)-byte region")
_VARIABLE = re.compile(
    r"'([^']+)'(?: \(line \d+\))? <== Memory access|of global variable '([^']+)'|after global variable '([^']+)'"
)
_UNDEFINED = re.compile(r"^(.+?):(\d+):(\d+): runtime error: (.+)$", re.MULTILINE)
_SHOWN = 100  # characters; of a longer line the statement is shown


@dataclass(frozen=True, slots=True)
class PlacedArray:
    """An array of a call: where it stood, and what it is."""

    argument: Argument
    address: int


@functools.cache
def preload() -> str | None:
    """The library that a process must be started with; None if the sanitizers do not work here.

    They are tried out once for each compiler and limit of memory; the answer is kept between runs.
    """
    compiler = shutil.which("gcc")
    if compiler is None:
        return None
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False).stdout
    # The sanitizer reserves far more addresses than it uses, which a limit may forbid.
    about = (compiler, version, FLAGS, sys.executable, sys.version, resource.getrlimit(resource.RLIMIT_AS))
    key = hashlib.sha256(repr(about).encode()).hexdigest()[:16]
    kept = cache_directory() / f"sanitizers-{key}"
    if kept.is_file():
        found = kept.read_text(encoding="utf-8")
    else:
        found = _tried(compiler)
        kept.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=kept.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(found)
        Path(name).replace(kept)
    return found or None


def _tried(compiler: str) -> str:
    """The path of the library with which a process can load code that is watched; empty if that does not work."""
    asked = [compiler, "-print-file-name=libasan.so"]
    library = _loadable(Path(subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()))
    with tempfile.TemporaryDirectory(prefix="pencilc-sanitizers-") as folder:
        source, built = Path(folder) / "probe.c", Path(folder) / "probe.so"
        source.write_text("int probe(int n, int *a) { return a[n] + 1; }\n", encoding="utf-8")
        command = [compiler, *FLAGS, "-shared", "-fPIC", str(source), "-o", str(built)]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return ""
        load = "import ctypes, sys; ctypes.CDLL(sys.argv[1]); ctypes.CDLL(None).__asan_poison_memory_region"
        environment = {**os.environ, **settings(), "LD_PRELOAD": library}
        run = [sys.executable, "-I", "-S", "-c", load, str(built)]
        done = subprocess.run(run, capture_output=True, env=environment, check=False)
    return "" if done.returncode else library


def _loadable(found: Path) -> str:
    """The library itself; some systems have a script for the linker in its place, which names it."""
    if not found.is_absolute() or not found.is_file():
        return ""
    start = found.read_bytes()[:1000]
    named = re.search(rb"INPUT\s*\(\s*(/[^\s)]+)", start)
    return named[1].decode() if named else str(found)


def settings() -> dict[str, str]:
    """The environment of a program that was built with the sanitizers."""
    return {"ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1", "UBSAN_OPTIONS": "print_stacktrace=0"}


def environment() -> Mapping[str, str]:
    """The environment of a process that is to load a watched library; empty without sanitizers."""
    library = preload()
    return {} if library is None else {**settings(), "LD_PRELOAD": library}


def fault(messages: str, arguments: Sequence[Argument] = ()) -> str:
    """What the sanitizers have found, as `FILE:LINE: what is wrong`; empty if nothing.

    `arguments` are those of the call, whose arrays the messages place.
    """
    undefined = _UNDEFINED.search(messages)
    if undefined is not None:
        code = _code(undefined[1], int(undefined[2]), int(undefined[3]))
        bound = _bound(undefined[1], int(undefined[2]), int(undefined[3]), undefined[4], arguments)
        name = _with_subscript(undefined[1], int(undefined[2]), int(undefined[3]))
        words = _in_words(undefined[4], bound, name)
        return f"{_name(undefined[1])}:{undefined[2]}: the sequential program: {words}{code}"
    address = _ADDRESS.search(messages)
    if address is None:
        return ""
    frame = _FRAME.search(messages)
    where = f"{_name(frame[1])}:{frame[2]}: " if frame else ""
    access = _ACCESS.search(messages)
    does = "accesses" if access is None else "reads" if "READ" in (access[1], access[3]) else "writes"
    places = _placed(messages, arguments)
    return f"{where}the sequential program {does} {_target(messages, address, places)}"


def _target(messages: str, address: re.Match[str], places: Sequence[PlacedArray]) -> str:
    """What an access has met, in the source's terms as far as they are known."""
    if address[2] is not None:
        for placed in places:
            size = placed.argument.count * placed.argument.type.size
            if -GUARD <= int(address[2], 16) - placed.address < size + GUARD:
                return _element(placed, int(address[2], 16))
    variable, region = _VARIABLE.search(messages), _REGION.search(messages)
    if variable is not None:
        return f"outside of '{variable[1] or variable[2] or variable[3]}'"
    if region is not None:
        side = {"to the right of": "after", "to the left of": "before"}.get(region[2], region[2])
        freed = " that was freed" if "use-after-free" in address[1] else ""
        return f"memory {region[1]} {side} a block of {region[3]} bytes{freed}"
    return f"memory that is not its own ({address[1]})"


def _element(placed: PlacedArray, address: int) -> str:
    """`a[1][0]`, which lies outside of `a[1][33]`."""
    argument = placed.argument
    number = (address - placed.address) // argument.type.size
    shape = [max(extent, 0) for extent in argument.shape]
    whole = argument.name + "".join(f"[{extent}]" for extent in shape)
    if 0 in shape[1:]:
        return f"element {number} of `{whole}`, which has none"
    indices = []
    for extent in reversed(shape[1:]):
        number, index = divmod(number, extent)
        indices.append(index)
    element = argument.name + "".join(f"[{index}]" for index in [number, *reversed(indices)])
    return f"`{element}`, which lies outside of `{whole}`"


def _placed(messages: str, arguments: Sequence[Argument]) -> list[PlacedArray]:
    found = re.findall(rf"^{PLACED} (\d+) (0x[0-9a-f]+)$", messages, re.MULTILINE)
    return [PlacedArray(arguments[int(number)], int(address, 16)) for number, address in found]


def _in_words(text: str, bound: str, name: str) -> str:
    """The message about an index with the bound in the place of the type, which gcc does not know at run time.

    `name` is what has the subscript; `bound` says it already.
    """
    found = re.match(r"index (-?\d+) out of bounds for type '.*\[(.*)\]'", text)
    if found is None:
        return text
    if not bound:
        bound = "" if found[2] == "*" else f" of {found[2]}"
        bound += f", of `{name}`" if name else ""
    return f"the index {found[1]} lies outside of a dimension{bound}"


def _bound(path: str, line: int, column: int, message: str, arguments: Sequence[Argument]) -> str:
    """` of 7, of `a[5][7]``, for a subscript at that place of one of the arrays; empty if it is not certain."""
    text = linecache.getline(path, line)
    name, dimension = _subscripted(text[: column - 1])
    found = [(a, dimension) for a in arguments if a.name == name and dimension < len(a.shape)]
    index = re.match(r"index (-?\d+) ", message)
    if not found and index is not None:
        # The place is that of a macro: whatever array on the line has such a dimension.
        found = [
            (a, k) for a in arguments if re.search(rf"\b{re.escape(a.name)}\s*\[", text)
            for k in range(1, len(a.shape)) if not 0 <= int(index[1]) < a.shape[k]
        ]  # fmt: skip
    if len(found) != 1:
        return ""
    array, dimension = found[0]
    whole = array.name + "".join(f"[{extent}]" for extent in array.shape)
    return f" of {array.shape[dimension]}, of `{whole}`"


def _with_subscript(path: str, line: int, column: int) -> str:
    """The variable that has the subscript at that place; empty for a member, and at the place of a macro."""
    text = linecache.getline(path, line)
    return _subscripted(text[: column - 1])[0] if text[column - 1 : column] == "[" else ""


def _subscripted(text: str) -> tuple[str, int]:
    """The name at the end of `text` and the number of subscripts behind it: `a` and 2 for `x = a[i][j]`."""
    dimension, text = 0, text.rstrip()
    while text.endswith("]"):
        depth = 0
        for at in range(len(text) - 1, -1, -1):
            depth += {"]": 1, "[": -1}.get(text[at], 0)
            if depth == 0:
                break
        text, dimension = text[:at].rstrip(), dimension + 1
    name = re.search(r"(?<![\w.>])[A-Za-z_]\w*\Z", text)
    return name[0] if name else "", dimension


def _code(path: str, line: int, column: int) -> str:
    """The source around the place, which says what the index is of."""
    shown = linecache.getline(path, line).strip()
    if len(shown) > _SHOWN:
        shown = _statement(linecache.getline(path, line), column - 1)
    return f", in `{shown}`" if shown else ""


def _statement(text: str, place: int) -> str:
    """The statement around a place of a line; the parts of the head of a `for` are none."""
    start, end, depth = 0, len(text), 0
    for at, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0 and character in ";{}":
            if at >= place:
                end = at + 1
                break
            start = at + 1
    return text[start:end].strip()


def _name(path: str) -> str:
    """The path as the user would write it."""
    here = f"{Path.cwd()}/"
    return path.removeprefix(here)
