-- What the files of a report were when they were made: JSON, SHA-256 in base64 by name. Null for those made before.
alter table report_request add column digests text;

-- Until when the ledger has seen time pass.
create table ledger_clock (
  id integer primary key check (id = 1),
  seen_at integer not null
) strict;
