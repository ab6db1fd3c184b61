"""Reasons against a translation unit: measures of its texts beside their bounds.

The list is that of ILSP-FC's merger with wrong languages, quality and alignment type; the
words of the remarks are ILSP-FC's where it has the remark, so that its users' scripts go
on working. :mod:`ilspfc.exports.selection` acts on the reasons.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import NamedTuple, Self

import numpy as np

from ilspfc.exports.units import length_ratio
from ilspfc.text.arrays import FloatArray
from ilspfc.text.word_split import SYLLABLE_MARKS, UNSPACED, WORD_MARKS

_NOT_SPACED = f"{UNSPACED}{SYLLABLE_MARKS}{WORD_MARKS}"
_NOT_SPACED_RE = re.compile(f"[{_NOT_SPACED}]")
# Vowel signs and accents of their own, which Unicode does not count as letters.
_MARKS = "\u0300-\u036f\u0591-\u05bd\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
# Words as in ILSP-FC's merger: unlike in ilspfc.text.tokens, vowel signs without a letter
# count, because remarks and duplicates depend on them.
_WORD_RE = re.compile(rf"[{UNSPACED}]|(?:[^\W\d_{UNSPACED}{_MARKS}]|(?!\d)[{_MARKS}])+")
_DIGIT_RE = re.compile(r"\d")
# Thousands in groups of three, in India of two before the last; then decimals, minutes and
# the parts of a date.
_BLANKS = "\u00a0\u2007\u2009\u202f"
_NUMBER_RES = [
    re.compile(
        rf"([1-9][0-9]{{0,2}}(?:([.,'’٬．，{blanks}])[0-9]{{3}}(?:\2[0-9]{{3}})*"
        r"|(?:,[0-9]{2})+,[0-9]{3})(?![0-9])|[0-9]+)"
        r"((?:[.,٫．，][0-9]+|[:h][0-9]{2}(?!\W?[0-9]))*)"
    )
    for blanks in (_BLANKS, f"{_BLANKS} ")
]
_READINGS = [(number, has_days) for number in _NUMBER_RES for has_days in (False, True)]
_ADDRESS_RE = re.compile(r"https?://\S+|www\.\S+|\S+@\S+\.\w+", re.IGNORECASE)
_EMAIL_RE = re.compile(r"\S+@\S+\.\w+")
_TOKEN_RE = re.compile(rf"[^\s{_NOT_SPACED}]+")
_COUNTED_RE = re.compile(rf"[{UNSPACED}]|[^\s{_NOT_SPACED}]+")

# Signs of program code, commands and paths within a token; of letters and digits in one.
_CODE_RE = re.compile(
    r"[\\{}<>=_$#@*~^\[\]`/]|::|--|\w\(|;$|[^\W\d_]\d|\d[^\W\d_]", re.MULTILINE
)
_WORD_TOKEN_RE = re.compile(r"\W*[^\W\d_]+(?:['’-][^\W\d_]+)*\W*")

ADDRESS_SHARE = 0.5
"""Part of a segment that may be addresses (ILSP-FC)."""

NEIGHBORS = 8
"""Units before and after a unit that are its neighbors."""

LONG_MEDIAN_CHARS = 25
"""Length that the median token of a segment must not reach (ILSP-FC)."""


class ExportReason(StrEnum):
    """Reasons against a translation unit, in the order of the remarks.

    ``remark`` is the text of the remark, in ILSP-FC's words if it has one, with the names of
    thresholds as fields.
    """

    remark: str

    def __new__(cls, value: str, remark: str = "") -> Self:
        """Return the reason with its remark."""
        reason = str.__new__(cls, value)
        reason._value_, reason.remark = value, remark
        return reason

    NO_LETTERS = "no_letters", "non-letters"
    IDENTICAL = "identical", "equal TUVs"
    SHORT = "short", "very short segments, shorter than {min_tokens}"
    LENGTH_RATIO = (
        "length_ratio",
        "charlength ratio of TUVs is lower than {min_ratio:g} or higher than {max_ratio:g}",
    )
    NUMBERS = "numbers", "different numbers in TUVs"
    EMAIL = "email", "e-mail address"
    URL = "url", "url"
    CAPITALS = "capitals", "all capitals in one TUV"
    LONG_TOKENS = "long_tokens", "token longer than {max_token_chars}"
    CODE = "code", "code"
    LANGUAGE = "language", "another language"
    QUALITY = "quality", "score lower than {min_score:g}"
    UNSURE_NUMBERS = (
        "unsure_numbers",
        "different numbers in TUVs and score lower than {min_numbers_score:g}",
    )
    TYPE = "type", "alignment type other than {kinds}"
    UNALIGNED = "unaligned", "mean score of the neighbors lower than {min_neighbors:g}"
    PERSONAL_DATA = "personal_data", "personal data"
    SCORER = "scorer", "low score of a scorer"
    TEST_SET = "test_set", "segment of a test set"
    DUPLICATE = "duplicate", "duplicate"
    NEAR_DUPLICATE = "near_duplicate", "near-duplicate"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Bounds on the measures; the defaults are ILSP-FC's production settings.

    ``min_tokens`` words a side (-mtuvl 3), bounds of the ratio of characters (-minlr 0.6
    -maxlr 1.6), ``max_token_chars`` of the longest token, ``kinds`` of alignment
    (-segtypes 1:1). ``min_score`` of the alignment and ``min_neighbors``, of the mean score
    of the neighbors, are ours: below them units of Text+Berg are no more often right than
    wrong (``python -m evaluation.alignment``). ``min_numbers_score`` is that of units with
    different numbers: of units judged by eye between both 0 of 9 with and 94 of 119 without
    different numbers are right (``python -m evaluation.unit_scores``).
    """

    min_tokens: int = 3
    min_ratio: float = 0.6
    max_ratio: float = 1.6
    max_token_chars: int = 30
    min_score: float = 0.6
    min_numbers_score: float = 0.9
    kinds: frozenset[str] = frozenset({"1:1"})
    min_neighbors: float = 0.6


