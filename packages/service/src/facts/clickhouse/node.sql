-- Statements of the node's own engine (DuckDB), which merges loads and renders reports from rows fetched as Parquet.
-- {file} and {files} are names of scratch files, made by the node itself.

-- name: view :exec :read
-- Shadows the table of the same name, for the connection on which the steps run.
create or replace temp view {table} as select {columns} from {rows}

-- name: repeated :exec :read
-- Any of the fetched rollups may repeat an item. For statements that read it, which name all of these columns, so that they are fetched.
create or replace temp view repeated_menu_sheets as
select restaurant_id, business_date, modifier, item_guid, item_name from all_menu_sheets

-- name: rows :part
read_parquet([{files}])

-- name: noRows :part
(from {table} limit 0)

-- name: snapshot :exec :read
create or replace temp view last_load as select '{snapshot}' as load_id

-- name: readGuids :many :read
-- The GUIDs of a load's records, once `batch` has been read.
select distinct {key}::varchar as guid from batch

-- name: setLoad :exec
update last_small_load set load_id = $load

-- name: fill :exec
insert into {table} by name select {columns} from {rows}

-- name: fillDates :exec
insert into new_order_dates
select distinct restaurant_id, guid_head(order_guid), business_date from orders

-- name: changedChecks :part
-- What a load adds to the checks of its days, when only the versions that it may replace are present.
select business_date, sum(n) as checks
  from (
         select business_date, 1 as n from checks where load_id = (select load_id from last_load)
         union all
         select business_date, -1 from past_checks where until_load = (select load_id from last_load)
       )
 group by business_date

-- name: recordsOut :one :read
copy (
  select {columns}, load_id as born, load_id as load, 1::tinyint as sign from {table} where load_id >= $first
  union all
  select {columns}, load_id, load_id, 1 from past_{table} where load_id >= $first
  union all
  select {columns}, load_id, until_load, -1 from past_{table}
) to $file (format parquet)

-- name: partsOut :one :read
copy (
  select {columns}, load_id as born from {table} where load_id >= $first
  union all
  select {columns}, load_id from past_{table} where load_id >= $first
) to $file (format parquet)

-- name: placesOut :one :read
copy (
  select '{table}' as kind, restaurant_id, {key} as guid, {date} as business_date, load_id as load
    from {table} where load_id >= $first
  union all
  select '{table}', restaurant_id, {key}, {date}, load_id from past_{table} where load_id >= $first
) to $file (format parquet)

-- name: rollupsOut :one :read
copy (select {columns}, $last::bigint as load from all_{table}) to $file (format parquet)

-- name: differences :one :read
-- What is missing in the stored rollups, as deltas.
copy (
  select {by}, {sums}, $load::bigint as load
    from (select * from ({computed}) union all by name select {by}, {negated} from ({kept}))
   group by all
  having {some}
) to $file (format parquet)
