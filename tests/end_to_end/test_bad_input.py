"""Wrong arguments: one line that says what to do, exit status 2, nothing written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Project, Result

    Together = Callable[[Iterable[Callable[[], Result]]], list[Result]]

# Nothing listens there; a wrong argument must be found before it matters.
SEED = "http://127.0.0.1:9/"
SEEDS_FILE = "# Seeds\nhttps://www.example.org/\n\nwww.example.org/it\n"


@dataclass(frozen=True)
class Mistake:
    """Wrong arguments, and what the line on standard error has to name."""

    arguments: dict[str, str]
    named: tuple[str, ...]
    spider: str = "bilingual"
    settings: dict[str, str] = field(default_factory=dict)


def _bilingual(**arguments: str) -> dict[str, str]:
    return {"langs": "de,it", "domain": "demo", "seeds": SEED} | arguments


MISTAKES = {
    "language that cannot be identified": Mistake(
        _bilingual(langs="de,gsw", domain="none"), ("'gsw'", "LANGUAGE_TEXTS=gsw=FILE")
    ),
    "text of a language that is not there": Mistake(
        _bilingual(),
        ("LANGUAGE_TEXTS", "breton.txt", "cannot be read"),
        settings={"LANGUAGE_TEXTS": "br=breton.txt"},
    ),
    "unknown language": Mistake(
        _bilingual(langs="de,xx"), ("langs=de,xx", "'xx'", "ISO 639-1 or 639-3")
    ),
    "same language twice": Mistake(
        _bilingual(langs="de,deu"), ("langs=de,deu", "the same language")
    ),
    "one language": Mistake(
        _bilingual(langs="de"), ("langs=de", "two languages or more", "langs=de,it")
    ),
    "two languages": Mistake(
        {"lang": "de,it", "seeds": SEED},
        ("lang=de,it", "takes one language", "-a langs=de,it"),
        spider="monolingual",
    ),
    "neither on nor off": Mistake(
        _bilingual(),
        ("FRONTIER_TRAPS=maybe", "True or False"),
        settings={"FRONTIER_TRAPS": "maybe"},
    ),
    "nothing to learn from": Mistake(
        _bilingual(domain="none"),
        ("CLASSIFICATION_DECIDES_BY=all", "no terms define the domain", "-a domain="),
        settings={"CLASSIFICATION_DECIDES_BY": "all"},
    ),
    "classifier that decides without terms": Mistake(
        _bilingual(domain="none"),
        (
            "CLASSIFICATION_DECIDES_BY=learned",
            "no terms define the domain",
            "-a domain=",
        ),
        settings={"CLASSIFICATION_DECIDES_BY": "learned"},
    ),
    "unknown domain": Mistake(
        _bilingual(domain="gardening"),
        ("domain=gardening", "no such domain", "known are demo, health-safety"),
    ),
    "domain with a slip": Mistake(
        _bilingual(domain="health-safty"),
        ("no such domain; the nearest is health-safety; known are demo",),
    ),
    "argument with a slip": Mistake(
        _bilingual(domian="demo"),
        ("no such argument; the nearest is domain; known are allow",),
    ),
    "wrong domain file": Mistake(
        _bilingual(domain="./wrong.tsv"), ("wrong.tsv", "line 2", "'many' is no number")
    ),
    "domain without terms in a language": Mistake(
        _bilingual(langs="de,fr"), ("domain=demo", "no terms in fra", "domain=none")
    ),
    "missing seeds file": Mistake(
        _bilingual(seeds="nowhere.txt"), ("seeds=nowhere.txt", "cannot be read")
    ),
    "seed of another scheme": Mistake(
        _bilingual(seeds="ftp://example.org/"), ("'ftp://example.org/'", "http(s) URL")
    ),
    "seed without a scheme in a file": Mistake(
        _bilingual(seeds="seeds.txt"),
        ("seeds=seeds.txt, line 4", "'www.example.org/it'", "http(s) URL"),
    ),
    "unknown argument": Mistake(
        _bilingual(depth="3"),
        (
            "depth=3",
            "no such argument",
            "allow, cc, comparable, delta, deltafetch_reset, deny, domain, domain_texts, folder, langs, scope, seeds, store, warc",
        ),
    ),
    "delta that is no switch": Mistake(
        _bilingual(delta="2"), ("delta=2", "neither 0 nor 1", "give 1")
    ),
    "wrong network": Mistake(
        _bilingual(),
        ("GUARD_ALLOW=loopback", "127.0.0.0/8"),
        settings={"GUARD_ALLOW": "loopback"},
    ),
    "signing key that is none": Mistake(
        _bilingual(),
        ("FETCH_SIGNING_KEY=seeds.txt", "no private Ed25519 key", "--signing-key"),
        settings={
            "FETCH_SIGNING_KEY": "seeds.txt",
            "FETCH_CONTACT": "https://example.org/",
        },
    ),
    "signing key that is published nowhere": Mistake(
        _bilingual(),
        ("FETCH_CONTACT=me@example.org", "no https address", "give one"),
        settings={
            "FETCH_SIGNING_KEY": "seeds.txt",
            "FETCH_CONTACT": "me@example.org",
        },
    ),
}
# A mistake in a setting is a mistake all the same.
WRONG_SETTINGS = {
    "WORKERS": "two",
    "ALIGNMENT_METHOD": "magic",
    "CORPUS_DIR": "seeds.txt",
    "GUARD_ALLOW": "127.0.0.0/8,:http",
    "FETCH_COMMON_CRAWL": "index.example.org",
    "FETCH_INSECURE_HOSTS": "https://example.org",
    "WORKERS_CPU_SECONDS": "0",
    "LEXICON_STORE": "domains",
}
MISTAKES |= {
    name: Mistake(_bilingual(), (f"{name}={value}",), settings={name: value})
    for name, value in WRONG_SETTINGS.items()
}
CASES = [pytest.param(name, id=name.replace(" ", "-")) for name in MISTAKES]


@pytest.fixture(scope="module")
def runs(
    make_project: Callable[[], Project], together: Together
) -> dict[str, tuple[Result, set[str]]]:
    """What each mistake leads to: how the run ended and what it wrote."""
    projects = [make_project() for _ in MISTAKES]
    for project in projects:
        (project.folder / "seeds.txt").write_text(SEEDS_FILE)
        (project.folder / "wrong.tsv").write_text("weight\tterm\nmany\tLärm\n")
    before = [project.written for project in projects]
    results = together(
        partial(project.crawl, mistake.spider, mistake.settings, **mistake.arguments)
        for project, mistake in zip(projects, MISTAKES.values(), strict=True)
    )
    return {
        name: (result, project.written - known)
        for name, result, project, known in zip(
            MISTAKES, results, projects, before, strict=True
        )
    }


@pytest.mark.parametrize("name", CASES)
def test_a_mistake_is_one_line_and_writes_nothing(
    name: str, runs: dict[str, tuple[Result, set[str]]]
) -> None:
    result, written = runs[name]
    assert result.error.startswith("ilspfc: ")
    assert [text for text in MISTAKES[name].named if text not in result.error] == []
    assert (result.status, result.stdout) == (2, "")
    assert written == set()


def test_an_unknown_spider_is_named(project: Project) -> None:
    result = project.crawl("multilingual", {}, **_bilingual())
    assert result.status == 2
    assert "multilingual: no such spider; the nearest is bilingual" in result.stderr
    assert project.written == set()


def test_a_wrong_setting_of_scrapys_fetch_is_named(project: Project) -> None:
    result = project.run("fetch", SEED, "-s", "GUARD_ALLOW=all")
    assert result.status == 2
    assert result.error.startswith("ilspfc: GUARD_ALLOW=all: ")
