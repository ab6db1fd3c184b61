"""Sentence splitting: the sentencex library, and what it does not know of a language.

The library cuts; the rules here take cuts back (after abbreviations, initials, ordinals,
list numbers, inside addresses) or move them (closing quotes and brackets stay with their
sentence, a list number goes with the text it numbers).
"""

from __future__ import annotations

import heapq
import re
import tomllib
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise

import langcodes
import sentencex

_DATA = tomllib.loads(
    files(__package__).joinpath("abbreviations.toml").read_text("utf-8")
)
_BINDING_PAIR = frozenset(_DATA["everywhere"]["pairs"])
_ENDING_PAIR = frozenset(_DATA["everywhere"]["ending_pairs"])
_ENDINGS: list[str] = _DATA["everywhere"]["endings"].split()

_FALLBACK_LANG = "en"

# Languages of whose abbreviations the library knows some. To all but these it applies the
# English ones ("det" and "kan" end no Norwegian sentence), or lists with many common words:
# 2,000 for Italian. They are split as Amharic, for which it lists none.
_LIBRARY_CODES = frozenset(
    "am ar bg bn cs el en fi fr gl gu hi hy ja kk kn ml mr my pa pl pt ru sk ta te uk".split()
)
_NEUTRAL_CODE = "am"

# The library's time grows with the square of the number of unclosed quotes; blocks keep
# a hostile page harmless and are longer than nearly every paragraph.
_BLOCK_CHARS = 10_000

# As much of the text on both sides of a cut as any rule looks at.
_CONTEXT_CHARS = 80

# sentencex 1.0 fails on blanks that take more than a byte, and takes no lone surrogates.
_WIDE_BLANK_RE = re.compile(r"[^\S\t\n\r ]")
_SURROGATE_RE = re.compile(r"[\ud800-\udfff]")

_ORDINAL_LANGS = frozenset({"deu"})
_BEFORE_ORDINAL = frozenset(
    "ab am beim bis das dem den der des die im ins jede jedem jeden jeder jedes seit vom "
    "zum zur".split()
)
_AFTER_ORDINAL_RE = re.compile(
    r"(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|J[aä]nner|Jahrhundert|Jh\b)"
)

_APOSTROPHES = "'’‘ʼ"
# An apostrophe that the library leaves at the end though it begins a word: "'s Avonds".
_TORN = tuple(blank + mark for blank in " \t\n\u00a0" for mark in _APOSTROPHES)
_OPENING = "(\\[{«»‹›\"“„‟‘‚'’¿¡"
_CLOSING = ")\\]}»›\"”“’‘'」』】）〉》"
# A closing mark at a cut: blanks or the end follow it, or it opens nothing anywhere.
_CLOSERS = rf"\s?(?:[)\]}}」』】）〉》]|[{_CLOSING}](?=\s|$))+"
# A footnote's number belongs to the sentence that it follows without a blank.
_NUMBERS = r"\d{1,3}(?:[,–-]\d{1,3})*"
_NOTE = (
    r"(?<=\S)(?:\[[\w,– -]{1,9}\]|[¹²³⁰⁴-⁹⁻˒]+"
    rf"|(?:{_NUMBERS}|\({_NUMBERS}\)|[*†‡]+)(?=\s|$))+"
)
_LEADING_CLOSERS_RE = re.compile(f"{_CLOSERS}(?:{_NOTE})?|{_NOTE}")
_NOTE_RE = re.compile(
    rf"[^\s\d.!?…]{{2}}(?:\s?[{_CLOSING}]){{0,3}}[.!?…।۔؟](?:\s?[{_CLOSING}]){{0,3}}({_NUMBERS})\s+"
    rf"(?=[«„“‘\"'¿¡]?([^\W\d_]))"
)
_GUILLEMET_END_RE = re.compile(r"\s?«(?=\s|$)")
# Languages that write «text» and not »text«.
_INWARD_LANGS = frozenset({"ell", "fra", "ita", "por", "rus", "spa", "ukr"})

