"""Bootstrap of a crawl: a definition and seeds from the name of a subject, a survey of sites."""
