"""Faults that pencilc once had, to be put back into its source: random programs or a verifier must find each.

Each is the fault as it was, or the line that mends it taken out again.  `kinds`: the kinds of nests of
`tests/fuzz/generator.py` whose programs of the fast tier are tried, one after the other, until one fails.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """In the file `path`, below the root, `old` stands once and becomes `new`."""

    path: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Defect:
    """A change of the compiler."""

    name: str
    edits: tuple[Edit, ...]
    kinds: tuple[str, ...]


DEFECTS = (
    Defect(
        "kills-end-anti-dependences",
        (
            Edit(
                "pencilc/poly/dependences.py",
                "model.reads, kills=model.all_must)",
                "model.reads, kills=model.all_must.union(model.kills))",
            ),
        ),
        ("kill",),
    ),
    Defect(
        "kills-end-output-dependences",
        (
            Edit(
                "pencilc/poly/dependences.py",
                "output = model.flow(everything, model.all_must, model.all_may)",
                "output = model.flow(everything, model.all_must, model.all_may, kills=model.kills)",
            ),
        ),
        ("kill",),
    ),
    Defect(
        "dead-stores-dropped-behind-dependences",
        (
            Edit(
                "pencilc/poly/dependences.py",
                "scop = replace(scop, statements=tuple(s for s in scop.statements if s.name not in dead))",
                "whole, scop = scop, replace(scop, statements=tuple(s for s in scop.statements if s.name not in dead))",
            ),
            Edit(
                "pencilc/poly/dependences.py",
                "    model = flow_model(scop)\n    everything",
                "    model = flow_model(whole if dead else scop)\n    everything",
            ),
            Edit(
                "pencilc/poly/dependences.py",
                "output = model.flow(everything, model.all_must, model.all_may)\n",
                "output = _without_statements(model.flow(everything, model.all_must, model.all_may), dead)\n"
                "    anti = _without_statements(anti, dead)\n",
            ),
        ),
        ("dead", "reused"),
    ),
    Defect(
        "loops-dealt-out-by-depth",
        (
            Edit(
                "pencilc/codegen/astgen.py",
                "            return node.name in names or has_loop(node.body, names)",
                "            return True",
            ),
            Edit(
                "pencilc/codegen/kernels.py",
                "axis = axes.get(ast.name)",
                "axis = next(iter(axes.values()), None)",
            ),
            Edit(
                "pencilc/schedule/elide.py",
                "            rows = tuple(row for row in tree.rows if not _has_one_value(scop, row, names))",
                "            rows = tree.rows if names else ()",
            ),
        ),
        ("scan",),
    ),
    Defect(
        "counter-of-peeled-iteration-undeclared",
        (
            Edit(
                "pencilc/codegen/host.py",
                "if value not in (own, shared) and _mentions(item, own):",
                "if False:",
            ),
        ),
        ("peeled", "host"),
    ),
    Defect(
        "undone-initialisations-stay",
        (
            Edit(
                "pencilc/poly/extract.py",
                "scop = without_undone_inits(apart(scop))",
                "scop = apart(scop)",
            ),
        ),
        ("repeated",),
    ),
    Defect(
        "dead-code-in-the-one-thread",
        (
            Edit(
                "pencilc/codegen/kernels.py",
                "live_body(self.scop)",
                "self.scop.region.body",
            ),
        ),
        ("dead",),
    ),
    Defect(
        "loops-split-at-merge-nodes",
        (
            Edit(
                "pencilc/schedule/fallback.py",
                "        elif index in position:",
                "        elif index in position and groups[-1][0] == index:",
            ),
        ),
        ("several", "scan"),
    ),
    Defect(
        "ordered-updates-then-other-work",
        (
            Edit(
                "pencilc/parts/in_place.py",
                "if any((update, other) in self.depending for update in updates for other in others):",
                "if False:",
            ),
        ),
        ("histogram", "scatters"),
    ),
    Defect(
        "templates-deduce-their-types",
        (Edit("pencilc/codegen/cexpr.py", 'return f"<{type_text(call.arguments[0].type)}>"', 'return ""'),),
        ("plain",),
    ),
    Defect(
        "helpers-without-const",
        (
            Edit(
                "pencilc/codegen/render.py",
                "function(_with_const(definition, self.effects), pinned, for_host)",
                "function(definition, pinned, for_host)",
            ),
        ),
        ("helpers",),
    ),
    Defect(
        "ragged-bins-packed",
        (
            Edit(
                "pencilc/gpu/fusion/pack.py",
                "if kernel.shape is Shape.INDIRECT and kernel.ragged_at >= 0:",
                "if False:",
            ),
        ),
        ("scatters",),
    ),
    Defect(
        "lanes-do-not-wait-for-what-is-stored",
        (
            Edit(
                "pencilc/codegen/kernels.py",
                "meeting = (touched & written_behind) | (written & touched_behind)",
                "meeting = touched & written_behind",
            ),
        ),
        ("tail",),
    ),
    Defect(
        "arrays-of-run-time-extent-in-kernels",
        (
            Edit(
                "pencilc/poly/statements.py",
                "        arrays = [d for d in sized_at_run_time(stmt) if d is not stmt]",
                "        arrays: list[Declare] = []",
            ),
        ),
        ("conditional",),
    ),
    Defect(
        "member-arrays-looked-up-by-their-variable",
        (
            Edit(
                "pencilc/gpu/shapes/shape.py",
                "        arrays = [a for a in self.scop.arrays if a.symbol.name == base.symbol.name]",
                "        arrays = [self.scop.array(base.symbol.name)]",
            ),
        ),
        ("members",),
    ),
)
