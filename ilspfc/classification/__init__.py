"""Classification of pages as relevant to the domain or not."""
