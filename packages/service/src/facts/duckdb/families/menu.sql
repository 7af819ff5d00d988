-- Menu reports: the tables after those of gather.sql, and the query `records`. The words say what it is split by: {guid} and {carried} are
-- the GUID and name of a line, {join} what is joined for them, and {modifiers} which lines count.

-- name: sums :part
sum({s}.quantity)::bigint as quantity, sum({s}.gross_cents)::bigint as gross, sum({s}.discount_cents)::bigint as discount,
         sum({s}.refund_cents)::bigint as refund, sum({s}.void_cents)::bigint as void,
         sum({s}.waste_quantity)::bigint as waste_quantity, sum({s}.waste_cents)::bigint as waste

-- name: whole :with
-- Moves of small loads may sum to a rollup without any line: it is not a record.
rows as (
  select s.restaurant_id, s.business_date, null::varchar as guid, null::varchar as name,
         {sums}
    from all_menu_sheets s
   where s.business_date between $start and $end and s.restaurant_id in ({ids}) and not s.modifier
   group by all
  having sum(s.kept) <> 0
)

-- name: entries :with
entries as (
  select * from menu_entries where restaurant_id in ({ids}) and is_first
)

-- name: split :with
-- Names are those at the time of sale: that of the line opened last. A day has two names of a GUID only after it was renamed, or after a
-- correction that has not been folded yet; the lines are read only in these cases.
added as materialized (
  select s.restaurant_id, s.business_date, {guid} as guid, {ownName} as own_name,
         any_value({carried}) as any_name,
         -- Comparing the least and the greatest name took twice as long.
         min(case when {carried} is not null then hash({carried}) end) as first_hash,
         max(case when {carried} is not null then hash({carried}) end) as last_hash,
         sum(case when {carried} is null then 0 else s.kept end) <> 0 as is_named,
         {sums}
    from all_menu_sheets s {join}
   where s.business_date between $start and $end and s.restaurant_id in ({ids}) and {modifiers} {ofSeveral}
   group by 1, 2, 3, 4
  having sum(s.kept) <> 0
), renamed as (
  select restaurant_id, business_date, guid from added where guid is not null and is_named and first_hash <> last_hash
), latest as (
  select s.restaurant_id, s.business_date, {guid} as guid, max(struct_pack(at := s.opened_at, name := {carried})).name as name
    from (select * from lines union all by name select * from refunds where modifier is not null) s {join}
   where s.business_date between $start and $end and s.restaurant_id in ({ids}) and {modifiers} and {carried} is not null
     and (s.restaurant_id, s.business_date, {guid}) in (select restaurant_id, business_date, guid from renamed)
   group by 1, 2, 3
), sold as (
  select s.* exclude (any_name, first_hash, last_hash, is_named),
         case when s.is_named then coalesce(l.name, s.any_name) end as sold_name
    from added s
    left join latest l on l.restaurant_id = s.restaurant_id and l.business_date = s.business_date and l.guid = s.guid
  {alone}
), titled as (
  select s.*, k.name as known_name
    from sold s
    left join entries k on k.kind = {kind} and k.restaurant_id = s.restaurant_id and k.guid = {requestedGuid}
)

-- name: ownName :part
case when {guid} is null then coalesce({carried}, {noName}) end

-- name: key :part
hash(s.restaurant_id, s.business_date, {guid}, {ownName})

-- name: several :with
-- A record by item nearly always has one rollup, which is what it shows: only records of several are added up. Two records of the same hash are taken for one that has several, and are added up apart.
several as materialized (
  select {key} as key from repeated_menu_sheets s
   where s.business_date between $start and $end and s.restaurant_id in ({ids}) and {modifiers}
   group by 1 having count(*) > 1
)

-- name: ofSeveral :part
and {key} in (select key from several)

-- name: alone :part
union all by name
  select s.restaurant_id, s.business_date, {guid} as guid, {ownName} as own_name, {carried} as sold_name,
         s.quantity, s.gross_cents as gross, s.discount_cents as discount, s.refund_cents as refund, s.void_cents as void,
         s.waste_quantity, s.waste_cents as waste
    from all_menu_sheets s anti join several on several.key = {key}
   where s.business_date between $start and $end and s.restaurant_id in ({ids}) and {modifiers} and s.kept <> 0

-- name: unnamed :part
-- Names are looked up for what was sold without one.
case when s.own_name is null and s.sold_name is null then s.guid end

-- name: namedItems :with
rows as (
  select *, coalesce(own_name, sold_name, known_name, $unknownItem) as name from titled
)

