"""Pages of the web application: what a request gets."""
