"""Perplexity of pages under language models of the domain."""
