-- name: failReclaimed :many
-- Every service searches for these, so rows that another one is about to change are skipped.
update report_request
   set state = 'failed', worker = null, lease_until = null, completed_at = :now, failure = :failure
 where guid in (
         select guid from report_request
          where state = 'gathering' and lease_until <= :until and attempt >= :attempts
            for update skip locked
       )
returning guid;

-- name: requeueReclaimed :exec
-- Goes to the end of the queue, so that a report that crashes its worker does not hold up the others.
update report_request
   set state = 'queued', worker = null, lease_until = null, queued_at = :now
 where guid in (
         select guid from report_request
          where state = 'gathering' and lease_until <= :now and attempt < :attempts
            for update skip locked
       );
