-- name: addTurn
insert into report_turn (management_group, lane) values (:group, :lane) on conflict do nothing;

-- name: nextReport
-- Whose turn it is: fewest gathering, then the longest without a turn; the oldest within a group. Each lane of a group
-- counts for itself, so what is short cannot use up the turns of what is long. The long lane takes both.
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
       ) using (guid)
 order by gathering, taken, queued_at, report_request.seq
 limit 1;

-- name: claimReport
update report_request
   set state = 'gathering', attempt = attempt + 1, worker = :worker, lease_until = :leaseUntil
 where guid = :guid and state = 'queued'
returning *;

-- name: takeTurn
update report_turn
   set taken = (select max(taken) + 1 from report_turn)
 where management_group = :group and lane = :lane;

-- name: cancelReport
-- A worker that gathers it finds at its next step that it holds nothing any more.
update report_request
   set state = 'cancelled', worker = null, lease_until = null
 where guid = :guid and state in ('queued', 'gathering', 'completed', 'failed');

-- name: reportsOf
-- Newest first. A page begins after the place of the one before it, so what came or went meanwhile moves nothing.
select *
  from report_request
 where management_group = :group
   and (created_at, guid) < (:createdAt, :guid)
   and (:kind is null or kind = :kind)
   and (
     :states is null
     or case when state <> 'gathering' and expires_at <= :now then 'expired' else state end
        in (select value from json_each(:states))
   )
 order by created_at desc, guid desc
 limit :limit;
