"""Which kernels two checkouts write differently: `python -m bench.kernel_changes PATH [SAMPLE…] [--show KERNEL]`.

PATH is a checkout of another commit (`git worktree add PATH COMMIT`), which runs with the Python of this one.  Each
sample of that commit is compiled by both, as it was, with default options.  Two kernels are the same if they are so but
for white space, comments and names: identifiers that are no words of C or CUDA and no names of building blocks are
numbered in the order in which they stand.  What is the same once `WORDS` are undone on both sides is said in other
words.  The others are changed: their reasons are those of `REASONS` that undo a difference, and of `MARKS` that one of
both has alone; `--show` prints what is left.  Status 1 where a change has no known reason.
"""

from __future__ import annotations

import argparse
import difflib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.compile_time import ROOT, environment
from bench.compile_versions import command_of
from pencilc.codegen.names import OF_LANGUAGE

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_TOKEN = re.compile(r"#\s*\w+|\w+|\d[\w.]*|::|->|[-+*/%&|^!<>=]=|&&|\|\||<<|>>|\+\+|--|\S")
_KERNEL = re.compile(r"^(?:template <[^\n]*>\n)?static __global__ .*?^}\n", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"(\w+) \(", re.ASCII)
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class Rule:
    """What is written in two ways, tokens with a blank between them, becomes one of these."""

    name: str
    pattern: str
    one: str

    def undone(self, text: str) -> tuple[str, int]:
        """The text in the one way, and how often it was in the other."""
        return re.subn(self.pattern, self.one, text)


_AT = r"(\w+(?: \. \w+)?)"  # a variable, or a member
_OF = r"\b(?!pencilc_)(\w+)"  # what a function that combines begins with
# The same done by the same instructions, or a building block in the place of its text.
WORDS = (
    Rule("operator", r"\b(\w+)_(identity|combine) \(", r"\1_operator :: \2 ("),
    Rule("block", rf"{_OF}_block \( (total_?|acc(?: \[ 0 \])?|own) \)", r"pencilc_block ( \1_operator ( ) , \2 )"),
    Rule("warp", rf"{_OF}_warp < (\w+) > \(", r"pencilc_warp < \2 > ( \1_operator ( ) ,"),
    Rule("row", rf"{_OF}_row < THREADS > \( acc ,", r"pencilc_row < THREADS > ( \1_operator ( ) , acc ,"),
    Rule("across", rf"{_OF}_across < ACROSS > \( acc ,", r"pencilc_row_across < ACROSS > ( \1_operator ( ) , acc ,"),
    Rule("across", r"pencilc_row_across < ACROSS , \d+ >", r"pencilc_row_across < ACROSS >"),
    Rule(
        "rest", r"pencilc_load_rest \( (\w+) , ([^;]*?) , step , ([^;,]*?) , (\w+) \) ;",
        r"pencilc_load < true > ( \1 , \2 , step , \4 , \3 ) ;",
    ),
    *(
        Rule(
            "grid",
            rf"if \( {_AT} > 1 \) {{ __shared__ bool last ; if \( threadIdx . x == 0 \) {{ "
            rf"partials \[ {of_row}{_AT} \] = (total_?) ; "
            r"__threadfence \( \) ; last = atomicInc \( & tickets \[ ([^;]*?) \] , \1 - 1 \) == \1 - 1 ; "
            r"__threadfence \( \) ; } __syncthreads \( \) ; if \( ! last \) (\w+) ; "
            r"\3 = (\w+)_operator :: identity \( \) ; for \( [^{]*? \) {[^}]*?} "
            r"\3 = pencilc_block \( \6_operator \( \) , \3 \) ; }",
            rf"if ( \1 > 1 && ! pencilc_grid ( \6_operator ( ) , \3 , {left} , & tickets [ \4 ] , \2 , \1 ) ) \5 ;",
        )
        for of_row, left in ((r"row \* gridDim . x \+ ", "partials + row * gridDim . x"), ("", "partials"))
    ),
    Rule(
        "last",
        rf"{{ unsigned \* const ticket = tickets \+ {_AT} ; __threadfence \( \) ; "
        rf"last = atomicInc \( ticket , {_AT} - 1 \) == \2 - 1 ; __threadfence \( \) ; }}",
        r"last = pencilc_is_last ( & tickets [ \1 ] , \2 ) ;",
    ),
    Rule("extern", r"extern __shared__ uint4 shared \[ \] ; ", ""),
    Rule("parentheses", r"(?<=[=)?,]) \( (\w+) \)(?= [;:])", r" \1"),
    Rule("braces", r"{ ([^{};]*;) }", r"\1"),
)  # fmt: skip
# What runs is something else.
REASONS = (
    Rule("restrict", r"(const \w+(?: \w+)? \*) __restrict__ ", r"\1 "),
    Rule(
        "covered",
        r"for \( (long long|int) (\w+) = ([^;]*?) ; \2 < ([^;]*?) ; "
        r"\2 \+= (?:\( long long \) \( gridDim . x \* blockDim . x \)|gridDim . x \* blockDim . x) \)",
        r"if ( const \1 \2 = \3 ; \2 < \4 )",
    ),
    Rule("covered", r"#pragma unroll 1 (for)", r"\1"),
    Rule("covered", r"\( long long \) \( (blockIdx . x \* blockDim . x \+ threadIdx . x) \)", r"( long long ) \1"),
)  # fmt: skip


