"""Relevance as the founding paper has it (section 3.5), computed by hand."""

from __future__ import annotations

import pytest

from ilspfc.classification.definition import Term
from ilspfc.classification.relevance import (
    MIN_SUBDOMAIN_SHARE,
    ClassificationReason,
    RelevanceScorer,
    Thresholds,
)
from ilspfc.classification.terms import StemmingTokenizer, TermMatcher
from ilspfc.documents import CrawlInfo, Document, Metadata, Paragraph

TERMS = (
    Term(3.0, "Helm", ("Kopf",), "deu"),
    Term(5.0, "Sturz von der Leiter", ("Höhe",), "deu"),
    Term(2.0, "Leiter", ("Höhe", "Gerät"), "deu"),
    Term(-7.0, "Datenschutz", ("Recht",), "deu"),
)


def scorer(*terms: Term) -> RelevanceScorer:
    matcher = TermMatcher(terms or TERMS, StemmingTokenizer("deu"))
    return RelevanceScorer({"deu": matcher})


def document(*texts: str, lang: str = "deu", **metadata: str) -> Document:
    paragraphs = [Paragraph(text) for text in texts]
    return Document("id", "url", paragraphs, Metadata(**metadata), lang=lang)


def test_relevance_sums_occurrences_times_both_weights() -> None:
    """p = ΣΣ n·w·l over title 10, metadata 4, keywords 2, text 1."""
    page = document(
        "Ein Helm und noch ein Helm.",
        "Der Sturz von der Leiter war ein Fall für den Datenschutz.",
        title="Helm auf der Leiter",
        description="Helme",
        keywords="Leiter, Helm, Leitern",
    )
    scorer().score(page)
    title = 10 * (3 + 2)
    metadata = 4 * 3
    keywords = 2 * (2 + 3 + 2)
    text = 2 * 3 + 5 + 2 - 7
    assert page.relevance == title + metadata + keywords + text
    assert page.terms == 3, "distinct terms of the text; a negative one is none"


def test_terms_of_the_title_alone_are_none_of_the_text() -> None:
    page = document("Kein Wort davon.", title="Helm", keywords="Leiter")
    scorer().score(page)
    assert (page.relevance, page.terms) == (30 + 4, 0)


def test_a_term_of_small_weight_is_a_term() -> None:
    page = document("Helm")
    scorer(Term(0.5, "Helm")).score(page)
    assert (page.relevance, page.terms) == (0.5, 1)


def test_the_same_term_weighs_by_its_place() -> None:
    page = document("Helm", title="Helm", description="Helm", keywords="Helm")
    scorer().score(page)
    assert page.relevance == 3 * (10 + 4 + 2 + 1)


def test_each_paragraph_gets_its_topics_in_the_order_of_the_definition() -> None:
    page = document("Leitern, Sturz von der Leiter, Helm, Datenschutz", "nichts")
    scorer().score(page)
    assert page.paragraphs[0].topic == tuple(term.text for term in TERMS)
    assert page.paragraphs[1].topic == ()


def test_only_clean_text_counts() -> None:
    page = document("Helm")
    page.paragraphs += [Paragraph("Helm", crawlinfo=reason) for reason in CrawlInfo]
    scorer().score(page)
    assert (page.relevance, page.terms) == (3, 1)
    assert all(paragraph.topic == () for paragraph in page.paragraphs[1:])


def test_negative_terms_may_outweigh_the_others() -> None:
    page = document("Helm Datenschutz Datenschutz")
    scorer().score(page)
    assert (page.relevance, page.terms) == (3 - 14, 1)
    assert page.subdomains == ("Kopf",)


def test_a_page_in_a_language_without_terms_is_not_relevant() -> None:
    page = document("Helm", lang="ita")
    scorer().score(page)
    assert (page.relevance, page.terms, page.subdomains) == (0, 0, ())
    assert page.paragraphs[0].topic == ()


# -- subdomains --------------------------------------------------------------------------


def subdomains(*parts: tuple[float, str, tuple[str, ...]]) -> tuple[str, ...]:
    terms = [Term(weight, word, names, "deu") for weight, word, names in parts]
    page = document(" ".join(term.text for term in terms))
    scorer(*terms).score(page)
    return page.subdomains


def test_subdomains_come_by_their_share() -> None:
    assert subdomains((3, "Helm", ("a",)), (5, "Leiter", ("b",))) == ("b", "a")
    assert subdomains((3, "Helm", ("b",)), (3, "Leiter", ("a",))) == ("a", "b")


def test_a_subdomain_needs_its_share_of_the_relevance() -> None:
    assert MIN_SUBDOMAIN_SHARE == 0.2
    assert subdomains((8, "Helm", ("a",)), (2, "Leiter", ("b",))) == ("a", "b")
    assert subdomains((81, "Helm", ("a",)), (19, "Leiter", ("b",))) == ("a",)


def test_terms_without_a_subdomain_count_in_the_whole() -> None:
    assert subdomains((9, "Helm", ()), (1, "Leiter", ("b",))) == ()


def test_the_score_of_a_term_is_split_among_its_subdomains() -> None:
    assert subdomains((10, "Helm", ("a", "b", "c", "d", "e", "f"))) == ()
    assert subdomains((10, "Helm", ("a", "b")), (7, "Leiter", ("b",))) == ("b", "a")


def test_a_negative_term_takes_no_share_from_others() -> None:
    assert subdomains((-50, "Helm", ("a",)), (2, "Leiter", ("b",))) == ("b",)
    assert subdomains((-50, "Helm", ("a",))) == ()


# -- thresholds --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("relevance", "terms", "is_relevant"),
    [
        (100.1, 3, True),
        (100.0, 3, False),
        (100.1, 2, False),
        (99.0, 9, False),
        (999.0, 2, False),
        (-5.0, 0, False),
    ],
)
def test_both_values_have_to_exceed_their_thresholds(
    relevance: float, terms: int, is_relevant: bool
) -> None:
    page = document()
    page.relevance, page.terms = relevance, terms
    assert Thresholds(100, 2).accept(page) == is_relevant


@pytest.mark.parametrize(
    ("tokens", "reason"), [(5000, None), (5001, ClassificationReason.SPARSE_TERMS)]
)
def test_a_long_page_needs_more_terms(
    tokens: int, reason: ClassificationReason | None
) -> None:
    page = document()
    page.relevance, page.terms, page.tokens = 1000.0, 3, tokens
    assert Thresholds(100, 2, density=200.0).reason(page) == reason
    assert Thresholds(100, 2).accept(page)


def test_what_is_too_little_is_off_topic_however_dense() -> None:
    page = document()
    page.relevance, page.terms, page.tokens = 100.0, 3, 1
    assert Thresholds(100, 2).reason(page) == ClassificationReason.OFF_TOPIC
