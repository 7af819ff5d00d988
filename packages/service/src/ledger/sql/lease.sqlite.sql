-- name: failReclaimed :many
update report_request
   set state = 'failed', worker = null, lease_until = null, completed_at = :now, failure = :failure
 where state = 'gathering' and lease_until <= :until and attempt >= :attempts
returning guid;

-- name: requeueReclaimed :exec
-- Goes to the end of the queue, so that a report that crashes its worker does not hold up the others.
update report_request
   set state = 'queued', worker = null, lease_until = null, queued_at = :now
 where state = 'gathering' and lease_until <= :now and attempt < :attempts;
