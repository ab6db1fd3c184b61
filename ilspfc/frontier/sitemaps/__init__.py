"""Sitemaps and feeds."""
