# cython: language_level=3
"""The walk of :mod:`ilspfc.cleaning.blocks.walk` over lxml's tree of C structures.

That module is the specification: :func:`read_blocks` gives the same there and here, field by
field. Here the fields of libxml2's nodes are read, and no function of that library is called,
so that nothing is linked to it. What rarely matters (buttons, hidden words, numbers of lines)
is asked of the Python functions, with an element made for them; a cheap test before each call
is true wherever the answer could be another than the usual one.
"""

cimport cython
from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeUTF8
from libc.string cimport memchr, memcmp, strlen
from lxml.includes cimport etreepublic as cetree
from lxml.includes.etreepublic cimport _Document, _Element
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE,
    XML_COMMENT_NODE,
    XML_ELEMENT_NODE,
    XML_ENTITY_REF_NODE,
    XML_PI_NODE,
    XML_TEXT_NODE,
    XML_XINCLUDE_END,
    XML_XINCLUDE_START,
    xmlAttr,
    xmlNode,
)

from ilspfc.cleaning.blocks.links import (
    FOLLOWING_CHARS,
    FOLLOWING_PARTS,
    PERMALINKS,
    text_before,
)
from ilspfc.cleaning.blocks.markup import MAX_ATTRIBUTES, MAX_TAG_CHARS, MAX_TAGS, RAW_TAGS
from ilspfc.cleaning.blocks.nesting import (
    CHANGING_ATTRIBUTES,
    COMMENTS,
    LAYOUT_ROLES,
    PAGE_TAGS,
    ROLE_CUES,
    SECTION_TAGS,
    find_role,
    is_changing,
    is_hidden,
    kind_of_preformatted,
)
from ilspfc.cleaning.blocks.parsed import Anchor, Block, ParsedPage, Path
from ilspfc.cleaning.blocks.tags import (
    BLOCK_TAGS,
    CAPTION_TAGS,
    CONTROL_TAGS,
    FRAME_ROLES,
    FRAME_TAGS,
    HEADING_TAGS,
    LIST_ITEM_TAGS,
    LIST_TAGS,
    PREFORMATTED_TAGS,
    SKIPPED_TAGS,
    TAG_SIGNS,
)
from ilspfc.cleaning.blocks.visibility import (
    KIND_CUES,
    begins_line,
    has_line_elements,
    has_no_area,
    is_line_number,
    is_text_button,
    is_unseen,
    is_visible_word,
    name_kinds,
)
from ilspfc.cleaning.blocks.walk import (
    ANCHOR_TAGS,
    BOLD_TAGS,
    CODE_TAGS,
    INLINE_TAGS,
    is_bold,
    join_lines,
    read_indents,
    read_lines,
)
from ilspfc.cleaning.encoding.decoding import normalize
from ilspfc.documents import ParagraphType

cetree.import_lxml__etree()

# Attributes that the walk, or a function that it calls, looks at.
cdef frozenset READ_ATTRIBUTES = frozenset(
    "alt aria-hidden class data-line data-line-number data-src hidden href hreflang id"
    " itemprop itemtype rel role size src style tabindex title".split()
)

cdef enum:
    MAX_CUES = 32
    MAX_NAMES_BYTES = 500

cdef enum:  # what name_kinds tells of the class of an element
    GUTTER = 1
    UNSEEN = 2 + 4
    LINE = 8


@cython.final
cdef class Cues:
    """Parts of names that ask for a closer look, in lower case and without hyphens."""

    cdef tuple cues
    cdef const char* texts[MAX_CUES]
    cdef Py_ssize_t sizes[MAX_CUES]
    cdef unsigned int beginning[128]  # of the cues that begin with a character, as bits

    def __cinit__(self, cues):
        cdef Py_ssize_t number
        cdef bytes cue
        self.cues = tuple([one.encode() for one in cues])
        for number in range(128):
            self.beginning[number] = 0
        for number, cue in enumerate(self.cues):
            self.texts[number], self.sizes[number] = cue, len(cue)
            self.beginning[cue[0]] |= 1u << number

    cdef bint may_occur_in(self, str names) except -1:
        """Test for a cue, whatever the case and the hyphens; true for other than ASCII."""
        cdef char plain[MAX_NAMES_BYTES]
        cdef Py_ssize_t size, place, number, length = 0
        cdef const char* text = PyUnicode_AsUTF8AndSize(names, &size)
        cdef unsigned char char
        cdef unsigned int beginning
        if size > MAX_NAMES_BYTES:
            return True
        for place in range(size):
            char = text[place]
            if char >= 128:
                return True
            if c"A" <= char <= c"Z":
                char += 32
            if char != c"-" and char != c"_":
                plain[length] = char
                length += 1
        for place in range(length):
            beginning, number = self.beginning[<unsigned char>plain[place]], 0
            while beginning:
                if (
                    beginning & 1
                    and self.sizes[number] <= length - place
                    and not memcmp(&plain[place], self.texts[number], self.sizes[number])
                ):
                    return True
                beginning, number = beginning >> 1, number + 1
        return False


