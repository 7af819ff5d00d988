-- name: records :query
select r.guid as "restaurantGuid", s.business_date as "businessDate", sum(s.guests)::bigint as "guestCount",
       sum(s.guests)::bigint * 500 as "guestHours", r.name as "restaurantName", r.locationCode as "locationCode" {currency}
  from all_sheets s join scope r on r.id = s.restaurant_id
 where s.business_date between $start and $end and s.restaurant_id in ({ids})
 group by all
 order by r.guid, s.business_date
