"""What all rules for nodes of the tree ask: who comes to a node, what is dealt out there, what has been shown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pencilc.codegen.control import Control, Rules, fault
from pencilc.codegen.kernel_types import Known, NameScope
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import ZERO, declare, variable
from pencilc.ir.geometry import Geometry
from pencilc.ir.nodes import Node, Sync
from pencilc.ir.source import FLOAT, INT, Declare
from tests.unit.codegen.by_hand import file_scope


class Only(Rules):
    """Rules for declarations alone, and a record of what they were asked about."""

    def node(self, node: Node, scope: NameScope, control: Control) -> Control:
        """Declares what it is given."""
        assert isinstance(node, Declare)
        self.declare(scope, node.symbol.name, Known(node.symbol.type))
        return replace(control, varying=control.varying | {node.symbol.name})


def rules(layout: str = "", axes: str = "", **around: object) -> Only:
    """Those of a kernel `k`."""
    return Only(file_scope(), "k", frozenset(axes), Geometry(layout, 256), **around)  # type: ignore[arg-type]


def test_a_fault_says_where() -> None:
    with pytest.raises(CompilerBug, match="`k`: this and that"):
        fault("k", "this and that")


def test_where_only_some_threads_come_nobody_meets_and_everything_is_dealt_out() -> None:
    whole = Control(level="block", begun=frozenset("s"))
    assert (whole.divided.is_uniform, whole.divided.in_warps, whole.divided.in_rows) == (False, False, False)
    assert whole.divided.dealt == frozenset() and whole.of_some.dealt == frozenset("xyz")
    assert whole.of_some == replace(whole.divided, dealt=frozenset("xyz"))
    assert (whole.of_some.level, whole.of_some.begun, whole.of_some.in_grid) == ("block", frozenset("s"), True)


@pytest.mark.parametrize(
    ("scope", "control"),
    [
        ("launch", Control(in_grid=False)),
        ("launch", Control(is_uniform=False)),
        ("block", Control(is_uniform=False)),
        ("warp", Control(in_warps=False)),
    ],
)
def test_all_threads_of_a_scope_come_to_its_barrier(scope: str, control: Control) -> None:
    rules().meet(scope, Control())
    with pytest.raises(CompilerBug, match="a barrier stands where not all threads come"):
        rules().meet(scope, control)


def test_a_barrier_of_a_smaller_scope_needs_less() -> None:
    rules().meet("warp", Control(is_uniform=False))
    rules().meet("block", Control(in_grid=False, in_warps=False))


def test_stores_are_dealt_out_along_each_direction_of_the_grid() -> None:
    store = Sync("block")
    rules(axes="xy").dealt(store, Control(dealt=frozenset("xyz")))
    with pytest.raises(CompilerBug, match="alike along y is not"):
        rules(axes="xy").dealt(store, Control(dealt=frozenset("x")))
    with pytest.raises(CompilerBug, match="alike along x, y is not"):
        rules(axes="yx").dealt(store, Control())


def test_what_is_copied_is_shown_by_a_barrier() -> None:
    copied = Control(copied=frozenset(("@tile",)))
    rules().shown("@other", copied)
    with pytest.raises(CompilerBug, match="between what writes `@tile` and who reads it"):
        rules().shown("@tile", copied)


def test_what_combines_is_brought_for_each_name_and_macro() -> None:
    brought = rules(brought=frozenset((("warp", "s"),)))
    brought.needs("warp", "s")
    for macro, name in (("block", "s"), ("warp", "t")):
        with pytest.raises(CompilerBug, match=f"nothing brings what combines `{name}` by {macro}"):
            brought.needs(macro, name)


def test_names_are_declared_once_for_each_scope() -> None:
    scope = file_scope().inner()
    rules().declare(scope, "x", Known(INT))
    rules().declare(scope.inner(), "x", Known(FLOAT))
    with pytest.raises(CompilerBug, match="`x` is declared twice"):
        rules().declare(scope, "x", Known(FLOAT))


def test_nodes_hand_on_what_they_find_in_order() -> None:
    end = rules().nodes((declare("x", INT), declare("y", INT)), file_scope().inner(), Control())
    assert end.varying == {"x", "y"}


def test_expressions_name_what_there_is() -> None:
    scope = file_scope().inner()
    rules().expressions((None, ZERO), scope)
    with pytest.raises(CompilerBug, match="`nowhere` is not declared"):
        rules().expressions((ZERO, variable("nowhere")), scope)


@pytest.mark.parametrize(
    ("layout", "thread", "blocks"),
    [
        ("", "threadIdx.x", {"blockIdx.x"}),
        ("line", "threadIdx.x", {"@block_of_part"}),
        ("tile", "@thread_of_part.x", {"@block_of_part.x"}),
        ("block", "threadIdx.x", set()),
        ("block_tile", "@thread_of_part.x", set()),
    ],
)
def test_the_number_of_a_thread_is_spelled_by_the_layout(layout: str, thread: str, blocks: set[str]) -> None:
    made = rules(layout)
    assert (made.threads["x"], made.blocks["x"]) == (thread, blocks)


def test_a_line_of_blocks_has_one_direction() -> None:
    assert rules("line").blocks == {"x": {"@block_of_part"}, "y": set(), "z": set()}