cdef Cues KINDS = Cues(KIND_CUES)
cdef Cues ROLES = Cues(ROLE_CUES)


@cython.final
cdef class Tag:
    """What a tag means to the walk."""

    cdef str name, sign, href
    cdef bint is_changing
    cdef bint is_block, is_inline, is_skipped, is_kept, is_control, is_button
    cdef bint is_anchor, is_bold, is_code, is_font, is_heading, is_cell, is_pre
    cdef bint is_page, is_frame, is_list, is_item, is_section, is_preformatted, is_caption

    def __cinit__(self, str name, bint keep_hidden):
        self.name = name
        self.sign = TAG_SIGNS.get(name, "")
        self.is_changing = is_changing(name, "")
        self.is_block = name in BLOCK_TAGS
        self.is_inline = name in INLINE_TAGS
        self.is_kept = keep_hidden and self.is_block
        self.is_skipped = name in SKIPPED_TAGS and not self.is_kept
        self.is_control = name in CONTROL_TAGS
        self.is_button = name == "button"
        self.is_anchor = name in ANCHOR_TAGS
        self.is_bold = name in BOLD_TAGS
        self.is_code = name in CODE_TAGS
        self.is_font = name == "font" or name == "span"
        self.is_heading = name in HEADING_TAGS
        self.is_cell = name == "td" or name == "th"
        self.is_pre = name == "pre"
        self.is_page = name in PAGE_TAGS
        self.is_frame = name in FRAME_TAGS
        self.is_list = name in LIST_TAGS
        self.is_item = name in LIST_ITEM_TAGS
        self.is_section = name in SECTION_TAGS
        self.is_preformatted = name in PREFORMATTED_TAGS
        self.is_caption = name in CAPTION_TAGS
        self.href = "src" if name == "frame" else "href"


@cython.final
cdef class Context:
    """State inside the open block elements, as ``nesting.Context``."""

    cdef Py_ssize_t list_number, table, row, cell, comment
    cdef bint is_item, is_frame, is_hidden, is_preformatted
    cdef object kind

    def __cinit__(self):
        self.list_number = -1

    cdef Context inside(self):
        cdef Context inner = Context.__new__(Context)
        inner.list_number, inner.table = self.list_number, self.table
        inner.row, inner.cell, inner.comment = self.row, self.cell, self.comment
        inner.is_item, inner.is_frame = self.is_item, self.is_frame
        inner.is_hidden, inner.is_preformatted = self.is_hidden, self.is_preformatted
        inner.kind = self.kind
        return inner


@cython.final
cdef class Anchors:
    """Collects anchors while a page is walked, as ``links.AnchorReader``."""

    cdef list anchors, hidden, parts, words, titles, of_block
    cdef bint is_used
    cdef Py_ssize_t context_words, max_contexts, link_words, link_chars, begun
    cdef object open

    def __cinit__(self, list parts, Py_ssize_t context_words, Py_ssize_t max_contexts):
        self.anchors, self.parts, self.of_block = [], parts, []
        self.hidden = []
        self.words, self.titles = [], []
        self.context_words, self.max_contexts = context_words, max_contexts
        self.open = None

    cdef int start(self, dict attributes, str attribute, object path) except -1:
        if self.open is not None:
            self.end(False)
        href = attributes.get(attribute) if attributes is not None else None
        if href is None:
            return 0
        anchor = self.open = Anchor(href, path)
        self.is_used = True
        self.words, self.titles = [], []
        self.begun = len(self.parts)
        if self.parts and len(self.anchors) < self.max_contexts:
            recent = text_before(self.parts).split()
            # All of them for 0 words, as a slice from -0 has.
            anchor.before = recent[-self.context_words :]
        if len(attributes) > 1:
            anchor.rel = attributes.get("rel", "").lower()
            anchor.hreflang = attributes.get("hreflang", "")
            anchor.names = attributes.get("class", "")
            titles = [t for t in map(attributes.get, ("title", "alt")) if t]
            if titles:
                self.add_title(" ".join(titles))
        return 0

    cdef int end(self, bint is_hidden) except -1:
        anchor = self.open
        if anchor is None:
            return 0
        if "#" in anchor.href:
            if "".join(self.parts[self.begun :]).strip() in PERMALINKS:
                del self.parts[self.begun :]
        self.add_words()
        anchor.text = " ".join(self.words)
        if self.titles:
            anchor.title = " ".join(self.titles)
        if is_hidden:
            self.hidden.append(anchor)
        else:
            if len(self.anchors) < self.max_contexts:
                self.of_block.append((anchor, len(self.parts)))
            self.anchors.append(anchor)
        self.open = None
        return 0

    cdef int add_title(self, str text) except -1:
        if self.open is not None:
            title = normalize(text).strip()
            if title:
                self.titles.append(title)
        return 0

    cdef int flush(self, Py_ssize_t* words, Py_ssize_t* chars) except -1:
        cdef Py_ssize_t end
        if self.open is not None:  # an anchor around blocks goes on in the next one
            self.add_words()
            self.begun = 0
        for anchor, end in self.of_block:
            if end < len(self.parts):
                parts = [
                    part[:FOLLOWING_CHARS]
                    for part in self.parts[end : end + FOLLOWING_PARTS]
                ]
                following = "".join(parts)[:FOLLOWING_CHARS].split()
                anchor.after = following[: self.context_words]
        self.of_block.clear()
        words[0], chars[0] = self.link_words, self.link_chars
        self.link_words = self.link_chars = 0
        self.is_used = self.open is not None
        return 0

    cdef int add_words(self) except -1:
        cdef str word
        cdef list words
        if self.begun < len(self.parts):
            words = "".join(self.parts[self.begun :]).split()
            self.link_words += len(words)
            for word in words:
                self.link_chars += len(word)
            self.words += words
        return 0


