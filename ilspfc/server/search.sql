CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5(
    title, text, tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TABLE IF NOT EXISTS known_documents (
    id INTEGER PRIMARY KEY,      -- the row of its text
    document TEXT NOT NULL UNIQUE,
    digest TEXT NOT NULL         -- of the text that is in the search
);
CREATE TABLE IF NOT EXISTS units (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    number INTEGER NOT NULL,
    langs TEXT NOT NULL,         -- ISO 639-3, joined by a hyphen
    score REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS unit_reasons (
    reason TEXT NOT NULL,        -- against a unit
    langs TEXT NOT NULL,
    score REAL NOT NULL,
    id INTEGER NOT NULL,
    PRIMARY KEY (reason, langs, score, id)
) WITHOUT ROWID;
-- The orders in which units are shown (UNIT_ORDERS of search.py).
CREATE INDEX IF NOT EXISTS units_by_chance
    ON units (langs, (id * 2654435761) % 4294967296, id, score);
CREATE INDEX IF NOT EXISTS units_by_score ON units (langs, score, id);
CREATE INDEX IF NOT EXISTS units_by_falling_score ON units (langs, -score, id, score);
CREATE VIRTUAL TABLE IF NOT EXISTS unit_texts USING fts5(
    source, target, content = '', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL);
