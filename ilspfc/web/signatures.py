"""Signed requests: RFC 9421 with Ed25519, as Web Bot Auth has it.

The profile is that of draft-ietf-webbotauth-httpsig-protocol-01 (October 2026).
"""

from __future__ import annotations

import json
import re
import time
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from secrets import token_bytes
from typing import Any, Self

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ilspfc.exceptions import SettingError

_DIRECTORY = "http-message-signatures-directory"
# A signature covers no more than host and agent: whoever sees it can use it for as long.
_REQUEST_SECONDS = 300
# The directory is a file, whose signature only the command that made it renews.
_DIRECTORY_SECONDS = 365 * 86_400
_HTTPS_RE = re.compile(r"https://([\w.-]+(?::\d+)?)(?=[/?#\s,;)]|$)", re.ASCII)


def read_host(contact: str) -> str:
    """Return the host of the https address in ``FETCH_CONTACT``; SettingError without one."""
    if (match := _HTTPS_RE.search(contact.lower())) is None:
        raise SettingError(
            f"FETCH_CONTACT={contact}: no https address (in ASCII), on whose host the key of"
            " FETCH_SIGNING_KEY is published; give one, also beside an e-mail address"
        )
    return match[1]


def make_key(path: Path) -> None:
    """Write a new private key to a file that only its owner can read."""
    path.touch(0o600, exist_ok=False)
    pem, pkcs8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    key = Ed25519PrivateKey.generate()
    path.write_bytes(key.private_bytes(pem, pkcs8, serialization.NoEncryption()))


def read_key(data: bytes) -> Ed25519PrivateKey:
    """Return the key of a PEM or JWK file (RFC 8037); errors of many types for another."""
    if data.lstrip().startswith(b"{"):
        jwk = json.loads(data)
        if jwk["crv"] == "Ed25519":
            secret = urlsafe_b64decode(jwk["d"] + "==")
            return Ed25519PrivateKey.from_private_bytes(secret)
    else:
        key = serialization.load_pem_private_key(data, None)
        if isinstance(key, Ed25519PrivateKey):
            return key
    raise TypeError("the key is of another type")


def sign(
    key: Ed25519PrivateKey, components: Mapping[str, str], parameters: str
) -> dict[str, str]:
    """Return the header fields Signature-Input and Signature (RFC 9421, section 3.1).

    ``components`` are values by their identifiers, both serialized; ``parameters`` begin
    with a semicolon.
    """
    covered = f"({' '.join(components)}){parameters}"
    lines = [f"{name}: {value}" for name, value in components.items()]
    base = "\n".join([*lines, f'"@signature-params": {covered}'])
    signature = b64encode(key.sign(base.encode("ascii"))).decode()
    return {"Signature-Input": f"sig1={covered}", "Signature": f"sig1=:{signature}:"}


class Signer:
    """Signs requests with a key that is published on the host of the operator's page.

    ``is_string`` names its directory as earlier drafts do: a string, in place of a dictionary.
    """

    def __init__(
        self, key: Ed25519PrivateKey, host: str, *, is_string: bool = False
    ) -> None:
        self._key, self._host = key, host
        self.address = f"https://{host}/.well-known/{_DIRECTORY}"
        self._agent = f'"{self.address}"' if is_string else f'sig1="{self.address}"'
        self._name = '"signature-agent"' + ';key="sig1"' * (not is_string)
        public = _to_base64url(key.public_key().public_bytes_raw())
        # Without blanks, in the order of the names: so is the thumbprint taken (RFC 7638).
        self._jwk = {"crv": "Ed25519", "kty": "OKP", "x": public}
        self._id = _to_base64url(sha256(_dump(self._jwk).encode()).digest())

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Self:
        """Return the signer of ``FETCH_SIGNING_KEY``; SettingError for a wrong key or contact."""
        path, host = settings["FETCH_SIGNING_KEY"], read_host(settings["FETCH_CONTACT"])
        try:
            key = read_key(Path(path).read_bytes())
        except Exception as error:
            raise SettingError(
                f"FETCH_SIGNING_KEY={path}: no private Ed25519 key in PEM or JWK ({error});"
                " make one with scrapy init --signing-key FILE"
            ) from error
        is_string = settings["FETCH_SIGNING_FORM"] == "string"
        return cls(key, host, is_string=is_string)

    def sign_request(self, authority: str) -> dict[str, str]:
        """Return the header fields of a request to a host, valid for five minutes."""
        components = {'"@authority"': authority, self._name: f'"{self.address}"'}
        parameters = self._describe("web-bot-auth", _REQUEST_SECONDS)
        signed = sign(self._key, components, parameters)
        return {"Signature-Agent": self._agent, **signed}

    def sign_directory(self) -> tuple[str, dict[str, str]]:
        """Return the directory, a JWK Set, and the header fields to serve it with for a year."""
        body = _dump({"keys": [{**self._jwk, "kid": self._id, "use": "sig"}]})
        digest = f"sha-256=:{b64encode(sha256(body.encode()).digest()).decode()}:"
        components = {'"@authority";req': self._host, '"content-digest"': digest}
        signed = sign(
            self._key, components, self._describe(_DIRECTORY, _DIRECTORY_SECONDS)
        )
        content_type = f"application/{_DIRECTORY}+json"
        return body, {"Content-Type": content_type, "Content-Digest": digest, **signed}

    def _describe(self, tag: str, seconds: int) -> str:
        """Return the parameters of a signature that holds from now on."""
        now, nonce = int(time.time()), b64encode(token_bytes(64)).decode()
        return (
            f';created={now};expires={now + seconds};keyid="{self._id}";alg="ed25519"'
            f';nonce="{nonce}";tag="{tag}"'
        )


def _dump(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _to_base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
