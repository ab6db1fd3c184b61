"""Commands that mend corpora, join them, and take pages out of them."""
