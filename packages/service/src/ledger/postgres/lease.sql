-- name: countClaimable :many :read
-- How many reports a worker may claim in each lane; of each group no more than :most are counted. A report that another worker's service
-- queued after :leftUntil is left to that worker.
select turn.lane,
       cast(sum((
         select count(*)
           from (
                  select 1
                    from report_request
                   where state = 'queued' and management_group = turn.management_group and lane = turn.lane
                     and expires_at > :now
                     and (queued_at <= :leftUntil or not exists (
                           select from report_owner where report_guid = report_request.guid and worker <> :worker
                         ))
                   limit :most
                ) as queued
       )) as bigint) as reports
  from report_turn as turn
 group by turn.lane;

-- name: claimNext :one
-- The group with the fewest reports gathering comes first, then the one longest without a turn; within a group, the oldest report.
-- Each lane of a group counts separately, so short reports cannot use up the turns of long ones. The long lane takes both. The turn
-- is taken in the same statement. A report that was claimed once, and is queued again, is left to nobody.
with next as (
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
                       and (queued_at <= :leftUntil or not exists (
                             select from report_owner where report_guid = report_request.guid and worker <> :worker
                           ))
                     order by queued_at, seq
                     limit 1
                  ) as guid
             from report_turn as turn
            where turn.lane = 'short' or :lane = 'long'
         ) as candidate using (guid)
   order by gathering, taken, queued_at, report_request.seq
   limit 1
), claimed as (
  update report_request
     set state = 'gathering', attempt = attempt + 1, worker = :worker, lease_until = :leaseUntil
   where guid = (select guid from next) and state = 'queued'
  returning *
), turn as (
  update report_turn
     set taken = (select max(taken) + 1 from report_turn)
    from claimed
   where report_turn.management_group = claimed.management_group and report_turn.lane = claimed.lane
), disowned as (
  delete from report_owner using claimed where report_guid = claimed.guid
)
select * from claimed;

-- name: overdueReport :one :read
select guid from report_request where state = 'gathering' and lease_until <= :now limit 1;

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