@cython.final
cdef class Spans:
    """Places of the elements of one kind among the parts of a block, as in ``walk.Spans``."""

    cdef bint is_used
    cdef list parts, ranges
    cdef xmlNode* outermost
    cdef Py_ssize_t begun

    def __cinit__(self, list parts):
        self.parts = parts
        self.ranges = []
        self.outermost = NULL
        self.begun = 0
        self.is_used = False

    cdef void start(self, xmlNode* node):
        if self.outermost == NULL:
            self.outermost = node
            self.begun = len(self.parts)
            self.is_used = True

    cdef int end(self, xmlNode* node) except -1:
        if self.outermost == node:
            self.ranges.append((self.begun, len(self.parts)))
            self.outermost = NULL
        return 0

    cdef tuple flush(self):
        cdef list flags
        self.is_used = self.outermost != NULL
        if self.is_used:
            self.ranges.append((self.begun, len(self.parts)))
            self.begun = 0
        flags = self.line_flags()
        self.ranges.clear()
        return tuple(flags) if True in flags else ()

    cdef list line_flags(self):
        cdef list flags = []
        cdef bint has_text = False, is_inside = True
        cdef Py_ssize_t index, start, end, place = 1, total = len(self.parts)
        cdef str part, piece
        start, end = self.ranges[0]
        for index in range(total):
            part = self.parts[index]
            while index >= end:
                if place < len(self.ranges):
                    start, end = self.ranges[place]
                    place += 1
                else:
                    start, end = total, total + 1
            is_first = True
            for piece in part.split("\n"):
                if not is_first and has_text:
                    flags.append(is_inside)
                    has_text, is_inside = False, True
                is_first = False
                if piece.strip():
                    has_text = True
                    is_inside = is_inside and index >= start
        if has_text:
            flags.append(is_inside)
        return flags


cdef inline xmlNode* _next_event(xmlNode* node) noexcept:
    """Return the first node from one on that lxml takes for an element."""
    while node != NULL and not _is_element(node):
        node = node.next
    return node


cdef inline bint _is_element(xmlNode* node) noexcept:
    return (
        node.type == XML_ELEMENT_NODE
        or node.type == XML_COMMENT_NODE
        or node.type == XML_PI_NODE
        or node.type == XML_ENTITY_REF_NODE
    )


cdef inline bint _is_text(xmlNode* node) noexcept:
    return node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE


cdef inline xmlNode* _text_from(xmlNode* node) noexcept:
    """Return the text node at a place, NULL where something else stands there."""
    while node != NULL and (
        node.type == XML_XINCLUDE_START or node.type == XML_XINCLUDE_END
    ):
        node = node.next
    return node if node != NULL and _is_text(node) else NULL


cdef inline xmlNode* _previous(xmlNode* node) noexcept:
    """Return what lxml's ``getprevious`` gives, NULL for nothing."""
    node = node.prev
    while node != NULL and not _is_element(node):
        node = node.prev
    return node


cdef inline bint _may_be_number(xmlNode* node, bint default) noexcept:
    """Test whether the text at the beginning of an element may begin with a digit.

    ``default`` is the answer where there is none. Other than ASCII is not looked into.
    """
    cdef xmlNode* text = _text_from(node.children)
    cdef const unsigned char* char
    while text != NULL:
        char = <const unsigned char*>text.content
        while char != NULL and char[0]:
            if char[0] >= 128 or c"0" <= char[0] <= c"9":
                return True
            # White space and the separators that str.split takes for it.
            if char[0] != c" " and not (9 <= char[0] <= 13 or 28 <= char[0] <= 31):
                return False
            char += 1
        text = _text_from(text.next)
    return default


