"""Descriptions of a corpus in Markdown: card of a dataset, summary of training content."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

from ilspfc import __version__
from ilspfc.atomic import write_bytes
from ilspfc.corpus import counts
from ilspfc.corpus.corpus import Corpus
from ilspfc.report.numbers import count_noun
from ilspfc.text.codes import language_name, to_bcp47

DATASET = "hf"
"""Folder of the files of a dataset."""
TRAINING_SUMMARY = "training-summary.md"
# The Hub's name of a part; a file without one is all of its configuration.
_SPLITS = {"train": "train", "dev": "validation", "test": "test"}
_MAX_ROWS = 20
# The template asks for a tenth of the domain names, by the size of their texts.
_LISTED_SHARE = 10


def write_dataset_card(corpus: Corpus, preset: str) -> None:
    """Write the card of the Parquet files that the folder of datasets has, as the Hub shows it."""
    from pyarrow import parquet  # noqa: PLC0415

    folder = corpus.export_root / DATASET
    index, run = corpus.index, corpus.run
    configs: dict[str, list[tuple[Path, str]]] = defaultdict(list)
    for path in sorted(folder.glob("*.parquet")):
        name, _, part = path.stem.partition(".")
        configs[name].append((path, _SPLITS.get(part, "train")))
    parts = [(name, *one) for name, some in configs.items() for one in some]
    days = [str(run.get(name, ""))[:10] for name in ("started", "finished")]
    names = list(map(language_name, corpus.langs))
    title = f"{run.get('domain') or 'Web'}: {', '.join(names)}"
    _write(
        folder / "README.md",
        "dataset_card.md",
        title=title,
        quoted=json.dumps(title, ensure_ascii=False),
        codes="\n".join(f"- {to_bcp47(lang)}" for lang in corpus.langs),
        configs="\n".join(
            f"- config_name: {name}\n  data_files:"
            + "".join(f"\n  - split: {s}\n    path: {path.name}" for path, s in some)
            for name, some in configs.items()
        ),
        names=", ".join(names[:-1]) + f" and {names[-1]}",
        period=f" from {days[0]} to {days[1]}" if all(days) else "",
        version=__version__,
        files="\n".join(
            f"| {name} | {split} | {parquet.read_metadata(path).num_rows:,} |"
            for name, path, split in parts
        ),
        preset=preset,
        policy=run.get("settings", {}).get("OPTOUT_POLICY", "skip"),
        licenses=_join(counts.count_values(index, counts.LICENSE)),
        sites=_join(counts.count_values(index, "site")),
    )


def write_training_summary(corpus: Corpus) -> Path:
    """Write the summary of a corpus, put-apart documents left out; return its path.

    The headings are those of the template for article 53(1)(d) of Regulation (EU) 2024/1689,
    C(2025) 8311, 2025-12-05, in its order. What the provider of a model alone knows is marked.
    """
    index, settings = corpus.index, corpus.run.get("settings", {})
    sql = "SELECT ifnull(strftime('%m/%Y', {}(fetched_at)), 'unknown') FROM kept_documents"
    first, last = (next(index.rows(sql.format(end)))[0] for end in ("min", "max"))
    sizes = "SELECT {}, sum(tokens) FROM kept_documents GROUP BY 1 ORDER BY 2 DESC, 1"
    langs, sites = (list(index.rows(sizes.format(one))) for one in ("lang", "site"))
    tokens = sum(number for _, number in sites)
    path = corpus.export_root / TRAINING_SUMMARY
    _write(
        path,
        "training_summary.md",
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
    return path


def _write(path: Path, template: str, **values: object) -> None:
    """Write a file from a template of this folder."""
    text = files(__package__).joinpath(template).read_text("utf-8")
    write_bytes(path, text.format(**values).encode())


def _join(rows: list[tuple[str, int]]) -> str:
    """Return the most frequent values with their numbers, and how many others there are."""
    shown = [f"{name} ({number:,})" for name, number in rows[:_MAX_ROWS]]
    more = count_noun(len(rows) - len(shown), "other")
    return ", ".join([*shown, *([more] if rows[_MAX_ROWS:] else [])]) or "none"


def _list(rows: Iterable[tuple[str, int | str]]) -> str:
    return "".join(f"\n  - {name}: {value}" for name, value in rows) or " none"
