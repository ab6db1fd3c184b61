"""Judges the terms that a bootstrap finds in texts of a subject, by glossaries of the subject.

``python -m evaluation.bootstrap_terms`` gets terms by keyness from the pages of manuals that have a
glossary, without the glossary itself, against the pages of the other sites in the same language,
and compares them with the names of its entries. Printed for each site and language: pages, entries,
those that the pages say often enough to be found; of the first 50 and 200 terms the share that
are entries, the share of what can be found among the first 200 and 1,000; and both for the
most frequent terms instead. A glossary lists few of the terms of its subject, so that the shares
compare methods and languages, and do not say how many terms are right.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from lxml import html

from evaluation.data import SITES, build_sites, read_table, skip_text
from evaluation.site_corpora import read_page
from ilspfc.bootstrap.keyness import MIN_FREQUENCY, Counts, KeyTerm, extract_terms
from ilspfc.classification.terms import StemmingTokenizer
from ilspfc.text.codes import to_iso639_3

# Of each site the page with the glossary, and where the names of its entries are; without a page,
# each page is an entry, and its title the name.
GLOSSARIES = {
    "apache-manual": ("manual/{}/glossary.html", "//dt"),
    "gimp-help": ("{}/glossary.html", "//dt//*[@class='phrase']"),
    "glosario": ("", ""),
}
OTHERS = ("debian-handbook", "office-help")
LANGS = ("de", "en", "es", "fr")
MIN_PAGES = 20
FIRST, MORE, ALL = 50, 200, 1000
# Behind a name stand its short form and what kind of thing it is.
_BRACKETS_RE = re.compile(r"\s*\(.*", re.DOTALL)


def read_rows(site: str, lang: str) -> list[dict[str, str]]:
    """Return the pages of a site in a language that are translated."""
    return [
        row
        for row in read_table(SITES / site)
        if row["lang"] == lang and row.get("status") != "untranslated"
    ]


def read_texts(
    site: str, lang: str, without: str, pool: ProcessPoolExecutor
) -> list[str]:
    """Return the clean texts of the pages of a site, but of one."""
    paths = [row["path"] for row in read_rows(site, lang) if row["path"] != without]
    code = to_iso639_3(lang)
    read = partial(read_page, root=SITES / site / "www", langs=(code,))
    documents = pool.map(read, paths, chunksize=20)
    return [
        "\n".join(p.text for p in one.clean_paragraphs)
        for one in documents
        if one is not None and one.lang == code
    ]


def read_entries(site: str, lang: str) -> list[str]:
    """Return the names of the entries of a glossary."""
    page, path = GLOSSARIES[site]
    if not page:
        rows = read_rows(site, lang)
        roots = [html.parse(SITES / site / "www" / row["path"]) for row in rows]
        names = [root.findtext(".//h1") or "" for root in roots]
    else:
        file = SITES / site / "www" / page.format(lang)
        found = html.parse(file).xpath(path) if file.is_file() else []
        names = [one.text_content() for one in found]
    return [_BRACKETS_RE.sub("", " ".join(name.split())) for name in names]


def score(
    terms: Sequence[KeyTerm], gold: set[tuple[str, ...]], tokenizer: StemmingTokenizer
) -> str:
    """Return precision of the first terms and recall of more, as they are printed."""
    is_right = [tuple(tokenizer.stems(term.text)) in gold for term in terms]
    shares = [sum(is_right[:n]) / n for n in (FIRST, MORE)]
    shares += [sum(is_right[:n]) / max(len(gold), 1) for n in (MORE, ALL)]
    return "  ".join(f"{share:.2f}" for share in shares)


def main() -> int:
    """Print the table."""
    if not SITES.is_dir():
        print(skip_text())
        return 0
    build_sites(*GLOSSARIES, *OTHERS)
    print(f"{'':17}{'':4}{'':20}  {'by keyness':^22}  {'by frequency':^22}")
    print(
        f"{'site':17}{'':4}pages entries said  "
        + "  ".join([f"P{FIRST}   P{MORE}  R{MORE}  R{ALL}"] * 2)
    )
    with ProcessPoolExecutor(2) as pool:
        for lang in LANGS:
            texts = {
                site: read_texts(
                    site, lang, GLOSSARIES.get(site, ("",))[0].format(lang), pool
                )
                for site in (*GLOSSARIES, *OTHERS)
            }
            tokenizer = StemmingTokenizer(to_iso639_3(lang))
            for site in GLOSSARIES:
                entries = set(
                    map(tuple, map(tokenizer.stems, read_entries(site, lang)))
                )
                if len(texts[site]) < MIN_PAGES or not entries:
                    continue
                counts = Counts(tokenizer.stem)
                for text in texts[site]:
                    counts.add(text, entries)
                said = {e for e in entries if counts.frequencies[e] >= MIN_FREQUENCY}
                others = [
                    t for name, some in texts.items() if name != site for t in some
                ]
                terms = extract_terms(texts[site], others, tokenizer.stem, sys.maxsize)
                frequent = sorted(terms, key=lambda term: -term.frequency)
                print(
                    f"{site:17}{lang:4}{len(texts[site]):5} {len(entries):7} {len(said):4}  "
                    f"{score(terms, said, tokenizer)}  {score(frequent, said, tokenizer)}",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
