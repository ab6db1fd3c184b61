"""Every command that ``scrapy -h`` lists in the project: no traceback, a status of the docs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from conftest import CRAWL_SETTINGS

if TYPE_CHECKING:
    from conftest import Crawl, Project, Result, Site

# Of commands that would take long, or open something, without an argument of their own.
SHORT = {"bench": ["-s", "CLOSESPIDER_TIMEOUT=1"], "edit": ["-s", "EDITOR=true"]}
NOWHERE = "http://127.0.0.1:9/"
# A call of each command that does what it is for, with its status and what it says. URL is
# a page of the site, OUT a corpus, SETTINGS those of a crawl of the tests.
CALLS: dict[str, tuple[str, int, str]] = {
    "align": ("align OUT", 0, "6 pairs"),
    "bench": ("bench -s CLOSESPIDER_TIMEOUT=1", 0, "pages/min"),
    "bootstrap": ("bootstrap", 2, "error: "),
    "build": ("build OUT", 0, "6 pairs"),
    "check": ("check bilingual", 0, "Ran 0 contracts"),
    "clean": ("clean SETTINGS URL", 0, "Leiter"),
    "compare": ("compare OUT OUT", 0, "Pairs, German – Italian"),
    "corpus": ("corpus pages --langs de,it --out made SETTINGS", 0, "1 document kept"),
    "crawl": ("crawl plain SETTINGS", 0, ""),
    "dedup": ("dedup OUT", 0, "6 pairs"),
    "domain": ("domain check demo", 0, "demo"),
    "edit": ("edit bilingual -s EDITOR=true", 0, ""),
    "evaluate_mt": ("evaluate_mt OUT", 2, "a check needs"),
    "export": ("export OUT", 0, "de-it.tmx"),
    "fetch": ("fetch SETTINGS URL", 0, "<html"),
    "forget": ("forget OUT --url URL", 0, ""),
    "genspider": ("genspider made example.org", 0, "Created spider"),
    "identify": ("identify --langs de,it words.txt", 0, "de"),
    "init": ("init new.toml", 0, ""),
    "judge": ("judge OUT", 2, "no sample was drawn"),
    "lexicon": ("lexicon train OUT --out lexicon.tsv", 0, "entries in lexicon.tsv"),
    "list": ("list", 0, "bilingual\nmonolingual\nplain"),
    "merge": ("merge merged OUT", 2, "two corpora or more"),
    "model": ("model train words.txt --lang de --out de.arpa", 0, ""),
    "optout": ("optout apply OUT", 0, ""),
    "pair": ("pair OUT", 0, "6 pairs"),
    "parse": ("parse SETTINGS --spider plain --nocolour URL", 0, "'url': 'URL'"),
    "reindex": ("reindex OUT", 2, "can be read"),
    "report": ("report OUT", 0, "6 pairs"),
    "run": ("run job.toml SETTINGS", 0, "documents kept"),
    "runspider": ("runspider mine.py -a langs=de,it SETTINGS", 0, "documents kept"),
    "sample": ("sample OUT --what pairs", 0, ""),
    "serve": ("serve nowhere", 2, "nowhere"),
    "settings": ("settings --get BOT_NAME", 0, "ilspfc"),
    "shell": ("shell SETTINGS URL -c page", 0, "paragraphs"),
    "startproject": ("startproject another", 0, "New Scrapy project"),
    "tmx": ("tmx validate OUT/de-it.tmx", 0, "nothing wrong"),
    "url": ("url OUT URL", 0, "exported as"),
    "validate": ("validate OUT", 0, "none with problems"),
    "version": ("version", 0, "Scrapy"),
    "view": (f"view {NOWHERE}", 1, "not fetched"),
}
PLAIN = """
import scrapy

class Plain(scrapy.Spider):
    name = "plain"
    start_urls = ["{url}"]

    def parse(self, response):
        yield {{"url": response.url}}
        yield from response.follow_all(css="a", callback=self.parse)
"""
MINE = """
from ilspfc.spiders.bilingual import BilingualSpider

class Mine(BilingualSpider):
    name = "mine"

    @classmethod
    def check_arguments(cls, raw):
        return super().check_arguments({{"seeds": "{url}", **raw}})
"""
JOB = """
languages = ["de", "it"]
seeds = "{url}"
domain = "none"
contact = "me@example.org"
corpus = "run"
"""
SETTINGS = """
from ilspfc.settings import *

SPIDER_MODULES = ["ilspfc.spiders", "own"]
"""


@pytest.fixture(scope="module")
def commands(make_project: Callable[[], Project]) -> list[str]:
    """The names of the commands, as the program lists them."""
    said = make_project().run("-h").stdout
    names = re.findall(
        r"^  (\w+) +\S", said.partition("Available commands:")[2], re.MULTILINE
    )
    assert {"crawl", "shell", "genspider"} <= {*names}
    return names


def check(result: Result, statuses: set[int], call: object) -> None:
    """Fail where a command ends in a traceback, or in another status."""
    said = f"{call}: {result}"
    assert "Traceback" not in result.stdout + result.stderr, said
    assert result.status in statuses, said


@pytest.mark.parametrize("arguments", [["-h"], [], [NOWHERE]])
def test_no_command_ends_in_a_traceback(
    arguments: list[str], commands: list[str], make_project: Callable[[], Project]
) -> None:
    project = make_project()
    for name in commands:
        call = [name, *arguments, *SHORT.get(name, ())]
        statuses = {0} if arguments == ["-h"] else {0, 1, 2}
        check(project.run(*call), statuses, call)


@pytest.fixture(scope="module")
def own_project(make_project: Callable[[], Project], workshop: Site) -> Project:
    """A Scrapy project that extends this one, with a plain spider."""
    project = make_project()
    folder, url = project.folder, workshop.url
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = own_settings\n")
    (folder / "own_settings.py").write_text(SETTINGS)
    (folder / "own.py").write_text(PLAIN.format(url=url))
    (folder / "mine.py").write_text(MINE.format(url=url))
    (folder / "job.toml").write_text(JOB.format(url=url))
    (folder / "words.txt").write_text("Die Leiter steht sicher auf dem Boden.\n" * 3)
    (folder / "pages").mkdir()
    text = "<p>Die Leiter steht sicher auf dem Boden, bevor jemand sie betritt.</p>"
    (folder / "pages" / "a.html").write_text(text * 3)
    return project


def test_a_call_of_each_command_is_tried(commands: list[str]) -> None:
    assert [*CALLS] == commands


@pytest.mark.parametrize("name", CALLS)
def test_a_command_does_what_it_is_for(
    name: str, own_project: Project, bilingual_crawl: Crawl, workshop: Site
) -> None:
    call, status, said = CALLS[name]
    out = own_project.folder / "out"
    shutil.copytree(bilingual_crawl.corpus, out, dirs_exist_ok=True)
    values = {
        "URL": [workshop.at("de/leitern.html")],
        "OUT": ["out"],
        "SETTINGS": [x for n, v in CRAWL_SETTINGS.items() for x in ("-s", f"{n}={v}")],
    }
    arguments = [
        part
        for word in call.split()
        for part in values.get(word, [word.replace("OUT/", "out/")])
    ]
    result = own_project.run(*arguments)
    shutil.rmtree(out)
    check(result, {status}, arguments)
    assert said.replace("URL", values["URL"][0]) in result.stdout + result.stderr, (
        result
    )
