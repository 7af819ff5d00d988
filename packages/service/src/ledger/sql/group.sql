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

-- name: addRemoval :exec
insert into group_removal (management_group, requested_at)
select name, :now from management_group where name = :group
on conflict (management_group) do nothing;

-- name: removals :many :read
select management_group as "group" from group_removal order by requested_at, management_group;

-- name: endRemoval :exec
delete from group_removal where management_group = :group;

-- name: revokeClients :exec
update client set revoked_at = :now where management_group = :group and revoked_at is null;

-- name: endSessions :exec
delete from session where client_id in (select id from client where management_group = :group);

-- name: dropLinks :exec
delete from sign_in_link where client_id in (select id from client where management_group = :group);

-- name: removeWebhooks :exec
-- Their deliveries too.
delete from webhook where management_group = :group;

-- name: dropKeyUses :exec
delete from idempotency_key where management_group = :group;

-- name: endConnections :exec
-- Workers that read them notice at their next step that they have lost them.
update connection
   set state = 'removed', reason = null, credentials = null, token = null, token_until = null,
       worker = null, lease_until = null, next_at = null, throttled_until = null
 where management_group = :group and state <> 'removed';

-- name: cancelReports :exec
-- Workers that gather them notice at their next step that they have lost them.
update report_request
   set state = 'cancelled', worker = null, lease_until = null
 where management_group = :group and state in ('queued', 'gathering', 'completed', 'failed');

-- name: reportsToRemove :many :read
select guid from report_request where management_group = :group order by guid limit :limit;

-- name: dropReport :exec
delete from report_request where guid = :guid;

-- name: noteRestaurants :exec
insert into removed_restaurant (id, removed_at) select id, :now from restaurant where management_group = :group
on conflict (id) do nothing;

-- name: removedRestaurants :many :read
select id from removed_restaurant where removed_at >= :since order by id;

-- name: dropForms :exec
delete from report_form
 where report_guid in (select guid from report_request where management_group = :group);

-- name: dropReports :exec
delete from report_request where management_group = :group;

-- name: dropTurns :exec
delete from report_turn where management_group = :group;

-- name: dropImports :exec
delete from import_run where management_group = :group;

-- name: dropDayparts :exec
delete from daypart_set where management_group = :group;

-- name: dropFingerprintKey :exec
delete from fingerprint_key where management_group = :group;

-- name: dropConnections :exec
-- Their restaurants, streams and dates too.
delete from connection where management_group = :group;

-- name: dropRestaurants :exec
delete from restaurant where management_group = :group;

-- name: dropAudit :exec
delete from audit where management_group = :group;

-- name: dropClientLimits :exec
delete from client_limit where client_id in (select id from client where management_group = :group);

-- name: dropClients :exec
delete from client where management_group = :group;

-- name: dropSettings :exec
delete from group_setting where management_group = :group;

-- name: dropGroup :exec
delete from management_group where name = :group;

-- name: dropStrayKeyUses :exec
-- Of loads that ended when their group had been removed.
delete from idempotency_key where management_group not in (select name from management_group);
