"""Crawler traps, copies and soft 404s."""
