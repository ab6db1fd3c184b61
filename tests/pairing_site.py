"""A small bilingual site that is made up: its second language is the first one's, changed."""

from __future__ import annotations

import random

from ilspfc.line.comparisons import EncodedCorpus, stem
from ilspfc.pairing.page_arrays import PageBlock, PageContent, PageEncoder
from ilspfc.pairing.page_content import PairingDocument, VersionLink

LANGS = ("deu", "ita")


def translate(word: str) -> str:
    """Return a word of the second language: numbers and names stay as they are."""
    return word if word[0].isdigit() or word[0] == "x" else word[::-1] + "o"


def make_pages(
    number: int, *, seed: int = 1, names: bool = True
) -> dict[str, list[tuple[PairingDocument, PageContent]]]:
    """Return the pages of both languages: page n of one is page n of the other.

    With ``names`` each page has a name and a number of its own.
    """
    random_ = random.Random(seed)
    words = ["".join(random_.choices("abcdefghik", k=7)) for _ in range(300)]
    pages: dict[str, list[tuple[PairingDocument, PageContent]]] = {"deu": [], "ita": []}
    for page in range(number):
        own = [f"xname{page}", str(1000 + page)] if names else []
        sentences = [random_.choices(words, k=random_.randint(4, 12)) for _ in range(6)]
        sentences[0] = own + sentences[0]
        for lang in LANGS:
            said = sentences
            if lang == "ita":
                said = [[translate(word) for word in one] for one in sentences]
            pages[lang].append(make_page(lang, page, said))
    return pages


def make_page(
    lang: str,
    number: int,
    sentences: list[list[str]],
    *,
    links: tuple[str, ...] = (),
    versions: tuple[VersionLink, ...] = (),
    images: frozenset[str] = frozenset(),
    url: str = "",
    anchors: tuple[str, ...] = (),
) -> tuple[PairingDocument, PageContent]:
    """Return a page whose first sentence is its title."""
    document = PairingDocument(
        id=page_id(lang, number),
        lang=lang,
        url=url or f"http://a.example/p/{page_id(lang, number)}",
        depth=2,
        paragraphs=len(sentences),
        tokens=sum(map(len, sentences)),
        fingerprint=(),
        images=images,
        versions=versions,
    )
    blocks = [
        PageBlock(0 if n else 1, float(sum(map(len, sentence))), [sentence])
        for n, sentence in enumerate(sentences)
    ]
    frame = [block.kind for block in blocks]
    return document, PageContent(blocks, frame=frame, links=links, anchors=anchors)


def page_id(lang: str, number: int) -> str:
    """Return an id that tells nothing of the order of the pages."""
    scrambled = (number * 7919 + (13 if lang == "deu" else 4099)) % 99991
    return f"{'d' if lang == 'deu' else 'e'}{scrambled:011x}"


def encode(
    pages: dict[str, list[tuple[PairingDocument, PageContent]]], *, site: str = "a"
) -> EncodedCorpus:
    """Return the pages as numbers."""
    encoder = PageEncoder(stem)
    return EncodedCorpus(
        encoder,
        {
            lang: {site: [encoder.encode(*page) for page in some]}
            for lang, some in pages.items()
        },
        LANGS,
    )
