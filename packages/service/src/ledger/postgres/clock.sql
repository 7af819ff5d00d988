-- name: seenTime :one
-- Another service that says what time it is waits, and finds no gap any more.
select seen_at, held_ms from ledger_clock where id = 1 for update;
