"""Two corpora side by side: what another definition, setting or version gains and loses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

from ilspfc.corpus.corpus import Corpus
from ilspfc.corpus.counts import count_corpus
from ilspfc.line.report import count_losses
from ilspfc.text.codes import language_name

# A URL or, of a pair, two; of a unit the digest of its texts, which may be millions.
Key = tuple[str, ...]
DISTINCT_UNITS = "Distinct units"


class Difference(NamedTuple):
    """A number in both corpora; ``gained`` and ``lost`` are the things that only one has."""

    name: str
    first: int
    second: int
    gained: tuple[Key, ...] = ()
    lost: tuple[Key, ...] = ()


@dataclass(frozen=True, slots=True)
class CorpusContents:
    """Contents of a corpus by name: numbers, things by URL, losses and settings."""

    numbers: Mapping[str, int]
    things: Mapping[str, frozenset[Key]]
    losses: Mapping[str, int]
    settings: Mapping[str, str]

    @classmethod
    def of(cls, corpus: Corpus) -> CorpusContents:
        """Return the contents of a corpus."""
        counted = count_corpus(corpus.index, corpus.langs)
        numbers = {"Pages fetched": counted.pages_fetched}
        found: dict[str, set[Key]] = {}
        for lang in corpus.langs:
            found[f"Documents, {language_name(lang)}"] = set()
        for entry in corpus.index.documents():
            name = language_name(entry.lang)
            found.setdefault(f"Documents, {name}", set()).add((entry.url,))
            for paragraph in corpus.reading(entry).paragraphs:
                for term in paragraph.topic:
                    found.setdefault(f"Terms found, {name}", set()).add((term,))
        things = {name: frozenset(keys) for name, keys in found.items()}
        for one in counted.documents:
            numbers[f"Tokens, {language_name(one.lang)}"] = one.tokens
        for two in counted.pairs:
            langs = two.source_lang, two.target_lang
            name = " – ".join(map(language_name, langs))
            things[f"Pairs, {name}"] = frozenset(
                (pair.source.url, pair.target.url)
                for pair in corpus.bitext.pairs(*langs)
            )
            units = iter_units(corpus, langs)
            things[f"{DISTINCT_UNITS}, {name}"] = frozenset(key for key, _ in units)
            numbers[f"Units, {name}"] = two.units
        told = [corpus.run.get("settings", {}), *corpus.run.get("stages", {}).values()]
        settings = {k: str(v) for one in told for k, v in one.items()}
        for name in ("langs", "domain", "seeds"):
            settings[name] = str(corpus.run.get(name, ""))
        return cls(numbers, things, count_losses(corpus), settings)


def iter_units(
    corpus: Corpus, langs: tuple[str, str]
) -> Iterator[tuple[Key, tuple[str, str]]]:
    """Yield the key and the texts of each unit of two languages."""
    for entry in corpus.bitext.pairs(*langs):
        for unit in corpus.bitext.units(entry.pair):
            texts = unit.source, unit.target
            digest = blake2b("\n".join(texts).encode(), digest_size=8)
            yield (digest.hexdigest(),), texts


def name_things(
    corpus: Corpus, difference: Difference, keys: Sequence[Key]
) -> Iterator[tuple[str, ...]]:
    """Yield the names of things that are in a corpus: addresses, words, or texts of units."""
    if not difference.name.startswith(DISTINCT_UNITS):
        yield from keys
        return
    wanted = set(keys)
    for langs in corpus.language_pairs:
        for key, texts in iter_units(corpus, langs):
            if key in wanted:
                wanted.remove(key)
                yield tuple(" ".join(text.split()) for text in texts)


def compare(first: CorpusContents, second: CorpusContents) -> Iterator[Difference]:
    """Yield all numbers in both corpora, those of things with what was gained and lost."""
    for name in dict.fromkeys((*first.things, *second.things)):
        old, new = (one.things.get(name, frozenset()) for one in (first, second))
        gained, lost = (tuple(sorted(few)) for few in (new - old, old - new))
        yield Difference(name, len(old), len(new), gained, lost)
    for kind in ("numbers", "losses"):
        numbers: list[Mapping[str, int]] = [getattr(o, kind) for o in (first, second)]
        for name in dict.fromkeys((*numbers[0], *numbers[1])):
            old_number, new_number = (one.get(name, 0) for one in numbers)
            yield Difference(name, old_number, new_number)


def compare_settings(
    first: CorpusContents, second: CorpusContents
) -> Iterator[tuple[str, str, str]]:
    """Yield name and both values of the settings and arguments that differ."""
    for name in sorted({*first.settings, *second.settings}):
        values = [one.settings.get(name, "") for one in (first, second)]
        if values[0] != values[1]:
            yield name, values[0], values[1]
