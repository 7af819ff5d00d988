-- {table}, {key} and {date} are constants (kinds.ts): `orders` with `order_guid` and `business_date`, or a part of
-- orders such as `checks`, whose {own} column has the date of the order; {part} is the two digits of the order_dates of a restaurant.

-- name: readOrders :exec :read
create or replace temp table batch as
select * from read_json($file, format = 'newline_delimited', columns = {
  seq: 'BIGINT', order_guid: 'UUID', business_date: 'INTEGER', business_hour: 'TINYINT', opened_at: 'BIGINT',
  modified_at: 'BIGINT', status: 'VARCHAR', details: 'TINYINT', dining_guid: 'VARCHAR', dining_name: 'VARCHAR',
  revenue_guid: 'VARCHAR', revenue_name: 'VARCHAR', source: 'VARCHAR', guests: 'INTEGER', open: 'BOOLEAN', has_void: 'BOOLEAN',
  has_discount: 'BOOLEAN', void_cents: 'BIGINT', gross_cents: 'BIGINT', discount_cents: 'BIGINT', refund_cents: 'BIGINT',
  facts_digest: 'UUID', modified_nanos: 'INTEGER'
});

-- name: readShifts :exec :read
create or replace temp table batch as
select * from read_json($file, format = 'newline_delimited', columns = {
  seq: 'BIGINT', entry_guid: 'UUID', business_date: 'INTEGER', in_at: 'BIGINT', out_at: 'BIGINT', modified_at: 'BIGINT',
  deleted: 'BOOLEAN', job_guid: 'VARCHAR', job_title: 'VARCHAR', job_code: 'VARCHAR', employee_guid: 'VARCHAR',
  employee_first: 'VARCHAR', employee_last: 'VARCHAR', employee_chosen: 'VARCHAR', hourly: 'BOOLEAN',
  micro_hours: 'BIGINT', pay_cents: 'BIGINT', overtime_micro: 'BIGINT', overtime_cents: 'BIGINT',
  by_hour: 'STRUCT(hour TINYINT, micro_hours BIGINT, pay_cents BIGINT)[]', facts_digest: 'UUID', modified_nanos: 'INTEGER'
});

-- name: readSettlements :exec :read
create or replace temp table batch as
select * from read_json($file, format = 'newline_delimited', columns = {
  seq: 'BIGINT', settlement_guid: 'UUID', settled_date: 'INTEGER', modified_at: 'BIGINT', deleted: 'BOOLEAN', status: 'VARCHAR',
  transaction_count: 'BIGINT', payment_cents: 'BIGINT', refund_cents: 'BIGINT', fee_cents: 'BIGINT', withheld_cents: 'BIGINT',
  transactions: 'STRUCT(payment_guid UUID, refund BOOLEAN, paid_at BIGINT, paid_local BIGINT)[]', facts_digest: 'UUID', modified_nanos: 'INTEGER'
});

-- name: findOrders :exec :read
create or replace temp table stored as
with maybe_on as (
  select business_date from order_dates_{part}
   where restaurant_id = $restaurant and guid_head in (select guid_head(order_guid) from batch)
  union all
  select business_date from new_order_dates
   where restaurant_id = $restaurant and guid_head in (select guid_head(order_guid) from batch)
)
select * from orders
 where restaurant_id = $restaurant
   and business_date in (select business_date from maybe_on)
   and order_guid in (select order_guid from batch);

-- name: findOrder :one :read
select business_date, business_hour, opened_at, modified_at, status, details, modified_nanos from orders
 where restaurant_id = $restaurant
   and business_date in (
         select business_date from order_dates_{part}
          where restaurant_id = $restaurant and guid_head = guid_head($order::uuid)
         union all
         select business_date from new_order_dates
          where restaurant_id = $restaurant and guid_head = guid_head($order::uuid)
       )
   and order_guid = $order::uuid;

-- name: findRecords :exec :read
create or replace temp table stored as
select * from {table} where restaurant_id = $restaurant and {key} in (select {key} from batch);

