"""Decisions: scores turn into text, pairs and subject, each with a reason."""
