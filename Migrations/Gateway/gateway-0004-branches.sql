-- Leaves beside the current revision, of documents in conflict, each with what its row in `documents` would say if it
-- were the current one. A tombstone without content has no row: the tree says all there is of it.
CREATE TABLE branches (
    number      INTEGER PRIMARY KEY,
    document    INTEGER NOT NULL,
    revision    TEXT NOT NULL,
    -- Of the change that brought the revision.
    sequence    INTEGER NOT NULL,
    -- A JSON array: a user who sees none of these must not learn what is in the body.
    channels    TEXT NOT NULL,
    -- Seconds since 1970, or NULL; counts when the revision becomes the current one.
    expires     INTEGER,
    attachments TEXT,
    body        BLOB NOT NULL,
    UNIQUE (document, revision)
);
