"""Summary of training content: what a corpus knows of it, in the order of the Commission.

The headings are those of the template for article 53(1)(d) of Regulation (EU) 2024/1689,
C(2025) 8311, 2025-12-05. What the provider of a model alone knows is marked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ilspfc.atomic import open_atomic
from ilspfc.corpus import counts
from ilspfc.text.language_names import language_name

if TYPE_CHECKING:
    from pathlib import Path

    from ilspfc.corpus.corpus import Corpus

TRAINING_SUMMARY = "training-summary.md"
# The template asks for a tenth of the domain names, by the size of their texts.
_LISTED_SHARE = 10
_TEMPLATE = """# Summary of training content

Fields marked ▢ are for the provider of the model.

## 1. General information
### 1.1. Provider identification ▢
### 1.2. Model identification ▢
### 1.3. Modalities, overall training data size and other characteristics
- Modality: text, {tokens:,} tokens
- Languages:{languages}
- Latest date of data acquisition: {last}

## 2. List of data sources
### 2.1. Publicly available datasets ▢
### 2.2. Private non-publicly available datasets obtained from third parties ▢
### 2.3. Data crawled and scraped from online sources
- Crawler: ilspfc {contact}
- Purpose: texts on {subject}, for language resources
- Behavior: robots.txt by RFC 9309, ROBOTSTXT_OBEY={obey}; no login, payment or captcha is passed
- Period of data collection: {first} to {last}
- Content: web pages and documents; by license:{licenses}
- Domain names: {sites:,}; the tenth with the largest texts, by share of the tokens:{domains}

### 2.4. User data ▢
### 2.5. Synthetic data ▢
### 2.6. Other sources of data ▢

## 3. Data processing aspects
### 3.1. Respect of reservation of rights from text and data mining exception or limitation
- Signatory to the Code of Practice: ▢
- Opt-out policy of the crawl: {policy}; pages whose owner reserves mining: {reserved:,}
- Pages by signal:{signals}

### 3.2. Removal of illegal content ▢
### 3.3. Other information ▢
"""


def write_training_summary(corpus: Corpus) -> Path:
    """Write the summary of a corpus, put-apart documents left out; return its path."""
    index, settings = corpus.index, corpus.run.get("settings", {})
    sql = "SELECT ifnull(strftime('%m/%Y', {}(fetched_at)), 'unknown') FROM kept_documents"
    first, last = (next(index.rows(sql.format(end)))[0] for end in ("min", "max"))
    sizes = "SELECT {}, sum(tokens) FROM kept_documents GROUP BY 1 ORDER BY 2 DESC, 1"
    langs, sites = (list(index.rows(sizes.format(one))) for one in ("lang", "site"))
    tokens = sum(number for _, number in sites)
    text = _TEMPLATE.format(
        tokens=tokens,
        languages=_list((language_name(lang), number) for lang, number in langs),
        first=first,
        last=last,
        contact=corpus.settings["FETCH_CONTACT"],
        subject=corpus.run.get("domain") or "any subject",
        obey=settings.get("ROBOTSTXT_OBEY", True),
        licenses=_list(counts.count_values(index, counts.LICENSE)),
        sites=len(sites),
        domains=_list(
            (site, f"{number / max(tokens, 1):.1%}")
            for site, number in sites[: -(-len(sites) // _LISTED_SHARE)]
        ),
        policy=settings.get("OPTOUT_POLICY", "skip"),
        reserved=counts.count_reserved(index),
        signals=_list(counts.count_optouts(index)),
    )
    path = corpus.export_root / TRAINING_SUMMARY
    with open_atomic(path) as stream:
        stream.write(text.encode())
    return path


def _list(rows: Iterable[tuple[str, int | str]]) -> str:
    return "".join(f"\n  - {name}: {value}" for name, value in rows) or " none"
