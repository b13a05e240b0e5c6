"""Measure on the GPU of this machine (`make bench-gpu`, or `python3 -m bench.gpu` where the sources were carried to).

Exit status: 0 everything that ran is right; 4 a result differs from the reference; 5 no GPU, no nvcc or no g++.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.gpu import build, torch_peers
from bench.gpu.cases import GROUPS, is_headline, without_compiler
from bench.gpu.records import Case
from bench.gpu.reference import Reference
from bench.gpu.report import Output, best_parameters, machine, measured, save_machine, wrong
from bench.gpu.session import Libraries, Result, Session, Torch
from pencilc.tune.device import Device, capability, no_gpu
from pencilc.tune.measure import Plan

ALONE = ("paper", "check")  # groups that are measured only where they are asked for
CPU_MEMORY = 2**19  # the executor needs about a microsecond for each element


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="bench.gpu", description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument(
        "--groups", default=",".join(g for g in GROUPS if g not in ALONE), help="of " + ",".join(GROUPS)
    )
    parser.add_argument("--quick", action="store_true", help="check a small case of every kind, then measure few sizes")
    parser.add_argument("--cases", type=re.compile, default=re.compile(""), metavar="PATTERN",
                        help="only the cases in whose line of --list the regular expression is found")  # fmt: skip
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no case after so many minutes")
    parser.add_argument("--resume", action="store_true", help="leave out what results.csv of an earlier run holds")
    parser.add_argument("--paper", action="store_true", help="the figures of the PACT'16 paper, with its search")
    parser.add_argument("--samples", type=int, default=21, help="samples of each contender")
    parser.add_argument("--seed", type=int, default=0, help="of the order in which contenders take turns")
    parser.add_argument("--memory", type=float, default=0.6, help="part of the device's memory that a case may take")
    parser.add_argument("--out", type=Path, default=Path("build/bench-gpu"), help="where results go")
    parser.add_argument("--no-torch", action="store_true", help="leave PyTorch out")
    parser.add_argument("--no-compile", action="store_true", help="leave torch.compile out, whose compiler takes long")
    parser.add_argument("--on", choices=("gpu", "cpu"), default="gpu", help="cpu: only check pencilc's results")
    parser.add_argument("--list", action="store_true", help="print the cases and end")
    parser.add_argument("--build", metavar="ARCH", help="only build everything, for sm_90 say; needs no GPU")
    parser.add_argument("--pack", action="store_true", help="write pencilc's files to bench/gpu/generated and end")
    chosen = parser.parse_args(words)
    if chosen.samples < 10:
        parser.error("--samples: fewer than 10 say nothing about the spread")
    unknown = set(chosen.groups.split(",")) - set(GROUPS)
    if unknown:
        parser.error(f"--groups: unknown {', '.join(sorted(unknown))}")
    return chosen


def cases(chosen: argparse.Namespace, reference: Reference, memory: float) -> Iterator[Case]:
    """The cases that were asked for and fit into `memory` bytes."""
    for group in ("paper",) if chosen.paper else chosen.groups.split(","):
        for case in GROUPS[group](reference):
            is_asked_for = chosen.cases.search(case.label) and (not chosen.quick or is_headline(case))
            if case.memory <= memory and is_asked_for:
                yield without_compiler(case) if chosen.no_compile else case


def main(words: Sequence[str] | None = None) -> int:
    """Build, check, measure, report."""
    chosen = arguments(sys.argv[1:] if words is None else words)
    try:
        if chosen.pack:
            return _pack()
        if chosen.build:
            return _build(chosen)
        if chosen.on == "gpu":
            return _measure(chosen, chosen.out / "built")
        with tempfile.TemporaryDirectory(prefix="bench-gpu-") as name:
            return _check_on_cpu(chosen, Path(name))
    except build.ToolMissing as error:
        print(f"bench.gpu: {error}", file=sys.stderr)
        return 5


def _pack() -> int:
    if not build.can_generate():
        raise build.ToolMissing("pencilc cannot run here: islpy, pycparser, pcpp or jinja2 is missing")
    generated = build.generate(searched=True)
    build.carry(generated)
    for reason in generated.reasons.values():
        print(f"left out: {reason}", file=sys.stderr)
    return 0


def _build(chosen: argparse.Namespace) -> int:
    """Everything that a measurement needs, into the folder where it looks; 5 if something cannot be built."""
    folder, nvcc = chosen.out / "built", build.find_nvcc()
    build.build_reference(folder)
    generated = build.generate(searched=chosen.paper)
    built = build.compile_each(nvcc, chosen.build, build.sources_of(generated, folder), folder)
    failed = {**generated.reasons, **{name: path for name, path in built.items() if isinstance(path, str)}}
    for name, reason in failed.items():
        print(f"{name}: {reason}", file=sys.stderr)
    print(f"{len(built) - len(failed)} libraries for {chosen.build} in {folder}, {len(failed)} failed")
    return 5 if failed else 0


def _measure(chosen: argparse.Namespace, folder: Path) -> int:
    reason = no_gpu()
    if reason and not chosen.list:
        raise build.ToolMissing(f"{reason}; nothing was measured (--on=cpu checks pencilc's results without a GPU)")
    deadline = time.monotonic() + 60 * chosen.minutes
    reference = Reference.load(build.build_reference(folder))
    if chosen.list:
        for case in cases(chosen, reference, float("inf")):
            print(f"{case.label}: {', '.join(c.name for c in case.contenders)}")
        return 0
    nvcc, generated = build.find_nvcc(), build.generate(searched=chosen.paper)
    print("building", file=sys.stderr)
    libraries = build.build_all(nvcc, f"sm_{capability()}", generated, folder)
    device = Device(libraries.built["fill"])
    torch, why_not = _torch(chosen, device)
    peers = {"PyTorch": torch.version if torch is not None else why_not}
    peers |= {name: f"missing: {why}" for name, why in libraries.missing.items()}
    known = measured(chosen.out) if chosen.resume else frozenset()
    output = Output(chosen.out, sys.stdout, bool(known))
    output.say(machine(device.info, peers))
    save_machine(chosen.out, device.info, peers)
    results = _run(chosen, Session(device, libraries, torch, why_not), reference, output, known, deadline)
    if chosen.paper:
        output.say(best_parameters(results))
    output.close()
    _plots(chosen.out)
    return 4 if wrong(results) else 0


def _run(
    chosen: argparse.Namespace, session: Session, reference: Reference, output: Output, known: frozenset[str],
    deadline: float,
) -> list[Result]:  # fmt: skip
    """Check and time the cases that are not `known`, by label, until `deadline` (of `time.monotonic`)."""
    results: list[Result] = []
    plan = Plan(samples=chosen.samples, seed=chosen.seed)
    checked = [(case, None) for case in GROUPS["check"](reference)] if chosen.quick and not known else []
    timed = [(case, plan) for case in cases(chosen, reference, chosen.memory * session.device.info.memory_bytes)]
    left = [(case, how) for case, how in (*checked, *timed) if f"{case.group} {case.label}" not in known]
    try:
        for number, (case, how) in enumerate(left):
            if time.monotonic() > deadline:
                output.say(f"the time is over: {len(left) - number} cases are left, go on with --resume\n")
                break
            found = session.run(case, how)
            output.add(found)
            results += found
    except KeyboardInterrupt:
        output.say("interrupted: what was measured so far is kept, go on with --resume\n")
    return results


def _torch(chosen: argparse.Namespace, device: Device) -> tuple[torch_peers.TorchPeers | None, str]:
    if chosen.no_torch:
        return None, "left out"
    if not torch_peers.is_available():
        return None, "not installed"
    try:
        return torch_peers.TorchPeers(device.stream), ""
    except (ImportError, OSError, RuntimeError) as error:
        return None, f"cannot be used: {error}"


def _plots(folder: Path) -> None:
    from bench.gpu import plots

    try:
        made = plots.draw(folder)
    except ModuleNotFoundError:
        print("matplotlib is not installed: no plots (pip install 'pencilc[bench]')", file=sys.stderr)
    else:
        print(f"{len(made)} plots in {folder}", file=sys.stderr)


def _check_on_cpu(chosen: argparse.Namespace, folder: Path) -> int:
    """pencilc's results against the reference, on the CPU executor; nothing is timed."""
    reference = Reference.load(build.build_reference(folder))
    generated = build.generate()
    sessions: dict[str, Session] = {}
    results: list[Result] = []
    for case in cases(chosen, reference, CPU_MEMORY):
        if case.source not in generated.texts:
            print(f"{case.label}: {generated.reasons.get(case.source, 'not generated')}")
            continue
        if case.source not in sessions:
            sessions[case.source] = cpu_session(case.source, generated.texts[case.source], folder)
        found = [r for r in sessions[case.source].run(case, None) if r.contender == "pencilc"]
        results += found
        print(f"{case.label}: {found[0].status}")
    print(f"{len(results)} checked, {len(wrong(results))} wrong; no time was taken")
    return 4 if wrong(results) else 0


def cpu_session(source: str, text: str, folder: Path, torch: Torch | None = None) -> Session:
    """A session on the CPU executor with one generated file."""
    library = build.build_for_cpu(source, text, folder)
    device = Device(library, flush=False)
    return Session(device, Libraries({"fill": library, source: library}, {}), torch, "not on the CPU")


if __name__ == "__main__":
    sys.exit(main())
