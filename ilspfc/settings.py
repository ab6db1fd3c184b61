"""Every setting, its default and its meaning.

Settings of a stage begin with the stage's word. Each can be given on the command line, as
in ``scrapy crawl bilingual -a langs=de,it -s LANGUAGE_MIN_TOKENS=100``. Scrapy's own
settings work as its documentation says; those below differ from its defaults. Those of the
bootstrap and of the stages over a whole corpus stand in ``stage_settings.py``. When you
add a setting, add it to docs/settings.md.
"""

from __future__ import annotations

import os

from ilspfc.stage_settings import *  # noqa: F403 - settings are names of this module

BOT_NAME = "ilspfc"
SPIDER_MODULES = ["ilspfc.spiders"]
NEWSPIDER_MODULE = "ilspfc.spiders"
COMMANDS_MODULE = "ilspfc.commands"

# The folder that the corpus is written to. Empty: corpora/<job> under scrapyd, else
# corpora/<spider>-<languages>-<domain>. A crawl into the same folder goes on where it was.
CORPUS_DIR = ""

# -- the data's way, page by page --------------------------------------------------------

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
# The frontier knows which URLs were seen; Scrapy's filter would ask a second time.
DUPEFILTER_CLASS = "scrapy.dupefilters.BaseDupeFilter"
SPIDER_MIDDLEWARES = {
    "ilspfc.middlewares.recrawl.DeltaFetchMiddleware": 100,
}
DOWNLOADER_MIDDLEWARES = {
    "ilspfc.middlewares.guard.GuardMiddleware": 1,
    "ilspfc.middlewares.media_type.MediaTypeMiddleware": 2,
    "ilspfc.middlewares.robots_files.RobotsMiddleware": 100,
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    # Behind robots: what the site's files say decides with whether a page is read again.
    "ilspfc.middlewares.recrawl.ConditionalMiddleware": 110,
    "ilspfc.middlewares.meta_refresh.HeadRefreshMiddleware": 580,
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
    "ilspfc.middlewares.compression.CompressionMiddleware": 590,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    "ilspfc.middlewares.redirect.LocationMiddleware": 600,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    # Behind retry (550) and redirect (600): it sees each answer as it comes.
    "ilspfc.middlewares.throttle.PolitenessMiddleware": 880,
    # Next to the downloader: redirects pass it, and bodies that are still compressed.
    "ilspfc.middlewares.archive.ArchiveMiddleware": 890,
}
EXTENSIONS = {
    "ilspfc.extensions.ledger.PageLedger": 0,
    "ilspfc.extensions.stops.Stops": 5,
    "ilspfc.extensions.progress.Progress": 10,
    "scrapy.extensions.telnet.TelnetConsole": None,
    # Off (see guard): to load it takes a quarter of a second.
    "scrapy.extensions.remote_control.RemoteControl": None,
}

# -- fetch -------------------------------------------------------------------------------

# The operator's e-mail address or web page, named in the user agent. Sites want to know
# whom to ask; set it before you crawl the web.
FETCH_CONTACT = ""
# Media types that are downloaded; a response of another type is cut off at its header.
FETCH_MEDIA_TYPES = ["text/html", "application/xhtml+xml", "text/plain"]
USER_AGENT = ""  # composed of name, version and contact
ROBOTSTXT_OBEY = True
# Seconds between two visits of a host, and visits of a host under way at a time.
DOWNLOAD_DELAY = 1.0
DOWNLOAD_DELAY_JITTER = 0
CONCURRENT_REQUESTS = 32
CONCURRENT_REQUESTS_PER_DOMAIN = 4
# A page is one item; Scrapy's 100 are 100 tasks begun and ended for each page.
CONCURRENT_ITEMS = 8
DOWNLOAD_MAXSIZE = 10 * 1024 * 1024
DOWNLOAD_WARNSIZE = 0
DOWNLOAD_TIMEOUT = 30
DNS_TIMEOUT = 10
REDIRECT_MAX_TIMES = 5
METAREFRESH_MAXDELAY = 1  # seconds; a page that is shown longer is a page
RETRY_TIMES = 2
RETRY_GIVE_UP_LOG_LEVEL = "INFO"
# Scrapy's list without the failed look-up of a name: it fails again a moment later.
RETRY_EXCEPTIONS = [
    "scrapy.exceptions.DownloadConnectionRefusedError",
    "scrapy.exceptions.DownloadFailedError",
    "scrapy.exceptions.DownloadTimeoutError",
    "scrapy.exceptions.ResponseDataLossError",
    OSError,
]
COOKIES_ENABLED = False
DOWNLOAD_VERIFY_CERTIFICATES = True
# Hosts whose certificates are not verified, separated by commas.
FETCH_INSECURE_HOSTS = ""

