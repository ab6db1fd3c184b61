"""Documents in formats other than HTML: PDF, Word."""
