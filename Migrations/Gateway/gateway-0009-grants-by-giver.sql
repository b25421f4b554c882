-- By whose writes documents grant something: what they may grant to a user or role is a share of what may be granted to it. Empty
-- for administrators, and for what was granted before this was noted.

ALTER TABLE grants ADD COLUMN giver TEXT NOT NULL DEFAULT '';

CREATE TABLE grant_shares (
    -- As in `grants`.
    principal TEXT NOT NULL,
    giver     TEXT NOT NULL,
    -- What documents grant.
    count     INTEGER NOT NULL,
    -- How often something began by such a grant, that has ended among it.
    begun     INTEGER NOT NULL,
    PRIMARY KEY (principal, giver)
) WITHOUT ROWID;

INSERT INTO grant_shares SELECT principal, '', count, 0 FROM grant_counts;

DROP TABLE grant_counts;
