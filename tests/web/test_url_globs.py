"""Patterns for URLs."""

from __future__ import annotations

import pytest

from ilspfc.frontier.scope import Scope, ScopeFilter
from ilspfc.web.urls import UrlPatterns


@pytest.mark.parametrize(
    ("pattern", "url", "matches"),
    [
        ("/news/*", "http://a.org/news/1?b=2", True),
        ("/news/*", "http://a.org/en/news/1", False),
        ("//a.org/*", "http://a.org/en/news/1", True),
        ("//a.org/*", "http://b.org/a.org/", False),
        ("//*.a.org/de/*", "http://www.a.org/de/", True),
        ("//*.a.org/de/*", "http://www.a.org/it/", False),
        ("//a.org:8080/?", "http://A.org:8080/x", True),
        ("*print=1*", "http://a.org?print=1", True),
    ],
)
def test_a_pattern_is_for_the_path_or_for_the_host_too(
    pattern: str, url: str, matches: bool
) -> None:
    assert UrlPatterns([pattern]).match(url) is matches
    assert UrlPatterns(["/none", pattern]).match(url) is matches
    denied = ScopeFilter(Scope.ANY, [], deny=[pattern])
    assert denied.accept(url) is not matches
    allowed = ScopeFilter(Scope.ANY, [], allow=[pattern])
    assert allowed.accept(url) is matches


def test_without_patterns_nothing_matches() -> None:
    assert not UrlPatterns([]).match("http://a.org/")
