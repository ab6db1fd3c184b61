"""Pages that declare no encoding, or the wrong one."""

from __future__ import annotations

import pytest

from ilspfc.cleaning.encoding.charsets import MAX_BYTES, find_declared, read_all
from ilspfc.cleaning.encoding.decoding import decode
from ilspfc.cleaning.encoding.detection import plausibility

HTML = "text/html"
TEXTS = {
    "de": "Größere Gefährdungen müssen gemäß Übersicht geprüft werden.",
    "pl": "Pracodawca jest obowiązany chronić zdrowie i życie pracowników; środki są nowe.",
    "cs": "Zaměstnavatel je povinen zajistit bezpečnost při práci a chránit životy.",
    "hu": "A munkáltató köteles gondoskodni a munkavállalók egészségéről és őrzésről.",
    "lt": "Darbdavys privalo užtikrinti darbuotojų saugą ir sveikatą įmonėje, šį kartą.",
    "tr": "İşveren, işçilerin sağlığını ve güvenliğini sağlamakla yükümlüdür.",
    "ru": "Работодатель обязан обеспечить безопасные условия и охрану труда.",
    "uk": "Роботодавець зобов'язаний забезпечити її безпеку та охорону праці їхнім людям.",
    "el": "Ο εργοδότης υποχρεούται να εξασφαλίζει την υγεία των εργαζομένων.",
    "he": "המעסיק חייב לדאוג לבטיחות העובדים במקום העבודה.",
    "ar": "يجب على صاحب العمل حماية صحة العمال في مكان العمل.",
    "th": "นายจ้างต้องดูแลความปลอดภัยของลูกจ้างในที่ทำงาน",
    "zh": "用人单位应当保护劳动者在工作中的安全和健康。",
    "zh-TW": "雇主應該保護勞動者在工作場所的安全與健康，這是法律的要求。",
    "ja": "事業者は労働者の安全と健康を確保しなければならない。",
    "ko": "사업주는 근로자의 안전과 건강을 보호하여야 한다.",
}
CODECS = [
    ("de", "cp1252"),
    ("pl", "cp1250"),
    ("pl", "iso8859-2"),
    ("cs", "cp1250"),
    ("hu", "iso8859-2"),
    ("lt", "cp1257"),
    ("tr", "cp1254"),
    ("ru", "cp1251"),
    ("ru", "koi8-r"),
    ("ru", "cp866"),
    ("uk", "koi8-u"),
    ("el", "iso8859-7"),
    ("he", "cp1255"),
    ("ar", "cp1256"),
    ("th", "cp874"),
    ("zh", "gb18030"),
    ("zh-TW", "big5hkscs"),
    ("ja", "cp932"),
    ("ja", "euc_jp"),
    ("ja", "iso2022_jp"),
    ("ko", "cp949"),
    ("ru", "utf-16-le"),
    ("zh", "utf-16-be"),
]


def page(text: str, head: str = "") -> str:
    return f"<!DOCTYPE html><html><head>{head}</head><body><p>{text}</p></body></html>"


@pytest.mark.parametrize(("lang", "codec"), CODECS)
@pytest.mark.parametrize("header", ["", "; charset=utf-8", "; charset=iso-8859-1"])
def test_a_page_is_read_though_nothing_true_is_declared(
    lang: str, codec: str, header: str
) -> None:
    text = page(TEXTS[lang])
    assert decode(text.encode(codec), HTML + header)[0] == text


@pytest.mark.parametrize(("lang", "codec"), CODECS[:-2])
def test_a_wrong_header_gives_way_to_a_right_meta_element(
    lang: str, codec: str
) -> None:
    label = {"cp949": "euc-kr", "cp932": "shift_jis", "cp874": "tis-620"}.get(
        codec, codec.replace("cp125", "windows-125").replace("hkscs", "")
    )
    text = page(TEXTS[lang], f'<meta charset="{label.replace("_", "-")}">')
    assert decode(text.encode(codec), f"{HTML}; charset=iso-8859-1")[0] == text


def test_little_evidence_does_not_outweigh_a_declaration() -> None:
    body = page("l'été à la plage").encode("latin-1")
    text, codec = decode(body, f"{HTML}; charset=iso-8859-2")
    assert codec == "iso8859-2"
    assert "étéŕ" in text.replace(" ", "")


def test_apostrophes_alone_are_no_other_encoding() -> None:
    """In the encoding of old Macs they would be letters, and English has few others."""
    text = page("It’s an employer’s duty; “don’t” isn’t a plan – it’s a habit. " * 9)
    assert decode(text.encode("cp1252")) == (text, "cp1252")
    for text in (page("Costs: £3,000 to £6,000. " * 9), page("Home\u00a0| Help" * 9)):
        assert decode(text.encode("cp1252")) == (text, "cp1252")


