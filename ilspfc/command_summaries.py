"""Commands, each with a line of help, which is shown without loading any of them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

SUMMARIES = {
    "align": "Align the segments of the document pairs of a corpus, or of text files",
    "bench": "Run quick benchmark test",
    "bootstrap": "Make a domain definition and seeds from the name of a subject",
    "build": "Pair, align, decide, export and report, as far as it is out of date",
    "check": "Check spider contracts",
    "clean": "Show the clean text of pages",
    "compare": "Show what one corpus has and another lacks: documents, pairs, losses",
    "corpus": "Make a corpus of a folder of HTML, text, PDF and Word files, offline",
    "crawl": "Crawl by the spider bilingual or monolingual, then pair, align and export",
    "dedup": "Set near-duplicate documents of a corpus apart",
    "domain": "Check a domain definition, or find further terms for it",
    "evaluate_mt": "Check a corpus by a small translation model, with and without its lowest quarter",
    "export": "Write files of a corpus for other tools: TMX, Moses, XLSX, text and more",
    "fetch": "Fetch a URL using the Scrapy downloader",
    "forget": "Remove pages or hosts from a corpus, its archive and its exports",
    "identify": "Identify the language of each line of a text",
    "init": "Write a job file to be filled in, or a key for signed requests",
    "judge": "Read verdicts on samples, and print what they say of the corpus",
    "lexicon": "Learn bilingual lexicons and keep them across crawls",
    "merge": "Join corpora that were crawled apart into a new one",
    "model": "Train a language model on texts or a corpus",
    "optout": "Remove pages whose owners reserve text and data mining",
    "pair": "Find the documents of a corpus that translate each other",
    "parse": "Parse URL (using its spider) and print the results",
    "reindex": "Rebuild a lost index or frontier of a corpus from its files",
    "report": "Write the report of a corpus",
    "run": "Crawl as a job file says, or again as a manifest tells",
    "runspider": "Run the spider in a Python file",
    "sample": "Draw a sample of pairs, documents, segments or paragraphs to judge",
    "serve": "Look at corpora in a browser, judge them, try crawls",
    "shell": "Interactive scraping console",
    "tmx": "Merge TMX files, or find their errors",
    "url": "Explain why a URL was or was not visited and exported",
    "validate": "Check cesDoc, cesAlign, XCES and TMX files against their schemas",
    "view": "Open URL in browser, as seen by Scrapy",
}

# A command that a message advises.
_COMMAND_RE = re.compile(r"\bscrapy(?= [a-z]+\b)")


def name_commands(text: str) -> str:
    """Return a text that advises commands of the program that runs.

    Outside of a project ``scrapy`` has no commands of ours.
    """
    is_program = Path(sys.argv[0]).name == "ilspfc"
    return _COMMAND_RE.sub("ilspfc", text) if is_program else text
