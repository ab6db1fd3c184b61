"""The rules of the house that no linter knows: sizes, names, who may import whom."""

from __future__ import annotations

import ast
import re
import warnings
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY = Path(__file__).resolve().parent.parent
PACKAGE = REPOSITORY / "ilspfc"
SETTINGS_PAGE = REPOSITORY / "docs" / "settings.md"

MAX_MODULE_LINES = 250
MAX_FUNCTION_LINES = 50
# A longer function is no failure, but wants a second look.
LONG_FUNCTION_LINES = 40

DRAWERS = {"utils", "util", "helpers", "helper", "misc", "common"}
ALGORITHMS = {
    "alignment",
    "bootstrap",
    "classification",
    "cleaning",
    "corpus",
    "dedup",
    "exports",
    "frontier",
    "language",
    "lexicon",
    "pairing",
    "report",
}
# What algorithms share: the records, the errors, whole files, SQLite files, disks, addresses.
SHARED = {"documents", "exceptions", "atomic", "database", "disk", "web"}
CRAWLERS = {"scrapy", "twisted"}
# Words that begin the settings of stages that are no algorithm package.
OTHER_STAGES = {"corpus", "fetch", "guard", "workers", "archive", "dashboard"}

MODULES = sorted(PACKAGE.rglob("*.py"))
# Packages and the modules beside them, for tests that name where a rule is broken.
PARTS = sorted({path.relative_to(PACKAGE).parts[0] for path in MODULES})
# Put together so that this file does not find itself.
MARKS = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME)\b")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def _name(path: Path) -> str:
    return path.relative_to(REPOSITORY).as_posix()


def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def _functions(tree: ast.AST) -> Iterator[Function]:
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield node


def _count_lines(function: Function) -> int:
    """Return the lines of a function with its decorators."""
    first = min([function.lineno, *(d.lineno for d in function.decorator_list)])
    return (function.end_lineno or first) - first + 1


def _imports(tree: ast.AST) -> Iterator[str]:
    """Yield the modules that are imported, those for type checking among them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports are banned"
            for alias in node.names:
                is_root = node.module == "ilspfc" and alias.name != "__version__"
                yield f"ilspfc.{alias.name}" if is_root else str(node.module)


def _is_public(function: Function, tree: ast.Module) -> bool:
    """Return whether a function belongs to a module, or to a public class in one."""
    if function.name.startswith("_"):
        return False
    owners: list[ast.Module | ast.ClassDef] = [tree]
    owners += [
        node
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]
    return any(function in owner.body for owner in owners)


def _is_overload(function: Function) -> bool:
    names = {ast.unparse(decorator) for decorator in function.decorator_list}
    return bool(names & {"overload", "typing.overload"})


# -- sizes -------------------------------------------------------------------------------


def test_modules_are_short() -> None:
    lines = {path: len(path.read_text("utf-8").splitlines()) for path in MODULES}
    long = [f"{_name(p)}: {n} lines" for p, n in lines.items() if n > MAX_MODULE_LINES]
    assert long == [], f"more than {MAX_MODULE_LINES} lines: split by concern"


@pytest.mark.parametrize("part", PARTS)
def test_functions_are_short(part: str) -> None:
    sizes = {
        f"{_name(path)}:{function.lineno} {function.name}": _count_lines(function)
        for path in MODULES
        if path.relative_to(PACKAGE).parts[0] == part
        for function in _functions(_parse(path))
    }
    too_long = {name: n for name, n in sizes.items() if n > MAX_FUNCTION_LINES}
    assert too_long == {}, f"more than {MAX_FUNCTION_LINES} lines: split by step"


@pytest.mark.filterwarnings("default::UserWarning")
def test_long_functions_want_a_look() -> None:
    for path in MODULES:
        for function in _functions(_parse(path)):
            lines = _count_lines(function)
            if LONG_FUNCTION_LINES < lines <= MAX_FUNCTION_LINES:
                place = f"{_name(path)}:{function.lineno} {function.name}"
                warnings.warn(f"{place} has {lines} lines", UserWarning, stacklevel=1)


# -- names -------------------------------------------------------------------------------


def test_there_are_no_drawers() -> None:
    everywhere = chain(PACKAGE.rglob("*"), (REPOSITORY / "tests").rglob("*"))
    drawers = [_name(path) for path in everywhere if path.stem.strip("_") in DRAWERS]
    assert drawers == [], "name a module after what is in it"


def test_test_files_have_names_of_their_own() -> None:
    names: dict[str, list[str]] = {}
    for path in (REPOSITORY / "tests").rglob("*.py"):
        names.setdefault(path.name, []).append(_name(path))
    assert [paths for paths in names.values() if len(paths) > 1] == []


def test_nothing_is_left_for_later() -> None:
    folders = ("ilspfc", "tests", "evaluation", "benchmarks", "demo")
    marked = [
        f"{_name(path)}:{number}"
        for folder in folders
        for path in sorted((REPOSITORY / folder).rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if MARKS.search(line)
    ]
    assert marked == []


# -- docstrings and settings -------------------------------------------------------------


def test_modules_and_public_functions_have_a_docstring() -> None:
    silent = []
    for path in MODULES:
        tree = _parse(path)
        if not ast.get_docstring(tree):
            silent.append(_name(path))
        silent += [
            f"{_name(path)}:{function.lineno} {function.name}"
            for function in _functions(tree)
            if _is_public(function, tree)
            and not _is_overload(function)
            and not ast.get_docstring(function)
        ]
    assert silent == []


def test_settings_of_the_stages_are_documented() -> None:
    if not SETTINGS_PAGE.exists():
        pytest.skip("docs/settings.md does not exist yet")
    page = SETTINGS_PAGE.read_text("utf-8")
    stages = {word.upper() for word in ALGORITHMS | OTHER_STAGES}
    names = [
        target.id
        for module in ("settings.py", "stage_settings.py")
        for node in _parse(PACKAGE / module).body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    ]
    ours = [name for name in names if name.split("_")[0] in stages]
    assert len(ours) > 10
    assert "PAIRING_THRESHOLD" in ours
    missing = [name for name in ours if not re.search(rf"\b{name}\b", page)]
    assert missing == [], "add them to docs/settings.md"


# -- algorithms know no crawler ----------------------------------------------------------


@pytest.mark.parametrize("stage", sorted(ALGORITHMS))
def test_an_algorithm_imports_no_crawler_and_no_other_stage(stage: str) -> None:
    modules = sorted((PACKAGE / stage).rglob("*.py"))
    if not modules:
        pytest.skip(f"ilspfc/{stage} does not exist yet")
    wrong = []
    for path in modules:
        for name in _imports(_parse(path)):
            root, _, rest = name.partition(".")
            is_glue = (
                root == "ilspfc"
                and rest
                and rest.split(".")[0]
                not in {
                    stage,
                    *SHARED,
                }
            )
            if root in CRAWLERS or is_glue:
                wrong.append(f"{_name(path)} imports {name}")
    assert wrong == [], "give the algorithm what it needs as an argument"


@pytest.mark.parametrize("module", sorted(SHARED))
def test_what_algorithms_share_imports_none_of_them(module: str) -> None:
    path = PACKAGE / f"{module}.py"
    if not path.exists():
        pytest.skip(f"ilspfc/{module}.py does not exist yet")
    own = [name for name in _imports(_parse(path)) if name.split(".")[0] == "ilspfc"]
    assert set(own) <= {"ilspfc", "ilspfc.exceptions", "ilspfc.disk"}
