"""Bootstrap: from a subject's name to terms in many languages and seeds (000, section 4)."""
