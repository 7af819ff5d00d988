-- The totals of a snapshot (totals.ts). Fields that count once are first reduced to one value for each of their keys.

-- name: totals :many :read
with once as (
  select {keys}{per}, {once}
    from read_parquet($file){where}
   group by all
), added as (
  select {names}, {sums}
    from once
   group by all
)
select *{exclude}{ratios}
  from added
 -- A report without rows has no totals, instead of a row of nulls.
 where "totals_rows" > 0
 order by {order}
 limit $limit;

-- name: weekday :part
isodow(make_date({date} // 10000, {date} // 100 % 100, {date} % 100))

-- name: totalsFrom :part
{date} >= $from

-- name: totalsTo :part
{date} <= $to

-- name: totalsWeekday :part
{weekday} = $weekday

-- Whether a row is of a restaurant and date that count: one that has hours in this row, or in any row of a report by hour or daypart.
-- name: totalsWorkedRow :part
{field} <> 0

-- name: totalsWorkedDate :part
("restaurantGuid", {date}) in (select ("restaurantGuid", {date}) from read_parquet($file) where {field} <> 0)

-- name: totalsRatio :part
case when {divisor} = 0 then {none}
     else rounded({dividend}::hugeint * {times} * sign({divisor}), abs({divisor})) end::bigint
