"""Hook of MkDocs: links of the documentation to files of the repository.

In the repository such a link leads to the file. The site has the pages of ``docs/`` alone: there
the name of the file stays, without a link. A link to a file that is not there is a warning, which
ends a strict build.
"""

import logging
import re
from pathlib import Path

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((\.\./[^)#\s]+)(?:#[^)]*)?\)")
logger = logging.getLogger("mkdocs.hooks.repository_links")


def on_page_markdown(markdown, page, config, files):
    """Return the text of a page without links out of the documentation."""
    folder = Path(page.file.abs_src_path).parent

    def name(match: re.Match[str]) -> str:
        if not (folder / match[2]).exists():
            logger.warning("%s: no such file: %s", page.file.src_path, match[2])
        return match[1]

    return LINK.sub(name, markdown)
