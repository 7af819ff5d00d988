-- The totals of a snapshot (totals.ts). What counts once is reduced to one value first, for each of what it is of.

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
select *{ratios}
  from added
 -- Of a report without rows: none, not one of nulls.
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

-- name: totalsRatio :part
case when {divisor} = 0 then {none}
     else rounded({dividend}::hugeint * {times} * sign({divisor}), abs({divisor})) end::bigint