_TOKEN_RE = re.compile(rf"[^\s{_OPENING}{_CLOSING}]+$")
_INITIAL_RE = re.compile(r"[^\W\d_](?:\.-[^\W\d_])*\.$")
_SINGLE_LETTERS_RE = re.compile(r"(?:^|[\s(])[^\W\d_]\.\s[^\W\d_]\.$")
_NUMBER_BEFORE_RE = re.compile(r"(?:(?<!\d)((?:1\d|20)\d\d)|\d)\s*$")
# A number, or a letter as a label: "fig. B", "lit. a)".
_NUMBER_AHEAD_RE = re.compile(
    r"[§#°№(]?\s?(?:\d|[VX]\b|[IVXLCDM]{2,}\b|[^\W\d_](?:\d|[).,;:]|$)"
    r"|[BCDFGHJLMNPQRTX]\b(?!['’]))"
)
# Languages in which a capital I alone is a word, not a number.
_I_LANGS = frozenset("bos cat dan eng hrv ita nno nob pol slv srp swe".split())
# What has no vowel is an abbreviation, as far as l and r are no vowels.
_NO_VOWEL_RE = re.compile(
    r"(?!(?:cd|pc|tv)$)[^\W\d_aeiouwyæøœıəаеиоуыэюяєіїөұүәαεηιουω]{2,5}"
)
_SYLLABIC_RE = re.compile(r"[^lrлр][lrлр].")
_SYLLABIC_LANGS = frozenset("bos ces hrv mkd slk slv srp".split())
_DOTTED_RE = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_CASED_RE = re.compile(r"[A-Za-z\u0370-\u052f]+")
_ORDINAL_RE = re.compile(r"(?:(\w+)\s+)?(?<![.\d])\d{1,3}\.$")
_MARKER_RE = re.compile(r"[(\[]?(?:\d{1,3}(?:\.\d{1,3})*|[ivxIVX]{1,4}|\w)[.)\]।။។]+$")
_LATE_MARKER_RE = re.compile(rf"[.!?…:;][{_CLOSING}]*(\s+\(?\d{{1,3}}[.)]\s*)$")
_QUOTE_END_RE = re.compile(rf"[.!?…;][{_CLOSING}]+$")
# Dutch and Afrikaans articles and the like: the word behind them has the capital letter.
_ELISION = rf"[{_APOSTROPHES}][a-z]{{1,2}}[\s-]"
_ELISION_RE = re.compile(_ELISION + r"(?=\w)")
_BEFORE_ELISION_RE = re.compile(
    rf"[.!?…][{_CLOSING}]*\s+(?={_ELISION}[{_OPENING}]?([^\W\d_]))"
)
_LETTERS_RE = re.compile(r"(?<!\w)[^\W\d_]\.$")
# Ends of sentences that the library does not know: Khmer ។ and ៕, but not ។ល។ and ។បេ។ ("etc."),
# and Ethiopic ። typed as two marks between words.
_FINAL_RE = re.compile(r"(?<!។ល)(?<!។បេ)[។៕]+(?!ល។|បេ។)(?!(?<=\d.)\d)\s*|፡፡\s*")
# No sentence begins with these; º and ª belong to the abbreviation before them.
_NO_BEGINNING = ",;:)ºª°"
_ADDRESS_RE = re.compile(r"://|www\.|@")


def split_sentences(text: str, lang: str) -> list[str]:
    """Return the sentences of a text in order, without blanks around them.

    ``lang`` is an ISO 639-3 code; a language that the library does not know is split by
    general rules. Nothing but blanks between sentences is lost.

    >>> split_sentences("Das gilt z. B. für Art. 5 Abs. 2. Am 3. Mai kam Hr. Bach.", "deu")
    ['Das gilt z. B. für Art. 5 Abs. 2.', 'Am 3. Mai kam Hr. Bach.']
    >>> split_sentences("今天天气很好！你呢？", "zho")
    ['今天天气很好！', '你呢？']
    """
    sentences = []
    start = 0
    cuts = [*_find_cuts(text, lang), len(text)]
    for cut, following in pairwise(cuts):
        end = _place_cut(text, start, cut, following, lang)
        if end > start:
            sentences.append(text[start:end].strip())
            start = end
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if sentence]


def _place_cut(text: str, start: int, cut: int, following: int, lang: str) -> int:
    """Return the end of the sentence from ``start``, at or near the cut; -1 if it goes on.

    ``following`` is the next cut; no rule looks past it.
    """
    before = text[max(start, cut - _CONTEXT_CHARS) : cut]
    after = text[cut : min(following, cut + _CONTEXT_CHARS)]
    if "\n\n" in before[len(before.rstrip()) :] + _leading_blanks(after):
        return cut
    if not any(map(str.isalnum, text[cut:following])):
        return -1
    closers = _count_closers(text, cut, following, lang)
    before, after = before + after[:closers], after[closers:]
    is_whole = cut - start <= _CONTEXT_CHARS
    if _is_joined(before, after, lang, is_whole=is_whole):
        return -1
    return cut + closers - _count_late_marker(before, lang)


