-- Tables of a lexicon store. Any change requires a new version in lexicon_file.py.

CREATE TABLE IF NOT EXISTS sites (
    id INTEGER PRIMARY KEY,
    source_lang TEXT NOT NULL,
    target_lang TEXT NOT NULL,
    site TEXT NOT NULL,
    date TEXT NOT NULL,
    UNIQUE (source_lang, target_lang, site)
);
CREATE TABLE IF NOT EXISTS entries (
    site INTEGER NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    score REAL NOT NULL,
    segments INTEGER NOT NULL,
    documents INTEGER NOT NULL,
    PRIMARY KEY (site, source, target)
) WITHOUT ROWID;
