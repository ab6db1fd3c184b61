"""The settings of the stages over a whole corpus; part of ``settings.py``."""

from __future__ import annotations

# -- dedup -------------------------------------------------------------------------------

# Two documents are near-duplicates when they share more than this part of the paragraphs
# of the shorter one.
DEDUP_THRESHOLD = 0.8
# A document of fewer paragraphs is a duplicate only of one with the very same ones.
DEDUP_MIN_PARAGRAPHS = 3

# -- lexicon -----------------------------------------------------------------------------

# SQLite file that keeps what is learned of two languages, for later corpora; empty: none.
LEXICON_STORE = ""

# -- pairing -----------------------------------------------------------------------------

# combined: all evidence in one probability; ilsp-fc, ets, pwcc: the founding papers';
# urls, declared: one kind of evidence alone.
PAIRING_METHOD = "combined"
# Pairs less probable than this are not kept.
PAIRING_THRESHOLD = 0.5
# So often the combined method learns from what it has found, at most.
PAIRING_ROUNDS = 3
# ILSP-FC's method: largest difference in depth, and smallest ratio of lengths, of the
# pages of a pair.
PAIRING_MAX_DEPTH_DIFFERENCE = 1
PAIRING_MIN_LENGTH_RATIO = 0.4
PAIRING_MIN_PARAGRAPH_RATIO = 0.6

# -- alignment ---------------------------------------------------------------------------

# length: Gale and Church.
ALIGNMENT_METHOD = "length"

# -- exports -----------------------------------------------------------------------------

# Whether TMX files name their DTD; some importers refuse a document type declaration.
EXPORTS_TMX_DOCTYPE = True

# -- report ------------------------------------------------------------------------------

# Examples of pairs, units and dropped pages that the report shows, and the seed by which
# they are drawn.
REPORT_SAMPLES = 20
REPORT_SEED = 1
# Seconds between two lines of progress where the output is not a terminal.
REPORT_PROGRESS_SECONDS = 5.0
