-- Tables of the frontier that several crawlers share, one schema of PostgreSQL a corpus.
-- A change of them changes SCHEMA_VERSION in postgresql.py.

CREATE TABLE about (version integer NOT NULL);
CREATE TYPE url_state AS ENUM ('queued', 'done', 'failed', 'refused', 'gone');
CREATE TABLE crawlers (
    name text PRIMARY KEY,
    seen_at timestamptz NOT NULL,      -- when it last reported; -infinity: it has left
    joined_at timestamptz NOT NULL DEFAULT now(),
    requests bigint NOT NULL,          -- pages that it has requested in this run
    received bigint NOT NULL           -- bytes
);
CREATE TABLE hosts (
    id bigint PRIMARY KEY,             -- digest of the name
    name text NOT NULL,
    has_work boolean NOT NULL,         -- false: nothing was queued when it was given back
    best double precision NOT NULL,    -- score of its best URL when it was found or given back
    pages integer NOT NULL DEFAULT 0,  -- visited
    sitemaps text[] NOT NULL DEFAULT '{}',  -- origins whose sitemaps this run has read
    ready_at timestamptz NOT NULL DEFAULT '-infinity',  -- no visit before
    crawler text,                      -- that has leased it, until:
    leased_until timestamptz
);
CREATE INDEX hosts_with_work ON hosts (best DESC, id) WHERE has_work;
CREATE INDEX leased_hosts ON hosts (crawler) WHERE crawler IS NOT NULL;
CREATE TABLE urls (
    digest uuid PRIMARY KEY,           -- of the canonical URL
    host bigint NOT NULL,
    score double precision NOT NULL,
    base double precision NOT NULL,    -- the score before learning
    surprise real,                     -- bits of perplexity expected above the bound of MEDIUM
    place integer NOT NULL,            -- where on its page the link is
    state url_state NOT NULL,
    depth integer NOT NULL,            -- links from a seed
    distance integer NOT NULL,         -- irrelevant pages in a row before it
    url text NOT NULL,                 -- as requested
    referrer text NOT NULL,
    anchor text NOT NULL,
    reason text NOT NULL DEFAULT ''    -- why it failed or was refused
);
CREATE INDEX queued_by_host ON urls (host, score DESC) WHERE state = 'queued';
CREATE INDEX visited_by_host ON urls (host) WHERE state <> 'queued';
CREATE INDEX redirected_seeds ON urls (digest) WHERE depth = 0 AND referrer <> '';
CREATE TABLE visits (
    url uuid PRIMARY KEY,
    visited_at double precision NOT NULL,  -- seconds since the epoch, UTC
    etag text NOT NULL,                -- validators as the server gave them
    last_modified text NOT NULL,
    content text NOT NULL,             -- digest of what was sent
    rules text NOT NULL,               -- digest of the rules that it was read by
    crawler text NOT NULL,             -- that has the page in its part of the corpus
    exported boolean                   -- whether it gave a document
);
-- What visits have paid, in the order in which it became known: all crawlers learn from it.
CREATE TABLE gains (
    number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    url uuid PRIMARY KEY,
    gain real NOT NULL,
    crawler text NOT NULL
);
