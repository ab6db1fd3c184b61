"""Rules of the house that no linter knows: names, docstrings, direction of imports."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from scrapy.settings import default_settings

from ilspfc.setting_table import read_meanings, read_table, render_page

REPOSITORY = Path(__file__).resolve().parent.parent
PACKAGE = REPOSITORY / "ilspfc"
SETTINGS_PAGE = REPOSITORY / "docs" / "settings.md"

DRAWERS = {"utils", "util", "helpers", "helper", "misc", "common"}
ALGORITHMS = {
    "alignment",
    "classification",
    "cleaning",
    "corpus",
    "decisions",
    "dedup",
    "frontier",
    "language",
    "lexicon",
    "optout",
    "pairing",
    "report",
}
# The floor under all algorithms: records, errors, files, tasks, text, formats of the web.
FLOOR = {
    "documents",
    "exceptions",
    "atomic",
    "database",
    "disk",
    "spool",
    "tasks",
    "text",
    "web",
}
# Modules of one name in several rooms. Above this number, a floor is missing.
MAX_SHARED_NAMES = 4
# Rooms whose modules bear the word of a stage or of a command, as the room of the word does.
NAMED_BY_STAGE = {"commands", "line", "pipelines"}
MAX_ROOM_MODULES = 20
RIDDLE = re.compile(
    r"(?:Returns? )?(?:What|Which|How|Why|Where|Whether)\b", re.IGNORECASE
)
CRAWLERS = {"scrapy", "twisted"}
# Packages that the core can do without: their folders, their commands. The core finds them by
# name (``add_ons.py``).
ADD_ONS = {
    "bootstrap": ("bootstrap/", "commands/bootstrap.py", "commands/domain.py"),
    "cluster": ("cluster/",),
    "papers": ("papers/", "commands/resources/evaluate_mt.py"),
    "server": ("server/", "judging/", "commands/serve.py", "commands/judging/"),
}
# Words that begin the settings of stages that are no algorithm package.
OTHER_STAGES = {
    "bootstrap",
    "comparable",
    "corpus",
    "exports",
    "fetch",
    "guard",
    "workers",
    "archive",
    "deltafetch",
}

MODULES = sorted(PACKAGE.rglob("*.py"))
# Packages and the modules beside them, for tests that name where a rule is broken.
# Put together so that this file does not find itself.
MARKS = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME)\b")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def _name(path: Path) -> str:
    return path.relative_to(REPOSITORY).as_posix()


@cache
def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def _functions(tree: ast.AST) -> Iterator[Function]:
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield node


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


def test_every_room_has_its_tests() -> None:
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    folders = {path.parent.name for path in (REPOSITORY / "tests").glob("*/test_*.py")}
    assert rooms - folders == set()


def test_modules_have_names_of_their_own() -> None:
    names = Counter(
        path.name
        for path in MODULES
        if path.name != "__init__.py" and _room(path) not in NAMED_BY_STAGE
    )
    shared = sorted(name for name, number in names.items() if number > 1)
    assert len(shared) <= MAX_SHARED_NAMES, shared


def test_no_room_is_overfull() -> None:
    sizes = Counter(path.parent for path in MODULES)
    assert [_name(p) for p, number in sizes.items() if number > MAX_ROOM_MODULES] == []


def test_docstrings_name_the_thing() -> None:
    riddles = [
        f"{_name(path)}: {text.splitlines()[0]}"
        for path in MODULES
        for node in ast.walk(_parse(path))
        if isinstance(node, ast.Module | ast.ClassDef | Function)
        and (text := ast.get_docstring(node))
        and RIDDLE.match(text)
    ]
    assert riddles == [], "begin with a verb or a noun"


def test_one_rule_each_is_written_once() -> None:
    """The ranges of scripts without blanks, the logistic function, the count of tokens."""
    once = {
        "\\u0e00-\\u0eff\\u1000-\\u109f": {
            "ilspfc/cleaning/encoding/decoding.py",  # where U+200B parts words
            "ilspfc/text/word_split.py",
        },
        "1 / (1 + ": {"ilspfc/text/log_odds.py"},
        "def count_tokens(": {"ilspfc/cleaning/annotation.py"},
    }
    found = {
        rule: {_name(p) for p in MODULES if rule in p.read_text("utf-8")}
        for rule in once
    }
    assert found == once


def test_what_shows_a_corpus_does_not_count_it() -> None:
    """Report and web application have their numbers from ``corpus/counts.py``."""
    counting = {
        _name(path)
        for path in MODULES
        if _room(path) in {"report", "server", "judging"}
        or "line/report" in _name(path)
        if "SELECT count(" in path.read_text("utf-8")
    }
    # The search file knows by it whether the units have changed.
    assert counting == {"ilspfc/server/search.py"}


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


def test_settings_begin_with_the_word_of_a_stage_and_have_a_meaning() -> None:
    stages = {word.upper() for word in ALGORITHMS | OTHER_STAGES}
    others = [
        name
        for name in read_table()
        if not hasattr(default_settings, name) and name.split("_")[0] not in stages
    ]
    assert others == []
    assert read_meanings().keys() >= read_table().keys()


def test_the_page_of_the_settings_is_current() -> None:
    assert SETTINGS_PAGE.read_text("utf-8") == render_page(), "see the page's head"


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
                    *FLOOR,
                }
            )
            if root in CRAWLERS or is_glue:
                wrong.append(f"{_name(path)} imports {name}")
    assert wrong == [], "give the algorithm what it needs as an argument"


@pytest.mark.parametrize("room", sorted(FLOOR))
def test_the_floor_imports_nothing_above_it(room: str) -> None:
    paths = [p for p in MODULES if _room(p) == room]
    assert paths
    rooms = {name for path in paths for name in _imported_rooms(path)}
    assert rooms <= FLOOR


def test_imports_between_rooms_form_no_circle() -> None:
    graph: dict[str, set[str]] = {}
    for path in MODULES:
        graph.setdefault(_room(path), set()).update(_imported_rooms(path))
    assert _find_circles(graph) == {}


def test_imports_between_modules_form_no_circle() -> None:
    """Neither when the package runs nor for type checking; the faces of rooms do not count."""
    modules = [path for path in MODULES if path.name != "__init__.py"]
    names = {_name(path).removesuffix(".py").replace("/", ".") for path in modules}
    graph = {name: set[str]() for name in names}
    for path, name in (
        (p, _name(p).removesuffix(".py").replace("/", ".")) for p in modules
    ):
        for node in ast.walk(_parse(path)):
            if isinstance(node, ast.ImportFrom):
                whole = {f"{node.module}.{alias.name}" for alias in node.names}
                graph[name] |= {str(node.module), *whole} & names - {name}
    assert _find_circles(graph) == {}


def _find_circles(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return the part of a graph that is in circles, or leads to one."""
    # A room is taken away once all that it imports are: what remains is in a circle.
    while free := {room for room, others in graph.items() if not others & graph.keys()}:
        graph = {room: others for room, others in graph.items() if room not in free}
    return graph


def test_packages_pass_no_names_on() -> None:
    """But for those that scripts of users import: records, stages and exports."""
    passing = {
        _name(path.parent)
        for path in MODULES
        if path.name == "__init__.py" and any(_imports(_parse(path)))
    }
    faces = {"ilspfc", "ilspfc/documents", "ilspfc/exports", "ilspfc/line"}
    assert passing == faces, "import from modules"


@pytest.mark.parametrize("name", sorted(ADD_ONS))
def test_nothing_outside_an_add_on_imports_it(name: str) -> None:
    places = ADD_ONS[name]
    rooms = {place.rstrip("/") for place in places if place.count("/") == 1}
    rooms -= {"commands"}
    wrong = [
        _name(path)
        for path in MODULES
        if not path.relative_to(PACKAGE).as_posix().startswith(places)
        and rooms & set(_imported_rooms(path))
    ]
    assert wrong == [], "load it by name (add_ons.py)"


def _room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _imported_rooms(path: Path) -> Iterator[str]:
    for name in _imports(_parse(path)):
        package, _, rest = name.partition(".")
        if package == "ilspfc" and rest and rest.split(".")[0] != _room(path):
            yield rest.split(".")[0]
