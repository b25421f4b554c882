-- A client's database folder. Each collection's documents are in a table of their own, documents_<collections.id>, which
-- is made with the collection (CollectionCatalog in DocumentStore):
--
--     sequence    the document's place in the order of changes, never used twice in a collection
--     id          compared byte by byte
--     revision    the current revision, GENERATION-DIGEST
--     history     its ancestors, newest first, separated by commas
--     remotes     what remotes are known to have: REMOTE=REVISION, separated by blanks
--     flags       1 deleted, 2 refers to blobs, 4 in conflict
--     timestamp   when the revision was stored here, nanoseconds since 1970
--     expiration  when the document is to be purged, seconds since 1970
--     body        its JSON, to the byte as it came

CREATE TABLE properties (
    key TEXT PRIMARY KEY NOT NULL,
    value BLOB NOT NULL
) WITHOUT ROWID;

-- AUTOINCREMENT: the number of a deleted collection must never come to mean another one.
CREATE TABLE collections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope TEXT NOT NULL,
    name TEXT NOT NULL,
    last_sequence INTEGER NOT NULL DEFAULT 0,
    live_documents INTEGER NOT NULL DEFAULT 0,
    next_expiration REAL,
    UNIQUE (scope, name)
);

CREATE TABLE remotes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    identity TEXT NOT NULL UNIQUE
);

-- A remote's revision that conflicts with the current local one, until it is resolved.
CREATE TABLE conflicts (
    collection INTEGER NOT NULL,
    document_id TEXT NOT NULL,
    remote INTEGER NOT NULL,
    revision TEXT NOT NULL,
    history TEXT NOT NULL,
    is_deleted INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (collection, document_id, remote)
) WITHOUT ROWID;

-- The body that local edits started from: what a merge compares both sides with.
CREATE TABLE base_bodies (
    collection INTEGER NOT NULL,
    document_id TEXT NOT NULL,
    revision TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (collection, document_id)
) WITHOUT ROWID;

-- Who refers to a blob: owner 0 a document, 1 a conflict, 2 a quarantined document (item is then its number).
CREATE TABLE blob_references (
    digest TEXT NOT NULL,
    collection INTEGER NOT NULL,
    owner INTEGER NOT NULL,
    item TEXT NOT NULL,
    PRIMARY KEY (digest, collection, owner, item)
) WITHOUT ROWID;
CREATE INDEX blob_references_by_owner ON blob_references (collection, owner, item);

-- Kept for a minute, so that other processes hear which documents went.
CREATE TABLE purged_documents (
    collection INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    document_id TEXT NOT NULL,
    purged_at REAL NOT NULL,
    PRIMARY KEY (collection, sequence)
) WITHOUT ROWID;

CREATE TABLE checkpoints (
    id TEXT PRIMARY KEY NOT NULL,
    body BLOB NOT NULL
) WITHOUT ROWID;

-- Documents purged for loss of access although they had edits that no remote ever got.
CREATE TABLE quarantine (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope TEXT NOT NULL,
    collection TEXT NOT NULL,
    document_id TEXT NOT NULL,
    remote TEXT NOT NULL,
    reason TEXT NOT NULL,
    quarantined_at REAL NOT NULL,
    is_sealed INTEGER NOT NULL,
    revision BLOB NOT NULL
);

-- Pushes that a remote refused.
CREATE TABLE outbox (
    collection INTEGER NOT NULL,
    document_id TEXT NOT NULL,
    remote INTEGER NOT NULL,
    revision TEXT NOT NULL,
    code INTEGER NOT NULL,
    reason TEXT NOT NULL,
    rejected_at REAL NOT NULL,
    PRIMARY KEY (collection, document_id, remote)
) WITHOUT ROWID;
