-- Indexes of collections, by names that are unique in the database whatever their case. What an index needs besides lies in
-- SQLite's own indexes of that name, and for arrays in a table index_<number> with triggers that fill it.
--
--     definition  JSON: type, and as the program that made it wrote them expressions, where, path, language, ignoreAccents

CREATE TABLE indexes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    collection INTEGER NOT NULL,
    definition TEXT NOT NULL
);
CREATE UNIQUE INDEX indexes_by_name ON indexes (name COLLATE NOCASE);
