-- name: addReport
insert into report_request (
  guid, management_group, client_id, kind, plan, asked, dialect, cost, lane, state, created_at, queued_at, expires_at,
  request_id, traceparent
)
values (
  :guid, :group, :clientId, :kind, :plan, :asked, :dialect, :cost, :lane, 'queued', :createdAt, :createdAt, :expiresAt,
  :requestId, :traceparent
);

-- name: report
select * from report_request where guid = :guid;

-- name: extendLease
update report_request
   set lease_until = :leaseUntil
 where guid = :guid and state = 'gathering' and worker = :worker and attempt = :attempt;

-- name: completeReport
update report_request
   set state = 'completed', worker = null, lease_until = null,
       completed_at = :now, as_of = :asOf, row_count = :rows, byte_count = :bytes, load_id = :load, totals = :totals,
       digests = :digests
 where guid = :guid and state = 'gathering' and worker = :worker and attempt = :attempt;

-- name: failReport
update report_request
   set state = 'failed', worker = null, lease_until = null, completed_at = :now, failure = :failure
 where guid = :guid and state = 'gathering' and worker = :worker and attempt = :attempt;

-- name: releaseReport
-- It keeps its place in the queue: its worker stopped or stumbled, it did not run out of time.
update report_request
   set state = 'queued', worker = null, lease_until = null, attempt = attempt - :givenBack
 where guid = :guid and state = 'gathering' and worker = :worker and attempt = :attempt;

-- name: failReclaimed
update report_request
   set state = 'failed', worker = null, lease_until = null, completed_at = :now, failure = :failure
 where state = 'gathering' and lease_until <= :until and attempt >= :attempts
returning guid;

-- name: requeueReclaimed
-- To the end of the queue, so that a report that takes its worker down does not hold up the others.
update report_request
   set state = 'queued', worker = null, lease_until = null, queued_at = :now
 where state = 'gathering' and lease_until <= :now and attempt < :attempts;

-- name: requeueOrphans
-- The worker died with its service, most likely not of this report: it keeps its place in the queue. The attempt counts, so
-- that a report that does take the service down is given up in the end.
update report_request
   set state = 'queued', worker = null, lease_until = null
 where state = 'gathering';

-- name: expireReports
update report_request
   set state = 'expired'
 where state in ('queued', 'completed', 'failed', 'cancelled') and expires_at <= :now
returning guid, attempt;

-- name: forgetReports
delete from report_request where state = 'expired' and expires_at < :expiredBefore;

-- name: reportCounts
select state, count(*) as reports from report_request group by state;

-- name: oldestQueuedAt
select min(queued_at) as queued_at from report_request where state = 'queued';
