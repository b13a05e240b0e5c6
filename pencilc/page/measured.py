"""What a call moves, as the CPU executor counts it (`pencilc verify --traffic`), for the tables of a page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pencilc.driver import Compilation
from pencilc.verify.command import Generated, VerifySettings, check_sizes, executor_for, measure_traffic
from pencilc.verify.facts import gather
from pencilc.verify.traffic import Traffic

# The value of a size that is not given: more than a block takes at once, and no multiple of anything.
_SIZE = 257


def counted_calls(
    done: Compilation, cuda: str, sizes: Mapping[str, tuple[int, ...]], inputs: Path | None
) -> dict[str, tuple[Traffic, ...]]:
    """The calls of each region by its name, at the sizes that are given and a middling one for all others.

    `cuda` is the text of the file; `inputs`, or `<stem>.inputs.py` beside the source, makes the data.
    Raises ToolMissing, BuildFailed, InputsError.
    """
    beside = Path(done.file.path).with_suffix(".inputs.py")
    regions = tuple(region for region in done.parsed.regions if not region.outlined)
    check_sizes(regions, sizes)
    given = dict(sizes)
    for region in regions:
        facts = gather(region, {})
        for name in (*facts.extents, *facts.bounds):
            given.setdefault(name, (_SIZE,))
    settings = VerifySettings(
        sizes=given, orders=("fwd",), traffic=True, inputs=inputs or (beside if beside.is_file() else None)
    )
    generated = Generated(done.parsed, cuda, done.host)
    found: dict[str, tuple[Traffic, ...]] = {}
    for call in measure_traffic(generated, done.options, settings, executor_for(settings, done.options.target)):
        found[call.function] = (*found.get(call.function, ()), call)
    return found
