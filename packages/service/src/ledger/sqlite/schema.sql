CREATE TABLE audit (
  id integer primary key,
  at integer not null,
  management_group text not null, -- whose access was changed
  by_group text not null,
  client_id text not null, -- who changed it
  name text, -- of the person, where it was done in the console
  action text not null,
  target text not null,
  detail text not null check (json_valid(detail))
) strict;

CREATE INDEX audit_of_group on audit (management_group, id);

CREATE TABLE client (
  id text primary key check (id <> ''),
  name text,
  management_group text not null references management_group (name),
  scopes text not null, -- JSON array of strings
  dialect text not null check (dialect in ('reference', 'live')),
  secret_hash text not null check (secret_hash like 'scrypt$%'),
  created_at integer not null,
  revoked_at integer
, old_secret_hash text check (old_secret_hash like 'scrypt$%'), old_secret_until integer check ((old_secret_until is null) = (old_secret_hash is null))) strict;

CREATE TABLE client_limit (
  client_id text primary key references client (id),
  limits text not null check (json_valid(limits))
) strict, without rowid;

CREATE TABLE connected_restaurant (
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

CREATE UNIQUE INDEX connected_once on connected_restaurant (restaurant_guid) where state <> 'left';

CREATE TABLE connection (
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

CREATE INDEX connection_due on connection (next_at) where state in ('active', 'refused');

CREATE INDEX connection_of_group on connection (management_group, created_at, id);

CREATE TABLE connection_date (
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

CREATE INDEX connection_date_unread on connection_date (connection, upstream_id, business_date) where read_at is null;

CREATE TABLE connection_stream (
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

CREATE INDEX connection_stream_due on connection_stream (connection, next_at);

CREATE TRIGGER dayparts_added after insert on daypart_set
begin
  update management_group set restaurants_version = restaurants_version + 1 where name = new.management_group;
end;

CREATE TRIGGER dayparts_changed after update on daypart_set
begin
  update management_group set restaurants_version = restaurants_version + 1 where name = new.management_group;
end;

CREATE TRIGGER dayparts_removed after delete on daypart_set
begin
  update management_group set restaurants_version = restaurants_version + 1 where name = old.management_group;
end;

CREATE TABLE daypart_set (
  management_group text not null references management_group (name),
  restaurant_guid text not null check (restaurant_guid = lower(restaurant_guid)), -- empty for the group's own
  dayparts text not null check (json_valid(dayparts)),
  primary key (management_group, restaurant_guid)
) strict, without rowid;

CREATE TABLE "delivery" (
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
  foreign key (management_group, client_id) references "webhook" (management_group, client_id) on delete cascade,
  check ((state = 'waiting') = (next_at is not null)),
  check ((type = 'webhook.test') = (report_guid is null)),
  check (state <> 'delivered' or (attempt >= 1 and status between 200 and 299 and error is null))
) strict;

CREATE INDEX delivery_due on delivery (management_group, client_id, next_at) where state = 'waiting';

CREATE INDEX delivery_end on delivery (created_at) where state <> 'waiting';

CREATE INDEX delivery_of_client on delivery (management_group, client_id, created_at);

CREATE TABLE fingerprint_key (
  management_group text not null primary key references management_group (name),
  key text not null, -- base64, 32 bytes
  created_at integer not null
);

CREATE TABLE group_removal (
  management_group text primary key,
  requested_at integer not null
) strict, without rowid;

CREATE TABLE group_setting (
  management_group text primary key references management_group (name),
  name text check (name <> ''), -- null until one is set
  limits text not null default '{}' check (json_valid(limits))
) strict, without rowid;

CREATE TABLE idempotency_key (
  management_group text not null,
  client_id text not null,
  path text not null,
  key text not null,
  fingerprint text not null,
  answer text not null, -- JSON
  ends_at integer not null,
  primary key (management_group, client_id, path, key)
) strict, without rowid;

CREATE INDEX idempotency_key_end on idempotency_key (ends_at);

CREATE TABLE identity (
  one integer primary key check (one = 1),
  id text not null,
  epoch text, -- null until the facts are known to carry one
  next_epoch text, -- set while the facts are given it
  check (epoch is not null or next_epoch is not null)
) strict;

CREATE TABLE import_run (
  seq integer primary key,
  id text not null unique,
  management_group text not null references management_group (name),
  restaurant_guid text not null,
  business_date integer not null,
  client_id text not null,
  at integer not null,
  report text not null check (json_valid(report))
) strict;

CREATE INDEX import_run_end on import_run (at);

CREATE INDEX import_run_of_group on import_run (management_group, seq);

CREATE TABLE "ledger_clock" (
  id integer primary key check (id = 1),
  seen_at integer not null, -- until when the ledger has seen time pass
  held_ms integer not null default 0 check (held_ms >= 0) -- by how much expiry was postponed for jumps of the clock
) strict;

CREATE TABLE management_group (
  name text primary key check (name <> ''),
  created_at integer not null
, restaurants_version integer not null default 0) strict;

CREATE TABLE removed_restaurant (
  id integer primary key,
  removed_at integer not null
) strict;

CREATE TABLE report_form (
  report_guid text not null,
  attempt integer not null check (attempt >= 1),
  name text not null check (name <> ''),
  key text not null check (key <> ''), -- by which the results find it
  byte_count integer not null check (byte_count >= 0),
  sha256 text, -- base64; null of a large one until it was hashed
  primary key (report_guid, attempt, name)
) strict, without rowid;

CREATE TABLE "report_request" (
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
  traceparent text, incomplete text, dayparts text check (json_valid(dayparts)),
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

CREATE INDEX report_request_end on report_request (state, expires_at);

CREATE INDEX report_request_gathering on report_request (management_group, lane) where state = 'gathering';

CREATE INDEX report_request_lease on report_request (lease_until) where state = 'gathering';

CREATE INDEX report_request_of_group on report_request (management_group, created_at, guid);

CREATE INDEX report_request_queue on report_request (management_group, lane, queued_at) where state = 'queued';

CREATE TABLE report_turn (
  management_group text not null references management_group (name),
  lane text not null check (lane in ('short', 'long')),
  taken integer not null default 0, -- numbers the claims of all groups; 0 before the first
  primary key (management_group, lane)
) strict, without rowid;

CREATE TRIGGER restaurant_added after insert on restaurant
begin
  update management_group set restaurants_version = restaurants_version + 1 where name = new.management_group;
end;

CREATE TRIGGER restaurant_changed after update on restaurant
begin
  update management_group set restaurants_version = restaurants_version + 1 where name = new.management_group;
end;

CREATE TABLE restaurant (
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
, refunds_on text not null default 'refund' check (refunds_on in ('refund', 'order'))) strict;

CREATE INDEX restaurant_of_group on restaurant (management_group, guid);

CREATE TABLE schema_version (version integer primary key, name text not null) strict;

CREATE TABLE session (
  id text primary key,
  cookie_hash text not null unique,
  client_id text not null references client (id),
  name text,
  scopes text not null check (json_valid(scopes)),
  created_at integer not null,
  seen_at integer not null,
  ends_at integer not null
) strict;

CREATE INDEX session_of_client on session (client_id);

CREATE TABLE sign_in_link (
  key_hash text primary key,
  client_id text not null references client (id),
  name text,
  scopes text not null check (json_valid(scopes)),
  created_at integer not null,
  ends_at integer not null,
  spent_at integer
) strict;

CREATE TABLE "signing_key" (
  seq integer primary key, -- in the order in which they came
  kid text not null unique,
  algorithm text not null,
  private_jwk text not null,
  public_jwk text not null,
  created_at integer not null,
  retired_at integer
) strict;

CREATE UNIQUE INDEX signing_key_active on signing_key ((retired_at is null)) where retired_at is null;

CREATE TABLE "task" (
  seq integer primary key, -- in the order in which they came
  guid text not null unique check (guid = lower(guid)),
  kind text not null check (kind in ('verify', 'rebuild', 'backup', 'remove-group', 'export-group')),
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

CREATE UNIQUE INDEX task_running on task (state) where state = 'running';

CREATE INDEX task_unfinished on task (created_at) where finished_at is null;

CREATE TABLE "webhook" (
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
