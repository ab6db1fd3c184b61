"""Messages in archives that MHonArc writes: subject and text are the text of the page."""

from __future__ import annotations

from ilspfc.cleaning.page import clean_page
from ilspfc.documents import Document

HEAD = """<!-- MHonArc v2.6.19 -->
<!--X-Subject: Optionen -->
<!--X-From-R13: {} -->
<!--X-Date: {} -->
<!--X-Head-End-->
<html><head><title>Optionen</title></head><body>
"""
TOP = """<!--X-TopPNI--><hr>
[<a href="msg1.html">Date Prev</a>][<a href="msg3.html">Date Next</a>]
<!--X-TopPNI-End-->
"""
BODY = """<!--X-MsgBody--><!--X-Subject-Header-Begin--><h1>Optionen</h1><!--X-Subject-Header-End-->
<!--X-Head-of-Message--><ul><li><em>Date</em>: Sat, 04 Jan 2003 23:46:40 -0800</li></ul>
{}<!--X-Head-Body-Sep-Begin--><hr><!--X-Head-Body-Sep-End-->
<!--X-Body-of-Message--><pre>Hier legen Sie zusätzliche Sortieroptionen fest.
</pre>{}<!--X-Body-of-Message-End-->
"""
BOTTOM = """<!--X-MsgBody-End--><!--X-Follow-Ups--><hr>
<ul><li><strong>Follow-Ups</strong>: <a href="msg9.html">Re: Optionen</a></ul>
<!--X-Follow-Ups-End--><!--X-References--><!--X-References-End--><!--X-BotPNI-->
<ul><li>Prev by Date: <a href="msg1.html">Drucken</a></ul><!--X-BotPNI-End-->
<p>Mit freundlicher Unterstützung des Vereins."""
HEAD_END = "<!--X-Head-of-Message-End-->"
OWN = ["Optionen", "Hier legen Sie zusätzliche Sortieroptionen fest."]
FOOTER = "Mit freundlicher Unterstützung des Vereins."


def clean(
    *,
    sender: str = "Oaan [rvre &#60;naanNrknzcyr.bet>",
    date: str = "Sat, 04 Jan 2003 23:46:40 &#45;0800",
    head_end: str = HEAD_END,
    left_open: str = "",
    top: str = TOP,
    bottom: str = BOTTOM,
) -> Document:
    page = HEAD.format(sender, date) + top + BODY.format(head_end, left_open) + bottom
    url = "http://lists.example/msg2.html"
    document = clean_page(page.encode(), url=url, identity="a", backend="none")
    assert isinstance(document, Document)
    return document


def texts(document: Document) -> list[str]:
    return [paragraph.text for paragraph in document.paragraphs]


def test_what_surrounds_a_message_is_no_text_and_its_links_are_followed() -> None:
    document = clean()
    assert texts(document) == [*OWN, FOOTER]
    names = [link.url.rpartition("/")[2] for link in document.links]
    assert names == ["msg1.html", "msg3.html", "msg9.html", "msg1.html"]


def test_a_message_may_leave_elements_open_and_older_versions_comments_out() -> None:
    assert texts(clean(left_open="<p>Gruß, Anna Meier", head_end="")) == [
        *OWN,
        "Gruß, Anna Meier",
        FOOTER,
    ]


def test_a_frame_that_ends_inside_an_element_of_its_own_is_text() -> None:
    top = TOP.replace("<hr>", "<table><td>").replace("-End-->", "-End--></table>")
    assert texts(clean(top=top))[1:] == [*OWN, FOOTER]
    bottom = BOTTOM.replace("<!--X-BotPNI-End-->", "")
    assert texts(clean(bottom=bottom))[-1] == FOOTER


def test_a_message_has_a_date_and_an_author() -> None:
    metadata = clean().metadata
    assert (metadata.date, metadata.author) == ("2003-01-04", "Anna Meier")


def test_encoded_words_of_a_sender_are_read() -> None:
    encoded = "=?WEA&#45;8859&#45;1?C?X=TQetra_Aet?= &#60;wNrknzcyr.bet>"
    assert clean(sender=encoded).metadata.author == "Jürgen Org"


def test_a_sender_without_a_name_and_a_date_that_is_none_say_nothing() -> None:
    for sender in ("naanNrknzcyr.bet", "=?hgs&#45;8?o?O?= &#60;naanNrknzcyr.bet>"):
        metadata = clean(sender=sender, date="vorgestern").metadata
        assert (metadata.date, metadata.author) == ("", "")


def test_comments_outside_of_the_page_frame_nothing() -> None:
    page = "<!--X-TopPNI--><!--X-TopPNI-End-->" + HEAD + BODY + "</body></html>"
    document = clean_page(page.encode(), url="", identity="a", backend="none")
    assert isinstance(document, Document)
    assert texts(document)[0] == OWN[0]
