"""Which of a page's text tells its language, and what part of it is in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ilspfc.documents import ParagraphType
from ilspfc.language.likelihoods import SHORT_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from ilspfc.documents import Paragraph
    from ilspfc.language.likelihoods import Reading

# Below this much clean text the page's menus tell its language more safely.
MIN_DOCUMENT_CHARS = 200
# A page is looked at paragraph by paragraph up to these bounds, which bound what it costs:
# so many paragraphs, the beginning of each, so many characters of all of them. What is
# beyond has the language of the page.
MAX_PARAGRAPHS = 2000
MAX_PARAGRAPH_CHARS = 400
MAX_PAGE_CHARS = 200_000

# Programs and terminals speak English, or nothing, on pages in any language.
_CODE = frozenset({ParagraphType.CODE, ParagraphType.PREFORMATTED})
# A page has a part in a language where so much of its text is in paragraphs that are
# surely in it: a half-translated page is a page in the language that it was translated to.
_MIN_PART = 0.3
_MIN_PART_BYTES = 200

# From this probability on a text is surely in a language.
SURE = 0.99


def within_bounds(paragraphs: Iterable[Paragraph]) -> list[str]:
    """Return the texts that are looked at, those of the first paragraphs."""
    texts: list[str] = []
    chars = 0
    for paragraph in paragraphs:
        text = paragraph.text[:MAX_PARAGRAPH_CHARS]
        chars += len(text)
        if chars > MAX_PAGE_CHARS or len(texts) == MAX_PARAGRAPHS:
            break
        texts.append(text)
    return texts


def frame_texts(paragraphs: Iterable[Paragraph]) -> list[str]:
    """Return the beginnings of the texts around the page's own, but no addresses.

    They are in the language of a page that is half translated: a site translates its menus
    once, for all pages.
    """
    frame = (p for p in paragraphs if p.crawlinfo is not None and "://" not in p.text)
    return within_bounds(frame)


def find_prose(
    paragraphs: Sequence[Paragraph], texts: Sequence[str]
) -> NDArray[np.bool_]:
    """Return which texts of the first paragraphs count: all but code, if they are enough."""
    is_prose = [p.type not in _CODE for p in paragraphs[: len(texts)]]
    chars = sum(len(text) for text, ok in zip(texts, is_prose, strict=True) if ok)
    if chars < MIN_DOCUMENT_CHARS:
        return np.ones(len(texts), dtype=np.bool_)
    return np.array(is_prose, dtype=np.bool_)


def measure_parts(
    reading: Reading, probabilities: NDArray[np.float64], labels: Sequence[str]
) -> dict[str, float]:
    """Return the bytes of a page that are in each label, where that is a good part of it.

    ``probabilities`` has a row for each text of the page and a column for each label.
    """
    lengths = reading.lengths * (reading.is_counted & ~reading.is_unclear)
    is_running = reading.lengths >= SHORT_BYTES
    is_sure = is_running & (probabilities.max(axis=1) >= SURE)
    best = probabilities.argmax(axis=1)
    sizes = np.bincount(best, weights=lengths * is_sure, minlength=len(labels))
    least = max(_MIN_PART_BYTES, _MIN_PART * lengths.sum())
    parts = zip(labels, sizes.tolist(), strict=True)
    return {label: size for label, size in parts if size >= least}


def choose_part(
    parts: Mapping[str, float], expected: str, lang: str, find_frame: Callable[[], str]
) -> str:
    """Return the language of a page of which most, but not all, is said to be in ``lang``.

    ``parts`` are the sizes of its parts in languages of the crawl. One in the language that
    the page declares, ``expected``, decides; of several the one that its frame is in
    (``find_frame``), ``lang`` or the largest.
    """
    if expected in parts:
        return expected
    if len(parts) > 1 and (frame := find_frame()) in parts:
        return frame
    if lang in parts or not parts:
        return lang
    return max(parts, key=parts.__getitem__)
