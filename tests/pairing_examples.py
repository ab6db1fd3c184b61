"""Documents as pairing looks at them, with as little said as a test needs."""

from __future__ import annotations

from ilspfc.pairing.page_content import PairingDocument, VersionLink

MARKS = {
    "deu": frozenset({"de", "deu", "ger", "deutsch", "german"}),
    "ita": frozenset({"it", "ita", "italiano", "italian"}),
}


def german(name: str, **features: object) -> PairingDocument:
    """Return a German document."""
    return _document(name, "deu", features)


def italian(name: str, **features: object) -> PairingDocument:
    """Return an Italian document."""
    return _document(name, "ita", features)


def _document(name: str, lang: str, features: dict[str, object]) -> PairingDocument:
    values: dict[str, object] = {
        "url": f"http://example.org/{name}",
        "depth": 1,
        "paragraphs": 10,
        "tokens": 100,
        "fingerprint": (),
    }
    values.update(features)
    return PairingDocument(id=name, lang=lang, **values)  # type: ignore[arg-type]


def by_id(*documents: PairingDocument) -> dict[str, PairingDocument]:
    """Return the documents by their ids."""
    return {document.id: document for document in documents}


def declared(*targets: str) -> tuple[VersionLink, ...]:
    """Return declared links (hreflang) to versions."""
    return tuple(VersionLink(target, is_declared=True) for target in targets)


def switcher(*targets: str) -> tuple[VersionLink, ...]:
    """Return links of a language switcher."""
    return tuple(VersionLink(target, is_declared=False) for target in targets)
