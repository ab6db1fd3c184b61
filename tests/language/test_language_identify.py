"""Identification: of pages, of their paragraphs, among languages that are alike."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest

from ilspfc.documents import CrawlInfo, Paragraph, ParagraphType
from ilspfc.language.identification import (
    MAX_PAGE_CHARS,
    MAX_PARAGRAPH_CHARS,
    PageIdentifier,
    identify_page,
    page_identifier,
)
from ilspfc.language.labels import NO_LANGUAGE, OTHER, is_identifiable
from ilspfc.language.ngrams import MAX_DOCUMENT_BYTES, MIN_DOCUMENT_CHARS

GERMAN = (
    "Wer auf dem Dach arbeitet, muss sich gegen Absturz sichern.",
    "Der Arbeitgeber stellt die nötige Ausrüstung und prüft sie jedes Jahr.",
    (
        "Lärm schädigt das Gehör, und der Schaden ist nicht heilbar; deshalb tragen alle"
        " Mitarbeitenden in der Halle einen Gehörschutz."
    ),
)
ITALIAN = (
    "Chi lavora sul tetto deve proteggersi contro le cadute.",
    "Il datore di lavoro fornisce l'equipaggiamento necessario e lo controlla ogni anno.",
    (
        "Il rumore danneggia l'udito e il danno è permanente; perciò tutti i collaboratori"
        " nel capannone portano una protezione."
    ),
)
ENGLISH = (
    "Anyone who works on a roof must be protected against falls.",
    "The employer provides the equipment needed and has it checked every year.",
    (
        "Noise damages your hearing for good; this is why everybody in the hall wears"
        " protection at all times."
    ),
)
CROATIAN = (
    (
        "Tko radi na krovu mora se osigurati od pada, a poslodavac mora osigurati potrebnu"
        " opremu i provjeriti je svake godine prije početka radova."
    ),
    "Buka trajno oštećuje sluh, stoga svi zaposlenici u hali nose zaštitu.",
)
SERBIAN = (
    (
        "Ко ради на крову мора да се осигура од пада, а послодавац мора да обезбеди потребну"
        " опрему и да је провери сваке године."
    ),
)


def paragraphs(*texts: str, crawlinfo: CrawlInfo | None = None) -> list[Paragraph]:
    return [Paragraph(text, crawlinfo=crawlinfo) for text in texts]


FRENCH = (
    "La sécurité au travail est l'affaire de tous les employés.",
    "Le bruit endommage l'ouïe, et le dommage est irréversible.",
)


@pytest.fixture(scope="module")
def identifier() -> PageIdentifier:
    return PageIdentifier(("deu", "ita"))


def language(text: str, *langs: str, page_lang: str = "") -> str:
    """Return the language of one text in a crawl for some languages."""
    return PageIdentifier(langs).identify([text], page_lang)[0].lang


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        *((text, "deu") for text in GERMAN),
        *((text, "ita") for text in ITALIAN),
        *((text, OTHER) for text in ENGLISH),
        *((text, OTHER) for text in FRENCH),
        (GERMAN[0].upper(), "deu"),
        (ITALIAN[0].upper(), "ita"),
        ("Η ασφάλεια στην εργασία αφορά όλους τους εργαζόμενους.", OTHER),
        ("劳动安全是每个人的责任。", OTHER),
    ],
)
def test_a_sentence_is_in_a_language_of_the_crawl_or_in_another(
    identifier: PageIdentifier, text: str, lang: str
) -> None:
    """A crawl for German and Italian must not take French for Italian."""
    (verdict,) = identifier.identify([text])
    assert verdict.lang == lang
    assert 0.5 < verdict.confidence <= 1


def test_many_texts_are_told_apart_as_each_alone(identifier: PageIdentifier) -> None:
    texts = [*GERMAN, "", *ITALIAN, "\0", *FRENCH, "12.5.2026"]
    together = identifier.identify(texts)
    for text, verdict in zip(texts, together, strict=True):
        (alone,) = identifier.identify([text])
        assert alone.lang == verdict.lang
        assert alone.confidence == pytest.approx(verdict.confidence, abs=1e-5)


def test_no_texts_have_no_languages(identifier: PageIdentifier) -> None:
    assert identifier.identify([]) == []


@pytest.mark.parametrize("text", ["", "12.5.2026", "- * -", "😀"])
def test_without_letters_only_the_page_tells(
    identifier: PageIdentifier, text: str
) -> None:
    assert identifier.identify([text]) == [(OTHER, 0)]
    assert identifier.identify([text], "ita") == [("ita", 0)]


@pytest.mark.parametrize(
    "text",
    ["SUVA Luzern", "Download", "E-Mail Newsletter", "# mkswap /dev/sda5"],
)
def test_short_texts_are_taken_to_be_in_the_language_of_the_page(text: str) -> None:
    for lang in ("deu", "ita"):
        assert language(text, "deu", "ita", page_lang=lang) == lang


@pytest.mark.parametrize(
    ("lang", "is_known"),
    [
        *(("deu", True), ("ita", True), ("zho", True), ("hrv", True), ("nob", True)),
        *(("bre", True), ("ara", True), ("srp", True), ("nno", True)),
        *(("gsw", False), ("tlh", False), ("qaa", False)),
    ],
)
def test_only_languages_of_the_model_can_be_recognized(
    lang: str, is_known: bool
) -> None:
    assert is_identifiable(lang) == is_known


NOTHING = (
    "self.items[key] = value_of(x_1, **options)",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "-12.31, 4.5e-3, 9.01, 77.13, 1.20, x1, 0.33",
)


@pytest.mark.parametrize("text", NOTHING)
def test_code_and_numbers_are_in_no_language(
    identifier: PageIdentifier, text: str
) -> None:
    assert identifier.identify([text], "ita") == [("ita", 0)]
    if any(map(str.isalpha, text)):
        assert identifier.identify([text]) == [(NO_LANGUAGE, 0)]
    found = paragraphs(*ITALIAN, text)
    assert identifier.identify_page(found) == "ita"
    assert all(one.crawlinfo is None for one in found)


def test_code_says_nothing_about_a_page(identifier: PageIdentifier) -> None:
    lines = ["request.headers.get('Accept-Language') == value_of(config)"] * 50
    assert identifier.identify_page(paragraphs(*lines, *ITALIAN)) == "ita"


def test_no_linguistic_content_is_no_language() -> None:
    assert not is_identifiable("zxx")


# -- pages -------------------------------------------------------------------------------


def test_the_clean_text_decides_about_a_page() -> None:
    page = [
        *paragraphs(*ENGLISH * 2, crawlinfo=CrawlInfo.BOILERPLATE),
        *paragraphs(*GERMAN),
    ]
    assert len(" ".join(GERMAN)) > MIN_DOCUMENT_CHARS
    assert PageIdentifier(("deu", "ita")).identify_page(page) == "deu"


@pytest.mark.parametrize("kind", [ParagraphType.CODE, ParagraphType.PREFORMATTED])
def test_code_does_not_tell_the_language_of_a_page(kind: ParagraphType) -> None:
    page = [*(Paragraph(text, kind) for text in ENGLISH * 9), *paragraphs(*GERMAN)]
    identifier = PageIdentifier(("deu", "eng"))
    assert identifier.identify_page(page) == "deu"
    assert identifier.identify_page(page[:-1]) == "eng"  # too little beside the code


def test_messages_in_pre_tell_the_language_of_a_page() -> None:
    """Around them are names, dates and commands in the language of the site."""
    rows = [
        Paragraph(
            f"View message {n} | Author: Jane Doe | Date: 1 May", ParagraphType.ROW
        )
        for n in range(9)
    ]
    dates = paragraphs("Created on the first of May by the admin, changed last by him.")
    messages = [Paragraph(text, ParagraphType.PREFORMATTED) for text in GERMAN]
    identifier = PageIdentifier(("deu", "eng"))
    assert identifier.identify_page([*dates, *rows, *messages]) == "deu"
    # Beside a text of its own they do not count.
    assert identifier.identify_page([*paragraphs(*ENGLISH * 2), *messages]) == "eng"


def test_headings_of_two_words_do_not_tell_the_language_of_a_page() -> None:
    words = " ".join(GERMAN * 2).split()
    headings = [
        Paragraph(f"{one} {other}", ParagraphType.HEADING, level=2)
        for one, other in pairwise(words)
    ]
    page = [*headings, *paragraphs(*ENGLISH)]
    assert PageIdentifier(("deu", "eng")).identify_page(page) == "eng"


@pytest.mark.parametrize(
    ("declared", "lang"), [("de", "deu"), ("en", "eng"), ("it", "eng"), ("", "eng")]
)
def test_a_little_prose_beside_code_decides_where_the_page_declares_it(
    declared: str, lang: str
) -> None:
    code = (Paragraph(text, ParagraphType.PREFORMATTED) for text in ENGLISH * 9)
    page = [*paragraphs(GERMAN[0]), *code]
    identifier = PageIdentifier(("deu", "eng", "ita"))
    assert identifier.identify_page(page, declared) == lang


@pytest.mark.parametrize(
    ("text", "kind", "is_kept"),
    [
        ("Cavium Octeon | octeon", ParagraphType.ROW, True),
        ("64bit MIPS (little endian) | mips64el", ParagraphType.ROW, True),
        ("where to find the names of all the devices", ParagraphType.ROW, False),
        ("Cavium Octeon | octeon", None, False),
    ],
)
def test_rows_of_names_are_in_the_language_of_their_page(
    text: str, kind: ParagraphType | None, is_kept: bool
) -> None:
    greek = (
        "Το παρόν κείμενο καλύπτει την εγκατάσταση για όλες τις αρχιτεκτονικές. " * 4
    )
    page = [*paragraphs(greek), Paragraph(text, kind)]
    assert PageIdentifier(("deu", "ell")).identify_page(page) == "ell"
    assert (page[1].crawlinfo is None) == is_kept
    assert (page[1].lang == "ell") == is_kept


def test_a_half_translated_page_is_in_the_language_of_the_crawl() -> None:
    """Its beginning is English, and so is most of its text."""
    page = paragraphs(*ENGLISH * 30, *[" ".join(GERMAN)] * 16)
    assert PageIdentifier(("deu", "ita")).identify_page(page) == "deu"
    assert page[0].crawlinfo is CrawlInfo.OOI_LANG
    assert (page[-1].lang, page[-1].crawlinfo) == ("deu", None)


def test_an_untranslated_copy_is_not_in_the_language_of_its_headings() -> None:
    headings = [
        "Sicherheit und Gesundheit am Arbeitsplatz",
        "Wer auf dem Dach arbeitet",
        "Der Schaden ist nicht heilbar",
    ]
    page = paragraphs(*headings * 3, *ENGLISH * 15)
    assert PageIdentifier(("deu", "ita")).identify_page(page, "de") == OTHER
    page = paragraphs(*ENGLISH * 15, " ".join(GERMAN))
    assert PageIdentifier(("deu", "ita")).identify_page(page, "de") == OTHER


CHINESE = ("劳动安全是每个人的责任。", "在屋顶上工作的人必须防止坠落。")
KOREAN = ("산업 안전은 모두의 책임이다.",)


@pytest.mark.parametrize(
    ("texts", "word", "lang"), [(CHINESE, "模块", "zho"), (KOREAN, "모듈", "kor")]
)
@pytest.mark.parametrize("is_declared", [True, False])
def test_words_beside_names_in_an_alphabet_tell_the_language_of_a_page(
    texts: Sequence[str], word: str, lang: str, *, is_declared: bool
) -> None:
    names = "actions alias auth_basic autoindex cache dav headers mime".split()
    page = paragraphs(*texts, *(f"Apache {word} mod_{name}" for name in names * 4))
    declared = lang if is_declared else ""
    assert PageIdentifier((lang, "eng")).identify_page(page, declared) == lang
    assert all(one.crawlinfo is None for one in page)


def test_an_untranslated_copy_is_not_in_the_characters_of_its_summary() -> None:
    page = paragraphs(*CHINESE, *ENGLISH[:2])
    assert PageIdentifier(("zho", "eng")).identify_page(page, "zh") == "eng"


@pytest.mark.parametrize(
    ("declared", "lang"), [("de", "deu"), ("en", "eng"), ("fr", "eng"), ("", "eng")]
)
def test_of_two_languages_of_the_crawl_the_declared_one_needs_but_a_part(
    declared: str, lang: str
) -> None:
    page = paragraphs(*ENGLISH * 30, *[" ".join(GERMAN)] * 16)
    assert PageIdentifier(("deu", "eng")).identify_page(page, declared) == lang


@pytest.mark.parametrize(
    ("menu", "declared", "lang"),
    [
        (GERMAN, "", "deu"),
        (GERMAN, "en", "eng"),
        (ENGLISH, "", "eng"),
        (ITALIAN, "", "eng"),
        (["12.5.2026"], "", "eng"),
    ],
)
def test_of_two_languages_of_the_crawl_a_page_is_in_that_of_its_menus(
    menu: list[str], declared: str, lang: str
) -> None:
    page = paragraphs(*[" ".join(ENGLISH)] * 30, *[" ".join(GERMAN)] * 16)
    page += paragraphs(*menu, crawlinfo=CrawlInfo.BOILERPLATE)
    assert PageIdentifier(("deu", "eng")).identify_page(page, declared) == lang


def test_where_there_is_little_clean_text_the_menus_decide() -> None:
    page = [
        *paragraphs(*ITALIAN * 2, crawlinfo=CrawlInfo.BOILERPLATE),
        *paragraphs("Download PDF"),
    ]
    assert PageIdentifier(("deu", "ita")).identify_page(page) == "ita"


def test_a_sentence_that_is_surely_in_a_language_outweighs_the_menus() -> None:
    page = paragraphs(*ITALIAN * 2, crawlinfo=CrawlInfo.BOILERPLATE)
    page += paragraphs(GERMAN[2][:150])
    assert PageIdentifier(("deu", "ita")).identify_page(page, "it") == "deu"
    # In a language that was not asked for, it may be a remark that nobody translated.
    page[-1] = paragraphs(ENGLISH[2][:150])[0]
    assert PageIdentifier(("deu", "ita")).identify_page(page, "it") == "ita"


@pytest.mark.parametrize("page", [[], paragraphs("")])
def test_a_page_without_text_is_in_no_language(page: list[Paragraph]) -> None:
    assert identify_page(page, ("deu", "ita"))[0] == "und"


def test_text_beyond_the_bound_does_not_count() -> None:
    german = [GERMAN[2]] * (MAX_DOCUMENT_BYTES // len(GERMAN[2]) + 1)
    page = paragraphs(*german, *ENGLISH * 200)
    assert PageIdentifier(("deu", "eng")).identify_page(page) == "deu"


# -- paragraphs --------------------------------------------------------------------------


@pytest.mark.parametrize("stranger", [ENGLISH[2], ITALIAN[2], ITALIAN[0]])
def test_a_paragraph_in_another_language_is_marked(stranger: str) -> None:
    lang, page = identify_page(paragraphs(*GERMAN, stranger), ("deu", "ita"))
    assert lang == "deu"
    assert [p.crawlinfo for p in page] == [None, None, None, CrawlInfo.OOI_LANG]
    assert [p.lang for p in page[:3]] == ["deu"] * 3
    assert page[3].lang == ("ita" if stranger in ITALIAN else OTHER)


def test_short_names_and_numbers_stay_in_the_language_of_the_page() -> None:
    """What no identifier can tell is not thrown away."""
    short = ("SUVA Luzern", "EN 397", "Tel. 041 419 51 11", "Peter Müller", "12.5.2026")
    lang, page = identify_page(paragraphs(*GERMAN, *short), ("deu", "ita"))
    assert lang == "deu"
    assert [p.crawlinfo for p in page] == [None] * 8


def test_a_long_list_of_names_stays_in_the_language_of_the_page() -> None:
    names = (
        "Peter Müller, Hans Keller, Anna Rossi, Marco Bianchi, Urs Meier, Reto Huber,"
        " Luca Ferrari, Sandra Weber, Carlo Neri"
    )
    _, page = identify_page(paragraphs(*GERMAN, names), ("deu", "ita"))
    assert (page[3].lang, page[3].crawlinfo) == ("deu", None)


@pytest.mark.parametrize(
    ("text", "kind", "lang"),
    [
        # Names, which look English, and a title that surely is.
        ("Module Apache mod_rewrite", ParagraphType.TITLE, "fra"),
        ("Module Apache mod_rewrite", ParagraphType.HEADING, "eng"),
        ("How to read and write the pages of a site", ParagraphType.TITLE, "eng"),
    ],
)
def test_a_title_of_names_is_in_the_language_of_the_page(
    text: str, kind: ParagraphType, lang: str
) -> None:
    page = [*paragraphs(*FRENCH * 3), Paragraph(text, kind)]
    assert PageIdentifier(("eng", "fra")).identify_page(page) == "fra"
    assert page[-1].lang == lang
    assert (page[-1].crawlinfo is None) == (lang == "fra")


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("URL 재작성(Rewriting)", "kor"),
        ("STDIN과 STDOUT", "kor"),
        ("Rewriting of addresses", "eng"),
        # Running text may quote a word.
        (f"{ENGLISH[0]} {ENGLISH[1]} In Korean it is called 안전.", "eng"),
    ],
)
def test_a_short_text_with_letters_of_the_page_is_in_its_language(
    text: str, lang: str
) -> None:
    korean = "이 문서는 모든 지원 대상 플랫폼에서 설치하는 방법을 설명합니다. " * 6
    page = paragraphs(korean, text)
    assert PageIdentifier(("eng", "kor")).identify_page(page) == "kor"
    assert page[-1].lang == lang


def test_a_page_without_clean_text_has_the_language_of_its_menus() -> None:
    page = [Paragraph(one, None, CrawlInfo.BOILERPLATE) for one in GERMAN]
    assert PageIdentifier(("deu", "ita")).identify_page(page) == "deu"
    assert [one.lang for one in page] == [None] * len(page)


def test_capitals_are_no_other_language() -> None:
    page = paragraphs(*GERMAN, GERMAN[2].upper())
    assert identify_page(page, ("deu", "ita"))[1][3].crawlinfo is None


def test_what_is_marked_already_is_left_alone() -> None:
    page = [
        *paragraphs(*GERMAN),
        Paragraph(ENGLISH[0], ParagraphType.HEADING, CrawlInfo.BOILERPLATE),
        Paragraph("Go", None, CrawlInfo.OOI_LENGTH),
    ]
    _, labeled = identify_page(page, ("deu", "ita"))
    assert [(p.crawlinfo, p.lang) for p in labeled[3:]] == [
        (CrawlInfo.BOILERPLATE, None),
        (CrawlInfo.OOI_LENGTH, None),
    ]


def test_a_page_in_an_unwanted_language_is_not_labeled() -> None:
    lang, page = identify_page(paragraphs(*ENGLISH), ("deu", "ita"))
    assert lang == OTHER
    assert page == paragraphs(*ENGLISH)


@pytest.mark.parametrize("declared", ["en", "en-GB", "EN_us", "eng"])
def test_a_page_may_be_in_the_language_that_it_declares(declared: str) -> None:
    lang, page = identify_page(paragraphs(*ENGLISH), ("deu", "ita"), declared)
    assert lang == "eng"
    assert page == paragraphs(*ENGLISH)


@pytest.mark.parametrize("declared", ["en", "fr", "it", "xx", "\0", "zxx", "und"])
def test_what_a_page_declares_does_not_outweigh_its_text(declared: str) -> None:
    lang, page = identify_page(paragraphs(*GERMAN), ("deu", "ita"), declared)
    assert lang == "deu"
    assert [p.crawlinfo for p in page] == [None] * 3


def test_a_paragraph_may_be_in_the_declared_language() -> None:
    page = paragraphs(*GERMAN, ENGLISH[2])
    assert identify_page(page, ("deu", "ita"), "en")[1][3].lang == "eng"


def test_a_page_that_declares_one_of_a_group_is_in_the_wanted_one() -> None:
    assert identify_page(paragraphs(*CROATIAN), ("hrv", "deu"), "bs")[0] == "hrv"


def test_beyond_the_bounds_a_paragraph_is_in_the_language_of_its_page() -> None:
    long = GERMAN[2] * (MAX_PARAGRAPH_CHARS // len(GERMAN[2]) + 1)
    page = paragraphs(*[long] * (MAX_PAGE_CHARS // MAX_PARAGRAPH_CHARS), ENGLISH[2])
    assert identify_page(page, ("deu", "ita"))[0] == "deu"
    assert (page[-1].lang, page[-1].crawlinfo) == ("deu", None)
    page = paragraphs(long + ENGLISH[2] * 20)
    assert identify_page(page, ("deu", "ita"))[1][0].lang == "deu"


# -- languages that are alike ------------------------------------------------------------


@pytest.mark.parametrize("lang", ["hrv", "bos", "srp"])
def test_croatian_bosnian_and_serbian_are_the_language_that_the_crawl_wants(
    lang: str,
) -> None:
    found, page = identify_page(paragraphs(CROATIAN[0]), (lang, "deu"))
    assert found == lang
    assert page == [Paragraph(CROATIAN[0], lang=lang)]


@pytest.mark.parametrize("lang", ["hrv", "bos", "srp"])
def test_short_paragraphs_of_the_group_belong_to_their_page(lang: str) -> None:
    _, page = identify_page(paragraphs(*CROATIAN), (lang, "deu"))
    assert [(p.lang, p.crawlinfo) for p in page] == [(lang, None)] * 2


def test_bokmal_is_the_norwegian_that_the_crawl_wants() -> None:
    text = "Støy skader hørselen for alltid, derfor bruker alle ansatte hørselvern."
    for lang in ("nob", "nor", "nno"):
        assert language(text, lang, "deu") == lang
    assert language(text, "nno", "nob") == "nob"


def test_outside_the_group_none_of_it_is_wanted() -> None:
    assert language(CROATIAN[0], "slv", "deu") == OTHER


def test_of_a_group_the_wanted_language_is_taken() -> None:
    text = (
        "Buka trajno oštećuje sluh, zato svi zaposleni u hali nose zaštitu i proveravaju"
        " opremu svake nedelje, jer je bezbednost na radu uvek veoma važna."
    )
    assert language(text, "hrv", "deu") == "hrv"
    assert language(text, "hrv", "srp") == "srp"


@pytest.mark.parametrize("lang", ["hrv", "bos"])
def test_another_alphabet_is_not_alike(lang: str) -> None:
    assert language(SERBIAN[0], lang, "deu") == OTHER
    assert language(SERBIAN[0], "srp", "deu") == "srp"


def test_a_word_in_another_alphabet_does_not_change_the_language() -> None:
    text = " ".join(CROATIAN)
    assert language(f"{text} (Русский)", "bos", "deu") == "bos"


@pytest.mark.parametrize(
    ("text", "langs", "lang"),
    [
        ("Αρχική", ("ell", "eng"), "ell"),
        ("Home page", ("ell", "eng"), "eng"),
        ("はじめに", ("jpn", "zho"), "jpn"),
        ("개인 정보", ("kor", "jpn"), "kor"),
        ("О нас", ("deu", "hrv"), OTHER),
        ("Главная", ("rus", "deu"), "rus"),
        ("ᎣᏏᏲ ᏙᎯᏧ", ("eng", "deu"), OTHER),
    ],
)
def test_scripts_are_decided_by_script(
    text: str, langs: tuple[str, ...], lang: str
) -> None:
    """However short the text is, and whatever the language of the page."""
    assert language(text, *langs) == lang
    assert all(language(text, *langs, page_lang=page) == lang for page in langs)


def test_the_identifier_of_a_crawl_is_made_once() -> None:
    assert page_identifier(("deu", "ita")) is page_identifier(("deu", "ita"))


def test_a_program_loses_no_single_line_to_another_language() -> None:
    program = [
        "altoMusic = \\relative c' {",
        "e4 f d e",
        "}",
        "% we could remove the line about this with the line below",
        "ha ha ha ha",
        "}",
        "\\score {",
        '\\new Staff = "women" <<',
        '\\new Voice = "sopranos" { \\voiceOne << \\global \\sopMusic >> }',
    ]
    lines = [Paragraph(line, ParagraphType.PREFORMATTED) for line in program]
    page = [*paragraphs(*GERMAN), *lines]
    assert PageIdentifier(("deu", "ita")).identify_page(page) == "deu"
    assert {line.crawlinfo for line in lines} == {None}
    # Text in lines is text: each of its paragraphs has its language.
    letters = [Paragraph(text, ParagraphType.PREFORMATTED) for text in ENGLISH[:1]]
    page = [*paragraphs(*GERMAN), *letters]
    PageIdentifier(("deu", "ita")).identify_page(page)
    assert page[-1].crawlinfo is CrawlInfo.OOI_LANG
