"""Settings that are turned, and the parts of the crawler that are made with them."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, get_type_hints

import pytest
from scrapy import Request, Spider
from scrapy.cmdline import _get_commands_dict
from scrapy.core.downloader import Downloader
from scrapy.downloadermiddlewares.retry import RetryMiddleware
from scrapy.http import HtmlResponse, Response
from scrapy.settings import Settings, default_settings
from scrapy.spiderloader import SpiderLoader
from scrapy.utils.misc import load_object
from scrapy.utils.test import get_crawler

import ilspfc.settings
from ilspfc.classification.definition import Domain, Term
from ilspfc.classification.genre import GENRES
from ilspfc.cleaning.files.formats import FORMATS
from ilspfc.cleaning.page import clean_page
from ilspfc.crawl.domain_terms import make_thresholds
from ilspfc.crawl.learned_relevance import DecidesBy
from ilspfc.crawl.text_options import cleaning_options
from ilspfc.documents import Document, ParagraphType
from ilspfc.exceptions import SettingError
from ilspfc.exports.export_options import export_options
from ilspfc.exports.registry import FORMATS as EXPORT_FORMATS
from ilspfc.exports.selection import PRESETS
from ilspfc.extensions.ledger import SECRET_RE
from ilspfc.line.pairing import pairing_methods
from ilspfc.middlewares.cookies import CookieWallMiddleware
from ilspfc.middlewares.redirect import HeadRefreshMiddleware, LocationMiddleware
from ilspfc.optout.policy import OptOutPolicy
from ilspfc.setting_table import check_values, read_table
from ilspfc.spiders.page_spider import name_operator

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

URL = "http://example.org/"


def settings_with(**given: object) -> Settings:
    settings = Settings()
    settings.setmodule(ilspfc.settings, priority="project")
    settings.update(given, priority="cmdline")
    return settings


def crawler_with(**given: object) -> Crawler:
    own = {n: v for n, v in vars(ilspfc.settings).items() if n.isupper()}
    # Extensions need a running crawl.
    return get_crawler(Spider, {**own, "EXTENSIONS": {}, **given})


# -- the table -----------------------------------------------------------------------------


def test_choices_are_those_of_the_code() -> None:
    known: dict[str, Iterable[str]] = {
        "ALIGNMENT_METHOD": ("lexical", "length"),
        "CLASSIFICATION_DECIDES_BY": DecidesBy,
        "CLEANING_FORMATS": FORMATS,
        "DECISIONS_GENRES": GENRES,
        "DECISIONS_OMITTED_TYPES": ParagraphType,
        "EXPORTS_FORMATS": EXPORT_FORMATS,
        "EXPORTS_PERSONAL_DATA": ("keep", "count", "mask", "drop"),
        "EXPORTS_PRESET": PRESETS,
        "EXPORTS_TMX_PROPS": ("all", "score", "none"),
        "FETCH_BROWSER": ("never", "auto", "always"),
        "FETCH_SIGNING_FORM": ("dictionary", "string"),
        "FRONTIER_SCORER": (
            "",
            "terms",
            "perplexity",
            "combined",
            "buckets",
            "breadth-first",
        ),
        "LOG_LEVEL": ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"),
        "OPTOUT_POLICY": OptOutPolicy,
        "PAIRING_METHOD": pairing_methods(),
    }
    assert {n: set(s.choices) for n, s in read_table().items() if s.choices} == {
        name: set(choices) for name, choices in known.items()
    }


def test_defaults_have_the_type_and_the_values_that_are_accepted() -> None:
    check_values(settings_with())
    for name, setting in read_table().items():
        kinds = (int, float) if setting.kind is float else setting.kind
        assert isinstance(setting.default, kinds), name


@pytest.mark.parametrize(
    ("name", "given"), [("EXPORTS_FORMATS", " tmx , text,"), ("CLEANING_FORMATS", "")]
)
def test_a_list_may_have_blanks_or_be_empty(name: str, given: str) -> None:
    check_values(settings_with(**{name: given}))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("FRONTIER_MAX_PAGES", "1.5", "give a whole number from 0$"),
        ("FRONTIER_MAX_PAGES", None, "give a whole number from 0$"),
        ("PAIRING_THRESHOLD", "nan", "give a number from 0 to 1$"),
        ("WORKERS", "1025", "give a whole number from 0 to 1024$"),
        ("COOKIES_ENABLED", "sometimes", "give True or False$"),
        ("OPTOUT_POLICY", "", "no such choice; known are skip, record, ignore$"),
        ("EXPORTS_FORMATS", ["tmx", "doc"], "no such choice: doc; known are cesalign"),
    ],
)
def test_wrong_values_are_refused(name: str, value: object, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        check_values(settings_with(**{name: value}))


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("DELTAFETCH_DIR", r"corpus\.db"),
        ("DELTAFETCH_RESET", "give -a deltafetch_reset"),
    ],
)
def test_other_settings_of_deltafetch_are_refused_with_what_is_here(
    name: str, remedy: str
) -> None:
    with pytest.raises(SettingError, match=f"{name}=1: no such setting; {remedy}"):
        check_values(settings_with(**{name: "1"}))


def test_each_number_has_bounds() -> None:
    hints = get_type_hints(ilspfc.settings, include_extras=True)
    for name, hint in hints.items():
        if name.isupper():
            assert hint not in {int, float}, name


# -- parts of the crawler ------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "DOWNLOADER_MIDDLEWARES",
        "EXTENSIONS",
        "ITEM_PIPELINES",
        "SPIDER_MIDDLEWARES",
    ],
)
def test_parts_of_the_crawler_can_be_loaded(name: str) -> None:
    parts = getattr(ilspfc.settings, name)
    assert all(isinstance(load_object(part), type) for part in parts)


@pytest.mark.parametrize("name", ["SCHEDULER", "TWISTED_DNS_RESOLVER"])
def test_single_parts_can_be_loaded(name: str) -> None:
    part = load_object(getattr(ilspfc.settings, name))
    assert hasattr(part, "from_crawler")


def test_spiders_and_commands_are_found() -> None:
    loader = SpiderLoader.from_settings(settings_with())
    assert sorted(loader.list()) == ["bilingual", "monolingual"]
    assert SpiderLoader.from_settings(settings_with(SPIDER_MODULES=[])).list() == []
    commands = _get_commands_dict(settings_with(), inproject=True)
    others = _get_commands_dict(settings_with(COMMANDS_MODULE=""), inproject=True)
    assert commands.keys() - others.keys() >= {"align", "clean", "pair", "tmx"}


# -- Scrapy's settings ---------------------------------------------------------------------


def _downloader(crawler: Crawler) -> Any:
    return Downloader(crawler)


@pytest.mark.parametrize(
    ("name", "value", "make", "attribute"),
    [
        ("CONCURRENT_REQUESTS", 3, _downloader, "total_concurrency"),
        ("CONCURRENT_REQUESTS_PER_DOMAIN", 3, _downloader, "domain_concurrency"),
        ("DOWNLOAD_DELAY", 3.5, _downloader, "_delay"),
        ("DOWNLOAD_DELAY_JITTER", 0.25, _downloader, "_jitter"),
    ],
)
def test_parts_are_made_with_the_value(
    name: str, value: float, make: Any, attribute: str
) -> None:
    assert getattr(make(crawler_with(**{name: value})), attribute) == value
    default = getattr(make(crawler_with()), attribute)
    assert default == getattr(ilspfc.settings, name)


def test_redirects_in_a_row_are_bounded() -> None:
    middleware = LocationMiddleware.from_crawler(crawler_with(REDIRECT_MAX_TIMES=1))
    request = Request(URL)
    response = Response(URL, status=301, headers={"Location": "/other"})
    followed = middleware.process_response(request, response)
    assert isinstance(followed, Request)
    assert followed.url == f"{URL}other"
    with pytest.raises(Exception, match="max redirections"):
        middleware.process_response(followed, response)


@pytest.mark.parametrize(("delay", "is_followed"), [("0", True), ("1", False)])
def test_a_meta_refresh_is_a_redirect_if_immediate(
    delay: str, is_followed: bool
) -> None:
    middleware = HeadRefreshMiddleware.from_crawler(crawler_with())
    body = f'<head><meta http-equiv="refresh" content="{delay}; url=/other"></head>'
    response = HtmlResponse(URL, body=body.encode())
    found = middleware.process_response(Request(URL), response)
    assert isinstance(found, Request) is is_followed


def test_cookies_are_off_unless_they_are_wanted() -> None:
    page = Response("http://example.org/", headers={"Set-Cookie": "a=b"})
    for is_wanted in (False, True):
        crawler = crawler_with(COOKIES_ENABLED=is_wanted)
        middleware = CookieWallMiddleware.from_crawler(crawler)
        middleware.process_response(Request("http://example.org/"), page)
        request = Request("http://example.org/a")
        middleware.process_request(request)
        assert ("Cookie" in request.headers) == is_wanted


@pytest.mark.parametrize("level", ["INFO", "ERROR"])
def test_a_download_that_is_given_up_is_logged_at_a_level(
    level: str, caplog: pytest.LogCaptureFixture
) -> None:
    crawler = crawler_with(RETRY_GIVE_UP_LOG_LEVEL=level, RETRY_TIMES=0)
    crawler.spider = Spider("x")
    crawler.spider.crawler = crawler
    with caplog.at_level(logging.DEBUG):
        RetryMiddleware.from_crawler(crawler).process_exception(Request(URL), OSError())
    assert [r.levelname for r in caplog.records if "Gave up" in r.message] == [level]


# -- settings of the stages ----------------------------------------------------------------


def test_the_user_agent_names_the_operator() -> None:
    settings = settings_with(FETCH_CONTACT="me@example.org")
    name_operator(settings)
    assert "me@example.org" in settings["USER_AGENT"]
    settings = settings_with(FETCH_CONTACT="me@example.org", USER_AGENT="mine")
    name_operator(settings)
    assert settings["USER_AGENT"] == "mine"


@pytest.mark.parametrize(("tokens", "is_short"), [(3, False), (9, True)])
def test_paragraphs_of_few_tokens_are_marked(tokens: int, is_short: bool) -> None:
    settings = settings_with(
        CLEANING_MIN_PARAGRAPH_TOKENS=tokens, CLEANING_BACKEND="none"
    )
    page = b"<p>Wer auf dem Dach arbeitet, sichert sich.</p>"
    document = clean_page(page, url=URL, identity="x", **cleaning_options(settings))
    assert isinstance(document, Document)
    (paragraph,) = document.paragraphs
    assert (paragraph.crawlinfo == "ooi-length") is is_short


@pytest.mark.parametrize(
    ("name", "attribute", "expected"),
    [
        ("CLASSIFICATION_MIN_CONTENT_TERMS", "relevance", 70),
        ("CLASSIFICATION_MIN_UNIQUE_TERMS", "terms", 7),
        ("CLASSIFICATION_MIN_DENSITY", "density", 70),
    ],
)
def test_thresholds_of_relevance_count_median_weights(
    name: str, attribute: str, expected: float
) -> None:
    domain = Domain("work", (Term(10.0, "Absturz", ("falls",), "deu"),))
    thresholds = make_thresholds(domain, settings_with(**{name: 7}))
    assert getattr(thresholds, attribute) == expected


@pytest.mark.parametrize(
    ("name", "attribute", "value"),
    [
        ("EXPORTS_MIN_TOKENS", "min_tokens", 5),
        ("EXPORTS_MIN_SCORE", "min_score", 0.9),
    ],
)
def test_bounds_of_doubtful_units_are_set(
    name: str, attribute: str, value: float
) -> None:
    options = export_options(settings_with(**{name: value}))
    assert getattr(options.limits, attribute) == value


def test_scrapy_makes_few_tasks_and_loads_what_is_used() -> None:
    default = default_settings.EXTENSIONS_BASE
    assert ilspfc.settings.CONCURRENT_ITEMS < default_settings.CONCURRENT_ITEMS
    left_out = {
        path.rpartition(".")[2]
        for path in default.keys() - ilspfc.settings.EXTENSIONS_BASE.keys()
    }
    assert left_out == {"FeedExporter", "TelnetConsole", "RemoteControl"}


def test_the_matrices_of_numpy_take_one_thread() -> None:
    code = (
        "import sys, os, ilspfc.program, ilspfc.settings;"
        "print(os.environ['OMP_NUM_THREADS'], 'numpy' in sys.modules)"
    )
    environment = {n: v for n, v in os.environ.items() if n != "OMP_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    )
    # It is read when NumPy is loaded.
    assert done.stdout.split() == ["1", "False"]


def test_no_setting_of_the_project_is_taken_for_a_secret() -> None:
    hidden = (
        "HTTPAUTH_PASS AWS_SECRET_ACCESS_KEY MAIL_PASS FTP_PASSWORD HF_TOKEN".split()
    )
    assert all(map(SECRET_RE.search, hidden))
    assert [name for name in read_table() if SECRET_RE.search(name)] == []
