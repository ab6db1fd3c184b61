"""The web application in a real browser: from the form of a crawl to a download."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from conftest import REPOSITORY
from small_corpus import SmallCorpus

from ilspfc.exports.corpus_files import run_exports

if TYPE_CHECKING:
    from conftest import Serve
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

DRIVER = shutil.which("chromedriver")
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(
    not (DRIVER and BROWSER and find_spec("selenium") and find_spec("scrapyd")),
    reason="Chromium with its driver, Selenium or scrapyd are not installed",
)
T = TypeVar("T")
PATIENCE_SECONDS = 90.0
_TRIES = 5
SITE = {
    "de.html": "<title>{title}</title><h1>Die Bienen</h1>"
    "<p>Die Bienen leben in großen Völkern zusammen, und die Königin legt im Sommer jeden Tag"
    " zweitausend Eier.</p><p>Der Honig wird im Juli geschleudert und in Gläser gefüllt.</p>"
    '<p>Kontakt: Imkerei am Wald, Telefon 12.</p><a href="it.html">italiano</a>',
    "it.html": "<title>Le api</title><h1>Le api</h1>"
    "<p>Le api vivono insieme in grandi colonie, e la regina depone in estate ogni giorno"
    " duemila uova.</p><p>Il miele viene smielato a luglio e messo in barattoli.</p>"
    '<p>Contatto: apicoltura al bosco, telefono 12.</p><a href="de.html">Deutsch</a>',
}
# Files of a bootstrap: the page of a subject shows them.
SUBJECT = {
    "bees.tsv": "# Collected for the subject “Bees” by scrapy bootstrap.\n"
    "weight\tterm\tsubdomain\tlang\n98\tBiene\tbees\tde\n98\tape\tbees\tit\n",
    "bees/bootstrap.json": '{"bootstrap/terms_de": 1, "bootstrap/terms_it": 1}',
    "bees/left-out.tsv": "reason\tlang\ttext\nname\tde\tKarl von Frisch\n",
    "bees/sites.tsv": "site\tlangs\tpages\tevidence\tstart\tleft_out\tarticle\n"
    "example.org\tde,it\t1200\tde: 6 pages, it: 5 pages\thttps://www.example.org/de/"
    " https://www.example.org/it/\t\tlink of Biene (German)\n"
    "example.com\t\t0\trefused\t\tsite_unreached\t\n",
}
TITLE = "&lt;script&gt;document.title='run'&lt;/script&gt;Bienen"


@pytest.fixture(scope="module")
def site(serve: Serve, tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("site")
    for name, text in SITE.items():
        body = text.replace("{title}", TITLE)
        page = f'<!DOCTYPE html><html lang="{name[:2]}"><meta charset="utf-8">{body}'
        (folder / name).write_text(page, "utf-8")
    return serve(folder).at("de.html")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run the server as a user does; its address with the token."""
    folder = tmp_path_factory.mktemp("server")
    (folder / "domains" / "bees").mkdir(parents=True)
    for name, text in SUBJECT.items():
        (folder / "domains" / name).write_text(text, "utf-8")
    command = [sys.executable, "-m", "ilspfc", "serve", "--jobs", "jobs", "--port", "0"]
    for setting in ("GUARD_ALLOW=127.0.0.0/8", "DOWNLOAD_DELAY=0", "WORKERS=0"):
        command += ["-s", setting]
    environment = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": str(REPOSITORY),
        "HOME": str(folder),
    }
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        yield process.stdout.readline().strip()
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) in {0, 130}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    options = ChromeOptions()
    options.binary_location = str(BROWSER)
    folder = tmp_path_factory.mktemp("browser")
    for argument in (
        "headless=new",
        "no-sandbox",
        "disable-gpu",
        "disable-dev-shm-usage",
        f"user-data-dir={folder / 'profile'}",
        "window-size=1100,1000",
    ):
        options.add_argument(f"--{argument}")
    preferences = {"download.default_directory": str(folder)}
    options.add_experimental_option("prefs", preferences)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = Chrome(options, ChromeService(str(DRIVER)))
    browser.downloads = folder  # type: ignore[attr-defined]
    yield browser
    browser.quit()


