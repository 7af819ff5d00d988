-- Rollups and other derived tables, computed again from the facts.

-- name: rollup :part
-- The words of this and of the following two are made from ../rollups.ts.
select {by}, {sums}
  from ({rows})
 group by all

-- name: rollupRows :part
select * from {table} {where}

-- name: keptRollup :part
-- The complete stored rollups: small loads add rows that count together with the rollups they belong to.
select {by}, {sums}
  from {from}
 group by all
having sum({count}) <> 0

-- name: loaded_days :part
select restaurant_id, business_date, sum(orders)::bigint as orders, sum(checks)::bigint as checks,
       sum(time_entries)::bigint as time_entries, sum(dated_parts)::bigint as dated_parts
  from (
         select restaurant_id, business_date, count(*) as orders, 0 as checks, 0 as time_entries, 0 as dated_parts
           from orders where {counted} group by all
         union all
         select restaurant_id, business_date, 0, count(*), 0, 0 from checks group by all
         union all
         select restaurant_id, business_date, 0, 0, count(*), 0 from shifts where not deleted group by all
         union all
         select restaurant_id, business_date, 0, 0, 0, count(*) from refunds group by all
       )
 group by all

-- name: keptLoadedDays :part
select restaurant_id, business_date, sum(orders)::bigint as orders, sum(checks)::bigint as checks,
       sum(time_entries)::bigint as time_entries, coalesce(sum(dated_parts), 0)::bigint as dated_parts
  from {from}
 group by all
having sum(orders) <> 0 or sum(checks) <> 0 or sum(time_entries) <> 0 or sum(dated_parts) <> 0

-- name: wholeLoadedDays :part
-- With the loads: includes days that have nothing any more.
select restaurant_id, business_date, sum(orders)::bigint as orders, sum(checks)::bigint as checks,
       sum(time_entries)::bigint as time_entries, sum(dated_parts)::bigint as dated_parts,
       max(load_id) as load_id, max(loaded_at) as loaded_at
  from {from}
 group by all

-- name: keepLoads :exec :read
-- When a day was loaded cannot be computed from the facts: it is kept while the counts are computed again.
create or replace temp table day_loads as
select restaurant_id, business_date, max(load_id) as load_id, max(loaded_at) as loaded_at from all_loaded_days group by all;

-- name: fillLoadedDays :exec
insert into loaded_days by name
select restaurant_id, business_date, coalesce(c.orders, 0) as orders, coalesce(c.checks, 0) as checks,
       coalesce(c.time_entries, 0) as time_entries, coalesce(c.dated_parts, 0) as dated_parts,
       coalesce(l.load_id, 0) as load_id, l.loaded_at
  from ({computed}) c full join day_loads l using (restaurant_id, business_date);

-- name: forgetLoads :exec :read
drop table day_loads;

-- name: repeats :part
-- The rollups that share restaurant, date and item with another.
select restaurant_id, business_date, modifier, item_guid, item_name
  from {from}
qualify count(*) over (partition by restaurant_id, business_date, modifier, item_guid) > 1

-- name: insertRepeats :exec
insert into menu_repeats by name {repeats};

-- name: compareRepeats :exec :read
-- Adds the days whose repeated items would be reported twice; rows too many are harmless.
create or replace temp table fault as
from fault
union
select restaurant_id, business_date from (({repeats}) except all from menu_repeats);

-- name: dated :exec :read
-- Read once for all tables of order dates: reading 91 M orders 64 times would take minutes.
create or replace temp table dated as
select restaurant_id, guid_head(order_guid) as guid_head, business_date, (restaurant_id % 64)::utinyint as part from orders;

-- name: forgetDated :exec :read
drop table dated;

-- name: compare :exec :read
-- Rollups that differ from the facts, in either direction. Both queries have their columns in the same order.
create or replace temp table fault as
with wrong as (
  (select * from ({computed}) except all select * from ({kept}))
  union all
  (select * from ({kept}) except all select * from ({computed}))
)
select restaurant_id, business_date from wrong group by all;

-- name: compareDates :exec :read
-- Orders that a load would not find; superfluous dates are harmless.
create or replace temp table fault as
select restaurant_id, business_date
  from dated anti join ({kept}) k using (restaurant_id, guid_head, business_date)
 group by all;

-- name: faults :many :read
select (select count(*) from fault) as days, restaurant_id, business_date
  from fault order by restaurant_id, business_date limit 20;

-- name: clear :exec
delete from {table};

-- name: fill :exec
insert into {table} by name select * from ({computed}) order by {order};

-- name: fillDates :exec
insert into order_dates_{part} by name
select distinct restaurant_id, guid_head, business_date from dated where part = {part}::utinyint;
