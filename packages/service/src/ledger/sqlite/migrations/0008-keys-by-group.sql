-- Clients of an outside issuer may have the same id in several groups: a key is the group's too. Of keys written before, the
-- group is known where the client is in the ledger; the others might be another group's and are forgotten.
alter table idempotency_key rename to idempotency_key_before;
create table idempotency_key (
  management_group text not null,
  client_id text not null,
  path text not null,
  key text not null,
  fingerprint text not null,
  answer text not null, -- JSON
  ends_at integer not null,
  primary key (management_group, client_id, path, key)
) strict, without rowid;
insert into idempotency_key (management_group, client_id, path, key, fingerprint, answer, ends_at)
select client.management_group, before.client_id, before.path, before.key, before.fingerprint, before.answer, before.ends_at
  from idempotency_key_before as before
  join client on client.id = before.client_id;
drop table idempotency_key_before;
create index idempotency_key_end on idempotency_key (ends_at);
