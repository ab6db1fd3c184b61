"""Language: of the page and of each paragraph."""

from __future__ import annotations

from ilspfc.documents import Page
from ilspfc.pipelines.stage import StagePipeline, work_of


class LanguagePipeline(StagePipeline):
    """Looks at the language that the worker has found."""

    stage = "language"

    def process_item(self, item: object) -> object:
        """Give the page its language; drop a page in no wanted one."""
        if not isinstance(item, Page) or item.document is None:
            return item
        work = work_of(item)
        item.document.lang, item.document.tokens = work.lang, work.tokens
        self.drop_if_ended(item, work)
        return item
