"""Text that is on the screen, and text that is not, by the markup around it; lines of programs."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice, pairwise
from typing import cast

from lxml.etree import _Element as Element

from ilspfc.cleaning.blocks.nesting import CODE_NAMES_RE, is_hidden
from ilspfc.cleaning.blocks.tags import (
    BLOCK_TAGS,
    CONTROL_TAGS,
    FRAME_ROLES,
    FRAME_TAGS,
    HEADING_TAGS,
    PREFORMATTED_TAGS,
)

# What is looked at of an element: no page can make it costly.
_MAX_TEXTS = 50
MAX_TEXT_CHARS = 2_000
_MAX_AROUND = 40
_MAX_NAMES_CHARS = 500
_MAX_PARTS = 20
# Longer text may be that of the page, shown by a script.
_MANY_WORDS = 60

JAVASCRIPT_RE = re.compile(r"java\s?script", re.IGNORECASE)
"""The name of the language in a request to have scripts run, in any language."""

# A day and time in ISO 8601, a URL or a path to a file.
_DATA_RE = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*|https?://\S+|/\S+/\S+\.\w+", re.ASCII
)
# Names of frameworks for text that is read aloud and not shown. Those behind a colon hold on
# some screens only.
_LISTENER_RE = re.compile(
    r"(?<![a-z0-9])(?<!not-)(?<!no-)(?<!un-)(?<!from-)(?:sr-?only|show-for-sr"
    r"|visually-?hidden|hidden-?visually|visually-?hide|accessibly-?hidden|hidden-accessible"
    r"|(?:for-)?screen-?readers?(?:-?(?:only|text|content)|(?:-?(?:response|message|label|alert"
    r"|shortcut|instructions?|info))?(?!-))|element-invisible"
    r"|(?:a11y|assistive|aural)-?(?:text|only|hidden)|off-?screen(?:-?text)?(?!-))"
    r"(?![a-z0-9])"
)
_SHOWN_AGAIN_RE = re.compile(
    r"(?:sm|md|lg|xl|2xl|desktop|tablet|print):not-sr-only(?!\S)"
)
# Links to edit a section, and notices that a reader closes (Bootstrap). DokuWiki numbers what
# can be edited: sectionedit3 is the class of a heading or a table.
_TOOL_RE = re.compile(
    r"(?:^|-)(?:edit-?section|section-?edit(?![0-9])|sec-?edit|alert-dismiss[ai]ble)"
)
_CAMEL_RE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_+")


def split_names(names: str) -> list[str]:
    """Return class names in lower case with hyphens, without those of some screens only.

    >>> split_names("srOnly styles_lineNumber__x md:hidden")
    ['sr-only', 'styles-line-number-x']
    """
    tokens = (one for one in names[:_MAX_NAMES_CHARS].split() if ":" not in one)
    return [_CAMEL_RE.sub("-", one).lower() for one in tokens]


# Meanings of the class names of an element, each of which asks for a closer look: numbers of
# lines beside code, text for screen readers, tools of a site, a line of code.
GUTTER, LISTENER, TOOL, LINE = 1, 2, 4, 8


# Parts, without hyphens, of all names below: they rule out most elements.
KIND_CUES = (
    *(
        "line",
        "num",
        "ln",
        "gutter",
        "editsection",
        "sectionedit",
        "secedit",
        "alertdis",
    ),
    *("sronly", "showforsr", "visuallyhid", "hiddenvisually", "accessiblyhidden"),
    *("hiddenaccessible", "screenreader", "elementinvisible", "a11y", "assistive"),
    *("aural", "offscreen"),
)


@lru_cache(maxsize=8192)
def name_kinds(names: str) -> int:
    """Return the sum of the constants above for the class names of an element."""
    joined = names[:_MAX_NAMES_CHARS].lower().replace("-", "").replace("_", "")
    if not any(map(joined.__contains__, KIND_CUES)):
        return 0
    tokens = split_names(names)
    found = 0
    for kind, pattern in _KIND_RES.items():
        if any(map(pattern.search, tokens)):
            found |= kind
    return found


# Clipped to nothing, of a pixel's size, or far beyond an edge.
_NO_AREA_RE = re.compile(
    r"(?:^|;)(?:clip:rect\((?:[01](?:px)?,?)+\)|clip-path:inset\((?:50|100)%"
    r"|(?:left|right|top|text-indent):-\d{4,})"
)
_PIXEL_RE = re.compile(r"(?:^|;)(width|height):1px")


@lru_cache(maxsize=8192)
def has_no_area(style: str) -> bool:
    """Test whether a style takes an element off the screen."""
    plain = style.replace(" ", "").lower()
    return _NO_AREA_RE.search(plain) is not None or (
        "overflow:hidden" in plain and len(set(_PIXEL_RE.findall(plain))) > 1
    )


def read_text(element: Element) -> str:
    """Return the beginning of the text inside an element; a comment has none."""
    if not isinstance(element.tag, str):
        return ""
    return "".join(map(str, islice(element.itertext("*"), _MAX_TEXTS)))[:MAX_TEXT_CHARS]


def _read_letters(element: Element) -> str:
    return "".join(filter(str.isalnum, read_text(element))).casefold()


def _around(element: Element) -> Iterator[Element]:
    return islice(element.iterancestors(), _MAX_AROUND)


def _siblings(element: Element) -> Iterator[Element]:
    """Yield the two elements on each side."""
    yield from islice(element.itersiblings("*", preceding=True), 2)
    yield from islice(element.itersiblings("*"), 2)


def is_unseen(
    element: Element, tag: str, attributes: Mapping[str, str], block: str
) -> bool:
    """Test whether the text of an element is not on the screen, or is no text of the page.

    That is text for screen readers alone, unless it is the only heading of the page or most
    of its text, links to edit a section, notices to be closed, requests for JavaScript, and
    times and addresses in microdata. ``block`` is the tag of the block element around it.
    """
    if "itemprop" in attributes and _is_data(element):
        return True
    if tag == "noscript":
        # Forums have all of their text there.
        words = _count_words(element, limit=_MANY_WORDS)
        return words < _MANY_WORDS and bool(JAVASCRIPT_RE.search(read_text(element)))
    names = attributes.get("class", "")
    kinds = name_kinds(names) if names else 0
    is_listener = kinds & LISTENER and not _SHOWN_AGAIN_RE.search(names)
    if is_listener or has_no_area(attributes.get("style", "")):
        return not (_is_needed(element) or _has_twin(element, is_hidden=True))
    if kinds & TOOL:
        return True
    return block in HEADING_TAGS and tag != "a" and _is_edit_link(element)


def _is_data(element: Element) -> bool:
    """Test whether an item of microdata is a time or an address for programs, not a link."""
    return (
        _DATA_RE.fullmatch(read_text(element).strip()) is not None
        and element.tag != "a"
        and next(element.iter("a"), None) is None
    )


def _is_needed(element: Element) -> bool:
    """Test whether the page has no other heading, or hardly any other text."""
    inside = [one.tag for one in islice(element.iter(*HEADING_TAGS), 2)]
    if inside or any(one.tag in HEADING_TAGS for one in islice(_around(element), 3)):
        root = element.getroottree().getroot()
        headings = root.iter("h1") if "h1" in inside else root.iter(*HEADING_TAGS)
        texts = (one for one in headings if _read_letters(one))
        if len(list(islice(texts, 2))) == 1:
            return True
    words = _count_words(element)
    body = next(element.iterancestors("body"), None)
    if words < _MANY_WORDS or body is None:
        return False
    return _count_words(body, limit=2 * words) < 2 * words


def _count_words(element: Element, limit: int = sys.maxsize) -> int:
    """Return the number of words inside an element, or ``limit`` if there are more."""
    words = 0
    for text in element.itertext("*"):
        words += len(str(text).split())
        if words >= limit:
            return limit
    return words


def _has_twin(element: Element, *, is_hidden: bool) -> bool:
    """Test whether an element beside this one has the same letters.

    ``is_hidden`` says whether that one is hidden from screen readers.
    """
    letters = _read_letters(element)
    return any(
        (one.get("aria-hidden") == "true") is is_hidden
        and _read_letters(one) == letters
        for one in _siblings(element)
    )


def _is_edit_link(element: Element) -> bool:
    """Test whether an element in a heading holds links to edit a section, and no words."""
    links = list(islice(element.iter("a"), 5))
    linked = "".join(map(_read_letters, links))
    return (
        bool(linked)
        and all("action=edit" in (link.get("href") or "") for link in links)
        and linked == _read_letters(element)
    )


# Signs and pictures, made of letters or not, and what is shown on demand.
_DECORATION_RE = re.compile(
    r"(?:^|[\s_-])(?:\w*icons?|ico|fa[srlbd]?|glyph\w*|material\w*|symbols?|emoji|arrow|caret"
    r"|chevron|bullet|sep|separator|divider|anchor\w*|permalink|headerlink|hash\w*"
    r"|tooltip\w*|popup|popover|dropdown|hidden|hide|invisible|collapse|modal|menu|toggle"
    r"|placeholder|spinner|loading|loader|d-none|katex\w*|mathjax\w*|math)(?=$|[\s_-])"
)
_LIGATURE_RE = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+")


def is_visible_word(element: Element, attributes: Mapping[str, str]) -> bool:
    """Test whether an inline element that screen readers pass over has words to be read.

    Icons, signs, formulas, links to where they stand, and what repeats its neighbor are
    none.
    """
    if is_hidden({**attributes, "aria-hidden": ""}):
        return False
    names = _CAMEL_RE.sub(
        "-", f"{attributes.get('class', '')} {attributes.get('id', '')}"
    )
    text = read_text(element).strip()
    if (
        not any(map(str.isalnum, text))
        or _LIGATURE_RE.fullmatch(text)
        or _DECORATION_RE.search(names.lower())
        or attributes.get("tabindex") == "-1"
        or attributes.get("href", "").startswith("#")
    ):
        return False
    around = element.getparent()
    if len(text) == 1 and around is not None and len(_read_letters(around)) == 1:
        return False
    if any(next(one.iter("math"), None) is not None for one in _siblings(element)):
        return False
    return not _has_twin(element, is_hidden=False)


def show_page(root: Element) -> None:
    """Show what a page hides of itself until a script has loaded it, or while a dialog is open.

    That is the body, and an element with a heading of the first level or ``main`` and most of the
    words of the page.
    """
    parts = islice(root.iter("body", "h1", "main"), _MAX_PARTS)
    around = (one for part in parts for one in (part, *_around(part)))
    hidden = (one for one in around if is_hidden(cast("Mapping[str, str]", one.attrib)))
    for element in dict.fromkeys(hidden):
        body = next(element.iterancestors("body"), element)
        words = 0 if element is body else _count_words(element)
        if element is body or _MANY_WORDS <= words > _count_words(body) / 2:
            for name in ("hidden", "aria-hidden", "style"):
                element.attrib.pop(name, "")


# Labels of what a page does, not of what it says.
_COMMAND_RE = re.compile(
    r"(?<![a-z])(?:copy|clipboard|close|dismiss|share|sharing|play|menu|nav\w*|hamburger|search"
    r"|submit|subscribe|cart|buy|like|download|edit|print|tooltip|dropdown|login|more)(?![a-z])"
)
_TOGGLE_RE = re.compile(
    r"(?<![a-z])(?:accordion|collaps|expand|toggle|faq|question|disclosure)"
)
_HEADED_TAGS = HEADING_TAGS | {"dt", "summary", "th", "caption", "legend"}
_PROSE_TAGS = frozenset({"p", "li", "dd", "td", "blockquote", "figcaption", "dt"})
_GOING_ON = tuple(".,;:!?)")
_ID_RE = re.compile(r"[\w-]+")
# The letters of a panel of text that are not in links.
_PANEL_LETTERS = 20


def is_text_button(button: Element, *, is_frame: bool) -> bool:
    """Test whether the label of a button is text: a heading, or words of a sentence.

    A heading is a button that is all of a heading or term, or that shows and hides the text
    behind it. Commands ("Subscribe") are no text, nor is what is in a form or a menu.
    ``is_frame`` says whether the button is in one.
    """
    letters = _read_letters(button)
    if not letters or letters.isdecimal():
        return False
    for one in islice(_around(button), 3):
        if one.tag in _HEADED_TAGS:
            return _read_letters(one).startswith(letters) and (
                _read_letters(one) == letters or "aria-expanded" in button.attrib
            )
    names = " ".join(split_names(button.get("class") or ""))
    if (
        _COMMAND_RE.search(names)
        or button.get("type") in {"submit", "reset"}
        or (is_frame and not _is_in_page_form(button))
    ):
        return False
    return (_is_toggle(button) and _heads_panel(button)) or _is_amid_prose(button)


def unlink_heading(heading: Element) -> None:
    """Remove the address of links around words of a heading that lead to the heading itself."""
    for link in islice(heading.iter("a"), 2):
        href = link.get("href") or ""
        around = (link, heading, *islice(_around(heading), 1))
        is_own = href[:1] == "#" and href[1:] in {one.get("id") for one in around}
        if is_own and _read_letters(link):
            del link.attrib["href"]


def name_toggles(root: Element) -> None:
    """Make buttons of the links to no other page that show and hide the text behind them."""
    for link in root.iter("a"):
        if (link.get("href") or "").startswith("#") and _is_toggle(link):
            # Others, such as the labels of tabs, may stand above a panel.
            is_beside = next(link.itersiblings("*"), None) is not None
            if is_beside and _heads_panel(link):
                link.tag = "button"


def _is_toggle(element: Element) -> bool:
    """Test whether an element says that it shows and hides another one."""
    panel = next(element.itersiblings("*"), None)
    shown = panel.get("id") if panel is not None else ""
    return (
        not {"aria-expanded", "aria-controls"}.isdisjoint(element.attrib)
        or _TOGGLE_RE.search(" ".join(split_names(element.get("class") or "")))
        is not None
        or shown in _ID_RE.findall(element.get("onclick") or "")
    )


def _is_in_page_form(element: Element) -> bool:
    """Test whether the only frame around an element is a form around the whole page."""
    frames = [
        one
        for one in _around(element)
        if one.tag in FRAME_TAGS
        or one.tag == "header"
        or one.get("role") in FRAME_ROLES
    ]
    return (
        len(frames) == 1
        and next(frames[0].iter("h1", "main", "article"), None) is not None
    )


def _heads_panel(button: Element) -> bool:
    """Test whether text stands behind a button, or behind elements with nothing else."""
    for one in (button, *islice(_around(button), 3)):
        following = islice(one.itersiblings("*"), 3)
        if (panel := next(filter(_read_letters, following), None)) is not None:
            linked = sum(
                len(_read_letters(a)) for a in islice(panel.iter("a"), _MAX_AROUND)
            )
            letters = len(_read_letters(panel))
            return panel.tag != "button" and letters - linked > max(
                _PANEL_LETTERS, linked
            )
    return False


def _is_amid_prose(button: Element) -> bool:
    """Test whether a sentence goes on behind a button, or begins with it."""
    around = button.getparent()
    if around is None:
        return False
    before, behind = button.getprevious(), button.getnext()
    first = (around.text if before is None else before.tail) or ""
    first = first.strip() or _read_inline(before)
    last = (button.tail or "").strip() or _read_inline(behind)
    is_begun = any(map(str.isalpha, first))
    if last.startswith(_GOING_ON):
        return is_begun
    if not last[:1].isalpha():
        return False
    if is_begun and around.tag in _PROSE_TAGS:
        return True
    return not last[0].isupper() and (is_begun or not first)


def _read_inline(element: Element | None) -> str:
    if element is None or element.tag in BLOCK_TAGS or element.tag in CONTROL_TAGS:
        return ""
    return read_text(element).strip()


# -- lines of programs: where they begin, and the numbers beside them

_GUTTER_RE = re.compile(
    r"(?:^|-)(?:lines?-?(?:no|nos|nr|num|nums|numbers?)|gutter|ln[a-z]?|nums?|ln-numbers?)(?:-|$)"
)
_LINE_RE = re.compile(
    r"^line$|^line-(?:of-code|highlight|\d)|(?:^|-)(?:code|token|hljs|highlight|source|view|diff)-line(?:-|$)"
)


_KIND_RES = {
    GUTTER: _GUTTER_RE,
    LISTENER: _LISTENER_RE,
    TOOL: _TOOL_RE,
    LINE: _LINE_RE,
}


def is_line_number(element: Element, tag: str, attributes: Mapping[str, str]) -> bool:
    """Test whether an element holds nothing but the numbers of lines of code beside it."""
    names = attributes.get("class")
    is_named = names and name_kinds(names) & GUTTER
    if is_named or "data-line-number" in attributes:
        numbers = [text.strip(".:|") for text in read_text(element).split()]
        is_numbered = bool(numbers) and all(map(str.isdecimal, numbers))
        return is_numbered and _is_beside_code(element)
    if tag == "pre" or (tag in {"td", "th"} and element.getprevious() is None):
        return _is_number_column(element, tag)
    return tag == "a" and _is_line_link(element, attributes)


def _is_beside_code(element: Element) -> bool:
    """Test whether an element is inside code, or shares one of the elements around it."""
    for around in islice(element.iterancestors(), 5):
        if around.tag in {"body", "main", "article"}:
            return False
        if around.tag in PREFORMATTED_TAGS or around.tag == "code":
            return True
        if next(around.iter("pre", "code"), None) is not None:
            return True
    return False


def _is_counting(numbers: list[str]) -> bool:
    """Test whether texts are two or more numbers, each one more than that before it."""
    return len(numbers) > 1 and all(
        one.isdecimal() and following == str(int(one) + 1)
        for one, following in pairwise(numbers)
    )


def _is_number_column(element: Element, tag: str) -> bool:
    """Test whether a cell or a preformatted text numbers the lines of the code beside it."""
    first = (element.text or "").split(maxsplit=1)[:1]
    if first and not first[0].isdecimal():
        return False  # most
    beside = _find_beside(element)
    if beside is None or not _holds_code(beside):
        return False
    text = read_text(element)
    numbers = text.split()
    if tag != "pre" and len(numbers) == 1:  # a row for each line
        row = element.getparent()
        rows = () if row is None else islice(row.itersiblings("tr"), 1)
        numbers += [read_text(cell).strip() for row in rows for cell in islice(row, 1)]
        if len(numbers) == 1 and row is not None:
            rows = islice(row.itersiblings("tr", preceding=True), 1)
            cells = [cell for row in rows for cell in islice(row, 1)]
            numbers = [*(read_text(cell).strip() for cell in cells), *numbers]
    is_cut = len(text) == MAX_TEXT_CHARS
    return _is_counting(numbers[:-1] if is_cut else numbers)


def _find_beside(element: Element) -> Element | None:
    """Return the element behind this one, or behind those that hold nothing else."""
    for one in (element, *islice(element.iterancestors(), 3)):
        if (following := next(one.itersiblings("*"), None)) is not None:
            return following
    return None


def _holds_code(element: Element) -> bool:
    if next(element.iter(*PREFORMATTED_TAGS), None) is not None:
        return True
    names = (
        one.get("class") or "" for one in (element, *islice(element.iterancestors(), 3))
    )
    return any(map(CODE_NAMES_RE.search, names))


def _is_line_link(element: Element, attributes: Mapping[str, str]) -> bool:
    """Test whether a link leads to the line of code that it numbers."""
    number = (element.text or "").strip()
    href = attributes.get("href", "")
    return (
        number.isdecimal()
        and re.fullmatch(rf"[^#]*#[a-z-]*0*{number}", href, re.IGNORECASE) is not None
        and _is_beside_code(element)
    )


# Those of code are no lines of it.
_SECTIONS = BLOCK_TAGS - {"div"}


def has_line_elements(preformatted: Element) -> bool:
    """Test whether the only block elements inside preformatted text are ``div``.

    In code these are its lines; with others it is a part of a page.
    """
    return next(preformatted.iterdescendants(*_SECTIONS), None) is None


def begins_line(element: Element, attributes: Mapping[str, str]) -> bool:
    """Test whether an inline element is a line of code, right behind another one."""
    before = element.getprevious()
    if before is None or before.tag != element.tag or (before.tail or "").strip(" \t"):
        return False
    if element.tag == "code":
        around = element.getparent()
        return around is not None and around.tag in PREFORMATTED_TAGS
    return "data-line" in attributes or bool(
        name_kinds(attributes.get("class", "")) & LINE
        and name_kinds(before.get("class") or "") & LINE
    )
