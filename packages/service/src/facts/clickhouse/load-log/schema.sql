-- The load log of the facts on ClickHouse. Rows of loads that are not committed in it are never visible.

-- name: schema
create table if not exists facts_log (
  one boolean primary key default true check (one),
  -- The last number that was given to a load. Loads begin one after the other by locking this row, so that a number is known to be open
  -- before a higher one can be committed.
  last_load bigint not null,
  last_promotion bigint not null,
  -- Versions replaced by loads up to this one have been deleted.
  forgotten bigint not null
);
insert into facts_log (last_load, last_promotion, forgotten) values (0, 0, 0) on conflict do nothing;

-- At most one load of a restaurant at a time, until it is committed, aborted, or its lease expires.
create table if not exists facts_leases (
  restaurant_id integer primary key,
  holder text not null,
  until timestamptz not null
);

-- Loads that are not committed. Rows are removed at commit, so the table stays small whatever is loaded.
create table if not exists facts_open_loads (
  load bigint primary key,
  restaurant_id integer not null,
  kind text not null,
  holder text not null,
  state text not null check (state in ('open', 'aborted')),
  until timestamptz not null,
  -- When it was aborted, or when its rows were last deleted.
  since timestamptz,
  sweeps integer not null default 0
);
create index if not exists facts_open_loads_restaurant on facts_open_loads (restaurant_id);

create table if not exists facts_loads (
  load bigint primary key,
  restaurant_id integer not null,
  kind text not null,
  committed_at timestamptz not null
);
create index if not exists facts_loads_at on facts_loads (committed_at);
-- Loads that share an insert are committed together. The first of them has the number of rows that they wrote, except rows of rollups;
-- the others have 0. Null if an earlier version committed them.
alter table facts_loads add column if not exists group_load bigint;
alter table facts_loads add column if not exists row_count bigint;

-- Sums of what loads added to rollups. A promotion that is not published yet, or never was, has no snapshot. Each follows another, so
-- that of two made at once only one is published.
create table if not exists facts_promotions (
  promotion bigint primary key,
  after bigint unique,
  snapshot text,
  since timestamptz not null,
  -- It was not published in time, and cannot be any more.
  is_lost boolean not null default false
);

-- The version of the log's schema; a service refuses an older one, and accepts the next one.
alter table facts_log add column if not exists version integer not null default 1;
update facts_log set version = greatest(version, 2);

-- The moves that it sums up were deleted.
alter table facts_promotions add column if not exists is_retired boolean not null default false;
