"""``scrapy bootstrap sites``: seeds to the sites that have the wanted languages."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin

from ilspfc.bootstrap.output_files import digest_file, write_lines
from ilspfc.bootstrap.site_spider import visit_sites
from ilspfc.bootstrap.sites import SiteReason, SiteSummary, SiteSurvey
from ilspfc.crawl.arguments import read_seeds
from ilspfc.exceptions import ArgumentError
from ilspfc.text.codes import to_bcp47
from ilspfc.web.urls import canonicalize, site_of

if TYPE_CHECKING:
    from scrapy.settings import Settings

_WRITTEN = "written"
_HEADER = (
    "site",
    "langs",
    "pages",
    "basis",
    "evidence",
    "start",
    "left_out",
    "article",
)
# A list for a bilingual crawl needs sites with two languages.
_MIN_LANGUAGES = 2


class SitesResult(NamedTuple):
    """Visited sites, the number of sites with seeds, and the files written."""

    summaries: list[SiteSummary]
    total: int
    paths: list[Path]


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
) -> SitesResult:
    """Visit the sites of a list of seeds and write which have the languages.

    Each site is recorded as soon as it is done, so an interrupted run can be resumed.
    """
    surveys = _group_seeds(chain.from_iterable(read_seeds(Path(seeds), seeds)), langs)
    journal, table = folder / "sites.jsonl", folder / "sites.tsv"
    listed = folder / "sites.seeds.txt"
    if overwrites:
        journal.unlink(missing_ok=True)
    entries = list(_read_journal(journal))
    digests = [value for name, value in entries if name == _WRITTEN]
    if listed.exists() and not overwrites and digests[-1:] != [digest_file(listed)]:
        raise ArgumentError(
            f"{listed}: exists and is not, or no longer, as it was written; give another"
            " --out, or --overwrite to visit all sites again"
        )
    found = [SiteSummary(*value) for name, value in entries if name == [*langs]]
    known = {s.site: s for s in found if s.reason != SiteReason.UNREACHED}

    def finish(survey: SiteSurvey) -> None:
        summary = survey.summarize(min(_MIN_LANGUAGES, len(langs)))
        known[survey.site] = summary
        _append(journal, langs, summary)
        _tell(summary, len(known), len(surveys))

    if waiting := [survey for survey in surveys if survey.site not in known]:
        folder.mkdir(parents=True, exist_ok=True)
        visit_sites(waiting, langs, settings, finish)
    summaries = [known[survey.site] for survey in surveys if survey.site in known]
    _write(table, listed, summaries, len(surveys), _read_articles(Path(seeds)))
    _append(journal, _WRITTEN, digest_file(listed))
    return SitesResult(summaries, len(surveys), [table, listed])


def _group_seeds(urls: Iterable[str], langs: tuple[str, ...]) -> list[SiteSurvey]:
    """Return a survey for each site that has a seed, in the order of the first seeds."""
    by_site: dict[str, dict[str, None]] = {}
    for url in map(canonicalize, urls):
        by_site.setdefault(site_of(url), {})[url] = None
    return [
        SiteSurvey(site, canonicalize(urljoin(next(iter(seeds)), "/")), langs, [*seeds])
        for site, seeds in by_site.items()
    ]


def _read_articles(path: Path) -> dict[str, str]:
    """Return for each site the comments behind its seeds: the articles that gave them."""
    found: dict[str, dict[str, None]] = {}
    for line in path.read_text("utf-8-sig").splitlines():
        urls, sign, comment = line.partition(" #")
        for url in urls.split() if sign else ():
            found.setdefault(site_of(canonicalize(url)), {})[comment.strip()] = None
    return {site: "; ".join(comments) for site, comments in found.items()}


def _read_journal(path: Path) -> Iterator[tuple[Any, Any]]:
    """Yield the entries of a journal without a line that was cut off by a kill."""
    if path.is_file():
        for line in path.read_text("utf-8").splitlines():
            with suppress(ValueError, TypeError):
                name, value = json.loads(line)
                yield name, value


def _append(path: Path, name: Any, value: Any) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps([name, value], ensure_ascii=False) + "\n")


def _tell(summary: SiteSummary, number: int, total: int) -> None:
    langs = ", ".join(map(to_bcp47, summary.langs)) or summary.reason
    if summary.reason is SiteReason.UNREACHED:
        langs = f"{langs} ({summary.evidence})"
    pages = f", some {summary.pages} pages ({summary.basis})" if summary.pages else ""
    print(f"{number}/{total} {summary.site}: {langs}{pages}", file=sys.stderr)


def _write(
    table: Path,
    listed: Path,
    summaries: Iterable[SiteSummary],
    total: int,
    articles: Mapping[str, str],
) -> None:
    """Write the table of sites (000, table 2), and those worth a crawl as a list of seeds."""
    rows = ["\t".join(_HEADER)]
    seeds = [
        f"# Sites with the wanted languages, of {total} that have a seed. Review them."
    ]
    for site in sorted(
        summaries, key=lambda s: (s.reason is not None, -s.pages, s.site)
    ):
        langs = [to_bcp47(lang) for lang in site.langs]
        starts = " ".join(site.starts)
        cells = (site.site, ",".join(langs), site.pages, site.basis, site.evidence)
        ends = starts, site.reason or "", articles.get(site.site, "")
        rows.append("\t".join(map(str, (*cells, *ends))))
        if site.reason is None:
            pages = f"some {site.pages} pages ({site.basis})"
            seeds.append(f"{starts}  # {', '.join(langs)}; {pages}")
    write_lines(table, rows)
    write_lines(listed, seeds)
