"""The settings of what runs before and after a crawl; part of ``settings.py``."""

from __future__ import annotations

# -- bootstrap: terms and seeds from encyclopedias, thesauri, texts and searches -----------

# Articles, or concepts of a thesaurus, that are collected, the nearest first.
BOOTSTRAP_MAX_PAGES = 5000
# Terms of a language that are taken from texts.
BOOTSTRAP_MAX_TERMS = 300
# URLs that are proposed as seeds, in all and of one site; 0: no limit.
BOOTSTRAP_MAX_SEEDS = 1000
BOOTSTRAP_MAX_SITE_SEEDS = 5

# -- dedup -------------------------------------------------------------------------------

# Two documents are near-duplicates when they share more than this part of the paragraphs
# of the shorter one.
DEDUP_THRESHOLD = 0.8

# -- lexicon -----------------------------------------------------------------------------

# SQLite file that keeps what is learned of two languages, for later corpora; empty: none.
LEXICON_STORE = ""

# -- pairing -----------------------------------------------------------------------------

# combined: all evidence in one probability; ilsp-fc, ets, pwcc: the founding papers';
# urls, declared: one kind of evidence alone.
PAIRING_METHOD = "combined"
# Pairs less probable than this are not kept.
PAIRING_THRESHOLD = 0.5
# Nor those whose best rival is not so much less probable. 0.95 and a margin of 0.5 are
# strict, a threshold of 0.3 finds more.
PAIRING_MIN_MARGIN = 0.0
# So often the combined method learns from what it has found, at most.
PAIRING_ROUNDS = 3
# ILSP-FC's method: largest difference in depth, and smallest ratio of lengths, of the
# pages of a pair.
PAIRING_MAX_DEPTH_DIFFERENCE = 1
PAIRING_MIN_LENGTH_RATIO = 0.4
PAIRING_MIN_PARAGRAPH_RATIO = 0.6
# The method ets: most pairs of a site (0: as many as its smaller side has pages), least
# similarity of a pair, and whether pages that many point to weigh less as neighbors.
PAIRING_ETS_MAX_PAIRS = 0
PAIRING_ETS_MIN_SIMILARITY = 0.0
PAIRING_ETS_WEIGHTS = False

# -- alignment ---------------------------------------------------------------------------

# lexical: with a lexicon learned from all pairs of the corpus; length: Gale and Church.
ALIGNMENT_METHOD = "lexical"
# Pages with a larger share of sentences without a partner, or a smaller mean score of their
# units, are taken not to be parallel: their units are not kept.
ALIGNMENT_MAX_NULL_SHARE = 0.8
ALIGNMENT_MIN_MEAN_SCORE = 0.5

# -- exports -----------------------------------------------------------------------------

# What is written: cesalign, tmx, pair-tmx, moses, tsv, jsonl, text.
EXPORTS_FORMATS = "cesalign,tmx"
# What is done with doubtful units: annotate, clean (they are dropped) or off; and for
# single reasons: numbers=drop,language=off.
EXPORTS_PRESET = "annotate"
EXPORTS_FILTERS = ""
# What makes a unit doubtful: fewer words a side, a ratio of characters out of bounds, a
# longer token, a lower score, another alignment type, a larger part of the segments of its
# pages without a partner. The figures of ILSP-FC's production, but for the score.
EXPORTS_MIN_TOKENS = 3
EXPORTS_MIN_LENGTH_RATIO = 0.6
EXPORTS_MAX_LENGTH_RATIO = 1.6
EXPORTS_MAX_TOKEN_CHARS = 30
EXPORTS_MIN_SCORE = 0.5
EXPORTS_TYPES = "1:1"
EXPORTS_MAX_NULL_SHARE = 0.16
# Whether files are compressed (.gz).
EXPORTS_COMPRESS = False
# A TMX file is split after so many units or bytes (uncompressed); 0: never.
EXPORTS_MAX_UNITS = 0
EXPORTS_MAX_BYTES = 0
# Whether TMX files name their DTD; some importers refuse a document type declaration.
EXPORTS_TMX_DOCTYPE = True
# xml:lang where the importer wants another tag than the shortest: de=de-CH,it=it-CH.
EXPORTS_LANG_MAP = ""
# What is a line of the monolingual text: document, paragraph or sentence.
EXPORTS_TEXT_LEVEL = "paragraph"

# -- report ------------------------------------------------------------------------------

# Pairs and units that the report shows, drawn at random.
REPORT_SAMPLES = 20
# Seconds between two lines of progress where the output is not a terminal.
REPORT_PROGRESS_SECONDS = 5.0
