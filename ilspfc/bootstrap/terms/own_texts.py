"""The user's own texts as a source of terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ilspfc.bootstrap.concepts import Concept
from ilspfc.bootstrap.terms.keyness import extract_terms, weigh_terms
from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from ilspfc.bootstrap.concepts import Ledger


class TextSource:
    """Takes terms from texts, by what tells them from others.

    ``texts`` and ``others`` are the files by language; ``stemmer`` gives what stems the
    words of one.
    """

    def __init__(
        self,
        texts: Mapping[str, Sequence[Path]],
        others: Mapping[str, Sequence[Path]],
        stemmer: Callable[[str], Callable[[str], str]],
        max_terms: int,
        ledger: Ledger,
    ) -> None:
        self._texts = texts
        self._others = others
        self._stemmer = stemmer
        self._max_terms = max_terms
        self._ledger = ledger

    def iter_concepts(self, subject: str, langs: Sequence[str]) -> Iterator[Concept]:
        """Yield a concept for each term; nothing says which translate each other."""
        del subject  # the texts are about it
        for lang in langs:
            if lang not in self._texts:
                continue
            if lang not in self._others:
                raise BootstrapError(
                    f"no texts on other subjects in {lang} to compare with; write some to"
                    " the folder of --background, as for --texts"
                )
            texts = _iter_texts(self._texts[lang])
            others = _iter_texts(self._others[lang])
            stem = self._stemmer(lang)
            terms = extract_terms(texts, others, stem, self._max_terms)
            self._ledger.count(f"key_terms_{lang}", len(terms))
            for term, weight in zip(terms, weigh_terms(terms), strict=True):
                yield Concept(
                    f"{lang}:{term.text}", names={lang: term.text}, weight=weight
                )


def _iter_texts(paths: Sequence[Path]) -> Iterator[str]:
    for path in paths:
        try:
            yield path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise BootstrapError(
                f"{path}: cannot be read ({error}); give text files in UTF-8"
            ) from error
