-- name: dueTask :one :read
select guid from task where state = 'queued' or (state = 'running' and lease_until <= :now) limit 1;

-- name: failLost :exec
update task set state = 'failed', finished_at = :now, failure = :failure
 where state = 'running' and lease_until <= :now;

-- name: leaseTask :exec
update task set lease_until = :until where guid = :guid and state = 'running';
