"""Samples of a corpus for people to judge, and its tables of their verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import accumulate
from typing import NamedTuple

from ilspfc.corpus.corpus import Corpus
from ilspfc.corpus.records import DocumentEntry, PairEntry
from ilspfc.documents import CrawlInfo
from ilspfc.judging.questions import DOMAIN, PARALLEL, UNIT
from ilspfc.judging.sampling import CONFIDENCE, MARGIN, draw, estimate, sample_size
from ilspfc.judging.store import Item, JudgingStore
from ilspfc.judging.verdict_tables import decide, format_share, make_tables
from ilspfc.report.data import JudgedTable
from ilspfc.text.codes import to_bcp47

# Characters of a document that are shown to a judge.
_SHOWN_CHARS = 1000


class Size(NamedTuple):
    """Size of a sample of each group: as given, else for a margin at a confidence."""

    confidence: float = CONFIDENCE
    margin: float = MARGIN
    items: int = 0

    def of(self, population: int) -> int:
        """Return the number of items to draw."""
        wanted = self.items or sample_size(population, self.confidence, self.margin)
        return min(wanted, population)


def draw_items(corpus: Corpus, what: str, size: Size) -> list[Item]:
    """Return a sample of a corpus, for each language or language pair one of that size.

    Pairs, documents and units are sorted by site and score, paragraphs by document, before
    one in each of as many stretches is drawn: a sample has all sites and scores by their share.
    """
    return list(_DRAWERS[what](corpus, size))


def judged_tables(corpus: Corpus) -> list[JudgedTable]:
    """Return the tables of the verdicts on a corpus, none where nobody has judged."""
    path = corpus.files.judging
    if not path.is_file():
        return []
    with JudgingStore(path) as store:
        return make_tables(store)


def compare_precision(corpora: Sequence[Corpus]) -> Iterator[tuple[str, ...]]:
    """Yield a row a question: the good ones in each corpus, by the verdicts on all of them.

    Pairs and documents have the same names in all corpora, and units the same texts, so that a
    verdict on one counts for the others; a corpus of which nothing was judged has a dash.
    """
    for what, question in (
        ("pairs", PARALLEL),
        ("documents", DOMAIN),
        ("segments", UNIT),
    ):
        by_judge: list[Mapping[str, str]] = []
        for corpus in corpora:
            if corpus.files.judging.is_file():
                with JudgingStore(corpus.files.judging) as store:
                    names = {item.name: _name(item) for item in store.items(what)}
                    by_judge += (
                        {names[item]: verdict for item, verdict in found.items()}
                        for found in store.verdicts(what, question.name).values()
                    )
        verdicts, good = decide(by_judge, question), next(iter(question.verdicts))
        if not verdicts:
            continue
        shares = []
        for corpus in corpora:
            # Several pairs of pages may have the same unit.
            named = {name for name in _names(corpus, what) if name in verdicts}
            judged = [verdicts[name] for name in named]
            share = format_share(estimate(judged.count(good), len(judged)))
            shares.append(f"{share}, judged {len(judged)}")
        yield f"{what.capitalize()}, {good}", *shares


def _name(item: Item) -> str:
    """Return the name of an item in all corpora: of a unit its texts, its number may differ."""
    if item.what == "segments":
        return f"{item.texts['source']}\t{item.texts['target']}"
    return item.name


def _names(corpus: Corpus, what: str) -> Iterator[str]:
    """Yield the names in all corpora of the pairs, documents or units of one."""
    if what == "documents":
        yield from (entry.id for entry in corpus.index.documents())
        return
    for langs in corpus.language_pairs:
        for entry in corpus.bitext.pairs(*langs):
            if what == "pairs":
                yield f"{entry.pair.source}-{entry.pair.target}"
            else:
                units = corpus.bitext.units(entry.pair)
                yield from (f"{unit.source}\t{unit.target}" for unit in units)


def _draw_pairs(corpus: Corpus, size: Size) -> Iterator[Item]:
    for langs in corpus.language_pairs:
        entries = sorted(
            corpus.bitext.pairs(*langs),
            key=lambda e: (e.source.site, e.pair.probability, e.pair.source),
        )
        for place in _draw(len(entries), size, f"pairs {langs}"):
            entry = entries[place]
            texts = {
                **_describe_sides(entry),
                "evidence": entry.pair.evidence,
                "text1": _show(corpus, entry.source),
                "text2": _show(corpus, entry.target),
            }
            name = f"{entry.pair.source}-{entry.pair.target}"
            score = entry.pair.probability
            yield Item("pairs", name, _join(langs), "", score, texts)


def _draw_documents(corpus: Corpus, size: Size) -> Iterator[Item]:
    scores = dict(corpus.index.rows("SELECT document, probability FROM subject"))
    for lang, entries in _by_language(corpus):
        entries.sort(key=lambda entry: (entry.site, entry.relevance, entry.id))
        for place in _draw(len(entries), size, f"documents {lang}"):
            entry = entries[place]
            texts = {
                "url": entry.url,
                "title": entry.title,
                "text": _show(corpus, entry),
            }
            score = scores.get(entry.id)
            yield Item("documents", entry.id, to_bcp47(lang), "", score, texts)


def _draw_segments(corpus: Corpus, size: Size) -> Iterator[Item]:
    for langs in corpus.language_pairs:
        entries = {
            (entry.pair.source, entry.pair.target): entry
            for entry in corpus.bitext.pairs(*langs)
        }
        rows = [
            (entries[source, target].source.site, score, source, target, number)
            for source, target, number, score in corpus.index.rows(
                "SELECT source, target, number, score FROM units"
            )
            if (source, target) in entries
        ]
        rows.sort()
        for place in _draw(len(rows), size, f"segments {langs}"):
            _, score, source, target, number = rows[place]
            entry = entries[source, target]
            ((first, second, kind),) = corpus.index.rows(
                "SELECT source_text, target_text, kind FROM units"
                " WHERE source = ? AND target = ? AND number = ?",
                (source, target, number),
            )
            texts = {"source": first, "target": second, "type": kind}
            texts |= _describe_sides(entry)
            name = f"{source}-{target}-{number}"
            yield Item("segments", name, _join(langs), "", score, texts)


def _draw_paragraphs(corpus: Corpus, size: Size) -> Iterator[Item]:
    for lang, entries in _by_language(corpus):
        ends = list(accumulate(entry.paragraphs for entry in entries))
        places = _draw(ends[-1] if ends else 0, size, f"paragraphs {lang}")
        begin = 0
        for entry, end in zip(entries, ends, strict=True):
            inside = [place - begin for place in places if begin <= place < end]
            paragraphs = corpus.read(entry).paragraphs if inside else []
            for place in inside:
                paragraph = paragraphs[place]
                texts = {"text": paragraph.text, "title": entry.title, "url": entry.url}
                name = f"{entry.id}-p{place + 1}"
                is_frame = paragraph.crawlinfo == CrawlInfo.BOILERPLATE
                said = "frame" if is_frame else "text"
                score = paragraph.score
                yield Item("paragraphs", name, to_bcp47(lang), said, score, texts)
            begin = end


_DRAWERS: dict[str, Callable[[Corpus, Size], Iterable[Item]]] = {
    "pairs": _draw_pairs,
    "documents": _draw_documents,
    "segments": _draw_segments,
    "paragraphs": _draw_paragraphs,
}


def _draw(population: int, size: Size, name: str) -> list[int]:
    """Return the places of a sample; the same for the same name and population."""
    if not population:
        return []
    seed = int.from_bytes(blake2b(name.encode(), digest_size=8).digest())
    return draw(population, size.of(population), seed)


def _by_language(corpus: Corpus) -> Iterator[tuple[str, list[DocumentEntry]]]:
    entries = corpus.index.documents()
    for lang in corpus.langs:
        yield lang, [entry for entry in entries if entry.lang == lang]


def _join(langs: tuple[str, str]) -> str:
    return "-".join(map(to_bcp47, langs))


def _describe_sides(entry: PairEntry) -> dict[str, str]:
    source, target = entry.source, entry.target
    return {
        "url1": source.url,
        "url2": target.url,
        "title1": source.title,
        "title2": target.title,
    }


def _show(corpus: Corpus, entry: DocumentEntry) -> str:
    """Return the beginning of the text of a document."""
    text = "\n".join(p.text for p in corpus.read(entry).clean_paragraphs)
    return f"{text[:_SHOWN_CHARS]} …" if len(text) > _SHOWN_CHARS else text
