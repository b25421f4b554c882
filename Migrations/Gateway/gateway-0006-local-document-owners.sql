-- What each user has in local documents, so that there is a limit to it. Those from before are nobody's.

ALTER TABLE local_documents ADD COLUMN owner TEXT NOT NULL DEFAULT '';

CREATE TABLE local_document_owners (
    owner TEXT PRIMARY KEY,
    -- Of ids and bodies, and what a row takes beside them.
    bytes INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TRIGGER local_document_added AFTER INSERT ON local_documents WHEN NEW.owner <> '' BEGIN
    INSERT INTO local_document_owners VALUES (NEW.owner, length(NEW.body) + length(CAST(NEW.id AS BLOB)) + 100)
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
END;

CREATE TRIGGER local_document_removed AFTER DELETE ON local_documents WHEN OLD.owner <> '' BEGIN
    UPDATE local_document_owners SET bytes = bytes - length(OLD.body) - length(CAST(OLD.id AS BLOB)) - 100
    WHERE owner = OLD.owner;
    DELETE FROM local_document_owners WHERE owner = OLD.owner AND bytes <= 0;
END;

CREATE TRIGGER local_document_changed AFTER UPDATE ON local_documents BEGIN
    UPDATE local_document_owners SET bytes = bytes - length(OLD.body) - length(CAST(OLD.id AS BLOB)) - 100
    WHERE owner = OLD.owner AND OLD.owner <> '';
    INSERT INTO local_document_owners
    SELECT NEW.owner, length(NEW.body) + length(CAST(NEW.id AS BLOB)) + 100 WHERE NEW.owner <> ''
    ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;
    DELETE FROM local_document_owners WHERE bytes <= 0 AND owner = OLD.owner;
END;
