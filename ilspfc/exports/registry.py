"""Registry of the formats of exports: a record each, from which all lists of formats follow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ilspfc.corpus.corpus import Corpus
from ilspfc.exports.formats.cards import DATASET, TRAINING_SUMMARY
from ilspfc.exports.formats.cesalign import CesAlignWriter
from ilspfc.exports.formats.lines import (
    JsonlWriter,
    MosesWriter,
    PageWriter,
    SampleWriter,
    TsvWriter,
)
from ilspfc.exports.formats.plain_text import (
    DocumentLinesWriter,
    DocumentTextWriter,
    MarkdownWriter,
    TextWriter,
)
from ilspfc.exports.formats.tables import (
    DocumentTableWriter,
    SheetWriter,
    UnitTableWriter,
)
from ilspfc.exports.formats.tei import TeiWriter
from ilspfc.exports.formats.term_pairs import TbxWriter, TermsWriter
from ilspfc.exports.formats.tmx import MemoryWriter, PairMemoryWriter
from ilspfc.exports.formats.vertical import LemmaWriter, VerticalWriter
from ilspfc.exports.formats.words import WordsWriter
from ilspfc.exports.formats.xces import XcesWriter
from ilspfc.exports.formats.xliff import XliffWriter
from ilspfc.exports.selection import SelectionCounts
from ilspfc.exports.writers import ExportOptions, FileWriter, Target, find_files
from ilspfc.text.codes import to_bcp47

# Folder of the documents: some formats are written beside them.
_DOCUMENTS = "xml"


@dataclass(frozen=True, slots=True)
class Format:
    """Format of exports.

    ``of`` is what its writer is given: pairs of pages, units or documents. Formats of a corpus are
    written by functions of their own. Files are ``<languages>.<suffix>`` in a ``folder``, or
    those of single pairs or documents; without a suffix there is a file a language, with its
    code for one. ``is_packed`` formats have ``.gz`` files on demand; ``package`` must be installed.
    """

    name: str
    of: Literal["pair", "unit", "document", "corpus"]
    suffix: str
    title: str
    writer: type[FileWriter[Any]] = FileWriter
    folder: str = ""
    is_packed: bool = False
    package: str = ""

    @property
    def is_apart(self) -> bool:
        """True for formats in a folder that has nothing else."""
        return self.folder not in {"", _DOCUMENTS}

    def names(self, langs: Iterable[str], part: str = "") -> Iterator[tuple[str, str]]:
        """Yield the names of the files for one language or two, and the title of each.

        ``part`` is that of a split.
        """
        codes = [to_bcp47(lang) for lang in langs]
        stem, of_langs = "-".join(codes) + (part and f".{part}"), " and ".join(codes)
        if self.suffix:
            yield f"{stem}.{self.suffix}", f"{self.title}, {of_langs}"
        else:
            for code in codes:
                yield f"{stem}.{code}", f"{self.title} in {code}, {of_langs}"

    def files(self, corpus: Corpus) -> Iterator[Path]:
        """Yield the files that there are, of this run or an earlier one."""
        if self.folder:
            yield from (corpus.export_root / self.folder).rglob(f"*.{self.suffix}*")
        else:
            for langs in corpus.language_pairs:
                for name, _ in self.names(langs):
                    yield from find_files(corpus.export_root / name)


# A row a format.
# fmt: off
_FORMATS = (
    Format("cesalign", "pair", "xml", "cesAlign files, one a pair", CesAlignWriter, folder="cesalign"),
    Format("pair-tmx", "pair", "tmx", "translation memories, one a pair of pages", PairMemoryWriter, folder="tmx", is_packed=True),
    Format("xces", "pair", "xml", "sentences and their links, XCES as in OPUS", XcesWriter, folder="xces", is_packed=True),
    Format("text", "document", "txt", "monolingual text, deduplicated", TextWriter, folder="texts", is_packed=True),
    Format("texts", "document", "txt", "plain text, a file a document", DocumentTextWriter, folder="plain"),
    Format("markdown", "document", "md", "Markdown, a file a document", MarkdownWriter, folder="markdown"),
    Format("documents", "document", "jsonl", "documents as JSON Lines", DocumentLinesWriter, folder="documents", is_packed=True),
    Format("documents-parquet", "document", "parquet", "documents as Parquet", DocumentTableWriter, folder="tables", package="pyarrow"),
    Format("vertical", "document", "vert", "vertical text, a file a language", VerticalWriter, folder="vertical"),
    Format("lemmas", "document", "vert", "vertical text with lemmas, a file a language", LemmaWriter, folder="lemmas", package="simplemma"),
    Format("words", "document", "tsv", "frequencies of words and n-grams, by keyness", WordsWriter, folder="words", package="wordfreq"),
    Format("tei", "document", "xml", "TEI P5, a file a document", TeiWriter, folder="tei"),
    Format("tmx", "unit", "tmx", "translation memory", MemoryWriter, is_packed=True),
    Format("tsv", "unit", "sent.gz", "units as TSV with Bitextor's columns", TsvWriter, is_packed=True),
    Format("jsonl", "unit", "jsonl", "units as JSON Lines", JsonlWriter, is_packed=True),
    Format("sample", "unit", "sample.tsv", "sample of the units as TSV", SampleWriter, is_packed=True),
    Format("terms", "unit", "terms.tsv", "terms and their translations, by keyness", TermsWriter, package="wordfreq"),
    Format("tbx", "unit", "tbx", "terms and their translations as TBX", TbxWriter, package="wordfreq"),
    Format("metadata", "corpus", "md.xml", "metadata"),
    Format("training-summary", "corpus", "md", "summary of training content"),
    Format("pages", "pair", "pages.jsonl", "pairs of pages with their alignment as JSON Lines", PageWriter, is_packed=True),
    Format("xlsx", "unit", "xlsx", "units as a workbook, with a column for verdicts", SheetWriter, package="xlsxwriter"),
    Format("xliff", "unit", "xlf", "units as XLIFF", XliffWriter, is_packed=True),
    Format("parquet", "unit", "parquet", "units as Parquet", UnitTableWriter, package="pyarrow"),
    Format("hf", "unit", "parquet", "dataset for the Hugging Face Hub, Parquet and a card", UnitTableWriter, folder=DATASET, package="pyarrow"),
    Format("moses", "unit", "", "segments", MosesWriter, is_packed=True),
    Format("opus", "corpus", "zip", "the files of xces in packages as OPUS has them", folder="opus"),
    Format("site", "corpus", "html", "web pages", folder="site", package="starlette"),
    Format("html", "corpus", "html", "pages as fetched", folder=_DOCUMENTS),
    Format("links", "corpus", "xml", "links of pages in their cesDoc", folder=_DOCUMENTS),
)
# fmt: on
FORMATS: Mapping[str, Format] = {one.name: one for one in _FORMATS}
"""Formats by their names in EXPORTS_FORMATS, in the order in which they are listed."""


def open_formats(
    of: str,
    corpus: Corpus,
    options: ExportOptions,
    langs: tuple[str, ...],
    stack: ExitStack,
    *found: SelectionCounts,
    part: str = "",
) -> list[FileWriter[Any]]:
    """Return the writers of the chosen formats of a kind for one language or two, opened.

    Languages are ISO 639-3 codes; ``found`` counts the units to be written, ``part`` is that
    of a split.
    """
    writers = []
    for one in _FORMATS:
        if one.of == of and one.name in options.formats:
            folder = corpus.export_root / one.folder
            end = ".gz" if one.is_packed and options.compress else ""
            names = (name.removesuffix(end) + end for name, _ in one.names(langs, part))
            paths = [folder / name for name in names]
            to = Target(paths, folder, langs, corpus, options, *found)
            writers.append(stack.enter_context(one.writer.open(to)))
    return writers


class ExportFile(NamedTuple):
    """File of exports in two languages (ISO 639-3), or a folder of files."""

    path: Path
    title: str
    format: Format
    langs: tuple[str, str] | None = None


def find_exports(corpus: Corpus) -> Iterator[ExportFile]:
    """Yield the exports that there are, in a stable order."""
    root = corpus.export_root
    for one in _FORMATS:
        folder = root / one.folder
        if one.is_apart and folder.is_dir() and any(folder.iterdir()):
            yield ExportFile(folder, one.title, one)
    summary = FORMATS["training-summary"]
    for path in find_files(root / TRAINING_SUMMARY):
        yield ExportFile(path, summary.title, summary)
    beside = [one for one in _FORMATS if not one.folder]
    for langs in corpus.language_pairs:
        for one in beside:
            for name, title in one.names(langs):
                for path in find_files(root / name):
                    yield ExportFile(path, title, one, langs)


def iter_export_files(corpus: Corpus) -> Iterator[tuple[Path, str]]:
    """Yield the exports that there are, in a stable order, and what is known of each."""
    notes = corpus.run.get("exported", {})
    for found in find_exports(corpus):
        name = found.path.relative_to(corpus.export_root).as_posix()
        yield found.path, "; ".join(filter(None, (found.title, notes.get(name))))
