-- What moved between two loads, $from and $to. A version stands at a load from its load_id to before its until_load, so
-- what did not move has the same version at both. Of restaurants in only one of the two reports everything has moved.

-- name: versions
with scope as (
  select unnest(from_json($restaurants::json,
    '[{"id":"INTEGER","guid":"VARCHAR","inBefore":"BOOLEAN","inAfter":"BOOLEAN"}]'), recursive := true)
), before as (
  select v.*, s.guid as restaurant
    from past_{table} v join scope s on s.id = v.restaurant_id and s.inBefore
   where v.business_date between $start and $end
     and v.load_id <= $from and v.until_load > $from and (v.until_load <= $to or not s.inAfter)
  union all by name
  select v.*, s.guid as restaurant
    from {table} v join scope s on s.id = v.restaurant_id and s.inBefore and not s.inAfter
   where v.business_date between $start and $end and v.load_id <= $from
), after as (
  select v.*, s.guid as restaurant
    from {table} v join scope s on s.id = v.restaurant_id and s.inAfter
   where v.business_date between $start and $end
     and v.load_id <= $to and (v.load_id > $from or not s.inBefore)
  union all by name
  select v.*, s.guid as restaurant
    from past_{table} v join scope s on s.id = v.restaurant_id and s.inAfter
   where v.business_date between $start and $end
     and v.load_id <= $to and v.until_load > $to and (v.load_id > $from or not s.inBefore)
)

-- name: checkChanges
, figures as (
  select coalesce(a.restaurant, b.restaurant) as restaurant, coalesce(a.order_guid, b.order_guid)::varchar as order_guid,
         coalesce(a.check_guid, b.check_guid)::varchar as guid, coalesce(a.business_date, b.business_date) as on_date,
         coalesce(a.order_number, b.order_number) as order_number,
         coalesce(a.check_number, b.check_number) as check_number,
         case when b.check_guid is not null then struct_pack(
           "businessDate" := b.business_date, "checkStatus" := b.status, "checkVoidedStatus" := b.voided, "checkTotalAmount" := b.total_cents,
           "checkDiscountAmount" := b.discount_cents, "checkTaxAmount" := b.tax_cents, "checkTipAmount" := b.tip_cents,
           "checkGratuityAmount" := b.gratuity_cents, "checkRefundAmount" := b.refund_cents) end as before,
         case when a.check_guid is not null then struct_pack(
           "businessDate" := a.business_date, "checkStatus" := a.status, "checkVoidedStatus" := a.voided, "checkTotalAmount" := a.total_cents,
           "checkDiscountAmount" := a.discount_cents, "checkTaxAmount" := a.tax_cents, "checkTipAmount" := a.tip_cents,
           "checkGratuityAmount" := a.gratuity_cents, "checkRefundAmount" := a.refund_cents) end as after
    from before b full join after a using (restaurant_id, order_guid, check_guid)
)

-- name: salesChanges
, figures as (
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
    from before b full join after a using (restaurant_id, order_guid, check_guid)
)

-- name: orderChanges
, named as (
  select 'before' as side, * from (select * exclude (until_load, until_at) from before) where standing <> 'gone'
  union all by name
  select 'after' as side, * from (select * exclude (until_load, until_at) from after) where standing <> 'gone'
), told as (
  select n.side, n.restaurant_id, n.restaurant, n.order_guid, n.business_date,
         struct_pack(
           "businessDate" := n.business_date, "guestCount" := n.guests,
           "voidOrdersCount" := n.has_void::int, "discountOrderCount" := n.has_discount::int,
           "ordersCount" := (n.standing = 'counted')::int, "openOrderCount" := n.open::int,
           "closedOrderCount" := (n.standing = 'counted' and not n.open)::int,
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
    from told group by restaurant_id, order_guid
)

-- name: entryChanges
, named as (
  select 'before' as side, * from (select * exclude (until_load, until_at) from before)
  union all by name
  select 'after' as side, * from (select * exclude (until_load, until_at) from after)
), told as (
  select n.side, n.restaurant_id, n.restaurant, n.entry_guid, n.business_date,
         struct_pack(
           "businessDate" := n.business_date, "hourlyJobTotalHours" := rounded(n.micro_hours, 10000)::bigint,
           "hourlyJobTotalPay" := n.pay_cents) as figures
    from named n
    left join names j on j.kind = 'job' and j.restaurant_id = n.restaurant_id and j.guid = n.job_guid
   where not n.deleted and n.out_at is not null and n.hourly
     and coalesce(j.wage_frequency, '') <> 'SALARY' and not coalesce(j.excluded, false)
), figures as (
  select any_value(restaurant) as restaurant, null::varchar as order_guid, entry_guid::varchar as guid,
         null::bigint as order_number, null::bigint as check_number,
         coalesce(any_value(business_date) filter (side = 'after'), any_value(business_date)) as on_date,
         any_value(figures) filter (side = 'before') as before, any_value(figures) filter (side = 'after') as after
    from told group by restaurant_id, entry_guid
)

-- name: moved
select restaurant as "restaurantGuid", order_guid as "orderGuid", guid, order_number as "orderNumber",
       check_number as "checkNumber", before, after
  from figures
 where before is distinct from after
 order by restaurant, on_date, order_guid, guid
 limit $limit offset $offset;
