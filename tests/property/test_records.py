"""Properties of every sample: loops cover exactly the domains, and dumps read back as what they print."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from operator import add, eq, floordiv, ge, gt, le, lt, mod, mul, sub
from pathlib import Path

import islpy as isl
import pytest

from pencilc import driver, islx
from pencilc.codegen.astgen import AstBlock, AstFor, AstIf, AstInstance, AstNode
from pencilc.codegen.frame import KernelFrame
from pencilc.codegen.names import safe
from pencilc.diagnostics.source import SourceFile
from pencilc.ir.mapping import MappedProgram
from pencilc.ir.schedule import Band, statements_of
from pencilc.ir.shapes import Kernel, Shape
from pencilc.ir.source import Binary, Call, Cast, Expr, IntLiteral, Name, Ternary, Unary
from pencilc.options import CompileOptions
from tests.conftest import ROOT, Sample

PROGRAMS = sorted((ROOT / "tests" / "diff" / "programs").glob("*.c"))


OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": add, "-": sub, "*": mul, "/": floordiv, "%": mod, "<": lt, "<=": le, ">": gt, ">=": ge, "==": eq,
    "&&": lambda a, b: a and b, "||": lambda a, b: a or b, "pencilc_min": min, "pencilc_max": max,
    "pencilc_floor_div": floordiv,
}  # fmt: skip


def value_of(expr: Expr, names: dict[str, int]) -> int:
    """The value of an expression of the generated loops."""
    match expr:
        case IntLiteral():
            return expr.value
        case Name():
            return names[expr.symbol.name]
        case Cast():
            return value_of(expr.operand, names)
        case Unary(op="-"):
            return -value_of(expr.operand, names)
        case Ternary():
            return value_of(expr.then if value_of(expr.condition, names) else expr.otherwise, names)
        case Binary():
            return int(OPERATIONS[expr.op](value_of(expr.left, names), value_of(expr.right, names)))
        case Call():
            left, right = (value_of(each, names) for each in expr.arguments)
            return OPERATIONS[expr.function](left, right)
    raise AssertionError(expr)


def execute(ast: AstNode, names: dict[str, int], seen: Counter[tuple[str, tuple[int, ...]]]) -> None:
    """Run the loops and count the instances."""
    match ast:
        case AstInstance():
            seen[ast.statement, tuple(value_of(a, names) for a in ast.arguments)] += 1
        case AstBlock():
            for item in ast.items:
                execute(item, names, seen)
        case AstIf():
            branch = ast.then if value_of(ast.condition, names) else ast.otherwise
            if branch is not None:
                execute(branch, names, seen)
        case AstFor():
            for value in range(value_of(ast.lower, names), value_of(ast.upper, names), ast.step):
                execute(ast.body, {**names, ast.name: value}, seen)


def instances(kernel: Kernel, frame: KernelFrame, values: dict[str, int]) -> set[tuple[str, tuple[int, ...]]]:
    """The points of the statements' domains for these values of the parameters and host iterators."""
    found = set()
    for name in islx_names(frame):
        domain = frame.domains[name]
        for row, iterator in zip(frame.host_rows, kernel.host, strict=True):
            function = islx.pw_affs_of(row.function)[name]
            here = isl.Map.from_pw_aff(function).intersect_range(isl.Set(f"{{ [{values[iterator]}] }}")).domain()
            domain = domain.intersect(here)
        for parameter, value in values.items():
            position = domain.find_dim_by_name(isl.dim_type.param, parameter)
            if position >= 0:
                domain = domain.fix_val(isl.dim_type.param, position, isl.Val(value))
        points: list[isl.Point] = []
        domain.project_out_all_params().foreach_point(points.append)
        count = islx.dimensions(domain)
        for point in points:
            at = tuple(int(point.get_coordinate_val(isl.dim_type.set, k).to_python()) for k in range(count))
            found.add((name, at))
    return found


def islx_names(frame: KernelFrame) -> tuple[str, ...]:
    """The statements of the body, inits included."""
    return statements_of(frame.tree) if frame.tree is not None else ()


