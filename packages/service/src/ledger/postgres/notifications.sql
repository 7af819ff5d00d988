-- name: notify :exec
select pg_notify('daypart_moved', :payload);
