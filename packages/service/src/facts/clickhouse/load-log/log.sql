-- The statements of the load log. Each is a transaction of its own.

-- name: begin :many
-- $1 holder, $2 restaurants and $3 kinds of the loads, $4 milliseconds of the lease, $5 the instant after which no lease is taken, because
-- the sender does not wait any longer (milliseconds since 1970 UTC). Returns its first row even if no lease is taken.
with wanted as (
  select restaurant_id, kind, index::int - 1 as index
    from unnest($2::int[], $3::text[]) with ordinality as w (restaurant_id, kind, index)
), leased as (
  insert into facts_leases as l (restaurant_id, holder, until)
  select restaurant_id, $1, clock_timestamp() + $4 * interval '1 millisecond'
    from (select distinct restaurant_id from wanted) restaurants
   where $5::bigint is null or clock_timestamp() <= to_timestamp($5 / 1000.0)
   -- In the same order in every statement, so that two holders that take the same restaurants do not deadlock.
   order by restaurant_id
      on conflict (restaurant_id) do update set holder = excluded.holder, until = excluded.until
   where l.until < clock_timestamp()
  returning l.restaurant_id, l.until
), aborted as (
  update facts_open_loads o set state = 'aborted', since = clock_timestamp()
    from leased l
   where o.restaurant_id = l.restaurant_id and o.state = 'open'
), begun as (
  select w.index, w.restaurant_id, w.kind, l.until, row_number() over (order by w.index) as turn
    from wanted w join leased l using (restaurant_id)
), numbered as (
  update facts_log set last_load = last_load + (select count(*) from begun)
   where exists (select 1 from begun)
  returning last_load
), opened as (
  insert into facts_open_loads (load, restaurant_id, kind, holder, state, until)
  select n.last_load - (select count(*) from begun) + b.turn, b.restaurant_id, b.kind, $1, 'open', b.until
    from begun b cross join numbered n
)
select b.index, n.last_load - (select count(*) from begun) + b.turn as load,
       (extract(epoch from clock_timestamp()) * 1000)::bigint as now
  from (values (1)) as always
  left join (begun b cross join numbered n) on true
 order by b.index;

-- name: seen :one :read
select l.last_load, l.forgotten,
       array(select load from facts_open_loads order by load) as not_committed,
       p.promotion, p.snapshot as promoted,
       array(
         select promotion from facts_promotions where snapshot is null and promotion < p.promotion order by promotion
       ) as not_published,
       (extract(epoch from clock_timestamp()) * 1000)::bigint as now
  from facts_log l
  left join (
    select promotion, snapshot from facts_promotions where snapshot is not null order by promotion desc limit 1
  ) p on true;

-- name: commit :one
-- $1 holder, $2 loads, of which all or none are committed, $3 the rows that they wrote together. When a holder takes over a restaurant,
-- it aborts that restaurant's loads.
with open as (
  select load from facts_open_loads where load = any($2::bigint[]) and state = 'open' order by load for update
), closed as (
  delete from facts_open_loads o using open
   where o.load = open.load and (select count(*) from open) = cardinality($2::bigint[])
  returning o.load, o.restaurant_id, o.kind
), logged as (
  insert into facts_loads (load, restaurant_id, kind, committed_at, group_load, row_count)
  select load, restaurant_id, kind, clock_timestamp(), first_load, case when load = first_load then $3::bigint else 0 end
    from closed cross join (select min(load) as first_load from closed) as f
), freed as (
  delete from facts_leases where holder = $1 and exists (select 1 from closed)
)
select count(*) as loads from closed;

-- name: abort :one
-- $1 holder, $2 loads, $3 whether rows may have been written.
with open as (
  select load from facts_open_loads where load = any($2::bigint[]) and state = 'open' order by load for update
), kept as (
  update facts_open_loads o set state = 'aborted', since = clock_timestamp()
    from open where o.load = open.load and $3
), dropped as (
  delete from facts_open_loads o using open where o.load = open.load and not $3
), freed as (
  delete from facts_leases where holder = $1
)
select count(*) as loads from open;

-- name: committed :one :read
select count(*) as loads from facts_loads where load = any($1::bigint[]);

-- name: expire :exec
update facts_open_loads set state = 'aborted', since = clock_timestamp()
 where state = 'open' and until < clock_timestamp();

-- name: toSweep :many :read
-- $1 milliseconds.
select load from facts_open_loads
 where state = 'aborted' and since < clock_timestamp() - $1 * interval '1 millisecond'
 order by load limit 1000;

-- name: swept :exec
with again as (
  update facts_open_loads set sweeps = 1, since = clock_timestamp() where load = any($1::bigint[]) and sweeps = 0
)
delete from facts_open_loads where load = any($1::bigint[]) and sweeps = 1;

