"""Text on the screen is text of the page, whatever its markup is; other text is not."""

from __future__ import annotations

import pytest
from lxml import etree

from ilspfc.cleaning.blocks.markup import attach_shadow_trees, read_tree
from ilspfc.cleaning.blocks.walk import read_blocks


def texts(html: str) -> list[str]:
    root = etree.fromstring(f"<body>{html}", etree.HTMLParser())
    attach_shadow_trees(root)
    return [block.text for block in read_blocks(root, keep_hidden=True).blocks]


PANEL = "<div><p>Im Spätsommer, wenn die Völker ruhig sind und wenig Brut haben."
QUESTION = "Wann vereinigt man?"


@pytest.mark.parametrize(
    "html",
    [
        f"<h3><button>{QUESTION}</button></h3>",
        f"<h2><span><button class=x>{QUESTION}<svg></svg></button></span></h2>",
        f"<dl><dt><button>{QUESTION}</button><dd>Spät.</dl>",
        f"<table><tr><th><button>{QUESTION}</button></table>",
        f"<button aria-expanded=false>{QUESTION}</button>{PANEL}",
        f"<div><div><button aria-controls=x>{QUESTION}</button></div>{PANEL}</div>",
        f"<button class=accordion>{QUESTION}</button>{PANEL}",
        f"<button class='faq__toggle'><b>{QUESTION}</b></button><hr>{PANEL}",
        f"<button onclick=show('p7')>{QUESTION}</button><div id=p7{PANEL[4:]}",
        f"<form id=aspnet><h1>Bienen</h1><button aria-expanded=true>{QUESTION}</button>{PANEL}",
    ],
)
def test_the_label_of_a_button_is_a_heading(html: str) -> None:
    assert QUESTION in texts(html)


@pytest.mark.parametrize(
    ("link", "behind", "is_button"),
    [
        ("href='#' class=accordion-title", PANEL, True),
        ("href='#p' aria-expanded=false", f"<!-- --><hr>{PANEL}", True),
        # To another page, without a sign, before a menu, beside another link, in a bar of tabs.
        ("href=/p class=accordion-title", PANEL, False),
        ("href='#p'", PANEL, False),
        ("href='#' class=dropdown-toggle", "<ul><li><a href=/a>Alle</a></ul>", False),
        ("href='#' class=toggle", f"<a href='#'>Mehr</a>{PANEL}", False),
        ("href='#p' aria-controls=p", f"</ul>{PANEL}<ul>", False),
    ],
)
def test_a_link_that_shows_the_text_behind_it_is_a_button(
    link: str, behind: str, is_button: bool
) -> None:
    root = read_tree(f"<ul><li><a {link}>{QUESTION}</a>{behind}</ul>".encode())
    assert root is not None
    first = next(root.iter("a", "button"))
    assert (first.tag == "button") is is_button
    blocks = read_blocks(root, keep_hidden=True).blocks
    assert blocks[0].text.startswith(QUESTION)
    assert (blocks[0].link_words == 0) is is_button


@pytest.mark.parametrize(
    ("heading", "linked"),
    [
        ("<h1 id=x><a href='#x'>Weg</a></h1>", 0),
        ("<h1><a id=x href='#x'>Weg</a></h1>", 0),
        ("<section id=x><h1><a href='#x'>Weg</a></h1></section>", 0),
        ("<h1 id=x><a href='#y'>Weg</a></h1>", 1),
        ("<h1 id=x><a href='#x'>#</a><a href=b>Weg</a></h1>", 1),
        ("<p id=x><a href='#x'>Weg</a>", 1),
    ],
)
def test_words_of_a_heading_are_no_link_to_where_it_stands(
    heading: str, linked: int
) -> None:
    root = read_tree(f"<body>{heading}".encode())
    assert root is not None
    (block,) = read_blocks(root).blocks
    assert (block.text, block.link_words) == ("Weg", linked)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("Man drückt <button>Start</button>, dann wartet man.", "Man drückt Start, dann wartet man."),
        ("Man drückt<button>Start</button>und wartet.", "Man drückt Start und wartet."),
        ("Zum Schluss <button>Ende</button>.", "Zum Schluss Ende."),
        ("<button>Hier</button> geht es weiter.", "Hier geht es weiter."),
        ("Die <b>Taste</b> <button>Neu</button> Daten lädt sie.", "Die Taste Neu Daten lädt sie."),
        ("点击<button>保存</button>即可", "点击 保存 即可"),
    ],
)  # fmt: skip
def test_the_label_of_a_button_is_part_of_a_sentence(html: str, text: str) -> None:
    assert texts(f"<p>{html}</p>") == [text]


