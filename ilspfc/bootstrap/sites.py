"""``scrapy bootstrap sites``: the sites of a list of seeds that have the wanted languages.

The paper names sites with content in several languages, found from seeds (000, table 2). Here
they come of an ordinary crawl of a few pages a host, and of a query of its corpus.
"""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings

from ilspfc.atomic import write_lines
from ilspfc.bootstrap.output_files import digest_file
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.crawl.arguments import choose_spider, read_seeds
from ilspfc.exceptions import ArgumentError
from ilspfc.frontier.store.candidates import UrlState
from ilspfc.frontier.store.url_table import count_urls
from ilspfc.text.codes import to_bcp47
from ilspfc.web.urls import canonicalize, site_of, site_of_host

# Pages of a host that are visited. Translation cues raise the score of a link, so versions in
# other languages are among them.
_HOST_PAGES = 12
_SETTINGS = {
    "FRONTIER_MAX_HOST_PAGES": _HOST_PAGES,
    "ARCHIVE_WARC": False,
    "RETRY_ENABLED": False,  # a survey can do without a page
    "LOGSTATS_INTERVAL": 0,
    "ITEM_PIPELINES": {"ilspfc.pipelines.pairing.PairingPipeline": None},
}
_HEADER = "site langs pages evidence start left_out article".split()
# A list for a bilingual crawl needs sites with two languages.
_MIN_LANGUAGES = 2


class SiteReason(StrEnum):
    """Reasons for which a site is not proposed."""

    UNREACHED = "site_unreached"
    OTHER_LANGUAGE = "site_other_language"
    TOO_FEW_LANGUAGES = "site_too_few_languages"


class Site(NamedTuple):
    """Visited site: a page to begin with for each language; ``pages`` are known addresses.

    ``evidence`` is the number of visited pages by language, or why none was reached.
    """

    name: str
    starts: Mapping[str, str]
    pages: int
    evidence: str
    reason: SiteReason | None


def default_folder(seeds: str) -> Path:
    """Return the folder for the result of a file of seeds: its name without suffix.

    >>> default_folder("domains/bees.seeds.txt").as_posix()
    'domains/bees'
    """
    stem = seeds.removesuffix(".txt").removesuffix(".seeds")
    return Path(stem if stem != seeds else f"{seeds}.sites")


def survey_sites(
    seeds: str,
    langs: tuple[str, ...],
    folder: Path,
    settings: Settings,
    *,
    overwrites: bool = False,
) -> tuple[list[Site], list[Path]]:
    """Visit the sites of a list of seeds; return them and the files that say which to crawl.

    The pages are in ``folder/crawl``, so an interrupted run can be resumed. ArgumentError for
    a list of sites that was edited since it was written.
    """
    names = {
        site_of(canonicalize(url)): None
        for url in chain.from_iterable(read_seeds(Path(seeds), seeds))
    }
    table, listed = folder / "sites.tsv", folder / "sites.seeds.txt"
    files, mark = CorpusFiles(folder / "crawl"), folder / "crawl" / "sites.digest"
    if overwrites:
        shutil.rmtree(files.root, ignore_errors=True)
    elif listed.exists() and (
        not mark.exists() or mark.read_text("ascii").strip() != digest_file(listed)
    ):
        raise ArgumentError(
            f"{listed}: exists and is not, or no longer, as it was written; give another"
            " --out, or --overwrite to visit all sites again"
        )
    _crawl(seeds, langs, files, settings)
    sites = _judge(files, langs, names)
    _write(table, listed, sites, _read_articles(Path(seeds)))
    write_lines(mark, [digest_file(listed)])
    return sites, [table, listed]


