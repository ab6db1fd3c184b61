"""Signatures: vectors of RFC 9421 and of the Web Bot Auth draft, and an independent verifier."""

from __future__ import annotations

import json
import re
import time
from base64 import urlsafe_b64decode
from email.message import Message
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from scrapy.http import Headers
from signature_verifier import signature_base, verify

from ilspfc.exceptions import SettingError
from ilspfc.web.signatures import Signer, make_key, read_key, sign

# RFC 9421, appendix B.1.4: as PEM, and as a JWK.
PEM = b"""\
-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
-----END PRIVATE KEY-----
"""
JWK = {
    "kty": "OKP",
    "crv": "Ed25519",
    "kid": "test-key-ed25519",
    "d": "n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU",
    "x": "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs",
}
KEY = read_key(PEM)
KEY_ID = "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U"
# Appendix B.2.6.
FIELDS = {
    "date": "Tue, 20 Apr 2021 02:07:55 GMT",
    "content-type": "application/json",
    "content-length": "18",
}
COMPONENTS = {
    '"date"': FIELDS["date"],
    '"@method"': "POST",
    '"@path"': "/foo",
    '"@authority"': "example.com",
    '"content-type"': FIELDS["content-type"],
    '"content-length"': FIELDS["content-length"],
}
PARAMETERS = ';created=1618884473;keyid="test-key-ed25519"'
BASE = """\
"date": Tue, 20 Apr 2021 02:07:55 GMT
"@method": POST
"@path": /foo
"@authority": example.com
"content-type": application/json
"content-length": 18
"@signature-params": ("date" "@method" "@path" "@authority" "content-type" "content-length")\
;created=1618884473;keyid="test-key-ed25519\""""
SIGNATURE = "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=="
# draft-ietf-webbotauth-httpsig-protocol-01, test vectors with Ed25519.
NONCES = {
    "dictionary": "n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==",
    "string": "e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==",
}
DRAFT = {
    "dictionary": (
        '"signature-agent";key="sig2"',
        4889289600,
        "CGokAoY/FrPpyuzTe1Fb2kLTAH9Idw6qSFd1+D77r1firsMRCxeuLu5e6O+ek3zQgDMAzjiXtLVfqE00xnABCQ==",
    ),
    "string": (
        '"signature-agent"',
        1735693200,
        "jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==",
    ),
}
DIRECTORY = (
    '{"keys":[{"kty":"OKP","crv":"Ed25519",'
    '"kid":"poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U",'
    '"x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs","use":"sig"}]}'
)
DIRECTORY_DIGEST = "sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:"
DIRECTORY_SIGNATURE = "l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/UMkBxsigzChM1Gpz7gOVBg=="


def fields_of(*fields: dict[str, str]) -> Message:
    """Return header fields, whose names have no case."""
    message = Message()
    for group in fields:
        for name, value in group.items():
            message[name] = value
    return message


# -- vectors -----------------------------------------------------------------------------


def test_the_vector_of_the_rfc_has_its_base_and_signature() -> None:
    signed = sign(KEY, COMPONENTS, PARAMETERS)
    assert signed["Signature"] == f"sig1=:{SIGNATURE}:"
    message = fields_of(FIELDS, signed)
    url = "https://Example.com:443/foo?param=Value&Pet=dog"
    assert signature_base("sig1", "POST", url, message) == BASE
    found = verify(KEY.public_key(), "sig1", "POST", url, message)
    assert found == {"created": 1618884473, "keyid": "test-key-ed25519"}


@pytest.mark.parametrize("form", ["dictionary", "string"])
def test_vectors_of_the_draft_are_met(form: str) -> None:
    name, expires, signature = DRAFT[form]
    parameters = (
        f';created=1735689600;keyid="{KEY_ID}";alg="ed25519";expires={expires}'
        f';nonce="{NONCES[form]}";tag="web-bot-auth"'
    )
    agent = '"https://signature-agent.test"'
    signed = sign(KEY, {'"@authority"': "example.com", name: agent}, parameters)
    assert signed["Signature"] == f"sig1=:{signature}:"


def test_the_directory_is_that_of_the_draft() -> None:
    body, headers = Signer(KEY, "signature-agent.test").sign_directory()
    assert headers["Content-Type"] == (
        "application/http-message-signatures-directory+json"
    )
    # The draft's example, whose members are in another order.
    assert json.loads(body) == json.loads(DIRECTORY)
    components = {
        '"@authority";req': "signature-agent.test",
        '"content-digest"': DIRECTORY_DIGEST,
    }
    parameters = (
        f';created=1735689600;expires=4889289600;keyid="{KEY_ID}"'
        ';tag="http-message-signatures-directory"'
    )
    signed = sign(KEY, components, parameters)
    assert signed["Signature"] == f"sig1=:{DIRECTORY_SIGNATURE}:"
    # Of the directory itself: the request's authority stands for the response's.
    own = headers["Signature-Input"]
    assert own.startswith('sig1=("@authority";req "content-digest");created=')
    message = fields_of(headers)
    found = verify(
        KEY.public_key(),
        "sig1",
        "GET",
        "https://signature-agent.test/",
        message,
    )
    assert found["tag"] == "http-message-signatures-directory"
    assert "d" not in json.loads(body)["keys"][0]


# -- requests ----------------------------------------------------------------------------


