-- name: lock :exec
-- Held until the transaction ends.
select pg_advisory_xact_lock(:space, :id);

-- name: lockText :exec
select pg_advisory_xact_lock(:space, hashtext(:text));
