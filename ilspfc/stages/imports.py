"""A corpus of cesDoc files that no crawl of ours has made."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ilspfc.atomic import open_atomic
from ilspfc.cleaning import count_clean_tokens
from ilspfc.corpus.files import CorpusFiles
from ilspfc.corpus.index import CorpusIndex
from ilspfc.corpus.texts import text_digest
from ilspfc.corpus.xml import format_document
from ilspfc.corpus.xml_reader import read_document
from ilspfc.documents import document_id
from ilspfc.exceptions import CorpusError
from ilspfc.language.codes import to_iso639_3
from ilspfc.pipelines.export import make_entry

if TYPE_CHECKING:
    from pathlib import Path

    from ilspfc.documents import Document


def import_folder(source: Path, root: Path) -> int:
    """Make the corpus of the cesDoc files in a folder; return how many there are.

    Documents without a URL are known by their file name; links are not in the files.
    CorpusError for a folder without such files, an unreadable file, a document that names
    no language, and a folder that holds a corpus already.
    """
    paths = sorted(source.glob("*.xml"))
    if not paths:
        raise CorpusError(f"{source}: no *.xml there; give a folder of cesDoc files")
    files = CorpusFiles(root)
    if files.index.exists():
        raise CorpusError(f"{root}: holds a corpus already; give another folder")
    documents = [_read(path) for path in paths]
    files.documents.mkdir(parents=True, exist_ok=True)
    with CorpusIndex(files.index) as index:
        index.add_run({"langs": sorted({d.lang for d in documents}), "imported": True})
        for document in documents:
            name = files.document_name(document.lang, document.id)
            with open_atomic(files.documents / name, sync=False) as stream:
                stream.write(format_document(document))
            index.add_document(
                make_entry(
                    document,
                    name,
                    (len(document.paragraphs), len(document.clean_paragraphs)),
                ),
                (),
                (),
                digest=text_digest(document),
            )
    return len(documents)


def _read(path: Path) -> Document:
    document = read_document(path)
    url = document.url or f"file:///{path.name}"
    if not document.lang:
        raise CorpusError(
            f'{path}: names no language; give it as <language iso639="de"/>'
        )
    document = replace(
        document,
        id=document_id(url),
        url=url,
        lang=to_iso639_3(document.lang),
    )
    document.tokens = count_clean_tokens(document.paragraphs)
    return document
