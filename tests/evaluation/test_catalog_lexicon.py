"""Lexicons learned from message catalogs."""

from __future__ import annotations

import json
import struct
from pathlib import Path

from evaluation.catalog_lexicon import SITE, learn_rows, read_annotations, read_messages

HEADER = ("", "Content-Type: text/plain; charset=UTF-8\n")


def write_catalog(path: Path, *messages: tuple[str, str]) -> None:
    """Write a catalog in gettext's binary format, version 0."""
    encoded = [tuple(text.encode() for text in pair) for pair in sorted(messages)]
    tables, texts, start = [], b"", 28 + 16 * len(encoded)
    for side in (0, 1):
        for pair in encoded:
            tables.append(struct.pack("<2I", len(pair[side]), start + len(texts)))
            texts += pair[side] + b"\0"
    head = struct.pack(
        "<7I", 0x950412DE, 0, len(encoded), 28, 28 + 8 * len(encoded), 0, 0
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(head + b"".join(tables) + texts)


def test_messages_are_read_without_text_for_machines(tmp_path: Path) -> None:
    folder = tmp_path / "usr" / "share" / "locale"
    write_catalog(
        folder / "uk_UA" / "LC_MESSAGES" / "one.mo",
        HEADER,
        ("_Open %s", "_Відкрити %s"),
        ("menu\x04<b>File</b>", "<b>Файл</b>"),
    )
    (folder / "uk" / "LC_MESSAGES").mkdir(parents=True)
    (folder / "uk" / "LC_MESSAGES" / "broken.mo").write_bytes(b"none")

    found = read_messages(folder, 7)

    assert found == {"uk": {(7, "Open "): "Відкрити ", (7, "File"): "Файл"}}


def test_names_and_keywords_of_emoji_are_messages(tmp_path: Path) -> None:
    for code, name, keywords in (
        ("en", "cat face", ["cat", "pet"]),
        ("de", "Katzengesicht", ["Haustier", "Katze"]),
        ("de-CH", "Büsi", ["Büsi"]),
    ):
        emoji = {"🐱": {"default": keywords, "tts": [name]}}
        path = tmp_path / "annotations" / code / "annotations.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps({"annotations": {"annotations": emoji}}))

    assert read_annotations([tmp_path], 7) == {
        "de": {(7, "cat face"): "Katzengesicht", (8, "cat | pet"): "Haustier | Katze"}
    }


def test_what_two_packages_say_becomes_an_entry() -> None:
    pairs = [
        (0, "file", "Файл"),
        (1, "file", "Файл"),
        (0, "print", "Друк"),
        (0, "print", "Друк"),
    ]
    rows = learn_rows(("eng", "ukr"), pairs)
    assert [(row[0], row[1], row[4], row[5]) for row in rows] == [
        ("file", "файл", "2", SITE)
    ]
