-- The changes between two loads, $from and $to. A version is current from its load_id until before its until_load, so a record that
-- did not change has the same version at both. For restaurants in only one of the two reports, everything has changed.

-- name: compared :with
scope as (
  select unnest(from_json($restaurants::json,
    '[{"id":"INTEGER","guid":"VARCHAR","inBefore":"BOOLEAN","inAfter":"BOOLEAN"}]'), recursive := true)
)

-- name: versions :with
{before} as (
  select v.*, s.guid as restaurant
    from past_{table} v join scope s on s.id = v.restaurant_id and s.inBefore
   where v.business_date between $start and $end
     and v.load_id <= $from and v.until_load > $from and (v.until_load <= $to or not s.inAfter)
  union all by name
  select v.*, s.guid as restaurant
    from {table} v join scope s on s.id = v.restaurant_id and s.inBefore and not s.inAfter
   where v.business_date between $start and $end and v.load_id <= $from
), {after} as (
  select v.*, s.guid as restaurant
    from {table} v join scope s on s.id = v.restaurant_id and s.inAfter
   where v.business_date between $start and $end
     and v.load_id <= $to and (v.load_id > $from or not s.inBefore)
  union all by name
  select v.*, s.guid as restaurant
    from past_{table} v join scope s on s.id = v.restaurant_id and s.inAfter
   where v.business_date between $start and $end
     and v.load_id <= $to and v.until_load > $to and (v.load_id > $from or not s.inBefore)
)

-- name: changed :query
select restaurant as "restaurantGuid", order_guid as "orderGuid", guid, order_number as "orderNumber",
       check_number as "checkNumber", before, after
  from figures
 where before is distinct from after
 -- Lines of a check are ordered by their names.
 order by restaurant, on_date, order_guid, guid, coalesce(after, before)
 limit $limit offset $offset

-- name: timeEntries :with
-- Follows `versions` of shifts: the entries that count, with the figures of the family for a version `n`.
named as (
  select 'before' as side, * from (select * exclude (until_load, until_at) from before)
  union all by name
  select 'after' as side, * from (select * exclude (until_load, until_at) from after)
), counting as (
  select n.side, n.restaurant_id, n.restaurant, n.entry_guid, n.business_date, {figures} as figures
    from named n
    left join names j on j.kind = 'job' and j.restaurant_id = n.restaurant_id and j.guid = n.job_guid
   where {counted} and job_counts(j.wage_frequency, j.excluded)
), figures as (
  select any_value(restaurant) as restaurant, null::varchar as order_guid, entry_guid::varchar as guid,
         null::bigint as order_number, null::bigint as check_number,
         coalesce(any_value(business_date) filter (side = 'after'), any_value(business_date)) as on_date,
         any_value(figures) filter (side = 'before') as before, any_value(figures) filter (side = 'after') as after
    from counting group by restaurant_id, entry_guid
)
