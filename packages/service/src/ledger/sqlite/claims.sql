-- name: addReport :exec
insert into report_request (
  guid, management_group, client_id, kind, plan, time_span, aggregate, start_date, end_date, restaurants, asked, dialect, cost, lane, state, created_at, queued_at, expires_at,
  request_id, traceparent
)
values (
  :guid, :group, :clientId, :kind, :plan, :span, :aggregate, :startDate, :endDate, :restaurants, :request, :dialect, :cost, :lane, 'queued', :createdAt, :createdAt, :expiresAt,
  :requestId, :traceparent
);

-- name: addTurn :exec
insert into report_turn (management_group, lane) values (:group, :lane) on conflict do nothing;

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

-- name: claimReport :one
update report_request
   set state = 'gathering', attempt = attempt + 1, worker = :worker, lease_until = :leaseUntil
 where guid = :guid and state = 'queued'
returning *;

-- name: takeTurn :exec
update report_turn
   set taken = (select max(taken) + 1 from report_turn)
 where management_group = :group and lane = :lane;
