"""Sitemaps and feeds: parsing, and the queue of sitemaps to fetch."""
