"""How far a crawl goes from its seeds."""

from __future__ import annotations

import pytest

from ilspfc.frontier.scope import Scope, ScopeFilter, SiteGroups

SEEDS = ("https://www.example.org/de/", "http://other.co.uk/")


@pytest.mark.parametrize(
    ("url", "site", "host"),
    [
        ("https://www.example.org/it/", True, True),
        ("http://WWW.example.org:80/", True, True),
        ("http://it.example.org/", True, False),
        ("http://example.org/", True, False),
        ("https://www.example.org:8443/", True, False),
        ("http://www.other.co.uk/", True, False),
        ("http://other.co.uk/x", True, True),
        ("http://another.co.uk/", False, False),
        ("http://co.uk/", False, False),
        ("http://example.org.evil.net/", False, False),
        ("http://notexample.org/", False, False),
        ("http://example.com/", False, False),
    ],
)
def test_scope(url: str, site: bool, host: bool) -> None:
    assert ScopeFilter(Scope.SITE, SEEDS).accept(url) == site
    assert ScopeFilter(Scope.HOST, SEEDS).accept(url) == host
    assert ScopeFilter(Scope.ANY, SEEDS).accept(url)


def test_servers_on_two_ports_of_one_machine_are_two_sites() -> None:
    scope = ScopeFilter(Scope.SITE, ["http://127.0.0.1:8000/"])
    assert scope.accept("http://127.0.0.1:8000/x")
    assert not scope.accept("http://127.0.0.1:8001/")


@pytest.mark.parametrize("scope", Scope)
def test_a_url_may_widen_the_scope(scope: Scope) -> None:
    scope_filter = ScopeFilter(scope, SEEDS)
    scope_filter.add("http://new.net/a")
    assert scope_filter.accept("http://new.net/b")
    assert scope_filter.accept(SEEDS[0])
    is_wide = scope in {Scope.SITE, Scope.ANY}
    assert scope_filter.accept("http://www.new.net/") == is_wide


def test_a_crawl_without_seeds_goes_nowhere_unless_anywhere() -> None:
    assert not ScopeFilter(Scope.SITE, []).accept(SEEDS[0])
    assert ScopeFilter(Scope.ANY, []).accept(SEEDS[0])


@pytest.mark.parametrize("scope", [Scope.SITE, Scope.HOST])
def test_both_spellings_of_an_international_name_are_one(scope: Scope) -> None:
    scope_filter = ScopeFilter(scope, ["http://münchen.de/"])
    assert scope_filter.accept("http://xn--mnchen-3ya.de/a")


@pytest.mark.parametrize(
    ("url", "is_inside"),
    [
        ("http://a.org/de/x/1.html", True),
        ("http://a.org/de/x/deep/2.html", True),
        ("http://a.org/de/x/", True),
        ("http://a.org/de/y/", False),
        ("http://a.org/de/x", False),
        ("http://www.a.org/de/x/1.html", False),
    ],
)
def test_scope_path_is_the_directory_of_a_seed(url: str, *, is_inside: bool) -> None:
    scope = ScopeFilter(Scope.PATH, ["http://a.org/de/x/index.html"])
    assert scope.accept(url) == is_inside


@pytest.mark.parametrize(
    ("path", "is_wanted"),
    [
        ("/news/1", True),
        ("/news/archive/1", False),
        ("/news/1?print=1", False),
        ("/shop/1", False),
        ("/de/a-1.html", True),
        ("/de/b-1.html", False),
    ],
)
def test_one_pattern_must_and_none_may_match(path: str, *, is_wanted: bool) -> None:
    scope = ScopeFilter(
        Scope.ANY,
        [],
        allow=["/news/*", "/de/a-?.html"],
        deny=["/news/archive/*", "*print=1*"],
    )
    assert scope.accept(f"http://a.org{path}") == is_wanted


def test_a_pattern_for_the_root() -> None:
    scope = ScopeFilter(Scope.ANY, [], deny=["/"])
    assert not scope.accept("http://a.org")
    assert scope.accept("http://a.org/x")


@pytest.mark.parametrize(
    ("path", "is_page"),
    [
        ("/a.png", False),
        ("/a.PNG?x=1", False),
        ("/a.png/about", True),
        ("/png", True),
        ("/a.html", True),
        ("/?file=a.png", True),
        ("/_sources/index.rst.txt", False),
        ("/_sources/de/start.md.txt", False),
        ("/robots.txt", False),
        ("/wiki/Robots.txt", True),
        ("/rfc/rfc9309.txt", True),
    ],
)
def test_files_of_other_kinds_are_no_pages(path: str, *, is_page: bool) -> None:
    scope = ScopeFilter(Scope.ANY, [], ignored_suffixes=["png"])
    assert scope.accept(f"http://a.org{path}") == is_page


def test_sites_that_stand_together_are_one_group() -> None:
    groups = SiteGroups(
        [("http://de.a.ch/", "https://b.it/"), ("http://b.it/x", "http://c.fr/")]
    )
    assert {groups.of_host(host) for host in ("www.a.ch", "b.it", "it.b.it")} == {
        "a.ch"
    }
    assert groups.of_host("c.fr") == "a.ch"
    assert groups.of_host("d.org") == "d.org"


@pytest.mark.parametrize("scope", Scope)
def test_sitemaps_belong_to_hosts_whatever_pages_are_wanted(scope: Scope) -> None:
    scope_filter = ScopeFilter(
        scope,
        SEEDS,
        allow=["/news/*"],
        deny=["*.xml"],
        ignored_suffixes=["gz"],
    )
    for url in ("https://www.example.org/s.xml.gz", "http://other.co.uk/sitemap.xml"):
        assert not scope_filter.accept(url)
        assert scope_filter.covers_host(url)
    is_anywhere = scope is Scope.ANY
    assert scope_filter.covers_host("http://www.example.organization/") == is_anywhere
