-- name: dueConnection :one :read
select id from connection
 where state in ('active', 'refused') and next_at <= :now and (worker is null or lease_until <= :now)
   and (throttled_until is null or throttled_until <= :now)
 limit 1;

-- name: extendConnection :exec
update connection set lease_until = :leaseUntil where id = :id and worker = :worker and attempt = :attempt;

-- name: putStream :exec
insert into connection_stream (
  connection, upstream_id, stream, cursor, next_at, failures, read_until, last_at, last_ok_at, error, error_detail, upstream_request,
  fetched, changed, rejected
)
values (
  :connection, :upstreamId, :stream, :cursor, :nextAt, :failures, :readUntil, :lastAt, :lastOkAt, :error, :errorDetail,
  :upstreamRequest, :fetched, :changed, :rejected
)
on conflict (connection, upstream_id, stream) do update
   set cursor = excluded.cursor, next_at = excluded.next_at, failures = excluded.failures, read_until = excluded.read_until,
       last_at = excluded.last_at, last_ok_at = excluded.last_ok_at, error = excluded.error, error_detail = excluded.error_detail,
       upstream_request = excluded.upstream_request, fetched = excluded.fetched, changed = excluded.changed,
       rejected = excluded.rejected;

-- name: saveConnectedRestaurant :exec
update connected_restaurant
   set state = :state, reason = :reason, since = :since, warnings = :warnings, backfill_from = :backfillFrom,
       backfill_to = :backfillTo, backfill_done = :backfillDone
 where connection = :connection and upstream_id = :upstreamId;

-- name: putDate :exec
insert into connection_date (connection, upstream_id, business_date, read_at, checked_at, check_found, differences)
values (:connection, :upstreamId, :businessDate, :readAt, :checkedAt, :checkFound, :differences)
on conflict (connection, upstream_id, business_date) do update
   set read_at = excluded.read_at, checked_at = excluded.checked_at, check_found = excluded.check_found,
       differences = excluded.differences;

-- name: saveConnection :exec
update connection
   set state = :state, reason = :reason, token = :token, token_until = :tokenUntil, signed_in_at = :signedInAt,
       throttled_until = :throttledUntil, changed_at = :changedAt
 where id = :id;

-- name: releaseConnection :exec
update connection
   set worker = null, lease_until = null,
       next_at = (
         select case when min(next_at) is null or min(next_at) < cast(:nextAt as bigint) then cast(:nextAt as bigint)
                     else min(next_at) end
           from connection_stream
          where connection = :id
       )
 where id = :id and worker = :worker and attempt = :attempt;

-- name: reclaimConnections :exec
update connection set worker = null, lease_until = null, next_at = :now where worker is not null;

-- name: heldConnections :many :read
select id, attempt from connection where worker = :worker order by id;

-- name: connectedRestaurants :many :read
select * from connected_restaurant where connection = :connection order by upstream_id;

-- name: connectionStreams :many :read
select * from connection_stream where connection = :connection order by upstream_id, stream;

-- name: connectionDates :many :read
select * from connection_date
 where connection = :connection and upstream_id = :upstreamId and business_date between :from and :to
 order by business_date;

-- name: unreadDates :many :read
select business_date from connection_date
 where connection = :connection and upstream_id = :upstreamId and read_at is null
 order by business_date desc
 limit :limit;
