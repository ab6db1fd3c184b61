"""Summary of training content: what a corpus knows of it, in the order of the Commission.

The headings are those of the template for article 53(1)(d) of Regulation (EU) 2024/1689,
C(2025) 8311, 2025-12-05. What the provider of a model alone knows is marked.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc.atomic import open_atomic
from ilspfc.corpus import counts
from ilspfc.text.codes import language_name

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus

TRAINING_SUMMARY = "training-summary.md"
# The template asks for a tenth of the domain names, by the size of their texts.
_LISTED_SHARE = 10


def write_training_summary(corpus: Corpus) -> Path:
    """Write the summary of a corpus, put-apart documents left out; return its path."""
    index, settings = corpus.index, corpus.run.get("settings", {})
    sql = "SELECT ifnull(strftime('%m/%Y', {}(fetched_at)), 'unknown') FROM kept_documents"
    first, last = (next(index.rows(sql.format(end)))[0] for end in ("min", "max"))
    sizes = "SELECT {}, sum(tokens) FROM kept_documents GROUP BY 1 ORDER BY 2 DESC, 1"
    langs, sites = (list(index.rows(sizes.format(one))) for one in ("lang", "site"))
    tokens = sum(number for _, number in sites)
    text = (
        files(__package__)
        .joinpath("training_summary.md")
        .read_text("utf-8")
        .format(
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
    )
    path = corpus.export_root / TRAINING_SUMMARY
    with open_atomic(path) as stream:
        stream.write(text.encode())
    return path


def _list(rows: Iterable[tuple[str, int | str]]) -> str:
    return "".join(f"\n  - {name}: {value}" for name, value in rows) or " none"
