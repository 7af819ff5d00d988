-- What is loaded for restaurants. Queried often, so it reads no orders except those loaded without their details.

-- name: loaded :many :read
-- Without any data the first and last date are null.
select restaurant_id, min(business_date) filter (has_data) as first_date, max(business_date) filter (has_data) as last_date,
       max(loaded_at) as loaded_at, max(load_id) as load_id
  from {days}
 group by restaurant_id;

-- name: lastDates :many :read
-- The last date up to another, of restaurants that have later ones: orders may be for dates to come.
select restaurant_id, max(business_date) as last_date from {days} where has_data group by restaurant_id;

-- name: daysWithData :part
-- What is loaded on days, and whether they have data: orders, dated parts of others, time entries, or items of waste orders, which count in nothing but menu reports.
-- Of the few days without orders and entries, rollups are read.
(
  with counted as (
    select restaurant_id, business_date, sum(orders)::bigint as orders, sum(checks)::bigint as checks,
           sum(time_entries)::bigint as time_entries, coalesce(sum(dated_parts), 0) as dated_parts, max(loaded_at) as loaded_at,
           max(load_id) as load_id
      from all_loaded_days {only}
     group by restaurant_id, business_date
  ), wasted as (
    select restaurant_id, business_date
      from all_menu_sheets semi join (from counted where orders = 0 and time_entries = 0) using (restaurant_id, business_date)
     group by restaurant_id, business_date
    having sum(kept) > 0
  )
  select c.*, c.orders > 0 or c.time_entries > 0 or c.dated_parts > 0 or w.business_date is not null as has_data
    from counted c left join wasted w using (restaurant_id, business_date)
)

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

-- name: ofDays :part
where restaurant_id = $restaurant and business_date between $from and $to

-- name: untilDate :part
where restaurant_id in ({restaurants}) and business_date <= $until

-- name: loadedDays :many :read
-- {all} is the sum of the bits of all details.
select business_date, orders, checks, time_entries, loaded_at,
       business_date not in (
         select business_date from orders
          where restaurant_id = $restaurant and details < {all} and status <> 'excluded'
       ) as has_details
  from {days}
 where has_data
 order by business_date;

-- name: ordersOfDate :many :read
-- Those that are neither deleted nor waste.
select order_guid::varchar as guid from orders
 where restaurant_id = $restaurant and business_date = $date and status <> 'excluded'
 order by guid;
