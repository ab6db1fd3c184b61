"""A bilingual corpus as the glue would describe it: the counts add up from pages to units."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from ilspfc.documents import TranslationUnit
from ilspfc.documents.figures import HostCount, LanguageCount, PairCount
from ilspfc.report.data import (
    DocumentSample,
    ImageCount,
    PairSample,
    ReportData,
    SeedStatus,
)

DROPPED = {
    "fetch/out_of_scope": 31_870,
    "fetch/http_error": 412,
    "fetch/robots": 655,
    "fetch/not_reached": 38,
    "cleaning/no_index": 1_204,
    "cleaning/not_html": 96,
    "cleaning/timeout": 1,
    "language/other_language": 3_318,
    "classification/off_topic": 4_021,
    "dedup/near_duplicate": 720,
    "pairing/below_threshold": 1_896,
    "alignment/unaligned_source": 2_214,
    "alignment/unaligned_target": 1_987,
}
DROPPED_SAMPLES = {
    "cleaning/no_index": (
        "https://arbeit.example.org/de/kontakt",
        "https://arbeit.example.org/de/sitemap",
    ),
    "language/other_language": ("https://sicuro.example.net/fr/securite",),
    "classification/off_topic": tuple(
        f"https://www.example.com/de/stellenangebote/{number}" for number in range(24)
    ),
    "dedup/near_duplicate": (
        "https://sicuro.example.net/it/dpi?print=1&very=long&query=" + "x" * 300,
    ),
    "pairing/below_threshold": ("https://arbeit.example.org/de/presse/2025-11",),
}
HISTOGRAM = (
    *(0, 0, 2, 8, 21, 44, 93, 160, 246, 371),
    *(520, 703, 918, 1_204, 1_611, 2_190, 2_840, 3_302, 2_755, 1_414),
)
NAMES = {"deu": "German", "ita": "Italian"}
HARVEST = tuple(
    (pages, int(3_120 * (pages / 12_480) ** 0.8)) for pages in range(0, 12_481, 40)
)
HOSTS = (
    HostCount("arbeit.example.org", 5_210, 1_690, 38),
    HostCount("sicuro.example.net", 4_022, 1_101, 12),
    HostCount("www.example.com", 2_911, 301, 55),
    HostCount("blocked.example.com", 9, 0, 345),
    *(HostCount(f"host{number:03}.example.org", 3, 0, 0) for number in range(108)),
)
PAIR_SAMPLES = (
    PairSample(
        DocumentSample(
            "deu",
            "https://arbeit.example.org/de/psa/atemschutz",
            "Atemschutz am Arbeitsplatz",
            "xml/deu-1f0a2b3c4d5e.xml",
        ),
        DocumentSample(
            "ita",
            "https://arbeit.example.org/it/dpi/protezione-respiratoria",
            "Protezione delle vie respiratorie sul lavoro",
            "xml/ita-8d9b2d1d4bcb.xml",
        ),
        0.998,
        "declared_version",
        TranslationUnit(
            "Der Arbeitgeber stellt die persönliche Schutzausrüstung kostenlos zur Verfügung.",
            "Il datore di lavoro fornisce gratuitamente i dispositivi di protezione individuale.",
            "1:1",
            0.93,
        ),
    ),
    PairSample(
        DocumentSample("deu", "https://sicuro.example.net/de/17", ""),
        DocumentSample(
            "ita",
            "https://sicuro.example.net/it/17",
            "Rischio chimico: valutazione e misure",
        ),
        0.71,
        "links",
        TranslationUnit("Impressum", "Note legali", "1:1", 0.41),
    ),
)
FILES = (
    ("xml/", "documents as annotated XML"),
    ("pairs/deu-ita.tsv", "document pairs with probability and evidence"),
    ("deu-ita.tmx", "translation units, TMX 1.4"),
    ("deu-ita.tsv.gz", "translation units, tab-separated"),
    ("corpus.db", "index of the corpus, SQLite"),
    ("report.html", "this report"),
    ("stats.json", "counters of the run"),
    ("manifest.json", "settings, versions, digests"),
)


def bilingual_report() -> ReportData:
    """Return the report of a German and Italian crawl on health and safety at work."""
    return ReportData(
        title="Health and safety at work",
        corpus_dir="out",
        spider="bilingual",
        langs=("deu", "ita"),
        domain="health-safety",
        started="2026-03-01T09:05:10Z",
        finished="2026-03-01T11:19:40Z",
        seconds=8_070,
        pages_fetched=12_480,
        seeds=(
            SeedStatus("https://arbeit.example.org/", True),
            SeedStatus("https://sicuro.example.net/", True),
            SeedStatus("https://blocked.example.com/de/", False, "fetch/robots"),
            SeedStatus("https://gone.example.com/", False, "name not found"),
        ),
        documents=(
            LanguageCount("deu", 1_800, 96_210, 41_377, 1_234_567),
            LanguageCount("ita", 1_320, 71_004, 33_902, 987_654),
        ),
        dropped=DROPPED,
        dropped_samples=DROPPED_SAMPLES,
        hosts=HOSTS,
        subdomains=(("occupational diseases", 804), ("protective equipment", 1_511)),
        licenses=(("CC-BY-4.0", 212), ("https://example.org/terms", 9)),
        license_places=(("a-rel", 180), ("json-ld", 41)),
        optouts=(("tdmrep_header", 35), ("noai_meta", 7)),
        pages_reserved=38,
        pages_skipped=38,
        pairs=(
            PairCount(
                "deu",
                "ita",
                612,
                18_402,
                301_877,
                318_450,
                {"links": 71, "declared_version": 488, "text": 53},
                0.186,
            ),
        ),
        harvest=HARVEST,
        score_histogram=HISTOGRAM,
        images=ImageCount((1_853, 0, 3, *(0,) * 16, 4), 0.08, 1_853),
        pairs_by_site=(("example.org", 400, 390), ("example.net", 212, 0)),
        sites=("example.org", "example.net", *(f"s{n}.example" for n in range(7))),
        sites_beyond_seeds=7,
        pair_samples=PAIR_SAMPLES,
        files=FILES,
        arguments={"langs": "de,it", "domain": "health-safety"},
        settings={"PAIRING_THRESHOLD": "0.5", "CORPUS_DIR": "out"},
        versions={"ilspfc": "0.1.0", "python": "3.11.9", "lxml": "6.1.3"},
        language_names=NAMES,
    )


def monolingual_report() -> ReportData:
    """Return the report of the same crawl with one language and no pairing."""
    stages = ("fetch/", "cleaning/", "language/", "classification/", "dedup/")
    return replace(
        bilingual_report(),
        langs=("deu",),
        spider="monolingual",
        documents=(LanguageCount("deu", 3_120, 96_210, 41_377, 1_234_567),),
        dropped={k: n for k, n in DROPPED.items() if k.startswith(stages)},
        pairs=(),
        pairs_by_site=(),
        images=None,
        score_histogram=(),
        pair_samples=(),
    )


def empty_report(*langs: str) -> ReportData:
    """Return the report of a crawl that fetched nothing."""
    return ReportData(
        title="Nothing", corpus_dir="out", spider="bilingual", langs=langs
    )


def with_text_everywhere(value: Any, text: str) -> Any:
    """Return the value with ``text`` put after every string in it, keys and fields of records included."""
    if isinstance(value, str):
        return value + text
    if isinstance(value, dict):
        return {
            with_text_everywhere(key, text): with_text_everywhere(item, text)
            for key, item in value.items()
        }
    if isinstance(value, tuple):
        return tuple(with_text_everywhere(item, text) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            field.name: with_text_everywhere(getattr(value, field.name), text)
            for field in fields(value)
        }
        return replace(value, **changed)
    return value
