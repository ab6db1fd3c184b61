"""Measures which language the pages of real sites are found to be in.

``python -m evaluation.page_language [--langs de,it]`` cleans and identifies the pages of
five multilingual sites as a crawl for some languages would, and prints by site how many of
the pages that are translated at least in part are found, how many untranslated copies and
pages in other languages are refused, and what share of the text paragraphs on pages found
is marked as in another language. It fails where a figure is below its floor in
``baseline.json``. What a page is comes from its site's ``pages.tsv``; copies of which three
tenths or more are in the language are left out.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

from evaluation.data import DATA, PROJECT, SITES, build_sites, read_table, skip_text
from ilspfc.cleaning.page import CleaningReason, clean_page
from ilspfc.documents import CrawlInfo, ParagraphType, document_id
from ilspfc.language.identification import page_identifier
from ilspfc.text.codes import to_iso639_3

BUILT = ("installation-guide", "debian-handbook", "apache-manual", "lilypond")
# ScoredCandidates where it is at hand, too.
FURTHER = "bitcoin"
# A copy with so much of its text in the language is neither translated nor untranslated.
_MAX_TRANSLATED = 0.3
_SHORT_CHARS = 80
_CODE = (ParagraphType.CODE, ParagraphType.PREFORMATTED)


class SitePage(NamedTuple):
    """A page, the language it should be in (ISO 639-3), and how much of it is."""

    site: str
    path: str
    lang: str
    status: str
    share: float


def read_pages(site: str) -> list[SitePage]:
    """Return the pages of a site."""
    return [
        SitePage(
            site,
            row["path"],
            to_iso639_3(row["lang"]),
            row["status"],
            float(row["lid_share"]),
        )
        for row in read_table(SITES / site)
    ]


def identify(page: SitePage, langs: tuple[str, ...]) -> tuple[str, Counter[str]]:
    """Return the language that a page is found in, and counts of its text paragraphs.

    Those below 80 characters count as ``short``, the rest as ``long``; ``short marked`` and
    ``long marked`` are those in another language than the page.
    """
    url = f"http://www.example.org/{page.path}"
    body = (SITES / page.site / "www" / page.path).read_bytes()
    document = clean_page(body, url=url, identity=document_id(url))
    if isinstance(document, CleaningReason):
        return "", Counter()
    text = [
        p for p in document.paragraphs if p.crawlinfo is None and p.type not in _CODE
    ]
    declared = document.metadata.declared_lang
    lang = page_identifier(langs).identify_page(document.paragraphs, declared)
    counts: Counter[str] = Counter()
    for paragraph in text:
        length = "short" if len(paragraph.text) < _SHORT_CHARS else "long"
        counts[length] += 1
        counts[f"{length} marked"] += paragraph.crawlinfo is CrawlInfo.OOI_LANG
    return lang, counts


def judge(page: SitePage, lang: str, langs: tuple[str, ...]) -> tuple[str, bool]:
    """Return what kind of page it is, empty if it is not judged, and whether it is right."""
    if page.lang not in langs:
        return "foreign", lang not in langs
    if page.status != "untranslated":
        return "translated", lang == page.lang
    if page.share < _MAX_TRANSLATED:
        return "copies", lang not in langs
    return "", True


def measure(langs: tuple[str, ...]) -> dict[str, dict[str, float]]:
    """Print the figures by site; return the shares over all sites."""
    print("| site | translated: found | copies: refused | foreign: refused |", end="")
    print(" short marked | long marked |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    sums: Counter[str] = Counter()
    names = (*BUILT, FURTHER) if (SITES / FURTHER).is_dir() else BUILT
    with ProcessPoolExecutor() as pool:
        for site in names:
            pages = read_pages(site)
            found = pool.map(partial(identify, langs=langs), pages, chunksize=16)
            counts: Counter[str] = Counter()
            wrong = defaultdict(list)
            for page, (lang, paragraphs) in zip(pages, found, strict=True):
                kind, is_right = judge(page, lang, langs)
                counts[kind] += 1
                counts[f"{kind} right"] += is_right
                if kind == "translated" and is_right:
                    counts += paragraphs
                if not is_right:
                    wrong[kind].append(page.path)
            _show(site, counts)
            for kind, paths in wrong.items():
                print(f"{site}, {kind}: {' '.join(paths)}", file=sys.stderr)
            sums += counts
    _show("all", sums)
    kinds = ("translated", "copies", "foreign")
    return {
        "pages": {kind: sums[f"{kind} right"] / max(sums[kind], 1) for kind in kinds}
    }


def _show(name: str, counts: Counter[str]) -> None:
    cells = [
        f"{counts[f'{kind} right']} of {counts[kind]}"
        for kind in ("translated", "copies", "foreign")
    ]
    cells += [
        f"{counts[f'{length} marked'] / max(counts[length], 1):.3f} of {counts[length]}"
        for length in ("short", "long")
    ]
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


def main() -> int:
    """Print all figures; return 1 if one is below its floor."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--langs", default="de,it")
    codes = parser.parse_args().langs
    if not (DATA / "sites" / "build.sh").is_file():
        print(skip_text())
        return 0
    build_sites(*BUILT)
    figures = measure(tuple(map(to_iso639_3, codes.split(","))))
    floors = json.loads((PROJECT / "evaluation" / "baseline.json").read_text("utf-8"))
    failures = [
        f"{group}: {key} is {figures[group][key]:.4f}, the floor is {floor}"
        for group, bounds in floors["page_language"].items()
        for key, floor in bounds.items()
        if codes == "de,it" and figures[group][key] < floor
    ]
    print(*failures or ["All figures are at or above their floors."], sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
