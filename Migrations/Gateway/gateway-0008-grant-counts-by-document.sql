-- Counts are changed once for all that a document grants to a principal. A trigger makes SQLite undo each row by itself
-- where it must, and that took a time for each that grew with all that the transaction had changed.

DROP TRIGGER grant_added;
DROP TRIGGER grant_removed;
