"""Store of the frontier: its protocol, and its implementation in SQLite."""
