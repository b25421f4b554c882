-- Attachments that no current revision refers to any more. Their content goes when their time is over: until then a
-- client that was sent an older revision may still come for them.
CREATE TABLE replaced_attachments (
    number   INTEGER PRIMARY KEY,
    document INTEGER NOT NULL,
    digest   TEXT NOT NULL,
    -- Seconds since 1970.
    expires  INTEGER NOT NULL,
    -- Bytes of the content.
    size     INTEGER NOT NULL,
    UNIQUE (document, digest)
);

CREATE INDEX replaced_attachments_by_age ON replaced_attachments (expires);
