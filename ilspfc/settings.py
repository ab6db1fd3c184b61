"""Every setting with its type, its default and its meaning.

A setting of a stage begins with the word of the stage. Give it on the command line, as in
``scrapy crawl bilingual -a langs=de,it -s LANGUAGE_MIN_TOKENS=100``, or change it here.
Scrapy's own settings work as its documentation says; those below differ from its defaults.

The type of a setting says which values it takes, the string under it what it means: the
checks, the help of commands and docs/settings.md come from both (``setting_table.py``).
Settings without a type wire the parts of the crawler together.
"""

from __future__ import annotations

import math
import os
from typing import Annotated, Literal, NamedTuple

from scrapy.settings import default_settings

from ilspfc.add_ons import has_add_on

# NumPy reads it when it is loaded, which is later, and in worker processes, too. Its arrays
# are small here: threads that wait for each other cost more time than they save.
os.environ.setdefault("OMP_NUM_THREADS", "1")


class Bounds(NamedTuple):
    """Smallest and largest value of a number."""

    low: float = 0
    high: float = math.inf


Count = Annotated[int, Bounds()]
PositiveCount = Annotated[int, Bounds(1)]
Amount = Annotated[float, Bounds()]
Share = Annotated[float, Bounds(0, 1)]
Timeout = Annotated[float, Bounds(0.1)]

# -- parts of the crawler: the way of a page -----------------------------------------------

BOT_NAME = "ilspfc"
SPIDER_MODULES = ["ilspfc.spiders"]
COMMANDS_MODULE = "ilspfc.commands"
ITEM_PIPELINES = {
    "ilspfc.pipelines.cleaning.CleaningPipeline": 100,
    "ilspfc.pipelines.optout.OptOutPipeline": 150,
    "ilspfc.pipelines.language.LanguagePipeline": 200,
    "ilspfc.pipelines.classification.ClassificationPipeline": 300,
    "ilspfc.pipelines.export.ExportPipeline": 400,
    # At the end of the crawl: dedup, pairing, alignment, exports, report.
    "ilspfc.pipelines.pairing.PairingPipeline": 500,
}
SCHEDULER = "ilspfc.scheduler.FrontierScheduler"
SPIDER_MIDDLEWARES = {"ilspfc.middlewares.recrawl.DeltaFetchMiddleware": 100}
DOWNLOADER_MIDDLEWARES = {
    "ilspfc.middlewares.guard.GuardMiddleware": 1,
    "ilspfc.middlewares.media_type.MediaTypeMiddleware": 2,
    "ilspfc.middlewares.robots_files.RobotsMiddleware": 100,
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    # Behind robots: opt-outs of the site decide with whether a page is read again.
    "ilspfc.middlewares.recrawl.ConditionalMiddleware": 110,
    "ilspfc.middlewares.redirect.HeadRefreshMiddleware": 580,
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
    "ilspfc.middlewares.compression.CompressionMiddleware": 590,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    "ilspfc.middlewares.redirect.LocationMiddleware": 600,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    "ilspfc.middlewares.cookies.CookieWallMiddleware": 700,
    "scrapy.downloadermiddlewares.cookies.CookiesMiddleware": None,
    # Behind retry (550) and redirect (600): it sees each answer as it comes.
    "ilspfc.middlewares.throttle.PolitenessMiddleware": 880,
    # Next to the downloader: redirects pass it, and bodies that are still compressed.
    "ilspfc.middlewares.archive.ArchiveMiddleware": 890,
}
EXTENSIONS = {
    "ilspfc.extensions.ledger.PageLedger": 0,
    "ilspfc.extensions.stops.Stops": 5,
    "ilspfc.extensions.progress.Progress": 10,
    "ilspfc.extensions.status.StatusFile": 15,
    "ilspfc.extensions.flush.DiskFlush": 25,
    "ilspfc.extensions.item_feeds.Feeds": 30,
}
# Scrapy's but for its feeds, in place of which there are ours, and its two consoles (see guard).
# EXTENSIONS would turn them off as well, but load them: a quarter of a second.
EXTENSIONS_BASE = {
    path: order
    for path, order in default_settings.EXTENSIONS_BASE.items()
    if not path.endswith((".FeedExporter", ".TelnetConsole", ".RemoteControl"))
}
if has_add_on("cluster"):
    EXTENSIONS["ilspfc.cluster.sharing.FrontierSharing"] = 20
