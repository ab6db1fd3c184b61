"""Crawler traps: good addresses that must pass, traps that must not, and a crawl among both."""

from __future__ import annotations

import re
import tracemalloc
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import blake2b
from itertools import combinations, product
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

import pytest
from costs import assert_cheap
from hypothesis import given
from hypothesis import strategies as st

from ilspfc.frontier.reasons import TrapReason
from ilspfc.frontier.traps import detector as traps
from ilspfc.frontier.traps.detector import TrapDetector

TODAY = date(2026, 3, 2)

GOOD_URLS = """
https://en.wikipedia.org/wiki/Occupational_safety_and_health
https://en.wikipedia.org/wiki/1848
https://de.wikipedia.org/wiki/Wikipedia:Hauptseite
https://en.wikipedia.org/w/index.php?title=Dust&action=history&offset=20240517&limit=50
https://ru.wikipedia.org/wiki/%D0%9E%D1%85%D1%80%D0%B0%D0%BD%D0%B0_%D1%82%D1%80%D1%83%D0%B4%D0%B0
https://www.theguardian.com/society/2024/may/17/a-slug-of-an-article
https://news.example/2024/05/17/a-slug-of-an-article
https://news.example/2024/05/17/12345678
https://news.example/2011/11/11/eleven
https://news.example/1848/03/18/revolution-in-berlin
https://www.repubblica.it/cronaca/2024/05/17/news/titolo_dell_articolo-422935123/
https://www.bbc.com/news/articles/c4n1l2k3j4do
https://www.youtube.com/watch?v=dQw4w9WgXcQ
https://docs.python.org/3.11/library/asyncio-task.html
https://docs.djangoproject.com/en/5.0/ref/models/fields/
https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/List.html
https://github.com/scrapy/scrapy/blob/0f1a2b3c4d5e6f708192a3b4c5d6e7f809101112/docs/intro/overview.rst
https://www.shop.example/de/p/12345/atemschutzmaske-ffp2?variant=33
https://www.shop.example/it/p/12345/maschera-ffp2?variant=33&lang=it
https://www.amazon.de/dp/B07XJ8C8F5/ref=sr_1_1
https://shop.example/index.php?cPath=1_22&products_id=123&language=de
https://shop.example/products?category=12&sort=price&order=asc
https://www.suva.ch/de-ch/praevention/nach-gefahren/gefaehrliche-materialien/asbest
https://www.inail.it/cs/internet/attivita/prevenzione-e-sicurezza/conoscere-il-rischio.html
https://www.example.gov/topics/safety/health/labour/building/scaffolds/guides/2024/pdf/index.html
https://eur-lex.europa.eu/legal-content/DE/TXT/?uri=CELEX:32016R0679&from=EN
https://eur-lex.europa.eu/eli/reg/2016/679/oj
https://www.admin.ch/opc/de/classified-compilation/19640049/index.html
https://joomla.example/index.php?option=com_content&view=article&id=12:a&catid=4:b&Itemid=6&lang=de
https://typo3.example/index.php?id=123&L=1
https://forum.example/viewtopic.php?f=3&t=1234&start=15
https://data.example/dataset/0b7e2f2e-1111-2222-3333-444455556666/resource/1b7e2f2e-1111-2222-3333-444455556666
https://events.example/it/eventi/2026/05/17/sagra-del-paese
https://events.example/agenda/2026-04
https://events.example/calendar/2026/03/
https://blog.example/2019/07/
https://blog.example/2019/07/page/3/
https://blog.example/?m=201907
https://site.example/node/2045/3
https://site.example/article/203105
https://site.example/thread/3012/2
https://site.example/prevention/2045/12
https://site.example/terminology/2045/12
https://site.example/scenarios/2050
https://site.example/data?year=2050&scenario=rcp85
https://site.example/a/b/a/c/a/d
https://site.example/1/1/1
https://site.example/search?q=dust&hl=de&lang=it&locale=de_CH&language=de&l=1&page=3
https://web.archive.org/web/20200101000000/http://www.example.com/a
""".split()

