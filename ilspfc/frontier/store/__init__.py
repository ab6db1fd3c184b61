"""Store of the frontier: the protocol, and an implementation in SQLite."""
