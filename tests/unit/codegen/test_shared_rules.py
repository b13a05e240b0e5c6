"""Shared memory that launches provide, in bodies that are broken by hand: too much, not allowed, not compared."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pencilc.codegen.launch_nodes import above, assigned, at_most, below, both, dim3, values
from pencilc.codegen.shared_memory import SharedMemory
from pencilc.codegen.shared_rules import verify_shared
from pencilc.diagnostics.diagnostic import CompilerBug
from pencilc.ir.build import SIZE, ZERO, binary, call, cast, choice, evaluate, generated_type, number, variable
from pencilc.ir.kernel import KernelFunction
from pencilc.ir.launching import AllowShared, AskShared, Configure, StartedFunction, StartKernel, StartLong
from pencilc.ir.nodes import If, Node, SharedDecl
from pencilc.ir.on_chip import ExchangeParts
from pencilc.ir.source import BOOL, CHAR, INT, LLONG, Expr
from pencilc.target import STATIC_SHARED
from tests.unit.codegen.test_shared_memory import SUM

GIVEN = SharedDecl("@shared", generated_type("uint4"), None)
CALLED = StartedFunction("f", 256, ())
ASK, START = AskShared("@limit", "@whole"), StartKernel(CALLED)
LIMIT, WHOLE, COPIES = (variable(name, INT) for name in ("@limit", "@whole", "@copies"))
USED, BYTES, SMALL = (variable(name, LLONG) for name in ("@used", "@bytes", "@small"))
FITS = variable("@f_fits", BOOL)
ALLOW = AllowShared(CALLED, LIMIT)
MORE = f"nothing lets `f` have more than {STATIC_SHARED} bytes"
UNKNOWN = "nothing says that the shared memory which `f` is given fits"
TOO_MUCH = "is allowed more than there is"


def kernel(own: int, name: str = "f", *more: Node) -> KernelFunction:
    """A kernel to which the launch gives memory, and which declares so many bytes itself."""
    declared = (SharedDecl("@own", CHAR, own),) if own else ()
    return KernelFunction(name, "all", (), (), (), 256, (GIVEN, *declared, *more))


def taken(*body: Node, own: int = 0, functions: tuple[KernelFunction, ...] = ()) -> None:
    verify_shared("f", body, SharedMemory(functions or (kernel(own),)))


def refused(why: str, *body: Node, own: int = 0, functions: tuple[KernelFunction, ...] = ()) -> None:
    with pytest.raises(CompilerBug, match=re.escape(why)):
        taken(*body, own=own, functions=functions)


def given(bytes_: Expr | None) -> Configure:
    return Configure(dim3(1), dim3(256), bytes_)


def test_so_much_is_there_without_asking() -> None:
    taken(given(number(STATIC_SHARED)), START)
    refused(MORE, given(number(STATIC_SHARED + 1)), START)
    refused(MORE, given(number(STATIC_SHARED)), START, own=1)
    taken(given(call("pencilc_padded", number(1020))), START, own=STATIC_SHARED - 1024)
    refused(MORE, given(call("pencilc_padded", number(1025))), START, own=STATIC_SHARED - 1024)
    taken(If(at_most(USED, STATIC_SHARED), (given(USED), START)))
    refused(MORE, given(USED), START)
    refused("`f` is launched without the shared memory", given(None), START)


def test_more_is_asked_for_compared_and_allowed() -> None:
    fits = at_most(USED, LIMIT)
    taken(ASK, If(fits, (given(USED), ALLOW, START)))
    taken(ASK, assigned(FITS, fits), If(both(FITS, above(USED, 7)), (ALLOW, given(USED), START)))
    refused(MORE, ASK, If(fits, (given(USED), START)))
    refused(UNKNOWN, ASK, given(USED), ALLOW, START)
    refused(UNKNOWN, ASK, If(at_most(USED, WHOLE), (given(USED), ALLOW, START)))
    refused(TOO_MUCH, If(fits, (given(USED), ALLOW, START)))
    whole = AllowShared(CALLED, WHOLE)
    refused(TOO_MUCH, ASK, If(at_most(USED, WHOLE), (given(USED), whole, START)))
    other = AllowShared(replace(CALLED, name="g"), LIMIT)
    refused(MORE, ASK, If(fits, (given(USED), other, START)))


def test_it_is_allowed_on_each_path() -> None:
    fits, few = at_most(USED, LIMIT), above(variable("n", LLONG), 7)
    taken(ASK, If(fits, (If(few, (ALLOW,), (ALLOW,)), given(USED), START)))
    refused(MORE, ASK, If(fits, (If(few, (ALLOW,)), given(USED), START)))
    refused(UNKNOWN, ASK, If(fits, (ALLOW, given(USED), START), (ALLOW, given(USED), START)))


def test_what_changes_is_compared_anew() -> None:
    more = assigned(USED, number(16), "+")
    fits = assigned(FITS, at_most(USED, LIMIT))
    used = values(LLONG, (USED, variable("n", LLONG)), varies=True)
    taken(ASK, used, more, fits, If(FITS, (ALLOW, given(USED), START)))
    refused(UNKNOWN, ASK, used, fits, more, If(FITS, (ALLOW, given(USED), START)))
    taken(used, assigned(USED, ZERO), given(USED), START)
    refused(MORE, used, assigned(USED, ZERO), more, given(USED), START)


def test_what_a_function_declares_is_taken_off() -> None:
    fits = If(at_most(USED, LIMIT), (ALLOW, given(USED), START))
    less = assigned(LIMIT, number(512), "-")
    taken(ASK, less, fits, own=512)
    refused(TOO_MUCH, ASK, less, fits, own=513)
    refused(TOO_MUCH, ASK, fits, own=1)
    # A limit may become smaller.
    share = variable("@share", INT)
    taken(ASK, If(above(LIMIT, share), (assigned(LIMIT, share),)), less, fits, own=512)
    refused(TOO_MUCH, ASK, If(below(LIMIT, share), (assigned(LIMIT, share),)), less, fits, own=512)
    refused(TOO_MUCH, ASK, assigned(LIMIT, share), fits)
    # So does what the functions declare that it calls.
    inner = replace(kernel(512, "inner"), body=(SharedDecl("@own", CHAR, 512),), layout="line")
    outer = kernel(0, "f", evaluate("inner"))
    taken(ASK, less, fits, functions=(inner, outer))
    refused(TOO_MUCH, ASK, fits, functions=(inner, outer))


def test_what_rows_exchange_is_taken_off_by_its_type() -> None:
    parts = ExchangeParts("k", ((SUM, "a"),), 64)
    size = call("sizeof", variable("k_parts"), returns=SIZE)
    fits = If(at_most(USED, LIMIT), (ALLOW, given(USED), START))
    both_turns = assigned(LIMIT, binary("*", cast(INT, size), number(2)), "-")
    one_turn = assigned(LIMIT, cast(INT, size), "-")
    taken(ASK, both_turns, fits, functions=(kernel(0, "f", parts),))
    refused(TOO_MUCH, ASK, one_turn, fits, functions=(kernel(0, "f", parts),))
    long = StartLong(CALLED, number(1), 256, USED, binary("*", size, number(2)), "@f_fits")
    taken(long, functions=(kernel(0, "f", parts),))
    refused("declares 512 bytes of shared memory", replace(long, static=ZERO), functions=(kernel(0, "f", parts),))


def copies(most: int, least: Expr, share: Expr, bytes_: Expr = BYTES) -> tuple[Node, ...]:
    """As many copies of so many bytes as `share` holds, `most` at most."""
    some = choice(above(SMALL, most), number(most), cast(INT, SMALL))
    return (
        values(LLONG, (SMALL, binary("/", share, least))),
        values(INT, (COPIES, choice(below(SMALL, 1), number(1), some))),
        values(LLONG, (USED, binary("*", COPIES, bytes_))),
    )


def test_copies_take_no_more_than_the_memory_that_they_share() -> None:
    least = choice(below(BYTES, 16), number(16), BYTES)
    share = number(16384)
    launch = (given(USED), ALLOW, START)
    fits = at_most(BYTES, LIMIT)
    taken(ASK, If(fits, (*copies(8, least, share), *launch)))
    refused(UNKNOWN, ASK, *copies(8, least, share), *launch)
    refused(UNKNOWN, ASK, If(fits, (*copies(8, number(16), share), *launch)))
    refused(UNKNOWN, ASK, If(fits, (*copies(8, least, number(STATIC_SHARED + 1)), *launch)))
    refused(UNKNOWN, ASK, If(fits, (*copies(8, least, share), assigned(BYTES, number(2), "*"), *launch)))
    twice = values(LLONG, (variable("@both", LLONG), binary("*", USED, number(2))))
    refused(UNKNOWN, ASK, If(fits, (*copies(8, least, share), twice, given(variable("@both", LLONG)), ALLOW, START)))
    # Of few bytes, so many as there are warps.
    few = values(LLONG, (BYTES, number(64)))
    taken(few, *copies(8, least, share), given(USED), START, own=STATIC_SHARED - 512)
    refused(MORE, few, *copies(9, least, share), given(USED), START, own=STATIC_SHARED - 512)


def test_copies_of_warps_are_compared_together() -> None:
    room = variable("@room", LLONG)
    fitting = at_most(binary("*", BYTES, number(8)), room)
    some = choice(fitting, number(8), cast(INT, binary("/", room, BYTES)))
    nodes = (
        ASK,
        values(LLONG, (room, LIMIT)),
        values(INT, (COPIES, some)),
        values(LLONG, (USED, binary("*", COPIES, BYTES))),
        ALLOW,
        given(USED),
        START,
    )
    taken(*nodes)
    larger = choice(fitting, number(9), cast(INT, binary("/", room, BYTES)))
    refused(UNKNOWN, *(values(INT, (COPIES, larger)) if node == nodes[2] else node for node in nodes))
    refused(UNKNOWN, *(values(LLONG, (room, WHOLE)) if node == nodes[1] else node for node in nodes))