@lru_cache(maxsize=256)
def _library_code(lang: str) -> str:
    """Return the code by which the library splits a language."""
    try:
        code = langcodes.Language.get(lang).language or _FALLBACK_LANG
    except (langcodes.tag_parser.LanguageTagError, LookupError):
        return _FALLBACK_LANG
    return code if code in _LIBRARY_CODES else _NEUTRAL_CODE


@lru_cache(maxsize=256)
def _ending_re(lang: str) -> re.Pattern[str]:
    """Return the pattern of the ends of sentences that the library passes over.

    A sentence in brackets, an abbreviation that closes a list or is a unit, a word that the
    library takes for an abbreviation.
    """
    endings = "|".join(map(re.escape, sorted(_ENDINGS, key=len, reverse=True)))
    words = "|".join(_read_list("words", lang)) or "(?!)"
    return re.compile(
        rf"(?:(?<!\S)\([^()\n]{{3,200}}[.!?]\)|(?<![\w.])(?:(?i:{endings})|(?:{words})\.))"
        rf"\s+(?=[{_OPENING}]?([^\W\d_]))"
    )


@cache
def _read_list(name: str, lang: str) -> frozenset[str]:
    """Return the words of a list of the data, those of all languages included."""
    table: dict[str, str] = _DATA[name]
    return frozenset([*table.get("all", "").split(), *table.get(lang, "").split()])


def _find_cuts(text: str, lang: str) -> Iterator[int]:
    """Yield the places inside a text where it may be cut, in order."""
    passed = [
        match.end()
        for pattern in (_BEFORE_ELISION_RE, _ending_re(lang))
        for match in pattern.finditer(text)
        if match[1].isupper()
    ]
    noted = [
        match.end()
        for match in _NOTE_RE.finditer(text)
        if not match[2].islower()
        and not _is_binding(text[: match.start(1)][-_CONTEXT_CHARS:], "1", lang)
    ]
    finals = [match.end() for match in _FINAL_RE.finditer(text)]
    cuts = _find_library_cuts(text, _library_code(lang))
    yield from heapq.merge(cuts, sorted(passed), noted, finals)


def _find_library_cuts(text: str, code: str) -> Iterator[int]:
    """Yield the places inside a text where the library cuts it."""
    # Replaced character for character: the places hold for the text itself.
    plain = _SURROGATE_RE.sub("\ufffd", _WIDE_BLANK_RE.sub(" ", text))
    start = 0
    while start < len(plain):
        end = start + _BLOCK_CHARS
        lengths = [len(piece) for piece in sentencex.segment(code, plain[start:end])]
        if end < len(plain) and len(lengths) > 1:
            # The last sentence may go on past the block: the next block begins with it.
            lengths.pop()
        for length in lengths:
            start += length
            if start != end and start < len(plain):
                is_torn = plain.endswith(_TORN, 0, start) and plain[start].isalnum()
                yield start - is_torn


def _leading_blanks(text: str) -> str:
    """Return the blanks that a text begins with."""
    return text[: len(text) - len(text.lstrip())]


def _count_closers(text: str, cut: int, following: int, lang: str) -> int:
    """Return the number of characters after a cut that close the sentence before it."""
    match = _LEADING_CLOSERS_RE.match(text, cut, following)
    if not match and lang not in _INWARD_LANGS:
        match = _GUILLEMET_END_RE.match(text, cut, following)
    return match.end() - cut if match else 0


def _count_late_marker(before: str, lang: str) -> int:
    """Return the length of a list number that the library left at a sentence's end."""
    match = _LATE_MARKER_RE.search(before)
    if not match:
        return 0
    words = before[: match.start(1)]
    return 0 if _is_binding(words, "1", lang) else len(match[1])


