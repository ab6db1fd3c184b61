"""The founding papers' methods of pairing: an add-on, values of PAIRING_METHOD."""
