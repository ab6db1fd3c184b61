"""Three real wikis on loopback: MediaWiki as Debian packages it, with SQLite and PHP's server.

``python tests/wikis.py FOLDER [--site URL]`` sets them up in a folder, says where they are
and serves them until it is interrupted. Nothing is installed: where MediaWiki or PHP is
missing it says what to install. ``--site`` is where the articles' external links lead.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from wiki_articles import LANGS, export_xml

MEDIAWIKI = Path("/usr/share/mediawiki")
PACKAGES = (
    "mediawiki php-cli php-sqlite3 php-intl php-mbstring php-xml php-apcu"  # Debian's
)
_EXTENSIONS = {"pdo_sqlite", "intl", "mbstring", "xml"}
_SETTINGS = """
$wgJobRunRate = 0;
$wgMainCacheType = CACHE_NONE;
$wgCacheDirectory = "{cache}";
$wgRateLimits = [];
"""
_PATIENCE_SECONDS = 120.0


def find_missing() -> str:
    """Return what keeps the wikis from being started, empty if nothing does."""
    if not (MEDIAWIKI / "maintenance" / "install.php").is_file():
        return f"no MediaWiki in {MEDIAWIKI}; apt-get install {PACKAGES}"
    if shutil.which("php") is None:
        return f"no php; apt-get install {PACKAGES}"
    modules = subprocess.run(["php", "-m"], capture_output=True, text=True, check=False)
    if missing := _EXTENSIONS - set(modules.stdout.lower().split()):
        return f"php lacks {', '.join(sorted(missing))}; apt-get install {PACKAGES}"
    return ""


class Wiki:
    """One wiki: ``port`` is where it listens on loopback."""

    def __init__(self, lang: str, folder: Path) -> None:
        self.lang = lang
        self.folder = folder
        self.port = _free_port()
        self._server: subprocess.Popen[bytes] | None = None

    @property
    def api(self) -> str:
        """The URL of the API."""
        return f"http://127.0.0.1:{self.port}/api.php"

    @property
    def database(self) -> Path:
        """The SQLite file of the wiki."""
        return self.folder / "data" / f"wiki_{self.lang}.sqlite"

    def install(self) -> None:
        """Make an empty wiki."""
        self.folder.mkdir(parents=True)
        self.maintain(
            *(
                "install.php",
                "--dbtype",
                "sqlite",
                "--dbpath",
                str(self.folder / "data"),
            ),
            *("--dbname", f"wiki_{self.lang}", "--scriptpath", "", "--lang", self.lang),
            *("--server", f"http://127.0.0.1:{self.port}", "--pass", "loopback-only-1"),
            *("--confpath", str(self.folder), f"Wiki {self.lang}", "Admin"),
        )
        cache = self.folder / "cache"
        cache.mkdir()
        with (self.folder / "LocalSettings.php").open("a") as settings:
            settings.write(_SETTINGS.format(cache=cache))

    def fill(self, others: Mapping[str, str], links: Mapping[str, str]) -> None:
        """Write the articles; ``others`` are the URLs of the wikis in other languages."""
        with closing(sqlite3.connect(self.database)) as connection, connection:
            connection.executemany(
                "INSERT OR REPLACE INTO interwiki (iw_prefix, iw_url, iw_api, iw_wikiid,"
                " iw_local, iw_trans) VALUES (?, ?, '', '', 1, 0)",
                [(lang, f"{url}index.php?title=$1") for lang, url in others.items()],
            )
        connection.close()
        dump = self.folder / "articles.xml"
        dump.write_text(export_xml(self.lang, links), encoding="utf-8")
        self.maintain("importDump.php", str(dump))
        self.maintain("runJobs.php")
        self.maintain("initSiteStats.php", "--update")

    def maintain(self, script: str, *arguments: str) -> None:
        """Run one of MediaWiki's maintenance scripts."""
        command = ["php", str(MEDIAWIKI / "maintenance" / script), *arguments]
        done = subprocess.run(
            command, env=self._environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"{script}: {done.stdout[-500:]}{done.stderr[-500:]}")

    def start(self) -> None:
        """Serve the wiki; returns when it accepts connections."""
        command = ["php", "-S", f"127.0.0.1:{self.port}", "-t", str(MEDIAWIKI)]
        self._server = subprocess.Popen(
            command,
            env=self._environment,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        end = time.monotonic() + _PATIENCE_SECONDS
        while time.monotonic() < end:
            with socket.socket() as probe:
                if not probe.connect_ex(("127.0.0.1", self.port)):
                    return
            time.sleep(0.05)
        raise RuntimeError(f"php -S does not listen on port {self.port}")

    def stop(self) -> None:
        """Stop serving."""
        if self._server is not None:
            self._server.terminate()
            self._server.wait()

    @property
    def _environment(self) -> dict[str, str]:
        # One tree of MediaWiki serves all: each process is told whose settings are its own.
        return {**os.environ, "MW_CONFIG_FILE": str(self.folder / "LocalSettings.php")}


def start_wikis(folder: Path, links: Mapping[str, str]) -> dict[str, Wiki]:
    """Set three wikis up in a folder and serve them.

    ``links`` are the URLs that the articles link to, by ``lang:key`` of the table.
    """
    wikis = {lang: Wiki(lang, folder / lang) for lang in LANGS}
    urls = {lang: f"http://127.0.0.1:{wiki.port}/" for lang, wiki in wikis.items()}

    def set_up(wiki: Wiki) -> None:
        wiki.install()
        wiki.fill({k: url for k, url in urls.items() if k != wiki.lang}, links)
        wiki.start()

    with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
        list(threads.map(set_up, wikis.values()))
    return wikis


def make_folder() -> Path:
    """Return a new folder, in memory where there is such a place.

    An import commits thousands of times: on a disk it takes five times as long.
    """
    memory = Path("/dev/shm")
    is_usable = memory.is_dir() and os.access(memory, os.W_OK)
    return Path(tempfile.mkdtemp(prefix="ilspfc-", dir=memory if is_usable else None))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> None:
    """Serve the wikis until Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--site", default="", help="where external links lead")
    options = parser.parse_args()
    if missing := find_missing():
        sys.exit(missing)
    # The servers are to end with this process, however it is ended.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    wikis = start_wikis(options.folder, site_links(options.site))
    for lang, wiki in wikis.items():
        print(f"{lang}: {wiki.api}", flush=True)
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        pass
    finally:
        for wiki in wikis.values():
            wiki.stop()


def site_links(url: str) -> dict[str, str]:
    """Return the links of the articles to the site ``apiary`` served at a URL."""
    if not url:
        return {}
    pages = {
        "index": ("index", "index"),
        "hive": ("bienenstock", "arnia"),
        "smoke": ("rauch", "fumo"),
        "honey": ("honigernte", "smielatura"),
        "wax": ("wachs", "cera"),
        "swarm": ("schwarm", "sciame"),
        "varroa": ("varroa", "varroa-it"),
    }
    links = {f"de:{key}": f"{url}de/{names[0]}.html" for key, names in pages.items()}
    links |= {f"it:{key}": f"{url}it/{names[1]}.html" for key, names in pages.items()}
    return links | {"en:index": f"{url}", "en:varroa": f"{url}en/about.html"}


if __name__ == "__main__":
    main()
