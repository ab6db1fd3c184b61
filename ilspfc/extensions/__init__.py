"""Extensions: what accompanies a crawl: the ledger of pages, progress, the summary."""
