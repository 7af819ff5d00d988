-- Statements of ClickHouse. {loads}, {restaurants} and {guids} are lists of integers and GUIDs that are checked before they are
-- put into the text: parameters are sent in the URL of the request, which has room for some thousand of them only. {visible} is the
-- condition for the loads that a snapshot sees (reads.ts).

-- name: createDatabase :exec
create database if not exists {database} {onCluster}

-- name: createTable :exec
create table if not exists {table} {onCluster} ({columns}) engine = {engine} partition by {partition} order by ({order})
-- A part is on disk before the load is committed.
settings fsync_after_insert = 1, fsync_part_directory = 1

-- name: onCluster :part
on cluster '{cluster}'

-- name: shards :one :read
select uniqExact(shard_num) as shards from system.clusters where cluster = {cluster:String}

-- name: syncReplica :exec
-- Waits until rows of the other replicas are here; does not wait for merges.
system sync replica {table} lightweight

-- name: addColumns :exec
alter table {table} {onCluster} {columns}

-- name: column :part
add column if not exists {column}

-- name: createVersion :exec
create table if not exists schema_version {onCluster} (version Int32) engine = {engine} order by version

-- name: version :one :read
select max(version) as version from schema_version

-- name: setVersion :exec
insert into schema_version values ({version})

-- name: createIdentity :exec
create table if not exists identity {onCluster} (id String, epoch String, told Int64) engine = {engine} order by told

-- name: identity :one :read
select id, epoch from identity order by told desc limit 1

-- name: identify :exec
insert into identity select {id:String}, {epoch:String}, toUnixTimestamp64Micro(now64(6))

-- name: ping :one :read
select 1 as one

-- name: visible :part
{column} <= {high} and {column} not in ({except})

-- name: visibleAll :part
{column} <= {high}

-- name: records :many :read
-- The versions that a snapshot sees and that no later version replaced. A version is stored with the same values under both signs.
select {columns}, born as load_id
  from {table}
 where {restaurants} and {dates} and sign = 1 and {visible} {only} {linked}
   and (restaurant_id, {key}, born) not in (
     select restaurant_id, {key}, born from {table} where {restaurants} and {dates} and sign = -1 and {visible} {only}
   )

-- name: parts :many :read
select {columns}, born as load_id
  from {table}
 where {restaurants} and {dates} and {visibleBorn} {only} {linked}
   and (restaurant_id, order_guid, born) not in (
     select restaurant_id, order_guid, born from orders where {restaurants} and {orderDates} and sign = -1 and {visible}
   )

-- name: datesOfOrders :part
-- The dates of the orders to which rows of a part belong that has dates of its own.
business_date in (select order_date from {table} where {restaurants} and {dates})

-- name: linkedPayments :part
-- Payments that settlements of the dates name without a time.
and payment_guid in (
     select named.payment_guid
       from settlements
      array join JSONExtract(transactions, 'Array(Tuple(payment_guid UUID, paid_at Nullable(Int64)))') as named
      where {restaurants} and {settled} and sign = 1 and {visible} and named.paid_at is null
   )

-- name: linkedSettlements :part
-- Settlements that name a payment of the dates.
and (restaurant_id, settlement_guid, born) in (
     select restaurant_id, settlement_guid, born
       from settlements
      array join JSONExtract(transactions, 'Array(Tuple(payment_guid UUID))') as named
      where {restaurants} and sign = 1 and {visible} and named.payment_guid in (
        select payment_guid from card_payments where {restaurants} and {sold} and {visibleBorn}
      )
   )

-- name: linkedOrders :part
-- Orders of the dates, or whose checks were paid on them.
and (
     {dates} or (restaurant_id, order_guid, born) in (
       select restaurant_id, order_guid, born from checks where {restaurants} and {visibleBorn} and {paid} {paidElsewhere}
     )
   )

-- name: linkedChecks :part
{paidElsewhere}

-- name: paidElsewhere :part
-- Checks of orders of other dates. If no order lacks details, none is read: the server computes the count before, as a constant.
and not ({dates}) and (select sum(sign) from orders where {restaurants} and {lacking} and {visible}) > 0

-- name: sums :many :read
-- A replaced version is stored twice, with both signs. Groups in which all rows cancel out are omitted.
select {by}{sums}
  from {table} {parts}
 where {restaurants} and {dates} and {visible} and {counted}
 group by {groups}
having sum(sign) <> 0

