-- Bodies of revisions that were replaced, for differences to them. Each ends by itself; see delta_sync.
CREATE TABLE old_revisions (
    number      INTEGER PRIMARY KEY,
    document    INTEGER NOT NULL,
    revision    TEXT NOT NULL,
    -- Seconds since 1970.
    expires     INTEGER NOT NULL,
    sequence    INTEGER NOT NULL,
    -- Bytes of the row's texts, so that what all of them take is read from the index.
    size        INTEGER NOT NULL,
    -- A JSON array: a user who sees none of these must not learn what is in the body.
    channels    TEXT NOT NULL,
    attachments TEXT,
    body        BLOB NOT NULL,
    UNIQUE (document, revision)
);

CREATE INDEX old_revisions_by_age ON old_revisions (expires, size);