def wait(look: Callable[[], T | None], shown: Callable[[], str] = str) -> T:
    """Return what a function finds, as soon as it finds anything."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.2)
    raise AssertionError(f"the page never showed it: {shown()}")


class Page:
    """What a user sees and does on a page."""

    def __init__(self, browser: Chrome) -> None:
        self.browser = browser

    @property
    def text(self) -> str:
        # In one step: between two, an element may be replaced. Between two pages there is none.
        script = "return document.body ? document.body.innerText : ''"
        return str(self.browser.execute_script(script))

    def find(self, by: str, name: str) -> WebElement:
        """Return an element as soon as it is there."""
        return wait(
            lambda: next(iter(self.browser.find_elements(by, name)), None),
            lambda: f"{name} in {self.browser.current_url}: {self.text}",
        )

    def click(self, link: str) -> None:
        self._click("partial link text", link)

    def press(self, button: str) -> None:
        self._click("xpath", f"//button[contains(., '{button}')]")

    def _click(self, by: str, name: str) -> None:
        """Click on an element, on its successor if it is replaced meanwhile."""
        from selenium.common.exceptions import StaleElementReferenceException

        for _ in range(_TRIES):
            with suppress(StaleElementReferenceException):
                self.find(by, name).click()
                return
        raise AssertionError(f"{name} is replaced again and again")

    def fill(self, name: str, text: str) -> None:
        field = self.find("name", name)
        field.clear()
        field.send_keys(text)

    def problems(self) -> list[str]:
        """Return what the browser complained of, such as a breach of the policy."""
        log = self.browser.get_log("browser")  # type: ignore[no-untyped-call]
        return [one["message"] for one in log if "favicon" not in one["message"]]


def test_a_crawl_from_the_form_to_the_memory(
    browser: Chrome, address: str, site: str
) -> None:
    page = Page(browser)
    browser.get(address)
    page.click("Try a crawl")

    # Checks as one types.
    page.fill("langs", "de,germn")
    page.fill("seeds", site)
    assert wait(lambda: "'germn' is no known language code" in page.text)
    page.fill("langs", "German, it")
    assert wait(lambda: "germn" not in page.text)
    page.press("Start")

    # It can be watched until it ends.
    assert wait(lambda: "Ended" in page.text, lambda: page.text)
    assert "2\ndocuments kept" in page.text
    page.click("Look at the corpus")
    assert wait(partial(_shows, page, "German – Italian"))

    # Documents are found; a title is a text.
    page.click("Documents")
    page.fill("q", "geschleudert")
    page.press("Search")
    assert wait(partial(_shows, page, "Translation units: German – Italian"))
    page.click("All documents with these words")
    assert wait(partial(_shows, page, "1 document."))
    page.click("Bienen")
    assert wait(partial(_shows, page, "großen Völkern"))
    assert "<script>" in browser.find_element("tag name", "h1").text
    assert browser.title != "run"

    # A pair stands side by side.
    page.click("Pairs")
    assert "1 pair, the most probable first." in page.text
    page.click("Bienen")
    assert wait(partial(_shows, page, "Il miele viene smielato"))
    assert "Der Honig wird im Juli" in page.text

    judge_units(page)
    edit_terms(page)

    page.click("Download")
    page.click("de-it.tmx")
    folder: Path = browser.downloads  # type: ignore[attr-defined]
    memory = wait(lambda: next(folder.glob("de-it.tmx"), None))
    assert "<tu" in memory.read_text("utf-8")
    assert page.problems() == []


def test_a_row_opens_beside_its_list(browser: Chrome, address: str) -> None:
    from selenium.webdriver import ActionChains, Keys

    page = Page(browser)
    size = browser.get_window_size()
    browser.set_window_size(1500, 1000)
    browser.get(address)
    page.find("css selector", "main a").click()
    page.click("Documents")
    url = browser.current_url
    page.find("css selector", "#list [data-row]").click()
    page.find("css selector", "body > aside .text")
    assert browser.current_url == url
    source = page.find("link text", "as fetched").get_attribute("href")
    assert re.search(r"/documents/\w+/source$", str(source))
    ActionChains(browser).send_keys(Keys.ESCAPE).perform()
    assert wait(lambda: not browser.find_elements("css selector", "body > aside"))
    # Opened again while it is open, it is a page of its own.
    for _ in range(2):
        page.find("css selector", "#list [data-row]").click()
        wait(lambda: browser.find_elements("css selector", ".text"))
    assert re.search(r"/documents/\w+$", browser.current_url)
    assert page.problems() == []
    browser.set_window_size(size["width"], size["height"])


def test_lists_are_sorted_and_judged_without_a_form(
    browser: Chrome, address: str
) -> None:
    from selenium.webdriver import ActionChains

    page = Page(browser)
    browser.get(address)
    page.find("css selector", "main a").click()
    home = browser.current_url
    page.click("Documents")
    page.click("Tokens")
    page.find("css selector", "th[aria-sort=descending]")
    page.click("Tokens")
    page.find("css selector", "th[aria-sort=ascending]")
    assert "sort=tokens" in browser.current_url
    # A filter keeps the order.
    page.find("name", "lang").send_keys("German")
    assert wait(lambda: "lang=deu" in browser.current_url)
    assert "sort=tokens" in browser.current_url
    assert wait(partial(_shows, page, "Exclude all 1"))
    page.find("tag name", "h1").click()
    ActionChains(browser).send_keys("e").perform()
    assert wait(lambda: browser.current_url == f"{home}edit")

    page.click("Pairs")
    page.find("css selector", "#list [data-row]").click()
    page.fill("judge", "ada")
    page.press("Parallel")
    assert wait(partial(_shows, page, "ada: parallel"))

    # The list of languages goes on behind a comma.
    browser.get(f"{home}../../try")
    page.fill("langs", "German, I")
    first = "return document.querySelector('#languages option').value"
    assert wait(lambda: browser.execute_script(first)).startswith("German, ")
    assert page.problems() == []


def test_what_is_unfolded_stays_so_in_a_page_that_renews_itself(
    browser: Chrome, address: str
) -> None:
    page = Page(browser)
    browser.get(address)
    page.find("css selector", "main a").click()
    page.find("css selector", "#harvest-numbers summary").click()
    mark = "document.querySelector('main').dataset.old = 1;"
    renew = "{target: 'main', select: 'main', swap: 'outerHTML'}"
    browser.execute_script(f"{mark} htmx.ajax('GET', location.href, {renew})")
    old = "return document.querySelector('main').dataset.old"
    assert wait(lambda: not browser.execute_script(old))
    page.find("css selector", "#harvest-numbers[open]")


def judge_units(page: Page) -> None:
    """Judge all units by keys; the interval gets narrower."""
    from selenium.webdriver import ActionChains, Keys

    page.click("Judge")
    page.find("css selector", "form:has([value=segments]) button").click()
    page.fill("judge", "ada")
    page.press("Begin")
    intervals = []
    for judged in range(1, 20):
        assert wait(partial(_shows, page, f"{judged - 1} judged by ada", "are judged"))
        if "are judged" in page.text:
            break
        before = page.browser.current_url
        ActionChains(page.browser).send_keys("r", Keys.ENTER).perform()
        assert wait(partial(_shows, page, f"{judged} judged by ada", "are judged"))
        if judged in {1, 3}:
            page.find("link text", "Judge").click()
            assert wait(partial(_shows, page, f"{judged} judged by ada"))
            intervals.append(float(re.findall(r"\(([\d.]+) to", page.text)[0]))
            page.browser.get(before)
    assert intervals[0] < intervals[1]


def _shows(page: Page, *texts: str) -> bool:
    return any(text in page.text for text in texts)


def edit_terms(page: Page) -> None:
    """Write terms; the documents that they find are shown at once."""
    page.click("Edit")
    page.click("Edit the terms")
    page.fill("imported", "50:Biene=bees>de\n50:ape=bees>it\n50:api=bees>it\n")
    page.press("Add these terms")
    assert wait(lambda: "3 terms added" in page.text)
    assert wait(lambda: "of 2 documents" in page.text)
    page.find("css selector", "input[name=keep]").click()
    assert wait(lambda: "by these 2 terms" in page.text)
    page.press("Show")
    assert wait(partial(_shows, page, "2 terms."))


def test_a_copy_opens_from_the_disk(browser: Chrome, tmp_path: Path) -> None:
    axe = pytest.importorskip("axe_core_python.selenium").Axe()
    corpus = SmallCorpus(tmp_path / "bees")
    corpus.add("d1", "deu", ["Die Bienen fliegen im Sommer."], title="Bienen")
    with corpus.open(EXPORTS_FORMATS="site") as opened:
        run_exports(opened)
    page = Page(browser)
    browser.get((corpus.files.root / "site" / "index.html").as_uri())
    assert find_serious(axe, browser) == []
    page.click("Documents")
    page.click("Bienen")
    assert wait(partial(_shows, page, "im Sommer"))
    # The style is there: names of facts have a color of their own.
    colors = [
        browser.find_element("css selector", one).value_of_css_property("color")
        for one in ("dt", "dd")
    ]
    assert colors[0] != colors[1]
    assert page.problems() == []


def find_serious(axe: Any, browser: Chrome) -> list[tuple[str, str]]:
    """Return the serious violations of a page, each with its first element."""
    return [
        (one["id"], one["nodes"][0]["html"])
        for one in axe.run(browser)["violations"]
        if one["impact"] in {"serious", "critical"}
    ]


# What the tab key reaches: of a group of radio buttons one.
REACHABLE = """
const groups = new Set();
window.seen = [];
window.reachable = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
  .filter((e) => e.tabIndex >= 0 && !e.disabled && e.checkVisibility({visibilityProperty: true}))
  .filter((e) => e.type !== "radio" || (!groups.has(e.name) && groups.add(e.name)));
