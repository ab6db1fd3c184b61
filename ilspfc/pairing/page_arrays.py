"""Compact arrays of pages, in which even a large site fits in memory for comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from itertools import islice, pairwise
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from ilspfc.pairing.page_content import PairingDocument
from ilspfc.pairing.sparse import make_counts, renumber
from ilspfc.text.arrays import FloatArray, IdArray, IntArray
from ilspfc.text.cognates import cognate_keys
from ilspfc.text.vocabulary import Segments, Vocabulary

# A block found on more than this share and number of a language's pages belongs to the
# site's frame: shares for clean blocks, and for blocks rejected by cleaning.
MAX_BLOCK_SHARE = 0.1
MAX_REJECTED_SHARE = 0.02
MIN_BLOCK_PAGES = 5


@dataclass(frozen=True, slots=True)
class Texts:
    """Selected blocks of the n pages of one language of a site.

    ``words`` and ``titles`` are token counts, shape (n, vocabulary), ``stems`` and
    ``title_stems`` counts of stems of the language. For each page, ``blocks`` are the block
    indices, ``kinds`` and ``lengths`` theirs, ``sizes`` the sums of the lengths.
    """

    words: csr_array
    titles: csr_array
    stems: csr_array
    title_stems: csr_array
    kinds: list[npt.NDArray[np.int8]]
    lengths: list[FloatArray]
    sizes: FloatArray
    blocks: list[npt.NDArray[np.int64]]

    def renumber(self, tokens: IdArray, stems: IdArray) -> Texts:
        """Return the texts with the numbers of tokens and stems among these, sorted."""
        return replace(
            self,
            words=renumber(self.words, tokens),
            titles=renumber(self.titles, tokens),
            stems=renumber(self.stems, stems),
            title_stems=renumber(self.title_stems, stems),
        )


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of the whole text of n pages, as stems of the language.

    ``blocks`` are the numbers of the first sentences of all blocks, ``pages`` those of the
    first blocks of all pages; both have the number of all at their end.
    """

    stems: Segments
    blocks: IntArray
    pages: IntArray

    def bounds(
        self, pages: IntArray, first: IntArray, last: IntArray
    ) -> tuple[IntArray, IntArray]:
        """Return the bounds of the sentences between blocks ``first`` and ``last`` of pages."""
        starts = self.pages[pages]
        return self.blocks[starts + first], self.blocks[starts + last]


@dataclass(frozen=True, slots=True)
class Pages:
    """The n pages of one language of a site, in the order of their URLs.

    ``clean`` is the text accepted by cleaning, ``whole`` all text that does not recur on
    the site: cleaning sees each page alone, and may reject a short page in one language
    only. ``anchors`` and ``images`` are counts of tokens and image names over vocabularies
    shared by the languages, shape (n, vocabulary), ``anchor_stems`` counts of stems of the
    language. For each page, ``frames`` are the kinds of all paragraphs, ``links`` the rows
    of the pages that it links to. ``encoded`` are the pages as read, unless renumbered.
    """

    documents: list[PairingDocument]
    clean: Texts
    whole: Texts
    anchors: csr_array
    images: csr_array
    anchor_stems: csr_array
    frames: list[npt.NDArray[np.int8]]
    links: list[npt.NDArray[np.int64]]
    sentences: Sentences
    encoded: Sequence[EncodedPage]

    def __len__(self) -> int:
        return len(self.documents)

    def renumber(self, tokens: IdArray, stems: IdArray, images: IdArray) -> Pages:
        """Return the pages with the numbers among these, sorted, which have all theirs."""
        return replace(
            self,
            clean=self.clean.renumber(tokens, stems),
            whole=self.whole.renumber(tokens, stems),
            anchors=renumber(self.anchors, tokens),
            images=renumber(self.images, images),
            anchor_stems=renumber(self.anchor_stems, stems),
            sentences=replace(
                self.sentences,
                stems=Segments(
                    np.searchsorted(stems, self.sentences.stems.ids).astype(np.int32),
                    self.sentences.stems.offsets,
                ),
            ),
            encoded=(),
        )

    def sentence_lengths(
        self, row: int, of: Texts, token_lengths: FloatArray
    ) -> list[FloatArray]:
        """Return, for each block of a page, the sentence lengths summed over tokens."""
        page = self.encoded[row]
        ends = np.append(0, np.cumsum(token_lengths[page.tokens]))[page.sentence_ends]
        blocks = np.split(np.diff(ends, prepend=0), page.block_ends)
        return [blocks[number] for number in of.blocks[row]]

    def page_sentences(
        self, row: int, of: Texts, stem_of: IdArray
    ) -> list[list[IdArray]]:
        """Return the stems of each sentence of each block of a page."""
        page = self.encoded[row]
        starts = [0, *page.sentence_ends.tolist()]
        sentences = [stem_of[page.tokens[a:b]] for a, b in pairwise(starts)]
        bounds = [0, *page.block_ends.tolist()]
        parts = [sentences[a:b] for a, b in pairwise(bounds)]
        return [parts[number] for number in of.blocks[row]]


