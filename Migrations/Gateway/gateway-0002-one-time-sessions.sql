-- A session that ends with its first use.
ALTER TABLE sessions ADD COLUMN is_one_time INTEGER NOT NULL DEFAULT 0;
