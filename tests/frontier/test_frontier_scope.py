"""How far a crawl goes from its seeds."""

from __future__ import annotations

import pytest

from ilspfc.frontier.scope import Scope, ScopeFilter

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
    assert scope_filter.accept("http://www.new.net/") == (scope != Scope.HOST)


def test_a_crawl_without_seeds_goes_nowhere_unless_anywhere() -> None:
    assert not ScopeFilter(Scope.SITE, []).accept(SEEDS[0])
    assert ScopeFilter(Scope.ANY, []).accept(SEEDS[0])


@pytest.mark.parametrize("scope", [Scope.SITE, Scope.HOST])
def test_both_spellings_of_an_international_name_are_one(scope: Scope) -> None:
    scope_filter = ScopeFilter(scope, ["http://münchen.de/"])
    assert scope_filter.accept("http://xn--mnchen-3ya.de/a")
