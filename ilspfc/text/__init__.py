"""Floor of the text algorithms: language codes and names, scripts, words, sentences, lengths."""
