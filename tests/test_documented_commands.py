"""The commands of README and docs: each can be given, and each that can run here does.

A site on loopback is in place of the web: the demo's.
"""

from __future__ import annotations

import re
import shlex
import shutil
from argparse import ArgumentError, Namespace
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import pytest
from conftest import CRAWL_SETTINGS, REPOSITORY, Project
from scrapy.cmdline import ScrapyArgumentParser, _get_commands_dict
from scrapy.settings import Settings

import ilspfc.settings
from ilspfc.crawl.arguments import ARGUMENTS

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Serve

    from benchmarks.postgresql import PostgreSQLServer

PAGES = [
    REPOSITORY / "README.md",
    REPOSITORY / "CONTRIBUTING.md",
    REPOSITORY / "domains" / "README.md",
    *sorted((REPOSITORY / "docs").glob("*.md")),
]
OURS = {"scrapy", "ilspfc"}
# Other programs that the docs name, and why a test does not run them.
OTHERS = {
    "apt-get": "installs packages of the system",
    "curl": "asks a server: tests/test_scrapyd.py and tests/server/ do",
    "done": "ends a loop of the shell",
    "export": "sets variables of the shell",
    "for": "begins a loop of the shell",
    "make": "runs this test, among others; tests/end_to_end/test_demo.py runs the demo",
    "pip": "installs packages",
    "podman": "builds and runs a container",
    "podman-compose": "runs containers",
    "python": "serves a site until it is stopped",
    "scrapyd": "serves until it is stopped: tests/test_scrapyd.py runs it",
    "scrapyd-deploy": "needs a running scrapyd: tests/test_scrapyd.py has one",
    "source": "changes the shell",
    "sqlite3": "is no program of ours, and not installed everywhere",
}
# Beginnings of commands of ours that do not run here, and why.
ELSEWHERE = {
    'bootstrap "Flowers"': "asks Wikipedia; tests/bootstrap/ has answers of its interface",
    "bootstrap Beekeeping": "tests/end_to_end/test_bootstrap_wiki.py makes such a wiki",
    "build corpora/demo --cluster": "tests/test_cluster.py has a scheduler of Dask",
    "crawl bilingual -a langs=de,it -a seeds=seeds.txt -a cc": "asks Common Crawl, of which"
    " tests/end_to_end/test_common_crawl.py has a small one",
    "crawl monolingual -a lang=de -a seeds=https://www.example.org/ -a cc": "asks it, too",
    "crawl bilingual -a langs=de,it -a cc": "asks it for the pages of rows, which that file has",
    "build corpora/demo --parts": "asks S3: tests/end_to_end/test_shared_crawl.py has a server",
    "serve": "serves until it is stopped: tests/server/",
}
SETTINGS = "\n".join(
    [
        "from ilspfc.settings import *",
        *(f"{name} = {value!r}" for name, value in CRAWL_SETTINGS.items()),
        # The sites of the docs are larger than what a test has time for.
        "FRONTIER_MAX_PAGES = 6",
        "CLASSIFICATION_MIN_DENSITY = 0",
    ]
)
SCORER = """
class Embeddings:
    name = "embeddings"

    def score_units(self, langs, units):
        return [0.9 for _ in units]
"""
WORDS = "Die Imkerin öffnet am Morgen die Beute und sieht nach den Waben der Bienen.\n"
FENCE_RE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
INDENTED_RE = re.compile(r"^ {4,}(\S.*)$", re.MULTILINE)
INLINE_RE = re.compile(r"`((?:scrapy|ilspfc) [^`\n]+)`")


class Documented(NamedTuple):
    """A command of a page, without prompt and comment, its lines joined."""

    page: str
    text: str

    @property
    def words(self) -> list[str]:
        """The words, without marks of what is left out or may be."""
        words = shlex.split(self.text, comments=True)
        return [word.strip("[]") for word in words if word != "…"]