TRAP_URLS = [
    ("https://x.example/a/b/a/b/a/b/", TrapReason.REPEATING_PATH),
    ("https://x.example/news/news/news/", TrapReason.REPEATING_PATH),
    ("https://x.example/en/img/en/css/en/", TrapReason.REPEATING_PATH),
    ("https://x.example/x/x/x", TrapReason.REPEATING_PATH),
    ("https://x.example/About/about/ABOUT", TrapReason.REPEATING_PATH),
    (
        "https://x.example" + "".join(f"/s{i}" for i in range(17)),
        TrapReason.TOO_DEEP_PATH,
    ),
    ("https://x.example/a" + 17 * "/", TrapReason.TOO_DEEP_PATH),
    ("https://x.example/" + "0/" * 20, TrapReason.TOO_DEEP_PATH),
    (
        "https://x.example/?" + "&".join(f"p{i}=1" for i in range(9)),
        TrapReason.TOO_MANY_PARAMETERS,
    ),
    ("https://x.example/?" + "&".join(["a[]=1"] * 9), TrapReason.TOO_MANY_PARAMETERS),
    ("https://x.example/" + "a" * 2000, TrapReason.TOO_LONG),
    ("https://x.example/calendar/2099/12", TrapReason.CALENDAR),
    ("https://x.example/calendar/2099/12/31/", TrapReason.CALENDAR),
    ("https://x.example/calendar/day/1799-12-31.html", TrapReason.CALENDAR),
    ("https://x.example/events/2035-05-17", TrapReason.CALENDAR),
    ("https://x.example/events/month/2035-05/list", TrapReason.CALENDAR),
    ("https://x.example/2099/12/31/", TrapReason.CALENDAR),
    ("https://x.example/de/2099/12/", TrapReason.CALENDAR),
    ("https://x.example/31.12.2099", TrapReason.CALENDAR),
    ("https://x.example/?tribe-bar-date=2035-05-17", TrapReason.CALENDAR),
    ("https://x.example/cal.php?year=1890&month=5&day=1", TrapReason.CALENDAR),
    ("https://x.example/?view=cal&yr=2099&mon=5", TrapReason.CALENDAR),
    (
        "https://x.example/?tx_cal%5Byear%5D=2099&tx_cal%5Bmonth%5D=1",
        TrapReason.CALENDAR,
    ),
    (
        "https://x.example/component/jevents/monthcalendar/2031/5/-?Itemid=1",
        TrapReason.CALENDAR,
    ),
    ("https://x.example/calendar?year=2150", TrapReason.CALENDAR),
    ("https://x.example/kalender?datum=20310517", TrapReason.CALENDAR),
    ("https://x.example/it/calendario/01-02-2031", TrapReason.CALENDAR),
]


def token(*parts: object) -> str:
    """Return a token that looks like a session's and is the same in every run."""
    return "a0" + blake2b(repr(parts).encode(), digest_size=15).hexdigest()


def queue_all(detector: TrapDetector, urls: list[str]) -> list[TrapReason | None]:
    return [detector.check(url) for url in urls]


@pytest.mark.parametrize("url", GOOD_URLS)
def test_good_urls_pass(url: str) -> None:
    assert TrapDetector(TODAY).check(url) is None


def test_good_urls_pass_one_detector_again_and_again() -> None:
    detector = TrapDetector(TODAY)
    for _ in range(200):
        assert set(queue_all(detector, GOOD_URLS)) == {None}


@pytest.mark.parametrize(("url", "reason"), TRAP_URLS)
def test_traps_are_named(url: str, reason: str) -> None:
    assert TrapDetector(TODAY).check(url) == reason


# -- budgets -----------------------------------------------------------------------------


def test_2000_articles_pass_before_any_is_visited() -> None:
    detector = TrapDetector(TODAY)
    urls = [f"https://a.example/article/{number}" for number in range(2_000)]
    assert set(queue_all(detector, urls)) == {None}