def _crawl(
    seeds: str, langs: tuple[str, ...], files: CorpusFiles, settings: Settings
) -> None:
    """Visit some pages of each host; once in a process."""
    settings = settings.copy()
    pipelines = {**settings.getdict("ITEM_PIPELINES"), **_SETTINGS["ITEM_PIPELINES"]}  # type: ignore[dict-item]
    settings.update(
        {**_SETTINGS, "ITEM_PIPELINES": pipelines, "CORPUS_DIR": str(files.root)},
        priority="cmdline",
    )
    spider, name = choose_spider(langs)
    codes = ",".join(map(to_bcp47, langs))
    process = AsyncCrawlerProcess(settings)
    process.crawl(spider, **{name: codes}, seeds=seeds, domain="none", scope="site")
    process.start()


def _judge(
    files: CorpusFiles, langs: tuple[str, ...], names: Iterable[str]
) -> list[Site]:
    """Return the sites with the languages first, of these the largest."""
    starts: dict[str, dict[str, str]] = {}
    visited: dict[str, Counter[str]] = {}
    with CorpusIndex(files.index) as index:
        reached = {site_of(url) for (url,) in index.rows("SELECT url FROM pages")}
        failures = index.rows("SELECT url, cause FROM failures")
        causes = {site_of(url): cause for url, cause in failures}
        for url, lang in index.rows(
            "SELECT d.url, d.lang FROM documents d JOIN pages p ON p.url = d.url"
            " ORDER BY p.depth, d.url"
        ):
            starts.setdefault(site_of(url), {}).setdefault(lang, url)
            visited.setdefault(site_of(url), Counter())[lang] += 1
    known: Counter[str] = Counter()
    for (host, state, _), number in count_urls(files.frontier).items():
        if state != UrlState.FAILED:
            known[site_of_host(host)] += number
    sites = []
    for name in names:
        there = starts.get(name, {})
        found = {lang: there[lang] for lang in langs if lang in there}
        reason = None
        if name not in reached:
            reason = SiteReason.UNREACHED
        elif not found:
            reason = SiteReason.OTHER_LANGUAGE
        elif len(found) < min(_MIN_LANGUAGES, len(langs)):
            reason = SiteReason.TOO_FEW_LANGUAGES
        counts = (f"{to_bcp47(lang)}: {visited[name][lang]} pages" for lang in found)
        evidence = ", ".join(counts) or causes.get(name, "")
        sites.append(Site(name, found, known[name], evidence, reason))
    return sorted(sites, key=lambda one: (one.reason is not None, -one.pages, one.name))


def tell(sites: Iterable[Site]) -> None:
    """Print a line for each site to standard error."""
    for site in sites:
        langs = ", ".join(map(to_bcp47, site.starts)) or str(site.reason)
        if site.reason is SiteReason.UNREACHED:
            langs = f"{langs} ({site.evidence})"
        pages = f", {site.pages} pages known" if site.starts else ""
        print(f"{site.name}: {langs}{pages}", file=sys.stderr)


def _read_articles(path: Path) -> dict[str, str]:
    """Return for each site the comments behind its seeds: the articles that gave them."""
    found: dict[str, dict[str, None]] = {}
    for line in path.read_text("utf-8-sig").splitlines():
        urls, sign, comment = line.partition(" #")
        for url in urls.split() if sign else ():
            found.setdefault(site_of(canonicalize(url)), {})[comment.strip()] = None
    return {site: "; ".join(comments) for site, comments in found.items()}


def _write(
    table: Path, listed: Path, sites: list[Site], articles: Mapping[str, str]
) -> None:
    """Write the table of sites (000, table 2), and those worth a crawl as a list of seeds."""
    rows = ["\t".join(_HEADER)]
    seeds = [
        f"# Sites with the wanted languages, of {len(sites)} that have a seed. Review them."
    ]
    for site in sites:
        langs = [to_bcp47(lang) for lang in site.starts]
        starts = " ".join(dict.fromkeys(site.starts.values()))
        cells = (site.name, ",".join(langs), site.pages, site.evidence, starts)
        ends = site.reason or "", articles.get(site.name, "")
        rows.append("\t".join(map(str, (*cells, *ends))))
        if site.reason is None:
            seeds.append(f"{starts}  # {', '.join(langs)}; {site.pages} pages known")
    write_lines(table, rows)
    write_lines(listed, seeds)
