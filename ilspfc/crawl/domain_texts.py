"""A domain defined by texts: finding them, their language models, and what links lead to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.classification.perplexity.arpa import read_arpa
from ilspfc.classification.perplexity.expectation import (
    NEUTRAL,
    PageEntropy,
    expect_page,
    expect_target,
    measure_page,
)
from ilspfc.classification.perplexity.page_perplexity import (
    UNKNOWN_LOG10,
    NgramModel,
    TextFiles,
    held_out_bounds,
    iter_sentences,
    text_files,
    train_from_files,
)
from ilspfc.documents import Document
from ilspfc.exceptions import ArgumentError
from ilspfc.text.codes import codes_of, to_bcp47
from ilspfc.text.sentences import split_sentences

if TYPE_CHECKING:
    from ilspfc.classification.perplexity.buckets import Buckets
    from ilspfc.frontier.scoring.link_score import FoundLink

_ARPA_SUFFIXES = (".arpa", ".arpa.gz")


def find_domain_texts(value: str, langs: Sequence[str]) -> dict[str, Path]:
    """Return the path of the texts, or of the model in ARPA format, of each language.

    ``value`` is a folder with ``de/`` (with ``*.txt`` in it), ``de.txt``, ``de.arpa`` or
    ``de.arpa.gz`` for each language, ``de`` being any of its codes. In a crawl of one
    language it may also be the folder of its texts, or one such file. Raises ArgumentError
    if there is none for any of the languages (ISO 639-3).
    """
    root = Path(value)
    if not root.exists():
        raise ArgumentError(
            f"domain_texts={value}: no such file or folder; check the path"
        )
    found = {}
    for lang in langs:
        source = next(_iter_sources(root, lang), None)
        if source is None and len(langs) == 1 and _is_source(root):
            source = root
        if source is not None:
            found[lang] = source
    if not found:
        code = to_bcp47(langs[0])
        raise ArgumentError(
            f"domain_texts={value}: nothing there in {', '.join(map(to_bcp47, langs))};"
            f" write texts to {root / code}/*.txt or {root / f'{code}.txt'}"
        )
    return found


def _iter_sources(root: Path, lang: str) -> Iterator[Path]:
    for code in sorted(codes_of(lang)):
        for suffix in ("", ".txt", *_ARPA_SUFFIXES):
            if _is_source(path := root / f"{code}{suffix}"):
                yield path


def _is_source(path: Path) -> bool:
    if path.is_dir():
        return any(path.glob("*.txt"))
    return path.is_file() and path.name.endswith((".txt", *_ARPA_SUFFIXES))


@lru_cache(maxsize=16)
def load_model(source: Path, lang: str) -> NgramModel:
    """Return the model of one language; DomainError names a problem of its texts."""
    if source.name.endswith(_ARPA_SUFFIXES):
        return read_arpa(source)
    return train_from_files(source, partial(split_sentences, lang=lang))


@lru_cache(maxsize=16)
def load_bounds(
    source: Path, lang: str, unknown_log10: float = UNKNOWN_LOG10
) -> tuple[float, float, float] | None:
    """Return the bounds of perplexity that the texts of a language give.

    None for a model in the ARPA format and for texts that are too short.
    """
    if source.name.endswith(_ARPA_SUFFIXES):
        return None
    split = partial(split_sentences, lang=lang)
    texts = TextFiles(text_files(source), warn=False)  # the model has warned
    sentences = [list(iter_sentences([text], split)) for text in texts]
    return held_out_bounds(sentences, unknown_log10)


def load_models(
    sources: Mapping[str, Path], unknown_log10: float = UNKNOWN_LOG10
) -> dict[str, NgramModel]:
    """Return the models of a domain by language (ISO 639-3)."""
    models = {lang: load_model(source, lang) for lang, source in sources.items()}
    for model in models.values():
        model.unknown_log10 = unknown_log10
    return models


def measure_document(
    document: Document, models: Mapping[str, NgramModel], buckets: Buckets
) -> PageEntropy:
    """Set perplexity and bucket of a document; return also what its links say.

    The model is that of its language, else the one that it surprises the least.
    """
    lang = document.lang
    own = {lang: models[lang]} if lang in models else models
    entropy = measure_page(
        own,
        [paragraph.text for paragraph in document.clean_paragraphs],
        (link.context or link.anchor or link.title for link in document.links),
        partial(split_sentences, lang=lang or next(iter(models))),
    )
    document.perplexity = entropy.perplexity
    document.bucket = buckets.name(document.perplexity, entropy.lang)
    return entropy


@dataclass(frozen=True, slots=True)
class Expectation:
    """Expectation of a page before it was read: ``surprise``, None where there was none.

    It came about in the same way from the page before, and so on.
    """

    buckets: Buckets
    surprise: float | None = None

    def expect(
        self, links: Sequence[FoundLink], entropy: PageEntropy
    ) -> list[FoundLink]:
        """Return the links of a page with the perplexity that is expected of each."""
        lang, buckets = entropy.lang, self.buckets
        level = buckets.to_surprise(1.0, lang)  # of an entropy of 0 bits
        before = NEUTRAL if self.surprise is None else self.surprise
        page = expect_page(entropy.words, entropy.bits + level, before)
        perplexity = buckets.to_perplexity(page, lang) if entropy.words else None
        expected = []
        for found, words, bits in zip(
            links, entropy.link_words, entropy.link_bits, strict=True
        ):
            surprise = expect_target(words, bits + level, page)
            expected.append(
                found._replace(
                    perplexity=perplexity,
                    expected=buckets.to_perplexity(surprise, lang),
                    surprise=surprise,
                    model_lang=lang,
                )
            )
        return expected
