-- name: addStreams :exec
-- `streams`: JSON array.
insert into connection_stream (connection, upstream_id, stream, next_at)
select :connection, :upstreamId, value, :now from json_each(:streams)
 where true
on conflict do nothing;
