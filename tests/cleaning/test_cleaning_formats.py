"""Formats beside HTML and plain text: recognized, and wanted only where they can be read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ilspfc.cleaning.files import formats
from ilspfc.cleaning.files.formats import (
    FORMATS,
    add_media_types,
    format_of,
    readable,
    remove_suffixes,
)
from ilspfc.cleaning.files.office import clean_file
from ilspfc.cleaning.page import CleaningReason, clean_page

DOCX = FORMATS["docx"].media_types[0]


@pytest.fixture
def without_pypdfium2(monkeypatch: pytest.MonkeyPatch) -> None:
    def import_module(name: str) -> object:
        raise ImportError(name)

    find: Callable[[str], object | None] = lambda _: None  # noqa: E731
    monkeypatch.setattr(formats, "find_spec", find)
    monkeypatch.setattr("ilspfc.cleaning.files.pdf.import_module", import_module)


@pytest.mark.parametrize(
    ("media_type", "url", "name"),
    [
        ("application/pdf", "https://example.org/a", "pdf"),
        ("application/octet-stream", "https://example.org/a.pdf?b=c.docx", "pdf"),
        ("application/octet-stream", "https://example.org/A.DOCX", "docx"),
        ("application/octet-stream", "https://example.org/a.zip", None),
        ("text/html", "https://example.org/a.pdf", None),
        (DOCX, "", "docx"),
    ],
)
def test_a_format_is_known_by_type_or_suffix(
    media_type: str, url: str, name: str | None
) -> None:
    assert format_of(media_type, url, FORMATS) == name


def test_a_format_that_is_not_wanted_is_none() -> None:
    assert format_of("application/pdf", "", ["docx"]) is None
    result = clean_page(b"", url="u", identity="0", content_type="application/pdf")
    assert result is CleaningReason.NOT_HTML


def test_a_wanted_format_is_downloaded_and_its_links_followed() -> None:
    assert add_media_types(["text/html"], ["docx"]) == ["text/html", DOCX]
    assert remove_suffixes(["png", "docx"], ["docx"]) == ["png"]


@pytest.mark.usefixtures("without_pypdfium2")
def test_without_its_reader_a_format_is_neither() -> None:
    assert readable(["pdf", "docx"]) == ["docx"]
    assert add_media_types(["text/html"], ["pdf"]) == ["text/html"]
    assert remove_suffixes(["pdf"], ["pdf"]) == ["pdf"]
    result = clean_file(b"%PDF", "pdf", url="u", identity="0")
    assert result is CleaningReason.NO_READER