-- name: eachPart :part
array join JSONExtract({column}, 'Array(Tuple({types}))') as part

-- name: rollups :many :read
select {sums}
  from (
         select {columns} from {table} where {restaurants} and {dates} and {visible} {notPromoted}
         {promoted}
       )
 group by {by}

-- name: promotedRollups :part
union all
         select {columns} from {promoted} where {restaurants} and {dates} and {visiblePromotion}

-- name: notPromoted :part
 and not ({visible})

-- name: lists :many :read
select {columns}
  from {table}
 where {restaurants} and {visible} and not is_marker
   and ({by}, load) in (select {by}, max(load) from {table} where {restaurants} and {visible} group by {by})
 order by {order}

-- name: found :many :read
-- The places of records: the newest version of each that the snapshot sees.
select toString(guid) as guid, restaurant_id, argMax(business_date, load) as business_date, max(load) as born
  from places
 where kind = {kind:String} and restaurant_id in ({restaurants}) and guid in ({guids}) and {visible}
 group by restaurant_id, guid

-- name: versions :many :read
-- Versions by place. Dates and GUIDs come first, because the engine uses them to skip other rows.
select {columns}, born as load_id
  from {table}
 where restaurant_id in ({restaurants}) and {date} in ({dates}) and {key} in ({guids}) {positive}
   and (restaurant_id, {key}, born) in ({versions})

-- name: positive :part
 and sign = 1

-- name: changedRecords :many :read
-- Versions that only one of two snapshots sees, or both if a restaurant is in only one of the reports: as versions for
-- DuckDB's changes.sql, for which the first snapshot is load 0 and the second load 1.
select {columns}, if(before > 0, 0, 1) as load_id, if(after > 0, null, 1) as until_load, cast(null as Nullable(Int64)) as until_at
  from (
         select {columns}, {isBefore} as before_born, {isAfter} as after_born,
                before_born and (restaurant_id, {key}, born) not in ({goneBefore}) as before,
                after_born and (restaurant_id, {key}, born) not in ({goneAfter}) as after
           from {table}
          where {restaurants} and {dates} {positive} {notForgotten}
       )
 where before <> after or (before and {alone})

-- name: gone :part
select restaurant_id, {key}, born from {record} where {restaurants} and {recordDates} and sign = -1 and {visible}

-- name: notForgotten :part
 and (restaurant_id, {key}, born) not in (
     select restaurant_id, {key}, born from {record} where {restaurants} and {recordDates} and sign = -1 and load <= {forgotten} and {visible}
   )

-- name: insert :exec
-- A condition without columns is evaluated before the first row is read.
insert into {table} ({names})
select {names} from input('{columns}') where {notLate}
format {format}

-- name: notLate :part
throwIf(toUnixTimestamp64Milli(now64(3)) > {until}, 'the insert began too late') = 0

-- name: deleteLoads :exec
alter table {table} delete where {column} in ({loads}) settings mutations_sync = 2

-- name: deleteRestaurants :exec
alter table {table} delete where restaurant_id in ({ids}) settings mutations_sync = 2

-- name: restaurantRows :one :read
select count() as rows from {table} where restaurant_id in ({ids})

-- name: exportRows :part
select * from {table} where restaurant_id in ({ids}) and {visible}

-- name: deleteDeltas :exec
-- The last load keeps its deltas, because the highest assigned number is found from them (load-numbers.ts).
alter table {table} delete where {visible} and load < {high} settings mutations_sync = 2

-- name: promote :exec
insert into {promoted} ({by}, {names}, promotion)
select {by}, {sums}, {promotion} as promotion
  from {table}
 where {visible} {notPromoted} and {notLate}
 group by {by}
having {some}

-- name: loaded :many :read
-- Without any data the first and last date are null.
select restaurant_id, minOrNullIf(business_date, has_any) as first_date, maxOrNullIf(business_date, has_any) as last_date,
       max(loaded_at) as loaded_at, max(load_id) as load_id
  from (
         select restaurant_id, business_date, max(loaded_at) as loaded_at, max(load_id) as load_id,
                {hasData} as has_any
           from ({days})
          group by restaurant_id, business_date
       )
 group by restaurant_id

-- name: lastDates :many :read
-- The last date up to another, of restaurants that have later ones: orders may be for dates to come.
select restaurant_id, max(business_date) as last_date
  from (
         select restaurant_id, business_date
           from ({days})
          where business_date <= {until}
          group by restaurant_id, business_date
         having {hasData}
       )
 group by restaurant_id

