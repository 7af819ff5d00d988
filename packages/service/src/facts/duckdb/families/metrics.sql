-- Sales metrics: the tables after those of gather.sql (`byDay`, or `byHour` and perhaps `byDaypart`, then `merged`), the query `rows`, its
-- control totals, and the figures of changes. Parts for groupings that a report does not have are omitted: most of the time of a
-- small report is planning.

-- name: ofDining :part
coalesce(s.dining_name, d.name, $noDining)

-- name: joinDining :part
left join named d on d.kind = 'dining' and d.restaurant_id = s.restaurant_id and d.guid = s.dining_guid

-- name: ofRevenue :part
coalesce(s.revenue_name, v.name, $noRevenue)

-- name: joinRevenue :part
left join named v on v.kind = 'revenue' and v.restaurant_id = s.restaurant_id and v.guid = s.revenue_guid

-- name: ofSource :part
coalesce(s.source, $noSource)

-- name: byDay :with
-- From the daily rollups alone, of which small loads may leave one without any order: it is not a record ({kept}).
sold as (
  select s.restaurant_id, s.business_date,
         null::tinyint as hour, null::varchar as daypart,
         {dining} as dining,
         {revenue} as revenue,
         {source} as order_source,
         sum(s.guests)::bigint as guests,
         {counts},
         sum(s.gross_cents)::bigint as gross,
         sum(s.discount_cents)::bigint as discount,
         sum(s.refund_cents)::bigint as refund,
         sum(s.void_cents)::bigint as void
    from {from} s {joins}
   where s.business_date between $start and $end
     {counted}
     and s.restaurant_id in ({ids})
   group by all
   {kept}
), labour as (
  select s.restaurant_id, s.business_date, null::tinyint as hour, null::varchar as daypart,
         sum(s.pay_cents)::bigint as pay,
         rounded(sum(s.micro_hours)::bigint, 10000) as hundredths
    {fromWorked}
)

-- name: fromWorked :part
-- Excludes the few jobs that do not count: joining all jobs and comparing their exclusion took an eighth of the report.
from {workedFrom} s
anti join (
  select restaurant_id, guid from named where kind = 'job' and not job_counts(wage_frequency, excluded)
) j on j.restaurant_id = s.restaurant_id and j.guid = s.job_guid
where s.business_date between $start and $end {workedCounted} and s.restaurant_id in ({ids})
group by all {keptWorked}

