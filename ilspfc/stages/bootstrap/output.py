"""The files of a bootstrap: where they are, and that none is lost that was edited."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from ilspfc.bootstrap import output_files as files
from ilspfc.bootstrap.terms.tbx import write_tbx
from ilspfc.exceptions import ArgumentError
from ilspfc.text.codes import to_bcp47

if TYPE_CHECKING:
    from pathlib import Path

    from ilspfc.bootstrap.concepts import Ledger, Seed
    from ilspfc.bootstrap.terms.definition_terms import Definition
    from ilspfc.exceptions import BootstrapError

_WRITTEN = "written"


class OutputFiles:
    """Where a bootstrap writes: ``domains/flowers`` is the stem of its files."""

    def __init__(self, stem: Path) -> None:
        self.stem = stem
        self.folder = stem
        self.definition = stem.with_name(f"{stem.name}.tsv")
        self.seeds = stem.with_name(f"{stem.name}.seeds.txt")
        self.figures = stem / "bootstrap.json"
        self.cache = stem / "answers.db"
        self.tbx = stem / "terms.tbx"
        self.dropped = stem / "left-out.tsv"

    def check(self, *, overwrites: bool) -> None:
        """Raise ArgumentError where a file would be lost that somebody has edited."""
        written: dict[str, str] = {}
        with suppress(OSError, ValueError, AttributeError):
            written = json.loads(self.figures.read_text("utf-8")).get(_WRITTEN, {})
        for path in (self.definition, self.seeds):
            if (
                not overwrites
                and path.exists()
                and written.get(path.name) != _digest(path)
            ):
                raise ArgumentError(
                    f"--out={self.stem}: {path} exists and is not, or no longer, as a"
                    " bootstrap wrote it; give another --out, or --overwrite"
                )

    def digests(self) -> dict[str, str]:
        """Return digests of the files that a user may edit."""
        return {path.name: _digest(path) for path in (self.definition, self.seeds)}


def _digest(path: Path) -> str:
    return blake2b(path.read_bytes(), digest_size=16).hexdigest()


@dataclass(slots=True)
class BootstrapResult:
    """What came of a bootstrap; ``error`` is why it is not whole."""

    definition: Definition
    seeds: list[Seed]
    ledger: Ledger
    error: BootstrapError | None = None
    paths: list[Path] = field(default_factory=list)


def write_result(result: BootstrapResult, out: OutputFiles, subject: str) -> None:
    """Write all files; those of a result that is not whole have names of their own."""
    definition = result.definition
    head = _describe(result, subject)
    seeds_head = [*head[:1], "Review this list: a line that is removed is not visited."]
    partial = out.folder / "partial.tsv", out.folder / "partial.seeds.txt"
    target = partial if result.error else (out.definition, out.seeds)
    files.write_definition(target[0], definition, to_bcp47, head)
    files.write_seeds(target[1], result.seeds, [*seeds_head, *head[2:]])
    result.paths = [*target]
    if result.error is None:
        for path in partial:
            path.unlink(missing_ok=True)
    result.paths += files.write_pairs(out.folder, definition, to_bcp47)
    tags = [to_bcp47(lang) for lang in definition.langs]
    entries = (
        replace(
            entry,
            names={to_bcp47(k): v for k, v in entry.names.items()},
            variants={to_bcp47(k): v for k, v in entry.variants.items()},
        )
        for entry in definition.entries
    )
    write_tbx(out.tbx, entries, tags, subject)
    files.write_dropped(out.dropped, result.ledger, to_bcp47)
    result.paths += [out.tbx, out.dropped, out.figures]
    figures: dict[str, object] = dict(result.ledger.counts)
    figures["bootstrap/seeds"] = len(result.seeds)
    for lang in definition.langs:
        figures[f"bootstrap/terms_{to_bcp47(lang)}"] = definition.count_terms(lang)
    if result.error is None:
        figures[_WRITTEN] = out.digests()
    files.write_figures(out.figures, figures)


def _describe(result: BootstrapResult, subject: str) -> list[str]:
    head = [f"Collected for the subject “{subject}” by scrapy bootstrap."]
    head.append("Review it: remove what is not of the subject, mend the weights.")
    if result.error:
        head.append(f"Not whole: {result.error}")
    return head
