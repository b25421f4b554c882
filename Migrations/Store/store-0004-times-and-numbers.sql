-- Each purge forgets those of more than a minute ago, and a refusal is found by its number: not by looking through all.
CREATE INDEX purged_documents_by_time ON purged_documents (purged_at);
CREATE INDEX outbox_by_number ON outbox (number);
