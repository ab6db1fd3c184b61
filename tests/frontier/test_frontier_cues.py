"""Translation cues: what tells that a link leads to another language, and what misleads."""

from __future__ import annotations

import pytest

from ilspfc.documents import Link
from ilspfc.frontier.scoring.cues import CueDetector
from ilspfc.text.codes import to_iso639_3, two_letter_codes

URL = "http://example.org/"


def detector(*codes: str) -> CueDetector:
    return CueDetector(map(to_iso639_3, codes))


GERMAN_ITALIAN = detector("de", "it")


@pytest.mark.parametrize(
    ("anchor", "lang"),
    [
        # codes alone
        *(("de", "deu"), ("DE", "deu"), ("deu", "deu"), ("ger", "deu"), ("it", "ita")),
        *((" IT ", "ita"), ("[IT]", "ita"), ("(ita)", "ita"), ("» de", "deu")),
        # names, in themselves and in each other, inflected
        *(("Deutsch", "deu"), ("auf Deutsch", "deu"), ("Deutsche Version", "deu")),
        *(("Italiano", "ita"), ("In italiano", "ita"), ("versione italiana", "ita")),
        *(("tedesco", "deu"), ("pagina tedesca", "deu"), ("Italienisch", "ita")),
        *(("German", "deu"), ("Italian version", "ita"), ("ITALIANO", "ita")),
        # what misleads
        ("do it", None),
        ("How to use it at work", None),
        ("de la", None),
        ("DE | IT", None),
        ("Deutschland", None),
        ("Standort Deutschland", None),
        ("Item", None),
        ("Italienreise", None),
        ("Zur Seite auf Deutsch", "deu"),
        ("Hier geht es auf Deutsch", None),
        ("Diese Seite gibt es auch auf Deutsch", None),
        ("Il corso di tedesco per i nostri collaboratori", None),
        ("English", None),
        ("", None),
        ("→", None),
    ],
)
def test_the_anchor_tells_the_language(anchor: str, lang: str | None) -> None:
    assert GERMAN_ITALIAN.detect(Link(URL, anchor=anchor)) == lang


@pytest.mark.parametrize(
    ("hreflang", "lang"),
    [
        *(("it", "ita"), ("it-CH", "ita"), ("DE_de", "deu"), (" ger ", "deu")),
        *(("en", None), ("x-default", None), ("", None), ("item", None)),
    ],
)
def test_hreflang_tells_the_language(hreflang: str, lang: str | None) -> None:
    link = Link(URL, hreflang=hreflang, rel="alternate")
    assert GERMAN_ITALIAN.detect(link) == lang


def test_title_and_image_texts_tell_the_language() -> None:
    assert GERMAN_ITALIAN.detect(Link(URL, title="Italiano")) == "ita"
    assert GERMAN_ITALIAN.detect(Link(URL, anchor="Flagge", title="it")) == "ita"


def test_attributes_go_before_words() -> None:
    link = Link(URL, anchor="Deutsch", title="Deutsch", hreflang="it")
    assert GERMAN_ITALIAN.detect(link) == "ita"
    assert GERMAN_ITALIAN.detect(Link(URL, anchor="de", title="Italiano")) == "deu"


@pytest.mark.parametrize(
    ("codes", "anchor", "lang"),
    [
        (("de", "fr"), "en français", "fra"),
        (("de", "el"), "ΕΛΛΗΝΙΚΑ", "ell"),
        (("de", "el"), "Ελληνικά", "ell"),
        (("de", "ru"), "Русский", "rus"),
        (("de", "zh"), "中文", "zho"),
        (("de", "ja"), "日本語", "jpn"),
        (("sl", "sk"), "Slovenščina", "slv"),
        (("sl", "sk"), "slovenčina", "slk"),
        (("de", "fr"), "Version française", "fra"),
        (("de", "da"), "danske sider", "dan"),
        (("de", "no"), "norske sider", "nor"),
    ],
)
def test_other_languages_are_told_too(
    codes: tuple[str, str], anchor: str, lang: str
) -> None:
    assert detector(*codes).detect(Link(URL, anchor=anchor)) == lang


