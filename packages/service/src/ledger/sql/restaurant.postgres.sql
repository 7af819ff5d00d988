-- name: restaurantsNamed :many :read
select *
  from restaurant
 where management_group = :group and guid in (select json_array_elements_text(:guids::json))
 order by guid;

-- name: restaurantsById :many :read
select * from restaurant where id in (select json_array_elements_text(:ids::json)::bigint) order by guid;

-- name: addRestaurant :one
insert into restaurant (
  guid, management_group, name, time_zone, closeout_hour, location_name, location_code, currency_code,
  overtime_multiplier, refunds_on, active, test_mode, archived
)
values (
  :guid, :group, :name, :timeZone, :closeoutHour, :locationName, :locationCode, :currencyCode,
  :overtimeMultiplier, :refundsOn, :active, :testMode, :archived
)
on conflict (guid) do nothing
returning *;
