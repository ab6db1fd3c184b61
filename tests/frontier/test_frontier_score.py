"""The score of a link as the founding paper has it (section 3.6), computed by hand."""

from __future__ import annotations

import pytest

from ilspfc.documents import Link
from ilspfc.frontier.scoring.cues import CueDetector
from ilspfc.frontier.scoring.link_score import (
    TRANSLATION_BONUS,
    Focus,
    FoundLink,
    TermScorer,
    TranslationBonus,
)

WEIGHTS = {"helm": 10.0, "leiter": 4.0, "werbung": -6.0}
CUES = CueDetector(("deu", "ita"))


def score_text(text: str) -> float:
    return sum(WEIGHTS.get(word, 0.0) for word in text.lower().split())


def found(
    link: Link,
    *,
    source_lang: str = "deu",
    source_url: str = "http://example.org/a",
    share: float = 0.0,
) -> FoundLink:
    return FoundLink(link, source_url, source_lang, share)


def bilingual() -> Focus:
    return Focus(TermScorer(score_text), TranslationBonus(CUES, ("deu", "ita")))


def test_the_score_sums_bonus_share_and_terms() -> None:
    """s = c + p/L + Σ n·w, over the context and the title of the link."""
    link = Link(
        "http://example.org/x",
        anchor="Italiano",
        context="Helm und Helm Leiter Italiano Werbung",
        title="Leiter",
    )
    assert bilingual().base_score(found(link, share=60 / 24)) == (
        TRANSLATION_BONUS + 60 / 24 + 2 * 10 + 2 * 4 - 6
    )


def test_without_a_cue_there_is_no_bonus() -> None:
    link = Link("http://example.org/x", anchor="Helm", context="der Helm hier")
    assert bilingual().base_score(found(link, share=0.5)) == 10.5
    assert bilingual().base_score(found(Link("http://example.org/x"))) == 0


def test_the_anchor_counts_once() -> None:
    """The context holds the anchor, so that it is not added a second time."""
    link = Link("http://example.org/x", anchor="Helm", context="Helm")
    assert bilingual().base_score(found(link)) == 10


@pytest.mark.parametrize(
    ("anchor", "source_lang", "has_bonus"),
    [
        ("Italiano", "deu", True),
        ("it", "deu", True),
        ("Deutsch", "ita", True),
        ("Deutsch", "deu", False),
        ("Italiano", "eng", False),
        ("Italiano", "", False),
        ("Français", "deu", False),
    ],
)
def test_the_bonus_is_for_links_from_one_language_to_another(
    anchor: str, source_lang: str, has_bonus: bool
) -> None:
    link = Link("http://example.org/x", anchor=anchor)
    score = bilingual().base_score(found(link, source_lang=source_lang))
    assert score == (TRANSLATION_BONUS if has_bonus else 0)


@pytest.mark.parametrize(
    ("source_url", "url", "source_lang", "has_bonus"),
    [
        ("http://example.org/de/a", "http://example.org/it/a", "deu", True),
        ("http://example.org/a", "http://example.org/it/a", "deu", True),
        ("http://example.org/it/a", "http://example.org/it/b", "deu", False),
        ("http://example.org/it/a", "http://example.org/a", "ita", False),
        ("http://example.org/de/a", "http://example.org/de/b", "deu", False),
        ("http://example.org/it/a", "http://example.org/de/a", "deu", False),
        # A mark alone is no translation: every page of the other language has one.
        ("http://example.org/de/a", "http://example.org/it/b", "deu", False),
        ("http://example.org/de/", "http://example.org/it/news/", "deu", False),
        ("http://example.org/de/", "http://other.example.com/it/", "deu", False),
        (
            "http://example.org/de/news/1204",
            "http://example.org/it/news/1205",
            "deu",
            False,
        ),
        (
            "http://example.org/x?lang=de&n=1",
            "http://example.org/x?n=1&lang=it",
            "deu",
            True,
        ),
        ("http://www.example.org/a.html", "http://it.example.org/a.html", "deu", True),
        (
            "http://example.org/a/b_de.html",
            "http://example.org/a/b_it.html",
            "deu",
            True,
        ),
    ],
)
def test_a_mark_in_the_url_counts_only_where_the_source_has_another(
    source_url: str, url: str, source_lang: str, has_bonus: bool
) -> None:
    link = found(Link(url), source_url=source_url, source_lang=source_lang)
    assert bilingual().base_score(link) == (TRANSLATION_BONUS if has_bonus else 0)


def test_numbers_in_urls_are_marks_once_pages_have_taught_their_languages() -> None:
    site = "http://example.org/show.php?lang="
    bonus = TranslationBonus(CUES, ("deu", "ita"))
    link = found(Link(f"{site}1&page=9"), source_url=f"{site}0&page=9")
    other = found(Link(f"{site}1&page=8"), source_url=f"{site}0&page=9")
    assert not bonus.leads_to_translation(link)
    for number in range(4):
        bonus.marks.learn(f"{site}0&page={number}", "deu")
        bonus.marks.learn(f"{site}1&page={number}", "ita")
    assert bonus.leads_to_translation(link)
    assert not bonus.leads_to_translation(other)
    back = found(link.link._replace(url=f"{site}0&page=9"), source_lang="ita")
    assert bonus.leads_to_translation(back._replace(source_url=f"{site}1&page=9"))
    elsewhere = found(
        Link("http://other.org/show.php?lang=1&page=9"), source_url=f"{site}0&page=9"
    )
    assert not bonus.leads_to_translation(elsewhere)


def test_a_cue_in_words_goes_before_the_mark_in_the_url() -> None:
    link = Link("http://example.org/it/kurs", anchor="Deutsch")
    assert bilingual().base_score(found(link)) == 0


def test_a_monolingual_crawl_gives_no_bonus() -> None:
    scorer = Focus(TermScorer(score_text))
    link = Link("http://example.org/it/", anchor="Italiano", context="Helm")
    assert scorer.base_score(found(link, share=2)) == 12


def test_a_probable_translation_goes_before_every_other_link() -> None:
    scorer = bilingual()
    translation = scorer.base_score(found(Link("http://example.org/x", anchor="it")))
    context = "Helm " * 400
    other = scorer.base_score(
        found(Link("http://a.org/", context=context), share=50_000)
    )
    assert translation == TRANSLATION_BONUS
    assert other is not None
    assert other < TRANSLATION_BONUS
