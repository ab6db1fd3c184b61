"""``scrapy url CORPUS_DIR URL``: the way of one URL through a crawl, or its page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ilspfc.command import ProjectCommand
from ilspfc.database import marks
from ilspfc.frontier.reasons import TrapReason, VisitResult
from ilspfc.frontier.scope import IGNORED_SUFFIXES, Scope, ScopeFilter
from ilspfc.frontier.store.candidates import UrlState
from ilspfc.frontier.store.url_table import read_history
from ilspfc.report.reason_texts import explain
from ilspfc.web.urls import canonicalize_given

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus


class Command(ProjectCommand):
    """Prints the way of one URL through a crawl, or the page as it was fetched."""

    arguments = "CORPUS_DIR URL"
    takes = 2, 2, "give a corpus folder and a URL"
    options = (
        (
            "--html",
            "",
            "print the page as fetched, in UTF-8; also by a document's id or its XML's digest",
        ),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print the entries of frontier and index; exit with 1 if there are none."""
        with self.open_corpus(args[0]) as corpus:
            if opts.html:
                from ilspfc.exports.archived_pages import ArchivedPages

                sys.stdout.buffer.write(ArchivedPages(corpus).find(args[1]).data)
                sys.stdout.buffer.flush()
                return
            key = canonicalize_given(args[1])
            lines = list(describe(corpus, key, args[1]))
            if not lines:
                self.exitcode = 1
                lines = [f"{args[1]}: not known; {_describe_unknown(corpus, key)}"]
        print("\n".join(lines))


def _describe_unknown(corpus: Corpus, key: str) -> str:
    """Return a reason why neither frontier nor index may have a URL."""
    from ilspfc.cleaning.files.formats import remove_suffixes

    run, pages = corpus.run, corpus.index.rows("SELECT url FROM pages WHERE depth = 0")
    scope = Scope(run.get("scope", Scope.ANY))
    seeds = [*run.get("seeds", ()), *(url for (url,) in pages)]
    accepted = ScopeFilter(
        scope,
        seeds,
        allow=run.get("allow", ()),
        deny=run.get("deny", ()),
        ignored_suffixes=remove_suffixes(
            IGNORED_SUFFIXES, corpus.settings.getlist("CLEANING_FORMATS")
        ),
    )
    if not accepted.accept(key):
        return (
            f"it is outside the scope of the crawl (scope={scope}, allow, deny, file"
            " types); give it as a seed, or widen the scope"
        )
    return "no page that was read links to it"


def describe(corpus: Corpus, key: str, url: str) -> Iterator[str]:
    """Yield the entries of frontier and index for a URL, in the order of its way."""
    urls = {url, key}
    if (history := read_history(corpus.files.frontier, key)) is not None:
        found, state, reason = history
        origin = "a seed"
        if found.referrer:
            anchor = f" (“{found.anchor}”)" if found.anchor else ""
            origin = (
                f"found on {found.referrer}{anchor}, {found.depth} links from a seed,"
                f" score {found.score:g}"
            )
        yield f"{found.url}: {origin}"
        yield f"frontier: {state}{_describe_state(state, reason)}"
        urls.add(found.url)
    for reason, cause in corpus.index.rows(
        f"SELECT reason, cause FROM failures WHERE url IN ({marks(len(urls))})",
        sorted(urls),
    ):
        yield f"not fetched: {explain('fetch/' + reason)} ({cause})"
    for fate, lang, relevance, terms, fetched_at, *measured in corpus.index.rows(
        "SELECT fate, lang, relevance, terms, fetched_at, perplexity, bucket FROM pages"
        f" WHERE url IN ({marks(len(urls))})",
        sorted(urls),
    ):
        verdict = "kept" if fate == "kept" else f"not kept: {explain(fate)} [{fate}]"
        yield f"fetched {fetched_at}: {verdict}"
        yield f"language {lang or 'unknown'}, relevance {relevance:g}, {terms} terms"
        yield from _describe_perplexity(*measured)
    for (identity,) in corpus.index.rows(
        f"SELECT id FROM documents WHERE url IN ({marks(len(urls))})", sorted(urls)
    ):
        yield from _describe_document(corpus, identity)


def _describe_perplexity(perplexity: float | None, bucket: str) -> Iterator[str]:
    """Yield the perplexity of a page in a crawl with domain texts."""
    if not bucket:
        return
    if perplexity is None:
        yield "perplexity: not measured, no sentence of five words"
    elif bucket == "discarded":
        yield f"perplexity {perplexity:.1f}, beyond the last bound: its links are not followed"
    else:
        yield f"perplexity {perplexity:.1f}, bucket {bucket.upper()}"


def _describe_document(corpus: Corpus, identity: str) -> Iterator[str]:
    """Yield path, duplicate and pairs of an exported document."""
    entry = corpus.index.document(identity)
    assert entry is not None  # noqa: S101
    yield f"exported as {entry.path}"
    for reason, survivor in corpus.index.rows(
        "SELECT reason, url FROM duplicates JOIN documents ON id = ?"
        " WHERE document = ?",
        (entry.duplicate_of, identity),
    ):
        yield f"put apart: {explain('dedup/' + reason)} [dedup/{reason}]: {survivor}"
    for probability, reason in corpus.index.rows(
        "SELECT probability, reason FROM subject WHERE document = ?", (identity,)
    ):
        if probability is not None:
            yield f"about the domain with a probability of {probability:.2f}"
        if reason:
            yield f"put apart: {explain(f'decisions/{reason}')} [decisions/{reason}]"
    for url, probability in corpus.index.rows(
        "SELECT url, probability FROM pairs JOIN documents"
        " ON id = CASE ? WHEN source THEN target WHEN target THEN source END"
        " ORDER BY lang",
        (identity,),
    ):
        yield f"paired with {url}, probability {probability:.4f}"
    for (reason,) in corpus.index.rows(
        "SELECT reason FROM unpaired JOIN documents_to_pair ON id = document"
        " WHERE document = ?",
        (identity,),
    ):
        yield f"not paired: {explain('pairing/' + reason)} [pairing/{reason}]"


def _describe_state(state: str, reason: str) -> str:
    """Return the meaning of the state of a URL, empty if the state says it."""
    if state == UrlState.QUEUED:
        return "; it waits for its turn: crawl into the folder again to go on"
    if reason in {*VisitResult} - {VisitResult.NOTHING_NEW}:
        return ""
    if reason == VisitResult.NOTHING_NEW:
        return ", without text that had not been seen before"
    if reason in {*TrapReason}:
        code = f"frontier/{reason}"
        return (
            f", not asked for: {explain(code)} [{code}]; to visit it all the same,"
            " give it as a seed, or crawl into the folder again with -s FRONTIER_TRAPS=False"
        )
    return f", {explain(f'fetch/{reason}')}"
