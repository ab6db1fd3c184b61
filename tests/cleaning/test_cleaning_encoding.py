"""Bytes to text: who is believed about the encoding, and which characters a text may hold."""

from __future__ import annotations

import re
import sys
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ilspfc.cleaning.encoding.decoding import decode, normalize

# XML 1.0, section 2.2, less the surrogates that Python strings can hold.
XML_CHARACTERS_RE = re.compile("[\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")
HTML = "text/html"
SENTENCE = "Größere Gefährdungen müssen gemäß Übersicht geprüft werden. "


def meta(charset: str) -> str:
    return f'<meta charset="{charset}">'


@pytest.mark.parametrize(
    ("mark", "codec"),
    [
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
    ],
)
def test_the_byte_order_mark_is_believed_before_all_declarations(
    mark: bytes, codec: str
) -> None:
    text = meta("iso-8859-1") + SENTENCE
    decoded, encoding = decode(mark + text.encode(codec), f"{HTML}; charset=koi8-r")
    assert decoded == text
    assert encoding == codec


@pytest.mark.parametrize(
    ("codec", "header", "declared"),
    [
        ("utf-8", "", ""),
        ("utf-8", "; charset=utf-8", ""),
        ("utf-8", "; charset=iso-8859-1", "iso-8859-1"),
        ("utf-8", "; charset=utf-16", ""),
        ("latin-1", "; charset=ISO-8859-1", ""),
        ("latin-1", '; charset="iso-8859-1"', "utf-8"),
        ("latin-1", "", "iso-8859-1"),
        ("latin-1", "; charset=utf-8", "iso-8859-1"),
        ("latin-1", "; charset=utf-8", "utf-8"),
        ("latin-1", "; charset=nonsense", "iso-8859-15"),
        ("latin-1", "", ""),
        ("iso8859-15", "; charset=latin-9", ""),
        ("cp1250", "; charset=windows-1250", "utf-8"),
        ("utf-16-le", "; charset=utf-16le", ""),
        ("utf-16-be", "; charset=utf-16be", ""),
    ],
)
def test_german_is_read_whatever_the_declarations_say(
    codec: str, header: str, declared: str
) -> None:
    text = (meta(declared) if declared else "") + SENTENCE * 3
    assert decode(text.encode(codec), HTML + header)[0] == text


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("windows-1251", "cp1251", "Охрана труда"),
        ("koi8-r", "koi8-r", "Охрана труда"),
        ("iso-8859-7", "iso8859-7", "Υγεία και ασφάλεια"),
        ("windows-1253", "cp1253", "Υγεία και ασφάλεια"),
        ("iso-8859-9", "cp1254", "İş sağlığı ve güvenliği"),
        ("gb2312", "gb18030", "劳动安全"),
        ("gbk", "gb18030", "劳动安全"),
        ("big5", "big5hkscs", "職業安全"),
        ("shift_jis", "cp932", "労働安全衛生"),
        ("euc-jp", "euc-jp", "労働安全衛生"),
        ("iso-2022-jp", "iso2022-jp", "労働安全衛生"),
        ("euc-kr", "cp949", "산업안전보건"),
    ],
)
def test_a_declared_encoding_of_the_web_is_used(
    label: str, codec: str, text: str
) -> None:
    body = text.encode(codec)
    assert decode(body, f"{HTML}; charset={label}")[0] == text
    declared = meta(label).encode() + body
    assert decode(declared)[0] == meta(label) + text


def test_the_header_goes_before_the_meta_element() -> None:
    body = (meta("iso-8859-2") + "à la carte").encode("latin-1")
    assert decode(body, f"{HTML}; charset=iso-8859-1")[0].endswith("à la carte")
    assert not decode(body)[0].endswith("à la carte")


def test_latin_1_means_windows_1252() -> None:
    """What pages call Latin-1 has the quotes and the euro of windows-1252."""
    body = "„Lärm“ – 5 €".encode("cp1252")
    assert decode(body, f"{HTML}; charset=iso-8859-1") == ("„Lärm“ – 5 €", "cp1252")