cdef inline bint _is_blank(const unsigned char* text) noexcept:
    """Test for text of ASCII white space alone, that of ``str.isspace``."""
    if text == NULL or not text[0]:
        return False
    while text[0] == c" " or 9 <= text[0] <= 13 or 28 <= text[0] <= 31:
        text += 1
    return not text[0]


cdef inline str _decode(const unsigned char* text):
    if text == NULL:
        return ""
    return PyUnicode_DecodeUTF8(<const char*>text, strlen(<const char*>text), NULL)


cdef inline bint _is_hidden(dict attributes) except -1:
    if "style" in attributes or "hidden" in attributes or "aria-hidden" in attributes:
        return is_hidden(attributes)
    return False


@cython.final
cdef class Walker:
    """Collects blocks while the tree is walked, as ``walk._Walker`` does."""

    cdef _Document document
    cdef dict tags, names, known_paths, kinds
    cdef list parts, stack
    cdef Anchors anchors
    cdef Context context
    cdef Py_ssize_t number  # of the last list, table, row, cell or comment
    cdef Tag block
    cdef Spans bold, code
    cdef xmlNode* muted
    cdef xmlNode* listing
    cdef list lines
    cdef bint keep_hidden, is_preformatted
    cdef readonly object page
    cdef list page_tags, parents, ends, paths, distinct_paths, blocks

    def __cinit__(self, int context_words, int max_contexts, bint keep_hidden):
        self.keep_hidden = keep_hidden
        self.tags, self.names, self.known_paths, self.kinds = {}, {}, {}, {}
        self.parts = []
        self.anchors = Anchors(self.parts, context_words, max_contexts)
        self.bold, self.code = Spans(self.parts), Spans(self.parts)
        self.muted = NULL
        # Code whose block elements are its lines; of each open one, the parts before it.
        self.listing = NULL
        self.lines = []
        self.page = ParsedPage(
            anchors=self.anchors.anchors, hidden_anchors=self.anchors.hidden
        )
        self.page_tags, self.parents = self.page.tags, self.page.parents
        self.ends, self.paths = self.page.ends, self.page.paths
        self.distinct_paths, self.blocks = self.page.distinct_paths, self.page.blocks
        self.block = Tag("body", keep_hidden)
        self.context = Context()
        self.is_preformatted = False
        # Of each open block element: its tag, the context inside, its place and its path.
        self.stack = [(self.block, self.context, 0, 0)]

    cdef _Element element(self, xmlNode* node):
        return cetree.elementFactory(self.document, node)

    cdef int walk(self, _Element tree) except -1:
        cdef xmlNode* root = tree._c_node
        cdef xmlNode* node = root
        cdef xmlNode* inner
        cdef Tag tag
        cdef dict attributes
        self.document = tree._doc
        while True:
            if node.type == XML_ELEMENT_NODE:
                tag = self.read_tag(node)
                attributes = self.read_attributes(node) if node.properties != NULL else None
                if self.is_skipped(node, tag, attributes):
                    if tag.is_control:  # controls stand between words
                        self.add_text(" ")
                else:
                    self.start(node, tag, attributes)
                    self.add_run(node.children)
                    inner = _next_event(node.children)
                    if inner != NULL:
                        node = inner
                        continue
                    self.end(node, tag)
            elif node.type == XML_ENTITY_REF_NODE:
                self.add_text(f"&{_decode(node.name)};")
            self.add_run(node.next)
            while node != root:
                inner = _next_event(node.next)
                if inner != NULL:
                    node = inner
                    break
                node = node.parent
                self.end(node, self.read_tag(node))
                self.add_run(node.next)
            else:
                return 0

    cdef Tag read_tag(self, xmlNode* node):
        cdef Tag tag
        cdef str name
        key = <size_t>node.name
        if node.ns == NULL:
            tag = self.tags.get(key)
            if tag is None:
                tag = self.tags[key] = Tag(_decode(node.name), self.keep_hidden)
            return tag
        name = _decode(node.name)
        if node.ns.href != NULL:
            name = f"{{{_decode(node.ns.href)}}}{name}"
        return Tag(name, self.keep_hidden)

    cdef dict read_attributes(self, xmlNode* node):
        cdef dict found = {}
        cdef xmlAttr* attribute = node.properties
        cdef xmlNode* value
        while attribute != NULL:
            value = attribute.children
            if attribute.ns != NULL or (
                value != NULL and (value.next != NULL or value.type != XML_TEXT_NODE)
            ):
                return dict(self.element(node).items())
            key = <size_t>attribute.name
            name = self.names.get(key)
            if name is None:
                name = _decode(attribute.name)
                name = self.names[key] = name if name in READ_ATTRIBUTES else ""
            if name:
                found[name] = "" if value == NULL else _decode(value.content)
            attribute = attribute.next
        return found

    cdef int kinds_of(self, str names) except -1:
        kinds = self.kinds.get(names)
        if kinds is None:
            kinds = name_kinds(names) if KINDS.may_occur_in(names) else 0
            self.kinds[names] = kinds
        return kinds

    cdef bint is_skipped(self, xmlNode* node, Tag tag, dict attributes) except -1:
        if tag.is_skipped:
            if not tag.is_button:
                return True
            given = attributes or {}
            return not (
                is_text_button(self.element(node), is_frame=self.context.is_frame)
                and not (is_hidden(given) or self.is_preformatted)
            )
        if attributes is None or (tag.is_kept and self.listing == NULL):
            return False
        if not _is_hidden(attributes):
            return False
        return tag.is_block or not is_visible_word(self.element(node), attributes)

    cdef bint is_muting(self, xmlNode* node, Tag tag, dict attributes) except -1:
        cdef int kinds = 0
        cdef bint is_asked = False, is_area = False
        if attributes is not None:
            names = attributes.get("class")
            if names:
                kinds = self.kinds_of(names)
            style = attributes.get("style")
            is_area = style is not None and has_no_area(style)
        if kinds & GUTTER or (attributes is not None and "data-line-number" in attributes):
            is_asked = True
        elif tag.is_pre or (tag.is_cell and _previous(node) == NULL):
            is_asked = _may_be_number(node, True)
        elif tag.name == "a":
            is_asked = attributes is not None and _may_be_number(node, False)
        if is_asked and is_line_number(self.element(node), tag.name, attributes or {}):
            return True
        if (
            kinds & UNSEEN
            or is_area
            or (self.block.is_heading and tag.name != "a")
            or tag.name == "noscript"
            or (attributes is not None and "itemprop" in attributes)
        ):
            return is_unseen(self.element(node), tag.name, attributes or {}, self.block.name)
        return False

    cdef bint begins_line(self, xmlNode* node, Tag tag, dict attributes) except -1:
        cdef xmlNode* before
        if attributes is None:
            if tag.name != "code":
                return False
        elif tag.name != "code" and "data-line" not in attributes:
            names = attributes.get("class")
            if not names or not self.kinds_of(names) & LINE:
                return False
        before = _previous(node)
        if before == NULL or before.type != XML_ELEMENT_NODE:
            return False
        return begins_line(self.element(node), attributes or {})

    cdef int start(self, xmlNode* node, Tag tag, dict attributes) except -1:
        if self.muted == NULL and self.is_muting(node, tag, attributes):
            self.muted = node
        if tag.is_block:
            if self.listing == NULL:
                self.open_block(node, tag, attributes)
            else:
                self.start_line(tag)
            return 0
        if self.begins_line(node, tag, attributes):
            self.parts.append("\n")
        if tag.is_inline:
            self.start_inline(node, tag, attributes)
        return 0

    cdef int end(self, xmlNode* node, Tag tag) except -1:
        if tag.is_block:
            if self.listing == NULL or node == self.listing:
                self.close_block()
                self.listing = NULL
            else:
                self.end_line()
        elif tag.is_inline:
            self.end_inline(node, tag)
        if node == self.muted:
            self.muted = NULL
        return 0

    cdef bint is_in_line(self) except -1:
        return not (<str>self.parts[len(self.parts) - 1]).endswith("\n")

    cdef int start_line(self, Tag tag) except -1:
        self.page_tags.append(tag.sign)
        if self.muted == NULL and self.parts and self.is_in_line():
            self.parts.append("\n")
        self.lines.append(len(self.parts))
        return 0

    cdef int end_line(self) except -1:
        cdef Py_ssize_t begun = self.lines.pop()
        if self.muted != NULL:
            return 0
        if self.is_in_line() if len(self.parts) > begun else not self.lines:
            self.parts.append("\n")
        return 0

    cdef int add_run(self, xmlNode* node) except -1:
        """Add the text nodes from a place on, up to the next element or comment."""
        cdef bytes joined
        cdef xmlNode* following
        node = _text_from(node)
        if node == NULL:
            return 0
        following = _text_from(node.next)
        if following == NULL:
            if self.muted == NULL and not self.is_preformatted and _is_blank(node.content):
                if self.parts:  # none at the start of a block
                    self.parts.append(" ")
                return 0
            return self.add_text(_decode(node.content))
        joined = b""
        while node != NULL:
            if node.content != NULL:
                joined += <const char*>node.content
            node = _text_from(node.next)
        return self.add_text(joined.decode())

    cdef int add_text(self, str text) except -1:
        if self.muted != NULL:
            self.anchors.add_title(text)
            return 0
        if self.is_preformatted:
            text = normalize(text)
        elif text.isspace():
            if self.parts:  # none at the start of a block
                self.parts.append(" ")
            return 0
        else:
            if "\n" in text:
                text = join_lines(text) if "\n\n" in text else text.replace("\n", " ")
            if text.isascii():
                if "\t" in text:
                    text = text.replace("\t", " ")
                if not text.isprintable():
                    text = normalize(text)
            else:
                text = normalize(text)
        if text:
            self.parts.append(text)
        return 0

    cdef int open_block(self, xmlNode* node, Tag tag, dict attributes) except -1:
        cdef str names = ""
        if self.parts or self.anchors.is_used:
            self.end_block()
        self.page_tags.append(tag.sign)
        _, outer_context, outer, path = self.stack[len(self.stack) - 1]
        context = outer_context
        if attributes is not None:
            for name in ("class", "id", "role"):
                given = attributes.get(name)
                if given:
                    names = f"{names} {given}" if names else given
        key = (path, tag.name, names)
        known = self.known_paths.get(key)
        if known is None:
            known = len(self.distinct_paths), tag.is_changing or (
                ROLES.may_occur_in(names) and is_changing(tag.name, names)
            )
            self.known_paths[key] = known
            self.distinct_paths.append(Path(path, tag.name, names))
        path, changes = known
        if changes or (
            attributes is not None and not CHANGING_ATTRIBUTES.isdisjoint(attributes)
        ):
            context = self.open_context(node, tag, attributes, context, names)
        self.stack.append((tag, context, len(self.parents), path))
        self.enter(tag, context)
        self.parents.append(outer)
        self.ends.append(0)
        self.paths.append(path)
        if (
            tag.is_preformatted
            and self.context.kind is ParagraphType.CODE
            and has_line_elements(self.element(node))
        ):
            self.listing = node
        return 0

    cdef Context open_context(
        self, xmlNode* node, Tag tag, dict attributes, Context outer, str names
    ):
        cdef Context inner = outer.inside()
        if attributes is None:
            attributes = {}
        if tag.name == "noscript" or _is_hidden(attributes):
            inner.is_hidden = True
        if tag.is_frame or attributes.get("role") in FRAME_ROLES:
            inner.is_frame = True
        self.enter_tag(inner, node, tag, attributes)
        role = None
        if not tag.is_page and (
            "itemprop" in attributes or "itemtype" in attributes or ROLES.may_occur_in(names)
        ):
            role = find_role(attributes, names)
        if role is not None:
            if role == COMMENTS:
                inner.comment = -1
            elif role is ParagraphType.COMMENT:
                inner.comment = inner.comment or self.next_number()
            else:
                inner.kind = ParagraphType(role)
        return inner

    cdef Py_ssize_t next_number(self) noexcept:
        self.number += 1
        return self.number

    cdef int enter_tag(
        self, Context inner, xmlNode* node, Tag tag, dict attributes
    ) except -1:
        if tag.is_list:
            inner.list_number = self.next_number()
        elif tag.is_item:
            inner.is_item, inner.kind = True, ParagraphType.LISTITEM
        elif tag.name == "table":
            is_layout = attributes.get("role") in LAYOUT_ROLES
            inner.table = 0 if is_layout else self.next_number()
            inner.row = inner.cell = 0
        elif tag.name == "tr":
            inner.row = self.next_number() if inner.table else 0
        elif tag.is_section:
            inner.is_item, inner.kind = False, None
            if tag.is_cell:
                inner.cell = self.next_number() if inner.row else 0
        elif tag.is_preformatted:
            inner.is_preformatted = True
            inner.kind = kind_of_preformatted(self.element(node))
        elif tag.is_caption:
            inner.kind = ParagraphType.CAPTION
        elif tag.name == "blockquote":
            inner.kind = ParagraphType.QUOTE
        return 0

    cdef int enter(self, Tag tag, Context context) except -1:
        self.block, self.context = tag, context
        self.is_preformatted = context.is_preformatted
        return 0

    cdef int close_block(self) except -1:
        if self.parts or self.anchors.is_used:
            self.end_block()
        if len(self.stack) > 1:
            place = self.stack.pop()[2]
            self.ends[place] = len(self.parents)
            last = self.stack[len(self.stack) - 1]
            self.enter(last[0], last[1])
        return 0

    cdef int start_inline(self, xmlNode* node, Tag tag, dict attributes) except -1:
        cdef str last
        self.page_tags.append(tag.sign)
        if tag.is_anchor:
            self.anchors.start(
                attributes, tag.href, self.stack[len(self.stack) - 1][3]
            )
        elif tag.is_bold:
            if not tag.is_font or (
                attributes is not None
                and ("style" in attributes or "size" in attributes)
                and is_bold(attributes, tag.name)
            ):
                self.bold.start(node)
        elif self.muted != NULL:
            return 0
        elif tag.name == "br":
            self.parts.append("\n")
        elif tag.name == "img":
            self.add_image(attributes or {})
        elif tag.is_code:
            self.code.start(node)
        elif tag.is_button:
            if self.parts:
                last = self.parts[len(self.parts) - 1]
                if last[-1:].isalnum():
                    self.parts.append(" ")
        else:  # the ruby annotation above the characters stands behind them
            self.parts.append("(")
        return 0

    cdef int end_inline(self, xmlNode* node, Tag tag) except -1:
        if tag.is_anchor:
            self.anchors.end(self.context.is_hidden)
        elif tag.is_bold:
            self.bold.end(node)
        elif tag.is_code:
            self.code.end(node)
        elif tag.is_button:
            if (self.element(node).tail or "")[:1].isalnum():
                self.parts.append(" ")
        elif tag.name == "rt" and self.muted == NULL:
            self.parts.append(")")
        return 0

    cdef int add_image(self, dict attributes) except -1:
        source = attributes.get("src") or attributes.get("data-src") or ""
        name = source.split("?", 1)[0].rstrip("/").rsplit("/", 1)[-1]
        if name and not self.context.is_hidden and not source.startswith("data:"):
            self.page.images.append(name)
        alt = attributes.get("alt")
        if alt:
            self.anchors.add_title(alt)
        return 0

    cdef int end_block(self) except -1:
        cdef tuple bold_lines = self.bold.flush() if self.bold.is_used else ()
        cdef tuple code_lines = self.code.flush() if self.code.is_used else ()
        cdef str joined, text
        cdef tuple indents = ()
        cdef bint is_item, is_preformatted
        cdef Py_ssize_t link_words = 0, link_chars = 0
        cdef Context context = self.context
        if self.anchors.is_used:
            self.anchors.flush(&link_words, &link_chars)
        joined = "".join(self.parts).strip("\u200b")
        self.parts.clear()
        place = self.stack[len(self.stack) - 1][2]
        if "\n" not in joined:  # most
            split = joined.split()
            text, words = " ".join(split), len(split)
        else:
            is_preformatted = self.block.name in PREFORMATTED_TAGS
            text, words = read_lines(joined, is_preformatted=is_preformatted)
            if is_preformatted:
                indents = read_indents(joined)
        if not words:
            return 0
        is_item = context.is_item and not self.block.is_heading
        self.blocks.append(
            Block(
                text,
                self.block.name,
                words,
                link_words,
                len(self.stack),
                bool(is_item),
                context.list_number if is_item else 0,
                bool(context.is_frame),
                False,
                False,
                context.kind,
                context.table,
                context.row,
                context.cell,
                bold_lines,
                bool(code_lines) and False not in code_lines,
                context.comment,
                place,
                link_chars,
                bool(context.is_hidden),
                indents,
            )
        )
        return 0


