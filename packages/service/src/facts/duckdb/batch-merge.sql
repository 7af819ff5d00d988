-- The statements of small loads that are merged together (batch-merge.ts). {restaurants}, {dates}, {guids}, {heads} and {rows}
-- are lists of integers and GUIDs, checked before they are written into the text: with parameters each statement is planned
-- twice and its lists become joins, 3.1 ms instead of 0.8 for one order.

-- name: takeNumbers :one
-- Without the view last_load, which reads this row again: 1.2 ms instead of 1.7.
update last_small_load set load_id = greatest(load_id, (select coalesce(max(load_id), 0) from large_loads)) + $1::bigint
returning load_id;

-- name: countNew :one :read
select (select count(*) from new_order_dates) as dates,
       (select count(*) from new_sheets) as sheets,
       (select count(*) from new_labour_sheets) as labour_sheets,
       (select count(*) from new_loaded_days) as loaded_days,
       (select count(*) from new_menu_sheets) as menu_sheets,
       (select count(*) from large_loads) as large_loads;

-- name: datesOf :part
select restaurant_id, guid_head, business_date from {table}
 where restaurant_id in ({restaurants}) and guid_head in ({heads})

-- name: headsOf :part
select guid_head from (
  select guid_head from order_dates_{part}
  union all
  select guid_head from new_order_dates where restaurant_id % 64 = {part}::integer
) limit {most}

-- name: datesOfAll :many :read
select restaurant_id, guid_head(order_guid) as guid_head, business_date from orders;

-- name: rememberedRows :many :read
-- Lists of integers are planned faster than lists of GUIDs: 0.8 ms instead of 1.4 for 64 orders.
select rowid, order_guid::varchar as order_guid, load_id from orders where business_date in ({dates}) and load_id in ({loads});

-- name: storedRows :part
select '{table}' as part, rowid, to_json({table})::varchar as line from {table}
 where restaurant_id in ({restaurants}) and {date} in ({dates}) and order_guid in ({guids})

-- name: storedRecords :many :read
select rowid, to_json({table})::varchar as line from {table} where restaurant_id in ({restaurants}) and {key} in ({guids});

-- name: columnsOf :many :read
select * from {table} limit 0;

-- name: insertRows :exec
-- Strict: a value that does not fit its column is an error, not null.
insert into {table} ({columns}) select {lists} from (select from_json_strict($rows::varchar, '{shape}') as lists);

-- name: foldDates :exec
insert into order_dates_{part} select * from new_order_dates where restaurant_id % 64 = {part}::integer;

-- name: foldRollups :exec
-- Rewrites the days that small loads touched.
create or replace temp table folded as
with days as (select distinct restaurant_id, business_date from new_{table})
{kept};
delete from {table}
 where restaurant_id in (select restaurant_id from new_{table})
   and (restaurant_id, business_date) in (select restaurant_id, business_date from new_{table});
insert into {table} by name from folded order by {order};

-- name: foldRepeats :exec
-- Of the days that `foldRollups` has just rewritten.
delete from menu_repeats where (restaurant_id, business_date) in (select restaurant_id, business_date from new_menu_sheets);
insert into menu_repeats by name {repeats};

-- name: deleteRows :exec
delete from {table} where rowid in ({rows});
