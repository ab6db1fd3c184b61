"""Languages of a site with gold pairs, ready for any method of pairing."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

import numpy as np
from scrapy.settings import Settings

from evaluation.data import PROJECT, SITES, build_sites, read_table
from evaluation.pairing_variants import add_noise, make_brief, shorten
from evaluation.site_corpora import build_corpus
from evaluation.translated_addresses import translate_addresses
from ilspfc.corpus.corpus import open_corpus
from ilspfc.lexicon.starter import starter_entries
from ilspfc.line.comparisons import CorpusLexicon, EncodedCorpus, encode_corpus
from ilspfc.text.codes import to_iso639_3

if TYPE_CHECKING:
    import numpy.typing as npt

    from ilspfc.pairing.comparison import Candidates, Comparison
    from ilspfc.pairing.outcome import ScoredCandidates

CORPORA = PROJECT / "build" / "corpora"
# The language pairs that are measured, where the site has gold for them. Of the handbook
# two pages are in Greek: too few for a figure.
LANGUAGE_PAIRS = {
    "installation-guide": ("de-it", "en-it", "en-fr", "el-en", "en-ja", "de-en"),
    "debian-handbook": ("de-it", "en-it", "en-fr", "en-ja", "de-en"),
    "apache-manual": ("en-fr", "en-ja", "en-ko", "en-tr", "de-en"),
    "lilypond": ("de-it", "en-it", "en-fr", "de-en"),
    "bitcoin": ("de-it", "en-it", "en-fr", "el-en", "en-ja", "de-en"),
    "office-help": ("de-it", "en-it", "en-fr", "el-en", "en-ja", "de-en"),
    "gimp-help": ("de-it", "en-it", "en-fr", "el-en", "en-ja", "de-en"),
    "glosario": ("en-es", "de-en", "en-fr", "en-uk", "en-pt"),
}
# Sites that come in one form, with opaque addresses and without links between versions.
OPAQUE_SITES = frozenset({"glosario"})
# The model that ships has learned from all others.
UNSEEN = frozenset({"gimp-help", "glosario"})


@dataclass(frozen=True)
class Case:
    """Two languages of one form of a site; ``comparison`` is new at each call of make."""

    site: str
    form: str
    langs: tuple[str, str]
    encoded: EncodedCorpus
    keys: Mapping[str, str]
    gold: frozenset[str]

    @property
    def iso_langs(self) -> tuple[str, str]:
        """The languages as ISO 639-3 codes."""
        return _iso(*self.langs)

    @property
    def name(self) -> str:
        """What the case is called in tables."""
        return f"{self.site} {self.form} {'-'.join(self.langs)}"

    def make(self) -> Comparison:
        """Return the comparison, in which nothing has been found yet."""
        (comparison,) = self.encoded.compare(*self.iso_langs)
        return comparison

    def learner(self) -> CorpusLexicon:
        """Return what learns the lexicon of the two languages.

        The lexicons of other sites are known, as in the product.
        """
        known = starter_entries(self.iso_langs, without_site=self.site)
        return CorpusLexicon(self.encoded.encoder, *self.iso_langs, known)

    @cached_property
    def urls(self) -> dict[str, str]:
        """The URLs of the documents in both languages, by id."""
        return {
            page.document.id: page.document.url
            for lang in self.iso_langs
            for pages in self.encoded.pages.get(lang, {}).values()
            for page in pages
        }

    @cached_property
    def document_keys(self) -> dict[str, str]:
        """The keys of the documents in both languages, by id."""
        return {identity: self.key_of(url) for identity, url in self.urls.items()}

    def key_of(self, url: str) -> str:
        """Return what versions of one page have in common; empty for an unknown page."""
        path = unquote(urlsplit(url).path).lstrip("/")
        tried = (path, f"{path}index.html", f"{path}/index.html")
        return next((self.keys[p] for p in tried if p in self.keys), "")

    def label(
        self, comparison: Comparison, candidates: Candidates
    ) -> npt.NDArray[np.int8]:
        """Return 1 for right candidates, 0 for wrong ones, -1 for those that do not count."""
        left = [self.key_of(d.url) for d in comparison.left.documents]
        right = [self.key_of(d.url) for d in comparison.right.documents]
        return self._label(left, right, candidates)

    def label_judged(self, judged: ScoredCandidates) -> npt.NDArray[np.int8]:
        """Return the same of what was judged."""
        keys = self.document_keys
        left = [keys[identity] for identity in judged.left]
        right = [keys[identity] for identity in judged.right]
        return self._label(left, right, judged.candidates)

    def _label(
        self, left: Sequence[str], right: Sequence[str], candidates: Candidates
    ) -> npt.NDArray[np.int8]:
        labels = np.zeros(len(candidates), np.int8)
        for number, (row, column) in enumerate(
            zip(candidates.rows.tolist(), candidates.columns.tolist(), strict=True)
        ):
            if left[row] and left[row] == right[column]:
                labels[number] = 1 if left[row] in self.gold else -1
        return labels


def _iso(source: str, target: str) -> tuple[str, str]:
    return to_iso639_3(source), to_iso639_3(target)


def read_cases(
    site: str, form: str, variant: str = "", pairs: Iterable[str] = ()
) -> Iterator[Case]:
    """Yield the cases of a site.

    ``form`` is plain or hard, ``variant`` empty, short, linked (short, but with links), noisy, brief
    or addresses (of folders in the page's language).
    ``pairs`` are those of languages, like "de-it"; without any those that are measured.
    """
    folder = site_folder(site, form)
    keys = _read_keys(folder)
    encoded = _encode(folder)
    spoiled: set[tuple[str, str]] = set()
    if varied := variant.removeprefix("addresses").lstrip("-"):
        encoded, spoiled = _vary(encoded, varied, keys)
    if variant.startswith("addresses"):
        encoded, paths = translate_addresses(encoded, folder)
        # The gold is read by the old paths.
        keys |= {paths[path]: key for path, key in keys.items() if path in paths}
    for pair in pairs or LANGUAGE_PAIRS[site]:
        source, target = pair.split("-")
        gold = _read_gold(folder, source, target, keys)
        gold -= {key for lang, key in spoiled if lang in _iso(source, target)}
        case = Case(site, variant or form, (source, target), encoded, keys, gold)
        if gold and all(encoded.pages.get(to_iso639_3(lang)) for lang in case.langs):
            yield case


def site_folder(site: str, form: str) -> Path:
    """Return the folder of a form of a site, which is built where it is not there."""
    name = site if form == "plain" or site in OPAQUE_SITES else f"{site}-{form}"
    if not (SITES / name).is_dir():
        build_sites(name)
    return SITES / name


def _read_keys(folder: Path) -> dict[str, str]:
    return {row["path"]: row["key"] for row in read_table(folder)}


def _read_gold(
    folder: Path, source: str, target: str, keys: Mapping[str, str]
) -> frozenset[str]:
    path = folder / "gold" / f"{'-'.join(sorted((source, target)))}.tsv"
    if not path.is_file():
        return frozenset()
    rows = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    return frozenset(keys[row[0]] for row in rows if row[0] in keys)


@cache
def _encode(folder: Path) -> EncodedCorpus:
    """Return the pages of a site in the languages that are measured."""
    langs = {
        to_iso639_3(lang)
        for pair in LANGUAGE_PAIRS[folder.name.removesuffix("-hard")]
        for lang in pair.split("-")
    }
    return _read_corpus(folder, CORPORA / folder.name, tuple(sorted(langs)))


def encode_site(site: str, langs: tuple[str, ...]) -> EncodedCorpus:
    """Return the pages of the hard form of a site in other languages than are measured."""
    folder = site_folder(site, "hard")
    return _read_corpus(folder, CORPORA / "languages" / folder.name, langs)


def _read_corpus(folder: Path, place: Path, langs: tuple[str, ...]) -> EncodedCorpus:
    """Return the pages of a site; its corpus is made once."""
    if not (place / "corpus.db").is_file():
        # One that was being made when its process was killed is made anew.
        unfinished = place.with_name(f"{place.name}.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        build_corpus(unfinished, folder / "www", _read_keys(folder), langs)
        unfinished.rename(place)
    with open_corpus(place, Settings()) as corpus:
        return encode_corpus(corpus, langs)


def _vary(
    encoded: EncodedCorpus, variant: str, keys: Mapping[str, str]
) -> tuple[EncodedCorpus, set[tuple[str, str]]]:
    def key_of(url: str) -> str:
        path = unquote(urlsplit(url).path).lstrip("/")
        return keys.get(path) or keys.get(f"{path}index.html", path)

    pages = {
        lang: [page for group in groups.values() for page in group]
        for lang, groups in encoded.pages.items()
    }
    spoiled: set[tuple[str, str]] = set()
    if variant in {"short", "linked"}:
        linked = variant == "linked"
        varied = shorten(pages, encoded.encoder, key_of, linked=linked)
    elif variant == "brief":
        varied = make_brief(pages, key_of)
    else:
        varied, spoiled = add_noise(pages, key_of)
    # Pages left out, and copies that shorter pages become, are not there to be paired.
    there, left = (
        {
            (lang, key_of(page.document.url))
            for lang, some in of.items()
            for page in some
        }
        for of in (pages, varied)
    )
    spoiled |= there - left
    made = {lang: {"site": some} for lang, some in varied.items()}
    return EncodedCorpus(encoded.encoder, made, encoded.langs), spoiled
