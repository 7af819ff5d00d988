-- Labor: the tables after those of gather.sql (`facts`, then `byDay`, or `carried` and `groups`), the query `rows`, and the figures of changes. Hours are summed in micro-hours and shown in thousandths (docs/metrics.md#labor).

-- name: facts :with
-- Sales as in the ungrouped metrics, and counting time entries by {key}: both from where the metrics by day are (metrics.ts).
sold as (
  select s.restaurant_id, s.business_date, sum(s.gross_cents)::bigint as gross,
         sum(s.gross_cents - s.discount_cents - s.refund_cents)::bigint as net
    from {from} s
   where s.business_date between $start and $end
     {counted}
     and s.restaurant_id in ({ids})
   group by all
   {kept}
), worked as (
  select s.restaurant_id, s.business_date, {key} as guid,
         sum(s.micro_hours - s.overtime_micro)::bigint as regular_micro, sum(s.overtime_micro)::bigint as overtime_micro,
         sum(s.pay_cents - s.overtime_cents)::bigint as regular_cost, sum(s.overtime_cents)::bigint as overtime_cost
    {fromWorked}
)

-- name: byDay :with
shown as (
  select coalesce(s.restaurant_id, w.restaurant_id) as restaurant_id,
         coalesce(s.business_date, w.business_date) as business_date,
         coalesce(s.net, 0) as net, coalesce(s.gross, 0) as gross,
         coalesce(w.regular_micro, 0) + coalesce(w.overtime_micro, 0) as micro_hours,
         rounded(coalesce(w.regular_micro, 0), 1000) as regular, rounded(coalesce(w.overtime_micro, 0), 1000) as overtime,
         coalesce(w.regular_cost, 0) as regular_cost, coalesce(w.overtime_cost, 0) as overtime_cost, null::bigint as group_place
    from sold s
    full join worked w on w.restaurant_id = s.restaurant_id and w.business_date = s.business_date
)

-- name: carried :with
-- The names in time entries, for GUIDs that the reference data does not name: those of the latest entry of the date that has any.
carried as (
  select s.restaurant_id, s.business_date, s.{key} as guid, max_by(struct_pack({names}), (s.in_at, s.entry_guid)) as names
    from shifts s
    anti join (select restaurant_id, guid from named where kind = '{kind}') n
      on n.restaurant_id = s.restaurant_id and n.guid = s.{key}
   where s.business_date between $start and $end and s.restaurant_id in ({ids})
     and {carrying}
   group by all
)

-- name: carrying :part
not deleted and {key} is not null and ({any})

-- name: groups :with
-- The {kind}s of the rows, each with its names and its place in the order of names, so that rows are compared by numbers: comparing names in the
-- windows below took 1.4 times as long. Names that come from entries may differ by date.
unnamed as (
  select distinct w.restaurant_id, w.guid
    from worked w
    anti join (select restaurant_id, guid from named where kind = '{kind}') n on n.restaurant_id = w.restaurant_id and n.guid = w.guid
   where w.guid is not null
), groups as (
  select *, row_number() over (order by restaurant_id, {order}, business_date)::bigint as group_place
    from (
           select restaurant_id, null::integer as business_date, guid, {known} from named n where kind = '{kind}'
           union all by name
           select restaurant_id, null::integer as business_date, guid from unnamed
           union all by name
           select restaurant_id, business_date, guid, {fromEntries} from carried c
         )
), numbered as (
  select w.restaurant_id, w.business_date, coalesce(c.group_place, g.group_place) as group_place, w.regular_micro, w.overtime_micro,
         w.regular_cost, w.overtime_cost
    from worked w
    left join (select * from groups where business_date is null) g on g.restaurant_id = w.restaurant_id and g.guid = w.guid
    left join (select * from groups where business_date is not null) c
      on c.restaurant_id = w.restaurant_id and c.business_date = w.business_date and c.guid = w.guid
), keyed as (
  -- What rounding down leaves of a row and its place as one number, so that the largest remainder comes first, of equal ones the first row.
  select *, (1000 - regular_micro % 1000) * 1099511627776 + coalesce(group_place, 1099511627775) as regular_key,
         (1000 - overtime_micro % 1000) * 1099511627776 + coalesce(group_place, 1099511627775) as overtime_key
    from numbered
), days as (
  -- The hours of a date in its groups add up to the hours of the date: what rounding down leaves goes to the largest remainders. Windows over the
  -- rows made the whole report take 1.2 times as long as these lists of keys. A sum is a hugeint, whose quotients take many times as long.
  select restaurant_id, business_date, rounded(sum(regular_micro)::bigint, 1000) - sum(regular_micro // 1000)::bigint as regular_left,
         rounded(sum(overtime_micro)::bigint, 1000) - sum(overtime_micro // 1000)::bigint as overtime_left,
         list_sort(list(regular_key)) as regular_keys, list_sort(list(overtime_key)) as overtime_keys
    from keyed
   group by 1, 2
), lasts as (
  -- The last key that gets a thousandth; none if nothing is left, which is less than all keys.
  select restaurant_id, business_date, case when regular_left > 0 then coalesce(regular_keys[regular_left], 9223372036854775807) else 0 end as last_regular,
         case when overtime_left > 0 then coalesce(overtime_keys[overtime_left], 9223372036854775807) else 0 end as last_overtime
    from days
), shown as (
  select h.* exclude (regular_micro, overtime_micro, regular_key, overtime_key), coalesce(s.net, 0) as net, coalesce(s.gross, 0) as gross,
         regular_micro // 1000 + (regular_key <= last_regular)::int as regular,
         overtime_micro // 1000 + (overtime_key <= last_overtime)::int as overtime, {fields}
    from keyed h
    join lasts d on d.restaurant_id = h.restaurant_id and d.business_date = h.business_date
    left join sold s on s.restaurant_id = h.restaurant_id and s.business_date = h.business_date
    left join groups g on g.group_place = h.group_place
)

-- name: ratio :part
-- {dividend} × {times} by {divisor}, rounded half away from zero; null if the divisor is 0. Wide arithmetic is only used where a bigint
-- overflows.
case when abs({dividend}) <= {most} then rounded({dividend} * {times} * sign({divisor}), nullif(abs({divisor}), 0))
     else rounded({dividend}::hugeint * {times} * sign({divisor}), nullif(abs({divisor}), 0)::hugeint) end

-- name: exact :part
-- Null for numbers that JSON cannot represent exactly, such as sales per hour for a microsecond of work.
case when abs({ratio}) < 9007199254740992 then ({ratio})::bigint end

-- name: rows :query
select r.business_date as "businessDate",
       {restaurant},
       r.regular::bigint as "regularHours",
       r.overtime::bigint as "overtimeHours",
       (r.regular + r.overtime)::bigint as "totalHours",
       r.regular_cost as "regularCost",
       r.overtime_cost as "overtimeCost",
       r.regular_cost + r.overtime_cost as "totalCost",
       {net} as "netSalesAmount",
       {gross} as "grossSalesAmount",
       {ofNet} as "totalCostPerNetSales",
       {ofGross} as "totalCostPerGrossSales"
       {own} {currency}
  from (
         select p.*, h.* exclude (restaurant_id)
           from shown h join {scope} p on p.id = h.restaurant_id
          order by p.{place}, h.business_date, h.group_place nulls last
       ) r {listed}

-- name: perHour :part
, {net} as "netSalesPerEmployeeHour", {gross} as "grossSalesPerEmployeeHour"

-- name: entryFigures :part
struct_pack(
  "businessDate" := n.business_date, "regularHours" := rounded(n.micro_hours - n.overtime_micro, 1000)::bigint,
  "overtimeHours" := rounded(n.overtime_micro, 1000)::bigint,
  "totalHours" := (rounded(n.micro_hours - n.overtime_micro, 1000) + rounded(n.overtime_micro, 1000))::bigint,
  "regularCost" := n.pay_cents - n.overtime_cents, "overtimeCost" := n.overtime_cents, "totalCost" := n.pay_cents,
  "jobGuid" := n.job_guid, "employeeGuid" := n.employee_guid)
