"""Defects that are put into generated CUDA by changing its text, to see that the executor finds every one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutation:
    """A textual change: every match of `pattern` in turn is replaced by `replacement` and gives one mutant."""

    name: str
    pattern: str
    replacement: str


@dataclass(frozen=True, slots=True)
class Mutant:
    """One changed text; `name` is `<mutation>:<number of the match>`, `line` the first changed line."""

    name: str
    line: int
    text: str


# What a kernel's own results show, or the detector in it: run by the verification of the sample.
KERNEL_MUTATIONS = (
    Mutation("barrier", r"(?<=[ {])__syncthreads\(\);", ";"),
    Mutation("relaxed-ticket", "__NV_ATOMIC_ACQ_REL", "__NV_ATOMIC_RELAXED"),
    Mutation("ticket-that-only-acquires", "__NV_ATOMIC_ACQ_REL", "__NV_ATOMIC_ACQUIRE"),
    Mutation("ticket-that-only-releases", "__NV_ATOMIC_ACQ_REL", "__NV_ATOMIC_RELEASE"),
    Mutation("ticket-of-the-block", "__NV_THREAD_SCOPE_DEVICE", "__NV_THREAD_SCOPE_BLOCK"),
    Mutation("ticket-not-put-back", r"\*ticket = 0;", ";"),
    Mutation("first-block-finishes", r"before != blocks - 1", "before != 0"),
    Mutation("every-block-finishes", r"if \(!last\) (return|return false|continue);", ";"),
    Mutation("no-block-finishes", r"if \(!last\) (return|return false|continue);", r"\1;"),
    Mutation("narrow-shuffle", r"(__shfl_xor_sync\((?:0xffffffffu|among), [^;]*?), lanes\)", r"\1, lanes, 8)"),
    Mutation("short-shuffle", r"int lanes = (LANES|HALF)( / 2)?; lanes > 0", r"int lanes = (\1\2) / 2; lanes > 0"),
    Mutation("half-a-tree", r"(half = rows / 2; half >) 0", r"\1 1"),
    Mutation("lanes-of-other-columns", r"lanes >= blockDim\.x", "lanes > 0"),
    Mutation("wrong-identity", r"( identity\(\) \{ return )[^;]+;", r"\g<1>1;"),
    Mutation("rest-of-chunks", r"if \(at \+ l \* step \+ \d+ <= count\)", "if (false)"),
    Mutation("rest-not-loaded", r"(if \(!REST \|\| )l( \* step \+ WIDTH <= left\))", r"\g<1>(l > 0 ? left : 0)\2"),
    Mutation("tail-elements", r"if \(tail < count\)", "if (tail + 1 < count)"),
    Mutation("tail-of-a-run", r"(for \(long long x = at; x) < count; x\+\+\)", r"\1 + 1 < count; x++)"),
    Mutation("rest-of-rows", r"if \(row \+ l \* step < rows_", "if (row + l * step + 1 < rows_"),
    Mutation("rows-beyond-the-last", r"row \+ l \* step < rows_ \? (.*) : nullptr", r"\1"),
    Mutation("part-of-a-chunk", r"for \(; row < rows_; row \+= ", "for (; row + 1 < rows_; row += "),
    Mutation("chunk-too-long", r"(at|step) \+ 4 <= count", r"\1 + 3 <= count"),
    Mutation("columns-too-many", r"(k_?) < mine", r"\1 <= mine"),
    Mutation("always-aligned", r"(?<=return )\(size_t\)pointer % 16 == 0", "true"),
    Mutation("row-beyond-the-last", r"row < rows_ && lane == 0", "lane == 0"),
    Mutation("lanes-of-another-row", r"int other = lanes / 2;", "int other = lanes;"),
    Mutation("point-beyond-the-last", r"row < rows && lane == 0", "lane == 0"),
    Mutation("one-tile-of-columns", r"for \(\w+ tile = 0; tile < (?:columns|places);", "for (int tile = 0; tile < 1;"),
    Mutation("region-of-another", r"\(\(char \*\)shared \+ at\d\)", "shared"),
    Mutation("row-of-another", r"(const int h = \(int\))row;", r"\g<1>0;"),
    Mutation("stride-of-one-block", r"(const int step = )gridDim\.[xy] \* ", r"\1"),
    Mutation("rounds-too-many", r"at \+ 4 \* step <= count", "at + 3 * step <= count"),
    Mutation("tile-of-another", r"(tile = \(blockIdx\.x \* )\d+", r"\g<1>8"),
    Mutation("partial-of-another", r"(partials\[)block\] = ", r"\g<1>0] = "),
    Mutation("partials-too-few", r"(block|other) < (gridDim\.[xy]|blocks); (block|other) \+=", r"\1 + 1 < \2; \3 +="),
    Mutation("lane-out-of-step", r"lane == 0\) parts\[warp\]", "lane < 2) parts[warp]"),
    Mutation("too-many-parts", r"lane < blockDim\.x / PENCILC_WARP \?", "true ?"),
    Mutation("not-rescaled", r"const T factor = [^;]+;", "const T factor = 1;"),
    Mutation("smaller-stays", r"(const bool grows = [^;]+) > ", r"\1 < "),
    Mutation("weight-forgotten", r"\{value, weight\}", "{value, 2}"),
    Mutation("origin-of-each", r"count == 0\) origin", "true) origin"),
    Mutation("moves-alone", r"squares -= by \*[^;]+;", ";"),
    Mutation("moved-sum", r"sum -= count \* by;", ";"),
    Mutation("origin-moves-alone", r"const T more = stays \? [^;]+;", "const T more = 0;"),
    Mutation("other-origin", r"return \{stays \? left\.origin : right\.origin", "return {left.origin"),
    Mutation("one-set-of-operands", r"now \^= 1", "now = 0"),
    Mutation("next-not-fetched", r"if \(next < last\) \{", "if (next + 16 < last) {"),
    Mutation("fetched-beyond-the-last", r"if \(y >= last\) continue;", ";"),
    Mutation("place-not-clamped", r"x < places \? x : places - 1, y", "x, y"),
    Mutation("element-not-clamped", r"from\[k <= more \? k : more\]", "from[k]"),
    Mutation("part-of-a-run-as-whole", r" && [xy] \+ ALONG_(SIDE|DEPTH) <= (places|last)", ""),
    Mutation("depth-too-short", r"d < last - at\b", "d + 1 < last - at"),
    Mutation("share-of-all", r"points - at < share \? points : at \+ share;", "points;"),
    Mutation("share-of-another", r"\(int\)blockIdx\.y \* share", "(int)blockIdx.y * (share / 2)"),
    Mutation("left-by-too-few", r"unsigned block = 1; block < gridDim\.y", "unsigned block = 2; block < gridDim.y"),
    Mutation("points-beyond-the-tile", r"if \(row < rows && column < columns\)", "if (column < columns)"),
    Mutation("result-of-another", r"results\[x\]", "results[x / 2]"),
    Mutation("not-begun-again", r"if \(at == 0\)", "if (at == 0 && first_column == 0)"),
    Mutation("folded-too-early", r"if \(ends\)", "if (true)"),
    Mutation("part-of-a-row", r"_warp<16>\(", "_warp<8>("),
    Mutation("tile-too-far", r"first_column \+ tile_columns : first", "first_column + 2 * tile_columns : first"),
    Mutation("copies-not-waited-for", r"__pipeline_wait_prior\(stages - 2\);", ";"),
    Mutation("last-copies-not-waited-for", r"wait_prior\(stages - 2\);", "wait_prior(stages - 1);"),
    Mutation("copies-not-committed", r"__pipeline_commit\(\);", ";"),
    Mutation("stage-that-is-read", r"\[free\]\.fetch", "[now].fetch"),
    Mutation("other-stage-multiplied", r"\.load\((tile_of\.operands\.\w+)\[now\]", r".load(\1[now == 0]"),
    Mutation("part-of-a-warp", r"(pencilc_multiply_\w+\(acc|acc\[r\]\[c\]\.store)", r"if (threadIdx.x % 32 < 16) \1"),
    Mutation("rows-of-other-lanes", r"second = lane / 8 % 2 \* 8", "second = lane / 16 * 8"),
    Mutation("matrices-turned-around", r"m8n8\.x4\.shared", "m8n8.x4.trans.shared"),
    Mutation("other-half-of-a-factor", r"across\.words\[2 \* k\]", "across.words[k]"),
    Mutation("sums-of-other-rows", r"lane / 4 \+ k % 2 \* 8", "lane / 4 + k / 2 * 8"),
    Mutation("lanes-that-differ", r"warp = threadIdx\.x / PENCILC_WARP, warp_row", "warp = threadIdx.x / 30, warp_row"),
    Mutation("fragments-of-nothing", r"\bacc\[r\]\[c\]\.fill\([^;]*;", ";"),
    Mutation("beyond-the-last-operand", r"k < left \? (\*at\([^;]*\)) : T\(\);", r"\1;"),
    Mutation("part-of-a-chunk-as-whole", r"left >= WIDTH && loose == 0", "left > 0 && loose == 0"),
)  # fmt: skip

# What the host functions do: run by the verification of the sample too.
HOST_MUTATIONS = (
    Mutation("synchronisation", r"PENCILC_CHECK\(cudaStreamSynchronize\(stream\)[^;]*;", ";"),
    Mutation("copy-out", r"PENCILC_CHECK\(\w+_copy\.out\([^;]*;", ";"),
    Mutation("copy-in", r"(_copy\.in\(\w+, \w+_range,) true", r"\1 false"),
    Mutation("copy-too-short", r"(const size_t bytes = \(range\.end - range\.first)\)", r"\1 - 1)"),
    Mutation("copy-not-freed", r"if \(memory != nullptr\) cudaFreeAsync\(memory, stream\);", ";"),
    Mutation("ticket-not-zeroed", r"if \(zero\) PENCILC_RETURN\(cudaMemsetAsync[^;]*;", ";"),
    Mutation("scratch-too-small", r"(call_?\.reserve\(&pencilc_scratch::partials, )", r"\1-4 + "),
)

# What calls at the same time do to each other: run by the programs of tests/diff/test_concurrency.py.
SHARING_MUTATIONS = (
    Mutation("scratch-lock", r"if \(found != nullptr\) pthread_mutex_lock\(&found->lock\);", ";"),
    Mutation(
        "scratch-lock-and-unlock",
        r"pthread_mutex_lock\(&found->lock\);([^@]*?)pthread_mutex_unlock\(&scratch->lock\);|"
        r"pthread_mutex_unlock\(&scratch->lock\);([^@]*?)if \(found != nullptr\) pthread_mutex_lock\(&found->lock\);",
        r";\1\2;",
    ),
    Mutation("list-lock", r"pthread_mutex_lock\(&pencilc_lock\);", ";"),
    Mutation("scratch-of-all-streams", r"&& \(\*at\)->stream == id && ", "&& "),
    Mutation("scratch-of-all-threads", r" && \(\*at\)->thread == thread\)", ")"),
    Mutation("capture-forbids-calls", r"const pencilc_relaxed relaxed_?;", ""),
    Mutation("graphs-share-scratch", r"capturing = status != cudaStreamCaptureStatusNone;", "capturing = false;"),
)


def mutants(text: str, mutation: Mutation) -> Iterator[Mutant]:
    """All mutants of one mutation; comments are left alone."""
    for number, match in enumerate(re.finditer(mutation.pattern, text)):
        line_start = text.rfind("\n", 0, match.start()) + 1
        if "//" in text[line_start : match.start()]:
            continue
        changed = text[: match.start()] + match.expand(mutation.replacement) + text[match.end() :]
        yield Mutant(f"{mutation.name}:{number}", text.count("\n", 0, match.start()) + 1, changed)