-- name: byHour :with
{sold} as (
  select s.restaurant_id, s.business_date,
         s.business_hour as hour, null::varchar as daypart,
         {dining} as dining,
         {revenue} as revenue,
         {source} as order_source,
         sum(s.guests)::bigint as guests,
         {counts},
         sum(s.gross_cents)::bigint as gross,
         sum(s.discount_cents)::bigint as discount,
         sum(s.refund_cents)::bigint as refund,
         sum(s.void_cents)::bigint as void
    from {from} s {joins}
   where s.business_date between $start and $end
     {counted}
     and s.restaurant_id in ({ids})
   group by all
), worked as (
  -- Counting time entries (docs/metrics.md#sales-metrics), by the hours in which they were worked.
  select restaurant_id, business_date, part.hour as hour,
         sum(part.micro_hours)::bigint as micro_hours, sum(part.pay_cents)::bigint as pay
    from (
           select s.restaurant_id, s.business_date, {worked} as part
             from {workedFrom} s
             left join named j on j.kind = 'job' and j.restaurant_id = s.restaurant_id and j.guid = s.job_guid
            where s.business_date between $start and $end
              and s.restaurant_id in ({ids})
              {workedCounted} and job_counts(j.wage_frequency, j.excluded)
         )
   group by all
), shown as (
  -- The hours of a day, rounded to two decimals, add up to the rounded hours of the day.
  select w.*, r.closeoutHour,
         micro_hours // 10000 as floor,
         rounded(sum(micro_hours) over day, 10000) - sum(micro_hours // 10000) over day as left_over,
         row_number() over (
           partition by restaurant_id, business_date
           order by micro_hours % 10000 desc, (hour - r.closeoutHour + 24) % 24
         ) as place
    from worked w join scope r on r.id = w.restaurant_id
  window day as (partition by restaurant_id, business_date)
), {labour} as (
  select restaurant_id, business_date, hour, null::varchar as daypart, pay,
         floor + case when place <= left_over then 1 else 0 end as hundredths
    from shown
)

-- name: orderHours :part
-- Refunds at other times than their orders, with the hours and groups of rows of their own.
(select * from orders union all by name select *, 'refunded' as status from refunds where modifier is null)

-- name: summedHours :part
(select * from hour_rollups union all by name select * from refunds where modifier is null)

-- name: workedPart :part
struct_pack(hour := s.hour, micro_hours := s.micro_hours, pay_cents := s.pay_cents)

-- name: byDaypart :with
-- Follows byHour: adds up the hours of a daypart. In place of the hour: how long after the closeout hour it begins.
slots as (
  select r.id as restaurant_id, d.hour, ((d.start - r.closeoutHour + 24) % 24)::tinyint as turn, d.name
    from scope r
    join (
           select unnest(from_json($dayparts::json,
             '[{"set":"USMALLINT","hour":"TINYINT","start":"TINYINT","name":"VARCHAR"}]'), recursive := true)
         ) d on d.set = r.daypartSet
), sold as (
  select s.restaurant_id, s.business_date, t.turn as hour, t.name as daypart, s.dining, s.revenue, s.order_source,
         sum(s.guests)::bigint as guests, sum(s.void_orders)::bigint as void_orders,
         sum(s.discount_orders)::bigint as discount_orders, sum(s.orders)::bigint as orders,
         sum(s.open_orders)::bigint as open_orders, sum(s.gross)::bigint as gross, sum(s.discount)::bigint as discount,
         sum(s.refund)::bigint as refund, sum(s.void)::bigint as void
    from sold_by_hour s join slots t on t.restaurant_id = s.restaurant_id and t.hour = s.hour
   group by all
), labour as (
  select l.restaurant_id, l.business_date, t.turn as hour, t.name as daypart,
         sum(l.pay)::bigint as pay, sum(l.hundredths)::bigint as hundredths
    from labour_by_hour l join slots t on t.restaurant_id = l.restaurant_id and t.hour = l.hour
   group by all
)

-- name: merged :with
merged as (
  -- Hours with labour but no sales are included, in the groups for orders without names.
  select coalesce(s.restaurant_id, l.restaurant_id) as restaurant_id,
         coalesce(s.business_date, l.business_date) as business_date,
         coalesce(s.hour, l.hour) as hour, coalesce(s.daypart, l.daypart) as daypart,
         coalesce(s.dining, {noDining}) as dining, coalesce(s.revenue, {noRevenue}) as revenue,
         coalesce(s.order_source, {noSource}) as order_source,
         coalesce(s.guests, 0) as guests, coalesce(s.void_orders, 0) as void_orders,
         coalesce(s.discount_orders, 0) as discount_orders, coalesce(s.orders, 0) as orders,
         coalesce(s.open_orders, 0) as open_orders, coalesce(s.gross, 0) as gross, coalesce(s.discount, 0) as discount,
         coalesce(s.refund, 0) as refund, coalesce(s.void, 0) as void,
         l.pay, l.hundredths
    from sold s
    full join labour l
      on l.restaurant_id = s.restaurant_id and l.business_date = s.business_date and l.hour is not distinct from s.hour
), rows as (
  select m.*, gross - discount - refund as net, r.guid, r.name, r.currency, {turn} as turn
    from merged m join scope r on r.id = m.restaurant_id
)

-- name: rows :query
select guid as "restaurantGuid",
       business_date as "businessDate",
       guests::bigint as "guestCount",
       void_orders as "voidOrdersCount",
       discount_orders as "discountOrderCount",
       orders as "ordersCount",
       open_orders as "openOrderCount",
       orders - open_orders as "closedOrderCount",
       net::bigint as "netSalesAmount",
       gross::bigint as "grossSalesAmount",
       discount::bigint as "discountAmount",
       void::bigint as "voidOrdersAmount",
       refund::bigint as "refundAmount",
       case when orders = 0 then 0 else rounded(net, orders) end::bigint as "avgOrderValue",
       revenue as "revenueCenter",
       dining as "diningOption",
       order_source as "orderSource",
       {hour} as "businessHour",
       daypart as "daypart",
       coalesce(hundredths, 0)::bigint as "hourlyJobTotalHours",
       coalesce(pay, 0)::bigint as "hourlyJobTotalPay",
       -- Computed from the hours that the row shows, so that a total of rows has the same ratio however they are split.
       -- Wide arithmetic takes a fifth of a large gather, so it is only used where a bigint overflows.
       case when hundredths > 0 and abs(net) < 40000000000000000 then rounded(net * 100, hundredths)
            when hundredths > 0 then rounded(net::hugeint * 100, hundredths) end::bigint
         as "hourlyJobSalesPerLaborHour",
       name as "restaurantName" {currency}
  from rows r
 order by {order}

-- name: totals :one :read
-- Labour belongs to a restaurant and a time, and is the same on each of its rows.
with labour as (
  select max("hourlyJobTotalHours") as hours, max("hourlyJobTotalPay") as pay
    from {snapshot} group by "restaurantGuid", "businessDate", "businessHour", "daypart"
)
select {sums},
       (select coalesce(sum(hours), 0)::bigint from labour) as "hourlyJobTotalHours",
       (select coalesce(sum(pay), 0)::bigint from labour) as "hourlyJobTotalPay"
  from {snapshot};

-- name: restaurantTotals :many :read
-- The same for each restaurant.
with labour as (
  select "restaurantGuid" as guid, max("hourlyJobTotalHours") as hours, max("hourlyJobTotalPay") as pay
    from {snapshot} group by "restaurantGuid", "businessDate", "businessHour", "daypart"
), worked as (
  select guid, sum(hours)::bigint as hours, sum(pay)::bigint as pay from labour group by guid
)
select "restaurantGuid"::varchar as restaurant, {sums},
       coalesce(any_value(w.hours), 0) as "hourlyJobTotalHours", coalesce(any_value(w.pay), 0) as "hourlyJobTotalPay"
  from {snapshot} join worked w on w.guid = "restaurantGuid"
 group by "restaurantGuid";

-- name: sums :part
count(*) as "rows",
       coalesce(sum("guestCount"), 0)::bigint as "guestCount",
       coalesce(sum("voidOrdersCount"), 0)::bigint as "voidOrdersCount",
       coalesce(sum("discountOrderCount"), 0)::bigint as "discountOrderCount",
       coalesce(sum("ordersCount"), 0)::bigint as "ordersCount",
       coalesce(sum("openOrderCount"), 0)::bigint as "openOrderCount",
       coalesce(sum("closedOrderCount"), 0)::bigint as "closedOrderCount",
       coalesce(sum("netSalesAmount"), 0)::bigint as "netSalesAmount",
       coalesce(sum("grossSalesAmount"), 0)::bigint as "grossSalesAmount",
       coalesce(sum("discountAmount"), 0)::bigint as "discountAmount",
       coalesce(sum("voidOrdersAmount"), 0)::bigint as "voidOrdersAmount",
       coalesce(sum("refundAmount"), 0)::bigint as "refundAmount"

-- name: salesChanges :with
-- A check has a row of its own for each other date on which it was refunded.
checks_before as (
  select *, null::integer as refund_date from before union all by name ({refundsBefore})
), checks_after as (
  select *, null::integer as refund_date from after union all by name ({refundsAfter})
), figures as (
  select coalesce(a.restaurant, b.restaurant) as restaurant, coalesce(a.order_guid, b.order_guid)::varchar as order_guid,
         coalesce(a.check_guid, b.check_guid)::varchar as guid, coalesce(a.business_date, b.business_date) as on_date,
         coalesce(a.order_number, b.order_number) as order_number,
         coalesce(a.check_number, b.check_number) as check_number,
         case when b.check_guid is not null then struct_pack(
           "businessDate" := b.business_date, "netSalesAmount" := b.sales_gross_cents - b.sales_discount_cents - b.sales_refund_cents,
           "grossSalesAmount" := b.sales_gross_cents, "discountAmount" := b.sales_discount_cents,
           "voidOrdersAmount" := b.void_cents, "refundAmount" := b.sales_refund_cents) end as before,
         case when a.check_guid is not null then struct_pack(
           "businessDate" := a.business_date, "netSalesAmount" := a.sales_gross_cents - a.sales_discount_cents - a.sales_refund_cents,
           "grossSalesAmount" := a.sales_gross_cents, "discountAmount" := a.sales_discount_cents,
           "voidOrdersAmount" := a.void_cents, "refundAmount" := a.sales_refund_cents) end as after
    from checks_before b full join checks_after a
      on a.restaurant_id = b.restaurant_id and a.order_guid = b.order_guid and a.check_guid = b.check_guid
     and a.refund_date is not distinct from b.refund_date
)

-- name: checkRefunds :part
select restaurant, restaurant_id, order_guid, check_guid, business_date, business_date as refund_date, order_number, check_number,
         0 as sales_gross_cents, 0 as sales_discount_cents, 0 as void_cents, sum(refund_cents)::bigint as sales_refund_cents
    from {versions} where modifier is null
   group by all having sum(refund_cents) <> 0

-- name: orderChanges :with
named as (
  select 'before' as side, * from (select * exclude (until_load, until_at) from before) where {counted}
  union all by name
  select 'after' as side, * from (select * exclude (until_load, until_at) from after) where {counted}
), shown as (
  select n.side, n.restaurant_id, n.restaurant, n.order_guid, n.business_date,
         struct_pack(
           "businessDate" := n.business_date, "guestCount" := n.guests,
           "voidOrdersCount" := n.has_void::int, "discountOrderCount" := n.has_discount::int,
           "ordersCount" := (n.status = 'counted')::int, "openOrderCount" := n.open::int,
           "closedOrderCount" := (n.status = 'counted' and not n.open)::int,
           "revenueCenter" := coalesce(n.revenue_name, v.name, $noRevenue),
           "diningOption" := coalesce(n.dining_name, d.name, $noDining),
           "orderSource" := coalesce(n.source, $noSource), "businessHour" := n.business_hour) as figures
    from named n
    left join names d on d.kind = 'dining' and d.restaurant_id = n.restaurant_id and d.guid = n.dining_guid
    left join names v on v.kind = 'revenue' and v.restaurant_id = n.restaurant_id and v.guid = n.revenue_guid
), figures as (
  select any_value(restaurant) as restaurant, order_guid::varchar as order_guid, null::varchar as guid,
         null::bigint as order_number, null::bigint as check_number,
         coalesce(any_value(business_date) filter (side = 'after'), any_value(business_date)) as on_date,
         any_value(figures) filter (side = 'before') as before, any_value(figures) filter (side = 'after') as after
    from shown group by restaurant_id, order_guid
)

-- name: entryFigures :part
struct_pack(
  "businessDate" := n.business_date, "hourlyJobTotalHours" := rounded(n.micro_hours, 10000)::bigint,
  "hourlyJobTotalPay" := n.pay_cents)