@pytest.mark.parametrize(
    "form",
    [
        "https://a.example/article/{n}",
        "https://a.example/article/{n}-a-title",
        "https://a.example/a-title-{n}.html",
        "https://a.example/article?id={n}",
        "https://a.example/{d:%Y/%m/%d}/a-slug-{n}",
        "https://a.example/news/{d:%Y/%m/%d}/{n}",
        "https://a.example/news/{x}",
        "https://a.example/watch?v={x}",
        "https://a.example/doc/{x}/{n}",
        "https://a.example/index.php?option=com_content&view=article&id={n}&Itemid=3",
        "https://a.example/viewtopic.php?f=7&t={n}&sid={x}",
        "https://a.example/viewtopic.php?f=7&t={n}&start=15",
    ],
)
def test_2000_pages_pass_that_go_on_being_good(form: str) -> None:
    """Links to pages become known forty at a time, as visits go on."""
    detector = TrapDetector(TODAY)
    passed = 0
    for number in range(10_000, 12_000):
        day = date(2012, 1, 1) + timedelta(days=number % 3_000)
        url = form.format(n=number, d=day, x=token(number))
        passed += detector.check(url) is None
        if number % 40 == 39:
            for _ in range(40):
                detector.record(url, is_good=True)
    assert passed == 2_000


def test_a_pattern_that_gives_nothing_new_is_exhausted() -> None:
    detector = TrapDetector(TODAY)
    for number in range(30):
        url = f"https://a.example/item/{number}"
        assert detector.check(url) is None
        detector.record(url, is_good=False)
    assert detector.check("https://a.example/item/51") is TrapReason.PATTERN_EXHAUSTED
    assert detector.check("https://a.example/article/51") is None
    assert detector.check("https://b.example/item/51") is None


@pytest.mark.parametrize("every", [2, 10, 20])
def test_a_pattern_that_gives_a_good_page_now_and_then_is_not(every: int) -> None:
    detector = TrapDetector(TODAY)
    for number in range(1, 2_000):
        url = f"https://a.example/item/{number}"
        is_good = number % every == 0
        assert detector.check(url) is None
        detector.record(url, is_good=is_good)


def test_an_exhausted_pattern_comes_back_with_good_pages() -> None:
    detector = TrapDetector(TODAY)
    url = "https://a.example/item/{}"
    for number in range(60):
        detector.check(url.format(number))
    for number in range(50):
        detector.record(url.format(number), is_good=False)
    assert detector.check(url.format(99)) is TrapReason.PATTERN_EXHAUSTED
    for number in range(50, 60):
        detector.record(url.format(number), is_good=True)
    assert detector.check(url.format(99)) is None


def test_a_visit_of_a_long_url_teaches_nothing() -> None:
    detector = TrapDetector(TODAY)
    url = "https://a.example/1?" + "a" * 2_000
    detector.record(url, is_good=True)
    assert detector.check(url) is TrapReason.TOO_LONG


def test_days_that_nobody_has_visited_run_out() -> None:
    detector = TrapDetector(TODAY)
    days = (TODAY - timedelta(days=number) for number in range(1_000))
    urls = [f"https://a.example/calendar/{day:%Y/%m/%d}" for day in days]
    reasons = queue_all(detector, urls)
    assert reasons == [None] * 30 + [TrapReason.CALENDAR] * 970
    # What has passed goes on passing, and good pages let more pass.
    assert queue_all(detector, urls[:30]) == [None] * 30
    detector.record(urls[0], is_good=True)
    assert queue_all(detector, urls)[:50] == [None] * 50


def test_combinations_of_parameters_run_out() -> None:
    detector = TrapDetector(TODAY)
    names = ("brand", "color", "size", "price", "sort", "page")
    urls = [
        "https://a.example/search?" + "&".join(map("{}={}".format, names, values))
        for values in product("abcd", repeat=6)
    ]
    reasons = Counter(queue_all(detector, urls))
    assert reasons[None] == 20
    assert reasons[TrapReason.FACETS] == 4**6 - 20


def test_languages_are_no_facets() -> None:
    detector = TrapDetector(TODAY)
    langs = [f"{first}{second}" for first in "abcdefghij" for second in "abcdefghij"]
    for name in ("lang", "hl", "locale", "L", "uselang"):
        urls = [f"https://a.example/page?{name}={lang}&print=1" for lang in langs]
        assert set(queue_all(detector, urls)) == {None}
    many = "&".join(f"{name}=de" for name in ("lang", "hl", "locale", "l", "ln"))
    assert detector.check(f"https://a.example/page?{many}&a=1&b=2&c=3&d=4") is None


