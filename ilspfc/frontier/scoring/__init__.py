"""Link scoring: terms, perplexity, translation cues, online learning."""
