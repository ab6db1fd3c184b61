"""Where the exports of a corpus are, and what each is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.exports import find_files
from ilspfc.text.codes import to_bcp47

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ilspfc.corpus.corpus import Corpus
    from ilspfc.corpus.records import PairEntry

_SUFFIXES = {
    "tmx": ("tmx", "translation memory"),
    "tsv": ("sent.gz", "units as TSV with Bitextor's columns"),
    "jsonl": ("jsonl", "units as JSON Lines"),
}


def export_paths(
    corpus: Corpus, langs: tuple[str, str], format_: str, *, compress: bool
) -> list[Path]:
    """Return the files of a format for two languages (ISO 639-3)."""
    codes = [to_bcp47(lang) for lang in langs]
    stem = "-".join(codes)
    suffixes = codes if format_ == "moses" else [_SUFFIXES[format_][0]]
    gz = ".gz" if compress else ""
    return [
        corpus.files.root / f"{stem}.{suffix}{'' if suffix.endswith('.gz') else gz}"
        for suffix in suffixes
    ]


def pair_name(entry: PairEntry) -> str:
    """Return what the files of a pair of pages are called."""
    return f"{entry.source.id}_{entry.target.id}_{entry.pair.evidence}"


def text_path(corpus: Corpus, lang: str, *, compress: bool) -> Path:
    """Return the monolingual text of a language (ISO 639-3)."""
    name = f"{to_bcp47(lang)}.txt{'.gz' if compress else ''}"
    return corpus.files.texts / name


def iter_export_files(corpus: Corpus) -> Iterator[tuple[Path, str]]:
    """Yield the exports that there are, in a stable order, and what each is."""
    files = corpus.files
    for folder, meaning in (
        (files.alignments, "cesAlign files, one a pair"),
        (files.memories, "translation memories, one a pair of pages"),
        (files.texts, "monolingual text, deduplicated"),
    ):
        if folder.is_dir() and any(folder.iterdir()):
            yield folder, meaning
    for langs in corpus.language_pairs:
        codes = [to_bcp47(lang) for lang in langs]
        meanings = dict(_SUFFIXES.values())
        meanings |= {code: f"segments in {code}" for code in codes}
        for suffix, meaning in meanings.items():
            for path in find_files(files.root / f"{'-'.join(codes)}.{suffix}"):
                yield path, f"{meaning}, {codes[0]} and {codes[1]}"