def read_blocks(
    _Element root not None,
    *,
    int context_words=20,
    int max_contexts=2000,
    bint keep_hidden=False,
):
    """Return what ``walk.read_blocks`` returns."""
    walker = Walker(context_words, max_contexts, keep_hidden)
    walker.walk(root)
    for tree in root.itersiblings("*"):  # text after </html> has further roots
        walker.walk(tree)
    walker.end_block()
    walker.ends[0] = len(walker.parents)
    return walker.page


# -- markup that needs no repair and exceeds no limit, as most has

cdef list RAW_NAMES = [name.encode() for name in RAW_TAGS.split("|")]
cdef int MOST_ATTRIBUTES = MAX_ATTRIBUTES
cdef Py_ssize_t MOST_TAGS = MAX_TAGS, MOST_CHARS = MAX_TAG_CHARS

cdef enum:
    MAX_RAW = 16


cdef inline bint _is_space(unsigned char char) noexcept:
    return char == c" " or 9 <= char <= 13 or 28 <= char <= 31


cdef inline bint _ends_name(unsigned char char) noexcept:
    return _is_space(char) or char == c"/" or char == c">"


cdef inline bint _is_odd(unsigned char char) noexcept:
    """Test for a character that patterns of text and of bytes may take differently."""
    return char >= 128 or 28 <= char <= 31