@pytest.mark.parametrize(
    "label",
    [
        *("zlib", "bz2", "hex", "base64", "rot13", "uu", "quopri"),
        *("unicode_escape", "raw_unicode_escape", "idna", "punycode", "undefined"),
        *("utf-7", "utf-32", "mbcs", "oem", "cp037", "hz", "iso2022-kr", "../../x"),
    ],
)
def test_a_codec_that_no_page_may_choose_is_passed_over(label: str) -> None:
    """Python's other codecs may be costly, hide markup or be no encodings at all."""
    body = rb"<p>\u0041 +ADw-script+AD4- xn--mnchen-3ya ~{<:Ky~}</p>"
    declared = meta(label).encode() + body
    for data, header in ((body, f"{HTML}; charset={label}"), (declared, HTML)):
        text, encoding = decode(data, header)
        assert text == data.decode("ascii")
        assert encoding == "utf-8"


def test_ascii_with_a_declaration_is_still_ascii() -> None:
    assert decode(b"plain", f"{HTML}; charset=utf-8") == ("plain", "utf-8")
    assert decode(b"plain") == ("plain", "utf-8")


@pytest.mark.parametrize("label", ["utf-16", "utf-16le", "utf-16be"])
def test_a_meta_element_cannot_announce_utf_16(label: str) -> None:
    text = meta(label) + "<p>Sicherheit am Arbeitsplatz!!</p>"
    for padding in ("", " "):
        assert decode((text + padding).encode())[0] == text + padding


def test_bytes_that_no_encoding_reads_lose_only_themselves() -> None:
    body = b"<p>Sicherheit \x81\x8d\x8f am Arbeitsplatz</p>"
    for header in (HTML, f"{HTML}; charset=utf-8", f"{HTML}; charset=windows-1252"):
        text, _ = decode(body, header)
        assert text.startswith("<p>Sicherheit ")
        assert text.endswith(" am Arbeitsplatz</p>")


def test_a_cut_utf_8_page_keeps_its_text() -> None:
    body = (SENTENCE * 5).encode()[:-8] + "ü".encode()[:1]
    assert decode(body, f"{HTML}; charset=utf-8")[0].startswith(SENTENCE * 4)


@settings(deadline=None)
@given(st.binary(max_size=200), st.text(max_size=40))
@example(b'<meta charset="\x00">\xff', "")
@example(b"\xff\xfe\x00", "")
@example(b"\xff\xfe\x00\x00\x00", "")
@example(b'<?xml encoding="\xe4"?>\xe4', "text/html; charset=\u00e4\x00")
def test_decoding_never_raises(body: bytes, content_type: str) -> None:
    text, encoding = decode(body, content_type)
    assert isinstance(text, str)
    "".encode(encoding)


@settings(deadline=None)
@given(
    st.sampled_from(["zlib", "utf-16", "utf-8", "idna", "cp1252", "big5", "x" * 200]),
    st.binary(max_size=100),
)
def test_decoding_never_raises_over_a_declaration(label: str, rest: bytes) -> None:
    decode(meta(label).encode() + rest, f"{HTML}; charset={label}")


@settings(deadline=None)
@given(st.text())
def test_utf_8_is_read_as_it_was_written(text: str) -> None:
    body = "é".encode() + text.encode()
    assert decode(body, f"{HTML}; charset=iso-8859-1") == (f"é{text}", "utf-8")


# -- normalization -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("character", "name"),
    [
        ("\u00a0", "no-break space"),
        ("\u202f", "narrow no-break space"),
        ("\u2004", "three-per-em space"),
        ("\u2003", "em space"),
        ("\u2009", "thin space"),
        ("\u3000", "ideographic space"),
        ("\u1680", "Ogham space mark"),
        ("\u205f", "medium mathematical space"),
        ("\t", "tab"),
        ("\x0b", "vertical tab"),
        ("\x0c", "form feed"),
    ],
)
def test_every_space_is_a_plain_one(character: str, name: str) -> None:
    assert normalize(f"am{character}Bau") == "am Bau", name