# -- guard -------------------------------------------------------------------------------

# Addresses that are not public may not be contacted, except in these networks, separated
# by commas: 127.0.0.0/8 allows loopback.
GUARD_ALLOW = ""
# Ports that may be contacted, separated by commas. A URL whose host is an address in a
# network of GUARD_ALLOW, or localhost where that allows loopback, may have any port.
GUARD_PORTS = "80,443"
TWISTED_DNS_RESOLVER = "ilspfc.middlewares.resolver.GuardResolver"
DOWNLOAD_HANDLERS = {
    "http": "ilspfc.middlewares.handler.DownloadHandler",
    "https": "ilspfc.middlewares.handler.DownloadHandler",
    **dict.fromkeys(("file", "data", "ftp", "s3")),
}
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False

# -- archive -----------------------------------------------------------------------------

# Whether every answer is kept in warc/, and the bytes after which a new file is begun.
ARCHIVE_WARC = True
ARCHIVE_WARC_SIZE = 1_000_000_000

# -- workers -----------------------------------------------------------------------------

# Processes for the CPU-bound stages; 0 runs them in the crawler's own process.
WORKERS = min(os.cpu_count() or 1, 4)
# Seconds of CPU that a page may take in a worker, all stages together, before the worker is
# ended; a busy machine does not make them more.
WORKERS_CPU_SECONDS = 2.0
# Whether item pipelines find the paragraphs in page.document: for pipelines of your own.
WORKERS_PARAGRAPHS = False

# -- frontier ----------------------------------------------------------------------------

# What decides which link comes next: terms, perplexity, combined or breadth-first. Empty:
# terms, with -a domain_texts= perplexity, with texts and a domain of terms combined.
FRONTIER_SCORER = ""
# Whether the crawl learns as it goes on which links pay.
FRONTIER_LEARNING = True
# A host that after this number of pages has given none in one of two languages, in a
# monolingual crawl none at all, goes behind all others; 0: never.
FRONTIER_SCOUT_PAGES = 50
# Whether what a seed lists that is not kept comes right after the seeds (docs/focus.md).
FRONTIER_SEED_LISTS = True
# Upper bounds of the buckets HIGH, MEDIUM, NORMAL; links of pages beyond the last one are
# not followed. Empty: those that the domain texts give (docs/perplexity.md).
FRONTIER_PERPLEXITY_BOUNDS: list[float | str] = []
# Links are followed through at most this number of irrelevant pages in a row (tunnelling);
# the bilingual spider's default is 20. Both are ILSP-FC's.
FRONTIER_MAX_TUNNEL = 4
# A Crawl-delay of robots.txt is kept up to this number of seconds.
FRONTIER_MAX_CRAWL_DELAY = 30.0
# A host is given up after this number of errors in a row.
FRONTIER_MAX_HOST_ERRORS = 10
# Links that look like traps (endless calendars, session ids, facets, copies ...) are not
# followed, see docs/frontier.md; and hosts are asked for a page that cannot exist, to know
# the error pages that they send as if they were pages.
FRONTIER_TRAPS = True
FRONTIER_SOFT_404 = True
# A crawl into the same folder visits a page again when its last visit is longer ago than
# this number of seconds; 0: never.
FRONTIER_REVISIT_AFTER = 0