# What a change brings or takes away: matches that one of both has alone.
MARKS = (
    ("bytes", r"\bpencilc_add_bytes\b"),
    ("clusters", r"\bpencilc_cluster_row\b"),
    ("divisors", r"\bpencilc_divisor\b"),
    ("collapsed", r"= \( int \) \( \w+ % \d+ \)"),
    ("flight", r"_chunks \[ \d+"),
    ("halves", r"\bpencilc_from_bfloat16\b"),
    ("items", r"\bpencilc_load_items\b"),
    ("lanes", r"\b1 << doubled\b|\blanes\d+ > 0\b"),
    ("lines", r"const long long (\w+)_at = \( long long \) blockIdx . x"),
    ("merged", r"\bhas_columns\b"),
    ("ragged", r"\bload_bounds\b"),
    ("tables", r"\bpencilc_slot\b"),
    ("tails", r"_tail\b"),
    ("teams", r"\bpencilc_team\b"),
    ("threads", r"\bblockDim \. y \+ threadIdx \. y\b"),
    ("tiles", r"\bpencilc_results\b"),
    ("whole", r"ITEMS > 2 &&"),
    ("selections", r"\b(?:at \+ 1 \* step \+ 4 <= count|row \+ 1 \* step < rows_?)\b"),
    ("words", r"\bpencilc_load_narrow\b"),
)


def without_unread(text: str) -> tuple[str, int]:
    """The kernel without parameters that it does not read, and how many these were."""
    head, brace, body = text.partition(" {")
    named = set(_WORD.findall(body))
    begin = head.rindex(" (") + 2
    all_of_them = head[begin:].strip().removesuffix(")").split(",")
    read = [each.strip() for each in all_of_them if named.intersection(_WORD.findall(each)[-1:])]
    return f"{head[:begin]} {' , '.join(read)} ){brace}{body}", len(all_of_them) - len(read)


UNDONE = (*((rule.name, rule.undone) for rule in REASONS), ("unread", without_unread))


@dataclass(frozen=True, slots=True)
class Compared:
    """A kernel of the other checkout beside that of this one: how they differ, with the reasons that are known."""

    kernel: str
    kind: str  # "same", "words", "changed", or "gone" where there is none of that name
    reasons: tuple[str, ...] = ()


def kernels_of(text: str) -> dict[str, str]:
    """The kernels of a file by their names, tokens with a blank between them; without those of building blocks."""
    found = {}
    for match in _KERNEL.finditer(text):
        joined = " ".join(_TOKEN.findall(_COMMENT.sub(" ", match.group())))
        head = joined.split(" ) ", 1)[1] if "__launch_bounds__" in joined else joined
        name = _NAME.search(head)
        assert name is not None, joined[:200]
        if not name.group(1).startswith("pencilc_"):
            found[name.group(1)] = joined
    return found