@pytest.mark.parametrize(
    "html",
    [
        "<button>Abonnieren</button>",
        f"<button>Teilen</button>{PANEL}",
        f"<button onclick=share(page)>Teilen</button><div id=p{PANEL[4:]}",
        "<div><button>Teilen</button><button>Drucken</button></div>",
        "<p>Unser Brief kommt einmal im Monat. <button>Abonnieren</button></p>",
        "<form><p>Ihre Adresse <button>senden</button> an uns.</p></form>",
        "<form>Name <input> <button aria-expanded=true>Hilfe</button></form>",
        "<nav><button aria-expanded=false aria-controls=m>Menü</button><ul id=m><li>x</ul></nav>",
        (
            "<div><button aria-expanded=false>Mehr</button><ul><li><a href=1>Erste Seite dort</a>"
            "<li><a href=2>Zweite Seite dort</a></ul></div>"
        ),
        "<h2>Überschrift <button>Bearbeiten</button></h2>",
        "<pre><button>Kopieren</button>import waage</pre>",
        f"<button class='btn-copy' aria-expanded=false>Kopieren</button>{PANEL}",
        f"<button hidden aria-expanded=false>Frage?</button>{PANEL}",
        "<p>Der Wert ist <button type=submit>12 übernehmen</button> gut.</p>",
    ],
)
def test_a_command_is_no_text(html: str) -> None:
    labels = etree.fromstring(f"<body>{html}", etree.HTMLParser()).iter("button")
    found = " ".join(texts(html))
    assert not any("".join(map(str, label.itertext())) in found for label in labels)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<x-a><template shadowrootmode=open><p>Schatten</template></x-a>", ["Schatten"]),
        ("<x-a><template shadowrootmode=CLOSED><p>Schatten</template>Licht</x-a>", ["Schatten"]),
        ("<x-a><template shadowroot=open><p>Schatten</template></x-a>", ["Schatten"]),
        ("<x-a><template><p>Vorlage</template>Licht</x-a>", ["Licht"]),
        ("<x-a><template shadowrootmode=none><p>Vorlage</template>Licht</x-a>", ["Licht"]),
        (
            ("<x-a><template shadowrootmode=open><p><slot name=b>Ersatz</slot><p><slot></slot>"
            "<p><slot name=c>Ersatz</slot></template>Ein <b>Licht</b> hier <i slot=b>Name</i></x-a>"),
            ["Name", "Ein Licht hier", "Ersatz"],
        ),
        (
            ("<x-a><template shadowrootmode=open><x-b><template shadowrootmode=open><p>innen "
            "<slot></slot></template><slot></slot></x-b></template>Licht</x-a>"),
            ["innen Licht"],
        ),
        (
            ("<x-a><template shadowrootmode=open><p>erste</template>"
            "<template shadowrootmode=open><p>zweite</template></x-a>"),
            ["erste"],
        ),
        ("<x-a><template shadowrootmode=open><p><slot></slot></template>Ein\fLi\x01cht</x-a>", ["Ein Licht"]),
    ],
)  # fmt: skip
def test_a_host_shows_its_shadow_tree(html: str, expected: list[str]) -> None:
    assert texts(html) == expected


LONG = "Die Bienen leben in großen Völkern, und die Königin legt im Sommer Eier. "


@pytest.mark.parametrize(
    "names",
    [
        "class=sr-only",
        "class='btn visually-hidden'",
        "class=screen-reader-text",
        "class=u-visuallyhidden",
        "class=styles_srOnly__x1",
        "class=euiScreenReaderOnly",
        "class=element-invisible",
        "class=show-for-sr",
        "class='sr-only focus:not-sr-only'",
        "class=a-offscreen",
        "style='position:absolute; clip: rect(0 0 0 0)'",
        "style='clip:rect(1px, 1px, 1px, 1px)'",
        "style='position:absolute;width:1px;height:1px;overflow:hidden'",
        "style='position: absolute; left: -9999px'",
    ],
)
def test_text_for_screen_readers_alone_is_no_text(names: str) -> None:
    html = f"<h1>Bienen</h1><p>Im <a href=x>Buch<span {names}> (neues Fenster)</span></a> steht es."
    page = read_blocks(etree.fromstring(html, etree.HTMLParser()))
    assert [block.text for block in page.blocks] == ["Bienen", "Im Buch steht es."]
    # The name of a link that is a picture: as its alternative text.
    assert (page.anchors[0].text, page.anchors[0].title) == ("Buch", "(neues Fenster)")
    assert texts(f"<h1>Bienen</h1><p>x<div {names}><h2>Menü</h2><p>a</div>") == [
        "Bienen",
        "x",
    ]


