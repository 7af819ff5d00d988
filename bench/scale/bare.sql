-- The report by day straight from the facts, for an engine that has nothing but orders and time entries. It stands
-- between `scope` and `rows` of the service's own gather.sql, so that what comes out is the same.

-- name: byDay
, sold as (
  select s.restaurant_id, s.business_date,
         null::tinyint as hour,
         {dining} as dining,
         {revenue} as revenue,
         {source} as source,
         sum(s.guests)::bigint as guests,
         count(*) filter (s.has_void) as void_orders,
         count(*) filter (s.has_discount) as discount_orders,
         count(*) filter (s.standing = 'counted') as orders,
         count(*) filter (s.open) as open_orders,
         sum(s.gross_cents)::bigint as gross,
         sum(s.discount_cents)::bigint as discount,
         sum(s.refund_cents)::bigint as refund,
         sum(s.void_cents)::bigint as void
    from orders s {joins}
   where s.business_date between $start and $end
     and s.standing <> 'gone'
     and s.restaurant_id in ({ids})
   group by all
), labour as (
  select s.restaurant_id, s.business_date, null::tinyint as hour,
         sum(s.micro_hours)::bigint as micro_hours, sum(s.pay_cents)::bigint as pay,
         rounded(sum(s.micro_hours)::bigint, 10000) as hundredths
    from shifts s
    left join named j on j.kind = 'job' and j.restaurant_id = s.restaurant_id and j.guid = s.job_guid
   where s.business_date between $start and $end
     and s.restaurant_id in ({ids})
     and not s.deleted and s.out_at is not null and s.hourly
     and coalesce(j.wage_frequency, '') <> 'SALARY' and not coalesce(j.excluded, false)
   group by all
)
