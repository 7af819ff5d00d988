-- What changed between two loads, $from and $to. A version is current from its load_id to before its until_load, so what did not
-- change has the same version at both. Of restaurants in only one of the two reports everything has changed.

-- name: versions
with scope as (
  select unnest(from_json($restaurants::json,
    '[{"id":"INTEGER","guid":"VARCHAR","inBefore":"BOOLEAN","inAfter":"BOOLEAN"}]'), recursive := true)
), before as (
  select v.*, s.guid as restaurant
    from past_{table} v join scope s on s.id = v.restaurant_id and s.inBefore
   where v.business_date between $start and $end
     and v.load_id <= $from and v.until_load > $from and (v.until_load <= $to or not s.inAfter)
  union all by name
  select v.*, s.guid as restaurant
    from {table} v join scope s on s.id = v.restaurant_id and s.inBefore and not s.inAfter
   where v.business_date between $start and $end and v.load_id <= $from
), after as (
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

-- name: changed
select restaurant as "restaurantGuid", order_guid as "orderGuid", guid, order_number as "orderNumber",
       check_number as "checkNumber", before, after
  from figures
 where before is distinct from after
 -- Lines of a check are in the order of their names.
 order by restaurant, on_date, order_guid, guid, coalesce(after, before)
 limit $limit offset $offset;
