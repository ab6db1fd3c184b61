"""The pages of one language side by side: what the kinds of evidence compare."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.page_vectors import HEADING_KIND, TITLE_KIND, id_number
from ilspfc.pairing.sparse import make_counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy.typing as npt
    from scipy.sparse import csr_array

    from ilspfc.pairing.page_content import PairingDocument
    from ilspfc.pairing.page_vectors import EncodedPage, PageEncoder
    from ilspfc.text.arrays import FloatArray, IdArray


# Text on a larger share of a language's pages, and on more than so many, is part of the
# site's frame, whatever cleaning took it for.
MAX_BLOCK_SHARE = 0.1
MIN_BLOCK_PAGES = 5


@dataclass(frozen=True, slots=True)
class Pages:
    """The pages of one language of a site, n of them, in the order of their ids.

    ``words``, ``titles``, ``anchors`` and ``images`` count tokens and image names, which
    the languages share: shape (n, vocabulary). ``stems``, ``title_stems`` and
    ``anchor_stems`` count stems of the language. By page, ``kinds`` and ``lengths`` are
    by block, ``sizes`` the sums of the lengths; ``frames`` holds the kinds of all its paragraphs; ``links`` the pages, by
    row, that it links to.
    """

    documents: list[PairingDocument]
    words: csr_array
    titles: csr_array
    anchors: csr_array
    images: csr_array
    stems: csr_array
    title_stems: csr_array
    anchor_stems: csr_array
    kinds: list[npt.NDArray[np.int8]]
    lengths: list[FloatArray]
    sizes: FloatArray
    frames: list[npt.NDArray[np.int8]]
    links: list[npt.NDArray[np.int64]]
    encoded: Sequence[EncodedPage]
    kept: list[npt.NDArray[np.int64]]
    stem_of: IdArray

    def __len__(self) -> int:
        return len(self.documents)

    def widen(self, stems: int) -> None:
        """Make room for stems that other sites of the language have."""
        for counts in (self.stems, self.title_stems, self.anchor_stems):
            counts.resize((len(self), stems))

    def blocks(self, row: int) -> list[list[IdArray]]:
        """Return the stems of each sentence of each block of a page."""
        page = self.encoded[row]
        parts = _split(page, self.stem_of[page.tokens])
        return [parts[number] for number in self.kept[row]]


def make_pages(encoded: Sequence[EncodedPage], encoder: PageEncoder) -> Pages:
    """Return the pages of one language of a site; blocks of its frame are left out."""
    encoded = sorted(encoded, key=lambda page: page.document.id)
    kept = _kept_blocks(encoded)
    words, titles = [], []
    for page, keep in zip(encoded, kept, strict=True):
        parts = _split(page, page.tokens)
        is_title = np.isin(page.kinds[keep], (TITLE_KIND, HEADING_KIND))
        words.append(_join(parts[number] for number in keep))
        titles.append(
            _join(parts[n] for n, is_one in zip(keep, is_title, strict=True) if is_one)
        )
    lengths = [
        p.lengths[keep].astype(float) for p, keep in zip(encoded, kept, strict=True)
    ]
    anchors = [page.anchors for page in encoded]
    width = len(encoder.tokens)
    used = np.zeros(width, bool)
    for part in (*words, *anchors):
        used[part] = True
    lang = encoded[0].document.lang if encoded else ""
    stem_of = encoder.stem_numbers(lang, used)
    stem_width = len(encoder.stems(lang))
    return Pages(
        documents=[page.document for page in encoded],
        words=make_counts(words, width),
        titles=make_counts(titles, width),
        anchors=make_counts(anchors, width),
        images=make_counts([page.images for page in encoded], len(encoder.images)),
        stems=make_counts([stem_of[part] for part in words], stem_width),
        title_stems=make_counts([stem_of[part] for part in titles], stem_width),
        anchor_stems=make_counts([stem_of[part] for part in anchors], stem_width),
        kinds=[p.kinds[keep] for p, keep in zip(encoded, kept, strict=True)],
        lengths=lengths,
        sizes=np.array([part.sum() for part in lengths], dtype=float),
        frames=[page.frame for page in encoded],
        links=_link_rows(encoded),
        encoded=encoded,
        kept=kept,
        stem_of=stem_of,
    )


def _kept_blocks(encoded: Sequence[EncodedPage]) -> list[npt.NDArray[np.int64]]:
    """Return for each page the blocks that are not part of the site's frame."""
    digests = [np.unique(page.digests) for page in encoded]
    if not digests:
        return []
    values, numbers = np.unique(np.concatenate(digests), return_counts=True)
    bound = max(MIN_BLOCK_PAGES, MAX_BLOCK_SHARE * len(encoded))
    frame = values[numbers > bound]
    return [np.nonzero(~np.isin(page.digests, frame))[0] for page in encoded]


def _split(page: EncodedPage, tokens: IdArray) -> list[list[IdArray]]:
    """Return the tokens, or what stands for each, of each sentence of each block."""
    starts = [0, *page.sentence_ends.tolist()]
    sentences = [tokens[a:b] for a, b in pairwise(starts)]
    bounds = [0, *page.block_ends.tolist()]
    return [sentences[a:b] for a, b in pairwise(bounds)]


def _join(blocks: Iterable[Iterable[IdArray]]) -> IdArray:
    sentences = [sentence for block in blocks for sentence in block]
    return np.concatenate([np.zeros(0, np.int32), *sentences])


def _link_rows(encoded: Sequence[EncodedPage]) -> list[npt.NDArray[np.int64]]:
    """Return the rows of the pages that each page links to, in order."""
    numbers = np.array([id_number(p.document.id) for p in encoded], np.int64)
    order = np.argsort(numbers)
    ordered = numbers[order]
    rows = []
    for page in encoded:
        places = np.minimum(np.searchsorted(ordered, page.links), len(ordered) - 1)
        found = ordered[places] == page.links
        rows.append(order[places[found]])
    return rows
