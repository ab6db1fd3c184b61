"""Small PDF and Word files that tests make themselves, and compression by zstd."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Iterable, Mapping, Sequence

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["CORE", "WORD", "make_docx", "make_pdf", "zstd"]

# Left, baseline from below, type size, text.
Text = tuple[float, float, float, str]

WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
CORE = (
    'xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"'
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"'
)


def _show(left: float, bottom: float, size: float, text: str) -> bytes:
    data = text.encode("cp1252")
    for char in b"\\()":
        data = data.replace(bytes([char]), b"\\" + bytes([char]))
    return b"BT /F1 %g Tf %g %g Td (%s) Tj ET\n" % (size, left, bottom, data)


def make_pdf(
    pages: Iterable[Sequence[Text]],
    info: str = "",
    catalog: str = "",
    xmp: bytes = b"",
    coding: bytes = b"",
) -> bytes:
    """Return a PDF in Helvetica on A4 (595 by 842 points); ``xmp`` is as ``coding`` has it."""
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    objects = [b"", b"", font, b"<< %s >>" % info.encode("latin-1")]
    kids = []
    for texts in pages:
        content = b"".join(_show(*text) for text in texts)
        objects.append(
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content)
        )
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R"
            b" /Resources << /Font << /F1 3 0 R >> >> >>" % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    if xmp:
        objects.append(
            b"<< /Type /Metadata /Subtype /XML /Length %d %s >>\nstream\n%s\nendstream"
            % (len(xmp), coding, xmp)
        )
        catalog += f" /Metadata {len(objects)} 0 R"
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog.encode("latin-1")
    objects[1] = b"<< /Type /Pages /Kids [%s] /Count %d >>" % (
        b" ".join(kids),
        len(kids),
    )
    out, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    return out + (
        b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\n"
        b"startxref\n%d\n%%%%EOF\n" % (size, table, size, len(out))
    )


def column(
    left: float, top: float, lines: Iterable[str], size: float = 11
) -> list[Text]:
    """Return lines one below the other."""
    return [(left, top - 1.25 * size * n, size, line) for n, line in enumerate(lines)]


def word_paragraph(text: str, style: str = "", extra: str = "") -> str:
    """Return a paragraph of a Word file."""
    mark = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{mark}{extra}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def make_docx(body: str, parts: Mapping[str, bytes | str] | None = None) -> bytes:
    """Return a Word file with the German names of its styles."""
    styles = "".join(
        f'<w:style w:styleId="{style}"><w:name w:val="{name}"/></w:style>'
        for style, name in (("Titel", "Title"), ("berschrift1", "heading 1"))
    )
    core = (
        "<dc:title>Leitern prüfen</dc:title><dc:creator>Fachstelle</dc:creator>"
        "<dcterms:created>2024-02-29T08:00:00Z</dcterms:created>"
    )
    files: dict[str, bytes | str] = {
        "word/document.xml": f"<w:document {WORD}><w:body>{body}</w:body></w:document>",
        "word/styles.xml": f"<w:styles {WORD}>{styles}</w:styles>",
        "docProps/core.xml": f"<cp:coreProperties {CORE}>{core}</cp:coreProperties>",
        **(parts or {}),
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()
