"""URLs: one spelling for each page, and whose page it is."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ilspfc.web.urls import canonicalize, depth_of, host_of, site_of


@pytest.mark.parametrize(
    ("url", "canonical"),
    [
        ("http://example.org", "http://example.org/"),
        ("HTTP://EXAMPLE.org/Path", "http://example.org/Path"),
        ("  http://example.org/a\n", "http://example.org/a"),
        ("http://example.org:80/a", "http://example.org/a"),
        ("https://example.org:443/a", "https://example.org/a"),
        ("http://example.org:443/a", "http://example.org:443/a"),
        ("http://example.org./a", "http://example.org/a"),
        ("http://user:word@example.org/a", "http://example.org/a"),
        ("http://example.org/a#part", "http://example.org/a"),
        ("http://example.org/a/./b/../c", "http://example.org/a/c"),
        ("http://example.org/../../a", "http://example.org/a"),
        ("http://example.org/a/..", "http://example.org/"),
        ("http://example.org/a/.", "http://example.org/a/"),
        ("http://example.org/a?b=2&a=1", "http://example.org/a?a=1&b=2"),
        ("http://example.org/ä b", "http://example.org/%C3%A4%20b"),
        ("http://example.org/%7euser", "http://example.org/~user"),
        ("http://münchen.de/", "http://xn--mnchen-3ya.de/"),
        ("http://[::1]:80/", "http://[::1]/"),
        # visits
        ("http://example.org/a?utm_source=x&utm_medium=y", "http://example.org/a"),
        ("http://example.org/a?fbclid=x&id=1", "http://example.org/a?id=1"),
        ("http://example.org/a?PHPSESSID=x", "http://example.org/a"),
        ("http://example.org/a;jsessionid=0A1B.node?x=1", "http://example.org/a?x=1"),
        ("http://example.org/(S(abcdefghijklmnopqrstuvwx))/a", "http://example.org/a"),
        # words sought
        ("http://example.org/viewtopic.php?hilit=bees&t=4", "http://example.org/viewtopic.php?t=4"),
        (r"http://example.org/Bees?highlight=(\bCategory\b)", "http://example.org/Bees"),
        ("http://example.org/?highlight=&t=4", "http://example.org/?t=4"),
        ("http://example.org/art?highlight=42", "http://example.org/art?highlight=42"),
        ("http://example.org/art?highlight=mona-lisa", "http://example.org/art?highlight=mona-lisa"),
        ("http://example.org/art?hilite=42", "http://example.org/art?hilite=42"),
        # languages and countries choose a page
        ("http://example.org/?lang=it", "http://example.org/?lang=it"),
        ("http://example.org/?country=ch&sid=", "http://example.org/?country=ch"),
        ("http://example.org/?PHPSESSI%44=0d2ab8&t=4", "http://example.org/?t=4"),
        # a name that often is a session's, and often a story's: what the site does with it tells
        ("http://example.org/?sid=0d2ab8c41e6f79a3b5c7d9e1f3a5b7c9&t=4", "http://example.org/?sid=0d2ab8c41e6f79a3b5c7d9e1f3a5b7c9&t=4"),
        ("http://example.org/a;sid=0d2ab8c41e6f79a3b5c7d9e1f3a5b7%639/b", "http://example.org/a/b"),
        ("http://example.org/?L=1&no_cache=1", "http://example.org/?L=1&no_cache=1"),
        ("http://example.org/?side=1&residue=2", "http://example.org/?residue=2&side=1"),
    ],
)  # fmt: skip
def test_a_url_has_one_spelling(url: str, canonical: str) -> None:
    assert canonicalize(url) == canonical


@pytest.mark.parametrize(
    "form",
    [
        *("story.php?sid={}", "item?session_id={}", "talk?sessionid={}", "a;sid={}"),
        *("read?sess_id={}&lang=de", "news?SID={}"),
    ],
)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("7", "8"),
        ("20240517", "20240518"),
        ("17%2F05%2F24", "18%2F05%2F24"),
        ("safety-at-work-in-2024-part-1b", "safety-at-work-in-2024-part-2b"),
        ("5f3a9c21d0", "5f3a9c21d1"),
        (
            "0b7e2f2e-1111-2222-3333-444455556666",
            "0b7e2f2e-1111-2222-3333-444455556667",
        ),
    ],
)
def test_what_looks_like_no_session_names_a_page(
    form: str, one: str, other: str
) -> None:
    urls = {
        canonicalize(f"http://a.org/{form.format(value)}") for value in (one, other)
    }
    assert len(urls) == 2
    assert set(map(canonicalize, urls)) == urls


@pytest.mark.parametrize(
    "url",
    [
        *("", "example.org/a", "/a", "ftp://example.org/", "mailto:a@example.org"),
        *("http:///a", "http://", "https://:80/", "javascript:x", "http://[::1"),
        *("http://example.org:99999/", "http://example.org:x/", "http://a.org/\ud800"),
    ],
)
def test_what_names_no_page_is_refused(url: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - Python's own messages too
        canonicalize(url)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://example.org/a", "https://example.org/a"),
        ("http://example.org/a", "http://example.org/a/"),
        ("http://example.org/a", "http://example.org/A"),
        ("http://example.org/a", "http://www.example.org/a"),
        ("http://example.org/?a=1", "http://example.org/?a=2"),
        ("http://example.org/a%2Fb", "http://example.org/a/b"),
        ("http://example.org/?q=%E4", "http://example.org/?q=%F6"),
    ],
)
def test_pages_that_may_differ_are_not_the_same(one: str, other: str) -> None:
    assert canonicalize(one) != canonicalize(other)


def test_leaving_out_a_parameter_leaves_the_others_alone() -> None:
    assert canonicalize("http://a.org/?q=%E4&gclid=1") == canonicalize(
        "http://a.org/?q=%E4"
    )
    assert canonicalize("http://a.org/?q=%E4&sid=1") != canonicalize(
        "http://a.org/?q=%F6&sid=1"
    )


_path = st.text("ab.%/;=?&#+ ~ä2eE:@(S)", max_size=24)


@settings(deadline=None)
@given(
    st.builds(
        lambda scheme, host, path: f"{scheme}://{host}/{path}",
        st.sampled_from(["http", "HTTPS"]),
        st.sampled_from(["example.org", "Example.org:80", "a.b.", "[::1]:8", "ö.de"]),
        _path | st.sampled_from(["?utm_x=1&a=%20", ";sid=1/..", "%2e%2e/%2E"]),
    )
)
@example("http://example.org/a%3Bjsessionid=1")
@example("http://example.org//..//a")
def test_the_one_spelling_stays_as_it_is(url: str) -> None:
    canonical = canonicalize(url)
    assert canonicalize(canonical) == canonical
    assert host_of(canonical) == host_of(canonicalize(canonical))


@settings(deadline=None)
@given(st.text(max_size=30).map("http://".__add__) | st.text(max_size=30))
def test_any_text_is_a_url_or_a_value_error(url: str) -> None:
    try:
        assert canonicalize(url).startswith(("http://", "https://"))
    except ValueError:
        return


@pytest.mark.parametrize(
    ("url", "host", "site"),
    [
        ("https://WWW.Suva.ch/de-ch", "www.suva.ch", "suva.ch"),
        ("https://suva.ch:443/", "suva.ch", "suva.ch"),
        ("http://de.wikipedia.org:8080/", "de.wikipedia.org:8080", "wikipedia.org"),
        ("http://www.hse.gov.uk/", "www.hse.gov.uk", "hse.gov.uk"),
        ("http://example.org./", "example.org", "example.org"),
        ("http://localhost:8000/", "localhost:8000", "localhost:8000"),
        ("http://127.0.0.1:8000/", "127.0.0.1:8000", "127.0.0.1:8000"),
        ("http://127.0.0.1/", "127.0.0.1", "127.0.0.1"),
        ("http://[::1]:8000/", "[::1]:8000", "[::1]:8000"),
        ("http://[2001:db8::1]/", "[2001:db8::1]", "[2001:db8::1]"),
        ("http://intranet/", "intranet", "intranet"),
        ("http://gov.uk/", "gov.uk", "gov.uk"),
    ],
)
def test_a_url_has_a_host_and_a_site(url: str, host: str, site: str) -> None:
    assert host_of(url) == host
    assert site_of(url) == site


@pytest.mark.parametrize(
    ("url", "depth"),
    [
        ("http://domain.org/d1/d2/d3/page.html", 4),
        ("http://domain.org", 0),
        ("http://domain.org/", 0),
        ("http://domain.org/page.html", 1),
        ("http://domain.org/d1/", 1),
        ("http://domain.org/d1//page.html", 2),
        ("http://domain.org/d1?a=/x/y", 1),
    ],
)
def test_the_depth_of_a_page_is_that_of_its_path(url: str, depth: int) -> None:
    """The first case is the paper's (section 3.9)."""
    assert depth_of(url) == depth


@settings(max_examples=300)
@given(
    host=st.text("ab1.-:0", min_size=1, max_size=12),
    port=st.sampled_from(["", ":80", ":443", ":8000", ":08000", ":59999", ":65536"]),
    path=st.text("aZ9._~-/;()%?=&", max_size=12),
)
@example(host="127.0.0.1", port=":40000", path="a/b.html")
@example(host="xn--mnchen-3ya.de", port="", path=".well-known/a//b/")
@example(host="a.org", port="", path="../a/./b")
def test_urls_that_look_canonical_are(host: str, port: str, path: str) -> None:
    """They are told by a look; a fragment has them taken to pieces."""
    url = f"http://{host}{port}/{path}"
    results = []
    for spelling in (url, f"{url}#part"):
        try:
            results.append((canonicalize(spelling), host_of(spelling)))
        except ValueError:
            results.append(("none", "none"))
    assert results[0] == results[1]