# Scrapy makes as many tasks for each page; of its 100 most have nothing to do.
CONCURRENT_ITEMS = 8
TWISTED_DNS_RESOLVER = "ilspfc.middlewares.guard.GuardResolver"
DOWNLOAD_HANDLERS = {
    "http": "ilspfc.middlewares.handler.DownloadHandler",
    "https": "ilspfc.middlewares.handler.DownloadHandler",
    **dict.fromkeys(("file", "data", "ftp", "s3")),
}
RETRY_GIVE_UP_LOG_LEVEL = "INFO"

# -- corpus --------------------------------------------------------------------------------

CORPUS_DIR: str = ""
"""Folder of the corpus. Empty: `corpora/<job>` under scrapyd, else
`corpora/<spider>-<languages>-<domain>`. A crawl into an existing folder continues it."""

CORPUS_STAGES: list[str] = []
"""Stages of your own over the corpus: import paths of `Stage` objects
(docs/architecture.md#your-own-stage)."""

# -- comparable ----------------------------------------------------------------------------

COMPARABLE_THRESHOLD: Annotated[float, Bounds(0)] = 1.1
"""Minimum score of comparable documents, of a crawl with `-a comparable=1`
(docs/paper-methods.md#comparable-documents)."""

# -- fetch ---------------------------------------------------------------------------------

FETCH_CONTACT: str = ""
"""E-mail address or web page of the operator, named in the user agent: set it before you crawl
the web."""

FETCH_SIGNING_KEY: str = ""
"""File of the private Ed25519 key, PEM or JWK, with which requests are signed; empty: they are
not (docs/politeness.md#signed-requests)."""

FETCH_SIGNING_FORM: Literal["dictionary", "string"] = "dictionary"
"""Form of the header `Signature-Agent`: dictionary, as the working group has it; string, as
earlier drafts do, by which Cloudflare verifies (docs/politeness.md#signed-requests)."""

FETCH_MEDIA_TYPES: list[str] = ["text/html", "application/xhtml+xml", "text/plain"]
"""Media types that are downloaded; a response of another type is cut off at its header."""

FETCH_COMMON_CRAWL: str = "https://index.commoncrawl.org,https://data.commoncrawl.org"
"""Addresses of the index and of the files of Common Crawl, or of a mirror
(docs/archive.md#common-crawl)."""

FETCH_BROWSER: Literal["never", "auto", "always"] = "never"
"""Render pages with an installed Chromium: never; auto, those without a text before scripts
build it; always, all (docs/fetch.md#pages-built-by-scripts)."""

FETCH_BROWSER_PAGES: Count = 1000
"""Pages that a run renders at most."""

USER_AGENT: str = ""
"""User agent. Empty: composed of name, version and contact."""

ROBOTSTXT_OBEY: bool = True
"""Obey robots.txt."""

DOWNLOAD_DELAY: Amount = 1.0
"""Seconds between two visits of a host."""

DOWNLOAD_DELAY_JITTER: Share = 0
"""Random variation of that delay."""

CONCURRENT_REQUESTS: PositiveCount = 32
"""Simultaneous downloads, over all hosts."""

CONCURRENT_REQUESTS_PER_DOMAIN: PositiveCount = 4
"""Simultaneous visits of one host."""

DOWNLOAD_MAXSIZE: Count = 10 * 1024 * 1024
"""Bytes of a response, after decompression."""

DOWNLOAD_TIMEOUT: Timeout = 30
"""Seconds for a whole answer."""

COOKIES_ENABLED: bool = False
"""Keep and send cookies; off: only where a host shows no page without
(docs/frontier.md#redirects-and-cookies)."""

DOWNLOAD_VERIFY_CERTIFICATES: bool = True
"""Verify TLS certificates."""

FETCH_INSECURE_HOSTS: str = ""
"""Hosts whose TLS certificates are not verified, separated by commas."""

