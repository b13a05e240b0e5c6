"""Functions of pencil.h as device functions, with that header's meaning (it differs from CUDA's on NaN)."""

from __future__ import annotations

from pencilc.diagnostics.source import UNKNOWN_SPAN
from pencilc.ir.build import SIZE, ZERO, binary, call, cast, choice, conjunction, declare, disjunction, number, variable
from pencilc.ir.definitions import TEMPLATE_TYPE, DeviceFunction
from pencilc.ir.nodes import Node, Parameter
from pencilc.ir.source import DOUBLE, FLOAT, INT, CType, Expr, FloatLiteral, Return, Scalar, Unary


def _returning(
    name: str, returns: CType, ctype: CType, parameters: tuple[str, ...], value: Expr, *before: Node
) -> DeviceFunction:
    """A function whose parameters have all one type; a template where that is `T`."""
    declared = tuple(Parameter(each, ctype) for each in parameters)
    body = (*before, Return(value, UNKNOWN_SPAN))
    return DeviceFunction(name, returns, declared, body, is_template=ctype == TEMPLATE_TYPE)


def _less(name: str, ctype: CType) -> DeviceFunction:
    x, y = variable("x", ctype), variable("y", ctype)
    return _returning(name, ctype, ctype, ("x", "y"), choice(binary("<", y, x), y, x))


def _greater(name: str, ctype: CType) -> DeviceFunction:
    x, y = variable("x", ctype), variable("y", ctype)
    return _returning(name, ctype, ctype, ("x", "y"), choice(binary("<", x, y), y, x))


def _clamp(name: str, ctype: CType) -> DeviceFunction:
    x, low, high, raised = (variable(each, ctype) for each in ("x", "low", "high", "raised"))
    first = declare("raised", ctype, choice(binary("<", x, low), low, x), is_const=True)
    value = choice(binary("<", high, raised), high, raised)
    return _returning(name, ctype, ctype, ("x", "low", "high"), value, first)


def _mix(name: str, ctype: Scalar, product: str = "") -> DeviceFunction:
    """`x + (x - y) * a`, as pencil.h has it; `product`: what multiplies, where that is no operator."""
    x, y, a = (variable(each, ctype) for each in "xya")
    difference = binary("-", x, y)
    scaled = call(product, difference, a, returns=ctype) if product else binary("*", difference, a)
    return _returning(name, ctype, ctype, ("x", "y", "a"), binary("+", x, scaled))


def _test(name: str, parameters: str, value: Expr, *before: Node) -> DeviceFunction:
    """A macro of math.h that is no device function in C++."""
    return _returning(f"pencilc_{name}", INT, TEMPLATE_TYPE, tuple(parameters), value, *before)


def _of_c(name: str, argument: Expr, returns: CType = INT) -> Expr:
    return call(name, argument, returns=returns)


_X, _Y = variable("x", TEMPLATE_TYPE), variable("y", TEMPLATE_TYPE)
_SMALLEST = variable("smallest", TEMPLATE_TYPE)


def _smallest() -> Node:
    """`const T smallest = …;`: the smallest number of the type that has all its digits."""
    is_float = binary("==", call("sizeof", variable("T", TEMPLATE_TYPE), returns=SIZE), number(4))
    texts = (("1.17549435e-38f", FLOAT), ("2.2250738585072014e-308", DOUBLE))
    values = (cast(TEMPLATE_TYPE, FloatLiteral(text, ctype, UNKNOWN_SPAN)) for text, ctype in texts)
    return declare("smallest", TEMPLATE_TYPE, choice(is_float, *values), is_const=True)


def _is_normal() -> Expr:
    is_infinite = Unary("!", _of_c("isinf", _X), INT, UNKNOWN_SPAN)
    found = conjunction((binary(">=", _of_c("fabs", _X, TEMPLATE_TYPE), _SMALLEST), is_infinite))
    assert found is not None
    return found


def _class() -> Expr:
    is_small = binary("<", _of_c("fabs", _X, TEMPLATE_TYPE), _SMALLEST)
    kinds = ((_of_c("isnan", _X), 0), (_of_c("isinf", _X), 1), (binary("==", _X, ZERO), 2), (is_small, 3))
    found: Expr = number(4)
    for condition, kind in reversed(kinds):
        found = choice(condition, number(kind), found)
    return found


def _either(left: Expr, right: Expr) -> Expr:
    found = disjunction((left, right))
    assert found is not None
    return found


# Macros of math.h that C++ has as host functions only.
TESTS: dict[str, DeviceFunction] = {
    "isgreater": _test("isgreater", "xy", binary(">", _X, _Y)),
    "isgreaterequal": _test("isgreaterequal", "xy", binary(">=", _X, _Y)),
    "isless": _test("isless", "xy", binary("<", _X, _Y)),
    "islessequal": _test("islessequal", "xy", binary("<=", _X, _Y)),
    "islessgreater": _test("islessgreater", "xy", _either(binary("<", _X, _Y), binary(">", _X, _Y))),
    "isunordered": _test("isunordered", "xy", _either(_of_c("isnan", _X), _of_c("isnan", _Y))),
    "isnormal": _test("isnormal", "x", _is_normal(), _smallest()),
    "fpclassify": _test("fpclassify", "x", _class(), _smallest()),
}

# `min` and `max` are CUDA's own names, so these get an underscore (see codegen/names.py).
DEFINITIONS: dict[str, DeviceFunction] = {
    "min": _less("min_", TEMPLATE_TYPE),
    "max": _greater("max_", TEMPLATE_TYPE),
    "clamp": _clamp("clamp", TEMPLATE_TYPE),
    "imin": _less("imin", INT),
    "imax": _greater("imax", INT),
    "iclamp": _clamp("iclamp", INT),
    "fclampf": _clamp("fclampf", FLOAT),
    "fclamp": _clamp("fclamp", DOUBLE),
    "mixf": _mix("mixf", FLOAT),
    **TESTS,
    "mix": _mix("mix", DOUBLE),
}
# Those that nvcc would contract, without that.
PINNED: dict[str, DeviceFunction] = {
    "mixf": _mix("mixf", FLOAT, "__fmul_rn"),
    "mix": _mix("mix", DOUBLE, "__dmul_rn"),
}
# Those that take their type from their arguments, all of which have it.
TEMPLATES = frozenset(name for name, function in DEFINITIONS.items() if function.is_template)