def address_key(url: str, identity: str) -> tuple[str, str]:
    """Return the key that sorts documents and breaks ties.

    Host and port are ignored, so the order is the same wherever the site is served.
    """
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}", identity


def make_pages(
    pages: Iterable[EncodedPage], encoder: PageEncoder, stem_of: IdArray
) -> Pages:
    """Return the pages of one language of a site, without the blocks of its frame.

    ``stem_of`` maps tokens to stems of the language (:meth:`PageEncoder.stem_numbers`).
    """
    encoded = sorted(pages, key=lambda p: address_key(p.document.url, p.document.id))
    whole = _find_own_blocks(encoded)
    clean = [own[page.is_clean[own]] for page, own in zip(encoded, whole, strict=True)]
    lang = encoded[0].document.lang if encoded else ""
    anchors = [page.anchors for page in encoded]
    widths = len(encoder.tokens), len(encoder.stems(lang))
    return Pages(
        documents=[page.document for page in encoded],
        clean=_read_texts(encoded, clean, stem_of, widths),
        whole=_read_texts(encoded, whole, stem_of, widths),
        anchors=make_counts(anchors, widths[0]),
        images=make_counts([page.images for page in encoded], len(encoder.images)),
        anchor_stems=make_counts([stem_of[part] for part in anchors], widths[1]),
        frames=[page.frame for page in encoded],
        links=_find_link_rows(encoded),
        sentences=_read_sentences(encoded, whole, stem_of),
        encoded=encoded,
    )


def _find_own_blocks(encoded: Sequence[EncodedPage]) -> list[npt.NDArray[np.int64]]:
    """Return, for each page, the indices of the blocks outside the site's frame."""
    digests = [np.unique(page.digests) for page in encoded]
    if not digests:
        return []
    values, numbers = np.unique(np.concatenate(digests), return_counts=True)
    frames = [
        values[numbers > max(MIN_BLOCK_PAGES, share * len(encoded))]
        for share in (MAX_REJECTED_SHARE, MAX_BLOCK_SHARE)
    ]
    rejected, clean = (
        [~np.isin(page.digests, frame) for page in encoded] for frame in frames
    )
    return [
        np.nonzero(np.where(page.is_clean, clean[n], rejected[n]))[0]
        for n, page in enumerate(encoded)
    ]


def _read_texts(
    encoded: Sequence[EncodedPage],
    blocks: list[npt.NDArray[np.int64]],
    stem_of: IdArray,
    widths: tuple[int, int],
) -> Texts:
    """Return the text of the given blocks; ``widths`` are numbers of tokens and stems."""
    words, titles = [], []
    for page, chosen in zip(encoded, blocks, strict=True):
        is_title = np.isin(page.kinds[chosen], _NAMING_KINDS)
        words.append(_read_tokens(page, chosen)[0])
        titles.append(_read_tokens(page, chosen[is_title])[0])
    lengths = [
        page.lengths[chosen].astype(float)
        for page, chosen in zip(encoded, blocks, strict=True)
    ]
    return Texts(
        words=make_counts(words, widths[0]),
        titles=make_counts(titles, widths[0]),
        stems=make_counts([stem_of[part] for part in words], widths[1]),
        title_stems=make_counts([stem_of[part] for part in titles], widths[1]),
        kinds=[page.kinds[own] for page, own in zip(encoded, blocks, strict=True)],
        lengths=lengths,
        sizes=np.array([part.sum() for part in lengths], dtype=float),
        blocks=blocks,
    )


