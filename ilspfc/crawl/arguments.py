"""The arguments of a crawl, checked before anything is fetched or written."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from glob import glob
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import chain
from pathlib import Path

from scrapy.settings import BaseSettings
from scrapy.utils.conf import closest_scrapy_cfg

from ilspfc.classification.definition import (
    Domain,
    DomainLibrary,
    check_domain,
    parse_domain,
)
from ilspfc.corpus.warc.reader import find_problem
from ilspfc.crawl.archives.columnar_index import find_tables
from ilspfc.crawl.archives.folder_archive import find_folder
from ilspfc.exceptions import ArgumentError, DomainError, SettingError, name_known
from ilspfc.frontier.scope import Scope
from ilspfc.text.codes import find_code, language_name, to_iso639_3
from ilspfc.text.text_files import read_text
from ilspfc.web.address import AddressError, resolve
from ilspfc.web.urls import site_of

DEFAULT_DOMAIN = "health-safety"
NO_DOMAIN = "none"
ARGUMENTS = {
    "langs": ("languages of a bilingual crawl, two or more", "langs=de,it"),
    "lang": ("language of a monolingual crawl", "lang=it"),
    "domain": ("subject: a file, a name in domains/, or none", "domain=bees.tsv"),
    "domain_texts": ("texts of the subject, or a model", "domain_texts=bees.txt"),
    "seeds": ("URLs to begin with, or a file with one a line", "seeds=seeds.txt"),
    "scope": ("reach of the crawl around the seeds", "scope=host"),
    "allow": ("patterns of paths to be visited", "allow=/docs/*"),
    "deny": ("patterns of paths to be left out", "deny=*/print/*"),
    "warc": ("WARC files that are read instead of the web", "warc=old/*.warc.gz"),
    "store": ("patterns of pages to be kept; others give links", "store=/docs/*"),
    "folder": ("folder of files that are read instead of the web", "folder=pages"),
    "cc": ("crawls of Common Crawl, or rows of its index", "cc=CC-MAIN-2026-30"),
    "comparable": ("1: list documents on the same subject, too", "comparable=1"),
    "delta": ("1: documents of earlier runs are not visited again", "delta=1"),
    "deltafetch_reset": (
        "1: with delta, visit documents of earlier runs again",
        "deltafetch_reset=1",
    ),
}
"""Arguments of the spiders, each with its meaning and an example."""
_MIN_LANGUAGES = {"lang": 1, "langs": 2, "--langs": 1}
# A site without its scheme: "www.example.org/de", not "seeds.txt".
_HOST_RE = re.compile(r"(?!.*\.(?:txt|tsv|list|csv)$)[\w-]+(?:\.[\w-]+)+(?:[/:].*)?$")
# Does not match the fragment of a URL, which has no blank before it.
_COMMENT_RE = re.compile(r"(?:^|\s)#.*")

# A larger file is no file of seeds: a device, a dump.
_MAX_SEED_BYTES = 1 << 28

# URLs on one line: the crawl treats their sites as one.
SeedGroup = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CrawlArguments:
    """The arguments of a crawl.

    ``langs`` are ISO 639-3 codes in the order given; ``domain`` is None for a crawl that
    keeps every page in a wanted language; ``domain_texts`` are the texts that define it, or
    the model made of them, by language; ``job`` is the job id of scrapyd, empty without it.
    ``warc`` are the files that are crawled instead of the web; without ``seeds``, each
    page in them is a seed, and so is each file of ``folder``, which is crawled likewise.
    ``cc`` are crawls of Common Crawl whose pages of the seeds' sites are crawled instead, or
    files of its columnar index, ``cc_tables``; without seeds, each page in them is a seed.
    ``domain_file`` is the definition, where it was given by its path; ``groups`` are the
    seeds in groups, one for each site; ``allow`` and ``deny`` are patterns of the links to
    follow, ``store`` of the pages to keep. A ``delta`` crawl does not visit exported pages
    again; with ``deltafetch_reset`` it visits all of them, as if nothing had been exported.
    ``comparable`` adds the stage that lists comparable documents.
    """

    langs: tuple[str, ...]
    domain: Domain | None
    seeds: tuple[str, ...]
    scope: Scope
    job: str = ""
    domain_texts: Mapping[str, Path] = field(default_factory=dict)
    warc: tuple[Path, ...] = ()
    folder: Path | None = None
    cc: tuple[str, ...] = ()
    cc_tables: tuple[Path, ...] = ()
    delta: bool = False
    domain_file: str = ""
    deltafetch_reset: bool = False
    groups: tuple[SeedGroup, ...] = ()
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    store: tuple[str, ...] = ()
    comparable: bool = False

    @property
    def is_offline(self) -> bool:
        """True for a crawl over an archive or a folder, which contacts no site."""
        return bool(self.warc or self.cc) or self.folder is not None

    def describe(self) -> dict[str, object]:
        """Return the arguments as the index keeps them with a run."""
        plain = "langs seeds scope allow deny store cc domain_file".split()
        return {
            **{name: getattr(self, name) for name in plain},
            **{name: "1" if getattr(self, name) else "" for name in _SWITCHES},
            "domain": self.domain.name if self.domain else "",
            "topic": asdict(self.domain.info) if self.domain else {},
            "domain_unit": self.domain.median_weight() if self.domain else 0.0,
            "groups": [[site_of(url) for url in urls] for urls in self.groups],
            "domain_texts": [f"{n}={path}" for n, path in self.domain_texts.items()],
            "warc": [str(path) for path in self.warc],
            "folder": str(self.folder.absolute()) if self.folder else "",
        }


def choose_spider(langs: Collection[str]) -> tuple[str, str]:
    """Return the spider for some languages, and the name of its argument for them."""
    return ("bilingual", "langs") if len(langs) > 1 else ("monolingual", "lang")


def project_domains() -> Path:
    """Return the folder of the domains of the project or working folder."""
    configuration = closest_scrapy_cfg()
    return (Path(configuration).parent if configuration else Path()) / "domains"


def domain_library() -> DomainLibrary:
    """Return the domains of the project or working folder, then those of the package."""
    package = resources.files("ilspfc")
    folders: list[Traversable] = [project_domains(), package.joinpath("domains")]
    if isinstance(package, Path):  # run from the source tree, not installed
        folders.append(package.parent / "domains")
    return DomainLibrary(folders)


def parse_langs(name: str, value: str) -> tuple[str, ...]:
    """Return the languages (ISO 639-3) of an argument; ArgumentError for an unknown one."""
    langs: dict[str, str] = {}
    for code in filter(None, (part.strip() for part in value.split(","))):
        try:
            lang = to_iso639_3(code)
        except ValueError as error:
            remedy = "give ISO 639-1 or 639-3 codes, such as de,it"
            if meant := find_code(code):
                remedy = f"{language_name(to_iso639_3(meant))} is {meant}"
            raise ArgumentError(f"{name}={value}: {error}; {remedy}") from error
        if lang in langs:
            raise ArgumentError(
                f"{name}={value}: {langs[lang]!r} and {code!r} are the same language;"
                " give each language once"
            )
        langs[lang] = code
    if len(langs) < _MIN_LANGUAGES[name]:
        needed = "two languages or more" if name == "langs" else "a language"
        examples = {"lang": "-a lang=it", "langs": "-a langs=de,it"}
        example = examples.get(name, f"{name} de,it")
        raise ArgumentError(f"{name}={value}: {needed} needed; give {example}")
    if name == "lang" and len(langs) > 1:
        raise ArgumentError(
            f"lang={value}: the monolingual spider takes one language; use the bilingual"
            f" spider with -a langs={value}"
        )
    return tuple(langs)


def read_domain(name: str, langs: Sequence[str]) -> Domain:
    """Return the domain of a file, or of a name in a library; DomainError if unusable."""
    path = Path(name)
    is_path = _is_path(name)
    source: Traversable = path if is_path else domain_library().definition(name)
    text = read_text(source, f"domain={name}", "a UTF-8 file", DomainError)
    title = path.stem if is_path else name
    domain, problems = parse_domain(text, title)
    domain = check_domain(domain, problems, str(source))
    for lang in langs:
        if not any(term.weight > 0 for term in domain.terms_in(lang)):
            raise DomainError(
                f"domain={name}: no terms in {lang}; it has terms in"
                f" {', '.join(domain.langs)}; add terms to {source} or crawl with"
                " -a domain=none"
            )
    return domain


def _is_path(domain: str) -> bool:
    """Test whether a domain is given by its file, and not by its name."""
    path = Path(domain)
    return path.suffix in {".tsv", ".txt"} or path.parent != Path()


def parse_seeds(value: str) -> tuple[SeedGroup, ...]:
    """Return the seeds of ``-a seeds=``: URLs separated by commas, or a file.

    URLs separated by blanks are a group. ArgumentError names an invalid URL.
    """
    where = f"seeds={value}"
    if "://" not in value:
        if _HOST_RE.match(value) and not Path(value).exists():
            raise ArgumentError(f"{where}: no such file; a site is https://{value}")
        return read_seeds(Path(value), where)
    parts = re.split(r",\s*(?=\w+://)", value)
    return tuple(_parse_group(part.strip(" ,"), where) for part in parts)


def read_seeds(source: Traversable, where: str) -> tuple[SeedGroup, ...]:
    """Return the seeds of a file: a URL or a group of URLs a line, ``#`` for comments.

    A comment may also follow URLs, with a blank before its sign.
    """
    try:
        with source.open("rb") as file:
            data = file.read(_MAX_SEED_BYTES + 1)
        lines = data.decode("utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        raise ArgumentError(
            f"{where}: the file cannot be read ({error}); give a UTF-8 file with one URL"
            " a line, or URLs separated by commas"
        ) from error
    if len(data) > _MAX_SEED_BYTES:
        raise ArgumentError(
            f"{where}: more than {_MAX_SEED_BYTES >> 20} MB; give a UTF-8 file with one URL a line"
        )
    groups = tuple(
        _parse_group(urls, f"{where}, line {number}")
        for number, line in enumerate(lines, 1)
        if (urls := _COMMENT_RE.sub("", line)).strip()
    )
    if not groups:
        raise ArgumentError(f"{where}: no URL in the file; write one a line")
    return groups


def _parse_group(text: str, where: str) -> SeedGroup:
    return tuple(_check_seed(url, where) for url in text.split()) or (
        _check_seed(text, where),
    )


def _check_seed(url: str, where: str) -> str:
    try:
        resolved = resolve("", url)
    except AddressError as error:
        raise ArgumentError(
            f"{where}: {error}; write it as https://www.example.org/"
        ) from error
    return url if url.isascii() else resolved


def find_warc_files(value: str) -> tuple[Path, ...]:
    """Return the files that ``-a warc=`` names, each once.

    ``value`` holds paths and patterns, separated by commas. Raises ArgumentError for a
    file that is missing or does not begin with a WARC record.
    """
    paths: dict[Path, None] = {}
    for name in filter(None, (part.strip() for part in value.split(","))):
        is_literal = Path(name).exists()
        # Path.glob knows no absolute patterns.
        found = [name] if is_literal else sorted(glob(name, recursive=True))  # noqa: PTH207
        for path in map(Path, found or [name]):
            if problem := find_problem(path):
                raise ArgumentError(
                    f"warc={value}: {path}: {problem}; give WARC files, or patterns such as"
                    " warc/*.warc.gz, separated by commas"
                )
            paths[path] = None
    return tuple(paths)


def _find_seeds(value: str, domain: str) -> tuple[SeedGroup, ...]:
    if value:
        return parse_seeds(value)
    file = domain_library().seeds(domain) if domain != NO_DOMAIN else None
    if file is None:
        raise ArgumentError(
            f"domain={domain}: no seeds come with it; give -a seeds=FILE or"
            " -a seeds=URL,URL"
        )
    return read_seeds(file, str(file))


def _parse_patterns(name: str, value: str) -> tuple[str, ...]:
    """Return glob patterns for URLs; each begins with a slash or a star."""
    patterns = tuple(filter(None, map(str.strip, value.split(","))))
    for pattern in patterns:
        if pattern[0] not in "/*":
            raise ArgumentError(
                f"{name}={value}: {pattern!r} matches no path; begin it with / or *, as in"
                " /news/* or *print=1*, or with // for the host, as in //de.example.org/*"
            )
    return patterns


def _find_texts(value: str, langs: Sequence[str]) -> dict[str, Path]:
    # Loads numpy, which the list of arguments does not need.
    from ilspfc.crawl.domain_texts import find_domain_texts  # noqa: PLC0415

    return find_domain_texts(value, langs)


def _parse_scope(value: str) -> Scope:
    try:
        return Scope(value)
    except ValueError:
        raise ArgumentError(
            f"scope={value}: no such scope; {name_known(value, Scope)}"
        ) from None


# Arguments that are on or off, with the effect of 1.
_SWITCHES = {
    "comparable": "list comparable documents",
    "delta": "visit no page again that was exported",
    "deltafetch_reset": "visit all exported pages again",
}


def _parse_switch(name: str, raw: Mapping[str, str]) -> bool:
    value = raw.get(name, "").strip()
    if value not in {"", "0", "1"}:
        raise ArgumentError(
            f"{name}={value}: neither 0 nor 1; give 1 to {_SWITCHES[name]}, or leave it"
            " out"
        )
    return value == "1"


def _check_names(raw: Mapping[str, str], known: Collection[str]) -> None:
    for name in raw:
        if name not in known and not name.startswith("_"):
            raise ArgumentError(
                f"{name}={raw[name]}: no such argument; {name_known(name, sorted(known))}"
            )


def use_deltafetch(arguments: CrawlArguments, settings: BaseSettings) -> CrawlArguments:
    """Return the arguments with the settings of scrapy-deltafetch.

    As with that library, either of ``delta=1`` and ``DELTAFETCH_ENABLED`` makes a delta
    crawl, and a reset forgets what was exported. SettingError for a reset alone.
    """
    is_delta = arguments.delta or settings.getbool("DELTAFETCH_ENABLED")
    is_reset = arguments.deltafetch_reset
    if is_reset and not is_delta:
        raise SettingError(
            "deltafetch_reset=1: there is nothing to reset without a delta crawl; give"
            " DELTAFETCH_ENABLED=1 too, or FRONTIER_REVISIT_AFTER"
        )
    return replace(arguments, delta=is_delta and not is_reset)


def parse_arguments(
    raw: Mapping[str, str], *, lang_name: str, default_scope: Scope
) -> CrawlArguments:
    """Return the checked arguments of a crawl.

    ``lang_name`` is the argument that holds the languages, ``lang`` or ``langs``. Raises
    ArgumentError or DomainError naming value, cause and remedy. Arguments with a leading
    underscore come from scrapyd and are ignored.
    """
    others = {"langs", "comparable"} if lang_name == "lang" else {"lang"}
    _check_names(raw, ARGUMENTS.keys() - others)
    langs = parse_langs(lang_name, raw.get(lang_name, ""))
    seeds_value = raw.get("seeds", "").strip()
    texts = raw.get("domain_texts", "").strip()
    warc = find_warc_files(raw.get("warc", ""))
    folder = find_folder(raw.get("folder", "").strip())
    crawls = tuple(filter(None, map(str.strip, raw.get("cc", "").split(","))))
    if len([given for given in (warc, folder, crawls) if given]) > 1:
        raise ArgumentError(
            "warc, folder, cc: more than one of them is given; give one of them"
        )
    tables = find_tables(crawls)
    has_files = bool(warc or folder or tables)
    default = NO_DOMAIN if seeds_value or texts or has_files else DEFAULT_DOMAIN
    domain_name = raw.get("domain", "").strip() or default
    is_open = has_files and not seeds_value
    default_scope = Scope.ANY if is_open else default_scope
    scope = _parse_scope(raw.get("scope", "").strip() or default_scope)
    if is_open and scope is not Scope.ANY:
        raise ArgumentError(
            f"scope={scope}: without seeds every page of the files is crawled; leave scope"
            " out, or give -a seeds="
        )
    domain = None
    if domain_name != NO_DOMAIN:
        domain = read_domain(domain_name, langs)
    groups = () if is_open else _find_seeds(seeds_value, domain_name)
    return CrawlArguments(
        langs=langs,
        domain=domain,
        seeds=tuple(chain.from_iterable(groups)),
        groups=groups,
        allow=_parse_patterns("allow", raw.get("allow", "")),
        deny=_parse_patterns("deny", raw.get("deny", "")),
        store=_parse_patterns("store", raw.get("store", "")),
        scope=scope,
        job=raw.get("_job", ""),
        domain_texts=_find_texts(texts, langs) if texts else {},
        warc=warc,
        domain_file=str(Path(domain_name).resolve()) if _is_path(domain_name) else "",
        folder=folder,
        cc=crawls,
        cc_tables=tables,
        **{name: _parse_switch(name, raw) for name in _SWITCHES},
    )
