-- name: tell :exec
select pg_notify('daypart_moved', :payload);
