"""Letters of languages beyond ASCII, the frequent ones first.

Encodings are told apart by the letters that they make of the bytes. The order within an
alphabet is rough on purpose: it stands for a language, not for a text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice
from math import log

from resiliparse.parse.encoding import detect_encoding

from ilspfc.cleaning.encoding.charsets import codec_of, read_all

# Letters of languages beyond ASCII, the frequent ones first. Encodings are told apart by the
# letters that they make of the bytes. The order within an alphabet is rough on purpose: it stands
# for a language, not for a text. In lower case; capitals follow from them.
ALPHABETS = {
    "ca": "àéóèíçòúïü·",
    "cs": "íáěéžšřčýůúťďňó",
    "cy": "ŵŷôâêîûïëáéö",
    "da": "åøæé",
    "de": "üäöß",
    "en": "éïèñöáç",
    "eo": "ĝĉŝŭĵĥ",
    "es": "óíáéñúü¿¡",
    "et": "äõüöšž",
    "fi": "äöå",
    "fr": "éèàêçôîùûâïœëæ’",
    "ga": "áíéóú",
    "hr": "čšžćđ",
    "hu": "áéöóőüíúű",
    "is": "ðíáóþéöúýæ",
    "it": "èàùòéìù",
    "lt": "ėšųįčžąęū",
    "lv": "āīēšūņļžķčģōŗ",
    "mt": "ħżġċàòùè",
    "nl": "ëéïèöü",
    "no": "øåéæò",
    "pl": "ąęłóśżćńź",
    "pt": "ãçáéíóõêâúàôü",
    "ro": "ăîâşţșț",
    "sk": "áíéčýžšúľťôňäďóĺŕ",
    "sl": "čšž",
    "sq": "ëç",
    "sv": "äåöé",
    "tr": "ıişüğçöâîİ",
    "vi": "đươôâêăàáạảãèéẻẽẹìíịòóọõùúủụýỳ\u0301\u0300\u0309\u0323\u0303",
    "el": "αοιετνσηρπςκυμλωάόίέδήγχθφύώβξζψϊΐϋΰ",
    "be": "анеіоцрялкськдтумвўпзчгхшыёбэюйжф’",
    "bg": "аеиотнрсвлкдпмзябъучщгйжцхшюьф",
    "mk": "аоиетнрсвлкдпмјузчгбшжцќхѓџњљфѕ",
    "ru": "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё",
    "sr": "аоиенрстјувдкмлпзгбшчцжљњћхђфџ",
    "uk": "оаинтвіерслкдмупзгябйьючжїхшцщєфґ",
    "he": "ויהלאמרתבשנעםדקחפסטכגןצזךףץ\u05b0\u05b7\u05b8\u05b4",
    "ar": "اليمنرتبودسعفهكقحجةشطصخذىزضغئأثظءؤإآ،؟ـ",
    "fa": "ایرندهتمبوسشکزگفخعجقلپحچصطآضذغثژظ،؟\u200c",
    "ur": "ایرکنیہےتسمبولدجپعگشفقحٹخچھںزطضصڈ،ئ۔",
    "th": "านรกอเงมย่วลด้ตท\u0e31\u0e35\u0e34สะปบคหจแพใชขไ\u0e37\u0e38\u0e33ผโ\u0e39ณถ\u0e47ธซศษญึ",
}

# Of scripts with thousands of signs, the most frequent.
SIGNS = {
    "zh": "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行"
    "所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长"
    "把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身"
    "果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活"
    "尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展"
    "马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确",
    "zh-hant": "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行"
    "所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日軍者意無力它與長"
    "把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身"
    "果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活"
    "爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展"
    "馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確",
    "ja": "のにるたとはしいてをなでがりれっかこもらすさあきんくうまよそつけどえわめだおンスルトーラアイリクタシレドジフロ"
    "せやみちねほへふむろじびばずごぐげざべぶぼぎづょゅゃップマコカテサムバニキメデグパブダウチセツオソモナケハミビワ"
    "ガユボゴポザズヴネノエヒホャュョ日年大一人国会中本東者月市出同地学時分生行事社長後上自前場部的合新間方名見立京"
    "代子業家県動体高発最多当所野手内対作定小通関理入全外開化目三下海田表水道法山度世性教物明文主回問金使公記力第",
    "ko": "이다는에의가을고하지로한은사도어자리기대나를인들시서해일정수그아라과있전주보부게제으구성만여원스국동유장소상"
    "적우공위조것했신마무오없년선면진관경방개비요모세용교않연분생안까계거실었미중문람치결행할회할간산민내각바업문화발"
    "당학통명물식법영말본르트드되던려며했습니러알될달차었음반양단등히운역작살심같크남두월난노표와강입합날서",
}

# Quotes, dashes and the like, in all languages.
PUNCTUATION = "’“”„–‘—«»…\u00a0•·°©€§›‹®№‚²£½×™µ´±³¼¾†‰\u200e\u200f"
# Of the Far East.
WIDE_PUNCTUATION = (
    "、。，「」（）：；？！・《》『』ー\u3000“”…—〜～【】１２３４５６７８９０＂％"
)


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
        is_ascii = lang == _ASCII_LANG
        share = _ASCII_LANG_PUNCTUATION_SHARE if is_ascii else _PUNCTUATION_SHARE
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
# All that is beyond ASCII in many English pages; elsewhere the bytes may be letters. Digits
# and fractions are letters of Central Europe too often.
_PLAIN = {*PUNCTUATION} - {*"¹²³±¼½¾º´µ"}
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

_ASCII = bytes(range(0x80))
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
    return codec if is_mostly_text(read_all(body, codec)) else None


def is_mostly_text(text: str) -> bool:
    """Test whether hardly a character of a reading is U+FFFD."""
    return text.count("\ufffd") <= len(text) // 100


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
    beyond_ascii = sample.translate(None, _ASCII).decode(_FALLBACK, "replace")
    if {*believed} <= {_FALLBACK} and {*beyond_ascii} <= _PLAIN:
        return _FALLBACK
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