cdef inline bint _begins(const char* place, const char* end, const char* name) noexcept:
    """Test for a name in lower case at a place, whatever the case there."""
    while name[0]:
        if place >= end or (place[0] | 32) != name[0]:
            return False
        place, name = place + 1, name + 1
    return True


cdef inline const char* _pass_name(const char* place, const char* end, const char* name) noexcept:
    """Return the place behind a whole name, NULL for another one; odd characters end it, too."""
    if not _begins(place, end, name):
        return NULL
    place += strlen(name)
    if place < end and (_ends_name(place[0]) or _is_odd(place[0])):
        return place
    return NULL


cdef inline const char* _find(const char* place, const char* end, char char) noexcept:
    """Return the place of a character, the end where there is none."""
    cdef const void* found = memchr(place, char, end - place) if place < end else NULL
    return end if found == NULL else <const char*>found


cdef const char* _pass_attributes(const char* place, const char* end, bint* is_plain) noexcept:
    """Return the end of the attributes of a tag; tell whether they are within the limits."""
    cdef const char* start = place
    cdef const char* ahead
    cdef int count = 0
    while True:
        ahead = place
        while ahead < end and (_is_space(ahead[0]) or ahead[0] == c"/"):
            ahead += 1
        if ahead >= end or ahead[0] == c">":
            break
        place, count = ahead, count + 1
        while place == ahead or (
            place < end and not (_ends_name(place[0]) or place[0] == c"=")
        ):
            if _is_odd(place[0]):
                is_plain[0] = False
            place += 1
        ahead = place
        while ahead < end and _is_space(ahead[0]):
            ahead += 1
        if ahead < end and ahead[0] == c"=":
            place = ahead + 1
            while place < end and _is_space(place[0]):
                place += 1
            if place < end and (place[0] == c'"' or place[0] == c"'"):
                ahead = _find(place + 1, end, place[0])
                place = ahead + 1 if ahead < end else end
                continue
            while place < end and not (_is_space(place[0]) or place[0] == c">"):
                if _is_odd(place[0]):
                    is_plain[0] = False
                place += 1
    if count > MOST_ATTRIBUTES or place - start > MOST_CHARS:
        is_plain[0] = False
    return place


