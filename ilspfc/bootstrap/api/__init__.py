"""Requests to APIs: retries and a cache."""
