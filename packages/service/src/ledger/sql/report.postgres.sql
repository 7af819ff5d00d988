-- name: reportsOf :many :read
-- Newest first. A page begins after the last report of the previous page, so reports added or removed meanwhile do not shift it.
select *
  from report_request
 where management_group = :group
   and (created_at, guid) < (:createdAt, :guid)
   and (:kind::text is null or kind = :kind)
   and (:clientId::text is null or client_id = :clientId)
   and (
     :states::json is null
     or case when state <> 'gathering' and expires_at <= :now then 'expired' else state end
        in (select json_array_elements_text(:states::json))
   )
 order by created_at desc, guid desc
 limit :limit;

-- name: reportStates :many :read
select guid, state, attempt from report_request where guid in (select json_array_elements_text(:guids::json));

-- name: expireReports :many
-- Every service searches for these, so rows that another one is about to change are skipped. Rows beyond the limit wait for the next call.
update report_request
   set state = 'expired'
 where guid in (
         select guid from report_request
          where state in ('queued', 'completed', 'failed', 'cancelled') and expires_at <= :now
          limit 1000
            for update skip locked
       )
returning guid, attempt;
