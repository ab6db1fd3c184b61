"""Decisions on paragraphs, written into the cesDoc file of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.atomic import open_atomic
from ilspfc.corpus.xml import BODY_END, BODY_START, format_paragraphs
from ilspfc.exceptions import CorpusError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ilspfc.documents import Paragraph


def write_verdicts(path: Path, paragraphs: Iterable[Paragraph]) -> None:
    """Write the paragraphs of a file with the decisions on them; the header stays.

    CorpusError where the file cannot be read, or has no body.
    """
    try:
        head, start, rest = path.read_bytes().partition(BODY_START)
    except OSError as error:
        raise CorpusError(
            f"{path}: cannot be read ({error.strerror}); crawl again"
        ) from error
    _, end, tail = rest.partition(BODY_END)
    if not end:
        raise CorpusError(f"{path}: has no text; crawl or export it again")
    with open_atomic(path) as stream:
        stream.write(head + start + format_paragraphs(paragraphs) + end + tail)
