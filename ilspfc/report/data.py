"""Records that a report shows, filled in from the corpus index and the counters of the run.

The caller draws the samples. Tables keep the order of a tuple, except tables by size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ilspfc.documents import TranslationUnit
from ilspfc.documents.figures import (
    CorpusCounts,
    HeldBack,
    HostCount,
    PairCount,
    RunCount,
)
from ilspfc.report.numbers import DASH, count_noun, largest_first
from ilspfc.report.reason_texts import explain

HISTOGRAM_BINS = 20


@dataclass(frozen=True, slots=True)
class ImageCount:
    """Images by the share of the documents that have them (000, figures 3 and 4).

    ``bins`` are numbers of images in equal bins of the share, over [0, 1]. Above the share
    ``bound`` an image is common, up to it critical: evidence of a pair.
    """

    bins: tuple[int, ...]
    bound: float
    critical: int


@dataclass(frozen=True, slots=True)
class SeedStatus:
    """Seed of the crawl, with the cause if it was not reached.

    ``cause`` is a reason code (``fetch/robots``) or free text.
    """

    url: str
    reached: bool
    cause: str = ""


@dataclass(frozen=True, slots=True)
class PerplexityCount:
    """Pages of a language (ISO 639-3) by bucket of perplexity.

    ``buckets`` are name, pages fetched and documents kept, the best first; ``bounds`` the
    upper bounds of high, medium and normal, None for a bucket without one, empty for a
    language without domain texts. ``quantiles`` are shares of the measured pages in percent,
    with the perplexity that they do not exceed.
    """

    lang: str
    buckets: tuple[tuple[str, int, int], ...]
    bounds: tuple[float | None, ...] = ()
    quantiles: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentSample:
    """Document of a sample pair, or a doubtful one; ``file`` is relative to the corpus folder."""

    lang: str
    url: str
    title: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class PairSample:
    """Document pair of the sample, with its probability and the evidence that found it.

    ``unit`` is one of its translation units, None before alignment; ``presets`` are those
    of the exports that keep it.
    """

    source: DocumentSample
    target: DocumentSample
    probability: float
    evidence: str
    unit: TranslationUnit | None = None
    presets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PresetCount:
    """Units that a preset of the exports keeps, and those of the sample.

    ``right`` is the number of right units expected in the sample, by their scores.
    """

    name: str
    units: int
    sample: int
    right: float


@dataclass(frozen=True, slots=True)
class UnitSample:
    """Translation unit of the sample, with the languages (ISO 639-3) and URLs of its pages."""

    langs: tuple[str, str]
    urls: tuple[str, str]
    unit: TranslationUnit


@dataclass(frozen=True, slots=True)
class UnitGroup:
    """Units of the sample that have something in common.

    ``annotated`` and ``dropped`` count all units of the exports with that remark.
    """

    title: str
    units: tuple[UnitSample, ...]
    annotated: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class JudgedTable:
    """Verdicts of people on a sample: rows of text, the header first."""

    title: str
    remark: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class SubjectBound:
    """Documents that a bound of the probability of being about the domain keeps.

    ``precision`` is the share of them expected to be about the domain, ``recall`` the share
    kept of all documents expected to be; both by the probabilities themselves, None where
    there is nothing to share. ``is_set`` marks the bound of the crawl.
    """

    bound: float
    documents: int
    precision: float | None
    recall: float | None
    is_set: bool = False


def subject_bounds(
    probabilities: Sequence[float], chosen: float
) -> tuple[SubjectBound, ...]:
    """Return the documents that the bounds from 0 to .9 keep, and the chosen one.

    >>> [(row.bound, row.documents) for row in subject_bounds([0.15, 0.5, 0.9], 0.3)][:4]
    [(0.0, 3), (0.1, 3), (0.2, 2), (0.3, 2)]
    """
    if not probabilities:
        return ()
    total = sum(probabilities)
    rows = []
    for bound in sorted({*(tenth / 10 for tenth in range(10)), chosen}):
        kept = [one for one in probabilities if one >= bound]
        precision = sum(kept) / len(kept) if kept else None
        recall = sum(kept) / total if total else None
        rows.append(
            SubjectBound(bound, len(kept), precision, recall, is_set=bound == chosen)
        )
    return tuple(rows)


@dataclass(frozen=True, slots=True)
class RecrawlCounts:
    """Documents and revisited pages of a run over an earlier corpus.

    ``new`` and ``changed`` count documents exported for the first time and with a new text.
    ``revisits`` counts the pages requested again: ``unchanged`` pages are as before, ``gone``
    pages no longer exist, ``failed`` requests brought no usable answer, and ``withdrawn``
    pages left the corpus at the wish of their owner.
    """

    new: int = 0
    changed: int = 0
    revisits: int = 0
    unchanged: int = 0
    gone: int = 0
    failed: int = 0
    withdrawn: int = 0

    def describe(self) -> str:
        """Return the counts in plain words, without a full stop.

        >>> RecrawlCounts(revisits=17, unchanged=17).describe()
        'nothing new was exported; 17 pages asked for again: 17 not changed'
        >>> RecrawlCounts(new=1).describe()
        '1 new document; no page asked for again'
        """
        documents = [
            count_noun(self.new, "new document") if self.new else "",
            f"{self.changed:,} with a new text" if self.changed else "",
        ]
        answers = (
            (self.unchanged, "not changed"),
            (self.gone, "gone (documents stay)"),
            (self.withdrawn, "withdrawn"),
            (self.failed, "failed"),
        )
        head = ", ".join(filter(None, documents)) or "nothing new was exported"
        if not self.revisits:
            return f"{head}; no page asked for again"
        told = ", ".join(f"{n:,} {words}" for n, words in answers if n)
        asked = f"{head}; {count_noun(self.revisits, 'page')} asked for again"
        return f"{asked}: {told}" if told else asked


# Fewer known addresses of a site, or pages with a new text, say little.
_LEAST_KNOWN = 20
_TRAPS = ("frontier/trap_held_back", "frontier/trap_barren")
_LOST_SHARE = 1 / 3
_NAMED_HOSTS = 3


@dataclass(frozen=True, slots=True)
class AddressCounts:
    """Known addresses by what became of them.

    ``queued`` counts those that wait, by host; ``lost`` those that were refused or failed by
    ``stage/reason``, ``sites`` has the same for each host; ``known`` counts all addresses of
    a host, ``texts`` its pages with a new text.
    """

    queued: Mapping[str, int] = field(default_factory=dict)
    redirected: int = 0
    lost: Mapping[str, int] = field(default_factory=dict)
    known: Mapping[str, int] = field(default_factory=dict)
    sites: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    texts: Mapping[str, int] = field(default_factory=dict)

    def describe_lost_sites(self) -> str:
        """Return the sites that lost more than a third of their addresses, empty for none.

        What leads to nothing new, as the lists of a shop in all orders, is no loss of a site
        whose texts are fetched: it counts only for one with fewer than twenty.

        >>> AddressCounts(known={"a.org": 40}, sites={"a.org": {"fetch/robots": 30}}
        ... ).describe_lost_sites()
        'a.org lost 30 of 40 known addresses, 30 of them: forbidden by robots.txt'
        """
        found = []
        for host, numbers in self.sites.items():
            is_read = self.texts.get(host, 0) >= _LEAST_KNOWN
            traps = {code: numbers.get(code, 0) for code in _TRAPS if is_read}
            reasons = {c: number for c, number in numbers.items() if c not in traps}
            lost = sum(reasons.values())
            known = self.known[host] - sum(traps.values())
            if known >= _LEAST_KNOWN and lost > _LOST_SHARE * known:
                found.append((-lost, host, known, largest_first(reasons.items())[0]))
        if not found:
            return ""
        lost, host, known, (code, number) = min(found)
        others = f"; so did {count_noun(len(found) - 1, 'other site')}"
        return (
            f"{host} lost {-lost:,} of {known:,} known addresses,"
            f" {number:,} of them: {explain(code)}"
            f"{others if len(found) > 1 else ''}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportData(CorpusCounts):
    """Data of the report, the summary and the manifest of a corpus."""

    title: str
    corpus_dir: str
    spider: str
    # Name of the domain definition, empty without one.
    domain: str = ""
    # ISO 8601 in UTC.
    started: str = ""
    finished: str = ""
    # Seconds of all runs together.
    seconds: int = 0
    # Limit at which the last run ended: pages, megabytes, seconds; empty for none.
    limit: str = ""
    seeds: tuple[SeedStatus, ...] = ()
    # Sites of the seeds, as the seeds stand together.
    groups: tuple[tuple[str, ...], ...] = ()
    # Losses by ``stage/reason``: links and requests under ``fetch``, pages under ``cleaning``,
    # ``language`` and ``classification``, documents under ``dedup`` and ``pairing``, segments
    # under ``alignment``; and examples of URLs or texts by the same codes.
    dropped: Mapping[str, int] = field(default_factory=dict)
    dropped_samples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # Of the frontier; empty for a corpus without one.
    addresses: AddressCounts = AddressCounts()
    hosts: tuple[HostCount, ...] = ()
    # Hosts with pages that scripts build, and how many, the most first.
    scripted: tuple[tuple[str, int], ...] = ()
    # Hosts that ask for payment, and for how many addresses.
    paid: tuple[tuple[str, int], ...] = ()
    # By pattern, the largest first.
    held_back: tuple[HeldBack, ...] = ()
    # Empty for a crawl without domain texts.
    perplexity: tuple[PerplexityCount, ...] = ()
    # Documents by subdomain, by license (identifier or URL) and by place of the license.
    subdomains: tuple[tuple[str, int], ...] = ()
    licenses: tuple[tuple[str, int], ...] = ()
    license_places: tuple[tuple[str, int], ...] = ()
    # Pages by kind of opt-out signal; reserved pages, and the reserved pages left out.
    optouts: tuple[tuple[str, int], ...] = ()
    pages_reserved: int = 0
    pages_skipped: int = 0
    # Cumulative points of pages fetched and documents kept.
    harvest: tuple[tuple[int, int], ...] = ()
    # Translation units in equal bins of their score over [0, 1].
    score_histogram: tuple[int, ...] = ()
    # None for a corpus without images, or in one language.
    images: ImageCount | None = None
    # Sites with pairs, and how many, and for how many of these no pattern of the addresses speaks.
    pairs_by_site: tuple[tuple[str, int, int], ...] = ()
    # Sites with documents, those with most first; and how many of these no seed is on.
    sites: tuple[str, ...] = ()
    sites_beyond_seeds: int = 0
    # By the probability of being about the domain; empty where none was given.
    subject: tuple[SubjectBound, ...] = ()
    # With the F1 that cleaning expects, the lowest first.
    doubtful: tuple[tuple[float, DocumentSample], ...] = ()
    pair_samples: tuple[PairSample, ...] = ()
    # Preset of the last exports, with the filters beside it.
    preset: str = ""
    # Empty before the exports.
    presets: tuple[PresetCount, ...] = ()
    unit_groups: tuple[UnitGroup, ...] = ()
    judged: tuple[JudgedTable, ...] = ()
    runs: tuple[RunCount, ...] = ()
    # Paths relative to the corpus folder, with descriptions.
    files: tuple[tuple[str, str], ...] = ()
    arguments: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    # Of each stage whose last run had other settings than the crawl.
    stages: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    # English names by code.
    language_names: Mapping[str, str] = field(default_factory=dict)
    # None for the first run into a folder.
    recrawl: RecrawlCounts | None = None

    @property
    def is_multilingual(self) -> bool:
        """True for a crawl with languages to pair."""
        return len(self.langs) > 1

    @property
    def unreached_seeds(self) -> tuple[SeedStatus, ...]:
        """Seeds that were not reached, in the order of the seeds."""
        return tuple(seed for seed in self.seeds if not seed.reached)

    @property
    def languages(self) -> tuple[str, ...]:
        """English names of the languages of the crawl."""
        return tuple(map(self.language_name, self.langs))

    def describe_scripted(self) -> str:
        """Return the pages that scripts build, the remedy and the hosts, empty for none."""
        if not self.scripted:
            return ""
        pages = count_noun(sum(number for _, number in self.scripted), "page")
        is_rendered = self.settings.get("FETCH_BROWSER", "never") != "never"
        remedy = (
            "no browser found any" if is_rendered else "read with -s FETCH_BROWSER=auto"
        )
        hosts = [f"{host} ({n:,})" for host, n in self.scripted[:_NAMED_HOSTS]]
        if rest := self.scripted[_NAMED_HOSTS:]:
            hosts.append(count_noun(len(rest), "other host"))
        return f"{pages} without text before scripts build it, {remedy}: {', '.join(hosts)}"

    def language_name(self, lang: str) -> str:
        """Return the English name of a language, its code where no name is known."""
        return self.language_names.get(lang, lang)

    def pair_name(self, pair: PairCount) -> str:
        """Return the English names of the two languages of a pair."""
        source, target = map(self.language_name, (pair.source_lang, pair.target_lang))
        return f"{source} {DASH} {target}"