@pytest.mark.parametrize(
    "names",
    [
        "class=not-sr-only",
        "class='sr-only md:not-sr-only'",
        "class=md:sr-only",
        "class=hide-from-screen-readers",
        "class=screen-reader-friendly",
        "style='clip: auto; width: 1px'",
        "style='border-width:1px;height:1px;overflow:hidden'",
        "style='text-indent: -20px'",
    ],
)
def test_names_that_do_not_hide_text(names: str) -> None:
    assert texts(f"<h1>Bienen</h1><p>Im <span {names}>neuen</span> Buch") == ["Bienen", "Im neuen Buch"]  # fmt: skip


@pytest.mark.parametrize(
    ("html", "kept"),
    [
        (f"<h1 class=sr-only>Bienen</h1><h2>Volk</h2><p>{LONG}", "Bienen"),
        (f"<div class=sr-only><h1>Bienen</h1></div><p>{LONG}", "Bienen"),
        (f"<h1><span class=visually-hidden>Bienen</span><img src=x></h1><p>{LONG}", "Bienen"),
        (f"<h2 class=sr-only>Bienen</h2><p>{LONG}", "Bienen"),
        (f"<main class=visually-hidden><p>{LONG * 9}</main><p>Fuß", (LONG * 9).strip()),
    ],
)  # fmt: skip
def test_the_only_heading_and_the_main_text_stay(html: str, kept: str) -> None:
    assert kept in texts(html)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("Der Korb <span aria-hidden=true>wiegt</span> viel.", "Der Korb wiegt viel."),
        ("Plan <b aria-hidden=true>B</b> gilt.", "Plan B gilt."),
        ("Am <span aria-hidden=true>5. 1.</span><span class=sr-only>fünften Januar</span> schwärmt es.", "Am 5. 1. schwärmt es."),
        ("<span aria-hidden=true>B</span><span aria-hidden=true>ie</span><span aria-hidden=true>ne</span>", "Biene"),
        ("Weiter <i class='fa fa-right' aria-hidden=true>x</i>", "Weiter"),
        ("Weiter <span class=material-icons aria-hidden=true>chevron</span>", "Weiter"),
        ("Weiter <span aria-hidden=true>arrow_forward</span>", "Weiter"),
        ("Honig <span aria-hidden=true>★★★☆</span>", "Honig"),
        ("Honig <a aria-hidden=true href=#honig>Link</a>", "Honig"),
        ("Honig <span aria-hidden=true class=tooltip>vom Imker</span>", "Honig"),
        ("Honig <span aria-hidden=true style=display:none>vom Imker</span>", "Honig"),
        ("<span>Honig</span><span aria-hidden=true>Honig</span>", "Honig"),
        ("<span class=sr-only>Ein Volk</span><span aria-hidden=true><b>Ein</b><b>Volk</b></span>", "Ein Volk"),
        ("Es gilt <span><math><mi>x</mi></math></span><span aria-hidden=true>x</span> hier", "Es gilt hier"),
    ],
)  # fmt: skip
def test_visible_words_are_text_and_decoration_is_not(html: str, text: str) -> None:
    assert texts(f"<h1>Bienen</h1><p>{html}") == ["Bienen", text]


@pytest.mark.parametrize(
    "link",
    [
        "<span class=mw-editsection>[<a href=x>Bearbeiten</a> | <a href=y>Quelltext</a>]</span>",
        "<span class=editsection>[<a href=x>modifier</a>]</span>",
        "<small>[<a href='/w/index.php?title=X&action=edit&section=2'>редактировать</a>]</small>",
        "<span>[<a href='/w?title=X&veaction=edit&section=2'>編集</a>]</span>",
    ],
)
def test_links_to_edit_a_section_are_no_heading(link: str) -> None:
    assert texts(f"<h2>Geschichte {link}</h2><p>x") == ["Geschichte", "x"]
    assert texts(f"<h2>{link} <span>Geschichte</span></h2>") == ["Geschichte"]
    assert texts("<h2 class=sectionedit2>Geschichte</h2><p>x") == ["Geschichte", "x"]
    assert texts("<h2>Der <span>letzte</span> <small>(Teil)</small></h2>") == ["Der letzte (Teil)"]  # fmt: skip


def test_notices_to_be_closed_are_no_text() -> None:
    closed = (
        "<div class='alert alert-warning alert-dismissible fade show'><p>Hello! Sign up"
    )
    assert texts(f"<h1>Bienen</h1>{closed}</div><p>x") == ["Bienen", "x"]
    note = "<div class='alert alert-info'>Bienen sind Insekten</div>"
    assert texts(f"<h1>Bienen</h1>{note}") == ["Bienen", "Bienen sind Insekten"]


