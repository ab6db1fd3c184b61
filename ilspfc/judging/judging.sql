CREATE TABLE IF NOT EXISTS items (
    what TEXT NOT NULL,          -- pairs, documents, segments, paragraphs
    item TEXT NOT NULL,          -- its name: ids, numbers
    number INTEGER NOT NULL,     -- in the order of the draw
    record TEXT NOT NULL,        -- the item as JSON
    PRIMARY KEY (what, item)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS verdicts (
    what TEXT NOT NULL,
    item TEXT NOT NULL,
    question TEXT NOT NULL,
    judge TEXT NOT NULL,
    verdict TEXT NOT NULL,
    PRIMARY KEY (what, item, question, judge)
) WITHOUT ROWID;
