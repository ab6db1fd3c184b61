"""Addresses by the suites of the URL standard and of the public suffix list.

A case without a base, or with one that has no host, is resolved against a base of the other
scheme, from which an address with a scheme takes nothing.
"""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest

from evaluation.data import DATA
from ilspfc.web.address import resolve
from ilspfc.web.urls import canonicalize, site_of_host

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    CountCases = Callable[[str, int, int], None]

SUITES = DATA / "conformance"
ABSENT = "about:blank"
BASE = "http://example.org/"
OTHER_BASE = "https://example.org/"
# Spellings that crawler-commons makes one of: a name without a scheme is relative here, a host is
# not made up, and a parameter without a name stays.
OTHERWISE = {
    "http:////",
    "http:///////",
    "foo.com/index.html",
    "http://foo.com/index?&=1&a=1",
    "http://foo.com/index?=1&b=1&a=1",
}

pytestmark = pytest.mark.skipif(
    not SUITES.is_dir(),
    reason="The conformance data are not there; set ILSPFC_EVALUATION_DATA.",
)


def canonical(url: str | None) -> str | None:
    """Return the canonical form of an address without its fragment, None for none."""
    if url is None or not url.startswith(("http:", "https:")):
        return None
    try:
        return canonicalize(url.partition("#")[0])
    except ValueError:
        return None


def iter_cases() -> Iterator[tuple[str, str, str | None]]:
    """Yield base, reference and the address that browsers make of it, None for none."""
    path = SUITES / "urls-wpt" / "urltestdata.json"
    for case in json.loads(path.read_text("utf-8")):
        if not isinstance(case, dict):
            continue
        base, reference = case.get("base") or ABSENT, case["input"]
        if base == ABSENT:
            if reference.startswith("#") or (
                case.get("failure") and "relativeTo" in case
            ):
                continue
            base = BASE if "https" in reference.lower() else OTHER_BASE
        if base.startswith("http"):
            yield base, reference, case.get("href")


def test_addresses_are_read_as_by_browsers(count_cases: CountCases) -> None:
    passed = total = 0
    for base, reference, expected in iter_cases():
        try:
            found: str | None = resolve(base, reference)
        except ValueError:
            found = None
        total += 1
        passed += canonical(found) == canonical(expected)
    count_cases("addresses: URL standard", passed, total)
    assert passed == total


@pytest.mark.parametrize(
    ("base", "reference", "expected"),
    [
        ("http://a.org/b/c", "https:/d.org/e", "https://d.org/e"),
        ("http://a.org/b/c", "https:d.org/e", "https://d.org/e"),
        ("http://a.org/b/c", "http:d", "http://a.org/b/d"),
        ("http://a.org/b/c", "\\d", "http://a.org/d"),
        ("http://a.org/b/c", "//%61.org/", "http://a.org/"),
        ("http://a.org/b/c", "//\uff41.org/", "http://a.org/"),
        ("http://a.org/b/c", "///d.org/e", "http://d.org/e"),
        ("http://a.org/b/c", "http://0xc0.0250.01/", "http://192.168.0.1/"),
        ("http://a.org/b/c", "http://3232235521:81/", "http://192.168.0.1:81/"),
        ("http://a.org/b/c", "http://192.168.0.1/", "http://192.168.0.1/"),
        ("http://a.org/b/c", "HTTP:d", "http://a.org/b/d"),
        ("", "http:/a.org/b", "http://a.org/b"),
        ("https://a.org/b/c", "ht\ntp:/d", "http://d"),
        ("http://a.org/b/c", "http:///d.org/e", "http://d.org/e"),
        ("http://a.org/b/c", "\u00a0d e \x01", "http://a.org/b/\u00a0d e"),
        ("http://a.org/b/c", "d #e", "http://a.org/b/d%20"),
        ("http://a.org/b/c", "d\u00a0", "http://a.org/b/d%C2%A0"),
        ("http://a.org/b//c/", "../d", "http://a.org/b//d"),
        ("http://a.org/b//c/", "../../d", "http://a.org/b/d"),
        ("http://a.org/b/%2E%2e/c", "d", "http://a.org/d"),
        ("http://a.org/b/c;d", ";e", "http://a.org/b/;e"),
        ("http://a.org?b", "c", "http://a.org/c"),
        ("http://a.org?b", "?c", "http://a.org?c"),
        ("http://a.org/b/c?d", "", "http://a.org/b/c?d"),
        ("http://a.org/b/c", "//u[d@e.org/", "http://u%5Bd@e.org/"),
        ("http://a.org/b/c", "//ΒΌΛΟΣ.gr/", "http://xn--nxasmq6b.gr/"),
    ],
)
def test_odd_spellings_lead_where_browsers_go(
    base: str, reference: str, expected: str
) -> None:
    assert resolve(base, reference) == expected


