-- What a report will cost the engine decides the lane it waits in, and each group takes its turn in each lane.
alter table report_request add column cost integer not null default 0 check (cost >= 0);
alter table report_request add column lane text not null default 'long' check (lane in ('short', 'long'));
drop index report_request_queue;
create index report_request_queue on report_request (management_group, lane, queued_at) where state = 'queued';
create index report_request_gathering on report_request (management_group, lane) where state = 'gathering';
create index report_request_of_group on report_request (management_group, created_at, guid);

create table report_turn (
  management_group text not null references management_group (name),
  lane text not null check (lane in ('short', 'long')),
  taken integer not null default 0, -- numbers the claims of all groups; 0 before the first
  primary key (management_group, lane)
) strict, without rowid;
insert into report_turn (management_group, lane) select distinct management_group, lane from report_request;

-- What an Idempotency-Key of a client stands for.
create table idempotency_key (
  client_id text not null,
  path text not null,
  key text not null,
  fingerprint text not null,
  answer text not null, -- JSON
  ends_at integer not null,
  primary key (client_id, path, key)
) strict, without rowid;
create index idempotency_key_end on idempotency_key (ends_at);
