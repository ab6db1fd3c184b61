"""Paths of the files in a corpus folder."""

from __future__ import annotations

from pathlib import Path

from ilspfc.exceptions import CorpusError


class CorpusFiles:
    """The paths of a corpus folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.documents = root / "xml"
        self.duplicates = root / "duplicates"
        self.off_topic = root / "off-topic"
        self.pairs = root / "pairs"
        self.texts = root / "texts"
        self.archive = root / "warc"
        self.parts = root / "parts"
        self.index = root / "corpus.db"
        self.frontier = root / "frontier.db"
        self.bounds = root / "perplexity-bounds.txt"
        self.relevance = root / "relevance.npz"
        self.judging = root / "judging.db"
        self.exclusions = root / "exclusions.tsv"
        self.removals = root / "removals.tsv"
        self.recipe = root / "filter.toml"
        self.search = root / "search.db"
        self.report = root / "report.html"
        self.stats = root / "stats.json"
        self.status = root / "status.json"
        self.build = root / "build.json"
        self.manifest = root / "manifest.json"

    def document_name(self, lang: str, identity: str) -> str:
        """Return the name of a document's file: ISO 639-3 code, hyphen, id."""
        return f"{lang}-{identity}.xml"

    @property
    def document_folders(self) -> tuple[Path, Path, Path]:
        """The folders of cesDoc files; the first has those of the corpus, all others are apart."""
        return self.documents, self.duplicates, self.off_topic

    @property
    def has_parts(self) -> bool:
        """True where crawlers that share a frontier have written parts of the corpus."""
        return any(self.parts.glob("*/corpus.db"))

    def has_document(self, name: str) -> bool:
        """Test whether the file of a document is there, in any folder, and has content."""
        places = (folder / name for folder in self.document_folders)
        return any(place.is_file() and place.stat().st_size > 0 for place in places)

    def remove_document(self, name: str) -> None:
        """Remove the file of a document, wherever it is."""
        for folder in self.document_folders:
            (folder / name).unlink(missing_ok=True)

    def place_document(self, name: str, folder: Path) -> None:
        """Move the file of a document into one of the folders of documents.

        In the folder of the corpus is what was exported last; what is left of an older text
        elsewhere goes.
        """
        places = [one / name for one in self.document_folders]
        there = [path for path in places if path.exists()]
        if there and there[0] != folder / name:
            folder.mkdir(exist_ok=True)
            there[0].replace(folder / name)
        for path in there[1:]:
            if path != folder / name:
                path.unlink()

    def pairs_file(self, source_lang: str, target_lang: str) -> Path:
        """Return the list of pairs of two languages, given as short codes."""
        return self.pairs / f"{source_lang}-{target_lang}.tsv"

    def require(self) -> CorpusFiles:
        """Return the paths if there is a corpus; CorpusError otherwise."""
        if not self.index.is_file():
            self.require_known(is_blank=True)
            raise CorpusError(
                f"{self.root}: no corpus there (corpus.db is missing); give the folder"
                " that a crawl wrote, its CORPUS_DIR"
            )
        return self

    def require_known(self, *, is_blank: bool) -> None:
        """Raise CorpusError for files of a corpus that no index knows.

        A stage over such an index would write empty results over good ones. ``is_blank``
        says whether nothing is in the index.
        """
        folders = (*self.document_folders, self.archive)
        if not is_blank or not any(next(f.glob("*"), None) for f in folders):
            return
        state = "empty" if self.index.is_file() else "missing"
        raise CorpusError(
            f"{self.root}: corpus.db is {state}, but there are files of a corpus;"
            f" `scrapy reindex {self.root}` rebuilds it from xml/ and warc/"
        )
