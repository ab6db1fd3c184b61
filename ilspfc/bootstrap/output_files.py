"""Files of a bootstrap; a file that a user has edited is not replaced."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import combinations
from pathlib import Path

from ilspfc.atomic import write_lines
from ilspfc.bootstrap.concepts import BootstrapLog, Seed
from ilspfc.bootstrap.definition_terms import Definition
from ilspfc.bootstrap.term_files import write_definition
from ilspfc.classification.definition import TERM_COLUMNS
from ilspfc.exceptions import ArgumentError, BootstrapError
from ilspfc.text.cells import to_line
from ilspfc.text.codes import to_bcp47


@dataclass(slots=True)
class BootstrapResult:
    """Result of a bootstrap; ``error`` is the failure of a source after others."""

    definition: Definition
    seeds: list[Seed]
    log: BootstrapLog
    error: BootstrapError | None = None
    paths: list[Path] = field(default_factory=list)


class OutputFiles:
    """Files of a subject; ``folder`` is the stem of their names: ``domains/flowers``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._definition = folder.with_name(f"{folder.name}.tsv")
        self._seeds = folder.with_name(f"{folder.name}.seeds.txt")
        self._figures = folder / "bootstrap.json"
        self.cache = folder / "answers.db"

    def check(self) -> None:
        """Raise ArgumentError where a file would be lost that somebody has edited."""
        written: dict[str, str] = {}
        with suppress(OSError, ValueError, AttributeError):
            written = json.loads(self._figures.read_text("utf-8")).get("written", {})
        for path in (self._definition, self._seeds):
            if path.exists() and written.get(path.name) != digest_file(path):
                raise ArgumentError(
                    f"--out={self._folder}: {path} exists and is not, or no longer, as a"
                    " bootstrap wrote it; give another --out, or --overwrite"
                )

    def write(self, result: BootstrapResult, subject: str) -> None:
        """Write all files; those of an incomplete result have names of their own."""
        definition, folder = result.definition, self._folder
        partial = folder / "partial.tsv", folder / "partial.seeds.txt"
        whole = self._definition, self._seeds
        terms_path, seeds_path = partial if result.error else whole
        title = f"# Collected for the subject “{subject}” by scrapy bootstrap."
        state = [f"# Not whole: {result.error}"] if result.error else []
        review = "# Review it: remove what is not of the subject, mend the weights."
        rows = [TERM_COLUMNS, *(term.cells for term in definition.terms)]
        write_lines(terms_path, [title, review, *state, *map("\t".join, rows)])
        review = "# Review this list: a line that is removed is not visited."
        seeds = (f"{seed.url}  # {to_line(seed.reason)}" for seed in result.seeds)
        write_lines(seeds_path, [title, review, *state, *seeds])
        pairs = _write_pairs(folder, definition)
        write_definition(folder / "terms.tbx", definition, subject)
        dropped = (
            f"{loss.reason}\t{to_bcp47(loss.lang) if loss.lang else ''}\t{to_line(loss.text)}"
            for loss in sorted(set(result.log.dropped))
        )
        write_lines(folder / "left-out.tsv", ["reason\tlang\ttext", *dropped])
        figures: dict[str, object] = dict(result.log.counts)
        figures["bootstrap/seeds"] = len(result.seeds)
        for lang in definition.langs:
            number = len(definition.terms_in(lang))
            figures[f"bootstrap/terms_{to_bcp47(lang)}"] = number
        if result.error is None:
            figures["written"] = {path.name: digest_file(path) for path in whole}
            for path in partial:
                path.unlink(missing_ok=True)
        text = json.dumps(figures, ensure_ascii=False, indent=2, sort_keys=True)
        write_lines(self._figures, [text])
        others = (folder / "terms.tbx", folder / "left-out.tsv", self._figures)
        result.paths = [terms_path, seeds_path, *pairs, *others]


def _write_pairs(folder: Path, definition: Definition) -> list[Path]:
    """Write pairs of terms, a file for each two languages, as ``scrapy lexicon`` reads it."""
    paths = []
    for source, target in combinations(definition.langs, 2):
        pairs = list(definition.iter_pairs(source, target))
        if pairs:
            paths.append(folder / f"{to_bcp47(source)}-{to_bcp47(target)}.tsv")
            lines = (f"{to_line(first)}\t{to_line(second)}" for first, second in pairs)
            write_lines(paths[-1], ["source\ttarget", *lines])
    return paths


def digest_file(path: Path) -> str:
    """Return the digest by which an edited file is recognized."""
    return blake2b(path.read_bytes(), digest_size=16).hexdigest()