# -- guard ---------------------------------------------------------------------------------

GUARD_ALLOW: str = ""
"""Networks that may be contacted although they are not public, and ports beside 80 and 443,
separated by commas: `127.0.0.0/8` allows loopback with all its ports, `:8080` a port of every
host (docs/fetch.md)."""

# -- archive -------------------------------------------------------------------------------

ARCHIVE_WARC: bool = True
"""Keep every answer in `warc/` (docs/archive.md)."""

# -- workers -------------------------------------------------------------------------------

WORKERS: Annotated[int, Bounds(0, 1024)] = min(os.cpu_count() or 1, 4)
"""Processes for the work on pages and for long stages; 0 does all in the process of the command."""

WORKERS_CPU_SECONDS: Annotated[float, Bounds(0.1, 86_400)] = 2.0
"""CPU seconds that a page may take in a worker before it is dropped. Without effect with
`WORKERS=0`, for up to 16 files of `scrapy clean`, and on Windows."""

# -- frontier ------------------------------------------------------------------------------

FRONTIER_SCORER: Literal[
    "", "terms", "perplexity", "combined", "buckets", "breadth-first"
] = ""
"""Method that ranks links (docs/focus.md). Empty: terms; with `-a domain_texts=` perplexity; with
both combined. Buckets: the paper's strict ones (docs/perplexity.md#strict-buckets)."""

FRONTIER_LEARNING: bool = True
"""Learn from the crawl which links lead to documents."""

FRONTIER_PERPLEXITY_BOUNDS: list[str] = []
"""Upper bounds of the buckets HIGH, MEDIUM, NORMAL, as in 500,5000,inf; links of pages
beyond the last one are not followed. Empty: those that the domain texts give
(docs/perplexity.md)."""

FRONTIER_MAX_PAGES: Count = 0
"""Pages after which a run ends; the next run continues; 0: no limit."""

FRONTIER_MAX_MEGABYTES: Amount = 0
"""Megabytes over the wire after which a run ends; 0: no limit."""

FRONTIER_MAX_SECONDS: Amount = 0
"""Seconds after which a run ends; 0: no limit."""

FRONTIER_MAX_HOST_PAGES: Count = 0
"""Pages of a host that are visited at most, in all runs together; 0: no limit."""

FRONTIER_MAX_ROUND_PAGES: Count = 0
"""Pages of a host in a round (docs/focus.md#rounds); 0: no rounds."""

FRONTIER_MAX_TUNNEL: Count = 4
"""Irrelevant pages in a row through which links are followed (tunneling); the bilingual spider
has 20."""

FRONTIER_TRAPS: bool = True
"""Hold back addresses that would give nothing new (docs/frontier.md#traps), and ask hosts for
pages that cannot exist, to recognize error pages sent as pages (docs/frontier.md#soft-404s)."""

FRONTIER_REVISIT_AFTER: Amount = 0
"""Seconds after which a crawl into the same folder visits a page again; 0: never
(docs/recrawl.md)."""

FRONTIER_STORE: str = ""
"""Address of a PostgreSQL database in which several crawlers share the frontier, as in
postgresql://user@host/name (docs/scale.md)."""

FRONTIER_CRAWLER: str = ""
"""Name of this crawler among those that share a frontier; empty: host name and process id."""

# -- deltafetch ----------------------------------------------------------------------------

DELTAFETCH_ENABLED: bool = False
"""Visit no exported page again, but for the seeds: the setting of scrapy-deltafetch, same as
`-a delta=1` (docs/recrawl.md#scrapy-deltafetch)."""

# -- cleaning ------------------------------------------------------------------------------

CLEANING_MIN_PARAGRAPH_TOKENS: Count = 3
"""Tokens of a paragraph below which it is marked `ooi-length` (ILSP-FC: 3); two are enough for a
heading, or a row with letters in two cells."""

CLEANING_FORMATS: list[Literal["pdf", "docx"]] = ["pdf", "docx"]
"""Formats read besides HTML and plain text. PDF needs the extra `[pdf]`
(docs/cleaning.md#pdf-and-word-files)."""

