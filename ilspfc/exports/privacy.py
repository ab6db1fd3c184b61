"""Personal data in exports: kept, counted, masked or dropped (EXPORTS_PERSONAL_DATA)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ilspfc.exceptions import SettingError
from ilspfc.text.personal_data import mask_personal_data

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ilspfc.documents import Document

TREATMENTS = ("keep", "count", "mask", "drop")
PACKAGE = "phonenumbers"


class Privacy:
    """Treatment of personal data in texts; ``counts`` are stats of what was found.

    SettingError where data are looked for and the package for phone numbers is missing.
    """

    def __init__(self, settings: BaseSettings) -> None:
        self._treatment = settings["EXPORTS_PERSONAL_DATA"]
        self.counts: Counter[str] = Counter()
        if self._treatment != "keep" and not find_spec(PACKAGE):
            raise SettingError(
                f"EXPORTS_PERSONAL_DATA={self._treatment}: {PACKAGE} is not installed;"
                f" pip install {PACKAGE}, or give keep"
            )

    def is_dropped(self, text: str, lang: str) -> bool:
        """Test whether a text in a language (ISO 639-3) has data for which it is dropped."""
        return self._treatment == "drop" and self._mask(text, lang) != text

    def mask(self, text: str, lang: str) -> str:
        """Return a text in a language (ISO 639-3), masked where masks are asked for."""
        if self._treatment not in {"count", "mask"}:
            return text
        masked = self._mask(text, lang)
        return masked if self._treatment == "mask" else text

    def conceal(self, text: str, lang: str) -> str:
        """Return a text that must stay in its place, masked unless all data are kept."""
        if self._treatment in {"keep", "count"}:
            return text
        return self._mask(text, lang)

    def _mask(self, text: str, lang: str) -> str:
        masked, found = mask_personal_data(text, lang)
        for kind, number in found.items():
            self.counts[f"exports/personal_data/{kind}"] += number
        return masked

    def treat(self, document: Document) -> Document:
        """Return a document with its clean text as it is exported."""
        lang = document.lang
        kept = [
            replace(one, text=self.mask(one.text, lang))
            for one in document.clean_paragraphs
            if not self.is_dropped(one.text, lang)
        ]
        return replace(document, paragraphs=kept)
