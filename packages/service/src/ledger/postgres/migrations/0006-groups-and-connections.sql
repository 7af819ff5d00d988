-- Whether the refunds of a restaurant count on the date of the refund, or on that of its order.
alter table restaurant add column refunds_on text not null default 'refund' check (refunds_on in ('refund', 'order'));

-- What is set of a group: its name for people, and the rate limits that are its own (JSON: windows by the name of the limit). Tables of
-- their own: nodes of the version before have prepared `select *` of those that they belong to.
create table group_setting (
  management_group text collate "C" primary key references management_group (name),
  name text check (name <> ''), -- null until one is set
  limits text not null default '{}'
);

-- The share that a client has of the limits of its group.
create table client_limit (
  client_id text collate "C" primary key references client (id),
  limits text not null
);

-- Groups that are being removed. A row is deleted when nothing of the group is left in any store, so that a removal that was interrupted is
-- continued.
create table group_removal (
  management_group text collate "C" primary key,
  requested_at bigint not null
);

-- The numbers of restaurants of groups that were removed: they are not given again, and what a load in progress wrote is removed, too.
create table removed_restaurant (
  id bigint primary key,
  removed_at bigint not null
);

-- Further kinds of tasks. A node of the version before that claims one verifies the facts instead; a removal is requested again then.
alter table task drop constraint task_kind_check;
alter table task add constraint task_kind_check check (kind in ('verify', 'rebuild', 'backup', 'remove-group', 'export-group'));

-- Stored access of a management group to a point of sale, and how far each of its streams is read.
create table connection (
  id text collate "C" primary key check (id like 'con\_%'),
  management_group text collate "C" not null references management_group (name),
  kind text not null,
  name text not null,
  url text not null,
  settings text not null,
  credentials text, -- compact JWE; null after removal
  credentials_set_at bigint,
  token text, -- compact JWE of what the last sign-in brought
  token_until bigint,
  signed_in_at bigint,
  state text not null check (state in ('active', 'paused', 'refused', 'removed')),
  reason text,
  worker text, -- of the service that reads it
  lease_until bigint,
  attempt bigint not null default 0 check (attempt >= 0),
  next_at bigint, -- when the earliest stream is due
  throttled_until bigint,
  created_at bigint not null,
  created_by text not null,
  changed_at bigint not null,
  check ((worker is null) = (lease_until is null)),
  check (state <> 'removed' or (credentials is null and token is null and worker is null and next_at is null))
);
create index connection_of_group on connection (management_group, created_at, id);
create index connection_due on connection (next_at) where state in ('active', 'refused');

create table connected_restaurant (
  connection text collate "C" not null references connection (id) on delete cascade,
  upstream_id text collate "C" not null,
  restaurant_guid text collate "C" not null check (restaurant_guid = lower(restaurant_guid)),
  state text not null check (state in ('chosen', 'reading', 'current', 'late', 'failing', 'lost', 'left')),
  reason text,
  since bigint not null,
  warnings text not null default '[]', -- JSON, [{code, since}]
  backfill_from bigint, -- dates are YYYYMMDD
  backfill_to bigint,
  backfill_done bigint, -- moves from backfill_to back to backfill_from
  not_before bigint,
  primary key (connection, upstream_id)
);
-- A restaurant has one connection.
create unique index connected_once on connected_restaurant (restaurant_guid) where state <> 'left';

create table connection_stream (
  connection text collate "C" not null,
  upstream_id text collate "C" not null,
  stream text collate "C" not null
    check (stream in ('settings', 'orders', 'timeEntries', 'names', 'check', 'menus', 'backfill')),
  cursor text, -- JSON of the source
  next_at bigint not null,
  failures bigint not null default 0 check (failures >= 0),
  read_until bigint, -- in the time of the point of sale
  last_at bigint,
  last_ok_at bigint,
  error text,
  error_detail text, -- JSON, [{guid, pointer, message}]
  upstream_request text,
  fetched bigint not null default 0,
  changed bigint not null default 0,
  rejected bigint not null default 0,
  primary key (connection, upstream_id, stream),
  foreign key (connection, upstream_id) references connected_restaurant (connection, upstream_id) on delete cascade
);
create index connection_stream_due on connection_stream (connection, next_at);

create table connection_date (
  connection text collate "C" not null,
  upstream_id text collate "C" not null,
  business_date bigint not null,
  read_at bigint, -- null: to be read again
  checked_at bigint,
  check_found bigint, -- records that the check found and live reading had missed
  differences text, -- JSON: what differed when somebody asked for the date to be read again
  primary key (connection, upstream_id, business_date),
  foreign key (connection, upstream_id) references connected_restaurant (connection, upstream_id) on delete cascade
);
create index connection_date_unread on connection_date (connection, upstream_id, business_date) where read_at is null;

create function tell_connection() returns trigger language plpgsql as $$
begin
  perform pg_notify('daypart_moved', 'connection ' || new.id);
  return null;
end
$$;

create trigger connection_added after insert on connection
  for each row execute function tell_connection();

-- What a claim, an extended lease or a release changes is nothing that others wait for.
create trigger connection_changed after update on connection
  for each row when (
    (new.state, new.reason, new.name, new.settings, new.credentials)
      is distinct from (old.state, old.reason, old.name, old.settings, old.credentials)
  ) execute function tell_connection();

create function tell_connected_restaurant() returns trigger language plpgsql as $$
begin
  perform pg_notify(
    'daypart_moved',
    'connected ' || new.connection || ' ' || new.restaurant_guid || ' ' || new.state || ' ' || coalesce(new.reason, '-') || ' ' || new.since
  );
  return null;
end
$$;

create trigger connected_restaurant_added after insert on connected_restaurant
  for each row execute function tell_connected_restaurant();

create trigger connected_restaurant_moved after update of state, reason on connected_restaurant
  for each row when ((new.state, new.reason) is distinct from (old.state, old.reason))
  execute function tell_connected_restaurant();
