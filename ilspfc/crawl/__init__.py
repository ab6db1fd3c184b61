"""State and rules of one crawl: its arguments, its focus, the work on a page."""
