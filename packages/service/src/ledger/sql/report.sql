-- name: report :one :read
select * from report_request where guid = :guid;

-- name: cancelReport :exec
-- The worker that gathers it notices at its next step that it has lost the report.
update report_request
   set state = 'cancelled', worker = null, lease_until = null
 where guid = :guid and state in ('queued', 'gathering', 'completed', 'failed');

-- name: forgetReports :exec
delete from report_request where state = 'expired' and expires_at < :expiredBefore;
