"""Freshness of the stages: a result is out of date once its inputs have changed.

The signature of a stage covers its settings, the version of the program and the signature of
the stage before it; that of the first covers the runs of the crawl and their documents, that
of the exports the exclusions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from ilspfc import __version__
from ilspfc.setting_table import read_table

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus

# Beginnings of the settings that each stage depends on.
_PREFIXES: Mapping[str, tuple[str, ...]] = {
    "dedup": ("DEDUP_",),
    "pairing": ("PAIRING_", "LEXICON_"),
    # It judges restored text as cleaning does: by its length and its language.
    "content": (
        "DECISIONS_",
        "CLEANING_BACKEND",
        "CLEANING_MIN_PARAGRAPH_TOKENS",
        "LANGUAGE_TEXTS",
        "LANGUAGE_GROUPS",
    ),
    "alignment": ("ALIGNMENT_", "LEXICON_"),
    "decisions": ("DECISIONS_", "CLASSIFICATION_DECIDES_BY"),
    "units": (
        "EXPORTS_MIN_",
        "EXPORTS_MAX_LENGTH_RATIO",
        "EXPORTS_PRESET",
        "EXPORTS_FILTERS",
        "EXPORTS_PERSONAL_DATA",
        "EXPORTS_SCORER",
        "LANGUAGE_TEXTS",
        "LANGUAGE_GROUPS",
    ),
    "exports": ("EXPORTS_",),
}


def record_run(corpus: Corpus, stages: Sequence[str], name: str) -> None:
    """Record that a stage has run, on the present results of the stages before it."""
    place = stages.index(name)
    before = corpus.index.signature(stages[place - 1]) if place else _sign_crawl(corpus)
    corpus.index.set_signature(name, _sign(corpus, name, before))


def find_outdated(corpus: Corpus, stages: Sequence[str]) -> list[str]:
    """Return the stages, in their order, from the first that is out of date."""
    signature = _sign_crawl(corpus)
    for place, name in enumerate(stages):
        signature = _sign(corpus, name, signature)
        if corpus.index.signature(name) != signature:
            return list(stages[place:])
    return []


def _sign_crawl(corpus: Corpus) -> str:
    rows = corpus.index.rows(
        "SELECT (SELECT max(number) FROM runs), count(*), max(fetched_at) FROM documents"
    )
    return _digest(*next(rows), *corpus.langs)


def _sign(corpus: Corpus, name: str, before: str) -> str:
    values = [
        f"{setting}={corpus.settings.get(setting)}"
        for setting in sorted(read_table())
        if setting.startswith(_PREFIXES[name])
    ]
    if name == "exports" and corpus.files.exclusions.is_file():
        values.append(corpus.files.exclusions.read_text("utf-8", "replace"))
    return _digest(__version__, name, before, *values)


def _digest(*values: object) -> str:
    return blake2b(json.dumps(values).encode(), digest_size=16).hexdigest()
