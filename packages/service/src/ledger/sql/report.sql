-- name: addReport :exec
insert into report_request (
  guid, management_group, client_id, kind, plan, time_span, aggregate, start_date, end_date, restaurants, asked, dialect, cost, lane, state, created_at, queued_at, expires_at,
  request_id, traceparent
)
values (
  :guid, :group, :clientId, :kind, :plan, :span, :aggregate, :startDate, :endDate, :restaurants, :asked, :dialect, :cost, :lane, 'queued', :createdAt, :createdAt, :expiresAt,
  :requestId, :traceparent
);

-- name: addTurn :exec
insert into report_turn (management_group, lane) values (:group, :lane) on conflict do nothing;

-- name: report :one :read
select * from report_request where guid = :guid;

-- name: cancelReport :exec
-- The worker that gathers it notices at its next step that it has lost the report.
update report_request
   set state = 'cancelled', worker = null, lease_until = null
 where guid = :guid and state in ('queued', 'gathering', 'completed', 'failed');

-- name: forgetReports :exec
delete from report_request where state = 'expired' and expires_at < :expiredBefore;
