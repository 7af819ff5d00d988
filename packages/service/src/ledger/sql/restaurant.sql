-- name: restaurant :one :read
select * from restaurant where guid = :guid;

-- name: restaurantsOf :many :read
select * from restaurant where management_group = :group order by guid;

-- name: restaurantsVersion :one :read
select restaurants_version as version from management_group where name = :group;

-- name: putRestaurant :one
-- If the GUID belongs to another group, no row is updated and none returned.
insert into restaurant (
  guid, management_group, name, time_zone, closeout_hour, location_name, location_code, currency_code,
  overtime_multiplier, refunds_on, active, test_mode, archived
)
values (
  :guid, :group, :name, :timeZone, :closeoutHour, :locationName, :locationCode, :currencyCode,
  :overtimeMultiplier, :refundsOn, :active, :testMode, :archived
)
on conflict (guid) do update
   set name = excluded.name,
       time_zone = excluded.time_zone,
       closeout_hour = excluded.closeout_hour,
       location_name = excluded.location_name,
       location_code = excluded.location_code,
       currency_code = excluded.currency_code,
       overtime_multiplier = excluded.overtime_multiplier,
       refunds_on = excluded.refunds_on,
       active = excluded.active,
       test_mode = excluded.test_mode,
       archived = excluded.archived
 where restaurant.management_group = excluded.management_group
returning *;
