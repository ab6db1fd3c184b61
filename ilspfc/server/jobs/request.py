"""Request for a crawl, as a form or a script sends it, checked field by field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Self

from ilspfc.classification.definition import check_domain, parse_domain
from ilspfc.crawl.arguments import (
    NO_DOMAIN,
    choose_spider,
    domain_library,
    parse_langs,
    parse_seeds,
    read_domain,
)
from ilspfc.exceptions import ArgumentError, IlspfcError, name_known

_NAME = "terms"
_MAX_CHARS = {"langs": 200, "seeds": 100_000, "domain": 100}


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of jobs: of one job, of a user, of all."""

    pages: int = 500
    minutes: int = 30
    seeds: int = 50
    jobs_of_user: int = 2
    jobs: int = 20
    kept_days: int = 7


@dataclass(frozen=True, slots=True)
class JobRequest:
    """Crawl that a user asks for.

    ``langs`` are codes separated by commas, one for a monolingual crawl; ``seeds`` are URLs,
    a line or several; ``terms`` the text of a domain definition, else ``domain`` a name in
    the library or ``none``; ``pages`` and ``minutes`` at which the crawl ends.
    """

    langs: str = ""
    seeds: str = ""
    terms: str = ""
    domain: str = NO_DOMAIN
    pages: int = 100
    minutes: int = 10

    @classmethod
    def read(cls, values: Mapping[str, object]) -> Self:
        """Return the request in a form or a JSON object; ArgumentError for a wrong value."""
        known = {field.name: field for field in fields(cls)}
        if unknown := values.keys() - known.keys():
            raise ArgumentError(
                f"{min(unknown)}: no such field; {name_known(min(unknown), known)}"
            )
        read: dict[str, object] = {}
        for name, value in values.items():
            if not isinstance(value, str | int):
                raise ArgumentError(f"{name}: neither text nor a number")
            read[name] = text = str(value).strip()
            if len(text) > (limit := _MAX_CHARS.get(name, len(text))):
                raise ArgumentError(
                    f"{name}: {len(text):,} characters; give {limit:,} at most"
                )
            if known[name].type == "int":
                read[name] = _read_number(name, str(value))
        return cls(**read)  # type: ignore[arg-type]

    @property
    def spider(self) -> tuple[str, str]:
        """The spider, and the name of its argument for the languages."""
        return choose_spider([code for code in self.langs.split(",") if code.strip()])

    @property
    def urls(self) -> list[str]:
        """The seeds, each once."""
        return list(dict.fromkeys(self.seeds.replace(",", " ").split()))

    def find_errors(self, limits: Limits) -> dict[str, str]:
        """Return the error of each field that has one, in plain words."""
        checks: dict[str, Callable[[], object]] = {
            "langs": lambda: parse_langs(self.spider[1], self.langs),
            "seeds": lambda: self._check_seeds(limits.seeds),
            "terms": self._check_terms,
            "domain": self._check_domain,
            "pages": lambda: _check_number("pages", self.pages, limits.pages),
            "minutes": lambda: _check_number("minutes", self.minutes, limits.minutes),
        }
        errors = {}
        for name, check in checks.items():
            try:
                check()
            except IlspfcError as error:
                errors[name] = str(error)
        return errors

    def _check_seeds(self, limit: int) -> None:
        if not self.urls:
            raise ArgumentError("seeds: none; give addresses, one a line")
        if len(self.urls) > limit:
            raise ArgumentError(f"seeds: {len(self.urls)}; give {limit} at most")
        for url in self.urls:
            # Without a scheme it would name a file of the server.
            if "://" not in url:
                raise ArgumentError(
                    f"{url}: no address; write it as https://www.example.org/"
                )
            parse_seeds(url)

    def _check_terms(self) -> None:
        if self.terms:
            domain, problems = parse_domain(self.terms, _NAME)
            check_domain(domain, problems, _NAME)

    def _check_domain(self) -> None:
        if self.terms or self.domain == NO_DOMAIN:
            return
        names = domain_library().names()
        if self.domain not in names:
            raise ArgumentError(
                f"{self.domain}: no such domain; {name_known(self.domain, [*names, 'none'])}"
            )
        read_domain(self.domain, parse_langs(self.spider[1], self.langs))


def _read_number(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ArgumentError(f"{name}: {text!r} is no whole number") from None


def _check_number(name: str, value: int, limit: int) -> None:
    if not 1 <= value <= limit:
        raise ArgumentError(f"{name}: {value}; give a number from 1 to {limit}")
