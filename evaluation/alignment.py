"""Scores sentence alignment against gold links.

``python -m evaluation.alignment`` prints strict and lax precision, recall and F1 for each
set of the evaluation data, and the seconds that it took.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from evaluation.data import DATA, skip_text
from ilspfc.alignment import Bead, align_lengths

SETS = {"text-berg-dev": ("de", "fr"), "parice": ("en", "is")}


def _read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _format(bead: Bead) -> str:
    sides = (",".join(map(str, side)) for side in (bead.source, bead.target))
    return "\t".join(sides)


def score_set(name: str, langs: tuple[str, str], folder: Path) -> dict[str, float]:
    """Align the texts of a set by length and return their scores together."""
    root = DATA / "data" / "alignment"
    arguments: list[str] = []
    started = time.process_time()
    for gold in sorted((root / name).glob("*.gold")):
        source, target = (_read(gold.with_suffix(f".{lang}")) for lang in langs)
        predicted = folder / f"{name}-{gold.stem}.tsv"
        lines = map(_format, align_lengths(source, target))
        predicted.write_text("\n".join(lines), encoding="utf-8")
        arguments += [str(gold), str(predicted)]
    seconds = time.process_time() - started
    command = [sys.executable, str(root / "score_alignment.py"), *arguments]
    answer = subprocess.run(command, check=True, capture_output=True)
    return {**json.loads(answer.stdout), "cpu_seconds": round(seconds, 2)}


def main() -> int:
    """Print the scores of all sets."""
    if not (DATA / "data" / "alignment").is_dir():
        print(skip_text())
        return 0
    with tempfile.TemporaryDirectory() as folder:
        for name, langs in SETS.items():
            print(name, json.dumps(score_set(name, langs, Path(folder))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