-- name: renew :one
-- $1 holder, $2 its loads, $3 milliseconds of the lease, $4 the instant after which nothing is renewed, milliseconds UTC. Changes nothing if
-- another holder has taken over.
with leased as (
  update facts_leases set until = clock_timestamp() + $3 * interval '1 millisecond'
   where holder = $1 and ($4::bigint is null or clock_timestamp() <= to_timestamp($4 / 1000.0))
), kept as (
  update facts_open_loads set until = clock_timestamp() + $3 * interval '1 millisecond'
   where holder = $1 and state = 'open' and ($4::bigint is null or clock_timestamp() <= to_timestamp($4 / 1000.0))
  returning load
)
select (select count(*) from kept where load = any($2::bigint[])) as loads,
       (extract(epoch from clock_timestamp()) * 1000)::bigint as now;

-- name: nextPromotion :one
with numbered as (
  update facts_log set last_promotion = last_promotion + 1 returning last_promotion
)
insert into facts_promotions (promotion, since)
select last_promotion, clock_timestamp() from numbered
returning promotion, (extract(epoch from since) * 1000)::bigint as now;

-- name: publish :exec
-- $1 promotion, $2 its snapshot, $3 the one that it follows, 0 if there is none. If another one was published first, changes nothing.
update facts_promotions set snapshot = $2, after = $3, since = clock_timestamp()
 where promotion = $1 and snapshot is null and not is_lost
   and not exists (select 1 from facts_promotions where after = $3);

-- name: toRetire :one :read
-- $1 milliseconds.
select p.promotion, p.snapshot
  from (
    select promotion, snapshot, is_retired from facts_promotions
     where snapshot is not null and since < clock_timestamp() - $1 * interval '1 millisecond'
     order by promotion desc limit 1
  ) p
 where not p.is_retired;

-- name: retired :exec
update facts_promotions set is_retired = true where snapshot is not null and promotion <= $1;

-- name: losePromotions :many
-- $1 milliseconds: promotions that are not published this long after they began. From now on they cannot be.
update facts_promotions set is_lost = true
 where snapshot is null and since < clock_timestamp() - $1 * interval '1 millisecond'
returning promotion;

-- name: forgetPromotions :exec
delete from facts_promotions where promotion = any($1::bigint[]) and is_lost;

-- name: since :many :read
-- Restaurants of loads that were committed after a snapshot: $1 its highest load, $2 its exceptions.
select distinct restaurant_id from facts_loads where load > $1 or load = any($2::bigint[]);

-- name: forget :exec
-- $1 instant, milliseconds UTC.
with old as (
  delete from facts_loads where committed_at < to_timestamp($1 / 1000.0) returning load
)
update facts_log set forgotten = greatest(forgotten, (select coalesce(max(load), 0) from old));

-- name: last :one :read
-- Logs of the first version do not have the column.
select last_load, last_promotion, coalesce((to_jsonb(l) ->> 'version')::integer, 1) as version from facts_log l;

-- name: counted :many :read
-- What loads wrote, after $1. Loads that were committed together have consecutive numbers.
select load, restaurant_id, group_load, row_count, (extract(epoch from committed_at) * 1000)::bigint as committed_at
  from facts_loads
 where load > $1
 order by load limit 20000;

-- name: forgetRestaurants :exec
-- Loads that share an insert are counted with the first of them: without the rows of one restaurant the number is wrong, and no number is
-- compared.
with theirs as (
  delete from facts_loads where restaurant_id = any($1::integer[]) returning group_load
)
update facts_loads set row_count = null
 where group_load in (select group_load from theirs) and not (restaurant_id = any($1::integer[]));

-- name: exclude :exec
-- Committed loads that have lost rows: their remaining rows are deleted like those of aborted loads.
with lost as (
  delete from facts_loads where load = any($1::bigint[]) returning load, restaurant_id, kind
)
insert into facts_open_loads (load, restaurant_id, kind, holder, state, until, since)
select load, restaurant_id, kind, '', 'aborted', clock_timestamp(), clock_timestamp() from lost;

-- name: raise :exec
-- $1 the highest load and $2 the highest promotion that ClickHouse has rows of. Those that the log does not know were made after the
-- copy from which the log was restored: their rows are excluded, and deleted like those of aborted loads and lost promotions.
with unknown as (
  insert into facts_open_loads (load, restaurant_id, kind, holder, state, until, since)
  select load, 0, 'unknown', '', 'aborted', clock_timestamp(), clock_timestamp()
    from facts_log, generate_series(last_load + 1, $1::bigint) as load
), unpublished as (
  insert into facts_promotions (promotion, since)
  select promotion, clock_timestamp() from facts_log, generate_series(last_promotion + 1, $2::bigint) as promotion
)
update facts_log
   set last_load = greatest(last_load, $1::bigint), last_promotion = greatest(last_promotion, $2::bigint);

-- name: ping :one :read
select 1 as one;