def test_a_stray_byte_does_not_make_utf_8_another_encoding() -> None:
    body = page(TEXTS["ru"]).encode() + b"<p>Gr\xf6\xdfe</p>"
    text, codec = decode(body)
    assert codec == "utf-8"
    assert TEXTS["ru"] in text


def test_a_character_that_the_end_cuts_is_left_out() -> None:
    body = page(TEXTS["ja"]).encode()[
        : -len("健康を確保しなければならない。</p></body></html>".encode()) + 1
    ]
    for header in ("", "; charset=utf-8", "; charset=iso-8859-1"):
        text, codec = decode(body, HTML + header)
        assert codec == "utf-8"
        assert text.endswith("安全と")
    body = TEXTS["ja"].encode("cp932")[:-1]
    assert decode(body)[0] == TEXTS["ja"][:-1]


def test_doubly_encoded_text_is_left_as_it_is() -> None:
    text = page(TEXTS["de"].encode().decode("cp1252", "ignore"))
    assert decode(text.encode())[0] == text


def test_what_no_browser_reads_has_no_text() -> None:
    body = b"<p>\x1b$)C\x0e;g>w\x0f</p>"
    assert decode(body, f"{HTML}; charset=iso-2022-kr") == ("", "replacement")
    # The declaration alone is not enough.
    assert decode(b"<p>plain</p>", f"{HTML}; charset=iso-2022-kr")[0] == "<p>plain</p>"
    text = page(TEXTS["ko"])
    assert decode(text.encode("cp949"), f"{HTML}; charset=iso-2022-kr")[0] == text


def test_bytes_that_the_page_defines_itself_are_no_text() -> None:
    """Private characters would be all that x-user-defined yields."""
    text = page(TEXTS["ru"])
    header = f"{HTML}; charset=x-user-defined"
    assert decode(text.encode("cp1251"), header)[0] == text


def test_zero_bytes_that_are_no_utf_16_change_nothing() -> None:
    text = page("Gr\u00f6\u00dfe" + "\0" * 40)
    assert decode(text.encode("latin-1"))[0] == text


# -- declarations ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "codec"),
    [
        (b'<?xml version="1.0" encoding="windows-1251"?><html>', "cp1251"),
        (b"\n<?xml version='1.0' encoding = 'koi8-r' ?>", "koi8-r"),
        (b'<?xml version="1.0" encoding="UTF-16"?>', "utf-8"),
        (b'<?xml version="1.0" encoding="koi8-r"?><meta charset=big5>', "big5hkscs"),
        (b'<?xml version="1.0"?><p encoding="koi8-r">', None),
        (b"<!-- <meta charset=koi8-r> --><meta charset=big5>", "big5hkscs"),
        (b"<meta charset=x-user-defined>", "cp1252"),
        (b"<meta charset=hz-gb-2312>", "replacement"),
        (b"<meta charset=zlib><meta charset=koi8-u>", "koi8-u"),
        (b"</meta charset=koi8-r>", None),
        (b" " * MAX_BYTES + b"<meta charset=koi8-r>", None),
    ],
)
def test_declarations(head: bytes, codec: str | None) -> None:
    assert find_declared(head) == codec


@pytest.mark.parametrize(
    "junk", [b"<", b"<!--", b"<a '", b"<a b=", b'<a b="', b"<meta "]
)
def test_hostile_declarations_cost_little(junk: bytes) -> None:
    """A scan in the square of the length would take minutes on these."""
    assert find_declared(junk * (10 * MAX_BYTES)) is None


# -- plausibility ------------------------------------------------------------------------


def test_a_misreading_is_less_plausible() -> None:
    for lang in ("de", "pl", "ru", "ja"):
        text = TEXTS[lang]
        misread = text.encode("utf-8").decode("latin-1")
        assert plausibility(misread) < plausibility(text) < 0
    assert plausibility("plain ASCII") == 0


def test_rows_of_nec_and_ibm_are_read_in_iso_2022_jp() -> None:

    body = b"a\x1b$B\x2d\x21\x24\x22\x79\x21\x7c\x71\x1b(Bb"
    assert read_all(body, "iso2022_jp") == "a①あ纊ⅰb"


def test_a_pair_that_is_no_character_is_one_replacement() -> None:
    assert read_all(b"\x81\xad\x82\xa0\x81 a", "cp932") == "\ufffdあ\ufffd a"


@pytest.mark.parametrize(
    ("pair", "character"),
    [(b"\x87\x7a", "㡵"), (b"\xa3\xe1", "€"), (b"\xfe\xdd", "砉"), (b"\xc6\xde", "〃")],
)
def test_big5_has_the_rows_of_the_encoding_standard(
    pair: bytes, character: str
) -> None:
    text = "職業安全"
    body = text.encode("big5hkscs") + pair + b"!"
    assert read_all(body, "big5hkscs") == f"{text}{character}!"


def test_a_pair_that_is_no_character_of_big5_is_replaced() -> None:
    assert read_all(b"\xa4\x40\x81\x40!", "big5hkscs").startswith("一\ufffd")
