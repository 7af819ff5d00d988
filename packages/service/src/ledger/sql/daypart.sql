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