return reachable.length
"""
UNREACHED = "return reachable.filter((e) => !seen.includes(e)).map((e) => e.outerHTML)"
# Sum of the layout shifts since the page was opened. Below .1 is good by Web Vitals; on a busy
# machine a long table comes in pieces, and its columns move by less than a thousandth.
MAX_SHIFT = 0.01
SHIFT = """
const done = arguments[0];
let sum = 0;
const add = (list) => list.getEntries().forEach((one) => sum += one.value);
new PerformanceObserver(add).observe({type: "layout-shift", buffered: true});
setTimeout(() => done(sum), 100);
"""
# The element with the focus, with whether it had it before and whether that can be seen.
FOCUSED = """
const e = document.activeElement;
if (e === document.body) return null;
const style = getComputedStyle(e), box = e.getBoundingClientRect();
const isMarked = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
const isShown = box.width > 0 && box.bottom > 0 && box.top < innerHeight;
return [e.outerHTML.slice(0, 200), seen.includes(e) || !seen.push(e), isMarked && isShown];
"""


def open_pages(browser: Chrome, address: str) -> Iterator[str]:
    """Open the pages of the application, one of each kind, everything unfolded; yield paths."""
    browser.get(address)
    Page(browser).find("css selector", "main a").click()
    home = browser.current_url
    paths = ["../../", "../../try", "../../subjects", "../../subjects/bees", "."]
    paths += "documents pairs units concordance?q=Honig judge edit edit/domain".split()
    paths += ["search?q=Honig", "documents?q=nowhere", "../../docs/server"]
    paths += ["downloads", "lost", "judge/segments"]
    for path in paths:
        browser.get(home + path)
        assert browser.execute_async_script(SHIFT) < MAX_SHIFT, path
        # From a list to what it lists.
        inside = "main a[data-row]" if path != "../../try" else "main td a"
        links = browser.find_elements("css selector", inside)
        if links and path in {"documents", "pairs", "../../try"}:
            paths.append(str(links[0].get_attribute("href")).removeprefix(home))
            if path == "documents":
                paths.append(f"{paths[-1]}/source")
        for folded in browser.find_elements("css selector", "main details:not([open])"):
            folded.find_element("tag name", "summary").click()
        yield path
    assert len(paths) > 15


@pytest.mark.parametrize("width", [1200, 390])
def test_pages_are_accessible(width: int, browser: Chrome, address: str) -> None:
    axe = pytest.importorskip("axe_core_python.selenium").Axe()
    screen = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    for path in open_pages(browser, address):
        # Both schemes on the same page: the way of the tab key is one.
        for scheme in ("light", "dark"):
            feature = {"name": "prefers-color-scheme", "value": scheme}
            media = {"features": [feature]}
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
            found = find_serious(axe, browser)
            assert found == [], (path, scheme, Page(browser).text[:200])
        # Nothing is wider than the screen.
        wide = "return document.documentElement.scrollWidth"
        assert browser.execute_script(wide) <= width, path
        cut = "return [...document.querySelectorAll('.scroll')].some(e => e.scrollWidth > e.clientWidth)"
        assert not browser.execute_script(cut), path
        press_tab(browser, path)
    for reset in ("clearDeviceMetricsOverride", "setEmulatedMedia"):
        browser.execute_cdp_cmd(f"Emulation.{reset}", {})


def press_tab(browser: Chrome, path: str) -> None:
    """Go through a page by the tab key: all is reached once, can be seen, and is left."""
    from selenium.webdriver import ActionChains, Keys

    first = "document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')"
    browser.execute_script(first)
    number = browser.execute_script(REACHABLE)
    for _ in range(number + 1):
        ActionChains(browser, duration=0).send_keys(Keys.TAB).perform()
        focused = browser.execute_script(FOCUSED)
        if focused is None:
            break
        element, is_known, is_seen = focused
        assert not is_known, (path, element)
        assert is_seen, (path, element)
    assert browser.execute_script(UNREACHED) == [], path