-- name: hasData :part
sum(orders) > 0 or sum(time_entries) > 0 or sum(items) > 0 or sum(dated_parts) > 0

-- name: daysWithData :part
-- Of days without orders and time entries, the items: those of waste orders, which count in nothing but menu reports.
{days}
union all
select restaurant_id, business_date, 0, 0, kept, 0, null, 0 from ({items})
 where (restaurant_id, business_date) in (
         select restaurant_id, business_date from ({days})
          group by restaurant_id, business_date having sum(orders) = 0 and sum(time_entries) = 0
       )

-- name: soldItems :part
select restaurant_id, business_date, kept from menu_sheets where {restaurants} and {visible} {notPromoted}
{promoted}

-- name: promotedItems :part
union all
select restaurant_id, business_date, kept from promoted_menu_sheets where {restaurants} and {visiblePromotion}

-- name: loadedDays :part
select restaurant_id, business_date, orders, time_entries, 0 as items, ifNull(dated_parts, 0) as dated_parts, loaded_at, load_id
  from loaded_days where {restaurants} and {visible} {notPromoted}
{promoted}

-- name: promotedDays :part
union all
select restaurant_id, business_date, orders, time_entries, 0, ifNull(dated_parts, 0), loaded_at, load_id
  from promoted_loaded_days where {restaurants} and {visiblePromotion}

-- name: listsVersion :many :read
-- The version of what has no business date: reference data, menus and settlements. Unchanged until a list or a settlement changes.
select restaurant_id, toString(groupBitXor(version)) as lists_version
  from (
         select restaurant_id, cityHash64(tuple(kind, guid, name, last_name, chosen_name, code, wage_frequency, excluded)) as version
           from names
          where {restaurants} and {visible} and not is_marker
            and (restaurant_id, kind, load) in (
              select restaurant_id, kind, max(load) from names where {restaurants} and {visible} group by restaurant_id, kind
            )
         union all
         select restaurant_id, cityHash64(tuple(place, parent, kind, guid, name)) as version
           from menu_entries
          where {restaurants} and {visible} and not is_marker
            and (restaurant_id, load) in (
              select restaurant_id, max(load) from menu_entries where {restaurants} and {visible} group by restaurant_id
            )
         union all
         select restaurant_id, cityHash64(max(load)) as version
           from settlements where {restaurants} and {visible}
          group by restaurant_id
       )
 group by restaurant_id

-- name: highest :one :read
select max(restaurant_id) as restaurant_id
  from (
         select max(restaurant_id) as restaurant_id from places where {visible}
         union all
         select max(restaurant_id) from names where {visible} and not is_marker
         union all
         select max(restaurant_id) from menu_entries where {visible} and not is_marker
       )

-- name: highestNumber :one :read
select max(number) as number from ({tables})

-- name: highestIn :part
select max({column}) as number from {table}

-- name: rowsOfLoads :many :read
-- How many rows loads have.
select number as load, sum(n) as rows from ({tables}) group by number

-- name: rowsIn :part
select {column} as number, count() as n from {table} where {column} between {from} and {to} group by {column}

-- name: slices :many :read
select distinct month, slice from ({tables}) order by month, slice

-- name: slicesOf :part
select distinct intDiv(business_date, 100) as month, intDiv(restaurant_id, {restaurants}) as slice from {table}

-- name: missingPlaces :many :read
-- Orders that a load would not find.
select restaurant_id, business_date
  from orders
 where {restaurants} and {dates} and sign = 1 and {visible}
   and (restaurant_id, order_guid, born) not in (select restaurant_id, guid, load from places where kind = 'orders')
 group by restaurant_id, business_date
 order by restaurant_id, business_date

-- name: deltas :one :read
select count() as deltas from sheets where {visible} {notPromoted}

-- name: filled :many :read
select name from ({tables}) where rows > 0 order by name

-- name: tableRows :part
select '{table}' as name, count() as rows from {table}

-- name: totals :many :read
-- Control totals of a move, to compare with those that the folder's DuckDB computes with folder.sql.
select intDiv(day, 100) as month, countIf(is_counted > 0) as rows, {sums}
  from (select {date} as day, {sign} as is_counted, {columns} from {table})
 group by month
 order by month

-- name: totalSum :part
toString(coalesce(sum(is_counted * {column}), 0)) as "{column}_total"

-- name: placesByKind :many :read
select kind, count() as rows from places group by kind order by kind
