"""Which language a page and each of its paragraphs is in."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from lingua import IsoCode639_1, Language, LanguageDetector, LanguageDetectorBuilder
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from ilspfc.documents import CrawlInfo
from ilspfc.language.codes import to_bcp47, to_iso639_3

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ilspfc.documents import Paragraph

# From this length on py3langid is as good as lingua, at a sixth of the cost.
LONG_PARAGRAPH_CHARS = 80
# Text beyond this length does not change the verdict on a page.
MAX_DOCUMENT_CHARS = 5000
# Below this much clean text the page's menus tell its language more safely.
MIN_DOCUMENT_CHARS = 200
# A page is looked at paragraph by paragraph up to these bounds, which bound what it costs:
# so many paragraphs, the beginning of each, and so many characters of short ones (lingua
# takes up to 20 microseconds for each). What is beyond has the language of the page.
MAX_PARAGRAPHS = 2000
MAX_PARAGRAPH_CHARS = 1000
MAX_SHORT_CHARS = 20_000
# A paragraph is in another language only if the page's own is this improbable, and one
# other is this probable: lists of names and substances look like many languages.
MAX_OWN_PROBABILITY = 0.05
MIN_OTHER_PROBABILITY = 0.8
# Short texts (names, titles) are told apart badly: the other language must be sure.
MIN_SHORT_PROBABILITY = 0.95

# Written so alike that no identifier tells them apart reliably: one group each.
_GROUPS = (frozenset({"bos", "hrv", "srp"}), frozenset({"nor", "nob", "nno"}))
# Of these, the ones that are not written in Cyrillic.
_LATIN_ALONE = frozenset({"bos", "hrv"})
# Languages whose short paragraphs turn up on sites in every other language.
_FREQUENT = ("eng",)


class LanguageReason(StrEnum):
    """Why a page leaves the data's way in language identification."""

    OTHER_LANGUAGE = "other_language"
    TOO_SHORT = "too_short"


@lru_cache(maxsize=1)
def _load_identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


@lru_cache(maxsize=1)
def _identifiable() -> dict[str, str]:
    """Return the identifier's labels by ISO 639-3 code."""
    labels = {}
    for label in _load_identifier().labels:
        try:
            labels[to_iso639_3(label)] = label
        except ValueError:  # "zxx": no linguistic content
            continue
    return labels


def _group(lang: str) -> frozenset[str]:
    return next((group for group in _GROUPS if lang in group), frozenset({lang}))


def _excluded_by_script(text: str) -> frozenset[str]:
    """Return the languages that are not written in the alphabet of a text."""
    letters = sum(map(str.isalpha, text))
    cyrillic = sum("\u0400" <= character <= "\u04ff" for character in text)
    return _LATIN_ALONE if 2 * cyrillic > letters else frozenset()


def is_identifiable(lang: str) -> bool:
    """Return whether pages in a language (ISO 639-3) can be recognized."""
    return not _group(lang).isdisjoint(_identifiable())


def _lingua_language(lang: str) -> Language | None:
    try:
        code = IsoCode639_1.from_str(to_bcp47(lang).upper())
        return Language.from_iso_code_639_1(code)
    except ValueError:
        return None