-- name: namedGroups :with
-- Groups without any name are one row.
rows as (
  select s.restaurant_id, s.business_date,
         case when coalesce(s.known_name, s.sold_name) is not null then s.guid end as guid,
         coalesce(s.own_name, s.known_name, s.sold_name, {noName}) as name,
         sum(s.quantity)::bigint as quantity, sum(s.gross)::bigint as gross, sum(s.discount)::bigint as discount,
         sum(s.refund)::bigint as refund, sum(s.void)::bigint as void,
         sum(s.waste_quantity)::bigint as waste_quantity, sum(s.waste)::bigint as waste
    from titled s
   group by 1, 2, 3, 4
)

-- name: joinGroups :part
left join entries g on g.kind = 'group' and g.restaurant_id = s.restaurant_id and g.guid = s.group_guid

-- name: records :query
-- What other columns say is computed after sorting: sorting takes longer the more columns the rows have.
select {restaurant},
       r.business_date as "businessDate",
       r.gross - r.discount - r.refund as "netSalesAmount",
       r.gross as "grossSalesAmount",
       r.discount as "discountAmount",
       r.refund as "refundAmount",
       r.void as "voidAmount",
       r.quantity as "quantitySold",
       -- Signs are only computed for the few rows that have one, and wide arithmetic is only used where a bigint overflows: for a row of more than
       -- 40 billion.
       case when r.quantity > 0 and r.gross between 0 and 4000000000000 then (r.gross * 2000000 + r.quantity) // (2 * r.quantity)
            when r.quantity = 0 then 0
            when abs(r.gross) < 4000000000000 then sign(r.quantity) * rounded(r.gross * 1000000, abs(r.quantity))
            else sign(r.quantity) * rounded(r.gross::hugeint * 1000000, abs(r.quantity)::hugeint)
       end::bigint as "averagePrice",
       r.waste_quantity as "wasteCount",
       r.waste as "wasteAmount" {pair} {currency}
  from (
         select p.*, b.business_date, b.guid as entry_guid, b.name as entry_name, b.quantity, b.gross, b.discount, b.refund, b.void,
                b.waste_quantity, b.waste
           from rows b join {scope} p on p.id = b.restaurant_id
          order by p.{place}, b.business_date, b.name, b.guid nulls last
       ) r {listed}

-- name: lineChanges :with
-- A line has a row of its own for each other date on which it was refunded.
lines_before as (
  select *, null::integer as refund_date from before union all by name ({refundsBefore})
), lines_after as (
  select *, null::integer as refund_date from after union all by name ({refundsAfter})
), figures as (
  select coalesce(a.restaurant, b.restaurant) as restaurant, coalesce(a.order_guid, b.order_guid)::varchar as order_guid,
         coalesce(a.check_guid, b.check_guid)::varchar as guid, coalesce(a.business_date, b.business_date) as on_date,
         null::bigint as order_number, null::bigint as check_number,
         case when b.check_guid is not null then {before} end as before,
         case when a.check_guid is not null then {after} end as after
    from lines_before b full join lines_after a
      on a.restaurant_id = b.restaurant_id and a.order_guid = b.order_guid and a.check_guid = b.check_guid
     and a.modifier = b.modifier and a.item_guid is not distinct from b.item_guid
     and a.item_name is not distinct from b.item_name and a.group_guid is not distinct from b.group_guid
     and a.group_name is not distinct from b.group_name and a.menu_guid is not distinct from b.menu_guid
     and a.menu_name is not distinct from b.menu_name and a.refund_date is not distinct from b.refund_date
)

-- name: lineRefunds :part
select restaurant, restaurant_id, order_guid, check_guid, business_date, business_date as refund_date, modifier, item_guid, item_name,
         group_guid, group_name, menu_guid, menu_name, 0 as quantity, 0 as gross_cents, 0 as discount_cents,
         sum(refund_cents)::bigint as refund_cents, 0 as void_cents, 0 as waste_quantity, 0 as waste_cents
    from {versions} where modifier is not null
   group by all

-- name: lineFigures :part
struct_pack(
           "businessDate" := {v}.business_date, "modifier" := {v}.modifier, "itemGuid" := {v}.item_guid, "itemName" := {v}.item_name,
           "menuGroupGuid" := {v}.group_guid, "menuGroupName" := {v}.group_name, "menuGuid" := {v}.menu_guid, "menuName" := {v}.menu_name,
           "netSalesAmount" := {v}.gross_cents - {v}.discount_cents - {v}.refund_cents, "grossSalesAmount" := {v}.gross_cents,
           "discountAmount" := {v}.discount_cents, "refundAmount" := {v}.refund_cents, "voidAmount" := {v}.void_cents,
           "quantitySold" := {v}.quantity, "wasteCount" := {v}.waste_quantity, "wasteAmount" := {v}.waste_cents)
