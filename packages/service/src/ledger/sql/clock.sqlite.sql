-- name: seenTime :one :read
select seen_at, held_ms from ledger_clock where id = 1;
