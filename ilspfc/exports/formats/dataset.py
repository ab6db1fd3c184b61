"""Units as a dataset of the Hugging Face Hub: Parquet files, and a card that describes them."""

from __future__ import annotations

import json
from collections import defaultdict
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from ilspfc import __version__
from ilspfc.atomic import open_atomic
from ilspfc.corpus import counts
from ilspfc.report.numbers import count_noun
from ilspfc.text.codes import language_name, to_bcp47

if TYPE_CHECKING:
    from ilspfc.corpus.corpus import Corpus

DATASET = "hf"
"""Folder of the files."""
# The Hub's name of a part; a file without one is all of its configuration.
_SPLITS = {"train": "train", "dev": "validation", "test": "test"}
_MAX_ROWS = 20


def write_card(corpus: Corpus, preset: str) -> None:
    """Write the card of the Parquet files that the folder of datasets has."""
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
    text = (
        files(__package__)
        .joinpath("dataset_card.md")
        .read_text("utf-8")
        .format(
            title=title,
            quoted=json.dumps(title, ensure_ascii=False),
            codes="\n".join(f"- {to_bcp47(lang)}" for lang in corpus.langs),
            configs="\n".join(
                f"- config_name: {name}\n  data_files:"
                + "".join(
                    f"\n  - split: {s}\n    path: {path.name}" for path, s in some
                )
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
            licenses=_list(counts.count_values(index, counts.LICENSE)),
            sites=_list(counts.count_values(index, "site")),
        )
    )
    with open_atomic(folder / "README.md") as file:
        file.write(text.encode())


def _list(rows: list[tuple[str, int]]) -> str:
    """Return the most frequent values with their numbers, and how many others there are."""
    shown = [f"{name} ({number:,})" for name, number in rows[:_MAX_ROWS]]
    more = count_noun(len(rows) - len(shown), "other")
    return ", ".join([*shown, *([more] if rows[_MAX_ROWS:] else [])]) or "none"
