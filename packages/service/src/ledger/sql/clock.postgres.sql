-- name: seenTime :one
-- Locks the row: another service that records the time waits, and then finds no gap.
select seen_at, held_ms from ledger_clock where id = 1 for update;
