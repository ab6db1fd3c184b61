"""Names that the docs must have, and must not invent: commands, options, arguments, settings, counts.

Reasons are compared in tests/report/test_report_funnel.py, formats in
tests/exports/test_registry.py, the page of the settings in tests/test_layout.py.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from conftest import REPOSITORY
from scrapy.cmdline import ScrapyArgumentParser, _get_commands_dict
from scrapy.settings import Settings
from test_documented_commands import PAGES

from ilspfc.command import ProjectCommand
from ilspfc.crawl.arguments import ARGUMENTS
from ilspfc.report.reason_texts import REASONS, UNITS
from ilspfc.setting_table import read_table

DOCS = "\n".join(page.read_text("utf-8") for page in PAGES)
COMMANDS_PAGE = (REPOSITORY / "docs" / "commands.md").read_text("utf-8")
STATS_PAGE = (REPOSITORY / "docs" / "stats.md").read_text("utf-8")
# Stages whose counts and reasons have the form of a path.
STAGES = {*UNITS, "archive", "bootstrap", "deltafetch", "optout", "export", "dedup"}
COUNT_RE = re.compile(rf"(?:{'|'.join(sorted(STAGES))})/[a-z<](?:[\w<>/]*[\w>])?")
DOCUMENTED = re.findall(r"`([a-z]+/[^`]+)`", STATS_PAGE)
# One row of the page is for all of them: <stage>/dropped/<reason>.
DROPPED = [code.replace("/", "/dropped/") for code in REASONS]
# Names of the form of a setting: the password of the shared frontier, and a setting of
# scrapy-deltafetch of which the docs say that it is none here.
NO_SETTINGS = {"FRONTIER_PASSWORD", "DELTAFETCH_DIR", "DELTAFETCH_RESET"}
# Strings of the form of a count: a reason that `scrapy url` makes up.
NO_COUNTS = {"decisions/off_topic"}


def test_every_command_and_each_of_its_options_is_documented() -> None:
    settings = Settings({"COMMANDS_MODULE": "ilspfc.commands"})
    missing = []
    for name, command in _get_commands_dict(settings, inproject=True).items():
        if not isinstance(command, ProjectCommand):
            continue
        if not re.search(rf"(scrapy|ilspfc|\|) {name}\b", COMMANDS_PAGE):
            missing.append(name)
        parser = ScrapyArgumentParser(conflict_handler="resolve")
        command.settings = settings
        command.add_options(parser)
        # Scrapy's own options are in its documentation.
        scrapys = [
            group for group in parser._action_groups if group.title == "Global Options"
        ]
        known = {id(action) for group in scrapys for action in group._group_actions}
        missing += [
            f"{name} {action.option_strings[-1]}"
            for action in parser._actions
            if action.option_strings
            and id(action) not in known
            and not any(_has_option(one) for one in action.option_strings)
        ]
    assert missing == []


def _has_option(option: str) -> bool:
    return bool(re.search(rf"(?<![\w-]){option}(?![\w-])", DOCS))


def test_every_argument_of_a_crawl_is_documented() -> None:
    assert [name for name in ARGUMENTS if f"`{name}`" not in COMMANDS_PAGE] == []


def test_the_docs_name_no_setting_that_there_is_not() -> None:
    prefixes = {name.partition("_")[0] for name in read_table()}
    named = set(re.findall(rf"\b(?:{'|'.join(prefixes)})_[A-Z_]+\b(?![*.])", DOCS))
    unknown = {name for name in named if not name.endswith("_")}
    assert unknown - {*read_table(), *Settings()} == NO_SETTINGS


def find_counts() -> Iterator[str]:
    """Yield the strings of the code that look like counts; what is filled in is ``<x>``."""
    for path in sorted((REPOSITORY / "ilspfc").rglob("*.py")):
        inside = set()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            parts = node.values if isinstance(node, ast.JoinedStr) else [node]
            inside |= {id(part) for part in parts if part is not node}
            texts = [part.value for part in parts if isinstance(part, ast.Constant)]
            if id(node) in inside or not all(isinstance(text, str) for text in texts):
                continue
            text = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "<x>"
                for part in parts
                if isinstance(part, ast.Constant | ast.FormattedValue)
            )
            if COUNT_RE.fullmatch(text):
                yield text


def is_documented(count: str) -> bool:
    """Test whether a row of the page is for a count; ``<…>`` stands for any word in either."""
    return any(
        _is_same(one, count) or _is_same(count, one) for one in [*DOCUMENTED, *DROPPED]
    )


def _is_same(one: str, other: str) -> bool:
    pattern = re.sub(r"<\\?\w+>", r"[\\w/<>]+", re.escape(one))
    return bool(re.fullmatch(pattern, other))


def test_every_count_is_documented() -> None:
    missing = [
        count
        for count in {*find_counts()} - NO_COUNTS - REASONS.keys()
        if not is_documented(count)
    ]
    assert sorted(missing) == []


def test_the_docs_name_no_count_that_there_is_not() -> None:
    known = {*find_counts(), *DROPPED}
    unknown = [
        count
        for count in DOCUMENTED
        if not any(_is_same(one, count) or _is_same(count, one) for one in known)
    ]
    assert unknown == []