@pytest.mark.parametrize("is_string", [False, True])
def test_a_request_is_signed_for_its_host_and_for_minutes(*, is_string: bool) -> None:
    signer = Signer(KEY, "www.example.org", is_string=is_string)
    before = int(time.time())
    signed = signer.sign_request("shop.example.com")
    address = '"https://www.example.org/.well-known/http-message-signatures-directory"'
    agent = address if is_string else f"sig1={address}"
    assert signed["Signature-Agent"] == agent
    message = fields_of(signed)
    url = "https://shop.example.com/any?page=1"
    found = verify(KEY.public_key(), "sig1", "GET", url, message)
    assert [*found] == ["created", "expires", "keyid", "alg", "nonce", "tag"]
    assert before <= int(found["created"]) <= time.time()
    assert int(found["expires"]) - int(found["created"]) == 300
    assert (found["keyid"], found["tag"]) == (KEY_ID, "web-bot-auth")
    other = signer.sign_request("shop.example.com")
    assert other["Signature"] != signed["Signature"]
    with pytest.raises(InvalidSignature):
        verify(
            KEY.public_key(),
            "sig1",
            "GET",
            "https://other.example.com/",
            message,
        )
    # Whoever names another directory has to sign it.
    del message["Signature-Agent"]
    message["Signature-Agent"] = agent.replace("example.org", "example.net")
    with pytest.raises(InvalidSignature):
        verify(KEY.public_key(), "sig1", "GET", url, message)


# -- keys --------------------------------------------------------------------------------


def test_a_key_is_read_as_pem_and_as_jwk() -> None:
    for data in (PEM, json.dumps(JWK).encode(), b"\n" + json.dumps(JWK).encode()):
        assert read_key(data).private_bytes_raw() == KEY.private_bytes_raw()


def test_a_key_that_is_made_can_be_read_by_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    make_key(path)
    assert path.stat().st_mode & 0o077 == 0
    key = read_key(path.read_bytes())
    assert len(key.private_bytes_raw()) == 32
    with pytest.raises(FileExistsError):
        make_key(path)


def pem_of(key: Ed25519PrivateKey | X25519PrivateKey, password: bytes = b"") -> bytes:
    encryption = (
        serialization.BestAvailableEncryption(password)
        if password
        else serialization.NoEncryption()
    )
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption
    )


WRONG = {
    "nothing": b"",
    "text": b"secret",
    "public": KEY.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    ),
    "passphrase": pem_of(KEY, b"secret"),
    "other type": pem_of(X25519PrivateKey.generate()),
    "public JWK": json.dumps({**JWK, "d": None}).encode(),
    "JWK without d": b'{"kty":"OKP","crv":"Ed25519"}',
    "JWK of another curve": json.dumps({**JWK, "crv": "X25519"}).encode(),
    "short JWK": json.dumps({**JWK, "d": "n4Ni"}).encode(),
    "no JSON": b"{",
}


def settings_with(key: Path, contact: str) -> dict[str, str]:
    return {
        "FETCH_SIGNING_KEY": str(key),
        "FETCH_SIGNING_FORM": "dictionary",
        "FETCH_CONTACT": contact,
    }


@pytest.mark.parametrize("name", [*WRONG, "missing"])
def test_a_wrong_key_is_one_line(name: str, tmp_path: Path) -> None:
    path = tmp_path / "key"
    if name in WRONG:
        path.write_bytes(WRONG[name])
    with pytest.raises(SettingError) as caught:
        Signer.from_settings(settings_with(path, "https://example.org/"))
    said = str(caught.value)
    assert said.startswith(f"FETCH_SIGNING_KEY={path}: ")
    assert "make one with scrapy init --signing-key FILE" in said
    assert "\n" not in said
    assert KEY.private_bytes_raw().hex() not in said
    assert JWK["d"] not in said


@pytest.mark.parametrize(
    ("contact", "host"),
    [
        ("https://Example.org/crawler", "example.org"),
        ("me@example.org https://example.org:8443", "example.org:8443"),
        ("(https://a.example.org), b", "a.example.org"),
        ("me@example.org", ""),
        ("http://example.org/", ""),
        ("https://me@example.org/", ""),
        ('https://a"b.example.org/', ""),
        ("", ""),
    ],
)
def test_the_directory_is_on_the_host_of_the_contact(
    contact: str, host: str, tmp_path: Path
) -> None:
    path = tmp_path / "key.pem"
    path.write_bytes(PEM)
    settings = settings_with(path, contact)
    if not host:
        with pytest.raises(SettingError, match=re.escape(f"FETCH_CONTACT={contact}: ")):
            Signer.from_settings(settings)
        return
    expected = f"https://{host}/.well-known/http-message-signatures-directory"
    assert Signer.from_settings(settings).address == expected


def test_the_key_id_is_the_thumbprint_of_the_rfc() -> None:
    # RFC 8037, appendix A.
    secret = urlsafe_b64decode("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=")
    key = Ed25519PrivateKey.from_private_bytes(secret)
    signed = Signer(key, "example.org").sign_request("example.com")
    assert "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k" in signed["Signature-Input"]


def test_scrapy_takes_the_fields_in_place_of_older_ones() -> None:
    signer = Signer(KEY, "example.org")
    headers = Headers({"signature": "old", "Accept": "text/html"})
    headers.update(signer.sign_request("example.com"))
    assert headers.getlist("Signature") != [b"old"]
    assert len(headers.getlist("Signature")) == 1
