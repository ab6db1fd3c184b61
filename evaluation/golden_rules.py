"""Scores sentence splitting by the golden rules of pySBD, English.

``python -m evaluation.golden_rules`` gets pySBD's source archive from the package registry
(pinned by its digest), reads the cases of its benchmark without running it, and prints how
many are split as they ask, and the others. It fails below the floor; it is skipped where the
registry cannot be reached. Most of the rest are lists in one line of text.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tarfile
from pathlib import Path

from evaluation.data import PROJECT
from ilspfc.text.sentences import split_sentences

_VERSION = "0.3.3"
_DIGEST = "56ab48a28a8470f0042a4cb7c9da8a6dde8621ecf87a86d75f201cbf1837e77f"
_MEMBER = f"pysbd-{_VERSION}/benchmarks/english_golden_rules.py"
_FOLDER = PROJECT / "build" / "golden-rules"
FLOOR = 43


def fetch() -> Path | None:
    """Return the archive, None where it cannot be had."""
    archive = _FOLDER / f"pysbd-{_VERSION}.tar.gz"
    if not archive.is_file():
        _FOLDER.mkdir(parents=True, exist_ok=True)
        wanted = _FOLDER / "requirements.txt"
        wanted.write_text(f"pysbd=={_VERSION} --hash=sha256:{_DIGEST}\n")
        options = [
            "--quiet",
            "--no-deps",
            "--no-binary",
            ":all:",
            "--dest",
            str(_FOLDER),
        ]
        command = [sys.executable, "-m", "pip", "download", *options, "-r", str(wanted)]
        subprocess.run(command, check=False)
    return archive if archive.is_file() else None


def read_rules(archive: Path) -> list[tuple[str, list[str]]]:
    """Return texts and their sentences."""
    with tarfile.open(archive) as opened:
        file = opened.extractfile(_MEMBER)
        assert file is not None
        tree = ast.parse(file.read())
    (found,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and ast.unparse(node.targets[0]) == "GOLDEN_EN_RULES"
    )
    rules: list[tuple[str, list[str]]] = ast.literal_eval(found)
    return rules


def main() -> int:
    """Print the rules that are broken and how many hold; return 1 below the floor."""
    archive = fetch()
    if archive is None:
        print("Skipped: pySBD's source archive cannot be fetched.")
        return 0
    rules = read_rules(archive)
    broken = 0
    for text, sentences in rules:
        found = split_sentences(text, "eng")
        if [one.split() for one in found] != [one.split() for one in sentences]:
            broken += 1
            print(f"{text}\n  wanted {sentences}\n  found  {found}")
    held = len(rules) - broken
    print(f"Golden rules of English sentences: {held} of {len(rules)}")
    return int(held < FLOOR)


if __name__ == "__main__":
    sys.exit(main())
