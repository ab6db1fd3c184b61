"""Archives that a crawl reads in place of the web: WARC files, folders, Common Crawl."""