@pytest.mark.parametrize(
    "form",
    [
        "https://a.example/s/{}/cart",
        "https://a.example/cart?zenid={}",
        "https://a.example/list?color=red&size=xl&zenid={}",
    ],
)
def test_versions_of_a_page_by_tokens_that_name_none_run_out(form: str) -> None:
    detector = TrapDetector(TODAY)
    reasons = Counter(queue_all(detector, [form.format(token(n)) for n in range(900)]))
    assert reasons == {None: 21, TrapReason.PATTERN_EXHAUSTED: 879}
    url = form.format(token(5))
    assert detector.check(url.replace("cart", "terms").replace("list", "terms")) is None
    assert detector.check(f"{url}{'&' if '?' in url else '?'}lang=it") is None


def test_pages_named_by_a_token_in_their_path_pass_as_they_prove_good() -> None:
    detector = TrapDetector(TODAY)
    for number in range(2_000):
        url = f"https://a.example/user/{token(number)}/profile"
        assert detector.check(url) is None
        if number % 20 == 19:
            for _ in range(20):
                detector.record(url, is_good=True)


def test_words_joined_in_a_path_run_out_unless_they_are_titles() -> None:
    detector = TrapDetector(TODAY)
    tags = ["laerm", "staub", "helm", "kran", "gas", "gift", "holz"]
    urls = [
        f"https://a.example/tags/{'+'.join(chosen)}"
        for size in (2, 3, 4)
        for chosen in combinations(tags, size)
    ]
    reasons = Counter(queue_all(detector, urls))
    # Before there are four for each word, one of the words might be a title of its own.
    assert reasons == {None: 29, TrapReason.FACETS: len(urls) - 29}
    titles = [f"https://a.example/wiki/A{n}x+title+of+n{n}" for n in range(900)]
    assert set(queue_all(detector, titles)) == {None}


def test_pages_named_by_an_opaque_token_run_out_unless_some_are_good() -> None:
    detector = TrapDetector(TODAY)
    url = "https://a.example/help?qx={}"
    reasons = queue_all(detector, [url.format(token(n)) for n in range(60)])
    assert reasons == [None] * 40 + [TrapReason.PATTERN_EXHAUSTED] * 20
    detector.record(url.format(token(0)), is_good=True)
    assert detector.check(url.format(token(99))) is None


def test_links_of_pages_without_new_text_run_out_by_section() -> None:
    detector = TrapDetector(TODAY)

    def passed(section: str, names: str) -> str:
        return "".join(
            name
            for name in names
            if detector.check(
                f"https://a.example/de/{section}/{name}", is_from_copy=True
            )
            is None
        )

    assert passed("one", "abcdefghijklmn") == "abcdefghij"
    assert passed("two", "abcdefghijklmn") == "abcdefghij"
    assert detector.check("https://a.example/de/one/z") is None, "found on a good page"
    detector.record("https://a.example/de/two/a", is_good=True)
    assert passed("two", "klmnopqr") == "klmn"
    detector.record_new_text("https://a.example/de/two/english")
    assert passed("two", "opqr") == "o"
    assert passed("one", "klmn") == ""


def test_sections_without_a_good_page_have_a_budget_together() -> None:
    detector = TrapDetector(TODAY)
    names = ["".join(name) for name in product("abcdefg", repeat=4)]
    urls = [f"https://a.example/{name}/x" for name in names]
    reasons = [detector.check(url, is_from_copy=True) for url in urls]
    assert reasons == [None] * 200 + [TrapReason.COPIES] * (len(urls) - 200)
    assert detector.check("https://b.example/x", is_from_copy=True) is None


def test_a_list_goes_on_as_long_as_it_leads_to_good_pages() -> None:
    """Its pages have the same text, and the next page is linked to from the last."""
    detector = TrapDetector(TODAY)
    before = "https://a.example/"
    for number in range(500):
        url = f"https://a.example/list?page={number}"
        assert detector.check(url, is_from_copy=number > 0) is None
        detector.record(url, is_good=False, referrer=before)
        item = f"https://a.example/item/{number}"
        assert detector.check(item, is_from_copy=True) is None
        detector.record(item, is_good=True, referrer=url)
        before = url


