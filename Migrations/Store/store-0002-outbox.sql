-- Refused pushes: a number to refer to, since when, and whether a person has decided to leave them as they are.
ALTER TABLE outbox ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN first_rejected_at REAL NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN is_acknowledged INTEGER NOT NULL DEFAULT 0;
UPDATE outbox SET first_rejected_at = rejected_at, number = (
    SELECT count(*) FROM outbox AS other
    WHERE (other.collection, other.document_id, other.remote)
        <= (outbox.collection, outbox.document_id, outbox.remote)
);
