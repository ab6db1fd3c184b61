"""Responses of sites on their way to pages: failures, sitemaps, probes, revisits, outcomes."""
