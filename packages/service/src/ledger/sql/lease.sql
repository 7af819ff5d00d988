-- name: countWaiting :many :read
-- How many reports wait in each lane; of each group no more than :most are counted.
select turn.lane,
       cast(sum((
         select count(*)
           from (
                  select 1
                    from report_request
                   where state = 'queued' and management_group = turn.management_group and lane = turn.lane
                     and expires_at > :now
                   limit :most
                ) as queued
       )) as bigint) as reports
  from report_turn as turn
 group by turn.lane;

-- name: nextReport :one :read
-- The group with the fewest reports gathering comes first, then the one longest without a turn; within a group, the oldest report.
-- Each lane of a group counts separately, so short reports cannot use up the turns of long ones. The long lane takes both.
select guid
  from report_request
  join (
         select turn.taken,
                (
                  select count(*) from report_request
                   where state = 'gathering' and management_group = turn.management_group and lane = turn.lane
                ) as gathering,
                (
                  select guid from report_request
                   where state = 'queued' and management_group = turn.management_group and lane = turn.lane
                     and expires_at > :now
                   order by queued_at, seq
                   limit 1
                ) as guid
           from report_turn as turn
          where turn.lane = 'short' or :lane = 'long'
       ) as candidate using (guid)
 order by gathering, taken, queued_at, report_request.seq
 limit 1;

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

-- name: requeueOrphans :exec
-- The worker was killed with its service, most likely not because of this report, so it keeps its place in the queue. The attempt
-- counts, so that a report that crashes the service fails in the end.
update report_request
   set state = 'queued', worker = null, lease_until = null
 where state = 'gathering';
