"""Language codes, any ISO 639 code or BCP 47 tag in, ISO 639-3 inside, and names of languages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import product
from string import ascii_lowercase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel import Locale


# langcodes compiles the rules of the standard for a tenth of a second when it is imported, so it
# is loaded where a code is asked for.

# Python's CLDR data maps macrolanguage and individual codes; these are the individual
# codes that corpora write as the macrolanguage's.
_ALIASES = {"cmn": "zho", "arb": "ara", "ekk": "est", "lvs": "lav", "zsm": "msa"}

# ISO 639-2 codes for text in no language, an unknown one, several, or one without code.
_NO_LANGUAGES = frozenset({"und", "zxx", "mul", "mis"})

# Codes of ISO 639-3 that are younger than the data of langcodes 3.5.
_YOUNG = frozenset(
    "ajs bpc cnq dsz egm gov imt lgo lqr lsc lsw nww oie phj pzh rib rnb rsk rsn tok ugh"
    " uon wdt wyn xdq xhm zcd".split()
)


@lru_cache(maxsize=1024)
def to_iso639_3(code: str) -> str:
    """Return the ISO 639-3 code of an ISO 639-1, -2 or -3 code or a BCP 47 tag.

    Raises ValueError for what names no language.

    >>> to_iso639_3("de"), to_iso639_3("ger"), to_iso639_3("pt-BR"), to_iso639_3("gsw")
    ('deu', 'deu', 'por', 'gsw')
    """
    import langcodes  # noqa: PLC0415

    try:
        language = langcodes.Language.get(code.strip().replace("_", "-"))
        valid = bool(language.language) and language.language not in _NO_LANGUAGES
        if language.language in _YOUNG:
            return str(language.language)
        valid = valid and langcodes.Language.make(language.language).is_valid()
        if not valid:
            raise ValueError(f"{code!r} is no known language code")
        alpha3 = str(language.to_alpha3())
    except (langcodes.tag_parser.LanguageTagError, LookupError) as error:
        raise ValueError(f"{code!r} is no known language code") from error
    return _ALIASES.get(alpha3, alpha3)


def find_iso639_3(code: str) -> str:
    """Return the ISO 639-3 code, empty for what names no language.

    >>> find_iso639_3("de"), find_iso639_3("x-default")
    ('deu', '')
    """
    try:
        return to_iso639_3(code)
    except ValueError:
        return ""


@lru_cache(maxsize=1024)
def to_bcp47(lang: str) -> str:
    """Return the shortest BCP 47 tag of an ISO 639-3 code (RFC 5646, section 2.2.1).

    ValueError: no language code.

    >>> to_bcp47("deu"), to_bcp47("gsw")
    ('de', 'gsw')
    """
    import langcodes  # noqa: PLC0415

    try:
        return str(langcodes.standardize_tag(lang))
    except langcodes.tag_parser.LanguageTagError as error:
        raise ValueError(f"{lang!r} is no language code") from error


@cache
def two_letter_codes() -> Mapping[str, str]:
    """Return the languages (ISO 639-3) of the codes of ISO 639-1, without withdrawn ones.

    >>> two_letter_codes()["el"], "xx" in two_letter_codes(), "in" in two_letter_codes()
    ('ell', False, False)
    """
    codes = map("".join, product(ascii_lowercase, repeat=2))
    langs = {code: find_iso639_3(code) for code in codes}
    return {
        code: lang for code, lang in langs.items() if lang and code in codes_of(lang)
    }


@lru_cache(maxsize=1024)
def codes_of(lang: str) -> frozenset[str]:
    """Return the codes that mean a language: ISO 639-1, 639-2/B and 639-3.

    >>> sorted(codes_of("deu"))
    ['de', 'deu', 'ger']
    """
    import langcodes  # noqa: PLC0415

    bibliographic = langcodes.Language.get(lang).to_alpha3(variant="B")
    return frozenset({lang, to_bcp47(lang), str(bibliographic)})


# -- names of languages ------------------------------------------------------------------

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
def find_locale(lang: str) -> Locale | None:
    """Return the locale of a language (CLDR), or None."""
    # Cleaning needs the list above alone, and starts sooner without.
    try:
        from babel import Locale, UnknownLocaleError  # noqa: PLC0415
    except ImportError:  # left out: languages have their codes for names
        return None
    try:
        return Locale.parse(to_bcp47(lang), sep="-")
    except (UnknownLocaleError, ValueError):
        return None


def language_name(lang: str, in_lang: str = "eng") -> str:
    """Return the name of a language in another (CLDR), or its code where none is known.

    >>> language_name("deu"), language_name("deu", in_lang="ita")
    ('German', 'tedesco')
    """
    locale = find_locale(in_lang)
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
