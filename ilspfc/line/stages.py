"""Stages of the corpus line, in order."""

from __future__ import annotations

from ilspfc.exports.corpus_files import run_exports
from ilspfc.line.alignment import run_alignment
from ilspfc.line.content import run_content
from ilspfc.line.decisions import run_decisions
from ilspfc.line.dedup import run_dedup
from ilspfc.line.pairing import run_pairing
from ilspfc.line.stage import Stage
from ilspfc.line.units import run_units

_TEXT = frozenset({"readings", "verdicts"})

STAGES = (
    Stage(
        "dedup",
        "removing near-duplicates",
        run_dedup,
        reads=_TEXT | {"links"},
        writes=frozenset({"duplicates"}),
        settings=("DEDUP_",),
    ),
    Stage(
        "pairing",
        "pairing documents",
        run_pairing,
        reads=_TEXT | {"images", "links", "markup", "versions"},
        writes=frozenset({"candidates", "rivals", "alone", "units"}),
        settings=("PAIRING_", "LEXICON_"),
    ),
    Stage(
        "content",
        "deciding text",
        run_content,
        reads=_TEXT | {"candidates"},
        writes=frozenset({"verdicts"}),
        # Restored text is judged like that of cleaning: by length and language.
        settings=(
            "DECISIONS_OMITTED_TYPES",
            "DECISIONS_TEXT",
            "CLEANING_BACKEND",
            "CLEANING_MIN_PARAGRAPH_TOKENS",
            "LANGUAGE_TEXTS",
            "PAIRING_THRESHOLD",
        ),
    ),
    Stage(
        "alignment",
        "aligning segments",
        run_alignment,
        reads=_TEXT | {"candidates"},
        writes=frozenset({"candidates", "explained", "losses", "units"}),
        settings=("ALIGNMENT_", "LEXICON_", "PAIRING_THRESHOLD"),
    ),
    Stage(
        "decisions",
        "deciding pairs",
        run_decisions,
        reads=_TEXT | {"alone", "explained", "links", "losses", "pages", "unpaired"},
        writes=frozenset({"candidates", "subject", "units"}),
        settings=("DECISIONS_", "CLASSIFICATION_DECIDES_BY", "PAIRING_THRESHOLD"),
    ),
    Stage(
        "units",
        "judging units",
        run_units,
        reads=frozenset({"candidates", "units"}),
        writes=frozenset({"unit_reasons"}),
        settings=(
            "EXPORTS_FILTERS",
            "EXPORTS_LENGTH_RATIO",
            "EXPORTS_MIN_",
            "EXPORTS_PERSONAL_DATA",
            "EXPORTS_PRESET",
            "EXPORTS_SCORERS",
            "EXPORTS_TEST_SETS",
            "LANGUAGE_TEXTS",
        ),
    ),
    Stage(
        "exports",
        "writing exports",
        run_exports,
        reads=_TEXT
        | {"candidates", "units", "unit_reasons", "licenses", "pages", "probabilities"},
        settings=("EXPORTS_", "DECISIONS_MIN_RELEVANCE"),
    ),
)
