"""Pages as numbers: small enough that those of a large site fit in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy.typing as npt

    from ilspfc.pairing.page_content import PairingDocument
    from ilspfc.text.arrays import IdArray


# More of a page does not tell more of it: bounds time and memory of a huge one.
MAX_TOKENS = 20_000
MAX_BLOCKS = 400
MAX_LINKS = 250
# Kinds of blocks that name the page or a part of it.
TITLE_KIND, HEADING_KIND = 1, 2


@dataclass(frozen=True, slots=True)
class PageBlock:
    """A paragraph as pairing sees it.

    ``kind`` is a number, 1 for a title and 2 for a heading; ``length`` is in characters
    that are comparable across scripts; ``sentences`` are lists of tokens.
    """

    kind: int
    length: float
    sentences: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class PageContent:
    """What of a page is compared, beside its :class:`PairingDocument`.

    ``blocks`` are the clean paragraphs in order; ``frame`` the kinds of all paragraphs;
    ``links`` the ids of the documents it links to, in order, each once; ``anchors`` the
    tokens of the links that lead to it.
    """

    blocks: Sequence[PageBlock]
    frame: Sequence[int] = ()
    links: Sequence[str] = ()
    anchors: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class EncodedPage:
    """A page as arrays.

    ``tokens`` are those of all blocks; ``sentence_ends`` the ends of the sentences in them,
    ``block_ends`` those of the blocks in the sentences; ``kinds``, ``lengths`` and
    ``digests`` are by block. ``links`` are document ids as numbers.
    """

    document: PairingDocument
    tokens: IdArray
    sentence_ends: IdArray
    block_ends: IdArray
    kinds: npt.NDArray[np.int8]
    lengths: npt.NDArray[np.float32]
    digests: npt.NDArray[np.int64]
    frame: npt.NDArray[np.int8]
    links: npt.NDArray[np.int64]
    anchors: IdArray
    images: IdArray


@dataclass(slots=True)
class Vocabulary:
    """Numbers strings in the order in which they come."""

    numbers: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.numbers)

    def encode(self, tokens: Iterable[str]) -> IdArray:
        """Return the numbers of tokens; those not met before get the next ones."""
        numbers = self.numbers
        return np.fromiter(
            (numbers.setdefault(token, len(numbers)) for token in tokens), np.int32
        )


class PageEncoder:
    """Encodes the pages of all languages over one vocabulary of tokens.

    ``stem`` gives the stem of a token in a language (ISO 639-3).
    """

    def __init__(self, stem: Callable[[str, str], str]) -> None:
        self._stem = stem
        self.tokens = Vocabulary()
        self.images = Vocabulary()
        self._stems: dict[str, Vocabulary] = {}

    def encode(self, document: PairingDocument, content: PageContent) -> EncodedPage:
        """Return a page as arrays."""
        blocks = content.blocks[:MAX_BLOCKS]
        sentences = [sentence for block in blocks for sentence in block.sentences]
        tokens = [token for sentence in sentences for token in sentence][:MAX_TOKENS]
        return EncodedPage(
            document=document,
            tokens=self.tokens.encode(tokens),
            sentence_ends=_ends(map(len, sentences), len(tokens)),
            block_ends=_ends((len(b.sentences) for b in blocks), len(sentences)),
            kinds=np.array([block.kind for block in blocks], np.int8),
            lengths=np.array([block.length for block in blocks], np.float32),
            digests=np.array([_digest(block) for block in blocks], np.int64),
            frame=np.array(content.frame[:MAX_BLOCKS], np.int8),
            links=np.array([id_number(i) for i in content.links[:MAX_LINKS]], np.int64),
            anchors=self.tokens.encode(content.anchors),
            images=self.images.encode(sorted(document.images)),
        )

    def stems(self, lang: str) -> Vocabulary:
        """Return the stems of a language."""
        return self._stems.setdefault(lang, Vocabulary())

    def stem_numbers(self, lang: str, used: npt.NDArray[np.bool_]) -> IdArray:
        """Return the stem of each token that is used in a language, -1 for the others."""
        stems = self.stems(lang).numbers
        numbers = np.full(len(self.tokens), -1, np.int32)
        for token, number in self.tokens.numbers.items():
            if number < len(used) and used[number]:
                numbers[number] = stems.setdefault(self._stem(token, lang), len(stems))
        return numbers


def id_number(identity: str) -> int:
    """Return a document id, 12 hex digits, as a number; other ids by their digest."""
    try:
        return int(identity, 16) if len(identity) <= 15 else _number(identity)
    except ValueError:
        return _number(identity)


def _number(text: str) -> int:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6)
    return int.from_bytes(digest.digest(), "big")


def _digest(block: PageBlock) -> int:
    return _number("\n".join(" ".join(sentence) for sentence in block.sentences))


def _ends(sizes: Iterable[int], limit: int) -> IdArray:
    return np.minimum(np.cumsum(np.fromiter(sizes, np.int32)), limit).astype(np.int32)
