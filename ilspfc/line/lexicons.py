"""Lexicons from a corpus, from text files and from the store across corpora."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from scrapy.settings import BaseSettings

from ilspfc.corpus.corpus import Corpus
from ilspfc.crawl import arguments
from ilspfc.exceptions import ArgumentError, CorpusError, SettingError
from ilspfc.lexicon.entries import Entry
from ilspfc.lexicon.learner import SegmentTexts
from ilspfc.lexicon.lexicon_file import LexiconStore
from ilspfc.lexicon.readers import Dictionary, cut_entries
from ilspfc.lexicon.starter import starter_entries
from ilspfc.text.codes import find_iso639_3
from ilspfc.text.text_files import read_text
from ilspfc.text.tokens import tokenize


def check_store(settings: BaseSettings) -> None:
    """Raise SettingError or LexiconError if LEXICON_STORE cannot be used."""
    path = store_path(settings)
    if path is None:
        return
    if path.is_dir():
        raise SettingError(
            f"LEXICON_STORE={path}: a folder; give the name of a file, such as lexicon.db"
        )
    if path.is_file():
        LexiconStore(path).close()


def store_path(settings: BaseSettings) -> Path | None:
    """Return the path of the lexicon store, None if none is set."""
    value = str(settings.get("LEXICON_STORE") or "").strip()
    return Path(value) if value else None


def known_entries(
    settings: BaseSettings,
    langs: tuple[str, str],
    *,
    without_site: str = "",
    dictionary: Sequence[Entry] = (),
) -> list[Entry]:
    """Return the entries of a language pair: the dictionary's, stored and shipped ones.

    For each word pair, the first of these sources wins.
    """
    stored: Sequence[Entry] = ()
    path = store_path(settings)
    if path is not None and path.is_file():
        with LexiconStore(path) as store:
            stored = store.entries(langs, without_site=without_site)
    known: dict[tuple[str, str], Entry] = {}
    for entry in (*dictionary, *stored, *starter_entries(langs)):
        known.setdefault((entry.source, entry.target), entry)
    return list(known.values())


def keep_entries(
    settings: BaseSettings, langs: tuple[str, str], site: str, entries: Sequence[Entry]
) -> None:
    """Store the words learned from a corpus, if LEXICON_STORE is set."""
    path = store_path(settings)
    words = [entry for entry in entries if not entry.is_numeric]
    if path is None or not words:
        return
    with LexiconStore(path) as store:
        store.put(langs, site, words, datetime.now(UTC).date().isoformat())


def parse_langs(value: str) -> tuple[str, str]:
    """Return the two languages of ``de,it`` as ISO 639-3 codes; ArgumentError otherwise."""
    langs = arguments.parse_langs("--langs", value)
    if len(langs) != 2:
        raise ArgumentError(f"--langs={value}: give two languages, as in de,it")
    return langs[0], langs[1]


def read_texts(
    source: Path, target: Path, langs: tuple[str, str]
) -> tuple[SegmentTexts, str]:
    """Return the segments of two files, one per line, and the date of the later file.

    ArgumentError if a file cannot be read, or their numbers of lines differ.
    """
    left, right = read_lines(source), read_lines(target)
    if len(left) != len(right):
        raise ArgumentError(
            f"{source}: {len(left)} lines, {target}: {len(right)}; line n of one must be"
            " the translation of line n of the other"
        )
    texts = SegmentTexts(langs)
    for pair in zip(left, right, strict=True):
        texts.add(*pair)
    seconds = max(source.stat().st_mtime, target.stat().st_mtime)
    return texts, datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def read_lines(path: Path) -> list[str]:
    """Return the lines of a UTF-8 file; ArgumentError if it cannot be read."""
    advice = "a UTF-8 text file with one segment per line"
    text = read_text(path, str(path), advice, ArgumentError)
    # Only line feeds separate segments: these may contain other Unicode line separators.
    return text.removesuffix("\n").split("\n") if text else []


def read_corpus(
    corpus: Corpus, langs: tuple[str, str] | None
) -> tuple[SegmentTexts, dict[str, tuple[SegmentTexts, str]]]:
    """Return the aligned segments of a corpus, and those of each site with their date.

    ``langs`` defaults to the only language pair of the corpus; ArgumentError if it has
    several. CorpusError if there are no segments.
    """
    pairs = corpus.bitext.language_pairs()
    if langs is None:
        if not pairs:
            raise CorpusError(
                f"{corpus.files.root}: no aligned segments; run scrapy pair and scrapy align"
            )
        if len(pairs) != 1:
            found = ", ".join("-".join(pair) for pair in pairs)
            raise ArgumentError(
                f"{corpus.files.root}: give --langs, one of the language pairs of the"
                f" corpus: {found}"
            )
        langs = pairs[0]
    # The other way round where the corpus has the languages so.
    step = -1 if langs not in pairs and langs[::-1] in pairs else 1
    texts = SegmentTexts(langs)
    sites: dict[str, tuple[SegmentTexts, str]] = {}
    for number, entry in enumerate(corpus.bitext.pairs(*langs[::step])):
        site = entry.source.site
        segments, date = sites.get(site) or (SegmentTexts(langs), "")
        for unit in corpus.bitext.units(entry.pair):
            sides = unit.source, unit.target
            weight = unit.score * entry.pair.probability
            for one in (texts, segments):
                one.add(*sides[::step], weight=weight, document=number)
        dates = (date, entry.source.fetched_at, entry.target.fetched_at)
        sites[site] = (segments, max(dates))
    if not len(texts):
        raise CorpusError(
            f"{corpus.files.root}: no aligned segments in {'-'.join(langs)}; run scrapy"
            " pair and scrapy align, or give other --langs"
        )
    return texts, sites


# -- dictionaries -------------------------------------------------------------


def cut_dictionary(
    path: Path, dictionary: Dictionary, langs: tuple[str, str]
) -> list[Entry]:
    """Return the entries of a dictionary as tokens of the first and the second language.

    It is transposed if its file names the languages in reverse order; ArgumentError if it
    names others.
    """
    named = _read_codes(dictionary)
    if all(named) and sorted(named) != sorted(langs):
        raise ArgumentError(
            f"{path}: its first line names {'-'.join(named)}, not {'-'.join(langs)};"
            " give other --langs or another dictionary"
        )
    if named == langs[::-1]:
        dictionary = dictionary.transpose()
    source, target = (partial(tokenize, lang=lang) for lang in langs)
    return cut_entries(dictionary.entries, source, target)


def cut_for_corpus(
    path: Path, dictionary: Dictionary, pairs: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], list[Entry]]:
    """Return the entries of a dictionary as tokens, for its pair among the language pairs.

    ArgumentError if it names other languages, or none although there are several pairs.
    """
    named = _read_codes(dictionary)
    found = [pair for pair in pairs if set(pair) == set(named)]
    if not any(named):
        found = list(pairs)
    if len(found) != 1:
        stated = "-".join(named) if any(named) else "no languages"
        known = ", ".join(map("-".join, pairs))
        raise ArgumentError(
            f"{path}: names {stated}; give a dictionary that names one of {known} in its"
            " first line, or --langs with two languages"
        )
    return {found[0]: cut_dictionary(path, dictionary, found[0])}


def _read_codes(dictionary: Dictionary) -> tuple[str, str]:
    """Return the languages named by a dictionary, empty if it names none."""
    if len(dictionary.langs) != 2:
        return "", ""
    source, target = map(find_iso639_3, dictionary.langs)
    return (source, target) if source and target else ("", "")


def find_langs(
    path: Path, given: tuple[str, str] | None, dictionary: Dictionary
) -> tuple[str, str]:
    """Return the given languages, or those of a dictionary.

    ArgumentError if the file does not name them.
    """
    langs = given or _read_codes(dictionary)
    if not all(langs):
        raise ArgumentError(f"{path}: names no languages; give --langs, as in de,it")
    return langs