-- name: resolveVersions :exec :read
-- Equivalent to merging the records one by one: each is compared with the newest earlier version, stored or in the batch. It is the same if
-- the digest of its facts is; a record whose last version is the stored one changes nothing. Few keys occur twice in a batch, and windows
-- over the whole batch took a fifth of a load of 5,000 orders.
create or replace temp table resolved as
with repeated as materialized (
  select {key} from batch group by {key} having count(*) > 1
), preceded as (
  select b.*, null::struct(version_at hugeint, seq bigint, facts_digest uuid) as before
    from batch b anti join repeated r using ({key})
  union all by name
  select b.*, max(struct_pack(version_at := version_at(b.modified_at, b.modified_nanos), seq := b.seq, facts_digest := b.facts_digest)) over (
           partition by b.{key} order by b.seq rows between unbounded preceding and 1 preceding
         ) as before
    from batch b semi join repeated r using ({key})
), compared as (
  select p.* exclude (before), coalesce(p.facts_digest = s.facts_digest, false) as is_stored,
         coalesce(version_at(p.modified_at, p.modified_nanos) >= version_at(s.modified_at, s.modified_nanos), true)
           and coalesce(version_at(p.modified_at, p.modified_nanos) >= p.before.version_at, true)
           and coalesce(
                 p.facts_digest <> case
                   when p.before.version_at >= coalesce(version_at(s.modified_at, s.modified_nanos), p.before.version_at) then p.before.facts_digest
                   else s.facts_digest
                 end,
                 true
               ) as accepted
    from preceded p left join stored s using ({key})
), last as (
  select {key}, max(seq) as seq, max_by(is_stored, seq) as is_stored
    from compared semi join repeated r using ({key}) where accepted group by {key}
)
select c.* exclude (accepted, is_stored), c.accepted and not coalesce(l.is_stored, false) as accepted,
       c.accepted and not coalesce(l.is_stored, false) and c.seq = coalesce(l.seq, c.seq) as is_current
  from compared c left join last l using ({key});

-- name: changing :one :read
select count(*) as "Count" from resolved where is_current;

-- name: replaced :exec :read
create or replace temp table replaced as
select * from stored where {key} in (select {key} from resolved where is_current);

-- name: nextLoad :exec
update last_small_load set load_id = (select load_id from last_load) + 1;

-- name: nextLoadBeside :exec
-- Of a load that is committed after those that are merged meanwhile: a row of its own, since they change the other.
insert into large_loads select load_id + $numbers::bigint from last_load;

-- name: keepReplaced :exec
insert into past_{table} by name
select *, (select load_id from last_load) as until_load, $now as until_at from replaced;

-- name: keepParts :exec
insert into past_{table} by name
select *, (select load_id from last_load) as until_load, $now as until_at
  from {table}
 where restaurant_id = $restaurant
   and {date} in (select business_date from replaced)
   and ({date}, order_guid) in (select business_date, order_guid from replaced);

-- name: deleteReplaced :exec
-- Filters by the date of the stored version: 1.3 ms over 20 M rows instead of 30.
delete from {table}
 where restaurant_id = $restaurant
   and {own} in (select {date} from replaced)
   and ({own}, {key}) in (select {date}, {key} from replaced);

-- name: insertIncoming :exec
insert into {table} by name
select $restaurant::integer as restaurant_id, (select load_id from last_load) as load_id,
       * exclude (seq, accepted, is_current)
  from resolved where is_current;

-- name: insertParts :exec
insert into {table} by name {rows};

-- name: partRows :part
-- The rows of a part in the load; order, its {date} and time are those of the order.
select $restaurant::integer as restaurant_id, (select load_id from last_load) as load_id,
       j.order_guid, j.business_date as {date}, j.opened_at, p.* exclude (seq)
  from read_json($file, format = 'newline_delimited', columns = {columns}) p
  join resolved j using (seq)
 where j.is_current

-- name: insertDates :exec
insert into order_dates_{part}
select distinct $restaurant::integer, guid_head(order_guid), business_date
  from resolved where is_current and (order_guid, business_date) not in (select order_guid, business_date from replaced);

