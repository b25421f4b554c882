-- One gateway database. Sequences are counted for the whole database; everything else is kept by collection.

CREATE TABLE properties (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;

-- A collection that was taken out of the configuration keeps its documents.
CREATE TABLE collections (
    id    INTEGER PRIMARY KEY,
    scope TEXT NOT NULL,
    name  TEXT NOT NULL,
    UNIQUE (scope, name)
);

CREATE TABLE channels (
    id         INTEGER PRIMARY KEY,
    collection INTEGER NOT NULL,
    name       TEXT NOT NULL,
    UNIQUE (collection, name)
);

-- The body comes last, so that the rest of a row with a large one is read without touching its overflow pages.
CREATE TABLE documents (
    number      INTEGER PRIMARY KEY,
    collection  INTEGER NOT NULL,
    id          TEXT NOT NULL,
    sequence    INTEGER NOT NULL,
    revision    TEXT NOT NULL,
    is_deleted  INTEGER NOT NULL,
    -- Present and past channels, see DocumentChannels.
    channels    TEXT NOT NULL,
    -- The revision tree, see RevisionTree.
    tree        TEXT NOT NULL,
    -- Seconds since 1970, or NULL.
    expires     INTEGER,
    -- What the current revision grants to users and roles, or NULL; the rows of `grants` say the same.
    grants      TEXT,
    -- The `_attachments` object of the current revision, or NULL.
    attachments TEXT,
    -- JSON, without reserved members.
    body        BLOB NOT NULL,
    UNIQUE (collection, id)
);

-- Serves the feed of everything.
CREATE INDEX documents_by_sequence ON documents (collection, sequence);
CREATE INDEX documents_by_expiry ON documents (expires) WHERE expires IS NOT NULL;

-- Each channel's list: a document has at most one entry in a channel, its latest.
CREATE TABLE entries (
    channel  INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    document INTEGER NOT NULL,
    -- Of a removal: the revision that left the channel. NULL: the document's current one, which is in the channel.
    revision TEXT,
    -- Of a removal: whether that revision is a tombstone.
    is_deleted INTEGER NOT NULL,
    PRIMARY KEY (channel, sequence)
) WITHOUT ROWID;

-- Channels and roles that documents grant.
CREATE TABLE grants (
    -- A user's name, or `role:` and a role's.
    principal  TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('channel', 'role')),
    -- 0 for a role.
    collection INTEGER NOT NULL,
    name       TEXT NOT NULL,
    document   INTEGER NOT NULL,
    PRIMARY KEY (principal, kind, collection, name, document)
) WITHOUT ROWID;

-- What users and roles hold by all their grants together, and what they held. Roles have collection 0.
CREATE TABLE holdings (
    principal  TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('channel', 'role')),
    collection INTEGER NOT NULL,
    name       TEXT NOT NULL,
    start      INTEGER NOT NULL,
    -- 0 while it is held.
    "end"      INTEGER NOT NULL,
    PRIMARY KEY (principal, kind, collection, name, "end")
) WITHOUT ROWID;

-- Users and, with `role:` before their names, roles.
CREATE TABLE principals (
    name       TEXT PRIMARY KEY,
    sequence   INTEGER NOT NULL,
    -- A deleted role is kept: its history shows which channels its members lost.
    is_deleted INTEGER NOT NULL,
    -- JSON: what an administrator gave, see StoredPrincipal.
    state      TEXT NOT NULL,
    -- Argon2id, or NULL where no password opens the account.
    password   TEXT,
    -- Sessions made under another number are void.
    session_generation INTEGER NOT NULL
) WITHOUT ROWID;

-- Content in pieces, so that a reader holds one of them at a time.
CREATE TABLE attachments (
    document INTEGER NOT NULL,
    digest   TEXT NOT NULL,
    position INTEGER NOT NULL,
    content  BLOB NOT NULL,
    PRIMARY KEY (document, digest, position)
);

CREATE TABLE local_documents (
    collection INTEGER NOT NULL,
    id         TEXT NOT NULL,
    revision   INTEGER NOT NULL,
    touched    INTEGER NOT NULL,
    body       BLOB NOT NULL,
    PRIMARY KEY (collection, id)
) WITHOUT ROWID;

CREATE INDEX local_documents_by_age ON local_documents (touched);

CREATE TABLE sessions (
    -- A keyed hash of the session's id: the file does not open sessions.
    id         BLOB PRIMARY KEY,
    user       TEXT NOT NULL,
    expires    INTEGER NOT NULL,
    lifetime   INTEGER NOT NULL,
    generation INTEGER NOT NULL
) WITHOUT ROWID;

CREATE INDEX sessions_by_user ON sessions (user);
CREATE INDEX sessions_by_expiry ON sessions (expires);
