"""Samples and verdicts of a corpus, in ``judging.db`` beside its index."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from importlib.resources import files

from ilspfc.database import Database
from ilspfc.exceptions import CorpusError


@dataclass(frozen=True, slots=True)
class Item:
    """Item of a sample.

    ``group`` is the language or the languages, joined by a hyphen, by which verdicts are
    counted; ``said`` is what the corpus says of it, for questions that compare with that;
    ``score`` the score that a threshold would judge it by; ``texts`` are shown to the judge.
    """

    what: str
    name: str
    group: str
    said: str = ""
    score: float | None = None
    texts: Mapping[str, str] = field(default_factory=dict)


class JudgingStore(Database):
    """Samples and the verdicts on their items; every method that writes commits."""

    kind = "file of verdicts"
    remedy = "put a copy in its place, or delete it: its verdicts are lost then"
    error_type = CorpusError
    schema = files("ilspfc.judging").joinpath("judging.sql").read_text("utf-8")

    def set_items(self, what: str, items: Iterable[Item]) -> None:
        """Record a new sample in place of an earlier one; verdicts on the same items stay."""
        rows = [
            (what, item.name, number, json.dumps(asdict(item), ensure_ascii=False))
            for number, item in enumerate(items, 1)
        ]
        self.set_rows("items", rows, "what = ?", what)

    def items(self, what: str) -> Iterator[Item]:
        """Yield the items of a sample, in the order of the draw."""
        sql = "SELECT record FROM items WHERE what = ? ORDER BY number"
        for (record,) in self.rows(sql, (what,)):
            yield Item(**json.loads(record))

    def add_verdicts(
        self, what: str, judge: str, verdicts: Iterable[tuple[str, str, str]]
    ) -> None:
        """Record verdicts of a judge: item, question, verdict; an empty one takes back."""
        rows = list(verdicts)
        with self.transaction():
            self.change(
                "DELETE FROM verdicts WHERE what = ? AND item = ? AND question = ?"
                " AND judge = ?",
                [(what, item, question, judge) for item, question, _ in rows],
            )
            self.change(
                "INSERT INTO verdicts VALUES (?, ?, ?, ?, ?)",
                [
                    (what, i, question, judge, text)
                    for i, question, text in rows
                    if text
                ],
            )

    def verdicts(self, what: str, question: str) -> dict[str, dict[str, str]]:
        """Return the verdicts on the items of the sample, by judge and item."""
        found: dict[str, dict[str, str]] = defaultdict(dict)
        for judge, item, verdict in self.rows(
            "SELECT judge, item, verdict FROM verdicts JOIN items USING (what, item)"
            " WHERE what = ? AND question = ? ORDER BY judge, items.number",
            (what, question),
        ):
            found[judge][item] = verdict
        return dict(found)

    def verdicts_on(self, what: str, item: str, question: str) -> dict[str, str]:
        """Return the verdicts on an item by judge, whether it is in the sample or not."""
        sql = (
            "SELECT judge, verdict FROM verdicts"
            " WHERE what = ? AND item = ? AND question = ? ORDER BY judge"
        )
        return dict(self.rows(sql, (what, item, question)))
