"""What the text of a region says about its inputs, whatever the sizes are."""

from __future__ import annotations

from collections.abc import Iterator

from pencilc.ir import source as ast
from pencilc.ir.scop import OperatorKind
from pencilc.ir.source import FLOAT, ArrayType, CType, PointerType, Scalar, Struct, is_floating
from pencilc.poly.reductions.operators import kept_argument, recognise
from pencilc.records import dataclass
from pencilc.verify.cases import TF32_EPSILON, epsilon_of
from pencilc.verify.intervals import choice

_EXACT_CALLS = {"fabs", "fabsf", "abs", "labs", "floor", "floorf", "ceil", "ceilf", "trunc", "truncf"}
_POSITIVE = ("sqrt", "rsqrt", "log", "pow")


@dataclass(frozen=True, slots=True)
class Facts:
    """Size parameters first, then how values may be chosen and compared.

    `extents` are the integer scalars (dotted names) that occur in extents, `bounds` those that occur
    only in loop bounds, `others` the remaining ones.  `write_only` arrays are never read.  `inexact`
    tells that even small integers may round (division, math functions, fractions); `multiplies` that
    a floating product may run over many elements; `adds` that floating values are added; `passes_nan` that a reduction
    which may be reordered takes a NaN in the place of what it has, and what follows in the place of that; `positive`
    that a root or logarithm is taken; `allow_tf32` that factors of float products may be rounded to 11 bits.
    """

    extents: tuple[str, ...]
    bounds: tuple[str, ...]
    others: tuple[str, ...]
    assumes: tuple[ast.Expr, ...]
    write_only: frozenset[str]
    written: frozenset[str]
    inexact: bool
    multiplies: bool
    adds: bool
    passes_nan: bool
    allow_tf32: bool
    positive: bool
    epsilon: float


def gather(region: ast.Region, functions: dict[str, ast.Function], allow_tf32: bool = False) -> Facts:
    """The facts of `region`; helpers that it reaches count as part of it.

    `allow_tf32`: factors of float products may be rounded to 11 bits.
    """
    scalars: list[str] = []
    in_extents: set[str] = set()
    arrays: set[str] = set()
    variable: set[str] = set()
    for param in region.params:
        scalars += [name for name, leaf in scalar_leaves(param.type, param.name) if leaf.is_integer]
        in_extents.update(_extent_names(param.type))
        if isinstance(param.type, ArrayType):
            arrays.add(param.name)
            if not param.type.is_const:
                variable.add(param.name)
    nodes = tuple(_reached(region.body, functions, set()))
    in_bounds: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.For):
            in_bounds.update(_bound_names(node, nodes))
    in_bounds -= in_extents
    reads, writes = _uses(region)
    return Facts(
        extents=tuple(name for name in scalars if name in in_extents),
        bounds=tuple(name for name in scalars if name in in_bounds),
        others=tuple(name for name in scalars if name not in in_bounds | in_extents),
        assumes=tuple(node.condition for node in nodes if isinstance(node, ast.Assume)),
        write_only=frozenset((arrays & writes) - reads),
        written=frozenset(variable | (arrays & writes)),
        inexact=any(_is_inexact(node, functions) for node in nodes),
        multiplies=any(_is_running_product(node, functions) for node in nodes),
        adds=any(_is_sum(node) for node in nodes),
        passes_nan=any(_passes_nan(node, functions) for node in nodes),
        allow_tf32=allow_tf32,
        positive=any(isinstance(node, ast.Call) and node.function.startswith(_POSITIVE) for node in nodes),
        epsilon=max((_epsilon(node, functions, allow_tf32) for node in nodes), default=0.0),
    )


def scalar_leaves(ctype: CType, name: str) -> Iterator[tuple[str, Scalar]]:
    """The dotted names and types of the built-in parts of a parameter passed by value."""
    if isinstance(ctype, Scalar):
        yield name, ctype
    elif isinstance(ctype, Struct):
        for member in ctype.members:
            yield from scalar_leaves(member.type, f"{name}.{member.name}")


def names_in(expr: ast.Expr) -> set[str]:
    """The dotted names of the variables and by-value members in `expr`."""
    found = set()
    for node in ast.walk(expr):
        if isinstance(node, ast.Name):
            found.add(node.symbol.name)
        elif isinstance(node, ast.MemberOf) and (path := member_path(node)):
            found.add(path)
    return found


def member_path(expr: ast.Expr) -> str | None:
    """`p.a.b` as a dotted name, where no subscript is involved."""
    if isinstance(expr, ast.Name):
        return expr.symbol.name
    if isinstance(expr, ast.MemberOf):
        base = member_path(expr.base)
        return None if base is None else f"{base}.{expr.member}"
    return None


def _extent_names(ctype: CType) -> Iterator[str]:
    while isinstance(ctype, ArrayType):
        if ctype.extent is not None:
            yield from names_in(ctype.extent)
        ctype = ctype.element


def _bound_names(loop: ast.For, nodes: tuple[ast.Node, ...]) -> set[str]:
    """The names that a loop's bounds are computed from, through locals with an initialiser."""
    names = names_in(loop.lower) | names_in(loop.bound)
    for node in nodes:
        if isinstance(node, ast.Declare) and node.init is not None and node.symbol.name in names:
            names |= names_in(node.init)
    return names


