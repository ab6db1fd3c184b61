"""Bytes to document, for the formats beside HTML and plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from ilspfc.cleaning.files.formats import FORMATS, NoReaderError, UnreadableFileError
from ilspfc.cleaning.files.office import read_office
from ilspfc.cleaning.metadata.fields import robots_directives
from ilspfc.cleaning.metadata.licenses import find_licenses_in_text
from ilspfc.cleaning.page import CleaningReason, add_licenses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ilspfc.documents import Document


def clean_file(
    body: bytes,
    name: str,
    *,
    url: str,
    identity: str,
    robots_header: str = "",
    license_links: Sequence[str] = (),
    min_paragraph_tokens: int = 3,
    max_pages: int = 100,
) -> Document | CleaningReason:
    """Return the document of a file in the format ``name``, or why there is none.

    The arguments are those of :func:`~ilspfc.cleaning.clean_page`; of a PDF ``max_pages``
    are read.
    """
    try:
        document = read_office(
            body,
            name,
            url=url,
            identity=identity,
            min_paragraph_tokens=min_paragraph_tokens,
            max_pages=max_pages,
        )
    except NoReaderError:
        return CleaningReason.NO_READER
    except UnreadableFileError:
        return CleaningReason.UNREADABLE
    directives = robots_directives(etree.Element("html"), robots_header)
    document.index = directives.isdisjoint({"noindex", "none"})
    document.mime = FORMATS[name].media_types[0]
    text = "\n".join(paragraph.text for paragraph in document.paragraphs)
    add_licenses(document, find_licenses_in_text(text, linked=license_links))
    return document
