"""The fingerprint of a document: the paper's figure 2 and what it leaves open."""

from __future__ import annotations

import pytest

from ilspfc.documents import CrawlInfo, Paragraph, ParagraphType
from ilspfc.pairing.page_content import make_fingerprint, ratio

# The last paragraph of the figure. Our transcription of the paper has 741 characters,
# one more than the paper counts; its full stop is left out.
LAST = (
    "Nonostante i molti sforzi compiuti nella prevenzione degli infortuni sul lavoro e nel"
    " tempo libero ogni anno accadono oltre 2500 infortuni con conseguenze invalidanti o"
    " mortali. In questi casi si versa una rendita per invalidità agli infortunati oppure"
    " una rendita per orfani o vedovile ai superstiti. Nello stesso anno in cui attribuisce"
    " una rendita, la Suva provvede ad accantonare i mezzi necessari a pagare le rendite"
    " future. La maggior parte del patrimonio investito dalla Suva è rappresentato proprio"
    " da questi mezzi, ossia dal capitale di copertura delle rendite. La restante parte del"
    " patrimonio è costituita da accantonamenti per prestazioni assicurative a breve termine"
    " come le spese di cura, le indennità giornaliera e le riserve"
)
FIGURE_2 = [
    Paragraph("Strategia degli investimenti", ParagraphType.TITLE),
    Paragraph(
        "I ricavi degli investimenti sono un elemento essenziale per finanziare le rendite"
        " e mantenere il potere d'acquisto dei beneficiari delle rendite."
    ),
    Paragraph("Document:", ParagraphType.LISTITEM),
    Paragraph(
        'Factsheet "La strategia d\'investimento della Suva in sintesi" (Il link viene'
        " aperto in una nuova finestra)",
        ParagraphType.LISTITEM,
        CrawlInfo.BOILERPLATE,
    ),
    Paragraph(
        "Perché la Suva effettua investimenti finanziari?", ParagraphType.HEADING
    ),
    Paragraph(LAST, topic=("prevenzione degli infortuni", "infortunio sul lavoro")),
]


def test_the_fingerprint_of_figure_2() -> None:
    assert make_fingerprint(FIGURE_2) == (-2, 28, 145, -4, 9, -3, 48, -5, 740)


@pytest.mark.parametrize(
    ("paragraph", "codes"),
    [
        (Paragraph("fünf5"), (5,)),
        (Paragraph(""), (0,)),
        (Paragraph("fünf5", ParagraphType.LISTITEM, topic=("x",)), (-4, -5, 5)),
        (Paragraph("fünf5", ParagraphType.TITLE, topic=("x", "y")), (-2, -5, 5)),
        (Paragraph("fünf5", None, CrawlInfo.OOI_LENGTH), (5,)),
        (Paragraph("fünf5", None, CrawlInfo.OOI_LANG), (5,)),
        (Paragraph("fünf5", ParagraphType.TITLE, CrawlInfo.BOILERPLATE, topic=("x",)), ()),
    ],
)  # fmt: skip
def test_only_boilerplate_is_passed_over(
    paragraph: Paragraph, codes: tuple[int, ...]
) -> None:
    assert make_fingerprint([paragraph]) == codes


def test_a_document_without_text_has_an_empty_fingerprint() -> None:
    assert make_fingerprint([]) == ()


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [(1, 1, 1), (2, 4, 0.5), (4, 2, 0.5), (0, 3, 0), (3, 0, 0), (0, 0, 0)],
)
def test_a_ratio_is_the_smaller_over_the_larger(
    a: float, b: float, expected: float
) -> None:
    assert ratio(a, b) == expected
