-- name: restaurant :one :read
select * from restaurant where guid = :guid;

-- name: restaurantsOf :many :read
select * from restaurant where management_group = :group order by guid;

-- name: restaurantsVersion :one :read
select restaurants_version as version from management_group where name = :group;

-- name: updateRestaurant :one
-- Separate from addRestaurant, which on PostgreSQL uses up a number of the sequence even if it adds nothing: facts store these numbers in
-- small integers. If the GUID belongs to another group, no row is updated and none returned.
update restaurant
   set name = :name,
       time_zone = :timeZone,
       closeout_hour = :closeoutHour,
       location_name = :locationName,
       location_code = :locationCode,
       currency_code = :currencyCode,
       overtime_multiplier = :overtimeMultiplier,
       refunds_on = :refundsOn,
       active = :active,
       test_mode = :testMode,
       archived = :archived
 where guid = :guid and management_group = :group
returning *;

-- name: dayparts :many :read
select restaurant_guid, dayparts from daypart_set where management_group = :group;

-- name: daypartsVersion :one :read
select restaurants_version as version from management_group where name = :group;

-- name: putDayparts :exec
insert into daypart_set (management_group, restaurant_guid, dayparts)
values (:group, :restaurantGuid, :dayparts)
on conflict (management_group, restaurant_guid) do update set dayparts = excluded.dayparts;

-- name: removeDayparts :exec
delete from daypart_set where management_group = :group and restaurant_guid = :restaurantGuid;
