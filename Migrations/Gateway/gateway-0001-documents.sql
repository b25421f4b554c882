-- One gateway database. Sequences are counted for the whole database; everything else is kept by collection.

CREATE TABLE properties (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE collections (
    id         INTEGER PRIMARY KEY,
    scope      TEXT NOT NULL,
    name       TEXT NOT NULL,
    -- A collection that was taken out of the configuration keeps its documents.
    is_active  INTEGER NOT NULL DEFAULT 1,
    UNIQUE (scope, name)
);

CREATE TABLE channels (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);

CREATE TABLE documents (
    number      INTEGER PRIMARY KEY,
    collection  INTEGER NOT NULL,
    id          TEXT NOT NULL,
    sequence    INTEGER NOT NULL,
    revision    TEXT NOT NULL,
    is_deleted  INTEGER NOT NULL,
    -- JSON, without reserved members.
    body        BLOB NOT NULL,
    -- The revision tree, see RevisionTree.
    tree        TEXT NOT NULL,
    -- Present and past channels, see DocumentChannels.
    channels    TEXT NOT NULL,
    -- The `_attachments` object of the current revision, or NULL.
    attachments TEXT,
    -- What the current revision grants to users and roles, or NULL.
    grants      TEXT,
    -- Seconds since 1970, or NULL.
    expires     INTEGER,
    UNIQUE (collection, id)
);

CREATE INDEX documents_by_expiry ON documents (expires) WHERE expires IS NOT NULL;

-- Each channel's list: a document has at most one entry in a channel, its latest.
CREATE TABLE entries (
    collection INTEGER NOT NULL,
    channel    INTEGER NOT NULL,
    sequence   INTEGER NOT NULL,
    document   INTEGER NOT NULL,
    -- Of a removal: the revision that left the channel. NULL: the document's current one.
    revision   TEXT,
    -- 1 deleted, 4 removed
    flags      INTEGER NOT NULL,
    PRIMARY KEY (collection, channel, sequence)
) WITHOUT ROWID;

-- Channels and roles that documents grant; `role` is '' for a user's channel.
CREATE TABLE grants (
    document   INTEGER NOT NULL,
    collection INTEGER NOT NULL,
    -- A user's name, or `role:` and a role's.
    principal  TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('channel', 'role')),
    name       TEXT NOT NULL,
    sequence   INTEGER NOT NULL,
    PRIMARY KEY (document, principal, kind, name)
) WITHOUT ROWID;

CREATE INDEX grants_by_principal ON grants (principal);

CREATE TABLE attachments (
    document INTEGER NOT NULL,
    digest   TEXT NOT NULL,
    content  BLOB NOT NULL,
    PRIMARY KEY (document, digest)
);

CREATE TABLE local_documents (
    collection INTEGER NOT NULL,
    id         TEXT NOT NULL,
    revision   INTEGER NOT NULL,
    body       BLOB NOT NULL,
    touched    INTEGER NOT NULL,
    PRIMARY KEY (collection, id)
) WITHOUT ROWID;

CREATE TABLE users (
    name    TEXT PRIMARY KEY,
    -- JSON, see StoredPrincipal.
    state   TEXT NOT NULL,
    -- Argon2id, or NULL where no password opens the account.
    password TEXT
) WITHOUT ROWID;

CREATE TABLE roles (
    name  TEXT PRIMARY KEY,
    state TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE sessions (
    -- A keyed hash of the session's id: the file does not open sessions.
    id        BLOB PRIMARY KEY,
    user      TEXT NOT NULL,
    expires   INTEGER NOT NULL,
    lifetime  INTEGER NOT NULL,
    -- Which password it was made under; another one ends it.
    password  TEXT
) WITHOUT ROWID;

CREATE INDEX sessions_by_user ON sessions (user);