-- name: movedParts :exec :read
-- The added and replaced rows of a part. Runs before the replaced ones are deleted.
create or replace temp table moved_{table} as
select *, 1 as sign from ({rows})
 union all by name
select *, -1 as sign from {table}
 where restaurant_id = $restaurant
   and {date} in (select business_date from replaced)
   and ({date}, order_guid) in (select business_date, order_guid from replaced);

-- name: insertMoved :exec
insert into {table} by name select * exclude (sign) from moved_{table} where sign = 1;

-- name: redoRollup :exec :read
-- The rollups of the days that the load touches: the old values, minus replaced versions, plus new ones. No order is read again. The words
-- are made from ../rollups.ts.
create or replace temp table redone as
with {changed} parts as (
  select * exclude (restaurant_id) from all_{table}
   where restaurant_id = $restaurant and business_date in ({dates})
  union all by name
  {deltas}
)
select {by}, {sums}
  from parts
 group by all;

-- name: changedRecords :part
changed as (
  select * exclude (seq, accepted, is_current), 1 as sign from resolved where is_current and {counted}
  union all by name
  select * exclude (restaurant_id, load_id), -1 as sign from replaced where {counted}
),

-- name: deltaRows :part
select {by}, {sums} from {from} {where}

-- name: deleteRollups :exec
delete from {table} where restaurant_id = $restaurant and business_date in (select business_date from redone);

-- name: insertRollups :exec
insert into {table} by name
select $restaurant::integer as restaurant_id, * from redone where {count} <> 0 order by {order};

-- name: redoneRollups :part
(select $restaurant::integer as restaurant_id, * from redone where kept <> 0)

-- name: redoDays :exec :read
-- What is loaded on the days that the load touches. The batch does not have the checks that were replaced, so checks are counted.
create or replace temp table redone as
with changed as (
  select business_date, sum(records) as records, sum(dated) as dated
    from (
           select {date} as business_date, ({included})::int as records, 0 as dated from resolved where is_current
           union all
           select {date}, -({included})::int, 0 from replaced
           {datedMoves}
         )
   -- A settlement that was deleted has none.
   where business_date > 0
   group by business_date
), kept as (
  select business_date, sum(orders) as orders, sum(checks) as checks, sum(time_entries) as time_entries,
         sum(dated_parts) as dated_parts
    from all_loaded_days
   where restaurant_id = $restaurant and business_date in (select business_date from changed)
   group by business_date
), counted as ({checks})
select m.business_date, coalesce(k.orders, 0) + {orders} as orders, coalesce(s.checks, 0) as checks,
       coalesce(k.time_entries, 0) + {entries} as time_entries, coalesce(k.dated_parts, 0) + m.dated as dated_parts,
       (select load_id from last_load) as load_id, $now::bigint as loaded_at
  from changed m left join kept k using (business_date) left join counted s using (business_date);

-- name: datedMoves :part
union all
           select business_date, 0, sign from moved_refunds

-- name: countChecks :part
select business_date, count(*) as checks from checks
 where restaurant_id = $restaurant and business_date in (select business_date from changed)
 group by business_date

-- name: keptChecks :part
select business_date, checks from kept

-- name: touched :many :read
-- The days that the load changed, and on which of them one of its records is current now.
select business_date, bool_or(has_records) as has_records
  from (
         select business_date, {included} as has_records from resolved where is_current
         union all
         select business_date, false from replaced
         {datedDays}
       )
 group by business_date order by business_date;

-- name: datedDays :part
union all
         select business_date, sign > 0 from moved_refunds

-- name: noDays :many :read
select null where false;

-- name: counts :one :read
select count(*) filter (accepted) as accepted, count(*) filter (not accepted) as unchanged,
       case when bool_or(is_current) then (select load_id from last_load) else 0 end as load
  from resolved;

-- name: dropStaged :exec :read
drop table if exists temp.{table};

-- name: forgetReplaced :exec
delete from past_{table} where until_at < $before;
