-- Snapshots have the values as computed: cents, hundredths of hours, milliseconds, GUIDs. A form converts them to the
-- formats of the wire (columns.ts). Converting before sorting and storing took 1.8 times as long for 250 k checks.

-- A report's query has the tables of `scope`, then those of its family, and the query of its family (families/*.sql, statements.ts). `ids`
-- are the restaurants' ids: if there are few, parameters, with which a scan skips other restaurants, otherwise a subquery of `scope`.

-- A small report is first put into a table, from which totals, snapshot and form are made: each reading of a Parquet file
-- takes 2 ms, a third of the total for such a report.

-- name: now :one :read
-- The time of the snapshot, which is its transaction's start, and the last load that it sees.
select epoch_ms(now()) as as_of, load_id from last_load;

-- name: scope :with
-- From `values`, or the engine computes the list as a constant while it plans: 2 to 3 ms more for 1,000 restaurants.
scope as materialized (
  select unnest(from_json(given.restaurants, '[{fields}]'), recursive := true)
    from (values ($restaurants::varchar)) given(restaurants)
), named as (
  select * from names where restaurant_id in ({ids})
)

-- name: restaurant :part
r.guid as "restaurantGuid", r.name as "restaurantName", r.locationName as "restaurantLocationName",
       coalesce(r.locationCode, '') as "restaurantLocationCode"

-- name: placed :with
-- Restaurants by their place in the order of GUIDs. Rows of a large report are sorted by it, and get the GUID and names of their restaurant
-- once they are sorted (`restaurantAt`): a sort takes longer the more columns its rows have.
placed as (
  select *, row_number() over (order by guid)::integer as place from scope
), listed as (
  select list(guid order by guid) as guids, list(name order by guid) as names, list(locationName order by guid) as location_names,
         list(coalesce(locationCode, '') order by guid) as location_codes
    from scope
)

-- name: restaurantAt :part
l.guids[r.place] as "restaurantGuid", l.names[r.place] as "restaurantName", l.location_names[r.place] as "restaurantLocationName",
       l.location_codes[r.place] as "restaurantLocationCode"

-- name: currency :part
-- If restaurants have several currencies, the place of each row's currency among them, since totals are made by currency.
, r.currency as "currency"

-- name: inCurrency :part
(select * from {snapshot} where "currency" = $currency)

-- name: byScope :part
select id from scope

-- name: incompleteDays :with
-- The days with orders that were loaded without details. If all orders have all details, no order is read: the engine
-- knows the least value of a block of rows. Nor is a check then, since it finds these orders first.
lacking as (
  select restaurant_id, order_guid, business_date, load_id
    from orders
   where {dates} and restaurant_id in ({ids}) and {lacksDetails} and details & {detail} = 0 and status <> 'excluded'
), days as (
  select distinct restaurant_id, business_date from lacking where {ofSpan}
  {paid}
)

-- name: ofSpan :part
business_date between $start and $end

-- name: paidInSpan :part
-- Of orders without payments, which count on the dates on which they were paid, only the checks say when that was. The days are those of the
-- orders, which have to be loaded again.
union all
  select distinct l.restaurant_id, l.business_date
    from lacking l
    join checks c using (restaurant_id, order_guid, business_date, load_id)
    join scope r on r.id = l.restaurant_id
   where not ({ofSpan}) and {paidWithin} and c.paid_at >= r.paidFrom and c.paid_at < r.paidUntil

-- name: incomplete :query
select r.guid::varchar as guid, d.business_date, count(*) over () as days
  from days d join scope r on r.id = d.restaurant_id
 order by r.guid, d.business_date
 limit {most}

-- name: lacksDetails :part
details < {all}

-- name: paidWithin :part
-- Of all restaurants: constants, with which the engine skips blocks of checks.
paid_at >= {from} and paid_at < {until}

-- name: snapshotOptions :part
-- Numbers of many values are written as differences, which the second version of the format has, instead of by a dictionary: that takes a fifth
-- to a quarter less time, and 8 to 28 % less space, for reports of 33 k to 366 k records.
format parquet, compression lz4_raw, parquet_version v2, dictionary_size_limit 2000

-- name: toFile :exec :read
copy ({query}) to $file ({options});

-- name: toTable :exec :read
create or replace temp table snapshot as {query};

-- name: tableToFile :exec :read
copy {snapshot} to $file ({options});

-- name: part :part
(from snapshot where "restaurantGuid" in ({guids}))

-- name: dropTable :exec :read
drop table snapshot;

-- name: render :one :read
copy (select {columns} from {snapshot}) to $form ({options});

-- name: formTexts :many :read
-- The records of a JSON form as text, each with its restaurant.
select owner, {record}::varchar as record from (select "restaurantGuid"::varchar as owner, {columns} from {snapshot});
