"""``scrapy domain check``: what a definition holds and what is wrong with it, by line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project, Result

GOOD_TSV = """\
# Noise at work
weight\tterm\tsubdomain\tlang
100\tGehörschutz\tprotection\tde
80\tLärm\t\tdeu
60\totoprotettori\tprotection;noise\tit
-50\tGabelstapler\t\tde
10\tdecibel\t\t
"""
BAD_TSV = """\
weight\tterm\tsubdomain\tlang
100\tGehörschutz\tprotection\tde
many\tLärm\t\tde

0\tStaub\t\tde
80\t...\t\tde
70\trumore\t\titalian
60\tgehörschutz\t\tde
50\tHolz\t\tde\tmore
"""
GOOD_TOPIC = """\
100:Gehörschutz=protection>de
80:Lärm>de
60:otoprotettori=protection;noise>it
-50:Gabelstapler=transport>de
10:decibel
"""
BAD_TOPIC = """\
100:Gehörschutz=protection>de
no weight at all
# a comment
x:Lärm>de
40:>de
60:rumore=noise>zz
"""
NO_COLUMN = "weight\tword\tlang\n100\tLärm\tde\n"

FILES = {
    "good.tsv": GOOD_TSV.encode(),
    "bad.tsv": BAD_TSV.encode(),
    "good.txt": GOOD_TOPIC.encode("utf-8-sig"),
    "bad.txt": BAD_TOPIC.encode(),
    "column.tsv": NO_COLUMN.encode(),
    "empty.txt": b"# nothing yet\n",
    "latin.txt": GOOD_TOPIC.encode("latin-1"),
}
NAMES = [*FILES, "health-safety", "gardening"]


@pytest.fixture(scope="module")
def runs(
    make_project: Callable[[], Project],
    together: Callable[[Iterable[Callable[[], Result]]], list[Result]],
) -> dict[str, Result]:
    """Result of the command for each file, and for domains by name."""
    project = make_project()
    for name, content in FILES.items():
        (project.folder / name).write_bytes(content)
    results = together(partial(project.run, "domain", "check", name) for name in NAMES)
    return dict(zip(NAMES, results, strict=True))


@pytest.mark.parametrize("name", ["good.tsv", "good.txt"])
def test_a_good_file_is_described(runs: dict[str, Result], name: str) -> None:
    result = runs[name]
    assert (result.status, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].startswith("good: 5 terms, 1 of them with a negative weight")
    assert "median positive weight 70" in lines[0]
    assert any(line.startswith("  German: 3 terms") for line in lines)
    assert any(line.startswith("  Italian: 1 terms") for line in lines)
    assert "  any language: 1 terms" in lines
    assert "  subdomain protection: 2 terms" in lines
    assert lines[-1] == "no problems"


def test_problems_of_a_table_have_line_numbers(runs: dict[str, Result]) -> None:
    result = runs["bad.tsv"]
    assert result.status == 2
    problems = [line for line in result.stdout.splitlines() if line.startswith("line ")]
    assert [line.partition(":")[0] for line in problems] == [
        f"line {number}" for number in (3, 5, 6, 7, 8, 9)
    ]
    assert problems[0] == "line 3: weight 'many' is no number"
    assert "finite number other than 0" in problems[1]
    assert "the term is empty" in problems[2]
    assert "'italian'" in problems[3]
    assert "given in line 2 already" in problems[4]
    assert "5 columns, but the header has 4" in problems[5]
    assert result.stdout.splitlines()[-1] == "6 problems"


def test_problems_of_a_topic_file_have_line_numbers(runs: dict[str, Result]) -> None:
    result = runs["bad.txt"]
    assert result.status == 2
    problems = [line for line in result.stdout.splitlines() if line.startswith("line ")]
    assert [line.partition(":")[0] for line in problems] == [
        f"line {number}" for number in (2, 4, 5, 6)
    ]
    assert "weight:term=subdomain>lang" in problems[0]
    assert "'x' is no number" in problems[1]
    assert "the term is empty" in problems[2]
    assert "'zz'" in problems[3]


def test_a_missing_column_is_named(runs: dict[str, Result]) -> None:
    result = runs["column.tsv"]
    assert result.status == 2
    assert "line 1: the header lacks the column 'term'" in result.stdout


def test_a_file_without_terms_is_no_domain(runs: dict[str, Result]) -> None:
    result = runs["empty.txt"]
    assert result.status == 2
    assert "no terms" in result.stdout
    assert "no problems" not in result.stdout


def test_a_file_that_is_not_utf_8_is_named(runs: dict[str, Result]) -> None:
    result = runs["latin.txt"]
    assert (result.status, result.stdout) == (2, "")
    assert result.error.startswith("ilspfc: latin.txt: cannot be read")
    assert "UTF-8" in result.error


def test_the_bundled_domain_has_no_problems(runs: dict[str, Result]) -> None:
    result = runs["health-safety"]
    assert result.status == 0, result.stdout
    assert result.stdout.startswith("health-safety: ")
    assert result.stdout.splitlines()[-1] == "no problems"


def test_an_unknown_name_lists_the_known_ones(runs: dict[str, Result]) -> None:
    result = runs["gardening"]
    assert (result.status, result.stdout) == (2, "")
    assert "known are demo, health-safety" in result.error
