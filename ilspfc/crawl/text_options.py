"""Options of cleaning and texts for language identification, from the settings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scrapy.settings import BaseSettings

from ilspfc.exceptions import ArgumentError, SettingError
from ilspfc.text.codes import to_bcp47, to_iso639_3


def cleaning_options(settings: BaseSettings) -> dict[str, Any]:
    """Return the options that the settings give to the cleaning of any page."""
    return {
        "min_paragraph_tokens": settings.getint("CLEANING_MIN_PARAGRAPH_TOKENS"),
        "backend": settings["CLEANING_BACKEND"],
        "threshold": settings.getfloat("CLEANING_THRESHOLD"),
    }


def language_texts(settings: BaseSettings) -> tuple[tuple[str, Path], ...]:
    """Return the languages to be learned, each with its file; SettingError names a problem."""
    value = settings.get("LANGUAGE_TEXTS") or ""
    texts: dict[str, Path] = {}
    for part in filter(None, map(str.strip, value.split(","))):
        code, equals, name = map(str.strip, part.partition("="))
        if not equals or not name:
            raise SettingError(
                f"LANGUAGE_TEXTS={value}: {part!r} is no code and file; give code=FILE,"
                " such as br=breton.txt"
            )
        try:
            lang = to_iso639_3(code)
        except ValueError as error:
            raise SettingError(
                f"LANGUAGE_TEXTS={value}: {error}; give an ISO 639-1 or 639-3 code, or one"
                " from qaa to qtz for a language without"
            ) from error
        if lang in texts:
            raise SettingError(
                f"LANGUAGE_TEXTS={value}: {code!r} is there twice; give one file a language"
            )
        # Absolute: workers and the crawl may be in different folders.
        texts[lang] = Path(name).absolute()
    return tuple(texts.items())


def check_languages(langs: Sequence[str], settings: BaseSettings) -> None:
    """Raise ArgumentError or SettingError for a language that cannot be identified."""
    texts = language_texts(settings)
    if not langs and not texts:
        return
    # Both load numpy.
    from ilspfc.language.labels import is_identifiable  # noqa: PLC0415
    from ilspfc.language.taught import read_language_text  # noqa: PLC0415

    for _, path in texts:
        read_language_text(path)
    added = {lang for lang, _ in texts}
    for lang in langs:
        if lang not in added and not is_identifiable(lang):
            code = to_bcp47(lang)
            raise ArgumentError(
                f"{code}: no language identifier knows {code!r}; give another language, or"
                f" a text in it with -s LANGUAGE_TEXTS={code}=FILE"
            )
