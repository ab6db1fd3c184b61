"""Harder forms of a site for pairing: short texts, and noise.

They are made of the encoded pages of a real site, with numbers that depend on nothing but
the pages' keys, so that both languages of a page are cut alike where they should be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.page_arrays import HEADING_KIND, TITLE_KIND

if TYPE_CHECKING:
    import numpy.typing as npt

    from ilspfc.pairing.page_arrays import EncodedPage, PageEncoder
    from ilspfc.text.arrays import IdArray

    Pages = Mapping[str, Sequence[EncodedPage]]
    KeyOf = Callable[[str], str]

# Of a short page this many blocks are left, each of so many tokens at most.
_SHORT_BLOCKS = 4
_SHORT_TOKENS = 40
# Of a brief page its first title and so many blocks at most; the share of them that the
# cleaner rejects in one language by mistake, most teasers of other pages beside them, and the
# share of pages without a partner.
_BRIEF_BLOCKS = 3
_REJECTED = 0.3
_TEASERS = 3
_ALONE = 0.3
# Shares of pages: whose partner is missing, which are stubs, older states, listings.
_MISSING, _STUBS, _OLDER, _LISTINGS = 0.25, 0.1, 0.35, 0.08
_STUB_TOKENS = 8
_LISTED = 15


def chance(*parts: str) -> float:
    """Return a number in [0, 1) that depends on the parts alone.

    >>> chance("a", "b") == chance("a", "b") != chance("b", "a")
    True
    """
    digest = blake2b("\\n".join(parts).encode(), digest_size=7).digest()
    return int.from_bytes(digest, "big") / 2**56


def shorten(
    pages: Pages, encoder: PageEncoder, key_of: KeyOf, *, linked: bool = False
) -> dict[str, list[EncodedPage]]:
    """Return the pages cut to one to four blocks, without digits, images, links or copies.

    ``linked`` pages keep their links, and lose their HTML tags instead.
    """
    is_number = np.array([any(c.isdigit() for c in t) for t in encoder.tokens])

    def cut(page: EncodedPage) -> EncodedPage:
        blocks = _first_blocks(page, key_of(page.document.url))
        made = _cut(page, blocks, is_number)
        if linked:
            return replace(made, document=replace(made.document, tags=""))
        return _without_links(made)

    return {
        lang: _drop_copies([cut(page) for page in some]) for lang, some in pages.items()
    }


def make_brief(pages: Pages, key_of: KeyOf) -> dict[str, list[EncodedPage]]:
    """Return the pages cut to a title and few blocks, judged with errors, or left out.

    Each language is judged by itself: blocks of the text are rejected, the text of links to
    other pages stands beside it.
    """
    brief: dict[str, list[EncodedPage]] = {}
    for lang, some in pages.items():
        keys = [key_of(page.document.url) for page in some]
        brief[lang] = _drop_copies(
            [
                _make_brief(page, some, key, lang)
                for page, key in zip(some, keys, strict=True)
                if chance("alone", key, lang) >= _ALONE
            ]
        )
    return brief


def _make_brief(
    page: EncodedPage, pages: Sequence[EncodedPage], key: str, lang: str
) -> EncodedPage:
    titles = np.nonzero(np.isin(page.kinds, (TITLE_KIND, HEADING_KIND)))[0][:1]
    number = 1 + int(chance("brief", key) * _BRIEF_BLOCKS)
    body = np.nonzero(page.is_clean & (page.lengths >= 40))[0][:number]
    cut = _cut(page, np.union1d(titles, body), None, _SHORT_TOKENS)
    is_clean = np.array(
        [
            kind not in {TITLE_KIND, HEADING_KIND}
            and chance("reject", key, lang, str(n)) >= _REJECTED
            for n, kind in enumerate(cut.kinds)
        ],
        bool,
    )
    teasers = [
        _first_title(pages[int(chance("teaser", key, lang, str(n)) * len(pages))])
        for n in range(int(chance("teasers", key, lang) * (_TEASERS + 1)))
    ]
    ends = np.cumsum([len(teaser) for teaser in teasers], dtype=np.int32)
    blocks = len(cut.sentence_ends) + np.arange(1, len(teasers) + 1, dtype=np.int32)
    return replace(
        cut,
        tokens=np.concatenate([cut.tokens, *teasers]),
        sentence_ends=np.concatenate([cut.sentence_ends, len(cut.tokens) + ends]),
        block_ends=np.concatenate([cut.block_ends, blocks]),
        kinds=np.concatenate([cut.kinds, np.full(len(teasers), 3, np.int8)]),
        lengths=np.concatenate([cut.lengths, np.full(len(teasers), 25, np.float32)]),
        digests=np.concatenate(
            [
                cut.digests,
                [
                    int(chance("digest", key, lang, str(n)) * 1e15)
                    for n in range(len(teasers))
                ],
            ]
        ).astype(np.int64),
        is_clean=np.concatenate([is_clean, np.zeros(len(teasers), bool)]),
        images=np.zeros(0, np.int32),
    )


def _first_title(page: EncodedPage) -> IdArray:
    """Return the tokens of the first title of a page, else its first tokens."""
    titles = np.nonzero(np.isin(page.kinds, (TITLE_KIND, HEADING_KIND)))[0][:1]
    return _cut(page, titles, None, 12).tokens if len(titles) else page.tokens[:6]


def _drop_copies(pages: list[EncodedPage]) -> list[EncodedPage]:
    """Return the pages, of those with the same text the first by id.

    That is what is left of them when pairing follows the search for duplicates.
    """
    first: dict[bytes, EncodedPage] = {}
    for page in sorted(pages, key=lambda page: page.document.id):
        first.setdefault(page.tokens.tobytes(), page)
    return list(first.values())


def add_noise(
    pages: Pages, key_of: KeyOf
) -> tuple[dict[str, list[EncodedPage]], set[tuple[str, str]]]:
    """Return the pages with partners missing, stubs, older states and listings.

    Beside them the languages and keys of pages that are missing or have become others.
    """
    noisy: dict[str, list[EncodedPage]] = {}
    spoiled: set[tuple[str, str]] = set()
    for number, (lang, some) in enumerate(sorted(pages.items())):
        noisy[lang] = []
        for page in some:
            key = key_of(page.document.url)
            draw = chance("page", key, lang)
            if draw < _MISSING + _STUBS or draw > 1 - _LISTINGS:
                spoiled.add((lang, key))
            if draw < _MISSING:
                continue
            made = page
            if draw < _MISSING + _STUBS:
                made = _cut(page, np.nonzero(page.is_clean)[0][:1], None, _STUB_TOKENS)
            elif number and draw < _MISSING + _STUBS + _OLDER:
                clean = np.nonzero(page.is_clean)[0]
                kept = [
                    block
                    for number, block in enumerate(
                        clean[: max(int(len(clean) * 0.7), 1)]
                    )
                    if chance("block", key, lang, str(number)) < 0.75 or number == 0
                ]
                made = _cut(page, np.array(kept, np.int64), None)
            elif draw > 1 - _LISTINGS:
                made = _listing(page, some)
            noisy[lang].append(made)
    return noisy, spoiled


def _first_blocks(page: EncodedPage, key: str) -> npt.NDArray[np.int64]:
    number = 1 + int(chance("short", key) * _SHORT_BLOCKS)
    clean = np.nonzero(page.is_clean)[0]
    own = clean[page.lengths[clean] >= 40] if len(clean) else clean
    own = own if len(own) else clean[:1]
    return own[:number]


def _cut(
    page: EncodedPage,
    kept: npt.NDArray[np.int64],
    dropped: npt.NDArray[np.bool_] | None,
    max_tokens: int = _SHORT_TOKENS * 100,
) -> EncodedPage:
    """Return a page with some of its blocks, without the tokens that are dropped."""
    kept = kept[kept < len(page.kinds)]
    starts = np.concatenate([[0], page.sentence_ends])
    bounds = np.concatenate([[0], page.block_ends])
    tokens, ends, lengths = [], [], []
    for block in kept:
        first, last = starts[bounds[block]], starts[bounds[block + 1]]
        words = page.tokens[first:last]
        if dropped is not None:
            words = words[~dropped[words]][:_SHORT_TOKENS]
        words = words[:max_tokens]
        share = len(words) / max(last - first, 1)
        tokens.append(words)
        ends.append(len(words))
        lengths.append(page.lengths[block] * share)
    return replace(
        page,
        tokens=np.concatenate([np.zeros(0, np.int32), *tokens]),
        sentence_ends=np.cumsum(ends, dtype=np.int32),
        block_ends=np.arange(1, len(kept) + 1, dtype=np.int32),
        kinds=page.kinds[kept],
        lengths=np.array(lengths, np.float32),
        digests=page.digests[kept],
        is_clean=page.is_clean[kept],
        frame=page.kinds[kept] if dropped is not None else page.frame,
    )


def _without_links(page: EncodedPage) -> EncodedPage:
    nothing = np.zeros(0, np.int32)
    return replace(
        page,
        links=np.zeros(0, np.int64),
        anchors=nothing,
        images=nothing,
    )


def _listing(page: EncodedPage, pages: Sequence[EncodedPage]) -> EncodedPage:
    """Return the page as a list of the first words of others."""
    own = chance("listing", page.document.id)
    others = [pages[int(own * len(pages) + 7 * n) % len(pages)] for n in range(_LISTED)]
    parts = [other.tokens[:12] for other in others]
    ends = np.cumsum([len(part) for part in parts], dtype=np.int32)
    return replace(
        page,
        tokens=np.concatenate(parts),
        sentence_ends=ends,
        block_ends=np.arange(1, len(parts) + 1, dtype=np.int32),
        kinds=np.full(len(parts), 3, np.int8),
        lengths=np.array([60.0] * len(parts), np.float32),
        digests=np.arange(len(parts), dtype=np.int64) - int(own * 1e12),
        is_clean=np.ones(len(parts), bool),
    )
