-- name: gatherTimes :many :read
-- Newest first, by the index on expiry. A snapshot's time is the engine's clock: where it is ahead, nothing is learnt.
select kind, json_extract(plan, '$.span') as span, json_extract(plan, '$.aggregate') as aggregate,
       json_extract(plan, '$.startDate') as start_date, json_extract(plan, '$.endDate') as end_date,
       json_array_length(plan, '$.restaurantIds') as restaurants,
       completed_at - as_of as ms
  from report_request
 where state = 'completed' and completed_at between as_of and as_of + 86400000
 order by expires_at desc
 limit :limit;

-- name: queuedReports :many :read
select guid, management_group as "group", lane, kind, json_extract(plan, '$.span') as span, json_extract(plan, '$.aggregate') as aggregate,
       json_extract(plan, '$.startDate') as start_date, json_extract(plan, '$.endDate') as end_date,
       json_array_length(plan, '$.restaurantIds') as restaurants
  from report_request
 where state = 'queued'
 order by queued_at, seq
 limit :limit;

-- name: reportCounts :many :read
select state, count(*) as reports from report_request group by state;

-- name: oldestQueuedAt :one :read
select min(queued_at) as queued_at from report_request where state = 'queued';
