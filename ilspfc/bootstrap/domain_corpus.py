"""A domain definition beside a corpus: how its terms are used, and which might be added."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ilspfc.bootstrap.keyness import (
    KeyTerm,
    extract_terms,
    find_text_files,
    weigh_terms,
)
from ilspfc.classification.definition import Domain, Term
from ilspfc.classification.terms import (
    COMMON_SHARE,
    StemmingTokenizer,
    TermUse,
    find_near_duplicates,
)
from ilspfc.corpus.corpus import Corpus, open_corpus
from ilspfc.corpus.files import CorpusFiles
from ilspfc.crawl.domain_terms import make_matchers
from ilspfc.crawl.text_options import cleaning_options
from ilspfc.documents import Document
from ilspfc.exceptions import ArgumentError, CorpusError
from ilspfc.exports.archived_pages import ArchivedPages, find_archive
from ilspfc.text.codes import language_name, to_bcp47

_OFF_TOPIC = "classification/off_topic"


def describe_near_duplicates(domain: Domain) -> Iterator[str]:
    """Yield a line for each group of terms that are nearly the same."""
    for lang in domain.langs:
        terms = [term for term in domain.terms if term.lang == lang]
        for group in find_near_duplicates(terms, StemmingTokenizer(lang)):
            same = ", ".join(repr(term.text) for term in group)
            yield f"{to_bcp47(lang)}: the same after stemming: {same}"


def describe_use(domain: Domain, corpus: Corpus) -> Iterator[str]:
    """Yield what is to be said of each term, given the documents of a corpus."""
    uses = {lang: TermUse(m) for lang, m in make_matchers(domain, domain.langs).items()}
    for entry in corpus.index.documents():
        if entry.lang in uses:
            uses[entry.lang].add(_texts_of(corpus.read(entry)))
    if not any(use.documents for use in uses.values()):
        raise CorpusError(
            f"{corpus.files.root}: no document in a language of the domain; give a corpus"
            " that was crawled for it"
        )
    for lang, use in uses.items():
        tag = to_bcp47(lang)
        if not use.documents:
            yield f"{language_name(lang)}: no documents"
            continue
        unused, common = use.unused(), use.common()
        yield (
            f"{language_name(lang)}: {use.documents} documents; {len(unused)} of"
            f" {len(use.matcher.terms)} terms never match, {len(common)} match in more"
            f" than {COMMON_SHARE:.0%}"
        )
        yield from (f"  {tag}: never matches: {_show(term)}" for term in unused)
        for term, number in common:
            yield f"  {tag}: in {number} of {use.documents} documents: {_show(term)}"


def _show(term: Term) -> str:
    return f"{term.text!r} ({term.weight:g})"


def _texts_of(document: Document) -> Iterator[str]:
    metadata = document.metadata
    yield from (metadata.title, metadata.description, metadata.keywords)
    yield from (paragraph.text for paragraph in document.clean_paragraphs)


def propose_terms(
    corpus: Corpus, domain: Domain | None, background: str, max_terms: int
) -> Iterator[tuple[float, KeyTerm, str]]:
    """Yield terms of the documents that are telling and not in the definition yet.

    Each has a weight that fits those of the others, and its language (ISO 639-3).

    They are compared with the texts of ``background`` (a folder as for ``--texts``, or a
    corpus), or with the pages of the crawl that are off the topic, from its archive.
    """
    found = False
    for lang in corpus.langs:
        others = list(_iter_others(corpus, background, lang))
        if not others:
            continue
        found = True
        tokenizer = StemmingTokenizer(lang)
        own = _iter_texts(corpus, lang)
        terms = extract_terms(own, others, tokenizer.stem, max_terms)
        known = domain.terms_in(lang) if domain is not None else ()
        stems = {tuple(tokenizer.stems(term.text)) for term in known}
        unit = domain.median_weight() if domain is not None else 100.0
        for term, weight in zip(terms, weigh_terms(terms), strict=True):
            if tuple(tokenizer.stems(term.text)) not in stems:
                yield weight * unit / 100, term, lang
    if not found:
        raise ArgumentError(
            f"{corpus.files.root}: nothing to compare with: no page off the topic is in"
            " its archive; give texts on other subjects, or another corpus, with"
            " --background DIR"
        )


def _iter_others(corpus: Corpus, background: str, lang: str) -> Iterator[str]:
    """Yield texts on other subjects in a language."""
    if not background:
        yield from _iter_off_topic(corpus, lang)
        return
    root = Path(background)
    if CorpusFiles(root).index.is_file():
        with open_corpus(root, corpus.settings) as other:
            yield from _iter_texts(other, lang)
        return
    for path in find_text_files("--background", background, (lang,))[lang]:
        yield path.read_text(encoding="utf-8-sig", errors="replace")


def _iter_texts(corpus: Corpus, lang: str) -> Iterator[str]:
    """Yield the texts of the documents of a corpus in a language."""
    for entry in corpus.index.documents():
        if entry.lang == lang:
            yield "\n".join(_texts_of(corpus.read(entry)))


def _iter_off_topic(corpus: Corpus, lang: str) -> Iterator[str]:
    """Yield the texts of pages that the crawl has fetched and found off the topic."""
    sql = "SELECT url FROM pages WHERE fate = ? AND lang = ? ORDER BY url"
    urls = [url for (url,) in corpus.index.rows(sql, (_OFF_TOPIC, lang))]
    if not urls or not find_archive(corpus):
        return
    for document in ArchivedPages(corpus).clean(
        urls, cleaning_options(corpus.settings)
    ):
        yield "\n".join(_texts_of(document))