def _is_joined(before: str, after: str, lang: str, *, is_whole: bool) -> bool:
    """Test whether there is no end of a sentence between two stretches of text.

    ``is_whole``: ``before`` is all of the sentence so far.
    """
    is_spaced = before[-1:].isspace() or after[:1].isspace()
    before, after = before.rstrip(), after.lstrip()
    if not before or not after:
        return True
    if after[0] in _NO_BEGINNING or (is_whole and _MARKER_RE.match(before)):
        return True
    if lang == "jpn":
        # A quotation goes on with the particle "to", whatever ended inside the quotes.
        return before[-1] in "」』" and after[0] in "とっ"
    if not is_spaced and _splits_word(before, after):
        return True
    first = _ELISION_RE.sub("", after, count=1) if after[0] in _APOSTROPHES else after
    first = first.lstrip(_OPENING + " ")[:1]
    # Georgian letters are small ones, but its sentences begin with no others.
    is_small = first != first.title()
    if is_small and _is_continued(before, is_whole=is_whole):
        return True
    return _is_binding(before, after, lang) or _is_ordinal(before, after, lang)


def _splits_word(before: str, after: str) -> bool:
    """Test whether a cut without a blank is inside a word or an address."""
    word = before.rsplit(maxsplit=1)[-1] + after.split(maxsplit=1)[0]
    if _LETTERS_RE.search(before):
        return True
    return after[0] == "-" or bool(_ADDRESS_RE.search(word))


def _is_continued(before: str, *, is_whole: bool) -> bool:
    """Test whether a lower-case letter may continue the sentence so far."""
    if _QUOTE_END_RE.search(before) or _ORDINAL_RE.search(before):
        return True
    # Where sentences begin with small letters, a small letter tells nothing.
    is_small = is_whole and before.lstrip(_OPENING)[:1].islower()
    return before[-1] == "." and not is_small


def _is_binding(before: str, after: str, lang: str) -> bool:
    """Test whether the last word is an abbreviation that needs the next one."""
    match = _TOKEN_RE.search(before)
    if not match or not match[0].endswith("."):
        return False
    token, word = match[0].lower(), match[0][:-1]
    pair = " ".join(before.lower().split()[-2:]).lstrip(_OPENING)
    if pair in _BINDING_PAIR or _SINGLE_LETTERS_RE.search(before):
        return True
    is_listed = token in _read_list("binding", lang) and pair not in _ENDING_PAIR
    # "5 min. Later": what follows a number is its unit, unless a year may be told of.
    number = _NUMBER_BEFORE_RE.search(before, 0, match.start())
    may_be_unit = bool(number and (word[1:] or not number[1]))
    is_unit = may_be_unit and word.islower()
    is_one = after[:2] == "I " and lang not in _I_LANGS
    if is_one or _NUMBER_AHEAD_RE.match(after):
        is_short = token not in _ENDINGS and _is_short(word, lang, is_unit=is_unit)
        return is_listed or is_short or token in _read_list("before_number", lang)
    # Not all scripts have small letters.
    is_unit = may_be_unit and word == word.lower()
    if is_unit or word in _read_list("words", lang):
        return False
    is_pronoun = lang == "eng" and match[0] == "I."
    # What is left of a word after an apostrophe is no initial.
    is_rest = before[: match.start()].endswith(("'", "’")) and before[0] != match[0]
    is_initial = _INITIAL_RE.match(match[0]) and not is_pronoun and not is_rest
    return is_listed or (bool(is_initial) and after[0].isupper())


def _is_short(word: str, lang: str, *, is_unit: bool) -> bool:
    """Test whether a word is an abbreviation by its letters alone, in any language."""
    plain = unicodedata.normalize("NFD", word.lower())
    plain = "".join(filter(str.isalpha, plain))
    if len(plain) == 1 or _DOTTED_RE.fullmatch(word):
        return word == word.lower() and not is_unit
    if not (word.islower() or word.istitle()) or not _CASED_RE.match(plain):
        return False
    is_syllabic = lang in _SYLLABIC_LANGS and _SYLLABIC_RE.search(plain)
    return bool(_NO_VOWEL_RE.fullmatch(plain)) and not is_syllabic


def _is_ordinal(before: str, after: str, lang: str) -> bool:
    """Test whether a number with a period stands before the noun that it counts."""
    if lang not in _ORDINAL_LANGS:
        return False
    match = _ORDINAL_RE.search(before)
    if not match:
        return False
    preceding = (match[1] or "").lower()
    return preceding in _BEFORE_ORDINAL or bool(_AFTER_ORDINAL_RE.match(after))
