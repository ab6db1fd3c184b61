"""Commands: ``scrapy crawl`` with clear errors, and one command for each corpus stage."""
