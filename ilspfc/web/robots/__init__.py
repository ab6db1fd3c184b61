"""Rules of robots.txt (RFC 9309)."""
