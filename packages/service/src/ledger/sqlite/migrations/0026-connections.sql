-- Stored access of a management group to a point of sale, and how far each of its streams is read.
create table connection (
  id text primary key check (id like 'con_%'),
  management_group text not null references management_group (name),
  kind text not null,
  name text not null,
  url text not null,
  settings text not null check (json_valid(settings)),
  credentials text, -- compact JWE; null after removal
  credentials_set_at integer,
  token text, -- compact JWE of what the last sign-in brought
  token_until integer,
  signed_in_at integer,
  state text not null check (state in ('active', 'paused', 'refused', 'removed')),
  reason text,
  worker text, -- of the service that reads it
  lease_until integer,
  attempt integer not null default 0 check (attempt >= 0),
  next_at integer, -- when the earliest stream is due
  throttled_until integer,
  created_at integer not null,
  created_by text not null,
  changed_at integer not null,
  check ((worker is null) = (lease_until is null)),
  check (state <> 'removed' or (credentials is null and token is null and worker is null and next_at is null))
) strict;
create index connection_of_group on connection (management_group, created_at, id);
create index connection_due on connection (next_at) where state in ('active', 'refused');

create table connected_restaurant (
  connection text not null references connection (id) on delete cascade,
  upstream_id text not null,
  restaurant_guid text not null check (restaurant_guid = lower(restaurant_guid)),
  state text not null check (state in ('chosen', 'reading', 'current', 'late', 'failing', 'lost', 'left')),
  reason text,
  since integer not null,
  warnings text not null default '[]' check (json_valid(warnings)), -- [{code, since}]
  backfill_from integer, -- dates are YYYYMMDD
  backfill_to integer,
  backfill_done integer, -- moves from backfill_to back to backfill_from
  not_before integer,
  primary key (connection, upstream_id)
) strict, without rowid;
-- A restaurant has one connection.
create unique index connected_once on connected_restaurant (restaurant_guid) where state <> 'left';

create table connection_stream (
  connection text not null,
  upstream_id text not null,
  stream text not null check (stream in ('settings', 'orders', 'timeEntries', 'names', 'check', 'menus', 'backfill')),
  cursor text check (json_valid(cursor)), -- JSON of the source
  next_at integer not null,
  failures integer not null default 0 check (failures >= 0),
  read_until integer, -- in the time of the point of sale
  last_at integer,
  last_ok_at integer,
  error text,
  error_detail text check (json_valid(error_detail)), -- [{guid, pointer, message}]
  upstream_request text,
  fetched integer not null default 0,
  changed integer not null default 0,
  rejected integer not null default 0,
  primary key (connection, upstream_id, stream),
  foreign key (connection, upstream_id) references connected_restaurant (connection, upstream_id) on delete cascade
) strict, without rowid;
create index connection_stream_due on connection_stream (connection, next_at);

create table connection_date (
  connection text not null,
  upstream_id text not null,
  business_date integer not null,
  read_at integer, -- null: to be read again
  checked_at integer,
  check_found integer, -- records that the check found and live reading had missed
  differences text, -- JSON: what differed when somebody asked for the date to be read again
  primary key (connection, upstream_id, business_date),
  foreign key (connection, upstream_id) references connected_restaurant (connection, upstream_id) on delete cascade
) strict, without rowid;
create index connection_date_unread on connection_date (connection, upstream_id, business_date) where read_at is null;
