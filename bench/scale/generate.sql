-- Every value comes from a hash of the seed, the restaurant, the day and the place in the day, so nothing has to be
-- kept or sorted: rows stream out by business date, restaurant and opening time, as a service would have got them.

-- name: draw
-- A whole number from 0 to n - 1.
create temp macro draw(h, salt, n) as (hash(h, salt) % n)::integer;

-- name: guid
create temp macro guid_of(h, salt) as (lpad(to_hex(hash(h, salt)), 16, '0') || lpad(to_hex(hash(salt, h)), 16, '0'))::uuid;

-- name: plan
-- How many orders and shifts a restaurant has on a day. Restaurants have from half to one and a half of the average.
create or replace temp table plan as
with days as (
  select day, (strptime($first::varchar, '%Y%m%d') + to_days(day::integer)) as date from range($days) d(day)
), places as (
  select id::integer as restaurant_id, 0.5 + (id - 1) / greatest($restaurants - 1, 1) as factor, $zones[(id % len($zones))::integer + 1] as zone
    from range(1, $restaurants + 1) r(id)
)
select restaurant_id, strftime(date, '%Y%m%d')::integer as business_date, day,
       -- From noon back: on the two days that are not 24 hours long the morning is off, not the day.
       epoch_ms(timezone(zone, date + interval 12 hours)) - 43200000 as midnight,
       floor(
         $ordersPerDay * factor * $weekdays[dayofweek(date)::integer + 1]
         * (0.8 + 0.4 * draw(hash($seed, restaurant_id), day, 1000) / 999)
         + draw(hash($seed, restaurant_id), -1 - day, 1000) / 1000
       )::integer as orders
  from days, places
 order by day, restaurant_id;

-- name: orders
-- One order's draws and sums; the statements below pick what they need.
with placed as (
  select p.*, i, hash($seed, restaurant_id, day, i) as h,
         $hours[floor((i + draw(hash($seed, restaurant_id, day, i), 15, 1000) / 1000) / orders * len($hours))::integer + 1] as hour
    from (select *, unnest(range(orders)) as i from plan where day between $from and $to) p
), drawn as (
  select restaurant_id, business_date, day, i, h, hour, guid_of(h, 1) as order_guid,
         midnight + hour * 3600000 + draw(h, 2, 3600000) as opened_at,
         $combinations[draw(h, 3, 100) + 1] as kind,
         draw(h, 4, 100) = 0 as voided, draw(h, 5, 100) < 12 as discounted, draw(h, 6, 200) = 0 as refunded,
         draw(h, 7, 20) = 0 as split, 1 + draw(h, 8, 4) as guests,
         900 + draw(h, 9, 3500) + case when draw(h, 10, 10) < 4 then draw(h, 11, 9000) else 0 end as amount
    from placed
), summed as (
  select *,
         opened_at + 1800000 + draw(h, 12, 3600000) as paid_at,
         case when voided then amount else 0 end as void_cents,
         case when voided then 0 else amount end as gross_cents,
         case when discounted and not voided then amount // 10 else 0 end as discount_cents,
         case when refunded and not voided then amount // 4 else 0 end as refund_cents
    from drawn
)

-- name: copyOrders
select restaurant_id, order_guid, business_date, (hour % 24)::tinyint as business_hour, opened_at,
       paid_at + 60000 as modified_at, day + 1 as load_id,
       case when voided then 'voided' else 'counted' end as status,
       kind.dining as dining_guid, null::varchar as dining_name,
       kind.revenue as revenue_guid, null::varchar as revenue_name, kind.source as source,
       case when voided then 0 else guests end as guests, false as open, voided as has_void,
       discount_cents > 0 as has_discount, void_cents::bigint as void_cents, gross_cents::bigint as gross_cents,
       discount_cents::bigint as discount_cents, refund_cents::bigint as refund_cents,
       -- Items and payments were loaded, so reports over them have nothing to look for.
       3::tinyint as details
  from summed

