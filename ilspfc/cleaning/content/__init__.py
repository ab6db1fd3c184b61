"""Classification of blocks as content or boilerplate."""
