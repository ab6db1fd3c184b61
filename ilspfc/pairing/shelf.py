"""Sites on disk between the rounds of pairing: one of them is in memory at a time."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self

    from ilspfc.pairing.combined import Site
    from ilspfc.pairing.comparison import TokenTable


class Shelf:
    """Sites in a temporary file, in the order in which they were put there.

    The table of tokens that they share stays in memory: it is that of the first one.
    """

    def __init__(self) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - closed by close()
        self._number = 0
        self._table: TokenTable | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Site]:
        """Yield the sites, each made anew; none may be put there meanwhile."""
        if self._table is None:
            return
        self._file.seek(0)
        for _ in range(self._number):
            site: Site = pickle.load(self._file)  # noqa: S301 - written by put()
            site.comparison.table = self._table
            yield site

    def put(self, site: Site) -> None:
        """Keep a site after those that are there."""
        self._table = self._table or site.comparison.table
        del site.comparison.table
        pickle.dump(site, self._file, pickle.HIGHEST_PROTOCOL)
        site.comparison.table = self._table
        self._number += 1

    def close(self) -> None:
        """Remove the file."""
        self._file.close()
