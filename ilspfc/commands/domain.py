"""``scrapy domain check | expand``: contents, errors and gaps of a domain definition."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from ilspfc.command import ProjectCommand, warn
from ilspfc.exceptions import DomainError

if TYPE_CHECKING:
    from ilspfc.classification.definition import Domain, Problem
    from ilspfc.corpus.corpus import Corpus

# Terms of a language that are proposed.
_MAX_PROPOSALS = 300


class Command(ProjectCommand):
    """Checks domain definitions, and proposes terms for them."""

    arguments = "check FILE_OR_NAME | expand CORPUS_DIR"
    options = (
        ("--corpus", "DIR", "check: show the use of the terms in a corpus"),
        (
            "--background",
            "DIR",
            "expand: other texts, or a corpus (default: off-topic pages of the crawl)",
        ),
        ("--domain", "FILE", "expand: definition (default: that of the crawl)"),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Check a definition or propose terms; exit with 2 if a definition has problems."""
        if len(args) == 2 and args[0] == "check":
            self._check(args[1], opts.corpus)
        elif len(args) == 2 and args[0] == "expand":
            self._expand(args[1], opts.domain, opts.background)
        else:
            raise UsageError(
                "give: check FILE, check NAME of a domain in domains/, or expand CORPUS_DIR"
            )

    def _check(self, name: str, corpus: str) -> None:
        from ilspfc.bootstrap.domain_corpus import (
            describe_near_duplicates,
            describe_use,
        )

        domain, problems = _read(name)
        print(*_describe(domain, problems), sep="\n")
        if corpus:
            print(*describe_near_duplicates(domain), sep="\n")
            with self.open_corpus(corpus) as opened:
                print(*describe_use(domain, opened), sep="\n")
        if problems or not domain.terms:
            self.exitcode = 2

    def _expand(self, root: str, name: str, background: str) -> None:
        from ilspfc.bootstrap.domain_corpus import propose_terms
        from ilspfc.text.codes import to_bcp47

        with self.open_corpus(root) as corpus:
            domain = _read_wanted(name) if name else _read_own(corpus)
            proposals = list(propose_terms(corpus, domain, background, _MAX_PROPOSALS))
        print("weight\tterm\tsubdomain\tlang\tkeyness\toccurrences\tdocuments")
        for weight, term, lang in proposals:
            print(
                f"{max(round(weight), 1)}\t{term.text}\tproposed\t{to_bcp47(lang)}"
                f"\t{term.keyness:.1f}\t{term.frequency}\t{term.documents}"
            )
        if not proposals:
            warn(
                f"{root}: no further term is far more frequent there than in the background;"
                " give a larger corpus, or other texts with --background"
            )


def _read_own(corpus: Corpus) -> Domain | None:
    """Return the definition that a corpus was crawled for, None if it had none."""
    name = corpus.run.get("domain") or "none"
    try:
        return _read_wanted(name)
    except DomainError as error:
        raise DomainError(
            f"{corpus.files.root}: was crawled for {name}, which is not in domains/; give"
            " the file of its definition with --domain"
        ) from error


def _read_wanted(name: str) -> Domain | None:
    return None if name == "none" else _read(name)[0]


def _read(name: str) -> tuple[Domain, list[Problem]]:
    """Return a definition and its problems; DomainError where there is none."""
    from ilspfc.classification.definition import parse_domain
    from ilspfc.crawl.arguments import domain_library
    from ilspfc.text.text_files import read_text

    path = Path(name)
    source = path if path.is_file() else domain_library().definition(name)
    text = read_text(source, name, "a UTF-8 text file", DomainError)
    return parse_domain(text, path.stem)


def _describe(domain: Domain, problems: list[Problem]) -> Iterator[str]:
    """Yield lines with the contents of a definition and its problems."""
    from ilspfc.crawl.domain_terms import make_matchers
    from ilspfc.report.numbers import count_noun
    from ilspfc.text.codes import language_name

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
    if problems:
        yield count_noun(len(problems), "problem")
    elif domain.terms:
        yield "no problems"