def test_a_search_for_words_is_no_session() -> None:
    detector = TrapDetector(TODAY)
    urls = [f"https://a.example/?s=occupational+safety+{i}" for i in range(500)]
    assert set(queue_all(detector, urls)) == {None}


# -- a crawl among traps -----------------------------------------------------------------


class Site:
    """A hundred good pages, each with links into endless traps."""

    GOOD = (
        *(f"/article/{number}" for number in range(30)),
        *(f"/news/2025/{1 + n % 12:02}/17/slug-{n}" for n in range(30)),
        *(f"/{lang}/page-{n}.html" for lang in ("de", "it") for n in range(15)),
        *(f"/doc.php?id={number}&lang=de" for number in range(10)),
    )
    FACETS = ("brand", "color", "size", "price", "sort", "page")
    base = "http://site.example"

    def __init__(self) -> None:
        self.good = {self.base + path for path in self.GOOD}
        self._serial = 0
        self._traps: dict[str, Callable[[str], Iterator[str]]] = {
            "calendar": self._calendar,
            "cal.php": self._calendar_in_query,
            "shop": self._shop,
            "search": self._search,
            "about": self._about,
        }

    def links(self, url: str) -> Iterator[str]:
        if trap := self._traps.get(kind_of(url)):
            yield from trap(url)
            return
        yield from map(self.base.__add__, self.GOOD)
        yield f"{self.base}/calendar/{TODAY:%Y/%m}"
        yield f"{self.base}/cal.php?year=2026&month=3"
        yield f"{self.base}/shop/{token('first')}/cart"
        yield f"{self.base}/search?q=dust"
        yield f"{self.base}/about/us/"

    def _calendar(self, url: str) -> Iterator[str]:
        year, month, *_ = map(int, urlsplit(url).path.split("/")[2:])
        for whole in (year * 12 + month - 2, year * 12 + month):
            yield f"{self.base}/calendar/{whole // 12}/{whole % 12 + 1:02}"
        for day in range(1, 29):
            yield f"{self.base}/calendar/{year}/{month:02}/{day:02}"

    def _calendar_in_query(self, url: str) -> Iterator[str]:
        year, month = (int(value) for _, value in parse_qsl(urlsplit(url).query))
        for whole in (year * 12 + month - 2, year * 12 + month):
            yield f"{self.base}/cal.php?year={whole // 12}&month={whole % 12 + 1}"

    def _shop(self, url: str) -> Iterator[str]:
        """Every visit begins another session."""
        self._serial += 1
        for page in ("cart", "terms", "help", "account", "login"):
            yield f"{self.base}/shop/{token(self._serial)}/{page}"

    def _search(self, url: str) -> Iterator[str]:
        chosen = dict(parse_qsl(urlsplit(url).query))
        for name, value in product(self.FACETS, range(12)):
            query = sorted({**chosen, name: f"v{value}"}.items())
            yield f"{self.base}/search?{urlencode(query)}"

    def _about(self, url: str) -> Iterator[str]:
        """Links that forgot their slash."""
        yield from (urljoin(url, "us/"), urljoin(url, "about/us/"))

    def text(self, url: str) -> str:
        return url.rsplit("/", 1)[-1] if kind_of(url) == "shop" else url

    def is_kept(self, url: str) -> bool:
        return url in self.good or kind_of(url) in {"shop", "about"}


class SessionSite(Site):
    """The same, where each visit of a page adds a session of its own to all links."""

    def links(self, url: str) -> Iterator[str]:
        self._serial += 1
        for link in super().links(self.plain(url)):
            yield f"{link}{'&' if '?' in link else '?'}zenid={token(self._serial)}"

    def plain(self, url: str) -> str:
        return re.sub("[?&]zenid=.*", "", url)

    def text(self, url: str) -> str:
        return super().text(self.plain(url))

    def is_kept(self, url: str) -> bool:
        return super().is_kept(self.plain(url))


def kind_of(url: str) -> str:
    return urlsplit(url).path.split("/")[1]


@dataclass
class Crawl:
    """What a crawl of a site has queued and refused."""

    seen: set[str]
    refused: Counter[TrapReason]


