"""Seeds: searches, Common Crawl, sites, the list for review."""
