"""Classification: whether a page is about the domain."""