# A run ends after so many pages, megabytes or seconds; the next one goes on. 0: no limit.
FRONTIER_MAX_PAGES = 0
FRONTIER_MAX_MEGABYTES = 0
FRONTIER_MAX_SECONDS = 0
# Of a host so many pages are visited at most, in all runs together; 0: no limit.
FRONTIER_MAX_HOST_PAGES = 0
# Links to files with these suffixes are not followed: they are no pages.
FRONTIER_IGNORED_SUFFIXES = (
    "7z aac apk avi avif bin bmp bz2 css csv deb dmg doc docx epub exe flac gif gz ico iso"
    " jar jpeg jpg json m4a m4v midi mid mkv mov mp3 mp4 mpeg mpg odp ods odt ogg ogv otf"
    " pdf png ppt pptx ps rar rpm rtf svg svgz swf tar tgz tif tiff ttf wav webm webp wma"
    " wmv woff woff2 xls xlsx xz zip"
).split()

# -- cleaning ----------------------------------------------------------------------------

# A paragraph with fewer tokens is marked ooi-length (ILSP-FC: 3).
CLEANING_MIN_PARAGRAPH_TOKENS = 3
# Formats read beside HTML and plain text: pdf (where the extra [pdf] is installed), docx.
CLEANING_FORMATS = ["pdf", "docx"]
# Pages of a PDF that are read, from the first.
CLEANING_MAX_PDF_PAGES = 100
# What tells content from boilerplate: learned, boilerpy3, trafilatura (an extra), none.
CLEANING_BACKEND = "learned"
# A paragraph that the learned model scores lower is boilerplate: higher keeps less.
CLEANING_THRESHOLD = 0.5
# Whether what recurs on the pages of a site becomes boilerplate on its later pages.
CLEANING_RECURRENCE = True

# -- optout ------------------------------------------------------------------------------

# What to do with pages whose owner reserves text and data mining: skip, record, ignore.
OPTOUT_POLICY = "skip"

# -- language ----------------------------------------------------------------------------

# A page with fewer tokens of clean text in its language is not exported (ILSP-FC: 100).
LANGUAGE_MIN_TOKENS = 3
# Texts that teach languages no identifier knows: br=breton.txt,hsb=sorbian.txt
LANGUAGE_TEXTS = ""
LANGUAGE_GROUPS = True  # Croatian and its like for one another where one is wanted

# -- classification ----------------------------------------------------------------------

# A page is kept when its relevance exceeds this number of median term weights (t1) and it
# has more than this number of distinct terms (t2). The bilingual spider's default is 1, 1.
CLASSIFICATION_MIN_CONTENT_TERMS = 2
CLASSIFICATION_MIN_UNIQUE_TERMS = 2
# … and this number of them a thousand tokens (ILSP-FC: 0.2 a token, for weights of 100).
CLASSIFICATION_MIN_DENSITY = 2
# learned: each page also gets a probability from a classifier that the crawl trains as it
# goes on; terms: it does not.
CLASSIFICATION_MODEL = "terms"
# A page with a higher perplexity under the model of -a domain_texts= is not kept.
CLASSIFICATION_MAX_PERPLEXITY = "inf"
# Weights of a term by where it stands: title, metadata, keywords, text.
CLASSIFICATION_LOCATION_WEIGHTS = [10, 4, 2, 1]

# -- export ------------------------------------------------------------------------------
# Whether the links and images of a page stand in the header of its cesDoc file.
EXPORT_LINKS = False

# -- logging -----------------------------------------------------------------------------

LOG_LEVEL = "WARNING"
DEFAULT_DROPITEM_LOG_LEVEL = "DEBUG"
