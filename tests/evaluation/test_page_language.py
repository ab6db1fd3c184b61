"""How the pages of the sites are judged."""

from __future__ import annotations

import pytest

from evaluation.page_language import SitePage, judge

LANGS = ("deu", "ita")


@pytest.mark.parametrize(
    ("page", "found", "verdict"),
    [
        (("deu", "ok", 0.9), "deu", ("translated", True)),
        (("deu", "partial", 0.5), "other", ("translated", False)),
        (("deu", "thin", 0.9), "ita", ("translated", False)),
        (("ita", "untranslated", 0.1), "eng", ("copies", True)),
        (("ita", "untranslated", 0.1), "ita", ("copies", False)),
        (("ita", "untranslated", 0.4), "ita", ("", True)),
        (("fra", "ok", 0.9), "fra", ("foreign", True)),
        (("fra", "untranslated", 0.0), "deu", ("foreign", False)),
        (("fra", "ok", 0.9), "", ("foreign", True)),
    ],
)
def test_a_page_is_right_by_what_it_is(
    page: tuple[str, str, float], found: str, verdict: tuple[str, bool]
) -> None:
    assert judge(SitePage("site", "path", *page), found, LANGS) == verdict
