"""Pairing over a corpus: every pair of its languages."""

from __future__ import annotations

from dataclasses import astuple
from typing import TYPE_CHECKING

from ilspfc.atomic import open_atomic
from ilspfc.exceptions import SettingError
from ilspfc.language.codes import to_bcp47
from ilspfc.pairing.documents import PairingReason
from ilspfc.pairing.methods import METHODS, PairingOptions
from ilspfc.stages.comparisons import encode_corpus
from ilspfc.stages.lexicon_store import keep_entries, known_entries
from ilspfc.stages.page_lexicon import CorpusLexicon

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

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
    "margin",
)


def run_pairing(corpus: Corpus) -> None:
    """Pair the documents of each two languages and write ``pairs/<l1>-<l2>.tsv``."""
    if len(corpus.langs) < 2:
        return
    settings = corpus.settings
    method = settings.get("PAIRING_METHOD")
    if method not in METHODS:
        raise SettingError(
            f"PAIRING_METHOD={method}: no such method; known are {', '.join(METHODS)}"
        )
    options = make_options(settings)
    encoded = encode_corpus(corpus, corpus.langs)
    paired: set[str] = set()
    sites = ",".join(sorted({entry.site for entry in corpus.index.documents()}))
    for source_lang, target_lang in corpus.language_pairs:
        langs = (source_lang, target_lang)
        known = known_entries(settings, langs, without_site=sites)
        learn = CorpusLexicon(encoded.encoder, *langs, known)
        outcome = METHODS[method](encoded.compare(*langs), options, learn)
        keep_entries(settings, langs, sites, learn.entries())
        for pair in outcome.pairs:
            paired |= {pair.source, pair.target}
        corpus.bitext.set_pairs(source_lang, target_lang, outcome.pairs)
        corpus.bitext.set_rivals(source_lang, target_lang, map(astuple, outcome.rivals))
        _write_pairs(corpus, source_lang, target_lang)
    total = sum(entry.lang in corpus.langs for entry in corpus.index.documents())
    corpus.index.set_drops("pairing", {PairingReason.UNPAIRED: total - len(paired)})


def make_options(settings: BaseSettings) -> PairingOptions:
    """Return the options of all methods, from the settings of their names."""
    return PairingOptions(
        threshold=settings.getfloat("PAIRING_THRESHOLD"),
        rounds=settings.getint("PAIRING_ROUNDS"),
        max_depth_difference=settings.getint("PAIRING_MAX_DEPTH_DIFFERENCE"),
        min_length_ratio=settings.getfloat("PAIRING_MIN_LENGTH_RATIO"),
        min_paragraph_ratio=settings.getfloat("PAIRING_MIN_PARAGRAPH_RATIO"),
    )


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
                f"{entry.pair.margin:.4f}",
            )
            stream.write(_line(cells))


def _file(entry: DocumentEntry) -> str:
    return f"xml/{entry.file}"


def _line(cells: tuple[str, ...]) -> bytes:
    return ("\t".join(" ".join(cell.split()) for cell in cells) + "\n").encode()
