"""Commands for resources that serve many corpora: lexicons and language models."""
