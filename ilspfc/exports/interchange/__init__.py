"""Units as files that translation tools exchange: TMX, XLIFF, judged workbooks."""
