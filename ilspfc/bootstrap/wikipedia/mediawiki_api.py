"""One wiki, asked through MediaWiki's action API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ilspfc.exceptions import BootstrapError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ilspfc.bootstrap.api.asking import Asker

# "Requests should be made with maxlag=5" (Manual:Maxlag parameter).
MAXLAG_SECONDS = 5
# Titles that one request may name (API:Query), and where it stands for titles given.
MAX_TITLES = 50
# Errors that pass: the database lags, or this client asks too much.
_PASSING_ERRORS = frozenset({"maxlag", "ratelimited", "readonly"})
_ALWAYS = {"action": "query", "format": "json", "formatversion": "2"}

Page = dict[str, Any]


class MediaWikiApi:
    """A wiki by the URL of its ``api.php``."""

    def __init__(self, asker: Asker, url: str) -> None:
        self.url = url
        self._asker = asker

    def iter_batches(self, **params: str) -> Iterator[dict[str, Any]]:
        """Yield what ``action=query`` answers, and what it goes on with, to the end."""
        going_on: Mapping[str, str] = {}
        while True:
            data = self._asker.json(
                self.url,
                {**_ALWAYS, **params, **going_on},
                busy=_read_busy,
                passing={"maxlag": str(MAXLAG_SECONDS)},
            )
            if not isinstance(data, dict):
                raise BootstrapError(
                    f"{self.url}: the answer is no MediaWiki's; give the address of an"
                    " api.php"
                )
            if error := data.get("error"):
                raise BootstrapError(
                    f"{self.url}: {error.get('code')}: {error.get('info')}"
                )
            yield data.get("query") or {}
            if not data.get("continue"):
                return
            going_on = {name: str(value) for name, value in data["continue"].items()}

    def query(self, **params: str) -> dict[str, Any]:
        """Return the first part of what a query answers."""
        return next(self.iter_batches(**params))

    def pages(self, titles: Sequence[str], **params: str) -> dict[str, Page]:
        """Return pages by the title asked for, with all parts of their lists.

        Titles that do not exist are left out; ``params`` says what is wanted of each.
        """
        found: dict[str, Page] = {}
        for start in range(0, len(titles), MAX_TITLES):
            names = titles[start : start + MAX_TITLES]
            found |= self._batch(names, params)
        return found

    def _batch(
        self, titles: Iterable[str], params: Mapping[str, str]
    ) -> dict[str, Page]:
        pages: dict[str, Page] = {}
        asked: dict[str, str] = {}
        for part in self.iter_batches(titles="|".join(titles), **params):
            for change in (*part.get("normalized", ()), *part.get("redirects", ())):
                asked[change["to"]] = asked.get(change["from"], change["from"])
            for page in part.get("pages", ()):
                if not page.get("missing") and not page.get("invalid"):
                    _merge(pages.setdefault(page["title"], {}), page)
        return {asked.get(title, title): page for title, page in pages.items()}


def _merge(page: Page, part: Page) -> None:
    """Add what a further part of an answer says of a page."""
    for name, value in part.items():
        if isinstance(value, list):
            page.setdefault(name, []).extend(value)
        else:
            page[name] = value


def _read_busy(data: Any) -> float | None:
    """Return the seconds to wait for a server that says that it is busy."""
    error = data.get("error") if isinstance(data, dict) else None
    if error and error.get("code") in _PASSING_ERRORS:
        return max(float(error.get("lag") or 0), MAXLAG_SECONDS)
    return None
