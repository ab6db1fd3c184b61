"""A subject without seeds in the web application: every step of ``bootstrap``, then the crawl."""

from __future__ import annotations

import re
import time
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import REPOSITORY
from scrapy.settings import BaseSettings
from starlette.testclient import TestClient
from test_jobs import FakeScrapyd

from ilspfc import settings as defaults
from ilspfc.server.application import make_application
from ilspfc.server.builds import Builds
from ilspfc.server.jobs.queue import JobQueue
from ilspfc.server.jobs.request import JobRequest, Limits
from ilspfc.server.library import Library

if TYPE_CHECKING:
    from conftest import Site
    from starlette.applications import Starlette

BASE = "http://127.0.0.1:8080"
TERMS = "de\tit\nMaschine|Apparat\tmacchina\nWerkbank\tbanco\n"
FORM = {"subject": "Work shop", "langs": "de, it"}


@pytest.fixture
def scrapyd() -> FakeScrapyd:
    return FakeScrapyd()


@pytest.fixture
def application(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    scrapyd: FakeScrapyd,
    workshop: Site,
) -> Starlette:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    Path("terms.tsv").write_text(TERMS)
    Path("urls.txt").write_text(f"{workshop.url}  # a site\nhttp://127.0.0.1:9/\n")
    values = {name: v for name, v in vars(defaults).items() if name.isupper()}
    settings = BaseSettings(values)
    for name, value in (
        ("GUARD_ALLOW", "127.0.0.0/8"),
        ("DOWNLOAD_DELAY", "0"),
        ("WORKERS", "0"),
        ("FETCH_CONTACT", "me@example.org"),
    ):
        settings.set(name, value, priority="cmdline")
    queue = JobQueue(tmp_path / "jobs", scrapyd, Limits(), {})
    sources = ("--terms", "terms.tsv", "--urls", "urls.txt")
    return make_application(
        Library([], settings), queue, token="secret", bootstrap=sources
    )


def ask(application: Starlette) -> TestClient:
    client = TestClient(application, base_url=BASE)
    client.headers["authorization"] = "Bearer secret"
    return client


def wait(client: TestClient, address: str) -> str:
    end = time.monotonic() + 120
    while 'hx-trigger="every 2s"' in (page := client.get(address).text):
        assert "Look again" in page
        assert time.monotonic() < end, page
        time.sleep(0.2)
    return page


def read_fields(page: str) -> dict[str, str | list[str]]:
    """Return what a browser would send of the table of terms."""
    fields: dict[str, str | list[str]] = {}
    found = re.findall(r'<input[^>]* name="([^"]+)" value="([^"]*)"', page)
    for name, value in [
        *found,
        *re.findall(r'<input name="(.*?)" value="(.*?)"', page),
    ]:
        if name in {"keep", "row"}:
            fields[name] = [*fields.get(name, []), value]
        elif name not in {"q", "site"}:
            fields[name] = unescape(value)
    return fields


def test_from_a_name_to_the_form_of_a_crawl(
    application: Starlette, scrapyd: FakeScrapyd, workshop: Site
) -> None:
    client = ask(application)
    assert 'href="/subjects"' in client.get("/").text
    assert "No source of addresses" not in client.get("/subjects").text
    answer = client.post("/subjects", data=FORM, follow_redirects=False)
    address = "/subjects/work-shop"
    assert answer.headers["location"] == address

    review_terms(client, address, wait(client, address))
    choose_sites(client, address, workshop.url)
    ((_, arguments, _),) = scrapyd.told
    assert arguments["domain"] == str(Path("domains/work-shop.tsv").resolve())
    assert 'href="/subjects/work-shop"' in client.get("/subjects").text


def review_terms(client: TestClient, address: str, page: str) -> None:
    """Tick and weigh terms, add one, name one more address."""
    assert "5 terms" in page, page
    assert "Output of the command" in page
    assert re.search(r"<h1[^>]*>Work-shop<", page)
    fields = read_fields(page)
    kept = list(fields["keep"])
    assert len(kept) == 5
    (machine,) = [n for n in kept if fields[f"term-{n}"] == "Maschine"]
    (device,) = [n for n in kept if fields[f"term-{n}"] == "Apparat"]
    new = fields["row"][-1]
    fields |= {"keep": [n for n in kept if n != device], f"weight-{machine}": "71"}
    fields |= {f"term-{new}": "Hobel", f"lang-{new}": "de"}
    page = client.post(f"{address}/terms", data={**fields, "sort": "term"}).text
    order = re.findall(r'<input name="term-\d+" value="([^"]+)"', page)
    assert order == ["banco", "Hobel", "macchina", "Maschine", "Werkbank"]
    terms = Path("domains/work-shop.tsv").read_text("utf-8")
    assert "71\tMaschine\t\tde\n" in terms
    assert "50\tHobel\t\tde\n" in terms
    assert "Apparat" not in terms
    assert "# Review it" in terms

    # A form for another state of the table changes nothing; wrong cells are told.
    answer = client.post(f"{address}/terms", data=fields)
    assert (answer.status_code, "meanwhile" in answer.text) == (409, True)
    fields = read_fields(page)
    wrong = {**fields, f"weight-{fields['keep'][0]}": "much"}
    answer = client.post(f"{address}/terms", data=wrong)
    assert answer.status_code == 400
    assert "weight &#39;much&#39; is no number" in answer.text
    client.post(f"{address}/terms", data={**fields, "visit": "1"})


