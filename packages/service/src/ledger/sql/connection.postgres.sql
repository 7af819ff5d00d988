-- name: addStreams :exec
-- `streams`: JSON array.
insert into connection_stream (connection, upstream_id, stream, next_at)
select :connection, :upstreamId, json_array_elements_text(:streams::json), :now::bigint
on conflict do nothing;

-- name: putUnread :exec
-- `dates`: JSON array.
insert into connection_date (connection, upstream_id, business_date)
select :connection, asked."upstreamId", asked."businessDate"
  from json_to_recordset(:dates::json) as asked ("upstreamId" text, "businessDate" bigint)
on conflict (connection, upstream_id, business_date) do update set read_at = null;
