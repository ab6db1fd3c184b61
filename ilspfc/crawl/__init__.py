"""What the components of one crawl share: its arguments, its focus, the work on a page."""
