-- The statements of small loads that are merged together (together.ts). {restaurants}, {dates}, {guids}, {heads} and {rows}
-- are lists of integers and GUIDs, written into the text and checked on the way: as parameters each statement is planned
-- twice and its lists become joins, 3.1 ms instead of 0.8 for one order.

-- name: beginLoads
begin;
update last_load set load_id = load_id + {loads};
select load_id, (select count(*) from new_order_dates) as new_dates from last_load;

-- name: datesOf
select restaurant_id, guid_head, business_date from {table}
 where restaurant_id in ({restaurants}) and guid_head in ({heads})

-- name: storedOrders
select rowid, * from {table}
 where restaurant_id in ({restaurants}) and business_date in ({dates}) and order_guid in ({guids});

-- name: storedShifts
select rowid, * from shifts where restaurant_id in ({restaurants}) and entry_guid in ({guids});

-- name: storedSheets
select rowid, * from {table}
 where restaurant_id in ({restaurants}) and business_date in ({dates}) and {name} in ({names});

-- name: foldDates
insert into order_dates_{part} select * from new_order_dates where restaurant_id % 64 = {part}::integer;

-- name: deleteRows
delete from {table} where rowid in ({rows});
