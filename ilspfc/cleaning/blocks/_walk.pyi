from lxml.etree import _Element

from ilspfc.cleaning.blocks.parsed import ParsedPage

def is_plain(html: bytes) -> bool: ...
def read_blocks(
    root: _Element,
    *,
    context_words: int = 20,
    max_contexts: int = 2000,
    keep_hidden: bool = False,
) -> ParsedPage: ...
