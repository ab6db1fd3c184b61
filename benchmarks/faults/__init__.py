"""Faults that crawls and corpora meet, each with real processes: what is lost by them."""
