"""Responses of sites: pages, failures, sitemaps, probes, revisits."""
