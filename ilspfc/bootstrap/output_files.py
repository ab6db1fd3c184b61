"""What a bootstrap leaves behind: definition, seeds, pairs of terms, losses, figures."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from ilspfc.atomic import open_atomic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from ilspfc.bootstrap.concepts import Ledger, Seed
    from ilspfc.bootstrap.terms.definition_terms import Definition


def write_definition(
    path: Path,
    definition: Definition,
    to_tag: Callable[[str], str],
    head: Iterable[str],
) -> None:
    """Write a domain definition as ``domains/README.md`` has it, under comments."""
    lines = [f"# {line}" for line in head]
    lines.append("weight\tterm\tsubdomain\tlang")
    lines += [
        f"{term.weight}\t{_cell(term.text)}\t{_cell(term.subdomain)}\t{to_tag(term.lang)}"
        for term in definition.terms
    ]
    _write_lines(path, lines)


def write_seeds(path: Path, seeds: Iterable[Seed], head: Iterable[str]) -> None:
    """Write URLs for review, one a line with the reason behind it."""
    lines = [f"# {line}" for line in head]
    lines += [f"{seed.url}  # {_cell(seed.reason)}" for seed in seeds]
    _write_lines(path, lines)


def write_pairs(
    folder: Path, definition: Definition, to_tag: Callable[[str], str]
) -> list[Path]:
    """Write the terms that translate each other, a file for each two languages.

    Their first line is ``source TAB target``, as ``scrapy lexicon`` reads it.
    """
    paths = []
    for source, target in combinations(definition.langs, 2):
        pairs = list(definition.iter_pairs(source, target))
        if pairs:
            path = folder / f"{to_tag(source)}-{to_tag(target)}.tsv"
            lines = ["source\ttarget", *(f"{_cell(a)}\t{_cell(b)}" for a, b in pairs)]
            _write_lines(path, lines)
            paths.append(path)
    return paths


def write_dropped(path: Path, ledger: Ledger, to_tag: Callable[[str], str]) -> None:
    """Write what was left out, with the reason, for a look by the user."""
    lines = ["reason\tlang\ttext"]
    lines += [
        f"{dropped.reason}\t{to_tag(dropped.lang) if dropped.lang else ''}"
        f"\t{_cell(dropped.text)}"
        for dropped in sorted(set(ledger.dropped))
    ]
    _write_lines(path, lines)


def write_figures(path: Path, figures: dict[str, object]) -> None:
    """Write figures as JSON, in the order of their names."""
    with open_atomic(path) as file:
        text = json.dumps(figures, ensure_ascii=False, indent=2, sort_keys=True)
        file.write(text.encode("utf-8") + b"\n")


def describe_losses(counts: Counter[str]) -> list[str]:
    """Return what was left out and how often, most first."""
    prefix = "bootstrap/dropped/"
    losses = Counter(
        {k.removeprefix(prefix): n for k, n in counts.items() if k.startswith(prefix)}
    )
    return [f"{number} {reason}" for reason, number in losses.most_common()]


def _cell(text: str) -> str:
    return " ".join(text.split())


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    with open_atomic(path) as file:
        file.writelines(f"{line}\n".encode("utf-8", "replace") for line in lines)