def choose_sites(client: TestClient, address: str, url: str) -> None:
    """See what each site offers; go to the form of a crawl, and start it."""
    page = wait(client, address)
    (site,) = re.findall(r'name="site" value="([^"]+)" checked', page)
    assert site == url.split("/")[2]
    assert re.search(r"de, it</td><td[^>]*>\d\d</td><td>de: \d+ pages", page), page
    assert "127.0.0.1:9" in page
    assert "site unreached" in page
    page = client.post(f"{address}/sites", data={"site": site}).text
    assert 'value="de,it"' in page
    assert '<option value="work-shop" selected>' in page
    assert re.search(rf">{url}\S*\s\S+</textarea>", page)
    urls = re.findall(rf"{url}\S*?(?=\s|<)", page)
    fields = {"langs": "de,it", "seeds": " ".join(urls), "domain": "work-shop"}
    assert client.post("/try", data=fields, follow_redirects=False).status_code == 303
    client.post(f"{address}/sites", data={})
    assert f"\n# {url}" in Path("domains/work-shop.seeds.txt").read_text()


def test_a_definition_of_the_user_is_kept(application: Starlette) -> None:
    Path("domains").mkdir()
    Path("domains/work-shop.tsv").write_text("10\tbench\t\ten\n")
    client = ask(application)
    client.post("/subjects", data={**FORM, "depth": "many"})
    page = wait(client, "/subjects/work-shop")
    assert "invalid int value: &#39;many&#39;" in page
    client.post("/subjects", data=FORM)
    page = wait(client, "/subjects/work-shop")
    assert "exists and is not" in page
    assert Path("domains/work-shop.tsv").read_text() == "10\tbench\t\ten\n"


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"subject": " - "}, "give its name"),
        ({"langs": "germn"}, "no known language code"),
    ],
)
def test_mistakes_are_told(
    changes: dict[str, str], text: str, application: Starlette
) -> None:
    answer = ask(application).post("/subjects", data={**FORM, **changes})
    assert (answer.status_code, text in answer.text) == (400, True), answer.text


def test_the_page_says_where_no_source_is_configured(application: Starlette) -> None:
    settings = application.state.library.settings
    settings.set("FETCH_CONTACT", "", priority="cmdline")
    application.state.builds = Builds(settings)
    application.state.bootstrap = ()
    client = ask(application)
    assert "-s FETCH_CONTACT=you@example.org" in client.get("/subjects").text
    client.post("/subjects", data=FORM)
    page = wait(client, "/subjects/work-shop")
    assert "The command ended with an error" in page
    assert "no contact" in page


def test_what_a_source_gave_before_it_failed_can_be_used(
    application: Starlette,
) -> None:
    client = ask(application)
    nowhere = "http://127.0.0.1:9/"
    application.state.bootstrap = ("--terms", "terms.tsv", "--searxng", nowhere)
    client.post("/subjects", data=FORM)
    page = wait(client, "/subjects/work-shop")
    assert "cannot be reached" in page
    assert "5 terms" in page
    assert Path("domains/work-shop.tsv").is_file()
    # It is collected anew on request alone.
    client.post("/subjects", data=FORM)
    assert "Look again" not in client.get("/subjects/work-shop").text
    sites = Path("domains/work-shop/sites.tsv")
    sites.write_text("site\na.org\tde\t1\t\thttp://a.org/\t\t\n")
    assert "a.org" in client.get("/subjects/work-shop").text
    client.post("/subjects", data={**FORM, "overwrite": "1"})
    assert "Look again" in client.get("/subjects/work-shop").text
    assert "a.org" not in wait(client, "/subjects/work-shop")


def test_subjects_are_of_the_operator(application: Starlette) -> None:
    client = ask(application)
    for path in ("wasps", "..%2Fbees", "a.b"):
        assert client.get(f"/subjects/{path}").status_code == 404
    application.state.user_header = "x-user"
    client.headers["x-user"] = "anna"
    assert 'href="/subjects"' not in client.get("/try").text
    assert client.get("/subjects").status_code == 403
    assert client.post("/subjects", data=FORM).status_code == 403
    assert client.get("/subjects/work-shop").status_code == 403
    application.state.user_header, application.state.jobs = "", None
    assert client.get("/subjects").status_code == 404


def test_a_domain_of_the_package_is_named(
    application: Starlette, scrapyd: FakeScrapyd
) -> None:
    request = JobRequest("de,it", "https://www.example.org/", domain="demo")
    application.state.jobs.start("local", request)
    assert scrapyd.told[0][1]["domain"] == "demo"