-- name: copyChecks
-- The second of two checks has two fifths of each of the order's sums.
, shared as (
  select *, unnest(case when split then [1, 2] else [1] end) as n from summed
), checks as (
  select *,
         case when not split then 1000 when n = 1 then 600 else 400 end as share,
         void_cents * 2 // 5 as void_2, gross_cents * 2 // 5 as gross_2, discount_cents * 2 // 5 as discount_2,
         refund_cents * 2 // 5 as refund_2
    from shared
), parts as (
  select *,
         case when n = 2 then void_2 when split then void_cents - void_2 else void_cents end::bigint as void_part,
         case when n = 2 then gross_2 when split then gross_cents - gross_2 else gross_cents end::bigint as gross_part,
         case when n = 2 then discount_2 when split then discount_cents - discount_2 else discount_cents end::bigint as discount_part,
         case when n = 2 then refund_2 when split then refund_cents - refund_2 else refund_cents end::bigint as refund_part
    from checks
), paid as (
  select *, (gross_part - discount_part) * 8 // 100 as tax, (gross_part - discount_part) * draw(h, 13, 22) // 100 as tip
    from parts
)
select restaurant_id, order_guid, guid_of(h, 100 + n) as check_guid, business_date, opened_at, day + 1 as load_id,
       (i + 1)::bigint as order_number, (2 * i + n)::bigint as check_number, paid_at, paid_at + 60000 as modified_at,
       'CLOSED' as status, voided, kind.dining as dining_guid, null::varchar as dining_name,
       kind.revenue as revenue_guid, null::varchar as revenue_name,
       $employees[draw(h, 14, len($employees)) + 1] as server_guid, null::varchar as server_name,
       gross_part - discount_part + tax + tip - refund_part as total_cents, discount_part as discount_cents,
       tax as tax_cents, tip as tip_cents, 0::bigint as gratuity_cents, refund_part as refund_cents,
       void_part as void_cents, gross_part as sales_gross_cents, discount_part as sales_discount_cents,
       refund_part as sales_refund_cents
  from paid

-- name: copyShifts
with placed as (
  select p.*, n, hash($seed, -restaurant_id, day, n) as h
    from (select *, unnest(range($shiftsPerDay)) as n from plan where day between $from and $to) p
), drawn as (
  select *, (9 + draw(h, 1, 9)) * 3600000 + draw(h, 2, 1800000) as begins,
         4 * 3600000 + draw(h, 3, 4 * 3600000) as lasts, 1200 + 25 * draw(h, 4, 40) as wage_cents
    from placed
), spread as (
  select *, midnight + begins as in_at,
         list_transform(
           [{'hour': k, 'worked': least(begins + lasts, (k + 1) * 3600000) - greatest(begins, k * 3600000)}
              for k in range(begins // 3600000, (begins + lasts - 1) // 3600000 + 1)],
           lambda part: {
             'hour': (part.hour % 24)::tinyint, 'micro_hours': (part.worked * 5 // 18)::bigint,
             'pay_cents': (part.worked * wage_cents // 3600000)::bigint
           }
         ) as by_hour
    from drawn
)
select restaurant_id, guid_of(h, 5) as entry_guid, business_date, in_at, in_at + lasts as out_at,
       in_at + lasts as modified_at, day + 1 as load_id, false as deleted,
       $jobs[(n % len($jobs))::integer + 1] as job_guid, null::varchar as job_title, null::varchar as job_code,
       $employees[draw(h, 6, len($employees)) + 1] as employee_guid, null::varchar as employee_first,
       null::varchar as employee_last, null::varchar as employee_chosen, true as hourly,
       list_sum([part.micro_hours for part in by_hour])::bigint as micro_hours,
       list_sum([part.pay_cents for part in by_hour])::bigint as pay_cents,
       -- What goes beyond 6.5 hours, at the same wage.
       greatest(list_sum([part.micro_hours for part in by_hour]) - 6500000, 0)::bigint as overtime_micro,
       (greatest(list_sum([part.micro_hours for part in by_hour]) - 6500000, 0)::hugeint
         * list_sum([part.pay_cents for part in by_hour])
         // list_sum([part.micro_hours for part in by_hour]))::bigint as overtime_cents, by_hour
  from spread

-- name: copyLines
-- Four items of each check and two modifiers of each item; of 120 items and 30 modifiers the first are sold many times as often as
-- the last.
, parts as (
  select *, unnest(case when split then [1, 2] else [1] end) as n from summed
), picked as (
  select *, hash(h, 100 * n + k) as line, k >= 4 as modifier
    from (select *, unnest(range(12)) as k from parts)
), sold as (
  select *,
         case when modifier then 1000 + floor(30 * power(draw(line, 1, 10000) / 10000, 2))
              else floor(120 * power(draw(line, 1, 10000) / 10000, 2)) end::integer as item,
         case when modifier then draw(line, 2, 200) else amount // case when split then 8 else 4 end end::bigint as cents
    from picked
)
select restaurant_id, order_guid, guid_of(h, 100 + n) as check_guid, business_date, opened_at, day + 1 as load_id, modifier,
       '7e0b6a52-0c5d-4c9e-8a35-' || lpad(item::varchar, 12, '0') as item_guid, 'Item ' || item as item_name,
       case when not modifier then '6d0b6a52-0c5d-4c9e-8a35-' || lpad((item % 12)::varchar, 12, '0') end as group_guid,
       null::varchar as group_name, null::varchar as menu_guid, null::varchar as menu_name,
       case when voided then 0 else 1000000 * (1 + (draw(line, 3, 8) = 0)::integer) end::bigint as quantity,
       case when voided then 0 else cents end as gross_cents,
       case when discounted and not voided then cents // 10 else 0 end as discount_cents, 0::bigint as refund_cents,
       case when voided then cents else 0 end as void_cents, 0::bigint as waste_quantity, 0::bigint as waste_cents
  from sold