def test_a_request_for_javascript_is_no_text_and_the_text_of_a_forum_is() -> None:
    request = (
        "<noscript><div class=alert><p>Bitte JavaScript aktivieren.</div></noscript>"
    )
    assert texts(f"<h1>Bienen</h1>{request}<p>x") == ["Bienen", "x"]
    post = "Honig wird im Juli geschleudert. " * 20 + "JavaScript"
    assert texts(f"<h1>Bienen</h1><noscript><p>{post}</noscript>") == ["Bienen", post]
    assert texts("<h1>Bienen</h1><noscript><p>Honig</noscript>") == ["Bienen", "Honig"]


@pytest.mark.parametrize(
    ("item", "is_text"),
    [
        ("<span itemprop=datePublished>2025-05-15T16:30:00+07:00</span>", False),
        ("<time itemprop=dateModified>\n2018-08-29 14:15:57\n</time>", False),
        ("<span itemprop=logo><b itemprop=url>https://a.org/b.png</b></span>", False),
        ("<span itemprop=image>/themes/images/bild.gif</span>", False),
        # For readers: words, days, links, values, and what is no item of microdata.
        ("<span itemprop=name>Bienen</span>", True),
        ("<time itemprop=datePublished>2025-05-15</time>", True),
        ("<a itemprop=url href=/a>https://a.org/</a>", True),
        ("<span itemprop=text><a href=/a>https://a.org/</a></span>", True),
        ("<span itemprop=text>https://a.org/ hat mehr</span>", True),
        ("<span itemprop=bestRating>/5</span>", True),
        ("<span>2025-05-15T16:30</span>", True),
    ],
)
def test_times_and_addresses_in_microdata_are_no_text(item: str, is_text: bool) -> None:
    shown = texts(f"<h1>Bienen</h1><div>{item}</div><p>Honig")
    assert (len(shown) > 2) is is_text
    assert (shown[0], shown[-1]) == ("Bienen", "Honig")


CODE = "<pre>a = 1\nb = 2\nc = 3</pre>"
ROWS = "".join(f"<tr><td>{n}<td class=code>x{n} = 0" for n in range(1, 4))


@pytest.mark.parametrize(
    ("html", "code"),
    [
        (f"<table><tr><td class=linenos><pre>1\n2\n3</pre><td>{CODE}</table>", None),
        (f"<table><tr><td><pre>1\n2\n3</pre><td>{CODE}</table>", None),
        (f"<table><tr><td class=gutter><div>1</div><div>2</div><td>{CODE}</table>", None),
        (f"<div><pre>7\n8\n9\n</pre>{CODE}</div>", None),
        ("<pre><span class=linenos>1</span>a = 1\n<span class=lineno> 2 </span>b = 2\n<span class=ln>3</span>c = 3</pre>", None),
        ("<pre><a id=L1 href=#L1>1</a> a = 1\n<a href=#L2>2</a> b = 2\n<a href=#L3>3</a> c = 3</pre>", None),
        ("<table><tr><td data-line-number=1>1<td><code>a = 1</code></table>", "a = 1"),
        (f"<table>{ROWS}</table>", "x1 = 0\nx2 = 0\nx3 = 0"),
        ("<pre><span class=line>a = 1</span><span class=line>b = 2</span><span class=line>c = 3</span></pre>", None),
        ("<pre><code>a = 1</code><code>b = 2</code><code>c = 3</code></pre>", None),
        ("<pre><span class=line>a = 1</span>\n<span class=line>b = 2</span>\n<span class=line>c = 3</span></pre>", None),
        ("<code><span data-line>a = 1</span><span data-line>b = 2</span><span data-line>c = 3</span></code>", None),
    ],
)  # fmt: skip
def test_lines_of_code_have_ends_and_no_numbers(html: str, code: str | None) -> None:
    expected = code or "a = 1\nb = 2\nc = 3"
    assert "\n".join(texts(html)) == expected


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<table><tr><td>1<td>Anna<tr><td>2<td>Hans</table>", "1 Anna 2 Hans"),
        ("<table><tr><td>0<td><code>OK</code><tr><td>1<td><code>FAIL</code></table>", "0 OK 1 FAIL"),
        ("<pre>1\n2\n3</pre><p>Drei Zahlen.</p>", "1\n2\n3 Drei Zahlen."),
        ("<p><span class=num>12</span> Bienen</p>", "12 Bienen"),
        ("<div class=gutter>Ein Text</div><pre>x</pre>", "Ein Text x"),
        ("<span class=line-height>ein</span><span class=line-height>heit</span>", "einheit"),
        ("<pre>x</pre><p>Siehe <a href=#s1>1</a></p>", "x Siehe 1"),
    ],
)  # fmt: skip
def test_other_numbers_stay(html: str, text: str) -> None:
    assert " ".join(texts(html)) == text