def numbered(text: str) -> str:
    """The text with names numbered in the order in which they stand."""
    known: dict[str, str] = {}

    def name(match: re.Match[str]) -> str:
        word = match.group()
        is_own = word not in OF_LANGUAGE and not word.startswith(("pencilc_", "__", "PENCILC_"))
        return known.setdefault(word, f"n{len(known)}") if is_own else word

    return _WORD.sub(name, text)


def compared(kernel: str, other: str, this: str | None) -> Compared:
    """How a kernel differs."""
    if this is None:
        return Compared(kernel, "gone")
    if not is_apart(other, this):
        return Compared(kernel, "same")
    for rule in WORDS:
        other, this = (rule.undone(text)[0] for text in (other, this))
    if not is_apart(other, this):
        return Compared(kernel, "words")
    reasons = []
    for name, undone in UNDONE:
        (other, then), (this, now) = undone(other), undone(this)
        reasons += [name] if then != now else []
    if is_apart(other, this):
        left = [name for name, mark in MARKS if set(re.findall(mark, other)) != set(re.findall(mark, this))]
        reasons = [*reasons, *left] if left else []
    return Compared(kernel, "changed", tuple(dict.fromkeys(reasons)))


def is_apart(other: str, this: str) -> bool:
    """Whether two kernels differ in more than names."""
    return numbered(other) != numbered(this)


def shown(other: str, this: str) -> Iterator[str]:
    """The two texts with `WORDS` and `REASONS` undone, a statement on a line, and what differs."""
    for undone in (*(rule.undone for rule in WORDS), *(undone for _, undone in UNDONE)):
        other, this = (undone(text)[0] for text in (other, this))
    before, now = (re.sub(r" ([;{}]) ", r" \1\n", text).splitlines() for text in (other, this))
    return difflib.unified_diff(before, now, "other", "this", lineterm="", n=1)


def compiled(command: Sequence[str], source: Path, folder: Path, clean: dict[str, str]) -> str:
    """What a checkout writes for a sample."""
    output = folder / "out.cu"
    subprocess.run([*command, "-q", str(source), "-o", str(output)], env=clean, cwd=ROOT, check=True)
    return output.read_text()


def row(name: str, found: Sequence[Compared]) -> str:
    """The line of a sample in the table, or of all."""
    counts = " | ".join(str(sum(each.kind == kind for each in found)) for kind in ("same", "words", "changed", "gone"))
    reasons = sorted({reason for each in found for reason in each.reasons})
    return f"| {name} | {len(found)} | {counts} | {', '.join(reasons)} |"


def main() -> None:
    """Compare and print the table, and the names of kernels that are changed without a known reason."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path)
    parser.add_argument("samples", nargs="*", help="names of samples; all of them without any")
    parser.add_argument("--show", metavar="KERNEL", help="print how this kernel differs")
    asked = parser.parse_args()
    other = asked.other.resolve()
    everything: list[Compared] = []
    unknown: list[str] = []
    gone: list[str] = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        commands = [command_of(checkout, folder / side) for side, checkout in (("a", other), ("b", ROOT))]
        clean = environment(folder / "compiled")
        print("| sample | kernels then | the same | other words | changed | gone | reasons |")
        print("|---|---|---|---|---|---|---|")
        for path in sorted((other / "samples").glob("*.c")):
            if path.stem.endswith("_host") or (asked.samples and path.stem not in asked.samples):
                continue
            then, now = (kernels_of(compiled(command, path, folder, clean)) for command in commands)
            found = [compared(kernel, text, now.get(kernel)) for kernel, text in then.items()]
            everything += found
            unknown += [each.kernel for each in found if each.kind == "changed" and not each.reasons]
            gone += [each.kernel for each in found if each.kind == "gone"]
            print(row(path.stem, found), flush=True)
            if asked.show in then and asked.show in now:
                print("\n".join(shown(then[asked.show], now[asked.show])))
    print(row("all", everything))
    print(f"gone: {', '.join(gone) or 'none'}")
    print(f"changed without a known reason: {', '.join(unknown) or 'none'}")
    sys.exit(1 if unknown else 0)


if __name__ == "__main__":
    main()
