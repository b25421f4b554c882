-- How much documents grant to each principal, so that there is a limit to it.

CREATE TABLE grant_counts (
    principal TEXT PRIMARY KEY,
    count INTEGER NOT NULL
) WITHOUT ROWID;

INSERT INTO grant_counts SELECT principal, count(*) FROM grants GROUP BY principal;

CREATE TRIGGER grant_added AFTER INSERT ON grants BEGIN
    INSERT INTO grant_counts VALUES (NEW.principal, 1) ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER grant_removed AFTER DELETE ON grants BEGIN
    UPDATE grant_counts SET count = count - 1 WHERE principal = OLD.principal;
    DELETE FROM grant_counts WHERE principal = OLD.principal AND count <= 0;
END;
