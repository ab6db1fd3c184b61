"""Pairing over a corpus: every pair of its languages."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from ilspfc.atomic import open_atomic
from ilspfc.language.codes import codes_of, to_bcp47
from ilspfc.language.names import names_of
from ilspfc.pairing.cascade import PairingBounds, pair_documents
from ilspfc.pairing.documents import (
    PairingDocument,
    PairingReason,
    VersionLink,
    make_fingerprint,
)

if TYPE_CHECKING:
    from ilspfc.corpus.entries import DocumentEntry
    from ilspfc.stages.corpus import Corpus

_COLUMNS = (
    "url1",
    "url2",
    "probability",
    "evidence",
    "file1",
    "file2",
    "tokens1",
    "tokens2",
)


def run_pairing(corpus: Corpus) -> None:
    """Pair the documents of each two languages and write ``pairs/<l1>-<l2>.tsv``."""
    if len(corpus.langs) < 2:
        return
    documents = _load(corpus)
    langs = corpus.langs
    marks = {lang: codes_of(lang) | names_of(lang, langs) for lang in langs}
    bounds = _bounds(corpus)
    paired: set[str] = set()
    for source_lang, target_lang in corpus.language_pairs:
        pairs = pair_documents(
            documents[source_lang], documents[target_lang], marks=marks, bounds=bounds
        )
        paired |= {
            identity for pair in pairs for identity in (pair.source, pair.target)
        }
        corpus.bitext.set_pairs(source_lang, target_lang, pairs)
        _write_pairs(corpus, source_lang, target_lang)
    total = sum(len(documents[lang]) for lang in langs)
    corpus.index.set_drops("pairing", {PairingReason.UNPAIRED: total - len(paired)})


def _bounds(corpus: Corpus) -> PairingBounds:
    settings = corpus.settings
    return PairingBounds(
        threshold=settings.getfloat("PAIRING_THRESHOLD"),
        max_depth_difference=settings.getint("PAIRING_MAX_DEPTH_DIFFERENCE"),
        min_length_ratio=settings.getfloat("PAIRING_MIN_LENGTH_RATIO"),
        min_paragraph_ratio=settings.getfloat("PAIRING_MIN_PARAGRAPH_RATIO"),
    )


def _load(corpus: Corpus) -> dict[str, list[PairingDocument]]:
    """Return the documents of the corpus by language, as pairing looks at them."""
    versions: dict[str, list[VersionLink]] = defaultdict(list)
    rows = corpus.index.rows(
        "SELECT source, target, kind FROM links WHERE kind IN ('hreflang', 'cue')"
        " UNION SELECT source, target, 'hreflang' FROM versions ORDER BY 1, 2, 3"
    )
    for source, target, kind in rows:
        versions[source].append(VersionLink(target, is_declared=kind == "hreflang"))
    images: dict[str, set[str]] = defaultdict(set)
    for document, name in corpus.index.rows("SELECT document, name FROM images"):
        images[document].add(name)
    documents: dict[str, list[PairingDocument]] = defaultdict(list)
    for entry in corpus.index.documents():
        documents[entry.lang].append(
            PairingDocument(
                id=entry.id,
                lang=entry.lang,
                url=entry.url,
                depth=entry.url_depth,
                paragraphs=entry.paragraphs,
                tokens=entry.tokens,
                fingerprint=make_fingerprint(corpus.read(entry).paragraphs),
                images=frozenset(images[entry.id]),
                versions=tuple(versions[entry.id]),
            )
        )
    return documents


def _write_pairs(corpus: Corpus, source_lang: str, target_lang: str) -> None:
    """Write the list of pairs, the most probable first."""
    path = corpus.files.pairs_file(to_bcp47(source_lang), to_bcp47(target_lang))
    with open_atomic(path) as stream:
        stream.write(_line(_COLUMNS))
        for entry in corpus.bitext.pairs(source_lang, target_lang):
            source, target = entry.source, entry.target
            cells = (
                source.url,
                target.url,
                f"{entry.pair.probability:.4f}",
                entry.pair.evidence,
                _file(source),
                _file(target),
                str(source.tokens),
                str(target.tokens),
            )
            stream.write(_line(cells))


def _file(entry: DocumentEntry) -> str:
    return f"xml/{entry.file}"


def _line(cells: tuple[str, ...]) -> bytes:
    return ("\t".join(" ".join(cell.split()) for cell in cells) + "\n").encode()