@pytest.mark.parametrize(
    "host",
    [
        "256.1.1.1",
        "1.2.3.4.5",
        "a.1",
        "1.2.3.09",
        "4294967296",
        "1_0.5",
        "0o7.1",
        "-1.1",
    ],
)
def test_numbers_that_are_no_address_are_refused(host: str) -> None:
    with pytest.raises(ValueError, match="host"):
        resolve("http://a.org/", f"http://{host}/")


def read_pairs(name: str) -> list[list[str]]:
    """Return the rows of a table of crawler-commons."""
    # Bytes, since some addresses hold control characters that end lines.
    text = (SUITES / "urls-crawler-commons" / name).read_bytes().decode()
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    return list(csv.reader(lines, skipinitialspace=True))


def test_spellings_of_one_page_are_one(count_cases: CountCases) -> None:
    pairs = read_pairs("normalizer/weirdToNormalizedUrls.csv")
    wrong, others, passed = set(), 0, 0
    for url, normal in pairs:
        if url.startswith(("file:", "ftp:")):
            others += 1
            with pytest.raises(ValueError, match="http"):
                resolve(BASE, url)
            continue
        try:
            found: str | None = canonicalize(resolve(BASE, url))
        except ValueError:
            found = None
        is_right = found == canonicalize(resolve(BASE, normal))
        passed += is_right
        wrong |= set() if is_right else {url}
    count_cases("addresses: crawler-commons", passed, len(pairs) - others)
    assert (len(pairs), others) == (112, 6)
    assert wrong == OTHERWISE


@pytest.mark.parametrize(
    "url",
    [
        "https://example%2Xcom/",
        "https://abc%FEdef.org/",
        "//",
        "http:///",
        "//a\u200db.org/",  # a joiner between letters that do not join
        "//\u0308a.org/",  # a mark without a letter
        "//\u0661.org/",  # a number without a letter of its direction
        "//xn--a-ä.org/",
    ],
)
def test_hosts_that_are_none_are_refused(url: str) -> None:
    with pytest.raises(ValueError, match="host"):
        resolve(BASE, url)


def test_references_lead_where_crawler_commons_finds_them() -> None:
    cases = read_pairs("url-utils/url-resolve.csv")
    assert len(cases) == 22
    for reference, base, expected in cases:
        if base.startswith("file:"):
            continue
        assert resolve(base, reference) == expected.partition("#")[0], reference


def test_sites_are_those_of_the_public_suffix_list(count_cases: CountCases) -> None:
    path = SUITES / "public-suffix" / "tests.txt"
    wrong, total = [], 0
    for line in path.read_text("utf-8").splitlines():
        if not line or line.startswith("//"):
            continue
        host, site = line.split()
        if host == "null" or host.startswith(".") or site == "null":
            continue
        # Names without a listed suffix are hosts of a network; private suffixes are sites.
        if host.endswith((".example", ".uk.com")) and host != "example.com":
            continue
        total += 1
        host, site = (name.encode("idna").decode().lower() for name in (host, site))
        if site_of_host(host) != site:
            wrong.append((host, site, site_of_host(host)))
    count_cases("sites: public suffix list", total - len(wrong), total)
    assert wrong == []
