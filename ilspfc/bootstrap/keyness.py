"""Terms of texts by keyness: frequency in texts of the subject against other texts.

The measure is the log-likelihood of Rayson and Garside, "Comparing corpora using frequency
profiling" (2000). Terms of several words are sequences that neither begin nor end with a
word that is common everywhere; a term that hardly occurs outside a longer one is dropped
(after Frantzi, Ananiadou and Mima, "Automatic recognition of multi-word terms: the
C-value/NC-value method", 2000).
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ilspfc.bootstrap.concepts import BootstrapLog, Concept
from ilspfc.classification.perplexity.page_perplexity import text_files
from ilspfc.classification.terms import StemmingTokenizer
from ilspfc.crawl.domain_texts import find_domain_texts
from ilspfc.exceptions import ArgumentError, BootstrapError
from ilspfc.text.text_files import read_text
from ilspfc.text.word_split import iter_spans

Stem = Callable[[str], str]


MAX_WORDS = 4
MIN_FREQUENCY = 3
# Chi square with one degree of freedom, p < 0.0001 (Rayson, Berridge and Francis, 2004).
MIN_LOG_LIKELIHOOD = 15.13
# A word with a larger share of the other texts is a function word.
COMMON_SHARE = 0.001
# A term with a larger share of its occurrences inside a longer one is dropped.
NESTED_SHARE = 0.8

_WORD_RE = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*['’]?|\S")
_MIN_WORD_CHARS = 3

Key = tuple[str, ...]


class KeyTerm(NamedTuple):
    """Term in its most frequent form, with its keyness and frequencies."""

    text: str
    keyness: float
    frequency: int
    documents: int


def log_likelihood(focus: int, other: int, focus_size: int, other_size: int) -> float:
    """Return the keyness of a word; negative where it is more frequent elsewhere.

    ``focus`` and ``other`` are its frequencies in the texts of the subject and in others,
    ``focus_size`` and ``other_size`` the numbers of tokens.

    >>> round(log_likelihood(10, 0, 1000, 1000), 2), log_likelihood(5, 5, 1000, 1000)
    (13.86, 0.0)
    """
    if not focus_size or not other_size:
        return 0.0
    share = (focus + other) / (focus_size + other_size)
    total = 0.0
    for seen, size in ((focus, focus_size), (other, other_size)):
        if seen:
            total += seen * math.log(seen / (size * share))
    sign = 1 if focus / focus_size >= other / other_size else -1
    return 2 * sign * total


@dataclass(slots=True)
class Counts:
    """Frequencies of words and of sequences of words, by stems."""

    stem: Stem
    tokens: int = 0
    frequencies: Counter[Key] = field(default_factory=Counter)
    documents: Counter[Key] = field(default_factory=Counter)
    forms: dict[Key, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, text: str, wanted: set[Key] | None = None) -> None:
        """Count a text; with ``wanted``, these sequences alone."""
        seen: set[Key] = set()
        for words in iter_runs(text):
            stems = tuple(self.stem(word.casefold()) for word in words)
            self.tokens += len(words)
            for start, end in iter_spans(len(words), MAX_WORDS):
                key = stems[start:end]
                if wanted is not None and key not in wanted:
                    continue
                self.frequencies[key] += 1
                seen.add(key)
                if wanted is None:
                    self.forms[key][" ".join(words[start:end])] += 1
        self.documents.update(seen)


def iter_runs(text: str) -> Iterator[list[str]]:
    """Yield the sequences of words of a text without punctuation between them.

    >>> list(iter_runs("L'ape vola, e poi torna."))
    [["L'", 'ape', 'vola'], ['e', 'poi', 'torna']]
    """
    run: list[str] = []
    for token in _WORD_RE.findall(unicodedata.normalize("NFC", text)):
        if not token[0].isalpha():
            if run:
                yield run
            run = []
            continue
        # An elided article is a word of its own.
        head, apostrophe, rest = token.replace("’", "'").partition("'")
        run += [head + apostrophe, rest] if apostrophe and rest else [head + apostrophe]
    if run:
        yield run


def extract_terms(
    texts: Iterable[str], others: Iterable[str], stem: Stem, max_terms: int
) -> list[KeyTerm]:
    """Return the terms of texts in one language, highest keyness first.

    ``others`` are texts in the same language on other subjects; ``stem`` returns the stem
    of a word in lower case. Memory grows with ``texts``, not with ``others``.
    """
    focus = Counts(stem)
    number = 0
    for number, text in enumerate(texts, 1):  # noqa: B007 - the last one counts
        focus.add(text)
    wanted = {key for key, n in focus.frequencies.items() if n >= MIN_FREQUENCY}
    single = {key for key in focus.frequencies if len(key) == 1}
    known = wanted | single
    other = Counts(stem)
    for text in others:
        other.add(text, known)
    scored: dict[Key, float] = {}
    for key in wanted:
        if not _is_candidate(key, focus, other, number):
            continue
        score = log_likelihood(
            focus.frequencies[key], other.frequencies[key], focus.tokens, other.tokens
        )
        if score >= MIN_LOG_LIKELIHOOD:
            scored[key] = score
    kept = sorted(_without_nested(scored, focus), key=lambda key: (-scored[key], key))
    return [
        KeyTerm(
            _form(focus.forms[k]), scored[k], focus.frequencies[k], focus.documents[k]
        )
        for k in kept[:max_terms]
    ]


def _is_candidate(key: Key, focus: Counts, other: Counts, texts: int) -> bool:
    if texts > 1 and focus.documents[key] < 2:
        return False
    for stem in {key[0], key[-1]}:
        if len(stem) < _MIN_WORD_CHARS or stem.endswith("'"):
            return False
        if other.frequencies[(stem,)] > max(COMMON_SHARE * other.tokens, 2):
            return False
    return True


def _without_nested(scored: dict[Key, float], focus: Counts) -> list[Key]:
    """Return the terms that occur often enough outside longer ones."""
    inside: Counter[Key] = Counter()
    for key in scored:
        for start, end in iter_spans(len(key), len(key) - 1):
            part = key[start:end]
            inside[part] = max(inside[part], focus.frequencies[key])
    return [
        key for key in scored if inside[key] <= NESTED_SHARE * focus.frequencies[key]
    ]


def _form(forms: Counter[str]) -> str:
    """Return the most frequent form; in lower case, where that occurs as often."""
    most = max(forms.values())
    best = (form for form, number in forms.items() if number == most)
    return min(best, key=lambda form: (form.lower() != form, form))


def weigh_terms(terms: Sequence[KeyTerm]) -> list[float]:
    """Return weights up to 100 that grow with the logarithm of keyness."""
    most = max((math.log1p(term.keyness) for term in terms), default=1.0)
    return [100 * math.log1p(term.keyness) / most for term in terms]


def iter_key_terms(
    texts: Mapping[str, Sequence[Path]],
    others: Mapping[str, Sequence[Path]],
    max_terms: int,
    log: BootstrapLog,
) -> Iterator[Concept]:
    """Yield a concept for each term of text files, in one language each.

    ``texts`` and ``others`` are files by language (ISO 639-3).
    """
    for lang, paths in texts.items():
        if lang not in others:
            raise BootstrapError(
                f"no texts on other subjects in {lang} to compare with; write some to the"
                " folder of --background, as for --texts"
            )
        terms = extract_terms(
            map(_read_text, paths),
            map(_read_text, others[lang]),
            StemmingTokenizer(lang).stem,
            max_terms,
        )
        log.count(f"key_terms_{lang}", len(terms))
        for term, weight in zip(terms, weigh_terms(terms), strict=True):
            yield Concept(f"{lang}:{term.text}", names={lang: term.text}, weight=weight)


def _read_text(path: Path) -> str:
    return read_text(path, str(path), "text files in UTF-8", BootstrapError)


def find_text_files(
    option: str, folder: str, langs: tuple[str, ...]
) -> dict[str, Sequence[Path]]:
    """Return the files of texts in a folder by language; ArgumentError without any."""
    if not folder:
        raise ArgumentError(
            "--texts: nothing to compare with; give texts on other subjects with"
            " --background DIR"
        )
    try:
        found = find_domain_texts(folder, langs)
    except ArgumentError as error:
        raise ArgumentError(
            str(error).replace("domain_texts=", f"{option}=")
        ) from error
    return {lang: text_files(path) for lang, path in found.items()}
