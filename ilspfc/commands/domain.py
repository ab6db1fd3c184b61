"""``scrapy domain check FILE``: what a domain definition holds and what is wrong with it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from ilspfc.classification.domain import Domain, Problem, parse_domain
from ilspfc.command import ProjectCommand
from ilspfc.exceptions import DomainError
from ilspfc.language.codes import to_iso639_3
from ilspfc.language.names import language_name

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator


class Command(ProjectCommand):
    """Checks domain definitions; more subcommands may follow."""

    def syntax(self) -> str:
        """Return the arguments that the command takes."""
        return "[options] check FILE_OR_NAME"

    def short_desc(self) -> str:
        """Return what the command does."""
        return "Check a domain definition: what it holds, what is wrong, by line"

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print what the definition holds; exit with 2 if anything is wrong."""
        if len(args) != 2 or args[0] != "check":
            raise UsageError("give: check FILE, or check NAME of a domain in domains/")
        from ilspfc.spiders.arguments import domain_library

        name = args[1]
        path = Path(name)
        source = path if path.exists() else domain_library().definition(name)
        try:
            text = source.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise DomainError(
                f"{name}: cannot be read ({error}); give a UTF-8 text file"
            ) from error
        domain, problems = parse_domain(text, path.stem, to_iso639_3)
        for line in _describe(domain, problems):
            print(line)
        if problems or not domain.terms:
            self.exitcode = 2


def _describe(domain: Domain, problems: list[Problem]) -> Iterator[str]:
    """Yield the lines that say what a definition holds and what is wrong with it."""
    from ilspfc.domain_terms import make_matchers

    negative = sum(term.weight < 0 for term in domain.terms)
    yield (
        f"{domain.name}: {len(domain.terms)} terms, {negative} of them with a negative"
        f" weight; median positive weight {domain.median_weight():g}"
    )
    for lang, matcher in make_matchers(domain, domain.langs).items():
        own = [term for term in domain.terms if term.lang == lang]
        yield (
            f"  {language_name(lang)}: {len(own)} terms, {len(matcher.terms)} after"
            " stemming"
        )
    if unmarked := sum(not term.lang for term in domain.terms):
        yield f"  any language: {unmarked} terms"
    names = Counter(name for term in domain.terms for name in term.subdomains)
    for name, number in sorted(names.items(), key=lambda item: (-item[1], item[0])):
        yield f"  subdomain {name}: {number} terms"
    if not domain.terms:
        yield "no terms: add lines as domains/README.md says"
    yield from map(str, problems)
    noun = "problem" if len(problems) == 1 else "problems"
    yield f"{len(problems) or 'no'} {noun}"