def iter_blocks(page: Path) -> Iterator[tuple[str, str]]:
    """Yield language and text of the blocks of code, fenced or indented."""
    text = page.read_text("utf-8")
    for _, lang, block in FENCE_RE.findall(text):
        yield lang, re.sub(r"(?m)^ +(?=\S)", "", block)
    rest = FENCE_RE.sub("", text)
    for match in re.finditer(r"(?m)(?:^ {4,}\S.*\n?)+", rest):
        yield "", "\n".join(INDENTED_RE.findall(match[0]))


def find_commands() -> list[Documented]:
    """Return all commands in blocks of code, in the order of the pages."""
    found = []
    for page in PAGES:
        for lang, block in iter_blocks(page):
            is_shell = lang in {"sh", "bash", "shell", "console"}
            for line in re.sub(r"\\\n *", "", block).splitlines():
                text = line.removeprefix("$ ").strip()
                program = text.partition(" ")[0]
                is_command = program in OURS | OTHERS.keys() and lang in {"", "sh"}
                if is_command or is_shell or line.startswith("$ "):
                    found.append(Documented(page.name, text))
    return found


COMMANDS = find_commands()
# The first of each.
UNIQUE = list({one.text: one for one in COMMANDS[::-1]}.values())[::-1]
RUN = [
    command
    for command in UNIQUE
    if command.text.partition(" ")[0] in OURS
    and not command.text.partition(" ")[2].startswith(tuple(ELSEWHERE))
]


def test_no_program_of_the_docs_is_unknown() -> None:
    assert len(COMMANDS) > 80
    named = {command.text.partition(" ")[0] for command in COMMANDS}
    assert named - OURS == {*OTHERS}
    texts = [command.text.partition(" ")[2] for command in COMMANDS]
    assert [one for one in ELSEWHERE if not any(t.startswith(one) for t in texts)] == []


def find_error(command: Documented) -> str:
    """Return what would be refused of a command: name, option, argument or setting."""
    _, name, *rest = command.words
    commands = _get_commands_dict(_settings(), inproject=True)
    if name.startswith("-"):
        return ""
    if name not in commands:
        return f"no command {name}"
    parser = ScrapyArgumentParser(
        prog=name, conflict_handler="resolve", exit_on_error=False
    )
    commands[name].settings = _settings()
    commands[name].add_options(parser)
    if any(word in {"-h", "--help"} for word in rest):
        return ""
    given, unknown = parser.parse_known_args(rest, Namespace())
    known = {*vars(ilspfc.settings), *Settings()}
    wrong = [
        *(w for w in unknown if w.startswith("-") and w != "-"),
        *_unknown_names(getattr(given, "set", None), known),
        *_unknown_names(getattr(given, "spargs", None), {*ARGUMENTS}),
    ]
    return f"no {wrong[0]}" if wrong else ""


def _unknown_names(pairs: list[str] | None, known: set[str]) -> list[str]:
    return [pair for pair in pairs or () if pair.partition("=")[0] not in known]


def _settings() -> Settings:
    return Settings({"COMMANDS_MODULE": "ilspfc.commands"})


def test_commands_have_the_options_that_the_docs_give_them() -> None:
    ours = [one for one in COMMANDS if one.text.partition(" ")[0] in OURS]
    errors = {one: error for one in ours if (error := find_error(one))}
    assert errors == {}


def test_commands_in_the_text_have_these_options_too() -> None:
    errors, counted = {}, 0
    for page in PAGES:
        for text in INLINE_RE.findall(FENCE_RE.sub("", page.read_text("utf-8"))):
            try:
                words = Documented(page.name, text).words
            except ValueError:
                words = []
            # Alternatives, and what the sentence goes on with.
            if len(words) < 2 or {"|", "…"} & {*text} or words[-1].startswith("-"):
                continue
            counted += 1
            try:
                error = find_error(Documented(page.name, text))
            except (ArgumentError, ValueError) as refused:
                error = str(refused)
            if error:
                errors[page.name, text] = error
    assert counted > 60
    assert errors == {}


