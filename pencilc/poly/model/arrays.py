"""Arrays of the model: struct members, expansion of locals by their scope, access relations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

import islpy as isl

from pencilc import islx
from pencilc.diagnostics.source import Span
from pencilc.ir.scop import Access, AccessKind, Array, ArrayKind
from pencilc.ir.source import CType, Expr, Struct, Symbol, element_type
from pencilc.poly.model.accesses import Lvalue, Touch, shape
from pencilc.poly.model.affine import AffineContext, NotAffine, affine
from pencilc.records import dataclass

_STATEMENT_NAME = re.compile(r"[SM]\d+$")
_KINDS = {"param": ArrayKind.PARAM, "global": ArrayKind.GLOBAL, "result": ArrayKind.RESULT}

Path = tuple[str, ...]


def member_leaves(ctype: CType, touched: Iterable[Touch]) -> tuple[Path, ...]:
    """The member paths of one variable that are arrays of their own; `((),)` if it is not split.

    Members are split when every access goes through a member, or when a member is the variable of a
    reduction (a whole access then touches each part); the variable of a reduction is never split.
    """
    touched = tuple(t for t in touched if t.kind is not AccessKind.KILL)
    paths = {t.lvalue.path for t in touched}
    reduced = {t.lvalue.path for t in touched if t.of_reduction}
    if () in reduced or paths <= {()} or (() in paths and not reduced):
        return ((),)
    return tuple(_leaves(ctype, (), paths, reduced))


def _leaves(ctype: CType, path: Path, paths: set[Path], reduced: set[Path]) -> list[Path]:
    """The member paths below `path` that nothing deeper is accessed of, or that are reduced as they are."""
    at = element_type(ctype)
    is_split = any(len(p) > len(path) and p[: len(path)] == path for p in paths)
    if path in reduced or not is_split or not isinstance(at, Struct):
        return [path]
    found: list[Path] = []
    for member in at.members:
        found += _leaves(member.type, (*path, member.name), paths, reduced)
    return found


@dataclass(frozen=True, slots=True)
class ArrayLeaf:
    """One array of the model: a variable or one of its members."""

    name: str
    symbol: Symbol
    path: Path
    extents: tuple[Expr | None, ...]
    element: CType


class ArrayTable:
    """The arrays of a region; locals get their scope when their declaration is met.

    Of accesses at the places `anywhere` no subscript is looked at: they may touch any element.
    """

    def __init__(self, touched: Iterable[Touch], anywhere: frozenset[Span] = frozenset()) -> None:
        self._anywhere = anywhere
        self._leaves: dict[str, tuple[ArrayLeaf, ...]] = {}
        self._scope: dict[str, tuple[tuple[Symbol, ...], isl.Set]] = {}
        self._used: dict[str, ArrayLeaf] = {}
        by_symbol: dict[str, list[Touch]] = {}
        for touch in touched:
            by_symbol.setdefault(touch.lvalue.symbol.name, []).append(touch)
        taken: set[str] = set()
        for name, items in by_symbol.items():
            symbol = items[0].lvalue.symbol
            leaves = [self._leaf(symbol, path, taken) for path in member_leaves(symbol.type, items)]
            self._leaves[name] = tuple(leaves)

    @staticmethod
    def _leaf(symbol: Symbol, path: Path, taken: set[str]) -> ArrayLeaf:
        name = islx.mangle("_".join((symbol.name, *path)))
        while name in taken or _STATEMENT_NAME.match(name):
            name += "_"
        taken.add(name)
        sizes, element = shape(symbol.type, path)
        return ArrayLeaf(name, symbol, path, sizes, element)

    def knows(self, symbol: Symbol) -> bool:
        """Whether the region touches the variable at all."""
        return symbol.name in self._leaves

    def declare(self, symbol: Symbol, iterators: tuple[Symbol, ...], where: isl.Set) -> None:
        """A local is declared under `iterators`, for the iterations `where`."""
        self._scope[symbol.name] = (iterators, where)

    def accesses(self, lvalue: Lvalue, kind: AccessKind, context: AffineContext, is_sure: bool = True) -> list[Access]:
        """The access relations { [i] -> A[a] } of one lvalue, with unnamed domain; one for each member array.

        A kill has none where it is not known what it kills, and none of a part of an element: the rest of it lives on.
        """
        found = [self._access(leaf, lvalue, kind, context, is_sure) for leaf in self._parts(lvalue)]
        return [access for access in found if access.exact or kind is not AccessKind.KILL]

    def _parts(self, lvalue: Lvalue) -> tuple[ArrayLeaf, ...]:
        """The leaves inside of the lvalue, or the one that it lies in."""
        inside: list[ArrayLeaf] = []
        around: list[ArrayLeaf] = []
        for leaf in self._leaves[lvalue.symbol.name]:
            if leaf.path[: len(lvalue.path)] == lvalue.path:
                inside.append(leaf)
            elif lvalue.path[: len(leaf.path)] == leaf.path:
                around.append(leaf)
        return tuple(inside or around)

    def _access(
        self, leaf: ArrayLeaf, lvalue: Lvalue, kind: AccessKind, context: AffineContext, is_sure: bool
    ) -> Access:
        self._used.setdefault(leaf.name, leaf)
        partial = len(lvalue.path) > len(leaf.path)
        if partial and kind is AccessKind.MUST_WRITE:
            kind = AccessKind.MAY_WRITE
        scope = self._scope.get(leaf.symbol.name, ((), context.where))[0]
        functions: list[isl.PwAff | None] = [islx.variable(context.where, k) for k in range(len(scope))]
        exact = lvalue.span not in self._anywhere
        subscripts = lvalue.subscripts[: len(leaf.extents)] if exact else ()
        for subscript in subscripts:
            try:
                functions.append(affine(subscript, context))
            except NotAffine:
                functions.append(None)
                exact = False
        functions.extend(None for _ in leaf.extents[len(subscripts) :])
        relation = self._relation(leaf, functions, len(scope), context)
        if not exact and kind is AccessKind.MUST_WRITE:
            kind = AccessKind.MAY_WRITE
        return Access(leaf.name, relation, lvalue.path, kind, exact and not partial, lvalue.span, is_sure, exact)

    def _relation(
        self, leaf: ArrayLeaf, functions: list[isl.PwAff | None], scope: int, context: AffineContext
    ) -> isl.Map:
        """`{ [i] -> A[f0(i), ...] }`; a dimension whose function is None runs over its whole extent."""
        relation = isl.Map.from_domain(context.where)
        for position, function in enumerate(functions):
            if function is not None:
                part = isl.Map.from_pw_aff(function.intersect_domain(context.where))
            else:
                part = self._whole(leaf.extents[position - scope], context)
            relation = relation.flat_range_product(part)
        return relation.set_tuple_name(isl.dim_type.out, leaf.name)

    @staticmethod
    def _whole(extent: Expr | None, context: AffineContext) -> isl.Map:
        """`{ [i] -> [a] : 0 <= a < extent }`, without an upper bound where the extent is not affine."""
        line = isl.Map.from_domain_and_range(context.where, isl.Set("{ [a] : a >= 0 }"))
        if extent is None:
            return line
        try:
            size = affine(extent, context)
        except NotAffine:
            return line
        return line.intersect(isl.Map.from_pw_aff(size.add_constant_val(isl.Val(-1))).apply_range(_BELOW))

    def arrays(self, context: AffineContext) -> tuple[Array, ...]:
        """Every array that was accessed, in order of first access; `context` stands outside of all loops."""
        return tuple(self._array(leaf, context) for leaf in self._used.values())

    def _array(self, leaf: ArrayLeaf, context: AffineContext) -> Array:
        symbol = leaf.symbol
        iterators, where = self._scope.get(symbol.name, ((), context.where))
        inner = replace(context, where=where, positions={s.name: k for k, s in enumerate(iterators)})
        functions: list[isl.PwAff | None] = [islx.variable(where, k) for k in range(len(iterators))]
        functions.extend(None for _ in leaf.extents)
        extent = self._relation(leaf, functions, len(iterators), inner).range()
        sizes = tuple(e for e in leaf.extents if e is not None)
        kind = _KINDS.get(symbol.kind, ArrayKind.LOCAL)
        names = tuple(s.name for s in iterators)
        return Array(leaf.name, symbol, leaf.element, sizes, names, extent, kind, symbol.span, leaf.path)


_BELOW = isl.Map("{ [a] -> [b] : b <= a }")


def projected(access: Access, depth: int) -> Access:
    """`access` for the first `depth` dimensions of its domain: what any iteration of the others touches."""
    relation = access.relation
    extra = relation.dim(isl.dim_type.in_) - depth
    return access if not extra else replace(access, relation=relation.project_out(isl.dim_type.in_, depth, extra))


def named_domain(access: Access, name: str) -> Access:
    """`access` with its relation's domain called `name`."""
    relation = access.relation.set_tuple_name(isl.dim_type.in_, name)
    return replace(access, relation=relation)


def result_symbol(ctype: CType, span: Span) -> Symbol:
    """The variable that stands for the return value of an entry function."""
    return Symbol("return", "return", ctype, "result", span)
