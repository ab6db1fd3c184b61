"""Character encodings: declarations, detection, decoding."""
