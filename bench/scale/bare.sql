-- Reports straight from the facts, for an engine that has nothing but orders and time entries. They replace what
-- the service's own text reads of rollups, so that what comes out is the same.

-- name: byDay
sold as (
  select s.restaurant_id, s.business_date,
         null::tinyint as hour, null::varchar as daypart,
         {dining} as dining,
         {revenue} as revenue,
         {source} as order_source,
         sum(s.guests)::bigint as guests,
         count(*) filter (s.has_void) as void_orders,
         count(*) filter (s.has_discount) as discount_orders,
         count(*) filter (s.status = 'counted') as orders,
         count(*) filter (s.open) as open_orders,
         sum(s.gross_cents)::bigint as gross,
         sum(s.discount_cents)::bigint as discount,
         sum(s.refund_cents)::bigint as refund,
         sum(s.void_cents)::bigint as void
    from orders s {joins}
   where s.business_date between $start and $end
     and s.status <> 'excluded'
     and s.restaurant_id in ({ids})
   group by all
), labour as (
  select s.restaurant_id, s.business_date, null::tinyint as hour, null::varchar as daypart,
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

-- name: laborFacts
sold as (
  select restaurant_id, business_date, sum(gross_cents)::bigint as gross,
         sum(gross_cents - discount_cents - refund_cents)::bigint as net
    from orders
   where business_date between $start and $end and restaurant_id in ({ids}) and status <> 'excluded'
   group by all
), worked as (
  select l.restaurant_id, l.business_date, {key} as guid,
         sum(l.micro_hours - l.overtime_micro)::bigint as regular_micro, sum(l.overtime_micro)::bigint as overtime_micro,
         sum(l.pay_cents - l.overtime_cents)::bigint as regular_cost, sum(l.overtime_cents)::bigint as overtime_cost
    from shifts l
    left join named j on j.kind = 'job' and j.restaurant_id = l.restaurant_id and j.guid = l.job_guid
   where l.business_date between $start and $end
     and l.restaurant_id in ({ids})
     and not l.deleted and l.out_at is not null and l.hourly
     and coalesce(j.wage_frequency, '') <> 'SALARY' and not coalesce(j.excluded, false)
   group by all
)
