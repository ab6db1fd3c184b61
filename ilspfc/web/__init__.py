"""Web formats: addresses, URLs, Link headers, robots.txt, signatures."""
