"""The page of a file: `report_page` puts the panels together and prints `page.html.j2`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import PurePath

import jinja2
from markupsafe import Markup, escape

from pencilc import __version__
from pencilc.codegen.marks import PlacedText
from pencilc.diagnostics.diagnostic import SourceErrors
from pencilc.diagnostics.source import SourceFile
from pencilc.driver import Compilation
from pencilc.frontend import read_source
from pencilc.ir.mapping import MappedProgram, leaves, name_of
from pencilc.ir.scop import Candidate
from pencilc.options import CompileOptions, TileChoice
from pencilc.page.counted import CountedRegisters
from pencilc.page.domains import DomainPanel, domain_panel
from pencilc.page.kernels import KernelRow, KernelTable, RegionTraffic
from pencilc.page.launches import LaunchPicture, launch_picture
from pencilc.page.listing import Anchors, listing
from pencilc.page.traffic import NominalTraffic, statements_in
from pencilc.page.tree import FLAGS, ShownNode, shown_tree, size_of_tree
from pencilc.page.undone import NotDone, left_to_host, not_done, warned
from pencilc.records import dataclass
from pencilc.report.text import bytes_text
from pencilc.verify.traffic import Traffic

_LARGE_TREE = 60  # nodes from which on a tree begins folded
# Options that say where files are found, not what is made of them.
_OF_PLACES = frozenset(
    (
        "include_dirs",
        "system_dirs",
        "quote_dirs",
        "after_dirs",
        "includes",
        "target",
        "tuning",
        "tuning_file",
        "warnings",
        "left_to_host",
    )
)


@dataclass(frozen=True, slots=True)
class RegionPanel:
    """What the page shows of a region."""

    name: str
    line: int
    path: str
    launches: LaunchPicture
    launch_count: int
    rows: tuple[KernelRow, ...]
    traffic: RegionTraffic
    tree: ShownNode
    is_tree_large: bool
    domains: DomainPanel
    undone: tuple[NotDone, ...]


def report_page(
    done: Compilation, placed: PlacedText, counted: Mapping[str, CountedRegisters] | None = None,
    calls: Mapping[str, tuple[Traffic, ...]] | None = None,
) -> str:  # fmt: skip
    """The page of a compilation with its `kernels`, which `placed` prints.

    `counted`: what nvcc says of the registers of each function, `calls`: what the executor counted of each region,
    where they were asked.
    """
    files = _files(done)
    anchors = Anchors(files)
    pairs = zip(done.programs, done.candidates, strict=True)
    regions = tuple(_region(done, program, candidates, counted) for program, candidates in pairs)
    return _environment().get_template("page.html.j2").render(
        name=PurePath(done.file.path).name,
        version=__version__,
        target=done.options.target,
        options=_options(done.options),
        regions=regions,
        listing=listing(done, placed, files, anchors),
        source=anchors.source,
        file_name=lambda path: PurePath(path).name,
        many_files=len(files) > 1,
        bytes_text=bytes_text,
        flags=FLAGS,
        warnings=warned(done.diagnostics),
        left=left_to_host(done.options.left_to_host),
        asked_nvcc=counted is not None,
        calls=calls,
    )  # fmt: skip


def _region(
    done: Compilation, program: MappedProgram, candidates: tuple[Candidate, ...],
    counted: Mapping[str, CountedRegisters] | None,
) -> RegionPanel:  # fmt: skip
    assert done.kernels is not None
    scop = program.scop
    traffic = NominalTraffic(program)
    table = KernelTable(program, done.kernels.kernels, traffic, counted)
    rows = table.rows()
    tree = shown_tree(program)
    listed = list(leaves(program.launched()))
    where = {name: name_of(item) for item in listed for name in statements_in(item, scop)}
    return RegionPanel(
        scop.name, scop.span.line, scop.span.path, launch_picture(program, traffic), len(listed), rows,
        table.total(rows), tree, size_of_tree(tree) > _LARGE_TREE, domain_panel(program.scheduled, where),
        not_done(program, candidates),
    )  # fmt: skip


def _files(done: Compilation) -> dict[str, SourceFile]:
    """The file itself and the headers in which regions have statements, as far as they can be read again."""
    files = {done.file.path: done.file}
    for program in done.programs:
        for path in sorted({s.span.path for s in program.scop.statements if s.span.line}):
            if path not in files:
                try:
                    files[path] = read_source(path)
                except SourceErrors:
                    continue
    return files


def _options(options: CompileOptions) -> tuple[str, ...]:
    """The options that are not what they are by themselves: `fuse = max`."""
    found: list[str] = []
    usual = CompileOptions()
    for each in fields(options):
        value = getattr(options, each.name)
        if each.name in _OF_PLACES or value == getattr(usual, each.name):
            continue
        found.append(f"{each.name.replace('_', ' ')}: {_shown(value)}")
    return (*found, *(["with a tuning file"] if options.tuning_file else []))


def _shown(value: object) -> str:
    """The value of an option as its command line has it; of a file the name alone, so that no folder is in the page."""
    match value:
        case True:
            return "yes"
        case SourceFile(path=path):
            return PurePath(path).name
        case TileChoice(kernel=kernel, points=points):
            return f"{kernel}:tile={','.join(map(str, points))}"
        case (str(name), int(size)):
            return f"{name}={size}"
        case tuple():
            return ", ".join(map(_shown, value))
    return str(value)


def coded(text: str) -> Markup:
    """A message as the page has it: what stands between two back quotes is code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escape(text)
    found = [Markup("<code>{}</code>").format(part) if k % 2 else escape(part) for k, part in enumerate(parts)]
    return Markup("").join(found)


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("pencilc", "page"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=True,
    )
    environment.filters["coded"] = coded
    assert environment.loader is not None
    for name in ("page.css", "page.js"):
        text, _, _ = environment.loader.get_source(environment, name)
        environment.globals[name.replace(".", "_")] = Markup(text)
    return environment
