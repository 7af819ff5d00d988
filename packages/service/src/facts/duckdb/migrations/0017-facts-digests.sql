-- The digest of what is stored of a record (ingest/facts-digest.ts). Null for what was loaded before, which is never the same as what is loaded
-- again.
alter table orders add column facts_digest uuid;
alter table past_orders add column facts_digest uuid;
alter table shifts add column facts_digest uuid;
alter table past_shifts add column facts_digest uuid;
alter table settlements add column facts_digest uuid;
alter table past_settlements add column facts_digest uuid;
