"""Detection of encodings where the declaration is missing or may be wrong.

Readings of the bytes are compared by plausibility. Each language is a unigram model of the
characters beyond ASCII; a reading scores the log probability of its characters in the
language that explains them best, less penalties for sequences that no spelling has: a
symbol within a word, a capital after a small letter, two scripts in one word.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice
from math import log

from resiliparse.parse.encoding import detect_encoding

from ilspfc.cleaning.encoding.alphabets import (
    ALPHABETS,
    PUNCTUATION,
    SIGNS,
    WIDE_PUNCTUATION,
)
from ilspfc.cleaning.encoding.big5 import BIG5_CHARACTERS
from ilspfc.cleaning.encoding.charsets import codec_of

# Natural logarithms throughout. Shares of a text's characters beyond ASCII:
_PUNCTUATION_SHARE = 0.1
# A language without letters of its own beyond ASCII: English.
_ASCII_LANG = "en"
_ASCII_LANG_PUNCTUATION_SHARE = 0.8
_CAPITAL_SHARE = 0.05
_WIDE_PUNCTUATION_SHARE = 0.15
_SIGNS_SHARE = 0.6
# Characters in no list: rare signs, letters of other languages, characters of no text.
_RARE_SIGN = log(0.25 / 7000)
_FOREIGN_LETTER = log(0.0005)
_SYMBOL = log(0.0001)
_NO_TEXT = -14.0
# Only languages with one of this many most frequent letters of the text are tried.
_LOOKED_UP = 4

_NO_TEXT_RE = re.compile("[\x80-\x9f\ue000-\uf8ff\ufffd]")
_RARE_SIGN_RE = re.compile("[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")
_CASED = [chr(code) for code in range(0x80, 0x530)]
_LOWER = "".join(char for char in _CASED if char.islower())
_UPPER = "".join(char for char in _CASED if char.isupper())
_LATIN = "a-zA-Zß-öø-ÿÀ-ÖØ-ÞĀ-ɏ"
_OTHER = "Ͱ-ԯא-ת\u0620-\u06d3\u0e01-\u0e4e"
_SYMBOLS = "¡-©¬®-´¶¸¹»-¿×÷†-•‰™‡ˆ˜\u2500-\u25ff"
# Sequences that no spelling has, and their log probabilities.
_FAULTS = (
    (re.compile(f"[a-z{_LOWER}](?=[{_UPPER}])|[{_LOWER}](?=[A-Z])"), -3.0),
    (re.compile(f"[{_LATIN}](?=[{_OTHER}])|[{_OTHER}](?=[{_LATIN}])"), -4.0),
    (re.compile(f"[{_LATIN}{_OTHER}][{_SYMBOLS}](?=[{_LATIN}{_OTHER}])"), -4.0),
    (
        re.compile(f"(?<![{_LATIN}{_OTHER}0-9])[¤¦¨¬¯-³¹´¶¸¼-¾](?=[{_LATIN}{_OTHER}])"),
        -2.0,
    ),
    (re.compile("[\u0370-\u03ff](?=[\u0400-\u052f])"), -4.0),
    # Half-width kana: hardly any text uses them.
    (re.compile("[\uff61-\uff9f]"), -4.0),
)


def _ranked(chars: Iterable[str], share: float) -> dict[str, float]:
    """Return probabilities that fall with the rank and add up to ``share``."""
    weights = {char: 1 / (rank + 3) for rank, char in enumerate(dict.fromkeys(chars))}
    total = sum(weights.values())
    return {char: share * weight / total for char, weight in weights.items()}


@cache
def _models() -> dict[str, dict[str, float]]:
    """Return the log probabilities of the characters, by language."""
    models = {}
    for lang, letters in ALPHABETS.items():
        share = _PUNCTUATION_SHARE
        if lang == _ASCII_LANG:
            share = _ASCII_LANG_PUNCTUATION_SHARE
        punctuation = _ranked(PUNCTUATION, share)
        small = _ranked(letters, 1 - _CAPITAL_SHARE - share)
        capitals = {
            char.upper(): probability * _CAPITAL_SHARE
            for char, probability in small.items()
            if len(char.upper()) == 1
        }
        models[lang] = capitals | small | punctuation
    wide = _ranked(WIDE_PUNCTUATION, _WIDE_PUNCTUATION_SHARE)
    for lang, signs in SIGNS.items():
        models[lang] = _ranked(signs, _SIGNS_SHARE) | wide
    return {
        lang: {char: log(probability) for char, probability in model.items()}
        for lang, model in models.items()
    }


@cache
def _langs_of() -> dict[str, set[str]]:
    """Return the languages that have a character among their letters or signs."""
    langs: dict[str, set[str]] = {}
    common = {*PUNCTUATION, *WIDE_PUNCTUATION}
    for lang, model in _models().items():
        for char in model.keys() - common:
            langs.setdefault(char, set()).add(lang)
    return langs


def _unlisted(char: str) -> float:
    """Return the log probability of a character outside the list of a language."""
    if _NO_TEXT_RE.match(char):
        return _NO_TEXT
    if _RARE_SIGN_RE.match(char):
        return _RARE_SIGN
    return _FOREIGN_LETTER if char.isalpha() else _SYMBOL


def plausibility(text: str) -> float:
    """Return the log probability of a text's characters beyond ASCII, 0 if it has none.

    Readings of the same bytes can be compared by it.
    """
    counts = Counter(char for char in text if char > "\x7f")
    if not counts:
        return 0.0
    unlisted = {char: _unlisted(char) for char in counts}
    models, langs_of = _models(), _langs_of()
    frequent = (char for char, _ in counts.most_common() if char in langs_of)
    langs = set[str]().union(*(langs_of[char] for char in islice(frequent, _LOOKED_UP)))
    best = max(
        sum(
            count * models[lang].get(char, unlisted[char])
            for char, count in counts.items()
        )
        for lang in langs | {_ASCII_LANG}
    )
    return best + sum(weight * len(fault.findall(text)) for fault, weight in _FAULTS)


_FALLBACK = "cp1252"
_EAST_ASIAN_CODECS = frozenset({"big5hkscs", "cp932", "iso2022_jp"})
_EAST_ASIAN_ERRORS = "ilspfc-east-asian"
# Encodings of undeclared pages, the frequent ones first; of equal readings the first counts.
_CANDIDATES = (
    "cp1252 cp1251 cp1250 gb18030 cp932 euc_jp big5hkscs cp949 iso8859-2 cp1254 cp1253 cp1256"
    " cp1257 cp1255 cp874 iso8859-15 iso8859-7 koi8-r koi8-u iso8859-5 cp1258 iso8859-6"
    " iso8859-4 iso8859-13 iso8859-16 iso8859-3 cp866 mac-roman mac_cyrillic"
).split()
# Log probabilities, in favor of a reading before it is looked at.
_RARE = dict.fromkeys(
    "iso8859-5 iso8859-6 iso8859-16 iso8859-3 iso8859-4".split(), -3.0
)
_PRIORS = _RARE | {"cp866": -5.0, "mac-roman": -6.0, "mac_cyrillic": -6.0}
_DETECTED_PRIOR = 3.0
# Lead of another reading over the declared one before a declaration is disbelieved: in
# all, and for each byte of the sample beyond ASCII.
_MARGIN = 12.0
_MARGIN_EACH = 0.3
# Many servers declare Latin-1 by default.
_DEFAULT_MARGIN = 8.0
_DEFAULT_MARGIN_EACH = 0.1

_MARKUP_RE = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1|\Z)|<[^<>]*>",
    re.IGNORECASE | re.DOTALL,
)
# Bytes beyond ASCII with what may be the second half of a character, and some letters.
_RUN_RE = re.compile(rb"[\x00-\x7f]{0,3}(?:[\x80-\xff][\x00-\x7f]{0,3}){1,500}")
_SAMPLE_BYTES = 3000
# Bytes from which the sample is taken, and of them before the first beyond ASCII.
_SEARCHED_BYTES = 512 * 1024
_LEAD_BYTES = 4096
_BEYOND_ASCII_RE = re.compile(rb"[\x80-\xff]")

_BEYOND_ASCII = bytes(range(0x80, 0x100))
_MIN_UTF_16_BYTES = 8
_ISO_2022_JP_RE = re.compile(rb"\x1b\$[@B][^\x1b]{2,}\x1b\([BJ]")
# Shifts of ISO-2022-KR and -CN, and of HZ.
_ISO_2022_KR_RE = re.compile(rb"\x1b\$\)[CAG]")
_HZ_RE = re.compile(rb"~\{[^~]{2,}~\}")


def is_stateful(body: bytes) -> bool:
    """Test whether ASCII bytes hold the shifts of an encoding that no browser reads."""
    has_shift = b"\x0e" in body and _ISO_2022_KR_RE.search(body) is not None
    return has_shift or _HZ_RE.search(body) is not None


def _sample(body: bytes) -> bytes:
    """Return the stretches of text that are not ASCII, without markup."""
    beyond = _BEYOND_ASCII_RE.search(body)
    start = max(beyond.start() - _LEAD_BYTES, 0) if beyond else 0
    body = body[start : start + _SEARCHED_BYTES]
    text = _MARKUP_RE.sub(b" ", body)
    runs = []
    size = 0
    for run in _RUN_RE.finditer(body if text.isascii() else text):
        runs.append(run[0])
        size += len(run[0])
        if size >= _SAMPLE_BYTES:
            break
    return b" \n".join(runs)[: 2 * _SAMPLE_BYTES]


def read_all(body: bytes, codec: str) -> str:
    """Return the text of bytes; U+FFFD stands for what the codec cannot read.

    A character that the end of the bytes cuts is left out.
    """
    errors = _EAST_ASIAN_ERRORS if codec in _EAST_ASIAN_CODECS else "replace"
    decoder = codecs.getincrementaldecoder(codec)(errors)
    return decoder.decode(body)


def _replace_east_asian(error: UnicodeError) -> tuple[str, int]:
    """Return the replacement of undecodable bytes by the Encoding Standard (section 12).

    A pair that is no character is one U+FFFD, unless its second byte is ASCII. The rows
    of NEC and IBM, which Python's ISO-2022-JP lacks, are those of cp932.
    """
    if not isinstance(error, UnicodeDecodeError):
        raise error
    pair = error.object[error.start : error.start + 2]
    if error.encoding == "big5hkscs":
        character = BIG5_CHARACTERS.get(pair)
        return (character, error.start + 2) if character else ("\ufffd", error.end)
    if len(pair) == 2 and all(0x21 <= byte <= 0x7E for byte in pair):
        row, cell = pair
        first = (row - 0x21 >> 1) + (0x81 if row < 0x5F else 0xC1)
        second = cell + (0x1F + (cell >= 0x60) if row & 1 else 0x7E)
        return bytes((first, second)).decode("cp932", "replace")[:1], error.start + 2
    is_one = error.encoding == "cp932" and len(pair) == 2 and pair[1] >= 0x80
    return "\ufffd", error.start + 2 if is_one else error.end


codecs.register_error(_EAST_ASIAN_ERRORS, _replace_east_asian)


def looks_like_utf_16(body: bytes) -> str | None:
    """Return the byte order of UTF-16 without a byte order mark, by its zero bytes.

    Markup is ASCII, half of whose bytes are zero, whatever the script of the text.
    """
    head = body[:4096]
    if len(head) < _MIN_UTF_16_BYTES:
        return None
    even, odd = head[::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    codec = "utf-16-le" if odd > even else "utf-16-be"
    if max(even, odd) < 0.1 * half or min(even, odd) > 0.02 * half:
        return None
    text = read_all(body, codec)
    return codec if text.count("\ufffd") <= len(text) // 100 else None


def _count_ascii(body: bytes) -> int:
    return len(body.translate(None, _BEYOND_ASCII))


def looks_like_utf_8(body: bytes) -> bool:
    """Test whether bytes are UTF-8 but for a few invalid ones.

    A character cut at the end or a stray byte is no sign of another encoding: text in a
    legacy encoding is hardly ever valid UTF-8 by chance.
    """
    text = read_all(body, "utf-8")
    broken = text.count("\ufffd")
    valid = len(text) - broken - _count_ascii(body)
    return valid > 10 * broken


def looks_like_iso_2022_jp(body: bytes) -> bool:
    """Test whether the bytes have the escape sequences of ISO-2022-JP."""
    return _ISO_2022_JP_RE.search(body) is not None


def choose(body: bytes, believed: Sequence[str]) -> str:
    """Return the codec of bytes that are neither ASCII nor UTF-8.

    ``believed`` are the declared codecs, the most trusted first. The first one whose
    reading is not much less plausible than the best is returned, else the best.
    """
    sample = _sample(body)
    detected = codec_of(detect_encoding(sample, html5_compatible=False))
    scores: dict[str, float] = {}
    for codec in dict.fromkeys((*believed, *_CANDIDATES)):
        if codec.startswith("utf-16"):
            continue
        scores[codec] = plausibility(read_all(sample, codec)) + _PRIORS.get(codec, 0)
    if detected in scores:
        scores[detected] += _DETECTED_PRIOR
    best = max(scores, key=scores.__getitem__, default=_FALLBACK)
    beyond = len(sample) - _count_ascii(sample)
    for codec in believed:
        lead = scores[best] - scores.get(codec, -float("inf"))
        margin = _MARGIN + _MARGIN_EACH * beyond
        if codec == _FALLBACK:
            margin = _DEFAULT_MARGIN + _DEFAULT_MARGIN_EACH * beyond
        if lead <= margin:
            return codec
    return best
