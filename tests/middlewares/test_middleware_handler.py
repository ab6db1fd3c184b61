"""Which failures of a download are the certificate's."""

from __future__ import annotations

import pytest
from OpenSSL.SSL import Error as TlsError
from scrapy.exceptions import DownloadFailedError
from scrapy.utils.test import get_crawler
from service_identity import CertificateError, VerificationError
from twisted.python.failure import Failure
from twisted.web.client import ResponseFailed

from ilspfc.exceptions import SettingError
from ilspfc.middlewares.handler import _certificate_failure, insecure_hosts


def failed(*causes: Exception) -> DownloadFailedError:
    """Return a failure as the download handler meets it."""
    error = DownloadFailedError("failed")
    failures = [Failure(cause) for cause in causes]  # type: ignore[no-untyped-call]
    error.__cause__ = ResponseFailed(failures)  # type: ignore[no-untyped-call]
    return error


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (TlsError([("SSL routines", "", "certificate verify failed")]), "no authority"),
        (VerificationError([]), "another host"),
        (CertificateError("no names"), "names no host"),
        (TlsError([("SSL routines", "", "wrong version number")]), ""),
        (ConnectionError("reset"), ""),
    ],
)
def test_certificates_are_told_from_other_failures(
    cause: Exception, words: str
) -> None:
    found = _certificate_failure(failed(ConnectionError("lost"), cause))
    assert words in found
    assert bool(found) == bool(words)


@pytest.mark.parametrize(
    ("value", "hosts"),
    [
        ("", set()),
        ("Example.org", {"example.org"}),
        (" a.example.org , 127.0.0.1,,[::1]", {"a.example.org", "127.0.0.1", "::1"}),
        (["a.example.org"], {"a.example.org"}),
    ],
)
def test_hosts_can_be_excepted(value: object, hosts: set[str]) -> None:
    crawler = get_crawler(settings_dict={"FETCH_INSECURE_HOSTS": value})
    assert insecure_hosts(crawler.settings) == hosts


@pytest.mark.parametrize("value", ["https://example.org", "*", "a.org:443", "a.org/x"])
def test_what_is_no_host_is_named_in_one_line(value: str) -> None:
    crawler = get_crawler(settings_dict={"FETCH_INSECURE_HOSTS": value})
    with pytest.raises(SettingError) as caught:
        insecure_hosts(crawler.settings)
    assert str(caught.value).startswith(f"FETCH_INSECURE_HOSTS={value}: ")
