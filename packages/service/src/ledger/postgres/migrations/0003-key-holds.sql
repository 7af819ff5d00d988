-- Two services that receive a load under one Idempotency-Key at the same moment must not both merge it.
create table key_hold (
  management_group text collate "C" not null,
  client_id text collate "C" not null,
  path text collate "C" not null,
  key text collate "C" not null,
  holder text not null,
  until timestamptz not null,
  primary key (management_group, client_id, path, key)
);
