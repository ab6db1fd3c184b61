"""Terms of a file that a user gives as text: TBX, a thesaurus in SKOS, or a list."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from tempfile import TemporaryDirectory

from ilspfc.bootstrap.concepts import BootstrapLog, Subject
from ilspfc.bootstrap.definition_terms import define
from ilspfc.bootstrap.skos import iter_skos
from ilspfc.bootstrap.term_files import iter_tbx, iter_term_list
from ilspfc.classification.definition import Term
from ilspfc.exceptions import ArgumentError, BootstrapError

_SKOS = "http://www.w3.org/2004/02/skos/core#"
_STEPS, _MAX_CONCEPTS = 5, 5000


def read_terms(text: str, langs: Collection[str], concept: str) -> list[Term]:
    """Return the terms in some languages (ISO 639-3), with weights up to 100.

    Of a thesaurus those of a concept and of narrower ones are taken. ArgumentError for a text
    in no known format and for an unknown concept.
    """
    log, wanted = BootstrapLog(), tuple(langs)
    # Turtle ends with a full stop, a list with a term.
    is_xml = text.rstrip().endswith(">")
    with TemporaryDirectory() as folder:
        path = Path(folder) / ("import.xml" if is_xml else "import.ttl")
        path.write_text(text, encoding="utf-8")
        concepts = (
            iter_skos(path, Subject(concept, wanted, _STEPS, _MAX_CONCEPTS), log)
            if _SKOS in text
            else (
                iter_tbx(path, wanted) if is_xml else iter_term_list(path, wanted, log)
            )
        )
        try:
            definition = define(list(concepts), wanted, log, keeps_names=True)
        except BootstrapError as error:
            raise ArgumentError(str(error).replace(str(path), "import")) from error
    return [
        Term(one.weight, one.text, tuple(filter(None, [one.subdomain])), one.lang)
        for one in definition.terms
    ]
