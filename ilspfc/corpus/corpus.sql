-- The tables of corpus.db, for any SQLite tool to read. A change of them changes
-- SCHEMA_VERSION in index.py.

-- Every page that was fetched and what became of it: 'kept' or 'stage/reason'.
CREATE TABLE IF NOT EXISTS pages (
    url TEXT PRIMARY KEY,
    id TEXT NOT NULL,            -- of its document: 12 hex digits
    host TEXT NOT NULL,
    fate TEXT NOT NULL,
    lang TEXT NOT NULL,          -- ISO 639-3, empty if unknown
    relevance REAL NOT NULL,     -- p of the founding paper
    terms INTEGER NOT NULL,      -- m of the founding paper
    depth INTEGER NOT NULL,      -- links from a seed
    fetched_at TEXT NOT NULL,    -- ISO 8601, UTC
    optouts TEXT NOT NULL,       -- signals on text and data mining, a line each
    reserved INTEGER NOT NULL,   -- what they come to
    perplexity REAL,             -- of the clean text by the domain texts; NULL: not measured
    bucket TEXT NOT NULL         -- high, medium, normal, discarded, unmeasured; '': no model
) WITHOUT ROWID;
-- The exported documents. A near-duplicate names the document that stays.
CREATE TABLE IF NOT EXISTS documents (
    id TEXT PRIMARY KEY,
    lang TEXT NOT NULL,
    url TEXT NOT NULL,
    host TEXT NOT NULL,
    site TEXT NOT NULL,
    url_depth INTEGER NOT NULL,
    file TEXT NOT NULL,          -- name of its cesDoc file
    title TEXT NOT NULL,
    paragraphs INTEGER NOT NULL,
    clean_paragraphs INTEGER NOT NULL,
    tokens INTEGER NOT NULL,     -- of the clean text
    relevance REAL NOT NULL,
    terms INTEGER NOT NULL,
    subdomains TEXT NOT NULL,    -- joined by ';'
    license TEXT NOT NULL,       -- URL of the license that the page is taken to be under
    encoding TEXT NOT NULL,
    fetched_at TEXT NOT NULL,
    optouts TEXT NOT NULL,       -- signals on text and data mining, a line each
    reserved INTEGER NOT NULL,   -- what they come to
    license_id TEXT NOT NULL,    -- SPDX identifier of license, empty if unknown
    license_place TEXT NOT NULL, -- where license stands on the page
    genre TEXT NOT NULL,         -- type of the page, empty where no model has judged
    duplicate_of TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
-- Why a document that names another in duplicate_of went: a reason of dedup. Those that
-- are 'contained' in a longer document are paired all the same.
CREATE TABLE IF NOT EXISTS duplicates (
    document TEXT PRIMARY KEY,
    reason TEXT NOT NULL
) WITHOUT ROWID;
-- The documents that pairing compares: a page that stands within a longer one adds no text,
-- but its translation is a page of its own.
CREATE VIEW IF NOT EXISTS documents_to_pair AS
    SELECT * FROM documents WHERE duplicate_of = ''
        OR id IN (SELECT document FROM duplicates WHERE reason = 'contained');
-- Digest of the clean text of each, by which a later visit knows that it has not changed.
CREATE TABLE IF NOT EXISTS texts (
    document TEXT PRIMARY KEY,
    digest TEXT NOT NULL
) WITHOUT ROWID;
-- The text of each document as cleaning left it, split into sentences: compressed JSON of a
-- version of the program's format (corpus/reading.py).
CREATE TABLE IF NOT EXISTS readings (
    document TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    data BLOB NOT NULL
);
-- The decision on the text of each document, a sign for each paragraph, separated by
-- commas: . clean text, b boilerplate, s too short, l another language (with its code), n an
-- unwanted word.
CREATE TABLE IF NOT EXISTS verdicts (
    document TEXT PRIMARY KEY,
    signs TEXT NOT NULL
) WITHOUT ROWID;
-- How probably each is relevant by what the crawl had learned when it came, if it learns.
CREATE TABLE IF NOT EXISTS probabilities (
    document TEXT PRIMARY KEY,
    probability REAL NOT NULL
) WITHOUT ROWID;
-- The F1 that the learned backend expects of what it took for the text of each.
CREATE TABLE IF NOT EXISTS cleaning_scores (
    document TEXT PRIMARY KEY,
    score REAL NOT NULL
) WITHOUT ROWID;
-- How probably each is about the domain by its terms, its neighbors and its translations (NULL
-- where that is not decided), and the reason for which it is put apart (in off-topic/), empty
-- for none. Empty where no such decision is made.
CREATE TABLE IF NOT EXISTS subject (
    document TEXT PRIMARY KEY,
    probability REAL,
    reason TEXT NOT NULL
) WITHOUT ROWID;
-- The documents of the corpus, without those that are put apart.
CREATE VIEW IF NOT EXISTS kept_documents AS
    SELECT * FROM documents WHERE duplicate_of = ''
        AND id NOT IN (SELECT document FROM subject WHERE reason != '');
-- The markup of a document's page, if it was HTML, for pairing by structure.
CREATE TABLE IF NOT EXISTS markup (
    document TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL,      -- of the HTML, decompressed
    tags TEXT NOT NULL           -- a sign for each start tag (cleaning/blocks/tags.py), up to 4,000
);
CREATE INDEX IF NOT EXISTS documents_by_lang ON documents (lang, duplicate_of);
-- All by which lists of documents are sorted and filtered; partial, so that it is not taken for
-- a way to find a single one.
CREATE INDEX IF NOT EXISTS documents_listed ON documents (url, id, lang, site, tokens, relevance,
    subdomains, license_id, genre, duplicate_of) WHERE duplicate_of = '';
-- The links of exported documents, in reading order; target is a document id.
CREATE TABLE IF NOT EXISTS links (
    source TEXT NOT NULL,
    position INTEGER NOT NULL,
    target TEXT NOT NULL,
    kind TEXT NOT NULL,          -- 'hreflang', 'cue' or '' (no translation cue)
    lang TEXT NOT NULL,          -- that the cue announces
    anchor TEXT NOT NULL,        -- the first 80 characters of its text
    PRIMARY KEY (source, position)
) WITHOUT ROWID;
-- Versions that sitemaps declare; ids of the documents, if the pages become any.
CREATE TABLE IF NOT EXISTS versions (
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    hreflang TEXT NOT NULL,
    PRIMARY KEY (source, target)
) WITHOUT ROWID;
-- All licenses that an exported document's page names, the most trusted first.
CREATE TABLE IF NOT EXISTS licenses (
    document TEXT NOT NULL,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,            -- SPDX identifier, empty if unknown
    url TEXT NOT NULL,
    place TEXT NOT NULL,         -- 'link-rel', 'a-rel', 'json-ld' …
    PRIMARY KEY (document, position)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS images (
    document TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (document, name)
) WITHOUT ROWID;
-- Two documents that are probable enough to be a pair, or nearly, and what has become of them:
-- 'pair', 'taken' (a page of them is in a more probable pair), 'not_parallel', as alignment
-- found, 'unsure' (below the threshold, and alignment does not bear them out), or 'off_topic'
-- (a pair of which a document is put apart, see subject).
CREATE TABLE IF NOT EXISTS candidates (
    source_lang TEXT NOT NULL,
    target_lang TEXT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    probability REAL NOT NULL,
    evidence TEXT NOT NULL,      -- the kinds that speak the most for the pair
    margin REAL NOT NULL,        -- how much less probable the best rival is
    evidence_values TEXT NOT NULL, -- what each kind says, as a JSON object
    round INTEGER NOT NULL,      -- of pairing, that they are from
    state TEXT NOT NULL,
    null_share REAL,             -- of segments without a counterpart; NULL: not aligned
    mean_score REAL,
    aligned_in INTEGER,          -- the run (of runs) after which they were aligned
    PRIMARY KEY (source_lang, target_lang, source, target)
) WITHOUT ROWID;
-- Alignment asks for each of them by its documents.
CREATE INDEX IF NOT EXISTS candidates_by_documents ON candidates (source, target);
-- Log share of words that the units of candidates explain (alignment/page_units.py).
CREATE TABLE IF NOT EXISTS explained (
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    share REAL NOT NULL,
    PRIMARY KEY (source, target)
) WITHOUT ROWID;
CREATE VIEW IF NOT EXISTS pairs AS
    SELECT source_lang, target_lang, source, target, probability, evidence, margin,
        evidence_values, round, null_share, mean_score
    FROM candidates WHERE state = 'pair';
-- Why a document is in none of the candidates.
CREATE TABLE IF NOT EXISTS alone (
    document TEXT PRIMARY KEY,
    reason TEXT NOT NULL
) WITHOUT ROWID;
-- The documents without a pair, each with the reason that came nearest to one: the states
-- of candidates happen to be in that order by their names.
CREATE VIEW IF NOT EXISTS unpaired AS
    WITH ends AS (
        SELECT source AS document, state FROM candidates
        UNION ALL SELECT target, state FROM candidates
    )
    SELECT document, replace(min(state), 'unsure', 'below_threshold') AS reason FROM ends
    GROUP BY document HAVING sum(state = 'pair') = 0
    UNION ALL
    SELECT document, reason FROM alone
    WHERE document NOT IN (SELECT document FROM ends);
-- The most probable partner of each document that has no pair.
CREATE TABLE IF NOT EXISTS rivals (
    source_lang TEXT NOT NULL,
    target_lang TEXT NOT NULL,
    document TEXT NOT NULL,
    rival TEXT NOT NULL,
    probability REAL NOT NULL,
    PRIMARY KEY (source_lang, target_lang, document)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS units (
    source TEXT NOT NULL,        -- document ids of the pair
    target TEXT NOT NULL,
    number INTEGER NOT NULL,
    source_text TEXT NOT NULL,
    target_text TEXT NOT NULL,
    kind TEXT NOT NULL,          -- alignment type, source:target
    score REAL NOT NULL,
    PRIMARY KEY (source, target, number)
) WITHOUT ROWID;
-- The units of the corpus: pairs that are put apart keep theirs.
CREATE VIEW IF NOT EXISTS kept_units AS
    SELECT * FROM units WHERE (source, target) IN (SELECT source, target FROM pairs);
-- The reasons against units of pairs, joined by blanks; a unit without any has no row.
CREATE TABLE IF NOT EXISTS unit_reasons (
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    number INTEGER NOT NULL,
    reasons TEXT NOT NULL,       -- of exports/filters.py, without those of duplicates
    PRIMARY KEY (source, target, number)
) WITHOUT ROWID;
-- What alignment lost of each candidate: segments without a partner, by side, and the units
-- ('not_parallel') that are lost where the candidate is decided to be no pair.
CREATE TABLE IF NOT EXISTS losses (
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    reason TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (source, target, reason)
) WITHOUT ROWID;
-- What the stages over the whole corpus dropped; pages are counted in their own table.
CREATE TABLE IF NOT EXISTS drops (
    stage TEXT NOT NULL,
    reason TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (stage, reason)
) WITHOUT ROWID;
-- URLs that never became a page, and why.
CREATE TABLE IF NOT EXISTS failures (
    url TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    reason TEXT NOT NULL,
    cause TEXT NOT NULL,
    is_seed INTEGER NOT NULL
) WITHOUT ROWID;
-- The inputs that the stages over the corpus last ran on.
CREATE TABLE IF NOT EXISTS signatures (
    stage TEXT PRIMARY KEY,
    signature TEXT NOT NULL
) WITHOUT ROWID;
-- What the corpus was crawled for: arguments, settings, times, versions, as JSON.
CREATE TABLE IF NOT EXISTS runs (
    number INTEGER PRIMARY KEY,
    description TEXT NOT NULL
);
