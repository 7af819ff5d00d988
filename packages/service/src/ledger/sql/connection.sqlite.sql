-- name: addStreams :exec
-- `streams`: JSON array.
insert into connection_stream (connection, upstream_id, stream, next_at)
select :connection, :upstreamId, value, :now from json_each(:streams)
 where true
on conflict do nothing;

-- name: putUnread :exec
-- `dates`: JSON array.
insert into connection_date (connection, upstream_id, business_date)
select :connection, value ->> 'upstreamId', value ->> 'businessDate' from json_each(:dates)
 where true
on conflict (connection, upstream_id, business_date) do update set read_at = null;