cdef const char* _pass_comment(const char* place, const char* end) noexcept:
    """Return the end of a comment whose content begins at a place."""
    if place < end and place[0] == c">":
        return place + 1
    if place + 1 < end and place[0] == c"-" and place[1] == c">":
        return place + 2
    while True:
        place = _find(place, end, c"-")
        if place + 2 >= end:
            return end
        if place[1] == c"-" and (
            place[2] == c">" or (place[2] == c"!" and place + 3 < end and place[3] == c">")
        ):
            return place + (3 if place[2] == c">" else 4)
        place += 1


def is_plain(bytes html not None):
    """Test whether a page needs neither ``markup.close_elements`` nor ``markup.is_excessive``.

    True only where the first returns it as it is and the second is false; false, too, for
    what is looked into there: characters beyond ASCII in tags, comments in buttons.
    """
    cdef const char* start = html
    cdef const char* end = start + len(html)
    cdef const char* place = start
    cdef const char* name
    cdef const char* behind  # a name that is looked for
    cdef const char* free = start  # from here on a tag may begin
    cdef const char* raw = NULL
    cdef const char* names[MAX_RAW]
    cdef Py_ssize_t opened[MAX_RAW]
    cdef Py_ssize_t closed[MAX_RAW]
    cdef Py_ssize_t comment = -1, tags = 0, divs = 0
    cdef int number, total = len(RAW_NAMES)
    cdef bint is_within = True, is_button = False, is_end
    for number in range(total):
        names[number] = RAW_NAMES[number]
        opened[number] = closed[number] = -1
    while True:
        place = _find(place, end, c"<")
        if place >= end:
            break
        name, tags = place + 1, tags + 1
        is_end = name < end and name[0] == c"/"
        if is_end:
            name += 1
        if name >= end:
            break
        if end - place >= 4 and not memcmp(place, b"<!--", 4):
            comment = place - start
            if is_button:
                return False
        for number in range(total):
            behind = _pass_name(name, end, names[number])
            if behind != NULL:
                break
        else:
            number = -1
            behind = _pass_name(name, end, b"button")
            if behind != NULL and is_end and is_button:
                if divs > 0 or behind[0] == c"/":
                    return False
                is_button = False
            elif behind != NULL and not is_end and not is_button:
                is_button, divs = True, 0
            elif _begins(name, end, b"div"):
                divs += -1 if is_end else 1
        if _is_odd(name[0]) or (behind != NULL and _is_odd(behind[0])):
            return False
        if number >= 0 and not is_end:
            opened[number] = place - start
        elif number >= 0:
            closed[number] = place - start
            if raw == names[number] and place >= free:
                raw = NULL
        if raw == NULL and place >= free and not is_end:
            if comment == place - start:
                free = _pass_comment(place + 4, end)
            elif name[0] == c"!" or name[0] == c"?":
                free = _find(name, end, c">")
            elif c"a" <= (name[0] | 32) <= c"z":
                if number >= 0:
                    raw, name = names[number], behind
                while name < end and not _ends_name(name[0]):
                    if _is_odd(name[0]):
                        return False
                    name += 1
                free = _pass_attributes(name, end, &is_within)
        if not is_within or tags > MOST_TAGS:
            return False
        place += 1
    for number in range(total):
        if opened[number] > closed[number]:
            return False
    return comment <= max(html.rfind(b"-->"), html.rfind(b"--!>"))
