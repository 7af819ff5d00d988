create table management_group (
  name text primary key check (name <> ''),
  created_at integer not null
) strict;

create table client (
  id text primary key check (id <> ''),
  name text,
  management_group text not null references management_group (name),
  scopes text not null, -- JSON array of strings
  dialect text not null check (dialect in ('reference', 'live')),
  secret_hash text not null check (secret_hash like 'scrypt$%'),
  created_at integer not null,
  revoked_at integer
) strict;

create table signing_key (
  kid text primary key,
  algorithm text not null,
  private_jwk text not null,
  public_jwk text not null,
  created_at integer not null,
  retired_at integer
) strict;

-- At most one key signs.
create unique index signing_key_active on signing_key ((retired_at is null)) where retired_at is null;

create table restaurant (
  id integer primary key,
  guid text not null unique check (guid = lower(guid)),
  management_group text not null references management_group (name),
  name text not null,
  time_zone text not null,
  closeout_hour integer not null check (closeout_hour between 0 and 12),
  location_name text,
  location_code text,
  currency_code text,
  overtime_multiplier real not null check (overtime_multiplier >= 0),
  active integer not null check (active in (0, 1)),
  test_mode integer not null check (test_mode in (0, 1)),
  archived integer not null check (archived in (0, 1))
) strict;

create index restaurant_of_group on restaurant (management_group, guid);

-- The row is the job: a worker holds it while gathering, and nobody else does.
create table report_request (
  guid text primary key check (guid = lower(guid)),
  management_group text not null references management_group (name),
  client_id text not null, -- clients of an outside issuer are not in the ledger
  kind text not null check (kind in ('metrics', 'check')),
  plan text not null, -- JSON
  asked text not null, -- JSON
  dialect text not null check (dialect in ('reference', 'live')),
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
  failure text, -- JSON
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

create index report_request_queue on report_request (queued_at) where state = 'queued';
create index report_request_lease on report_request (lease_until) where state = 'gathering';
create index report_request_end on report_request (state, expires_at);
