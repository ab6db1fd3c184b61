"""robots.txt: what a crawler may fetch, and which lines speak of the use of it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from costs import assert_cheap
from hypothesis import example, given
from hypothesis import strategies as st

from ilspfc.web.path_rules import PathPattern, PathRules, octets, path_of
from ilspfc.web.robots_txt import (
    MAX_AGE_SECONDS,
    MAX_BODY_BYTES,
    RETRY_SECONDS,
    ExtensionField,
    RobotsPolicy,
    RobotsState,
    product_token,
)

AGENT = "ilspfc/1.0 (+https://example.org/crawler)"
HOST = "https://example.org"

SHARED = Path(
    os.environ.get("ILSPFC_EVALUATION_DATA")
    or Path(__file__).resolve().parents[3] / "shared"
)
SUITE = SHARED / "conformance" / "robots-spec" / "cases.jsonl"
FILES = SHARED / "conformance" / "robots-files"

# The cases of Google's suite that are decided otherwise, and why.
DEVIATIONS = {
    # RFC 9309, 2.2.2: octets beyond ASCII are escaped, escapes of unreserved ones read.
    ("FooBot", "http://foo.bar/foo/bar/ツ"): 2,
    ("FooBot", "http://foo.bar/foo/bar/baz"): 1,
    # A group that is written like our name means us, though a token has no digits.
    ("AB42bot", "http://example.com/foo/bar"): 1,
    ("AB42bot", "http://example.com/"): 1,
    ("XYZ123bot", "http://example.com/robots.txt"): 1,
    # Marked GOOGLE_SPECIFIC: index.html stands for its folder; agents of two words.
    ("foobot", "http://foo.com/allowed-slash/"): 1,
    ("Foo Bar", "http://foo.bar/x/y"): 1,
}


def policy(text: str | bytes, agent: str = AGENT) -> RobotsPolicy:
    body = text.encode() if isinstance(text, str) else text
    return RobotsPolicy.from_response(200, body, agent)


def allows(text: str | bytes, path: str, agent: str = AGENT) -> bool:
    return policy(text, agent).allows(HOST + path)


# -- what came of asking -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "state", "allowed", "max_age"),
    [
        (200, RobotsState.READ, False, MAX_AGE_SECONDS),
        (206, RobotsState.READ, False, MAX_AGE_SECONDS),
        (301, RobotsState.UNAVAILABLE, True, MAX_AGE_SECONDS),
        (401, RobotsState.UNAVAILABLE, True, MAX_AGE_SECONDS),
        (404, RobotsState.UNAVAILABLE, True, MAX_AGE_SECONDS),
        (429, RobotsState.UNAVAILABLE, True, MAX_AGE_SECONDS),
        (500, RobotsState.UNREACHABLE, False, RETRY_SECONDS),
        (503, RobotsState.UNREACHABLE, False, RETRY_SECONDS),
        (None, RobotsState.UNREACHABLE, False, RETRY_SECONDS),
        (999, RobotsState.UNREACHABLE, False, RETRY_SECONDS),
        (101, RobotsState.UNREACHABLE, False, RETRY_SECONDS),
    ],
)
def test_the_status_decides_before_the_body(
    status: int | None, state: RobotsState, allowed: bool, max_age: float
) -> None:
    body = b"User-agent: *\nDisallow: /\nCrawl-delay: 5\nSitemap: /s.xml\n"
    robots = RobotsPolicy.from_response(status, body, AGENT)
    assert robots.state is state
    assert robots.allows(f"{HOST}/a") is allowed
    assert robots.max_age_seconds == max_age
    if state is not RobotsState.READ:
        assert (robots.crawl_delay_seconds, robots.sitemaps) == (None, ())
        assert robots.extensions(f"{HOST}/a") == ()


def test_an_error_is_asked_about_again_sooner() -> None:
    assert RETRY_SECONDS < MAX_AGE_SECONDS <= 24 * 3600


# -- groups ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("", True),
        ("<html><p>Not found: see the home page</html>", True),
        ("User-agent: *\nDisallow: /", False),
        ("User-agent: *\nDisallow:", True),
        ("Disallow: /", True),
        ("User-agent: other\nDisallow: /", True),
        ("User-agent: ILSPFC\nDisallow: /", False),
        ("User-agent: ilspfc/2.0\nDisallow: /", False),
        ("User-agent: ilspfc*\nDisallow: /", False),
        ("User-agent: ilspfc2\nDisallow: /", False),
        ("User-agent: ilspfcx\nDisallow: /", True),
        ("User-agent: xilspfc\nDisallow: /", True),
        # our own group alone, wherever it stands
        ("User-agent: *\nDisallow: /\nUser-agent: ilspfc\nAllow: /", True),
        ("User-agent: ilspfc\nDisallow: /x\nUser-agent: *\nDisallow: /", True),
        ("User-agent: ilspfc\n\nUser-agent: *\nDisallow: /", False),
        # not our name, though it begins like ours, or ours like it
        ("User-agent: ilsp\nDisallow: /", True),
        ("User-agent: ilspfc-news\nDisallow: /", True),
        # groups of one name are one
        ("User-agent: ilspfc\nAllow: /b\n\nUser-agent: ilspfc\nDisallow: /", False),
        # a group of several names
        ("User-agent: a\nUser-agent: ilspfc\nUser-agent: b\nDisallow: /", False),
        # other records neither end a group nor divide its names (2.2.4)
        ("User-agent: *\nSitemap: /s\nDisallow: /", False),
        ("User-agent: *\nCrawl-delay: 1\nUser-agent: b\nDisallow: /", False),
        ("User-agent: *\nDisallow: /x\nSitemap: /s\nDisallow: /", False),
        # what later documents call rules does
        ("User-agent: *\nContent-Usage: train-ai=n\nUser-agent: b\nDisallow: /", True),
        ("User-agent: *\nContent-Signal: search=yes\nUser-agent: b\nDisallow: /", True),
        # forgotten colons, misspellings, blanks, comments
        ("user-agent *\ndisallow /", False),
        ("  USER-AGENT : * # all\n\tDisalow\t:\t/ # everything", False),
        ("useragent: *\nDissallow: /", False),
        ("User-agent: *\nDisallow /a/b: c", True),
        ("User-agent: *\rDisallow: /\r", False),
        ("User-agent: *\r\n\r\n\r\nDisallow: /\r\n", False),
    ],
)
def test_a_group_is_chosen_by_name(text: str, allowed: bool) -> None:
    assert allows(text, "/a") is allowed


def test_a_crawler_without_a_name_obeys_everybodys_group() -> None:
    text = "User-agent: other\nDisallow: /\nUser-agent: *\nDisallow: /x"
    assert allows(text, "/a", agent="")
    assert not allows(text, "/x", agent="")
    assert not allows("User-agent:\nUser-agent: *\nDisallow: /", "/a", agent="")


@pytest.mark.parametrize(
    ("header", "token"),
    [
        ("ilspfc", "ilspfc"),
        ("ilspfc/1.0 (+https://a.org)", "ilspfc"),
        ("my-corpus_bot (a@b.org)", "my-corpus_bot"),
        ("bot2/1", "bot2"),
        ("Mozilla/5.0 (compatible; bot2/1; +https://a.org)", "bot2"),
        ("Mozilla/5.0 (X11; Linux)", "Mozilla"),
        ("", ""),
        (" /()", ""),
    ],
)
def test_the_product_token_is_the_name_in_the_header(header: str, token: str) -> None:
    assert product_token(header) == token


# -- paths -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "path", "allowed"),
    [
        # the longest match, in octets; of equal ones, the rule that allows
        ("Disallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("Disallow: /a/b\nAllow: /a", "/a/b/c", False),
        ("Disallow: /a\nAllow: /a", "/a", True),
        ("Disallow: /p*\nAllow: /pa", "/page", True),
        ("Disallow: /p*\nAllow: /p*", "/page", True),
        ("Allow: /page\nDisallow: /*.html", "/page.html", False),
        ("Disallow: /é\nAllow: /e12345", "/é", False),
        # special characters (2.2.3)
        ("Disallow: /a$", "/a", False),
        ("Disallow: /a$", "/ab", True),
        ("Disallow: /a$b", "/a$b", False),
        ("Disallow: *.gif$", "/x/y.gif", False),
        ("Disallow: *.gif$", "/x/y.gif?z", True),
        ("Disallow: /*/b*/c", "/a/bb/c/d", False),
        ("Disallow: /*/b*/c", "/b/c", True),
        ("Disallow: /a*a$", "/a", True),
        ("Disallow: /a*a$", "/aa", False),
        ("Disallow: /a**b", "/a--b", False),
        ("Disallow: *", "/", False),
        ("Disallow: /%2A", "/*", False),
        ("Disallow: /%2A", "/a", True),
        ("Disallow: /a%24", "/a$", False),
        ("Disallow: /a%24", "/a", True),
        ("Disallow: /a#b", "/ax", False),
        # a path that does not begin like one
        ("Disallow: a", "/a", False),
        ("Disallow: ?x", "/?x", False),
        ("Disallow: /\nAllow: a", "/a", False),
        ("Disallow: http://a.org/b", "/b", True),
        ("Disallow: http://a.org/b", "/http://a.org/b", True),
        ("Disallow: /?", "?x", False),
        ("Disallow: /", "", False),
        # case and escapes (2.2.2)
        ("Disallow: /A", "/a", True),
        ("Disallow: /%7ea", "/~a", False),
        ("Disallow: /~a", "/%7Ea", False),
        ("Disallow: /é", "/%c3%a9", False),
        ("Disallow: /%C3%A9", "/é", False),
        ("Disallow: /a%2Fb", "/a/b", True),
        ("Disallow: /a/b", "/a%2fb", True),
        ("Disallow: /a%3Fb", "/a?b", True),
        ("Disallow: /w%3Mx", "/w%3Mx", False),
        ("Disallow: /a:b", "/a%3Ab", False),
        ("Disallow: /a?u=http://b.org", "/a?u=http%3A%2F%2Fb.org", False),
        ("Disallow: /a?u=http%3a%2f%2Fb", "/a?u=http://b.org", False),
        ("Disallow: /*/private", "/a?back=%2Fprivate", False),
        ("Disallow: /a?x=%26", "/a?x=&", True),
        ("Disallow: /a b", "/a%20b", False),
    ],
)
def test_the_longest_rule_decides(rules: str, path: str, allowed: bool) -> None:
    assert allows(f"User-agent: *\n{rules}\n", path) is allowed


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://example.org", "/"),
        ("https://example.org#part", "/"),
        ("https://example.org?a=b", "/?a=b"),
        ("https://example.org/a/?b#c", "/a/?b"),
        ("/a?b", "/a?b"),
        ("a", "/a"),
        ("/a?u=http://b.org/c", "/a?u=http://b.org/c"),
        ("http://[", "/"),
        ("http://a.org//b", "//b"),
        ("http://a.org/\ud800", "/%ED%A0%80"),
    ],
)
def test_a_url_has_one_path(url: str, path: str) -> None:
    assert path_of(url) == path


# -- bytes -------------------------------------------------------------------------------

BLOCKED = "User-agent: *\nDisallow: /é\n"


@pytest.mark.parametrize(
    "body",
    [
        BLOCKED.encode(),
        BLOCKED.encode("utf-8-sig"),
        BLOCKED.encode("utf-16"),
        b"\xfe\xff" + BLOCKED.encode("utf-16-be"),
        b"\xff\xfe" + BLOCKED.encode("utf-16-le") + b"\x00",
        b"\xef\xbb" + BLOCKED.encode(),
        b"\xff\x80: \x00\n" + BLOCKED.encode() + b"Disallow: \xff",
        b"\x00\n" + BLOCKED.encode().replace(b"\n", b"\x00\n"),
    ],
)
def test_encodings_and_damage_are_borne(body: bytes) -> None:
    assert not allows(body, "/é")
    assert allows(body, "/e")


def test_a_name_beyond_ascii_is_compared_in_octets() -> None:
    text = "User-agent: *\nDisallow:\nUser-agent: Bär-bot\nDisallow: /"
    assert not allows(text, "/a", "bär-bot/1.0")
    assert allows(text, "/a", "bar-bot/1.0")


def test_octets_that_are_no_utf_8_are_matched_as_they_are() -> None:
    assert not allows(b"User-agent: *\nDisallow: /\xe0\n", "/%E0")


def test_beyond_the_limit_nothing_is_read() -> None:
    start = b"User-agent: *\nDisallow: /before\n"
    filler = b"#" * (MAX_BODY_BYTES - len(start) - len(b"\nDisallow: /cut"))
    body = start + filler + b"\nDisallow: /cut-here\nDisallow: /behind\n"
    robots = policy(body)
    assert not robots.allows(f"{HOST}/before")
    assert robots.allows(f"{HOST}/cut-here")
    assert robots.allows(f"{HOST}/cut")
    assert robots.allows(f"{HOST}/behind")


def test_a_file_of_exactly_the_limit_is_read_whole() -> None:
    body = b"User-agent: *\n".ljust(MAX_BODY_BYTES - len(b"\nDisallow: /"), b"#")
    assert not allows(body + b"\nDisallow: /", "/a")


# -- delay and sitemaps ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("User-agent: *\nCrawl-delay: 3", 3.0),
        ("User-agent: *\ncrawl delay : 0.5 # gently", 0.5),
        ("User-agent: *\nCrawl-delay: 2\nCrawl-delay: 7\nCrawl-delay: 1", 7.0),
        ("User-agent: *\nCrawl-delay: 0", 0.0),
        ("Crawl-delay: 3", None),
        ("User-agent: other\nCrawl-delay: 3", None),
        ("User-agent: *\nCrawl-delay: 3\nAllow: /\nUser-agent: ilspfc\nAllow: /", None),
        ("User-agent: *\nAllow: /\nUser-agent: ilspfc\nCrawl-delay: 9", 9.0),
        ("User-agent: *\nCrawl-delay: soon", None),
        ("User-agent: *\nCrawl-delay: -1", None),
        ("User-agent: *\nCrawl-delay: nan", None),
        ("User-agent: *\nCrawl-delay: 1e999", None),
    ],
)
def test_the_delay_is_that_of_our_group(text: str, seconds: float | None) -> None:
    assert policy(text).crawl_delay_seconds == seconds


def test_sitemaps_belong_to_all_groups_and_count_once() -> None:
    text = "Sitemap: /é.xml\nUser-agent: other\nsitemap: http://a.org/S.xml#x\nSitemap: /é.xml"
    assert policy(text).sitemaps == ("/é.xml", "http://a.org/S.xml")


# -- lines about use ---------------------------------------------------------------------

EXAMPLE = """\
User-Agent: *
Allow: /
Disallow: /never/
Content-Usage: train-ai=n
Content-Usage: /ai-ok/ train-ai=y

