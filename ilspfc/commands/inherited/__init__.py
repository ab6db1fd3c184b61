"""Commands of Scrapy, changed where a corpus crawler needs it."""
