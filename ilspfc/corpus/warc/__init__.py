"""WARC files: writing, reading, look-up by URL."""
