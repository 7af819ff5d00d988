-- What is loaded for restaurants. Queried often, so it reads no orders except those loaded without their details.

-- name: loaded :many :read
-- Without any order, dated part of one, or time entry the first and last date are null.
select restaurant_id, min(business_date) filter (has_any) as first_date, max(business_date) filter (has_any) as last_date,
       max(loaded_at) as loaded_at, max(load_id) as load_id
  from (
         select restaurant_id, business_date, max(loaded_at) as loaded_at, max(load_id) as load_id,
                sum(orders) > 0 or sum(time_entries) > 0 or sum(dated_parts) > 0 as has_any
           from all_loaded_days {only}
          group by restaurant_id, business_date
       )
 group by restaurant_id;

-- name: lastDates :many :read
-- The last date up to another, of restaurants that have later ones: orders may be for dates to come.
select restaurant_id, max(business_date) as last_date
  from (
         select restaurant_id, business_date
           from all_loaded_days
          where restaurant_id in ({restaurants}) and business_date <= $until
          group by restaurant_id, business_date
         having sum(orders) > 0 or sum(time_entries) > 0
       )
 group by restaurant_id;

-- name: listsVersion :many :read
-- The version of what has no business date: reference data, menus and settlements. Unchanged until a list or a settlement changes.
select restaurant_id, bit_xor(version)::varchar as lists_version
  from (
         select restaurant_id, hash(kind, guid, name, last_name, chosen_name, code, wage_frequency, excluded) as version from names {only}
         union all
         select restaurant_id, hash(place, parent, kind, guid, name) from menu_entries {only}
         union all
         select restaurant_id, hash(max(load_id)) from settlements {only} group by restaurant_id
       )
 group by restaurant_id;

-- name: onlyOf :part
-- The ids are written into the text.
where restaurant_id in ({restaurants})

-- name: loadedDays :many :read
-- {all} is the sum of the bits of all details.
select business_date, sum(orders)::bigint as orders, sum(checks)::bigint as checks,
       sum(time_entries)::bigint as time_entries, max(loaded_at) as loaded_at,
       business_date not in (
         select business_date from orders
          where restaurant_id = $restaurant and details < {all} and status <> 'excluded'
       ) as has_details
  from all_loaded_days
 where restaurant_id = $restaurant and business_date between $from and $to
 group by business_date
having sum(orders) > 0 or sum(time_entries) > 0 or sum(dated_parts) > 0
 order by business_date;
