"""Scalars that depend on parameters alone: cheaper to compute in every kernel than to store and load.

    float size = (float)rows * (float)columns;      // once, before everything

needs no launch of its own: each kernel that uses `size` computes it.  So does what calls a function of the C library
that takes a few instructions, `1 / sqrtf(size)`; what takes hundreds, a launch has done before all threads would have.
"""

from __future__ import annotations

from pencilc.ir.scop import AccessKind, Array, ArrayKind, Scop, Statement, StatementKind
from pencilc.ir.source import Assign, Call, Name, walk

# What takes a GPU about as long as a division, or less: in `float` and in `double`, and in `float` alone.
_IN_BOTH = (
    "sqrt", "fabs", "floor", "ceil", "trunc", "rint", "round", "nearbyint", "fmin", "fmax", "fma", "fdim", "copysign",
)  # fmt: skip
_IN_FLOAT = ("expf", "exp2f", "logf", "log2f", "log10f")
_OTHERS = ("abs", "labs", "llabs", "min", "max", "imin", "imax", "clamp", "iclamp", "fclamp", "fclampf")
_QUICK = frozenset((*_IN_BOTH, *(f"{name}f" for name in _IN_BOTH), *_IN_FLOAT, *_OTHERS))
_MOST_CALLS = 4


def uniform_statements(scop: Scop) -> dict[str, str]:
    """{symbol: statement} for every scalar local that one unconditional assignment computes from parameters."""
    found: dict[str, str] = {}
    for statement in scop.statements:
        target = _scalar_target(scop, statement)
        if target is not None and _reads_only(scop, statement, found):
            found[target.symbol.name] = statement.name
    return found


def _scalar_target(scop: Scop, statement: Statement) -> Array | None:
    """The local scalar that the statement alone writes, if it is a plain assignment outside all loops."""
    body = statement.body
    if statement.kind is not StatementKind.ORDINARY or statement.iterators or statement.guards:
        return None
    if not isinstance(body, Assign) or not isinstance(body.target, Name):
        return None
    calls = [node.function for node in walk(body) if isinstance(node, Call)]
    own = {function.name for function in scop.functions}
    if len(calls) > _MOST_CALLS or any(name in own or name not in _QUICK for name in calls):
        return None
    if not statement.domain.intersect_params(scop.context).params().is_equal(scop.context):
        return None
    arrays = scop.arrays_of(body.target.symbol.name)
    if len(arrays) != 1 or not scop.is_local_scalar(arrays[0].name):
        return None
    for other in scop.statements:
        if other is not statement and arrays[0].name in scop.written((other.name,)):
            return None
    return arrays[0] if arrays[0].name in scop.written((statement.name,)) else None


def _reads_only(scop: Scop, statement: Statement, known: dict[str, str]) -> bool:
    for access in statement.accesses:
        if access.kind is not AccessKind.READ:
            continue
        array = scop.array(access.array)
        parameter = array.kind is ArrayKind.PARAM and not array.extents and not scop.is_written(array.name)
        if not parameter and array.symbol.name not in known:
            return False
    return True
