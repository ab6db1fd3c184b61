"""Names of languages: in themselves and in each other."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ilspfc.text.codes import to_bcp47, two_letter_codes

if TYPE_CHECKING:
    from babel import Locale

# Names under which sites list the languages they are in, case-folded: those of CLDR for the
# larger languages, in themselves. All of CLDR takes a second to load.
LISTED_NAMES = frozenset(
    (
        "afrikaans|azərbaycan|bahasa indonesia|bahasa melayu|bosanski|català|cymraeg|dansk"
        "|deutsch|eesti|english|español|esperanto|euskara|français|gaeilge|galego|hrvatski"
        "|indonesia|italiano|kiswahili|latviešu|lietuvių|magyar|malti|melayu|nederlands|norsk"
        "|norsk bokmål|norsk nynorsk|polski|português|português do brasil|română|shqip"
        "|slovenčina|slovenščina|srpski|suomi|svenska|tiếng việt|türkçe|íslenska|čeština"
        "|ελληνικά|беларуская|български|македонски|русский|српски|українська|қазақ тілі"
        "|қазақша|հայերեն|עברית|اردو|العربية|فارسی|हिन्दी|বাংলা|தமிழ்|తెలుగు|ไทย|ქართული|中文"
        "|简体中文|繁體中文|日本語|한국어"
    ).split("|")
)


@lru_cache(maxsize=512)
def _locale(lang: str) -> Locale | None:
    # Cleaning needs the list above alone, and starts sooner without.
    from babel import Locale, UnknownLocaleError  # noqa: PLC0415

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
    import langcodes  # noqa: PLC0415

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
