-- The report by day straight from the facts, for an engine that has nothing but orders and time entries. It stands
-- between `scope` and `rows` of the service's own gather.sql, so that what comes out is the same.

-- name: byDay
, sold as (
  select o.restaurant_id, o.business_date,
         null::tinyint as hour,
         case when $dining then coalesce(o.dining_name, d.name, $noDining) end as dining,
         case when $revenue then coalesce(o.revenue_name, v.name, $noRevenue) end as revenue,
         case when $source then coalesce(o.source, $noSource) end as source,
         sum(o.guests)::bigint as guests,
         count(*) filter (o.has_void) as void_orders,
         count(*) filter (o.has_discount) as discount_orders,
         count(*) filter (o.standing = 'counted') as orders,
         count(*) filter (o.open) as open_orders,
         sum(o.gross_cents)::bigint as gross,
         sum(o.discount_cents)::bigint as discount,
         sum(o.refund_cents)::bigint as refund,
         sum(o.void_cents)::bigint as void
    from orders o
    left join names d on $dining and d.kind = 'dining' and d.restaurant_id = o.restaurant_id and d.guid = o.dining_guid
    left join names v on $revenue and v.kind = 'revenue' and v.restaurant_id = o.restaurant_id and v.guid = o.revenue_guid
   where o.business_date between $start and $end
     and o.standing <> 'gone'
     and o.restaurant_id in (select id from scope)
   group by all
), labour as (
  select s.restaurant_id, s.business_date, null::tinyint as hour,
         sum(s.micro_hours)::bigint as micro_hours, sum(s.pay_cents)::bigint as pay,
         rounded(sum(s.micro_hours)::bigint, 10000) as hundredths
    from shifts s
    left join names j on j.kind = 'job' and j.restaurant_id = s.restaurant_id and j.guid = s.job_guid
   where s.business_date between $start and $end
     and s.restaurant_id in (select id from scope)
     and not s.deleted and s.out_at is not null and s.hourly
     and coalesce(j.wage_frequency, '') <> 'SALARY' and not coalesce(j.excluded, false)
   group by all
)