def crawl(site: Site, *, is_depth_first: bool) -> Crawl:
    """Crawl a site to its end."""
    detector = TrapDetector(TODAY)
    queue = deque([site.base + "/"])
    crawl = Crawl(set(queue), Counter())
    texts: set[str] = set()
    while queue:
        url = queue.pop() if is_depth_first else queue.popleft()
        text = site.text(url)
        detector.record(url, is_good=text not in texts and site.is_kept(url))
        texts.add(text)
        for link in site.links(url):
            if link in crawl.seen:
                continue
            if (reason := detector.check(link)) is not None:
                crawl.refused[reason] += 1
                continue
            crawl.seen.add(link)
            queue.append(link)
    return crawl


@pytest.mark.parametrize("is_depth_first", [False, True])
def test_a_crawl_ends_with_all_good_pages_and_few_traps(is_depth_first: bool) -> None:
    site = Site()
    done = crawl(site, is_depth_first=is_depth_first)
    assert site.good <= done.seen
    passed = Counter(map(kind_of, done.seen - site.good))
    assert sum(passed.values()) < 500, passed
    assert done.refused.keys() >= {
        TrapReason.CALENDAR,
        TrapReason.FACETS,
        TrapReason.PATTERN_EXHAUSTED,
        TrapReason.REPEATING_PATH,
    }


def test_a_crawl_ends_where_every_link_begins_a_session() -> None:
    site = SessionSite()
    done = crawl(site, is_depth_first=False)
    pages = Counter(site.plain(url) for url in done.seen)
    assert site.good <= pages.keys()
    assert len(done.seen) - len(site.good) < 800, Counter(map(kind_of, done.seen))


# -- robustness --------------------------------------------------------------------------


@given(
    st.lists(
        st.one_of(
            st.text(max_size=60),
            st.from_regex(r"[/?&=.%0-9a-fT\-\[\]]{0,60}", fullmatch=True),
        ),
        max_size=5,
    )
)
def test_whatever_comes_gives_a_reason_or_none(tails: list[str]) -> None:
    first, second = TrapDetector(TODAY), TrapDetector(TODAY)
    for tail in tails:
        url = f"http://a.example/{tail}"
        reason = first.check(url)
        assert reason is None or reason in TrapReason
        assert second.check(url) == reason
        first.record(url, is_good=False)
        second.record(url, is_good=False)


def test_a_url_without_a_host_is_an_error() -> None:
    with pytest.raises(ValueError, match="host"):
        TrapDetector(TODAY).check("/relative")


@pytest.mark.parametrize(
    "tail",
    [
        *(part * (1_900 // len(part)) for part in ("a/", "1/", "2031/", "a/b/", "/")),
        *(
            part * (1_900 // len(part))
            for part in ("1", "_", "a-1", "a-11111", "é", "%d0")
        ),
        *(
            "?" + part * (1_900 // len(part))
            for part in ("a&", "y=2031&", "a=1&", "s=1a")
        ),
        "a/" + "/".join(f"{n % 7}{n % 5}{n % 3}" for n in range(450)),
        "calendar/" + "2031/" * 300,
    ],
)
@pytest.mark.costs
def test_no_url_takes_long(tail: str) -> None:
    def check() -> None:
        detector = TrapDetector(TODAY)
        for number in range(10):
            detector.check(f"http://a{number}.example/{tail}")

    assert_cheap(check, steps=4_000_000, units=15.0)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traps, "MAX_PATTERNS", 100)
    detector = TrapDetector(TODAY)
    tracemalloc.start()
    for number in range(4_000):
        name = "".join(chr(97 + int(digit)) for digit in str(number))
        detector.check(f"http://{name}.example/{name}/1?a={number}&{name}=2")
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak_bytes < 4_000_000


def test_the_least_recently_seen_patterns_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(traps, "MAX_PATTERNS", 2)
    detector = TrapDetector(TODAY)
    for _ in range(50):
        detector.record("http://a.example/1", is_good=False)
    assert detector.check("http://a.example/2") is TrapReason.PATTERN_EXHAUSTED
    assert detector.check("http://b.example/1") is None
    assert detector.check("http://a.example/2") is TrapReason.PATTERN_EXHAUSTED
    assert detector.check("http://c.example/1") is None
    assert detector.check("http://d.example/1") is None
    assert detector.check("http://a.example/2") is None