def _read(text: str) -> tuple[list[str], list[int]]:
    """Return the words, and the lengths of the tokens."""
    tokens = words = text.lower().split()
    if text.isascii() or not _NOT_SPACED_RE.search(text):
        # Most tokens are words as they are: a quarter of the time of matching them all.
        places = [n for n, token in enumerate(tokens) if not token.isalpha()]
        if places:
            words = tokens.copy()
            for place in reversed(places):
                words[place : place + 1] = _WORD_RE.findall(tokens[place])
    else:
        words = _WORD_RE.findall(text.lower())
        tokens = _TOKEN_RE.findall(text)
    return words, list(map(len, tokens))


def _numbers_agree(source: str, target: str) -> bool:
    """Test whether two texts have the same numbers.

    A space between digits may separate thousands or two numbers, and 06.05 may be a day or an
    hour: it is enough that one reading of both agrees.
    """
    if source == target or not (_DIGIT_RE.search(source) or _DIGIT_RE.search(target)):
        return True
    source, target = (
        text if text.isascii() else _DIGIT_RE.sub(_to_ascii, text)
        for text in (source, target)
    )
    readings = [_read_numbers(source, *reading) for reading in _READINGS]
    return any(_read_numbers(target, *reading) in readings for reading in _READINGS)


def _to_ascii(digit: re.Match[str]) -> str:
    return str(unicodedata.decimal(digit[0]))


def _read_numbers(text: str, number: re.Pattern[str], has_days: bool) -> list[str]:
    """Return the sorted numbers of a text, decimals and minutes as numbers of their own.

    Leading zeros are removed, except those of decimals and minutes, and so are parts that are
    zero, because many texts omit them. With ``has_days`` 06.05 is a day and a month.
    """
    found = []
    for head, _, rest in number.findall(text):
        whole = "".join(filter(str.isdigit, head))
        parts = re.findall("[0-9]+", rest)
        is_day = has_days and whole[0] == "0" != whole
        is_decimal = len(parts) == 1 and not is_day
        found.append(whole.lstrip("0") or "0")
        found += [
            part if is_decimal else part.lstrip("0")
            for part in parts
            if part.strip("0")
        ]
    return sorted(found)


