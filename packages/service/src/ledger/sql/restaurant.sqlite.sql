-- name: restaurantsNamed :many :read
select *
  from restaurant
 where management_group = :group and guid in (select value from json_each(:guids))
 order by guid;

-- name: restaurantsById :many :read
select * from restaurant where id in (select value from json_each(:ids)) order by guid;

-- name: addRestaurant :one
-- SQLite gives the highest number again after its row was deleted; facts of a removed restaurant would become those of another.
insert into restaurant (
  id, guid, management_group, name, time_zone, closeout_hour, location_name, location_code, currency_code,
  overtime_multiplier, refunds_on, active, test_mode, archived
)
values (
  max(
    (select coalesce(max(id), 0) from restaurant),
    (select coalesce(max(id), 0) from removed_restaurant)
  ) + 1,
  :guid, :group, :name, :timeZone, :closeoutHour, :locationName, :locationCode, :currencyCode,
  :overtimeMultiplier, :refundsOn, :active, :testMode, :archived
)
on conflict (guid) do nothing
returning *;
