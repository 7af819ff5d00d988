-- The load log of the facts on ClickHouse. Whatever it does not say is committed is seen by nobody.

-- name: schema
create table if not exists facts_log (
  one boolean primary key default true check (one),
  -- The last number that was given to a load. Begins take their turn on this row, so that a number is known to be open before a
  -- higher one can be committed.
  last_load bigint not null,
  last_promotion bigint not null,
  -- Versions replaced by loads up to this one are forgotten.
  forgotten bigint not null
);
insert into facts_log (last_load, last_promotion, forgotten) values (0, 0, 0) on conflict do nothing;

-- One load of a restaurant at a time, until it is committed, aborted, or late.
create table if not exists facts_leases (
  restaurant_id integer primary key,
  holder text not null,
  until timestamptz not null
);

-- Loads that are not committed. Rows leave it at commit, so that it stays small whatever is loaded.
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
-- Loads that share an insert are committed together. The first of them has the number of rows that they wrote, but those of rollups, the
-- others have 0. Null where a version before this one committed them.
alter table facts_loads add column if not exists group_load bigint;
alter table facts_loads add column if not exists row_count bigint;

-- Sums of what loads added to rollups. One that is not published yet, or never was, has no snapshot. Each follows another, so that
-- of two that were made at once one is published.
create table if not exists facts_promotions (
  promotion bigint primary key,
  after bigint unique,
  snapshot text,
  since timestamptz not null,
  -- It was not published in time, and will not be.
  is_lost boolean not null default false
);

-- What this version of the log has; a service refuses an older one, and accepts the next one.
alter table facts_log add column if not exists version integer not null default 1;
update facts_log set version = greatest(version, 2);

-- The moves that it sums up were deleted.
alter table facts_promotions add column if not exists is_retired boolean not null default false;