def _is_median_long(lengths: list[int]) -> bool:
    if max(lengths, default=0) < LONG_MEDIAN_CHARS:
        return False
    return sorted(lengths)[len(lengths) // 2] >= LONG_MEDIAN_CHARS


def _is_code(text: str) -> bool:
    """Test whether more tokens of a text are code, or of a listing, than are words."""
    if not _CODE_RE.search(text):
        return False
    # Where words have no spaces between them, each character counts.
    tokens = _COUNTED_RE.findall(text)
    code = sum(bool(_CODE_RE.search(token)) for token in tokens)
    words = sum(
        bool(_WORD_TOKEN_RE.fullmatch(token) and not _CODE_RE.search(token))
        for token in tokens
    )
    return code > words


def find_reasons(source: str, target: str, limits: Thresholds) -> list[ExportReason]:
    """Return the reasons against a pair of segments by its texts, in the order of the remarks.

    Numbers agree when both sides have the same values in any order and any script, so that
    dates and thousands may be written as each language does. Scripts without spaces have no
    lengths of tokens. Code is what has more tokens of code than words on both sides.

    >>> find_reasons("Er wog am 3. Mai 70 kg.", "Il 3 maggio pesava 70 kg.", Thresholds())
    []
    >>> [str(reason) for reason in find_reasons("Seite 4", "Pagina 5", Thresholds())]
    ['short', 'numbers']
    """
    words, lengths = _read(source)
    others, other_lengths = _read(target)
    shorter = min(len(words), len(others))
    shares = zip(_address_shares(source), _address_shares(target), strict=True)
    email_share, url_share = map(max, shares)
    ratio = length_ratio(source, target)
    capitals_differ = source.isupper() != target.isupper()
    longest_token = max(lengths + other_lengths, default=0)
    is_median_long = _is_median_long(lengths) or _is_median_long(other_lengths)
    checks = (
        (ExportReason.NO_LETTERS, not shorter),
        (ExportReason.IDENTICAL, shorter and words == others),
        (ExportReason.SHORT, shorter < limits.min_tokens),
        (ExportReason.LENGTH_RATIO, not limits.min_ratio <= ratio <= limits.max_ratio),
        (ExportReason.NUMBERS, not _numbers_agree(source, target)),
        (ExportReason.EMAIL, email_share > ADDRESS_SHARE),
        (ExportReason.URL, url_share > ADDRESS_SHARE),
        # A single word in capitals is an acronym on one side.
        (ExportReason.CAPITALS, capitals_differ and shorter > 1),
        (
            ExportReason.LONG_TOKENS,
            longest_token > limits.max_token_chars or is_median_long,
        ),
        (ExportReason.CODE, _is_code(source) and _is_code(target)),
    )
    return [reason for reason, holds in checks if holds]


class UnitSigns(NamedTuple):
    """Signals on the quality of a unit beside its texts.

    ``kind`` is the alignment type, empty if unknown, ``score`` its quality, None if
    unknown; ``neighbors`` is the mean score of the units around it
    (:func:`neighbor_scores`). ``is_foreign``: a side is in another language than it should be,
    ``is_personal``: a side has personal data, ``is_low``: a score of the user's scorers is
    below its threshold, ``is_test``: a side is in a test set.
    """

    kind: str = ""
    score: float | None = None
    neighbors: float = 1.0
    is_foreign: bool = False
    is_personal: bool = False
    is_low: bool = False
    is_test: bool = False


def judge_unit(
    source: str, target: str, signs: UnitSigns, limits: Thresholds
) -> list[ExportReason]:
    """Return all reasons against a unit but those of duplicates, in the order of the remarks."""
    score = signs.score
    reasons = find_reasons(source, target, limits)
    is_unsure = score is not None and score < limits.min_numbers_score
    checks = (
        (ExportReason.LANGUAGE, signs.is_foreign),
        (ExportReason.QUALITY, score is not None and score < limits.min_score),
        (ExportReason.UNSURE_NUMBERS, is_unsure and ExportReason.NUMBERS in reasons),
        (ExportReason.TYPE, bool(signs.kind) and signs.kind not in limits.kinds),
        (ExportReason.UNALIGNED, signs.neighbors < limits.min_neighbors),
        (ExportReason.PERSONAL_DATA, signs.is_personal),
        (ExportReason.SCORER, signs.is_low),
        (ExportReason.TEST_SET, signs.is_test),
    )
    return reasons + [reason for reason, holds in checks if holds]


def neighbor_scores(scores: Sequence[float]) -> FloatArray:
    """Return the mean score of the neighbors of each unit of a page; 1 without any.

    >>> neighbor_scores([0.9, 0.1, 0.5]).round(2).tolist()
    [0.3, 0.7, 0.5]
    """
    values = np.array(scores, np.float64)
    places = np.arange(values.size)
    first = np.maximum(places - NEIGHBORS, 0)
    end = np.minimum(places + NEIGHBORS + 1, values.size)
    sums = np.concatenate([[0.0], values.cumsum()])
    numbers = end - first - 1
    means: FloatArray = (sums[end] - sums[first] - values) / np.maximum(numbers, 1)
    means[numbers == 0] = 1.0
    return means


def describe(reason: ExportReason, limits: Thresholds) -> str:
    """Return the remark for a reason."""
    kinds = ",".join(sorted(limits.kinds))
    return reason.remark.format(**{**asdict(limits), "kinds": kinds})


def find_words(text: str) -> list[str]:
    """Return the words of a text: runs of letters, in lower case.

    >>> find_words("Art. 5: Größe, 天气")
    ['art', 'größe', '天', '气']
    """
    return _read(text)[0]


def count_bitextor_tokens(text: str) -> int:
    """Return the number of tokens between spaces; a Han character or the like is one.

    As in Bitextor's column; documents count two such characters as a word.

    >>> count_bitextor_tokens("Art. 5: 天气")
    4
    """
    if text.isascii() or not _NOT_SPACED_RE.search(text):
        return len(text.split())
    return len(_COUNTED_RE.findall(text))


def _address_shares(text: str) -> tuple[float, float]:
    """Return the parts of a text, by characters, that are e-mail addresses and URLs."""
    if "@" not in text and "//" not in text and "www." not in text.lower():
        return 0.0, 0.0
    email = url = 0
    for address in _ADDRESS_RE.findall(text):
        if _EMAIL_RE.fullmatch(address) and "//" not in address:
            email += len(address)
        else:
            url += len(address)
    return email / len(text), url / len(text)