def _read_tokens(
    page: EncodedPage, chosen: npt.NDArray[np.int64]
) -> tuple[IdArray, IdArray, IdArray]:
    """Return the tokens of some blocks, and the sizes of their sentences and blocks."""
    blocks = np.diff(page.block_ends, prepend=0)
    sentences = np.diff(page.sentence_ends, prepend=0)
    is_chosen = np.isin(np.arange(len(blocks)), chosen)
    is_read = np.repeat(is_chosen, blocks)
    tokens = page.tokens[np.repeat(is_read, sentences)]
    return tokens, sentences[is_read], blocks[is_chosen]


def _read_sentences(
    encoded: Sequence[EncodedPage],
    blocks: list[npt.NDArray[np.int64]],
    stem_of: IdArray,
) -> Sentences:
    parts = [_read_tokens(page, own) for page, own in zip(encoded, blocks, strict=True)]
    nothing = np.zeros(0, np.int32)
    tokens, sentences, sizes = (
        np.concatenate([nothing, *(part[place] for part in parts)])
        for place in range(3)
    )
    offsets, starts, pages = (
        np.append(0, np.cumsum(some, dtype=np.int64))
        for some in (sentences, sizes, [len(own) for own in blocks])
    )
    return Sentences(Segments(stem_of[tokens], offsets), starts, pages)


def _find_link_rows(encoded: Sequence[EncodedPage]) -> list[npt.NDArray[np.int64]]:
    """Return, for each page, the rows of the pages that it links to, in order."""
    numbers = np.array([id_number(p.document.id) for p in encoded], np.int64)
    order = np.argsort(numbers)
    ordered = numbers[order]
    rows = []
    for page in encoded:
        places = np.minimum(np.searchsorted(ordered, page.links), len(ordered) - 1)
        found = ordered[places] == page.links
        rows.append(order[places[found]])
    return rows


# Bounds on the time and memory that a huge page takes; parts beyond them add nothing.
MAX_TOKENS = 20_000
MAX_BLOCKS = 400
MAX_LINKS = 250
# Kinds of blocks that name the page or a part of it.
TITLE_KIND, HEADING_KIND = 1, 2
_NAMING_KINDS = (TITLE_KIND, HEADING_KIND)


@dataclass(frozen=True)
class PageBlock:
    """Paragraph as input of pairing.

    ``kind`` is a number, 1 for a title and 2 for a heading; ``length`` is in characters
    normalized across scripts; ``sentences`` are lists of tokens; ``is_clean`` is True if
    cleaning accepted it.
    """

    kind: int
    length: float
    sentences: Sequence[Sequence[str]]
    is_clean: bool = True

    @cached_property
    def digest(self) -> int:
        """Hash of the text; a title differs from a menu item of the same text."""
        texts = "\n".join(" ".join(sentence) for sentence in self.sentences)
        return _hash(f"{self.kind in _NAMING_KINDS}\n{texts}")


@dataclass(frozen=True, slots=True)
class PageContent:
    """Content of a page to compare, in addition to its :class:`PairingDocument`.

    ``blocks`` are the paragraphs in order; ``frame`` the kinds of all paragraphs;
    ``links`` the distinct ids of the documents it links to, in order; ``anchors`` the
    anchor text tokens of links to it.
    """

    blocks: Sequence[PageBlock]
    frame: Sequence[int] = ()
    links: Sequence[str] = ()
    anchors: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class EncodedPage:
    """A page as arrays.

    ``tokens`` are those of all blocks; ``sentence_ends`` index the tokens, ``block_ends``
    the sentences; ``kinds``, ``lengths``, ``digests`` and ``is_clean`` have the shape
    (blocks,). ``links`` are document ids as numbers.
    """

    document: PairingDocument
    tokens: IdArray
    sentence_ends: IdArray
    block_ends: IdArray
    kinds: npt.NDArray[np.int8]
    lengths: npt.NDArray[np.float32]
    digests: npt.NDArray[np.int64]
    is_clean: npt.NDArray[np.bool_]
    frame: npt.NDArray[np.int8]
    links: npt.NDArray[np.int64]
    anchors: IdArray
    images: IdArray


