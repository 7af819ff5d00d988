-- name: addConnection :exec
insert into connection (
  id, management_group, kind, name, url, settings, credentials, credentials_set_at, token, token_until, signed_in_at, state, reason,
  attempt, next_at, throttled_until, created_at, created_by, changed_at
)
values (
  :id, :group, :kind, :name, :url, :settings, :credentials, :credentialsSetAt, :token, :tokenUntil, :signedInAt, :state, :reason,
  0, :createdAt, :throttledUntil, :createdAt, :createdBy, :changedAt
);

-- name: joinRestaurant :exec
-- Changes nothing if another connection has the restaurant.
insert into connected_restaurant (
  connection, upstream_id, restaurant_guid, state, reason, since, warnings, backfill_from, backfill_to, backfill_done, not_before
)
values (
  :connection, :upstreamId, :restaurantGuid, :state, :reason, :since, :warnings, :backfillFrom, :backfillTo, :backfillDone, :notBefore
)
on conflict do nothing;

-- name: settingsAreKnown :exec
update connection_stream
   set last_at = :now, last_ok_at = :now, next_at = :settingsDueAt
 where connection = :connection and upstream_id = :upstreamId and stream = 'settings';

-- name: forgetLeft :exec
delete from connected_restaurant where connection = :connection and upstream_id = :upstreamId and state = 'left';

-- name: connections :many :read
select * from connection where management_group = :group and state <> 'removed' order by created_at, id;

-- name: connection :one :read
select * from connection where id = :id;

-- name: connectedStates :many :read
select r.connection, c.state as connection_state, r.restaurant_guid, r.state, s.read_until,
       (
         select max(business_date) from connection_date d
          where d.connection = r.connection and d.upstream_id = r.upstream_id and d.checked_at is not null
       ) as last_settled_date
  from connection c
  join connected_restaurant r on r.connection = c.id and r.state <> 'left'
  left join connection_stream s
    on s.connection = r.connection and s.upstream_id = r.upstream_id and s.stream = 'orders'
 where c.management_group = :group and c.state <> 'removed'
 order by r.restaurant_guid;

-- name: unreadPasts :many :read
select r.restaurant_guid, r.backfill_from, r.backfill_to, r.backfill_done
  from connection c
  join connected_restaurant r on r.connection = c.id and r.state <> 'left'
 where c.management_group = :group and c.state <> 'removed'
   and r.backfill_from <= r.backfill_to
   and (r.backfill_done is null or r.backfill_done > r.backfill_from)
 order by r.restaurant_guid;

-- name: connectionHealth :many :read
select c.kind, c.state, count(distinct c.id) as connections,
       count(distinct case when r.state = 'failing' then c.id end) as failing,
       min(case when r.state <> 'lost' then s.read_until end) as read_until
  from connection c
  left join connected_restaurant r on r.connection = c.id and r.state <> 'left'
  left join connection_stream s
    on s.connection = r.connection and s.upstream_id = r.upstream_id and s.stream = 'orders'
 where c.state <> 'removed'
 group by c.kind, c.state
 order by c.kind, c.state;

-- name: members :many :read
select upstream_id from connected_restaurant where connection = :connection and state <> 'left';

-- name: changeConnection :exec
update connection
   set name = :name, settings = :settings, changed_at = :now, worker = null, lease_until = null, next_at = :now
 where id = :id and state <> 'removed';

-- name: leaveRestaurant :exec
update connected_restaurant set state = 'left', reason = null, since = :now, warnings = '[]'
 where connection = :connection and upstream_id = :upstreamId and state <> 'left';

-- name: dropStreams :exec
delete from connection_stream
 where connection = :connection
   and upstream_id in (select upstream_id from connected_restaurant where connection = :connection and state = 'left');

-- name: backfillFrom :exec
update connected_restaurant set backfill_from = :backfillFrom where connection = :connection and upstream_id = :upstreamId;

-- name: setConnectionState :exec
-- Limits of the point of sale hold beyond a pause.
update connection
   set state = :state, reason = :reason, changed_at = :now, worker = null, lease_until = null, next_at = :now
 where id = :id and state <> 'removed';

-- name: replaceCredentials :exec
update connection
   set credentials = :credentials, credentials_set_at = :now, token = null, token_until = null, signed_in_at = null,
       state = case when state = 'refused' or reason = 'credentials_unreadable' then 'active' else state end,
       reason = case when state = 'refused' or reason = 'credentials_unreadable' then null else reason end,
       changed_at = :now, worker = null, lease_until = null, next_at = :now, throttled_until = null
 where id = :id and state <> 'removed';

-- name: wakeConnection :exec
update connection set worker = null, lease_until = null, next_at = :now where id = :id and state <> 'removed';

-- name: wakeBackfill :exec
update connection_stream set next_at = :now where connection = :connection and upstream_id = :upstreamId and stream = 'backfill';

-- name: removeConnection :exec
update connection
   set state = 'removed', reason = null, changed_at = :now, credentials = null, token = null, token_until = null,
       worker = null, lease_until = null, next_at = null, throttled_until = null
 where id = :id and state <> 'removed';

-- name: leaveAll :exec
update connected_restaurant set state = 'left', reason = null, since = :now, warnings = '[]'
 where connection = :connection and state <> 'left';

-- name: storedCredentials :many :read
select id, credentials from connection where credentials is not null order by id;

-- name: rewriteCredentials :exec
update connection set credentials = :to where id = :id and credentials = :from;

-- name: forgetConnections :exec
delete from connection where state = 'removed' and changed_at < :before;

-- name: forgetDates :exec
delete from connection_date where business_date < :beforeDate and read_at is not null;
