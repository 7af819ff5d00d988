-- name: addInTurn :exec
-- With the turns of its group and the worker to which it is left, in one statement.
with added as (
  insert into report_request (
    guid, management_group, client_id, kind, plan, time_span, aggregate, start_date, end_date, restaurants, asked, dialect, cost, lane, state, created_at, queued_at, expires_at,
    request_id, traceparent
  )
  values (
    :guid, :group, :clientId, :kind, :plan, :span, :aggregate, :startDate, :endDate, :restaurants, :request, :dialect, :cost, :lane, 'queued', :createdAt, :createdAt, :expiresAt,
    :requestId, :traceparent
  )
  returning guid, management_group, lane
), owned as (
  insert into report_owner (report_guid, worker) select guid, cast(:queuedBy as text) from added where cast(:queuedBy as text) is not null
)
insert into report_turn (management_group, lane) select management_group, lane from added on conflict do nothing;

-- name: claimReports :many
-- The function is in migrations/0005-claim-reports.sql.
select claimed_for, (claimed).*
  from claim_reports(
         :lockSpace, :lockId, :worker, :now, :leftUntil, :leaseUntil, :mostShort, :msShort, :mostLong, :msLong
       );
