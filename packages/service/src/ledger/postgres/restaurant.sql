-- name: restaurantsNamed :many :read
select *
  from restaurant
 where management_group = :group and guid in (select json_array_elements_text(:guids::json))
 order by guid;

-- name: restaurantsById :many :read
select * from restaurant where id in (select json_array_elements_text(:ids::json)::bigint) order by guid;

-- name: updateRestaurant :one
-- Separate from putRestaurant, which uses up a number of the sequence even for an update: facts store these numbers in small integers.
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
