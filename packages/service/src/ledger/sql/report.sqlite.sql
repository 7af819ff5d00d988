-- name: reportsOf :many :read
-- Newest first. A page begins after the last report of the previous page, so reports added or removed meanwhile do not shift it.
select *
  from report_request
 where management_group = :group
   and (created_at, guid) < (:createdAt, :guid)
   and (:kind is null or kind = :kind)
   and (:clientId is null or client_id = :clientId)
   and (
     :states is null
     or case when state <> 'gathering' and expires_at <= :now then 'expired' else state end
        in (select value from json_each(:states))
   )
 order by created_at desc, guid desc
 limit :limit;

-- name: reportStates :many :read
select guid, state, attempt from report_request where guid in (select value from json_each(:guids));

-- name: expireReports :many
update report_request
   set state = 'expired'
 where state in ('queued', 'completed', 'failed', 'cancelled') and expires_at <= :now
returning guid, attempt;
