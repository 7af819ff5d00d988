-- The report by day for engines that keep rows: the same figures from orders and time entries, in the subset of SQL that
-- PostgreSQL and SQLite share. The words in braces are filled in with constants.

-- name: report
with sold as (
  select o.restaurant_id, o.business_date, {dining} as dining, {revenue} as revenue,
         sum(o.guests) as guests,
         sum(case when o.has_void then 1 else 0 end) as void_orders,
         sum(case when o.has_discount then 1 else 0 end) as discount_orders,
         sum(case when o.status = 'counted' then 1 else 0 end) as orders,
         sum(case when o.open then 1 else 0 end) as open_orders,
         sum(o.gross_cents) as gross, sum(o.discount_cents) as discount,
         sum(o.refund_cents) as refund, sum(o.void_cents) as void
    from orders o {names}
   where o.business_date between {start} and {end}
     and o.status <> 'excluded'
     and o.restaurant_id between 1 and {restaurants}
   group by 1, 2, 3, 4
), labour as (
  select s.restaurant_id, s.business_date, sum(s.micro_hours) as micro_hours, sum(s.pay_cents) as pay
    from shifts s
    left join names j on j.kind = 'job' and j.restaurant_id = s.restaurant_id and j.guid = s.job_guid
   where s.business_date between {start} and {end}
     and s.restaurant_id between 1 and {restaurants}
     and not s.deleted and s.out_at is not null and s.hourly
     and coalesce(j.wage_frequency, '') <> 'SALARY' and not coalesce(j.excluded, {false})
   group by 1, 2
), merged as (
  select s.*, l.micro_hours, l.pay
    from sold s left join labour l on l.restaurant_id = s.restaurant_id and l.business_date = s.business_date
  union all
  select l.restaurant_id, l.business_date, {noDining}, {noRevenue}, 0, 0, 0, 0, 0, 0, 0, 0, 0, l.micro_hours, l.pay
    from labour l
   where not exists (select 1 from sold s where s.restaurant_id = l.restaurant_id and s.business_date = l.business_date)
)
select r.guid, m.business_date, guests, void_orders, discount_orders, orders, open_orders,
       orders - open_orders as closed_orders, gross - discount - refund as net, gross, discount, void, refund,
       case when orders = 0 then 0 else round((gross - discount - refund) * 1.0 / orders) end as average,
       revenue, dining, coalesce(round(micro_hours / 10000.0), 0) as hours, coalesce(pay, 0) as pay,
       case when micro_hours > 0 then round((gross - discount - refund) * 1000000.0 / micro_hours) end as per_hour, r.name
  from merged m join restaurants r on r.id = m.restaurant_id
 order by r.guid, dining, revenue, m.business_date

-- name: joins
left join names d on d.kind = 'dining' and d.restaurant_id = o.restaurant_id and d.guid = o.dining_guid
left join names v on v.kind = 'revenue' and v.restaurant_id = o.restaurant_id and v.guid = o.revenue_guid
