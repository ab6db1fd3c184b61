"""``scrapy bootstrap SUBJECT``: terms, seeds and multilingual sites for a new subject."""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from ilspfc.command import ProjectCommand, warn
from ilspfc.exceptions import ArgumentError
from ilspfc.interrupts import INTERRUPTED

if TYPE_CHECKING:
    from ilspfc.bootstrap.domain_draft import BootstrapOptions
    from ilspfc.bootstrap.output_files import BootstrapResult


class Command(ProjectCommand):
    """Collects terms and seeds of a subject for review, or surveys sites."""

    arguments = "SUBJECT | sites SEEDS"

    options = (
        ("--langs", "CODES", "languages wanted: de,it,en"),
        ("--depth", "N", "steps of subcategories (default: 2)", 2),
        (
            "--max-pages",
            "N",
            "articles or concepts read, the nearest first (default: 5000)",
            5000,
        ),
        (
            "--max-seeds",
            "N",
            "URLs proposed as seeds; 0: no limit (default: 1000)",
            1000,
        ),
        ("--contact", "ADDRESS", "your e-mail or web address"),
        ("--out", "DIR", "default: domains/SUBJECT"),
        ("--api", "URL", "api.php of a wiki; default: Wikipedia in the first language"),
        ("--skos", "FILE", "thesaurus in SKOS, as RDF/XML or Turtle"),
        ("--skosmos", "URL", "vocabulary on a Skosmos server: https://…/rest/v1/yso"),
        ("--tbx", "FILE", "terminology in TBX"),
        ("--terms", "FILE", "list of terms, as CSV or TSV"),
        ("--texts", "DIR", "texts on the subject: DIR/de/*.txt, DIR/it/*.txt …"),
        ("--background", "DIR", "texts on other subjects, for --texts"),
        ("--searxng", "URL", "search the web for seeds with a SearXNG instance"),
        ("--cc-index", "URL", "look seeds up in an index of Common Crawl"),
        ("--urls", "FILE", "seeds of your own"),
        ("--names", "", "keep titles that look like names", {"dest": "keeps_names"}),
        ("--overwrite", "", "replace files that were edited", {"dest": "overwrites"}),
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Collect and write; exit with 1 for an incomplete result."""
        from ilspfc.crawl.arguments import parse_langs
        from ilspfc.setting_table import check_contact, check_settings

        is_survey = len(args) == 2 and args[0] == "sites"
        if not is_survey and (len(args) != 1 or not args[0].strip()):
            raise UsageError('give a subject, as in bootstrap "Flowers", or sites FILE')
        langs = parse_langs("--langs", opts.langs)
        check_settings(self.settings)
        check_contact("--contact", opts.contact.strip())
        if is_survey:
            self._survey(args[1], langs, opts)
        else:
            self._collect(args[0].strip(), langs, opts)

    def _collect(
        self, subject: str, langs: tuple[str, ...], opts: argparse.Namespace
    ) -> None:
        """Collect terms and seeds of a subject."""
        from ilspfc.bootstrap.concepts import BootstrapLog
        from ilspfc.bootstrap.domain_draft import run_bootstrap

        options = make_options(subject, langs, opts)
        log = BootstrapLog(lambda text: print(text, file=sys.stderr))
        try:
            result = run_bootstrap(options, self.settings, log)
        except KeyboardInterrupt:
            warn(
                "interrupted; run the same command again to go on: what was answered is"
                " kept"
            )
            self.exitcode = INTERRUPTED
            return
        print("\n".join(_summarize(result)))
        if result.error is not None:
            warn(result.error)
            self.exitcode = 1

    def _survey(
        self, seeds: str, langs: tuple[str, ...], opts: argparse.Namespace
    ) -> None:
        """Visit sites and report which have the languages."""
        from ilspfc.bootstrap.sites import default_folder, survey_sites, tell

        if opts.contact:
            self.settings.set("FETCH_CONTACT", opts.contact, priority="cmdline")
        if not self.settings.get("FETCH_CONTACT"):
            raise ArgumentError(
                "no contact: sites want to know whom to ask; give --contact"
                " you@example.org, or set FETCH_CONTACT"
            )
        folder = Path(opts.out) if opts.out else default_folder(seeds)
        sites, paths = survey_sites(
            seeds, langs, folder, self.settings, overwrites=opts.overwrites
        )
        tell(sites)
        reasons = Counter(site.reason for site in sites if site.reason)
        kept = len(sites) - reasons.total()
        print(f"{kept} of {len(sites)} sites have the languages")
        if reasons:
            losses = (f"{number} {reason}" for reason, number in reasons.most_common())
            print(f"left out: {', '.join(losses)}")
        print("written, for review:", *(f"  {path}" for path in paths), sep="\n")


def make_options(
    subject: str, langs: tuple[str, ...], opts: argparse.Namespace
) -> BootstrapOptions:
    """Return the checked options; ArgumentError names a mistake."""
    from ilspfc.bootstrap.domain_draft import BootstrapOptions

    numbers = {"depth": "steps", "max_pages": "pages", "max_seeds": "seeds"}
    for option, unit in numbers.items():
        if (number := getattr(opts, option)) < 0:
            name = option.replace("_", "-")
            raise ArgumentError(f"--{name}={number}: give 0 or more {unit}")
    name = re.sub(r"[^\w]+", "-", subject.casefold()).strip("-")
    if not name:
        raise ArgumentError(f"{subject}: no subject; give its name, as in “Flowers”")
    names = {one.name for one in fields(BootstrapOptions)}
    given = {key: value for key, value in vars(opts).items() if key in names}
    given |= {"langs": langs, "out": Path(opts.out or Path("domains") / name)}
    return BootstrapOptions(subject, **given)


def _summarize(result: BootstrapResult) -> Iterator[str]:
    """Yield the lines of the summary."""
    from ilspfc.report.numbers import count_noun
    from ilspfc.text.codes import language_name, to_bcp47

    counts, definition = result.log.counts, result.definition
    if pages := counts["bootstrap/pages"]:
        yield (
            f"{pages} articles in {counts['bootstrap/categories']} categories,"
            f" {counts['bootstrap/requests']} requests"
        )
    for lang in definition.langs:
        terms = count_noun(len(definition.terms_in(lang)), "term")
        yield f"  {language_name(lang)} ({to_bcp47(lang)})  {terms}"
    yield f"  {count_noun(len(result.seeds), 'seed')}"
    if losses := result.log.describe_losses():
        yield f"left out: {', '.join(losses)}"
    yield "written, for review:"
    yield from (f"  {path}" for path in result.paths)