@pytest.mark.parametrize(
    ("codes", "anchor", "lang"),
    [
        (("en", "vi"), "Tiếng Việt", "vie"),
        (("en", "nb"), "Norsk bokmål", "nob"),
        (("en", "ht"), "Kreyòl ayisyen", "hat"),
    ],
)
def test_names_of_two_words_are_told_too(
    codes: tuple[str, str], anchor: str, lang: str
) -> None:
    assert detector(*codes).detect(Link(URL, anchor=anchor)) == lang


@pytest.mark.parametrize(
    ("codes", "anchor"),
    [
        (("en", "de"), "Germany"),
        (("de", "it"), "Italia"),
        (("en", "it"), "Suva Italia"),
        (("en", "ru"), "Russia"),
        (("en", "el"), "Green jobs"),
        (("fr", "da"), "dans la presse"),
        (("en", "hi"), "hinder"),
    ],
)
def test_countries_and_other_words_are_no_languages(
    codes: tuple[str, str], anchor: str
) -> None:
    assert detector(*codes).detect(Link(URL, anchor=anchor)) is None


@pytest.mark.parametrize(
    ("path", "lang"),
    [
        # a segment of the path
        *(("de/", "deu"), ("it/x.html", "ita"), ("a/IT/b", "ita"), ("ita/", "ita")),
        *(("de-ch/x", "deu"), ("de_CH/x", "deu"), ("x/it", "ita"), ("italiano/", "ita")),
        # the end of a segment
        *(("x_de.html", "deu"), ("x.it.html", "ita"), ("x-de", "deu"), ("x_it/", "ita")),
        # a parameter
        *(("x?lang=it", "ita"), ("x?a=1&l=de_DE", "deu"), ("?ita", None)),
        # none of these
        *(("mode.html", None), ("item/", None), ("deutsch-lernen/", None)),
        *(("xit/", None), ("x?q=ita+deu", None), ("x?q=item", None), ("", None)),
        *(("fr/", None), ("de-chemie/", None), ("d/e/", None)),
    ],
)  # fmt: skip
def test_the_url_is_marked_with_a_language(path: str, lang: str | None) -> None:
    assert GERMAN_ITALIAN.detect_in_url(URL + path) == lang


@pytest.mark.parametrize(
    ("host", "lang"),
    [
        ("de.example.org", "deu"),
        ("it.wikipedia.org:8080", "ita"),
        ("www.example.de", None),
        ("www.example.it", None),
        ("item.example.org", None),
        ("[::1]", None),
    ],
)
def test_the_host_is_marked_by_its_first_label(host: str, lang: str | None) -> None:
    assert GERMAN_ITALIAN.detect_in_url(f"http://{host}/x") == lang


@pytest.mark.parametrize(
    ("address", "lang"),
    [
        *(("/el-GR/x", "ell"), ("/zh_CN/x", "zho"), ("/zh-hans/", "zho")),
        *(("/es-419/", "spa"), ("/x.pt.html", "por"), ("/x_fr.html", "fra")),
        *(("/x?lang=ja", "jpn"), ("/de/el/x", "deu"), ("/deu/x", "deu")),
        *(("/how-to.html", None), ("/2020/mar/", None), ("/xx/", None)),
    ],
)
def test_urls_may_be_marked_with_other_languages(
    address: str, lang: str | None
) -> None:
    cues = CueDetector(("deu", "ita"), others=two_letter_codes())
    assert cues.detect_in_url(f"http://www.example.org{address}") == lang
    assert cues.detect(Link(URL, hreflang="el", anchor="el")) is None


@pytest.mark.parametrize("extension", ["htm", "php", "asp", "jsp", "cfm"])
def test_a_mark_stands_before_every_extension(extension: str) -> None:
    url = f"{URL}index_it.{extension}"
    assert GERMAN_ITALIAN.detect_in_url(url) == "ita"


@pytest.mark.parametrize("path", ["news/how-we-make-it/", "what-is-it.html"])
def test_a_word_at_the_end_of_a_title_is_no_mark(path: str) -> None:
    assert detector("en", "it").detect_in_url(URL + path) is None
