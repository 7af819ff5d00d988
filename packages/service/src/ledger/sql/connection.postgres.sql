-- name: addStreams :exec
-- `streams`: JSON array.
insert into connection_stream (connection, upstream_id, stream, next_at)
select :connection, :upstreamId, json_array_elements_text(:streams::json), :now::bigint
on conflict do nothing;