class PageEncoder:
    """Encoder of the pages of all languages over one vocabulary of tokens.

    ``stem`` returns the stem of a token in a language (ISO 639-3).
    """

    def __init__(self, stem: Callable[[str, str], str]) -> None:
        self._stem = stem
        self.tokens = Vocabulary()
        self.images = Vocabulary()
        self._stems: dict[str, Vocabulary] = {}
        self._cognates: dict[bool, csr_array] = {}

    def encode(self, document: PairingDocument, content: PageContent) -> EncodedPage:
        """Return a page as arrays."""
        blocks = _choose_blocks(content.blocks)
        sentences = [sentence for block in blocks for sentence in block.sentences]
        tokens = [token for sentence in sentences for token in sentence][:MAX_TOKENS]
        return EncodedPage(
            document=document,
            tokens=self.tokens.add(tokens),
            sentence_ends=_ends(map(len, sentences), len(tokens)),
            block_ends=_ends((len(b.sentences) for b in blocks), len(sentences)),
            kinds=np.array([block.kind for block in blocks], np.int8),
            lengths=np.array([block.length for block in blocks], np.float32),
            digests=np.array([block.digest for block in blocks], np.int64),
            is_clean=np.array([block.is_clean for block in blocks], bool),
            frame=np.array(content.frame[:MAX_BLOCKS], np.int8),
            links=np.array([id_number(i) for i in content.links[:MAX_LINKS]], np.int64),
            anchors=self.tokens.add(content.anchors),
            images=self.images.add(sorted(document.images)),
        )

    def cognates(self, *, by_sound: bool) -> csr_array:
        """Return the cognate keys of all tokens so far; see :func:`cognate_keys`."""
        keys = self._cognates.get(by_sound)
        if keys is None or keys.shape[0] != len(self.tokens):
            keys = cognate_keys(list(self.tokens), by_sound=by_sound)
            self._cognates[by_sound] = keys
        return keys

    def stems(self, lang: str) -> Vocabulary:
        """Return the stems of a language."""
        return self._stems.setdefault(lang, Vocabulary())

    def stem_numbers(self, lang: str, pages: Iterable[EncodedPage]) -> IdArray:
        """Return the stem number of each token on pages of a language, -1 for others."""
        used = np.zeros(len(self.tokens), bool)
        for page in pages:
            used[page.tokens] = used[page.anchors] = True
        stems = self.stems(lang)
        numbers = np.full(len(self.tokens), -1, np.int32)
        for token, number in self.tokens.items():
            if used[number]:
                numbers[number] = stems.setdefault(self._stem(token, lang), len(stems))
        return numbers


def _choose_blocks(blocks: Sequence[PageBlock]) -> list[PageBlock]:
    """Return up to ``MAX_BLOCKS`` clean blocks and as many others, in order."""
    chosen = [
        number
        for is_clean in (True, False)
        for number in islice(
            (n for n, block in enumerate(blocks) if block.is_clean is is_clean),
            MAX_BLOCKS,
        )
    ]
    return [blocks[number] for number in sorted(chosen)]


def id_number(identity: str) -> int:
    """Return the number of a document id (12 hex digits), or the digest of another id."""
    try:
        return int(identity, 16) if len(identity) <= 15 else _hash(identity)
    except ValueError:
        return _hash(identity)


def _hash(text: str) -> int:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6)
    return int.from_bytes(digest.digest(), "big")


def _ends(sizes: Iterable[int], limit: int) -> IdArray:
    return np.minimum(np.cumsum(np.fromiter(sizes, np.int32)), limit).astype(np.int32)
