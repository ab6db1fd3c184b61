"""Names of languages: in themselves and in each other."""

from __future__ import annotations

from functools import lru_cache

import langcodes
from babel import Locale, UnknownLocaleError

from ilspfc.text.codes import to_bcp47, two_letter_codes


@lru_cache(maxsize=512)
def _locale(lang: str) -> Locale | None:
    try:
        return Locale.parse(to_bcp47(lang))
    except (UnknownLocaleError, ValueError):
        return None


def language_name(lang: str, in_lang: str = "eng") -> str:
    """Return the name of a language in another (CLDR), or its code where none is known.

    >>> language_name("deu"), language_name("deu", in_lang="ita")
    ('German', 'tedesco')
    """
    locale = _locale(in_lang)
    names = locale.languages if locale is not None else {}
    return str(names.get(to_bcp47(lang)) or lang)


def autonym(lang: str) -> str:
    """Return the name of a language in itself.

    >>> autonym("ita"), autonym("ell")
    ('italiano', 'Ελληνικά')
    """
    return language_name(lang, in_lang=lang)


def find_code(word: str) -> str:
    """Return the ISO 639-1 code for the name of a language, or of a country's language.

    Names are English or those of the languages themselves; empty for all other words.

    >>> find_code("German"), find_code("Ελληνικά"), find_code("gr"), find_code("qqq")
    ('de', 'el', 'el', '')
    """
    folded = word.casefold()
    for code, lang in sorted(two_letter_codes().items()):
        if folded in names_of(lang, ()):
            return code
    if len(word) != len("gr"):
        return ""
    # The language that most people of a country speak (CLDR).
    country = langcodes.Language.make(territory=word.upper())
    code = country.maximize().language or ""
    # A country without a likely language gets English.
    return code if code in two_letter_codes() and code != "en" else ""


def names_of(lang: str, in_langs: tuple[str, ...]) -> frozenset[str]:
    """Return the case-folded names of a language: in itself, in English, in others.

    >>> sorted(names_of("deu", in_langs=("ita",)))
    ['deutsch', 'german', 'tedesco']
    """
    names = (language_name(lang, in_lang) for in_lang in (lang, "eng", *in_langs))
    return frozenset(name.casefold() for name in names if name != lang)