User-Agent: ExampleBot
Allow: /
Content-Usage: train-ai=y
"""


def lines(text: str, path: str, agent: str = AGENT) -> list[str]:
    found = policy(text, agent).extensions(HOST + path)
    return [f"{line.field} {line.value}".strip() for line in found]


def test_the_example_of_the_draft() -> None:
    # draft-ietf-aipref-attach-05, section 3.4
    assert lines(EXAMPLE, "/test") == ["content-usage train-ai=n"]
    assert lines(EXAMPLE, "/ai-ok/test") == ["content-usage train-ai=y"]
    assert lines(EXAMPLE, "/test", "ExampleBot/2") == ["content-usage train-ai=y"]
    assert not policy(EXAMPLE).allows(f"{HOST}/never/test")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("User-agent: *\nCONTENT-USAGE:\t/a\ttrain-ai=n # no", ["content-usage train-ai=n"]),
        ("User-agent: *\nContent-Usage: /b train-ai=n", []),
        ("User-agent: *\nContent-Usage: /a", ["content-usage"]),
        ("User-agent: *\nContent-Usage:", ["content-usage"]),
        # of equal paths all count, each once
        (
            "User-agent: *\nContent-Usage: /a x=1\nContent-Usage: /a y=1\nContent-Usage: /a x=1",
            ["content-usage x=1", "content-usage y=1"],
        ),
        # the kinds do not compete
        (
            "User-agent: *\nContent-Usage: /a x=y\nContent-signal: ai-train=no",
            ["content-usage x=y", "content-signal ai-train=no"],
        ),
        # another crawler's group is not ours
        ("User-agent: other\nContent-Signal: ai-train=no", []),
        ("User-agent: ilspfc\nAllow: /\nUser-agent: *\nContent-Signal: ai-train=no", []),
        # before the first group, everybody's
        ("Content-Signal: a=yes\nUser-agent: ilspfc\nAllow: /", ["content-signal a=yes"]),
        (
            "Content-Signal: a=yes\nUser-agent: *\nContent-Signal: a=no",
            ["content-signal a=yes", "content-signal a=no"],
        ),
        # licences: the group's replace those outside (RSL 1.0, 4.4)
        ("License: https://a.org/l.xml", ["license https://a.org/l.xml"]),
        ("License: /l\nUser-agent: *\nLicense: /m\nLicense: /n", ["license /m", "license /n"]),
        ("License: /l\nUser-agent: other\nLicense: /m", ["license /l"]),
    ],
)  # fmt: skip
def test_lines_about_use_follow_groups_and_paths(text: str, found: list[str]) -> None:
    assert lines(text, "/a/b") == found


def test_a_value_about_use_is_text() -> None:
    (line,) = policy("Content-Signal: /é é=ö").extensions(f"{HOST}/é")
    assert (line.field, line.value) == (ExtensionField.CONTENT_SIGNAL, "é=ö")


# -- other projects' files ---------------------------------------------------------------


@pytest.mark.shared
@pytest.mark.skipif(not SUITE.exists(), reason="Google's robots.txt suite is not here")
def test_googles_suite(count_cases: Callable[[str, int, int], None]) -> None:
    passed = 0
    otherwise: dict[tuple[str, str], int] = {}
    for row in SUITE.read_text("utf-8").splitlines():
        case = json.loads(row)
        latin1 = case.get("robotstxt_latin1")
        body = (
            case["robotstxt"].encode() if latin1 is None else latin1.encode("latin-1")
        )
        key = (case["useragent"], case["url"])
        if policy(body, key[0]).allows(key[1]) is (case["outcome"] == "ALLOWED"):
            passed += 1
        else:
            otherwise[key] = otherwise.get(key, 0) + 1
    count_cases("robots.txt: Google", passed, passed + sum(otherwise.values()))
    assert otherwise == DEVIATIONS
    assert passed == 392


@pytest.mark.parametrize(
    ("text", "agent", "path", "allowed"),
    [
        ("user-agent: *\ndisallow: /\nuser-agent: hedwig\nallow: /", "hedwig-new", "/", False),
        ("User-agent: *\nUnknown: /\nUser-agent: b\nDisallow: /", "a", "/", False),
        ("User-agent: *\nAllow: /a/index.html\nDisallow: /", "a", "/a/", False),
        ("User-agent: *\nDisallow: /a$", "a", "/a$", True),
        ("User-agent: *\nDisallow: http://b.org/", "a", "/http://b.org/", True),
        ("user agent harry potter\ndisallow /", "harry potter", "/", True),
    ],
)  # fmt: skip
def test_where_protego_decides_otherwise(
    text: str, agent: str, path: str, allowed: bool
) -> None:
    assert allows(text, path, agent) is allowed


@pytest.mark.shared
@pytest.mark.skipif(not FILES.exists(), reason="crawler-commons' files are not here")
@pytest.mark.parametrize(
    ("name", "agent", "sitemaps", "delay", "verdicts"),
    [
        ("robots-with-utf8-bom.txt", "a", 1, None, {"/profile": False, "/a": True}),
        ("robots-with-utf16le-bom.txt", "a", 1, None, {"/x/output/print": False, "/a": True}),
        ("robots-with-utf16be-bom.txt", "a", 1, None, {"/login.aspx": False, "/a": True}),
        ("dos-line-endings.txt", "a", 0, 1.0, {"/": True}),
        ("astore.amazon.com-robots.txt", "a", 0, 5.0, {"/": True}),
        ("twitter.com-robots.txt", "slurp", 0, 1.0, {"/a?b": False, "/a": True}),
        ("sitemap-robots.txt", "a", 2, None, {"/": True}),
        ("sitemap-robots-dedup.txt", "a", 1, None, {"/": True}),
        ("relative-sitemap-robots.txt", "a", 1, None, {"/docs/": False, "/doc": True}),
        ("format-errors-robots.txt", "bot2", 1, None, {"/no-colon-useragent/": False, "/": True}),
        ("directive-typos-robots.txt", "bot4", 0, None, {"/useragent-no-colon/": False, "/": True}),
        ("crawl-delay-group-merging.txt", "mybot", 0, 10.0, {"/private/": False, "/login/": True}),
        ("crawl-delay-group-merging.txt", "other", 0, 30.0, {"/private/": True}),
        ("extensions-group-merging.txt", "mybot", 0, None, {"/private/": False, "/login/": False, "/": True}),
        ("malformed-path.txt", "a", 0, None, {"/wiki/Wikipedia_talk%3Mediation_Committee/": False, "/": True}),
        ("merge-rules.txt", "wget", 0, None, {"/tmp/bar": False, "/ckh/bar": True}),
        ("precedence-of-rules.txt", "testy", 0, None, {"/foo/bat": False, "/foo/bar": True}),
        ("many-user-agents.txt", "wget", 0, None, {"/": False}),
        ("www.flot.com-robots.txt", "a", 1, None, {"/img/a": False, "/": True}),
    ],
)  # fmt: skip
def test_files_of_crawler_commons(
    name: str, agent: str, sitemaps: int, delay: float | None, verdicts: dict[str, bool]
) -> None:
    robots = policy((FILES / name).read_bytes(), agent)
    assert len(robots.sitemaps) == sitemaps
    assert robots.crawl_delay_seconds == delay
    assert {path: robots.allows(HOST + path) for path in verdicts} == verdicts


# -- cost and damage ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "rule", ["Disallow: /p%d", "Disallow: /*p%d", "Disallow: /*/p%d$", "Disallow: /é%d"]
)
@pytest.mark.costs
def test_a_hundred_thousand_rules_are_no_burden(rule: str) -> None:
    body = "\n".join(["User-agent: *", *(rule % n for n in range(100_000))]).encode()
    robots = policy(body)
    # About 0.1 s, and 0.05 ms a URL, when measured.
    assert_cheap(lambda: policy(body), steps=20_000_000, units=60.0)
    urls = [f"{HOST}/a/x{number}/" + "index" * 20 for number in range(100)]
    assert_cheap(
        lambda: [robots.allows(url) for url in urls], steps=8_000_000, units=20.0
    )


@pytest.mark.costs
def test_rules_that_share_a_long_part_with_a_url_take_no_long() -> None:
    part = "a" * 48
    rules = "\n".join(f"Disallow: /*{part}*{n}$" for n in range(6_000))
    robots = policy(f"User-agent: *\n{rules}")
    assert robots.allows(f"{HOST}/{'a' * 1_900}b")
    assert_cheap(
        lambda: robots.allows(f"{HOST}/{'a' * 1_900}b"), steps=500_000, units=15.0
    )


@pytest.mark.costs
def test_wildcards_do_not_backtrack() -> None:
    robots = policy("User-agent: *\nDisallow: /" + "*a" * 200_000 + "$")
    url = f"{HOST}/" + "a" * 20_000 + "b"
    assert robots.allows(url)
    assert_cheap(lambda: robots.allows(url), steps=500_000, units=60.0)


PATHS = st.text("/ab*$?%2é", max_size=8)


@given(st.text("/ab*$", max_size=8), st.text("/ab", max_size=8))
def test_a_pattern_matches_like_its_regular_expression(text: str, rest: str) -> None:
    path = f"/{rest}"
    regex = re.escape(text.removesuffix("$")).replace(r"\*", ".*")
    end = "" if text.endswith("$") else ".*"
    expected = re.fullmatch(regex + end, path) is not None
    assert PathPattern(text).matches(path) is expected


@given(st.lists(st.tuples(PATHS, st.booleans()), max_size=12), PATHS)
def test_the_index_finds_what_trying_each_rule_finds(
    rules: list[tuple[str, bool]], url: str
) -> None:
    path = path_of(f"{HOST}/{url}")
    rules = [(octets(text), value) for text, value in rules]
    matching = [
        (pattern.length, value)
        for pattern, value in ((PathPattern(text), value) for text, value in rules)
        if pattern.matches(path)
    ]
    best = max((length for length, _ in matching), default=0)
    expected = {value for length, value in matching if length == best}
    assert set(PathRules(rules).longest(path)) == expected


LINES = st.lists(
    st.one_of(
        st.binary(max_size=30),
        st.sampled_from(
            b"User-agent: *|user-agent: ilspfc|Disallow: /|Allow: /*a$|Crawl-delay: 1"
            b"|Content-Usage: /a train-ai=n|License: x|Sitemap: \xff|\xff\xfe|#".split(
                b"|"
            )
        ),
    )
)


@given(LINES, st.sampled_from([b"\n", b"\r\n", b"\r"]), st.text())
@example([b"\xff\xfe\x00\xd8"], b"\n", "http://a/\ud800")
def test_no_file_and_no_url_is_an_error(
    found: list[bytes], end: bytes, url: str
) -> None:
    robots = policy(end.join(found))
    robots.allows(url)
    robots.allows(f"{HOST}/{url}")
    robots.extensions(url)
    product_token(url)
