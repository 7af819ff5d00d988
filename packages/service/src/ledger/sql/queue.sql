-- name: gatherTimes :many :read
-- Newest first, by the index on expiry. Snapshots carry the engine's time: rows where that is ahead are excluded.
select kind, time_span as span, aggregate, start_date, end_date, restaurants,
       completed_at - as_of as ms
  from report_request
 where state = 'completed' and completed_at between as_of and as_of + 86400000
 order by expires_at desc
 limit :limit;

-- name: queuedReports :many :read
select guid, management_group as "group", lane, kind, time_span as span, aggregate, start_date, end_date, restaurants
  from report_request
 where state = 'queued'
 order by queued_at, seq
 limit :limit;

-- name: reportCounts :many :read
select state, count(*) as reports from report_request group by state;

-- name: oldestQueuedAt :one :read
select min(queued_at) as queued_at from report_request where state = 'queued';