CLEANING_BACKEND: str = "learned"
"""Method that tells content from boilerplate: learned, boilerpy3, trafilatura (needs the extra of
that name), none, the Python path of a function of your own, or `learned,PATH`, which asks it about
doubtful pages alone (docs/cleaning.md#a-backend-of-your-own)."""

CLEANING_THRESHOLD: Share = 0.5
"""Score of the learned model below which a paragraph is boilerplate: higher keeps less."""

# -- optout --------------------------------------------------------------------------------

OPTOUT_POLICY: Literal["skip", "record", "ignore"] = "skip"
"""Treatment of pages whose owner reserves text and data mining: skip drops them, record keeps
them, ignore does not read the signals (docs/optout.md#policies)."""

# -- language ------------------------------------------------------------------------------

LANGUAGE_MIN_TOKENS: Count = 3
"""Tokens of clean text in its language below which a page is not exported (ILSP-FC: 100)."""

LANGUAGE_TEXTS: str = ""
"""Texts that teach languages no identifier knows: `br=breton.txt,hsb=sorbian.txt`
(docs/language.md#a-language-that-the-model-does-not-know)."""

# -- classification ------------------------------------------------------------------------

CLASSIFICATION_MIN_CONTENT_TERMS: Amount = 2
"""Median term weights that the relevance must exceed (t1). The bilingual spider has 1."""

CLASSIFICATION_MIN_UNIQUE_TERMS: Amount = 2
"""Distinct terms that a page must exceed (t2). The bilingual spider has 1."""

CLASSIFICATION_MIN_DENSITY: Amount = 2
"""Median term weights in a thousand tokens of clean text that a page must have; 0: whatever
its length (ILSP-FC: 0.2 a token, for weights of 100)."""

CLASSIFICATION_DECIDES_BY: Literal["terms", "both", "all", "learned"] = "both"
"""Evidence that decides whether a page is kept: terms by the bounds above; both at the end also by
neighbors and translations; all with a classifier that the crawl trains; learned by that
classifier (docs/classification.md#decision)."""

CLASSIFICATION_MAX_PERPLEXITY: Annotated[float, Bounds(1)] = math.inf
"""Perplexity under the model of `-a domain_texts=` above which a page is not kept."""

CLASSIFICATION_UNKNOWN_LOG10: Annotated[float, Bounds(-100, 0)] = -10
"""Logarithm (base 10) of the probability of a word that the domain texts do not have; -7 gives the
paper's maximum perplexity of 10^7 (docs/perplexity.md#computation)."""

CLASSIFICATION_UNWANTED: str = ""
"""File of words and phrases, one a line: documents with one of them are left out
(docs/classification.md#unwanted-words)."""

# -- dedup ---------------------------------------------------------------------------------

DEDUP_THRESHOLD: Share = 0.8
"""Share of the paragraphs of the shorter document above which two are near-duplicates."""

# -- lexicon -------------------------------------------------------------------------------

LEXICON_STORE: str = ""
"""SQLite file that keeps what is learned of two languages, for later corpora
(docs/lexicon.md). Empty: a corpus depends on its own pages alone."""

# -- pairing -------------------------------------------------------------------------------

PAIRING_METHOD: Literal[
    "combined", "ilsp-fc", "ets", "ets-paper", "pwcc", "pwcc-paper", "urls", "declared"
] = "combined"
"""Method of pairing (docs/pairing.md)."""

PAIRING_THRESHOLD: Share = 0.5
"""Probability below which a pair is not kept; 0.3 finds more."""

PAIRING_MIN_MARGIN: Share = 0.0
"""Margin below which a pair is not kept; strict (docs/pairing.md#how-strict) is 0.5 with a
threshold of 0.95."""

PAIRING_OPTIONS: list[str] = []
"""Options of a method of the papers, as in alpha=0.2,beta=0.8; the papers' values where empty
(docs/paper-methods.md)."""

# -- alignment -----------------------------------------------------------------------------

ALIGNMENT_METHOD: Literal["lexical", "length"] = "lexical"
"""Method of alignment: with a learned lexicon, or by length alone (docs/alignment.md)."""

# -- decisions -----------------------------------------------------------------------------

