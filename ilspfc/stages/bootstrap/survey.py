"""``scrapy bootstrap sites``: seeds to the sites that have the wanted languages."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ilspfc.atomic import open_atomic
from ilspfc.bootstrap.seeds.sites import SiteReason, SiteSummary, SiteSurvey
from ilspfc.crawl.seed_files import read_seeds
from ilspfc.exceptions import ArgumentError
from ilspfc.stages.bootstrap.site_visits import group_seeds, visit_sites
from ilspfc.text.codes import to_bcp47

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from scrapy.settings import Settings

_SEEDS_SUFFIXES = (".seeds.txt", ".txt")
_SEEDS = "sites.seeds.txt"
_WRITTEN = "written"
_HEADER = ("site", "langs", "pages", "basis", "evidence", "start", "left_out")
# A list for a bilingual crawl needs sites with two languages.
_MIN_LANGUAGES = 2


class SitesResult(NamedTuple):
    """The sites that were visited, of so many, and the files that say so."""

    summaries: list[SiteSummary]
    total: int
    paths: list[Path]


def default_folder(seeds: str) -> Path:
    """Return the folder for what is found of a file's seeds: its name without suffix.

    >>> default_folder("domains/bees.seeds.txt").as_posix()
    'domains/bees'
    """
    for suffix in _SEEDS_SUFFIXES:
        if seeds.endswith(suffix):
            return Path(seeds.removesuffix(suffix))
    return Path(f"{seeds}.sites")


def survey_sites(
    seeds: str,
    langs: tuple[str, ...],
    folder: Path,
    settings: Settings,
    *,
    overwrites: bool = False,
) -> SitesResult:
    """Visit the sites of a list of seeds and write which have the languages.

    Each site is written down as soon as it is done; an interrupted run goes on behind it.
    """
    groups = read_seeds(Path(seeds), seeds)
    urls = list(chain.from_iterable(groups))
    make = partial(
        SiteSurvey,
        max_pages=settings.getint("BOOTSTRAP_SITE_PAGES"),
        samples=settings.getint("BOOTSTRAP_SITE_SAMPLES"),
    )
    surveys = group_seeds(urls, langs, make)
    journal = _Journal(folder / "sites.jsonl", langs)
    if overwrites:
        journal.forget()
    else:
        _check(folder / _SEEDS, journal)
    known = journal.read()
    min_langs = min(_MIN_LANGUAGES, len(langs))

    def finish(survey: SiteSurvey) -> None:
        summary = survey.summarize(min_langs, to_bcp47)
        known[survey.site] = summary
        journal.add(summary)
        _tell(summary, len(known), len(surveys))

    waiting = [survey for survey in surveys if survey.site not in known]
    if waiting:
        folder.mkdir(parents=True, exist_ok=True)
        visit_sites(waiting, langs, settings, finish)
    summaries = [known[survey.site] for survey in surveys if survey.site in known]
    paths = _write(folder, summaries, len(surveys))
    journal.note(_digest(folder / _SEEDS))
    return SitesResult(summaries, len(surveys), paths)


def _check(path: Path, journal: _Journal) -> None:
    """Raise ArgumentError where a list would be lost that somebody has edited."""
    if path.exists() and _digest(path) != journal.written():
        raise ArgumentError(
            f"{path}: exists and is not, or no longer, as it was written; give another"
            " --out, or --overwrite to visit all sites again"
        )


def _digest(path: Path) -> str:
    return blake2b(path.read_bytes(), digest_size=16).hexdigest()


def _tell(summary: SiteSummary, number: int, total: int) -> None:
    langs = ", ".join(map(to_bcp47, summary.langs)) or summary.reason
    if summary.reason is SiteReason.UNREACHED:
        langs = f"{langs} ({summary.evidence})"
    pages = f", some {summary.pages} pages ({summary.basis})" if summary.pages else ""
    print(f"{number}/{total} {summary.site}: {langs}{pages}", file=sys.stderr)


def _write(folder: Path, summaries: Iterable[SiteSummary], total: int) -> list[Path]:
    """Write the table of sites, and those worth a crawl as a list of seeds."""
    table, seeds = folder / "sites.tsv", folder / _SEEDS
    ranked = sorted(summaries, key=lambda s: (s.reason is not None, -s.pages, s.site))
    lines = ["\t".join(_HEADER)]
    for site in ranked:
        langs = ",".join(map(to_bcp47, site.langs))
        cells = (site.site, langs, str(site.pages), site.basis, site.evidence)
        lines.append("\t".join((*cells, " ".join(site.starts), site.reason or "")))
    with open_atomic(table) as file:
        file.write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
    head = f"# Sites with the wanted languages, of {total} that have a seed. Review them.\n"
    listed = [
        f"{' '.join(site.starts)}  # {', '.join(map(to_bcp47, site.langs))};"
        f" some {site.pages} pages ({site.basis})\n"
        for site in ranked
        if site.reason is None
    ]
    with open_atomic(seeds) as file:
        file.write("".join([head, *listed]).encode("utf-8", "replace"))
    return [table, seeds]


class _Journal:
    """A line for each site that is done, so that none is visited twice."""

    def __init__(self, path: Path, langs: tuple[str, ...]) -> None:
        self._path = path
        self._langs = langs

    def forget(self) -> None:
        """Begin anew."""
        self._path.unlink(missing_ok=True)

    def read(self) -> dict[str, SiteSummary]:
        """Return the sites that were done for the same languages."""
        found: dict[str, SiteSummary] = {}
        for langs, values in self._iter_lines():
            if langs == _WRITTEN:
                continue
            try:
                summary = SiteSummary(*values)
            except TypeError:
                continue
            reason = SiteReason(summary.reason) if summary.reason else None
            summary = summary._replace(
                langs=tuple(summary.langs), starts=tuple(summary.starts), reason=reason
            )
            if tuple(langs) == self._langs and reason is not SiteReason.UNREACHED:
                found[summary.site] = summary
        return found

    def _iter_lines(self) -> Iterator[tuple[Any, Any]]:
        """Yield what was written, but for a line that was cut off by a kill."""
        if self._path.is_file():
            for line in self._path.read_text("utf-8").splitlines():
                with suppress(ValueError, TypeError):
                    name, value = json.loads(line)
                    yield name, value

    def written(self) -> str:
        """Return the digest of the list that was written last."""
        digests = [value for name, value in self._iter_lines() if name == _WRITTEN]
        return str(digests[-1]) if digests else ""

    def note(self, digest: str) -> None:
        """Write the digest of a list down."""
        self._append([_WRITTEN, digest])

    def add(self, summary: SiteSummary) -> None:
        """Write a site down."""
        self._append([self._langs, summary])

    def _append(self, entry: list[Any]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
