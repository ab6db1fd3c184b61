"""Jobs of the web application: crawls that its users try, run by scrapyd."""
