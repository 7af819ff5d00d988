-- The order in which rows came is a column of their own wherever something depends on it, and what a queue asks of a report's plan
-- is in columns: JSON is kept and given back, never looked into. A snapshot of the facts is text that only the facts can read.
-- Every comment stands beside its column again.

create table signing_key_new (
  seq integer primary key, -- in the order in which they came
  kid text not null unique,
  algorithm text not null,
  private_jwk text not null,
  public_jwk text not null,
  created_at integer not null,
  retired_at integer
) strict;
insert into signing_key_new (seq, kid, algorithm, private_jwk, public_jwk, created_at, retired_at)
select rowid, kid, algorithm, private_jwk, public_jwk, created_at, retired_at from signing_key;
drop table signing_key;
alter table signing_key_new rename to signing_key;
-- At most one key signs.
create unique index signing_key_active on signing_key ((retired_at is null)) where retired_at is null;

create table task_new (
  seq integer primary key, -- in the order in which they came
  guid text not null unique check (guid = lower(guid)),
  kind text not null check (kind in ('verify', 'rebuild', 'backup')),
  argument text not null, -- JSON
  state text not null check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  created_at integer not null,
  started_at integer,
  finished_at integer,
  result text, -- JSON
  failure text,
  check (state <> 'queued' or started_at is null),
  check (state not in ('running', 'done') or started_at is not null),
  check ((state in ('queued', 'running')) = (finished_at is null)),
  check ((state = 'done') = (result is not null)),
  check ((state = 'failed') = (failure is not null))
) strict;
insert into task_new (seq, guid, kind, argument, state, created_at, started_at, finished_at, result, failure)
select rowid, guid, kind, argument, state, created_at, started_at, finished_at, result, failure from task;
drop table task;
alter table task_new rename to task;
create index task_unfinished on task (created_at) where finished_at is null;
-- At most one runs: a backup and a rebuild would wait for each other's lane, and two backups only fill the disk.
create unique index task_running on task (state) where state = 'running';

-- Deliveries first refer to the new webhooks: those of the old ones would be removed with them.
create table webhook_new (
  management_group text not null references management_group (name),
  client_id text not null, -- clients of an external issuer are not in the ledger
  url text not null,
  secret text not null check (secret like 'whsec_%'),
  old_secret text check (old_secret like 'whsec_%'), -- also signs, until its own time
  old_secret_until integer,
  older_secrets text not null default '[]', -- JSON, [{secret, until}]: those before old_secret, the newest first
  created_at integer not null,
  off_at integer, -- its receiver answered 410
  primary key (management_group, client_id),
  check ((old_secret is null) = (old_secret_until is null))
) strict;
insert into webhook_new
  (management_group, client_id, url, secret, old_secret, old_secret_until, older_secrets, created_at, off_at)
select management_group, client_id, url, secret, old_secret, old_secret_until, older_secrets, created_at, off_at from webhook;

create table delivery_new (
  seq integer primary key, -- in the order in which they came
  id text not null unique, -- `webhook-id`: the same in every attempt
  management_group text not null,
  client_id text not null,
  type text not null check (type in ('report.completed', 'report.failed', 'webhook.test')),
  report_guid text,
  state text not null check (state in ('waiting', 'delivered', 'given_up')),
  attempt integer not null default 0 check (attempt >= 0),
  created_at integer not null,
  next_at integer, -- of the next attempt; while one is under way, when it counts as lost
  attempted_at integer,
  status integer,
  error text,
  foreign key (management_group, client_id) references webhook_new (management_group, client_id) on delete cascade,
  check ((state = 'waiting') = (next_at is not null)),
  check ((type = 'webhook.test') = (report_guid is null)),
  check (state <> 'delivered' or (attempt >= 1 and status between 200 and 299 and error is null))
) strict;
insert into delivery_new
  (seq, id, management_group, client_id, type, report_guid, state, attempt, created_at, next_at, attempted_at, status, error)
select rowid, id, management_group, client_id, type, report_guid, state, attempt, created_at, next_at, attempted_at, status, error
  from delivery;