class PageIdentifier:
    """Identifies the language of pages in a crawl for ``langs`` (ISO 639-3 codes).

    Any language may turn up, so a page is compared with every language that the identifier
    knows; only short paragraphs are decided among the crawl's languages and English.
    """

    def __init__(self, langs: Iterable[str]) -> None:
        self.langs = tuple(langs)
        self._short: LanguageDetector | None = None

    def load(self) -> None:
        """Load the models now, not with the first page."""
        _load_identifier()
        self._short_detector()

    def identify(self, text: str) -> tuple[str, float]:
        """Return the language of a text (ISO 639-3) and its probability.

        A language of the crawl is returned under the crawl's own code where the
        identifier's label means the same group (Norwegian for Bokmål).
        """
        label, probability = _load_identifier().classify(_plain_case(text))
        return self._own_code(label, text), float(probability)

    def _own_code(self, label: str, text: str) -> str:
        try:
            lang = to_iso639_3(label)
        except ValueError:
            return "und"
        group = _group(lang)
        if not group.isdisjoint(_LATIN_ALONE):
            group -= _excluded_by_script(text)
        return next((own for own in self.langs if own in group), lang)

    def identify_document(self, paragraphs: Sequence[Paragraph]) -> str:
        """Return the language of a page (ISO 639-3), ``und`` where it has no text."""
        text = _sample(p.text for p in paragraphs if p.crawlinfo is None)
        if len(text) < MIN_DOCUMENT_CHARS:
            text = _sample(p.text for p in paragraphs) or text
        return self.identify(text)[0] if text else "und"

    def label_paragraphs(self, paragraphs: Iterable[Paragraph], lang: str) -> None:
        """Set the language of each clean paragraph; mark those not in ``lang``."""
        clean = (paragraph for paragraph in paragraphs if paragraph.crawlinfo is None)
        short_chars = 0
        for number, paragraph in enumerate(clean):
            text = paragraph.text[:MAX_PARAGRAPH_CHARS]
            is_short = len(text) < LONG_PARAGRAPH_CHARS
            short_chars += len(text) if is_short else 0
            is_beyond = is_short and short_chars > MAX_SHORT_CHARS
            if number < MAX_PARAGRAPHS and not is_beyond:
                paragraph.lang = self._identify_paragraph(text, lang)
            else:
                paragraph.lang = lang
            if paragraph.lang != lang:
                paragraph.crawlinfo = CrawlInfo.OOI_LANG

    def _identify_paragraph(self, text: str, lang: str) -> str:
        """Return the language of a paragraph on a page in ``lang``, which is the prior."""
        if len(text) < LONG_PARAGRAPH_CHARS:
            return self._identify_short(text, lang)
        ranked = _load_identifier().rank(_plain_case(text))
        own = sum(p for label, p in ranked if self._own_code(label, text) == lang)
        if own >= MAX_OWN_PROBABILITY or ranked[0][1] < MIN_OTHER_PROBABILITY:
            return lang
        return self._own_code(ranked[0][0], text)

    def _identify_short(self, text: str, lang: str) -> str:
        detector = self._short_detector()
        if detector is None or _lingua_language(lang) is None:
            return lang
        values = detector.compute_language_confidence_values(text)
        if not values or values[0].value < MIN_SHORT_PROBABILITY:
            return lang
        return self._own_code(values[0].language.iso_code_639_1.name.lower(), text)

    def _short_detector(self) -> LanguageDetector | None:
        if self._short is None:
            # The whole group: lingua knows Serbian in Cyrillic alone.
            own = [code for lang in self.langs for code in sorted(_group(lang))]
            codes = dict.fromkeys([*own, *_FREQUENT])
            languages = [found for code in codes if (found := _lingua_language(code))]
            if len(languages) > 1:
                builder = LanguageDetectorBuilder.from_languages(*languages)
                self._short = builder.with_preloaded_language_models().build()
        return self._short


def _plain_case(text: str) -> str:
    """Return text that is mostly capitals in lower case: no model was trained on it."""
    capitals = sum(map(str.isupper, text))
    return text.lower() if capitals > sum(map(str.islower, text)) else text


def _sample(texts: Iterable[str]) -> str:
    """Return the texts joined, up to the length that decides a page's language."""
    parts: list[str] = []
    length = 0
    for text in texts:
        parts.append(text)
        length += len(text) + 1
        if length >= MAX_DOCUMENT_CHARS:
            break
    return " ".join(parts)[:MAX_DOCUMENT_CHARS]


@lru_cache(maxsize=4)
def page_identifier(langs: tuple[str, ...]) -> PageIdentifier:
    """Return the identifier of a crawl, one a process and set of languages."""
    return PageIdentifier(langs)


def load_identifiers(langs: Sequence[str]) -> None:
    """Load what a crawl for ``langs`` (ISO 639-3) identifies with: it takes a second once."""
    page_identifier(tuple(langs)).load()


def identify_page(
    paragraphs: list[Paragraph], langs: Sequence[str]
) -> tuple[str, list[Paragraph]]:
    """Return the language of a page, and its paragraphs with theirs.

    The paragraphs are labeled only where the page is in one of ``langs`` (ISO 639-3).
    """
    identifier = page_identifier(tuple(langs))
    lang = identifier.identify_document(paragraphs)
    if lang in identifier.langs:
        identifier.label_paragraphs(paragraphs, lang)
    return lang, paragraphs
