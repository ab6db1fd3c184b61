"""Certificates: refused where nobody trusted vouches for them, but for hosts excepted."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import SITES, FolderHandler, Site
from crawled_corpus import CrawledCorpus
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID

if TYPE_CHECKING:
    from conftest import Project, Result

HOSTS = ("127.0.0.1", "127.0.0.2")


class WorkshopHandler(FolderHandler):
    """Serves the small site of most tests."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args, directory=str(SITES / "workshop"))  # type: ignore[arg-type]


class TlsSite(Site):
    """A site over TLS."""

    def __init__(self, host: str, certificate: Path) -> None:
        self._host = host
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate)
        super().__init__(WorkshopHandler)

    def server_bind(self) -> None:
        self.server_address = (self._host, 0)
        super().server_bind()
        self.socket = self._context.wrap_socket(
            self.socket, server_side=True, do_handshake_on_connect=False
        )

    @property
    def url(self) -> str:
        return f"https://{self._host}:{self.server_port}/"


def make_certificate(path: Path) -> None:
    """Write a key and a certificate that it has signed itself, for both hosts."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "workshop")])
    addresses = [x509.IPAddress(ip_address(host)) for host in HOSTS]
    now = datetime.now(UTC)
    day = timedelta(days=1)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1)
    certificate = (
        builder.not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(x509.SubjectAlternativeName(addresses), critical=False)
        .sign(key, SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(secret + certificate.public_bytes(Encoding.PEM))


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[TlsSite]]:
    certificate = tmp_path_factory.mktemp("tls") / "site.pem"
    make_certificate(certificate)
    sites = [TlsSite(host, certificate) for host in HOSTS]
    yield sites
    for site in sites:
        site.close()


@pytest.fixture(scope="module")
def crawl(
    make_project: Callable[[], Project], sites: list[TlsSite]
) -> tuple[Result, CrawledCorpus]:
    """A crawl of both hosts that trusts the first."""
    project = make_project()
    settings = {"CORPUS_DIR": "out", "FETCH_INSECURE_HOSTS": HOSTS[0]}
    seeds = ",".join(site.at("de/laerm.html") for site in sites)
    result = project.crawl("monolingual", settings, lang="de", seeds=seeds)
    return result, CrawledCorpus(project.folder / "out")


def test_an_excepted_host_is_crawled(crawl: tuple[Result, CrawledCorpus]) -> None:
    result, corpus = crawl
    assert result.status == 0
    assert corpus.fates()["de/laerm.html"] == "kept"


def test_another_host_is_refused(
    crawl: tuple[Result, CrawledCorpus], sites: list[TlsSite]
) -> None:
    result, corpus = crawl
    assert sites[0].requests != []
    assert sites[1].requests == []
    assert corpus.drops()["fetch/certificate"] == 1
    (refused,) = [seed for seed in corpus.manifest["seeds"] if not seed["reached"]]
    assert refused["url"].startswith(f"https://{HOSTS[1]}:")
    assert f"the certificate of {HOSTS[1]} is refused" in refused["cause"]
    assert f"FETCH_INSECURE_HOSTS={HOSTS[1]}" in refused["cause"]
    assert "Traceback" not in result.stderr


def test_the_log_names_the_hosts(crawl: tuple[Result, CrawledCorpus]) -> None:
    line = f"FETCH_INSECURE_HOSTS={HOSTS[0]}: their certificates are not verified"
    assert line in crawl[0].stderr
