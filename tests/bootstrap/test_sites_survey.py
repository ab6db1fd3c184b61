"""Surveys of sites: what is visited next, what comes of it, how many pages there may be."""

from __future__ import annotations

from ilspfc.bootstrap.site_pages import is_page, read_site_page
from ilspfc.bootstrap.sites import Announced, SitePage, SiteReason, SiteSurvey

HOME = "http://a.example.org/"


def _survey(max_pages: int = 20, samples: int = 6, *seeds: str) -> SiteSurvey:
    return SiteSurvey(
        "example.org", HOME, ("deu", "ita"), seeds, max_pages=max_pages, samples=samples
    )


def _page(url: str, lang: str, *links: str, **announced: str) -> SitePage:
    found = tuple(Announced(lang, url, "hreflang") for lang, url in announced.items())
    return SitePage(url, lang, found, links)


def _visit(survey: SiteSurvey, pages: dict[str, SitePage]) -> list[str]:
    """Visit what a survey asks for; return it in order."""
    asked = []
    while (url := survey.next_url()) is not None:
        asked.append(url)
        if url in pages:
            survey.add_page(pages[url])
        else:
            survey.fail(url, "HTTP 404")
    return asked


def test_seeds_come_first_then_home_then_the_other_language() -> None:
    survey = _survey(20, 2, f"{HOME}de/x")
    pages = {
        f"{HOME}de/x": _page(f"{HOME}de/x", "deu", ita=f"{HOME}it/x"),
        HOME: _page(HOME, "other"),
        f"{HOME}it/x": _page(f"{HOME}it/x", "ita"),
    }
    assert _visit(survey, pages) == [f"{HOME}de/x", HOME, f"{HOME}it/x"]
    summary = survey.summarize(2)
    assert summary.langs == ("deu", "ita")
    assert summary.reason is None
    assert summary.starts == (f"{HOME}de/x", f"{HOME}it/x")
    assert summary.evidence == f"de: {HOME}de/x; it: {HOME}it/x (hreflang)"


def test_a_language_that_is_announced_but_not_there_is_no_language() -> None:
    survey = _survey(20, 1)
    pages = {HOME: _page(HOME, "deu", ita=f"{HOME}it/")}
    assert _visit(survey, pages) == [HOME, f"{HOME}it/"]
    summary = survey.summarize(2)
    assert (summary.langs, summary.reason) == (("deu",), SiteReason.TOO_FEW_LANGUAGES)
    assert summary.evidence.endswith("it: announced by hreflang, not found")
    assert survey.summarize(1).reason is None


def test_no_more_than_three_links_are_tried_for_a_language() -> None:
    survey = _survey(20, 1)
    links = tuple(Announced("ita", f"{HOME}it/{n}", "URL") for n in range(9))
    survey.next_url()
    survey.add_page(SitePage(HOME, "deu", links))
    assert len(_visit(survey, {})) == 3


def test_sites_out_of_reach_and_in_other_languages() -> None:
    lost = _survey()
    _visit(lost, {})
    assert lost.summarize(2).reason is SiteReason.UNREACHED
    assert lost.summarize(2).evidence == "HTTP 404"
    foreign = _survey()
    _visit(foreign, {HOME: _page(HOME, "other")})
    assert foreign.summarize(2).reason is SiteReason.OTHER_LANGUAGE


def test_a_host_that_wants_no_more_is_left_alone() -> None:
    survey = _survey(20, 6, f"{HOME}a", f"{HOME}b")
    survey.fail(survey.next_url() or "", "HTTP 429", is_final=True)
    assert survey.next_url() is None


def test_the_number_of_pages_is_bounded() -> None:
    survey = _survey(5, 100)
    pages = {f"{HOME}{n}": _page(f"{HOME}{n}", "deu") for n in range(50)}
    pages[HOME] = _page(HOME, "deu", *pages)
    assert len(_visit(survey, pages)) == 5


def test_a_sitemap_counts_and_makes_a_sample_needless() -> None:
    survey = _survey()
    survey.next_url()
    survey.list_pages([f"{HOME}{n}" for n in range(70)])
    survey.add_page(_page(HOME, "deu", f"{HOME}a", f"{HOME}b"))
    assert survey.next_url() is None
    summary = survey.summarize(1)
    assert (summary.pages, summary.basis) == (70, "sitemap")


def test_pages_are_estimated_from_a_sample_of_links() -> None:
    # 200 pages with links to the 12 that follow.
    urls = [f"{HOME}{n}" for n in range(200)]
    site = {
        url: _page(
            url, "deu", *(urls[(n * 17 + step * 31) % 200] for step in range(12))
        )
        for n, url in enumerate(urls)
    }
    site[HOME] = _page(HOME, "deu", *urls[:12])
    survey = _survey(20, 10)
    assert len(_visit(survey, site)) == 10
    summary = survey.summarize(1)
    assert 60 < summary.pages < 400
    assert summary.basis == "links of 10 pages"


def test_a_site_that_is_seen_whole_is_counted_right() -> None:
    urls = [f"{HOME}{n}" for n in range(5)]
    site = {url: _page(url, "deu", *urls, HOME) for url in [*urls, HOME]}
    survey = _survey(20, 6)
    _visit(survey, site)
    assert survey.summarize(1).pages == 6


def test_a_sample_does_not_depend_on_the_order_of_links() -> None:
    urls = [f"{HOME}{n}" for n in range(40)]
    orders = []
    for links in (urls, urls[::-1]):
        site = {url: _page(url, "deu", *links) for url in [*urls, HOME]}
        orders.append(_visit(_survey(6, 6), site))
    assert orders[0] == orders[1]


def test_pictures_archives_and_films_are_no_pages_of_a_survey() -> None:
    names = ["de/b.html", "a.JPG", "b.zip", "c.mp4", "d.pdf?x=1", "e"]
    links = "".join(f'<a href="/{name}">{name}</a>' for name in names)
    page = read_site_page(
        f'<link rel="alternate" hreflang="it" href="/it.pdf"><p>Ein Text.{links}'.encode(),
        url=HOME,
        content_type="text/html",
        langs=("deu", "ita"),
        options={},
    )
    assert [link.removeprefix(HOME) for link in page.links] == ["de/b.html", "e"]
    assert page.announced == ()
    assert not is_page(f"{HOME}sitemap/film.webm")
