"""Language codes: what the world writes, and the one code that the crawl keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.resources import files

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ilspfc.text.codes import codes_of, find_iso639_3, to_bcp47, to_iso639_3


@pytest.mark.parametrize(
    ("code", "lang"),
    [
        # ISO 639-1, 639-2/B, 639-2/T, 639-3
        *(("de", "deu"), ("ger", "deu"), ("deu", "deu")),
        *(("fr", "fra"), ("fre", "fra"), ("fra", "fra")),
        *(("cs", "ces"), ("cze", "ces"), ("el", "ell"), ("gre", "ell")),
        *(("gsw", "gsw"), ("nb", "nob"), ("nn", "nno"), ("no", "nor")),
        # BCP 47, also as servers and templates spell it
        *(("de-CH", "deu"), ("de_AT", "deu"), ("pt-BR", "por"), ("zh-Hant-TW", "zho")),
        *(("de-Latn-CH-1996", "deu"), ("en-x-own", "eng"), ("sr-Cyrl", "srp")),
        # spelling
        *(("DE", "deu"), (" it ", "ita"), ("Ita", "ita")),
        # withdrawn codes
        *(("iw", "heb"), ("in", "ind"), ("mo", "ron")),
        # individual languages that corpora write as the macrolanguage
        *(("zh", "zho"), ("cmn", "zho"), ("ar", "ara"), ("arb", "ara")),
        *(("et", "est"), ("ekk", "est"), ("lv", "lav"), ("lvs", "lav"), ("ms", "msa")),
    ],
)
def test_every_kind_of_code_becomes_iso_639_3(code: str, lang: str) -> None:
    assert to_iso639_3(code) == lang


@pytest.mark.parametrize(
    "code",
    [
        *(
            "",
            " ",
            "x",
            "xx",
            "zzz",
            "und",
            "12",
            "german",
            "Deutsch",
            "de fr",
            "de,it",
        ),
        *("*", "-", "de--it", "é", "\x00", "x-own", "a" * 500),
    ],
)
def test_what_names_no_language_is_refused_by_name(code: str) -> None:
    with pytest.raises(ValueError, match="is no known language code") as caught:
        to_iso639_3(code)
    assert repr(code) in str(caught.value)


@settings(deadline=None)
@given(
    st.text(max_size=12) | st.from_regex(r"[a-zA-Z]{2,3}([-_][a-zA-Z0-9]{1,8}){0,3}")
)
@example("i-klingon")
@example("art-lojban")
def test_any_text_is_a_code_or_a_value_error(code: str) -> None:
    try:
        lang = to_iso639_3(code)
    except ValueError:
        return
    assert len(lang) == 3
    assert to_iso639_3(lang) == lang


@pytest.mark.parametrize(
    ("lang", "tag"),
    [("deu", "de"), ("ita", "it"), ("gsw", "gsw"), ("zho", "zh"), ("nob", "nb")],
)
def test_the_tag_is_the_shortest(lang: str, tag: str) -> None:
    assert to_bcp47(lang) == tag
    assert to_iso639_3(tag) == lang


@pytest.mark.parametrize(
    ("lang", "codes"),
    [
        ("deu", {"de", "deu", "ger"}),
        ("ita", {"it", "ita"}),
        ("zho", {"zh", "zho", "chi"}),
        ("ell", {"el", "ell", "gre"}),
        ("gsw", {"gsw"}),
    ],
)
def test_a_language_is_meant_by_all_its_codes(lang: str, codes: set[str]) -> None:
    assert codes_of(lang) == codes
    assert {to_iso639_3(code) for code in codes} == {lang}


def iter_registered() -> Iterator[tuple[str, bool]]:
    """Yield tag and whether it names a language or a family, of the IANA registry."""
    registry = files("langcodes").joinpath("data", "language-subtag-registry.txt")
    for record in registry.read_text("utf-8").split("%%\n")[1:]:
        lines = (line.partition(": ") for line in record.splitlines())
        fields = {name: value for name, _, value in lines}
        kind, tag = fields["Type"], fields.get("Subtag") or fields["Tag"]
        if kind in {"language", "grandfathered", "redundant"}:
            # A range of codes for private use stands for its first.
            yield tag.partition("..")[0], fields.get("Scope") != "special"


def test_every_registered_tag_names_its_language(
    count_cases: Callable[[str, int, int], None],
) -> None:
    tags = list(iter_registered())
    assert len(tags) > 8_000
    wrong = {tag for tag, is_one in tags if bool(find_iso639_3(tag)) is not is_one}
    count_cases("language tags: IANA registry", len(tags) - len(wrong), len(tags))
    # A tag with a name and no meaning.
    assert wrong == {"i-enochian"}
    langs = {find_iso639_3(tag) for tag, is_one in tags if is_one} - {""}
    assert all(len(lang) == 3 for lang in langs)
    assert {find_iso639_3(to_bcp47(lang)) for lang in langs} == langs