@pytest.fixture(scope="module")
def written(make_project: Callable[[], Project], serve: Serve) -> tuple[Project, str]:
    """A project with all that the docs take for granted, and the address of the demo."""
    project = make_project()
    folder, site = project.folder, serve(REPOSITORY / "demo" / "www")
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = documented\n")
    (folder / "documented.py").write_text(SETTINGS)
    (folder / "mine").mkdir()
    (folder / "mine" / "scorers.py").write_text(SCORER)
    domains = folder / "domains"
    for name in ("flowers", "bees"):
        shutil.copy(domains / "demo.tsv", domains / f"{name}.tsv")
        (domains / f"{name}.seeds.txt").write_text(site.url)
    (domains / "health-safety.seeds.txt").write_text(site.url)
    (folder / "seeds.txt").write_text(site.url)
    (folder / "sorbian.txt").write_text("Witajće k nam na stronje wo pčołkach. " * 40)
    for name in ("texts/de/a.txt", "texts/it/a.txt", "test/a.txt", "others/a.txt"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(WORDS.replace("Morgen", f"Tag {n}") for n in range(60)))
    shutil.copytree(REPOSITORY / "demo" / "www" / "de" / "themen", folder / "pages")
    (folder / "FILE").write_text(WORDS)
    (folder / "flores").mkdir()
    for name in ("flores/devtest.deu", "flores/devtest.ita", "wmt.de"):
        (folder / name).write_text(WORDS)
    (folder / "ladder.de").write_text(WORDS)
    (folder / "ladder.it").write_text("L'apicoltrice apre l'arnia al mattino.\n")
    done = project.run(
        *("crawl", "bilingual", "-a", "langs=de,it", "-a", "domain=demo"),
        *("-a", f"seeds={site.url}", "-s", "CORPUS_DIR=corpora/demo"),
    )
    assert done.status == 0, done
    for name in ("corpora/safety", "corpora/my-crawl", "corpora/bees", "CORPUS_DIR"):
        shutil.copytree(folder / "corpora" / "demo", folder / name)
    shutil.copytree(folder / "CORPUS_DIR", folder / "CORPUS")
    for name in ("a.tmx", "old.tmx"):
        shutil.copy(folder / "corpora" / "demo" / "de-it.tmx", folder / name)
    for name in ("CC-MAIN-1.warc.gz", "CC-MAIN-2.warc.gz"):
        (warc,) = (folder / "corpora" / "demo" / "warc").glob("*.warc.gz")
        shutil.copy(warc, folder / name)
    return project, site.url


def fill_in(word: str, project: Project, url: str, database: str) -> list[str]:
    """Return a word of a command with what is here in place of what the docs name."""
    if "*" in word and "=" not in word:
        return sorted(map(str, project.folder.glob(word)))
    some = next((project.folder / "corpora" / "safety" / "xml").glob("deu-*.xml"))
    word = re.sub(r"\bdeu-[0-9a-f]{12}\.xml$", some.name, word)
    digest = re.search(r"sha1:[A-Z2-7]{32}", some.read_text("utf-8"))
    word = re.sub(r"^sha1:[A-Z2-7]{32}$", digest[0] if digest else "", word)
    word = re.sub(r"postgresql://\S+", database, word)
    if word == "Leiter":  # a word of the lexicon that the command before has learned
        lines = (project.folder / "de-it.tsv").read_text("utf-8").splitlines()
        word = lines[-1].split("\t")[0]
    page = "de/index.html" if word.endswith(".html") else ""
    return [
        re.sub(r"https?://(www\.example\.org|127\.0\.0\.1:\d+)/\S*", url + page, word)
    ]


@pytest.mark.parametrize("command", RUN, ids=lambda one: f"{one.page}: {one.text[:60]}")
def test_a_command_of_the_docs_runs(
    command: Documented, written: tuple[Project, str], request: pytest.FixtureRequest
) -> None:
    project, url = written
    database = ""
    if "postgresql://" in command.text:
        server: PostgreSQLServer = request.getfixturevalue("postgresql")
        database = server.url
    words = [
        part
        for word in command.words[1:]
        for part in fill_in(word, project, url, database)
    ]
    done = project.run(*words, timeout_seconds=180)
    assert done.status == 0, (words, done)
    assert "Traceback" not in done.stderr
