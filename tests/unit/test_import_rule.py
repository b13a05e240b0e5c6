"""The import rule: a stage never imports a later one, and only the driver and what sits above it knows them all."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

STAGES = ["frontend", "poly", "analysis", "schedule", "parts", "gpu", "codegen"]
# Where an import stands in a function, or below a condition: what of, and why.
_FOR_HELP = "`--help`, completion and `explain` answer without the compiler, which takes several times as long to load"
LATE = {
    "pencilc": (("pencilc.python",), "the command line is not to wait for what Python programs call"),
    "pencilc.cli": (("pencilc", "click.shell_completion"), _FOR_HELP),
    "pencilc.cli_options": (("pencilc", "dataclasses", "pathlib"), _FOR_HELP),
    "pencilc.python.dtypes": (("numpy", "ml_dtypes"), "they are extras, of which manifests do without"),
    "pencilc.quotas": (("resource",), "there is none where no process can be copied, and nothing else needs it"),
    "pencilc.records": (("dataclasses",), "type checkers see the library's own decorator, and nothing else does"),
    "pencilc.tune.model": (("sklearn",), "it is an extra, without which searches have another model"),
    "pencilc.tune.worker": (("pencilc",), "records that are pickled must belong to the module, not to `__main__`"),
}
BY_NAME = ("import_module", "importlib.import_module", "__import__")
BELOW = ["diagnostics", "ir", "islx", "options", "quotas", "records", "target", "__version__"]
ABOVE = ["driver", "progress", "verify", "tune", "port", "report", "page", "python", "outputs", "cli_options",
         "cli_outputs", "cli_words", "cli"]  # fmt: skip
MODULES = sorted((ROOT / "pencilc").rglob("*.py"))


def imported_parts(path: Path) -> Iterator[tuple[int, str]]:
    """The parts of pencilc (`ir`, `poly`, …) that a module imports, with the line."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from ((node.lineno, name.split(".")[1]) for name in names if name.startswith("pencilc."))


def allowed_parts(part: str) -> set[str]:
    """What the modules of `part` may import."""
    if part in STAGES:
        return {*BELOW, *STAGES[: STAGES.index(part) + 1]}
    if part in BELOW:
        return set(BELOW)
    if part == "__main__":
        return {"cli"}
    if part == "driver":
        return {*BELOW, *STAGES, "driver"}
    return {*BELOW, *STAGES, *ABOVE, "cli"} if part == "cli" else {*BELOW, *STAGES, *(set(ABOVE) - {"cli"})}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_import_rule(path: Path) -> None:
    part = path.relative_to(ROOT / "pencilc").parts[0].removesuffix(".py")
    wrong = [f"{path}:{line}: {part} imports {name}" for line, name in imported_parts(path)
             if name not in allowed_parts(part)]  # fmt: skip
    assert not wrong, "\n".join(wrong)


def test_no_part_is_forgotten() -> None:
    parts = {path.relative_to(ROOT / "pencilc").parts[0].removesuffix(".py") for path in MODULES}
    assert parts <= {*STAGES, *BELOW, *ABOVE, "__init__", "__main__"}, "a new folder: say where it stands in the order"


def modules_of(*parts: str) -> dict[str, Path]:
    """The modules of these parts by their names; without parts, all modules."""
    inside = (path for path in MODULES if not parts or path.relative_to(ROOT / "pencilc").parts[0] in parts)
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in inside}


def circle(imports: dict[str, set[str]]) -> list[str]:
    """Modules that import each other in a circle; none where there is none."""
    left = dict(imports)
    while free := [name for name, found in left.items() if not found & left.keys()]:
        for name in free:
            del left[name]
    return sorted(left)


def imports_in(text: str, modules: Collection[str]) -> set[str]:
    """Which of the modules a text imports, at its top, for type checkers alone or in a function."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & set(modules)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (names if names <= set(modules) else {*names, node.module}) & set(modules)
    return found


def imports_among(modules: dict[str, Path]) -> dict[str, set[str]]:
    """Which of the modules each of them imports."""
    return {name: imports_in(path.read_text(), modules.keys()) - {name} for name, path in modules.items()}


def test_no_circle() -> None:
    """None in the whole project; what is imported in a block counts too."""
    modules = modules_of()
    assert len(modules) > 200 and not circle(imports_among(modules))


def hidden_imports(text: str) -> list[str]:
    """The modules that are imported elsewhere than at the top of a module."""
    tree = ast.parse(text)
    found = []
    for node in ast.walk(tree):
        if node in tree.body:
            continue
        if isinstance(node, ast.ImportFrom):
            found.append(node.module or ".")
        elif isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in BY_NAME:
            found.append(name_given(node.args[0]))
    return found


def name_given(argument: ast.expr) -> str:
    """The module of a name that is computed, as far as it is written: `a.b` of `f"a.b.{c}"`."""
    first = argument.values[0] if isinstance(argument, ast.JoinedStr) else argument
    return str(first.value).rstrip(".") if isinstance(first, ast.Constant) else "?"


def test_no_import_is_hidden() -> None:
    """In no module of the project; what is loaded late by intention stands in the list above, and nothing else."""
    used: dict[str, set[str]] = {}
    for name, path in modules_of().items():
        allowed, _ = LATE.get(name, ((), ""))
        for module in hidden_imports(path.read_text()):
            known = [each for each in allowed if f"{module}.".startswith(f"{each}.")]
            assert known, f"{path}: the import of {module} is hidden in a block"
            used.setdefault(name, set()).update(known)
    assert used == {name: set(allowed) for name, (allowed, _) in LATE.items()}, "a line of the list is needed no more"


def test_a_hidden_import_is_seen() -> None:
    assert hidden_imports("import a\nfrom b import c\n") == []
    assert hidden_imports("def f():\n    import a.b\n") == ["a.b"]
    assert hidden_imports("if x:\n    from pencilc.ir import bins\n") == ["pencilc.ir"]
    assert hidden_imports("x = import_module(f'a.b.{c}').d") == ["a.b"]
    assert hidden_imports("def f():\n    return __import__(name)") == ["?"]


@pytest.mark.parametrize("text", ["import a.b", "from a import b", "from a.b import f", "from a.b import c, f"])
@pytest.mark.parametrize("head", ["", "if TYPE_CHECKING:\n    ", "def g():\n    "])
def test_no_import_is_overlooked(text: str, head: str) -> None:
    assert "a.b" in imports_in(head + text, ("a", "a.b", "a.b.c"))


def test_a_circle_is_seen() -> None:
    straight = {"a": {"b"}, "b": {"c"}, "c": set[str]()}
    assert circle(straight) == []
    assert circle({**straight, "c": {"b"}}) == ["a", "b", "c"]


def test_a_class_has_one_meaning() -> None:
    """Statements of generated text (ir/nodes.py) have the names that those of the source have."""
    found: dict[str, list[str]] = {}
    for path in MODULES:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(path.relative_to(ROOT).as_posix())
    twice = {name: paths for name, paths in found.items() if len(paths) > 1}
    assert twice.keys() == {"If", "For"}, twice
