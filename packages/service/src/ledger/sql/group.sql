-- name: group :one :read
select management_group.name as "group", coalesce(group_setting.name, management_group.name) as name, limits,
       exists (select 1 from group_removal where group_removal.management_group = management_group.name) as removing
  from management_group left join group_setting on group_setting.management_group = management_group.name
 where management_group.name = :group;

-- name: groupList :many :read
select management_group.name as "group", coalesce(group_setting.name, management_group.name) as name, limits,
       exists (select 1 from group_removal where group_removal.management_group = management_group.name) as removing
  from management_group left join group_setting on group_setting.management_group = management_group.name
 order by management_group.name;

-- name: nameGroup :exec
insert into group_setting (management_group, name) values (:group, :name)
on conflict (management_group) do update set name = excluded.name;

-- name: limitGroup :exec
insert into group_setting (management_group, limits) values (:group, :limits)
on conflict (management_group) do update set limits = excluded.limits;

-- name: limitClient :exec
insert into client_limit (client_id, limits) values (:clientId, :limits)
on conflict (client_id) do update set limits = excluded.limits;