@pytest.mark.parametrize(
    "character",
    [
        *("\u00ad", "\x00", "\x08", "\x1b", "\x1f", "\x7f", "\x80", "\x9f"),
        *("\u202a", "\u202e", "\u2066", "\u2069", "\u200e", "\u200f", "\u061c"),
        *("\ud800", "\udbff", "\udc00", "\udfff", "\ufdd0", "\ufffe", "\uffff"),
    ],
)
def test_what_is_no_text_leaves_no_gap(character: str) -> None:
    assert normalize(f"Arbeits{character}schutz") == "Arbeitsschutz"


@pytest.mark.parametrize(
    "line_break", ["\n", "\r\n", "\r", "\u0085", "\u2028", "\u2029"]
)
def test_every_line_break_is_a_line_feed(line_break: str) -> None:
    assert normalize(f"eins{line_break}zwei") == "eins\nzwei"


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cخواهم",  # zero-width non-joiner: a plural or prefix in Persian
        "क्\u200dष",  # zero-width joiner: a half form in Hindi
        "🙂 𝒜 𐍈",  # beyond the basic plane
        "„So“ – ›so‹ …",
    ],
)
def test_spelling_is_left_alone(text: str) -> None:
    assert normalize(text) == text


def test_decomposed_letters_are_composed() -> None:
    assert normalize("u\u0308ber") == "über"


@pytest.mark.parametrize("character", ["\u2060", "\ufeff", "\u200b"])
def test_what_joins_words_does_not_cut_them(character: str) -> None:
    assert normalize(f"Bau{character}stelle") == "Baustelle"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("ผึ้ง\u200bบิน", "ผึ้ง\u200bบิน"),  # Thai
        ("ເຜິ້ງ\u200bບິນ", "ເຜິ້ງ\u200bບິນ"),  # Lao
        ("ပျား\u200bပျံ", "ပျား\u200bပျံ"),  # Burmese
        ("ឃ្មុំ\u200b\u200bហើរ", "ឃ្មុំ\u200bហើរ"),  # Khmer
        ("ឃ្មុំ។ \u200bហើរ\u200b ទៅ", "ឃ្មុំ។ ហើរ ទៅ"),
        ("安全\u200b第一", "安全第一"),
        ("am \u200b Bau", "am  Bau"),
    ],
)
def test_a_zero_width_space_stays_where_it_alone_parts_words(
    text: str, kept: str
) -> None:
    assert normalize(text) == kept == normalize(kept)


def test_of_each_mark_that_combines_so_many_are_kept_in_a_row() -> None:
    marks = [
        char
        for char in map(chr, range(sys.maxunicode + 1))
        if unicodedata.combining(char) and unicodedata.is_normalized("NFC", char)
    ]
    assert len(marks) > 800
    kept = {char: normalize(f"x{char * 40}").count(char) for char in marks}
    assert {char for char, number in kept.items() if number > 31} == set()


any_text = st.text(
    st.characters() | st.characters(categories=["Cs", "Cc", "Cf", "Zs", "Mn"])
)


@settings(deadline=None)
@given(any_text)
@example("\r\u00ad\n")
@example("a\u00ad\u0308")
@example("\u1100\u00ad\u1161\u11a8")
def test_normalization_does_nothing_the_second_time(text: str) -> None:
    assert normalize(normalize(text)) == normalize(text)


@settings(deadline=None)
@given(any_text)
def test_a_normalized_text_may_stand_in_xml(text: str) -> None:
    normalized = normalize(text)
    assert XML_CHARACTERS_RE.fullmatch(normalized)
    assert unicodedata.is_normalized("NFC", normalized)
    assert not re.search(r"[^\S \n]", normalized)
