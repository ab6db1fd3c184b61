"""Terms: lists, texts, weights, the definition."""