drop table delivery;
drop table webhook;
alter table webhook_new rename to webhook;
alter table delivery_new rename to delivery;
create index delivery_due on delivery (management_group, client_id, next_at) where state = 'waiting';
create index delivery_end on delivery (created_at) where state <> 'waiting';
create index delivery_of_client on delivery (management_group, client_id, created_at);

create table report_request_new (
  seq integer primary key, -- in the order in which they came
  guid text not null unique check (guid = lower(guid)),
  management_group text not null references management_group (name),
  client_id text not null, -- clients of an external issuer are not in the ledger
  kind text not null check (kind <> ''),
  plan text not null, -- JSON
  time_span text not null, -- this and the next four are of the plan
  aggregate text not null,
  start_date integer not null,
  end_date integer not null,
  restaurants integer not null check (restaurants >= 0),
  asked text not null, -- JSON
  dialect text not null check (dialect in ('reference', 'live')),
  cost integer not null default 0 check (cost >= 0), -- expected milliseconds
  lane text not null default 'long' check (lane in ('short', 'long')),
  state text not null check (state in ('queued', 'gathering', 'completed', 'failed', 'expired', 'cancelled')),
  attempt integer not null default 0 check (attempt >= 0),
  worker text,
  lease_until integer,
  created_at integer not null,
  queued_at integer not null,
  completed_at integer,
  expires_at integer not null,
  as_of integer,
  row_count integer check (row_count >= 0),
  byte_count integer check (byte_count >= 0),
  snapshot text, -- of the facts: only they can read it
  totals text, -- JSON
  digests text, -- JSON
  failure text, -- JSON
  request_id text,
  traceparent text,
  check ((state = 'gathering') = (worker is not null)),
  check ((worker is null) = (lease_until is null)),
  check (state not in ('gathering', 'completed') or attempt >= 1),
  check (
    state not in ('queued', 'gathering')
    or (completed_at is null and as_of is null and row_count is null and byte_count is null and failure is null)
  ),
  check (
    state <> 'completed'
    or (completed_at is not null and as_of is not null and row_count is not null and byte_count is not null
        and failure is null)
  ),
  check (state <> 'failed' or (completed_at is not null and failure is not null and as_of is null))
) strict;
insert into report_request_new
  (seq, guid, management_group, client_id, kind, plan, time_span, aggregate, start_date, end_date, restaurants, asked, dialect,
   cost, lane, state, attempt, worker, lease_until, created_at, queued_at, completed_at, expires_at, as_of, row_count,
   byte_count, snapshot, totals, digests, failure, request_id, traceparent)
select seq, guid, management_group, client_id, kind, plan,
       json_extract(plan, '$.span'), json_extract(plan, '$.aggregate'), json_extract(plan, '$.startDate'),
       json_extract(plan, '$.endDate'), json_array_length(plan, '$.restaurantIds'), asked, dialect,
       cost, lane, state, attempt, worker, lease_until, created_at, queued_at, completed_at, expires_at, as_of, row_count,
       byte_count, cast(load_id as text), totals, digests, failure, request_id, traceparent
  from report_request;
drop table report_request;
alter table report_request_new rename to report_request;
create index report_request_end on report_request (state, expires_at);
create index report_request_gathering on report_request (management_group, lane) where state = 'gathering';
create index report_request_lease on report_request (lease_until) where state = 'gathering';
create index report_request_of_group on report_request (management_group, created_at, guid);
create index report_request_queue on report_request (management_group, lane, queued_at) where state = 'queued';

create table ledger_clock_new (
  id integer primary key check (id = 1),
  seen_at integer not null, -- until when the ledger has seen time pass
  held_ms integer not null default 0 check (held_ms >= 0) -- by how much expiry was postponed for jumps of the clock
) strict;
insert into ledger_clock_new (id, seen_at, held_ms) select id, seen_at, held_ms from ledger_clock;
drop table ledger_clock;
alter table ledger_clock_new rename to ledger_clock;
