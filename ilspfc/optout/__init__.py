"""Opt-outs from text and data mining: signals of pages and sites, and the policy of a crawl."""
