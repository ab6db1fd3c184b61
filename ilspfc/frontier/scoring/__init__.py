"""Scores of links: terms, perplexity, translation cues, online learning."""
