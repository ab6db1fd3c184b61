"""The documents of a corpus, by language and site, ready to be compared."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ilspfc.pairing.comparison import Comparison
from ilspfc.pairing.page_arrays import make_pages
from ilspfc.pairing.page_vectors import PageEncoder
from ilspfc.stages.pairing_pages import iter_pages, stem
from ilspfc.text.codes import codes_of
from ilspfc.text.cognates import cognate_keys
from ilspfc.text.language_names import names_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ilspfc.corpus.corpus import Corpus
    from ilspfc.pairing.page_vectors import EncodedPage

# Sites that have pages in one of the languages alone are compared as one.
_REST = ""


@dataclass(frozen=True, slots=True)
class EncodedCorpus:
    """The pages of a corpus as numbers, by language and group of sites.

    ``without_text`` are the ids of documents without a word, which are not among them.
    """

    encoder: PageEncoder
    pages: Mapping[str, Mapping[str, list[EncodedPage]]]
    langs: tuple[str, ...]
    without_text: frozenset[str] = frozenset()

    def compare(self, source_lang: str, target_lang: str) -> list[Comparison]:
        """Return the comparisons of two languages, one a site, in a stable order.

        A site with pages in both is compared with itself. What is left, German on one host
        and Italian on another, is compared as one.
        """
        left, right = self.pages.get(source_lang, {}), self.pages.get(target_lang, {})
        both = sorted(left.keys() & right.keys())
        parts = [(left[group], right[group]) for group in both]
        rest = tuple(
            [page for group in sorted(side.keys() - set(both)) for page in side[group]]
            for side in (left, right)
        )
        if all(rest):
            parts.append((rest[0], rest[1]))
        marks = tuple(
            frozenset(codes_of(lang) | names_of(lang, self.langs))
            for lang in (source_lang, target_lang)
        )
        made = [
            tuple(make_pages(side, self.encoder) for side in part) for part in parts
        ]
        for lang, side in zip(
            (source_lang, target_lang), zip(*made, strict=True), strict=False
        ):
            for some in side:
                some.widen(len(self.encoder.stems(lang)))
        tokens = self.encoder.tokens.numbers
        # A digit or a Latin letter alone tells nothing; a character of Chinese is a word.
        telling = np.array([len(t) > 1 or t >= "\u2e80" for t in tokens], bool)
        numbers = np.array([t[0].isdigit() for t in tokens], bool)
        keys = cognate_keys(list(tokens))
        return [
            Comparison(a, b, numbers, telling, keys, (marks[0], marks[1]))
            for a, b in made
        ]


def encode_corpus(corpus: Corpus, langs: Iterable[str]) -> EncodedCorpus:
    """Read the documents in some languages."""
    encoder = PageEncoder(stem)
    wanted = tuple(langs)
    group_of = _site_groups(corpus)
    pages: dict[str, dict[str, list[EncodedPage]]] = {
        lang: defaultdict(list) for lang in wanted
    }
    sites = {entry.id: entry.site for entry in corpus.index.documents_to_pair()}
    without_text = set()
    for document, content in iter_pages(corpus, wanted):
        page = encoder.encode(document, content)
        if not len(page.tokens):
            without_text.add(document.id)
            continue
        site = sites[document.id]
        pages[document.lang][group_of.get(site, site)].append(page)
    return EncodedCorpus(encoder, pages, corpus.langs, frozenset(without_text))


def _site_groups(corpus: Corpus) -> dict[str, str]:
    """Return the first site of the seeds' groups for each site in one."""
    groups: dict[str, str] = {}
    for group in corpus.run.get("groups", ()):
        for site in group:
            groups.setdefault(site, groups.get(group[0], group[0]))
    return groups
