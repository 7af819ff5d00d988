-- Statements that the move of a data folder reads its facts with, in DuckDB. Rows keep their load numbers.

-- name: lastLoad :one :read
select load_id from last_load

-- name: days :many :read
select day, count(*) as rows from ({rows}) group by day order by day

-- name: records :part
select {date} as day from {table} union all select {date} from past_{table}

-- name: rollups :part
select business_date as day from all_{table}

-- name: recordsOut :one :read
copy (
  select {columns}, load_id as born, load_id as load, 1::tinyint as sign from {table} where {date} between $from and $to
  union all
  select {columns}, load_id, load_id, 1 from past_{table} where {date} between $from and $to
  union all
  select {columns}, load_id, until_load, -1 from past_{table} where {date} between $from and $to
) to $file (format parquet)

-- name: partsOut :one :read
copy (
  select {columns}, born from ({rows}) where {date} between $from and $to
) to $file (format parquet)

-- name: parts :part
-- A part that a correction leaves unchanged is stored once and belongs to several versions of its order. On the server each version
-- has its own copy.
select p.*, v.load_id as born
  from (
    select * exclude (until_at) from past_{table}
    union all by name
    select *, 9223372036854775807 as until_load from {table}
  ) p
  join (
    select restaurant_id, order_guid, business_date, load_id from orders
    union all
    select restaurant_id, order_guid, business_date, load_id from past_orders
  ) v on v.restaurant_id = p.restaurant_id and v.order_guid = p.order_guid and v.business_date = p.{orderDate}
     and v.load_id >= p.load_id and v.load_id < p.until_load

-- name: placesOut :one :read
copy (
  select '{table}' as kind, restaurant_id, {key}::varchar as guid, {date} as business_date, load_id as load
    from {table} where {date} between $from and $to
  union all
  select '{table}', restaurant_id, {key}::varchar, {date}, load_id from past_{table} where {date} between $from and $to
) to $file (format parquet)

-- name: rollupsOut :one :read
copy (
  select {columns}, $load::bigint as load from all_{table} where business_date between $from and $to
) to $file (format parquet)

-- name: listsOut :one :read
copy (select {columns}, $load::bigint as load, false as is_marker from {table}) to $file (format parquet)

-- name: totals :many :read
select day // 100 as month, count(*) as rows, {sums}
  from ({rows})
 group by month
 order by month

-- name: sum :part
coalesce(sum(sign * {column}), 0)::varchar as "{column}_total"

-- name: totalRecords :part
select {date} as day, 1 as sign, {columns} from {table}
union all
select {date}, 0, {columns} from past_{table}

-- name: totalParts :part
select {date} as day, 1 as sign, {columns} from ({rows})

-- name: totalRollups :part
select business_date as day, 1 as sign, {columns} from all_{table}

-- name: totalLists :part
select 0 as day, 1 as sign, {columns} from {table}
