-- name: heldReports :many :read
select guid, attempt from report_request where state = 'gathering' and worker = :worker;

-- name: extendLease :exec
update report_request
   set lease_until = :leaseUntil
 where guid = :guid and state = 'gathering' and worker = :worker and attempt = :attempt;

-- name: completeReport :exec
update report_request
   set state = 'completed', worker = null, lease_until = null,
       completed_at = :now, as_of = :asOf, row_count = :rows, byte_count = :bytes, snapshot = :snapshot, totals = :totals,
       incomplete = :incomplete, dayparts = :dayparts
 where guid = :guid and state = 'gathering' and worker = :worker and attempt = :attempt;

-- name: failReport :exec
update report_request
   set state = 'failed', worker = null, lease_until = null, completed_at = :now, failure = :failure
 where guid = :guid and state = 'gathering' and worker = :worker and attempt = :attempt;

-- name: releaseReport :exec
-- It keeps its place in the queue: its worker stopped or failed, the lease did not expire.
update report_request
   set state = 'queued', worker = null, lease_until = null, attempt = attempt - :givenBack
 where guid = :guid and state = 'gathering' and worker = :worker and attempt = :attempt;

-- name: overdueReport :one :read
select guid from report_request where state = 'gathering' and lease_until <= :now limit 1;

-- name: countGathering :one :read
select count(*) as reports from report_request where state = 'gathering';

-- name: requeueOrphans :many
-- The worker was killed with its service, most likely not because of this report, so it keeps its place in the queue.
update report_request
   set state = 'queued', worker = null, lease_until = null, attempt = attempt - :givenBack
 where state = 'gathering'
returning guid;
