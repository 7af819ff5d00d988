-- Report requests of any kind: which there are is said by the families, not by a CHECK that only a new table can change. The
-- order in which requests came is a column of their own, and every comment stands beside its column again.
create table report_request_new (
  seq integer primary key, -- in the order in which they came
  guid text not null unique check (guid = lower(guid)),
  management_group text not null references management_group (name),
  client_id text not null, -- clients of an external issuer are not in the ledger
  kind text not null check (kind <> ''),
  plan text not null, -- JSON
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
  load_id integer,
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
  (seq, guid, management_group, client_id, kind, plan, asked, dialect, cost, lane, state, attempt, worker, lease_until,
   created_at, queued_at, completed_at, expires_at, as_of, row_count, byte_count, load_id, totals, digests, failure,
   request_id, traceparent)
select rowid, guid, management_group, client_id, kind, plan, asked, dialect, cost, lane, state, attempt, worker, lease_until,
       created_at, queued_at, completed_at, expires_at, as_of, row_count, byte_count, load_id, totals, digests, failure,
       request_id, traceparent
  from report_request;

drop table report_request;
alter table report_request_new rename to report_request;

create index report_request_end on report_request (state, expires_at);
create index report_request_gathering on report_request (management_group, lane) where state = 'gathering';
create index report_request_lease on report_request (lease_until) where state = 'gathering';
create index report_request_of_group on report_request (management_group, created_at, guid);
create index report_request_queue on report_request (management_group, lane, queued_at) where state = 'queued';