def _reached(body: ast.Node, functions: dict[str, ast.Function], seen: set[str]) -> Iterator[ast.Node]:
    for node in ast.walk(body):
        yield node
        name = ""
        if isinstance(node, (ast.Call, ast.ReductionInit)):
            name = node.function
        elif isinstance(node, ast.ReductionUpdate):
            name = node.operator
        if name in functions and name not in seen:
            seen.add(name)
            yield from _reached(functions[name].body, functions, seen)


def _root(expr: ast.Expr) -> str | None:
    while isinstance(expr, (ast.Index, ast.MemberOf, ast.Cast)):
        expr = expr.operand if isinstance(expr, ast.Cast) else expr.base
    return expr.symbol.name if isinstance(expr, ast.Name) else None


def _uses(region: ast.Region) -> tuple[set[str], set[str]]:
    """The variables that are read, and those that are written, in the region itself.

    An array passed to a helper counts as both; the variable of a reduction that is initialised in the
    region is not read.
    """
    reads: set[str] = set()
    writes: set[str] = set()
    nodes = tuple(ast.walk(region.body))
    initialised = {_root(node.variable) for node in nodes if isinstance(node, ast.ReductionInit)}
    targets: list[int] = []
    for node in nodes:
        target = node.target if isinstance(node, ast.Assign) else getattr(node, "variable", None)
        if target is None:
            continue
        name = _root(target)
        writes |= {name} if name else set()
        # The root of the target is no read; the variables in its subscripts are.
        if not isinstance(node, ast.ReductionUpdate) or name in initialised:
            targets.append(_root_id(target))
    for node in nodes:
        if isinstance(node, ast.Name) and id(node) not in targets:
            reads.add(node.symbol.name)
    return reads, writes


def _root_id(expr: ast.Expr) -> int:
    while isinstance(expr, (ast.Index, ast.MemberOf, ast.Cast)):
        expr = expr.operand if isinstance(expr, ast.Cast) else expr.base
    return id(expr)


def _is_inexact(node: ast.Node, functions: dict[str, ast.Function]) -> bool:
    if isinstance(node, ast.FloatLiteral):
        text = node.text.rstrip("fFlL")
        return text.lower().startswith("0x") or not _is_small_integer(float(text))
    if isinstance(node, ast.Binary):
        return node.op == "/" and is_floating(node.type)
    if isinstance(node, ast.Call) and is_floating(node.type):
        return not _is_exact_call(node, functions)
    return False


def _is_exact_call(node: ast.Call, functions: dict[str, ast.Function]) -> bool:
    """Helpers are looked into instead; minima, absolute values and floors never round."""
    return node.function in functions or node.function in _EXACT_CALLS or choice(node.function) is not None


def _is_small_integer(value: float) -> bool:
    """Huge literals are limits such as FLT_MAX: they are compared with, not summed."""
    return value == int(value) if abs(value) < 1e15 else True


def _is_sum(node: ast.Node) -> bool:
    if isinstance(node, ast.Call):
        return node.function in ("fma", "fmaf")
    return isinstance(node, ast.Binary) and node.op in ("+", "-") and is_floating(node.type)


def _passes_nan(node: ast.Node, functions: dict[str, ast.Function]) -> bool:
    """Whether the node is an update by `a < b ? a : b`, or by the best of elements of which a NaN counts as none
    (poly/detect/selections.py), where the source would keep one that comes first.
    """
    if not isinstance(node, ast.ReductionUpdate):
        return False
    made = functions.get(node.element.function) if isinstance(node.element, ast.Call) else None
    if made is not None and any(map(_asks_for_number, ast.walk(made.body))):
        return True
    if not is_floating(node.variable.type):
        return False
    kind = recognise(node.operator, functions).recognised
    return kind in (OperatorKind.MIN, OperatorKind.MAX) and kept_argument(node.operator, functions) == 1


def _asks_for_number(node: ast.Node) -> bool:
    """Whether the node is `x == x`."""
    if not isinstance(node, ast.Binary) or node.op != "==" or not isinstance(node.left, ast.Name):
        return False
    return is_floating(node.left.type) and isinstance(node.right, ast.Name) and node.left.symbol == node.right.symbol


def _is_running_product(node: ast.Node, functions: dict[str, ast.Function]) -> bool:
    if isinstance(node, ast.Assign):
        return node.compound == "*" and is_floating(node.target.type)
    if not isinstance(node, ast.ReductionUpdate):
        return False
    operator = functions.get(node.operator)
    if operator is None or isinstance(operator.returns, PointerType):
        return False
    products = (n for n in ast.walk(operator.body) if isinstance(n, ast.Binary) and n.op == "*")
    return any(is_floating(product.type) for product in products)


def _epsilon(node: ast.Node, functions: dict[str, ast.Function], allow_tf32: bool) -> float:
    """The rounding that a node can introduce: reading or widening a value introduces none."""
    if allow_tf32 and isinstance(node, ast.Binary) and node.op == "*" and node.type == FLOAT:
        return TF32_EPSILON
    if isinstance(node, ast.Cast):
        if not isinstance(node.type, Scalar) or not isinstance(node.operand.type, Scalar):
            return 0.0
        source = epsilon_of(node.operand.type)
        return epsilon_of(node.type) if source < epsilon_of(node.type) else 0.0
    rounds = isinstance(node, ast.Binary) or (isinstance(node, ast.Call) and not _is_exact_call(node, functions))
    ctype = node.type if isinstance(node, (ast.Binary, ast.Call)) else None
    return epsilon_of(ctype) if rounds and isinstance(ctype, Scalar) else 0.0