def holds(context: isl.Set, values: dict[str, int]) -> bool:
    """Whether the parameters may have these values."""
    for name, value in values.items():
        position = context.find_dim_by_name(isl.dim_type.param, name)
        if position >= 0:
            context = context.fix_val(isl.dim_type.param, position, isl.Val(value))
    return not context.is_empty()


def host_point(kernel: Kernel, values: dict[str, int]) -> dict[str, int] | None:
    """Iterators of the loops on the host for which the kernel is launched, the first; None if it never is."""
    domain = kernel.domain
    for name, value in values.items():
        position = domain.find_dim_by_name(isl.dim_type.param, name)
        if position >= 0:
            domain = domain.fix_val(isl.dim_type.param, position, isl.Val(value))
    if domain.is_empty():
        return None
    point = domain.lexmin().sample_point()
    return {n: int(point.get_coordinate_val(isl.dim_type.set, k).to_python()) for k, n in enumerate(kernel.host)}


def check(program: MappedProgram) -> int:
    """Compare every kernel's loops with its domains; how many kernels were compared."""
    compared = 0
    for kernel in program.kernels():
        if kernel.body is None or kernel.shape is Shape.INDIRECT:
            continue  # An INDIRECT kernel recovers its points from chunks and has no loops over them.
        if any(program.scop.statement(s).is_ragged for s in statements_of(kernel.body)):
            continue  # The bounds of its loops are data.
        frame = KernelFrame(program, kernel)
        rows = (*frame.kept, *frame.reduced)
        names = (*frame.kept_names, *frame.reduced_names, *frame.inner_names)
        assert frame.tree is not None
        ast = frame.ast(Band(rows, frame.tree) if rows else frame.tree, (), (), names)
        for size in (1, 4):
            values = {p.name: size + k for k, p in enumerate(program.scop.params)}
            if not holds(program.scop.context, values):
                continue
            launched = host_point(kernel, values)
            if launched is None:
                continue
            values |= {safe(name): value for name, value in values.items()} | launched
            seen: Counter[tuple[str, tuple[int, ...]]] = Counter()
            execute(ast, values, seen)
            assert set(seen) == instances(kernel, frame, values), kernel.name
            assert all(number == 1 for number in seen.values()), kernel.name
        compared += 1
    return compared


def test_loops_cover_the_domains_of_samples(sample: Sample, root: Path) -> None:
    done = driver.compile_source(SourceFile(sample.path, sample.text), CompileOptions(), "mapping")
    for program in done.programs:
        check(program)


@pytest.mark.full  # tests that run them compile them, and codegen/ast_verifier.py executes the loops then
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_loops_cover_the_domains_of_programs(path: Path) -> None:
    done = driver.compile_source(SourceFile(path.name, path.read_text()), CompileOptions(), "mapping")
    for program in done.programs:
        check(program)


@pytest.mark.parametrize("stage", ["scop", "dependences"])
def test_dumps_read_back(sample: Sample, stage: str, root: Path) -> None:
    """isl reads every set and relation of a dump over the parameters at its head."""
    done = driver.compile_source(SourceFile(sample.path, sample.text), CompileOptions(), "dependences")
    head = ""
    found = 0
    # A relation that takes several lines goes on where braces are open.
    dump = re.sub(r"\{[^{}]*\}", lambda relation: " ".join(relation[0].split()), driver.dump(done, stage))
    for line in dump.splitlines():
        if line.startswith("parameters: "):
            head = f"[{line.removeprefix('parameters: ').replace('none', '')}] -> "
        match = re.search(r"(?:^ *(?:for|read|must_write|may_write|update|kill)?|context:|: ) ?(\{.*\})$", line)
        if match is not None:
            text = head + match.group(1)
            isl.UnionMap(text) if "->" in match.group(1) else isl.UnionSet(text)
            found += 1
    # A transposition has no dependences.
    assert found or (stage == "dependences" and "{" not in dump)
