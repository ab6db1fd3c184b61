"""Work on single files outside of a corpus: pages, texts, translation memories."""
