"""Language identification of pages, paragraphs and segments."""
