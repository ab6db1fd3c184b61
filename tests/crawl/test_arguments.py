"""The arguments of a crawl: what stands for what is missing, and what is refused."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest
from scrapy.settings import Settings

from ilspfc.crawl.arguments import (
    DEFAULT_DOMAIN,
    CrawlArguments,
    domain_library,
    parse_arguments,
    use_deltafetch,
)
from ilspfc.exceptions import ArgumentError, DomainError, IlspfcError, SettingError
from ilspfc.frontier.scope import Scope

SEED = "https://www.example.org/"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a project of the test's own, with a domain in each format."""
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = ilspfc.settings\n")
    files = {
        "domains/health-safety.tsv": "weight\tterm\tlang\n10\tHelm\tde\n5\tcasco\tit\n",
        "domains/health-safety.seeds.txt": f"# seeds\n\n{SEED}hs\n",
        "domains/flowers.txt": "\ufeff10:Rose=a>de\r\n10:rosa=a>it\r\n",
        "domains/empty.txt": "# nothing yet\n",
        "domains/wrong.txt": "10:Rose>de\nfoo\nbar\n",
        "domains/neutral.txt": "10:ISO 45001\n",
        "seeds.txt": f"\ufeff# comment\r\n{SEED}a\r\n\r\n  {SEED}b  \r\n",
        "reasons.txt": f"{SEED}a  # found in an article\n{SEED}b#part\t# {SEED}c\n",
        "no-seeds.txt": "# comment\n\n",
        "wrong-seeds.txt": f"{SEED}\n# comment\nwww.example.org\n",
    }
    (tmp_path / "domains").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    record = b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
    for name in ("a1.gz", "a2.gz"):
        (tmp_path / name).write_bytes(gzip.compress(record))
    (tmp_path / "latin-1.txt").write_bytes("10:Lärm>de".encode("latin-1"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bilingual(**raw: str) -> CrawlArguments:
    raw.setdefault("langs", "de,it")
    return parse_arguments(raw, lang_name="langs", default_scope=Scope.SITE)


def monolingual(**raw: str) -> CrawlArguments:
    raw.setdefault("lang", "it")
    return parse_arguments(raw, lang_name="lang", default_scope=Scope.ANY)


# -- languages ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "langs"),
    [
        ("de,it", ("deu", "ita")),
        ("it,de", ("ita", "deu")),
        (" ger , ITA ,", ("deu", "ita")),
        ("de-CH,it,en", ("deu", "ita", "eng")),
    ],
)
def test_languages_are_kept_in_their_order(value: str, langs: tuple[str, ...]) -> None:
    assert bilingual(langs=value, domain="none", seeds=SEED).langs == langs


def test_the_monolingual_spider_takes_one_language() -> None:
    assert monolingual(lang="ita", seeds=SEED).langs == ("ita",)


# -- domain and seeds --------------------------------------------------------------------


def test_with_neither_domain_nor_seeds_the_crawl_is_about_health_and_safety() -> None:
    arguments = bilingual()
    assert arguments.domain is not None
    assert arguments.domain.name == DEFAULT_DOMAIN == "health-safety"
    assert [term.text for term in arguments.domain.terms] == ["Helm", "casco"]
    assert arguments.seeds == (f"{SEED}hs",)


def test_seeds_alone_make_a_crawl_without_a_domain() -> None:
    arguments = bilingual(seeds=SEED)
    assert (arguments.domain, arguments.seeds) == (None, (SEED,))


def test_domain_none_keeps_every_page() -> None:
    assert bilingual(domain="none", seeds=SEED).domain is None


def test_a_domain_with_seeds_of_one_s_own() -> None:
    arguments = bilingual(domain="flowers", seeds=SEED)
    assert arguments.domain is not None
    assert arguments.domain.name == "flowers"
    assert arguments.seeds == (SEED,)


@pytest.mark.parametrize(
    "spelling", ["domains/flowers.txt", "./domains/flowers.txt", "{}"]
)
def test_a_domain_may_be_a_path(folder: Path, spelling: str) -> None:
    path = spelling.format(folder / "domains" / "flowers.txt")
    domain = bilingual(domain=path, seeds=SEED).domain
    assert domain is not None
    assert domain.name == "flowers"
    assert domain.langs == ("deu", "ita")


def test_terms_without_a_language_count_in_every_one() -> None:
    assert bilingual(domain="neutral", seeds=SEED).domain is not None


@pytest.mark.parametrize(
    ("value", "seeds"),
    [
        (SEED, (SEED,)),
        (f"{SEED}a,{SEED}b", (f"{SEED}a", f"{SEED}b")),
        (f" {SEED}a , {SEED}b ,", (f"{SEED}a", f"{SEED}b")),
        (f"{SEED}a,b.html,{SEED}c", (f"{SEED}a,b.html", f"{SEED}c")),
        ("HTTP://Example.org", ("HTTP://Example.org",)),
        ("seeds.txt", (f"{SEED}a", f"{SEED}b")),
        ("reasons.txt", (f"{SEED}a", f"{SEED}b#part")),
    ],
)
def test_seeds_are_urls_or_a_file(value: str, seeds: tuple[str, ...]) -> None:
    assert bilingual(seeds=value).seeds == seeds


def test_empty_arguments_are_as_good_as_none() -> None:
    """Templates of schedulers pass every argument, filled in or not."""
    assert bilingual(domain=" ", seeds="", scope="") == bilingual()


# -- WARC files --------------------------------------------------------------------------


def test_warc_files_stand_for_the_seeds() -> None:
    arguments = bilingual(warc="a*.gz, a1.gz")
    assert arguments.warc == (Path("a1.gz"), Path("a2.gz"))
    assert (arguments.domain, arguments.seeds) == (None, ())
    assert arguments.scope is Scope.ANY


def test_warc_files_may_be_crawled_from_seeds() -> None:
    arguments = bilingual(warc="a1.gz", seeds=SEED, domain="flowers")
    assert arguments.domain is not None
    assert arguments.seeds == (SEED,)
    assert arguments.scope is Scope.SITE


@pytest.mark.parametrize(
    ("value", "is_delta"), [("", False), ("0", False), (" 1 ", True)]
)
def test_delta_is_a_switch(value: str, *, is_delta: bool) -> None:
    assert bilingual(delta=value).delta is is_delta


@pytest.mark.parametrize(
    ("raw", "settings", "is_delta", "is_reset"),
    [
        ({}, {}, False, False),
        ({}, {"DELTAFETCH_ENABLED": "1"}, True, False),
        ({"delta": "1"}, {"DELTAFETCH_ENABLED": "0"}, True, False),
        ({"delta": "1", "deltafetch_reset": "1"}, {}, False, True),
        ({"deltafetch_reset": "1"}, {"DELTAFETCH_ENABLED": True}, False, True),
    ],
)
def test_the_names_of_scrapy_deltafetch_work(
    raw: dict[str, str],
    settings: dict[str, object],
    *,
    is_delta: bool,
    is_reset: bool,
) -> None:
    arguments = use_deltafetch(bilingual(**raw), Settings(settings))
    assert (arguments.delta, arguments.deltafetch_reset) == (is_delta, is_reset)


def test_a_reset_without_a_delta_crawl_is_refused() -> None:
    with pytest.raises(SettingError, match=r"reset=1: .* give DELTAFETCH_ENABLED=1"):
        use_deltafetch(bilingual(deltafetch_reset="1"), Settings())


# -- seeds that stand together -----------------------------------------------------------


def test_seeds_separated_by_blanks_are_a_group() -> None:
    arguments = bilingual(seeds="http://a.ch/ http://b.it/, http://c.org/")
    assert arguments.groups == (("http://a.ch/", "http://b.it/"), ("http://c.org/",))
    assert arguments.seeds == ("http://a.ch/", "http://b.it/", "http://c.org/")


def test_patterns_are_separated_by_commas() -> None:
    arguments = bilingual(seeds=SEED, allow="/a/*, *b*", deny="")
    assert (arguments.allow, arguments.deny) == (("/a/*", "*b*"), ())


# -- scope and the rest ------------------------------------------------------------------


@pytest.mark.parametrize("scope", Scope)
def test_the_scope_can_be_chosen(scope: Scope) -> None:
    assert bilingual(seeds=SEED, scope=scope.value).scope is scope


def test_each_spider_has_its_own_scope() -> None:
    assert bilingual(seeds=SEED).scope is Scope.SITE
    assert monolingual(seeds=SEED).scope is Scope.ANY


def test_of_what_scrapyd_adds_the_job_is_kept() -> None:
    arguments = bilingual(seeds=SEED, _job="x", _version="1")
    assert arguments == replace(bilingual(seeds=SEED), job="x")


def test_the_project_s_own_domains_are_known_beside_those_of_the_package() -> None:
    assert {"flowers", "health-safety"} <= set(domain_library().names())


# -- what is refused ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "parts"),
    [
        # languages
        ({"langs": ""}, ["langs=:", "two languages or more", "-a langs=de,it"]),
        ({"langs": "de"}, ["langs=de:", "two languages or more", "-a langs=de,it"]),
        ({"langs": "de,xx"}, ["langs=de,xx:", "'xx' is no known", "such as de,it"]),
        ({"langs": "de,german"}, ["'german' is no known language code"]),
        ({"langs": "de,deu"}, ["'de' and 'deu' are the same language", "once"]),
        ({"langs": "it,de,de-CH"}, ["'de' and 'de-CH' are the same"]),
        # names of arguments
        (
            {"lang": "it"},
            [
                "lang=it: no such argument",
                "domain, domain_texts, folder, langs, scope, seeds",
            ],
        ),
        ({"seed": SEED}, [f"seed={SEED}: no such argument", "known are"]),
        # scope
        ({"scope": "web"}, ["scope=web: no such scope", "site, host, path, any"]),
        # WARC files
        ({"warc": "x.warc"}, ["warc=x.warc: x.warc: it cannot be read", "patterns"]),
        ({"warc": "*.warc"}, ["warc=*.warc: *.warc: it cannot be read", "patterns"]),
        ({"warc": "a*.gz, seeds.txt"}, ["seeds.txt: it does not begin with a WARC"]),
        (
            {"warc": "a1.gz", "scope": "site"},
            ["scope=site: without seeds", "-a seeds="],
        ),
        (
            {"deny": "shop/*"},
            ["deny=shop/*: 'shop/*' matches no path", "begin it with"],
        ),
        ({"delta": "yes"}, ["delta=yes: neither 0 nor 1", "give 1"]),
        (
            {"deltafetch_reset": "2"},
            ["deltafetch_reset=2: neither", "visit all exported pages again"],
        ),
        # domain
        (
            {"domain": "x"},
            ["domain=x: no such domain", "flowers, health-safety", "none"],
        ),
        ({"domain": "y.txt"}, ["domain=y.txt:", "cannot be read", "UTF-8 file"]),
        ({"domain": "latin-1.txt"}, ["domain=latin-1.txt:", "cannot be read", "UTF-8"]),
        ({"domain": "domains/"}, ["domain=domains/:", "no such domain"]),
        ({"domain": "./x/y"}, ["domain=./x/y:", "cannot be read"]),
        ({"domain": "empty"}, ["empty.txt: no terms", "domains/README.md"]),
        ({"domain": "wrong"}, ["line 2: 'foo'", "(1 more)", "scrapy domain check"]),
        (
            {"domain": "flowers", "langs": "de,fr"},
            ["domain=flowers: no terms in fra", "deu, ita", "-a domain=none"],
        ),
        ({"domain": "flowers"}, ["domain=flowers: no seeds come with it", "-a seeds="]),
        ({"domain": "none"}, ["domain=none: no seeds come with it", "-a seeds="]),
        # seeds
        ({"seeds": "x.txt"}, ["seeds=x.txt:", "cannot be read", "one URL"]),
        ({"seeds": "."}, ["seeds=.:", "cannot be read"]),
        ({"seeds": "latin-1.txt"}, ["seeds=latin-1.txt:", "cannot be read", "UTF-8"]),
        ({"seeds": "no-seeds.txt"}, ["seeds=no-seeds.txt: no URL", "one a line"]),
        (
            {"seeds": "wrong-seeds.txt"},
            ["seeds=wrong-seeds.txt, line 3: 'www.example.org'", "https://www.example"],
        ),
        ({"seeds": "ftp://a.org/"}, ["'ftp://a.org/' is no http(s) URL"]),
        ({"seeds": f"{SEED},file:///x"}, ["'file:///x' is no http(s) URL"]),
        ({"seeds": "http://"}, ["'http://' is no http(s) URL"]),
        ({"seeds": "http://[::1/"}, ["'http://[::1/' is no http(s) URL"]),
    ],
)
def test_a_wrong_argument_is_one_line_with_value_cause_and_remedy(
    raw: dict[str, str], parts: list[str]
) -> None:
    with pytest.raises(IlspfcError) as caught:
        bilingual(**raw)
    message = str(caught.value)
    assert [part for part in parts if part not in message] == [], message
    assert "\n" not in message
    assert isinstance(caught.value, ArgumentError | DomainError)


@pytest.mark.parametrize(
    ("raw", "parts"),
    [
        ({"lang": ""}, ["lang=: a language needed", "-a lang=it"]),
        ({"lang": "de,it"}, ["takes one language", "bilingual", "-a langs=de,it"]),
        (
            {"langs": "de,it"},
            [
                "langs=de,it: no such argument",
                "domain, domain_texts, folder, lang, scope",
            ],
        ),
    ],
)
def test_the_monolingual_spider_refuses_in_the_same_way(
    raw: dict[str, str], parts: list[str]
) -> None:
    with pytest.raises(ArgumentError) as caught:
        monolingual(**raw)
    message = str(caught.value)
    assert [part for part in parts if part not in message] == [], message
    assert "\n" not in message


def test_a_file_of_seeds_has_a_name_that_may_be_one() -> None:
    with pytest.raises(ArgumentError, match="cannot be read"):
        bilingual(seeds="a\0b")


@pytest.mark.parametrize("seed", ["http://example.org:99999/", "http://example.org:x/"])
def test_a_seed_with_a_wrong_port_is_refused(seed: str) -> None:
    with pytest.raises(ArgumentError, match="is no http"):
        bilingual(seeds=seed)
