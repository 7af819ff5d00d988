-- name: seeTime :exec
insert into ledger_clock (id, seen_at, held_ms) values (1, :now, 0)
on conflict (id) do update set seen_at = excluded.seen_at, held_ms = ledger_clock.held_ms + :by;

-- name: postponeReports :exec
update report_request set expires_at = expires_at + :by
 where state in ('queued', 'gathering', 'completed', 'failed');

-- name: postponeKeys :exec
update idempotency_key set ends_at = ends_at + :by;

-- name: oldestReadable :one :read
select min(as_of) as as_of from report_request where state = 'completed';