DECISIONS_MIN_RELEVANCE: Share = 0.3
"""Probability of being about the domain below which a document is put apart, in `off-topic/`
(docs/classification.md#decision); 0: none is."""

DECISIONS_GENRES: list[
    Literal[
        "article",
        "forum",
        "listing",
        "product",
        "documentation",
        "service",
        "collection",
    ]
] = []
"""Genres of the documents to keep, all others are put apart; empty: all (docs/classification.md#genre)."""

DECISIONS_TEXT: bool = True
"""Decide by site and translation, too, which paragraphs are text (docs/text-decisions.md). Off, each
page is judged alone."""

DECISIONS_OMITTED_TYPES: list[
    Literal[
        "title",
        "heading",
        "listitem",
        "row",
        "cell",
        "caption",
        "quote",
        "code",
        "preformatted",
        "comment",
    ]
] = []
"""Types of paragraphs that are no text: `comment` leaves out what readers wrote below an
article, `code,preformatted` programs (docs/cleaning.md#types-of-paragraphs)."""

# -- exports -------------------------------------------------------------------------------

EXPORTS_FORMATS: list[
    Literal[
        "cesalign",
        "tmx",
        "pair-tmx",
        "moses",
        "tsv",
        "jsonl",
        "pages",
        "xlsx",
        "parquet",
        "hf",
        "xliff",
        "xces",
        "opus",
        "text",
        "texts",
        "markdown",
        "documents",
        "documents-parquet",
        "vertical",
        "lemmas",
        "words",
        "terms",
        "tbx",
        "tei",
        "html",
        "links",
        "sample",
        "metadata",
        "training-summary",
        "site",
    ]
] = ["cesalign", "tmx"]
"""Formats written at the end of a crawl and by `scrapy export` (docs/exports.md)."""

EXPORTS_PRESET: Literal["annotate", "clean", "off"] = "annotate"
"""Treatment of doubtful units (docs/exports.md#doubtful-units)."""

EXPORTS_FILTERS: str = ""
"""Treatment for single reasons: `numbers=drop,language=off`; `--filter` also takes a recipe, `FILE.toml`."""

EXPORTS_MIN_TOKENS: Count = 3
"""Words that a side should have."""

EXPORTS_LENGTH_RATIO: str = "0.6-1.6"
"""Source characters per target character, at least and at most."""

EXPORTS_MIN_SCORE: Share = 0.6
"""Score of the alignment below which a unit is left out, but for the preset off."""

EXPORTS_SCORERS: list[str] = []
"""Classes that score units or documents (docs/exports.md#scorers-of-your-own)."""

EXPORTS_TEST_SETS: list[str] = []
"""Text files of segments: units with one of them are left out (docs/exports.md#test-sets)."""

EXPORTS_PERSONAL_DATA: Literal["keep", "count", "mask", "drop"] = "keep"
"""Treatment of e-mail addresses, phone, account and card numbers in exports
(docs/exports.md#personal-data)."""

EXPORTS_SPLIT: str = ""
"""Shares of units for training, development and test, such as 98,1,1
(docs/exports.md#train-development-and-test)."""

EXPORTS_LICENSED: bool = False
"""Export only what is under a known license (docs/exports.md#licensed-pages-only)."""

EXPORTS_EVIDENCE: list[str] = []
"""Kinds of evidence of the pairs that are exported, such as urls,versions; empty: all
(docs/exports.md#pairs-of-some-kinds-of-evidence)."""

EXPORTS_COMPRESS: bool = False
"""Compress files (.gz)."""

EXPORTS_MAX_UNITS: Count = 0
"""Units after which a TMX file is split; 0: never."""

EXPORTS_SITE_ROWS: PositiveCount = 1000
"""Documents, pairs and rows of a list that `site` has at most."""

EXPORTS_TMX_PROPS: Literal["all", "score", "none"] = "all"
"""Properties of the units of a TMX."""

EXPORTS_LANG_MAP: str = ""
"""`xml:lang` for importers that want a region: `de=de-CH,it=it-CH`."""

# -- logging -------------------------------------------------------------------------------

LOG_LEVEL: Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] = "WARNING"
"""Least severe messages of the log."""
